"""The oracles of audits, by name: the exact laws and moments that implementations are compared with.

Those of mechanisms of the certified core name the ids of the ledger they rest on (`certificate`); the others are stated
from the literature.
"""

from collections.abc import Mapping

from dp_audit.oracles import (
    bitflip,
    bloom,
    catalogue,
    central,
    frequency,
    hadamard,
    hashing,
    longitudinal,
    multidimensional,
    sketch,
    synthesis,
)
from dp_audit.oracles.base import Event, Number, Oracle, OracleKind
from dp_spec.vocabulary.exceptions import MissingError
from dp_spec.vocabulary.names import require_name

GROUPS: Mapping[str, Mapping[str, OracleKind]] = {
    "an item of each user": {
        **frequency.KINDS,
        **hashing.KINDS,
        **hadamard.KINDS,
        **sketch.KINDS,
        **bloom.KINDS,
    },
    "an item, reported again and again": {**longitudinal.KINDS, **bitflip.KINDS},
    "several attributes of each user": multidimensional.KINDS,
    "a set of items, or items some of which are sensitive": catalogue.KINDS,
    "a curator's choices and noise": central.KINDS,
    "a curator's synthetic table": synthesis.KINDS,
}
"""What is reported or published, and the mechanisms of it by name."""
KINDS: Mapping[str, OracleKind] = {name: kind for group in GROUPS.values() for name, kind in group.items()}
"""All mechanisms that `oracle` knows."""


def oracle(name: str, parameters: Mapping[str, object]) -> Oracle:
    """Return the oracle of a mechanism; parameters are values or text (`{"d": 4, "epsilon": "ln(3)"}`).

    Raises `DomainError` for an unknown mechanism, a missing or unknown parameter, or a value it does not allow.
    """
    kind = require_name("oracle", name, KINDS)
    return KINDS[kind].make(**read_parameters(kind, parameters))


def read_parameters(name: str, parameters: Mapping[str, object]) -> dict[str, object]:
    """Return the parameters of a mechanism, read and checked. Raises `DomainError`."""
    kind = KINDS[require_name("oracle", name, KINDS)]
    parameters = {require_name("parameter", p, kind.parameters): value for p, value in parameters.items()}
    missing = [p for p in kind.parameters if p not in parameters and p not in kind.optional]
    if missing:
        raise MissingError(", ".join(missing), f"{name} has the parameters {', '.join(kind.parameters)}")
    return {p: kind.parameters[p](p, value) for p, value in parameters.items()}


def certificate(name: str, parameters: Mapping[str, object]) -> tuple[str, ...]:
    """Return the ids of the ledger that an oracle rests on; none for one that is stated from the literature.

    Raises as `oracle`.
    """
    kind = require_name("oracle", name, KINDS)
    return KINDS[kind].certified(read_parameters(kind, parameters))


__all__ = [
    "GROUPS",
    "KINDS",
    "Event",
    "Number",
    "Oracle",
    "OracleKind",
    "certificate",
    "oracle",
    "read_parameters",
]
