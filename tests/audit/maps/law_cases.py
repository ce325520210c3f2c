"""Maps to laws, and maps of partitions, with the number that is right, and with one that is wrong: a line each."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from statistics import NormalDist
from typing import Any

from audit.maps.map_cases import BITS, SMALL, Map, Rows, noisy_count, response, tables

UP = 1 + 2**-42
"""Of a number that is irrational, and attained: what is declared is larger by less than anybody sees."""
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def approximate(item: int) -> dict[str, Fraction]:
    """With probability 1/10 the item itself, else randomized response."""
    told = {f"it is {item}": Fraction(1, 10)}
    return told | {str(y): Fraction(9, 10) * p for y, p in response(2, 3)(item).items()}


def skewed(item: int) -> dict[int, Fraction]:
    """Laws of which one ratio is rare."""
    return {0: Fraction(1, 100), 1: Fraction(99, 100)} if item else {0: Fraction(1, 10), 1: Fraction(9, 10)}


def composed(law: Callable[[Any], Any], times: int) -> Callable[[Any], list[Any]]:
    """A list of laws: independent answers."""
    return lambda member: [law(member)] * times


def both(*laws: Callable[[Any], Any]) -> Callable[[Any], list[Any]]:
    return lambda member: [law(member) for law in laws]


def adaptive(item: int) -> dict[int, Any]:
    """The second answer is asked with more noise where the first one was a yes."""
    first = response(2, 3)(item)
    return {y: (p, response(2, 2 if y else 5)(item)) for y, p in first.items()}


def scripts(item: int) -> dict[str, Any]:
    """Laws by what is asked: of any script, one alone is asked."""
    return {"once": response(2, 2)(item), "twice": composed(response(2, 2), 2)(item), "adaptive": adaptive(item)}


def parallel(rows: Rows) -> list[Any]:
    """Counts by group, each with noise: one record is in one group."""
    return [noisy_count(HALF, 5)(tuple(row for row in rows if row == group)) for group in (0, 1)]


def merged(law: dict[int, Fraction]) -> dict[int, Fraction]:
    """What is left where an answer is only even or odd."""
    return {r: sum((p for y, p in law.items() if y % 2 == r), Fraction(0)) for r in (0, 1)}


def threshold(rows: Rows, least: int = 2) -> dict[Any, Fraction]:
    """Whether there is a group is said only where its noisy count is large enough."""
    if not rows:
        return {None: Fraction(1)}
    law = noisy_count(HALF, 5)(rows)
    hidden = sum((p for y, p in law.items() if y < least), Fraction(0))
    return {None: hidden, **{y: p for y, p in law.items() if y >= least}}


THRESHOLD_DELTA = sum((p for y, p in noisy_count(HALF, 5)((0,)).items() if y >= 2), Fraction(0))
"""The chance that a group of one record is shown."""


def kullback(law: Callable[[Any], dict[Any, Fraction]]) -> float:
    """Of items 0 and 1, the larger one of both directions."""
    p, q = law(0), law(1)
    return max(sum(float(a[y]) * math.log(a[y] / b[y]) for y in a) for a, b in ((p, q), (q, p)))


def trade_off(law: Callable[[Any], dict[Any, Fraction]]) -> float:
    """The mu of items 0 and 1."""
    pairs = sorted(((law(0)[y], law(1)[y]) for y in law(0)), key=lambda pair: pair[0] / pair[1])
    below = [[float(sum(pair[k] for pair in pairs[: n + 1])) for k in (0, 1)] for n in range(len(pairs) - 1)]
    normal = NormalDist()
    return max(normal.inv_cdf(b) - normal.inv_cdf(a) for a, b in below)


def largest_rate(law: Callable[[Any], dict[Any, Fraction]]) -> float:
    """The rho of items 0 and 1, on a grid of orders."""
    rates = [kullback(law)]
    for p, q in ((law(0), law(1)), (law(1), law(0))):
        for k in range(1, 4000):
            order = 1 + k / 200
            rates.append(
                math.log(sum(float(p[y]) ** order * float(q[y]) ** (1 - order) for y in p)) / order / (order - 1)
            )
    return max(rates)


@dataclass(frozen=True)
class Curve(Map):
    """A map whose declared curve is a function of the distance and of a parameter."""

    def declared(self, distance: Any, *point: Any) -> Any:
        return self.per_unit(distance, *point)


def delta_of_response(weight: int, share: float = 1) -> Callable[[Any, float], float]:
    """The delta of randomized response, at every epsilon."""
    return lambda distance, epsilon: (
        max((weight - math.exp(epsilon)) / (weight + 1), 0) * share * UP + 2**-50 if distance else 0
    )


def renyi_of_response(weight: int, lost: float = 0) -> Callable[[Any, float], float]:
    def divergence(distance: Any, order: float) -> float:
        if not distance:
            return 0
        moment = (weight**order + weight ** (1 - order)) / (weight + 1)
        return math.log(moment) / (order - 1) * UP - lost

    return divergence


def _numbers_of_laws() -> Iterator[Map]:
    for domain, top in ((2, 2), (2, 3), (3, 2), (2, 100)):
        law, items = response(domain, top), tuple(range(domain))
        name = f"response of {domain}, weight {top}"
        for order in (2, 3, 7):
            moment = Fraction(top**order + domain - 2) / (top + domain - 1) + Fraction(1, top ** (order - 1)) / (
                top + domain - 1
            )
            yield Map(
                f"{name}, Renyi {order}",
                law,
                math.log(moment) / (order - 1) * UP,
                items,
                "discrete",
                f"Renyi {order}",
            )
        yield Map(f"{name}, Renyi 1", law, kullback(law) * UP, items, "discrete", "Renyi 1")
        yield Map(f"{name}, rho", law, largest_rate(law) * UP, items, "discrete", "zero-concentrated")
        yield Map(
            f"{name}, rho by epsilon",
            law,
            math.log(top) ** 2 / 2 * UP,
            items,
            "discrete",
            "zero-concentrated",
            attained=False,
        )
        yield Map(f"{name}, mu", law, trade_off(law) * UP, items, "discrete", "Gaussian")
    yield Map("skewed, Renyi 5/2", skewed, 1.0, (0, 1), "discrete", "Renyi 5/2", attained=False)
    yield Map(
        "skewed, rho",
        skewed,
        largest_rate(skewed) * (1 + 2**-20),
        (0, 1),
        "discrete",
        "zero-concentrated",
        attained=False,
    )
    yield Map("skewed, mu", skewed, trade_off(skewed) * UP, (0, 1), "discrete", "Gaussian")
    yield Map("no data, rho", lambda item: {0: HALF, 1: HALF}, 0, (0, 1), "discrete", "zero-concentrated")
    yield Map("no data, mu", lambda item: {0: HALF, 1: HALF}, 0, (0, 1), "discrete", "Gaussian")
    yield Map("approximate, delta", approximate, Fraction(1, 10), (0, 1), "discrete", "hockey-stick 2")
    yield Map("approximate, epsilon", approximate, math.log(3) * UP, (0, 1), "discrete", "max-divergence 1/10")
    yield Map(
        "response, epsilon at delta",
        response(2, 3),
        math.log(2) * UP,
        (0, 1),
        "discrete",
        "max-divergence 1/4",
    )
    yield Map(
        "count with noise, rho",
        noisy_count(HALF, 5),
        math.log(2) ** 2 / 2,
        tables((0,), 1),
        "symmetric",
        "zero-concentrated",
        attained=False,
    )
    yield Map(
        "response that never lies, infinite",
        approximate,
        math.inf,
        (0, 1),
        "discrete",
        "zero-concentrated",
        attained=True,
    )


def _compositions() -> Iterator[Map]:
    law, epsilon = response(2, 3), math.log(3)
    yield Map("two answers, epsilon", composed(law, 2), 2 * epsilon * UP, (0, 1), "discrete", "max-divergence")
    yield Map(
        "two answers, rho",
        composed(law, 2),
        2 * largest_rate(law) * UP,
        (0, 1),
        "discrete",
        "zero-concentrated",
    )
    yield Map(
        "40 answers, Renyi 2",
        composed(law, 40),
        40 * math.log(Fraction(7, 3)) * UP,
        (0, 1),
        "discrete",
        "Renyi 2",
    )
    yield Map(
        "40 answers, epsilon",
        composed(law, 40),
        40 * epsilon * UP,
        (0, 1),
        "discrete",
        "max-divergence",
    )
    yield Map(
        "two mechanisms, epsilon",
        both(law, response(2, 2)),
        math.log(6) * UP,
        (0, 1),
        "discrete",
        "max-divergence",
    )
    yield Map("two answers, delta", composed(law, 2), Fraction(1, 2), (0, 1), "discrete", "hockey-stick 0")
    yield Map("adaptive, epsilon", adaptive, math.log(15) * UP, (0, 1), "discrete", "max-divergence")
    yield Map("scripts, epsilon", scripts, math.log(15) * UP, (0, 1), "discrete", "Linf of max-divergence")
    yield Map(
        "parallel, epsilon",
        parallel,
        math.log(2) * UP,
        tables((0, 1), 2),
        "symmetric",
        "max-divergence",
    )
    yield Map(
        "post-processing",
        lambda item: merged(response(4, 5)(item)),
        math.log(3) * UP,
        (0, 1, 2, 3),
        "discrete",
        "max-divergence",
    )
    yield Map(
        "groups of two",
        noisy_count(HALF, 5),
        math.log(2) * UP,
        tables((0,), 3),
        "symmetric",
        "max-divergence",
    )
    yield Map("threshold, delta", threshold, THRESHOLD_DELTA, tables((0,), 1), "symmetric", "hockey-stick 1")
    yield Map("threshold, no finite epsilon", threshold, math.inf, tables((0,), 1), "symmetric", "max-divergence")


GROUPS: tuple[dict[str, Rows], ...] = tuple(
    {"a": left, "b": right} for left, right in product(tables((0, 1), 2), tables((0, 1), 1))
)


def sums_of_groups(groups: dict[str, Rows]) -> dict[str, int]:
    return {name: sum(rows) for name, rows in groups.items()}


def counts_of_groups(groups: dict[str, Rows]) -> list[int]:
    return [len(groups[name]) for name in ("a", "b")]


def rows_of_groups(groups: dict[str, Rows]) -> list[Any]:
    return [(name, row) for name, rows in groups.items() for row in rows]


def groups_of_rows(rows: Rows) -> dict[int, Rows]:
    return {value: tuple(row for row in rows if row == value) for value in set(rows)}


def _partitions() -> Iterator[Map]:
    yield Map("sums by group, L1", sums_of_groups, 1, GROUPS, "L1 of symmetric", "L1 of absolute")
    yield Map("sums by group, Linf", sums_of_groups, 1, GROUPS, "Linf of symmetric", "Linf of absolute")
    yield Map("sums by group, L2", sums_of_groups, 1, GROUPS, "L1 of symmetric", "L2 of absolute")
    yield Map("sums by group, L0", sums_of_groups, 1, GROUPS, "L0 of symmetric", "L0 of absolute")
    yield Map("counts by group, L0 within 1", counts_of_groups, 1, GROUPS, "L0 of symmetric within 1", "L1")
    yield Map(
        "counts by group, L0 within 2", counts_of_groups, 2, GROUPS, "L0 of symmetric within 2", "L1", attained=True
    )
    yield Map("counts by group, places", counts_of_groups, 1, GROUPS, "L0 of symmetric", "L0")
    yield Map("without groups", rows_of_groups, 1, GROUPS, "L1 of symmetric", "symmetric")
    yield Map("into groups, L0", groups_of_rows, 1, SMALL, "symmetric", "L0 of symmetric")
    yield Map("into groups, L1", groups_of_rows, 1, SMALL, "symmetric", "L1 of symmetric")
    yield Map("into groups by changes", groups_of_rows, 2, SMALL, "change-one", "L1 of symmetric")
    yield Map("differing places", lambda rows: list(rows), 1, tables((0, 1), 2, 2), "Hamming", "L0")


def _curves() -> Iterator[Map]:
    for weight in (2, 3):
        law, name = response(2, weight), f"response, weight {weight}"
        yield Curve(
            f"{name}, delta of epsilon", law, delta_of_response(weight), (0, 1), "discrete", "hockey-stick EPSILON"
        )
        yield Curve(f"{name}, Renyi of order", law, renyi_of_response(weight), (0, 1), "discrete", "Renyi ORDER")
    yield Curve(
        "response, epsilon of delta",
        response(2, 3),
        lambda d, delta: math.log(3) * UP * d,
        (0, 1),
        "discrete",
        "max-divergence DELTA",
    )


RIGHT: tuple[Map, ...] = (*_numbers_of_laws(), *_compositions(), *_partitions())
"""Maps whose declared number is never too small."""
RIGHT_CURVES: tuple[Map, ...] = tuple(_curves())
"""Maps whose declared curve is nowhere too small."""


# --- wrong ones -------------------------------------------------------------------------------------------------------


def _wrong_laws() -> Iterator[Map]:
    law, less = response(2, 3), 1 - 2**-20
    items, discrete = (0, 1), "discrete"
    yield Map(
        "rho: divergence of order 2 alone", law, math.log(Fraction(7, 3)) / 2, items, discrete, "zero-concentrated"
    )
    yield Map("rho: a little less", law, largest_rate(law) * less, items, discrete, "zero-concentrated")
    yield Map("rho inside: a little less", skewed, largest_rate(skewed) * less, items, discrete, "zero-concentrated")
    yield Map("rho: epsilon squared by 8", law, math.log(3) ** 2 / 8, items, discrete, "zero-concentrated")
    yield Map("rho of what is told", approximate, 100, items, discrete, "zero-concentrated")
    yield Map("Renyi: one direction", skewed, math.log(1.08), items, discrete, "Renyi 2")
    yield Map("Renyi 3 of order 2", law, math.log(Fraction(7, 3)), items, discrete, "Renyi 3")
    yield Map("Kullback-Leibler: half", law, kullback(law) / 2, items, discrete, "Renyi 1")
    yield Map("mu: a little less", law, trade_off(law) * less, items, discrete, "Gaussian")
    yield Map("mu: epsilon", response(2, 3), math.log(3), items, discrete, "Gaussian")
    yield Map("mu of what is told", approximate, 9, items, discrete, "Gaussian")
    yield Map("epsilon at a delta: nothing", law, 0, items, discrete, "max-divergence 1/4")
    yield Map("epsilon below the delta that is told", approximate, 50, items, discrete, "max-divergence 1/11")
    yield Map("two answers as one", composed(law, 2), math.log(3) * UP, items, discrete, "max-divergence")
    yield Map(
        "rho of two answers as one", composed(law, 2), largest_rate(law) * UP, items, discrete, "zero-concentrated"
    )
    yield Map(
        "40 answers: root of 40", composed(law, 40), math.sqrt(40) * math.log(3), items, discrete, "max-divergence"
    )
    yield Map("adaptive: the first script", adaptive, math.log(6) * UP, items, discrete, "max-divergence")
    yield Map("scripts: the first one", scripts, math.log(2) * UP, items, discrete, "Linf of max-divergence")
    yield Map("parallel by changes", parallel, math.log(2) * UP, tables((0, 1), 2, 2), "change-one", "max-divergence")
    yield Map("threshold without delta", threshold, 0, tables((0,), 1), "symmetric", "hockey-stick 3")
    yield Map(
        "threshold: half of delta", threshold, THRESHOLD_DELTA / 2, tables((0,), 1), "symmetric", "hockey-stick 1"
    )
    yield Map(
        "groups: no factor", noisy_count(HALF, 5), math.log(2) * UP, tables((0,), 3), "discrete", "max-divergence"
    )


def _wrong_partitions() -> Iterator[Map]:
    yield Map("sums by group: L1 as Linf", sums_of_groups, 1, GROUPS, "Linf of symmetric", "L1 of absolute")
    yield Map("counts by group: bound forgotten", counts_of_groups, 1, GROUPS, "L0 of symmetric within 2", "L1")
    yield Map("counts by group: no bound", counts_of_groups, 1, GROUPS, "L0 of symmetric", "L1")
    yield Map("into groups by changes: 1", groups_of_rows, 1, SMALL, "change-one", "L0 of symmetric")
    yield Map("one count for all groups", lambda rows: [len(rows)] * 2, 1, BITS, "symmetric", "L0")


def _wrong_curves() -> Iterator[Map]:
    law = response(2, 3)
    curve = "hockey-stick EPSILON"
    yield Curve("delta: 999 of 1000", law, delta_of_response(3, 0.999), (0, 1), "discrete", curve)
    yield Curve("delta of a smaller weight", law, delta_of_response(2), (0, 1), "discrete", curve)
    yield Curve("delta of one answer", composed(law, 2), delta_of_response(3), (0, 1), "discrete", curve)
    yield Curve("Renyi: less everywhere", law, renyi_of_response(3, 2**-20), (0, 1), "discrete", "Renyi ORDER")
    yield Curve(
        "Renyi: right up to order 10",
        law,
        lambda d, a: renyi_of_response(3)(d, min(a, 10)),
        (0, 1),
        "discrete",
        "Renyi ORDER",
    )
    yield Curve(
        "epsilon falls too fast",
        law,
        lambda d, delta: d * math.log(3) * (1 - 2 * delta),
        (0, 1),
        "discrete",
        "max-divergence DELTA",
    )


WRONG: tuple[Map, ...] = (*_wrong_laws(), *_wrong_partitions(), *_wrong_curves())
"""Maps that declare too small a number somewhere."""
