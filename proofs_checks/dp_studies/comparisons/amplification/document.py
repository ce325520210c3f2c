"""The answers as plain data."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from dp_studies.comparisons.amplification.grid import Asked
from dp_studies.comparisons.amplification.query import MECHANISMS

FORMAT = "dp-refimpl amplify 1"
NOTE = (
    "The upper end holds for every pair of neighboring data sets (one user's value is replaced), the lower end is "
    "shown by the data set that is named; the kernel has accepted both, and certificates hold what it read."
)
INVERSE = (
    "With the lower end of a budget, and with the upper one of a number of dummies, (epsilon, delta) holds for every "
    "pair of neighboring data sets (one user's value is replaced); with the other end a named data set has more. The "
    "kernel has accepted both, and certificates hold what it read."
)


def note(asked: Asked) -> str:
    """What the ends mean."""
    return NOTE if asked in ("epsilon", "delta") else INVERSE


def _object(properties: Mapping[str, Any], optional: Sequence[str] = ()) -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "additionalProperties": False, "required": required, "properties": dict(properties)}


def _or_null(kind: Mapping[str, Any]) -> dict[str, Any]:
    return {"anyOf": [kind, {"type": "null"}]}


_TEXT = {"type": "string", "minLength": 1}
_TEXTS = {"type": "array", "items": _TEXT}
_FRACTION = _or_null({"type": "string", "pattern": r"^\d+(/\d+)?$"})
_END = _object(
    {
        "value": {"type": "string", "pattern": r"^\d+(\.\d+)?$"},
        "shown_by": _TEXT,
        "cards": _TEXTS,
        "work": {"type": "integer", "minimum": 0},
        "certificate": _or_null(_TEXT),
    }
)
_ROW: Mapping[str, Any] = {
    "key": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
    "asked": {"enum": list(get_args(Asked))},
    "mechanism": {"enum": list(MECHANISMS)},
    "users": {"type": "integer", "minimum": 1},
    "labels": _or_null({"type": "integer", "minimum": 2}),
    "epsilon0": _or_null(_TEXT),
    "dummies": _or_null({"type": "integer", "minimum": 0}),
    "epsilon": _FRACTION,
    "delta": _FRACTION,
}
_NUMBER = _or_null({"type": "string", "pattern": r"^\d+(\.\d+)?(e[+-]\d+)?$"})
_PUBLISHED = {
    "type": "array",
    "items": _object(
        {
            "row": _TEXT,
            "stated": {"type": "boolean"},
            "epsilon": _NUMBER,
            "times": _NUMBER,
            "below": {"type": "boolean"},
        }
    ),
}
_APART = _or_null(_object({"percent": _NUMBER, "why": _TEXT}))
_ANSWERED = _object(
    {**_ROW, "lower": _END, "upper": _END, "apart": _APART, "left_out": _TEXTS, "published": _PUBLISHED},
    optional=["published"],
)
_REFUSED = _object({**_ROW, "refused": _TEXT})
SCHEMA = _object(
    {
        "format": {"const": FORMAT},
        "note": {"enum": [NOTE, INVERSE]},
        "certificates": _TEXT,
        "digits": {"type": "integer", "minimum": 1},
        "rows": {"type": "array", "minItems": 1, "items": {"anyOf": [_ANSWERED, _REFUSED]}},
        "curve": {"type": "array", "items": {"anyOf": [_ANSWERED, _REFUSED]}},
    }
)
"""The JSON schema of the document. What is asked for is null, and what a mechanism has not; an end of which nothing is
to be shown has no certificate; `left_out`: constructions that would have taken more work than was allowed;
`apart`: how many percent the ends are apart (null: one is 0), and why, where that is more than one percent;
`published`: what the literature's rows say, whether their preconditions hold, and how many times the upper end that is
(null: nothing below epsilon0)."""
