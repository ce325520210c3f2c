"""Statements about explicit finite channels: definitions as predicates, and implications between them.

A channel is {"inputs": [sets], "outputs": [[y0, I]], "rows": [[probability]], "K", "N", "e_eps"} with rational
strings; the inputs of a one-item or unstructured channel are one-element sets. A family of channels has, instead of
inputs and rows, "m" and "parts": all channels on the m-sets whose probabilities are multiples of 1 / parts.

Predicates go by quantifiers, and in another form (columns of the matrix, sets). An invertible datum is called by the
item it is the image of, and I lists y_1, y_2, ... An output that never occurs is no output. (9) speaks of "x with image
y_i": it quantifies over the items that some report emits.
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
from dp_checks.kernel.laws import Items, Output, is_empty, observed, related, sets_of
from dp_checks.kernel.rejected import require
from dp_checks.kernel.work import cost, counted, spend

Row = dict[Output, Fraction]
Blocks = list[tuple[list[Items], list[Items]]]


class Finite(NamedTuple):
    """A finite channel with the split of its items and the constant it is judged by."""

    rows: dict[Items, Row]
    k: int
    n: int
    e_eps: Fraction


def by_pairs(relation: str, c: Finite, subject: str = "all") -> bool:
    """P(y | s) <= e^eps P(y | s') for all pairs of inputs and all outputs that the relation compares."""
    for (s, a), (other, b) in permutations(c.rows.items(), 2):
        if related(relation, s, other, c.k):
            left, right = (observed(row, relation, s, other, subject) for row in (a, b))
            if any(p > c.e_eps * right.get(y, 0) for y, p in left.items()):
                return False
    return True


def by_columns(relation: str, c: Finite) -> bool:
    """In every block of a column of the matrix the largest entry is at most e^eps times the smallest."""
    matrix: dict[Any, dict[Items, Fraction]] = {}
    for s, row in c.rows.items():
        for y, p in row.items():
            seen = (y[0], ()) if relation == "marginal" else y
            matrix.setdefault(seen, dict.fromkeys(c.rows, Fraction(0)))[s] += p
    return all(
        max(column[s] for s in left) <= c.e_eps * min(column[s] for s in right)
        for (_, kept), column in matrix.items()
        for left, right in blocks(relation, list(c.rows), c.k, kept)
        if left
    )


def blocks(relation: str, inputs: list[Items], k: int, kept: Items) -> Blocks:
    """The inputs compared for outputs with these invertible data, as (largest among these, smallest among those)."""
    parts: dict[Any, list[Items]] = {}
    for s in inputs:
        match relation:
            case "deniability":
                names: Any = combinations(s, len(s) - 1) if s else ()
            case "samenon":
                names = [tuple(x for x in s if x >= k)]
            case _:
                names = [()] if relation != "joint" or set(s) >= set(kept) else []
        for name in names:
            parts.setdefault(name, []).append(s)
    if relation != "deniability":
        return [(sets, sets) for sets in parts.values()]
    return [([s for s in sets if min(set(s) - set(hole)) < k], sets) for hole, sets in parts.items()]


def _densities(c: Finite) -> Finite:
    """The outputs are cells [low, high) of [0, 1): densities instead of probabilities."""
    outputs = {y for row in c.rows.values() for y in row}
    cells = {y: (rational(y[0][0]), rational(y[0][1])) for y in outputs if len(y[0]) == 2}
    ends = [Fraction(0), *(x for cell in sorted(cells.values()) for x in cell), Fraction(1)]
    require(len(cells) == len(outputs) and ends == sorted(ends), "outputs are disjoint cells of [0, 1)")
    require(all(low < high for low, high in cells.values()), "a cell has a length")
    width = {y: high - low for y, (low, high) in cells.items()}
    return c._replace(rows={s: {y: p / width[y] for y, p in row.items()} for s, row in c.rows.items()})


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
    "ldp": partial(by_pairs, "ldp"),
    "ldp-columns": partial(by_columns, "ldp"),
    "ldp-density": lambda c: by_pairs("ldp", _densities(c)),
    "split-2": lambda c: by_pairs("ldp", _split(2, c)),
    "split-3": lambda c: by_pairs("ldp", _split(3, c)),
    # output by output, its one input is the item it shows; input by input, what it shows is itself, not sensitive
    "uldp-inversion": lambda c: all(
        [s for s, row in c.rows.items() if y in row] == [y[1]] and min(y[1]) >= c.k
        for y in set(chain(*c.rows.values()))
        if y[1]
    ),
    "uldp-inversion-rows": lambda c: all(
        _shown(row) <= _non(c, s) and {y[1] for y in row} <= {(), s} for s, row in c.rows.items()
    ),
    "uldp-protection": lambda c: by_pairs("ldp", _protected(c)),
    "uldp-protection-columns": lambda c: by_columns("ldp", _protected(c)),
    "eq9-membership": partial(_emits, lambda row, x: x in _shown(row)),
    "eq9-sets": lambda c: all(
        _non(c, s) & _shown(other) <= _shown(row) for s, row in c.rows.items() for other in c.rows.values()
    ),
    "eq9-coordinate-some": partial(_emits, lambda row, x: any(x in values for values in _coordinates(row))),
    "eq9-coordinate-every": partial(_emits, lambda row, x: all(x in values for values in _coordinates(row))),
    "eq10-membership": lambda c: all(x in s and x >= c.k for s, row in c.rows.items() for y in row for x in y[1]),
    "eq10-sets": lambda c: all(_shown(row) <= _non(c, s) for s, row in c.rows.items()),
    "eq10-coordinate": lambda c: all(values <= _non(c, s) for s, row in c.rows.items() for values in _coordinates(row)),
    **{f"eq11-{relation}": partial(by_pairs, relation) for relation in RELATIONS},
    **{f"eq11-{relation}-columns": partial(by_columns, relation) for relation in RELATIONS},
    "eq11-marginal-nonempty": partial(by_pairs, "marginal", subject="nonempty"),
    "one-image": _one_image,
    "mixed-input": lambda c: any(min(s) < c.k <= max(s) for s in c.rows if s),
    NO_COMPANY: lambda c: all(is_empty(y[0]) for row in c.rows.values() for y in row if y[1]),
    "varying-t": lambda c: any(len({len(y[1]) for y in row}) > 1 for row in c.rows.values()),
    "random-t": lambda c: all(len(y[1]) <= len(_non(c, s)) for s, row in c.rows.items() for y in row),
}
"""Every predicate by the name that statements use."""


def holds(predicate: str, c: Finite) -> bool:
    """Decide a predicate on a finite channel."""
    require(predicate in PREDICATES, f"unknown predicate {predicate!r}")
    spend(len(c.rows) ** 2 * cost(c.e_eps, *(p for row in c.rows.values() for p in row.values())))
    return PREDICATES[predicate](c)


SUPPORT = {"uldp-inversion", "eq10-membership", NO_COMPANY}
COMPARED = {"uldp-protection", "eq11-joint", "eq11-deniability", "eq11-samenon"}
ELSEWHERE = {"eq9-membership", "eq11-marginal", "eq11-marginal-nonempty"}
"""Violated by an output that is possible under s; by P(y | s) > e^eps P(y | s'); by more, but only where this holds."""


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


def differ(one: Any, other: Any, evidence: Any) -> None:
    """Two completions of a definition are two definitions: on one channel one holds and the other does not."""
    c = _witness(evidence["channel"])
    judged = [all(holds(form, c) for form in statement["forms"]) for statement in (one, other)]
    require(sorted(judged) == [False, True], "the completions agree on the channel")


def implies(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: every channel (on `inputs`: m-sets, or singletons) with the premises has the conclusions, same e^eps.
    Refuted by a channel; verified on every channel of exhausted families; proved by `_follows`.
    """
    premises, conclusions, single = statement["premises"], statement["conclusions"], statement["inputs"] == "singletons"
    about_items = any(p.startswith("uldp") for p in (*premises, *conclusions))
    require(single or not about_items, "Definition 2 is about items")
    if verdict == "refuted":
        c = _witness(evidence["channel"])
        require(not single or all(len(s) == 1 for s in c.rows), "the inputs are singletons")
        require(all(holds(p, c) for p in premises), "the channel violates a premise")
        require(not all(holds(p, c) for p in conclusions), "the channel satisfies the conclusion")
    elif verdict == "verified":
        require(bool(evidence["families"]), "no channels are tried")
        for data in evidence["families"]:
            require(not single or data["m"] == 1, "the inputs are singletons")
            having = [c for c in family(data) if all(holds(p, c) for p in premises)]
            require(bool(having), "no channel of the family has the premises")
            require(all(holds(p, c) for c in having for p in conclusions), "a channel without the conclusion")
    else:
        require(single or "eq10-membership" in premises, "containment on sets uses (10)")
        for conclusion in conclusions:
            require(_follows(conclusion, premises, single=single), f"{conclusion} does not follow")


def _follows(conclusion: str, premises: list[str], *, single: bool) -> bool:
    """Whether each violation of the conclusion is a violation of a premise: tried where y alone occurs, under s only.

    A violation names s, s' and an output y that is possible under s (COMPARED, ELSEWHERE: with P(y | s) > e^eps
    P(y | s'): for (9) y shows x, s' holds x and never shows it; a larger marginal has a larger term). It is one of the
    conclusion on the channel that is tried, too; and what violates a premise there violates it wherever y is possible
    under s (SUPPORT), with this inequality (COMPARED). A predicate asks whether some item of I is not in s, not in s',
    sensitive; whether some exchanged item is not sensitive; whether just one, sensitive, is exchanged; whether y0 is
    empty: keep one item for each answer. On sets I lies within s by (10), and at most two exchanged items are needed.
    """
    require(conclusion in SUPPORT | COMPARED | ELSEWHERE, f"no containment in {conclusion}")
    require(single or conclusion != "eq9-membership", "supports are compared on singletons")
    used = [p for p in premises if p in SUPPORT or (p in COMPARED and conclusion not in SUPPORT)]
    for size in (1,) if single else (1, 2):
        pairs = permutations(sets_of([size], 4, 2), 2)
        for (s, other), y0, kept in product(pairs, (None, 0), sets_of(range(3), 4, 2)):
            c = Finite({s: {(y0, kept): Fraction(1)}, other: {}}, 4, 2, Fraction(1))
            if not holds(conclusion, c) and all(holds(p, c) for p in used):
                return False
    return True


def no_channel(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: no channel on all m-sets has all the listed predicates. Refuted by one that has."""
    c = _witness(evidence["channel"])
    require(all(holds(p, c) for p in statement["predicates"]), "the channel lacks a predicate")


def frequencies(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the f_x, counted item by item, sum to m for every data set of m-sets. All small ones are listed."""
    users, most = integer(evidence["users"], 1, 3), integer(evidence["items"], 1, 4)
    for n, d in product(range(1, users + 1), range(1, most + 1)):
        for m in range(1, d + 1):
            for data in counted(product(sets_of([m], d, 0), repeat=n), *range(d)):
                found = sum(Fraction(sum(x in s for s in data), n) for x in range(d))
                require(found == m, "frequencies of another sum")


_LISTED = fields.list_of(tuple(sorted(PREDICATES)), 1)
_IMPLIES = {"premises": _LISTED, "conclusions": _LISTED, "inputs": ("m-sets", "singletons")}
KINDS = {
    "definition": Kind(definition, {"forms": _LISTED}, verified="satisfied violated families"),
    "frequencies": Kind(frequencies, {}, verified="users items"),
    "implies": Kind(implies, _IMPLIES, proved="lemma=containment", verified="families", refuted="channel"),
    "no-channel": Kind(no_channel, {"predicates": _LISTED}, refuted="channel"),
}
