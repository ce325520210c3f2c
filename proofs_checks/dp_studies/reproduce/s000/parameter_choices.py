"""The settings that are compared: by the sources' formulas, and by certified calibration.

Dummies are counted in all, as privacy depends on their number alone: users send numbers that differ by at most one.

Certified are the largest local budget, and the fewest dummies, for which the kernel accepts that (epsilon, delta) is
kept. Only the safe ends of the enclosures of `dp_studies.comparisons.amplification` are needed, roughly: the privacy
blanket, for every data set and any hash functions.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from dp_checks.check import divergence_windows
from dp_kernel.meter import DEFAULT
from dp_refimpl.shuffle.murs import solh_choice
from dp_refimpl.shuffle.parameter_choices import blanket_gamma, mixed_dummies, whole
from dp_spec.frequency import local_hashing
from dp_spec.shuffle import messages
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import at_most
from dp_spec.vocabulary.term import Term
from dp_studies.comparisons.amplification.constructions import uppers
from dp_studies.comparisons.amplification.enclosure import Bound, UncertifiedError
from dp_studies.comparisons.amplification.query import MAX_USERS, Mechanism, Setting
from dp_studies.comparisons.amplification.roots import bracket, narrowed
from dp_studies.comparisons.amplification.solve import TRIES, UnreachableError
from dp_studies.reproduce.numbers import BITS, ball, ball_order, decimal, signed
from dp_studies.reproduce.s000.data import DataSet
from dp_studies.reproduce.s000.settings import HASHED, Algorithm, Plan, Point, Target


@dataclass(frozen=True)
class Choice:
    """An algorithm's labels (h, d', g; the items of mixDUMP), e^epsilon_l, and the number of dummies of all users."""

    algorithm: Algorithm
    labels: int
    root: arb
    dummies: int = 0

    @property
    def hashed(self) -> bool:
        """Whether messages carry functions."""
        return self.algorithm in HASHED

    def error(self, data: DataSet) -> arb:
        """The mean of (f~_v - f_v)^2 over the items, exactly: the published variances, at the mean frequency 1/d."""
        values: dict[str, Any] = {"w": self.root, "n": data.users, "f": fmpq(1, data.items)}
        values |= {"c": fmpq(self.dummies, data.users), "b" if self.hashed else "K": self.labels}
        with precision(BITS):
            return arb(self._formula.evaluate(values))

    @property
    def _formula(self) -> Term:
        if self.algorithm == "mixDUMP":
            return messages.VARIANCE_GRR
        return messages.VARIANCE_OLH if self.algorithm == "OD-HP" else local_hashing.VARIANCE

    def json(self, data: DataSet) -> dict[str, Any]:
        """The setting with its exact error."""
        with precision(BITS):
            local = self.root.log()
        return {
            "algorithm": self.algorithm,
            "labels": self.labels,
            "local": signed(local),
            "dummies": self.dummies,
            "error": decimal(self.error(data)),
        }


@dataclass(frozen=True)
class Refusal:
    """Why an algorithm has no setting for these labels and this local budget (none: it is what was asked for)."""

    algorithm: Algorithm
    labels: int | None
    budget: str | None
    words: str


def choices(plan: Plan, point: Point) -> Iterator[Choice | Refusal]:
    """All settings of a point: MURS and HP-SDP, then mixDUMP by budget, then OD-HP by labels and budget."""
    data, target = point.data, plan.target(point.epsilon)
    local = _printed_local if point.calibration == "printed" else _certified_local
    yield from local(data, point.epsilon, target)
    number = _printed_dummies if point.calibration == "printed" else _certified_dummies
    settings: list[tuple[Algorithm, int]] = [("mixDUMP", data.items), *(("OD-HP", h) for h in plan.labels)]
    for algorithm, labels in settings:
        for budget in plan.budgets:
            root = e_to(budget)
            try:
                yield Choice(algorithm, labels, root, number(algorithm, labels, budget, data, target))
            except (UnreachableError, UncertifiedError) as error:
                yield Refusal(algorithm, labels, budget, str(error))


def best(options: list[Choice | Refusal], data: DataSet) -> dict[Algorithm, Choice]:
    """The setting of every algorithm with the smallest error; of equal ones the first."""
    by_algorithm: dict[Algorithm, list[Choice]] = {}
    for one in options:
        if isinstance(one, Choice):
            by_algorithm.setdefault(one.algorithm, []).append(one)
    return {name: min(own, key=lambda one: ball_order(one.error(data))) for name, own in by_algorithm.items()}


def e_to(epsilon: str | Fraction) -> arb:
    """The number as a ball."""
    with precision(2 * BITS):
        return ball(Fraction(epsilon)).exp()


def _printed_local(data: DataSet, epsilon: str, target: Target) -> Iterator[Choice | Refusal]:
    """MURS by M_c, where that leaves e^epsilon_l >= 1; HP-SDP by the blanket's gamma, with MURS's number of labels."""
    with precision(BITS):
        choice = solh_choice(data.users, epsilon, target.delta)
        if choice.fallback:
            words = "M_c - d' + 1 < 1: too few users; published code then takes epsilon itself as the local budget"
            yield Refusal("MURS", choice.labels, None, words)
        else:
            yield Choice("MURS", choice.labels, choice.root)
        try:
            gamma = blanket_gamma(choice.labels, data.users, epsilon, target.delta)
            yield Choice("HP-SDP", choice.labels, 1 + choice.labels * (1 - gamma) / gamma)
        except DomainError as error:
            yield Refusal("HP-SDP", choice.labels, None, str(error))


def _certified_local(data: DataSet, epsilon: str, target: Target) -> Iterator[Choice | Refusal]:
    """Local hashing with the printed number of labels, then with the one that is best if e^epsilon_l + h - 1 stays."""
    labels = tried = 0
    with precision(BITS):
        labels = solh_choice(data.users, epsilon, target.delta).labels
    while labels != tried:
        try:
            budget = local_budget(Setting("olh", data.users, "1", labels), target)
        except (UnreachableError, UncertifiedError) as error:
            yield from (Refusal(name, labels, None, str(error)) for name in HASHED[:2])
            return
        root = e_to(Fraction(budget))
        yield from (Choice(name, labels, root) for name in HASHED[:2])
        if tried:
            return
        with precision(BITS):
            labels, tried = max(2, whole((root + labels + 1) / 3)), labels


def _printed_dummies(algorithm: Algorithm, labels: int, budget: str, data: DataSet, target: Target) -> int:
    """|M| of (7), and n s of mixDUMP: the next integer, 0 where randomizers are enough."""
    with precision(BITS):
        gamma = labels / (e_to(budget) + labels - 1)
        number = mixed_dummies(labels, data.users, gamma, str(target.epsilon), target.delta)
        return 0 if at_most(number, 0) else -whole(-number)


def _certified_dummies(algorithm: Algorithm, labels: int, budget: str, data: DataSet, target: Target) -> int:
    mechanism: Mechanism = "krr" if algorithm == "mixDUMP" else "olh"
    guess = _printed_dummies(algorithm, labels, budget, data, target)
    return dummies(Setting(mechanism, data.users, budget, labels), target, guess)


# --- certified by the privacy blanket ---------------------------------------------------------------------------------

PRECISION = 1e-3
"""Of what is found, relative: how far it is from the last number that the bound allows, before it is rounded."""
DIGITS = 6
LARGEST = 24.0
"""A search for a local budget begins here, and goes down in such steps (of its logarithm):"""
STEP = 0.16
LEAST = 1e-3
FIRST, LONGER = 64, 1.4
"""A search for dummies begins with so small a part of its guess, and goes up in such steps (of their logarithm)."""


def local_budget(setting: Setting, target: Target) -> Decimal:
    """The largest epsilon_0 that is found to keep the target. Raises `UnreachableError` where there is none,
    `UncertifiedError` where the kernel accepts none."""

    def excess(budget: float) -> float:
        return _bound(replace(setting, epsilon0=str(Fraction(budget))), target).excess(
            target.epsilon, divergence_windows.COARSE
        )

    places = bracket(excess, LARGEST, LARGEST, LEAST, STEP, STEP)
    if excess(places[1]) > 0:
        raise UnreachableError(f"no local budget from {LEAST} to {LARGEST} is found to keep the central one")
    _, safe = narrowed(excess, *places, lambda budget: PRECISION * budget)
    nearest = Context(prec=DIGITS, rounding=ROUND_FLOOR).create_decimal_from_float(safe)
    unit = Decimal((0, (1,), nearest.adjusted() - DIGITS + 1))
    for step in range(TRIES):
        value = nearest - ((1 << step) - 1) * unit
        if _accepted(replace(setting, epsilon0=str(Fraction(value))), target):
            return value
    raise UncertifiedError("the kernel accepts no local budget that was tried")


def dummies(setting: Setting, target: Target, guess: int) -> int:
    """How many uniform messages are found to be enough; the search begins far below a guess.

    Raises as `local_budget`.
    """

    def excess(number: float) -> float:
        return _bound(replace(setting, dummies=int(number)), target).excess(target.epsilon, divergence_windows.COARSE)

    if _accepted(setting, target):  # the randomizers are enough
        return 0
    start = min(max(float(guess // FIRST), 1.0), float(MAX_USERS))
    places = bracket(excess, start, 1.0, float(MAX_USERS), LONGER, LONGER)
    if excess(places[1]) > 0:
        raise UnreachableError(f"not even {MAX_USERS} uniform messages are found to be enough")
    _, enough = narrowed(excess, *places, lambda number: max(PRECISION * number, 0.5))
    for step in range(TRIES):
        number = int(enough * (1 + PRECISION * ((1 << step) - 1))) + 1
        if _accepted(replace(setting, dummies=number), target):
            return number
    raise UncertifiedError("the kernel accepts no number of dummies that was tried")


def _accepted(setting: Setting, target: Target) -> bool:
    """Whether the kernel accepts that delta(epsilon) <= delta."""
    bound = _bound(setting, target)
    evidence = bound.eased(target.epsilon, divergence_windows.COARSE)
    return (
        evidence.value <= target.delta
        and bound.accepted(target.epsilon, target.delta, Decimal(0), evidence) is not None
    )


def _bound(setting: Setting, target: Target) -> Bound:
    blanket, *_ = uppers(setting)
    return Bound(setting, blanket, target.delta, DEFAULT)
