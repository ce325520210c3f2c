"""The answers as plain data."""

from collections.abc import Mapping
from typing import Any, get_args

from dp_studies.comparisons.amplification.grid import Asked
from dp_studies.comparisons.amplification.query import MECHANISMS
from dp_studies.schemas import BOOLEAN, COUNT, NAME, NATURAL, lists, objects, one_of, optional

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


_FRACTION = optional({"type": "string", "pattern": r"^\d+(/\d+)?$"})
_END = objects(
    {
        "value": {"type": "string", "pattern": r"^\d+(\.\d+)?$"},
        "shown_by": NAME,
        "cards": lists(NAME),
        "work": COUNT,
        "certificate": optional(NAME),
    }
)
_ROW: Mapping[str, Any] = {
    "key": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
    "asked": one_of(get_args(Asked)),
    "mechanism": one_of(MECHANISMS),
    "users": NATURAL,
    "labels": optional({"type": "integer", "minimum": 2}),
    "epsilon0": optional(NAME),
    "dummies": optional(COUNT),
    "epsilon": _FRACTION,
    "delta": _FRACTION,
}
_NUMBER = optional({"type": "string", "pattern": r"^\d+(\.\d+)?(e[+-]\d+)?$"})
_PUBLISHED = lists(objects({"row": NAME, "stated": BOOLEAN, "epsilon": _NUMBER, "times": _NUMBER, "below": BOOLEAN}))
_APART = optional(objects({"percent": _NUMBER, "why": NAME}))
_ANSWERED = objects(
    {**_ROW, "lower": _END, "upper": _END, "apart": _APART, "left_out": lists(NAME), "published": _PUBLISHED},
    missing=["published"],
)
_REFUSED = objects({**_ROW, "refused": NAME})
SCHEMA = objects(
    {
        "format": {"const": FORMAT},
        "note": one_of([NOTE, INVERSE]),
        "certificates": NAME,
        "digits": NATURAL,
        "rows": lists({"anyOf": [_ANSWERED, _REFUSED]}, minItems=1),
        "curve": lists({"anyOf": [_ANSWERED, _REFUSED]}),
    }
)
"""The JSON schema of the document. What is asked for is null, and what a mechanism has not; an end of which nothing is
to be shown has no certificate; `left_out`: constructions that would have taken more work than was allowed;
`apart`: how many percent the ends are apart (null: one is 0), and why, where that is more than one percent;
`published`: what the literature's rows say, whether their preconditions hold, and how many times the upper end that is
(null: nothing below epsilon0)."""
