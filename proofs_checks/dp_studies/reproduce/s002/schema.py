"""The schema of `reproduce.json`."""

from collections.abc import Mapping
from typing import Any

from dp_studies.reproduce.s002.formulas import KINDS, MECHANISMS
from dp_studies.reproduce.s002.points import CALIBRATIONS
from dp_studies.reproduce.schemas import COUNT, DECIMAL, document, lists, objects

FORMAT = "dp-refimpl reproduction 2"

_MAYBE = {"anyOf": [DECIMAL, {"type": "null"}]}
_SIZES: Mapping[str, Any] = {"n": COUNT, "d": COUNT, "K": COUNT, "m": COUNT}


def _kinds(value: Any, **more: Any) -> dict[str, Any]:
    """Something for X_sen and, if it is not empty, for X_non."""
    return {
        "type": "object",
        "required": ["sensitive"],
        "additionalProperties": False,
        "properties": dict.fromkeys(KINDS, value),
        **more,
    }


_TOTALS: Mapping[str, Any] = {"sensitive": _MAYBE, "nonsensitive": _MAYBE, "sum": DECIMAL, "mean": DECIMAL}
_ENDS = lists(_MAYBE, minItems=2, maxItems=2)
_FORMULA = objects({"claim": {"type": "string"}, "verdict": {"type": "string"}})
_PLACE = objects(
    {
        "x": {"type": "string"},
        "epsilon": {"type": "string"},
        **_SIZES,
        "nominal_epsilon": {"anyOf": [DECIMAL, {"type": "null"}]},
        "constant": {"type": ["string", "null"], "description": "claim that gives the smallest constant"},
        "absent": {"type": ["string", "null"], "description": "why the mechanism has no budget here"},
        "exact": {"anyOf": [objects(_TOTALS), {"type": "null"}], "description": "f_x = m / d for every item"},
        "printed": {"anyOf": [objects(_TOTALS), {"type": "null"}], "description": "the source's formulas, if others"},
        "point": {"type": ["string", "null"], "description": "key of the simulated point"},
    }
)
_CURVE = objects(
    {
        "mechanism": {"enum": list(MECHANISMS)},
        "reading": {"type": "string"},
        "formulas": _kinds(_FORMULA),
        "places": lists(_PLACE),
    }
)
_POINT = objects(
    {
        "mechanism": {"enum": list(MECHANISMS)},
        "setting": objects(_SIZES),
        "exact": objects(_TOTALS, description="for the data set of the runs"),
        "simulated": objects({**_TOTALS, "runs": lists(DECIMAL)}, description="means over the runs; each run's sum"),
        "interval": objects({**_kinds({"anyOf": [_ENDS, {"type": "null"}]})["properties"], "sum": _ENDS}),
        "inside": _kinds({"type": "boolean"}),
        "printed_inside": {"anyOf": [_kinds({"type": "boolean"}), {"type": "null"}]},
        "data": _kinds(lists(COUNT, minItems=2, maxItems=2), description="sums of n f_x and (n f_x)^2"),
        "counts": _kinds(
            lists(lists(COUNT, minItems=3, maxItems=3)), description="by run: sums of F_x, F_x^2 and F_x n f_x"
        ),
    }
)
SCHEMA: Mapping[str, Any] = document(
    "002",
    FORMAT,
    {
        "confidence": objects(
            {
                "family_level": {"type": "string"},
                "bounds": COUNT,
                "level": {"type": "string", "description": "of each bound, as a fraction"},
                "statement": {"type": "string"},
            }
        ),
        "figures": lists(
            objects(
                {
                    "number": {"enum": [1, 2, 3, 4]},
                    "calibration": {"enum": list(CALIBRATIONS)},
                    "axis": {"enum": ["epsilon", "proportion", "d", "m"]},
                    "panels": lists(objects({"title": {"type": "string"}, "curves": lists(_CURVE)})),
                }
            )
        ),
        "points": {"type": "object", "additionalProperties": _POINT},
    },
)
"""Numbers are decimals correctly rounded, the ends of intervals rounded outwards."""
