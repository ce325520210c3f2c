"""The register of false certificates, and what their modules share."""

from collections.abc import Callable
from typing import Any

from dp_checks.check import cases
from dp_spec.frequency import grr, rappor
from dp_spec.vocabulary.statement import Statement
from dp_spec.vocabulary.term import var
from tampered.certificates import Json

FALSE: dict[str, tuple[Callable[[], Json], str]] = {}
"""By name, with what the kernel has to find wrong."""


def planted(reason: str) -> Callable[[Callable[[], Json]], Callable[[], Json]]:
    def listed(build: Callable[[], Json]) -> Callable[[], Json]:
        assert build.__name__ not in FALSE, f"two planted certificates are called {build.__name__}"
        FALSE[build.__name__] = build, reason
        return build

    return listed


def changed(statement: Statement, **fields: Any) -> Json:
    """A statement with fields of its JSON replaced or added."""
    return {**statement.json(), **fields}


X, Y, T, W = var("x"), var("y"), rappor.T, grr.W
SLOTS: Json = {"rule": "product", "powers": {"ss": 1, "sn": 1, "ns": 0, "nn": 0}}
BITS: Json = {"rule": "product", "powers": {"ss": 2, "sn": 2, "ns": 0, "nn": 0}}
MATCHED: Json = {"rule": "matching", "cases": cases.SHOWN}
OWN: Json = {"rule": "linear", "cases": cases.JOINT, "multipliers": {}}
EXCHANGED_ITEMS: Json = {"rule": "product", "powers": {"ss": 2, "sn": 2, "ns": 8, "nn": 8}, "cases": cases.SAMENON}
COVERS: Json = {"rule": "cover"}
"""Evidence of true statements about the same laws."""
SUPPORT, CONTRIBUTIONS = {"rule": "support"}, {"rule": "contributions"}
IDENTITY: Json = {"steps": [{}]}
