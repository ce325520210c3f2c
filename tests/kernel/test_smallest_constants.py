"""The smallest constants by reading: the claims, against laws and readings written a second time; planted faults."""

from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from flint import fmpq

from attack import truth
from attack.worlds import World
from corpus.certificates import accepted, planted, real
from dp_checks.certificate import json_value
from dp_kernel.certificate.digest import laws
from dp_kernel.formulas.terms import evaluate
from dp_kernel.laws import sizes as sizes_of_kernel
from dp_kernel.laws.ratios import factors
from dp_kernel.numbers.polynomial import lift
from dp_spec.frequency.claims.budget import FORMAL, SPARE
from dp_spec.vocabulary.statement import Smallest, Unbounded
from dp_spec.vocabulary.term import Term
from mutants import kernel
from mutants.kernel import always

SIZES = [(m, k, d - k) for d in range(2, 6) for m in range(1, min(d, 4)) for k in range(1, d + 1)]
SUBMITTED = ("sugrr", "sugrr-sample", "surap", "surap-sample")
BY_BRUTE_FORCE = [
    i
    for i, formal in FORMAL.items()
    if getattr(formal, "law", None) and formal.law.mechanism in SUBMITTED  # type: ignore[union-attr]
]


def base(formal: Any, m: int, t: Fraction) -> Fraction:
    """The base of the law where e^(epsilon/2m) is t."""
    return t ** {"e0": 2, "w": 2 * m, "t": 1, "h": m}[formal.law.base]


def largest_ratio(formal: Any, m: int, k: int, n: int, t: Fraction) -> Fraction | None:
    """The largest compared ratio, None if there is none, 0 if nothing is compared."""
    compared = {
        "law": next(laws(json_value(formal.json()))),
        "relation": formal.relation,
        "counted": formal.counted,
        "sizes": "exactm",
    }
    return truth.largest(compared, World(m, k, n, {formal.law.base: base(formal, m, t)}))


def holds(where: tuple[Term, ...], m: int, k: int, n: int) -> bool:
    return all(tree.evaluate({"m": m, "K": k, "N": n}) >= 0 for tree in where)


def stated(formal: Smallest, m: int, k: int, n: int, t: Fraction) -> Fraction:
    root = base(formal, m, t)
    at = {formal.law.base: fmpq(root.numerator, root.denominator), "m": m, "K": k, "N": n}
    value = fmpq(1) * formal.constant.evaluate(at)
    return Fraction(int(value.p), int(value.q))


@pytest.mark.parametrize("claim", BY_BRUTE_FORCE)
def test_the_constant_is_the_largest_ratio(claim: str) -> None:
    formal: Any = FORMAL[claim]
    sizes = [at for at in SIZES if holds(formal.where, *at)]
    assert sizes
    for m, k, n in sizes:
        for t in (Fraction(3, 2), Fraction(11, 10)):
            expected = None if isinstance(formal, Unbounded) else stated(formal, m, k, n, t)
            assert largest_ratio(formal, m, k, n, t) == expected, (m, k, n, t)


def test_the_constant_of_certificates_is_the_stated_one() -> None:
    """Its smallest choice is outermost there."""
    for formal in FORMAL.values():
        if isinstance(formal, Smallest) and not formal.cases:
            root = formal.law.base
            for m, k, n in SIZES:
                values: Any = {root: Fraction(3, 2), "m": Fraction(m), "K": Fraction(k), "N": Fraction(n)}
                written = evaluate(formal.json()["constant"], values)
                value = fmpq(1) * formal.constant.evaluate({root: fmpq(3, 2), "m": m, "K": k, "N": n})
                assert written == Fraction(int(value.p), int(value.q))


@pytest.mark.parametrize("view", ["multiset", "set"])
@pytest.mark.parametrize("relation", ["joint", "samenon"])
def test_the_domain_of_exchanged_results_is_as_large_as_it_can_be(view: str, relation: str) -> None:
    """Where K + 2N < 2m a smaller constant holds, unless a single item is all that can be exchanged."""
    formal: Any = FORMAL[f"002.budget.sugrr@{view}-{relation}"]
    seen_one = False
    for m, k, n in (*SIZES, (4, 4, 2), (4, 6, 0)):
        needed = [tree for tree in formal.where if tree != SPARE]
        if holds(tuple(needed), m, k, n) and not holds((SPARE,), m, k, n):
            worst = largest_ratio(formal, m, k, n, Fraction(3, 2))
            assert isinstance(worst, Fraction)
            single = min(m, k // 2 if relation == "samenon" else k, k + n - m) == 1
            gap = stated(formal, m, k, n, Fraction(3, 2)) - worst
            assert (gap == 0) if single else (gap > 0)
            seen_one |= not single
    assert seen_one


def test_outside_their_domains_unbounded_ratios_are_bounded() -> None:
    """Or nothing is compared: the stated domains are as large as they can be."""
    for claim in BY_BRUTE_FORCE:
        formal: Any = FORMAL[claim]
        for m, k, n in SIZES if isinstance(formal, Unbounded) else ():
            bounded = largest_ratio(formal, m, k, n, Fraction(3, 2)) is not None
            assert bounded != holds(formal.where, m, k, n), (claim, m, k, n)


# --- planted faults -----------------------------------------------------------------------------------------------

REAL = [name for name in accepted() if name.startswith(("smallest proved", "unbounded"))]


@cache
def genuine() -> list[Any]:
    return [real(name) for name in REAL]


@cache
def false() -> dict[str, Any]:
    return planted("budget", "laws", "relations")


vectors, require_witness = sizes_of_kernel.vectors, sizes_of_kernel.require_witness


def as_joint(statement: Any) -> Any:
    return vectors({**statement, "relation": "joint"})


def one_vector(statement: Any) -> Any:
    return vectors(statement)[:1]


def reached_by_any_number(statement: Any, room: Any, cases: Any, by: Any) -> None:
    require_witness(statement, always(lift(0)), cases, by)


def always_sure(*of: Any, third: bool = True) -> Any:
    return factors(*of)


K = "dp_kernel."
FAULTS: dict[str, kernel.Fault] = {
    "every size is implied": ([K + f"{x}.implied" for x in ("laws.sizes", "laws.ratios")], always(True)),
    "no size is implied": ([K + f"{x}.implied" for x in ("laws.sizes", "laws.ratios")], always(False)),
    "unbounded: some pair is one": ([K + "finite.sentences.any"], always(True)),
    "unbounded on arcs at every size": ([K + "laws.arcs.implied"], always(True)),
    "samenon exchanges as joint does": ([K + "laws.ratios.vectors", K + "laws.sizes.vectors"], as_joint),
    "one exchange": ([K + "laws.ratios.vectors", K + "laws.sizes.vectors"], one_vector),
    "any number of exchanges": ([K + "laws.sizes.prove"], always(None)),
    "another number is reached": ([K + "laws.sizes.require_witness"], reached_by_any_number),
    "any quotient, any sum": ([K + "laws.ratios.is_nonnegative"], always(True)),
    "attained anywhere": ([K + "laws.sizes.require_witness"], always(None)),
    "every result is possible": ([K + "laws.ratios.factors"], always_sure),
    "linear: no number of exchanges": ([K + "laws.ratios.lost"], always(lift(0))),
    "matching: no number of exchanges": ([K + "cards.matching.lost"], always(lift(0))),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    certificates = false(), genuine()  # made before the kernel is broken
    kernel.plant(FAULTS[fault], monkeypatch)
    assert next(kernel.misjudged(*certificates), None) is not None
