"""The row `reused client`: are the reports of one client independent, or do they keep what the mechanism keeps?"""

from collections.abc import Hashable, Mapping, Sequence
from itertools import product
from math import prod

from flint import fmpq

from dp_audit.audits import TOLERANCE, Row, Verdict
from dp_audit.exact.answered import Law, TargetLaws
from dp_audit.exact.laws import ZERO
from dp_audit.exact.target import TURNS
from dp_audit.figures import Deviation, absolute, figure, judge, largest, short, show
from dp_audit.oracles.base import Oracle
from dp_audit.oracles.longitudinal import Memoized
from dp_audit.oracles.postprocessed import Normalized
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import Ordering, compare


def reuse_rows(target: TargetLaws, oracle: Oracle) -> list[Row]:
    """One client used in turn must give independent reports with the same laws, unless the mechanism memoizes."""
    single = {law.inputs[0]: _split(law) for law in reversed(target.laws) if law.refused is None}
    refused = next((law.refused for law in target.reuse if law.refused is not None), None)
    if refused is not None:
        return [Row("reused client", Verdict.UNDECIDED, refused.message)]
    turns = [law for law in target.reuse if all(x in single for x in law.inputs)]
    if not turns:
        return []
    slack = max(law.slack for law in (*target.laws, *turns))
    dependent = next((found for law in turns if (found := _dependence(law, single, slack)) is not None), None)
    mechanism = oracle.mechanism if isinstance(oracle, Normalized) else oracle
    if isinstance(mechanism, Memoized):
        raises = any(compare(p, TOLERANCE) is Ordering.GREATER for law in turns for p in _split(law)[1].values())
        return [] if raises else [_memory_row(turns, mechanism, dependent is None, slack)]  # its law has no exceptions
    if dependent is not None:
        return [Row("reused client", Verdict.FAULT, "reports of one client are not independent", {}, dependent)]
    checked = sum(prod(len(single[x][0]) for x in law.inputs) for law in turns)
    if not checked:
        return []  # nothing but exceptions
    detail = f"{checked} joint probabilities of two turns are exactly the products"
    verdict = Verdict.CONFORMS
    if slack:
        few = compare(slack, TOLERANCE) is not Ordering.GREATER
        verdict = Verdict.ROUNDING if few else Verdict.CONSISTENT
        detail = (
            f"joint probabilities of two turns are the products, as far as they were explored: up to {short(slack)}"
        )
    given = {x for law in turns for x in law.inputs}
    if len(given) < len(single) and len(single) > TURNS:
        verdict = max(verdict, Verdict.CONSISTENT, key=list(Verdict).index)
        detail += f"; for {len(given)} of {len(single)} inputs"
    return [Row("reused client", verdict, detail)]


_Outcomes = tuple[Mapping[Hashable, fmpq], Mapping[Hashable, fmpq]]
"""The probabilities of the reports, and those of the types of exceptions."""


def _split(law: Law) -> _Outcomes:
    found = dict[Hashable, fmpq](), dict[Hashable, fmpq]()
    for entry in law.entries:
        key = entry.output if entry.raised is None else entry.raised.split(":")[0]
        some = found[entry.raised is not None]
        some[key] = some.get(key, ZERO) + entry.probability
    return found


def _dependence(law: Law, single: Mapping[Item, _Outcomes], slack: fmpq) -> dict[str, str] | None:
    """Reports of one client whose joint probability is not the product, if there are any; an exception ends the list,
    which has then its probability after all reports of the turns before.

    With `slack`, every probability is at least what is stated and at most so much more.
    """
    joint, raised = _split(law)
    few = compare(slack, TOLERANCE) is not Ordering.GREATER
    for outputs in product(*(single[x][0] for x in law.inputs)) if few else joint:
        expected = most = fmpq(1)
        assert isinstance(outputs, tuple)
        for x, y in zip(law.inputs, outputs, strict=True):
            p = single[x][0].get(y, ZERO)
            expected, most = expected * p, most * (p + slack)
        found = joint.get(outputs, ZERO)
        if found > most or found + slack < expected:
            figures = {"joint": str(found), "product": str(expected)}
            return {"inputs": show(law.inputs), "outputs": show(outputs), **figures}
    for name in sorted({*map(str, raised), *(str(name) for x in law.inputs for name in single[x][1])}):
        expected, most, before, before_most = ZERO, ZERO, fmpq(1), fmpq(1)
        for x in law.inputs:
            p = single[x][1].get(name, ZERO)
            expected, most = expected + before * p, most + before_most * (p + slack)
            answered = sum(single[x][0].values(), ZERO)
            before, before_most = before * answered, before_most * (answered + slack)
        found = raised.get(name, ZERO)
        if found > most or found + slack < expected:
            figures = {"joint": str(found), "of single reports": str(expected)}
            return {"inputs": show(law.inputs), "raised": name, **figures}
    return None


def _memory_row(turns: Sequence[Law], oracle: Memoized, independent: bool, slack: fmpq) -> Row:
    """A mechanism that keeps its first round per value: the joint law of reports is its own.

    With `slack`, every probability is at least what is stated and at most so much more.
    """

    def deviations() -> Deviation:
        found: list[Deviation] = []
        for law in turns:
            theirs, ours = law.by_output(), oracle.joint_law(law.inputs)
            for y in {**ours, **theirs}:
                a, b = theirs.get(y, ZERO), ours.get(y, ZERO)
                witness = {"inputs": show(law.inputs), "outputs": show(y), "joint": str(a), "oracle": short(b)}
                beyond = absolute(a + slack / 2 - b) - slack / 2
                inside = slack and compare(beyond, 0) is not Ordering.GREATER
                found.append(Deviation(ZERO if inside else beyond, witness))
        return largest(found)

    worst, verdict = judge(deviations, lambda deviation: deviation.size)
    figures = {"largest deviation of a joint probability": figure(worst.size)}
    if slack and verdict is not Verdict.FAULT:
        few = compare(slack, TOLERANCE) is not Ordering.GREATER
        known = f"as far as they were explored: up to {short(slack)}"
        detail = f"joint probabilities of two reports are the mechanism's, {known}"
        return Row("reused client", Verdict.ROUNDING if few else Verdict.CONSISTENT, detail, figures)
    if verdict is Verdict.FAULT and independent:
        detail = "nothing is kept between reports on one value: eps_perm does not bound what several reports reveal"
        return Row("reused client", Verdict.WARNING, detail, figures, worst.witness)
    detail = f"largest deviation of a joint probability of two reports {short(worst.size)}"
    return Row("reused client", verdict, detail, figures, worst.witness)
