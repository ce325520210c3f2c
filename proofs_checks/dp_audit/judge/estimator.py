"""Rows about the server: its estimates, their expectation and variance over the exact report law, kept state."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement
from math import prod
from typing import Literal

from flint import fmpq, fmpq_mat

from dp_audit.exact_numbers import PRECISIONS, Deviation, absolute, ends, figure, judge, short, worst
from dp_audit.judge.plan import CONDITIONS, ESTIMATES, LAWS, MANY
from dp_audit.judge.question import Question
from dp_audit.observation.findings import MalformedAnswer, TargetRaised
from dp_audit.observation.reproduction import with_numpy
from dp_audit.observation.target_laws import Estimate, Law, TargetLaws
from dp_audit.observation.values import show
from dp_audit.oracles.base import Number, Oracle, exact_sum
from dp_audit.outcome import TOLERANCE, Row, Verdict
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare

Unit = Literal["counts", "frequencies"]
Moments = dict[tuple[Item, ...], tuple[tuple[fmpq, ...], tuple[fmpq, ...]]]
"""For every data set: exact expectations and variances of the estimates of all items."""


def estimate_rows(target: TargetLaws, oracle: Oracle, unit: Unit) -> list[Row]:
    """Return all rows about the estimates of the target, which are counts or frequencies."""
    if not target.estimates:
        return []
    refused = [e for e in target.estimates if e.refused is not None]
    undecided = next((e.refused for e in refused if not isinstance(e.refused, TargetRaised | MalformedAnswer)), None)
    if undecided is not None:
        return [Row("estimates", Verdict.UNDECIDED, f"{type(undecided).__name__}: {undecided.message}")]
    first = target.laws[0].input_type
    laws = {law.inputs[0]: law for law in target.laws if law.input_type == first and law.refused is None}
    rows = [_refused_row(target, laws, refused)] if refused else []
    target = replace(target, estimates=tuple(e for e in target.estimates if e.refused is None))
    if not target.estimates:
        return rows
    expected = _estimands(target, oracle)
    wrong = [e for e in target.estimates if expected is not None and len(e.estimates) != expected]
    if wrong:
        return [*rows, Row("estimates", Verdict.FAULT, f"{len(wrong[0].estimates)} numbers instead of {expected}")]
    tolerance = TOLERANCE * _scale(target, oracle, unit)
    rows += [*formula_rows(target, oracle, unit), *_server_rows(target, tolerance)]
    if len(laws) < len(oracle.inputs) or any(e.raised is not None for law in laws.values() for e in law.entries):
        return rows
    lists = Counter(len(e.reports) for e in target.estimates)
    for users in sorted(lists.keys() - {len(e.reports) for e in refused}):
        if lists[users] < len(target.reports) ** users:  # what some lists say is no expectation
            continue
        rows += _moment_rows(users, _moments(target, laws, users), oracle, unit, _scale(target, oracle, unit))
    return rows


def _refused_row(target: TargetLaws, laws: Mapping[Item, Law], refused: Sequence[Estimate]) -> Row:
    """Return the row of lists of reports for which the server raises or answers no number, and how probable they are at
    most."""
    probability = _probabilities(target, laws)
    chances = {}
    for users in sorted({len(e.reports) for e in refused}):
        for data in combinations_with_replacement(laws, users):
            lists = [e.reports for e in refused if len(e.reports) == users]
            chances[data] = exact_sum(
                prod((probability[x][y] for x, y in zip(data, reports, strict=True)), start=fmpq(1))
                for reports in lists
            )
    worst = max(chances, key=lambda data: chances[data])
    first = refused[0]
    witness = {"reports": _reports(target, first), "data": show(worst), "probability": str(chances[worst])}
    detail = (
        f"{type(first.refused).__name__}: {first.refused.message if first.refused else ''}; for {len(refused)} of "
        f"{len(target.estimates)} lists of reports, with probability up to {short(chances[worst])}"
    )
    return Row("estimates", Verdict.FAULT, detail, {}, witness, _reproduction(target, witness))


def _estimands(target: TargetLaws, oracle: Oracle) -> int | None:
    first = oracle.expected_estimate([oracle.inputs[0]])
    return None if first is None else len(first)


def formula_rows(target: TargetLaws, oracle: Oracle, unit: Unit) -> list[Row]:
    """Return every estimate against the specified estimator, given the same reports."""
    lists = [e for e in target.estimates if all(oracle.possible(target.reports[i][0]) for i in e.reports)]
    if not lists or oracle.estimate([target.reports[i][0] for i in lists[0].reports]) is None:
        return []

    def compared() -> Iterator[tuple[Number, tuple[Estimate, int, Number]]]:
        for e in lists:
            reference = oracle.estimate([target.reports[i][0] for i in e.reports])
            assert reference is not None
            for j, (a, b) in enumerate(zip(e.estimates, reference, strict=True)):
                scaled: Number = b * (len(e.reports) if unit == "counts" else 1)
                yield absolute(a - scaled), (e, j, scaled)

    def witness(where: tuple[Estimate, int, Number]) -> dict[str, str]:
        e, j, scaled = where
        texts = {"reports": _reports(target, e), "estimand": str(j), "target": short(e.estimates[j])}
        return {**texts, "oracle": short(scaled), "exact": str(e.estimates[j])}

    tolerance = TOLERANCE * _scale(target, oracle, unit)
    largest, verdict = judge(lambda: worst(compared(), witness), lambda deviation: deviation.size, tolerance)
    detail = f"largest deviation {short(largest.size)} ({unit}) over {len(lists)} lists of reports"
    lines = _reproduction(target, largest.witness)
    return [Row("estimator", verdict, detail, {"largest deviation": figure(largest.size)}, largest.witness, lines)]


def _scale(target: TargetLaws, oracle: Oracle, unit: Unit) -> fmpq:
    """Return the largest estimate that the oracle gives, at least 1: numbers like it are rounded.

    An average is largest for the smallest lists. Never the target's own estimates: they must not widen what they pass.
    """
    fewest = min(len(e.reports) for e in target.estimates)
    most = max(len(e.reports) for e in target.estimates) if unit == "counts" else 1
    lists = [[target.reports[i][0] for i in e.reports] for e in target.estimates if len(e.reports) == fewest]
    with precision(PRECISIONS[0]):
        estimates = [oracle.estimate(reports) or () for reports in lists if all(map(oracle.possible, reports))]
        return most * max([fmpq(1), *(ends(absolute(value))[1] for values in estimates for value in values)])


def _reproduction(target: TargetLaws, witness: Mapping[str, str]) -> tuple[str, ...]:
    """Return the lines of the target for these reports, in its own form; none where that cannot be written."""
    estimate = next(e for e in target.estimates if _reports(target, e) == witness["reports"])
    forms = [target.forms[i] for i in estimate.reports] if target.forms else [""]
    if not all(forms):
        return ()
    lines = [line.replace("{reports}", f"[{', '.join(forms)}]") for line in target.reproduce_estimate]
    return with_numpy(lines)


def _probabilities(target: TargetLaws, laws: Mapping[Item, Law]) -> dict[Item, list[fmpq]]:
    """Return the probability of every report on every input."""
    by_raw = {x: law.by_raw() for x, law in laws.items()}
    return {x: [law.get(report, fmpq(0)) for report in target.reports] for x, law in by_raw.items()}


def _moments(target: TargetLaws, laws: Mapping[Item, Law], users: int) -> Moments:
    """Return expectation and variance of the estimates of every data set: sums over all lists of reports, weighted with
    their probabilities."""
    estimates = [e for e in target.estimates if len(e.reports) == users]
    values = fmpq_mat([list(e.estimates) for e in estimates])
    squares = fmpq_mat([[value * value for value in e.estimates] for e in estimates])
    probability = _probabilities(target, laws)
    data_sets = list(combinations_with_replacement(laws, users))
    weights = fmpq_mat(
        [
            [prod((probability[x][y] for x, y in zip(data, e.reports, strict=True)), start=fmpq(1)) for e in estimates]
            for data in data_sets
        ]
    )
    means, second = (weights * values).table(), (weights * squares).table()
    return {
        data: (tuple(first), tuple(b - a * a for a, b in zip(first, more, strict=True)))
        for data, first, more in zip(data_sets, means, second, strict=True)
    }


def _moment_rows(users: int, moments: Moments, oracle: Oracle, unit: Unit, size: fmpq) -> list[Row]:
    """Return the rows `expectation` and `variance`; `size` scales their tolerance."""
    rows = []
    scale = users if unit == "counts" else 1
    for name, index, power in (("expectation", 0, 1), ("variance", 1, 2)):
        reference = oracle.expected_estimate if index == 0 else oracle.variance
        if reference(next(iter(moments))) is None:
            continue

        def deviation(index: int = index, factor: int = scale**power) -> Deviation:
            return _moment_deviation(moments, index, oracle, factor)

        largest, verdict = judge(deviation, lambda deviation: deviation.size, TOLERANCE * size**power)
        kind = "bias" if index == 0 else "deviation of a variance"
        detail = f"largest {kind} {short(largest.size)} ({unit})"
        rows.append(
            Row(f"{name}, n = {users}", verdict, detail, {f"largest {kind}": figure(largest.size)}, largest.witness)
        )
    return rows


def _moment_deviation(moments: Moments, index: int, oracle: Oracle, factor: int) -> Deviation:
    def compared() -> Iterator[tuple[Number, tuple[tuple[Item, ...], int, fmpq, Number]]]:
        for data, ours in moments.items():
            reference = oracle.expected_estimate(data) if index == 0 else oracle.variance(data)
            assert reference is not None
            for item, (a, b) in enumerate(zip(ours[index], reference, strict=True)):
                scaled: Number = b * factor
                yield absolute(a - scaled), (data, item, a, scaled)

    def witness(where: tuple[tuple[Item, ...], int, fmpq, Number]) -> dict[str, str]:
        data, item, a, scaled = where
        texts = {"data": show(data), "item": str(item), "target": short(a), "oracle": short(scaled)}
        return {**texts, "exact": str(a)}

    return worst(compared(), witness)


def _server_rows(target: TargetLaws, tolerance: fmpq) -> list[Row]:
    rows = []
    by_reports = {e.reports: e for e in target.estimates}
    kept = next((e for e in target.estimates if _differ(e.estimates, e.stepwise, tolerance)), None)
    if kept is None:
        exact = all(e.estimates == e.stepwise for e in target.estimates)
        verdict = Verdict.CONFORMS if exact else Verdict.ROUNDING
        rows.append(Row("server state", verdict, "estimating in between changes no later estimate"))
    else:
        witness = {"reports": _reports(target, kept), "at once": show(kept.estimates), "stepwise": show(kept.stepwise)}
        rows.append(Row("server state", Verdict.FAULT, "estimating in between changes later estimates", {}, witness))
    pairs = [(e, by_reports[e.reports[::-1]]) for e in target.estimates if e.reports[::-1] in by_reports]
    ordered = [e for e, f in pairs if _differ(e.estimates, f.estimates, tolerance)]
    if ordered:
        witness = {"reports": _reports(target, ordered[0])}
        rows.append(Row("order of reports", Verdict.FAULT, "estimates depend on the order of the reports", {}, witness))
    return rows


def _differ(one: Sequence[fmpq], other: Sequence[fmpq], tolerance: fmpq) -> bool:
    """Return whether two lists of estimates differ by more than rounding."""
    if one == other or len(one) != len(other):
        return one != other
    return any(compare(absolute(a - b), tolerance) is Ordering.GREATER for a, b in zip(one, other, strict=True))


def _reports(target: TargetLaws, estimate: Estimate) -> str:
    return show(tuple(target.reports[i][0] for i in estimate.reports))


QUESTIONS = (
    Question(
        "estimates",
        "is one number given for every estimand?",
        needs=(ESTIMATES,),
        unasked="asked where there is a server",
        hint="return one number for every estimand",
    ),
    Question(
        "estimator",
        "are the estimates those of the mechanism, given the same reports?",
        rows="`estimator`, `estimator, drawn hash functions`",
        meaning=(
            "Given the same reports, does the server say what the specified estimator says? (`estimator, drawn hash "
            "functions`: on reports with different functions, from the smallest to the largest seed that was drawn.)"
        ),
        needs=(ESTIMATES, CONDITIONS, MANY),
        unasked="asked where there is a server",
        hint="use the mechanism's formula on the counts of the reports",
    ),
    Question(
        "expectation",
        "is the estimator unbiased for every data set?",
        rows="`expectation`, `variance`",
        meaning=(
            "Over the exact report law, for every data set of the sizes `--users`: those of the specified "
            "estimator? (Given fixed hash functions it is biased by design.)"
        ),
        needs=(LAWS, ESTIMATES),
        unasked="left out where not all lists of reports were estimated in time, or the oracle has no estimator",
        hint="subtract the expected number of false reports before dividing by p - q",
    ),
    Question(
        "variance",
        "is it that of the literature for every data set?",
        needs=(LAWS, ESTIMATES),
        unasked="as `expectation`",
        hint="compare the scale of the estimate with the mechanism's, and how many draws it rests on",
    ),
    Question(
        "server-state",
        "does estimating change later estimates?",
        rows="`server state`, `order of reports`",
        meaning="Does estimating change later estimates? Does the order of reports matter?",
        needs=(ESTIMATES,),
        hint="compute estimates from the reports that are given, and keep nothing between calls",
    ),
    Question(
        "order-of-reports",
        "does it change estimates?",
        needs=(ESTIMATES,),
        unasked="said only where it matters",
        hint="compute estimates from counts, which do not depend on the order",
    ),
)
