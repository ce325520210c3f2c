"""smartnoise-sql 1.0.10."""

from dp_studies.libraries.base import Library, sampled

WINDOW = {"values": (0, 1), "sensitivity": 1, "epsilon": 1.0, "low": -4, "high": 5}
PAIR = {"values": (0, 2), "sensitivity": 2, "epsilon": 1.0, "low": -6, "high": 8}


LIBRARY = Library(
    name="smartnoise-sql",
    adapter="smartnoise_sql.py",
    environment="further",
    protocols={
        "Laplace with a sensitivity": sampled("laplace", "Laplace", WINDOW, {**WINDOW, "epsilon": 3.0}),
        "Laplace with bounds": sampled("laplace_bounds", "Laplace", PAIR),
        "Laplace with max_contrib": sampled("laplace_contributions", "Laplace", PAIR),
    },
    notes=(
        "compiled (opendp 0.14.2): tested statistically, with nothing intercepted",
        "noisy numbers are seen rounded, in a window",
    ),
    without_oracle={
        "queries": "parsed and counted by pandas or a database; the noise is that of its mechanisms",
        "Gaussian, thresholds": "the guarantee is not pure epsilon",
    },
)
