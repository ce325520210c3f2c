"""Statements about explicit finite channels: definitions as predicates, and implications between them.

A channel is {"inputs": [sets], "outputs": [[y0, I]], "rows": [[probability]], "K", "N", "e_eps"} with rational
strings; the inputs of a one-item or unstructured channel are one-element sets. A family of channels has, instead of
inputs and rows, "m" and "parts": all channels on the m-sets whose probabilities are multiples of 1 / parts.

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

from dp_checks.kernel import fields
from dp_checks.kernel.exact import integer, items, label, rational
from dp_checks.kernel.fields import Kind
from dp_checks.kernel.instances import is_empty, observed, related
from dp_checks.kernel.laws import Items, Output, sets_of
from dp_checks.kernel.rejected import require
from dp_checks.kernel.work import cost, counted, spend

Row = dict[Output, Fraction]


class Finite(NamedTuple):
    """A finite channel with the split of its items and the constant it is judged by."""

    rows: dict[Items, Row]
    k: int
    n: int
    e_eps: Fraction


def compared(relation: str, c: Finite, subject: str = "all") -> Iterator[tuple[Row, Row]]:
    """What the relation looks at in the laws of every two inputs that it compares."""
    for (s, a), (other, b) in permutations(c.rows.items(), 2):
        if related(relation, s, other, c.k):
            yield observed(a, relation, s, other, subject), observed(b, relation, s, other, subject)


def by_outputs(relation: str, c: Finite, subject: str = "all") -> bool:
    """P(y | s) <= e^eps P(y | s') for all compared inputs and outputs."""
    pairs = compared(relation, c, subject)
    return all(p <= c.e_eps * right.get(y, 0) for left, right in pairs for y, p in left.items())


def by_events(relation: str, c: Finite) -> bool:
    """P(E | s) <= e^eps P(E | s') for all compared inputs and all sets E of compared outputs."""
    for left, right in compared(relation, c):
        events = chain.from_iterable(combinations(left, size) for size in range(len(left) + 1))
        for event in counted(events, c.e_eps, *left.values(), *right.values()):
            if sum(left[y] for y in event) > c.e_eps * sum(right.get(y, 0) for y in event):
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
        runs = counted(product(*(c.rows[x].items() for x in chosen)), *range(m))
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


NO_COMPANY = "no-sensitive-element-beside-invertible-data"
RELATIONS = ("marginal", "joint", "deniability", "samenon")

PREDICATES: dict[str, Callable[[Finite], bool]] = {
    "ldp": partial(by_outputs, "ldp"),
    "ldp-events": partial(by_events, "ldp"),
    "split-2": lambda c: by_outputs("ldp", _split(2, c)),
    "split-3": lambda c: by_outputs("ldp", _split(3, c)),
    # output by output, its one input is the item it shows; input by input, what it shows is itself, not sensitive
    "uldp-inversion": lambda c: all(
        [s for s, row in c.rows.items() if y in row] == [y[1]] and min(y[1]) >= c.k
        for y in set(chain(*c.rows.values()))
        if y[1]
    ),
    "uldp-inversion-rows": lambda c: all(
        _shown(row) <= _non(c, s) and {y[1] for y in row} <= {(), s} for s, row in c.rows.items()
    ),
    "uldp-protection": lambda c: by_outputs("ldp", _protected(c)),
    "uldp-protection-events": lambda c: by_events("ldp", _protected(c)),
    "eq9-membership": partial(_emits, lambda row, x: x in _shown(row)),
    "eq9-sets": lambda c: all(
        _non(c, s) & _shown(other) <= _shown(row) for s, row in c.rows.items() for other in c.rows.values()
    ),
    "eq9-coordinate-some": partial(_emits, lambda row, x: any(x in values for values in _coordinates(row))),
    "eq9-coordinate-every": partial(_emits, lambda row, x: all(x in values for values in _coordinates(row))),
    "eq10-membership": lambda c: all(x in s and x >= c.k for s, row in c.rows.items() for y in row for x in y[1]),
    "eq10-sets": lambda c: all(_shown(row) <= _non(c, s) for s, row in c.rows.items()),
    "eq10-coordinate": lambda c: all(values <= _non(c, s) for s, row in c.rows.items() for values in _coordinates(row)),
    **{f"eq11-{relation}": partial(by_outputs, relation) for relation in RELATIONS},
    **{f"eq11-{relation}-events": partial(by_events, relation) for relation in RELATIONS},
    "eq11-marginal-nonempty": partial(by_outputs, "marginal", subject="nonempty"),
    "one-image": _one_image,
    "unmixed-inputs": lambda c: not any(min(s) < c.k <= max(s) for s in c.rows if s),
    NO_COMPANY: lambda c: all(is_empty(y[0]) for row in c.rows.values() for y in row if y[1]),
    "fixed-t": lambda c: all(len({len(y[1]) for y in row}) == 1 for row in c.rows.values()),
    "random-t": lambda c: all(len(y[1]) <= len(_non(c, s)) for s, row in c.rows.items() for y in row),
}
"""Every predicate by the name that statements use."""


def holds(predicate: str, c: Finite) -> bool:
    """Decide a predicate on a finite channel."""
    require(predicate in PREDICATES, f"unknown predicate {predicate!r}")
    spend(len(c.rows) ** 2 * cost(c.e_eps, *(p for row in c.rows.values() for p in row.values())))
    return PREDICATES[predicate](c)


def finite(data: Any) -> Finite:
    """Read a channel; its rows must be probability laws."""
    require(set(data) == {"inputs", "outputs", "rows", "K", "N", "e_eps"}, "other fields than a channel has")
    k, n, outputs, e_eps = _world(data)
    require(len(data["inputs"]) >= 2, "two inputs to compare")
    rows: dict[Items, dict[Output, Fraction]] = {}
    for s, row in zip(data["inputs"], data["rows"], strict=True):
        entries = [rational(p) for p in row]
        require(all(p >= 0 for p in entries) and sum(entries) == 1, f"row {s} is not a probability law")
        rows[items(s)] = {y: p for y, p in zip(outputs, entries, strict=True) if p}
    require(len(rows) == len(data["inputs"]), "repeated inputs or outputs")
    require(all(x < k + n for s in rows for x in s), "unknown items")
    require(all(list(s) == sorted(set(s)) for s in rows), "inputs are sets, listed in order")
    return Finite(rows, k, n, e_eps)


def family(data: Any) -> Iterator[Finite]:
    """All channels of a family."""
    require(set(data) == {"K", "N", "m", "outputs", "parts", "e_eps"}, "other fields than a family has")
    k, n, outputs, e_eps = _world(data)
    inputs, parts = sets_of([integer(data["m"], 1, k + n)], k, n), integer(data["parts"], 1, 8)
    require(len(inputs) >= 2, "two inputs to compare")
    counts = [c for c in counted(product(range(parts + 1), repeat=len(outputs)), *outputs) if sum(c) == parts]
    laws = [{y: Fraction(c, parts) for y, c in zip(outputs, row, strict=True) if c} for row in counts]
    for chosen in counted(product(laws, repeat=len(inputs)), *range(50)):
        yield Finite(dict(zip(inputs, chosen, strict=True)), k, n, e_eps)


def _world(data: Any) -> tuple[int, int, list[Output], Fraction]:
    """K, N, the outputs and e^eps of a channel, or of a family of channels."""
    k, n, e_eps = integer(data["K"], 1, 16), integer(data["N"], 0, 16), rational(data["e_eps"])
    outputs = [(label(y0), items(kept)) for y0, kept in data["outputs"]]
    require(all(len(set(kept)) == len(kept) for _, kept in outputs), "an invertible datum is listed twice")
    require(all(x < k + n for _, kept in outputs for x in kept), "unknown invertible data")
    require(len(set(outputs)) == len(outputs), "repeated inputs or outputs")
    require(e_eps >= 1, "e^eps is at least 1")
    return k, n, outputs, e_eps


def _witness(data: Any) -> Finite:
    """A channel in the domain of the statements: on all sets of one size m, eps > 0."""
    c = finite(data)
    inputs = sets_of([len(min(c.rows))], c.k, c.n)
    require(c.rows.keys() == set(inputs) and c.e_eps > 1, "eps > 0, the channel is defined on every set of that size")
    return c


def definition(statement: Any, verdict: str, evidence: Any) -> None:
    """Kind definition: every form of it accepts one channel and rejects another, and they agree on all channels of
    exhausted families that have both kinds."""
    forms, families = statement["forms"], evidence["families"]
    require(len(set(forms)) >= 2 and bool(families), "a definition is verified in several forms, on some channels")
    good, bad = finite(evidence["satisfied"]), finite(evidence["violated"])
    for form in forms:
        require(holds(form, good), f"{form} rejects the first channel")
        require(not holds(form, bad), f"{form} accepts the second channel")
    for data in families:
        verdicts = {tuple(holds(form, c) for form in forms) for c in family(data)}
        require(all(len(set(judged)) == 1 for judged in verdicts), "the forms disagree on a channel of the family")
        require(len(verdicts) == 2, "a family that all forms accept, or reject")


def implies(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: every channel (on m-sets, or singletons) with the premises has the conclusions, same e^eps. Definition
    2 is about items: singletons, or `sets as items`. Refuted by a channel; verified on every channel of exhausted
    families, in each of which some have the premises, and some not the conclusions.
    """
    premises, conclusions, single = statement["premises"], statement["conclusions"], statement["inputs"] == "singletons"
    if verdict == "refuted":
        c = _with_premises(statement, evidence)
        require(not all(holds(p, c) for p in conclusions), "the channel satisfies the conclusion")
        return
    require(bool(evidence["families"]), "no channels are tried")
    for data in evidence["families"]:
        require(not single or data["m"] == 1, "the inputs are singletons")
        judged = [tuple(all(holds(p, c) for p in listed) for listed in (premises, conclusions)) for c in family(data)]
        require((True, False) not in judged, "a channel without the conclusion")
        require((True, True) in judged, "no channel of the family has the premises")
        require((False, False) in judged, "every channel of the family has the conclusion")


def completions(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement that leaves open how an equation is read: ill-posed when on some channel with the premises one reading
    holds and another does not.
    """
    readings = list(statement["readings"].values())
    equation, *more = {name.split("-")[0] for name in readings}
    require(equation.startswith("eq") and not more, "not two readings of an equation")
    c = _with_premises(statement, evidence)
    require(len({holds(p, c) for p in readings}) == 2, "the readings agree on the channel")


def _with_premises(statement: Any, evidence: Any) -> Finite:
    """The channel of the evidence, on the stated inputs."""
    c = _witness(evidence["channel"])
    single = statement["inputs"] != "singletons" or all(len(s) == 1 for s in c.rows)
    require(single, "the inputs are singletons")
    require(all(holds(p, c) for p in statement["premises"]), "the channel violates a premise")
    return c


def _on_items(statement: Any) -> None:
    about_items = any(p.startswith("uldp") for p in (*statement["premises"], *statement.get("conclusions", ())))
    require(statement["inputs"] != "m-sets" or not about_items, "Definition 2 is about items")


_NAMES = tuple(sorted(PREDICATES))
_LISTED = fields.some([_NAMES, ...])
_PREMISES = {"premises": [_NAMES, ...], "inputs": ("m-sets", "singletons", "sets as items")}
_IMPLIES = _PREMISES | {"premises": _LISTED, "conclusions": _LISTED}
KINDS = {
    "completions": Kind(completions, _PREMISES | {"readings": {"*": _NAMES}}, ill_posed="channel", also=_on_items),
    "definition": Kind(definition, {"forms": _LISTED}, verified="satisfied violated families"),
    "implies": Kind(implies, _IMPLIES, verified="families", refuted="channel", also=_on_items),
}
