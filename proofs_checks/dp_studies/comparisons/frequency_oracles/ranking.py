"""Which frequency oracle has the smallest exact error at equal certified epsilon, for d items and bits per report."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cmp_to_key

from flint import fmpq_poly

from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_studies.comparisons.frequency_oracles.candidates import (
    NAMES,
    Curve,
    Place,
    Setting,
    best_parameter,
    curve,
    formula_of,
    length,
    reports,
    values_of,
)


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
    found: list[Curve] = []
    for one in (curve(name, parameter, setting) for name, parameter in near):
        order = place.sign(one.error - found[0].error) if found else -1
        found = [one] if order < 0 else [*found, one] if order == 0 else found
    return tuple(c.name for c in found)


def candidates(setting: Setting, place: Place, names: Iterable[str] = NAMES) -> list[tuple[str, int | None]]:
    """Every mechanism whose reports are short enough, with its best admitted parameter."""
    found = []
    for name in names:
        try:
            parameter = best_parameter(name, setting, place)
        except DomainError as error:
            if error.parameter != "bits":
                raise
            continue
        if setting.admits(name, parameter):
            found.append((name, parameter))
    return found


def variance(error: fmpq_poly, place: Place) -> Real:
    """n times the variance, exactly: the polynomial at e^(epsilon/2), divided by (e^epsilon - 1)^2."""
    return place.value(error) / (place.t * place.t - 1) ** 2
