"""What Figures 3 to 5 of source 000 vary, and what the source leaves open: h, epsilon_l, EM, the number of runs."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, NamedTuple, get_args

from dp_refimpl.requirements import fraction_of, is_integer
from dp_spec.vocabulary.budget import read_epsilon
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.reproduce.s000.data import SIZES, DataSet, named
from dp_studies.reproduce.study import rational, require_each, require_integers, require_known, require_some

Calibration = Literal["printed", "certified"]
CALIBRATIONS: tuple[Calibration, ...] = get_args(Calibration)
"""Parameters by the sources' theorems, or by the privacy blanket with certificates."""
Algorithm = Literal["MURS", "HP-SDP", "mixDUMP", "OD-HP"]
ALGORITHMS: tuple[Algorithm, ...] = get_args(Algorithm)
HASHED: tuple[Algorithm, ...] = ("MURS", "HP-SDP", "OD-HP")
"""Those whose messages carry functions."""

SEED = 20241205
"""The default random state."""
RUNS = 10
EPSILONS = ("0.1", "0.2", "0.3", "0.5", "0.7", "1")
DELTA = "1e-6"
LABELS, BUDGETS = (2, 16, 64, 1024), ("1", "4", "8", "12")
"""h of OD-HP, and epsilon_l of OD-HP and of mixDUMP (000.exp.best)."""
MAX_LABELS = 1 << 20
STEPS = 10
"""Of EM."""


class Target(NamedTuple):
    """The central budget: epsilon, delta."""

    epsilon: Fraction
    delta: Fraction


@dataclass(frozen=True)
class Point:
    """A data set, a calibration, and a central epsilon (text)."""

    data: DataSet
    calibration: Calibration
    epsilon: str

    @property
    def key(self) -> str:
        """The point in one word."""
        return f"{self.data.name}:{self.calibration}:epsilon={self.epsilon}"


@dataclass(frozen=True)
class Plan:
    """What to reproduce. Raises `DomainError` for bad numbers, unknown names, repetitions, and epsilon = 0.

    Central budgets are rational; `labels` >= 2 and local budgets > 0 (text) are tried together by OD-HP.
    `times`: whether Figure 5 is measured, too.
    """

    data: tuple[DataSet, ...] = field(default_factory=lambda: tuple(named(name) for name in SIZES))
    calibrations: tuple[Calibration, ...] = CALIBRATIONS
    epsilons: tuple[str, ...] = EPSILONS
    delta: str = DELTA
    labels: tuple[int, ...] = LABELS
    budgets: tuple[str, ...] = BUDGETS
    steps: int = STEPS
    runs: int = RUNS
    seed: int = SEED
    times: bool = True

    def __post_init__(self) -> None:
        for name in ("data", "calibrations", "epsilons", "labels", "budgets"):
            require_some(name, getattr(self, name))
        require_some("data", tuple([data.name for data in self.data]))
        require_known("calibrations", self.calibrations, CALIBRATIONS)
        for name in ("epsilons", "budgets"):
            require_each(name, getattr(self, name), rational, "rational numbers > 0 as text")
        require_each("labels", self.labels, lambda h: is_integer(h, 2, MAX_LABELS), f"integers from 2 to {MAX_LABELS}")
        require_integers({"steps": 1, "runs": 1, "seed": 0}, self)
        self.target(self.epsilons[0])

    def target(self, epsilon: str) -> Target:
        """The central budget. Raises `DomainError` for a delta that is no number strictly between 0 and 1."""
        delta = fraction_of(self.delta)
        if delta is None or not 0 < delta < 1 or delta.denominator.bit_length() > 900:
            raise DomainError("delta", self.delta, "a number strictly between 0 and 1, as 1e-6 or 1/1000")
        return Target(read_epsilon(epsilon)[1], delta)

    def points(self) -> Iterator[Point]:
        """All points, those that take longest first."""
        for calibration in sorted(self.calibrations):
            for epsilon in self.epsilons:
                for data in self.data:
                    yield Point(data, calibration, epsilon)
