"""Enclosures against flint's balls, Sturm counts against known roots, and formulas that need either."""

from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from dp_checks.check import decide
from dp_checks.kernel import enclosure
from dp_checks.kernel.check import check
from dp_checks.kernel.polynomial import Polynomial, add, constant, multiply
from dp_checks.kernel.rejected import Rejected
from dp_checks.kernel.roots import roots_above
from dp_spec.vocabulary.statement import Domain, Formula, Range
from dp_spec.vocabulary.term import exp, log, sqrt, term, var

BITS = 100
RATIONALS = st.fractions(min_value=-20, max_value=20, max_denominator=50)
X = var("x")
REAL = Domain({"x": Range(0)})


def contains(interval: enclosure.Interval, value: arb) -> bool:
    """Whether the interval holds the (much narrower) ball and is narrow itself."""
    low, high = (arb(fmpq(x.numerator, x.denominator)) for x in interval)
    return bool(low <= value <= high and high - low < (abs(value) + 1) * arb(2) ** -80)


@given(RATIONALS)
def test_exp_is_enclosed(x: Fraction) -> None:
    with ctx.workprec(400):
        assert contains(enclosure.exp(x, BITS), arb(fmpq(x.numerator, x.denominator)).exp())


@given(st.fractions(min_value=Fraction(1, 1000), max_value=1000, max_denominator=1000))
def test_log_and_sqrt_are_enclosed(x: Fraction) -> None:
    with ctx.workprec(400):
        ball = arb(fmpq(x.numerator, x.denominator))
        assert contains(enclosure.log(x, BITS), ball.log())
        assert contains(enclosure.sqrt(x, BITS), ball.sqrt())


@given(RATIONALS, RATIONALS)
def test_trees_are_enclosed(x: Fraction, y: Fraction) -> None:
    tree = ((exp(X) - var("y")) * var("y") + X**3) / (exp(var("y")) + 1) - (-X) ** 2
    with ctx.workprec(400):
        values = {"x": arb(fmpq(x.numerator, x.denominator)), "y": arb(fmpq(y.numerator, y.denominator))}
        found = tree.evaluate(values)
        low, high = enclosure.evaluate(tree.json(), {"x": x, "y": y}, BITS)
        # balls of width 2^-400 around equal numbers overlap: only a certain escape is a failure
        assert not arb(fmpq(low.numerator, low.denominator)) > found
        assert not found > arb(fmpq(high.numerator, high.denominator))


@pytest.mark.parametrize(
    "tree", [["log", 0], ["log", ["neg", 1]], ["sqrt", ["neg", 1]], ["div", 1, 0], ["sin", 1], "z", True]
)
def test_meaningless_trees_are_refused(tree: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        enclosure.evaluate(tree, {}, BITS)


@given(st.lists(st.fractions(min_value=-5, max_value=5, max_denominator=6), max_size=4), st.integers(0, 2), RATIONALS)
def test_roots_are_counted(roots: list[Fraction], pairs: int, low: Fraction) -> None:
    """(x - r) for every root (repeated ones count once), times x^2 + 1, which has none."""
    polynomial: Polynomial = constant(3)
    for root in roots:
        polynomial = multiply(polynomial, add({(("x", 1),): Fraction(1)}, constant(-root)))
    for _ in range(pairs):
        polynomial = multiply(polynomial, add({(("x", 2),): Fraction(1)}, constant(1)))
    assert roots_above(polynomial, "x", low) == len({r for r in roots if r > low})
    for root in roots[:1]:
        assert roots_above(polynomial, "x", root) == len({r for r in roots if r > root})


def test_a_formula_without_nonnegative_coefficients_is_proved_by_its_roots() -> None:
    statement = Formula(Domain({"t": Range(1)}), (("lt", term(0), var("t") ** 2 - 3 * var("t") + 3),))
    outcome = decide(statement)
    assert (outcome.verdict, outcome.evidence.kind) == ("proved", "real-root count")
    with pytest.raises(Rejected, match="positivity"):
        check(statement.json(), "proved", {"steps": [{"scale": 1, "multipliers": {}}]})


@pytest.mark.parametrize(
    ("relation", "bound"),
    [
        (("lt", term(0), var("t") ** 2 - 4 * var("t") + 4), Range(1)),  # a double root at 2
        (("lt", term(0), var("t") - 1), Range(1)),  # 0 at the bound itself
        (("le", term(0), 1 - var("t")), Range(1)),  # negative on the ray
        (("lt", term(0), 1 / (2 - var("t"))), Range(1)),  # a pole on the ray
    ],
)
def test_false_root_counts_are_rejected(relation: Any, bound: Range) -> None:
    statement = Formula(Domain({"t": bound}), (relation,))
    with pytest.raises(Rejected):
        check(statement.json(), "proved", {"steps": [{"roots": "t"}]})


def test_real_functions_are_decided_by_enclosures() -> None:
    """e^x >= 1 + x holds at all listed points; sqrt(x) <= log(1 + x) fails at one that the kernel confirms."""
    outcome = decide(Formula(REAL, (("le", 1 + X, exp(X)),)))
    assert (outcome.verdict, outcome.evidence.kind) == ("verified", "interval enclosure")
    refuted = decide(Formula(REAL, (("le", sqrt(X), log(1 + X)),)))
    assert (refuted.verdict, refuted.evidence.kind) == ("refuted", "interval enclosure")


def test_enclosures_that_do_not_decide_are_rejected() -> None:
    equal = Formula(REAL, (("eq", log(exp(X)), X),)).json()
    points = [{"x": "1"}]
    with pytest.raises(Rejected, match="not shown"):
        check(equal, "verified", {"points": points, "bits": 64})
    with pytest.raises(Rejected, match="not shown to fail"):
        check(equal, "refuted", {"relation": 0, "values": points[0], "bits": 64})
    with pytest.raises(Rejected, match="empty"):
        check(equal, "verified", {"points": [], "bits": 64})
