"""The row `raw output`: do type, order and content of a report show more of the input than its value does?"""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import comb

from flint import arb, fmpq

from dp_audit.exact_numbers import PRECISIONS, short
from dp_audit.judge.examination import LEVEL, SHARES, Examination
from dp_audit.judge.law import largest_ratio
from dp_audit.judge.plan import COMPILED_REPORTS, LAWS, RAW, RAW_FORMS
from dp_audit.judge.question import Question
from dp_audit.observation.target_laws import OPAQUE, Entry, Law
from dp_audit.observation.unmodified_run import SHORTENED, UnmodifiedRun, raised
from dp_audit.observation.values import rational, show
from dp_audit.oracles.base import EVERYTHING, Comparison
from dp_audit.outcome import Row, Verdict
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare

_WITHIN = re.compile(r" <within [^<>]*>")
Ratio = tuple[fmpq | None, dict[str, str]]


@dataclass(frozen=True)
class _Raw(Comparison):
    """A comparison of the values of outputs, made of pairs (value, what else shows)."""

    own: Comparison

    def compares(self, item: Item, other: Item, observed: Hashable) -> bool:
        assert isinstance(observed, tuple)
        return self.own.compares(item, other, observed[0])


def itself(raw: str) -> str:
    """Return the raw description without the memory that arrays are a part of."""
    return _WITHIN.sub("", raw)


def kind(raw: str) -> str:
    """Return the types, and the order of what has none, in a raw description."""
    return itself(raw).partition(" = ")[0]


def content(raw: str) -> str:
    """Return what the code's own report holds, where an adapter has a canonical form."""
    return raw.partition(" = ")[2]


def kinds_shown(raws: Collection[str]) -> str:
    """Return some of the types of reports."""
    kinds = sorted({kind(raw)[:200] for raw in raws})
    return "; ".join(kinds[:4]) + (" ..." if len(kinds) > 4 else "")


def part_shown(contents: Iterable[str]) -> str:
    """Return what differs in reports with one value: their order, or what they hold."""
    return "the order of the report" if _is_order(set(contents)) else "what the report holds"


def _is_order(contents: Collection[str]) -> bool:
    """Whether these are lists of the same parts."""
    lists = [json.loads(text) if text[:1] == "[" else None for text in contents]
    if len(lists) < 2 or any(parts is None for parts in lists):
        return False
    return len({tuple(sorted(map(json.dumps, parts or ()))) for parts in lists}) == 1


def raw_row(check: str, laws: Mapping[Item, Law], comparison: Comparison, compiled: bool) -> Row:
    """Whether type and order of a report show more of the input than its value does.

    Types are not those of compiled code, when its source is interpreted here; what the report holds and in which order
    (after " = ", where an adapter has a canonical form) is.
    """
    raws = {e.raw for law in laws.values() for e in law.entries}
    of_raw = comparison if comparison is EVERYTHING else _Raw(comparison)
    kinds = kinds_shown(raws)

    def ratio(key: Callable[[str], str]) -> Ratio:
        return largest_ratio(
            {x: _law(law, lambda entry: (entry.output, key(entry.raw))) for x, law in laws.items()}, of_raw
        )

    without, _ = largest_ratio({x: law.by_output() for x, law in laws.items()}, comparison)
    with_raw, witness = ratio(itself) if len(raws) > 1 else (without, {})
    figures = {"largest ratio with types and order": "infinite" if with_raw is None else str(with_raw)}
    if with_raw == without:
        if any(OPAQUE in raw for raw in raws):
            detail = f"{kinds}: what the report holds cannot be looked into; what is seen says no more than the value"
            return Row(check, Verdict.UNDECIDED, detail, figures)
        return Row(check, Verdict.CONFORMS, f"{kinds}: type and order say no more than the value", figures)
    secret = "the true input" if with_raw is None else "more than the value"
    with_values, of_values = ratio(content)
    if with_values != without:
        detail = f"{kinds}: {part_shown(_alike(laws))} shows {secret}"
        return Row(check, Verdict.FAULT, detail, figures, of_values)
    if compiled:
        detail = f"{kinds}: the type shows {secret}, in the interpreted source; compiled code may return one type only"
        return Row(check, Verdict.UNDECIDED, detail, figures, witness)
    return Row(check, Verdict.FAULT, f"{kinds}: the type or order of the report shows {secret}", figures, witness)


def _alike(laws: Mapping[Item, Law]) -> set[str]:
    """Return what reports with one value hold, of a value for which that differs most."""
    contents: dict[Hashable, set[str]] = {}
    for law in laws.values():
        for entry in law.entries:
            contents.setdefault(entry.output, set()).add(content(entry.raw))
    return max(contents.values(), key=len)


def _law(law: Law, key: Callable[[Entry], Hashable]) -> dict[Hashable, fmpq]:
    """Return the law of what `key` says of an output."""
    probabilities: dict[Hashable, fmpq] = {}
    for entry in law.entries:
        view = key(entry)
        before = probabilities.get(view)
        probabilities[view] = entry.probability if before is None else before + entry.probability
    return probabilities


WEIGHTS = tuple(1 << k for k in (1, 2, 4, 8, 16, 32, 64))
"""Bases of the moments that are tried."""


COMMON = 4.0
"""Standard deviations above the mean that are no reason to compute a bound."""


UNSEEN = fmpq(1, 10**9)
"""A description of a law is contradicted, if it would be missed so seldom."""


CONTRADICTED = "found only where draws are replaced"


Raw = tuple[int, int, str]
"""(item, report, what is said of it)."""
Way = tuple[Callable[[str], str], str, fmpq]
"""What is looked at of a description, its name ("": all of it), the error level."""


def raws_of(run: UnmodifiedRun) -> list[Raw]:
    """Return what is said of the reports of a run, where something could be said."""
    return [each for each in run.raws if not each[2].startswith("not described")]


def raw_rows(examination: Examination) -> Iterator[Row]:
    """`raw output`: a fault that real reports prove; or how many were looked at."""
    reports = examination.run.reports
    # without a form a report has no value to compare with
    raws = [each for each in raws_of(examination.run) if not raised(reports[each[1]])]
    if not raws:
        return
    inputs, kinds = examination.run.inputs, kinds_shown({raw for _, _, raw in raws})
    number = f"{len(raws)} reports on {len(inputs)} inputs, with nothing replaced (error level {short(LEVEL)})"
    share = SHARES["raw"] / 4
    ways: tuple[Way, ...] = (
        (kind, "the type or order of the report", share),
        (itself, "", share),
        *((key, f"what the report holds, {named},", level) for key, named, level in place_ways(raws, share)),
        (str, "the array that the report is a part of (its `base`)", share),
    )
    leakage = dependence(raws, len(inputs), ways)
    if leakage is not None:
        (key, named, _), (item, code, raw) = leakage
        part = named or part_shown({content(other) for _, y, other in raws if y == code})
        witness = {"input": show(inputs[item]), "output": show((reports[code], raw))[:400]}
        detail = f"{kinds}: {part} shows more than the value, in {number}"
        verdict = Verdict.WARNING if key is str else Verdict.FAULT
        yield Row(RAW, verdict, detail, {"reports": str(len(raws))}, witness)
        return
    if any(OPAQUE in raw for _, _, raw in raws):
        yield Row(RAW, Verdict.UNDECIDED, f"{kinds}: what the report holds cannot be looked into")
        return
    missing = _contradicted(examination, raws)
    if missing:
        yield Row(RAW, Verdict.INFO, f"{kinds}: nothing found in {number}; {missing} was {CONTRADICTED}")
        return
    yield Row(
        RAW, Verdict.INFO, f"{kinds}: nothing depends on the input, given the value, as far as was seen in {number}"
    )


PLACES = 64
"""So many places in what reports hold are looked at."""
SELDOM = 8
"""Places are looked at, where a whole description comes less often than this: as good as never again."""


def place_ways(raws: Sequence[Raw], share: fmpq) -> list[Way]:
    """Return what tells, of a description, a character or byte of what the report holds, or whether it is odd, if a
    nonce makes most descriptions unique; at an error level that all share."""
    descriptions = dict.fromkeys(raw for _, _, raw in raws)
    if len(descriptions) * SELDOM < len(raws) or not any(map(content, descriptions)):
        return []
    parts = {raw: dict(_parts(_parsed_content(raw))) for raw in descriptions}
    most = Counter(place for held in parts.values() for place in held).most_common(PLACES)

    def at(place: str, modulus: int, raw: str) -> str:
        number = parts[raw].get(place)
        return "" if number is None else str(number % modulus)

    moduli = {"": 1 << 21, ", modulo 2": 2}  # characters have at most 21 bits
    ways = {f"{place}{named}": partial(at, place, modulus) for place, _ in most for named, modulus in moduli.items()}
    return [(key, named, share / len(ways)) for named, key in ways.items()]


def _parsed_content(raw: str) -> object:
    """Return what a report holds, as JSON; None where it is too long to be told."""
    try:
        return json.loads(content(raw))
    except ValueError:
        return None


def _parts(value: object, place: str = "at ") -> Iterator[tuple[str, int]]:
    """Give the characters of texts, and the bytes of integers (the lowest first) and of bytes, by their places."""
    numbers: Iterable[int] = ()
    if isinstance(value, dict) and value.keys() == {"bytes"}:
        numbers = bytes.fromhex(value["bytes"])
    elif isinstance(value, dict | list):
        for name, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _parts(part, f"{place}{name}.")
    elif isinstance(value, int):
        numbers = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
    elif isinstance(value, str):
        numbers = map(ord, value)
    yield from ((f"{place}{i}", number) for i, number in enumerate(numbers))


def dependence(raws: Sequence[Raw], inputs: int, ways: Iterable[Way]) -> tuple[Way, Raw] | None:
    """Return the first way, and what is seen of a report by it, that is proved to tell more of the item than the value
    does."""
    for way in ways:
        key, _, level = way
        telling = _telling([(x, code, key(raw)) for x, code, raw in raws], inputs, level)
        if telling is not None:
            return way, telling
    return None


def _telling(raws: Sequence[Raw], inputs: int, level: fmpq) -> Raw | None:
    """Return a description that is proved to come more often with one input, given its value."""
    half = len(raws) // 2
    learned, tested = raws[:half], raws[half:]
    with_all, with_one = Counter((y, raw) for _, y, raw in learned), Counter(learned)
    values, values_of = Counter(y for _, y, _ in learned), Counter((x, y) for x, y, _ in learned)
    if len(with_all) == len(values):
        return None  # one description for each value
    for item in range(inputs):
        speaks = {
            (y, raw)
            for (y, raw), times in with_all.items()
            if with_one[item, y, raw] * values[y] > times * values_of[item, y]
        }
        here, hits = Counter[int](), Counter[int]()
        total, both = Counter[int](), 0
        for x, y, raw in tested:
            total[y] += 1
            here[y] += x == item
            hits[y] += (y, raw) in speaks
            both += x == item and (y, raw) in speaks
        strata = []
        for y, every in total.items():
            if 0 < hits[y] < every and 0 < here[y] < every:
                strata.append((every, hits[y], here[y]))
            else:  # this number is known
                both -= min(hits[y], here[y])
        if strata and _is_rare(strata, both, level / inputs):
            return max(((item, y, raw) for y, raw in speaks), key=lambda each: with_one[each])
    return None


def _is_rare(strata: Sequence[tuple[int, int, int]], least: int, level: fmpq) -> bool:
    """Whether the sum of independent hypergeometric numbers (of all, marked, drawn) is >= `least` with a probability
    below the level."""
    mean, variance = 0.0, 0.0  # floats choose what is looked at; balls decide
    for every, marked, drawn in strata:
        mean += marked * drawn / every
        variance += marked * drawn / every * (every - marked) / every * (every - drawn) / (every - 1)
    if least <= mean + COMMON * math.sqrt(variance):
        return False
    times = Counter(strata)
    with precision(PRECISIONS[0]):
        threshold = arb(level).log()
        for weight in WEIGHTS:
            bound = -least * arb(weight).log()
            for (every, marked, drawn), number in times.items():
                bound += number * (arb(_moment(every, marked, drawn, weight)) / comb(every, drawn)).log()
            if compare(bound, threshold) is Ordering.LESS:
                return True
    return False


def _moment(every: int, marked: int, drawn: int, weight: int) -> int:
    """C(every, drawn) times the expectation of weight^k, k of the drawn ones being marked."""
    fewest = max(0, drawn - (every - marked))
    return sum(
        comb(marked, k) * comb(every - marked, drawn - k) * weight**k for k in range(fewest, min(marked, drawn) + 1)
    )


def _contradicted(examination: Examination, raws: Sequence[Raw]) -> str:
    """Return the report that proves the fault of the law, if it should have come and never did, or came where it
    cannot."""
    row = examination.raw
    if row is None or row.verdict is not Verdict.FAULT or any(SHORTENED in raw for _, _, raw in raws):
        return ""
    output, item, pair = (row.witness.get(name, "") for name in ("output", "input", "inputs"))
    chances = row.witness.get("probabilities", "1 and 1").split(" and ")
    by_input: dict[str, set[str]] = {}
    for x, y, raw in set(raws):
        forms = (itself(raw), content(raw), raw)
        outputs = {show((examination.run.reports[y], form)) for form in forms}
        by_input.setdefault(show(examination.run.inputs[x]), set()).update(outputs)
    number = sum(show(examination.run.inputs[x]) == item for x, _, _ in raws)
    missed = (1 - rational(chances[0])) ** number < UNSEEN and output not in by_input.get(item, ())
    other = pair[len(f"{item} and ") :]
    impossible = chances[-1] == "0" and output in by_input.get(other, ())
    return f"that {output[:200]} tells {item} from {other}" if missed or impossible else ""


QUESTIONS = (
    Question(
        "raw-output",
        "do type or order of a report show more than its value?",
        meaning=(
            "Do type, order or content of the report show more than its value? (A warning, if only the array that"
            " it is a part of does.)"
        ),
        needs=(LAWS, RAW_FORMS, COMPILED_REPORTS),
        unasked='"not looked at", where the law was not enumerated and there is no unmodified run',
        hint="return one canonical form, sorted and of one type, whatever the input was",
        order=40,
        of_run=raw_rows,
    ),
)
