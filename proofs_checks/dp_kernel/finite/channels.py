"""Statements about explicit finite channels: definitions as predicates, and implications between them.

Channels are {"K", "N", "m", "e_eps", "outputs": [[y0, I]]} on the m-sets of items (m = 1: on items), and "rows": of one
channel the probabilities of the outputs, for every m-set; or "parts": a family, all channels whose probabilities are
multiples of 1 / parts.

Predicates go by quantifiers, and in another form (events, sets). An invertible datum is called by the item it is the
image of, and I lists y_1, y_2, ... An output that never occurs is no output. (9) speaks of "x with image y_i": it
quantifies over the items that some report emits.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import chain, combinations, permutations, product
from math import prod
from typing import Any, NamedTuple

from dp_kernel.certificate import schema
from dp_kernel.certificate.schema import Kind
from dp_kernel.finite.instances import is_empty, observed, related
from dp_kernel.laws.grammar import Items, Output, sets_of
from dp_kernel.meter import paid, pay, require
from dp_kernel.numbers.json_numbers import integer, items, label, rational

Row = dict[Output, Fraction]


class Finite(NamedTuple):
    """A finite channel with the split of its items and the constant it is judged by."""

    rows: dict[Items, Row]
    k: int
    n: int
    e_eps: Fraction


def is_bounded(relation: str, c: Finite, subject: str = "all", *, events: bool = False) -> bool:
    """P(y | s) <= e^eps P(y | s') for all inputs and outputs that the relation compares; or for all sets of them."""
    for (s, of_s), (other, of_other) in permutations(c.rows.items(), 2):
        if related(relation, s, other, c.k):
            left, right = (observed(law, relation, s, other, subject) for law in (of_s, of_other))
            sets: Iterator[tuple[Any, ...]] = ((y,) for y in left)
            if events:
                subsets = chain.from_iterable(combinations(left, size) for size in range(len(left) + 1))
                sets = paid(subsets, c.e_eps, *left.values(), *right.values())
            if any(sum(left[y] for y in ys) > c.e_eps * sum(right.get(y, 0) for y in ys) for ys in sets):
                return False
    return True


def _protected(c: Finite) -> Finite:
    """The part of the channel in Y_pro of Definition 2."""
    return c._replace(rows={s: {y: p for y, p in row.items() if not y[1]} for s, row in c.rows.items()})


def _split(m: int, c: Finite) -> Finite:
    """The channel run on every item of an m-set: the set has m times the budget of an item."""
    require(all(len(s) == 1 for s in c.rows), "a channel on items")
    rows: dict[Items, Any] = {}
    for chosen in combinations(sorted(c.rows), m):
        runs = paid(product(*(c.rows[x].items() for x in chosen)), *range(m))
        rows[tuple(chain(*chosen))] = {
            tuple(y for y, _ in run): prod((p for _, p in run), start=Fraction(1)) for run in runs
        }
    return Finite(rows, c.k, c.n, c.e_eps**m)


def _shown(row: Row) -> set[int]:
    return {x for y in row for x in y[1]}


def _non(c: Finite, s: Items) -> set[int]:
    return {x for x in s if x >= c.k}


def _emits(test: Callable[[Row, int], bool], c: Finite) -> bool:
    """The test passes for every input and every non-sensitive item of it that some report emits."""
    images = set().union(*map(_shown, c.rows.values()))
    return all(test(row, x) for s, row in c.rows.items() for x in _non(c, s) & images)


def _coordinates(row: Row) -> list[set[int]]:
    """What y_1, y_2, ... can be: coordinate i has a value in the reports that list so many."""
    return [{y[1][i] for y in row if len(y[1]) > i} for i in range(max(len(y[1]) for y in row))]


def _one_image(c: Finite) -> bool:
    """Those who may emit y are those who hold x, for one x for each emitted y: its own."""
    shown = {s: _shown(row) for s, row in c.rows.items()}
    return all(
        [x for x in range(c.k + c.n) if all((x in s) == (y in seen) for s, seen in shown.items())] == [y]
        for y in set().union(*shown.values())
    )


RELATIONS = ("marginal", "joint", "deniability", "samenon")

PREDICATES: dict[str, Callable[[Finite], bool]] = {
    "ldp": partial(is_bounded, "ldp"),
    "ldp-events": partial(is_bounded, "ldp", events=True),
    "split-2": lambda c: is_bounded("ldp", _split(2, c)),
    "split-3": lambda c: is_bounded("ldp", _split(3, c)),
    # output by output, its one input is the item it shows; input by input, what it shows is itself, not sensitive
    "uldp-inversion": lambda c: all(
        [s for s, row in c.rows.items() if y in row] == [y[1]] and min(y[1]) >= c.k
        for y in set(chain(*c.rows.values()))
        if y[1]
    ),
    "uldp-inversion-rows": lambda c: all(
        _shown(row) <= _non(c, s) and {y[1] for y in row} <= {(), s} for s, row in c.rows.items()
    ),
    "uldp-protection": lambda c: is_bounded("ldp", _protected(c)),
    "uldp-protection-events": lambda c: is_bounded("ldp", _protected(c), events=True),
    "eq9-membership": partial(_emits, lambda row, x: x in _shown(row)),
    "eq9-sets": lambda c: all(
        _non(c, s) & _shown(other) <= _shown(row) for s, row in c.rows.items() for other in c.rows.values()
    ),
    "eq9-coordinate-some": partial(_emits, lambda row, x: any(x in values for values in _coordinates(row))),
    "eq9-coordinate-every": partial(_emits, lambda row, x: all(x in values for values in _coordinates(row))),
    "eq10-membership": lambda c: all(x in s and x >= c.k for s, row in c.rows.items() for y in row for x in y[1]),
    "eq10-sets": lambda c: all(_shown(row) <= _non(c, s) for s, row in c.rows.items()),
    "eq10-coordinate": lambda c: all(values <= _non(c, s) for s, row in c.rows.items() for values in _coordinates(row)),
    **{f"eq11-{relation}": partial(is_bounded, relation) for relation in RELATIONS},
    **{f"eq11-{relation}-events": partial(is_bounded, relation, events=True) for relation in RELATIONS},
    "eq11-marginal-nonempty": partial(is_bounded, "marginal", subject="nonempty"),
    "one-image": _one_image,
    "unmixed-inputs": lambda c: not any(min(s) < c.k <= max(s) for s in c.rows if s),
    "no-sensitive-element-beside-invertible-data": lambda c: all(
        is_empty(y[0]) for row in c.rows.values() for y in row if y[1]
    ),
    "fixed-t": lambda c: all(len({len(y[1]) for y in row}) == 1 for row in c.rows.values()),
    "random-t": lambda c: all(len(y[1]) <= len(_non(c, s)) for s, row in c.rows.items() for y in row),
}
"""Every predicate by the name that statements use."""

UNDIVIDED = {"ldp", "ldp-events", "split-2", "split-3"}
"""Those that do not tell sensitive items from others."""


def holds(predicate: str, c: Finite) -> bool:
    """Decide a predicate on a finite channel."""
    pay(len(c.rows) ** 2, c.e_eps, *(p for row in c.rows.values() for p in row.values()))
    return PREDICATES[predicate](c)


def channels(data: Any) -> Iterator[Finite]:
    """The channel with these rows, which must be laws, or all channels of a family."""
    known = {"K", "N", "m", "e_eps", "outputs", "rows" if "rows" in data else "parts"}
    require(data.keys() == known, "other fields than a channel, or a family, has")
    k, n, e_eps = integer(data["K"], 1, 16), integer(data["N"], 0, 16), rational(data["e_eps"])
    inputs = sets_of([integer(data["m"], 1, k + n)], k, n)
    require(len(inputs) >= 2 and e_eps > 1, "eps > 0, and two inputs to compare")
    outputs = [(label(y0), items(kept)) for y0, kept in data["outputs"]]
    require(all(len(set(kept)) == len(kept) for _, kept in outputs), "an invertible datum is listed twice")
    require(all(x < k + n for _, kept in outputs for x in kept), "unknown invertible data")
    require(len(set(outputs)) == len(outputs), "repeated outputs")
    if "rows" in data:
        listed = [[rational(p) for p in row] for row in data["rows"]]
    else:
        parts = integer(data["parts"], 1, 8)
        counts = paid(product(range(parts + 1), repeat=len(outputs)), *outputs)
        listed = [[Fraction(c, parts) for c in row] for row in counts if sum(row) == parts]
    require(all(sum(row) == 1 and min(row) >= 0 for row in listed), "a row is not a probability law")
    laws = [{y: p for y, p in zip(outputs, row, strict=True) if p} for row in listed]
    for rows in [laws] if "rows" in data else paid(product(laws, repeat=len(inputs)), *range(50)):
        yield Finite(dict(zip(inputs, rows, strict=True)), k, n, e_eps)


def _judged(statement: Any, data: Any, *conditions: list[str]) -> set[tuple[bool, ...]]:
    """Which of the lists of predicates hold, on a channel (all channels of a family) with the stated inputs."""
    require(statement.get("inputs") != "singletons" or data["m"] == 1, "the inputs are singletons")
    return {tuple(all(holds(p, c) for p in listed) for listed in conditions) for c in channels(data)}


def _exhausted(statement: Any, families: Any, *conditions: list[str]) -> Iterator[set[tuple[bool, ...]]]:
    """The same for every family; there is an item of every kind that the predicates name, and a report that emits one:
    all but those of Definition 1 name non-sensitive items."""
    for data in families:
        whole = data["N"] > 0 and any(kept for _, kept in data["outputs"])
        require(whole or UNDIVIDED.issuperset(chain(*conditions)), "a family without items that the predicates name")
        yield _judged(statement, data, *conditions)


def implies(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: every channel (on m-sets, or singletons) with the premises has the conclusions, same e^eps. Definition
    2 is about items: singletons, or `sets as items`. Refuted by a channel; verified on every channel of exhausted
    families, in each of which some have the premises, and some not the conclusions.
    """
    sides = statement["premises"], statement["conclusions"]
    if verdict == "refuted":
        require(_judged(statement, evidence["channel"], *sides) == {(True, False)}, "the channel is no counterexample")
        return
    for judged in _exhausted(statement, evidence["families"], *sides):
        require((True, False) not in judged, "a channel without the conclusion")
        require((True, True) in judged, "no channel of the family has the premises")
        require((False, False) in judged, "every channel of the family has the conclusion")


def definition(statement: Any, verdict: str, evidence: Any) -> None:
    """Kind definition: its forms agree on all channels of exhausted families, in each of which they accept some."""
    forms = statement["forms"]
    require(len(set(forms)) >= 2, "a definition is verified in several forms")
    for judged in _exhausted(statement, evidence["families"], *([form] for form in forms)):
        require(all(len(set(found)) == 1 for found in judged), "the forms disagree on a channel of the family")
        require(len(judged) == 2, "a family that all forms accept, or reject")


def completions(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement that leaves open how an equation is read: ill-posed when on some channel with the premises one reading
    holds and another does not.
    """
    readings = list(statement["readings"].values())
    equation, *more = {name.split("-")[0] for name in readings}
    require(equation.startswith("eq") and not more, "not two readings of an equation")
    [(possible, *found)] = _judged(statement, evidence["channel"], statement["premises"], *([p] for p in readings))
    require(possible, "the channel violates a premise")
    require(len(set(found)) == 2, "the readings agree on the channel")


def _on_items(statement: Any) -> None:
    about_items = any(p.startswith("uldp") for p in (*statement["premises"], *statement.get("conclusions", ())))
    require(statement["inputs"] != "m-sets" or not about_items, "Definition 2 is about items")


_NAMES = tuple(sorted(PREDICATES))
_LISTED = schema.some([_NAMES, ...])
_PREMISES = {"premises": [_NAMES, ...], "inputs": ("m-sets", "singletons", "sets as items")}
_IMPLIES = _PREMISES | {"premises": _LISTED, "conclusions": _LISTED}
KINDS = {
    "completions": Kind(completions, _PREMISES | {"readings": {"*": _NAMES}}, ill_posed=[["channel"]], also=_on_items),
    "definition": Kind(definition, {"forms": _LISTED}, verified=[["families"]]),
    "implies": Kind(implies, _IMPLIES, verified=[["families"]], refuted=[["channel"]], also=_on_items),
}
