"""The smallest constants by reading: the claims, against laws and readings written a second time."""

from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from attack import truth
from attack.worlds import World
from dp_checks.certificate import json_value
from dp_kernel.certificate.digest import laws
from dp_kernel.formulas.terms import evaluate
from dp_spec.frequency.claims.budget import FORMAL, SPARE
from dp_spec.vocabulary.statement import Smallest, Unbounded
from dp_spec.vocabulary.term import Term

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
