"""Conditional distributions of noisy joint tables and the rows drawn from them, against sums over cells."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.coins import SamplingCoins
from dp_refimpl.enumeration import output_law
from dp_refimpl.synthesis.conditionals import (
    Conditional,
    EmptyMass,
    JointTable,
    UndefinedConditionalError,
    UnderivableError,
    draw_row,
    row_probability,
)
from independent.numbers import fraction


def joint(attributes: tuple[int, ...], sizes: tuple[int, ...], cells: Any) -> JointTable:
    return JointTable(attributes, sizes, tuple(fmpq(cell) for cell in cells))


def naive(table: JointTable, x: int, parents: tuple[int, ...], empty: str) -> dict[Any, list[Fraction] | None]:
    """Pr*(x | pi) as a quotient of two sums over the cells that are above 0, with the sentence of the catalog for 0."""
    records = list(product(*map(range, table.sizes)))
    cells = {r: max(fraction(c), Fraction(0)) for r, c in zip(records, table.cells, strict=True)}
    at = {a: i for i, a in enumerate(table.attributes)}
    laws: dict[Any, list[Fraction] | None] = {}
    for values in product(*(range(table.sizes[at[p]]) for p in parents)):
        agreeing = [r for r in records if all(r[at[p]] == v for p, v in zip(parents, values, strict=True))]
        mass = sum((cells[r] for r in agreeing), Fraction(0))
        size = table.sizes[at[x]]
        if mass:
            laws[values] = [sum((cells[r] for r in agreeing if r[at[x]] == v), Fraction(0)) / mass for v in range(size)]
        else:
            laws[values] = [Fraction(1, size)] * size if empty == "uniform" else None
    return laws


CELLS: list[tuple[tuple[int, ...], tuple[int, ...], list[int]]] = [
    ((0, 1), (2, 2), [1, 2, 3, 4]),
    ((0, 1), (2, 2), [-1, 2, 0, -4]),
    ((0, 1), (2, 2), [-1, 0, 0, -4]),
    ((1, 0), (2, 3), [5, -1, 2, -2, 1, 0]),
    ((2, 0, 1), (2, 2, 2), [1, 0, -3, 2, 5, 0, -1, 0]),
    ((0,), (2,), [0, 3]),
    ((0,), (1,), [-3]),
]


@pytest.mark.parametrize("empty", ["uniform", "undefined"])
def test_conditionals_are_quotients_of_sums(empty: EmptyMass) -> None:
    for attributes, sizes, cells in CELLS:
        table = joint(attributes, sizes, cells)
        for x in attributes:
            others = tuple(sorted(a for a in attributes if a != x))
            for parents in {(), others[:1], others}:
                rows = Conditional.of_joint(table, x, parents, empty).rows
                quotients = {v: None if p is None else [fraction(q) for q in p] for v, p in rows}
                assert quotients == naive(table, x, parents, empty)


@given(st.lists(st.integers(-3, 3), min_size=8, max_size=8))
def test_rows_have_the_law_of_the_product(cells: list[int]) -> None:
    table = joint((0, 3, 5), (2, 2, 2), cells)
    made = (
        Conditional.of_joint(table, 5, ()),
        Conditional.of_joint(table, 0, (5,)),
        Conditional.of_joint(table, 3, (0, 5)),
    )
    law = output_law(lambda coins: draw_row(made, coins), fmpq(1))
    assert sum(law.values(), fmpq(0)) == 1
    for record in product((0, 1), repeat=3):
        assert law.get(record, fmpq(0)) == row_probability(made, record)
    frequencies = table.frequencies()
    assert frequencies is not None
    if max(cells) > 0:
        assert [law.get(r, fmpq(0)) for r in product((0, 1), repeat=3)] == list(frequencies.cells)


def test_undefined_laws_are_named_when_they_are_needed() -> None:
    empty = joint((0, 1), (2, 2), [0, 0, 1, 2])
    made = (Conditional.of_joint(empty, 0, (), "undefined"), Conditional.of_joint(empty, 1, (0,), "undefined"))
    assert not made[1].is_defined
    assert draw_row(made, SamplingCoins(default_rng(0)))[0] == 1
    assert row_probability(made, (0, 1)) == 0


TABLE = joint((0, 1), (2, 2), [1, 2, 3, 4])
NOTHING = Conditional.of_joint(joint((0,), (2,), [0, -1]), 0, (), "undefined")
test_refusals = refusal_test(
    refuses_each("attributes", joint, ((0, 0), (2, 2), [1] * 4), ((0,), (2, 2), [1] * 4)),
    refuses_each("cells", joint, ((0,), (2,), [1]), ((0, 1), (2, 2), [1] * 3)),
    refuses("cells", lambda cell: JointTable((0,), (1,), (cell,)), 1, 1.0, None),
    refuses("sizes", lambda size: joint((0,), (size,), []), 0),
    refuses("attributes", lambda x: Conditional.of_joint(TABLE, x, ()), 2, kind=UnderivableError),
    refuses("attributes", lambda p: Conditional.of_joint(TABLE, 0, p), (2,), (1, 2), kind=UnderivableError),
    refuses("empty", lambda e: Conditional.of_joint(joint((0,), (2,), [0, 0]), 0, (), e), "zero", None),
    refuses("parents", lambda: draw_row((NOTHING,), SamplingCoins(default_rng(0))), kind=UndefinedConditionalError),
    refuses("parents", lambda: row_probability((NOTHING,), (0,)), kind=UndefinedConditionalError),
    refuses("record", lambda r: row_probability((NOTHING,), r), (), (0, 1)),
)
