"""ε-LDP of RAPPOR at d = 64 through its product structure: 2^64 outputs that nobody enumerates.

The baseline is the channel written out at a few items, where both give the same constant.
"""

import time
from typing import Any

from flint import fmpq

from benchmarks.table import line
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.rappor import RAPPOR
from dp_spec.vocabulary.budget import Budget, every_budget
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.ratfunc import EVERY_EPSILON
from dp_spec.vocabulary.structure import ProductChannel, bit_channel
from dp_spec.vocabulary.table import ratio_maximum

LINES = {
    d: line("smallest constant of RAPPOR, 64 items, every ε", f"the channel written out, {d} items, one ε")
    for d in (6, 8, 10)
}


def smallest_constant(d: int, budget: Budget[Any]) -> Any:
    mechanism = RAPPOR(ItemDomain.of_sizes(d), budget)
    best = ProductChannel((bit_channel(mechanism.p, mechanism.q),) * d).ratio_maximum_over([1])
    assert best is not None
    return best.ratio


def test_rappor_on_64_items(benchmark: Any) -> None:
    constant = benchmark(lambda: smallest_constant(64, every_budget(2)))
    assert constant == EVERY_EPSILON.variable("t") ** 2  # e^ε, for every ε > 0
    for d, baseline in LINES.items():
        start = time.perf_counter()
        mechanism = RAPPOR(ItemDomain.of_sizes(d), Budget.of_root(fmpq(3), 2))
        written_out = ratio_maximum(exact_channel(mechanism.randomize, mechanism.domain.items, fmpq(1)))
        seconds = time.perf_counter() - start
        assert written_out is not None
        assert written_out.ratio == smallest_constant(d, Budget.of_root(fmpq(3), 2)) == 9
        baseline.record(benchmark.stats.stats.min, seconds)
