"""Unmodified runs of mechanisms that draw a hash function: a report is looked at given the function that it shows.

A report comes with the facts about its function, (name, value) pairs that complete the parameters of the oracle, and is
told by its place among the outputs of its law given the function, the likeliest first. The probabilities of the places
are those of one law for every function, so that reports with different functions are counted together.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from flint import arb, fmpq

from dp_audit.exact_numbers import PRECISIONS, short
from dp_audit.judge.events import Observation
from dp_audit.judge.examination import LEVEL, SHARES
from dp_audit.judge.plan import CONDITIONS, FIRST_REPORTS, FRESH_REPORTS, RAW_FORMS, OracleOf
from dp_audit.judge.question import Question
from dp_audit.judge.rare_counts import proves_larger
from dp_audit.judge.representation import dependence, itself, place_ways, raws_of
from dp_audit.observation.unmodified_run import UnmodifiedRun, raised
from dp_audit.observation.values import show
from dp_audit.oracles.base import Number, Oracle, part
from dp_audit.outcome import Row, Verdict
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.precision import precision

NEAR = fmpq(1, 10)
"""Shares that differ less are not told apart."""
MOST_LAWS = 14_000
"""Of so many pairs of an input and a hash function the law is computed; of later ones reports are left out."""
Facts = Mapping[str, Any]


class UnequalLawsError(Exception):
    """The probabilities of the outputs are others for another hash function, so that their places have no one law."""


@dataclass(frozen=True)
class PlaceOracle(Oracle):
    """The law of the place of a report in the law of `oracle`, which is given one of the hash functions."""

    oracle: Oracle
    inputs: ClassVar[Any] = part("oracle", "inputs")
    privacy: ClassVar[Any] = part("oracle", "privacy")

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Return the probabilities of the places."""
        return {place(k): p for k, (_, p) in enumerate(_ordered(self.oracle.law(item)))}


def place(number: int) -> str:
    """Return the name of a place among the outputs."""
    return f"output {number + 1} of those of its hash function, the likeliest first"


def run_of_places(run: UnmodifiedRun, reference: Oracle, oracle_of: OracleOf) -> UnmodifiedRun:
    """Return an unmodified run whose reports are places; what is no output given its hash function stays as it is.

    Estimates are left out, and what is beside the reports, which is compared for equal reports. Raises
    `UnequalLawsError`.
    """
    places = _Places(run, reference, oracle_of)
    draws = []
    for each in run.draws:
        if places.full:
            break
        for k, code in enumerate(each.codes):
            places.code((each.item + each.step * k) % len(run.inputs), code)
        draws.append(each)
    drawn = tuple(each for each in run.updated if each.item >= 0)
    left = replace(run, draws=tuple(draws), updated=drawn, beside=(), watched=(), many=(), raws=()).recoded(places.code)
    return replace(left, reports=tuple(places.outputs))


class _Places:
    """The places of reports, and their codes."""

    def __init__(self, run: UnmodifiedRun, reference: Oracle, oracle_of: OracleOf) -> None:
        self._run, self._oracle_of = run, oracle_of
        with precision(PRECISIONS[0]):
            self._known = [_ordered(reference.law(x)) for x in run.inputs]
        self._laws: dict[tuple[int, Hashable], dict[Hashable, int]] = {}
        self._codes: dict[tuple[int, int], int] = {}
        self.outputs: dict[Hashable, int] = {}

    @property
    def full(self) -> bool:
        """Whether as many laws were computed as shall be."""
        return len(self._laws) > MOST_LAWS

    def code(self, item: int, code: int) -> int:
        """Return the code of the place of a report on an input."""
        number = self._codes.get((item, code))
        if number is None:
            new = self._place(item, self._run.reports[code])
            number = self._codes[item, code] = self.outputs.setdefault(new, len(self.outputs))
        return number

    def _place(self, item: int, report: Hashable) -> Hashable:
        parts = split(report)
        if parts is None:
            return report
        facts, output = parts
        law = self._laws.get((item, facts))
        if law is None:
            law = self._laws[item, facts] = self._law(item, facts)
        return place(law[output]) if output in law else report

    def _law(self, item: int, facts: Any) -> dict[Hashable, int]:
        with precision(PRECISIONS[0]):
            ordered = _ordered(self._oracle_of(dict(facts)).law(self._run.inputs[item]))
        expected = self._known[item]
        same = len(ordered) == len(expected)
        if not same or not all(arb(p).overlaps(arb(q)) for (_, p), (_, q) in zip(ordered, expected, strict=True)):
            raise UnequalLawsError
        return {output: number for number, (output, _) in enumerate(ordered)}


def _ordered(law: Mapping[Hashable, Number]) -> list[tuple[Hashable, Number]]:
    """Return outputs with their probabilities, the largest first; equal ones as they follow the likeliest one in a
    circle.

    Their order is free; in this one a lie that is always the next cell is always at one place.
    """
    outputs = sorted(law, key=lambda output: (len(repr(output)), repr(output)))
    first = outputs.index(max(outputs, key=lambda output: float(arb(law[output]))))
    circle = outputs[first:] + outputs[:first]
    return sorted(((output, law[output]) for output in circle), key=lambda pair: -float(arb(pair[1])))


def split(report: Hashable) -> tuple[Any, Hashable] | None:
    """Return the facts and the output of a report; None for an exception."""
    if raised(report):
        return None
    assert isinstance(report, tuple)
    facts, output = report
    return facts, output


def hash_rows(run: UnmodifiedRun, reference: Oracle) -> Iterator[Row]:
    """Give the row `hash function`: do it, and the draws that select it, come as often with every input?"""
    numbers: Counter[int] = Counter()
    put: dict[str, Counter[int]] = {}
    for draws in Observation(run, reference).draws("first", "fresh"):
        for code in draws.codes:
            parts = split(run.reports[code])
            if parts is not None:
                numbers[draws.item] += 1
                for word in _words(parts[0]):
                    put.setdefault(word, Counter())[draws.item] += 1
    if not put:
        return
    row = _facts_row(run, numbers, put) or _draws_row(run)
    detail = f"as often the same on every input, as far as was seen in {numbers.total()} reports"
    yield row or Row("hash function", Verdict.INFO, f"{detail} (error level {short(LEVEL)})")


def _facts_row(run: UnmodifiedRun, numbers: Mapping[int, int], put: Mapping[str, Counter[int]]) -> Row | None:
    """Return the row of a fact about hash functions that comes more often with one input than with another."""
    differences: list[tuple[fmpq, str, int, int]] = []
    for word, times in put.items():
        shares = {x: fmpq(times[x], number) for x, number in numbers.items()}
        top, low = (best(shares, key=shares.__getitem__) for best in (max, min))
        differences.append((shares[top] - shares[low], word, top, low))
    for difference, word, top, low in sorted(differences, key=lambda each: each[0], reverse=True):
        if difference <= NEAR:
            break
        pairs = [(put[word][x], numbers[x]) for x in (top, low)]
        if proves_larger(pairs[0], pairs[1], SHARES["hash"] / 2 / len(put)):
            witness = {"input": show(run.inputs[top]), "hash function": word, "other input": show(run.inputs[low])}
            observed = [f"{count} in {number}" for count, number in pairs]
            witness |= {"observed": observed[0], "observed on the other": observed[1]}
            return Row("hash function", Verdict.FAULT, f"{word}: how often depends on the input", {}, witness)
    return None


def _draws_row(run: UnmodifiedRun) -> Row | None:
    """Return the row of the draws that reports show, if these depend on the input."""
    raws = raws_of(run)
    share = SHARES["hash"] / 4
    leakage = dependence(raws, len(run.inputs), [(itself, "", share), *place_ways(raws, share)])
    if leakage is None:
        return None
    (_, named, _), (item, _, _) = leakage
    detail = f"the draws that a report shows{named and f', {named},'} depend on the input, in {len(raws)} reports"
    example = next(raw for x, _, raw in raws if x == item)
    return Row("hash function", Verdict.FAULT, detail, {}, {"input": show(run.inputs[item]), "draws": example[:200]})


def _words(facts: Any) -> Iterator[str]:
    """Give in words which value each fact has at each place."""
    for name, value in facts:
        for position, entry in enumerate(_flat(value)):
            yield f"{name}, entry {position} is {show(entry)}"


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for part in value:
            yield from _flat(part)
    else:
        yield value


QUESTIONS = (
    Question(
        "hash-function",
        "is it drawn independently of the item?",
        meaning="Are the hash function that a report shows, and the draws that select it, independent of the item?",
        needs=(CONDITIONS, FIRST_REPORTS, FRESH_REPORTS, RAW_FORMS),
        unasked="asked where draws are conditioned on",
        hint="draw the hash function before the item is looked at",
    ),
)
