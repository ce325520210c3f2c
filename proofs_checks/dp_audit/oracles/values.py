"""Canonical values of declared maps, read as what a metric is of: lists of records, numbers."""

from collections.abc import Hashable

from flint import fmpq

from dp_spec.vocabulary.exceptions import DomainError


def rows_of(value: Hashable) -> tuple[Hashable, ...]:
    """Return a list of records. Raises `DomainError` for anything else."""
    if not isinstance(value, tuple):
        raise DomainError("data set", value, "a list of records")
    return value


def number_of(value: Hashable) -> fmpq | None:
    """Return a number, None for one that is not finite. Raises `DomainError` for anything else."""
    if isinstance(value, int | fmpq):
        return fmpq(value)
    if isinstance(value, tuple) and len(value) == 2 and value[0] == "float":
        return None
    raise DomainError("output", value, "a number")
