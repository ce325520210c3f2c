"""Parts of JSON schemas."""

from collections.abc import Mapping
from typing import Any

DECIMAL: Mapping[str, Any] = {"type": "string", "pattern": r"^[0-9]\.[0-9]{11}e[+-][0-9]+$"}
SIGNED: Mapping[str, Any] = {"type": "string", "pattern": r"^(0|-?[0-9]\.[0-9]{11}e[+-][0-9]+)$"}
COUNT: Mapping[str, Any] = {"type": "integer", "minimum": 0}
NATURAL: Mapping[str, Any] = {"type": "integer", "minimum": 1}


def objects(properties: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """An object with exactly these properties."""
    return {
        "type": "object",
        "required": list(properties),
        "additionalProperties": False,
        "properties": dict(properties),
        **more,
    }


def lists(items: Any, **more: Any) -> dict[str, Any]:
    """A list of such items."""
    return {"type": "array", "items": items, **more}


ENDS: Mapping[str, Any] = lists({"anyOf": [SIGNED, {"type": "null"}]}, minItems=2, maxItems=2)


def beside(exact: Any) -> dict[str, Any]:
    """An exact value, a simulated one, and its interval (`numbers.beside`)."""
    return objects({"exact": exact, "simulated": SIGNED, "interval": ENDS, "inside": {"type": "boolean"}})
