"""Frequency oracles on single items: laws by brute force, moments by the formulas of the literature."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any

from flint import fmpq

from dp_refimpl.frequency.count_sketch import ClientCMS
from dp_refimpl.frequency.hadamard import HCMS, HadamardResponse
from dp_refimpl.frequency.hash_families import AllFunctions, PublicFunctions
from dp_refimpl.frequency.histogram import THE
from dp_refimpl.frequency.local_hashing import FLH, LocalHashing
from dp_refimpl.frequency.subset_selection import SubsetSelection
from dp_refimpl.frequency.unary import OUE
from dp_spec.frequency import local_hashing, subset_selection
from dp_spec.frequency.collisions import shares
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.ratfunc import RationalFunctionField
from independent import brute_force_oracles as plain
from independent.brute_force import collected
from independent.mechanism_cases import MechanismCase, Moments, Size
from independent.numbers import exact, fraction
from independent.sketch_cases import PlainLaw, Table, collisions, data_sets, functions, sketches

T = RationalFunctionField({"t": 1}).variable("t")
TWO = ((0, 0), (0, 1))
"""Data sets of two users, up to names."""


def share(data: Table, x: int) -> Fraction:
    return Fraction(data.count(x), len(data))


def pure(data: Table, x: int, p: Fraction, q: Fraction) -> Moments:
    """Of a share of independent 0-1 variables, debiased: a report supports its own item with p, another one with q."""
    f = share(data, x)
    return f, (f * p * (1 - p) + (1 - f) * q * (1 - q)) / (len(data) * (p - q) ** 2)


# --- unary encoding, thresholds, subsets ------------------------------------------------------------------------------


def unary_laws(root: Fraction, d: int) -> dict[int, PlainLaw]:
    return {x: plain.unary(x, d, Fraction(1, 2), 1 / (root**2 + 1)) for x in range(d)}


def unary_moments(root: Fraction, data: Table, x: int, d: int) -> Moments:
    """(4 w / (w-1)^2 + f_x) / n."""
    w, f = root**2, share(data, x)
    return f, (4 * w / (w - 1) ** 2 + f) / len(data)


UNARY_ENCODING = MechanismCase(
    name="OUE",
    build=lambda budget, d: OUE(ItemDomain.of_sizes(d), budget),
    laws=unary_laws,
    moments=unary_moments,
    sizes=[(d,) for d in (1, 2, 3, 4)],
    estimated=[(d,) for d in (1, 2, 3)],
    joint=[((2,), TWO)],
    roots=(Fraction(2), Fraction(3, 2)),
)
"""Roots are e^(eps/2), so that the chances of symmetric encoding are rational, too."""

THETAS = tuple(Fraction(i, 2) for i in range(-2, 5))


def chances_above(quarter: Fraction, theta: Fraction) -> tuple[Fraction, Fraction]:
    """p and q of a threshold."""
    return plain.laplace_above(theta - 1, quarter), plain.laplace_above(theta, quarter)


def at_share(theta: Fraction) -> dict[str, Any]:
    """h, a and z at a multiple of 1/6, with e^(eps/12) = T."""
    return {"h": T**6, "a": T ** int(6 * (theta - 1)), "z": (T ** int(6 * theta) - 1) / (T**6 - 1)}


THRESHOLD = MechanismCase(
    name="THE",
    build=lambda budget, d, theta: THE(ItemDomain.of_sizes(d), budget, theta),
    laws=lambda quarter, d, theta: {x: plain.unary(x, d, *chances_above(quarter, theta)) for x in range(d)},
    moments=lambda quarter, data, x, d, theta: pure(data, x, *chances_above(quarter, theta)),
    sizes=list(product((1, 2, 3), THETAS)),
    estimated=list(product((1, 2), THETAS[1:])),
    joint=[((2, Fraction(1, 2)), TWO)],
    power=4,
    roots=(Fraction(2), Fraction(3, 2)),
)


def subset_moments(w: Fraction, data: Table, x: int, d: int, k: int) -> Moments:
    at = {"w": exact(w), "D": fmpq(d), "k": fmpq(k), "n": fmpq(len(data)), "f": exact(share(data, x))}
    return share(data, x), fraction(subset_selection.VARIANCE.evaluate(at))


SUBSET_SIZES = [(d, k) for d in (2, 3, 4) for k in range(1, d)]
SUBSET = MechanismCase(
    name="SS",
    build=lambda budget, d, k: SubsetSelection(ItemDomain.of_sizes(d), budget, k),
    laws=lambda w, d, k: {x: plain.subset(x, d, k, w) for x in range(d)},
    moments=subset_moments,
    sizes=SUBSET_SIZES,
    estimated=SUBSET_SIZES,
    joint=[((3, 2), TWO)],
    power=1,
    roots=(Fraction(2), Fraction(5, 3)),
)

# --- Hadamard response and sketches -----------------------------------------------------------------------------------


def constant(root: Fraction) -> Fraction:
    """c of a number."""
    return (root + 1) / (root - 1)


RESPONSE_SIZES = list(product((1, 2, 3, 4), (0, 1)))
"""(d, first)."""
RESPONSE = MechanismCase(
    name="HadamardResponse",
    build=lambda budget, d, first: HadamardResponse(ItemDomain.of_sizes(d), budget, first),
    laws=lambda root, d, first: {x: plain.coefficients(x, d, 1, first, root**2) for x in range(d)},
    moments=lambda root, data, x, d, first: (
        share(data, x),
        (constant(root**2) ** 2 - share(data, x)) / len(data),
    ),
    sizes=RESPONSE_SIZES,
    estimated=RESPONSE_SIZES,
    joint=[((2, 0), TWO), ((3, 1), TWO)],
)
"""Variance (c^2 - f_x) / n."""


def sketch_sizes(columns: Sequence[int], most: int = 3) -> list[Size]:
    """(m, tables): the lists of at most so many functions from 1, 2 or 3 items, up to names."""
    return [(m, tables) for d, m in product((1, 2, 3), columns) for tables in sketches(d, m, most)]


def sketch_mean(m: int, tables: tuple[Table, ...], data: Table, x: int) -> Fraction:
    """Given the functions: every user adds (m kappa - 1) / (m - 1)."""
    total = sum(((m * collisions(tables, held, x) - 1) / (m - 1) for held in data), Fraction(0))
    return total / len(data)


def count_mean_moments(half: Fraction, data: Table, x: int, m: int, tables: tuple[Table, ...]) -> Moments:
    """Variance of f'(d): (m/(m-1))^2 [n (c^2 - 1)/4 + sum over other items of f(d') kappa (1 - kappa)]."""
    n, shared = len(data), [collisions(tables, held, x) for held in data if held != x]
    spread = n * (constant(half) ** 2 - 1) / 4 + sum(kappa * (1 - kappa) for kappa in shared)
    return sketch_mean(m, tables, data, x), Fraction(m, m - 1) ** 2 * spread / n**2


def hadamard_moments(half: Fraction, data: Table, x: int, m: int, tables: tuple[Table, ...]) -> Moments:
    """Variance of f'(d): (m/(m-1))^2 [n c^2 - f(d) - sum over other items of f(d') kappa^2], c of e^eps."""
    n, shared = len(data), [collisions(tables, held, x) for held in data if held != x]
    spread = n * constant(half**2) ** 2 - data.count(x) - sum(kappa**2 for kappa in shared)
    return sketch_mean(m, tables, data, x), Fraction(m, m - 1) ** 2 * spread / n**2


@cache
def count_mean_laws(half: Fraction, m: int, tables: tuple[Table, ...]) -> dict[int, PlainLaw]:
    return {x: plain.count_mean(x, m, half, tables) for x in range(len(tables[0]))}


@cache
def hadamard_laws(half: Fraction, m: int, tables: tuple[Table, ...]) -> dict[int, PlainLaw]:
    return {x: plain.hadamard_count_mean(x, m, half**2, tables) for x in range(len(tables[0]))}


def built_sketch(cls: type[Any]) -> Callable[..., Any]:
    return lambda budget, m, tables: cls(ItemDomain.of_sizes(len(tables[0])), budget, functions(tables, m))


COUNT_MEAN = MechanismCase(
    name="CMS",
    build=built_sketch(ClientCMS),
    laws=count_mean_laws,
    moments=count_mean_moments,
    sizes=sketch_sizes((1, 2, 3)),
    estimated=sketch_sizes((2, 3)),
    joint=[
        ((2, tables), data_sets(2, 3 if len(tables) == 1 else 2)) for tables in (((0, 1),), ((0, 0),), ((0, 1), (1, 1)))
    ],
)
HADAMARD_COUNT_MEAN = MechanismCase(
    name="HCMS",
    build=built_sketch(HCMS),
    laws=hadamard_laws,
    moments=hadamard_moments,
    sizes=sketch_sizes((1, 2, 4)),
    estimated=sketch_sizes((2, 4)),
    joint=[((2, ((0, 1), (0, 0))), list(combinations_with_replacement(range(2), 2)))],
)

# --- local hashing ----------------------------------------------------------------------------------------------------

IDEAL = tuple((d, g) for d in (1, 2, 3) for g in (2, 3))
"""All functions from d items to g labels."""
LISTS: dict[str, tuple[int, tuple[Table, ...]]] = {
    "pairwise": (2, ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0))),
    "collisions of 1/3": (2, ((0, 0, 1), (0, 1, 0), (1, 0, 0))),
    "a bijection": (3, ((1, 2, 0),)),
    "repeated": (3, ((0, 1, 2), (0, 1, 2), (0, 0, 0))),
    "spare labels": (4, ((0, 1, 2), (3, 0, 1))),
}
"""Public lists with one collision chance; of the last ones it is 0 or 2/3."""
UNEVEN = ((0, 0, 1), (0, 1, 1))
WHOLE: list[Size] = [(g, tuple(product(range(g), repeat=d)), True) for d, g in IDEAL]
"""(g, tables, whether the family is that of all functions)."""
EVEN: list[Size] = [*WHOLE, *((g, tables, False) for g, tables in LISTS.values())]
FAMILIES: list[Size] = [*EVEN, (2, UNEVEN, False)]


def listed(g: int, tables: tuple[Table, ...]) -> PublicFunctions:
    return PublicFunctions(functions(tables, g))


def built_hashing(budget: Any, g: int, tables: tuple[Table, ...], whole: bool = False) -> Any:
    items = tuple(range(len(tables[0])))
    return LocalHashing(ItemDomain(items), budget, AllFunctions(items, g) if whole else listed(g, tables))


@cache
def hashing_laws(root: Fraction, g: int, tables: tuple[Table, ...], whole: bool = False) -> dict[int, PlainLaw]:
    """Reports as the program writes them: the function itself, so that repeated ones are one."""
    rows, laws = functions(tables, g), dict[int, PlainLaw]()
    for x in range(len(tables[0])):
        drawn: Any = plain.drawn_hashing(x, g, root**2, tables)
        laws[x] = collected(((rows[j], cell), p) for (cell, j), p in drawn.items())
    return laws


def hashing_moments(root: Fraction, data: Table, x: int, g: int, tables: tuple[Table, ...], whole: bool) -> Moments:
    """Of families with one collision chance."""
    p, q = root**2 / (root**2 + g - 1), 1 / (root**2 + g - 1)
    kappa = Fraction(1, g) if len(tables[0]) == 1 else collisions(tables, 0, 1)
    return pure(data, x, p, kappa * p + (1 - kappa) * q)


def fast_moments(root: Fraction, data: Table, x: int, g: int, tables: tuple[Table, ...]) -> Moments:
    """Of fixed lists, with the offset 1/g of the literature."""
    w = exact(root**2)
    records = [(data.count(held), exact(collisions(tables, held, x))) for held in range(len(tables[0]))]
    n, kappa1, kappa2 = shares(records, fmpq(0))
    labels = local_hashing.Labels(w / (w + g - 1), 1 / (w + g - 1), fmpq(1, g))
    return fraction(labels.mean(0, kappa1)), fraction(labels.variance(n, 0, kappa1, kappa2))


HASHED = MechanismCase(
    name="LocalHashing",
    build=built_hashing,
    laws=hashing_laws,
    moments=hashing_moments,
    sizes=FAMILIES,
    estimated=EVEN,
    joint=[((2, tuple(product(range(2), repeat=2)), True), TWO)],
)
FAST = MechanismCase(
    name="FLH",
    build=lambda budget, g, tables: FLH(ItemDomain.of_sizes(len(tables[0])), budget, listed(g, tables)),
    laws=hashing_laws,
    moments=fast_moments,
    sizes=[(3, ((0, 1, 2), (0, 0, 1)))],
    estimated=[
        *((g, tables) for g, tables, _ in FAMILIES if len(tables) < 9),
        *((2, UNEVEN), (3, UNEVEN), (2, ((0, 0),))),
    ],
    joint=[((2, UNEVEN), TWO)],
)

CASES = (UNARY_ENCODING, THRESHOLD, SUBSET, RESPONSE, COUNT_MEAN, HADAMARD_COUNT_MEAN, HASHED, FAST)
