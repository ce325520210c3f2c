"""opendp 0.16.0."""

from dp_studies.libraries.base import Library, sampled

WINDOW = {"values": (0, 1), "sensitivity": 1, "epsilon": 1.0, "low": -4, "high": 5}
SELECTION = {"utilities": ((1, 0, "1/2"), (0, 1, "1/2")), "sensitivity": 1, "epsilon": 1.0}


LIBRARY = Library(
    name="opendp",
    adapter="opendp.py",
    environment="central",
    protocols={
        "make_randomized_response_bool": sampled("randomized_response_bool", "RR", {"epsilon": "ln(3)"}, outside=(2,)),
        "make_randomized_response": sampled(
            "randomized_response",
            "GRR",
            {"d": 4, "epsilon": "ln(3)"},
            notes=("an input that is no category is answered uniformly, which keeps the bound",),
        ),
        "make_randomized_response_bitvec": sampled(
            "randomized_response_bitvec", "UE", {"d": 3, "p": "3/4", "q": "1/4"}, notes=("f = 1/2, max_weight = 1",)
        ),
        "make_laplace on integers": sampled("laplace", "Geometric", WINDOW),
        "make_geometric": sampled("geometric", "Geometric", WINDOW),
        "make_geometric with bounds": sampled(
            "geometric_bounded",
            "GeometricTruncated",
            {"values": (0, 1), "sensitivity": 1, "epsilon": 1.0, "lower": 0, "upper": 4},
        ),
        "make_gaussian on integers": sampled(
            "gaussian",
            "DiscreteGaussian",
            {"values": (0, 1), "sigma": "3/2", "low": -5, "high": 6},
            notes=("the guarantee is zero-concentrated; compared with is the bound that the law keeps on the window",),
        ),
        "make_noisy_max (max_divergence)": sampled("noisy_max", "PermuteAndFlip", SELECTION),
        "make_noisy_max (zero_concentrated_divergence)": sampled("noisy_max_gumbel", "Exponential", SELECTION),
    },
    notes=(
        "compiled: tested statistically, with nothing intercepted",
        "noise scales and probabilities are those for which its own privacy map gives the nominal epsilon",
    ),
    without_oracle={
        "make_canonical_noise, the threshold measurements": "the guarantee is not pure epsilon",
        "make_laplace on floats": "a lattice too fine to list",
        "make_alp_queryable": "the output is a queryable, not a value",
    },
)
