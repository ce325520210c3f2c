"""Planted faults of a sequential test: totals of bets on reports that are no martingale, whatever the reports say.

A total is a function of the reports so far; the true one is `mixture`. Each mutant errs in one way that a test at error
level 1/total would not survive.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from flint import fmpq

from dp_audit.judge.bets.evidence import Evidence
from dp_audit.judge.bets.martingale import Bets, ladder
from dp_audit.judge.bets.watches import Component, Family
from dp_spec.vocabulary.items import Item
from independent.wealth_laws import exact, rational

Stream = Sequence[tuple[Item, Hashable]]
"""Reports in their order, with their inputs."""
Total = Callable[[Family, Stream], fmpq]


def evidence_of(watched: Family, stream: Stream) -> Evidence:
    evidence = Evidence(watched)
    for item, output in stream:
        evidence.add_in_order(item, [output])
    return evidence


def mean(watched: Family, index: int) -> fmpq:
    """The exact mean of a count."""
    watch = watched.watches[index]
    chances = [rational(watched.events(watch.item)[i].probability) for i in (*watch.events, *watch.missing)]
    held, missing = chances[: len(watch.events)], chances[len(watch.events) :]
    return sum((p * p if watch.pairs else p for p in held), fmpq(0)) + sum((1 - p for p in missing), fmpq(0))


def wealth(evidence: Evidence, component: Component, bets: Bets | None = None, times: int = 1) -> fmpq:
    """Of a component, not weighted."""
    samples = [([times * k for k in evidence.counts[i]], mean(evidence.family, i)) for i in component.watches]
    return exact(bets or component.bets, *samples)


def mixture(watched: Family, stream: Stream) -> fmpq:
    """No mutant: the weighted sum."""
    evidence = evidence_of(watched, stream)
    return sum((c.weight * wealth(evidence, c) for c in watched.components), fmpq(0))


def weights_over_one(watched: Family, stream: Stream) -> fmpq:
    """The weights of one part are forgotten to be shared among its components."""
    single = [c for c in watched.components if c.part == "single"]
    more = tuple(replace(c, weight=c.weight * len(single)) if c in single else c for c in watched.components)
    return mixture(replace(watched, components=more), stream)


def no_union_bound(watched: Family, stream: Stream) -> fmpq:
    """Every part has the whole error level."""
    evidence, parts = evidence_of(watched, stream), dict.fromkeys(c.part for c in watched.components)
    totals = []
    for part in parts:
        mine = [c for c in watched.components if c.part == part]
        share = sum((c.weight for c in mine), fmpq(0))
        totals.append(sum((c.weight / share * wealth(evidence, c) for c in mine), fmpq(0)))
    return max(totals)


def no_union_bound_over_inputs(watched: Family, stream: Stream) -> fmpq:
    """Every input has the whole error level."""
    evidence, totals = evidence_of(watched, stream), []
    for x in watched.inputs:
        mine = [c for c in watched.components if c.part == "single" and watched.watches[c.watches[0]].item == x]
        totals.append(sum((wealth(evidence, c) for c in mine), fmpq(0)) / len(mine))
    return max(totals)


def best_component(watched: Family, stream: Stream) -> fmpq:
    """The largest wealth, chosen in hindsight."""
    evidence = evidence_of(watched, stream)
    return max(wealth(evidence, c) for c in watched.components)


def average_of_those_that_won(watched: Family, stream: Stream) -> fmpq:
    """Components that lost are left out of the average."""
    evidence = evidence_of(watched, stream)
    won = [(c.weight, w) for c in watched.components if (w := wealth(evidence, c)) >= 1]
    weights = sum((weight for weight, _ in won), fmpq(0))
    return sum((weight * w for weight, w in won), fmpq(0)) / weights if won else fmpq(0)


def average_over_the_reports_so_far(watched: Family, stream: Stream) -> fmpq:
    """The inputs' own wealths, weighted by how many reports each has had: the weights are not fixed before."""
    evidence, total = evidence_of(watched, stream), fmpq(0)
    for x, reports in evidence.reports.items():
        mine = [c for c in watched.components if c.part == "single" and watched.watches[c.watches[0]].item == x]
        own = sum((wealth(evidence, c) for c in mine), fmpq(0)) / len(mine)
        total += own * (fmpq(reports, len(stream)) if stream else fmpq(1, len(watched.inputs)))
    return total


def peeks_at_the_side(watched: Family, stream: Stream) -> fmpq:
    """The side of a bet is that of the report which it is made on."""
    total = fmpq(1)
    for item, output in stream:
        event = next(event for event in watched.events(item) if event.holds(output))
        total *= 1 + (1 - rational(event.probability)) / 2
    return total


def peeks_at_the_size(watched: Family, stream: Stream) -> fmpq:
    """Bets are chosen for the frequency that has been seen, and made on the same reports."""
    evidence, total = evidence_of(watched, stream), fmpq(0)
    for c in watched.components:
        counts = evidence.counts[c.watches[0]]
        bets = c.bets
        reports = counts[0] + counts[1]
        if c.part == "single" and reports:
            p = mean(watched, c.watches[0])
            off = fmpq(counts[1], reports) / p - 1
            rungs = ladder(p, abs(off) or fmpq(1, 100))
            side = [(b, w) for b, w in zip(rungs.sizes, rungs.weights, strict=True) if b * off >= 0]
            whole = sum((w for _, w in side), fmpq(0))
            bets = Bets(tuple(b for b, _ in side), tuple(w / whole for _, w in side))
        total += c.weight * wealth(evidence, c, bets)
    return total


def reports_counted_twice(watched: Family, stream: Stream) -> fmpq:
    """Each report multiplies the wealth by the square of its factor."""
    evidence = evidence_of(watched, stream)
    return sum((c.weight * wealth(evidence, c, times=2) for c in watched.components), fmpq(0))


def a_fresh_start_after_losses(watched: Family, stream: Stream) -> fmpq:
    """What was lost is forgotten: the best of all later beginnings."""
    return max(mixture(watched, stream[start:]) for start in range(len(stream) + 1))


MUTANTS: tuple[Total, ...] = (
    weights_over_one,
    no_union_bound,
    no_union_bound_over_inputs,
    best_component,
    average_of_those_that_won,
    average_over_the_reports_so_far,
    peeks_at_the_side,
    peeks_at_the_size,
    reports_counted_twice,
    a_fresh_start_after_losses,
)
