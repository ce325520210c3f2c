"""Is the law of code that is right at the nominal budget the mechanism's at larger ones, too?"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from dp_audit.judge.law import ZERO, law_row
from dp_audit.judge.plan import OTHER_LAWS
from dp_audit.judge.question import Question
from dp_audit.observation.jobs import LawsRequest
from dp_audit.observation.target_laws import Law, TargetLaws
from dp_audit.oracles import oracle
from dp_audit.oracles.base import EVERYTHING, Oracle
from dp_audit.outcome import Row, Verdict
from dp_spec.vocabulary.items import Item

CHECK = "other epsilon"
BUDGETS = (10.0, 20.0)
"""Beyond, code may well cut off what is too small to matter."""
MANY = 600
"""Outputs on one input of a law that is looked at."""
LIMITS = {"paths": 5000, "twice": 8, "short": 16}
"""Of each law: hidden randomness is looked for at the nominal budget."""
SECONDS = 6.0
"""Of all laws together: where they take longer, fewer budgets are looked at."""
ALONE = {"d", "epsilon"}
"""With other parameters, code may choose one that goes with the budget."""


@dataclass(frozen=True)
class OtherBudgets:
    """The question of the laws at other budgets: of code that is handed parameters, by the names that it has for items.

    It is asked of a mechanism with no parameter but d and epsilon whose laws at the nominal one are right and small.
    """

    mechanism: str
    parameters: Mapping[str, object]
    reference: Oracle
    laws: TargetLaws
    names: tuple[Item, ...]

    @property
    def request(self) -> LawsRequest | None:
        """The laws on two inputs at each budget; None where the question is not asked."""
        laws, budgets = self.laws.laws, self.parameters.keys()
        decided = self.laws.complete and all(law.refused is None for law in laws)
        few = bool(laws) and 0 < max(len(law.entries) for law in laws) <= MANY and len(self.names) > 1
        alike = self.reference.comparison is EVERYTHING and self.reference.inputs == self.names
        if not ("epsilon" in budgets and budgets <= ALONE and decided and few and alike):
            return None
        own = {x: law.by_output() for x, law in self._nominal.items()}
        slack = max(law.unexplored for law in self._nominal.values())
        if law_row(CHECK, own, self.reference, unexplored=slack).verdict is Verdict.FAULT:
            return None
        return LawsRequest(tuple((budget, x) for budget in BUDGETS for x in self._nominal), LIMITS, SECONDS)

    @property
    def _nominal(self) -> dict[Item, Law]:
        return {law.inputs[0]: law for law in self.laws.laws if law.inputs[0] in (self.names[0], self.names[-1])}

    def rows(self, target: TargetLaws) -> list[Row]:
        """Return the row of the first budget at which the law is not the mechanism's, if there is one.

        A budget at which nothing is known is left out; code that has no use for a budget is not judged.
        """
        law_of: dict[Any, Law] = {law.inputs[0]: law for law in target.laws if law.refused is None}
        for budget in BUDGETS:
            laws = {x: law_of[budget, x] for x in self._nominal if (budget, x) in law_of}
            raised = any(entry.raised is not None for law in laws.values() for entry in law.entries)
            if raised or len(laws) < len(self._nominal):
                continue
            if all(_may_be_one(law, self._nominal[x]) for x, law in laws.items()):
                break
            by_output = {x: law.by_output() for x, law in laws.items()}
            there = oracle(self.mechanism, {**self.parameters, "epsilon": budget})
            unexplored = max(law.unexplored for law in laws.values())
            row = law_row(f"{CHECK}, {budget:g}", by_output, there, unexplored=unexplored)
            if row.verdict is Verdict.FAULT:
                witness = {"for" if name == "input" else name: text for name, text in row.witness.items()}
                detail = f"right at the nominal epsilon; at {budget:g}: {row.detail}"
                return [replace(row, detail=detail, witness=witness)]
        return []


def _may_be_one(first: Law, second: Law) -> bool:
    """Return whether two laws are the same, as far as they are known."""
    slack, laws = first.unexplored + second.unexplored, (first.by_output(), second.by_output())
    return all(abs(laws[0].get(y, ZERO) - laws[1].get(y, ZERO)) <= slack for y in {**laws[0], **laws[1]})


QUESTIONS = (
    Question(
        "other-epsilon",
        "is the law the mechanism's at larger budgets, too?",
        rows="`other epsilon, ...`",
        meaning="Where the mechanism has no parameter but d and ε: is the law the mechanism's at ε = 10 and 20, too?",
        needs=(OTHER_LAWS,),
        unasked="said only where the law is another one",
        hint="compute all probabilities from the budget that is given, in one way for all budgets",
    ),
)
