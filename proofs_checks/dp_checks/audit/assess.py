"""The checks of an audit: a target's exact laws against the oracle's, one row each."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import Literal, TypeVar

from flint import arb, ctx, fmpq

from dp_checks.audit.findings import Finding, TargetRaised
from dp_checks.audit.oracles import Number, Oracle
from dp_checks.audit.report import TOLERANCE, Row, Verdict
from dp_checks.audit.target import Estimate, Law, TargetLaws
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import Ordering, compare

T = TypeVar("T")
_PRECISIONS = (128, 256, 512, 1024, 4096)


@dataclass(frozen=True)
class _Deviation:
    """A deviation (>= 0) of the target from the oracle, with what shows it."""

    size: Number
    witness: dict[str, str]


def assess(
    target: TargetLaws,
    oracle: Oracle,
    unit: Literal["counts", "frequencies"],
    compiled: bool = False,
) -> tuple[Row, ...]:
    """All rows for the laws of a target. `compiled`: the library runs compiled; its source was interpreted here."""
    rows: list[Row] = []
    usable = [law for law in target.laws if law.refused is None]
    for input_type in dict.fromkeys(law.input_type for law in target.laws):
        laws = [law for law in usable if law.input_type == input_type]
        refused = [law for law in target.laws if law.input_type == input_type and law.refused is not None]
        suffix = "" if input_type == "int" else f" ({input_type} inputs)"
        if refused or len(laws) < len(oracle.inputs):
            reason = refused[0].refused.message if refused and refused[0].refused else "not all inputs were answered"
            kind = type(refused[0].refused).__name__ if refused else "incomplete"
            rows.append(Row("law" + suffix, Verdict.UNDECIDED, f"{kind}: {reason}"))
            continue
        by_input = {law.inputs[0]: law for law in laws}
        rows.append(_law_row("law" + suffix, by_input, oracle))
        rows.append(_privacy_row("privacy" + suffix, {x: law.by_output() for x, law in by_input.items()}, oracle))
        rows.append(_raw_row("raw output" + suffix, by_input, oracle, compiled))
    rows += _outside_rows(target.outside)
    rows += _reuse_rows(target)
    rows += _estimate_rows(target, oracle, unit)
    rows += [_finding_row(finding) for finding in target.findings]
    if not target.complete and not target.findings:
        rows.append(Row("run", Verdict.UNDECIDED, "the job was not finished"))
    return tuple(rows)


def _law_row(check: str, laws: Mapping[Item, Law], oracle: Oracle) -> Row:
    raised = [(x, e) for x, law in laws.items() for e in law.entries if e.raised is not None]
    if raised:
        x, entry = raised[0]
        witness = {"input": str(x), "raised": str(entry.raised), "probability": str(entry.probability)}
        return Row(check, Verdict.FAULT, f"{TargetRaised.__name__} on an input of the domain", {}, witness)

    def deviations() -> tuple[_Deviation, Number]:
        largest, distances = [], []
        for x, law in laws.items():
            ours, theirs = oracle.law(x), law.by_output()
            differences = []
            for y in {**ours, **theirs}:
                a, b = theirs.get(y, fmpq(0)), ours.get(y, fmpq(0))
                witness = {"input": str(x), "output": _show(y), "target": str(a), "oracle": _figure(b)}
                differences.append(_Deviation(_absolute(a - b), witness))
            largest += differences
            distances.append(_sum(deviation.size for deviation in differences) / 2)
        return _largest(largest), _largest([_Deviation(distance, {}) for distance in distances]).size

    (worst, distance), verdict = _judge(deviations, lambda found: found[0].size)
    figures = {"largest deviation of a probability": _figure(worst.size), "total variation distance": _figure(distance)}
    detail = f"total variation distance {_short(distance)}, largest deviation of a probability {_short(worst.size)}"
    return Row(check, verdict, detail, figures, worst.witness)


def _privacy_row(check: str, laws: Mapping[Item, Mapping[Hashable, fmpq]], oracle: Oracle) -> Row:
    ratio, witness = _largest_ratio(laws)
    if ratio is None:
        return Row(check, Verdict.FAULT, "no finite epsilon: an output is possible for one input only", {}, witness)
    verdict, relation = _compare_ratio(ratio, oracle)
    with ctx.workprec(128):
        bound, effective = oracle.privacy(), arb(ratio).log()
    figures = {"largest ratio": str(ratio), "e^epsilon": _figure(bound), "effective epsilon": _figure(effective)}
    detail = (
        f"largest ratio {_short(ratio)} {relation} e^epsilon = {_short(bound)}; effective epsilon {_short(effective)}"
    )
    return Row(check, verdict, detail, figures, witness)


def _compare_ratio(ratio: fmpq, oracle: Oracle) -> tuple[Verdict, str]:
    for bits in _PRECISIONS:
        with ctx.workprec(bits):
            bound = oracle.privacy()
            order = compare(ratio, bound)
            excess = compare(ratio / bound - 1, TOLERANCE)
        if order is Ordering.EQUAL:
            return Verdict.CONFORMS, "="
        if order is Ordering.LESS:
            return Verdict.CONFORMS, "<"
        if order is Ordering.GREATER and excess is not Ordering.UNDECIDED:
            rounding = excess is not Ordering.GREATER
            return (Verdict.ROUNDING, "> (within rounding)") if rounding else (Verdict.FAULT, ">")
    return Verdict.UNDECIDED, "?"


def _largest_ratio(laws: Mapping[Item, Mapping[Hashable, fmpq]]) -> tuple[fmpq | None, dict[str, str]]:
    """Largest P(y|x) / P(y|x') with its witness; None when it is infinite."""
    best, witness = fmpq(0), dict[str, str]()
    for y in dict.fromkeys(y for law in laws.values() for y in law):
        top = max(laws, key=lambda x: laws[x].get(y, fmpq(0)))
        low = min(laws, key=lambda x: laws[x].get(y, fmpq(0)))
        a, b = laws[top].get(y, fmpq(0)), laws[low].get(y, fmpq(0))
        found = {"output": _show(y), "inputs": f"{top} and {low}", "probabilities": f"{a} and {b}"}
        if b == 0:
            return None, found
        if compare(a / b, best) is Ordering.GREATER:
            best, witness = a / b, found
    return best, witness


def _raw_row(check: str, laws: Mapping[Item, Law], oracle: Oracle, compiled: bool) -> Row:
    kinds = sorted({e.raw for law in laws.values() for e in law.entries})
    with_raw, witness = _largest_ratio({x: law.by_raw() for x, law in laws.items()})
    without, _ = _largest_ratio({x: law.by_output() for x, law in laws.items()})
    seen = "; ".join(kinds[:4]) + (" ..." if len(kinds) > 4 else "")
    figures = {"largest ratio with types and order": "infinite" if with_raw is None else str(with_raw)}
    if with_raw == without:
        return Row(check, Verdict.CONFORMS, f"{seen}: type and order say no more than the value", figures)
    shown = "the true input" if with_raw is None else "more than the value"
    if compiled:
        detail = f"{seen}: the type shows {shown}, in the interpreted source; compiled code may return one type only"
        return Row(check, Verdict.UNDECIDED, detail, figures, witness)
    return Row(check, Verdict.FAULT, f"{seen}: the type or order of the report shows {shown}", figures, witness)


def _outside_rows(laws: Iterable[Law]) -> list[Row]:
    rows = []
    for law in laws:
        check = f"input {law.inputs[0]}, outside the domain"
        if law.refused is not None:
            rows.append(Row(check, Verdict.UNDECIDED, law.refused.message))
        elif all(entry.raised is not None for entry in law.entries):
            rows.append(Row(check, Verdict.CONFORMS, f"always rejected: {law.entries[0].raised}"))
        else:
            entry = max((e for e in law.entries if e.raised is None), key=lambda e: e.probability)
            witness = {"output": _show(entry.output), "probability": str(entry.probability)}
            rejected = _sum(e.probability for e in law.entries if e.raised is not None)
            detail = f"accepted: rejected with probability {_short(rejected)} instead of 1"
            rows.append(Row(check, Verdict.FAULT, detail, {}, witness))
    return rows


def _reuse_rows(target: TargetLaws) -> list[Row]:
    """One client used in turn must give independent reports with the same laws."""
    single = {law.inputs[0]: law.by_output() for law in reversed(target.laws) if law.refused is None}
    checked = 0
    for law in target.reuse:
        if law.refused is not None:
            return [Row("reused client", Verdict.UNDECIDED, law.refused.message)]
        if not all(x in single for x in law.inputs):
            continue
        joint = law.by_output()
        for outputs in product(*(single[x] for x in law.inputs)):
            expected = fmpq(1)
            for x, y in zip(law.inputs, outputs, strict=True):
                expected *= single[x][y]
            found = joint.get(outputs, fmpq(0))
            if found != expected:
                witness = {
                    "inputs": str(law.inputs),
                    "outputs": _show(outputs),
                    "joint": str(found),
                    "product": str(expected),
                }
                return [Row("reused client", Verdict.FAULT, "reports of one client are not independent", {}, witness)]
            checked += 1
    if not checked:
        return []
    return [Row("reused client", Verdict.CONFORMS, f"{checked} joint probabilities are exactly the products")]


def _estimate_rows(target: TargetLaws, oracle: Oracle, unit: Literal["counts", "frequencies"]) -> list[Row]:
    if not target.estimates:
        return []
    refused = next((e.refused for e in target.estimates if e.refused is not None), None)
    if refused is not None:
        verdict = Verdict.FAULT if isinstance(refused, TargetRaised) else Verdict.UNDECIDED
        return [Row("estimates", verdict, f"{type(refused).__name__}: {refused.message}")]
    wrong = [e for e in target.estimates if len(e.estimates) != len(oracle.inputs)]
    if wrong:
        return [Row("estimates", Verdict.FAULT, f"{len(wrong[0].estimates)} numbers for {len(oracle.inputs)} items")]
    rows = _server_rows(target)
    first = target.laws[0].input_type
    laws = {law.inputs[0]: law for law in target.laws if law.input_type == first and law.refused is None}
    if len(laws) < len(oracle.inputs) or any(e.raised is not None for law in laws.values() for e in law.entries):
        return rows
    for users in sorted({len(e.reports) for e in target.estimates}):
        moments = _moments(target, laws, users)
        scale = users if unit == "counts" else 1
        for name, index, power in (("expectation", 0, 1), ("variance", 1, 2)):
            rows.append(_moment_row(f"{name}, n = {users}", moments, index, oracle, scale**power, unit))
    return rows


Moments = dict[tuple[Item, ...], tuple[tuple[fmpq, ...], tuple[fmpq, ...]]]
"""For every data set: exact expectations and variances of the estimates of all items."""


def _moments(target: TargetLaws, laws: Mapping[Item, Law], users: int) -> Moments:
    estimates = [e for e in target.estimates if len(e.reports) == users]
    probability = {x: [law.by_raw().get(report, fmpq(0)) for report in target.reports] for x, law in laws.items()}
    moments: Moments = {}
    for data in combinations_with_replacement(laws, users):
        first = [fmpq(0)] * len(laws)
        second = [fmpq(0)] * len(laws)
        for estimate in estimates:
            weight = fmpq(1)
            for x, report in zip(data, estimate.reports, strict=True):
                weight *= probability[x][report]
            for j, value in enumerate(estimate.estimates):
                first[j] += weight * value
                second[j] += weight * value * value
        moments[data] = tuple(first), tuple(b - a * a for a, b in zip(first, second, strict=True))
    return moments


def _moment_row(check: str, moments: Moments, index: int, oracle: Oracle, scale: int, unit: str) -> Row:
    def deviations() -> _Deviation:
        found = []
        for data, ours in moments.items():
            reference = oracle.expected_estimate(data) if index == 0 else oracle.variance(data)
            for item, (a, b) in enumerate(zip(ours[index], reference, strict=True)):
                scaled: Number = b * scale
                witness = {"data": str(data), "item": str(item), "target": _short(a), "oracle": _short(scaled)}
                found.append(_Deviation(_absolute(a - scaled), {**witness, "exact": str(a)}))
        return _largest(found)

    worst, verdict = _judge(deviations, lambda deviation: deviation.size)
    word = "bias" if index == 0 else "deviation from the literature's variance"
    figures = {f"largest {word}": _figure(worst.size)}
    return Row(check, verdict, f"largest {word} {_short(worst.size)} ({unit})", figures, worst.witness)


def _server_rows(target: TargetLaws) -> list[Row]:
    rows = []
    by_reports = {e.reports: e for e in target.estimates}
    kept = next((e for e in target.estimates if e.estimates != e.stepwise), None)
    shown = (lambda e: ", ".join(_show(target.reports[i][0]) for i in e.reports)) if target.reports else str
    if kept is None:
        rows.append(Row("server state", Verdict.CONFORMS, "estimating in between changes no later estimate"))
    else:
        witness = {"reports": shown(kept), "at once": str(kept.estimates), "stepwise": str(kept.stepwise)}
        rows.append(Row("server state", Verdict.FAULT, "estimating in between changes later estimates", {}, witness))

    def turned(e: Estimate) -> Estimate:
        return by_reports[tuple(reversed(e.reports))]

    pairs = [(e, turned(e)) for e in target.estimates if tuple(reversed(e.reports)) in by_reports]
    ordered = [
        e
        for e, f in pairs
        for a, b in zip(e.estimates, f.estimates, strict=True)
        if compare(_absolute(a - b), TOLERANCE) is Ordering.GREATER
    ]
    if ordered:
        witness = {"reports": shown(ordered[0])}
        rows.append(Row("order of reports", Verdict.FAULT, "estimates depend on the order of the reports", {}, witness))
    return rows


def _finding_row(finding: Finding) -> Row:
    undecided = type(finding).__name__ in ("UnmodelledRandomness", "TooManyPaths", "TargetReadsClock", "TargetDied")
    return Row(type(finding).__name__, Verdict.UNDECIDED if undecided else Verdict.FAULT, finding.message)


# --- numbers --------------------------------------------------------------------------------------------------------


def _judge(compute: Callable[[], T], size: Callable[[T], Number]) -> tuple[T, Verdict]:
    """Compute with rising precision until the size is decided against 0 and the tolerance."""
    for bits in _PRECISIONS:
        with ctx.workprec(bits):
            found = compute()
            order = compare(size(found), TOLERANCE)
            zero = compare(size(found), 0) is Ordering.EQUAL
        if order is not Ordering.UNDECIDED:
            within = Verdict.CONFORMS if zero else Verdict.ROUNDING
            return found, Verdict.FAULT if order is Ordering.GREATER else within
    return found, Verdict.UNDECIDED


def _absolute(number: Number) -> Number:
    return abs(number) if isinstance(number, arb) else fmpq(abs(number.p), number.q)


def _sum(numbers: Iterable[Number]) -> Number:
    total: Number = fmpq(0)
    for number in numbers:
        total = total + number
    return total


def _largest(deviations: list[_Deviation]) -> _Deviation:
    """One whose upper end is largest: if it is below a bound, all are."""
    return max(deviations, key=lambda deviation: _ends(deviation.size)[1])


def _ends(number: Number) -> tuple[fmpq, fmpq]:
    if isinstance(number, arb):
        return number.lower().fmpq(), number.upper().fmpq()
    return number, number


def _figure(number: Number) -> str:
    low, high = _ends(number)
    return str(low) if low == high else f"[{low}, {high}]"


def _short(number: Number) -> str:
    """For people: four or so significant digits."""
    low, high = _ends(number)
    middle = (low + high) / 2
    return f"{int(middle.p) / int(middle.q):.6g}"


def _show(output: Hashable) -> str:
    return str(output)
