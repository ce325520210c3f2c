"""diffprivlib 0.6.6. A mechanism for selection is made for the utilities of one data set, which the input names."""

from dp_studies.libraries.base import FINE, LN3, Audited, Library, Repair, Texts, evaluated, exact

UNIT: dict[str, object] = {"values": (0, 1), "sensitivity": 1}
LARGE = 2**53


IMPORTS = "from collections import Counter; from diffprivlib.mechanisms import *"


def _mechanism(call: str, item: str = "item", **more: object) -> Texts:
    """A mechanism, as reproductions show it: with braces around parameters; `item` is its input."""
    argument = item.replace("item", "{{input}}")
    reproduce = (
        IMPORTS,
        f"mechanism = {call}",
        f"print(Counter(mechanism.randomise({argument}) for _ in range(10000)))",
    )
    return {"client": evaluated(call), "report": f"client.randomise({item})", "reproduce": reproduce, **more}


def _categories(call: str) -> Texts:
    """Categories that are letters."""
    return _mechanism(call, "chr(97 + item)", canonical="ord(report) - 97")


def _selection(name: str, report: str) -> Texts:
    """Candidates without labels: what is returned are their places in the list of utilities."""
    reproduce = (
        IMPORTS,
        f"mechanism = {name}({OPTIONS}, utility={{utilities}}[{{{{input}}}}])",
        "print(Counter(int(mechanism.randomise()) for _ in range(10000)))",
    )
    return {"client": "None", "report": report, "monotonic": False, "reproduce": reproduce}


OPTIONS = "epsilon={epsilon}, sensitivity={sensitivity}, monotonic={monotonic}"
GEOMETRIC = _mechanism(
    "Geometric(epsilon={epsilon}, sensitivity={sensitivity})", report="window(client.randomise(item))"
)
TAILS: Texts = {
    **GEOMETRIC,
    "reproduce": (
        "import secrets; from diffprivlib.mechanisms import *",
        "class Smallest(secrets.SystemRandom): random = lambda self: 0.5 + 2**-53",
        "print([Geometric(epsilon={epsilon}, sensitivity={sensitivity}, random_state=Smallest()).randomise(value) "
        "for value in (0, 1)])",
    ),
}
"""The largest finite output on each of two inputs: that of the smallest positive draw."""
BOUNDED = "(epsilon={epsilon}, sensitivity={sensitivity}, lower={whole(lower)}, upper={whole(upper)})"
COUNT: Texts = {
    "client": "None",
    "report": "counted(item, upper, epsilon)",
    "reproduce": (
        "from collections import Counter; from diffprivlib.tools import count_nonzero",
        "data = [1] * {{input}} + [0] * ({upper} - {{input}})",
        "print(Counter(count_nonzero(data, epsilon={epsilon}) for _ in range(10000)))",
    ),
}
BIN: Texts = {
    "client": "None",
    "report": "min(binned(item, sensitivity, epsilon), upper)",
    "reproduce": (
        "from collections import Counter; from diffprivlib.tools import histogram",
        "counts = [int(histogram([0.5] * ({{input}} // {sensitivity}), epsilon={epsilon}, bins=1, range=(0, 1), "
        "weights=[{sensitivity}] * ({{input}} // {sensitivity}))[0][0]) for _ in range(10000)]",
        "print(Counter(counts))",
    ),
}
"""Records whose weights are the sensitivity; counts at or above the upper bound are merged, which is post-processing.
The neighboring relation is adding a record."""


def _tool(texts: Texts, parameters: dict[str, object], repair: Repair | None = None) -> Audited:
    return exact(texts, "GeometricTruncated", parameters, repair=repair)


LIBRARY = Library(
    name="diffprivlib",
    environment="central",
    adapter="diffprivlib.py",
    protocols={
        "Binary": exact(
            _categories('Binary(epsilon={epsilon}, value0="a", value1="b")'),
            "RR",
            *({"epsilon": LN3}, {"epsilon": 1.0}, {"epsilon": 37.0}, {"epsilon": 40.0}),
            outside=(-1, 2),
            reused=True,
            repair=FINE,
        ),
        "Exponential": exact(
            _selection("Exponential", f"Exponential({evaluated(OPTIONS)}, utility=utilities[item]).randomise()"),
            "Exponential",
            {"utilities": ((1, 0, "1/2"), (0, 1, "1/2")), "sensitivity": 1, "epsilon": "ln(9)"},
            {"utilities": ((1, 0, 0), (2, 1, 0)), "sensitivity": 1, "epsilon": LN3, "monotonic": True},
            {"utilities": ((1, 0, "1/2"), (0, 1, "1/2")), "sensitivity": 1, "epsilon": 37.0},
            reused=True,
        ),
        "PermuteAndFlip": exact(
            _selection("PermuteAndFlip", f"permuted(utilities[item], {evaluated(OPTIONS)})"),
            "PermuteAndFlip",
            {"utilities": ((1, 0), (0, 1)), "sensitivity": 1, "epsilon": LN3},
            {"utilities": ((1, 0, "1/2"), (0, 1, "1/2")), "sensitivity": 1, "epsilon": "ln(5/4)"},
        ),
        "ExponentialCategorical": exact(
            _categories("ExponentialCategorical(epsilon={epsilon}, utility_list={pairs(distances)})"),
            "ExponentialCategorical",
            {"distances": ((0, 1, 1), (1, 0, 1), (1, 1, 0)), "epsilon": LN3},
            {"distances": ((0, 1, 2), (1, 0, 1), (2, 1, 0)), "epsilon": "ln(9)"},
            outside=(3,),
            reused=True,
        ),
        "ExponentialHierarchical": exact(
            _categories("ExponentialHierarchical(epsilon={epsilon}, hierarchy={letters(hierarchy)})"),
            "ExponentialHierarchical",
            {"hierarchy": (0, 1, 2), "epsilon": LN3},
            {"hierarchy": ((0,), (1,), (2,), (3, 4)), "epsilon": 1.0},
            {"hierarchy": (((0, 1),), ((2,), (3,), (4,), (5,))), "epsilon": "6*ln(2)"},
            {"hierarchy": ((0,), (1, 2, 3, 4)), "epsilon": 1e-5},
            reused=True,
            repair=Repair(
                "the factor 2 is left out only if the rows of distances are permutations of each other, not if the "
                "normalizing constants are nearly equal at epsilon / 2",
                {"client": "Balanced(epsilon=epsilon, hierarchy=letters(hierarchy))"},
            ),
        ),
        "Geometric": exact(
            GEOMETRIC,
            "Geometric",
            {**UNIT, "epsilon": LN3, "low": -4, "high": 5},
            {"values": (0, 1, 2), "sensitivity": 2, "epsilon": 1.0, "low": -4, "high": 6},
            {**UNIT, "epsilon": 37.0, "low": -4, "high": 5},
            outside=(0.5,),
            repair=FINE,
        ),
        "Geometric, tails": exact(
            TAILS,
            "Geometric",
            {**UNIT, "epsilon": LN3, "low": -40, "high": 41},
            notes=("uniform doubles are multiples of 2^-53, so that the noise has a largest value",),
            repair=Repair("a sampler of integers whose coins are exact, as of Canonne, Kamath and Steinke 2020"),
        ),
        "Geometric, large values": exact(
            GEOMETRIC,
            "Geometric",
            {
                "values": (LARGE + 2, LARGE + 3),
                "sensitivity": 1,
                "epsilon": LN3,
                "low": LARGE - 4,
                "high": LARGE + 9,
            },
            notes=("true values above 2^53, not all of which are doubles",),
            repair=Repair(
                "`value + int(noise)`: the sum stays an integer of Python",
                {"report": "window(item + client.randomise(0))"},
            ),
        ),
        "GeometricTruncated": exact(
            _mechanism(f"GeometricTruncated{BOUNDED}"),
            "GeometricTruncated",
            {**UNIT, "epsilon": LN3, "lower": 0, "upper": 3},
            outside=(0.5,),
        ),
        "GeometricFolded": exact(
            _mechanism(f"GeometricFolded{BOUNDED}"),
            "GeometricFolded",
            {**UNIT, "epsilon": LN3, "lower": 0, "upper": 3},
            {**UNIT, "epsilon": LN3, "lower": 0, "upper": "3/2"},
            outside=(0.5,),
        ),
        "count_nonzero": _tool(COUNT, {**UNIT, "epsilon": LN3, "lower": 0, "upper": 3}),
        "histogram": _tool(BIN, {**UNIT, "epsilon": LN3, "lower": 0, "upper": 6}),
        "histogram with weights": _tool(
            BIN,
            {"values": (0, 3), "sensitivity": 3, "epsilon": LN3, "lower": 0, "upper": 12},
            Repair(
                "a bound on a record's weight, which is the sensitivity of the counts: the noise is that of epsilon "
                "divided by it",
                {"report": "min(binned(item, sensitivity, epsilon / sensitivity), upper)"},
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
