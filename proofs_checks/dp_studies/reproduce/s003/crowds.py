"""Attackers of Figure 4 at 10^4 to 10^5 records: the methods of `attackers` on arrays, with the same kinds of noise.

Tables have two binary attributes, the second one sensitive:

* copied: the sensitive value is the other one, 0 and 1 in turn, as in `attackers.stated_table`.
* adult: of the generated table of Adult's size the salary, after the bit of another attribute that has the largest
  covariance with it; after these 45,222 records come uniformly random ones, as the source says.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import numpy as np
from flint import fmpq

from dp_refimpl.fast.synthesis.joint_tables import NoJointNoise, WeightedNoise
from dp_refimpl.fast.synthesis.network import ArrayGreedyBayes, ArrayIBayes
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable
from dp_refimpl.fast.synthesis.releases import ArrayHMPrivBayes, ArrayPrivBayes
from dp_refimpl.fast.synthesis.row_laws import draw_records
from dp_refimpl.fast.synthesis.scbn import ArrayReconstructedSCBN
from dp_refimpl.fast.synthesis.selection import ExponentialArray, MaximumArray
from dp_refimpl.synthesis.hmprivbayes import budget_shares
from dp_refimpl.synthesis.privbayes import FixedDegree
from dp_refimpl.synthesis.spectral_embedding import Reduction
from dp_refimpl.synthesis.tables import CountTable
from dp_spec.vocabulary.precision import precision
from dp_studies.reproduce import intervals
from dp_studies.reproduce.numbers import BITS, ball, outwards, signed
from dp_studies.reproduce.s003.attackers import (
    BETA,
    EPSILON,
    PARTITIONS,
    SIZES,
    conditional_scale,
    differencing,
    matching,
    mean_chance,
)
from dp_studies.reproduce.s003.data import named
from dp_studies.reproduce.streams import draws, generator, number_of

ATTACKERS = ("matching", "differencing")
Program = Callable[[ArrayTable, np.random.Generator], ArrayTable]
"""A synthetic table of a table."""


@lru_cache(maxsize=4)
def copied(n: int) -> ArrayTable:
    """n records whose sensitive value is the other one."""
    return ArrayTable(SIZES, np.repeat(np.arange(n)[:, None] % 2, 2, axis=1))


@lru_cache(maxsize=4)
def adult(n: int) -> ArrayTable:
    """n records, of which the first ones have the size of Adult and the others are random."""
    table = named("adult")
    labels = table.bits[:, table.labels].astype(np.int64)
    # n times the number of records with both values 1 in excess of independence
    excess = {
        p: abs(table.n * int(labels @ table.bits[:, p]) - _ones(table.bits, p) * int(labels.sum()))
        for p in table.features
    }
    best = max(excess, key=lambda place: excess[place])
    real = np.stack([table.bits[:n, best].astype(np.int64), labels[:n]], axis=1)
    rest = draws(number_of("random records of source 003")).below(4, max(n - table.n, 0))
    return ArrayTable(SIZES, np.concatenate([real, np.stack([rest // 2, rest % 2], axis=1)]))


def _ones(bits: Any, place: int) -> int:
    return int(bits[:, place].sum(dtype=np.int64))


TABLES: Mapping[str, Callable[[int], ArrayTable]] = {"copied": copied, "adult": adult}


def hmprivbayes(k: int) -> Program:
    """HMPrivBayes with in-degree 1 and weights of the data, for one cluster or two."""
    _, second, third = (str(Fraction(EPSILON) * share) for share in budget_shares(len(SIZES), k))
    noise = WeightedNoise(third, "values", "geometric")
    program = ArrayHMPrivBayes(ArrayIBayes(ExponentialArray(second), 1), noise)
    return lambda table, coins: program.run(table, PARTITIONS[k], coins).data


def privbayes() -> Program:
    """PrivBayes of degree 1."""
    first, second = (str(Fraction(EPSILON) * share) for share in (BETA, 1 - BETA))
    network = ArrayGreedyBayes(ExponentialArray(first), FixedDegree(1), "I")
    program = ArrayPrivBayes(network, WeightedNoise(second, "equal", "geometric"))
    return lambda table, coins: program.run(table, coins).data


def privscbn() -> Program:
    """The reconstruction of PrivSCBN, one cluster, which is given."""
    third = str(Fraction(EPSILON) / 3)

    def run(table: ArrayTable, coins: np.random.Generator) -> ArrayTable:
        scales = 0.0, float(conditional_scale(third, table.n))
        program = ArrayReconstructedSCBN(scales, ExponentialArray(third), Reduction(fmpq(1), 1), 1, 1)
        network = program.build(table, PARTITIONS[1][0], coins)
        return draw_records([program.conditionals(table, network, coins)], table.sizes, table.n, coins)

    return run


def noprivacy() -> Program:
    """No noise, one cluster; of equal scores the first one is taken."""
    program = ArrayHMPrivBayes(ArrayIBayes(MaximumArray(), 1), NoJointNoise())
    return lambda table, coins: program.run(table, PARTITIONS[1], coins).data


PROGRAMS: Mapping[str, Callable[[], Program]] = {
    "HMPrivBayes, k = 1": partial(hmprivbayes, 1),
    "HMPrivBayes, k = 2": partial(hmprivbayes, 2),
    "PrivBayes, l = 1": privbayes,
    "PrivSCBN (reconstruction)": privscbn,
    "NoPrivacy": noprivacy,
}
"""The methods of `attackers.LAWS`."""


def chances(table: ArrayTable, method: str, seeds: Sequence[tuple[int, ...]]) -> dict[str, list[Fraction]]:
    """The chances of both attackers for each seed: the mean one over all records; and the mean one over both sensitive
    values of the last record, with a synthetic table for each."""
    program, data, last = PROGRAMS[method](), counted(table), table.records[-1].tolist()
    own, other = (last[0], last[1]), (last[0], 1 - last[1])
    others, twin = data.minus(own), ArrayTable(SIZES, np.concatenate([table.records[:-1], [other]]))
    by_attacker: dict[str, list[Fraction]] = {attacker: [] for attacker in ATTACKERS}
    for seed in seeds:
        one, two = (counted(program(records, generator(*seed, v))) for v, records in enumerate((table, twin)))
        by_attacker["matching"].append(mean_chance(data, matching(one)))
        by_attacker["differencing"].append((differencing(others, one, own) + differencing(others, two, other)) / 2)
    return by_attacker


def counted(table: ArrayTable) -> CountTable:
    """Its records as counts."""
    return CountTable.of_vector(SIZES, table.joint((0, 1)).ravel().tolist())


def simulated(name: str, method: str, n: int, seed: int, runs: int, level: Fraction) -> dict[str, Any]:
    """Both attackers against so many runs: means, and intervals of the expectations with the level at each end."""
    key = number_of(f"crowd:{name}:{method}:{n}")
    by_attacker = chances(TABLES[name](n), method, [(seed, run, key) for run in range(runs)])
    means = {attacker: mean(values, level) for attacker, values in by_attacker.items()}
    return {"table": name, "method": method, "n": n, "epsilon": EPSILON, **means}


def mean(values: Sequence[Fraction], level: Fraction) -> dict[str, Any]:
    """The mean of independent numbers from 0 to 1, and the interval of their expectation, as JSON."""
    low, high = intervals.lower_mean(values, level), intervals.upper_mean(values, Fraction(1), level)
    with precision(BITS):
        average = ball(sum(values, Fraction(0)) / len(values))
        return {"simulated": signed(average), "interval": outwards((ball(low), ball(high)))}
