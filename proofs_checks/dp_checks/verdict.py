"""Verdicts and the evidence they carry."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

Verdict = Literal["proved", "verified", "conditional", "refuted", "ill_posed", "unchecked"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


WEAKEST_FIRST: tuple[Verdict, ...] = ("ill_posed", "unchecked", "conditional", "verified", "proved")


class InternalDisagreementError(RuntimeError):
    """Two derivations of the project contradict each other: a defect of the project, never a verdict."""


@dataclass(frozen=True)
class Evidence:
    """What a verdict rests on: kind and scope in words, and the data the kernel re-checks."""

    kind: str
    scope: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """The verdict on one formal statement, the records of the ties of its laws, as certificates carry them, and the
    cards (theorems taken on trust) that its evidence applies."""

    verdict: Verdict
    evidence: Evidence
    ties: tuple[Mapping[str, Any], ...] = ()
    cards: tuple[str, ...] = ()


def combined(verdicts: Mapping[str, Verdict], combine: Literal["alternatives", "parts"]) -> Verdict:
    """The computed verdict of a row with readings.

    Parts: one refuted part refutes, else the weakest part. Alternatives: some hold and some are refuted or ill-posed:
    conditional, whatever the undecided ones are; all alike is that (proved with verified: verified); else unchecked.
    """
    distinct = set(verdicts.values())
    if combine == "parts":
        if "refuted" in distinct:
            return "refuted"
        return next(v for v in WEAKEST_FIRST if v in distinct)
    if distinct & {"proved", "verified"} and distinct & {"refuted", "ill_posed"}:
        return "conditional"
    if distinct == {"proved", "verified"}:
        return "verified"
    return distinct.pop() if len(distinct) == 1 else "unchecked"
