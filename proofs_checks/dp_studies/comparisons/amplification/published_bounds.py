"""What published bounds say of a setting. The numbers are for readers: verdicts are those of the ledger."""

from collections.abc import Iterator, Mapping
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from flint import arb, fmpq

from dp_spec.shuffle.claims import literature_bounds
from dp_spec.vocabulary.budget import read_epsilon
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_spec.vocabulary.shuffle_statements import Divergence
from dp_spec.vocabulary.term import Term, log, var
from dp_studies.comparisons.amplification.query import Setting, e_to

BOUNDS: Mapping[str, tuple[str, ...]] = {
    "ldp": (
        "lit.erlingsson2019.closed",
        "lit.balle2019.hoeffding",
        "lit.balle2019.bennett",
        "lit.feldman2021.closed",
        "lit.feldman2023.closed",
        "lit.wang2023.closed",
        "lit.wang2023.tight",
    ),
    "krr": (
        "lit.balle2019.hoeffding.krr",
        "lit.balle2019.bennett.krr",
        "lit.wang2023.closed.krr",
        "lit.wang2023.tight.krr",
    ),
    "olh": ("lit.wang2023.closed.olh", "lit.wang2023.tight.olh"),
}
"""Rows of the literature: of every randomizer, and of a mechanism."""
_EPSILON0 = (log(var("x")), log(var("w")))
"""What a randomizer's epsilon is called in preconditions."""
READINGS = {"stated": "@stated", "any": "@any"}
STEPS = 60
"""Values of epsilon that are tried, and halvings of an interval of it."""
BITS = 256
"""Of balls."""


class Bound(NamedTuple):
    """A row, whether its preconditions hold, and its epsilon (None: it says none below that of the randomizer)."""

    row: str
    stated: bool
    epsilon: Decimal | None


def bounds(setting: Setting, delta: Fraction, digits: int) -> list[Bound]:
    """What the literature says about epsilon at delta, rounded up; nothing beside dummies."""
    if setting.dummies or setting.epsilon0 is None:
        return []
    rows = dict.fromkeys((*BOUNDS["ldp"], *BOUNDS[setting.mechanism]))
    with precision(BITS):
        return [_bound(row, setting, delta, digits) for row in rows]


def beside(row: Mapping[str, Any], setting: Setting, digits: int) -> list[dict[str, Any]]:
    """The bounds beside an answered question about epsilon, as plain data: how many times the upper end each is, and
    whether it is below the lower end, hence wrong here."""
    lower, upper = (Decimal(row[side]["value"]) for side in ("lower", "upper"))
    listed = []
    for of, stated, epsilon in bounds(setting, Fraction(row["delta"]), digits):
        place: dict[str, Any] = {"epsilon": None, "times": None, "below": False}
        if epsilon is not None:
            times = f"{epsilon / upper:.4g}" if upper else None
            place = {"epsilon": f"{epsilon:f}", "times": times, "below": epsilon < lower}
        listed.append({"row": of, "stated": stated, **place})
    return listed


def _bound(row: str, setting: Setting, delta: Fraction, digits: int) -> Bound:
    stated, defined = (_formal(row, reading) for reading in READINGS)
    values = _values(setting, delta)
    epsilon = _epsilon(defined, values, setting.most)
    if epsilon is None or epsilon >= setting.most:
        return Bound(row, False, None)
    values["e"] = arb(epsilon).exp()
    holds = all(_is_met(constraint, setting, values) for constraint in stated.domain.constraints)
    return Bound(row, holds, _up(epsilon, digits))


def _formal(row: str, reading: str) -> Divergence:
    """The statement of a reading; the only one, if it has none."""
    divergence = literature_bounds.FORMAL.get(row + READINGS[reading]) or literature_bounds.FORMAL[row]
    assert isinstance(divergence, Divergence)
    return divergence


def _values(setting: Setting, delta: Fraction) -> dict[str, Any]:
    """Names of the literature's statements."""
    assert setting.epsilon0 is not None
    budget, labels = e_to(setting.epsilon0).evaluate({}), fmpq(setting.labels)
    of = {"n": fmpq(setting.users), "delta": fmpq(delta.numerator, delta.denominator)}
    return {"x": budget, "w": budget, "K": labels, "b": labels, **of}


def _ball(of: Term, values: Mapping[str, Any]) -> arb | None:
    """The value of a term; None where it is not defined."""
    try:
        number = arb(of.evaluate(values))
    except (ArithmeticError, ValueError):
        return None
    return number if number.is_finite() else None


def _epsilon(bound: Divergence, values: Mapping[str, Any], most: float) -> float | None:
    """Epsilon in a closed form, or the smallest one up to the randomizer's with the bound of delta below delta."""
    if bound.e_eps.head != "e":
        e_eps = _ball(bound.e_eps, values)
        return None if e_eps is None or compare(e_eps, 1) is not Ordering.GREATER else float(e_eps.log())

    def enough(epsilon: float) -> bool:
        delta = _ball(bound.delta, {**values, "e": arb(epsilon).exp()})
        return delta is not None and compare(delta, values["delta"]) is Ordering.LESS

    # a bound of delta may grow again, or end, for large epsilon
    tried = [most * 0.8**i for i in range(STEPS)]
    high = min(filter(enough, tried), default=None)
    if high is None:
        return None
    low = 0.8 * high
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _is_met(constraint: Term, setting: Setting, values: Mapping[str, Any]) -> bool:
    """Whether a precondition, that this is >= 0, holds for sure; ln(e^epsilon0) is epsilon0, exactly where it is so
    written, so that a bound is met that epsilon0 attains."""
    assert setting.epsilon0 is not None
    base, epsilon0 = read_epsilon(setting.epsilon0)
    exact = {
        id(part): fmpq(epsilon0.numerator, epsilon0.denominator) for part in _parts(constraint) if part in _EPSILON0
    }
    try:
        number = constraint.evaluate(values, {} if base is not None else exact)
    except (ArithmeticError, ValueError):
        return False
    return compare(number, 0) in (Ordering.GREATER, Ordering.EQUAL)


def _parts(of: Term) -> Iterator[Term]:
    yield of
    for argument in of.arguments:
        yield from _parts(argument)


def _up(number: float, digits: int) -> Decimal:
    return Context(prec=digits, rounding=ROUND_CEILING).create_decimal(Decimal(number))
