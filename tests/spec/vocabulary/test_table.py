"""Tables and channels: normalization, the ways to build one from another, exact ratio maxima."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_spec.vocabulary import table as table_module
from dp_spec.vocabulary.exceptions import NotStochasticError, UndecidedError
from dp_spec.vocabulary.ratfunc import EVERY_EPSILON
from dp_spec.vocabulary.table import Channel, RatioMaximum, Table, ratio_maximum
from strategies.exact import channels, laws, rationals

HALF = fmpq(1, 2)
T = EVERY_EPSILON.variable("t")
Matrix = dict[Any, dict[Any, fmpq]]


def dense(table: Table[Any, Any, fmpq]) -> Matrix:
    """Rows without zeros."""
    return {x: {y: p for y, p in row.items() if p != 0} for x, row in table.rows.items()}


@given(channels())
def test_rows_are_laws(channel: Channel[Any, Any, fmpq]) -> None:
    assert channel.inputs == (0, 1, 2)
    for x in channel.inputs:
        assert sum((channel.prob(y, x) for y in channel.outputs), fmpq(0)) == 1
    assert channel.defect() is None
    assert channel.prob("unseen", 0) == 0


@given(channels(), st.dictionaries(st.sampled_from("abc"), st.integers(0, 1), min_size=3))
def test_push_forward_is_the_law_of_the_observation(channel: Channel[Any, Any, fmpq], view: dict[str, int]) -> None:
    observed = channel.push_forward(view.__getitem__)
    for x, z in product(channel.inputs, (0, 1)):
        assert observed.prob(z, x) == sum((channel.prob(y, x) for y in "abc" if view[y] == z), fmpq(0))
    assert dense(channel.push_forward(lambda y: y)) == dense(channel)
    once = channel.push_forward(lambda y: (y, view[y])).push_forward(lambda pair: pair[1])
    assert dense(once) == dense(observed)


@given(channels(), channels((7, 8), "uv"))
def test_product_is_independent(channel: Channel[Any, Any, fmpq], other: Channel[Any, Any, fmpq]) -> None:
    both = channel.product(other)
    assert set(both.inputs) == set(product(channel.inputs, other.inputs))
    for (x, z), (y, v) in product(both.inputs, both.outputs):
        assert both.prob((y, v), (x, z)) == channel.prob(y, x) * other.prob(v, z)
    assert dense(both.push_forward(lambda pair: pair[0]).restriction([(1, 7)]))[1, 7] == dense(channel)[1]


@given(channels(), laws(3), laws(3))
def test_mixture_is_the_composition(channel: Channel[Any, Any, fmpq], first: Any, second: Any) -> None:
    weights = {"u": dict(enumerate(first)), "v": dict(enumerate(second))}
    mixed = channel.mixture(weights)
    for z, y in product("uv", "abc"):
        assert mixed.prob(y, z) == sum((weights[z][x] * channel.prob(y, x) for x in channel.inputs), fmpq(0))
    assert dense(channel.mixture({x: {x: fmpq(1)} for x in channel.inputs})) == dense(channel)


@given(channels())
def test_restriction_keeps_rows_in_the_order_given(channel: Channel[Any, Any, fmpq]) -> None:
    fewer = channel.restriction([2, 0])
    assert fewer.inputs == (2, 0)
    assert all(fewer.rows[x] == channel.rows[x] for x in fewer.inputs)


@given(channels(), st.sampled_from("abc"), rationals(-3, 3).filter(lambda r: r != 0))
def test_any_change_of_one_entry_is_a_defect(channel: Channel[Any, Any, fmpq], y: str, change: fmpq) -> None:
    rows = {x: dict(row) for x, row in channel.rows.items()}
    rows[1][y] += change
    defect = Table(rows).defect()
    assert defect is not None
    assert defect[0] == 1
    with pytest.raises(NotStochasticError, match="row 1"):
        Channel(rows)


# The ratio maximum against the definition, written out.

Maximum = Callable[[Table[Any, Any, fmpq]], RatioMaximum[Any, Any, fmpq] | None]


def smallest_constant(table: Table[Any, Any, fmpq]) -> Fraction | None:
    """The smallest c with M(y|x) <= c M(y|x') for all x != x', y; None if there is no such number."""
    best = Fraction(0)
    rows = {x: {y: Fraction(int(p.p), int(p.q)) for y, p in row.items()} for x, row in table.rows.items()}
    for x, other, y in product(rows, rows, table.outputs):
        p, q = rows[x].get(y, Fraction(0)), rows[other].get(y, Fraction(0))
        if x != other and p > 0:
            if q == 0:
                return None
            best = max(best, p / q)
    return best


def judged(channel: Channel[Any, Any, fmpq], maximum: Maximum) -> Iterator[str]:
    """What is wrong with a ratio maximum of a channel with at least two inputs."""
    best, expected = maximum(channel), smallest_constant(channel)
    if best is None:
        yield "no maximum"
    elif expected is None or best.ratio is None:
        if expected is not None or best.ratio is not None or channel.prob(best.y, best.other) != 0:
            yield "unbounded or not"
    elif Fraction(int(best.ratio.p), int(best.ratio.q)) != expected:
        yield "value"
    elif best.probability != best.ratio * best.other_probability:
        yield "witness"
    if best is not None and best.x == best.other:
        yield "pair"
    if best is not None and channel.prob(best.y, best.x) != best.probability:
        yield "probability"


@given(channels())
def test_ratio_maximum_is_the_smallest_constant(channel: Channel[Any, Any, fmpq]) -> None:
    assert list(judged(channel, ratio_maximum)) == []


@given(channels())
def test_ratio_maximum_over_given_pairs(channel: Channel[Any, Any, fmpq]) -> None:
    one = ratio_maximum(channel, [(2, 0)])
    assert one is not None
    assert (one.x, one.other) == (2, 0)
    assert ratio_maximum(channel, []) is None


MERGE_FAULTS: dict[str, Callable[[Any], Any]] = {
    "last wins": dict,
    "first wins": lambda weighted: dict(reversed(list(weighted))),
    "squares": lambda weighted: {y: p * p for y, p in weighted},
    "largest": lambda weighted: dict(sorted(weighted, key=lambda pair: pair[1])),
    "counts": lambda weighted: dict.fromkeys([y for y, _ in weighted], fmpq(1)),
}


@pytest.mark.parametrize("name", MERGE_FAULTS)
def test_faulty_push_forwards_are_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    channel = Channel({0: {"a": fmpq(1, 2), "b": fmpq(1, 3), "c": fmpq(1, 6)}})
    assert channel.push_forward(lambda y: y == "a").rows[0] == {True: HALF, False: HALF}
    monkeypatch.setattr(table_module, "_merge", MERGE_FAULTS[name])
    with pytest.raises(NotStochasticError):
        channel.push_forward(lambda y: y == "a")


def test_ratio_maximum_for_every_epsilon() -> None:
    channel = Channel({0: {"a": T / (T + 1), "b": 1 / (T + 1)}, 1: {"a": 1 / (T + 1), "b": T / (T + 1)}})
    best = ratio_maximum(channel)
    assert best is not None
    assert best.ratio == T


UNKNOWN: list[Any] = [(T - 2, T), (T, T - 2), (arb(0, 1), arb(1)), (arb(1), arb(0, 1))]
test_ratio_maximum_that_the_field_cannot_tell = refusal_test(
    refuses("", ratio_maximum, *(Table({0: {"a": p}, 1: {"a": q}}) for p, q in UNKNOWN), kind=UndecidedError)
)


def test_ratio_maximum_of_tables_with_signs() -> None:
    """No constant makes 1 <= c * (-1) true; entries <= 0 are no ratio."""
    best = ratio_maximum(Table({0: {"a": fmpq(1)}, 1: {"a": fmpq(-1)}}))
    assert best is not None
    assert best.ratio is None
    assert ratio_maximum(Table({0: {"a": fmpq(-1)}, 1: {"a": fmpq(0)}})) is None


SURE = Channel({0: {"a": fmpq(1)}, 1: {"a": fmpq(1)}})
FIVE = Table({0: {"a": fmpq(5)}})
test_refusals = refusal_test(
    refuses("inputs|rows", SURE.restriction, [9], [0, 9], [0, 0], []),
    refuses("row 'u'|rows", SURE.mixture, {"u": {0: HALF}}, {"u": {0: fmpq(2), 1: fmpq(-1)}}, {"u": {}}, {}),
    refuses("weights", Channel({0: {"a": fmpq(1)}}).mixture, {"u": {0: HALF, 9: HALF}}),
    refuses(
        "rows|row 0|number", Channel, {}, {0: {}}, {0: {"a": 0.5, "b": 0.5}}, {0: {"a": arb("nan")}}, {0: {"a": T}}
    ),
    refuses("x", lambda x: FIVE.prob("a", x), 1),
    refuses("pairs", lambda pairs: ratio_maximum(FIVE, pairs), [(0, 1)], [(1, 0)]),
)
