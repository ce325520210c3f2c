"""diffprivlib 0.6.6."""

from dp_studies.libraries.base import FINE, LN3, Audited, Library, Repair, exact

UNIT = {"values": (0, 1), "sensitivity": 1}
LARGE = 2**53


def _tool(adapter: str, parameters: dict[str, object], repair: Repair | None = None) -> Audited:
    return exact(adapter, "GeometricTruncated", parameters, repair=repair)


LIBRARY = Library(
    name="diffprivlib",
    adapter="diffprivlib.py",
    environment="central",
    protocols={
        "Binary": exact(
            "Binary",
            "RR",
            *({"epsilon": LN3}, {"epsilon": 1.0}, {"epsilon": 37.0}, {"epsilon": 40.0}),
            outside=(-1, 2),
            reused=True,
            repair=FINE,
        ),
        "Exponential": exact(
            "Exponential",
            "Exponential",
            {"utilities": ((1, 0, "1/2"), (0, 1, "1/2")), "sensitivity": 1, "epsilon": "ln(9)"},
            {"utilities": ((1, 0, 0), (2, 1, 0)), "sensitivity": 1, "epsilon": LN3, "monotonic": True},
            {"utilities": ((1, 0, "1/2"), (0, 1, "1/2")), "sensitivity": 1, "epsilon": 37.0},
            reused=True,
        ),
        "PermuteAndFlip": exact(
            "PermuteAndFlip",
            "PermuteAndFlip",
            {"utilities": ((1, 0), (0, 1)), "sensitivity": 1, "epsilon": LN3},
            {"utilities": ((1, 0, "1/2"), (0, 1, "1/2")), "sensitivity": 1, "epsilon": "ln(5/4)"},
        ),
        "ExponentialCategorical": exact(
            "ExponentialCategorical",
            "ExponentialCategorical",
            {"distances": ((0, 1, 1), (1, 0, 1), (1, 1, 0)), "epsilon": LN3},
            {"distances": ((0, 1, 2), (1, 0, 1), (2, 1, 0)), "epsilon": "ln(9)"},
            outside=(3,),
            reused=True,
        ),
        "ExponentialHierarchical": exact(
            "ExponentialHierarchical",
            "ExponentialHierarchical",
            {"hierarchy": (0, 1, 2), "epsilon": LN3},
            {"hierarchy": ((0,), (1,), (2,), (3, 4)), "epsilon": 1.0},
            {"hierarchy": (((0, 1),), ((2,), (3,), (4,), (5,))), "epsilon": "6*ln(2)"},
            {"hierarchy": ((0,), (1, 2, 3, 4)), "epsilon": 1e-5},
            reused=True,
            repair=Repair(
                "the factor 2 is left out only if the rows of distances are permutations of each other, not if the "
                "normalizing constants are nearly equal at epsilon / 2",
                "ExponentialHierarchical_repaired",
            ),
        ),
        "Geometric": exact(
            "Geometric",
            "Geometric",
            {**UNIT, "epsilon": LN3, "low": -4, "high": 5},
            {"values": (0, 1, 2), "sensitivity": 2, "epsilon": 1.0, "low": -4, "high": 6},
            {**UNIT, "epsilon": 37.0, "low": -4, "high": 5},
            outside=(0.5,),
            repair=FINE,
        ),
        "Geometric, tails": exact(
            "Geometric_tails",
            "Geometric",
            {**UNIT, "epsilon": LN3, "low": -40, "high": 41},
            notes=("uniform doubles are multiples of 2^-53, so that the noise has a largest value",),
            repair=Repair("a sampler of integers whose coins are exact, as of Canonne, Kamath and Steinke 2020"),
        ),
        "Geometric, large values": exact(
            "Geometric",
            "Geometric",
            {
                "values": (LARGE + 2, LARGE + 3),
                "sensitivity": 1,
                "epsilon": LN3,
                "low": LARGE - 4,
                "high": LARGE + 9,
            },
            notes=("true values above 2^53, not all of which are doubles",),
            repair=Repair("`value + int(noise)`: the sum stays an integer of Python", "Geometric_repaired"),
        ),
        "GeometricTruncated": exact(
            "GeometricTruncated", "GeometricTruncated", {**UNIT, "epsilon": LN3, "lower": 0, "upper": 3}, outside=(0.5,)
        ),
        "GeometricFolded": exact(
            "GeometricFolded",
            "GeometricFolded",
            {**UNIT, "epsilon": LN3, "lower": 0, "upper": 3},
            {**UNIT, "epsilon": LN3, "lower": 0, "upper": "3/2"},
            outside=(0.5,),
        ),
        "count_nonzero": _tool("count_nonzero", {**UNIT, "epsilon": LN3, "lower": 0, "upper": 3}),
        "histogram": _tool("histogram", {**UNIT, "epsilon": LN3, "lower": 0, "upper": 6}),
        "histogram with weights": _tool(
            "histogram",
            {"values": (0, 3), "sensitivity": 3, "epsilon": LN3, "lower": 0, "upper": 12},
            Repair(
                "a bound on a record's weight, which is the sensitivity of the counts: the noise is that of epsilon "
                "divided by it",
                "histogram_repaired",
            ),
        ),
    },
    notes=(
        "inputs of a mechanism for selection are data sets, of a mechanism on integers true values, all neighbors",
        "its default generator is secrets.SystemRandom; an integer random_state makes it deterministic, as documented",
        "it needs scikit-learn < 1.9",
    ),
    without_oracle={
        "Laplace and its variants, Snapping, Staircase, Uniform, Gaussian, Vector, Bingham": "continuous output, "
        "computed from draws that are used as numbers: no finite law",
        "GaussianDiscrete": "the guarantee is (epsilon, delta); its loops have no last round",
    },
)
