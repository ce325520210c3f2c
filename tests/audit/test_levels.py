"""The error level is kept: a thousand audits of correct mechanisms, with a look after every report or a few more."""

import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace

import pytest
from flint import arb, fmpq

from dp_audit.judge.bets.evidence import Evidence
from dp_audit.judge.bets.power import tail
from dp_audit.judge.bets.rows import LAW, PAIRS
from dp_audit.judge.bets.watches import Family, family
from dp_audit.oracles import oracle
from dp_audit.oracles.base import Oracle
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import Ordering, compare
from independent.law_oracles import TableOracle
from independent.wealth_laws import rational
from mutants.betting import MUTANTS, Stream, Total, mixture

RUNS, LOOKS, REPORTS = 1000, 40, 80
LEVELS = (fmpq(1, 20), fmpq(1, 1000))
IMPLAUSIBLE = fmpq(1, 10**6)
"""So many alarms or more have this probability if every run has one with probability `level`: the bound is exact."""

Order = Callable[[random.Random, Sequence[Item], list[tuple[Item, Hashable]]], Item]
"""The input of the next report, given the reports so far."""


def in_turn(_: random.Random, inputs: Sequence[Item], history: list[tuple[Item, Hashable]]) -> Item:
    return inputs[(history[-1:] == [] or inputs.index(history[-1][0]) + 1) % len(inputs)]


def in_blocks(_: random.Random, inputs: Sequence[Item], history: list[tuple[Item, Hashable]]) -> Item:
    return inputs[min(len(history) // 400, len(inputs) - 1)]


def by_chance(source: random.Random, inputs: Sequence[Item], history: list[tuple[Item, Hashable]]) -> Item:
    return source.choice(inputs)


def adversarial(_: random.Random, inputs: Sequence[Item], history: list[tuple[Item, Hashable]]) -> Item:
    """The input of which one output came most often for its number of reports: it is asked again and again."""
    best, item = -1.0, inputs[0]
    for x in inputs:
        mine = [y for held, y in history if held == x]
        if not mine:
            return x
        excess = max(mine.count(y) for y in set(mine)) / len(mine) + 1 / len(mine)
        best, item = max((best, item), (excess, x), key=lambda pair: pair[0])
    return item


SKEWED = TableOracle({0: {"a": fmpq(1, 2), "b": fmpq(1, 2)}, 1: {"a": fmpq(1, 30), "b": fmpq(1, 3), "c": fmpq(19, 30)}})
CASES: dict[str, tuple[Oracle, Order]] = {
    "binary randomized response, inputs in turn": (oracle("GRR", {"d": 2, "epsilon": 1.0}), in_turn),
    "randomized response with rare lies, in blocks": (oracle("GRR", {"d": 3, "epsilon": 4.0}), in_blocks),
    "unary encoding, by chance": (oracle("SUE", {"d": 2, "epsilon": 1.0}), by_chance),
    "a table, adversarial": (SKEWED, adversarial),
}


def drawn(source: random.Random, law: Mapping[Hashable, float], number: int) -> list[Hashable]:
    return source.choices(list(law), list(law.values()), k=number)


def alarms(level: fmpq, case: str, seed: int) -> bool:
    """Whether there is an alarm at any look; by the law alone where the inputs depend on reports."""
    reference, order = CASES[case]
    evidence = Evidence(WATCHED[level, case])
    parts = LAW if order is adversarial else (*LAW, *PAIRS)
    source, history = random.Random(seed), list[tuple[Item, Hashable]]()
    for look in range(LOOKS):
        item = order(source, reference.inputs, history)
        reports = drawn(source, LAWS[case][item], 1 + look**2 // 20)
        history += [(item, report) for report in reports]
        if order is adversarial:
            for report in reports:
                evidence.add(item, report)
        else:
            evidence.add_in_order(item, reports)
        if evidence.seems_enough() and evidence.alarm(parts) in (Ordering.GREATER, Ordering.EQUAL):
            return True
    return False


WATCHED = {
    (level, case): family(reference, None, level, fmpq(1, 20))
    for level in LEVELS
    for case, (reference, _) in CASES.items()
}
LAWS = {
    case: {x: {y: float(arb(p)) for y, p in reference.law(x).items()} for x in reference.inputs}
    for case, (reference, _) in CASES.items()
}


def plausible(count: int, level: fmpq) -> bool:
    return compare(tail(level, RUNS, count), IMPLAUSIBLE) is Ordering.GREATER


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_a_thousand_correct_audits_alarm_as_rarely_as_the_level_says(level: fmpq) -> None:
    """All parts together are asked here, against the level once: what the audit does with each part is rarer."""
    cases = list(CASES)
    count = sum(alarms(level, cases[seed % len(cases)], seed) for seed in range(RUNS))
    assert plausible(count, level)


def test_the_bound_tells_a_level_that_is_not_kept() -> None:
    """Twice the alarms that the level allows are implausible at 0.05; a test of a fixed size at every look has more."""
    assert plausible(50, LEVELS[0])
    assert not plausible(100, LEVELS[0])
    assert not plausible(12, LEVELS[1])
    source = random.Random(1)
    wrong = 0
    for _ in range(RUNS):
        total = 0
        for n in range(1, REPORTS + 1):
            total += source.choice((-1, 1))
            if n > 9 and total * total > 4 * n:  # two standard deviations
                wrong += 1
                break
    assert not plausible(wrong, LEVELS[0])


# --- the law that keeps it, exactly: on average nothing is won by the next report, on whatever input it is ------------


def law_only(watched: Family) -> Family:
    """Without pairs: their wealth is one with respect to completed pairs."""
    return replace(watched, components=tuple(c for c in watched.components if c.part in LAW))


SMALL = law_only(family(oracle("GRR", {"d": 2, "epsilon": "ln(3)"}), None, LEVELS[0], fmpq(1, 4)))
UNEVEN = TableOracle({0: {"a": fmpq(1, 5), "b": fmpq(4, 5)}, 1: {"a": fmpq(1, 2), "b": fmpq(1, 2)}})
BITS = oracle("SUE", {"d": 2, "epsilon": "ln(9)"})
LONGEST = 3


def violations(total: Total, watched: Family, longest: int = LONGEST) -> set[str]:
    """What is wrong with a total for the reports of a correct mechanism: all streams of a few reports."""
    faults = set[str]()
    laws = {x: watched.oracle.law(x) for x in watched.inputs}
    streams: list[Stream] = [()]
    if total(watched, ()) > 1:
        faults.add("starts above 1")
    for _ in range(longest):
        longer: list[Stream] = []
        for stream in streams:
            before = total(watched, stream)
            for x in watched.inputs:
                after = {y: total(watched, (*stream, (x, y))) for y in laws[x]}
                if min(after.values()) < 0:
                    faults.add("negative")
                if sum((rational(p) * after[y] for y, p in laws[x].items()), fmpq(0)) > before:
                    faults.add("grows on average")
                longer += [(*stream, (x, y)) for y in laws[x]]
        streams = longer
    return faults


@pytest.mark.parametrize(
    "watched", [SMALL, law_only(family(UNEVEN)), law_only(family(BITS))], ids=["GRR", "a table", "bits"]
)
def test_nothing_is_won_on_average_whatever_was_seen_and_asked_before(watched: Family) -> None:
    assert violations(mixture, watched, LONGEST if len(watched.oracle.law(0)) == 2 else 2) == set()


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
def test_faults_of_a_sequential_test_are_caught(mutant: Total) -> None:
    assert violations(mutant, SMALL) & {"starts above 1", "grows on average"}
