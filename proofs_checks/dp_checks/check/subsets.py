"""Checkers for laws on subsets (PrivSet)."""

from collections.abc import Iterator

from dp_checks.check.candidate import Candidate
from dp_spec.vocabulary.statement import Statement


def candidates(statement: Statement, hint: str) -> Iterator[Candidate] | None:
    """Proposals for statements of this family; None for other statements."""
    return None
