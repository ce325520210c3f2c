"""The mixture of multinomial laws is the law of the program; a posterior check of privacy at the smallest sizes."""

from typing import Any

from flint import fmpq

from cases.refusals import refusal_test, refuses
from dp_refimpl.enumeration import output_law
from dp_refimpl.synthesis.data_laws import data_law, row_laws
from dp_refimpl.synthesis.hmprivbayes import DEFAULT, HMPrivBayes, Readings, data_weights
from dp_refimpl.synthesis.network import IBayes
from dp_refimpl.synthesis.selection import ExponentialMechanism
from dp_refimpl.synthesis.tables import CountTable
from dp_spec.vocabulary.budget import Budget, every_budget, rational_budget

ONE = fmpq(1)
CASES: list[tuple[CountTable, Any, int | None]] = [
    (CountTable.of_records((2,), [(1,), (1,)]), ((0,),), None),
    (CountTable.of_records((2, 2), [(0, 1), (1, 1)]), ((1,), (0,)), None),
    (CountTable.of_records((3,), [(1,), (1,)]), ((0,),), 3),
    (CountTable.of_records((2, 2), [(0, 0), (0, 1)]), ((0, 1),), 1),
    (CountTable.of_records((2,), [(0,), (1,)]), ((0,),), 0),
]


def synthesis(clusters: int, readings: Readings = DEFAULT) -> HMPrivBayes[fmpq]:
    networks = IBayes(ExponentialMechanism(Budget.of_root(fmpq(4), 4 // clusters)), 1)
    return HMPrivBayes(networks, data_weights(rational_budget("2*ln(3)")), readings)


def test_the_law_is_that_of_the_program() -> None:
    """On enumerating coins."""
    for table, partition, rows in CASES:
        program = synthesis(2 if len(partition) == len(table.sizes) else 1)
        right = output_law(lambda coins, a=(program, table, partition, rows): a[0].run(*a[1:3], coins, a[3]).data, ONE)  # type: ignore[misc]
        assert data_law(program, table, partition, ONE, rows) == right


def test_row_laws_are_laws_for_every_budget() -> None:
    field = every_budget(4)
    one = field.root * 0 + 1
    program = HMPrivBayes(IBayes(ExponentialMechanism(field), 1), data_weights(every_budget(2)))
    mixture = row_laws(program, CountTable.of_records((2, 2), [(0, 0), (1, 1)]), (0, 1), one)
    assert sum(mixture.values(), one * 0) == 1
    assert all(sum(law, fmpq(0)) == 1 for law in mixture)


HELD = CountTable.of_records((2, 2), [(0, 0), (1, 1)])
test_refusals = refusal_test(
    refuses("readings", lambda r: data_law(synthesis(1, r), HELD, ((0, 1),), ONE), Readings(joining="setunion")),
    refuses("readings", lambda r: data_law(synthesis(1, r), HELD, ((0, 1),), ONE), Readings(order="listing")),
    refuses("partition", lambda p: data_law(synthesis(1), HELD, p, ONE), ((0,),)),
    refuses("n", lambda rows: data_law(synthesis(1), HELD, ((0, 1),), ONE, rows), -1, True),
)
