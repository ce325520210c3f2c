"""Changed certificates: what is no longer true, or no longer shown, is rejected; nothing makes the kernel stumble."""

import json
import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.certificates import Json, accepted, real, retied, small
from dp_checks.verdict import VERDICTS
from dp_kernel import Rejected, verify
from dp_kernel.laws.sizes import COUNTS
from dp_kernel.meter import DEFAULT

S, E = "statement", "evidence"
HARD = {
    *("smallest proved for matched results", "smallest proved for one draw", "implies verified for images"),
    *("formula proved for noise", "formula proved for contrasts"),
}
"""What takes the kernel long, beside shorter ones of the same kinds."""
SOME = [
    name if i % 3 == 0 and name not in HARD else pytest.param(name, marks=pytest.mark.campaign)
    for i, name in enumerate(accepted())
]
"""All of them; two thirds of them, and those that take long, in a campaign."""


def at(node: Any, path: tuple[Any, ...]) -> Any:
    """What stands at a path of a certificate."""
    for name in path:
        node = node[name]
    return node


def copied(certificate: Json) -> Json:
    """Another object of the same content."""
    copy: Json = pickle.loads(pickle.dumps(certificate))
    return copy


def rejected(certificate: Json, work: int = DEFAULT) -> bool:
    """Whether the kernel rejects; any other exception than `Rejected` is a failure of its own."""
    try:
        verify(certificate, work)
    except Rejected:
        return True
    return False


def rejected_itself(certificate: Json) -> bool:
    """Whether the kernel rejects, were all laws of the changed statement tied to programs."""
    return rejected(retied(certificate) if "statement" in certificate and "ties" in certificate else certificate)


@pytest.mark.parametrize("name", accepted())
def test_no_other_verdict_stands_on_the_same_evidence(name: str) -> None:
    certificate = small(name)
    for verdict in (*VERDICTS, "", "Proved", None, True, 1):
        assert rejected({**certificate, "verdict": verdict}) == (verdict != certificate["verdict"])


# --- every field is read ------------------------------------------------------------------------------------------


def objects(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths of all objects in a certificate."""
    if isinstance(node, dict):
        yield path
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for name, child in children:
        yield from objects(child, (*path, name))


LITTLE = 500_000
"""Units of work within which what never ends is rejected."""


LONG = 5
"""Lists that are longer are of instances, cases or monomials; expressions are shorter."""


def some(certificate: Json, paths: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Of the paths that differ in places of long lists only, the first, the one in the middle and the last."""
    alike: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    for path in paths:
        many = (isinstance(step, int) and len(at(certificate, path[:i])) > LONG for i, step in enumerate(path))
        shape = tuple("*" if one_of_many else step for step, one_of_many in zip(path, many, strict=True))
        alike.setdefault(shape, []).append(path)
    for listed in alike.values():
        yield from dict.fromkeys((listed[0], listed[len(listed) // 2], listed[-1]))


def judged(path: tuple[Any, ...]) -> Callable[[Json], bool]:
    """How a certificate changed at a path is judged: a tie to the law as it was must not be all that rejects it."""
    return rejected if "ties" in path else rejected_itself


WITHOUT = {"probability", "budget", "restored", "scale", "multipliers", "than", "0", "1", "2"}
"""Fields without which less (or something that fails there, too) is stated, or which have a default; and the numbered
multipliers of a proof."""
HARDER = {"users", "dummies", "e_eps"}
"""Fields of evidence: a bound at the point itself is as good as one at a harder point, or better."""


def beside(certificate: Json, path: tuple[Any, ...]) -> bool:
    """Whether a path leads to the variables of a part that is not the refuted one: nothing is said of its values."""
    return path[:2] == (S, "parts") and path[-1] == "variables" and path[2] != certificate[E].get("part", path[2])


@pytest.mark.parametrize("name", SOME)
def test_no_field_can_be_left_out_or_added(name: str) -> None:
    certificate = small(name)
    for path in some(certificate, objects(certificate)):
        for field in list(at(certificate, path)):
            if field not in WITHOUT and not (field in HARDER and E in path) and not beside(certificate, path):
                cut, zero = copied(certificate), copied(certificate)
                del at(cut, path)[field]
                if field in COUNTS:  # a number of items that is left out is 0, which may be right, too
                    at(zero, path)[field] = 0
                    assert judged(path)(cut) or not judged(path)(zero), (path, field)
                elif field == "non":  # what is left is a law of sensitive items: another one than the program's
                    assert rejected(cut), (path, field)
                elif field == "hashes":  # a rule may hold for all functions: then it does not matter which there are
                    assert judged(path)(cut) or certificate["verdict"] == "refuted", path
                elif field == "families" and certificate["verdict"] == "refuted":
                    assert (
                        judged(path)(cut) or {"hashes", "data"} & certificate[E].keys()
                    )  # a family without a premise is one, too
                else:
                    assert judged(path)(cut), (path, field)
        more = copied(certificate)
        at(more, path)["note"] = "0"
        assert judged(path)(more), path


DISGUISES: tuple[Callable[[Any], Any], ...] = (
    lambda x: 0.5,
    lambda x: float("nan"),
    lambda x: f"{x}.0",
    lambda x: f" {x}",
)
"""One after the other, a number each: all numbers are read by the same function."""


@pytest.mark.parametrize("name", SOME)
def test_no_number_can_be_a_float_or_a_bool(name: str) -> None:
    def walk(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        if type(node) is int or (isinstance(node, str) and node.lstrip("-").replace("/", "").isdigit()):
            yield path
        children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        for field, child in children:
            yield from walk(child, (*path, field))

    certificate = small(name)
    for i, path in enumerate(some(certificate, walk(certificate))):
        disguises: list[Callable[[Any], Any]] = [lambda x: True]
        if "outputs" not in path:  # the outputs of an explicit channel may be called anything, but not true
            disguises.append(DISGUISES[i % len(DISGUISES)])
        for disguised in disguises:
            other = copied(certificate)
            at(other, path[:-1])[path[-1]] = disguised(at(other, path))
            assert judged(path)(other), path


# --- anything at all ----------------------------------------------------------------------------------------------

leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 6),
    st.sampled_from([10**30, -(10**3000), 2**70]),
    st.sampled_from(["", "m", "K", "t", "w", "1/0", "-1/2", "nan", "1e9", "all", "proved", "joint", "\ud800"]),
    st.floats(allow_nan=True),
)
values = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["m", "K", "type", "law", "min"]), inner, max_size=3),
        st.tuples(st.sampled_from(["add", "pow", "div", "min", "exptrunc", "exp"]), inner, inner).map(list),
    ),
    max_leaves=6,
)


def paths(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for name, child in children:
        yield from paths(child, (*path, name))


@given(st.data())
def test_corrupted_certificates_are_rejected_or_still_proved(data: st.DataObject) -> None:
    """Nothing but `Rejected` is ever raised; what is accepted is unaffected by writing it out and reading it again."""
    certificate = real(data.draw(st.sampled_from([*accepted()])))
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(list(paths(certificate))))
        holder, name = at(certificate, path[:-1]), path[-1]
        action = data.draw(st.sampled_from(["replace", "replace", "delete", "repeat", "swap"]))
        if action == "replace":
            holder[name] = data.draw(values)
        elif action == "delete":
            del holder[name]
        elif action == "repeat" and isinstance(holder, list):
            holder.insert(name, holder[name])
        elif isinstance(holder, list):
            holder.append(holder.pop(name))
        if len(list(paths(certificate))) == 0:
            break
    if not rejected_itself(certificate):
        assert not rejected_itself(json.loads(json.dumps(certificate)))


@given(values)
def test_anything_that_is_no_certificate_is_rejected(value: Any) -> None:
    assert rejected(value)


@pytest.mark.slow
def test_expressions_that_never_end_are_rejected_at_once() -> None:
    nested: Any = "x"
    for _ in range(5000):
        nested = ["add", nested, 1]
    tower: Any = 2
    for _ in range(6):
        tower = ["pow", tower, 60]
    sums: Any = ["add", ["add", "x", "w"], ["add", "K", 1]]
    for _ in range(6):
        sums = ["pow", sums, 20]
    endless: list[Any] = [nested, tower, sums, ["pow", 2, 10**9], ["pow", "x", 10**9], ["exptrunc", 10**9, 1]]
    endless += [["exp", 10**9], ["exp", ["exp", ["exp", 100]]], 10**5000]
    for tree in endless:
        certificate = real("formula proved")
        certificate[S]["domain"]["variables"]["x"] = certificate[S]["domain"]["variables"]["w"]
        certificate[S]["relations"][0] = ["eq", tree, 0]
        assert rejected(certificate, LITTLE)
        assert rejected({**certificate, "verdict": "verified", "evidence": {"points": [{}], "bits": 64}}, LITTLE)
    certificate = real("formula refuted for sums")
    certificate[S]["relations"][0][1][3] = 10**9
    assert rejected(retied(certificate), LITTLE)
    for sizes in ({"K": 10**9}, {"N": 10**9}, {"m": 10**9, "K": 10**9}):
        certificate = real("sentence verified of a bound")
        certificate[E]["instances"][0].update(sizes)
        assert rejected(certificate, LITTLE)
