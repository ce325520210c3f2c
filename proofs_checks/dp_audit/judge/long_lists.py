"""Estimates in an unmodified run, of long lists and after a parameter was set; what was set is seen in reports, too."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from flint import fmpq

from dp_audit.exact_numbers import PRECISIONS, Deviation, absolute, ends, figure, judge, largest, short
from dp_audit.judge.examination import SHARES, Examination, surprised, wrong_row
from dp_audit.judge.plan import MANY, UPDATED
from dp_audit.judge.question import Question
from dp_audit.judge.rare_counts import Counts
from dp_audit.observation.exact_json import number
from dp_audit.observation.values import show
from dp_audit.oracles.base import Number, Oracle
from dp_audit.oracles.post_processing import Normalized
from dp_audit.outcome import TOLERANCE, Row, Verdict
from dp_spec.vocabulary.exceptions import FormatError
from dp_spec.vocabulary.precision import precision


def many_rows(examination: Examination, check: str = "many reports") -> Iterator[Row]:
    """Yield the row `many reports`: whether the estimates of long lists, and of a server that is asked again and again,
    are those of the specified estimator."""
    lists = [each for each in examination.run.many if all(map(examination.observation.possible, each.codes))]
    if not lists:
        return
    worst: list[tuple[Deviation, Verdict]] = []
    looked_at = set[int]()
    for each in lists:
        reports = [examination.run.reports[c] for c in each.codes]
        cycle = [reports[i % len(reports)] for i in range(each.size)]
        if not _is_stable(examination.oracle, cycle):
            continue
        try:
            judgment = _estimated(examination, cycle, each.estimates, each.raised)
        except _NoEstimates as error:
            witness = {"reports": f"{each.size}, in turn {show(tuple(reports[:12]))}"}
            yield Row(check, Verdict.FAULT, f"{error}, for {each.size} reports", {}, witness)
            return
        if judgment is None:
            return
        if each.asked:
            judgment[0].witness["asked for estimates"] = "after every report"
        if each.shown:
            texts = ", ".join(each.shown[i % len(reports)] for i in range(each.size))
            judgment[0].witness["reports"] = f"[{texts}]"
        looked_at.add(each.size)
        worst.append(judgment)
    if not worst:
        return
    deviation, verdict = max(worst, key=lambda pair: (list(Verdict).index(pair[1]), ends(pair[0].size)[1]))
    sizes = ", ".join(map(str, sorted(looked_at)))
    detail = f"largest deviation {short(deviation.size)} ({examination.unit}) for {sizes} reports"
    witness = deviation.witness if verdict is Verdict.FAULT else {}
    yield Row(check, verdict, detail, {"largest deviation": figure(deviation.size)}, witness)


STABLE = fmpq(1, 2**8)
"""Numbers that are normalized have at least this sum, or are as much below 0: what is less, rounding may decide."""


def _is_stable(oracle: Oracle, reports: Sequence[Hashable]) -> bool:
    """Return whether rounding errors stay small in estimates that are clipped at 0 and normalized."""
    if type(oracle) is not Normalized:
        return True
    with precision(PRECISIONS[0]):
        raw = [ends(value) for value in oracle.mechanism.estimate(reports) or ()]
    place = 0
    for size in oracle.groups:
        group = raw[place : place + size]
        place += size
        if sum((max(fmpq(0), low) for low, _ in group), fmpq(0)) < STABLE and any(high > -STABLE for _, high in group):
            return False
    return True


class _NoEstimates(Exception):
    """The server gave no estimates that could be compared."""


def _estimated(
    examination: Examination, reports: Sequence[Hashable], estimates: Sequence[object], said: str
) -> tuple[Deviation, Verdict] | None:
    """Return the largest deviation from the specified estimator, if there is one."""
    if said:
        raise _NoEstimates(f"the server raises {said}")
    size = len(reports)
    factor = size if examination.unit == "counts" else 1
    with precision(PRECISIONS[0]):
        specified = examination.oracle.estimate(reports)
    if specified is None:
        return None
    if len(specified) != len(estimates):
        raise _NoEstimates(f"{len(estimates)} numbers instead of {len(specified)}")
    try:
        numbers = [number("estimate", value) for value in estimates]
    except FormatError as error:
        raise _NoEstimates(str(error)) from None
    scale = max([fmpq(1), *(ends(absolute(value))[1] for value in specified)])
    tolerance = (TOLERANCE * scale + size * ADDITION * _largest(examination, reports)) * factor

    def deviations() -> Deviation:
        reference = examination.oracle.estimate(reports)
        assert reference is not None
        by_estimand = []
        for j, (a, b) in enumerate(zip(numbers, reference, strict=True)):
            scaled: Number = b * factor
            witness = {"number of reports": str(size), "estimand": str(j), "target": short(a), "oracle": short(scaled)}
            by_estimand.append(Deviation(absolute(a - scaled), witness))
        return largest(by_estimand)

    return judge(deviations, lambda deviation: deviation.size, tolerance)


ADDITION = fmpq(1, 2**50)
"""What an addition of doubles may lose, of a sum that has at most the number of reports times their largest estimate;
with some to spare."""


def _largest(examination: Examination, reports: Sequence[Hashable]) -> fmpq:
    """Return the largest estimate of one of these reports alone, at least 1."""
    with precision(PRECISIONS[0]):
        return max(map(examination.alone, reports))


def updated_rows(examination: Examination) -> Iterator[Row]:
    """Yield the rows `update, ...`: whether after a method that sets a parameter everything is as if made with it."""
    for how in dict.fromkeys(each.how for each in examination.run.updated):
        yield _updated_row(examination, how)


def _updated_row(examination: Examination, how: str) -> Row:
    check, observation = f"update, {how}", examination.observation
    mine = [each for each in examination.run.updated if each.how == how]
    drawn = [each for each in mine if each.item >= 0]
    if drawn:
        items = np.array([each.item for each in drawn for _ in each.codes], np.int64)
        codes = np.array([code for each in drawn for code in each.codes], np.int64)
        wrong = wrong_row(check, observation, items, codes)
        if wrong is not None:
            return replace(wrong, witness={k: v for k, v in wrong.witness.items() if k != "input"})
        counts = Counts(SHARES["updated"] / 8)
        for event in observation.events:
            names = [f"{event.name} on input {show(x)}" for x in observation.inputs]
            counts.add(names.__getitem__, items, event.holds[codes], items, event.chances)
        surprise = counts.worst()
        if surprise is not None:
            row = surprised(check, surprise)
            return replace(row, detail=f"reports are not those of the parameter that was set: {row.detail}")
    for each in mine:
        if each.item < 0:
            reports = [examination.run.reports[code] for code in each.codes]
            if not all(map(observation.possible, each.codes)):
                continue
            try:
                estimated = _estimated(examination, reports, each.estimates, each.raised)
            except _NoEstimates as error:
                return Row(check, Verdict.FAULT, f"{error}, after the update")
            if estimated is not None and estimated[1] is Verdict.FAULT:
                detail = f"estimates are not those of the parameter that was set: off by {short(estimated[0].size)}"
                return Row(check, Verdict.FAULT, detail, {}, estimated[0].witness)
    return Row(check, Verdict.INFO, "as if it had been made with this parameter, as far as was seen")


QUESTIONS = (
    Question(
        "many-reports",
        "are the estimates of long lists those of the mechanism?",
        meaning=(
            "The estimator on 130, 300 and 70,000 reports, and asked after each of 24: overflow, lost reports, "
            "wrong divisors, batches that are counted again. (Normalized estimates whose sum is near 0 are left "
            "out: rounding decides them.)"
        ),
        needs=(MANY,),
        unasked="asked where there is a server whose estimator is right",
        hint="count reports in integers that do not overflow, and divide by their number",
        order=60,
        of_run=many_rows,
    ),
    Question(
        "update",
        "after a parameter is set, is all as if it had been made with it?",
        rows="`update, ...`",
        meaning=(
            "(Adapter, client and server.) After a method (also one that takes any name, if the object then says "
            "that it has the new value) or property that sets a parameter: is all as if it had been made with it?"
        ),
        needs=(UPDATED,),
        unasked="asked where a parameter can be set",
        hint="compute what is derived from a parameter again when it is set",
        order=70,
        of_run=updated_rows,
    ),
)
