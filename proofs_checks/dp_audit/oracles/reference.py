"""What an audit compares with: an oracle by name, or one of the user's own, and how the audit names it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dp_audit.oracles import KINDS, Oracle, certificate, oracle
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.names import require_name

MAX_INPUTS = 1024
"""Inputs of an audit: the laws of every two are compared."""


@dataclass(frozen=True)
class Reference:
    """An oracle with the name and the parameters that the audit shows, and the ids of the ledger it rests on."""

    oracle: Oracle
    name: str
    parameters: Mapping[str, str]
    certified: tuple[str, ...] = ()


def reference(mechanism: Oracle | str, parameters: Mapping[str, object] | None = None) -> Reference:
    """Return the oracle of a mechanism by name with these parameters, or an oracle as it is (parameters are only
    shown).

    Raises `DomainError` for an unknown mechanism or bad parameters.
    """
    texts = {name: str(value) for name, value in (parameters or {}).items()}
    if isinstance(mechanism, Oracle):
        return Reference(mechanism, type(mechanism).__name__, texts)
    name = require_name("oracle", mechanism, KINDS)
    return Reference(oracle(name, parameters or {}), name, texts, certificate(name, parameters or {}))


def require_few(inputs: Sequence[Item]) -> None:
    """Raise `DomainError` for more inputs than an audit compares."""
    if len(inputs) > MAX_INPUTS:
        raise DomainError("inputs", len(inputs), f"at most {MAX_INPUTS} inputs of an audit: give smaller sizes")
