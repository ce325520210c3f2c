"""Do clients keep what the mechanism keeps for a value? Bets on where it is drawn anew, at a stated error level.

Under the mechanism all reports of one client on one value come from one state that is kept. Every bet states that the
state is drawn anew at some reports: the likelihood of the reports under it, over that under the mechanism, has mean 1
if the mechanism is right, after every client. So with A bets, one of them exceeds A / level, whenever one looks, with
probability at most `level` (Ville). Floats choose the bet and the client; balls decide.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from flint import arb, fmpq

from dp_audit.exact_numbers import PRECISIONS, figure, short
from dp_audit.judge.events import Observation
from dp_audit.judge.examination import LEVEL, SHARES, Examination, wrong_row
from dp_audit.judge.plan import MEMORY
from dp_audit.judge.question import Question
from dp_audit.judge.rare_counts import NEAR, Integers
from dp_audit.oracles.base import Number
from dp_audit.oracles.memoization import LASTING, Chain, Memoized
from dp_audit.oracles.post_processing import specified
from dp_audit.outcome import CERTAIN, EVIDENCE, Row, Verdict
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare

NAME = "later reports"
PERIODS = (*range(2, 13), 16, 20, 24, 30, 32, 50, 60, 64, 100, 128, 200, 250, 256, 365, 500, 512, 1000, 1024)
PLACES = (*range(2, 13), 16, 17, 20, 21, 32, 33, 50, 51, 64, 65, 100, 101, 200, 201, 500, 501, 999, 1000, 1001)
"""Reports of a client at which the state may be drawn anew once."""
LOST = -40.0
"""The logarithm of what a bet is left with that is not looked at any more."""


@dataclass(frozen=True)
class Bet:
    """In words when the state is drawn anew, and the number of the state at every report, of its place and item."""

    when: str
    states: Callable[[Integers, Integers], Integers]


def _same(places: Integers, items: Integers) -> Integers:
    return np.zeros_like(places)


def _every(period: int, first: int, places: Integers, items: Integers) -> Integers:
    return (places - first) // period


def _once(place: int, places: Integers, items: Integers) -> Integers:
    return (places >= place).astype(np.int64)


def _changed(places: Integers, items: Integers) -> Integers:
    return np.cumsum(np.concatenate([[False], items[1:] != items[:-1]])).astype(np.int64)


KEPT = Bet("never", _same)
BETS = (
    Bet("for every report", partial(_every, 1, 0)),
    *(Bet(f"at report {p}, {2 * p}, ...", partial(_every, p, 0)) for p in PERIODS),
    *(Bet(f"after report {p}, {2 * p}, ...", partial(_every, p, 1)) for p in PERIODS),
    *(Bet(f"at report {p}", partial(_once, p)) for p in PLACES),
    Bet("when another value came in between", _changed),
)


def memory_rows(examination: Examination) -> Iterator[Row]:
    """Yield the rows `later reports` of mechanisms that keep something for a value: whether it is kept, from the first
    report to the last."""
    mechanism, observation = specified(examination.oracle), examination.observation
    clients = list(observation.draws("memory"))
    if not clients or not isinstance(mechanism, Memoized):
        return
    wrong = wrong_row(NAME, observation, *observation.flat("memory"))
    if wrong is not None:
        yield wrong
        return
    with precision(PRECISIONS[0]):
        lasting = arb(mechanism.lasting_privacy()).log()
        refutation = _refuted(
            _Chains.of(observation, mechanism), [(np.array(d.codes), observation.items_of(d)) for d in clients]
        )
    if refutation is None:
        detail = f"{len(clients)} clients with {len(clients[0].codes)} reports each keep what they drew for a value"
        yield Row(NAME, Verdict.INFO, f"{detail} (error level {short(LEVEL)})")
        return
    bet, number, evidence = refutation
    figures = {"error level": str(LEVEL), LASTING: figure(lasting)}
    figures |= {} if evidence is None else {EVIDENCE: str(int(float(evidence / arb(10).log())))}
    detail = f"what is kept of a value is drawn anew {bet.when}, so that epsilon = {short(lasting)} does not bound all "
    detail += f"reports on it; seen in {number} client{'s' if number > 1 else ''}"
    certain = CERTAIN if evidence is None else ""
    yield Row(NAME, Verdict.FAULT, certain + detail, figures, {"drawn anew": bet.when})


@dataclass(frozen=True)
class _Chains:
    """By input the chain and, as arrays, its logarithms and the symbol of every report.

    `apart`: the reports of a client on different values are independent; else those on its first one are looked at.
    """

    apart: bool
    chains: Sequence[Chain]
    symbols: Any
    kept: Any
    emissions: Any

    @classmethod
    def of(cls, observation: Observation, mechanism: Memoized) -> "_Chains":
        chains = [mechanism.chain(x) for x in observation.inputs]
        used = sorted({code for draws in observation.draws("memory") for code in draws.codes})
        symbols = np.zeros((len(chains), len(observation.run.reports)), np.int64)
        for item, chain in enumerate(chains):
            symbols[item, used] = [chain.symbol(observation.run.reports[code]) for code in used]
        with np.errstate(divide="ignore"):
            kept = np.log([[float(arb(p)) for p in chain.kept] for chain in chains])
            emissions = np.log([[[float(arb(p)) for p in law] for law in chain.emissions] for chain in chains])
        apart = mechanism.apart(observation.inputs) and not mechanism.shares
        return cls(apart, chains, symbols, kept, emissions)

    def counts(self, bet: Bet, codes: Integers, items: Integers) -> tuple[Any, Any]:
        """Return the items of the states of one client, and how often each symbol was reported."""
        states = bet.states(np.arange(1, len(codes) + 1, dtype=np.int64), items)
        if not self.apart:
            own = items == items[0]
            states, codes, items = states[own], codes[own], items[own]
        _, first, which = np.unique(states * len(self.chains) + items, return_index=True, return_inverse=True)
        times = np.zeros((len(first), self.emissions.shape[2]), np.int64)
        np.add.at(times, (which, self.symbols[items, codes]), 1)
        return items[first], times

    def logarithm(self, bet: Bet, codes: Integers, items: Integers) -> float:
        """Return the logarithm of the likelihood of the reports of a client, as a float."""
        held, times = self.counts(bet, codes, items)
        with np.errstate(invalid="ignore"):
            terms = np.where(times[:, None, :] > 0, times[:, None, :] * self.emissions[held], 0.0).sum(axis=2)
        return float(np.logaddexp.reduce(self.kept[held] + terms, axis=1).sum())

    def likelihood(self, bet: Bet, codes: Integers, items: Integers) -> Number:
        """Return the same as a ball, or exactly 0."""
        total: Number = fmpq(1)
        for item, times in zip(*self.counts(bet, codes, items), strict=True):
            chain = self.chains[item]
            summed: Number = fmpq(0)
            for p, law in zip(chain.kept, chain.emissions, strict=True):
                for s, n in enumerate(times.tolist()):
                    p = p * arb(law[s]) ** n if n and law[s] != 0 else p if not n else fmpq(0)
                summed = summed + p
            total = total * summed
        return total

    def evidence(self, bet: Bet, codes: Integers, items: Integers) -> arb:
        """Return the logarithm of what a bet wins with a client, as a ball."""
        return (arb(self.likelihood(bet, codes, items)) / arb(self.likelihood(KEPT, codes, items))).log()


def _refuted(watched: _Chains, clients: Sequence[tuple[Integers, Integers]]) -> tuple[Bet, int, arb | None] | None:
    """Return the bet that is won, after how many clients, and the logarithm of what it won (None: it is certain)."""
    threshold = arb(len(BETS) / SHARES["state"]).log()
    won = np.zeros(len(BETS))
    for number, (codes, items) in enumerate(clients, 1):
        expected = watched.logarithm(KEPT, codes, items)
        left = np.flatnonzero(won > LOST)
        likely = np.array([watched.logarithm(BETS[i], codes, items) for i in left])
        if math.isinf(expected) and compare(watched.likelihood(KEPT, codes, items), 0) is Ordering.EQUAL:
            return BETS[left[int(np.argmax(likely))]], number, None
        won[left] += likely - expected
        best = int(np.argmax(won))
        if won[best] > float(threshold) + NEAR:
            total = sum((watched.evidence(BETS[best], *each) for each in clients[:number]), arb(0))
            if compare(total, threshold) is Ordering.GREATER:
                return BETS[best], number, total - arb(len(BETS)).log()
    return None


QUESTIONS = (
    Question(
        "kept-values",
        "does a client keep what the mechanism keeps for a value?",
        rows="`later reports` (of mechanisms that keep something)",
        meaning="Is what the mechanism keeps for a value still kept, from the first report of a client to the last?",
        needs=(MEMORY,),
        unasked="asked of mechanisms that keep something for a value",
        hint="draw what the mechanism keeps once for a value, and keep it as long as the client lives",
        order=100,
        of_run=memory_rows,
    ),
)
