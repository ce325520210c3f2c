"""What Figures 1 to 4 of source 002 vary (section 5): panels of settings, and at which of them runs are simulated.

The paper's figures are not in our text, only their settings: the range of epsilon in Figure 1, the proportions and
the data sets of Figure 2 are chosen here. Everybody's set is uniform, f_x = m / d; the real data sets are not used.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from dp_refimpl.requirements import require_integer
from dp_spec.frequency import experiment_sizes
from dp_spec.vocabulary.exceptions import DomainError

Axis = Literal["epsilon", "proportion", "d", "m"]


@dataclass(frozen=True)
class Setting:
    """n users hold m of d items each, K of the items are sensitive; the budget is a decimal number as text."""

    n: int
    d: int
    K: int
    m: int
    epsilon: str

    def __post_init__(self) -> None:
        for name in ("n", "d", "K", "m"):
            require_integer(name, getattr(self, name), 1)
        for name in ("K", "m"):
            if getattr(self, name) > self.d:
                raise DomainError(name, getattr(self, name), f"at most d = {self.d}")
        try:
            positive = Fraction(self.epsilon) > 0
        except (ValueError, TypeError, ZeroDivisionError):
            positive = False
        if not positive:
            raise DomainError("epsilon", self.epsilon, "a decimal number > 0 as text")

    @property
    def N(self) -> int:
        """|X_non|."""
        return self.d - self.K

    @property
    def key(self) -> str:
        """The setting in one word."""
        return f"n={self.n},d={self.d},K={self.K},m={self.m},epsilon={self.epsilon}"


TABLE4 = {name: Setting(r.n, r.d, r.k, r.m, "1") for name, r in experiment_sizes.TABLE4.items()}
"""Table 4."""

EPSILONS = ("0.1", "0.2", "0.3", "0.5", "0.7", "1", "1.5", "2", "2.5", "3", "3.5", "4", "5", "6", "7", "8", "9", "10")
SIMULATED_EPSILONS = ("0.1", "0.5", "1", "2", "3", "5", "7", "10")
PROPORTIONS = tuple(Fraction(k, 10) for k in range(1, 11))
DOMAINS = tuple(2**k for k in range(4, 11))
SIZES = tuple(2**k for k in range(7))


@dataclass(frozen=True)
class Place:
    """A value on the horizontal axis, its setting, and whether runs are simulated there."""

    x: str
    setting: Setting
    simulated: bool = True


@dataclass(frozen=True)
class Panel:
    """One pair of axes: places in the order of x."""

    title: str
    places: tuple[Place, ...]


@dataclass(frozen=True)
class Figure:
    """A figure of the paper: what is on its horizontal axis, and its panels."""

    number: int
    axis: Axis
    label: str
    panels: tuple[Panel, ...]

    def places(self) -> Iterator[Place]:
        """All places of all panels."""
        for panel in self.panels:
            yield from panel.places


def figure(number: int) -> Figure:
    """Figure 1, 2, 3 or 4. Raises `DomainError` for another number."""
    if number not in _FIGURES:
        raise DomainError("figures", number, "numbers of 1, 2, 3, 4")
    return _FIGURES[number]


def _sensitive(d: int, proportion: Fraction) -> int:
    """The number of sensitive items that is nearest to the proportion, halves up, at least one."""
    return max(1, int(proportion * d + Fraction(1, 2)))


_FIGURES = {
    1: Figure(
        1,
        "epsilon",
        "ε",
        tuple(
            Panel(name, tuple(Place(e, replace(row, epsilon=e), e in SIMULATED_EPSILONS) for e in EPSILONS))
            for name, row in TABLE4.items()
        ),
    ),
    2: Figure(
        2,
        "proportion",
        "|X_sen| / |X|",
        tuple(
            Panel(name, tuple(Place(str(p), replace(row, K=_sensitive(row.d, p))) for p in PROPORTIONS))
            for name, row in TABLE4.items()
        ),
    ),
    3: Figure(
        3,
        "d",
        "d",
        (Panel("simulated", tuple(Place(str(d), Setting(100_000, d, d // 4, 8, "1")) for d in DOMAINS)),),
    ),
    4: Figure(
        4,
        "m",
        "m",
        (Panel("simulated", tuple(Place(str(m), Setting(100_000, 256, 64, m, "1")) for m in SIZES)),),
    ),
}
