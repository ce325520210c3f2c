"""smartnoise-sql 1.0.10."""

from dp_studies.libraries.base import Audited, Library

WINDOW = {"values": (0, 1), "sensitivity": 1, "epsilon": 1.0, "low": -4, "high": 5}
PAIR = {"values": (0, 2), "sensitivity": 2, "epsilon": 1.0, "low": -6, "high": 8}


def _one(adapter: str, *parameters: dict[str, object]) -> Audited:
    return Audited(adapter, "Laplace", parameters, method="process", outside=())


LIBRARY = Library(
    name="smartnoise-sql",
    adapter="smartnoise_sql.py",
    environment="further",
    protocols={
        "Laplace with a sensitivity": _one("laplace", WINDOW, {**WINDOW, "epsilon": 3.0}),
        "Laplace with bounds": _one("laplace_bounds", PAIR),
        "Laplace with max_contrib": _one("laplace_contributions", PAIR),
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
