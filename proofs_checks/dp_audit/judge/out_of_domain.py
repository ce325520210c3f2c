"""Inputs outside the domain, by samples: are they rejected, and if not, do their reports keep the bound?"""

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import replace

from flint import arb, fmpq

from dp_audit.exact_numbers import PRECISIONS, short
from dp_audit.judge.bets.power import tail
from dp_audit.judge.plan import OUTSIDE
from dp_audit.judge.question import Question
from dp_audit.observation.findings import Finding, TargetRaised
from dp_audit.observation.samples import Reports, Sampler, SamplerError
from dp_audit.observation.values import show
from dp_audit.oracles.base import EVERYTHING, Number, Oracle
from dp_audit.outcome import Row, Verdict
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare

REPORTS = 400
"""On an input outside the domain."""
SINGLY = 16
"""Of so many requests for one report each all must be rejected."""
LEVEL = fmpq(1, 10**9)
"""The bound is said to be broken, where it is not, with at most this probability."""


def outside_row(sampler: Sampler, item: Item, name: str, oracle: Oracle) -> Row:
    """Return whether a fresh process, or code at hand, rejects an input, and if not, whether its reports keep the
    bound."""
    check = f"input {name}, outside the domain"
    reports: Counter[Hashable] = Counter()
    rejected: Finding | None = None
    for count in (*[1] * SINGLY, REPORTS - SINGLY):
        if count > 1 and rejected is not None:
            break
        try:
            reports.update(sampler.sample(item, count))
        except SamplerError as error:
            rejected = error.finding
        except Exception as error:  # of code at hand
            rejected = TargetRaised(f"{type(error).__name__}: {error}")
        if rejected is not None and not isinstance(rejected, TargetRaised):
            detail = f"no answer, not even an error: {type(rejected).__name__}: {rejected.message}"
            return Row(check, Verdict.WARNING, detail, {}, {"input": name})
    if rejected is None or reports:
        row = accepted_row(check, item, reports, oracle)
        return row if rejected is None else replace(row, detail=f"{row.detail}; not always: {rejected.message}")
    return Row(check, Verdict.CONFORMS, f"rejected: {rejected.message}")


def support(answer: Reports) -> list[Hashable]:
    """Return the different reports of counts; all, of a list."""
    return [output for output, k in answer.items() if k] if isinstance(answer, Mapping) else list(answer)


def accepted_row(check: str, item: Item, reports: Reports, oracle: Oracle) -> Row:
    """Return the row of an input that is accepted, from its reports in canonical form: as the exact audit judges its
    law.

    A report of it that no input of the domain leads to is infinitely more probable on it, and so breaks the bound.
    """
    counts = Counter(reports)
    number, at_input = counts.total(), {"input": show(item)}
    detail = "accepted: whether its report keeps the bound is not known"
    if not number or oracle.comparison is not EVERYTHING:
        return Row(check, Verdict.WARNING, detail, {}, {**at_input, "output": show(next(iter(counts), None))})
    foreign = next((y for y in counts if not oracle.possible(y)), None)
    if foreign is not None:
        detail = "accepted: its report breaks the bound: no input of the domain leads to it"
        witness = {**at_input, "output": show(foreign)[:200], "observed": f"{counts[foreign]} in {number} reports"}
        return Row(check, Verdict.FAULT, detail, {"reports": str(number)}, witness)
    figures = {"error level": str(LEVEL), "reports": str(number)}
    broken = _broken(counts, oracle)
    if broken is not None:
        return Row(check, Verdict.FAULT, "accepted: its report breaks the bound", figures, {**at_input, **broken})
    detail = f"accepted: nothing in {number} reports breaks the bound"
    return Row(check, Verdict.WARNING, detail, figures, {**at_input, "output": show(counts.most_common(1)[0][0])[:200]})


def _broken(counts: Mapping[Hashable, int], oracle: Oracle) -> dict[str, str] | None:
    """Return an event that is proved to be e^epsilon times more, or less, probable than on an input of the domain."""
    number = sum(counts.values())
    with precision(PRECISIONS[0]):
        bound = arb(oracle.privacy())
        by_event: dict[str, list[tuple[Number, Item]]] = {}
        count_of: dict[str, int] = {}
        for x in oracle.inputs:
            for event in oracle.events(x):
                by_event.setdefault(event.name, []).append((event.probability, x))
                if event.name not in count_of:
                    count_of[event.name] = sum(times for y, times in counts.items() if event.holds(y))
        level = LEVEL / (2 * max(1, len(by_event)))
        for name, chances in by_event.items():
            if len(chances) < len(oracle.inputs):
                continue
            low, high = (best(chances, key=lambda pair: float(arb(pair[0]))) for best in (min, max))
            most, least = bound * low[0], high[0] / bound
            too_many = compare(most, 1) is Ordering.LESS and _is_below(tail(most, number, count_of[name]), level)
            too_few = _is_below(1 - tail(least, number, count_of[name] + 1), level)
            if too_many or too_few:
                other = low if too_many else high
                observed = f"{count_of[name]} in {number} reports"
                on_other = {"other input": show(other[1]), "on the other": short(other[0])}
                return {"event": name, "observed": observed, **on_other}
    return None


def _is_below(chance: arb, level: fmpq) -> bool:
    return compare(chance, level) is Ordering.LESS


QUESTIONS = (
    Question(
        "outside",
        "is an input outside the domain refused?",
        rows="`input ..., outside the domain`",
        meaning="Of an input that `--outside` names: is it rejected? If not: does its report at least keep the bound?",
        needs=(OUTSIDE,),
        unasked="asked of the inputs that are named",
        hint="refuse an input outside the domain before anything is drawn",
    ),
)
