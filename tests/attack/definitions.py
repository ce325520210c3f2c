"""Whether definitions imply one another on small channels, read from the sentences of source 002 (see the catalogue).

A channel has a row for every m-set of items 0..K+N-1 (those from K on are not sensitive): probabilities of reports
(y0, I). I lists invertible data, each called by the item it is the image of.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, permutations, product
from math import prod
from typing import Any, NamedTuple

from attack.points import Choose
from attack.truth import is_blank, related
from attack.worlds import Held, MeaninglessError, UndecidedError

Report = tuple[Any, tuple[int, ...]]
MOST = 400
"""Channels of a family that are looked at: all, or some of them."""


class Channel(NamedTuple):
    """Reports with their probabilities by input, the number of sensitive items and of all items, e^eps."""

    rows: Mapping[Held, Mapping[Report, Fraction]]
    k: int
    d: int
    a: Fraction


Look = Callable[[Report, Held, Held], Any]
"""What is compared of a report under two inputs; None if the report is not compared."""


def bounded(c: Channel, looked: Look, relation: str = "", *, events: bool = False) -> bool:
    """P[what is seen is in E | s] <= a P[... | s'] for all compared inputs: for one-element sets E, or for all."""
    for s, other in permutations(c.rows, 2):
        if not related(relation, s, other, c.k):
            continue
        gaps: dict[Any, Fraction] = {}
        for of, factor in ((s, Fraction(1)), (other, -c.a)):
            for y, p in c.rows[of].items():
                if (observation := looked(y, s, other)) is not None:
                    gaps[observation] = gaps.get(observation, Fraction(0)) + factor * p
        if events and sum((gap for gap in gaps.values() if gap > 0), Fraction(0)) > 0:
            return False  # the event of all of these
        if any(gap > 0 for gap in gaps.values()):
            return False
    return True


def _whole(y: Report, s: Held, other: Held) -> Any:
    return ("whole", y)


LOOKS: dict[str, Look] = {
    "marginal": lambda y, s, other: ("y0", y[0]),
    "joint": lambda y, s, other: ("both", y) if set(y[1]) <= s & other else None,
    "deniability": _whole,
    "samenon": _whole,
}


def emitted(c: Channel, s: Held) -> set[int]:
    """The data that some report of s lists."""
    return {x for y in c.rows[s] for x in y[1]}


def images(c: Channel) -> set[int]:
    """The items that have an image: some report of some input lists it."""
    return set().union(*(emitted(c, s) for s in c.rows))


def kept(c: Channel, s: Held) -> set[int]:
    """The items of s that are not sensitive."""
    return {x for x in s if x >= c.k}


def inversion(c: Channel) -> bool:
    """(2), (3): a report with invertible data has exactly one input, which is not sensitive and which it shows."""
    outputs = {y for row in c.rows.values() for y in row if y[1]}
    return all([set(s) for s, row in c.rows.items() if y in row] == [set(y[1])] and min(y[1]) >= c.k for y in outputs)


def emission(c: Channel) -> bool:
    """(9): what is held, not sensitive and has an image is listed with a positive probability."""
    return all(kept(c, s) & images(c) <= emitted(c, s) for s in c.rows)


def at_every_coordinate(c: Channel) -> bool:
    """(9) of every coordinate: y_i is the image of x with a positive probability, i = 1, 2, ... as far as reports of s
    have coordinates."""
    for s, row in c.rows.items():
        for x in kept(c, s) & images(c):
            longest = max((len(y[1]) for y in row), default=0)
            if any(all(len(y[1]) <= i or y[1][i] != x for y in row) for i in range(longest)):
                return False
    return True


def exclusion(c: Channel) -> bool:
    """(10): what is not held, or is sensitive, is never listed."""
    return all(emitted(c, s) <= kept(c, s) for s in c.rows)


def unique(c: Channel) -> bool:
    """An emitted datum is the image of one item: that whose holders are those who may emit it, and no other's."""
    for y in images(c):
        senders = {s for s in c.rows if y in emitted(c, s)}
        if [x for x in range(c.d) if senders == {s for s in c.rows if x in s}] != [y]:
            return False
    return True


def split(number: int) -> Callable[[Channel], bool]:
    """The channel on items, run on each of so many, keeps so many times eps."""

    def holds(c: Channel) -> bool:
        if any(len(s) != 1 for s in c.rows):
            raise MeaninglessError("a channel on items")
        rows: dict[Held, Any] = {}
        for chosen in combinations(sorted(c.rows, key=min), number):
            runs = product(*(c.rows[x].items() for x in chosen))
            law = {tuple(y for y, _ in run): prod((p for _, p in run), start=Fraction(1)) for run in runs}
            rows[frozenset().union(*chosen)] = law
        return bounded(Channel(rows, c.k, c.d, c.a**number), _whole)

    return holds


HOLDS: dict[str, Callable[[Channel], bool]] = {
    "ldp": lambda c: bounded(c, _whole),
    "ldp-events": lambda c: bounded(c, _whole, events=True),
    "split-2": split(2),
    "split-3": split(3),
    **dict.fromkeys(("uldp-inversion", "uldp-inversion-rows"), inversion),
    "uldp-protection": lambda c: bounded(c, lambda y, s, other: None if y[1] else y),
    "uldp-protection-events": lambda c: bounded(c, lambda y, s, other: None if y[1] else y, events=True),
    **dict.fromkeys(("eq9-membership", "eq9-sets", "eq9-coordinate-some"), emission),
    "eq9-coordinate-every": at_every_coordinate,
    **dict.fromkeys(("eq10-membership", "eq10-sets", "eq10-coordinate"), exclusion),
    "eq11-marginal-nonempty": lambda c: bounded(c, lambda y, s, other: None if is_blank(y[0]) else ("y0", y[0])),
    "one-image": unique,
    "unmixed-inputs": lambda c: all(len({x < c.k for x in s}) <= 1 for s in c.rows),
    "no-sensitive-element-beside-invertible-data": lambda c: all(
        is_blank(y[0]) for row in c.rows.values() for y in row if y[1]
    ),
    "fixed-t": lambda c: all(len({len(y[1]) for y in row}) == 1 for row in c.rows.values()),
    "random-t": lambda c: all(len(y[1]) <= len(kept(c, s)) for s, row in c.rows.items() for y in row),
}
ABOUT_SENSITIVE = ("ldp", "ldp-events", "split-2", "split-3")
"""Predicates that speak of no other items."""


def holds(predicate: str, c: Channel) -> bool:
    """Whether a predicate holds on a channel."""
    relation = predicate.removesuffix("-events").removeprefix("eq11-")
    if relation in LOOKS:
        return bounded(c, LOOKS[relation], relation, events=predicate.endswith("-events"))
    return HOLDS[predicate](c)


def channels(data: Any, choose: Choose) -> Iterator[Channel]:
    """The channel of the rows, or those of a family: all whose probabilities are multiples of 1 / parts, if they are
    not too many."""
    k, d, a = data["K"], data["K"] + data["N"], Fraction(data["e_eps"])
    inputs = [frozenset(s) for s in combinations(range(d), data["m"])]
    outputs = [(_hashable(y0), tuple(invertible)) for y0, invertible in data["outputs"]]
    if len(inputs) < 2 or k < 1 or a <= 1 or len(set(outputs)) < len(outputs):
        raise MeaninglessError("no channel with inputs to compare")
    if "rows" in data:
        laws = [[Fraction(p) for p in row] for row in data["rows"]]
        chosen: Any = [laws]
    else:
        parts = data["parts"]
        laws = [[Fraction(c, parts) for c in row] for row in _compositions(parts, len(outputs))]
        few = len(laws) ** len(inputs) <= MOST
        chosen = product(laws, repeat=len(inputs)) if few else _some(laws, len(inputs), choose)
    if any(sum(row) != 1 or min(row) < 0 for row in laws):
        raise MeaninglessError("no probability laws")
    for rows in chosen:
        tables = [{y: p for y, p in zip(outputs, row, strict=True) if p} for row in rows]
        yield Channel(dict(zip(inputs, tables, strict=True)), k, d, a)


def _some(laws: list[Any], number: int, choose: Choose) -> Iterator[Any]:
    return ([laws[choose(len(laws))] for _ in range(number)] for _ in range(MOST))


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        yield from ((first, *rest) for rest in _compositions(total - first, parts - 1))


def _hashable(y0: Any) -> Any:
    return tuple(map(_hashable, y0)) if isinstance(y0, list) else y0


def contradiction(statement: Any, verdict: str, evidence: Any, choose: Choose) -> tuple[str, bool]:
    """Why an accepted verdict on definitions is wrong, and whether the truth is known."""
    named = [x for field in ("premises", "conclusions", "forms") for x in statement.get(field, ())]
    named += statement.get("readings", {}).values()
    if not all(isinstance(name, str) for name in named):
        return "", False
    families = [evidence["channel"]] if "channel" in evidence else evidence["families"]
    if statement.get("inputs") == "singletons" and any(data["m"] != 1 for data in families):
        return "the inputs are singletons", True
    if verdict == "verified" and not {*named} <= {*ABOUT_SENSITIVE} and not any(data["N"] for data in families):
        return "nothing is tried with the items that a definition speaks of", True
    for data in families:
        try:
            for c in channels(data, choose):
                truth = {name: holds(name, c) for name in named}
                if not _right(statement, verdict, truth):
                    return f"wrong on a channel: {truth}", True
        except UndecidedError:
            return "", False
        except MeaninglessError as error:
            return f"nothing is stated: {error}", True
    return "", True


def _right(statement: Any, verdict: str, truth: Mapping[str, bool]) -> bool:
    """Whether the verdict is right on a channel."""
    if statement["type"] == "definition":
        return len({truth[name] for name in statement["forms"]}) == 1
    premises = all(truth[name] for name in statement["premises"])
    if statement["type"] == "completions":
        return premises and len({truth[name] for name in statement["readings"].values()}) == 2
    counterexample = premises and not all(truth[name] for name in statement["conclusions"])
    return counterexample == (verdict == "refuted")
