"""The page on frequency oracles: exact errors side by side, and which one is the best for d, epsilon and bits."""

from functools import cache

from flint import fmpq
from matplotlib.figure import Figure

from dp_checks.pages.notation import latex, picture, reference, table
from dp_spec.frequency.single_item import DIFFERENCES, ERRORS
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.term import Term
from dp_studies.comparisons.frequency_oracles.candidates import NAMES, Place, Setting, best
from dp_studies.comparisons.frequency_oracles.crossings import PREFERRED, over_epsilon
from dp_studies.comparisons.frequency_oracles.plot import COLORS
from dp_studies.comparisons.report import decimals
from dp_studies.pages.maps import EPSILONS, maps

LEAD = (
    "Every user holds one of $d$ items. The mechanisms below attain the constant $e^\\epsilon$ exactly (two items or "
    "more), so that they are compared at equal certified privacy when they are run with the same $\\epsilon$. Their "
    "estimates are unbiased; the error is the exact variance, which depends on the frequency $f$ of the item, and is "
    "affine in it. The frequencies of all items add up to 1: *the average over the items is, for all data, the value "
    "at $f=1/d$.* All errors are inversely proportional to the number $n$ of users, which therefore changes no order."
)
ERROR_TEXT = (
    "$(e^\\epsilon-1)^2\\,n$ times the variance, with $w=e^\\epsilon$ and $t=e^{\\epsilon/2}$: a polynomial in $t$. "
    "Subsets have $k$ items; hash functions have $b$ labels (columns of a sketch) and give any two items the same one "
    "with chance $1/b$. Tests compare every line with the enumerated program."
)
BIT_TEXT = (
    "A report is counted whole, with the index of the function, row or coordinate: its bits are $\\log_2$ of the "
    "number of different reports, rounded up. $H(d,b)$ is the number of functions in the smallest product of families "
    "of linear forms: for a prime power $b$ the least power $b^r\\ge d$, otherwise the product over the prime powers "
    "in $b$. They have the chance $1/b$ exactly."
)
DIFFERENCE_TEXT = (
    "One error less another, in the same units: where it is positive the second mechanism is better. For $f=0$, items "
    "that nobody holds, GRR is better than OUE exactly for $d<3e^\\epsilon+2$, and OUE is never worse than local "
    "hashing, whatever the number of labels. A sketch is always worse than what it sketches, and for $f\\le 1/2$ the "
    "Hadamard sketch is worse than the plain one with as many columns; it is shorter."
)
CROSSING_TEXT = (
    "For $f=1/d$ and $\\epsilon$ from 0.1 to 8. An end is a root of the difference of two polynomials in $t$, "
    "isolated by rigorous balls; between two ends the order is exact. All digits are right to one unit of the last."
)
MAP_TEXT = (
    "The best mechanism over $\\epsilon$ and $d$: every cell is decided exactly. “=” marks cells where several are "
    "equal, as subset selection with $k=1$ is GRR, and BLH has the error of Hadamard response (the first is drawn). "
    "White: no report is so short. `dp-refimpl frequency-oracles` answers for any $d$, $n$, $\\epsilon$, $f$ and bits."
)
OUTPUTS = {
    "GRR": "$d$",
    "SubsetSelection": r"$\binom{d}{k}$",
    "RAPPOR": "$2^d$",
    "OUE": "$2^d$",
    "BLH": "$2\\,H(d,2)$",
    "OLH": "$b\\,H(d,b)$",
    "HadamardResponse": "$2D$, $D$ the least power of 2 from $d$ on",
    "ClientCMS": "$2^b\\,H(d,b)$",
    "HCMS": "$2b\\,H(d,b)$",
}
ROWS: tuple[tuple[int, int | None], ...] = tuple((d, bits) for d in (16, 256, 4096) for bits in (None, 24, 16))
RANGE = ("1/10", "8")


def page() -> list[str]:
    """The page. It says what the formulas and the exact comparison say, nothing else."""
    lines = ["# Which frequency oracle", "", LEAD, "", "## Exact errors", "", ERROR_TEXT, ""]
    rows = [[name, f"${_formula(ERRORS[name])}$", OUTPUTS[name]] for name in ERRORS]
    lines += [*table(["Mechanism", "Error", "Reports"], rows), BIT_TEXT, "", "## One less another", ""]
    lines += [DIFFERENCE_TEXT, ""]
    listed = [
        [f"{one} − {other}", f"${_formula(difference)}$", reference(f"lit.compared.{one.lower()}-{other.lower()}")]
        for (one, other), difference in DIFFERENCES.items()
    ]
    lines += [*table(["Errors", "Difference", "Proof"], listed), "## Where the best one changes", "", CROSSING_TEXT, ""]
    lines += table(["Items", "Bits", "Best over epsilon"], [_row(d, bits) for d, bits in ROWS], "rrl")
    return [*lines, "## A map", "", MAP_TEXT, "", *picture("frequency-oracles", ALT), *ASKED]


ALT = (
    "Maps of the best frequency oracle over epsilon and the number of items: for reports of any length, the same "
    "without subset selection, and for at most 24 and 16 bits."
)
ASKED = ["```console", "$ dp-refimpl frequency-oracles --items 1024 --users 1000000 --epsilon 1 --bits 16", "```", ""]


def _formula(term: Term) -> str:
    return latex(term, {"w": "w", "t": "t", "f": "f", "D": "d"})


@cache
def _row(d: int, bits: int | None) -> list[str]:
    low, high = (Budget(text) for text in RANGE)
    said, start = [], "0.1"
    for piece in over_epsilon(Setting(d, fmpq(1, d), bits), low, high, PREFERRED):
        end = RANGE[1] if piece.end is None else decimals(piece.end.epsilon, 7)
        said.append(f"{start} to {end}: {' = '.join(name for name in NAMES if name in piece.winners)}")
        start = end
    return [str(d), "any" if bits is None else str(bits), "; ".join(said)]


# --- figures ----------------------------------------------------------------------------------------------------------

ITEMS = tuple(2**i for i in range(1, 15))
WITHOUT_SUBSETS = tuple(name for name in PREFERRED if name != "SubsetSelection")
PANELS: tuple[tuple[str, int | None, tuple[str, ...]], ...] = (
    ("reports of any length", None, PREFERRED),
    ("of any length, without subset selection, f = 0", None, WITHOUT_SUBSETS),
    ("at most 24 bits", 24, PREFERRED),
    ("at most 16 bits", 16, PREFERRED),
)
"""Title, bits, mechanisms; f = 1/d, the average over all items, unless it is said."""


@cache
def winners(panel: int) -> list[list[tuple[str, ...]]]:
    """The best mechanisms, a line for every number of items and a column for every epsilon."""
    title, bits, names = PANELS[panel]
    places = [Place(Budget(epsilon)) for epsilon in EPSILONS]
    frequency = fmpq(0) if "f = 0" in title else None
    return [
        [best(Setting(d, fmpq(1, d) if frequency is None else frequency, bits), place, names) for place in places]
        for d in ITEMS
    ]


def best_oracles() -> Figure:
    """A map for each limit; white where no report is short enough."""
    return maps(7.4, "items d", ITEMS, COLORS, {title: winners(i) for i, (title, *_) in enumerate(PANELS)})
