"""ldp-toolbox 0.1.3."""

from collections.abc import Mapping
from typing import Any

from dp_studies.libraries.base import FAR, LN3, Audited, Library, Repair

GIVEN = ("d", "epsilon")
SEED = (3,)
"""Seed 3 of xxh32: cells 0, 0, 1 (g = 2) and 0, 2, 1 (g = 4) of the items 0, 1, 2."""
STRAYS = (0.5, float("nan"))
"""No items, but between 0 and d - 1 or not comparable; a missing value of a column of numbers is NaN."""
HASHED = (
    "expectation and variance are those given the hash function; what the library states is compared for all of them",
    "documented for int; floats are accepted and hashed as text, 1.0 not as 1 (a pandas column with a missing value is "
    "one of floats)",
)
SEEN = "its report is d numbers with Laplace noise: no finite law; audited is which of them are above theta"
CAST = "its compiled code makes NaN the smallest 64-bit integer, where the interpreted source raises ValueError"
BLIND = (
    "what it states as success of the attack is a numerical integral that misses the mass for many items and small "
    "epsilon: less than 10^-15 for 10^4 items at epsilon 0.1, where a blind guess succeeds with probability 10^-4"
)
THRESHOLD = "the threshold is found by numerical minimization; the oracle has the one found"

WHOLE = "a TypeError for an input that is no integer, where one that is out of range is a ValueError"
DEFINED = "where no item has a positive estimate, all stay 0 (or get the same one, 1 / k), instead of 0 / 0"
NUMBERS = {name: Repair(DEFINED, f"{name}_repaired") for name in ("SUE", "OUE", "THE")}
SIZES = ({"d": 2, "epsilon": LN3}, {"d": 3, "epsilon": 1.0})


def _audited(name: str, oracle: str, parameters: tuple[Mapping[str, object], ...], **options: Any) -> Audited:
    """Its estimates are documented to sum to 1, and its code to make them non-negative and to normalize them."""
    return Audited(name, oracle, parameters, normalized=True, **{"also_outside": STRAYS, **options})


LIBRARY = Library(
    name="ldp-toolbox",
    adapter="ldp_toolbox.py",
    environment="local",
    protocols={
        "GRR": _audited(
            "GRR",
            "GRR",
            ({"d": 3, "epsilon": LN3}, {"d": 4, "epsilon": 1.0}, *FAR, {"d": 8, "epsilon": 4.0}),
            repair=Repair(WHOLE, "GRR_repaired"),
        ),
        "SUE": _audited("SUE", "SUE", (*SIZES, *FAR), repair=NUMBERS["SUE"]),
        "OUE": _audited("OUE", "OUE", (*SIZES, *FAR), repair=NUMBERS["OUE"]),
        "SS": _audited(
            "SS",
            "SS",
            ({"d": 4, "epsilon": LN3}, {"d": 5, "epsilon": 0.5}, {"d": 4, "epsilon": 37.0}),
            handed=GIVEN,
            asks=True,
            notes=(CAST,),
            repair=Repair(WHOLE, "SS_repaired"),
        ),
        **{
            name: _audited(
                name,
                "LH",
                ({"d": 3, "epsilon": LN3},),
                handed=GIVEN,
                conditioned=SEED,
                input_types=("int", "numpy.int64", "numpy.float64"),
                also_outside=(*STRAYS, None),
                compiled=False,
                notes=HASHED,
                repair=Repair(
                    "`int(...)` around the cell that is returned; a float that is an integer is hashed as this, any "
                    f"other is a TypeError; and {DEFINED}",
                    f"{name}_repaired",
                ),
            )
            for name in ("BLH", "OLH")
        },
        "THE": _audited("THE", "THE", SIZES, handed=GIVEN, asks=True, notes=(THRESHOLD,), repair=NUMBERS["THE"]),
        "SHE, seen through a threshold": _audited(
            "SHE",
            "THE",
            ({"d": 2, "epsilon": 1.0, "theta": "1/2"}, {"d": 3, "epsilon": LN3, "theta": "-1"}),
            users=(),
            notes=(SEEN, BLIND),
        ),
    },
    compiled=True,
    notes=(
        "the audited law is that of the Python source: numba's compilation is switched off",
        "it is installed without what its dashboard alone imports (dash, matplotlib, ray, tqdm)",
        "estimates are documented to sum to 1: where no item has a positive one this is 0/0, and they are NaN",
        "its 'mean squared error' is the variance before estimates are made non-negative and normalized",
    ),
)
