"""The exact law of the synthetic data of HMPrivBayes for a given partition, without walking through its rows.

Given the conditional distributions of all clusters, the joined rows are independent with one law; so the law of the
data is a mixture of multinomial laws (source 003 and its analog with clamped geometric noise).
"""

from collections.abc import Sequence
from itertools import product
from math import factorial
from typing import Any

from flint import fmpq

from dp_refimpl.enumeration import output_law
from dp_refimpl.synthesis.conditionals import row_probability
from dp_refimpl.synthesis.hmprivbayes import HMPrivBayes, require_partition
from dp_refimpl.synthesis.tables import CountTable, domain_records, tables
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import S, is_zero

RowLaw = tuple[fmpq, ...]
"""The probabilities of all records of a domain, in lexicographic order."""


def row_laws(synthesis: HMPrivBayes[S], table: CountTable, cluster: Sequence[int], one: S) -> dict[RowLaw, S]:
    """The law of the law of a row of one cluster, over all networks and all noisy joint tables.

    `one` is the 1 of the number field. Raises as the steps of the program.
    """
    records = list(domain_records([table.sizes[a] for a in sorted(cluster)]))
    distribution: dict[RowLaw, S] = {}
    for network, chosen in output_law(lambda coins: synthesis.networks.build(table, cluster, coins), one).items():
        step = synthesis.step(table, network)
        made = output_law(lambda coins, run=step, of=network: run.publish(table, of, coins), one)  # type: ignore[misc]
        for conditionals, probability in made.items():
            law = tuple(row_probability(conditionals, record) for record in records)
            distribution[law] = distribution.get(law, one * 0) + chosen * probability
    return distribution


def data_law(
    synthesis: HMPrivBayes[S], table: CountTable, partition: Sequence[Sequence[int]], one: S, rows: int | None = None
) -> dict[CountTable, S]:
    """The law of D' with so many rows (default: as many as the data has), joined row by row.

    Raises `DomainError` in another reading of the joining, and as `HMPrivBayes.run`.
    """
    clusters = require_partition(table, partition)
    if synthesis.readings.joining != "rowjoin" or synthesis.readings.order != "prose":
        raise DomainError("readings", synthesis.readings, "rows joined, and the order that can be run")
    published = list(tables(table.sizes, table.n if rows is None else rows))
    law = dict.fromkeys(published, one * 0)
    for parts in product(*(row_laws(synthesis, table, cluster, one).items() for cluster in clusters)):
        weight: Any = one
        for _, probability in parts:
            weight = weight * probability
        row_law = _joined(table, clusters, [part for part, _ in parts])
        for data in published:
            likelihood = multinomial(data, row_law)
            if not is_zero(likelihood):
                law[data] = law[data] + weight * likelihood
    return {data: probability for data, probability in law.items() if not is_zero(probability)}


def _joined(table: CountTable, clusters: Sequence[Sequence[int]], laws: Sequence[RowLaw]) -> dict[Any, fmpq]:
    """The law of the joined row: the product of the laws of its parts."""
    domains = [domain_records([table.sizes[a] for a in cluster]) for cluster in clusters]
    parts = [dict(zip(records, law, strict=True)) for records, law in zip(domains, laws, strict=True)]
    joined = {}
    for record in domain_records(table.sizes):
        probability = fmpq(1)
        for cluster, part in zip(clusters, parts, strict=True):
            probability *= part[tuple(record[a] for a in cluster)]
        joined[record] = probability
    return joined


def multinomial(data: CountTable, row_law: dict[Any, fmpq]) -> fmpq:
    """The probability that independent rows are these, in any order."""
    probability = fmpq(factorial(data.n))
    for record, count in data.counts:
        probability *= row_law[record] ** count / factorial(count)
    return probability
