"""Laws for all sizes: their variables, the sizes a statement speaks of, and the slotwise lemma."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from dp_checks.kernel.defined import require_defined
from dp_checks.kernel.exact import integer, rational
from dp_checks.kernel.polynomial import Bound, Ratio, is_nonnegative, lift, variable
from dp_checks.kernel.rejected import Rejected, require
from dp_checks.kernel.terms import evaluate

Instance = dict[str, Any]

MAX_ITEMS = 8
"""Instances are enumerated: larger ones would keep the kernel busy for ever."""


def table(law: Any, values: Any) -> tuple[Any, Any, Any]:
    """p, q, r of a law in the given values."""
    p, q = (evaluate(law[name], values) for name in ("p", "q"))
    return p, q, evaluate(law["r"], values) if law["r"] is not None else None


def point_values(statement: Any, at: Instance) -> dict[str, Fraction]:
    """The variables of a law at an instance, shown to lie in their ranges."""
    law = statement["law"]
    values = {name: Fraction(integer(at[name])) for name in ("m", "K", "N")}
    values |= {name: rational(at[name]) for name in (law["base"], *law["parameters"])}
    for name, bound in ranges_of(law).items():
        if name in values:
            inside = 0 < values[name] < 1 if bound.unit else values[name] > bound.low if bound.strict else True
            require(inside, f"{name} = {values[name]} lies outside the domain")
    return values


def fits(statement: Any, at: Instance) -> bool:
    """Whether the sizes (and the order, if given) of an instance lie in the domain of the statement."""
    law = statement["law"]
    require(set(at) <= {"m", "K", "N", "n", "order", law["base"], *law["parameters"]}, "an instance with unknown names")
    m, k, n = integer(at["m"], 1), integer(at["K"], 1), integer(at["N"], 0)
    require(k + n <= MAX_ITEMS, f"instances have at most {MAX_ITEMS} items")
    order = at.get("order")
    return (
        (law["r"] is not None or n == 0)
        and m <= k + n
        and all(
            evaluate(tree, {"m": Fraction(m), "K": Fraction(k), "N": Fraction(n)}) >= 0 for tree in statement["where"]
        )
        and (order is None or sorted(map(integer, order)) == list(range(k + n)))
        and (order is None or statement.get("any_order", False))
    )


def require_sizes(statement: Any) -> None:
    """Raise `Rejected` unless the statement speaks of some sizes: looked for among small ones."""
    for m, k, n in product(range(1, 5), range(1, MAX_ITEMS + 1), range(MAX_ITEMS + 1)):
        if k + n <= MAX_ITEMS and fits(statement, {"m": m, "K": k, "N": n}):
            return
    raise Rejected("a statement about no sizes at all")


def variables(law: Any) -> dict[str, Ratio]:
    """Every variable of a law as itself."""
    return {name: variable(name) for name in (law["base"], "m", "K", "N", *law["parameters"])}


def ranges_of(law: Any) -> dict[str, Bound]:
    """The range of every variable of a law: its root of e^eps is > 1."""
    one, zero = Fraction(1), Fraction(0)
    ranges = {law["base"]: Bound(one, True), "K": Bound(one, False), "m": Bound(one, False), "N": Bound(zero, False)}
    return ranges | {name: Bound(zero, True, unit=True) for name in law["parameters"]}


def require_law(law: Any, ranges: Mapping[str, Bound]) -> None:
    """Raise `Rejected` unless the table is a law for every size and budget: entries in [0, 1], rows of sum 1, e^eps >
    1.
    """
    values = variables(law)
    for entry in (law["p"], law["q"], law["r"], law["power"]):
        require_defined(entry, values, ranges)
    p, q, r = table(law, values)
    for probability in (p, q) if r is None else (p, q, r):
        require(is_nonnegative(lift(probability), ranges), "an entry is not shown to be >= 0")
        require(is_nonnegative(lift(1 - probability), ranges), "an entry is not shown to be <= 1")
    if law["unit"] == "items":
        require(lift(p + (values["K"] - 1) * q) == 1, "the row of a sensitive item does not sum to 1")
        require(r is None or lift(values["K"] * q + r) == 1, "the row of a non-sensitive item does not sum to 1")
    if law["unit"] == "arcs":
        w, covered = values[law["base"]], values["m"] * q
        require(law["power"] == 1 and is_nonnegative(lift(1 - covered), ranges), "m arcs are not shown to fit")
        require(lift(p * (covered * w + 1 - covered)) == lift(q * w), "not the chance of a held item's arc")
        require(r is None or lift(p + r) == 1, "an item is emitted when its arc is avoided")
    require(is_nonnegative(lift(evaluate(law["power"], values)) - 1, ranges), "e^eps is not shown to exceed 1")


def slotwise_bound(statement: Any, evidence: Any) -> Ratio:
    """The bound that a slotwise lemma gives for all sizes, from the item or bit table alone.

    items: given I, both reports are sums over the same outcomes of products of table entries, one for every slot of s
    and of s' outside I, paired in any way. If every entry lies in [low, c low], the ratio is at most c^m for m slots
    ("all") and at most c for one uniformly drawn slot ("one": a ratio of averages).
    bits, "all": positions held by both or by neither cancel; held by s only they multiply the ratio by at most u, by
    s' only by at most v; there are at most m of each: (u v)^m. bits, "one": the likelihood of the drawn item,
    relative to the all-zero encoding, lies in [low, c low]: at most c.
    """
    law = statement["law"]
    require(evidence["lemma"] == "slotwise", f"unknown lemma {evidence['lemma']!r}")
    values, ranges = variables(law), ranges_of(law)
    p, q, r = table(law, values)

    def need(smaller: Any, larger: Any) -> None:
        require(is_nonnegative(lift(larger) - smaller, ranges), "an entry is not shown to lie in its bounds")

    require(law["draw"] in ("all", "one"), "no lemma about separate reports")
    if law["unit"] == "bits" and law["draw"] == "all":
        up, down = (evaluate(evidence[name], values) for name in ("up", "down"))
        _require_bits_relation(statement)
        for larger, smaller in ((up * q, p), (up * (1 - q), 1 - p), (down * p, q), (down * (1 - p), 1 - q)):
            need(smaller, larger)
        need(1, up)
        need(1, down)
        if r is not None and statement["relation"] != "marginal":
            need(1 - r, up)
            need(1, down * (1 - r))
        require(statement["sizes"] in ("exactm", "atmost"), "the lemma counts at most m items on either side")
        return lift(evaluate(["pow", ["mul", evidence["up"], evidence["down"]], "m"], values))
    low, factor = (evaluate(evidence[name], values) for name in ("low", "factor"))
    require(is_nonnegative(lift(low), ranges, strictly=True), "low is not shown to be positive")
    for entry in _entries(statement, p, q, r, values["K"]):
        need(low, entry)
        need(entry, factor * low)
    return lift(evaluate(["pow", evidence["factor"], "m"] if law["draw"] == "all" else evidence["factor"], values))


def _require_bits_relation(statement: Any) -> None:
    view, relation = statement["view"], statement["relation"]
    require(relation != "marginal" or view == "sen", "the marginal lemma is about the sensitive bits")
    require(relation != "ldp" or statement["law"]["r"] is None, "epsilon-LDP lemma: no non-sensitive bits")


def _entries(statement: Any, p: Any, q: Any, r: Any, k: Ratio) -> list[Any]:
    """The table entries (items) or likelihoods (bits) a slot of either set can contribute to a compared probability."""
    law, view, relation = statement["law"], statement["view"], statement["relation"]
    exact = statement["sizes"] == "exactm"
    if law["unit"] == "bits":
        _require_bits_relation(statement)
        kept = [] if r is None else [lift(1)] if relation == "marginal" else [1 - r]
        require(
            exact or relation in ("marginal", "ldp"), "an invertible datum has probability r / |s|: sizes must agree"
        )
        return [p / q, (1 - p) / (1 - q), *kept]
    require(relation != "ldp" or r is None, "epsilon-LDP lemma: no non-sensitive items")
    if law["draw"] == "one":
        shown = statement["counted"] == "nonempty"  # then I = {} and every slot contributes p or q, whatever the size
        require(view == "one" and (relation != "marginal" or shown), "no such lemma")
        require(exact or relation == "ldp" or shown, "an invertible datum has probability r / |s|: sizes must agree")
        return [p, q]
    require(exact, "the lemma pairs the slots of two sets of m items")
    if relation == "marginal":
        if view == "set" and statement["counted"] == "nonempty":
            # a slot outside y0 is counted with a fixed element of y0; the k slots there are not all outside it, and
            # low^k <= (q + r)^k - r^k, as (q + r)^k >= q^k + r^k
            return [p, q, q + r]
        require(view == "padded", "no such lemma")
        return [p, q, q + r / k]
    if view == "position":
        require(relation == "samenon" and not statement.get("any_order", False), "slots keep their place only then")
    else:
        require(view in ("set", "multiset", "padded") or (view == "vector" and r is None), "no such lemma")
    return [p, q]
