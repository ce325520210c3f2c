"""The error level is kept, exactly: on average nothing is won by the next report, on whatever input it is."""

from dataclasses import replace

import pytest
from flint import fmpq

from dp_audit.judge.bets.rows import LAW
from dp_audit.judge.bets.watches import Family, family
from dp_audit.oracles import oracle
from independent.law_oracles import TableOracle
from independent.wealth_laws import rational
from mutants.betting import MUTANTS, Stream, Total, mixture

LEVEL = fmpq(1, 20)


def law_only(watched: Family) -> Family:
    """Without pairs: their wealth is one with respect to completed pairs."""
    return replace(watched, components=tuple(c for c in watched.components if c.part in LAW))


SMALL = law_only(family(oracle("GRR", {"d": 2, "epsilon": "ln(3)"}), None, LEVEL, fmpq(1, 4)))
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
