"""The constant of one drawn item: |s| P(y|s) is, up to a factor of y alone, a sum of weights of the held items.

w1 if y shows the item (its label, its bit), else w0 of its kind; w1 >= w0 > 0 for sensitive items, w1 >= w0 of others.
So constant * P(y|s') - P(y|s) is least where y shows all lost sensitive items (one or none, if y shows one at most), no
gained one and, as the constant is at least 1, no common one. What is left is a matter of signs for all numbers.
At least 1: that is this difference for s = s' (no number of exchanges is excluded), or w1 >= w0 for a single exchange.
An output that shows a common non-sensitive item has probability r / m under both sets; one that shows an item of one
set only is not compared, or impossible for s.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from dp_checks.kernel import sizes
from dp_checks.kernel.exact import integer
from dp_checks.kernel.laws import valued
from dp_checks.kernel.polynomial import Ratio, is_nonnegative, lift, variable
from dp_checks.kernel.ratios import Seen, labels, seen_by
from dp_checks.kernel.rejected import Rejected, require
from dp_checks.kernel.sizes import EXCHANGES, LARGEST, SLACK, Counts, goal, implied, lost, variables
from dp_checks.kernel.terms import evaluate


def linear(statement: Any, multipliers: Mapping[str, Any], cases: Any = None) -> None:
    """Raise `Rejected` unless the constant (e^eps, if none is stated) is at least all ratios, and a stated one is
    reached: by the output that shows all lost sensitive items (one, if it shows one at most) and nothing else.

    multipliers: of constraints of the statement, in the base and the numbers of s (of s': t) that are sensitive and
    shown (s1), sensitive and not shown (s0), not sensitive (s2)."""
    law, seen = statement["law"], seen_by(statement)
    require(sizes.is_drawn(law["term"]) and (seen.equal or not seen.common), "one drawn item")
    shown, hidden, other, single = _weights(law, seen)
    place = sizes.region_of(law)
    values, ranges = place.values, place.ranges
    constant, forms = sizes.split(goal(statement))
    above, below = constant[1:] if isinstance(constant, list) and constant[0] == "div" else (constant, 1)
    place.value(above)
    for positive in (hidden, place.value(below)):
        require(is_nonnegative(positive, ranges, strictly=True), "a weight or a denominator is not shown to be > 0")
    for least in (hidden, other):
        require(is_nonnegative(shown - least, ranges), "a shown item has the largest weight")

    def gap(of: Mapping[str, Ratio], at: Mapping[str, Any]) -> Ratio:
        """constant * P(y|s') - P(y|s), up to a positive factor."""
        top, bottom = (of[x + "1"] * shown + of[x + "0"] * hidden + of[x + "2"] * other for x in "st")
        if not seen.equal:
            held, beside = (of[x + "1"] + of[x + "0"] + of[x + "2"] for x in "st")
            top, bottom = top * beside, bottom * held
        over, under = (lift(evaluate(tree, {**values, **at})) for tree in (above, below))
        return over * bottom - under * top

    for count, of in _outputs(statement, single):
        at = sizes.sizes_at(count) | ({"m": values["m"]} if statement["sizes"] == "all" else {})
        rest = gap(of, at | {LARGEST: lost(count) + variable(SLACK)})
        for index, tree in multipliers.items():
            factor = lift(evaluate(tree, {**of, law["base"]: values[law["base"]]}))
            require(is_nonnegative(factor, ranges), "a multiplier is not shown to be >= 0")
            rest = rest - factor * lift(evaluate(statement["where"][integer(int(index), 0)], at))
        require(is_nonnegative(rest, ranges), "a ratio is not shown to be at most the constant")

    def reached(count: Counts, where: tuple[Any, ...]) -> None:
        require(seen.equal and (not single or implied(lost(count) - 1, where)), "no sensitive item is lost")
        of = _numbers(count, lift(1) if single else lost(count))
        require(gap(of, sizes.sizes_at(count) | {LARGEST: lost(count)}) == 0, "the constant is not reached")

    sizes.require_constant(statement, forms, lost, cases, reached)


def _numbers(count: Counts, shown: Ratio) -> dict[str, Ratio]:
    """How many items are sensitive and shown, sensitive and not, others: of s, where `shown` are, and of s'."""
    found = {"s1": shown, "t1": lift(0)}
    for place, side in enumerate("st"):
        sensitive = sum((count[x] for x in EXCHANGES if x[place] == "s"), count["g"])
        found[side + "2"] = sum((count[x] for x in EXCHANGES if x[place] == "n"), count["h"])
        found[side + "0"] = sensitive - found[side + "1"]
    return found


def _weights(law: Any, seen: Seen) -> tuple[Ratio, Ratio, Ratio, bool]:
    """Of a sensitive item that is shown, that is not, of another one; whether y shows one item at most."""
    term = valued(law["term"], variables(law))
    while term[0] != "drawn":
        term = term[2]
    match term[1]:
        case ["row", kinds]:
            own, third, _ = labels(kinds, "sen", seen)
            return (own, third, labels(kinds, "non", seen)[1] if "non" in kinds else lift(0), True)
        case ["each", "items", ["row", kinds]]:
            shown, hidden = (lift(kinds["sen1"][bit]) / kinds["sen0"][bit] for bit in ("1", "0"))
            if "non1" not in kinds or seen.hidden:
                return (shown, hidden, lift(int("non1" in kinds)), False)
            require(kinds["non0"].get("1", 0) == 0, "an item is shown that is not held")
            return (shown, hidden, lift(kinds["non1"]["0"]) / kinds["non0"]["0"], False)
    raise Rejected("no weights of other laws")


def _outputs(statement: Any, single: bool) -> Iterator[tuple[Counts, dict[str, Ratio]]]:
    """The numbers of all compared pairs, and those of an output that shows lost sensitive items."""
    for vector in sizes.vectors(statement):
        yield vector, _numbers(vector, lift(0) if single else lost(vector))
        for name in (x for x in ("ss", "sn", "sb") if single and vector[x] != 0):
            count = vector if vector[name] == 1 else vector | {name: vector[name] + 1}
            yield count, _numbers(count, lift(1))
