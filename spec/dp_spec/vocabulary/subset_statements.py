"""Formal statements about mechanisms that report a random subset (PrivSet).

A report is a subset of k of D outputs. In the reading `plain` the outputs are the d items and every user holds exactly
m < d of them; in the reading `padded` there are m dummies more, D = d + m, and a set of 0 to m <= d items is completed
to m by the first dummies. Terms are in D, m, k (1 <= k <= D - m) and w = e^epsilon > 1; P and Q are the chances that a
held item, an item that is not held, lies in the report.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from dp_spec.vocabulary.law import Estimator
from dp_spec.vocabulary.statement import Domain, Statement
from dp_spec.vocabulary.term import Term


@dataclass(frozen=True)
class SubsetTable:
    """The probability of every subset that meets the (completed) set, and of every subset that misses it."""

    reading: Literal["plain", "padded"]
    hit: Term
    miss: Term


@dataclass(frozen=True)
class SubsetLaw(Statement):
    """The table is a law, and `held`, `other` are P and Q."""

    type: ClassVar[str] = "subsets-law"
    table: SubsetTable
    held: Term
    other: Term


@dataclass(frozen=True)
class SubsetRatio(Statement):
    """epsilon-LDP: every ratio of probabilities of one report is at most w."""

    type: ClassVar[str] = "subsets-ratio"
    table: SubsetTable


@dataclass(frozen=True)
class SubsetSmallest(Statement):
    """The smallest constant that bounds every ratio is `constant`."""

    type: ClassVar[str] = "subsets-smallest"
    table: SubsetTable
    constant: Term


@dataclass(frozen=True)
class SubsetUnbiased(Statement):
    """E[(F_x / n - offset) / slope] = f_x for every item and every data set."""

    type: ClassVar[str] = "subsets-unbiased"
    table: SubsetTable
    estimator: Estimator


@dataclass(frozen=True)
class SubsetSameChoice(Statement):
    """For all d, m with `constraints` (terms in d, m, each >= 0) and all w some k minimises both objectives.

    Objectives are terms in P, Q, D, m.
    """

    type: ClassVar[str] = "subsets-same-choice"
    table: SubsetTable
    objectives: tuple[Term, Term]
    constraints: tuple[Term, ...] = ()


@dataclass(frozen=True)
class SubsetBest(Statement):
    """m = 1: the smallest best k is (sqrt(radicand) - shift) / scale (terms in D, w) rounded up; it is also D / (1 + w)
    rounded up or down, but at least 1."""

    type: ClassVar[str] = "subsets-best"
    table: SubsetTable
    objective: Term
    radicand: Term
    shift: Term
    scale: Term


@dataclass(frozen=True)
class SubsetNoFormula(Statement):
    """For no m is the smallest best k, for all D and w, one formula of D and w: arithmetic, a square root, rounding."""

    type: ClassVar[str] = "subsets-no-formula"
    table: SubsetTable
    objective: Term


@dataclass(frozen=True)
class SubsetConvex(Statement):
    """The objective is strictly convex in k: best is every k that is not worse than its neighbours, at most two, and
    bisection on neighbours finds it."""

    type: ClassVar[str] = "subsets-convex"
    table: SubsetTable
    objective: Term


@dataclass(frozen=True)
class SubsetBetter(Statement):
    """For all d, m with `constraints` and all t > 1, w = t^(2m): for some k the exact sum over the d items of n MSE is
    smaller than `rival` (a term in d, m, t). Every user holds exactly m of the d items."""

    type: ClassVar[str] = "subsets-better"
    table: SubsetTable
    rival: Term
    constraints: tuple[Term, ...] = ()


@dataclass(frozen=True)
class SubsetErrorAbove(Statement):
    """For every k the exact sum over the d items of n MSE is larger than `bound` (a term in d, m, t; w = t^(2m))
    everywhere on the domain. Every user holds exactly m of the d items."""

    type: ClassVar[str] = "subsets-error-above"
    table: SubsetTable
    bound: Term
    domain: Domain
