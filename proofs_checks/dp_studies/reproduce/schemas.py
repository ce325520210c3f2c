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


LEVEL = objects({"family_level": {"type": "string"}, "bounds": COUNT, "level": {"type": "string"}})
"""Of so many bounds together, and of each."""


def document(source: str, form: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    """A document of this form (a name with a version) about a source: what all sources have, and its own properties.

    Numbers are decimals correctly rounded to twelve digits, the ends of intervals rounded outwards.
    """
    common = {
        "format": {"const": form},
        "source": {"const": source},
        "seed": COUNT,
        "generator": {"type": "string"},
        "runs": NATURAL,
        "notes": lists({"type": "string"}),
    }
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": form}
    return {**head, **objects({**common, **properties})}
