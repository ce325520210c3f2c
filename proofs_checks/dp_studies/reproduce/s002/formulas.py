"""The five mechanisms of source 002, section 5: laws, estimators, and formulas of their errors with their claims."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from flint import arb, ctx

from dp_checks.ledger import LedgerError, load_ledger
from dp_spec.frequency import sugrr, surap, wheel
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.law import Estimator, Law
from dp_spec.vocabulary.term import Term
from dp_studies.reproduce.numbers import BITS
from dp_studies.reproduce.s002.settings import Setting

Kind = Literal["sensitive", "nonsensitive"]
KINDS: tuple[Kind, ...] = ("sensitive", "nonsensitive")


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
        with ctx.workprec(BITS):
            return arb(budget.split(int(self.law.power.evaluate({"m": setting.m}))).exp())

    def values(self, setting: Setting, budget: Budget[arb]) -> dict[str, Any]:
        """What the variables of the terms stand for."""
        root = self.root(setting, budget)
        return {self.law.base: root, "m": setting.m, "K": setting.K, "N": setting.N, "n": setting.n}


def evaluate(formula: Term, values: Mapping[str, Any]) -> arb:
    """A term in balls."""
    with ctx.workprec(BITS):
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
    with ctx.workprec(BITS):
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


MECHANISMS: Mapping[str, Mechanism] = {
    mechanism.name: mechanism
    for mechanism in (
        Mechanism(
            "SuGRR",
            sugrr.SUGRR,
            "multiset",
            {
                "sensitive": Error(sugrr.SUGRR_SENSITIVE, sugrr.EQ16_SENSITIVE, "002.thm3.eq16.sens@multiset"),
                "nonsensitive": Error(sugrr.SUGRR_NONSENSITIVE, sugrr.EQ16_NONSENSITIVE, "002.thm3.eq16.non@multiset"),
            },
        ),
        Mechanism(
            "SuGRRSample",
            sugrr.SUGRR_SAMPLE,
            "one drawn item",
            {
                "sensitive": Error(
                    sugrr.SAMPLE_SENSITIVE,
                    sugrr.EQ17_SENSITIVE_CORRECTED,
                    "002.thm3.eq17.sens@fixed-data.corrected",
                    sugrr.EQ17_SENSITIVE,
                    "002.thm3.eq17.sens@fixed-data",
                ),
                "nonsensitive": Error(
                    sugrr.SAMPLE_NONSENSITIVE,
                    sugrr.EQ17_NONSENSITIVE_CORRECTED,
                    "002.thm3.eq17.non@fixed-data.corrected",
                    sugrr.EQ17_NONSENSITIVE,
                    "002.thm3.eq17.non@fixed-data",
                ),
            },
        ),
        Mechanism(
            "SuRAP",
            surap.SURAP,
            "sen",
            {
                "sensitive": Error(surap.SURAP_SENSITIVE, surap.EQ21_SENSITIVE, "002.thm6.eq21.sens@fixed-data"),
                "nonsensitive": Error(
                    surap.SURAP_NONSENSITIVE, surap.EQ21_NONSENSITIVE, "002.thm6.eq21.non@fixed-data"
                ),
            },
        ),
        Mechanism(
            "SuRAPSample",
            surap.SURAP_SAMPLE,
            "sen",
            {
                "sensitive": Error(
                    surap.SAMPLE_SENSITIVE,
                    surap.EQ22_SENSITIVE_CORRECTED,
                    "002.thm6.eq22.sens@fixed-data.corrected",
                    surap.EQ22_SENSITIVE,
                    "002.thm6.eq22.sens@fixed-data",
                ),
                "nonsensitive": Error(
                    surap.SAMPLE_NONSENSITIVE,
                    surap.EQ22_NONSENSITIVE_CORRECTED,
                    "002.thm6.eq22.non@fixed-data.corrected",
                    surap.EQ22_NONSENSITIVE,
                    "002.thm6.eq22.non@fixed-data",
                ),
            },
        ),
        Mechanism(
            "SuWheel",
            wheel.SUWHEEL,
            "ideal hashing",
            {
                "sensitive": Error(wheel.SENSITIVE, wheel.VARIANCE, "002.thm9.proof.var@ideal"),
                "nonsensitive": Error(wheel.NONSENSITIVE, wheel.EQ25_NONSENSITIVE, "002.thm9.eq25.non@fixed-data"),
            },
        ),
    )
}
