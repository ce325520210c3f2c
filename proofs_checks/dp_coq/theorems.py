"""Certificates as theorems: which parts the verified checker accepts, and what Coq says their proofs assume."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from dp_coq import evidence, statements
from dp_coq.compiler import Compiler, ProofError
from dp_coq.expressions import Outside
from dp_coq.parts import Part, parts

SIZE = 40
"""Parts in a generated file."""
HEAD = """From Coq Require Import List QArith ZArith.
From DP Require Import meaning.Expressions meaning.Domains meaning.Formulas meaning.Bounds.
From DP Require Import meaning.Sentences meaning.Implications meaning.Laws meaning.Moments meaning.Errors.
From DP Require Import meaning.Tables meaning.Exponentials meaning.Statements.
From DP Require Import checker.Steps checker.Sums checker.Lemmas checker.Trees checker.DataSets checker.Check.
Import ListNotations.
Open Scope list_scope.
"""
T = TypeVar("T")
ASSUMED = re.compile(r"^([A-Za-z_][\w.']*) *(?::|$)", re.MULTILINE)


@dataclass(frozen=True)
class Goal:
    """A part of a claim in Coq: its statement, and evidence for it or against it."""

    claim: str
    place: tuple[int, ...]
    statement: str
    evidence: str
    refutes: bool

    @property
    def name(self) -> str:
        """The name of the theorem."""
        return "_".join([re.sub(r"\W", "_", f"claim_{self.claim}"), *map(str, self.place)])

    @property
    def question(self) -> str:
        """What the checker answers `true` or `false` to."""
        return f"{'refute' if self.refutes else 'check'} {self.statement} {self.evidence}"

    @property
    def theorem(self) -> str:
        """Checked once, when the proof is closed."""
        says, rule = ("fails", "refute_sound") if self.refutes else ("holds", "check_sound")
        return (
            f"Theorem {self.name} : {says} {self.statement}.\n"
            f"Proof. apply ({rule} _ {self.evidence}). vm_cast_no_check (eq_refl true). Qed.\n"
        )


def goal(claim: str, part: Part) -> Goal:
    """A part in Coq. Raises `Outside` for what is not covered."""
    if part.verdict not in ("proved", "refuted"):
        raise Outside(part.verdict)
    statement = statements.statement(part.statement)
    refutes = part.verdict == "refuted"
    translated = evidence.counterexample if refutes else evidence.derivation
    return Goal(claim, part.place, statement, translated(part.statement, part.evidence), refutes)


def goals(certificate: Any) -> Iterator[tuple[Part, Goal | str]]:
    """Every part of a certificate, with its goal, or with why there is none."""
    for part in parts(certificate["statement"], certificate["verdict"], certificate["evidence"]):
        try:
            yield part, goal(certificate["id"], part)
        except Outside as reason:
            yield part, str(reason)


def in_files(items: Sequence[T]) -> list[Sequence[T]]:
    return [items[start : start + SIZE] for start in range(0, len(items), SIZE)]


def decided(compiler: Compiler, asked: Sequence[Goal]) -> list[bool]:
    """The checker's answers."""
    files = [f"{HEAD}Eval vm_compute in [{'; '.join(each.question for each in some)}].\n" for some in in_files(asked)]
    answers = [word == "true" for text in compiler.answers(files) for word in re.findall(r"\b(?:true|false)\b", text)]
    if len(answers) != len(asked):
        raise ProofError(f"Coq answers {len(answers)} of {len(asked)} questions")
    return answers


def assumed(compiler: Compiler, proved: Sequence[Goal]) -> set[str]:
    """Every goal as a theorem, accepted by Coq's kernel: the axioms that their proofs rest on."""
    answers = compiler.answers([_proofs(some) for some in in_files(proved)])
    return {name for text in answers for name in ASSUMED.findall(text.partition("Axioms:")[2])}


def _proofs(proved: Sequence[Goal]) -> str:
    together = ", ".join(each.name for each in proved)
    return (
        f"{HEAD}{''.join(each.theorem for each in proved)}Definition all := ({together}, tt).\nPrint Assumptions all.\n"
    )
