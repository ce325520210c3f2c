"""Checkers for bounds up to a constant, and for limits."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, cast

from dp_checks import hints
from dp_checks.check.formulas import REFUSED, first_shown, tried_steps
from dp_checks.check.inhabitants import inhabitant
from dp_checks.check.proposals import Candidate, Finder
from dp_checks.check.telescoping import forms
from dp_checks.registry import Key, keyed
from dp_kernel.formulas.domains import Region, prove
from dp_kernel.formulas.terms import symbols
from dp_kernel.judgements import relations as kernel
from dp_kernel.judgements.error_terms import opened
from dp_kernel.judgements.relations import L
from dp_kernel.numbers.polynomial import variable
from dp_spec.vocabulary.error_statements import NEAR, Bounded, Limit
from dp_spec.vocabulary.term import Term, read

CONSTANTS = (1, 4, 16, 64, 256, 1024, 4096)
FAMILIES: tuple[Mapping[str, Any], ...] = (
    *(
        {"eps": 1, "e0": 2, "w": 2, "v": 1, "R": "L", "m": m, "K": k, "N": n, "n": 1, "g": g, "f": f}
        for m, k, n, g, f in (
            ("L", 2, "L", "L", 0),
            (1, "L", "L", 0, 0),
            ("L", "L", 0, 0, 1),
            (1, 1, 0, 0, 1),
            (1, 1, 1, 1, 0),
            ("L", 1, "L", "L", 0),
        )
    ),
    {"h": ["add", "L", 2], "eps": 1, "delta": 1},
)
"""Families along which a bound may fail, in this order: growing ones first, single sizes last but one; then trees."""


def bounded(statement: Bounded, hint: str) -> Iterator[Candidate]:
    """A family along which the quotient of left and right is unbounded; constants that bound it."""
    body = statement.json()
    families = (*hints.FAMILIES.get(hint, ()), *FAMILIES)
    for family, index, constant in product(families, range(len(statement.relations)), (16, 1024)):
        chosen = {name: x for name, x in family.items() if name in statement.domain.variables}
        data = _along(body, chosen, index, ["div", 1, constant])
        if data is None:
            continue
        listed = ", ".join(f"{name} = {_printed(x)}" for name, x in chosen.items())
        left, right = (_called(side) for side in statement.relations[index])
        grows = f"{left} / {right} >= L/{constant} along {listed}"
        if not any(L in symbols(x) for x in chosen.values()):
            grows = f"{right} is 0 and {left} is not at {listed}"
        yield Candidate("refuted", "unbounded family", grows, data)
        return
    hinted = hints.CONSTANTS.get(hint) or hints.CONSTANTS.get(hint.split("@")[0], {})
    sums, lemmas, proofs = list[Any](), list[Any](), list[Any]()
    for index, sides in enumerate(body["relations"]):
        try:
            new = forms(body, opened(body, inhabitant(body))[0], sides, hints.ENCLOSURES.get(hint, ()))
            sums += [form for form in new if form not in sums]
            proof = _constant(body, sides, hinted.get(index, ()), {"sums": sums})
            if proof is None and "h" in body["domain"]["variables"]:
                lemmas = [hints.exponential("h")]
                proof = _constant(body, sides, hinted.get(index, ()), {"sums": sums, "lemmas": lemmas})
        except REFUSED:
            return
        if proof is None:
            return
        proofs.append(proof)
    numbers = all(isinstance(constant, int) for constant, _ in proofs)
    scope = f"C = {', '.join(str(c) for c, _ in proofs)}" if numbers else "C a function of what is fixed"
    data = {
        "values": inhabitant(body),
        "constants": [constant for constant, _ in proofs],
        "steps": [step for _, step in proofs],
    }
    data |= ({"sums": sums} if sums else {}) | ({"lemmas": lemmas} if lemmas else {})
    yield Candidate("proved", "constant for a bound", f"the whole domain: {scope}", data)


def _along(body: Any, family: Any, index: int, constant: Any) -> dict[str, Any] | None:
    """Evidence that a family refutes the bound, with the lemma on powers if it takes that."""
    try:
        data: dict[str, Any] = {"values": inhabitant(body), "relation": index, "family": family, "constant": constant}
    except REFUSED:
        return None
    if "h" in family or body["grows"]:
        data |= _sums_along(body, family, [*body["relations"][index], constant])
    lemma = {"lemmas": [hints.exponential(L)], "step": {"multipliers": {"0": ["mul", 2, constant]}}}
    return first_shown((data, data | lemma), lambda tried: kernel.bounded(body, "refuted", tried))


def _sums_along(body: Any, family: Any, trees: Any) -> dict[str, Any]:
    """Forms of the sums along a family, if there are sums that have forms."""
    along = Region({L: variable(L)}, kernel.ALONG)
    try:
        values = {name: along.value(tree) for name, tree in family.items()}
        sums = forms(body, Region(values, kernel.ALONG), trees)
    except REFUSED:
        return {}
    return {"sums": sums} if sums else {}


def _constant(body: Any, sides: Any, hinted: Any, data: Any) -> tuple[Any, Any] | None:
    """A hinted constant, the smallest of some numbers, or the numerator of the left side, for which a step proves the
    bound, with forms of sums and lemmas. Raises as the kernel for a bound with terms that have no value."""
    left, right = sides
    tried: list[tuple[Any, Any]] = [(c, step) for c in CONSTANTS for step in tried_steps(body["domain"])]
    if "eps" in body["fixed"]:
        tried += [(["div", c, ["pow", "eps", 2]], {}) for c in CONSTANTS]
    if isinstance(left, list) and left[0] == "div":
        tried.append((left[1], {}))
    place = kernel.prepared_for(
        body, opened(body, inhabitant(body))[0], [left, right, *(c for c, _ in (*hinted, *tried))], data
    )
    less, more = place.value(left), place.value(right)
    if "lemmas" in data:  # the last of what is stated
        tried = [(c, {"multipliers": {str(len(place.constraints) - 1): 1}}) for c in CONSTANTS]

    def shows(of: tuple[Any, Any]) -> None:
        prove("le", less, place.value(of[0]) * more, place, of[1])

    return first_shown([*hinted, *tried], shows)


def limit(statement: Limit, hint: str) -> Iterator[Candidate]:
    """Constants for what a limit says, by those of the hints or by numbers; or a family along which the term stays away
    from it, or below a number."""
    body = statement.json()
    try:
        trees = [side for pair in body["relations"] for side in pair]
        sums = forms(body, opened(body, inhabitant(body))[0], trees, hints.ENCLOSURES.get(hint, ()))
    except REFUSED:
        return
    constants = (hints.LimitHint(constant, ({}, {})) for constant in CONSTANTS)
    fast = (hints.exponential_limit(statement.grows, constant) for constant in CONSTANTS)
    for proof in (*hints.LIMITS.get(hint, ()), *constants, *(fast if statement.value is not None else ())):
        tried = {"values": inhabitant(body)} | _within(statement, proof) | ({"sums": sums} if sums else {})
        evidence = first_shown([tried], lambda one: kernel.bounded(body, "proved", one))
        if evidence is not None:
            constant, grows = _printed(proof.constant), statement.grows
            distance = f"the distance is at most {constant} / {grows}"
            called = f"at least {grows} / {constant}" if statement.value is None else distance
            yield Candidate("proved", "limit", called, evidence)
            return
    for start, near, index in product((0, 20, 400), (1, 16, 256), range(len(body["relations"]))):
        grown = {NEAR: near, statement.grows: ["add", L, start] if start else L}
        data = _along(body, dict.fromkeys(statement.domain.variables, 2) | grown, index, ["div", 1, 16])
        if data is not None:
            away = f"stays below {near}" if statement.value is None else f"stays more than 1/{near} away"
            yield Candidate("refuted", "limit", f"the term {away} from {statement.grows} = {start + 1} on", data)
            return


def _within(statement: Limit, proof: hints.LimitHint) -> dict[str, Any]:
    """Evidence for a limit, of the constant c and the steps for |term - value| grows <= c, all of them times R; to
    infinity, of grows <= c term: c R^2 + grows^2 / c - grows R is a square and more."""
    c, grows = read(cast(Any, proof.constant)), Term(statement.grows)
    if statement.value is None:
        square = [(1 / c).json(), (c * _NEAR - grows / 2).json()]
        return {"constants": [(c * _NEAR**2).json()], "steps": [{**proof.steps[0], "squares": [square]}]}
    return {"constants": [(c * _NEAR).json()] * 2, "steps": [_times_near(step) for step in proof.steps]} | (
        {"lemmas": list(proof.lemmas)} if proof.lemmas else {}
    )


def _times_near(step: Any) -> Any:
    """A step for a relation times R."""
    multipliers = {i: (read(tree) * _NEAR).json() for i, tree in step.get("multipliers", {}).items()}
    return step | ({"multipliers": multipliers} if multipliers else {})


_NEAR = Term(NEAR)


def _printed(tree: Any) -> str:
    """A number or a name as it is, a longer tree as LaTeX."""
    return f"${read(tree).latex()}$" if isinstance(tree, list) else str(tree)


def _called(side: Term) -> str:
    return "the term" if side.arguments else str(side.head)


FINDERS: dict[Key, Finder] = keyed({Bounded: bounded, Limit: limit})
