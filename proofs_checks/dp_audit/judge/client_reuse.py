"""The row `reused client`: are the reports of one client independent, or do they keep what the mechanism keeps?"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, product
from math import prod
from operator import attrgetter
from typing import cast

import numpy as np
from flint import arb, fmpq

from dp_audit.exact_numbers import PRECISIONS, Deviation, absolute, ends, figure, judge, largest, short
from dp_audit.judge.events import Observation
from dp_audit.judge.law import ZERO, Laws, largest_ratio
from dp_audit.judge.plan import REPORTS, REUSE
from dp_audit.judge.question import Question
from dp_audit.judge.rare_counts import Booleans, Counts, Integers
from dp_audit.observation.jobs import TURNS
from dp_audit.observation.target_laws import Law, TargetLaws
from dp_audit.observation.values import show
from dp_audit.oracles.base import Number, Oracle, multiplied
from dp_audit.oracles.memoization import LASTING, Joint, Memoized
from dp_audit.oracles.post_processing import specified
from dp_audit.outcome import TOLERANCE, Row, Verdict
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare

_ORDER = list(Verdict).index
"""The place of a verdict, from the best one to the worst."""


def reuse_rows(target: TargetLaws, oracle: Oracle) -> list[Row]:
    """Return the row `reused client`: are reports of one client independent, unless the mechanism memoizes?"""
    single = {law.inputs[0]: _split(law) for law in reversed(target.laws) if law.refused is None}
    refused = next((law.refused for law in target.reuse if law.refused is not None), None)
    if refused is not None:
        return [Row("reused client", Verdict.UNDECIDED, refused.message)]
    turns = [law for law in target.reuse if all(x in single for x in law.inputs)]
    if not turns:
        return []
    mechanism = specified(oracle)
    if isinstance(mechanism, Memoized):
        row = _memory_row(turns, mechanism, single)
        return [] if row is None else [row]
    slack = max(law.unexplored for law in (*target.laws, *turns))
    dependent = next((witness for law in turns if (witness := _dependence(law, single, slack)) is not None), None)
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
    inputs = {x for law in turns for x in law.inputs}
    if len(inputs) < len(single) and len(single) > TURNS:
        verdict = max(verdict, Verdict.CONSISTENT, key=_ORDER)
        detail += f"; for {len(inputs)} of {len(single)} inputs"
    return [Row("reused client", verdict, detail)]


_Outcomes = tuple[Mapping[Hashable, fmpq], Mapping[Hashable, fmpq]]
"""The probabilities of the reports, and those of the types of exceptions."""


def _split(law: Law) -> _Outcomes:
    outcomes = dict[Hashable, fmpq](), dict[Hashable, fmpq]()
    for entry in law.entries:
        key = entry.output if entry.raised is None else entry.raised.split(":")[0]
        some = outcomes[entry.raised is not None]
        some[key] = some.get(key, ZERO) + entry.probability
    return outcomes


def _dependence(law: Law, single: Mapping[Item, _Outcomes], slack: fmpq) -> dict[str, str] | None:
    """Return reports of one client whose joint probability is not the product, if there are any; an exception ends the
    list, which has then its probability after all reports of the turns before.

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
        probability = joint.get(outputs, ZERO)
        if probability > most or probability + slack < expected:
            figures = {"joint": str(probability), "product": str(expected)}
            return {"inputs": show(law.inputs), "outputs": show(outputs), **figures}
    for name in sorted({*map(str, raised), *(str(name) for x in law.inputs for name in single[x][1])}):
        expected, most, before, before_most = ZERO, ZERO, fmpq(1), fmpq(1)
        for x in law.inputs:
            p = single[x][1].get(name, ZERO)
            expected, most = expected + before * p, most + before_most * (p + slack)
            answered = sum(single[x][0].values(), ZERO)
            before, before_most = before * answered, before_most * (answered + slack)
        probability = raised.get(name, ZERO)
        if probability > most or probability + slack < expected:
            figures = {"joint": str(probability), "of single reports": str(expected)}
            return {"inputs": show(law.inputs), "raised": name, **figures}
    return None


NEARLY = fmpq(1, 1000)
"""So much of a law may be left open where it is said in words what is wrong with it."""
LISTED = 1 << 17
"""Joint probabilities of a law that are compared, times what can be kept: of more, the likeliest."""


@dataclass(frozen=True)
class _Together:
    """The law of reports of one client on `items` in turn, and what the mechanism's own may be."""

    items: tuple[Item, ...]
    law: Mapping[tuple[Hashable, ...], fmpq]
    slack: fmpq
    joints: tuple[Joint, ...]


def _memory_row(turns: Sequence[Law], oracle: Memoized, single: Mapping[Item, _Outcomes]) -> Row | None:
    """Return the row that compares the joint law of reports on one value with the mechanism's; None if nothing can be
    compared.

    Every probability is at least what is stated and at most its law's `slack` more. The shortest list of reports that
    deviates is shown, with the budget that such reports spend together. None where nothing can be compared.
    """
    for law in turns:
        raised = {name: p for name, p in _split(law)[1].items() if compare(p, TOLERANCE) is Ordering.GREATER}
        if raised and not any(single[x][1] for x in law.inputs):
            name, p = next(iter(raised.items()))
            witness = {"inputs": show(law.inputs), "raised": str(name), "probability": str(p)}
            return Row("reused client", Verdict.FAULT, f"a client that is used again raises {name}", {}, witness)
    shortest = sorted(turns, key=lambda law: len(law.inputs))
    together = [joint for law in shortest if (joint := _compared(law, oracle)) is not None]
    if not together:
        return None
    worst, verdict = Deviation(ZERO), Verdict.CONFORMS
    for joint in together:
        deviation, judged = _nearest(joint, oracle)
        if judged is Verdict.FAULT:
            return _memory_fault(joint, together, oracle, single, deviation)
        worst, verdict = max(
            (worst, verdict), (deviation, judged), key=lambda pair: (_ORDER(pair[1]), ends(pair[0].size)[1])
        )
    figures = {"largest deviation of a joint probability": figure(worst.size)}
    slack = max(joint.slack for joint in together)
    single_value = all(len({*joint.items}) == 1 for joint in together)
    scope = ", all on one value: how those on several depend on each other is not stated" if single_value else ""
    if slack:
        few = compare(slack, TOLERANCE) is not Ordering.GREATER
        detail = "joint probabilities of reports of one client are the mechanism's, as far as they were explored: "
        detail += f"up to {short(slack)}{scope}"
        return Row("reused client", Verdict.ROUNDING if few else Verdict.CONSISTENT, detail, figures)
    most = max(len(joint.items) for joint in together)
    detail = f"largest deviation of a joint probability of up to {most} reports {short(worst.size)}{scope}"
    return Row("reused client", verdict, detail, figures, worst.witness)


def _compared(law: Law, oracle: Memoized) -> _Together | None:
    """Return what can be compared: the reports on one value only, where it is not stated how those on others depend on
    it."""
    joint = {outputs: p for outputs, p in law.by_output().items() if isinstance(outputs, tuple)}
    joints = oracle.joints(law.inputs)
    if joints:
        return _Together(law.inputs, joint, law.unexplored, joints)
    places = [place for place, x in enumerate(law.inputs) if x == law.inputs[0]]
    if len(places) < 2:
        return None
    marginal: dict[tuple[Hashable, ...], fmpq] = {}
    for outputs, p in joint.items():
        own = tuple(outputs[place] for place in places)
        marginal[own] = marginal.get(own, ZERO) + p
    own = tuple(law.inputs[place] for place in places)
    return _Together(own, marginal, law.unexplored, oracle.joints(own))


def _nearest(joint: _Together, oracle: Memoized) -> tuple[Deviation, Verdict]:
    """Return how far it is from that of the mechanism's own laws which is nearest."""
    listed = max(1, LISTED // len(oracle.law(joint.items[0])))
    judged = [judge(partial(_joint_deviation, joint, own, listed), attrgetter("size")) for own in joint.joints]
    return min(judged, key=lambda pair: (_ORDER(pair[1]), ends(pair[0].size)[1]))


def _joint_deviation(joint: _Together, chance: Joint, listed: int) -> Deviation:
    """Return the largest deviation among the `listed` likeliest reports that were explored: one that was not can have
    no larger one alone, as the probabilities of both sum to 1."""
    deviations = [Deviation(ZERO)]
    for outputs in sorted(joint.law, key=joint.law.__getitem__, reverse=True)[:listed]:
        a, b = joint.law[outputs], chance(outputs)
        witness = {"inputs": show(joint.items), "outputs": show(outputs), "joint": str(a), "oracle": figure(b)}
        beyond = absolute(a + joint.slack / 2 - b) - joint.slack / 2
        inside = joint.slack and compare(beyond, 0) is not Ordering.GREATER
        deviations.append(Deviation(ZERO if inside else beyond, witness))
    return largest(deviations)


def _memory_fault(
    joint: _Together,
    others: Sequence[_Together],
    oracle: Memoized,
    single: Mapping[Item, _Outcomes],
    worst: Deviation,
) -> Row:
    """Return the row that says which budget reports on one value spend together, where not enough is kept."""
    with precision(PRECISIONS[0]):
        lasting = arb(oracle.lasting_privacy()).log()
    figures = {"largest deviation of a joint probability": figure(worst.size), LASTING: figure(lasting)}
    figures |= {"unexplored": str(joint.slack)} if joint.slack else {}
    value = max(joint.items, key=joint.items.count)
    number = joint.items.count(value)
    once = largest_ratio({x: law for x, (law, _) in single.items()})[0]
    laws = {x: other.law for other in others for x in other.items if other.items == (x,) * number and not other.slack}
    spent = largest_ratio(cast("Laws", laws))[0] if len(laws) > 1 else None
    detail = (
        f"{len(joint.items)} reports of a client are not drawn from what the mechanism keeps: {short(worst.size)} off"
    )
    if number > 1 and once is not None and _is_lost(joint, value, single[value]):
        with precision(PRECISIONS[0]):
            own = arb(once).log()
            many = max(2, int(ends(lasting / own * (1 + fmpq(1, 10**6)))[1]) + 1)  # of doubles, a little more or less
            figures |= {"epsilon of one report": figure(own), f"epsilon of {many} reports": figure(many * own)}
            again = "" if len(set(joint.items)) == 1 else " that comes again after another one"
            detail = (
                f"nothing is kept of a value{again}: every report spends epsilon = {short(own)} anew, {many} reports "
            )
            detail += f"{short(many * own)}, where all reports on a value may spend {short(lasting)}"
    elif spent is not None and joint.items == (value,) * number:
        with precision(PRECISIONS[0]):
            own, allowed = arb(spent).log(), arb(_own_ratio(laws, oracle)).log()
        figures |= {f"epsilon of {number} reports": figure(own), "of the mechanism": figure(allowed)}
        detail = (
            f"{number} reports on one value spend epsilon = {short(own)} together, of the mechanism {short(allowed)}"
        )
    return Row("reused client", Verdict.FAULT, detail, figures, worst.witness)


def _is_lost(joint: _Together, value: Item, once: _Outcomes) -> bool:
    """Return whether the reports on a value are independent, as far as their law is known, which must be nearly all."""
    if compare(joint.slack, NEARLY) is Ordering.GREATER:
        return False
    places = [place for place, x in enumerate(joint.items) if x == value]
    marginal: dict[tuple[Hashable, ...], fmpq] = {}
    for outputs, p in joint.law.items():
        own = tuple(outputs[place] for place in places)
        marginal[own] = marginal.get(own, ZERO) + p
    few = joint.slack + TOLERANCE
    return all(
        compare(absolute(p - multiplied([once[0].get(y, ZERO) for y in own])), few) is not Ordering.GREATER
        for own, p in marginal.items()
    )


def _own_ratio(laws: Mapping[Item, Mapping[tuple[Hashable, ...], fmpq]], oracle: Memoized) -> Number:
    """Return the largest ratio of the mechanism's own joint probabilities of these reports."""
    ratios = [arb(1)]
    chances = {x: oracle.joint((x,) * len(next(iter(law)))) for x, law in laws.items()}
    for outputs in dict.fromkeys(outputs for law in laws.values() for outputs in law):
        column = [arb(chance(outputs)) for chance in chances.values()]
        low, high = min(column, key=float), max(column, key=float)
        ratios.append(high / low)
    return max(ratios, key=float)


PLACES = (
    *range(1, 17),
    *(20, 25, 30, 32, 33, 50, 64, 65, 99, 100, 101, 127, 128, 129, 150, 200, 201, 250, 255, 256, 257, 300, 400, 499),
    *(500, 501, 512, 513, 600, 700, 800, 900, 999, 1000, 1001, 1023, 1024, 1025),
)


SPANS = (1, 3, 10, 30, 100, 300, 1000, REPORTS)


PERIODS = (
    *range(2, 17),
    *(20, 25, 30, 32, 40, 50, 60, 64, 75, 100, 125, 128, 150, 200, 250, 256, 300, 400, 500, 512, 1000, 1024),
)


LAGS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 32, 50, 64, 100, 128, 200, 250, 256, 500, 512, 1000)


FEW = 16
"""Events that are counted by place: the telling one, and these of all."""


def count_states(counts: Counts, observation: Observation) -> None:
    """Add the counts of the telling event, of some others, and of coincidences."""
    places, items, codes = _reports_by_place(observation)
    if len(places):
        for name, labels in _by_place(places):
            _events(counts, observation, name, labels, (items, codes))
        _coincidences(counts, observation)
    calls, items, codes = _calls(observation, "first", "fresh", "client")
    fresh, fresh_items, fresh_codes = _calls(observation, "fresh")
    for period in PERIODS:
        _events(
            counts, observation, f"call {{0}} of every {period} of the process", calls % period, (items, codes), few=2
        )
        _events(
            counts, observation, f"client {{0}} of every {period}", fresh % period, (fresh_items, fresh_codes), few=2
        )
    late = np.searchsorted(np.array([100, 300, 1000, 3000, 10_000, 30_000, 100_000]), calls)
    _events(counts, observation, "calls of the process, part {0}", late.astype(np.int64), (items, codes))


def _reports_by_place(observation: Observation) -> tuple[Integers, Integers, Integers]:
    """Return (place in the client from 1, item, code) of the reports of clients that are used again."""
    chosen = list(observation.draws("client"))
    items, codes = observation.flat("client")
    places = np.concatenate([np.arange(1, len(d.codes) + 1, dtype=np.int64) for d in chosen] or [items])
    return places, items, codes


def _calls(observation: Observation, *phases: str) -> tuple[Integers, Integers, Integers]:
    """Return (number of the call in the process, item, code) of the reports of some phases."""
    start = {"first": 0, "fresh": sum(len(d.codes) for d in observation.draws("first"))}
    typed = sum(times for _, _, kinds in observation.run.typed for times in kinds.values())
    start["client"] = start["fresh"] + sum(len(d.codes) for d in observation.draws("fresh")) + typed
    numbers = [np.zeros(0, np.int64)]
    for phase in phases:
        size = sum(len(d.codes) for d in observation.draws(phase))
        numbers.append(np.arange(start[phase] + 1, start[phase] + size + 1, dtype=np.int64))
    items, codes = observation.flat(*phases)
    return np.concatenate(numbers), items, codes


def _by_place(places: Integers) -> Iterable[tuple[str, Integers]]:
    single = np.where(np.isin(places, PLACES), places, -1)
    yield "report {0} of a client", single
    yield "reports of a client, part {0}", np.searchsorted(np.array(SPANS), places).astype(np.int64)


def _events(
    counts: Counts,
    observation: Observation,
    name: str,
    labels: Integers,
    reports: tuple[Integers, Integers],
    few: int = FEW,
) -> None:
    """Count the telling event and the first `few` of all, in every group of reports (items, codes)."""
    items, codes = reports
    counts.add(_labels(name, "what tells the item"), labels, observation.tells(items, codes), items, observation.told)
    for event in observation.events[:few]:
        counts.add(_labels(name, event.name), labels, event.holds[codes], items, event.chances)


def _labels(name: str, event: str) -> Callable[[int], str]:
    return lambda label: f"{event}, {name.format(label)}"


def _coincidences(counts: Counts, observation: Observation) -> None:
    """Count where reports on one item coincide: some places apart in one client, or at one place in two clients. Pairs
    are disjoint."""
    clients = list(observation.draws("client"))

    def same(one: Integers, other: Integers, items: Integers) -> Booleans:
        if observation.compares_reports:
            return np.asarray(one == other)
        return np.asarray(observation.tells(items, one) == observation.tells(items, other))

    single = [(np.array(d.codes, np.int64), observation.items_of(d)) for d in clients if d.step == 0]
    for lag in LAGS:
        parts = []
        for codes, items in single:
            starts = np.arange(max(0, len(codes) - lag), dtype=np.int64)
            starts = starts[starts // lag % 2 == 0]
            held = same(codes[starts], codes[starts + lag], items[starts])
            parts.append((starts + lag + 1, held, items[starts]))
        if not parts:
            continue
        places, held, items = (np.concatenate(some) for some in zip(*parts, strict=True))
        whole = np.zeros(len(places), np.int64)
        apart = _labels(f"{lag} apart", "reports of a client that are alike")
        counts.add(apart, whole, held, items, observation.alike)
        if lag == 1:
            late = np.searchsorted(np.array(SPANS), places).astype(np.int64)
            counts.add(
                _labels("reports of a client, part {0}", "alike one after the other"),
                late,
                held,
                items,
                observation.alike,
            )
    for one, other in list(pairwise(clients))[::2]:
        if (one.item, one.step, len(one.codes)) == (other.item, other.step, len(other.codes)):
            first, second = np.array(one.codes, np.int64), np.array(other.codes, np.int64)
            items = observation.items_of(one)
            whole = np.zeros(len(first), np.int64)
            counts.add(lambda _: "two clients are alike", whole, same(first, second, items), items, observation.alike)


QUESTIONS = (
    Question(
        "reused-client",
        "are its reports independent, or drawn from what the mechanism keeps?",
        meaning=(
            "Are the reports of one client object independent, with the same law (of mechanisms that [keep "
            "something for a value](../guide/audit.md#what-is-kept-for-a-value): together as the mechanism has it)? "
            "Beyond 16 inputs for three of them, and as far as two or three reports can be enumerated in seconds: the "
            "row says how far."
        ),
        needs=(REUSE,),
        unasked='"undecided", where the law of two reports takes too long to enumerate',
        hint="draw fresh randomness for every report of a client",
    ),
)
