"""Checkers for statements about shuffled reports: data sets that show more than is stated, bounds for all of them."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, product
from math import exp, inf
from typing import Any

from dp_checks.certificate import json_value
from dp_checks.check import divergence_windows
from dp_checks.check.divergence_points import POINTS
from dp_checks.check.proposals import Candidate
from dp_checks.registry import keyed
from dp_checks.verdict import Verdict
from dp_kernel.cards.blanket import Shuffled
from dp_kernel.certificate.check import check
from dp_kernel.formulas.terms import Interval, evaluate
from dp_kernel.laws.grammar import nodes
from dp_kernel.meter import DEFAULT, Rejected, limited
from dp_kernel.shuffle import divergences as kernel
from dp_spec.vocabulary.shuffle_statements import Divergence

LISTED = "all data sets"
MAX_MESSAGES, MAX_LABELS, MAX_FUNCTIONS = 8, 4, 81
"""What is enumerated at most: reports and dummies, labels, functions of a family."""
SMALLEST = Fraction(1, 10**150)
"""A delta below that would take windows that are too wide."""
EASES = (1.5, 4.0, inf)
"""How far beyond where delta is about reached a bound is sought: farther out it takes more work."""
LARGEST = 700.0
"""Of e to its power there is a float."""
PIECES = (1, divergence_windows.COARSE, divergence_windows.KNOTS)
Json = dict[str, Any]


def divergence(statement: Divergence, hint: str) -> Iterator[Candidate]:
    """Bounds at all listed points: the first ones that may hold, which nothing checks before the kernel decides. Where
    it rejects them: the first point at which data sets show more than is stated, or the first bounds it accepts."""
    body = json_value(statement.json())
    free = bool(body["domain"]["variables"])
    verdict: Verdict = "verified" if free else "proved"
    inside = [values for values in points(hint, free) if _at(body, values) is not None]
    bounds = [_for_all(body, values) for values in inside]
    first = [next(listed, None) for listed in bounds]
    if inside and None not in first:
        yield _for_all_data(verdict, [x for x in first if x is not None])  # mostly accepted
    cases = list[Json]()
    for values, case, others in zip(inside, first, bounds, strict=True):
        if case is not None and _accepts(body, verdict, {"instances": [case]}):  # then nothing can be shown against it
            cases.append(case)
            continue
        for evidence in _against(body, values):
            data = {"values": values, **evidence}
            if _accepts(body, "refuted", data):
                suffix = "" if not evidence["data"] else f", data {evidence['data']}"
                yield Candidate("refuted", "data sets", f"{_named(values)}: {evidence['by']}{suffix}", data)
                return
        cases += islice((x for x in others if _accepts(body, verdict, {"instances": [x]})), 1)
    if cases and len(cases) == len(inside):
        yield _for_all_data(verdict, cases)


def _for_all_data(verdict: Verdict, cases: Sequence[Json]) -> Candidate:
    """The proposal that bounds hold for every data set at their points."""
    rules = ", ".join(dict.fromkeys(x["by"] for x in cases))
    where = "; ".join(_named(x["values"]) for x in cases[:3]) + (f" and {len(cases) - 3} more" * (len(cases) > 3))
    scope = f"every data set at {len(cases)} points: {where}" if verdict == "verified" else "every data set"
    return Candidate(verdict, f"divergence ({rules})", scope, {"instances": cases})


def points(hint: str, free: bool) -> list[Json]:
    """The points that are filed under a claim, or under its row; the only one, if nothing is free."""
    if not free:
        return [{}]
    grid = POINTS.get(hint) or POINTS.get(hint.split("@")[0], ())
    return [{name: str(value) for name, value in values.items()} for values in grid]


def _at(body: Json, values: Json) -> Mapping[str, Any] | None:
    """The values of all names, if the point lies in the domain, epsilon >= 0 and numbers are not beyond enclosure."""
    try:
        at = kernel.point(body, values)
        _, delta = kernel.ends(body, at)
        if 0 < delta.high < SMALLEST:
            return None
    except (Rejected, ArithmeticError, ValueError):
        return None
    return at


def _accepts(body: Json, verdict: str, data: Json) -> bool:
    try:
        with limited(DEFAULT // 2):
            check(body, verdict, json_value(data))
    except (Rejected, ArithmeticError, LookupError, ValueError):
        return False
    return True


def _shuffled(body: Json, at: Mapping[str, Any], *, high: bool) -> Shuffled | None:
    """The numbers of randomized response, or None."""
    a = Interval.of(evaluate(body["e_eps"], at, kernel.BITS))
    try:
        return kernel.randomized_response(body, at, a.low if high else a.high, high=high, labels=2 if high else 3)
    except (Rejected, ArithmeticError, ValueError):
        return None


def _against(body: Json, values: Json) -> Iterator[Json]:
    """Data sets that may show more."""
    at = kernel.point(body, values)
    for hashes in _families(body, at):
        if body["relation"] == "eq" and "than" not in body:
            yield {"by": LISTED, "data": [], **hashes}
            continue
        try:
            with limited(DEFAULT // 2):
                a = Interval.of(evaluate(body["e_eps"], at, kernel.BITS))
                pairs = [[x0, x1, *others] for x0, x1, others, _ in kernel.enumerated(body, at, a.high, hashes)]
        except (Rejected, ArithmeticError, LookupError, ValueError):
            continue
        yield from ({"by": LISTED, "data": pair, **hashes} for pair in pairs)
    s = _shuffled(body, at, high=False)
    delta = Interval.of(evaluate(body["delta"], at, kernel.BITS)).high
    if s is None or "than" in body or delta <= 0:
        return
    if body["relation"] == "eq":
        tuned = min(delta, divergence_windows.expected(s, Fraction(divergence_windows.logarithm(s.a))))
        yield divergence_windows.blanket(s, tuned, 1) | {"data": []}
    if not s.extra:
        yield divergence_windows.third(s, delta, 1) | {"data": [] if "law" in body else [3]}


def _for_all(body: Json, values: Json) -> Iterator[Json]:
    """Bounds that may hold for all data sets at a point."""
    return ({"values": values, **evidence} for evidence in _rules(body, values))


def _rules(body: Json, values: Json) -> Iterator[Json]:
    """Ways to bound all data sets."""
    at = kernel.point(body, values)
    s = _shuffled(body, at, high=True)
    delta = Interval.of(evaluate(body["delta"], at, kernel.BITS)).low
    if s is not None and delta > 0:
        for ease in EASES:
            yield from _by_blanket(s, delta, ease)
    if _families(body, at) == [{}]:
        yield {"by": LISTED}


def _by_blanket(s: Shuffled, delta: Fraction, ease: float) -> Iterator[Json]:
    """The bound at a smaller epsilon, so much above the one at which delta is about reached."""
    eps, guess = divergence_windows.logarithm(s.a), divergence_windows.guess(s, delta)
    eps = min(eps, ease * guess) if guess else eps
    eased = Fraction(exp(min(eps, LARGEST))).limit_denominator(10**6)
    easing = {"e_eps": str(eased)} if 1 < eased < s.a else {}
    s = s._replace(a=eased) if easing else s
    tuned = min(delta, divergence_windows.expected(s, Fraction(eps)))
    for pieces in PIECES:
        yield divergence_windows.blanket(s, tuned, pieces) | easing


def _families(body: Json, at: Mapping[str, Any]) -> list[Json]:
    """The families with which a law is enumerated where it is small: all functions; one that keeps items apart."""
    if "law" not in body:
        return []
    numbers = [evaluate(body[name], at, kernel.BITS) for name in ("users", "dummies")]
    if not all(isinstance(x, Fraction) for x in (*numbers, at["K"])):
        return []
    if sum(numbers) > MAX_MESSAGES or at["K"] > MAX_LABELS:
        return []
    names = {node[1]: node[2] for node, _ in nodes(body["law"]["term"], {**at, "m": 1, "N": 0}) if node[0] == "mix"}
    if not names or "functions" in body:
        return [{}]
    labels, items = (int(evaluate(next(iter(names.values())), at)), int(at["K"]))
    if labels**items > MAX_FUNCTIONS:
        return []
    every = [list(image) for image in product(range(labels), repeat=items)]
    apart = [[x % labels for x in range(items)]]
    listed = [[[f"1/{len(images)}", image] for image in images] for images in (every, apart)]
    return [{"hashes": dict.fromkeys(names, family)} for family in listed]


def _named(values: Json) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items()) or "the only point"


FINDERS = keyed({Divergence: divergence})
