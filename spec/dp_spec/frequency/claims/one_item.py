"""Statements about mechanisms of one item per user: what their reports show, and the moments of their estimates for
every data set."""

from dp_spec.frequency.local_hashing import W
from dp_spec.vocabulary.error_statements import Mean, Variance
from dp_spec.vocabulary.law import Estimator, K, Law, M
from dp_spec.vocabulary.statement import Mse, Ratio, Smallest, Unbiased, View
from dp_spec.vocabulary.term import Term

ONE_ITEM, TWO_ITEMS = (1 - M,), (1 - M, K - 2)
"""Every user holds one item; and could hold another one."""


def private(law: Law, view: View = "vector") -> Ratio:
    """The chances of a report are within e^epsilon of each other."""
    return Ratio(law, view, "ldp", where=ONE_ITEM)


def exactly(law: Law, view: View = "vector", constant: Term = W) -> Smallest:
    """They are within this constant, and within no smaller one."""
    return Smallest(law, view, "ldp", where=TWO_ITEMS, constant=constant)


def unbiased(law: Law, of: Estimator, view: View = "vector") -> Unbiased:
    """The mean of the estimate is the frequency."""
    return Unbiased(law, view, "sensitive", of, where=ONE_ITEM)


def mean(law: Law, of: Estimator, formula: Term) -> Mean:
    """The mean of the estimate."""
    return Mean(law, "vector", "sensitive", of, where=ONE_ITEM, formula=formula)


def variance(law: Law, of: Estimator, formula: Term) -> Variance:
    """The variance of the estimate, which may be biased."""
    return Variance(law, "vector", "sensitive", of, where=ONE_ITEM, formula=formula)


def mse(law: Law, of: Estimator, formula: Term, view: View = "vector") -> Mse:
    """The mean squared error of the estimate: of an unbiased one, its variance."""
    return Mse(law, view, "sensitive", of, where=ONE_ITEM, formula=formula)
