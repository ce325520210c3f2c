"""opendp 0.16.0: measurements on finite sets and integers.

The noise scale, or the probability of a true answer, is the one that spends the given epsilon by the library's own
privacy map.
"""

from collections.abc import Mapping
from typing import Any

from dp_studies.libraries.base import Audited, Library, sampled

WINDOW: dict[str, object] = {"values": (0, 1), "sensitivity": 1, "epsilon": 1.0, "low": -4, "high": 5}
SELECTION: dict[str, object] = {"utilities": ((1, 0, "1/2"), (0, 1, "1/2")), "sensitivity": 1, "epsilon": 1.0}
INTEGERS = "dp.atom_domain(T=int), dp.absolute_distance(T=int)"
FLOATS = "dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.linf_distance(T=float, monotonic=False)"
BITS = "dp.bitvector_domain(max_weight=1), dp.discrete_distance()"


def _made(text: str, oracle: str, parameters: Mapping[str, object], report: str = "item", **more: Any) -> Audited:
    """A measurement, made once: it has no state. `report` says of which argument."""
    canonical = {"canonical": more.pop("canonical")} if "canonical" in more else {}
    return sampled({"made": f"dp.m.{text}", "report": f"made({report})", **canonical}, oracle, parameters, **more)


def _noise(name: str, oracle: str, parameters: Mapping[str, object], scale: str, **more: Any) -> Audited:
    """Noise on integers; outputs outside the window are merged."""
    texts = {"made": f"dp.m.{name}({INTEGERS}, scale={scale})", "report": "window(made(item))"}
    return sampled(texts, oracle, parameters, **more)


def _noisy_max(measure: str, oracle: str) -> Audited:
    """The candidate selected on a data set."""
    text = f"make_noisy_max({FLOATS}, dp.{measure}(), scale=2 * sensitivity / epsilon)"
    return _made(text, oracle, SELECTION, "utilities[item]")


LIBRARY = Library(
    name="opendp",
    environment="central",
    adapter="opendp.py",
    protocols={
        "make_randomized_response_bool": _made(
            "make_randomized_response_bool(prob=exp(epsilon) / (exp(epsilon) + 1))",
            "RR",
            {"epsilon": "ln(3)"},
            "bool(item) if item in (0, 1) else item",  # it refuses what is no bool
            canonical="int(report)",
            outside=(2,),
        ),
        "make_randomized_response": _made(
            "make_randomized_response(categories=list(range(d)), prob=exp(epsilon) / (exp(epsilon) + d - 1))",
            "GRR",
            {"d": 4, "epsilon": "ln(3)"},
            notes=("an input that is no category is answered uniformly, which keeps the bound",),
        ),
        # vectors of d bits of which one is set, as one byte
        "make_randomized_response_bitvec": _made(
            f"make_randomized_response_bitvec({BITS}, f=2 * q)",
            "UE",
            {"d": 3, "p": "3/4", "q": "1/4"},
            "bytes([1 << 7 - item])",
            canonical="[report[0] >> 7 - x & 1 for x in range(d)]",
            notes=("f = 1/2, max_weight = 1",),
        ),
        "make_laplace on integers": _noise("make_laplace", "Geometric", WINDOW, "sensitivity / epsilon"),
        "make_geometric": _noise("make_geometric", "Geometric", WINDOW, "sensitivity / epsilon"),
        "make_geometric with bounds": _made(
            f"make_geometric({INTEGERS}, scale=sensitivity / epsilon, bounds=(lower, upper))",
            "GeometricTruncated",
            {"values": (0, 1), "sensitivity": 1, "epsilon": 1.0, "lower": 0, "upper": 4},
        ),
        "make_gaussian on integers": _noise(
            "make_gaussian",
            "DiscreteGaussian",
            {"values": (0, 1), "sigma": "3/2", "low": -5, "high": 6},
            "sigma",
            notes=("the guarantee is zero-concentrated; compared with is the bound that the law keeps on the window",),
        ),
        "make_noisy_max (max_divergence)": _noisy_max("max_divergence", "PermuteAndFlip"),
        "make_noisy_max (zero_concentrated_divergence)": _noisy_max("zero_concentrated_divergence", "Exponential"),
    },
    notes=(
        "compiled: tested statistically, with nothing intercepted",
        "noise scales and probabilities are those for which its own privacy map gives the nominal epsilon",
    ),
    without_oracle={
        "make_canonical_noise, the threshold measurements": "the guarantee is not pure epsilon",
        "make_laplace on floats": "a lattice too fine to list",
        "make_alp_queryable": "the output is a queryable, not a value",
        "stability maps (`audit map` looks at 363)": "declared numbers about neighbors, no laws",
        "combinators": "what they declare of chains and compositions is no law",
    },
)
