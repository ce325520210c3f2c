"""Parameters of an oracle as the audited code is handed them."""

from collections.abc import Mapping
from typing import Any

from flint import fmpq

from dp_audit.oracles.base import OracleKind, double
from dp_spec.vocabulary.budget import Budget


def client_value(value: Any) -> Any:
    """Return a parameter as code gets it: the nearest double for a budget or a fraction, lists for tuples."""
    if isinstance(value, Budget):
        return double(value)
    if isinstance(value, fmpq):
        return int(value.p) / int(value.q)
    return [client_value(part) for part in value] if isinstance(value, tuple) else value


def client_values(kind: OracleKind, parameters: Mapping[str, object]) -> dict[str, Any]:
    """Return the oracle's parameters as code may expect them; a rational number is an integer where an integer was
    written.

    Raises `DomainError` for a bad one.
    """
    read = {name: kind.parameters[name](name, value) for name, value in parameters.items()}
    return {name: _as_written(value, parameters[name]) for name, value in read.items() if name not in kind.judging}


def _as_written(value: Any, written: object) -> Any:
    whole = isinstance(written, int) or (isinstance(written, str) and written.strip().removeprefix("-").isdecimal())
    return int(value) if isinstance(value, fmpq) and whole else client_value(value)
