"""One evaluator for three kinds of numbers: Fractions, fractions of polynomials and intervals."""

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dp_kernel.formulas.terms import Interval, evaluate, exp, log
from dp_kernel.meter import Rejected
from dp_kernel.numbers.polynomial import ONE, Bound, Ratio, is_nonnegative, lift, substituted, variable

PLAIN: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
}
NAMES = "xyz"
LEAVES = st.sampled_from(NAMES) | st.integers(-6, 6)
TREES = st.recursive(
    LEAVES,
    lambda inner: (
        st.tuples(st.sampled_from(sorted(PLAIN)), inner, inner).map(list)
        | inner.map(lambda tree: ["neg", tree])
        | st.tuples(st.just("pow"), inner, st.integers(-3, 3)).map(list)
    ),
    max_leaves=12,
)
POINTS = st.tuples(*[st.fractions(-4, 4, max_denominator=6)] * 3).map(lambda p: dict(zip(NAMES, p, strict=True)))
SYMBOLS = {name: variable(name) for name in NAMES}


def plain(tree: Any, at: dict[str, Fraction]) -> Fraction:
    """The value by Python's own arithmetic; raises `ZeroDivisionError` at poles."""
    if isinstance(tree, list):
        arguments = [plain(argument, at) for argument in tree[1:]]
        if tree[0] == "neg":
            return -arguments[0]
        return Fraction(arguments[0] ** tree[2] if tree[0] == "pow" else PLAIN[tree[0]](*arguments))
    return at[tree] if isinstance(tree, str) else Fraction(tree)


def number(value: Any) -> Fraction:
    """A constant; every coefficient is an integer, and no float ever arises."""
    value = lift(value)
    assert all(type(c) is int for part in (value.num, value.den) for c in part.values())
    assert value.num.keys() | value.den.keys() <= {()}
    return Fraction(value.num.get((), 0), value.den[()])


@given(TREES, POINTS)
def test_trees_have_the_values_of_plain_arithmetic(tree: Any, at: dict[str, Fraction]) -> None:
    try:
        expected = plain(tree, at)
    except ZeroDivisionError:
        with pytest.raises(ZeroDivisionError):
            evaluate(tree, at)
        return
    assert evaluate(tree, at) == expected
    assert isinstance(evaluate(tree, at), Fraction)
    symbolic = lift(evaluate(tree, SYMBOLS))
    try:
        rational = number(substituted(symbolic, {name: lift(x) for name, x in at.items()}))
    except ZeroDivisionError:  # a common factor of numerator and denominator that is 0 here
        return
    assert rational == expected


@given(TREES, POINTS, st.tuples(*[st.fractions(0, 1, max_denominator=4)] * 6))
def test_intervals_contain_the_values(tree: Any, at: dict[str, Fraction], widths: Any) -> None:
    box = {name: Interval(at[name] - a, at[name] + b) for name, a, b in zip(NAMES, widths[:3], widths[3:], strict=True)}
    try:
        interval = Interval.of(evaluate(tree, box))
    except ZeroDivisionError:
        return
    assert interval.low <= plain(tree, at) <= interval.high
    assert {type(end) for end in (interval.low, interval.high)} == {Fraction}


@given(TREES, TREES, POINTS)
def test_one_operator_after_the_other(one: Any, other: Any, at: dict[str, Fraction]) -> None:
    """With numbers on the left, on the right, and on both sides."""
    try:
        a, b = lift(evaluate(one, SYMBOLS)), lift(evaluate(other, SYMBOLS))
        x, y = plain(one, at), plain(other, at)
        values = {name: lift(value) for name, value in at.items()}
        for apply in PLAIN.values():
            for left, right in ((a, b), (a, y), (x, b)):
                assert number(substituted(lift(apply(left, right)), values)) == apply(x, y)
    except ZeroDivisionError:
        assume(False)


BOUNDS = {"x": Bound(Fraction(1, 3), True), "y": Bound(Fraction(-5, 2), False), "z": Bound(Fraction(0), True, True)}


@pytest.mark.slow
@given(TREES, st.booleans(), st.lists(st.tuples(*[st.fractions(Fraction(1, 9), 5, max_denominator=9)] * 3), min_size=3))
def test_what_is_shown_holds_everywhere(tree: Any, strictly: bool, points: list[Any]) -> None:
    """Ranges with fractions as ends, of any sign; defined everywhere, and of the sign that was shown."""
    try:
        value = lift(evaluate(tree, SYMBOLS, ranges=BOUNDS))
    except (Rejected, ZeroDivisionError):
        return
    verdict = is_nonnegative(value, BOUNDS, strictly=strictly)
    for a, b, c in points:
        rational = plain(tree, {"x": Fraction(1, 3) + a, "y": Fraction(-5, 2) + b, "z": 1 / (1 + c)})
        assert not verdict or (rational > 0 if strictly else rational >= 0)


def test_denominators_are_no_floats() -> None:
    half = lift(Fraction(1, 2))
    assert (half.num, half.den) == (ONE, {(): 2})
    assert number(half + half * Fraction(1, 3) - 1 / lift(3)) == Fraction(1, 3)
    assert (variable("x") * 6 / 4).den == {(): 2}
    assert evaluate(["div", "n", 2], {"n": 3}) == Fraction(3, 2)
    assert isinstance(evaluate(["pow", "n", -1], {"n": 3}), Fraction)
    with pytest.raises(AttributeError):
        Ratio.of(Interval(Fraction(1), Fraction(2)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "tree",
    [
        ["exp", 1],
        ["log", 2],
        ["pow", 2, ["div", 1, 2]],
        ["pow", "x", ["mul", "x", "y"]],
        ["floor", "x"],
        ["min", "x", 1],
    ],
)
def test_what_has_no_exact_value(tree: Any) -> None:
    with pytest.raises(ValueError, match=r"expression|integer linear"):
        evaluate(tree, SYMBOLS)


def test_symbolic_powers() -> None:
    def value(tree: Any) -> Ratio:
        return lift(evaluate(tree, SYMBOLS))

    root = ["add", "x", 1]
    assert value(["pow", ["mul", "x", "y"], "z"]) == value(["mul", ["pow", "x", "z"], ["pow", "y", "z"]])
    assert value(["pow", ["div", "x", root], "z"]) == value(["div", ["pow", "x", "z"], ["pow", root, "z"]])
    assert value(["pow", root, ["sub", 3, ["mul", 2, "z"]]]) == value(
        ["div", ["pow", root, 3], ["pow", ["pow", root, "z"], 2]]
    )
    assert value(["pow", ["pow", "x", 2], "z"]) == value(["pow", "x", ["mul", 2, "z"]])
    for other in (["neg", root], ["mul", 2, root], ["add", "x", 2], ["mul", "x", root], "x"):
        assert value(["pow", other, "z"]) != value(["pow", root, "z"])
    assert value(["pow", -1, "z"]) != 1  # (-1)^z is 1 for some z only
    assert value(["pow", ["neg", "x"], "z"]) != value(["pow", "x", "z"])


@given(st.fractions(-4096, 4096, max_denominator=10**6), st.integers(1, 250))
def test_exp_at_any_precision(x: Fraction, bits: int) -> None:
    interval = exp(x, bits)
    with mpmath.workdps(2200):
        exact = mpmath.exp(mpmath.mpf(x.numerator) / x.denominator)
        low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (interval.low, interval.high))
        assert low <= exact * (1 + mpmath.mpf(10) ** -2100)
        assert exact <= high * (1 + mpmath.mpf(10) ** -2100)
        assert (high - low) * 2**bits <= exact


@given(
    st.integers(-5000, 5000),
    st.fractions(Fraction(1, 10**6), 10**6, max_denominator=10**6).filter(bool),
    st.integers(1, 250),
)
def test_log_at_any_precision(scale: int, x: Fraction, bits: int) -> None:
    x *= Fraction(2) ** scale
    interval = log(x, bits)
    with mpmath.workdps(120):
        exact = mpmath.log(x.numerator) - mpmath.log(x.denominator)
        low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (interval.low, interval.high))
        assert low - mpmath.mpf(10) ** -100 <= exact <= high + mpmath.mpf(10) ** -100
        assert (high - low) * 2**bits <= 1


def test_exact_logarithms() -> None:
    assert log(Fraction(1), 64).low <= 0 <= log(Fraction(1), 64).high
    assert exp(Fraction(0), 64).low == exp(Fraction(0), 64).high == 1
    for x in (Fraction(0), Fraction(-1, 2)):
        with pytest.raises(ValueError, match="no positive number"):
            log(x, 64)
    for x in (Fraction(4097), Fraction(-4097)):
        with pytest.raises(ValueError, match="too large"):
            exp(x, 64)
