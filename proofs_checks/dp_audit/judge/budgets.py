"""Other budgets: from which on the bound is not kept, as doubles end; and whether the law is the mechanism's there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from dp_audit.judge.law import ZERO, exceeds, largest_ratio, law_row
from dp_audit.judge.question import Question
from dp_audit.observation.jobs import Job
from dp_audit.observation.target_laws import Law, TargetLaws
from dp_audit.oracles import oracle
from dp_audit.oracles.base import EVERYTHING, Oracle
from dp_audit.outcome import Row, Verdict
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item

CHECK = "larger epsilon"
BUDGETS = tuple(map(float, (10, 20, 25, 28, 30, 32, 34, 35, 36, 37, 38, 39, 40, 45, 50)))
"""The step of doubles is about e^-37."""
MANY = 600
"""Outputs on one input of a law that is looked at."""
LIMITS = {"paths": 5000, "twice": 8, "short": 16}
"""Of each law: the row is no verdict, and hidden randomness is looked for at the nominal budget."""
SECONDS = 6.0
"""Of all laws together: where they take longer, fewer budgets are looked at."""
Wrong = Literal["", "too large", "infinite", "an exception"]


@dataclass(frozen=True)
class OtherBudgets:
    """The question of the laws at other budgets: of code that is handed parameters, by the names that it has for items.

    It is asked of a mechanism with a parameter `epsilon` whose laws are known at the nominal one and are not too large.
    """

    mechanism: str
    parameters: Mapping[str, object]
    reference: Oracle
    laws: TargetLaws
    names: tuple[Item, ...]

    def job(self, handed: Mapping[str, Any]) -> Job | None:
        """What is run: laws on two inputs at budgets up to 50, as inputs (budget, item). None: it is not asked."""
        laws = self.laws
        outputs = max((len(law.entries) for law in laws.laws), default=0)
        decided = laws.complete and all(law.refused is None for law in laws.laws)
        alike = self.reference.comparison is EVERYTHING
        few = 0 < outputs <= MANY and len(self.names) > 1
        if "epsilon" not in self.parameters or not (decided and alike and few):
            return None
        pairs = tuple((budget, x) for budget in BUDGETS for x in (self.names[0], self.names[-1]))
        given = {"given": dict(handed)}
        return Job(Path("budgets.py"), "Target", given, pairs, limits=LIMITS, seconds=SECONDS, at_budgets=True)

    def rows(self, found: TargetLaws) -> list[Row]:
        """The row `larger epsilon`, and `other epsilon`, if at one of the budgets the law is not the mechanism's (of
        `ALONE`), though it is at the nominal one. A budget at which nothing is known is left out."""
        return _rows(self, {law.inputs[0]: law for law in found.laws if law.refused is None})


def _rows(asked: OtherBudgets, found: Mapping[Any, Law]) -> list[Row]:
    mechanism, parameters, laws, names = asked.mechanism, asked.parameters, asked.laws, asked.names
    known: dict[float, Wrong] = {}
    for budget in BUDGETS:
        chosen = [found[budget, x] for x in (names[0], names[-1]) if (budget, x) in found]
        if len(chosen) == 2:
            known[budget] = _wrong(chosen, mechanism, {**parameters, "epsilon": budget})
    if not known:
        return []
    ends = {x: law for law in laws.laws if (x := law.inputs[0]) in (names[0], names[-1])}
    others = {b: {x: found[b, x] for x in ends} for b in known if known[b] != "an exception"}
    deviating = _other_row(others, ends, mechanism, parameters) if asked.reference.inputs == names else None
    starts = {wrong: min((b for b in known if known[b] == wrong), default=None) for wrong in WRONG}
    parts = [f"first {wrong} at {start:g}" for wrong, start in starts.items() if start is not None]
    looked = f"{len(known)} budgets from {min(known):g} to {max(known):g}"
    detail = f"effective epsilon, of {looked}: {', '.join(parts) or 'never too large'}"
    figures = {f"first {wrong} at": f"{start:g}" for wrong, start in starts.items() if start is not None}
    row = Row(CHECK, Verdict.INFO, detail, figures)
    return [row] if deviating is None else [row, deviating]


def _other_row(
    found: Mapping[float, Mapping[Item, Law]],
    nominal: Mapping[Item, Law],
    mechanism: str,
    parameters: Mapping[str, object],
) -> Row | None:
    """The deviation at the first of the budgets at which there is one. Code that has no use for a budget, or of which
    the law is wrong anyway, is not judged."""
    own = oracle(mechanism, parameters)
    known = {x: law.by_output() for x, law in nominal.items()}
    slack = max(law.unexplored for law in nominal.values())
    right = law_row(OTHER, known, own, unexplored=slack).verdict is not Verdict.FAULT
    for budget in sorted(b for b in found if b <= FARTHEST) if right and set(parameters) <= ALONE else ():
        if all(_may_be_one(law, nominal[x]) for x, law in found[budget].items()):
            return None
        laws = {x: law.by_output() for x, law in found[budget].items()}
        unexplored = max(law.unexplored for law in found[budget].values())
        there = oracle(mechanism, {**parameters, "epsilon": budget})
        row = law_row(f"{OTHER}, {budget:g}", laws, there, unexplored=unexplored)
        if row.verdict is Verdict.FAULT:
            witness = {"for" if name == "input" else name: text for name, text in row.witness.items()}
            return replace(row, detail=f"right at the nominal epsilon; at {budget:g}: {row.detail}", witness=witness)
    return None


def _may_be_one(first: Law, second: Law) -> bool:
    """Whether two laws are the same, as far as they are known."""
    slack, laws = first.unexplored + second.unexplored, (first.by_output(), second.by_output())
    return all(abs(laws[0].get(y, ZERO) - laws[1].get(y, ZERO)) <= slack for y in {**laws[0], **laws[1]})


OTHER = "other epsilon"
FARTHEST = 20.0
"""Beyond, code may well cut off what is too small to matter."""
ALONE = {"d", "epsilon"}
"""With other parameters, code may choose one that goes with the budget."""
WRONG: tuple[Wrong, ...] = ("too large", "infinite", "an exception")


def _wrong(laws: Sequence[Law], mechanism: str, parameters: Mapping[str, object]) -> Wrong:
    """What is wrong with the privacy of two laws. Exceptions are outcomes in `privacy`; here they say it all."""
    if any(entry.raised is not None for law in laws for entry in law.entries):
        return "an exception"
    ratio, _ = largest_ratio(dict(enumerate(law.by_output() for law in laws)))
    if ratio is None:
        return "infinite"
    try:
        return "too large" if exceeds(ratio, oracle(mechanism, parameters)) else ""
    except DomainError:  # other parameters do not go with this budget
        return ""


QUESTIONS = (
    Question(
        "larger-epsilon",
        "from which one on is the bound not kept?",
        "`larger epsilon`",
        "From which budget on (up to 50) is the effective ε too large, or infinite, because doubles end?",
        needs="enumerated laws at other budgets",
        unasked="asked of a mechanism with a parameter `epsilon` whose laws are known and have at most 600 outputs",
        hint="draw with integers or rational numbers, which have no smallest probability",
    ),
    Question(
        "other-epsilon",
        "is the law the mechanism's at larger budgets, too?",
        "`other epsilon, ...`",
        "Where the mechanism has no parameter but d and ε: is the law the mechanism's at ε = 10 and 20, too?",
        needs="enumerated laws at other budgets",
        unasked="said only where the law is another one",
        hint="compute all probabilities from the budget that is given, in one way for all budgets",
    ),
)
