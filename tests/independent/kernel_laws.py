"""What the kernel derives of small laws, beside programs that share no line with it: where they differ."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any

from dp_kernel.formulas import terms
from dp_kernel.laws import families, grammar
from dp_spec.frequency import grr, rappor, sugrr, surap
from dp_spec.vocabulary.statement import Ratio
from independent import brute_force as plain
from independent import brute_force_wheel as wheel
from independent import noise_cases

# --- sets of items ----------------------------------------------------------------------------------------------------

SIZES = ((1, 0, 1), (2, 1, 1), (1, 2, 2), (2, 1, 2), (1, 1, 2), (3, 0, 2), (2, 2, 3))
ROOT = Fraction(3, 2)
Expected = Callable[[plain.Items], plain.Law]


def expected_laws(k: int, n: int, m: int, t: Fraction) -> Iterator[tuple[Any, str, Fraction, Expected]]:
    """Table, view, root of e^eps and the law by brute force, which shares no line with the kernel."""
    d = k + n
    for view in ("set", "multiset", "position", "padded"):
        yield sugrr.SUGRR, view, t**2, partial(plain.sugrr, sensitive=k, t=t, view=view)
    yield sugrr.SUGRR_SAMPLE, "one", t ** (2 * m), partial(plain.sugrr_sample, sensitive=k, t=t, m=m)
    yield surap.SURAP, "sen", t, partial(plain.surap, sensitive=k, d=d, t=t)
    yield surap.SURAP_SAMPLE, "sen", t**m, partial(plain.surap_sample, sensitive=k, d=d, t=t, m=m)
    if n == 0:
        yield grr.GRR_SPLIT, "vector", t**2, partial(plain.grr_split, d=d, t=t, view="vector")
        yield rappor.RAPPOR_SET, "sen", t, partial(plain.rappor_set, d=d, root=t)


def wrong_laws_of_sets() -> Iterator[str]:
    """Where the kernel's laws are not those of the brute force."""
    for k, n, m in SIZES:
        for law, view, root, expected in expected_laws(k, n, m, ROOT):
            term = Ratio(law, view, "marginal").json()["law"]["term"]  # type: ignore[arg-type]
            numbers = grammar.valued(
                term, {law.base: root, **{x: Fraction(y) for x, y in zip("KNm", (k, n, m), strict=True)}}
            )
            for s in grammar.sets_of([m], k, n):
                probabilities = grammar.output_law(numbers, s, m, grammar.World(k, n))
                if {named_output(term, view, y): p for y, p in probabilities.items() if p} != expected(frozenset(s)):
                    yield f"{law.mechanism} ({view}) at {(k, n, m)}: {s}"


def named_output(term: Any, view: str, y: Any) -> Any:
    y0, kept = y
    if grammar.all_sensitive(term):
        return y0
    return (frozenset(y0) if view == "set" else y0, frozenset(kept))


# --- arcs -------------------------------------------------------------------------------------------------------------

SETTINGS = (
    (1, Fraction(2), (Fraction(0), Fraction(1, 3), Fraction(5, 6))),
    (2, Fraction(2), (Fraction(13, 14), Fraction(0), Fraction(1, 14))),
    (2, Fraction(3, 2), (Fraction(1, 2), Fraction(1, 2), Fraction(7, 12), Fraction(1, 6))),
)


def wrong_laws_on_arcs() -> Iterator[str]:
    """Where the kernel's laws are not those of the brute force."""
    for m, w, values in SETTINGS:
        arc, d, k = wheel.arc_length(m, w), len(values), 1
        term, world = ["push", "emit", ["hashed", "hash", ["interval", arc, w]]], grammar.World(k, d - k)
        world = world._replace(families={"hash": [(Fraction(1), values)]})
        grid = wheel.coarsest_grid(values, m, w)
        for s in (x for size in range(m + 1) for x in combinations(range(d), size)):
            drawn: dict[Any, Fraction] = wheel.law(frozenset(s), values, k, m, w, grid)
            expected: dict[Any, Fraction] = {}
            for (j, sent), mass in drawn.items():
                hits = tuple(x for x in range(d) if wheel.in_arc(Fraction(j, grid), values[x], m, w))
                y = (0, hits), tuple(sorted(sent))
                expected[y] = expected.get(y, Fraction(0)) + mass
            law = {y: p for y, p in grammar.output_law(term, s, m, world).items() if p}
            if law != {y: p for y, p in expected.items() if p}:
                yield f"the law of {s}"
            for x in range(d):
                counted = [
                    x in sent if x >= k else wheel.in_arc(Fraction(j, grid), values[x], m, w) for j, sent in drawn
                ]
                chance = sum(p * is_counted for p, is_counted in zip(drawn.values(), counted, strict=True))
                if sum(p * (y[1].count(x) if x >= k else x in y[0][1]) for y, p in law.items()) != chance:
                    yield f"the chance that {x} is counted, given {s}"


# --- sketches and trees -----------------------------------------------------------------------------------------------


def wrong_sketches() -> Iterator[str]:
    """Numbers of small cases that are not those computed by hand."""
    functions: families.Functions = [(Fraction(1, 4), (0, 0, 1)), (Fraction(3, 4), (0, 1, 1))]
    if families.averages(functions, 0, [1, 2, 0, 0]) != {
        "kappa1": Fraction(1, 16),
        "kappa2": Fraction(1, 64),
        "squared": Fraction(1, 8),
    }:
        yield "kappa"
    row = ["row", {"sen": {"own": Fraction(2, 3), "other": Fraction(1, 3)}}]
    world = grammar.World(3, 0, (), {"rows": functions})
    thinned = ["thinned", Fraction(1, 5), ["mix", "rows", 2, row]]
    law = grammar.output_law(thinned, (1,), 1, world)
    expected = {
        ((0, 0),): Fraction(1, 30),
        ((0, 1),): Fraction(1, 60),
        ((1, 0),): Fraction(1, 20),
        ((1, 1),): Fraction(1, 10),
        (): Fraction(4, 5),
    }
    if law != {(y, ()): p for y, p in expected.items()}:
        yield "a thinned law"
    if terms.evaluate(["sum", "j", 2, 4, ["mul", "j", "x"]], {"x": Fraction(1, 2), "j": Fraction(9)}) != Fraction(9, 2):
        yield "a sum"


def wrong_sums_of_trees() -> Iterator[str]:
    """Where quantities of trees are not those of their matrices."""
    for case in noise_cases.CASES:
        if case[1] < 3:
            yield from noise_cases.misderived(*case)
