"""Synthetic tables of source 003 at the sizes of its two data sets, generated: 30,162 x 52 and 19,719 x 175, binary.

- All scores of PrivBayes with l = 3, which a run of its network looks at, beside limits.
- All of HMPrivBayes with k = l = 3, in the clusters that its own noise makes (at 175 attributes nearly all of them are
  in one), beside limits of time and memory.
- Rows, and all 3-way marginals of two tables.
"""

import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq

from benchmarks.table import line, seconds
from dp_refimpl.fast.synthesis.clustering import ArrayDPSC
from dp_refimpl.fast.synthesis.joint_tables import WeightedNoise
from dp_refimpl.fast.synthesis.marginal_distances import average_variation_distance
from dp_refimpl.fast.synthesis.network import ArrayGreedyBayes, ArrayIBayes
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable
from dp_refimpl.fast.synthesis.releases import ArrayHMPrivBayes, ArrayPrivBayes
from dp_refimpl.fast.synthesis.row_laws import draw_records
from dp_refimpl.fast.synthesis.segmentation import ArraySegmentation
from dp_refimpl.fast.synthesis.selection import ExponentialArray
from dp_refimpl.synthesis.maximal_information import GridSizes
from dp_refimpl.synthesis.network import candidate_count
from dp_refimpl.synthesis.privbayes import FixedDegree
from dp_refimpl.synthesis.spectral_embedding import Reduction

ADULT, BIG5, DEGREE, CLUSTERS, ROWS = (30_162, 52), (19_719, 175), 3, 3, 10**6
PAIRS = [(0, [1, 2, 3]), (17, [4, 40, 51]), (51, [0, 25, 26])]
SCORES = "all 2,869,786 scores of PrivBayes, 30,162 x 52, l = 3"
RELEASE = "HMPrivBayes, k = l = 3"
WHOLE = "all of HMPrivBayes, k = l = 3"
LONG: Any = "times as long"
TIME = line(SCORES, "twenty seconds", LONG, required=1)
MEMORY = line(f"{SCORES}: memory", "a gigabyte", "times as much", required=1)
WHOLE_SMALL = line(f"{WHOLE}, 30,162 x 52", "thirty seconds", LONG, required=1)
WHOLE_LARGE = line(f"{WHOLE}, 19,719 x 175", "three minutes", LONG, required=1)
WHOLE_MEMORY = line(f"{WHOLE_LARGE.measured}: memory", "two gigabytes", "times as much", required=1)
DRAWN = line("10⁶ synthetic rows x 52", "five seconds", LONG, required=1)
DISTANCES = line("average distance of all 22,100 3-way marginals, 10⁶ rows", "five seconds", LONG, required=1)


def table(n: int, d: int) -> ArrayTable:
    """Attributes that depend on four hidden numbers of a record."""
    generator = np.random.default_rng(3)
    hidden, weights = generator.random((n, 4)), generator.random((4, d))
    shares = (hidden @ weights) / weights.sum(axis=0) + 0.2 * generator.standard_normal((n, d))
    return ArrayTable((2,) * d, (shares > 0.3 + 0.4 * generator.random(d)).astype(np.uint8))


def peak(work: Callable[[], object]) -> int:
    """Bytes."""
    tracemalloc.start()
    work()
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak_bytes


@dataclass
class Counted:
    """A selection that counts what it chooses among."""

    selection: Any
    number: int = 0

    def split(self, parts: int) -> "Counted":
        self.selection = self.selection.split(parts)
        return self

    def law(self, scores: Any, sensitivity: float) -> Any:
        return self.selection.law(scores, sensitivity)

    def choose(self, scores: Any, sensitivity: float, generator: np.random.Generator) -> int:
        self.number += int((scores > -np.inf).sum())
        return int(self.selection.choose(scores, sensitivity, generator))


def network(data: ArrayTable, selection: Any) -> Any:
    return ArrayGreedyBayes(selection, FixedDegree(DEGREE), "I").build(data, np.random.default_rng(5))


def test_scores() -> None:
    data, number = table(*ADULT), candidate_count(ADULT[1], DEGREE)
    counted = Counted(ExponentialArray("0.1"))
    network(data, counted)
    assert counted.number == number == 2_869_786
    ours = seconds(lambda: network(data, ExponentialArray("0.1")))
    TIME.record(ours, 20)
    MEMORY.record(peak(lambda: network(data, ExponentialArray("0.1"))), 10**9)


def publish(data: ArrayTable) -> None:
    """One run of Algorithm 2 as printed, without a filter."""
    dpsc = ArrayDPSC(GridSizes(), fmpq(1, 10), Reduction(fmpq(1), CLUSTERS), CLUSTERS)
    program = ArrayHMPrivBayes(ArrayIBayes(ExponentialArray("0.1"), DEGREE), WeightedNoise("0.1"))
    transcript = program.publish(data, ArraySegmentation(dpsc), np.random.default_rng(7))
    assert transcript.release.data.n == data.n


def test_releases() -> None:
    small, large = table(*ADULT), table(*BIG5)
    WHOLE_SMALL.record(seconds(lambda: publish(small)), 30)
    taken: list[float] = []
    WHOLE_MEMORY.record(peak(lambda: taken.append(seconds(lambda: publish(large), rounds=1))), 2 * 10**9)
    WHOLE_LARGE.record(taken[0], 180)


def test_rows_and_distances() -> None:
    data = table(*ADULT)
    program = ArrayPrivBayes(
        ArrayGreedyBayes(ExponentialArray("0.1"), FixedDegree(DEGREE), "I"), WeightedNoise("0.1", "equal")
    )
    made = program.run(data, np.random.default_rng(9), 0).conditionals
    DRAWN.record(seconds(lambda: draw_records(made, data.sizes, ROWS, np.random.default_rng(11))), 5)
    drawn = draw_records(made, data.sizes, ROWS, np.random.default_rng(11))
    assert average_variation_distance(data, data, 3) == 0
    DISTANCES.record(seconds(lambda: average_variation_distance(data, drawn, 3)), 5)
