"""trasgodp 2.1.0."""

from dp_studies.libraries.base import FINE, LN3, Library, Repair, exact

OWN = tuple(tuple(int(x == y) for y in range(3)) for x in range(3))
"""The utility of every category for every user: 1 for the user's own."""
EXPONENTIAL = {"utilities": OWN, "sensitivity": 1, "epsilon": "ln(9)"}
ALPHABET = "an argument `categories`, public, instead of the categories that the column contains"


LIBRARY = Library(
    name="trasgodp",
    adapter="trasgodp.py",
    environment="central",
    protocols={
        "dp_randomized_response_binary_array": exact(
            "randomized_response_binary",
            "RR",
            {"epsilon": LN3},
            {"epsilon": 1.0},
            {"epsilon": 37.0},
            {"epsilon": 40.0},
            reused=True,
            repair=FINE,
        ),
        "dp_randomized_response_binary": exact(
            "randomized_response_binary_frame", "RR", {"epsilon": LN3}, {"epsilon": 1.0}, reused=True
        ),
        "dp_randomized_response_kary_array": exact(
            "randomized_response_kary",
            "GRR",
            {"d": 3, "epsilon": LN3},
            {"d": 3, "epsilon": 1.0},
            {"d": 3, "epsilon": 37.0},
            {"d": 6, "epsilon": 4.0},
        ),
        "dp_randomized_response_kary": exact("randomized_response_kary_frame", "GRR", {"d": 3, "epsilon": LN3}),
        "dp_exponential_array": exact(
            "exponential", "Exponential", EXPONENTIAL, {**EXPONENTIAL, "epsilon": 1.0}, {**EXPONENTIAL, "epsilon": 40.0}
        ),
        "dp_exponential": exact("exponential_frame", "Exponential", EXPONENTIAL),
        "dp_clip_laplace_array, integers": exact(
            "clip_laplace",
            "RoundedLaplace",
            {"lower": 0, "upper": 1, "epsilon": 1.0},
            {"lower": 0, "upper": 3, "epsilon": 2.0},
        ),
        "dp_clip_laplace, integers": exact(
            "clip_laplace_frame", "RoundedLaplace", {"lower": 0, "upper": 1, "epsilon": 1.0}
        ),
        "dp_randomized_response_kary_array, whole columns": exact(
            "randomized_response_kary_column",
            "GRR-column",
            {"d": 4, "epsilon": LN3, "columns": ((0, 1, 2, 3), (0, 1, 2, 2))},
            repair=Repair(ALPHABET, "randomized_response_kary_column_repaired"),
        ),
        "dp_exponential_array, whole columns": exact(
            "exponential_column",
            "Exponential-column",
            {**EXPONENTIAL, "columns": ((0, 1, 2), (0, 1, 1))},
            repair=Repair(ALPHABET, "exponential_column_repaired"),
        ),
        "dp_randomized_response_binary_array after metric_privacy": exact(
            "binary_after_metric_privacy",
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
