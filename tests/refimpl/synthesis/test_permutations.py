"""Names are arbitrary: quantities and laws on tables do not depend on the order of records, attributes and values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from dp_refimpl.enumeration import output_law
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable
from dp_refimpl.synthesis.dpsc import coefficients
from dp_refimpl.synthesis.information import entropy, entropy_sensitivity, mutual_information
from dp_refimpl.synthesis.maximal_information import GridSizes
from dp_refimpl.synthesis.network import IBayes, Network
from dp_refimpl.synthesis.noisy_tables import HnoisyConditionals, RangeGeometric
from dp_refimpl.synthesis.scores import f_score, jaccard, r_score
from dp_refimpl.synthesis.selection import ExponentialMechanism
from dp_refimpl.synthesis.tables import CountTable, Record, domain_records
from dp_spec.vocabulary.budget import Budget

SIZES = (2, 2, 3)
SETS = [of for k in range(4) for of in combinations(range(3), k)]
PARENTS = [(x, of) for x in (0, 1) for of in SETS if x not in of]
"""Of the two binary attributes."""
NETWORKS: list[Network] = [
    ((a, ()), (b, (a,)), (c, (parent,)))
    for a, b, c in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
    for parent in (a, b)
]


@dataclass(frozen=True)
class Names:
    """Attribute a is in column `columns[a]`, where its value v is called `values[a][v]`."""

    columns: tuple[int, ...]
    values: tuple[tuple[int, ...], ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(SIZES[self.columns.index(column)] for column in range(3))

    def record(self, record: Record) -> Record:
        called = {self.columns[a]: self.values[a][value] for a, value in enumerate(record)}
        return tuple(called[column] for column in range(3))

    def attributes(self, of: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(self.columns[a] for a in of))

    def network(self, network: Network) -> Network:
        return tuple((self.columns[x], self.attributes(parents)) for x, parents in network)


Quantity = Callable[[ArrayTable, Names], Mapping[Any, Any]]
"""Numbers of records in some order, by what they belong to: attributes and values by their first names."""


def of_counts(quantity: Callable[[CountTable, Names], Mapping[Any, Any]]) -> Quantity:
    return lambda table, names: quantity(table.counts, names)


def of_parents(score: Callable[[CountTable, int, tuple[int, ...]], Any]) -> Quantity:
    return of_counts(
        lambda table, names: {
            (x, parents): score(table, names.columns[x], names.attributes(parents)) for x, parents in PARENTS
        }
    )


def maximal(table: CountTable, names: Names) -> Mapping[Any, Any]:
    matrix = coefficients(table, GridSizes())
    return {(i, j): matrix[names.columns[i]][names.columns[j]] for i, j in product(range(3), repeat=2)}


def network_law(sets: Any) -> Quantity:
    """At e^epsilon_2 = B^(2c) weights are e^(n u)."""

    def law(table: CountTable, names: Names) -> Mapping[Any, Any]:
        program = IBayes(ExponentialMechanism(Budget.of_root(entropy_sensitivity(table.n).power, 6)), 1, sets)
        return {network: program.probability(table, names.network(network)) for network in NETWORKS}

    return of_counts(law)


def joint_law(table: CountTable, names: Names) -> Mapping[Any, Any]:
    """Of the noisy table of the two binary attributes."""
    network = names.network(((0, ()), (1, (0,))))
    step = HnoisyConditionals(RangeGeometric((fmpq(1, 3),)), 1)
    law = output_law(partial(step.noisy_joints, table, network), fmpq(1))
    places = [place(names, first, second) for first, second in product((0, 1), repeat=2)]
    return {tuple(joint.cells[i] for i in places): chance for (joint,), chance in law.items()}


def place(names: Names, first: int, second: int) -> int:
    """The cell of two values in the joint table of the second binary attribute and its parent, the first."""
    return 2 * names.values[1][second] + names.values[0][first]


def array_counts(table: ArrayTable, names: Names) -> Mapping[Any, Any]:
    joint = table.joint(names.columns)
    return {record: int(joint[tuple(map(tuple.__getitem__, names.values, record))]) for record in domain_records(SIZES)}


ANY, ORDERED, NONE = "any", "ordered", "none"
QUANTITIES: dict[str, tuple[Quantity, str]] = {
    "H": (of_counts(lambda table, names: {of: entropy(table, names.attributes(of)) for of in SETS}), ANY),
    "I": (of_parents(mutual_information), ANY),
    "F": (of_parents(f_score), ANY),
    "F, capped at the ceiling": (of_parents(partial(f_score, cap="ceil")), ANY),
    "R": (of_parents(r_score), ANY),
    "Jaccard": (of_counts(lambda table, names: {(): jaccard(table, *names.columns[:2])}), NONE),
    "MIC": (of_counts(maximal), ORDERED),
    "IBayes, min-l": (network_law("min-l"), ANY),
    "IBayes, upto-l": (network_law("upto-l"), ANY),
    "noisy joint": (of_counts(joint_law), ANY),
    "counts of an array": (array_counts, ANY),
}
"""What is computed, and which permutations of the values of an attribute leave it as it is: any, or the reversal."""
TABLES = st.lists(st.sampled_from(list(domain_records(SIZES))), min_size=2, max_size=3)
IDENTITY = tuple(tuple(range(size)) for size in SIZES)
ORDERS = {
    ANY: st.tuples(*(st.permutations(own).map(tuple) for own in IDENTITY)),
    ORDERED: st.tuples(*(st.sampled_from((own, own[::-1])) for own in IDENTITY)),
    NONE: st.just(IDENTITY),
}


@pytest.mark.parametrize("name", QUANTITIES)
@settings(max_examples=15)
@given(data=st.data())
def test_other_names_change_nothing(name: str, data: st.DataObject) -> None:
    quantity, values = QUANTITIES[name]
    records = data.draw(TABLES)
    columns = tuple(data.draw(st.permutations(range(3))))
    names = Names(columns, data.draw(ORDERS[values]))
    permuted = [names.record(record) for record in data.draw(st.permutations(records))]
    first = quantity(ArrayTable(SIZES, np.array(records)), Names((0, 1, 2), IDENTITY))
    assert quantity(ArrayTable(names.sizes, np.array(permuted)), names) == first
