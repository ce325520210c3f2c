"""ldp-toolbox 0.1.3."""

from collections.abc import Mapping
from typing import Any

from dp_studies.libraries.base import FAR, LN3, Audited, Library, Repair, Texts

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
NUMBERS: Texts = {"estimate": "np.nan_to_num(server[0].estimate(server[1]))"}
UNDEFINED = Repair(DEFINED, NUMBERS)
INTEGERS = Repair(WHOLE, {"report": "client.obfuscate(whole(item))"})
SIZES: tuple[dict[str, object], ...] = ({"d": 2, "epsilon": LN3}, {"d": 3, "epsilon": 1.0})


def _texts(module: str, name: str, options: str = "", reports: str = "report", **more: object) -> Texts:
    """One object is client and server, made as the dashboard makes it, which wants all reports at once."""
    made = (
        f"from ldp_toolbox.protocols.frequency.{module} import {name}; import numpy as np; from math import nan",
        f"protocol = {name}({{d}}, {{epsilon}}{options})",
    )
    return {
        "made": f"{name}(d, epsilon{options})",
        "client": f"{name}(d, epsilon{options})",
        "report": "client.obfuscate(item)",
        "facts": "stated(made)",
        "server": f"({name}(d, epsilon{options}), [])",
        "aggregate": "server[1].append(report)",
        "estimate": "server[0].estimate(server[1])",
        "reproduce": (*made, "print([protocol.obfuscate({{input}}) for _ in range(10)])"),
        "reproduce_estimate": (*made, f"print(protocol.estimate([{reports} for report in {{{{reports}}}}]))"),
        **more,
    }


def _hashed(options: str) -> Texts:
    """Local hashing, given the seed: the mechanism's report is the cell. Estimates are from cells of one seed."""
    texts: Mapping[str, Any] = _texts("lh", "LocalHashing", options)
    *made, _ = texts["reproduce_estimate"]
    return {
        **texts,
        "canonical": "int(report[0])",
        "conditions": "[int(report[1])]",
        "facts": "stated(made, g=made.g, hash=cells(d, conditioned[0], made.g))",
        "reproduce_estimate": (*made, "print(protocol.estimate([(cell, 3) for cell in {{reports}}]))"),
    }


HASHING = {"BLH": _hashed(", optimal=False"), "OLH": _hashed("")}
SUBSETS = _texts(
    "ss",
    "SubsetSelection",
    reports="np.array(sorted(report))",
    canonical="subset(report)",
    facts="stated(made, k=int(made.omega))",
)
"""A report is an array, whose order means nothing."""
ABOVE = _texts(
    "he",
    "HistogramEncoding",
    reports="np.flatnonzero(report)",
    canonical="[int(x in report) for x in range(d)]",
    facts="stated(made, theta=float(made.threshold))",
)
"""A report is the array of the items above the threshold, the mechanism's the bits that say which."""
SEEN_ABOVE = _texts(
    "he",
    "HistogramEncoding",
    ", thresholding=False",
    report="[int(number > theta) for number in client.obfuscate(item)]",
    facts="{}",
)
"""What the library states is about the numbers."""


def _audited(texts: Texts, oracle: str, parameters: tuple[Mapping[str, object], ...], **options: Any) -> Audited:
    """Its estimates are documented to sum to 1, and its code to make them non-negative and to normalize them."""
    return Audited(texts, oracle, parameters, normalized=True, **{"also_outside": STRAYS, **options})


LIBRARY = Library(
    name="ldp-toolbox",
    environment="local",
    adapter="ldp_toolbox.py",
    protocols={
        "GRR": _audited(
            _texts("grr", "GeneralizedRandomizedResponse"),
            "GRR",
            ({"d": 3, "epsilon": LN3}, {"d": 4, "epsilon": 1.0}, *FAR, {"d": 8, "epsilon": 4.0}),
            repair=INTEGERS,
        ),
        **{
            name: _audited(
                _texts("ue", "UnaryEncoding", options, "np.array(report)"), name, (*SIZES, *FAR), repair=UNDEFINED
            )
            for name, options in (("SUE", ", optimal=False"), ("OUE", ""))
        },
        "SS": _audited(
            SUBSETS,
            "SS",
            ({"d": 4, "epsilon": LN3}, {"d": 5, "epsilon": 0.5}, {"d": 4, "epsilon": 37.0}),
            handed=GIVEN,
            asks=True,
            notes=(CAST,),
            repair=INTEGERS,
        ),
        **{
            name: _audited(
                texts,
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
                    {**NUMBERS, "report": "hashed(client, item)"},
                ),
            )
            for name, texts in HASHING.items()
        },
        "THE": _audited(ABOVE, "THE", SIZES, handed=GIVEN, asks=True, notes=(THRESHOLD,), repair=UNDEFINED),
        "SHE, seen through a threshold": _audited(
            SEEN_ABOVE,
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
    without_oracle={
        "attack": "a guess from a report; only its stated success is compared",
        "the dashboard": "it shows what the protocols compute",
    },
)
