"""Tables on paper: nothing is lost on the way out and back, and what is malformed says so."""

import csv
import io
import json
from fractions import Fraction
from itertools import product
from typing import Any, Literal

import mpmath
import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath.libmp import to_rational

from cases.refusals import refusal_test, refuses
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.sugrr import SuGRR
from dp_spec.vocabulary.budget import Budget, every_budget
from dp_spec.vocabulary.exceptions import DomainError, FormatError, NotStochasticError
from dp_spec.vocabulary.export import from_json, to_csv, to_json, to_mpmath, to_numpy
from dp_spec.vocabulary.items import ItemDomain, Report
from dp_spec.vocabulary.ratfunc import EVERY_EPSILON, RationalFunctionField
from dp_spec.vocabulary.table import Channel, Table
from strategies.exact import channels, functions, rationals

T = EVERY_EPSILON.variable("t")
PLAIN = st.none() | st.integers() | st.text(max_size=4)
LABELS = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple)
        | st.frozensets(inner, max_size=3)
        | st.tuples(inner, st.frozensets(inner, max_size=2)).map(lambda p: Report(*p))
    ),
    max_leaves=5,
)


def tables(entries: st.SearchStrategy[Any]) -> st.SearchStrategy[Table[Any, Any, Any]]:
    rows = st.dictionaries(LABELS, st.dictionaries(LABELS, entries, max_size=3), min_size=1, max_size=3)
    return rows.map(Table)


def in_order(table: Table[Any, Any, Any]) -> list[tuple[Any, list[tuple[Any, Any]]]]:
    return [(x, list(row.items())) for x, row in table.rows.items()]


@settings(max_examples=20)
@given(tables(rationals()))
def test_json_is_read_back(table: Table[Any, Any, fmpq]) -> None:
    back = from_json(to_json(table))
    assert in_order(back) == in_order(table)
    assert type(back) is Table
    assert to_json(back) == to_json(table)


@settings(max_examples=20)
@given(tables(rationals()))
def test_csv_has_the_labels_and_numbers_of_json(table: Table[Any, Any, fmpq]) -> None:
    document = json.loads(to_json(table))
    expected = [["input", "output", "probability"]]
    for x, row in zip(document["inputs"], document["rows"], strict=True):
        expected += [[label(x), label(document["outputs"][j]), p] for j, p in row] or [[label(x), "", ""]]
    assert list(csv.reader(io.StringIO(to_csv(table), newline=""), strict=True)) == expected


def label(document: Any) -> str:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


@given(tables(functions() | rationals()))
def test_functions_are_read_back(table: Table[Any, Any, Any]) -> None:
    assert in_order(from_json(to_json(table))) == in_order(table)


def test_functions_of_several_variables_are_read_back() -> None:
    field = RationalFunctionField({"t": 1, "m": 0})
    t, m = field.variable("t"), field.variable("m")
    table = Table({0: {"a": (t**3 * m - 7) / (m + t), "b": field.lift(fmpq(2, 3))}})
    assert in_order(from_json(to_json(table))) == in_order(table)


@given(tables(rationals()), st.integers(20, 300))
def test_balls_are_read_back(table: Table[Any, Any, fmpq], bits: int) -> None:
    with ctx.workprec(bits):
        balls = Table({x: {y: arb(p) / 3 for y, p in row.items()} for x, row in table.rows.items()})
    back = from_json(to_json(balls))
    for (x, row), (z, column) in zip(in_order(balls), in_order(back), strict=True):
        assert x == z
        for (y, p), (v, q) in zip(row, column, strict=True):
            assert y == v
            assert p.mid().man_exp() == q.mid().man_exp()
            radius, enlarged = (fmpq(m) * fmpq(2) ** int(e) for m, e in (p.rad().man_exp(), q.rad().man_exp()))
            assert radius <= enlarged <= radius * (1 + fmpq(1, 2**29))


@given(channels())
def test_channels_stay_channels(channel: Channel[Any, Any, fmpq]) -> None:
    back = from_json(to_json(channel))
    assert type(back) is Channel
    assert in_order(back) == in_order(channel)
    broken = to_json(channel).replace('"rows": [[[0, "', '"rows": [[[0, "1')
    with pytest.raises((NotStochasticError, FormatError)):
        from_json(broken)


def test_a_mechanism_goes_out_and_comes_back() -> None:
    domain = ItemDomain.of_sizes(2, 2)
    budgets: list[tuple[Any, Any]] = [(Budget.of_root(fmpq(3), 2), fmpq(1)), (every_budget(2), EVERY_EPSILON.lift(1))]
    views: tuple[Literal["set", "position"], ...] = ("set", "position")
    for (budget, one), view in product(budgets, views):
        channel = exact_channel(SuGRR(domain, budget, 2, view=view).randomize, domain.subsets([2]), one)
        assert in_order(from_json(to_json(channel))) == in_order(channel)


@given(tables(rationals()))
def test_numpy_is_the_nearest_float(table: Table[Any, Any, fmpq]) -> None:
    array = to_numpy(table)
    assert array.shape == (len(table.inputs), len(table.outputs))
    assert array.dtype == np.float64
    for i, x in enumerate(table.inputs):
        for j, y in enumerate(table.outputs):
            p = fmpq(table.prob(y, x))
            assert array[i, j] == float(Fraction(int(p.p), int(p.q)))


@given(rationals(), st.integers(1, 200))
def test_mpmath_is_the_nearest_number(number: fmpq, digits: int) -> None:
    entry = to_mpmath(Table({0: {"a": number}}), digits)[0]["a"]
    context = entry.context
    assert context.dps == digits
    exact, rounded = Fraction(int(number.p), int(number.q)), Fraction(*to_rational(entry._mpf_))
    assert abs(rounded - exact) <= abs(exact) / 2**context.prec


def test_balls_as_numbers() -> None:
    with ctx.workprec(200):
        table = Table({0: {"a": arb(1) / 3, "b": arb(2)}})
    assert mpmath.nstr(to_mpmath(table, 50)[0]["a"], 50) == "0." + "3" * 50
    assert to_mpmath(table, 50)[0]["b"] == 2
    assert to_numpy(table).tolist() == [[1 / 3, 2.0]]
    with pytest.raises(DomainError, match="digits"):
        to_mpmath(table, 70)


GOOD = json.loads(to_json(Channel({0: {"a": fmpq(1, 3), "b": fmpq(2, 3)}, (1, 2): {"b": fmpq(1)}})))


def changed(**changes: Any) -> str:
    return json.dumps(GOOD | changes)


MALFORMED_FUNCTIONS: list[Any] = [
    [],
    [[], []],
    [[["1", 0]], []],
    [[["1", 1]], [["1", 1]]],
    [[["1"]], [["1", 0]]],
    [[["1", -1]], [["1", 0]]],
    [[["1", 0.5]], [["1", 0]]],
    [[["x", 0]], [["1", 0]]],
    [[["1/2", 0]], [["1", 0]]],
    [[["2", 0]], [["4", 0]]],
    [[["1", 0], ["1", 0]], [["1", 0]]],
    [[1], [2]],
    [[["1", 2**40]], [["1", 0]]],
]
MALFORMED_BALLS: list[Any] = [
    "1",
    [["1", 0]],
    [["1", 0.5], ["0", 0]],
    [["1/2", 0], ["0", 0]],
    [["1", 0], ["-1", 0]],
    [[1, 0], [0, 0]],
    [["1", 0], [str(2**30), 0]],
    [["1", 2**70], ["1", 0]],
    [["1", 0], ["1", -(2**70)]],
]
MALFORMED_JSON = [
    "",
    "{",
    "null",
    "[]",
    "{}",
    '{"format": 1}',
    "[" * 100_000,
    "NaN",
    "\ud800",
    '{"format": "x", "format": "y"}',
    json.dumps({k: v for k, v in GOOD.items() if k != "field"}),
    changed(format="dp-refimpl table 2"),
    changed(extra=1),
    changed(kind="tables"),
    changed(kind=["table"]),
    changed(field="floats"),
    changed(field={}),
    changed(field={"t": "1"}),
    changed(field={"": 1}),
    changed(field=None),
    changed(inputs=None),
    changed(inputs=[]),
    changed(inputs=[0]),
    changed(inputs=[0, 0]),
    changed(inputs=[0, 1.5]),
    changed(inputs=[0, True]),
    changed(inputs=[0, [1]]),
    changed(inputs=[0, {"list": [1]}]),
    changed(inputs=[0, {"set": [2, 1]}]),
    changed(inputs=[0, {"set": [1, 1]}]),
    changed(inputs=[0, {"report": [1, 2]}]),
    changed(inputs=[0, {"report": [1]}]),
    changed(inputs=[], rows=[]),
    changed(outputs=["a", "a"]),
    changed(outputs=["a", "b", "c"]),
    changed(outputs=["a"]),
    changed(rows={}),
    changed(rows=[[[0, "1/3"]]]),
    changed(rows=[[[0, "1/3"], [0, "2/3"]], [[1, "1"]]]),
    changed(rows=[[[0, "1/3"], [2, "2/3"]], [[1, "1"]]]),
    changed(rows=[[[0, "1/3"], [-1, "2/3"]], [[1, "1"]]]),
    changed(rows=[[[0, "1/3"], [True, "2/3"]], [[1, "1"]]]),
    changed(rows=[[[0, "1/3"], [1, "2/3", 0]], [[1, "1"]]]),
    changed(rows=[[[0, "1/3"], [1, "2/3"]], "1"]),
    *(
        changed(rows=[[[0, number], [1, "2/3"]], [[1, "1"]]])
        for number in ("1/0", "2/6", "+1/3", "01/3", "1/3 ", "0.3", "1e3", "-0", "nan", "", "١", 1, 0.5, None, [1])
    ),
    changed(field={"t": 1}),
    *(changed(field={"t": 1}, rows=[[[0, number]], []]) for number in MALFORMED_FUNCTIONS),
    *(changed(field="balls", rows=[[[0, number]], []]) for number in MALFORMED_BALLS),
]


@given(channels(), st.data())
def test_damaged_text_is_read_exactly_or_refused(channel: Channel[Any, Any, fmpq], data: st.DataObject) -> None:
    """Any one character replaced, removed or added: a table that is written as the damaged text, or a typed error."""
    text = to_json(channel)
    at = data.draw(st.integers(0, len(text) - 1))
    character = data.draw(st.text('0123456789-/",:[]{}abc \n', max_size=1))
    damaged = text[:at] + character + text[at + data.draw(st.integers(0, 1)) :]
    try:
        back = from_json(damaged)
    except (FormatError, NotStochasticError):
        return
    assert json.loads(to_json(back)) == json.loads(damaged)


ONE = fmpq(1)
NO_LABELS: tuple[Any, ...] = (0.5, True, b"a", Fraction(1, 2), frozenset({1.5}), (1, (True,)), Report(0.5))
WRITERS: tuple[Any, ...] = (to_json, to_csv, to_numpy, lambda table: to_mpmath(table, 10))


def of_number(write: Any) -> Any:
    return lambda number: write(Table({0: {"a": number}}))


test_refusals = refusal_test(
    refuses("digits", lambda digits: to_mpmath(Table({0: {"a": ONE}}), digits), 0, -1, True, 1.5, "10", None),
    refuses("digits", lambda: to_mpmath(Table({0: {"a": arb("nan")}}), 10)),
    *(refuses("number", of_number(write), 0.5, True, "1/2", None, Fraction(1, 2)) for write in WRITERS),
    refuses("number", of_number(to_csv), T, arb(1)),
    *(refuses("number", of_number(write), T) for write in WRITERS[2:]),
    refuses("number", of_number(to_json), arb("nan")),
    refuses("number", lambda: to_json(Table[int, str, Any]({0: {"a": T, "b": arb(1)}}))),
    *(refuses("label", lambda x, write=write: write(Table({x: {"a": ONE}})), *NO_LABELS) for write in WRITERS[:2]),
    *(refuses("label", lambda y, write=write: write(Table({0: {y: ONE}})), *NO_LABELS) for write in WRITERS[:2]),
    refuses(
        "",
        from_json,
        *MALFORMED_JSON,
        None,
        5,
        b"\xff",
        ["{}"],
        kind=FormatError,
    ),
    refuses("row 0", lambda: from_json(changed(rows=[[[0, "1/3"], [1, "1/3"]], [[1, "1"]]])), kind=NotStochasticError),
)
