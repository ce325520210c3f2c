"""Parts of JSON schemas."""

from collections.abc import Mapping
from typing import Any

DECIMAL: Mapping[str, Any] = {"type": "string", "pattern": r"^[0-9]\.[0-9]{11}e[+-][0-9]+$"}
COUNT: Mapping[str, Any] = {"type": "integer", "minimum": 0}


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
