"""Small statements for evidence that claims need rarely: each is decided, as the corpus has it, and re-checked."""

import pytest

from cases import error_statements, noise_statements, sketch_statements, subset_statements
from corpus.certificates import accepted, retied
from dp_checks.certificate import certificate
from dp_checks.check import decide
from dp_kernel import verify

MODULES = (error_statements, noise_statements, sketch_statements, subset_statements)
STATEMENTS = {name: statement for module in MODULES for name, statement in module.STATEMENTS.items()}


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_small_statement_is_decided_as_in_the_corpus(name: str) -> None:
    statement = STATEMENTS[name]
    outcome = decide(statement, name)
    verify(retied(certificate(name, statement, outcome)))
    certificates = [line.certificate() for line in accepted().values()]
    assert [outcome.verdict] == [claim["verdict"] for claim in certificates if claim["id"] == name]
