"""The rows about a plain run: a target with nothing replaced, beside the oracle's table.

All statistical statements about one run together accuse a correct target with probability at most `LEVEL`. `CHECKS`
lists what is looked at, cheapest first: each is a function of what was seen that gives rows.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from dp_audit.audits import TOLERANCE, Row, Verdict
from dp_audit.exact.estimates import Unit
from dp_audit.figures import PRECISIONS, Deviation, absolute, ends, figure, judge, largest, short, show
from dp_audit.oracles.base import Number, Oracle
from dp_audit.plain.counts import Counts, Surprise, apart
from dp_audit.plain.run import Plain
from dp_audit.plain.seen import Seen, raised
from dp_audit.plain.state import count_states
from dp_audit.reading import number
from dp_spec.vocabulary.exceptions import FormatError
from dp_spec.vocabulary.scalar import Ordering, compare

LEVEL = fmpq(1, 10**9)
SHARES = dict.fromkeys(("law", "state", "beside", "typed", "updated", "clock", "again"), LEVEL / 8)
"""Of the error level, by check."""
_WORDS = re.compile(r"[^\W\d_]+|[0-9]+(?:\.[0-9]+)?")
_MOST_WORDS = 400
_FEWEST = 20
"""Reports of one kind on an input that are compared."""


@dataclass(frozen=True)
class Ran:
    """A plain run and how it is judged. `right`: its law is not known to be wrong, and is compared with the oracle's.

    `again` is the beginning of a second run in a fresh process, if there was one.
    """

    plain: Plain
    oracle: Oracle
    unit: Unit = "frequencies"
    right: bool = True
    again: Plain | None = None

    @cached_property
    def seen(self) -> Seen:
        """Its reports beside the oracle."""
        return Seen(self.plain, self.oracle)


def plain_rows(ran: Ran) -> tuple[Row, ...]:
    """The rows of all checks."""
    return tuple(row for check in CHECKS for row in check(ran))


# --- the law ----------------------------------------------------------------------------------------------------------


def law_rows(ran: Ran) -> Iterator[Row]:
    """`unintercepted run`: are the reports those of the mechanism, as often as it says, on every input?"""
    name, seen = "unintercepted run", ran.seen
    items, codes = seen.flat("first", "fresh", "client")
    if not ran.right or not len(items):
        return
    wrong = _wrong_row(name, seen, items, codes)
    if wrong is not None:
        yield wrong
        return
    counts = Counts(SHARES["law"])
    for phases in (("first", "fresh", "client"), ("first", "fresh")):
        items, codes = seen.flat(*phases)
        for event in seen.events:
            told = [f"{event.name} on input {show(x)}" for x in seen.inputs]
            counts.add(told.__getitem__, items, event.holds[codes], items, event.chances)
    found = counts.worst()
    if found is not None:
        yield _surprised(name, found)
        return
    number = len(seen.flat("first", "fresh", "client")[0])
    detail = f"nothing found in {number} reports on {len(seen.inputs)} inputs, with nothing replaced"
    yield Row(name, Verdict.INFO, f"{detail} (error level {short(LEVEL)})", {"reports": str(number)})


def _wrong_row(name: str, seen: Seen, items: Any, codes: Any) -> Row | None:
    """Reports that are impossible on an input; and exceptions."""
    pairs = Counter(zip(items.tolist(), codes.tolist(), strict=True))
    wrong = {pair: times for pair, times in pairs.items() if seen.impossible(*pair)}
    if not wrong:
        return None
    (item, code), times = max(wrong.items(), key=lambda pair: pair[1])
    total = sum(n for (x, _), n in pairs.items() if x == item)
    report, text = seen.plain.reports[code], raised(seen.plain.reports[code])
    witness = {"input": show(seen.inputs[item]), "observed": f"{times} in {total} reports"}
    if text:
        return Row(
            name, Verdict.FAULT, f"an exception on an input of the domain: {text}", {}, {**witness, "raised": text}
        )
    detail = "a report that this input cannot lead to"
    return Row(name, Verdict.FAULT, detail, {}, {**witness, "output": show(report)[:200], "oracle": "0"})


def _surprised(name: str, found: Surprise, verdict: Verdict = Verdict.FAULT) -> Row:
    """The row of a refuted count."""
    witness = {"event": found.name, "observed": f"{found.seen} in {found.number}", "expected": short(found.expected)}
    detail = f"{found.name}: {found.seen} in {found.number}, expected {short(found.expected)}"
    figures = {"error level": str(LEVEL), "expected": figure(found.expected)}
    return Row(name, verdict, detail, figures, witness)


def later_rows(ran: Ran) -> Iterator[Row]:
    """`later reports`: does a report depend on how many there were before, in the client or in the process?"""
    seen = ran.seen
    clients = list(seen.draws("client"))
    if not clients:
        return
    counts = Counts(SHARES["state"])
    count_states(counts, seen)
    found = counts.worst()
    if found is not None:
        yield _surprised("later reports", found)
        return
    detail = f"{len(clients)} clients with {len(clients[0].codes)} reports each: alike at every place"
    yield Row("later reports", Verdict.INFO, f"{detail} (error level {short(LEVEL)})")


def again_rows(ran: Ran) -> Iterator[Row]:
    """`fresh process`: does a second process give the same reports again?"""
    if ran.again is None:
        return
    seen = ran.seen
    first, second = ([d.codes for d in Seen(run, ran.oracle).draws("first")] for run in (ran.plain, ran.again))
    same = [ran.plain.reports[c] for (c,) in first] == [ran.again.reports[c] for (c,) in second]
    items, codes = seen.flat("first")
    if not same or not len(items):
        return
    with ctx.workprec(PRECISIONS[0]):
        chance = arb(1)
        for x, c in zip(items.tolist(), codes.tolist(), strict=True):
            held = [arb(e.chances[x] if e.holds[c] else 1 - e.chances[x]) for e in seen.events]
            chance *= min(held, key=lambda p: float(p))
        if compare(chance, SHARES["again"]) is not Ordering.LESS:
            return
    witness = {"reports": show(tuple(ran.plain.reports[c] for c in codes[:12]))}
    detail = f"the first {len(items)} reports of two processes are the same: they are not random"
    yield Row("fresh process", Verdict.FAULT, detail, {"error level": str(LEVEL)}, witness)


# --- beside the report ------------------------------------------------------------------------------------------------


def beside_rows(ran: Ran) -> Iterator[Row]:
    """`beside the report`: does what is written, warned, logged, stored or carried tell more than the report?"""
    seen = ran.seen
    if not ran.plain.beside:
        return
    reports = Counter[tuple[int, int]]()
    for draws in seen.draws("fresh"):
        reports.update((draws.item, code) for code in draws.codes)
    words: dict[str, Counter[tuple[int, int]]] = {}
    for item, code, text, times in ran.plain.beside:
        for word in {"", text, *_WORDS.findall(text)}:
            words.setdefault(word, Counter())[item, code] += times
    kinds = ", ".join(sorted({text.partition(":")[0] for _, _, text, _ in ran.plain.beside})[:4])
    chosen = sorted(words, key=lambda word: -words[word].total())[:_MOST_WORDS]
    found = _telling({word: words[word] for word in chosen}, reports, seen, SHARES["beside"])
    example = ran.plain.beside[0][2]
    if found is None:
        detail = f"{kinds}: the same whatever the input is, as far as was seen: {example[:120]}"
        yield Row("beside the report", Verdict.INFO, detail)
        return
    word, one, other, given = found
    what = "something" if word == "" else repr(word)[:80]
    texts = [text for item, _, text, _ in ran.plain.beside if item == one and (word == "" or word in text)]
    witness = {"input": show(seen.inputs[one]), "beside": texts[0][:200], "less often on": show(seen.inputs[other])}
    witness |= {"given the report": given} if given else {}
    yield Row("beside the report", Verdict.FAULT, f"{kinds}: {what} depends on the input", {}, witness)


def _telling(
    words: Mapping[str, Counter[tuple[int, int]]], reports: Counter[tuple[int, int]], seen: Seen, level: fmpq
) -> tuple[str, int, int, str] | None:
    """(word, an input where it is more frequent, one where it is less, the report): given one report, more than equally
    likely; or more than e^epsilon times as likely."""
    totals: Counter[int] = Counter()
    for (item, _), times in reports.items():
        totals[item] += times
    codes = [c for c in dict.fromkeys(c for _, c in reports) if sum(reports[x, c] >= _FEWEST for x in totals) > 1]
    each = level / max(1, len(words) * (1 + len(codes)))
    with ctx.workprec(PRECISIONS[0]):
        bound = seen.oracle.privacy()
    for word, seldom in words.items():
        for code in codes:
            pairs = {x: (seldom[x, code], reports[x, code]) for x in totals if reports[x, code] >= _FEWEST}
            found = _extremes(pairs)
            if found and apart(pairs[found[0]], pairs[found[1]], each):
                return word, *found, show(seen.plain.reports[code])[:200]
        sums = {x: sum(n for (y, _), n in seldom.items() if y == x) for x in totals}
        whole = {x: (sums[x], totals[x]) for x in totals}
        found = _extremes(whole)
        if found and apart(whole[found[0]], whole[found[1]], each, bound):
            return word, *found, ""
    return None


def _extremes(pairs: Mapping[int, tuple[int, int]]) -> tuple[int, int] | None:
    """The inputs with the largest and the smallest share, unless they are near."""
    if len(pairs) < 2:
        return None
    shares = {x: seen / number for x, (seen, number) in pairs.items()}
    top, low = max(shares, key=shares.__getitem__), min(shares, key=shares.__getitem__)
    return (top, low) if shares[top] - shares[low] > 0.1 else None


# --- other inputs -----------------------------------------------------------------------------------------------------


def typed_rows(ran: Ran) -> Iterator[Row]:
    """`input type, ...`: are items that come as numpy integers, booleans or text treated as the items they are?"""
    for name in dict.fromkeys(name for name, _, _ in ran.plain.typed):
        yield _typed_row(ran, name)


def _typed_row(ran: Ran, name: str) -> Row:
    check, seen = f"input type, {name}", ran.seen
    kinds = {item: given for typed, item, given in ran.plain.typed if typed == name}
    pairs = [(item, code, times) for item, given in kinds.items() for (code, _), times in given.items()]
    refusals = [(code, times) for _, code, times in pairs if raised(seen.plain.reports[code])]
    if len(refusals) == len(pairs):
        return Row(check, Verdict.INFO, f"refused: {raised(seen.plain.reports[refusals[0][0]])}")
    promised = Verdict.FAULT if name.startswith("numpy.") else Verdict.WARNING if name == "bool" else Verdict.INFO
    if refusals:
        verdict = min(promised, Verdict.WARNING, key=list(Verdict).index)
        return Row(check, verdict, f"refused for some reports: {raised(seen.plain.reports[refusals[0][0]])}")
    items = np.array([item for item, _, times in pairs for _ in range(times)], np.int64)
    codes = np.array([code for _, code, times in pairs for _ in range(times)], np.int64)
    wrong = _wrong_row(check, seen, items, codes)
    if wrong is not None:
        return replace(wrong, verdict=promised, detail=f"{wrong.detail}, which is given as {name}")
    counts = Counts(SHARES["typed"] / 4)
    for event in seen.events:
        told = [f"{event.name} on input {name}({show(x)})" for x in seen.inputs]
        counts.add(told.__getitem__, items, event.holds[codes], items, event.chances)
    found = counts.worst()
    if found is not None:
        return _surprised(check, found, promised)
    words: dict[str, Counter[tuple[int, int]]] = {}
    reports = Counter[tuple[int, int]]()
    for item, given in kinds.items():
        for (code, kind), times in given.items():
            words.setdefault(kind, Counter())[item, code] += times
            reports[item, code] += times
    telling = _telling(words, reports, seen, SHARES["typed"] / 4) if len(words) > 1 else None
    if telling is not None:
        detail = f"the type of the report ({telling[0]}) tells more than its value"
        witness = {"for": f"{name}({show(seen.inputs[telling[1]])})", "types": ", ".join(words)}
        return Row(check, Verdict.INFO, detail, {}, witness)
    return Row(check, Verdict.INFO, f"treated as the items they are, in {len(items)} reports")


# --- the server -------------------------------------------------------------------------------------------------------


def many_rows(ran: Ran) -> Iterator[Row]:
    """`many reports`: are the estimates of long lists those of the specified estimator?"""
    lists = [each for each in ran.plain.many if all(map(ran.seen.possible, each.codes))]
    if not lists:
        return
    worst: list[tuple[Deviation, Verdict]] = []
    for each in lists:
        reports = [ran.plain.reports[c] for c in each.codes]
        cycle = [reports[i % len(reports)] for i in range(each.size)]
        try:
            found = _estimated(ran, cycle, each.estimates, each.raised)
        except _NoEstimates as error:
            witness = {"reports": f"{each.size}, in turn {show(tuple(reports[:12]))}"}
            yield Row("many reports", Verdict.FAULT, f"{error}, for {each.size} reports", {}, witness)
            return
        if found is None:
            return
        worst.append(found)
    deviation, verdict = max(worst, key=lambda pair: (list(Verdict).index(pair[1]), ends(pair[0].size)[1]))
    sizes = ", ".join(map(str, sorted({each.size for each in lists})))
    detail = f"largest deviation {short(deviation.size)} ({ran.unit}) for {sizes} reports"
    witness = deviation.witness if verdict is Verdict.FAULT else {}
    yield Row("many reports", verdict, detail, {"largest deviation": figure(deviation.size)}, witness)


class _NoEstimates(Exception):
    """The server gave no estimates that could be compared."""


def _estimated(
    ran: Ran, reports: Sequence[Hashable], estimates: Sequence[object], said: str
) -> tuple[Deviation, Verdict] | None:
    """The largest deviation from the specified estimator, if there is one. Every addition of a report may round."""
    if said:
        raise _NoEstimates(f"the server raises {said}")
    size = len(reports)
    factor = size if ran.unit == "counts" else 1
    with ctx.workprec(PRECISIONS[0]):
        known = ran.oracle.estimate(reports)
    if known is None:
        return None
    if len(known) != len(estimates):
        raise _NoEstimates(f"{len(estimates)} numbers instead of {len(known)}")
    try:
        given = [number("estimate", value) for value in estimates]
    except FormatError as error:
        raise _NoEstimates(str(error)) from None
    scale = max([fmpq(1), *(ends(absolute(value))[1] for value in known)])

    def deviations() -> Deviation:
        reference = ran.oracle.estimate(reports)
        assert reference is not None
        found = []
        for j, (a, b) in enumerate(zip(given, reference, strict=True)):
            scaled: Number = b * factor
            witness = {"number of reports": str(size), "estimand": str(j), "target": short(a), "oracle": short(scaled)}
            found.append(Deviation(absolute(a - scaled), witness))
        return largest(found)

    return judge(deviations, lambda deviation: deviation.size, TOLERANCE * scale * size * factor)


# --- parameters and clocks --------------------------------------------------------------------------------------------


def updated_rows(ran: Ran) -> Iterator[Row]:
    """`update, ...`: after a method that sets a parameter, is everything as if it had been made with it?"""
    for how in dict.fromkeys(each.how for each in ran.plain.updated):
        yield _updated_row(ran, how)


def _updated_row(ran: Ran, how: str) -> Row:
    check, seen = f"update, {how}", ran.seen
    mine = [each for each in ran.plain.updated if each.how == how]
    drawn = [each for each in mine if each.item >= 0]
    if drawn:
        items = np.array([each.item for each in drawn for _ in each.codes], np.int64)
        codes = np.array([code for each in drawn for code in each.codes], np.int64)
        wrong = _wrong_row(check, seen, items, codes)
        if wrong is not None:
            return replace(wrong, witness={k: v for k, v in wrong.witness.items() if k != "input"})
        counts = Counts(SHARES["updated"] / 8)
        for event in seen.events:
            told = [f"{event.name} on input {show(x)}" for x in seen.inputs]
            counts.add(told.__getitem__, items, event.holds[codes], items, event.chances)
        found = counts.worst()
        if found is not None:
            row = _surprised(check, found)
            return replace(row, detail=f"reports are not those of the parameter that was set: {row.detail}")
    for each in mine:
        if each.item < 0:
            reports = [ran.plain.reports[code] for code in each.codes]
            if not all(map(seen.possible, each.codes)):
                continue
            try:
                estimated = _estimated(ran, reports, each.estimates, each.raised)
            except _NoEstimates as error:
                return Row(check, Verdict.FAULT, f"{error}, after the update")
            if estimated is not None and estimated[1] is Verdict.FAULT:
                detail = f"estimates are not those of the parameter that was set: off by {short(estimated[0].size)}"
                return Row(check, Verdict.FAULT, detail, {}, estimated[0].witness)
    return Row(check, Verdict.INFO, "as if it had been made with this parameter, as far as was seen")


def clock_rows(ran: Ran) -> Iterator[Row]:
    """`clock`: is the law the same at other times?"""
    if not ran.plain.clock:
        return
    seen = ran.seen
    items = np.array([item for _, item, codes in ran.plain.clock for _ in codes], np.int64)
    codes = np.array([code for _, _, codes in ran.plain.clock for code in codes], np.int64)
    offsets = sorted({offset for offset, _, _ in ran.plain.clock})
    when = np.array([offsets.index(offset) for offset, _, codes in ran.plain.clock for _ in codes], np.int64)
    wrong = _wrong_row("clock", seen, items, codes)
    if wrong is not None:
        yield wrong
        return
    counts = Counts(SHARES["clock"])
    for event in seen.events:
        told = [
            f"{event.name} on input {show(x)}, {offset / 3600:g} hours from now"
            for offset in offsets
            for x in seen.inputs
        ]
        labels = when * len(seen.inputs) + items
        counts.add(told.__getitem__, labels, event.holds[codes], items, event.chances)
    found = counts.worst()
    if found is not None:
        yield _surprised("clock", found)
        return
    yield Row("clock", Verdict.WARNING, f"a clock is read; the law is the same at {len(offsets)} other times")


CHECKS: tuple[Callable[[Ran], Iterator[Row]], ...] = (
    law_rows,
    again_rows,
    beside_rows,
    typed_rows,
    many_rows,
    updated_rows,
    clock_rows,
    later_rows,
)
