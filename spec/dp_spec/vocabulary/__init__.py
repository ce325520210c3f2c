"""The vocabulary of the field: numbers, terms, budgets, tables, channels, definitions, statements, claims."""

from dp_spec.vocabulary.budget import Budget, every_budget, high_precision_budget, rational_budget, real_budget
from dp_spec.vocabulary.claim import Claim, Unchecked
from dp_spec.vocabulary.definitions import (
    Witness,
    emission_violation,
    ldp_violation,
    smallest_constant,
    suldp_violation,
    uldp_inversion_violation,
    uldp_protection_violation,
)
from dp_spec.vocabulary.estimation import Counting
from dp_spec.vocabulary.exceptions import DomainError, NotExactError, NotStochasticError, UndecidedError
from dp_spec.vocabulary.items import Item, ItemDomain, Report
from dp_spec.vocabulary.law import Estimator, Law
from dp_spec.vocabulary.ratfunc import RationalFunction, RationalFunctionField
from dp_spec.vocabulary.scalar import Ordering, Scalar, compare
from dp_spec.vocabulary.source import Author, Source, sources
from dp_spec.vocabulary.table import Channel, RatioMaximum, Table, ratio_maximum
from dp_spec.vocabulary.term import Term, var

__all__ = [
    "Author",
    "Budget",
    "Channel",
    "Claim",
    "Counting",
    "DomainError",
    "Estimator",
    "Item",
    "ItemDomain",
    "Law",
    "NotExactError",
    "NotStochasticError",
    "Ordering",
    "RatioMaximum",
    "RationalFunction",
    "RationalFunctionField",
    "Report",
    "Scalar",
    "Source",
    "Table",
    "Term",
    "Unchecked",
    "UndecidedError",
    "Witness",
    "compare",
    "emission_violation",
    "every_budget",
    "high_precision_budget",
    "ldp_violation",
    "ratio_maximum",
    "rational_budget",
    "real_budget",
    "smallest_constant",
    "sources",
    "suldp_violation",
    "uldp_inversion_violation",
    "uldp_protection_violation",
    "var",
]
