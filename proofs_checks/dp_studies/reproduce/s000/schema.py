"""The schema of `reproduce.json` of source 000."""

from collections.abc import Mapping
from typing import Any

from dp_studies.reproduce.s000.settings import ALGORITHMS, CALIBRATIONS
from dp_studies.reproduce.schemas import COUNT, DECIMAL, NATURAL, SIGNED, beside, document, lists, objects

FORMAT = "dp-refimpl reproduction of 000 2"

_TEXT: Mapping[str, Any] = {"type": "string"}
_ALGORITHM: Mapping[str, Any] = {"enum": list(ALGORITHMS)}
_FLOAT: Mapping[str, Any] = {"type": "string", "pattern": r"^[0-9]\.[0-9]{5}e[+-][0-9]+$"}
_WHERE: Mapping[str, Any] = {"data": _TEXT, "calibration": {"enum": list(CALIBRATIONS)}, "epsilon": _TEXT}
_CHOICE: Mapping[str, Any] = {"algorithm": _ALGORITHM, "labels": NATURAL, "local": SIGNED, "dummies": COUNT}
_SETTING = objects({**_CHOICE, "error": DECIMAL})
_OPTIONAL = {"anyOf": [NATURAL, {"type": "null"}]}
_REFUSED = objects(
    {
        "algorithm": _ALGORITHM,
        "labels": _OPTIONAL,
        "budget": {"anyOf": [_TEXT, {"type": "null"}]},
        "words": _TEXT,
    }
)
_MEASURED = objects({"before": _FLOAT, "after": _FLOAT})
_SUMS = objects(dict.fromkeys(("counts", "squares", "products"), COUNT))
_PLAIN: Mapping[str, Any] = {**_CHOICE, "error": beside(DECIMAL), "runs": lists(_SUMS), "pop": _MEASURED}
_SIMULATED = objects(
    {
        "MURS": objects(_PLAIN),
        "HP-SDP": objects(_PLAIN),
        "mixDUMP": objects(_PLAIN),
        "OD-HP": objects({**_PLAIN, "em": _MEASURED}),
    }
) | {"required": []}
_POINT = objects({**_WHERE, "settings": lists(_SETTING), "refused": lists(_REFUSED), "simulated": _SIMULATED})
_WINNER = objects(
    {
        **_WHERE,
        "winner": lists(_ALGORITHM),
        "errors": {"type": "object", "additionalProperties": DECIMAL, "propertyNames": _ALGORITHM},
        "settings": COUNT,
        "below_mixdump": COUNT,
        "below_murs": COUNT,
        "below_all": COUNT,
    }
)
SCHEMA: Mapping[str, Any] = document(
    "000",
    FORMAT,
    {
        "confidence": objects({"family_level": _TEXT, "bounds": COUNT, "level": _TEXT, "statement": _TEXT}),
        "delta": _TEXT,
        "labels": lists(NATURAL),
        "budgets": lists(_TEXT),
        "steps": NATURAL,
        "data": {
            "type": "object",
            "additionalProperties": objects({"users": NATURAL, "items": NATURAL, "largest": NATURAL, "sha256": _TEXT}),
        },
        "winners": lists(_WINNER),
        "points": {"type": "object", "additionalProperties": _POINT},
    },
)
"""Numbers are decimals correctly rounded, the ends of intervals rounded outwards."""
