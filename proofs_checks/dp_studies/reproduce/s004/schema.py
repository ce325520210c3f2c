"""The schema of `reproduce.json` of source 004."""

from collections.abc import Mapping
from typing import Any

from dp_studies.reproduce.s004.data import WEIGHTS
from dp_studies.reproduce.s004.ranks import TIES
from dp_studies.reproduce.s004.settings import READINGS
from dp_studies.reproduce.schemas import COUNT, DECIMAL, ENDS, LEVEL, NATURAL, SIGNED, beside, document, lists, objects

FORMAT = "dp-refimpl reproduction of 004 1"

_PAIR = lists(COUNT, minItems=2, maxItems=2)
_MEAN = objects({"simulated": SIGNED, "interval": ENDS})
_BY_TIES = objects(dict.fromkeys(TIES, _MEAN))
_WORD = objects(
    {
        "position": NATURAL,
        "count": COUNT,
        "estimate": beside(SIGNED),
        "variance": beside(SIGNED),
        "meanfirst": beside(SIGNED),
        "absfirst": beside(ENDS),
        "rank": _BY_TIES,
    }
)
_SKETCH: Mapping[str, Any] = {"k": NATURAL, "m": {"type": "integer", "minimum": 2}}
_POINT = objects(
    {
        "data": {"enum": list(WEIGHTS)},
        **_SKETCH,
        "functions": {"enum": list(READINGS)},
        "epsilon": {"type": "string"},
        "words": lists(_WORD),
        "groups": lists(objects({"ranks": _PAIR, "deviation": _BY_TIES})),
        "runs": objects({name: lists(lists(COUNT)) for name in ("ones", "above", "equal", "before")}),
    }
)
_COST = objects(
    {
        **_SKETCH,
        **dict.fromkeys(("counters", "bits", "client", "server", "initialization", "queries", "operations"), COUNT),
        "simulated": {"type": "boolean"},
        "error": {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": DECIMAL}},
    }
)
_BEST = objects({"data": {"enum": list(WEIGHTS)}, "epsilon": {"type": "string"}, **_SKETCH})
_STATED = objects(
    {"claim": {"type": "string"}, "point": {"type": "string"}, "ranks": _PAIR, "simulated": SIGNED, "interval": ENDS}
)
SCHEMA: Mapping[str, Any] = document(
    "004",
    FORMAT,
    {
        "records": NATURAL,
        "vocabulary": NATURAL,
        "confidence": objects({"tested": LEVEL, "ranks": LEVEL, "statement": {"type": "string"}}),
        "data": {"type": "object", "additionalProperties": lists(COUNT)},
        "claims": lists(_STATED),
        "costs": lists(_COST),
        "best": lists(_BEST),
        "points": {"type": "object", "additionalProperties": _POINT},
    },
)
"""Numbers are decimals correctly rounded, the ends of intervals rounded outwards."""
