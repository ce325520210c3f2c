"""What Figures 4 to 6 of source 003 vary, and what the source leaves open: sigma, k_1, eta, the budgets, the runs."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, get_args

from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.reproduce.s003.data import SIZES, Table, generated, named
from dp_studies.reproduce.s003.search_costs import Search
from dp_studies.reproduce.study import at_least, rational, require_each, require_integers, require_known, require_some

Name = Literal["HMPrivBayes", "PrivBayes", "PrivBayes, theta", "PrivSCBN, reconstruction", "Jtree", "NoPrivacy"]
NAMES: tuple[Name, ...] = get_args(Name)
EXACT: tuple[Name, ...] = ("PrivSCBN, reconstruction", "Jtree")
"""Methods that only have an exact program: it reaches small tables."""
Calibration = Literal["printed", "certified"]
CALIBRATIONS: tuple[Calibration, ...] = get_args(Calibration)
"""The budgets as printed, or those at which epsilon is certified for the whole transcript, one record replaced."""

SEED = 20221031
"""The default random state."""
RUNS = 5
EPSILONS = ("0.1", "0.2", "0.4", "0.8", "1.6")
CLUSTERS, DEGREE, DEGREES = (1, 3, 5), 3, (2, 3)
SIGMA, REDUCTION, ETA = "1", 3, "1/2"
"""sigma, k_1 and eta, which the source does not give."""
THETA, BETA = Fraction(4), Fraction(3, 10)
"""Of PrivBayes."""
MOST = 3_000_000
"""Candidate pairs of a network search that is run; larger ones are predicted."""
SMALL = generated("small", 1000, (4, 3, 2, 2, 2))
"""A table that exact programs reach: 7 binary attributes."""
RECORDS = (2, 3, 4)
"""Of the tiny tables of Figure 4."""
LARGEST = 1 << 12
"""Records domain of tables for exact programs."""


@dataclass(frozen=True)
class Segmentation:
    """sigma (text) > 0, k_1 >= 1, and eta (text) in 0..1 of HMPrivBayes. Raises `DomainError` for others."""

    sigma: str = SIGMA
    k1: int = REDUCTION
    eta: str = ETA

    def __post_init__(self) -> None:
        require_each("sigma", (self.sigma,), rational, "a rational number > 0 as text")
        require_integers({"k1": 1}, self)
        if self.eta != "0":
            require_each("eta", (self.eta,), rational, "a rational number from 0 to 1 as text")
            if Fraction(self.eta) > 1:
                raise DomainError("eta", self.eta, "a rational number from 0 to 1 as text")


@dataclass(frozen=True)
class Method:
    """A method, and its number of clusters and in-degree as far as it has such."""

    name: Name
    k: int = 1
    degree: int | None = None
    calibration: Calibration = "printed"
    segmentation: Segmentation | None = None

    @property
    def key(self) -> str:
        """The method in one word."""
        words = [self.name]
        if self.segmentation is not None:
            s = self.segmentation
            words += [f"k={self.k}", f"l={self.degree}", self.calibration]
            words += [] if s == Segmentation() else [f"sigma={s.sigma}", f"k1={s.k1}", f"eta={s.eta}"]
        elif self.degree is not None:
            words.append(f"l={self.degree}")
        return ",".join(words)

    def search(self, d: int) -> Search | None:
        """What its search costs for d binary attributes; nothing where that depends on the data."""
        return None if self.degree is None else Search(d, min(self.k, d), self.degree)


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


@dataclass(frozen=True)
class Plan:
    """What to reproduce. Raises `DomainError` for bad numbers, unknown names, repetitions, and epsilon = 0.

    `clusters` are the k, `degree` the l of HMPrivBayes, `degrees` those of PrivBayes; `most` candidate pairs are run.
    Other values of sigma, k_1 and eta (`varied`) are tried for the k nearest to 3 and the middle budget. `records`
    are those of the tiny tables. `times`: whether Figure 6 is measured, too.
    """

    data: tuple[Table, ...] = field(default_factory=lambda: (SMALL, *map(named, SIZES)))
    names: tuple[Name, ...] = NAMES
    calibrations: tuple[Calibration, ...] = CALIBRATIONS
    epsilons: tuple[str, ...] = EPSILONS
    clusters: tuple[int, ...] = CLUSTERS
    degree: int = DEGREE
    degrees: tuple[int, ...] = DEGREES
    segmentation: Segmentation = Segmentation()
    varied: tuple[Segmentation, ...] = ()
    most: int = MOST
    records: tuple[int, ...] = RECORDS
    runs: int = RUNS
    seed: int = SEED
    times: bool = True

    def __post_init__(self) -> None:
        for name in ("data", "names", "calibrations", "epsilons", "clusters", "degrees", "records"):
            require_some(name, getattr(self, name))
        require_some("data", tuple([table.name for table in self.data]))
        require_known("names", self.names, NAMES)
        require_known("calibrations", self.calibrations, CALIBRATIONS)
        require_each("epsilons", self.epsilons, rational, "rational numbers > 0 as text")
        for name, least in (("clusters", 1), ("degrees", 0), ("records", 2)):
            require_each(name, getattr(self, name), at_least(least), f"integers >= {least}")
        require_integers({"degree": 0, "most": 1, "runs": 1, "seed": 0}, self)
        least = min(table.bits.shape[1] for table in self.data)
        for name, bound in (("clusters", least), ("degrees", least - 1), ("records", 5)):
            require_each(name, getattr(self, name), lambda value, most=bound: value <= most, f"at most {bound}")
        if self.degree >= least:
            raise DomainError("degree", self.degree, f"at most {least - 1}, one less than the binary attributes")

    @property
    def middle(self) -> str:
        """The budget at which sigma, k_1 and eta are varied."""
        return self.epsilons[len(self.epsilons) // 2]

    def methods(self) -> Iterator[Method]:
        """All methods with the settings that the figures share."""
        for name in self.names:
            if name == "HMPrivBayes":
                for calibration in self.calibrations:
                    for k in self.clusters:
                        yield Method(name, k, self.degree, calibration, self.segmentation)
            elif name == "PrivBayes":
                yield from (Method(name, 1, degree) for degree in self.degrees)
            elif name == "NoPrivacy":
                yield from (Method(name, k, self.degree) for k in self.clusters[:1])
            else:
                yield Method(name)

    def points(self) -> Iterator[Point]:
        """All points, whether they can be run or not."""
        for table in self.data:
            for method in self.methods():
                for epsilon in (None,) if method.name == "NoPrivacy" else self.epsilons:
                    yield Point(table, method, epsilon)
            if "HMPrivBayes" in self.names:
                k = min(self.clusters, key=lambda k: abs(k - 3))
                for other in self.varied:
                    for calibration in self.calibrations:
                        yield Point(table, Method("HMPrivBayes", k, self.degree, calibration, other), self.middle)
