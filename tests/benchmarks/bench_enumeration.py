"""The exact channel of suRAP at d = 12 against a plain replay enumerator over `fractions.Fraction`.

K = 6 sensitive and N = 6 other items, m = 3: 220 sets, 46 080 reports of positive probability. The baseline is the same
randomized program, replayed path by path with one choice at a time, without branches of probability 0; its coins keep
the same contract, as often as ours (a law offered for the first time must be >= 0 and sum to 1).
"""

import time
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from flint import fmpq

from benchmarks.table import line
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.surap import SuRAP
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain
from independent.numbers import fraction

K, N, M = 6, 6, 3
SAMPLE = 10
"""The baseline runs on every tenth set; its time is scaled up."""
MEASURED = f"exact channel of suRAP, K = {K}, N = {N}, m = {M}"
PROGRAM = line(MEASURED, "the same program, replayed path by path over fractions", required=5)

Law = dict[Hashable, Fraction]


class ReplayCoins:
    """Replays a script of choices, then takes first branches and notes the others."""

    def __init__(self, script: list[int]) -> None:
        self.script = script
        self.used: list[int] = []
        self.weight = Fraction(1)
        self.others: list[list[int]] = []

    def choose(self, law: Sequence[Any]) -> int:
        at = len(self.used)
        if at < len(self.script):
            index = self.script[at]
        else:
            if sum(law) != 1 or min(law) < 0:
                raise ValueError("not a law")
            index, *others = [i for i, p in enumerate(law) if p]
            self.others += [[*self.used, other] for other in others]
        self.used.append(index)
        self.weight *= law[index]
        return index

    def choose_each(self, laws: Sequence[Sequence[Any]]) -> tuple[int, ...]:
        return tuple(self.choose(law) for law in laws)


def replayed(program: Callable[[ReplayCoins], Hashable]) -> Law:
    law: Law = {}
    scripts: list[list[int]] = [[]]
    while scripts:
        coins = ReplayCoins(scripts.pop())
        output = program(coins)
        law[output] = law.get(output, Fraction(0)) + coins.weight
        scripts += coins.others
    return law


def timed(program: Callable[[Any, ReplayCoins], Hashable], inputs: Sequence[Any]) -> tuple[float, list[Law]]:
    start = time.perf_counter()
    laws = [replayed(partial(program, s)) for s in inputs]
    return time.perf_counter() - start, laws


def test_exact_channel_of_surap(benchmark: Any) -> None:
    domain = ItemDomain.of_sizes(K, N)
    inputs = domain.subsets([M])
    ours = SuRAP(domain, Budget.of_root(fmpq(3), 2 * M), M)
    theirs: Any = SuRAP(domain, Budget.of_root(Fraction(3), 2 * M), M)
    channel = benchmark.pedantic(lambda: exact_channel(ours.randomize, inputs, fmpq(1)), rounds=20, warmup_rounds=1)
    few = inputs[::SAMPLE]
    rounds = [timed(theirs.randomize, few) for _ in range(6)]
    seconds = min(t for t, _ in rounds) * len(inputs) / len(few)
    for s, law in zip(few, rounds[0][1], strict=True):
        assert law == {y: fraction(p) for y, p in channel.rows[s].items()}
    PROGRAM.record(benchmark.stats.stats.min, seconds, reports=sum(len(row) for row in channel.rows.values()))
