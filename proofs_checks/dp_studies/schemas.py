"""Parts of JSON schemas of documents: of reproductions, and of comparisons."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

DECIMAL: Mapping[str, Any] = {"type": "string", "pattern": r"^[0-9]\.[0-9]{11}e[+-][0-9]+$"}
SIGNED: Mapping[str, Any] = {"type": "string", "pattern": r"^(0|-?[0-9]\.[0-9]{11}e[+-][0-9]+)$"}
INTEGER: Mapping[str, Any] = {"type": "integer"}
COUNT: Mapping[str, Any] = {**INTEGER, "minimum": 0}
NATURAL: Mapping[str, Any] = {**INTEGER, "minimum": 1}
TEXT: Mapping[str, Any] = {"type": "string"}
NAME: Mapping[str, Any] = {"type": "string", "minLength": 1}
BOOLEAN: Mapping[str, Any] = {"type": "boolean"}


def objects(properties: Mapping[str, Any], missing: Sequence[str] = (), **more: Any) -> dict[str, Any]:
    """An object with exactly these properties, of which some may be missing."""
    return {
        "type": "object",
        "required": [name for name in properties if name not in missing],
        "additionalProperties": False,
        "properties": dict(properties),
        **more,
    }


def lists(items: Any, **more: Any) -> dict[str, Any]:
    """A list of such items."""
    return {"type": "array", "items": items, **more}


def optional(value: Any) -> dict[str, Any]:
    """Something, or null."""
    return {"anyOf": [value, {"type": "null"}]}


ENDS: Mapping[str, Any] = lists(optional(SIGNED), minItems=2, maxItems=2)


def beside(exact: Any) -> dict[str, Any]:
    """An exact value, a simulated one, and its interval (`numbers.beside`)."""
    return objects({"exact": exact, "simulated": SIGNED, "interval": ENDS, "inside": BOOLEAN})


_FAMILY: Mapping[str, Any] = {"family_level": TEXT, "bounds": COUNT, "level": TEXT}


def confidence(*families: str) -> dict[str, Any]:
    """The level of so many bounds together, and of each, for each of these families; of a single one without a name."""
    named = {name: objects(_FAMILY) for name in families} or _FAMILY
    return objects({**named, "statement": TEXT})


def by_name(value: Any, **more: Any) -> dict[str, Any]:
    """An object with any names, and such values."""
    return {"type": "object", "additionalProperties": value, **more}


def one_of(names: Iterable[object]) -> dict[str, Any]:
    """One of some names."""
    return {"enum": list(names)}


def document_of(source: str, form: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    """A document of this form (a name with a version) about a source: what all sources have, and its own properties.

    Numbers are decimals correctly rounded to twelve digits, the ends of intervals rounded outwards.
    """
    common = {
        "format": {"const": form},
        "source": {"const": source},
        "seed": COUNT,
        "generator": TEXT,
        "runs": NATURAL,
        "notes": lists(TEXT),
    }
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": form}
    return {**head, **objects({**common, **properties})}
