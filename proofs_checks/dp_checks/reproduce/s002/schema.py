"""The schema of `reproduce.json`."""

from collections.abc import Mapping
from typing import Any

from dp_checks.reproduce.s002.formulas import KINDS, MECHANISMS
from dp_checks.reproduce.s002.points import CALIBRATIONS

FORMAT = "dp-refimpl reproduction 2"

_DECIMAL = {"type": "string", "pattern": r"^[0-9]\.[0-9]{11}e[+-][0-9]+$"}
_MAYBE = {"anyOf": [_DECIMAL, {"type": "null"}]}
_COUNT = {"type": "integer", "minimum": 0}
_SIZES: Mapping[str, Any] = {"n": _COUNT, "d": _COUNT, "K": _COUNT, "m": _COUNT}


def _object(properties: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """An object with exactly these properties."""
    return {
        "type": "object",
        "required": list(properties),
        "additionalProperties": False,
        "properties": dict(properties),
        **more,
    }


def _list(items: Any, **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}


def _kinds(value: Any, **more: Any) -> dict[str, Any]:
    """Something for X_sen and, if it is not empty, for X_non."""
    return {
        "type": "object",
        "required": ["sensitive"],
        "additionalProperties": False,
        "properties": dict.fromkeys(KINDS, value),
        **more,
    }


_TOTALS: Mapping[str, Any] = {"sensitive": _MAYBE, "nonsensitive": _MAYBE, "sum": _DECIMAL, "mean": _DECIMAL}
_ENDS = _list(_MAYBE, minItems=2, maxItems=2)
_FORMULA = _object({"claim": {"type": "string"}, "verdict": {"type": "string"}})
_PLACE = _object(
    {
        "x": {"type": "string"},
        "epsilon": {"type": "string"},
        **_SIZES,
        "nominal_epsilon": {"anyOf": [_DECIMAL, {"type": "null"}]},
        "constant": {"type": ["string", "null"], "description": "claim that gives the smallest constant"},
        "absent": {"type": ["string", "null"], "description": "why the mechanism has no budget here"},
        "exact": {"anyOf": [_object(_TOTALS), {"type": "null"}], "description": "f_x = m / d for every item"},
        "printed": {"anyOf": [_object(_TOTALS), {"type": "null"}], "description": "the source's formulas, if others"},
        "point": {"type": ["string", "null"], "description": "key of the simulated point"},
    }
)
_CURVE = _object(
    {
        "mechanism": {"enum": list(MECHANISMS)},
        "reading": {"type": "string"},
        "formulas": _kinds(_FORMULA),
        "places": _list(_PLACE),
    }
)
_POINT = _object(
    {
        "mechanism": {"enum": list(MECHANISMS)},
        "setting": _object(_SIZES),
        "exact": _object(_TOTALS, description="for the data set of the runs"),
        "simulated": _object({**_TOTALS, "runs": _list(_DECIMAL)}, description="means over the runs; each run's sum"),
        "interval": _object({**_kinds({"anyOf": [_ENDS, {"type": "null"}]})["properties"], "sum": _ENDS}),
        "inside": _kinds({"type": "boolean"}),
        "printed_inside": {"anyOf": [_kinds({"type": "boolean"}), {"type": "null"}]},
        "data": _kinds(_list(_COUNT, minItems=2, maxItems=2), description="sums of n f_x and (n f_x)^2"),
        "counts": _kinds(
            _list(_list(_COUNT, minItems=3, maxItems=3)), description="by run: sums of F_x, F_x^2 and F_x n f_x"
        ),
    }
)
SCHEMA: Mapping[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": FORMAT,
    **_object(
        {
            "format": {"const": FORMAT},
            "source": {"const": "002"},
            "seed": _COUNT,
            "generator": {"type": "string"},
            "runs": {"type": "integer", "minimum": 1},
            "confidence": _object(
                {
                    "family_level": {"type": "string"},
                    "bounds": _COUNT,
                    "level": {"type": "string", "description": "of each bound, as a fraction"},
                    "statement": {"type": "string"},
                }
            ),
            "notes": _list({"type": "string"}),
            "figures": _list(
                _object(
                    {
                        "number": {"enum": [1, 2, 3, 4]},
                        "calibration": {"enum": list(CALIBRATIONS)},
                        "axis": {"enum": ["epsilon", "proportion", "d", "m"]},
                        "panels": _list(_object({"title": {"type": "string"}, "curves": _list(_CURVE)})),
                    }
                )
            ),
            "points": {"type": "object", "additionalProperties": _POINT},
        }
    ),
}
"""Numbers are decimals correctly rounded to twelve digits, the ends of intervals rounded outwards."""
