"""Formal statements about the explicit matrices of additive laws on trees of one height: best estimates, and strategies
compared for all linear queries at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from flint import fmpq

from dp_spec.vocabulary.additive import Additive
from dp_spec.vocabulary.statement import Statement
from dp_spec.vocabulary.term import Term

Matrix = tuple[tuple[fmpq, ...], ...]


@dataclass(frozen=True)
class BestLinear(Statement):
    """No unbiased linear estimate of a query of the workload from the noisy answers of `strategy` has less variance
    than that of `estimates`, which is one (least squares, where all noise has one scale).

    `at`: numbers for the law's variables, and h. `workload`: of every query the weights of all counts; `estimates`: of
    its estimate those of all noisy answers, in the order of the law's rows, by height, from left to right.
    """

    type: ClassVar[str] = "best-linear"
    strategy: Additive
    at: Mapping[str, Term]
    workload: Matrix
    estimates: Matrix


@dataclass(frozen=True)
class Dominates(Statement):
    """For no linear query of the counts the least variance of an unbiased linear estimate from the noisy answers of
    `strategy` is above `factor` > 0 times that from those of `other`."""

    type: ClassVar[str] = "dominates"
    strategy: Additive
    other: Additive
    factor: Term
    at: Mapping[str, Term]
