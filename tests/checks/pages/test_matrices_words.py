"""Statements about explicit matrices in words: what is asked, which numbers refute it."""

from dataclasses import replace

import pytest
from flint import fmpq

from dp_checks.check import decide
from dp_checks.check.matrices import least_variances, query_at
from dp_checks.pages.evidence import EVIDENCE
from dp_checks.pages.statements import formal, in_one_line
from dp_checks.pages.witness import one_line, witness
from dp_spec.matrix import estimates, mechanisms
from dp_spec.matrix.claims.restorations import FORMAL, best, dominates
from dp_spec.vocabulary.matrix_statements import BestLinear
from dp_spec.vocabulary.statement import All, Not, Statement

NAIVE = best(mechanisms.NAIVE_ROOT, estimates.naive, 1)
ONE_HALF = tuple((fmpq(1, 2), fmpq(0), fmpq(0)) for _ in range(3))


def text(statement: Statement) -> str:
    return "\n".join(formal(statement))


def test_ranges_counts_and_answers_are_named() -> None:
    shown = text(best(mechanisms.BOOST_ROOT, estimates.boost, 2))
    assert shown.startswith(
        r"For $h=2$, $b=2$, $\epsilon=1$: no unbiased linear estimate of any of the 10 ranges of 4 "
    )
    assert "from the 7 noisy answers of [`consistency-root`](#law-consistency-root)" in shown
    one = BestLinear(mechanisms.NAIVE_ROOT, NAIVE.at, ((fmpq(1), fmpq(0)),), ((fmpq(1), fmpq(0), fmpq(0)),))
    assert "of any of 1 queries of 2 counts" in text(one)


def test_a_constant_is_shown_with_both_strategies() -> None:
    shown = text(dominates(mechanisms.PRIVELET, mechanisms.BOOST_ROOT, fmpq(7, 4), 2))
    assert r"at most $\frac{7}{4}$ times that from those of [`consistency-root`]" in shown
    assert text(Not(dominates(mechanisms.PRIVELET, mechanisms.BOOST_ROOT, fmpq(7, 4), 2))).startswith(
        "It is not so that:"
    )


REFUTED: list[tuple[Statement, str, str]] = [
    (NAIVE, "better estimate", "the range $[1,1]$ has an unbiased estimate of variance $16/3$, not $8$"),
    (
        BestLinear(mechanisms.NAIVE_ROOT, NAIVE.at, NAIVE.workload, ONE_HALF),
        "biased estimate",
        "the estimate of the range $[1,1]$ with the weights $(1/2, 0, 0)$ is biased",
    ),
    (
        dominates(mechanisms.IDENTITY, mechanisms.PRIVELET, fmpq(1), 6),
        "negative direction",
        "for the range $[1,64]$ the least variances are $128$ and $98$: more than $1$ times as large",
    ),
    (
        dominates(mechanisms.BOOST_ROOT, mechanisms.PRIVELET, fmpq(3, 2), 1),
        "negative direction",
        "for the query $(1, -1)$ the least variances are $16$ and $8$",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("statement", "kind", "told"), REFUTED)
def test_a_counterexample_is_a_query_with_numbers(statement: Statement, kind: str, told: str) -> None:
    outcome = decide(statement)
    assert (outcome.verdict, outcome.evidence.kind) == ("refuted", kind)
    assert one_line(statement, outcome.evidence.data).startswith(told)
    assert witness(statement, outcome.evidence.data)[0].startswith(told[0].upper() + told[1:])
    both = All((statement, statement))
    assert told in "\n".join(witness(both, {"part": 0, "evidence": outcome.evidence.data})).replace(
        "The", "the", 1
    ).replace("For", "for", 1)


def test_a_query_that_has_no_estimate_is_called_so() -> None:
    """The total, from differences alone."""
    differences = replace(mechanisms.PRIVELET, rows=mechanisms.PRIVELET.rows[1:], restored=None)
    statement = dominates(differences, mechanisms.PRIVELET, fmpq(5), 1)
    asked = query_at(statement, [1, 1])
    assert list(map(int, (x.p for x in asked))) == [1, 1]
    assert least_variances(statement, asked) == (None, fmpq(8))
    assert "infinite (there is no such estimate) and $8$" in one_line(statement, {"vector": [1, 1]})


@pytest.mark.parametrize("claim", FORMAL)
def test_kinds_of_evidence_are_explained(claim: str) -> None:
    statement = FORMAL[claim]
    assert isinstance(statement, All)
    if claim != "001.supp.dominates@identity":
        kinds = decide(statement, claim).evidence.kind.split(", ")
        assert set(kinds) <= set(EVIDENCE)
    assert in_one_line(statement).count("noisy answers of") == sum(1 for _ in statement.parts)


def test_the_scope_says_whether_the_program_estimates_so() -> None:
    assert decide(best(mechanisms.PRIVELET, estimates.privelet, 2)).evidence.scope.startswith(
        "10 queries, as the program estimates them; law = program's matrices"
    )
    shuffled = BestLinear(
        mechanisms.IDENTITY,
        dominates(mechanisms.IDENTITY, mechanisms.IDENTITY, fmpq(1), 1).at,
        NAIVE.workload,
        ((fmpq(1), fmpq(0)), (fmpq(1), fmpq(1)), (fmpq(0), fmpq(1))),
    )
    assert ", as the program estimates them" in decide(shuffled).evidence.scope


def test_nothing_is_found_on_rows_of_other_lengths() -> None:
    one, short = NAIVE.workload[:1], NAIVE.workload[:2]
    wide = tuple((*row, fmpq(0)) for row in NAIVE.workload)
    made = [(wide, NAIVE.estimates), (short, NAIVE.estimates), (one, one), ((), ())]
    for workload, weights in made:
        assert decide(BestLinear(mechanisms.NAIVE_ROOT, NAIVE.at, workload, weights)).verdict == "unchecked"
    three = replace(
        dominates(mechanisms.IDENTITY, mechanisms.NAIVE_ROOT, fmpq(1), 1), at={**NAIVE.at, "b": NAIVE.at["h"] + 2}
    )
    assert decide(three).verdict == "unchecked"
