"""What Figures 4 to 6 of source 003 vary, and what the source leaves open: sigma, k_1, eta, the budgets, the runs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, get_args

from flint import fmpq

from dp_refimpl.fast.synthesis.clustering import MOST_SIGMA
from dp_refimpl.synthesis.accountant import BETA
from dp_refimpl.synthesis.privbayes import degree_and_budgets
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.reproduce.s003.data import SIZES, Table, generated, named
from dp_studies.reproduce.s003.search_costs import Search
from dp_studies.reproduce.study import at_least, rational, require_each, require_integers, require_known, require_some

Name = Literal["HMPrivBayes", "PrivBayes", "PrivBayes (theta)", "PrivSCBN (reconstruction)", "Jtree", "NoPrivacy"]
NAMES: tuple[Name, ...] = get_args(Name)
Calibration = Literal["printed", "certified"]
CALIBRATIONS: tuple[Calibration, ...] = get_args(Calibration)
"""The method as printed, or with public weights at the nominal epsilon at which its transcript is certified."""

SEED = 20221031
"""The default random state."""
RUNS, MORE = 21, 10
"""The fewest runs for which medians have intervals; so many times as many of small tables, which take little time."""
SMALL, WIDE = 8, 100
"""Binary attributes of a small table at most; of a wide one, which has one run at three budgets, more than these."""
EPSILONS = ("0.1", "0.2", "0.4", "0.8", "1.6")
CLUSTERS, DEGREE, DEGREES = (1, 3, 5), 3, (2, 3)
NO_FILTER = NO_MACHINE = "none"
SIGMAS, KEPT, ETAS = ("1", "1/2"), (3, 5), (NO_FILTER, "1/2")
"""sigma, k_1 and eta: the first ones everywhere, the others in one place."""
THETA = fmpq(4)
"""Of PrivBayes."""
MOST = 40_000_000
"""Candidate pairs of a network search that is run, even if all attributes are in one cluster."""
RECORDS = (2, 3, 4)
"""Of the tiny tables of Figure 4."""
CROWDS = (10_000, 20_000, 50_000, 100_000)
"""Records of the tables of Figure 4 whose attackers are simulated."""
MOST_RECORDS, MOST_COST = 10**6, 10**6
COST = "1"
"""Of the support vector machines."""


def small() -> Table:
    """A table of 7 binary attributes."""
    return generated("small", 1000, (4, 3, 2, 2, 2))


@dataclass(frozen=True)
class Segmentation:
    """sigma from 10^-100 to 10^100 (text), k_1 >= 1, and eta in 0..1 (text) or "none": no filter.

    Raises `DomainError` for others.
    """

    sigma: str = SIGMAS[0]
    kept: int = KEPT[0]
    eta: str = ETAS[0]

    def __post_init__(self) -> None:
        sigma, eta = _number(self.sigma), _number(self.eta)
        if sigma is None or not Fraction(1, MOST_SIGMA) <= sigma <= MOST_SIGMA:
            raise DomainError("sigma", self.sigma, "a rational number from 10^-100 to 10^100 as text")
        if self.eta != NO_FILTER and (eta is None or not 0 <= eta <= 1):
            raise DomainError("eta", self.eta, f"a rational number from 0 to 1 as text, or {NO_FILTER}")
        require_integers({"kept": 1}, self)

    @property
    def key(self) -> str:
        """The segmentation in one word."""
        return f"sigma={self.sigma},k1={self.kept},eta={self.eta}"


def _number(text: object) -> Fraction | None:
    """The rational number that a short text writes."""
    try:
        return Fraction(text) if isinstance(text, str) and len(text) < 100 else None
    except (ValueError, ZeroDivisionError):
        return None


def segmentations(sigmas: Sequence[str], kept: Sequence[int], etas: Sequence[str]) -> tuple[Segmentation, ...]:
    """That of the first of each, and those with one other."""
    first = Segmentation(sigmas[0], kept[0], etas[0])
    return (
        first,
        *(replace(first, sigma=sigma) for sigma in sigmas[1:]),
        *(replace(first, kept=number) for number in kept[1:]),
        *(replace(first, eta=eta) for eta in etas[1:]),
    )


@dataclass(frozen=True)
class Method:
    """A method with its number of clusters, in-degree and segmentation, as far as it has such."""

    name: Name
    k: int = 1
    degree: int | None = None
    calibration: Calibration = "printed"
    segmentation: Segmentation | None = None

    @property
    def key(self) -> str:
        """The method in one word."""
        clusters = [] if self.segmentation is None else [f"k={self.k}", self.segmentation.key]
        return ",".join(
            [self.name, *([] if self.degree is None else [f"l={self.degree}"]), *clusters, self.calibration]
        )


@dataclass(frozen=True)
class Point:
    """A table, a method, and a budget (text), or none."""

    table: Table
    method: Method
    epsilon: str | None

    @property
    def key(self) -> str:
        """The point in one word."""
        return f"{self.table.name}:{self.method.key}:epsilon={self.epsilon or 'none'}"

    @property
    def degree(self) -> int | None:
        """The in-degree, which PrivBayes may compute from n, d and epsilon."""
        if self.method.name != "PrivBayes (theta)" or self.epsilon is None:
            return self.method.degree
        n, d = self.table.n, self.table.d
        whole = Fraction(self.epsilon)
        return degree_and_budgets(n, d, fmpq(whole.numerator, whole.denominator), BETA, THETA)[0]

    @property
    def search(self) -> Search | None:
        """What its network search costs at most: all attributes in one cluster. Nothing for others."""
        return None if self.degree is None else Search(self.table.d, 1, self.degree)

    def refused(self, most: int) -> str:
        """Why it is not run, or nothing."""
        search = self.search
        if search is None or search.candidates <= most:
            return ""
        return f"{search.candidates} candidate pairs, more than {most}"


@dataclass(frozen=True)
class Plan:
    """What to reproduce. Raises `DomainError` for bad numbers, unknown names, repetitions, and epsilon = 0.

    `clusters` are the k of HMPrivBayes, `degrees` the l of PrivBayes; searches of at most `most` candidate pairs are
    run. HMPrivBayes gets the largest l up to `degree` for which no partition needs more. The first segmentation is used
    everywhere, the others with the middle k and budget. `records` are those of the tiny tables, `crowds` those of
    larger ones. `cost` is that of support vector machines (text), or "none". Tables have `runs` runs, small ones `more`
    times as many, wide ones one, at three of the budgets. `times`: whether Figure 6 is measured.
    """

    data: tuple[Table, ...] = field(default_factory=lambda: (small(), *map(named, SIZES)))
    names: tuple[Name, ...] = NAMES
    calibrations: tuple[Calibration, ...] = CALIBRATIONS
    epsilons: tuple[str, ...] = EPSILONS
    clusters: tuple[int, ...] = CLUSTERS
    degree: int = DEGREE
    degrees: tuple[int, ...] = DEGREES
    segmentations: tuple[Segmentation, ...] = segmentations(SIGMAS, KEPT, ETAS)
    most: int = MOST
    records: tuple[int, ...] = RECORDS
    crowds: tuple[int, ...] = CROWDS
    cost: str = COST
    runs: int = RUNS
    more: int = MORE
    seed: int = SEED
    times: bool = True

    def __post_init__(self) -> None:
        several = ("data", "names", "calibrations", "epsilons", "clusters", "degrees", "segmentations")
        for name in (*several, "records", "crowds"):
            require_some(name, getattr(self, name))
        require_some("data", tuple([table.name for table in self.data]))
        require_known("names", self.names, NAMES)
        require_known("calibrations", self.calibrations, CALIBRATIONS)
        require_each("epsilons", self.epsilons, rational, "rational numbers > 0 as text")
        require_integers({"degree": 0, "most": 1, "runs": 1, "more": 1, "seed": 0}, self)
        least = min(table.d for table in self.data)
        ends = (("clusters", 1, least), ("degrees", 0, least - 1), ("records", 2, 4), ("crowds", 2, MOST_RECORDS))
        for name, first, last in ends:
            require_each(name, getattr(self, name), at_least(first), f"integers from {first} to {last}")
            require_each(name, getattr(self, name), lambda value, most=last: value <= most, f"at most {last}")  # type: ignore[misc]
        require_each("degree", (self.degree,), lambda value: value < least, f"less than {least} binary attributes")
        cost = None if self.cost == NO_MACHINE else _number(self.cost)
        if self.cost != NO_MACHINE and (cost is None or not 0 < cost <= MOST_COST):
            raise DomainError("cost", self.cost, f"a rational number above 0, at most {MOST_COST}, or {NO_MACHINE}")
        kept = [segmentation.kept for segmentation in self.segmentations]
        require_each("k1", kept, lambda k1: k1 <= least, f"at most {least} binary attributes")

    def runs_of(self, table: Table) -> int:
        """Runs of every point of a table."""
        return self.runs * self.more if table.d <= SMALL else self.runs if table.d <= WIDE else 1

    def epsilons_of(self, table: Table) -> tuple[str, ...]:
        """The budgets for a table: of a wide one the first, the middle and the last."""
        budgets = (self.epsilons[0], self.middle_epsilon, self.epsilons[-1]) if table.d > WIDE else self.epsilons
        return tuple(dict.fromkeys(budgets))

    def points(self) -> Iterator[Point]:
        """All points that are run."""
        return (point for point in self.all_points() if not point.refused(self.most))

    def all_points(self) -> Iterator[Point]:
        """All points."""
        for table in self.data:
            for method in self.methods(table):
                for epsilon in (None,) if method.name == "NoPrivacy" else self.epsilons_of(table):
                    yield Point(table, method, epsilon)
            for method in self.varied(table):
                yield Point(table, method, self.middle_epsilon)

    def methods(self, table: Table) -> Iterator[Method]:
        """All methods with the first segmentation."""
        first, degree = self.segmentations[0], self.degree_for(table)
        for name in self.names:
            if name == "HMPrivBayes":
                kinds = [(k, calibration) for calibration in self.calibrations for k in self.clusters]
                yield from (Method(name, k, degree, calibration, first) for k, calibration in kinds)
            elif name == "PrivBayes":
                yield from (Method(name, 1, degree) for degree in self.degrees)
            elif name == "NoPrivacy":
                yield Method(name, self.middle, degree, "printed", first)
            elif name == "Jtree":
                yield from (Method(name, calibration=calibration) for calibration in self.calibrations)
            else:
                yield Method(name)

    def varied(self, table: Table) -> Iterator[Method]:
        """HMPrivBayes as printed with the other segmentations."""
        if "HMPrivBayes" in self.names and "printed" in self.calibrations:
            for other in self.segmentations[1:]:
                yield Method("HMPrivBayes", self.middle, self.degree_for(table), "printed", other)

    def degree_for(self, table: Table) -> int:
        """The in-degree of HMPrivBayes and NoPrivacy."""
        d = table.d
        return max(
            degree for degree in range(self.degree + 1) if not degree or Search(d, 1, degree).candidates <= self.most
        )

    def is_shown(self, point: Point) -> bool:
        """Whether the networks of its first run are shown: of HMPrivBayes and PrivBayes at the middle budget."""
        method, first = point.method, self.segmentations[0]
        networks = method.name in ("HMPrivBayes", "PrivBayes") and method.segmentation in (None, first)
        return networks and point.epsilon == self.middle_epsilon

    @property
    def middle_epsilon(self) -> str:
        """The budget where only one is shown."""
        return self.epsilons[len(self.epsilons) // 2]

    @property
    def middle(self) -> int:
        """The number of clusters where only one is shown."""
        return self.clusters[len(self.clusters) // 2]
