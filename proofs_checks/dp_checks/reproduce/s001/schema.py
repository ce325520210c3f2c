"""The schema of `reproduce.json` of source 001."""

from collections.abc import Mapping
from typing import Any

from dp_checks.reproduce.s001.settings import KINDS
from dp_checks.reproduce.schemas import COUNT, DECIMAL, NATURAL, SIGNED, beside, lists, objects

FORMAT = "dp-refimpl reproduction of 001 1"

_NOISE: Mapping[str, Any] = {"noise": {"enum": list(KINDS)}, "epsilon": {"type": "string"}, "size": NATURAL}
_SEEN: Mapping[str, Any] = {
    "error": beside(DECIMAL),
    "relative_standard_error": DECIMAL,
    "runs": lists({"type": "string", "pattern": "^(0|-?[1-9][0-9]*)$"}),
}
_APPROXIMATE = objects({"value": DECIMAL, "relative_difference": SIGNED, "inside": {"type": "boolean"}})
_RANGE = objects({**_NOISE, "number": NATURAL, "first": NATURAL, "last": NATURAL, **_SEEN})
_ALL = objects({**_NOISE, **_SEEN, "approximate": _APPROXIMATE})
_EXTREME = objects(
    {"relative_standard_error": DECIMAL, "ranges": lists(lists(NATURAL, minItems=2, maxItems=2), minItems=1)}
)
_THRESHOLDS = objects({name: {"type": "boolean"} for name in ("pct1", "pct5", "pct25")})
_POWER = objects({**_NOISE, "smallest": _EXTREME, "largest": _EXTREME, "at_most": _THRESHOLDS})
_LEVEL = objects({"family_level": {"type": "string"}, "bounds": COUNT, "level": {"type": "string"}})
SCHEMA: Mapping[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": FORMAT,
    **objects(
        {
            "format": {"const": FORMAT},
            "source": {"const": "001"},
            "seed": COUNT,
            "generator": {"type": "string"},
            "runs": NATURAL,
            "confidence": objects({"table1": _LEVEL, "table2": _LEVEL, "statement": {"type": "string"}}),
            "notes": lists({"type": "string"}),
            "power": lists(_POWER),
            "table1": {"type": "object", "additionalProperties": _RANGE},
            "table2": {"type": "object", "additionalProperties": _ALL},
        }
    ),
}
"""Numbers are decimals correctly rounded to twelve digits, the ends of intervals rounded outwards."""
