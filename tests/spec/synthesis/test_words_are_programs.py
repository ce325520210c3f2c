"""The words of sentences about tables mean what the programs compute: on all small tables."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

from dp_kernel.finite.sentences import Model, evaluated
from dp_kernel.formulas.logarithms import logarithm
from dp_refimpl.synthesis import information as programs
from dp_refimpl.synthesis.information import Information
from dp_refimpl.synthesis.tables import CountTable
from dp_spec.synthesis import tables
from dp_spec.vocabulary.arithmetic import Tree

SIZES = (2, 3)
FIRST, SECOND = (tables.values(v) for v in SIZES)
Table = tuple[tuple[int, ...], ...]


def small_tables() -> Iterator[Table]:
    records = [*product(*map(range, SIZES))]
    for n in range(1, 4):
        yield from combinations_with_replacement(records, n)


def _no_law(*asked: object) -> Any:
    raise AssertionError(f"there is no law: {asked}")


def meant(of: Tree, **at: Any) -> Any:
    """What an expression means where names stand for these things."""
    return evaluated(of, Model((), {}, {}, _no_law, _no_law, {}), at)


def nats(quantity: Information) -> Any:
    """n times the quantity."""
    return logarithm(Fraction(int(quantity.power.p), int(quantity.power.q)))


WORDS: dict[str, tuple[Tree, Callable[[CountTable], Any]]] = {
    "entropy of the first": (
        tables.entropy(tables.column("data", 0), FIRST),
        lambda table: nats(programs.entropy(table, (0,))),
    ),
    "entropy of both": (
        tables.entropy("data", ["union", "x", FIRST, ["listed", "y", SECOND, tables.pair("x", "y")]]),
        lambda table: nats(programs.entropy(table, (0, 1))),
    ),
    "information": (
        tables.information("data", 0, 1, FIRST, SECOND),
        lambda table: nats(programs.mutual_information(table, 0, (1,))),
    ),
    "information the other way": (
        tables.information("data", 1, 0, SECOND, FIRST),
        lambda table: nats(programs.mutual_information(table, 1, (0,))),
    ),
    "sensitivity": (
        tables.sensitivity(["size", "data"]),
        lambda table: nats(programs.entropy_sensitivity(table.n)),
    ),
}


@pytest.mark.parametrize("word", WORDS)
def test_a_word_means_what_the_program_computes(word: str) -> None:
    expression, program = WORDS[word]
    for data in small_tables():
        assert meant(expression, data=data) == program(CountTable.of_records(SIZES, data))
