"""The exact channel of suRAP at d = 12 against plain replay enumerators over `fractions.Fraction`.

K = 6 sensitive and N = 6 other items, m = 3: 220 sets, 46 080 reports of positive probability. Three baselines, none of
which walks branches of probability 0:

- the same randomized program, replayed path by path with one choice at a time; its coins keep the same contract, as
  often as ours (a law offered for the first time must be >= 0 and sum to 1). A ratio to this one is required;
- the same without checks of the laws (ours keep them);
- a hand-written suRAP that is nothing but twelve Bernoulli choices, without parameters, checks or reports.
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
"""The baselines run on every tenth set; their time is scaled up."""
MEASURED = f"exact channel of suRAP, K = {K}, N = {N}, m = {M}"
PROGRAM = line(MEASURED, "the same program, replayed path by path over fractions", required=5)
UNCHECKED = line(MEASURED, "the same, replayed without checks of its laws")
BARE = line(MEASURED, "twelve Bernoulli choices written by hand, replayed")

Law = dict[Hashable, Fraction]


class ReplayCoins:
    """Replays a script of choices, then takes first branches and notes the others."""

    def __init__(self, script: list[int], checks: bool) -> None:
        self.script = script
        self.checks = checks
        self.used: list[int] = []
        self.weight = Fraction(1)
        self.others: list[list[int]] = []

    def choose(self, law: Sequence[Any]) -> int:
        at = len(self.used)
        if at < len(self.script):
            index = self.script[at]
        else:
            if self.checks and (sum(law) != 1 or min(law) < 0):
                raise ValueError("not a law")
            index, *others = [i for i, p in enumerate(law) if p]
            self.others += [[*self.used, other] for other in others]
        self.used.append(index)
        self.weight *= law[index]
        return index

    def choose_each(self, laws: Sequence[Sequence[Any]]) -> tuple[int, ...]:
        return tuple(self.choose(law) for law in laws)

    def bernoulli(self, p: Fraction) -> int:
        """A bit without checks, for the bare program."""
        if p in (0, 1):
            return int(p)
        at = len(self.used)
        bit = self.script[at] if at < len(self.script) else 0
        if at >= len(self.script):
            self.others.append([*self.used, 1])
        self.used.append(bit)
        self.weight *= p if bit else 1 - p
        return bit


def replayed(program: Callable[[ReplayCoins], Hashable], checks: bool) -> Law:
    law: Law = {}
    scripts: list[list[int]] = [[]]
    while scripts:
        coins = ReplayCoins(scripts.pop(), checks)
        output = program(coins)
        law[output] = law.get(output, Fraction(0)) + coins.weight
        scripts += coins.others
    return law


def bare(s: frozenset[Any], coins: ReplayCoins) -> tuple[int, ...]:
    t = Fraction(3)
    p, q, r, never = t / (t + 1), 1 / (t + 1), (t - 1) / t, Fraction(0)
    return tuple(coins.bernoulli((p if j in s else q) if j < K else (r if j in s else never)) for j in range(K + N))


def timed(
    program: Callable[[Any, ReplayCoins], Hashable], inputs: Sequence[Any], checks: bool
) -> tuple[float, list[Law]]:
    start = time.perf_counter()
    laws = [replayed(partial(program, s), checks) for s in inputs]
    return time.perf_counter() - start, laws


def test_exact_channel_of_surap(benchmark: Any) -> None:
    domain = ItemDomain.of_sizes(K, N)
    inputs = domain.subsets([M])
    ours = SuRAP(domain, Budget.of_root(fmpq(3), 2 * M), M)
    theirs: Any = SuRAP(domain, Budget.of_root(Fraction(3), 2 * M), M)
    channel = benchmark.pedantic(lambda: exact_channel(ours.randomize, inputs, fmpq(1)), rounds=20, warmup_rounds=1)
    few = inputs[::SAMPLE]
    baselines = ((PROGRAM, theirs.randomize, True), (UNCHECKED, theirs.randomize, False), (BARE, bare, False))
    for baseline, program, checks in baselines:
        rounds = [timed(program, few, checks) for _ in range(6)]
        seconds = min(t for t, _ in rounds) * len(inputs) / len(few)
        for s, law in zip(few, rounds[0][1], strict=True):
            row = {y: fraction(p) for y, p in channel.rows[s].items()}
            whole = {(*y.protected, *(int(x in y.invertible) for x in domain.nonsensitive)): p for y, p in row.items()}
            assert law in (row, whole)
        baseline.record(benchmark.stats.stats.min, seconds, reports=sum(len(row) for row in channel.rows.values()))
