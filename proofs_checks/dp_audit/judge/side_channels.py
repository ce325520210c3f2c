"""What comes with a report and tells more than its value: texts beside it, and its type on inputs of other types."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from flint import fmpq

from dp_audit.exact_numbers import PRECISIONS, short
from dp_audit.judge.events import Observation
from dp_audit.judge.examination import LEVEL, SHARES, Examination, surprised, wrong_row
from dp_audit.judge.leak_test import WORDS, leak
from dp_audit.judge.plan import BESIDE_REPORTS, EXIT, FRESH_REPORTS, TYPED_REPORTS
from dp_audit.judge.question import Question
from dp_audit.judge.rare_counts import Counts, proves_larger
from dp_audit.observation.unmodified_run import NETWORK, NO_FORM, raised
from dp_audit.observation.values import show
from dp_audit.oracles.base import Oracle
from dp_audit.outcome import Row, Verdict
from dp_spec.vocabulary.precision import precision

_MOST_WORDS = 400
_FEWEST = 20
"""Reports of one kind on an input that are compared."""


def beside_rows(examination: Examination, listed: bool = True) -> Iterator[Row]:
    """Yield the rows `beside the report`: whether what is written, warned, logged, stored, sent or carried tells more
    than the report.

    `listed`: the law of reports on an item is the oracle's, if that lists its outputs.
    """
    run, level = examination.run, SHARES["beside"]
    left = sum(each.left for each in run.watched)
    if run.beside or left:
        row = _bet_row(examination, listed, level / 2) or _beside_row(
            "beside the report", examination.observation, "fresh", run.beside, level / 2
        )
        yield row or _nothing_row(examination, left)
    if examination.exits is not None and examination.exits.left:
        observation, check = Observation(examination.exits, examination.oracle), "beside the report, at exit"
        row = _beside_row(check, observation, "exit", examination.exits.left, SHARES["exit"])
        text = examination.exits.left[0][2]
        kinds = _kinds(text for _, _, text, _ in examination.exits.left)
        detail = f"{kinds}: the same whatever the input is, as far as was seen: {text[:120]}"
        yield row or Row(check, Verdict.INFO, detail)


def _kinds(texts: Iterable[str]) -> str:
    return ", ".join(sorted({line.partition(":")[0] for text in texts for line in text.splitlines()[:1]})[:4])


def _nothing_row(examination: Examination, left: int) -> Row:
    """Return what was looked at, where nothing was found; use of a network is a surprise in any case."""
    texts = [text for _, _, text, _ in examination.run.beside] + [
        text for w in examination.run.watched for _, _, text in w.texts
    ]
    looked = sum(each.looked for each in examination.run.watched)
    compared = sum(len(each.texts) for each in examination.run.watched)
    some = f"{left} of {looked} reports left something beside them" if looked else "something is left beside reports"
    if not texts:
        return Row("beside the report", Verdict.INFO, f"{some}, none where inputs could be compared")
    excerpt = " | ".join(texts[0].splitlines())[:120]
    detail = f"{some} ({_kinds(texts)}); nothing found that depends on the input"
    detail += f" in {compared} of them, on random inputs" if compared else ""
    sent = next((line for text in texts for line in text.splitlines() if line.startswith(NETWORK)), "")
    if sent:
        return Row("beside the report", Verdict.WARNING, f"{detail}; a network is used: {sent[len(NETWORK) :][:120]}")
    return Row("beside the report", Verdict.INFO, f"{detail} (error level {short(LEVEL)}), e.g. {excerpt}")


def _coarse_codes(observation: Observation) -> frozenset[int]:
    """Return the codes for which different reports are one here, so that a report itself may tell more than what is
    seen of it: those without a canonical form, rounded numbers, and what is outside of a window of integers, which is
    not told by a number."""
    reports = dict(enumerate(observation.run.reports))
    if type(observation.oracle).view_of is Oracle.view_of:
        return frozenset(c for c, y in reports.items() if raised(y).startswith(NO_FORM))
    rounds = observation.oracle.window is not None
    return frozenset(c for c, y in reports.items() if rounds or not isinstance(y, int))


def _bet_row(examination: Examination, listed: bool, level: fmpq) -> Row | None:
    """Return the row of what was left beside reports on random items, if that tells more."""
    observation = examination.observation
    merged = _coarse_codes(observation)
    listed = listed and observation.oracle.lists_outputs and observation.oracle.window is None
    for watched in examination.run.watched if examination.right else ():
        leakage = leak(observation, watched, level, listed, merged if listed else frozenset())
        if leakage is not None:
            witness = {
                "input": show(observation.inputs[leakage.most]),
                "beside": _line(leakage.text, leakage.word)[:200],
                "observed": f"{leakage.count} of {leakage.number} such reports, expected {leakage.expected:.6g}",
                "less often on": show(observation.inputs[leakage.least]),
            }
            if leakage.code is not None:
                witness["given the report"] = show(observation.run.reports[leakage.code])[:200]
            return _word_row(
                "beside the report", [text for _, _, text in watched.texts], leakage.word or leakage.text, witness
            )
    return None


def _line(text: str, word: str) -> str:
    """Return the first line with the word; all of the text, if the word goes beyond one."""
    return next((line for line in text.splitlines() if word in line), text)


def _word_row(check: str, texts: Iterable[str], word: str, witness: Mapping[str, str]) -> Row:
    kinds = _kinds(_line(text, word) for text in texts if word in text)
    word = " | ".join(line.removeprefix(f"{kinds}: ") for line in word.splitlines())
    return Row(
        check, Verdict.FAULT, f"{kinds}: {word[:80]!r} depends on the input", {"error level": str(LEVEL)}, dict(witness)
    )


def _beside_row(
    check: str, observation: Observation, phase: str, beside: Sequence[tuple[int, int, str, int]], level: fmpq
) -> Row | None:
    """Return the row of the texts (item, report, text, times) beside the reports of a phase, if these tell more."""
    reports = Counter[tuple[int, int]]()
    for draws in observation.draws(phase):
        reports.update((draws.item, code) for code in draws.codes)
    words: dict[str, Counter[tuple[int, int]]] = {}
    for item, code, text, times in beside:
        for word in {"", text, *WORDS.findall(text)}:
            words.setdefault(word, Counter())[item, code] += times
    chosen = sorted(words, key=lambda word: -words[word].total())[:_MOST_WORDS]
    chosen.sort(key=lambda word: (" " not in word, word == ""))  # rather a text than its words
    leakage = _telling(
        {word: words[word] for word in chosen}, reports, observation, level * fmpq(len(chosen), len(words) or 1)
    )
    if leakage is None:
        return None
    word, one, other, report = leakage
    texts = [text for item, _, text, _ in beside if item == one and (word == "" or word in text)]
    witness = {
        "input": show(observation.inputs[one]),
        "beside": _line(texts[0], word)[:200],
        "less often on": show(observation.inputs[other]),
    }
    witness |= {"given the report": report} if report else {}
    return _word_row(check, texts, word or texts[0], witness)


def _telling(
    words: Mapping[str, Counter[tuple[int, int]]],
    reports: Counter[tuple[int, int]],
    observation: Observation,
    level: fmpq,
) -> tuple[str, int, int, str] | None:
    """Return (word, an input where it is more frequent, one where it is less, the report): given one report, more than
    equally likely; or more than e^epsilon times as likely."""
    totals: Counter[int] = Counter()
    for (item, _), times in reports.items():
        totals[item] += times
    merged = _coarse_codes(observation)
    codes = [c for c in dict.fromkeys(c for _, c in reports) if sum(reports[x, c] >= _FEWEST for x in totals) > 1]
    codes = [c for c in codes if c not in merged]
    each = level / max(1, len(words) * (1 + len(codes)))
    with precision(PRECISIONS[0]):
        bound = observation.oracle.privacy()
    for word, seldom in words.items():
        for code in codes:
            pairs = {x: (seldom[x, code], reports[x, code]) for x in totals if reports[x, code] >= _FEWEST}
            ends = _extremes(pairs)
            if ends and proves_larger(pairs[ends[0]], pairs[ends[1]], each):
                return word, *ends, show(observation.run.reports[code])[:200]
        sums = {x: sum(n for (y, _), n in seldom.items() if y == x) for x in totals}
        whole = {x: (sums[x], totals[x]) for x in totals}
        ends = _extremes(whole)
        if ends and proves_larger(whole[ends[0]], whole[ends[1]], each, bound):
            return word, *ends, ""
    return None


def _extremes(pairs: Mapping[int, tuple[int, int]]) -> tuple[int, int] | None:
    """Return the inputs with the largest and the smallest share, unless they are near."""
    if len(pairs) < 2:
        return None
    shares = {x: times / number for x, (times, number) in pairs.items()}
    top, low = max(shares, key=shares.__getitem__), min(shares, key=shares.__getitem__)
    return (top, low) if shares[top] - shares[low] > 0.1 else None


def typed_rows(examination: Examination) -> Iterator[Row]:
    """Yield the rows `input type, ...`: whether items that come as numpy integers, booleans or text are treated as the
    items they are."""
    for name in dict.fromkeys(name for name, _, _ in examination.run.typed):
        yield _typed_row(examination, name)


def _typed_row(examination: Examination, name: str) -> Row:
    check, observation = f"input type, {name}", examination.observation
    kinds = {item: tally for typed, item, tally in examination.run.typed if typed == name}
    pairs = [(item, code, times) for item, tally in kinds.items() for (code, _), times in tally.items()]
    refusals = [(code, times) for _, code, times in pairs if raised(observation.run.reports[code])]
    refusal = raised(observation.run.reports[refusals[0][0]]) if refusals else ""
    if refusal.startswith(NO_FORM):  # nothing refuses the input
        return Row(check, Verdict.INFO, f"not compared: {refusal}")
    if len(refusals) == len(pairs):
        return Row(check, Verdict.INFO, f"refused: {refusal}")
    promised = Verdict.FAULT if name.startswith("numpy.") else Verdict.WARNING if name == "bool" else Verdict.INFO
    if refusals:
        verdict = min(promised, Verdict.WARNING, key=list(Verdict).index)
        return Row(check, verdict, f"refused for some reports: {refusal}")
    items = np.array([item for item, _, times in pairs for _ in range(times)], np.int64)
    codes = np.array([code for _, code, times in pairs for _ in range(times)], np.int64)
    wrong = wrong_row(check, observation, items, codes)
    if wrong is not None:
        return replace(wrong, verdict=promised, detail=f"{wrong.detail}, which is given as {name}")
    counts = Counts(SHARES["typed"] / 4)
    for event in observation.events:
        names = [f"{event.name} on input {name}({show(x)})" for x in observation.inputs]
        counts.add(names.__getitem__, items, event.holds[codes], items, event.chances)
    together = np.zeros(len(items), np.int64)
    counts.add(
        lambda _: f"what tells the item, as {name}", together, observation.tells(items, codes), items, observation.told
    )
    surprise = counts.worst()
    if surprise is not None:
        return surprised(check, surprise, promised)
    words: dict[str, Counter[tuple[int, int]]] = {}
    reports = Counter[tuple[int, int]]()
    for item, tally in kinds.items():
        for (code, kind), times in tally.items():
            words.setdefault(kind, Counter())[item, code] += times
            reports[item, code] += times
    telling = _telling(words, reports, observation, SHARES["typed"] / 4) if len(words) > 1 else None
    if telling is not None:
        detail = f"the type of the report ({telling[0]}) tells more than its value"
        witness = {"for": f"{name}({show(observation.inputs[telling[1]])})", "types": ", ".join(words)}
        return Row(check, Verdict.INFO, detail, {}, witness)
    return Row(check, Verdict.INFO, f"treated as the items they are, in {len(items)} reports")


QUESTIONS = (
    Question(
        "beside-the-report",
        "does what is written, warned, logged or stored tell more than the report?",
        rows="`beside the report`, `beside the report, at exit`",
        meaning=(
            "Does what is written, warned, logged, sent, stored in files, folders, databases or the environment, "
            "or carried by the report tell more than it? And what is written when the process exits?"
        ),
        needs=(FRESH_REPORTS, BESIDE_REPORTS, EXIT),
        unasked="said only where something is left beside reports",
        hint="write, warn, log and store nothing that depends on the item",
        order=30,
        of_run=beside_rows,
    ),
    Question(
        "input-type",
        "are numpy integers, booleans and text treated as the items they are?",
        rows="`input type, ...`",
        meaning="Are numpy integers, booleans and text treated as the items they are, or refused?",
        needs=(TYPED_REPORTS,),
        unasked="asked where the items are integers",
        hint="make the item a Python integer before it is used, or refuse it",
        order=50,
        of_run=typed_rows,
    ),
)
