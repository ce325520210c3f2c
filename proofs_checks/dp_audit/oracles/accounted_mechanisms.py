"""Mechanisms of which accountants give numbers: by name and parameters their privacy curve and Renyi divergences.

Mironov, Talwar, Zhang 2019 (sampled Gaussian noise: of both directions the one with the record has the larger
divergences); Canonne, Kamath, Steinke 2020 (what zero-concentrated privacy gives); Mironov 2017 (Laplace noise).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from flint import arb, fmpq, fmpz_poly

from dp_audit.exact_numbers import short
from dp_audit.oracles.laws import Chances
from dp_audit.oracles.privacy_curves import (
    BITS,
    Curve,
    Discrete,
    GaussianLoss,
    LaplaceLoss,
    Largest,
    OneAnswer,
    SampledGaussianLoss,
    Summed,
    ends_of,
)
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.names import require_name
from dp_spec.vocabulary.precision import precision

Value = int | fmpq | str
Parameters = tuple[tuple[str, Value], ...]
MOST = 10_000
"""Answers and categories, and powers that are summed."""
MOST_BITS = 2**29
"""Of the exact masses of many answers."""
RELATIONS = ("add-or-remove", "remove", "add")
"""Of sampled noise: the larger one of both directions, or one of them."""


@dataclass(frozen=True)
class Accounted:
    """A mechanism: its parameters with what they are if they are not said (None: they must be), its curve, and the
    Renyi divergence of an order > 1 (None: there is no closed form)."""

    defaults: Mapping[str, Value | None]
    curve: Callable[..., Curve]
    renyi: Callable[..., arb] | None = None


# --- curves -----------------------------------------------------------------------------------------------------------


def _gaussian(sigma: fmpq, sensitivity: fmpq, times: int) -> Curve:
    with precision(BITS):
        return OneAnswer(GaussianLoss(arb(times).sqrt() * sensitivity / sigma))


def _laplace(scale: fmpq, sensitivity: fmpq, times: int) -> Curve:
    loss = LaplaceLoss(sensitivity / scale)
    return OneAnswer(loss) if times == 1 else Summed(loss, times)


def _sampled(sigma: fmpq, rate: fmpq, times: int, relation: str) -> Curve:
    require_name("relation", relation, RELATIONS)
    if rate == 1:
        return _gaussian(sigma, fmpq(1), times)
    ways = RELATIONS[1:] if relation == RELATIONS[0] else (relation,)
    losses = [SampledGaussianLoss(sigma, rate, way == "remove") for way in ways]
    curves = tuple(OneAnswer(loss) if times == 1 else Summed(loss, times) for loss in losses)
    return Largest(curves)


def _response(truth: fmpq, categories: int, times: int, leak: fmpq) -> Curve:
    """Return the curve of two items, whose answers are counted: as often the one more than the other, as often any.

    With probability `leak` the item is published: of two categories no mechanism with this epsilon and delta (the leak)
    has a larger curve (Kairouz, Oh, Viswanath 2015, Theorem 3.3).
    """
    lie = (1 - truth) / (categories - 1)
    chances = truth, (categories - 2) * lie, lie
    unit = int(truth.q) * (categories - 1)
    if times**2 * unit.bit_length() > MOST_BITS:
        raise DomainError("times", times, f"fewer answers, or a truth of fewer digits than {short(truth)}")
    sums = (fmpz_poly([int((chance * unit).p) for chance in chances]) ** times).coeffs()
    kept = (1 - leak) ** times
    masses = [kept * fmpq(mass, unit**times) for mass in sums] + [1 - kept, fmpq(0)]
    mirrored = [*reversed(masses[:-2]), fmpq(0), 1 - kept]
    return Discrete(tuple((p, q) for p, q in zip(masses, mirrored, strict=True) if p != 0 or q != 0))


def _answers(truth: fmpq, categories: int) -> Chances:
    """Return what is shown of two items: both of them, and any other one."""
    lie = (1 - truth) / (categories - 1)
    other = (categories - 2) * lie
    return ((truth, lie), (lie, truth), *(((other, other),) if other != 0 else ()))


@dataclass(frozen=True)
class _Concentrated(Curve):
    """All mechanisms with this rho: normal noise is one; none has a larger delta than its Renyi divergences allow."""

    rho: fmpq

    def delta(self, epsilon: fmpq) -> tuple[fmpq, fmpq]:
        """Return that of normal noise, and the smallest bound of some orders."""
        with precision(BITS):
            normal = OneAnswer(GaussianLoss(arb(2 * self.rho).sqrt())).delta(epsilon)[0]
            best = max((epsilon + self.rho) / (2 * self.rho), fmpq(101, 100))
            orders = [1 + (best - 1) * fmpq(32 + k, 64) for k in range(96)]
            bounds = [ends_of(self._bound(epsilon, order))[1] for order in orders]
        return normal, min(bounds)

    def _bound(self, epsilon: fmpq, order: fmpq) -> arb:
        exponent = (order - 1) * (order * self.rho - epsilon)
        return arb(exponent).exp() / (order - 1) * arb(1 - 1 / order) ** arb(order)


# --- Renyi divergences ------------------------------------------------------------------------------------------------


def _gaussian_renyi(order: fmpq, sigma: fmpq, sensitivity: fmpq, times: int) -> arb:
    return arb(times * order * sensitivity**2 / (2 * sigma**2))


def _sampled_renyi(order: fmpq, sigma: fmpq, rate: fmpq, times: int, relation: str) -> arb:
    if order.q != 1 or order > MOST or relation == "add":
        raise DomainError("order", order, f"an integer up to {MOST:,}, of the relation remove or add-or-remove")
    a = int(order)
    moment = sum(
        (
            comb(a, k) * arb(rate**k * (1 - rate) ** (a - k)) * arb(fmpq(k * k - k) / (2 * sigma**2)).exp()
            for k in range(a + 1)
        ),
        arb(0),
    )
    return times * moment.log() / (a - 1)


def _laplace_renyi(order: fmpq, scale: fmpq, sensitivity: fmpq, times: int) -> arb:
    loss, a = sensitivity / scale, order
    moment = a / (2 * a - 1) * arb((a - 1) * loss).exp() + (a - 1) / (2 * a - 1) * arb(-a * loss).exp()
    return times * moment.log() / (a - 1)


def _response_renyi(order: fmpq, truth: fmpq, categories: int, times: int, leak: fmpq) -> arb:
    if leak != 0:
        raise DomainError("leak", leak, "0: what is published has no finite divergence")
    pairs = _answers(truth, categories)
    moment = sum((arb(q) * (arb(order) * arb(p / q).log()).exp() for p, q in pairs), arb(0))
    return times * moment.log() / (order - 1)


ACCOUNTED: Mapping[str, Accounted] = {
    "Gaussian": Accounted({"sigma": None, "sensitivity": 1, "times": 1}, _gaussian, _gaussian_renyi),
    "Laplace": Accounted({"scale": None, "sensitivity": 1, "times": 1}, _laplace, _laplace_renyi),
    "sampled-Gaussian": Accounted(
        {"sigma": None, "rate": None, "times": 1, "relation": RELATIONS[0]}, _sampled, _sampled_renyi
    ),
    "randomized-response": Accounted(
        {"truth": None, "categories": 2, "times": 1, "leak": 0}, _response, _response_renyi
    ),
    "zero-concentrated": Accounted({"rho": None}, _Concentrated),
}
"""By name."""
NUMBERS: Mapping[str, str] = {"epsilon": "delta", "delta": "epsilon", "Renyi": "order"}
"""What is asked of an accountant, and the parameter that it is asked at."""
_COUNTS = ("times", "categories")


def accounted(name: str) -> Accounted:
    """Return a mechanism. Raises `DomainError` for another name."""
    return ACCOUNTED[require_name("mechanism", name, ACCOUNTED)]


def settled(mechanism: str, number: str, parameters: Mapping[str, Value]) -> tuple[Parameters, fmpq]:
    """Return the parameters of a mechanism, those that were left out with what they are then, and of `number` the
    parameter that it is asked at.

    Raises `DomainError` for parameters that are missing, unknown or outside their domain.
    """
    at = NUMBERS[require_name("number", number, NUMBERS)]
    defaults = accounted(mechanism).defaults
    unknown = [name for name in parameters if name not in (*defaults, at)]
    chosen = {name: parameters.get(name, default) for name, default in defaults.items()}
    missing = [name for name, value in ({**chosen, at: parameters.get(at)}).items() if value is None]
    if unknown or missing:
        raise DomainError("parameters", ", ".join(parameters), f"{', '.join(defaults)} of {mechanism}, and {at}")
    exact = tuple((name, _checked(name, value)) for name, value in chosen.items() if value is not None)
    asked = _checked(at, parameters[at])
    assert isinstance(asked, fmpq)
    return exact, asked


def _checked(name: str, value: Value) -> Value:
    """Return an exact parameter in its domain."""
    if name == "relation":
        return require_name(name, str(value), RELATIONS)
    if isinstance(value, bool | str):
        raise DomainError(name, value, "a number")
    number = fmpq(value)
    if name in _COUNTS:
        if number.q != 1 or not (name == "categories") + 1 <= number <= MOST:
            raise DomainError(name, value, f"an integer, of categories at least 2, at most {MOST:,}")
        return int(number)
    allowed, words = {
        "epsilon": (number >= 0, "a number >= 0"),
        "leak": (0 <= number < 1, "a number >= 0 and < 1"),
        "delta": (0 < number < 1, "a number > 0 and < 1"),
        "truth": (0 < number < 1, "a number > 0 and < 1"),
        "rate": (0 < number <= 1, "a number > 0 and <= 1"),
        "order": (number > 1, "a number > 1"),
    }.get(name, (number > 0, "a number > 0"))
    if not allowed:
        raise DomainError(name, value, words)
    return number


@lru_cache(maxsize=64)
def curve_of(mechanism: str, parameters: Parameters) -> Curve:
    """Return the privacy curve."""
    return accounted(mechanism).curve(**dict(parameters))


def renyi_of(mechanism: str, parameters: Parameters, order: fmpq) -> tuple[fmpq, fmpq]:
    """Return the ends of the Renyi divergence of an order. Raises `DomainError` where it has no closed form."""
    renyi = accounted(mechanism).renyi
    if renyi is None:
        raise DomainError("number", "Renyi", f"epsilon or delta of {mechanism}")
    with precision(BITS):
        ball = renyi(order, **dict(parameters))
        if not ball.is_finite():
            raise DomainError("order", order, "an order and parameters whose divergence has an exponential")
        return ball.lower().fmpq(), ball.upper().fmpq()
