"""smartnoise-sql 1.0.10: the Laplace mechanism of its queries, which is compiled (opendp)."""

from collections.abc import Mapping

from dp_studies.libraries.base import Audited, Library, sampled

WINDOW: dict[str, object] = {"values": (0, 1), "sensitivity": 1, "epsilon": 1.0, "low": -4, "high": 5}
PAIR: dict[str, object] = {"values": (0, 2), "sensitivity": 2, "epsilon": 1.0, "low": -6, "high": 8}


def _laplace(options: str, *parameters: Mapping[str, object]) -> Audited:
    """The noisy value, rounded, if it is in the window; a mechanism has no state."""
    texts = {"made": f"Laplace(epsilon, {options})", "report": "window(round(made.release([item])[0]))"}
    return sampled(texts, "Laplace", *parameters)


LIBRARY = Library(
    name="smartnoise-sql",
    environment="further",
    adapter="smartnoise_sql.py",
    protocols={
        "Laplace with a sensitivity": _laplace("sensitivity=sensitivity", WINDOW, {**WINDOW, "epsilon": 3.0}),
        "Laplace with bounds": _laplace("lower=0, upper=sensitivity", PAIR),
        # a person has as many records as the sensitivity, each of which counts 1
        "Laplace with max_contrib": _laplace("sensitivity=1, max_contrib=sensitivity", PAIR),
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
