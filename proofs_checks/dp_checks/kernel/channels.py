"""Statements about explicit finite channels: definitions, and implications between definitions.

A channel is {"inputs": [sets], "outputs": [[y0, I]], "rows": [[probability]], "K", "N", "e_eps"} with rational
strings; the inputs of a one-item or unstructured channel are one-element sets.
"""

from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any, NamedTuple

from dp_checks.kernel.exact import integer, items, label, rational
from dp_checks.kernel.laws import Items, Output, is_empty, observed, related, sets_of
from dp_checks.kernel.rejected import Rejected, require

MAX_ITEMS, MAX_OUTPUTS = 16, 64
NO_COMPANY = "no-sensitive-element-beside-invertible-data"


class Finite(NamedTuple):
    """A finite channel with the split of its items and the constant it is judged by."""

    rows: dict[Items, dict[Output, Fraction]]
    k: int
    n: int
    e_eps: Fraction


def finite(data: Any) -> Finite:
    """Read a channel; its rows must be probability laws."""
    require(set(data) == {"inputs", "outputs", "rows", "K", "N", "e_eps"}, "other fields than a channel has")
    k, n = integer(data["K"], 0, MAX_ITEMS), integer(data["N"], 0, MAX_ITEMS)
    outputs = [(label(y0), items(kept)) for y0, kept in data["outputs"]]
    require(all(len(set(kept)) == len(kept) for _, kept in outputs), "an invertible datum is listed twice")
    require(all(x < k + n for _, kept in outputs for x in kept), "unknown invertible data")
    require(
        len(data["inputs"]) >= 2 and len(outputs) <= MAX_OUTPUTS,
        f"two inputs to compare, at most {MAX_OUTPUTS} outputs",
    )
    rows: dict[Items, dict[Output, Fraction]] = {}
    for s, row in zip(data["inputs"], data["rows"], strict=True):
        entries = [rational(p) for p in row]
        require(all(p >= 0 for p in entries) and sum(entries) == 1, f"row {s} is not a probability law")
        rows[items(s)] = {y: p for y, p in zip(outputs, entries, strict=True) if p}
    require(len(rows) == len(data["inputs"]) and len(set(outputs)) == len(outputs), "repeated inputs or outputs")
    require(all(x < k + n for s in rows for x in s), "unknown items")
    require(all(list(s) == sorted(set(s)) for s in rows), "inputs are sets, listed in order")
    e_eps = rational(data["e_eps"])
    require(e_eps >= 1, "e^eps is at least 1")
    return Finite(rows, k, n, e_eps)


def holds(predicate: str, c: Finite) -> bool:
    """Decide a predicate on a finite channel."""
    if predicate in ("ldp", "ldp-events", "ldp-density"):
        return _ldp(predicate, c)
    if predicate == "uldp-inversion":
        return all(
            [s for s, row in c.rows.items() if row.get(y)] == [y[1]] and min(y[1]) >= c.k for y in _outputs(c) if y[1]
        )
    if predicate == "uldp-protection":
        return all(
            p <= c.e_eps * row.get(y, 0)
            for a in c.rows.values()
            for y, p in a.items()
            if not y[1]
            for row in c.rows.values()
        )
    if predicate == "eq9-membership":
        return all(any(x in y[1] for y in row) for s, row in c.rows.items() for x in _images(c, s))
    if predicate == "eq9-coordinate":
        # I lists y_1, y_2, ...: every coordinate that occurs for s can equal every non-sensitive x of s
        return all(
            any(len(y[1]) > i and y[1][i] == x for y in row)
            for s, row in c.rows.items()
            for x in _images(c, s)
            for i in range(max(len(y[1]) for y in row))
        )
    if predicate in ("eq10-membership", "eq10-coordinate"):
        return all(set(y[1]) <= {x for x in s if x >= c.k} for s, row in c.rows.items() for y in row)
    if predicate.startswith("eq11-"):
        _, relation, *counted = predicate.split("-")
        return _eq11(relation, "nonempty" if counted else "all", c)
    if predicate == "mixed-input":
        return any(min(s) < c.k <= max(s) for s in c.rows if s)
    if predicate == NO_COMPANY:
        return all(is_empty(y[0]) for row in c.rows.values() for y in row if y[1])
    if predicate == "varying-t":
        return any(len({len(y[1]) for y in row}) > 1 for row in c.rows.values())
    if predicate == "random-t":
        return all(len(y[1]) <= sum(x >= c.k for x in s) for s, row in c.rows.items() for y in row)
    raise Rejected(f"unknown predicate {predicate!r}")


def definition(statement: Any, verdict: str, evidence: Any) -> None:
    """Kind definition: every form of it accepts one channel and rejects another."""
    require(verdict == "verified" and bool(statement["forms"]), "a definition is verified on channels")
    good, bad = finite(evidence["satisfied"]), finite(evidence["violated"])
    for form in statement["forms"]:
        require(holds(form, good), f"{form} rejects the first channel")
        require(not holds(form, bad), f"{form} accepts the second channel")


def implies(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: every channel (on `inputs`: m-sets, or singletons) with the premises has the conclusion, same
    e^eps.
    """
    named = {*statement["premises"], *statement["conclusions"]}
    require(
        statement["inputs"] == "singletons" or not any(p.startswith("uldp") for p in named),
        "Definition 2 is about items",
    )
    if verdict == "refuted":
        c = finite(evidence["channel"])
        sizes = {len(s) for s in c.rows}
        require(len(sizes) == 1 and c.e_eps > 1, "sets of one size m, eps > 0")
        require(statement["inputs"] == "m-sets" or sizes == {1}, "the inputs are singletons")
        require(_complete(c), "the channel is defined on every set of that size")
        for premise in statement["premises"]:
            require(holds(premise, c), f"the channel violates {premise}")
        require(not all(holds(p, c) for p in statement["conclusions"]), "the channel satisfies the conclusion")
        return
    require(verdict == "proved" and evidence["lemma"] == "containment", "unknown evidence")
    require(bool(set(statement["premises"]) & {"eq10-membership", "uldp-inversion"}), "containment uses (10)")
    families = [p for p in statement["premises"] if p.startswith("eq11-") or p == "uldp-protection"]
    for conclusion in statement["conclusions"]:
        if conclusion in SUPPORT:
            require(statement["inputs"] == "singletons", "supports are compared on singletons")
            require(
                _follows_on_singletons(set(statement["premises"]) & SUPPORT, conclusion),
                f"{conclusion} does not follow",
            )
        elif conclusion == "eq11-marginal-nonempty" and NO_COMPANY in statement["premises"]:
            # a y0 with a sensitive element comes with I = {} only: its marginal law is P(y0, {}), compared by (4)
            require(statement["inputs"] == "singletons" and "uldp-protection" in families, "compared by (4)")
        else:
            require(
                any(_contained(conclusion, premise, statement["inputs"]) for premise in families),
                f"an inequality of {conclusion} is not among the premises'",
            )


def no_channel(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: no channel has all the listed predicates. Refuted by one that has."""
    require(verdict == "refuted", "only refutations are known")
    c = finite(evidence["channel"])
    for predicate in statement["predicates"]:
        require(holds(predicate, c), f"the channel lacks {predicate}")


def supports(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement `unique`: under (9) and (10) an emitted y is the image of exactly one x, and x is in s.

    Only membership of two items x != x' matters; all 16 supports of y on the four patterns of membership are tried.
    """
    require(verdict == "proved" and evidence == {"kind": "exhausted scope", "patterns": 16}, "unknown evidence")
    patterns = [(a, b) for a in (False, True) for b in (False, True)]
    for support in product((False, True), repeat=4):
        emitted = dict(zip(patterns, support, strict=True))
        image_of_x = all(emitted[a, b] == a for a, b in patterns)  # (9) if x in s, (10) if not
        image_of_other = all(emitted[a, b] == b for a, b in patterns)
        require(not (image_of_x and image_of_other), "y is the image of two items")
        require(not image_of_x or all(a for (a, b) in patterns if emitted[a, b]), "y is emitted without x")


def _ldp(predicate: str, c: Finite) -> bool:
    rows = list(c.rows.values())
    if predicate == "ldp":
        return all(p <= c.e_eps * b.get(y, 0) for a in rows for b in rows for y, p in a.items())
    outputs = _outputs(c)
    if predicate == "ldp-events":
        require(len(outputs) <= 12, "too many outputs to list all events")
        events = [
            [y for y, chosen in zip(outputs, bits, strict=True) if chosen]
            for bits in product((0, 1), repeat=len(outputs))
        ]
        return all(
            sum(a.get(y, Fraction(0)) for y in e) <= c.e_eps * sum(b.get(y, Fraction(0)) for y in e)
            for a in rows
            for b in rows
            for e in events
        )
    # outputs are cells [low, high) of [0, 1): compare densities
    cells = {y: (rational(y[0][0]), rational(y[0][1])) for y in outputs if len(y[0]) == 2}
    ends = [Fraction(0), *(x for cell in sorted(cells.values()) for x in cell), Fraction(1)]
    require(len(cells) == len(outputs) and ends == sorted(ends), "outputs are disjoint cells of [0, 1)")
    require(all(low < high for low, high in cells.values()), "a cell has a length")
    width = {y: high - low for y, (low, high) in cells.items()}
    return all(a.get(y, 0) / width[y] <= c.e_eps * b.get(y, 0) / width[y] for a in rows for b in rows for y in outputs)


def _eq11(relation: str, counted: str, c: Finite) -> bool:
    for s, a in c.rows.items():
        for other, b in c.rows.items():
            if s != other and related(relation, s, other, c.k):
                left, right = (observed(row, relation, s, other, counted) for row in (a, b))
                if any(p > c.e_eps * right.get(y, 0) for y, p in left.items()):
                    return False
    return True


def _images(c: Finite, s: Items) -> list[int]:
    """Non-sensitive items of s that are the image of some emitted datum (the quantifier of (9))."""
    emitted = {x for row in c.rows.values() for y in row for x in y[1]}
    return [x for x in s if x >= c.k and x in emitted]


def _outputs(c: Finite) -> list[Output]:
    return sorted({y for row in c.rows.values() for y in row}, key=str)


def _complete(c: Finite) -> bool:
    size = len(next(iter(c.rows)))
    return set(c.rows) == set(sets_of([size], c.k, c.n))


def _contained(conclusion: str, premise: str, inputs: str) -> bool:
    """Whether every inequality P(y0, I | s) <= e^eps P(y0, I | s') of the conclusion is one of the premise's, or
    trivial.

    Trivial: s = s', or (by (10)) I not within s_non. Membership in a family depends on the memberships of single
    items and on whether exactly one item, a sensitive one, is exchanged: four sensitive and two non-sensitive items
    and sets of at most two show every case.
    """

    def family(name: str) -> set[tuple[Items, Items, Items]]:
        relation = "joint" if name == "uldp-protection" else name.split("-")[1]
        require(relation != "marginal", "marginal laws are sums: no containment")
        triples = set()
        for size in (1,) if inputs == "singletons" else (1, 2):
            for s, other in permutations(combinations(range(6), size), 2):
                kept = [x for x in s if x >= 4]
                for emitted in (e for r in range(len(kept) + 1) for e in combinations(kept, r)):
                    compared = related(relation, s, other, 4) and (name != "uldp-protection" or not emitted)
                    if compared and (relation != "joint" or set(emitted) <= set(s) & set(other)):
                        triples.add((s, other, emitted))
        return triples

    return family(conclusion) <= family(premise)


SUPPORT = frozenset({"uldp-inversion", "eq9-membership", "eq10-membership"})
"""Predicates that depend only on which outputs are possible."""


def _follows_on_singletons(premises: set[str], conclusion: str) -> bool:
    """Try every support of three items (one sensitive) on the outputs I = {}, {x}, {x'}, {x, x'}."""
    outputs: list[Output] = [((), ()), ((), (1,)), ((), (2,)), ((), (1, 2))]
    supports = [s for bits in product((0, 1), repeat=4) if (s := [y for y, b in zip(outputs, bits, strict=True) if b])]
    for chosen in product(supports, repeat=3):
        rows: dict[Items, dict[Output, Fraction]] = {
            (x,): {y: Fraction(1, len(s)) for y in s} for x, s in enumerate(chosen)
        }
        c = Finite(rows, 1, 2, Fraction(1))
        if all(holds(p, c) for p in premises) and not holds(conclusion, c):
            return False
    return True
