"""trasgodp 2.1.0: its functions on lists and on dataframes, for a column in which the audited user is the first.

The alphabet is what a column contains. So that it is the whole alphabet, as for a public domain, every other category
is held by one more user. Item k is the k-th letter.
"""

from collections.abc import Mapping
from typing import Any

from dp_studies.libraries.base import FINE, LN3, Audited, Library, Repair, exact

ITEM = "ord(str(report)) - 97"
COUNTER = "from collections import Counter"
OWN = tuple(tuple(int(x == y) for y in range(3)) for x in range(3))
"""The utility of every category for every user: 1 for the user's own."""
EXPONENTIAL: dict[str, object] = {"utilities": OWN, "sensitivity": 1, "epsilon": "ln(9)"}
ALPHABET = "an argument `categories`, public, instead of the categories that the column contains"
PLACE = "pd.DataFrame({'lat': [43.46], 'lon': [-3.8]}), 'lat', 'lon', 0.001"


def _array(name: str, d: int | str, law: str, *parameters: Mapping[str, object], **more: Any) -> Audited:
    """The first user's report of a column of d letters, all different."""
    size = f"{{{d}}}"
    reproduce = (
        f"{COUNTER}; from trasgodp.categorical import {name}",
        f"column = [chr(97 + (k + {{{{input}}}}) % {size}) for k in range({size})]",
        f"print(Counter(repr({name}(column, {{epsilon}})[0]) for _ in range(10000)))",
    )
    report = f"categorical.{name}(column(item, {d}), epsilon)[0]"
    return exact({"report": report, "canonical": ITEM, "reproduce": reproduce}, law, *parameters, **more)


def _frame(name: str, d: int | str, law: str, *parameters: Mapping[str, object], **more: Any) -> Audited:
    """The same of a column of a dataframe, which is replaced."""
    report = f"in_frame(categorical.{name}, column(item, {d}), epsilon)"
    return exact({"report": report, "canonical": ITEM}, law, *parameters, **more)


def _column(name: str, law: str, module: str, parameters: Mapping[str, object]) -> Audited:
    """All reports of a column, which the input is."""
    reproduce = (
        f"{COUNTER}; from trasgodp.categorical import {name}",
        "column = [chr(97 + item) for item in {{input}}]",
        f"print(Counter(repr({name}(column, {{epsilon}})) for _ in range(10000)))",
    )
    texts = {
        "report": f"categorical.{name}([chr(97 + x) for x in item], epsilon)",
        "canonical": "[ord(str(letter)) - 97 for letter in report]",
        "reproduce": reproduce,
    }
    return exact(texts, law, parameters, repair=Repair(ALPHABET, {"made": f"public({module})"}))


def _clipped(report: str, *parameters: Mapping[str, object]) -> Audited:
    return exact({"report": report}, "RoundedLaplace", *parameters)


LIBRARY = Library(
    name="trasgodp",
    environment="central",
    adapter="trasgodp.py",
    protocols={
        "dp_randomized_response_binary_array": _array(
            "dp_randomized_response_binary_array",
            2,
            "RR",
            *({"epsilon": epsilon} for epsilon in (LN3, 1.0, 37.0, 40.0)),
            reused=True,
            repair=FINE,
        ),
        "dp_randomized_response_binary": _frame(
            "dp_randomized_response_binary", 2, "RR", {"epsilon": LN3}, {"epsilon": 1.0}, reused=True
        ),
        "dp_randomized_response_kary_array": _array(
            "dp_randomized_response_kary_array",
            "d",
            "GRR",
            *({"d": d, "epsilon": epsilon} for d, epsilon in ((3, LN3), (3, 1.0), (3, 37.0), (6, 4.0))),
        ),
        "dp_randomized_response_kary": _frame("dp_randomized_response_kary", "d", "GRR", {"d": 3, "epsilon": LN3}),
        "dp_exponential_array": _array(
            "dp_exponential_array",
            "len(utilities)",
            "Exponential",
            *({**EXPONENTIAL, "epsilon": epsilon} for epsilon in ("ln(9)", 1.0, 40.0)),
        ),
        "dp_exponential": _frame("dp_exponential", "len(utilities)", "Exponential", EXPONENTIAL),
        "dp_clip_laplace_array, integers": _clipped(
            "numerical.dp_clip_laplace_array([item], epsilon, lower, upper)[0]",
            {"lower": 0, "upper": 1, "epsilon": 1.0},
            {"lower": 0, "upper": 3, "epsilon": 2.0},
        ),
        "dp_clip_laplace, integers": _clipped(
            "in_frame(numerical.dp_clip_laplace, [item], epsilon, lower, upper)",
            {"lower": 0, "upper": 1, "epsilon": 1.0},
        ),
        "dp_randomized_response_kary_array, whole columns": _column(
            "dp_randomized_response_kary_array",
            "GRR-column",
            "_randomized_response, d",
            {"d": 4, "epsilon": LN3, "columns": ((0, 1, 2, 3), (0, 1, 2, 2))},
        ),
        "dp_exponential_array, whole columns": _column(
            "dp_exponential_array",
            "Exponential-column",
            "_exponential, len(utilities)",
            {**EXPONENTIAL, "columns": ((0, 1, 2), (0, 1, 1))},
        ),
        "dp_randomized_response_binary_array after metric_privacy": exact(
            {
                "report": f"(geoindis.metric_privacy({PLACE}), "
                "categorical.dp_randomized_response_binary_array(column(item, 2), epsilon))[1][0]",
                "canonical": ITEM,
            },
            "RR",
            {"epsilon": LN3},
            repair=Repair("`seed=None` in metric_privacy, and a generator of its own"),
        ),
    },
    notes=(
        "the alphabet of a column is what the column contains: for single reports every category is held by somebody, "
        "whole columns are audited apart",
        "it draws from numpy's global generator",
    ),
    without_oracle={
        "dp_clip_laplace with floats": "continuous output: no finite law",
        "dp_clip_gaussian": "the guarantee is (epsilon, delta), and normal draws are not enumerated",
        "metric_privacy": "continuous output: no finite law; the audit after it shows that it seeds the generator",
    },
)
