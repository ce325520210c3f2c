"""Statements decided again, and compared with the ledger: what a planted fault changes."""

from collections.abc import Iterable, Iterator

from cases.formal_statements import statement_of
from corpus.certificates import retied
from dp_checks.certificate import certificate
from dp_checks.check import decide
from dp_checks.ledger import load_ledger
from dp_checks.verdict import InternalDisagreementError
from dp_kernel import Rejected, verify

LEDGER = load_ledger()


def disagreements(claims: Iterable[str]) -> Iterator[str]:
    """Claims on which checker, program and kernel contradict each other, or which the ledger has otherwise."""
    for claim in claims:
        statement = statement_of(claim)
        try:
            outcome = decide(statement, claim)
            if outcome.verdict != "unchecked":
                verify(retied(certificate(claim, statement, outcome)))
        except (InternalDisagreementError, Rejected) as error:
            yield f"{claim}: {error}"
            continue
        entry = LEDGER[claim]
        decision = (outcome.verdict, outcome.evidence.kind, outcome.evidence.scope)
        if decision != (entry.verdict, entry.evidence["kind"], entry.evidence["scope"]):
            yield f"{claim}: {decision}"
