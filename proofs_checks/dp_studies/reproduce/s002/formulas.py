"""The five mechanisms of source 002, section 5: laws, estimators, and formulas of their errors with their claims."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, get_args

from flint import arb

from dp_checks.ledger import LedgerError, load_ledger
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.law import Estimator, Law
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.statement import Mse
from dp_spec.vocabulary.term import Term
from dp_studies.comparisons.budget.constants import formal_of
from dp_studies.comparisons.budget.equal_privacy import ERRORS, Kind
from dp_studies.reproduce.numbers import BITS
from dp_studies.reproduce.s002.settings import Setting

KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Error:
    """The error of one item: estimator, exact formula with the claim that states it, and the formula as printed."""

    estimator: Estimator
    formula: Term
    claim: str
    printed: Term | None = None
    printed_claim: str = ""


@dataclass(frozen=True)
class Mechanism:
    """A mechanism by its name: law, reading, and the errors of sensitive and non-sensitive items."""

    name: str
    law: Law
    reading: str
    errors: Mapping[Kind, Error]

    def root(self, setting: Setting, budget: Budget[arb]) -> arb:
        """The number in which the law and the formulas are written: a power of it is e^epsilon."""
        with precision(BITS):
            return arb(budget.split(int(self.law.power.evaluate({"m": setting.m}))).exp())

    def values(self, setting: Setting, budget: Budget[arb]) -> dict[str, Any]:
        """What the variables of the terms stand for."""
        root = self.root(setting, budget)
        return {self.law.base: root, "m": setting.m, "K": setting.K, "N": setting.N, "n": setting.n}


def evaluate(formula: Term, values: Mapping[str, Any]) -> arb:
    """A term in balls."""
    with precision(BITS):
        return arb(formula.evaluate(values))


def items(setting: Setting, kind: Kind) -> int:
    """K or N."""
    return setting.K if kind == "sensitive" else setting.N


def total(formula: Term, kind: Kind, setting: Setting, values: Mapping[str, Any], held: int | None = None) -> arb:
    """The sum over X_sen, or X_non, of an error that is affine in f, when `held` of the n m held items are of the kind.

    Without `held`: f_x = m / d for every item.
    """
    size = items(setting, kind)
    if size == 0:
        return arb(0)
    with precision(BITS):
        f = arb(setting.m) / setting.d if held is None else arb(held) / (setting.n * size)
        return size * evaluate(formula, {**values, "f": f})


@cache
def verdict(claim: str) -> str:
    """The committed verdict of a claim ("not in the ledger" where it has none)."""
    try:
        ledger = load_ledger()
    except LedgerError:
        return "no ledger"
    return ledger[claim].verdict if claim in ledger else "not in the ledger"


def _mse(claim: str) -> Mse:
    formal = formal_of(claim)
    assert isinstance(formal, Mse)
    return formal


def _error(claim: str) -> Error:
    """As a claim states it; as printed, where the claim corrects another one."""
    exact, printed_claim = _mse(claim), claim.removesuffix(".corrected")
    assert exact.formula is not None
    if printed_claim == claim:
        return Error(exact.estimator, exact.formula, claim)
    return Error(exact.estimator, exact.formula, claim, _mse(printed_claim).formula, printed_claim)


_READINGS = {
    "SuGRR": "multiset",
    "SuGRRSample": "one drawn item",
    "SuRAP": "sen",
    "SuRAPSample": "sen",
    "SuWheel": "ideal hashing",
}
MECHANISMS: Mapping[str, Mechanism] = {
    name: Mechanism(name, _mse(of["sensitive"]).law, _READINGS[name], {kind: _error(of[kind]) for kind in KINDS})
    for name, of in ERRORS.items()
}
