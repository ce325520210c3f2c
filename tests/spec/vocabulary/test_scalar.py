"""Order exists in `compare` alone, is exact, and says so when it cannot tell."""

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from flint import arb, ctx, fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_spec.vocabulary.exceptions import NotStochasticError, UndecidedError
from dp_spec.vocabulary.ratfunc import EVERY_EPSILON, RationalFunctionField
from dp_spec.vocabulary.scalar import Ordering, at_most, compare, is_zero, require_law
from strategies.exact import functions, laws, rationals

T = EVERY_EPSILON.variable("t")
OPPOSITE = {
    Ordering.LESS: Ordering.GREATER,
    Ordering.GREATER: Ordering.LESS,
    Ordering.EQUAL: Ordering.EQUAL,
    Ordering.UNDECIDED: Ordering.UNDECIDED,
}


def third() -> arb:
    return arb(1) / 3


@given(rationals(), rationals())
def test_rationals_are_ordered_as_fractions(a: fmpq, b: fmpq) -> None:
    x, y = Fraction(int(a.p), int(a.q)), Fraction(int(b.p), int(b.q))
    expected = Ordering.LESS if x < y else Ordering.EQUAL if x == y else Ordering.GREATER
    assert compare(a, b) is compare(x, y) is compare(a, y) is expected
    assert at_most(a, b) is (x <= y)
    assert is_zero(a) is (x == 0)


@given(st.integers(-9, 9), st.integers(-9, 9))
def test_integers_of_every_kind(a: int, b: int) -> None:
    assert (
        compare(a, b)
        is compare(fmpz(a), b)
        is compare(fmpq(a), b)
        is compare(arb(a), b)
        is compare(EVERY_EPSILON.lift(a), b)
    )


@given(functions(), functions(), rationals(2, 20))
def test_order_of_functions_holds_at_every_point(f: Any, g: Any, point: fmpq) -> None:
    order = compare(f, g)
    assert compare(g, f) is OPPOSITE[order]
    if order is not Ordering.UNDECIDED:
        assert compare(f.at({"t": point}), g.at({"t": point})) is order


@given(rationals(), rationals())
def test_order_of_balls_is_the_order_of_what_they_hold(a: fmpq, b: fmpq) -> None:
    order = compare(arb(a), arb(b))
    assert order in (compare(a, b), Ordering.UNDECIDED)
    if a != b:
        assert order is not Ordering.UNDECIDED  # 53 bits tell these numbers apart


def test_overlapping_balls_are_undecided() -> None:
    assert compare(third(), third()) is Ordering.UNDECIDED
    assert compare(third(), fmpq(1, 3)) is Ordering.UNDECIDED
    with pytest.raises(UndecidedError):
        at_most(third(), third())
    with ctx.workprec(200):
        assert compare(arb(1) / 3 + arb(2) ** -100, fmpq(1, 3)) is Ordering.GREATER


def test_functions_that_change_sign_are_undecided() -> None:
    assert compare(T, 2) is Ordering.UNDECIDED
    assert compare(T, 1) is Ordering.GREATER
    assert compare(1, T) is Ordering.LESS
    with pytest.raises(UndecidedError):
        at_most(T, 2)


@given(laws(4))
def test_laws_are_laws(law: tuple[fmpq, ...]) -> None:
    require_law(law)
    require_law(list(law))
    require_law([arb(p) for p in law])
    require_law([EVERY_EPSILON.lift(p) for p in law])


@given(laws(3), rationals(-2, 2).filter(lambda r: r != 0))
def test_laws_with_a_defect(law: tuple[fmpq, ...], defect: fmpq) -> None:
    for broken in ([law[0] + defect, *law[1:]], [law[0] + 3, law[1] - 3, law[2]]):
        for kind in (fmpq, arb, EVERY_EPSILON.lift):
            with pytest.raises(NotStochasticError):
                require_law([kind(p) for p in broken])


def test_functions_that_are_a_law_for_every_epsilon() -> None:
    require_law([T / (T + 1), 1 / (T + 1)])


NO_NUMBERS = (0.5, float("nan"), float("inf"), True, "1", None, 1j, mpmath.mpf(1), [1])
EXACT: tuple[Any, ...] = (1, fmpq(1), arb(1), T)
test_refusals = refusal_test(
    refuses("", require_law, [T - 2, 3 - T], [1 / T, 1 / (T + 1)], kind=NotStochasticError),
    *(refuses("number", lambda number, right=right: compare(number, right), *NO_NUMBERS) for right in EXACT),
    *(refuses("number", lambda number, left=left: compare(left, number), *NO_NUMBERS) for left in EXACT),
    refuses("number", lambda other: compare(T, other), RationalFunctionField({"u": 1}).variable("u")),
    refuses("number", lambda other: compare(T, other), arb(1)),
    refuses(
        "probability|sum of probabilities",
        lambda ball: require_law([ball]),
        *(arb("nan"), arb("inf"), arb(0, float("inf")), arb(2), arb(-1)),
        kind=NotStochasticError,
    ),
    refuses("probabilities", require_law, [], (), says="at least one", kind=NotStochasticError),
)
