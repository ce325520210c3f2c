"""Where the best frequency oracle changes: over epsilon, at roots of polynomials, and over the number of items.

Over epsilon the plane is cut where the best parameter of a mechanism changes; between two cuts a few polynomials in
t = e^(epsilon/2) compete. A ball shows that the best one stays below another one, or their crossings are isolated and
the order between them is decided at rational points. Cuts are isolated, too, and pieces reach beyond them, so that the
best one of a piece is the best one on all of it; only inside of the intervals of crossings nothing is said.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

from flint import arb, arb_poly, fmpq, fmpq_poly

from dp_checks.verdict import InternalDisagreementError
from dp_refimpl.requirements import require_integer
from dp_spec.frequency.single_item import LABELS_TIE, SUBSET_STEP
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_studies.comparisons.frequency_oracles.candidates import (
    MAX_ITEMS,
    NAMES,
    Curve,
    Place,
    Setting,
    admitted_labels,
    best,
    best_parameter,
    curve,
    fixed_parameter,
    polynomial,
)

PREFERRED = tuple(name for name in NAMES if name != "OLH-nearest")
"""OLH takes the best of all numbers of labels, so that the nearest one is never better."""
BITS = 256
MAX_CUTS = 20_000
Winners = tuple[str, ...]


@dataclass(frozen=True)
class Crossing:
    """A root of a polynomial in t = e^(epsilon/2), the only one of it in a short interval with rational ends."""

    polynomial: fmpq_poly
    low: fmpq
    high: fmpq

    @property
    def epsilon(self) -> arb:
        """A ball around 2 ln t."""
        with precision(BITS):
            return 2 * _hull(self.low, self.high).log()


@dataclass(frozen=True)
class Piece:
    """The best mechanisms (several: equal throughout), from a crossing to the next one; None: the end of the range."""

    start: Crossing | None
    end: Crossing | None
    winners: Winners


@dataclass(frozen=True)
class Range:
    """The best mechanisms (several: equal) for all d from `first` to `last`."""

    first: int
    last: int
    winners: Winners


@dataclass(frozen=True)
class _Stretch:
    """The curves that compete between two cuts (None: the ends of the range), and around them."""

    start: Crossing | None
    end: Crossing | None
    low: fmpq
    high: fmpq
    curves: tuple[Curve, ...]


def over_epsilon(
    setting: Setting, low: Budget[Real], high: Budget[Real], names: Iterable[str] = PREFERRED
) -> tuple[Piece, ...]:
    """The best mechanisms for every epsilon in a range, in order. Where two touch without crossing nothing changes.

    Raises `DomainError` unless 0 < low < high, where no report is short enough, and for more than `MAX_CUTS` changes of
    parameters (many items with subset selection, or a large epsilon with local hashing).
    """
    names = _compared(names)
    if (low.exp() - 1).sign() != 1 or (high.exp() - low.exp()).sign() != 1:
        raise DomainError("epsilon", (low, high), "a range 0 < low < high")
    envelope = (part for stretch in _stretches(setting, low, high, names) for part in _envelope(stretch))
    changes = [next(group) for _, group in groupby(envelope, lambda part: part[1])]
    ends = [crossing for crossing, _ in changes[1:]]
    return tuple([Piece(start, end, best_of) for (start, best_of), end in zip(changes, [*ends, None], strict=True)])


def over_items(
    last: int,
    budget: Budget[Real],
    frequency: fmpq | None,
    bits: int | None = None,
    columns: int = 1024,
    names: Iterable[str] = PREFERRED,
) -> tuple[Range, ...]:
    """The best mechanisms for every number of items from 2 to `last`, each decided; `frequency` None is 1/d.

    No winners where no report is short enough. Raises `DomainError` as `Setting` and at epsilon = 0.
    """
    names, place = _compared(names), Place(budget)
    require_integer("d", last, 2, MAX_ITEMS)

    def winners(d: int) -> Winners:
        setting = Setting(d, fmpq(1, d) if frequency is None else frequency, bits, columns)
        return named(best(setting, place, names))

    groups = ((best_of, list(group)) for best_of, group in groupby(range(2, last + 1), winners))
    return tuple([Range(items[0], items[-1], best_of) for best_of, items in groups])


def _compared(names: Iterable[str]) -> Winners:
    """Raise `DomainError` for mechanisms whose crossings are not sought, and for none."""
    listed = tuple(names)
    if not listed or not set(listed) <= set(PREFERRED):
        raise DomainError("mechanism", listed, f"one or more of {', '.join(PREFERRED)}")
    return listed


def named(names: Iterable[str]) -> Winners:
    """The names, in the order of `NAMES`."""
    different = set(names)
    return tuple(name for name in NAMES if name in different)


# --- cuts -------------------------------------------------------------------------------------------------------------


def _stretches(setting: Setting, low: Budget[Real], high: Budget[Real], names: Sequence[str]) -> Iterator[_Stretch]:
    """The range in pieces, with the best parameter of each mechanism on each."""
    with precision(BITS):
        start = _outside(low.split(2).exp().enclosure(BITS), -1)
        end = _outside(high.split(2).exp().enclosure(BITS), 1)
    fixed, moving = list[Curve](), list[list[tuple[Crossing, Curve]]]()
    for name in names:
        try:
            if name in ("OLH", "SubsetSelection"):
                moving.append(list(_changes(name, setting, low, high)))
            elif setting.admits(name, parameter := fixed_parameter(name, setting)):
                fixed.append(curve(name, parameter, setting))
        except DomainError as error:
            if error.parameter != "bits":
                raise
    if not fixed and not moving:
        raise DomainError("bits", setting.bits, f"more bits: no report about {setting.d} items is so short")
    current = [changes[0][1] for changes in moving]
    cuts = [(cut, i, c) for i, changes in enumerate(moving) for cut, c in changes[1:]]
    before: Crossing | None = None
    for cut, i, following in sorted(cuts, key=lambda cut: cut[0].low):
        if cut.high >= end:
            break
        if before is not None and cut.low <= before.high:  # two parameters change at one place
            before = Crossing(cut.polynomial, before.low, max(before.high, cut.high))
        elif start < cut.low:
            yield _Stretch(before, cut, before.low if before else start, cut.high, (*fixed, *current))
            before = cut
        current[i] = following
    yield _Stretch(before, None, before.low if before else start, end, (*fixed, *current))


def _changes(name: str, setting: Setting, low: Budget[Real], high: Budget[Real]) -> Iterator[tuple[Crossing, Curve]]:
    """The best parameters in the range, each after the cut where it begins; of the first one that says nothing."""
    first, last = (best_parameter(name, setting, Place(budget)) for budget in (low, high))
    assert first is not None
    assert last is not None
    listed = list(admitted_labels(setting, first, last) if name == "OLH" else range(first, last - 1, -1))
    if len(listed) > MAX_CUTS:
        raise DomainError("d", setting.d, f"fewer items, or a smaller range of epsilon: {name} has {len(listed)} sizes")
    yield Crossing(fmpq_poly([0]), fmpq(1), fmpq(1)), curve(name, listed[0], setting)
    for one, other in pairwise(listed):
        if name == "OLH":
            tie = polynomial(LABELS_TIE, setting, {"b": one, "c": other})
        else:
            tie = polynomial(SUBSET_STEP, setting, {"k": other})
        (root,) = (r for r in real_roots(tie) if _rational(r) > 1)
        yield Crossing(tie, _outside(root, -1), _outside(root, 1)), curve(name, other, setting)


# --- crossings --------------------------------------------------------------------------------------------------------


def _envelope(stretch: _Stretch) -> Iterator[tuple[Crossing | None, Winners]]:
    """The best of a few curves from left to right, each with the crossing where it begins (None: the start).

    Around a cut another parameter is better than the one here: what happens inside of its interval is not of interest.
    """
    low, high, curves = stretch.low, stretch.high, stretch.curves
    middle = (low + high) / 2
    lowest = _lowest(curves, middle)
    chosen = lowest[0].error
    others = [c for c in curves if c.error != chosen and not _stays_above(c.error - chosen, low, high)]
    if not others:
        yield stretch.start, named(c.name for c in curves if c.error == chosen)
        return
    crossings = _crossings([lowest[0], *others], low, high, (stretch.start, stretch.end))
    ends = [low, *(end for c in crossings for end in (c.low, c.high)), high]
    before = stretch.start
    for left, right, after in zip(ends[::2], ends[1::2], [*crossings, stretch.end], strict=True):
        inside = (stretch.start is None or right > stretch.start.high) and (
            stretch.end is None or left < stretch.end.low
        )
        if inside:
            yield before, named(c.name for c in _lowest(curves, (left + right) / 2))
            before = after


def _lowest(curves: Sequence[Curve], t: fmpq) -> list[Curve]:
    """The curves with the smallest error at a rational t."""
    values = [c.error(t) for c in curves]
    least = min(values)
    return [c for c, value in zip(curves, values, strict=True) if value == least]


def _stays_above(difference: fmpq_poly, low: fmpq, high: fmpq) -> bool:
    """Whether a ball shows that a polynomial is positive from `low` to `high`."""
    with precision(BITS):
        return compare(arb_poly(difference)(_hull(low, high)), 0) is Ordering.GREATER


def _crossings(curves: Sequence[Curve], low: fmpq, high: fmpq, cuts: Sequence[Crossing | None] = ()) -> list[Crossing]:
    """The places strictly between where two of the curves are equal, in order, in disjoint intervals.

    A root that is not strictly between, but next to a cut, has to be the cut: its interval is not spoken of.
    """
    product = fmpq_poly([1])
    for i, one in enumerate(curves):
        for other in curves[i + 1 :]:
            if one.error != other.error:
                product = product * (one.error - other.error)
    places = []
    for root in real_roots(product):
        left, right = _outside(root, -1), _outside(root, 1)
        if low < left and right < high:
            places.append(Crossing(_factor_of(curves, left, right), left, right))
        elif any(end is not None and left < end.high and end.low < right for end in cuts):
            _require_same(product, left, right, cuts)
    places.sort(key=lambda c: c.low)
    if any(a.high >= b.low for a, b in pairwise(places)):
        raise InternalDisagreementError("two different roots that are not apart")
    return places


def _require_same(product: fmpq_poly, low: fmpq, high: fmpq, cuts: Sequence[Crossing | None]) -> None:
    """Raise `InternalDisagreementError` unless a root of the product between two numbers is that of a cut."""
    for cut in cuts:
        common = product.gcd(cut.polynomial) if cut is not None else fmpq_poly([1])
        if common.degree() > 0 and any(low <= _rational(r) <= high for r in real_roots(common)):
            return
    raise InternalDisagreementError("a crossing that is too near to a change of parameters")


def _factor_of(curves: Sequence[Curve], low: fmpq, high: fmpq) -> fmpq_poly:
    """The first difference of two curves with a root there."""
    for i, one in enumerate(curves):
        for other in curves[i + 1 :]:
            difference = one.error - other.error
            roots = () if difference.is_zero() else real_roots(difference)
            if any(low <= _rational(r) <= high for r in roots):
                return difference
    raise InternalDisagreementError("a root of no difference")


def real_roots(polynomial: fmpq_poly) -> tuple[arb, ...]:
    """The different real roots of a polynomial that is not 0, each alone in its ball."""
    with precision(BITS):
        roots: Any = polynomial.numer().complex_roots()
        return tuple(root.real for root, _ in roots if root.imag == 0)


def _hull(low: fmpq, high: fmpq) -> arb:
    return arb(low).union(arb(high))


def _outside(number: arb, side: int) -> fmpq:
    """A rational number below (side -1) or above (1) everything in a ball."""
    with precision(BITS):
        return _rational((number.lower() if side < 0 else number.upper()).mid()) + side * fmpq(1, 2 ** (BITS // 2))


def _rational(number: arb) -> fmpq:
    """The exact value of a ball's middle."""
    mantissa, exponent = number.mid().man_exp()
    return fmpq(mantissa) * fmpq(2) ** int(exponent)
