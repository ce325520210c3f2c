"""Certificates as theorems: which parts the verified checker accepts, and what Coq says their proofs assume."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

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
From DP Require Import checker.Readings checker.Vectors checker.Factors checker.Ratios checker.Smallest.
From DP Require Import checker.Steps checker.Sums checker.Lemmas checker.Trees checker.DataSets checker.Check.
Import ListNotations.
Open Scope list_scope.
"""
PROOF = "first [apply Some; abstract (vm_cast_no_check (eq_refl true)) | exact None]."
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

    def theorem(self, name: str) -> str:
        """A proof, or `None` where the checker does not accept the evidence. Coq's kernel runs the checker, once."""
        says, rule = ("fails", "refute_sound") if self.refutes else ("holds", "check_sound")
        return (
            f"Definition {name} : option ({says} {self.statement}).\n"
            f"Proof. apply (option_map ({rule} _ {self.evidence})).\n"
            f"{PROOF} Defined.\n"
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


def decided(compiler: Compiler, asked: Sequence[Goal]) -> tuple[list[bool], set[str]]:
    """Whether each goal is a theorem, and the axioms that these theorems and the proof of the checker rest on."""
    texts = compiler.answers([_file(asked[start : start + SIZE]) for start in range(0, len(asked), SIZE)])
    said = [text.partition("Axioms:") for text in texts]
    answers = [word == "true" for before, _, _ in said for word in re.findall(r"\b(?:true|false)\b", before)]
    if len(answers) != len(asked):
        raise ProofError(f"Coq answers {len(answers)} of {len(asked)} questions")
    return answers, {name for _, _, after in said for name in ASSUMED.findall(after)}


def _file(asked: Sequence[Goal]) -> str:
    names = [f"theorem_{number}" for number in range(len(asked))]
    proofs = "".join(goal.theorem(name) for name, goal in zip(names, asked, strict=True))
    answers = "; ".join(f"if {name} then true else false" for name in names)
    return f"{HEAD}{proofs}Definition answers := [{answers}].\nEval lazy in answers.\nPrint Assumptions answers.\n"
