"""The register of false certificates, and what their modules share."""

from collections.abc import Callable
from typing import Any

from certificates import Json
from dp_spec.frequency import grr, rappor, sugrr
from dp_spec.vocabulary.statement import Statement
from dp_spec.vocabulary.term import var

FALSE: dict[str, tuple[Callable[[], Json], str]] = {}
"""By name, with what the kernel has to find wrong."""


def planted(reason: str) -> Callable[[Callable[[], Json]], Callable[[], Json]]:
    def listed(build: Callable[[], Json]) -> Callable[[], Json]:
        FALSE[build.__name__] = build, reason
        return build

    return listed


def changed(statement: Statement, **fields: Any) -> Json:
    """A statement with fields of its JSON replaced or added."""
    return {**statement.json(), **fields}


X, Y, T, W = var("x"), var("y"), rappor.T, grr.W
SLOTS = {"lemma": "slotwise", "low": sugrr.other(grr.E0).json(), "factor": "e0"}
BITS = {"lemma": "slotwise", "up": "t", "down": "t"}
KEPT, CONTRIBUTIONS = {"lemma": "kept"}, {"lemma": "contributions"}
IDENTITY: Json = {"steps": [{}]}
