"""The smallest constant of one drawn item: m P(y|s) is, up to a factor of y alone, a sum of weights of the held items.

w1 if y shows the item (its label, its bit), else w0 of its kind. So P(y|s) is linear in the numbers of items by whether
they are lost, gained or common, shown or not ("cells"), and constant * P(y|s') - P(y|s) >= 0 is a matter of signs. An
output that shows a common non-sensitive item has probability r / m under both sets.
"""

from collections.abc import Mapping
from typing import Any

from dp_checks.kernel.exact import integer
from dp_checks.kernel.laws import is_plain, valued
from dp_checks.kernel.polynomial import Ratio, is_nonnegative, lift, variable
from dp_checks.kernel.ratios import at_least, equals, seen_by
from dp_checks.kernel.rejected import require
from dp_checks.kernel.sizes import (
    COUNTS,
    ZERO,
    Counts,
    implied,
    is_drawn,
    ranges_of,
    require_witness,
    sizes_at,
    variables,
    vectors,
)
from dp_checks.kernel.terms import evaluate, require_defined

Cell = tuple[str, int, int, int]
"""A kind of exchange or of item, and whether y shows the lost, the gained, the common item."""

CELLS: list[Cell] = [
    *(("ss", lost, gained, 0) for lost in (1, 0) for gained in (1, 0)),
    *(("sn", lost, 0, 0) for lost in (1, 0)),
    *(("ns", 0, gained, 0) for gained in (1, 0)),
    *(("g", 0, 0, common) for common in (1, 0)),
    *((name, 0, 0, 0) for name in ("nn", "h", "o", "u")),
]
BEST = "[A]"
"""The smallest of the expressions in a constant's min(...)."""


def split(tree: Any) -> tuple[Any, list[Any]]:
    """The tree with its min(...) named, and what it is the smallest of."""
    if not isinstance(tree, list):
        return tree, []
    if tree[0] == "min":
        return BEST, tree[1:]
    parts = [split(argument) for argument in tree[1:]]
    forms = next((found for _, found in parts if found), [])
    require(all(found in ([], forms) for _, found in parts), "one min(...) in a constant")
    return [tree[0], *(part for part, _ in parts)], forms


def smallest(statement: Any, cases: Any, multipliers: Mapping[str, Any]) -> None:
    """Raise `Rejected` unless the stated constant is the smallest one: it bounds all ratios for all numbers of cells
    (min(...) is at least the number of exchanged sensitive items), and the cases reach it: their exchanged sensitive
    items are lost and shown (one of them, if only one can be), nothing else is.

    multipliers: of constraints of the statement, in the base and the numbers of s (of s': t) that are sensitive and
    shown (s1), sensitive and not shown (s0), not sensitive (s2)."""
    law = statement["law"]
    require(is_drawn(law["term"]) and statement["sizes"] == "exactm", "one drawn item of sets of one size")
    require(statement["relation"] != "ldp" or is_plain(law["term"]), "epsilon-LDP: no non-sensitive items")
    seen_by(statement)
    values, ranges = variables(law), ranges_of(law) | {BEST: ZERO, "[slack]": ZERO}
    one, none, single = _weights(statement)
    constant, forms = split(statement["constant"])
    above, below = constant[1:] if isinstance(constant, list) and constant[0] == "div" else (constant, 1)
    for tree in (above, below):
        require_defined(tree, {**values, BEST: variable(BEST)}, ranges)
    positive = lift(evaluate(below, {**values, BEST: variable(BEST)}))
    require(is_nonnegative(positive, ranges, strictly=True), "a denominator > 0")

    def numbers(cells: Mapping[Cell, Ratio]) -> dict[str, Ratio]:
        """s1, s0, s2, t1, t0, t2."""
        c = {name: sum((n for cell, n in cells.items() if cell[0] == name), lift(0)) for name in COUNTS}
        lost, gained, common = (sum((n for cell, n in cells.items() if cell[i]), lift(0)) for i in (1, 2, 3))
        found = {"s1": lost + common, "s0": c["ss"] + c["sn"] + c["g"], "s2": c["ns"] + c["nn"] + c["h"]}
        found |= {"t1": gained + common, "t0": c["ss"] + c["ns"] + c["g"], "t2": c["sn"] + c["nn"] + c["h"]}
        return found | {"s0": found["s0"] - found["s1"], "t0": found["t0"] - found["t1"]}

    def gap(cells: Mapping[Cell, Ratio], at: Mapping[str, Any]) -> Ratio:
        """constant * P(y|s') - P(y|s), up to a positive factor."""
        of = numbers(cells)
        top, bottom = (of[x + "1"] * one + of[x + "0"] * none["sen"] + of[x + "2"] * none["non"] for x in "st")
        return lift(evaluate(above, at)) * bottom - lift(evaluate(below, at)) * top

    for cells in _outputs(statement, single):
        free = ranges | {name: ZERO for n in cells.values() for mono in n.num for name, _ in mono}
        c = {name: sum((n for cell, n in cells.items() if cell[0] == name), lift(0)) for name in COUNTS}
        exchanged, sizes = c["ss"] + c["sn"], sizes_at(c)
        for form in forms:
            require(at_least(form, exchanged, {**values, **sizes}, free), "min(...) may be less than is exchanged")
        rest = gap(cells, {**values, **sizes, BEST: exchanged + variable("[slack]")})
        for index, tree in multipliers.items():
            factor = lift(evaluate(tree, numbers(cells) | {law["base"]: values[law["base"]]}))
            require(is_nonnegative(factor, free), "a multiplier is not shown to be >= 0")
            rest = rest - factor * lift(evaluate(statement["where"][integer(int(index), 0)], sizes))
        require(is_nonnegative(rest, free), "a ratio is not shown to be at most the constant")

    def reached(count: Counts, where: tuple[Any, ...], at: Mapping[str, Ratio]) -> None:
        exchanged = count["ss"] + count["sn"]
        require(not forms or any(equals(form, exchanged, at, where) for form in forms), "more can be exchanged")
        shown = {name: count[name] for name in ("ss", "sn")}
        if single:
            first = "ss" if implied(count["ss"] - 1, where) else "sn"
            require(implied(count[first] - 1, where), "no sensitive item is lost")
            shown = {name: lift(int(name == first)) for name in ("ss", "sn")}
        cells = {(name, 1, 0, 0): shown[name] for name in ("ss", "sn")}
        cells |= {(name, 0, 0, 0): count[name] - shown.get(name, lift(0)) for name in COUNTS}
        found = gap(cells, {**values, **sizes_at(count), BEST: exchanged})
        require(found == 0, "the constant is not reached")

    require_witness(statement, cases, reached)


def _weights(statement: Any) -> tuple[Ratio, dict[str, Ratio], bool]:
    """The weight of a shown item, of one that is not (sensitive or not), and whether y shows at most one item."""
    term, marginal = valued(statement["law"]["term"], variables(statement["law"])), statement["relation"] == "marginal"
    while term[0] != "drawn":
        term = term[2]
    of = term[1]
    if of[0] == "row":
        require(all(set(cells) <= {"own", "other"} for cells in of[1].values()), "a row of own and other labels")
        none = {kind: cells["other"] for kind, cells in of[1].items()}
        return lift(of[1]["sen"]["own"]), {"sen": lift(none["sen"]), "non": lift(none.get("non", 0))}, True
    require(of[:2] == ["each", "items"], "no weights of other laws")
    kinds = of[2][1]
    leaks = not marginal and lift(kinds.get("non0", {}).get("1", 0)) != 0
    require(not leaks, "an item is shown that is not held")
    held = {
        kind: lift(kinds[f"{kind}1"]["0"]) / kinds[f"{kind}0"]["0"] for kind in ("sen", "non") if f"{kind}1" in kinds
    }
    hidden = {"sen": held["sen"], "non": lift(1) if marginal else held.get("non", lift(0))}
    return lift(kinds["sen1"]["1"]) / kinds["sen0"]["1"], hidden, False


def _outputs(statement: Any, single: bool) -> list[dict[Cell, Ratio]]:
    """The numbers of cells of all compared pairs and outputs; `single`: at most one item is shown."""
    found = []
    for vector in vectors(statement):
        cells = [cell for cell in CELLS if vector[cell[0]] != 0]
        quiet = {cell: vector[cell[0]] if not any(cell[1:]) else lift(0) for cell in cells}
        fixed = {name for name in ("ss", "sn", "ns", "nn") if vector[name] == 1}
        if not single:
            found += _spread(cells, vector, fixed)
            continue
        found.append(quiet)
        for cell in cells:
            if sum(cell[1:]) == 1 and (cell[0] in fixed or not fixed or cell[0] == "g"):
                rest = {(cell[0], 0, 0, 0): lift(0)} if cell[0] in fixed else {}
                found.append(quiet | rest | {cell: lift(1)})
    return found


def _spread(cells: list[Cell], vector: Counts, fixed: set[str]) -> list[dict[Cell, Ratio]]:
    """Any number of every cell; of the one exchange of `deniability`, one of its cells."""
    free = {cell: variable(str(cell)) for cell in cells if cell[0] not in fixed}
    if not fixed:
        return [free]
    [name] = fixed
    return [free | {cell: lift(1)} for cell in cells if cell[0] == name]
