"""What the kernel's steps about errors rest on: e^x, fractions of polynomials, ends, enclosures."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cases.error_statements import STATEMENTS
from dp_checks.check.formulas import _cover
from dp_kernel import Rejected
from dp_kernel.formulas import definitions, domains, terms
from dp_kernel.formulas.domains import Region
from dp_kernel.judgements import error_terms, relations
from dp_kernel.numbers import polynomial
from dp_kernel.numbers.polynomial import Bound, Ratio, lift, substituted, variable
from dp_spec.frequency import total_errors as stated
from dp_spec.vocabulary.error_statements import Formula, Value, errors
from dp_spec.vocabulary.statement import Domain, Range
from dp_spec.vocabulary.term import var

F_ = Fraction
small = st.fractions(-4, 4, max_denominator=6)
positive = st.fractions(0, 4, max_denominator=6)

# --- the lemma about e^x ------------------------------------------------------------------------------------------


@given(st.fractions(F_(1, 1000), 1, max_denominator=1000))
def test_the_second_remainder_of_e_to_the_x(x: Fraction) -> None:
    """(e^x - 1 - x) / x^2 lies strictly between 1/2 and 3/4 for 0 < x <= 1."""
    interval = terms.exp(x, 128)
    low, high = interval.low, interval.high
    assert F_(1, 2) < (low - 1 - x) / x**2 <= (high - 1 - x) / x**2 < F_(3, 4)
    with mpmath.workdps(50):
        number = mpmath.mpf(x.numerator) / x.denominator
        exact = mpmath.exp(number)
        assert 0.5 < (exact - 1 - number) / number**2 < 0.75
        assert mpmath.mpf(low.numerator) / low.denominator - mpmath.mpf(10) ** -45 <= exact
        assert exact <= mpmath.mpf(high.numerator) / high.denominator + mpmath.mpf(10) ** -45


@given(st.fractions(F_(1, 100), 1, max_denominator=100), st.integers(1, 5))
def test_the_polynomial_for_e_to_the_x_contains_it(eps: Fraction, m: int) -> None:
    ranges = {"eps": Bound(F_(0), False, unit=True), "m": Bound(F_(1), False)}
    place = Region({name: variable(name) for name in ranges}, ranges)
    tree = ["exp", ["div", "eps", "m"]]
    extended = definitions.with_definitions(place, [tree])
    (u,) = extended.ranges.keys() - ranges
    assert extended.ranges[u] == definitions.UNIT
    root = extended.value(tree)
    at = {"eps": lift(eps), "m": lift(m)}
    ends = [number(substituted(root, {**at, u: lift(end)})) for end in (0, 1)]
    interval = terms.exp(eps / m, 128)
    assert ends[0] < interval.low <= interval.high < ends[1]


# --- fractions of polynomials -------------------------------------------------------------------------------------


def number(value: Ratio) -> Fraction:
    assert set(value.num) <= {()}
    assert set(value.den) == {()}
    return F_(value.num.get((), 0), value.den[()])


def at_point(polynomial: Any, at: dict[str, Fraction]) -> Fraction:
    total = F_(0)
    for monomial, c in polynomial.items():
        term = F_(c)
        for name, exponent in monomial:
            term *= at[name] ** exponent
        total += term
    return total


@st.composite
def polynomials(draw: st.DrawFn, names: str = "xyz", degree: int = 3) -> dict[Any, int]:
    combination: dict[Any, int] = {}
    for _ in range(draw(st.integers(1, 5))):
        exponents = {name: draw(st.integers(0, degree)) for name in names}
        monomial = tuple((name, e) for name, e in sorted(exponents.items()) if e)
        combination = polynomial.add(combination, {monomial: draw(st.integers(-9, 9))})
    return combination


@st.composite
def ratios(draw: st.DrawFn, names: str = "xyz") -> Ratio:
    return Ratio(draw(polynomials(names)), draw(polynomials(names).filter(bool)))


@given(ratios(), ratios("y"), ratios("z"), st.tuples(small, small, small))
def test_substitution_is_evaluation(value: Ratio, first: Ratio, second: Ratio, point: Any) -> None:
    """Simultaneous: what is put for x may contain y, which is replaced as well."""
    at = dict(zip("xyz", point, strict=True))
    parts = [at_point(r.num, at) / d if (d := at_point(r.den, at)) else None for r in (first, second)]
    assume(None not in parts)
    inner = {**at, "x": parts[0], "y": parts[1]}
    below = at_point(value.den, inner)
    assume(below)
    quotient = substituted(value, {"x": first, "y": second})
    denominator = at_point(quotient.den, at)
    assume(denominator)
    assert at_point(quotient.num, at) / denominator == at_point(value.num, inner) / below


BOUNDS = {
    "x": Bound(F_(1), False),
    "y": Bound(F_(0), False, unit=True),
    "z": Bound(F_(0), True, unit=True),
}


@given(polynomials(), st.tuples(positive, positive, st.fractions(F_(1, 9), 4, max_denominator=9)))
def test_a_shift_keeps_values(p: Any, above: Any) -> None:
    """At x = 1 + a, y = 1 / (1 + b), z = 1 / (1 + c)."""
    a, b, c = above
    value = Ratio(p, polynomial.ONE)
    x, y, z = map(polynomial.variable, "xyz")
    num, den = polynomial._replaced(value, {"x": x + 1, "y": 1 / (1 + y), "z": 1 / (1 + z)})
    at = {"x": a, "y": b, "z": c}
    assert at_point(num, at) / at_point(den, at) == at_point(p, {"x": 1 + a, "y": 1 / (1 + b), "z": 1 / (1 + c)})


@given(ratios(), st.tuples(positive, positive, st.fractions(F_(1, 9), 4, max_denominator=9)), st.booleans())
def test_what_is_shown_positive_is_positive(value: Ratio, above: Any, strictly: bool) -> None:
    if not value.num or not polynomial.is_nonnegative(value, BOUNDS, strictly=strictly):
        return
    for b in (F_(0), above[1]):
        at = {"x": 1 + above[0], "y": 1 / (1 + b), "z": 1 / (1 + above[2])}
        over, below = at_point(value.num, at), at_point(value.den, at)
        assert below != 0
        assert over / below > 0 if strictly else over / below >= 0


def test_the_end_of_a_closed_range_is_in_it() -> None:
    y, z = variable("y"), variable("z")
    assert not polynomial.is_nonnegative(1 - y, BOUNDS, strictly=True)
    assert polynomial.is_nonnegative(1 - y, BOUNDS)
    assert polynomial.is_nonnegative(y, BOUNDS, strictly=True)
    assert polynomial.is_nonnegative(1 - z, BOUNDS, strictly=True)


@given(ratios(), small)
def test_common_powers_are_canceled_without_changing_the_value(value: Ratio, x: Fraction) -> None:
    assume(x != 0)
    other = value * variable("x") ** 2 / variable("x") ** 2
    assert other == value
    at = {"x": x, "y": F_(2), "z": F_(3)}
    assume(at_point(value.den, at) and at_point(other.den, at))
    assert at_point(other.num, at) / at_point(other.den, at) == at_point(value.num, at) / at_point(value.den, at)


# --- ends of a variable -------------------------------------------------------------------------------------------

_F, _K = variable("f"), variable("k")
BOX = Region({"f": _F, "k": _K}, dict.fromkeys("fk", Bound(F_(0), False)), (_K + 1 - _F,))
ENDS = {"ends": ["f", ["add", "k", 1]]}
coefficient = st.integers(-3, 3)


@given(*[coefficient] * 4, st.sampled_from(["le", "lt"]))
def test_affine_functions_are_proved_at_both_ends(a: int, b: int, c: int, d: int, op: str) -> None:
    """a + b k + (c + d k) f on 0 <= f <= k + 1: what is proved holds; what holds at both ends for all k is proved."""
    f, k = variable("f"), variable("k")
    gain = a + b * k + (c + d * k) * f
    try:
        domains.prove(op, 0, gain, BOX, ENDS)
        holds = True
    except Rejected:
        holds = False
    grid = [(F_(x), F_(y)) for y in (0, 1, 2, 7) for x in (0, F_(1, 3), 1, 2, 8) if x <= y + 1]
    values = [a + b * y + (c + d * y) * x for x, y in grid]
    if holds:
        assert all(x > 0 if op == "lt" else x >= 0 for x in values)
    # at f = k + 1: (a + c) + (b + c + d) k + d k^2
    enough = min(a, b, a + c, b + c + d, d) >= 0
    positive_ones = min(a, a + c) > 0
    assert holds == (enough and (op == "le" or positive_ones))


@given(*[coefficient] * 3, st.integers(-2, 2), st.sampled_from(["le", "lt"]))
def test_a_multiple_of_a_square(a: int, b: int, c: int, e: int, op: str) -> None:
    """a x^2 + b w x + c w^2 on x > 0, w > 1, by e (x - w)^2: what is proved holds; coefficients >= 0 that are left, and
    e >= 0, prove it.
    """
    x, w = variable("x"), variable("w")
    place = Region({"x": x, "w": w}, {"x": Bound(F_(0), True), "w": definitions.ABOVE_ONE})
    step = {"squares": [[e, ["sub", "x", "w"]]]}
    left = (a - e, b + 2 * e, c - e)
    try:
        domains.prove(op, 0, a * x * x + b * w * x + c * w * w, place, step)
    except Rejected:
        assert min(*left, e) < 0 or (op == "lt" and left == (0, 0, 0))
        return
    assert e >= 0
    for y in (F_(1, 9), F_(1, 2), F_(1), F_(3, 2), F_(7)):
        quadratic = a * y * y + b * y + c
        assert quadratic > 0 if op == "lt" else quadratic >= 0


# --- enclosures ---------------------------------------------------------------------------------------------------


def test_the_pieces_found_cover_the_domain() -> None:
    statement = STATEMENTS["test.errors.cover"]
    assert isinstance(statement, Formula)
    body = statement.json()
    cover = _cover(statement, body)
    assert cover is not None
    assert cover["steps"] == [{"multipliers": {"0": 1}}, {"multipliers": {"1": 1}}]
    pieces = [Fraction(x) for x in cover["cover"]]
    assert [pieces[0], pieces[-1]] == [1, 5]
    for a, b in pairwise(pieces):
        assert a < b
        assert all(relations.judged(body, body["relations"], {"eps": terms.Interval(a, b)}))
    with mpmath.workdps(30):
        for i in range(1, 40):
            x = 1 + mpmath.mpf(i) / 10
            assert mpmath.exp(x) / (mpmath.exp(x) - 1) ** 2 < 1 / x


# --- the order of fields ------------------------------------------------------------------------------------------


def reordered(node: Any) -> Any:
    if isinstance(node, dict):
        return {name: reordered(node[name]) for name in sorted(node)}
    return [reordered(child) for child in node] if isinstance(node, list) else node


@pytest.mark.parametrize("name", [*stated.FIVE, *stated.EXISTING])
def test_the_order_of_fields_does_not_change_a_total(name: str) -> None:
    """Certificates are written with sorted names; limits on work must not depend on it."""
    parts = _total_json(name)
    assert error_terms.tree_of(parts) == error_terms.tree_of(reordered(parts))


def _total_json(name: str) -> Any:
    error = (stated.FIVE | stated.EXISTING)[name]
    law = error.law
    body = errors(
        Domain({law.base: Range(1, strict=True)}), {"a": Value(error, law.root)}, (("eq", var("a"), var("a")),)
    )
    return body.json()["values"]["a"]["error"]
