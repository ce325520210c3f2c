"""The schema of `reproduce.json` of source 001."""

from collections.abc import Mapping
from typing import Any

from dp_studies.reproduce.s001.settings import KINDS
from dp_studies.reproduce.schemas import DECIMAL, LEVEL, NATURAL, SIGNED, beside, document, lists, objects

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
SCHEMA: Mapping[str, Any] = document(
    "001",
    FORMAT,
    {
        "confidence": objects({"table1": LEVEL, "table2": LEVEL, "statement": {"type": "string"}}),
        "power": lists(_POWER),
        "table1": {"type": "object", "additionalProperties": _RANGE},
        "table2": {"type": "object", "additionalProperties": _ALL},
    },
)
"""Numbers are decimals correctly rounded, the ends of intervals rounded outwards."""
