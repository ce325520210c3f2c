"""Frequency oracles on one item per user that are compared: their reports, their errors, the best of their parameters.

All of them attain e^epsilon exactly (two items or more), so that a nominal epsilon is the certified one. A report is
counted with everything that the server needs: the index of the function, coordinate or row as well. Local hashing and
sketches take their functions from the smallest product of families of linear forms (`functions`).
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cmp_to_key

from flint import arb, arb_poly, fmpq, fmpq_poly, fmpz

from dp_refimpl.requirements import require_integer
from dp_spec.frequency.single_item import ERRORS, LABELS_STEP, SUBSET_STEP
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_spec.vocabulary.term import Term

NAMES = (*ERRORS, "OLH-nearest")
"""The mechanisms; the last one has the integer nearest to e^epsilon + 1, as libraries take it."""
SYMBOLS = {
    "SubsetSelection": "k",
    "BLH": "b",
    "OLH": "b",
    "OLH-nearest": "b",
    "ClientCMS": "b",
    "HCMS": "b",
}
"""Mechanisms with a parameter: the size of the subset, the number of labels (columns)."""
SKETCHES = ("ClientCMS", "HCMS")
MAX_ITEMS = 1_000_000
_T = fmpq_poly([0, 1])
_BITS = (128, 512)


@dataclass(frozen=True)
class Setting:
    """d items, the frequency f of the estimated one, the bits that a report may have (None: any), most columns.

    Raises `DomainError` for d outside 2..`MAX_ITEMS`, f outside [0, 1], bits or columns that are no integers >= 1 (2).
    """

    d: int
    f: fmpq
    bits: int | None = None
    columns: int = 1024

    def __post_init__(self) -> None:
        require_integer("d", self.d, 2, MAX_ITEMS)
        if not isinstance(self.f, fmpq) or not 0 <= self.f <= 1:
            raise DomainError("frequency", self.f, "a rational number (fmpq) in [0, 1]")
        if self.bits is not None:
            require_integer("bits", self.bits, 1, MAX_ITEMS)
        require_integer("columns", self.columns, 2, MAX_ITEMS)

    def admits(self, name: str, parameter: int | None) -> bool:
        """Whether a report has at most the allowed number of bits."""
        return self.bits is None or reports_fit(name, parameter, self.d, self.bits)


@dataclass(frozen=True)
class Curve:
    """A mechanism with a parameter, and (e^epsilon - 1)^2 n times its variance as a polynomial in e^(epsilon/2)."""

    name: str
    parameter: int | None
    error: fmpq_poly


def curve(name: str, parameter: int | None, setting: Setting) -> Curve:
    """The error of a mechanism in a setting, for every epsilon."""
    return Curve(name, parameter, polynomial(formula_of(name), setting, values_of(name, parameter)))


def formula_of(name: str) -> Term:
    """The error in `single_item`."""
    return ERRORS["OLH" if name == "OLH-nearest" else name]


def values_of(name: str, parameter: int | None) -> dict[str, int]:
    """The parameter by its symbol."""
    return {} if parameter is None else {SYMBOLS[name]: parameter}


def polynomial(formula: Term, setting: Setting, values: Mapping[str, int]) -> fmpq_poly:
    """A formula of `single_item` as a polynomial in t."""
    poly = formula.evaluate({"t": _T, "w": _T * _T, "D": setting.d, "f": setting.f, **values})
    return poly if isinstance(poly, fmpq_poly) else fmpq_poly([fmpq(poly)])


class Place:
    """An epsilon > 0, with e^(epsilon/2) as an exact number and as balls. Raises `DomainError` for other epsilons."""

    def __init__(self, budget: Budget[Real]) -> None:
        if not isinstance(budget, Budget) or not isinstance(budget.root, Real):
            raise DomainError("epsilon", budget, "a budget whose e^epsilon is an exact number (Real)")
        self.budget: Budget[Real] = budget
        self.t: Real = budget.split(2).exp()
        if (self.t - 1).sign() != 1:
            raise DomainError("epsilon", budget, "a number > 0: at 0 no error is finite")
        self._balls = {bits: self.t.enclosure(bits) for bits in _BITS}

    def sign(self, difference: fmpq_poly) -> int:
        """The sign of a polynomial in t, by balls, and exactly where they do not tell."""
        if difference.is_zero():
            return 0
        for bits, t in self._balls.items():
            with precision(bits):
                ball = arb_poly(difference)(t)
            if (sign := _sign(ball)) is not None:
                return sign
        return self.value(difference).sign()

    def value(self, of: fmpq_poly) -> Real:
        """A polynomial in t."""
        total = Real.lift(0)
        for coefficient in reversed(of.coeffs()):
            total = total * self.t + coefficient
        return total

    def ball(self, formula: Term, setting: Setting, values: Mapping[str, int]) -> arb:
        """A formula of `single_item`, roughly."""
        with precision(_BITS[0]):
            t = self._balls[_BITS[0]]
            number = formula.evaluate({"t": t, "w": t * t, "D": setting.d, "f": arb(setting.f), **values})
            return number if isinstance(number, arb) else arb(number)

    def sign_of(self, formula: Term, setting: Setting, values: Mapping[str, int]) -> int:
        """The sign of a formula of `single_item`."""
        ball = self.ball(formula, setting, values)
        if (sign := _sign(ball)) is not None:
            return sign
        return self.sign(polynomial(formula, setting, values))


def _sign(ball: arb) -> int | None:
    """1 or -1 where a ball tells."""
    return {Ordering.GREATER: 1, Ordering.LESS: -1}.get(compare(ball, 0))


# --- reports ----------------------------------------------------------------------------------------------------------


def reports(name: str, parameter: int | None, d: int) -> fmpz:
    """How many different reports there are."""
    b = parameter or 1
    if name == "GRR":
        return fmpz(d)
    if name in ("RAPPOR", "OUE"):
        return fmpz(1) << d
    if name == "SubsetSelection":
        return fmpz.bin_uiui(d, b)
    if name == "HadamardResponse":
        return fmpz(2) << (d - 1).bit_length()
    if name == "ClientCMS":
        return functions(d, b) << b
    return functions(d, b) * (2 * b if name == "HCMS" else b)


def reports_fit(name: str, parameter: int | None, d: int, bits: int) -> bool:
    """Whether a report has at most so many bits: ceil(log2 of the number of reports)."""
    if name in ("RAPPOR", "OUE") and d > bits:
        return False
    if name == "SubsetSelection":
        return _subset_fits(d, parameter or 1, bits)
    return length(reports(name, parameter, d)) <= bits


def length(number: fmpz) -> int:
    """ceil(log2 number), the bits of a report."""
    return int((number - 1).bit_length())


@cache
def functions(d: int, labels: int) -> fmpz:
    """The size of a family of functions of d items under which any two share a label with chance exactly 1/labels.

    For a prime power q: items are different vectors over the field of q elements, functions the linear forms, q^r of
    them with q^r >= d. For other numbers one form for each prime power in it, drawn independently.
    """
    size = fmpz(1)
    for q in prime_powers(labels):
        forms = fmpz(q)
        while forms < d:
            forms *= q
        size *= forms
    return size


def prime_powers(number: int) -> Iterator[int]:
    """The largest powers of primes that divide a number >= 1."""
    factor = 2
    while factor * factor <= number:
        power = 1
        while number % factor == 0:
            number, power = number // factor, power * factor
        if power > 1:
            yield power
        factor += 1
    if number > 1:
        yield number


def _subset_fits(d: int, k: int, bits: int) -> bool:
    """binom(d, k) <= 2^bits, without numbers that are much larger."""
    limit, subsets = fmpz(1) << bits, fmpz(1)
    for i in range(min(k, d - k)):
        subsets = subsets * (d - i) // (i + 1)
        if subsets > limit:
            return False
    return True


# --- parameters -------------------------------------------------------------------------------------------------------


def best_parameter(name: str, setting: Setting, place: Place) -> int | None:
    """The parameter with the smallest error among those that the setting admits; of equal ones the smallest.

    Raises `DomainError` where none is admitted.
    """
    if name == "OLH":
        return _best_labels(setting, place)
    if name == "OLH-nearest":
        return nearest_labels(place)
    if name == "SubsetSelection":
        return min(_first(SUBSET_STEP, "k", setting, place, setting.d - 1), largest_subset(setting))
    return fixed_parameter(name, setting)


def fixed_parameter(name: str, setting: Setting) -> int | None:
    """The parameter of mechanisms for which it is the same for every epsilon: two labels, or the most columns.

    The error of a sketch falls as the columns grow. Raises `DomainError` where no number of columns is admitted.
    """
    if name == "BLH":
        return 2
    if name not in SKETCHES:
        return None
    powers, most = [1 << i for i in range(setting.columns.bit_length() - 1, 0, -1)], setting.columns
    if setting.bits is not None:  # there are at least d functions
        most = min(most, setting.bits - setting.d.bit_length() + 1)
    for columns in powers if name == "HCMS" else range(most, 1, -1):
        if setting.admits(name, columns):
            return columns
    raise DomainError("bits", setting.bits, f"more bits: no sketch of {setting.d} items has so short reports")


def largest_subset(setting: Setting) -> int:
    """The largest k in 1..d/2 (rounded up) that is admitted: binom(d, k) grows up to there.

    The best of all k is not above it. Raises `DomainError` if none is.
    """
    sizes = range(1, max(1, -(-setting.d // 2)) + 1)
    largest = bisect_left(sizes, True, key=lambda k: not setting.admits("SubsetSelection", k))
    if largest == 0:
        raise DomainError("bits", setting.bits, f"more bits: one of {setting.d} items does not fit")
    return largest


def nearest_labels(place: Place) -> int:
    """The integer nearest to e^epsilon + 1, of two equally near the smaller: the first b with 2b >= 2 e^epsilon + 1."""
    twice, low, high = 2 * place.budget.exp() + 1, 1, 2
    while (twice - 2 * high).sign() > 0:
        low, high = high, 2 * high
        _require_few_labels(high, place)
    return bisect_left(range(high), True, low + 1, key=lambda b: (twice - 2 * b).sign() <= 0)


def admitted_labels(setting: Setting, low: int, high: int) -> Iterator[int]:
    """The numbers of labels in a range whose reports are short enough, increasing."""
    return (b for b in range(low, min(high, _most_labels(setting, high)) + 1) if setting.admits("OLH", b))


def _best_labels(setting: Setting, place: Place) -> int:
    """The error falls to the best of all numbers of labels and rises after it: the nearest admitted ones decide."""
    best = _first(LABELS_STEP, "b", setting, place, None, 2)
    most = _most_labels(setting, best)
    below = next((b for b in range(min(best, most), 1, -1) if setting.admits("OLH", b)), None)
    if below == best:
        return best
    above = next(admitted_labels(setting, best + 1, _most_labels(setting, MAX_ITEMS)), None)
    labels = [b for b in (below, above) if b is not None]
    if not labels:
        raise DomainError("bits", setting.bits, f"more bits: no hashed report about {setting.d} items is so short")
    if len(labels) == 1:
        return labels[0]
    less, more = (curve("OLH", b, setting).error for b in labels)
    return labels[0] if place.sign(less - more) <= 0 else labels[1]


def _most_labels(setting: Setting, most: int) -> int:
    """No more labels are admitted: there are at least max(d, b) functions to b labels."""
    if setting.bits is None or setting.bits > 2 * MAX_ITEMS.bit_length():
        return most
    top = int(min((fmpz(1) << setting.bits) // setting.d, (fmpz(1) << setting.bits).isqrt()))
    return min(most, top)


def _first(step: Term, symbol: str, setting: Setting, place: Place, end: int | None, start: int = 1) -> int:
    """The first number from `start` on, `end` at most, at which a step to the next one is no fall."""

    def falls(number: int) -> bool:
        return place.sign_of(step, setting, {symbol: number}) < 0

    low, high = start, start
    while (end is None or high < end) and falls(high):
        low, high = high + 1, 2 * high if end is None else min(end, 2 * high)
        if end is None:
            _require_few_labels(high, place)
    return bisect_left(range(high), True, low, key=lambda number: not falls(number))


def _require_few_labels(labels: int, place: Place) -> None:
    if labels > MAX_ITEMS:
        raise DomainError(
            "epsilon", place.budget, f"a smaller number: the best hash has no more than {MAX_ITEMS} labels"
        )


# --- ranking ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ranked:
    """A mechanism in a setting: its best admitted parameter, the bits of a report, and n times the variance."""

    curve: Curve
    bits: int
    error: Real


def ranking(setting: Setting, budget: Budget[Real], names: Iterable[str] = NAMES) -> tuple[Ranked, ...]:
    """The mechanisms whose reports are short enough, the smallest error first; equal ones in the order of `NAMES`.

    Decided by balls, and exactly where they do not tell. Raises `DomainError` at epsilon = 0.
    """
    place = Place(budget)
    curves = [curve(name, parameter, setting) for name, parameter in candidates(setting, place, names)]

    def order(one: Curve, other: Curve) -> int:
        return place.sign(one.error - other.error)

    ordered = sorted(curves, key=cmp_to_key(order))
    return tuple(Ranked(c, length(reports(c.name, c.parameter, setting.d)), variance(c.error, place)) for c in ordered)


def best(setting: Setting, place: Place, names: Iterable[str]) -> tuple[str, ...]:
    """The mechanisms with the smallest error, several if they are equal; none where no report is short enough."""
    listed = candidates(setting, place, names)
    balls = [place.ball(formula_of(name), setting, values_of(name, parameter)) for name, parameter in listed]
    near = [
        one
        for one, ball in zip(listed, balls, strict=True)
        if not any(compare(other, ball) is Ordering.LESS for other in balls)
    ]
    least: list[Curve] = []
    for one in (curve(name, parameter, setting) for name, parameter in near):
        order = place.sign(one.error - least[0].error) if least else -1
        least = [one] if order < 0 else [*least, one] if order == 0 else least
    return tuple(c.name for c in least)


def candidates(setting: Setting, place: Place, names: Iterable[str] = NAMES) -> list[tuple[str, int | None]]:
    """Every mechanism whose reports are short enough, with its best admitted parameter."""
    pairs = []
    for name in names:
        try:
            parameter = best_parameter(name, setting, place)
        except DomainError as error:
            if error.parameter != "bits":
                raise
            continue
        if setting.admits(name, parameter):
            pairs.append((name, parameter))
    return pairs


def variance(error: fmpq_poly, place: Place) -> Real:
    """n times the variance, exactly: the polynomial at e^(epsilon/2), divided by (e^epsilon - 1)^2."""
    return place.value(error) / (place.t * place.t - 1) ** 2
