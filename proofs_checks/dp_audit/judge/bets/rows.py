"""The rows of a statistical audit: what the collected evidence proves, and what would have been found otherwise."""

import math
from collections.abc import Hashable, Sequence
from itertools import permutations

from flint import arb, fmpq

from dp_audit.exact_numbers import PRECISIONS, ends, figure, order_of, short
from dp_audit.judge.bets.evidence import Evidence
from dp_audit.judge.bets.martingale import Bets
from dp_audit.judge.bets.power import detectable, finds
from dp_audit.judge.bets.watches import Component
from dp_audit.judge.plan import IN_TURN
from dp_audit.judge.question import Question
from dp_audit.observation.values import show
from dp_audit.oracles.base import EVERYTHING
from dp_audit.outcome import CERTAIN, EVIDENCE, Row, Verdict
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare

LAW = ("together", "row", "single")
PAIRS = ("pairs", "shifted")
SHORT = 10**9
"""Denominator of the ends of intervals, which are rounded outwards."""
_ALARM = (Ordering.GREATER, Ordering.EQUAL)
Interval = tuple[fmpq, fmpq]


def sample_rows(evidence: Evidence, miss: fmpq, promised: bool = False) -> tuple[Row, ...]:
    """Return the rows `law`, `independence` (if the order of reports was given), `privacy` and `alphabet`.

    `miss` is the probability with which a fault of the size that the row `law` states may be missed. `promised`: where
    that is larger than the fault of the family, the law is undecided.
    """
    rows = [law_row(evidence, miss, promised)]
    if any(sum(evidence.counts[i]) for i, watch in enumerate(evidence.family.watches) if watch.pairs):
        rows.append(independence_row(evidence))
    return (*rows, privacy_row(evidence), alphabet_row(evidence, miss))


def law_row(evidence: Evidence, miss: fmpq, promised: bool = False) -> Row:
    """Return whether the reports refute the oracle's law, with the size of the fault; else, what they would have
    refuted."""
    impossible = [(x, y, k) for (x, y), k in evidence.impossible.items() if evidence.family.oracle.possible(y)]
    if impossible:
        x, y, times = impossible[0]
        witness = {
            "input": show(x),
            "output": show(y),
            "observed": f"{times} in {evidence.reports[x]} reports",
            "oracle": "0",
        }
        return Row(
            "law", Verdict.FAULT, f"{CERTAIN}a report that this input cannot lead to", _common(evidence), witness
        )
    order = evidence.alarm(LAW)
    if order in _ALARM:
        return _fault_row("law", evidence, LAW)
    if order is Ordering.UNDECIDED:
        return Row("law", Verdict.UNDECIDED, "the evidence cannot be told from its threshold", _common(evidence))
    missing = [x for x, n in evidence.reports.items() if n == 0]
    if missing:
        return Row("law", Verdict.UNDECIDED, f"no report for the input {show(missing[0])}", _common(evidence))
    return _consistent_row(evidence, miss, promised)


def _fault_row(check: str, evidence: Evidence, parts: tuple[str, ...]) -> Row:
    component = evidence.strongest(parts)
    family = evidence.family
    low, high = _outward(*evidence.interval(component))
    watches = [(family.watches[i], evidence.counts[i]) for i in component.watches]
    watch, counts = max(watches, key=lambda pair: abs(_surprise(pair[1], float(family.mean(pair[0])))))
    count, reports = sum(value * times for value, times in enumerate(counts)), sum(counts)
    units = "pairs" if watch.pairs else "reports"
    figures = {
        "relative fault": f"[{low - 1}, {high - 1}]",
        EVIDENCE: str(_log10(evidence, parts)),
    }
    witness = {
        "input": show(watch.item),
        "event": family.name(watch),
        "observed": f"{count} in {reports} {units}",
        "oracle": figure(family.mean(watch)),
    }
    each = ""
    if len(watches) > 1:
        inputs = dict.fromkeys(w.item for w, _ in watches)
        witness["inputs"] = ", ".join(map(show, inputs))
        many = f"{len(watches)} " if len(watches) > len(inputs) else ""
        where = f"{len(inputs)} inputs" if len(inputs) > 1 else "this input"
        each = f" ({many}events alike at {where} taken together, if they are off by the same factor)"
    detail = (
        f"{witness['event']} on input {witness['input']}: {witness['observed']}, expected {short(family.mean(watch))} "
        f"for each{each}"
    )
    if not low < 1 < high:  # an interval around no fault says nothing that is to be said first
        detail += f"; off by {_percent(low - 1)} to {_percent(high - 1)}"
    return Row(check, Verdict.FAULT, detail, {**_common(evidence), **figures}, witness)


def _surprise(counts: Sequence[int], mean: float) -> float:
    """Return about how many standard deviations a count is off, to choose what to show."""
    reports = sum(counts)
    return (sum(v * times for v, times in enumerate(counts)) - mean * reports) / math.sqrt(mean * reports + 1)


def _log10(evidence: Evidence, parts: tuple[str, ...]) -> fmpq:
    with precision(PRECISIONS[0]):
        total = sum((evidence.wealth(c) for c in evidence.family.components if c.part in parts), arb(0))
        low, _ = ends(total.log() / arb(10).log() * 1000)
    return fmpq(int(low.p) // int(low.q), 1000)


def _common(evidence: Evidence) -> dict[str, str]:
    return {"error level": str(evidence.family.level), "reports": str(sum(evidence.reports.values()))}


def _drawn(evidence: Evidence) -> str:
    """Return how many inputs reports were drawn on, and of how many, if these are more."""
    number, inputs = len(evidence.reports), len(evidence.family.oracle.inputs)
    return f"{number} inputs" if number == inputs else f"{number} of {inputs} inputs"


def _among(evidence: Evidence) -> str:
    """Return which inputs are spoken of, where they are not all."""
    number = len(evidence.reports)
    return "" if number == len(evidence.family.oracle.inputs) else f" of these {number}"


def _consistent_row(evidence: Evidence, miss: fmpq, promised: bool) -> Row:
    """Return the row that states which faults would have been found: of any event at any input, or at all alike."""
    single = _promise(evidence, "single", miss)
    together = _promise(evidence, "together", miss)
    figures = {**_common(evidence), "power": str(1 - miss)}
    reports = set(evidence.reports.values())
    each = f"{min(reports)}" if len(reports) == 1 else f"{min(reports)} to {max(reports)}"
    level = short(evidence.family.level)
    detail = f"nothing found in {each} reports on each of {_drawn(evidence)} (error level {level})"
    if not single:
        return Row("law", Verdict.CONSISTENT, detail, figures)
    best, worst = single[0], single[-1]
    if best[0] is None:
        return Row("law", Verdict.UNDECIDED, f"{detail}; too few reports to promise anything", figures)
    if worst[0] is None:
        names = [name for r, name in single if r is None]
        detail += f"; too few reports to promise anything about {names[0]}"
    else:
        figures["relative fault found in any event"] = str(worst[0])
        detail += (
            f"; a fault of {_percent(worst[0])} or more of any event's probability at any one input{_among(evidence)}"
        )
        if best[0] is not None and best[0] != worst[0]:
            figures["relative fault found in the easiest event"] = str(best[0])
            detail += f", of {_percent(best[0])} in the easiest"
        detail += f", is found with probability >= {short(1 - miss)}"
    if together and together[0][0] is not None:
        figures["relative fault found if it is the same at all inputs"] = str(together[0][0])
        detail += f"; of {_percent(together[0][0])} if events like {together[0][1]} are off at all inputs alike"
    if promised and not _finds_fault(evidence, miss):
        detail = f"too few reports to find a fault of {_percent(evidence.family.fault)}: {detail}"
        return Row("law", Verdict.UNDECIDED, detail, figures)
    return Row("law", Verdict.CONSISTENT, detail, figures)


def _finds_fault(evidence: Evidence, miss: fmpq) -> bool:
    """Return whether the fault of the family would have been found in every event at every input."""
    asked: set[tuple[Bets, Interval, int, fmpq]] = set()
    for component in evidence.family.components:
        if component.part == "single":
            place = component.watches[0]
            low_high = ends(evidence.family.mean(evidence.family.watches[place]))
            asked.add((component.bets, low_high, sum(evidence.counts[place]), component.weight))
    with precision(PRECISIONS[0]):
        return all(
            number > 0
            and finds(bets, arb(low).union(arb(high)), number, 1 / (evidence.family.level * weight), fault, miss)
            for bets, (low, high), number, weight in asked
            for fault in (evidence.family.fault,)
        )


def _promise(evidence: Evidence, part: str, miss: fmpq) -> list[tuple[fmpq | None, str]]:
    """Return the smallest relative faults that the binomial counts of a part show, each with a name, None last."""
    faults: dict[tuple[Bets, Interval, int], fmpq | None] = {}
    effects = []
    for component in evidence.family.components:
        watches = [evidence.family.watches[i] for i in component.watches]
        if component.part != part or len({watch.item for watch in watches}) < sum(watch.size for watch in watches):
            continue  # several events of a report: what makes them faulty may make them dependent, too
        means = [ends(evidence.family.mean(watch)) for watch in watches]
        low, high = min(a for a, _ in means), max(b for _, b in means)
        reports = sum(sum(evidence.counts[i]) for i in component.watches)
        key = component.bets, (low, high), reports
        if key not in faults:
            with precision(PRECISIONS[0]):
                p = arb(low).union(arb(high))
                faults[key] = detectable(component.bets, p, reports, evidence.family.level * component.weight, miss)
        effects.append((faults[key], f"{evidence.family.name(watches[0])} on input {show(watches[0].item)}"))
    return sorted(effects, key=lambda pair: (pair[0] is None, pair[0] or fmpq(0)))


def independence_row(evidence: Evidence) -> Row:
    """Return whether an event holds for two successive reports as often as for independent ones."""
    orders = {part: evidence.alarm((part,)) for part in PAIRS}
    for part, order in orders.items():
        if order in _ALARM:
            return _fault_row("independence", evidence, (part,))
    decided = all(order is Ordering.LESS for order in orders.values())
    verdict = Verdict.CONSISTENT if decided else Verdict.UNDECIDED
    pairs = [c for c in evidence.family.components if c.part in PAIRS]
    intervals = [evidence.interval(c) for c in pairs]
    low, high = _outward(min(a for a, _ in intervals), max(b for _, b in intervals))
    number = sum(sum(evidence.counts[c.watches[0]]) for c in pairs)
    figures = {**_common(evidence), "pairs": str(number), "relative fault, at most": f"[{low - 1}, {high - 1}]"}
    detail = (
        f"{number} pairs of successive reports: as often alike as independent ones, "
        f"up to {_percent(low - 1)} or {_percent(high - 1)} at every input{_among(evidence)}"
    )
    return Row("independence", verdict, detail, figures)


def privacy_row(evidence: Evidence) -> Row:
    """Return the row that compares bounds of the largest ratio of an event's probabilities with the nominal bound."""
    bounds = _ratio(evidence)
    with precision(PRECISIONS[0]):
        nominal = evidence.family.oracle.privacy()
    figures = {**_common(evidence), "e^epsilon": figure(nominal)}
    if bounds is None:
        return Row("privacy", Verdict.UNDECIDED, "no event was seen under two inputs", figures)
    low, high, witness = bounds
    low = _outward(low, low)[0]
    high = None if high is None else _outward(high, high)[1]
    figures["largest ratio"] = f"[{low}, {'infinity' if high is None else high}]"
    with precision(PRECISIONS[0]):
        least = arb(low).log()
        most = None if high is None else arb(high).log()
    span = f"{short(least)} to {'infinity' if most is None else short(most)}"
    figures["effective epsilon"] = f"[{ends(least)[0]}, {'infinity' if most is None else ends(most)[1]}]"
    order = order_of(lambda: (low, evidence.family.oracle.privacy()))
    detail = f"effective epsilon of the watched events: {span}"
    if evidence.family.components and high is None and compare(low, 1) is not Ordering.GREATER:
        return Row("privacy", Verdict.UNDECIDED, f"too few reports: {detail}", figures)
    if order is Ordering.GREATER:
        return Row("privacy", Verdict.FAULT, f"more than the nominal epsilon: {detail}", figures, witness)
    verdict = Verdict.UNDECIDED if order is Ordering.UNDECIDED else Verdict.CONSISTENT
    return Row("privacy", verdict, detail, figures, {})


def _ratio(evidence: Evidence) -> tuple[fmpq, fmpq | None, dict[str, str]] | None:
    """Return a lower and an upper bound (None: infinite) of the largest ratio, and what shows the lower one.

    Events are matched by name: `Oracle.events` names one set of outputs alike at all inputs. Complements of events are
    compared, too, by epsilon-LDP; other definitions compare what they observe on pairs of inputs.
    """
    comparison = evidence.family.oracle.comparison
    observed: dict[str, Hashable] = {}
    named: dict[str, list[tuple[Component | None, Item]]] = {}
    for x in evidence.family.inputs:
        of_event = {
            evidence.family.watches[c.watches[0]].events[0]: c
            for c in evidence.family.components
            if c.part == "single" and evidence.family.watches[c.watches[0]].item == x
        }
        for i, event in enumerate(evidence.family.events(x)):
            if comparison is EVERYTHING or event.observed:
                named.setdefault(event.name, []).append((of_event.get(i), x))
                observed[event.name] = event.observed[0] if event.observed else None
    best, top, witness = fmpq(1), fmpq(1), dict[str, str]()
    infinite = any_pair = False
    for name, columns in named.items():
        everything = comparison is EVERYTHING
        if len(columns) < 2:
            infinite = infinite or everything
            continue
        watched = _extremes(evidence, columns) if everything else columns
        bounds = [(*_bounds(evidence, component), x) for component, x in watched]
        bounds = _farthest(bounds) if everything else bounds
        for one, other in permutations(bounds, 2):
            if not comparison.compares(one[2], other[2], observed[name]):
                continue
            any_pair = True
            not_one, not_other = ((1 - high, 1 - low, x) for low, high, x in (one, other))
            for (low, high, x), (low2, high2, x2), shown_event in (
                (one, other, name),
                *([(not_one, not_other, f"not: {name}")] if everything else []),
            ):
                if high2 != 0 and low / high2 > best:
                    best = low / high2
                    inputs = f"{show(x)} and {show(x2)}"
                    between = f">= {short(low)} and <= {short(high2)}"
                    witness = {"input": show(x), "event": shown_event, "inputs": inputs, "probabilities": between}
                if low2 == 0:
                    infinite = True
                else:
                    top = max(top, high / low2)
    return (best, None if infinite else top, witness) if any_pair else None


def _bounds(evidence: Evidence, component: Component | None) -> Interval:
    return (fmpq(0), fmpq(1)) if component is None else evidence.probability(component)


def _extremes(
    evidence: Evidence, columns: Sequence[tuple[Component | None, Item]]
) -> list[tuple[Component | None, Item]]:
    """Return for every kind of bets and number of reports the inputs with the fewest and the most counts of an event.

    Both bounds rise with the count if bets and reports are the same (each factor is larger for S = 1 than for S = 0 if
    the bet is > 0, smaller if it is < 0), so that no other input has a more extreme bound.
    """
    kinds: dict[tuple[Bets, int] | None, list[tuple[int, Component | None, Item]]] = {}
    for component, x in columns:
        kind = None if component is None else (component.bets, evidence.reports[x])
        count = 0 if component is None else evidence.counts[component.watches[0]][1]
        kinds.setdefault(kind, []).append((count, component, x))
    ordered = [sorted(members, key=lambda member: member[0]) for members in kinds.values()]
    return [(component, x) for members in ordered for _, component, x in (members[:1] + members[1:][-1:])]


def _farthest(bounds: Sequence[tuple[fmpq, fmpq, Item]]) -> list[tuple[fmpq, fmpq, Item]]:
    """Return those with the two smallest and the two largest ends of either kind: among them are the two inputs with
    the largest ratio of a low end to a high end, or of a high end to a low end, also of the complements."""
    places = range(len(bounds))
    orders = [sorted(places, key=lambda i: bounds[i][0]), sorted(places, key=lambda i: bounds[i][1])]
    kept = {i for order in orders for i in (*order[:2], *order[-2:])}
    return [bounds[i] for i in sorted(kept)]


def alphabet_row(evidence: Evidence, miss: fmpq) -> Row:
    """Return whether all reports are outputs of the mechanism at all."""
    oracle = evidence.family.oracle
    for (x, y), times in evidence.impossible.items():
        if not oracle.possible(y):
            witness = {"input": show(x), "output": show(y), "observed": f"{times} in {evidence.reports[x]} reports"}
            detail = f"{CERTAIN}the report {show(y)[:200]} is none of the mechanism's"
            return Row("alphabet", Verdict.FAULT, detail, _common(evidence), witness)
    fewest = min(evidence.reports.values())
    if fewest == 0:
        return Row("alphabet", Verdict.UNDECIDED, "not all inputs were reported on", _common(evidence))
    with precision(PRECISIONS[0]):  # (1 - x)^n <= e^(-n x) <= miss
        rare = min(ends(-arb(miss).log() / fewest)[1], fmpq(1))
    rare = _outward(rare, rare)[1]
    figures = {**_common(evidence), "power": str(1 - miss), "probability that is found": str(rare)}
    chance = f"with probability >= {short(1 - miss)}"
    detail = f"only outputs of the mechanism; others of probability >= {short(rare)} are found {chance}"
    return Row("alphabet", Verdict.CONSISTENT, detail, figures)


def _outward(low: fmpq, high: fmpq) -> Interval:
    """Return an interval that has short ends and contains another one."""
    down, up = low * SHORT, high * SHORT
    return fmpq(int(down.p) // int(down.q), SHORT), fmpq(-(-int(up.p) // int(up.q)), SHORT)


def _percent(number: fmpq) -> str:
    return f"{short(number * 100)}%"


QUESTIONS = (
    Question(
        "alphabet",
        "can every report be one of the mechanism's?",
        rows="`alphabet`, `independence` (samples)",
        meaning="Only reports of the mechanism? Successive reports independent?",
        needs=(IN_TURN,),
        hint="return nothing but the mechanism's reports",
    ),
    Question(
        "independence",
        "are the reports of different users independent?",
        needs=(IN_TURN,),
        hint="draw fresh randomness for every user",
    ),
)
