"""Enclosures against flint's balls, and formulas that need them."""

from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from dp_checks.check import decide
from dp_kernel.certificate.check import check
from dp_kernel.formulas import terms
from dp_kernel.formulas.terms import Interval, evaluate
from dp_kernel.meter import Rejected
from dp_spec.vocabulary.error_statements import Formula
from dp_spec.vocabulary.statement import Domain, Range
from dp_spec.vocabulary.term import exp, log, var

BITS = 100
RATIONALS = st.fractions(min_value=-20, max_value=20, max_denominator=50)
X = var("x")
REAL = Domain({"x": Range(0)})


def contains(interval: Interval, value: arb) -> bool:
    """Whether the interval holds the (much narrower) ball and is narrow itself."""
    low, high = (arb(fmpq(x.numerator, x.denominator)) for x in (interval.low, interval.high))
    return bool(low <= value <= high and high - low < (abs(value) + 1) * arb(2) ** -80)


@given(RATIONALS)
def test_exp_is_enclosed(x: Fraction) -> None:
    with ctx.workprec(400):
        assert contains(terms.exp(x, BITS), arb(fmpq(x.numerator, x.denominator)).exp())


@given(st.fractions(min_value=Fraction(1, 1000), max_value=1000, max_denominator=1000))
def test_log_is_enclosed(x: Fraction) -> None:
    with ctx.workprec(400):
        ball = arb(fmpq(x.numerator, x.denominator))
        assert contains(terms.log(x, BITS), ball.log())


@given(RATIONALS, RATIONALS)
def test_trees_are_enclosed(x: Fraction, y: Fraction) -> None:
    tree = ((exp(X) - var("y")) * var("y") + X**3) / (exp(var("y")) + 1) - (-X) ** 2
    with ctx.workprec(400):
        values = {"x": arb(fmpq(x.numerator, x.denominator)), "y": arb(fmpq(y.numerator, y.denominator))}
        ball = tree.evaluate(values)
        interval = evaluate(tree.json(), {"x": x, "y": y}, BITS)
        low, high = interval.low, interval.high
        # balls of width 2^-400 around equal numbers overlap: only a certain escape is a failure
        assert not arb(fmpq(low.numerator, low.denominator)) > ball
        assert not ball > arb(fmpq(high.numerator, high.denominator))


@pytest.mark.parametrize("tree", [["log", 0], ["log", ["neg", 1]], ["sqrt", 4], ["div", 1, 0], ["sin", 1], "z", True])
def test_meaningless_trees_are_refused(tree: Any) -> None:
    with pytest.raises((ValueError, ZeroDivisionError), match=r"."):
        evaluate(tree, {}, BITS)


def test_real_functions_are_decided_by_enclosures() -> None:
    """e^x >= 1 + x holds, which no finite cover shows; x <= log(1 + x) fails at a point that the kernel confirms."""
    assert decide(Formula(REAL, (("le", 1 + X, exp(X)),))).verdict == "unchecked"
    refuted = decide(Formula(REAL, (("le", X, log(1 + X)),)))
    assert (refuted.verdict, refuted.evidence.kind) == ("refuted", "interval enclosure")


def test_enclosures_that_do_not_decide_are_rejected() -> None:
    equal = Formula(REAL, (("eq", log(exp(X)), X),)).json()
    at = {"x": "1"}
    with pytest.raises(Rejected, match="not shown to fail"):
        check(equal, "refuted", {"relation": 0, "values": at})
