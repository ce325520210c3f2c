"""Sizes: instances of a statement about a law, and pairs of sets of all sizes as vectors of free natural numbers.

Match the items that s loses with those it gains: ss sensitive by sensitive, sn sensitive by non-sensitive, and so on; b
is the blank that a smaller set has instead; g and h items are common (sensitive, not), o and u in neither set, z blanks
in both. Every pair of sets of at most m items has such numbers: what holds for all natural numbers holds for all pairs.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from dp_kernel.formulas.domains import Region, prove
from dp_kernel.formulas.terms import evaluate, symbols, written
from dp_kernel.laws.grammar import SEPARATING, all_sensitive, is_of_one_item, nodes, valued
from dp_kernel.meter import Rejected, pay, require
from dp_kernel.numbers.binomials import LEAST
from dp_kernel.numbers.json_numbers import integer, rational
from dp_kernel.numbers.polynomial import ONE, Bound, Ratio, lift, substituted, variable

Instance = dict[str, Any]
Counts = dict[str, Ratio]
Room = Callable[[Any, Counts, Region], Ratio]
"""By how much a bound exceeds what a pair with these counts can reach, in some measure: >= 0, or 0."""
Reach = Callable[[Counts, tuple[Any, ...]], None]

MAX_ITEMS = 8
"""Instances are enumerated: larger ones would keep the kernel busy for ever."""

COUNTS = ("ss", "sn", "ns", "nn", "sb", "bs", "nb", "bn", "g", "h", "o", "u", "z")
EXCHANGES = COUNTS[:8]
DATA = ("f", "g", "kappa1", "kappa2", "squared")
"""What a formula may say of a data set, beside n."""
HALF, SLACK = written(["floor", ["div", "K", 2]]), "[slack]"
"""floor(K / 2), and by how much it exceeds a number."""
DOMAIN = (["sub", ["add", "K", "N"], "m"], ["sub", "K", ["mul", 2, HALF]], ["sub", ["add", ["mul", 2, HALF], 1], "K"])
"""What holds at all sizes."""


def variables(law: Any) -> dict[str, Ratio]:
    """Every variable of a law as itself, but K by r >= 0 where it has a least value."""
    names, least = (law["base"], "m", "K", "N", *law["parameters"], *law.get("integers", {})), least_k(law["term"])
    values = {name: variable(name) for name in names}
    return values if least is None else values | {"K": lift(evaluate(least, values)) + variable("r")}


def least_k(term: Any) -> Any:
    """The least K where reports are subsets: as many items as they have are not held (dummies are such items)."""
    match term:
        case ["dummies", "sen", ["subset", size, _, _]]:
            return size
        case ["subset", size, _, _] | ["sampled" | "filled", ["subset", size, _, _]]:
            return ["add", size, "m"]
    return None


def ranges_of(law: Any) -> dict[str, Bound]:
    """The range of every variable of a law, of a pair of sets and of data: the root of e^eps is > 1, integers have
    least values, counts and frequencies are >= 0."""
    least = {**LEAST, **law.get("integers", {})}
    ranges = {name: Bound(Fraction(low), False, whole=True) for name, low in least.items()}
    natural = (*DATA, SLACK, HALF, *(f"[{name}]" for name in COUNTS))
    ranges |= dict.fromkeys(natural, Bound(Fraction(0), False))
    ranges |= {name: Bound(Fraction(0), True, unit=True) for name in law["parameters"]}
    return ranges | {law["base"]: Bound(Fraction(1), True)}


def region_of(law: Any) -> Region:
    """All sizes and budgets of a law."""
    return Region(variables(law), ranges_of(law))


def goal(statement: Any) -> Any:
    """The bound: the stated constant, or e^eps."""
    law = statement["law"]
    return statement.get("constant", ["pow", law["base"], law["power"]])


def bounds(statement: Any) -> list[Any]:
    """What the bound is the smallest of."""
    bound = goal(statement)
    return list(bound[1:]) if isinstance(bound, list) and bound[0] == "min" else [bound]


def completed(statement: Any) -> Any:
    """The statement about the sets that dummies complete: sets of m items of a larger domain, and all its pairs."""
    law = statement["law"]
    if law["term"][0] != "dummies":
        return statement
    require(statement["sizes"] == "atmost" and not statement["where"], "sets of at most m items")
    require(symbols(["", goal(statement)]).isdisjoint("KN"), "a bound in the sizes of the smaller domain")
    return {**statement, "law": {**law, "term": law["term"][2]}, "sizes": "exactm"}


def is_drawn(term: Any) -> bool:
    """Whether one of the held items is drawn."""
    return bool(term[0] == "drawn" or (term[0] == "push" and is_drawn(term[2])))


def point_values(law: Any, at: Instance) -> dict[str, Fraction]:
    """The variables of a law at an instance, shown to lie in their ranges."""
    values = {name: Fraction(integer(at[name])) for name in ("m", "K", "N", *law.get("integers", {}))}
    values |= {name: rational(at[name]) for name in (law["base"], *law["parameters"])}
    ranges = ranges_of(law)
    for name, x in values.items():
        bound = ranges[name]
        inside = 0 < x < 1 if bound.unit else x > bound.low if bound.strict else x >= bound.low
        require(inside, f"{name} = {x} lies outside the domain")
    return values


def fits(statement: Any, at: Instance) -> bool:
    """Whether the sizes (and the order, if given) of an instance lie in the domain of the statement, and the families
    of the law exist there: to be kept apart there must be two items. (Those of other premises exist: `require_law`.)"""
    law, term = statement["law"], statement["law"]["term"]
    named = {"m", "K", "N", "n", "order", law["base"], *law["parameters"], *law.get("integers", {})}
    require(set(at) <= named, "an instance with unknown names")
    m, k, n = integer(at["m"], 1), integer(at["K"], 1), integer(at["N"], 0)
    require(k + n <= MAX_ITEMS, f"instances have at most {MAX_ITEMS} items")
    values = {name: Fraction(integer(at[name])) for name in ("m", "K", "N", *law.get("integers", {}))}
    order, least = at.get("order"), least_k(term)
    apart = [name for name, premise in law.get("families", {}).items() if premise == SEPARATING]
    ordered = statement.get("any_order", False) and sorted(map(integer, order or ())) == list(range(k + n))
    return (
        (least is None or k >= evaluate(least, values))
        and (n == 0 or not all_sensitive(term))
        and (m == 1 or not is_of_one_item(term))
        and (m <= k + n or term[0] == "dummies")
        and all(evaluate(tree, values) >= 0 for tree in statement["where"])
        and all(there["K"] + there["N"] >= 2 for node, there in nodes(term, values) if node[1] in apart)
        and (order is None or ordered)
    )


def require_sizes(statement: Any, trees: Any) -> None:
    """Raise `Rejected` unless the statement speaks of some sizes, looked for among small ones; and its own trees are
    defined at all of them (those about a user's set: where they are evaluated)."""
    law, ranges = statement["law"], ranges_of(statement["law"])
    values = variables(law) | {name: variable(name) for name in (*DATA, HALF, "n")}
    for tree in (tree for tree in trees if symbols(tree).isdisjoint(("size", "held"))):
        _require_defined(tree, values, ranges)
    for m, k, n in product(range(1, 5), range(1, MAX_ITEMS + 1), range(MAX_ITEMS + 1)):
        if k + n <= MAX_ITEMS and fits(statement, {"m": m, "K": k, "N": n, **statement["law"].get("integers", {})}):
            return
    raise Rejected("a statement about no sizes at all")


def _require_defined(tree: Any, values: Mapping[str, Any], ranges: Mapping[str, Bound]) -> None:
    """Raise `Rejected` unless a tree is defined; what is rounded, or chosen, or a partial sum, is if its parts are."""
    parts = isinstance(tree, list) and tree[0] in ("min", "floor", "exptrunc") and written(tree) not in values
    for part in tree[1:] if parts else ():
        _require_defined(part, values, ranges)
    if not parts:
        evaluate(tree, values, ranges=ranges)


def numbers(statement: Any, at: Instance) -> Any:
    """The law's term with the numbers of an instance in it."""
    return valued(statement["law"]["term"], point_values(statement["law"], at))


def vectors(statement: Any) -> list[Counts]:
    """The vectors of all compared pairs: free numbers, none where the law or the reading has none, one if one item is
    exchanged."""
    term, relation = statement["law"]["term"], statement["relation"]
    gone = {"sb", "bs", "nb", "bn", "z"} if statement["sizes"] == "exactm" else set()
    if all_sensitive(term):
        gone |= {name for name in COUNTS if "n" in name} | {"h", "u"}
    if relation == "samenon":
        gone |= {"sn", "ns", "nn", "nb", "bn"}
    free = {name: lift(0) if name in gone else variable(f"[{name}]") for name in COUNTS}
    if relation != "deniability" and not is_of_single(statement):
        return [free]
    rest = {name: lift(0) for name in (*EXCHANGES, *("gh" if is_of_single(statement) else ""))}
    units = ("ss", "sn") if relation == "deniability" else EXCHANGES[:4]
    return [free | rest | {name: lift(1)} for name in units if name not in gone]


def is_of_single(statement: Any) -> bool:
    """Whether the sets have one item."""
    stated = statement["sizes"] == "exactm" and ["sub", 1, "m"] in statement["where"]
    return stated or is_of_one_item(statement["law"]["term"])


def sizes_at(statement: Any, count: Mapping[str, Any]) -> dict[str, Any]:
    """m, K, N of a pair with these counts; sets of all sizes say nothing of m."""
    most = sum((count[x] for x in EXCHANGES), count["g"] + count["h"] + count["z"])
    sensitive = sum((count[x] * x.count("s") for x in EXCHANGES), count["g"] + count["o"])
    others = sum((count[x] * x.count("n") for x in EXCHANGES), count["h"] + count["u"])
    return {"m": variable("m") if statement["sizes"] == "all" else most, "K": sensitive, "N": others}


def implied(needed: Ratio, where: tuple[Ratio, ...]) -> bool:
    """Whether an integer needed >= 0 follows from m >= 1, K >= 1, N >= 0 and the constraints: with needed <= -1 some of
    them would add up to what is seen to be < 0."""
    forms = [substituted(form, {name: variable(name) + 1 for name in ("m", "K")}) for form in (-needed - 1, *where)]
    require(all(form.den == ONE for form in forms), "a size is an integer")
    return _is_empty(forms, lift(-1), 6)


def _is_empty(forms: list[Ratio], rest: Ratio, steps: int) -> bool:
    """Whether forms (so many; one may occur again) that are subtracted leave a rest without a negative coefficient: as
    the rest was -1, they cannot all be >= 0. Each of them makes one of the negative coefficients larger."""
    pay(len(forms))
    for low in (monomial for monomial, c in rest.num.items() if c < 0):
        useful = (form for form in forms if form.num.get(low, 0) < 0) if steps else ()
        return any(_is_empty(forms, rest - form, steps - 1) for form in useful)
    return True


# --- the smallest constant ------------------------------------------------------------------------------------------
#
# It is the smallest of some bounds: no ratio exceeds any of them, and at all stated sizes a pair reaches one of them.


def lost(count: Counts) -> Ratio:
    """The number of sensitive items that s loses."""
    return count["ss"] + count["sn"] + count["sb"]


def require_constant(statement: Any, pairs: Iterable[Counts], room: Room, evidence: Any, by: Reach) -> None:
    """Raise `Rejected` unless every bound leaves room to these pairs and, where a constant is stated, there is at all
    stated sizes a pair to which one of them leaves none. multipliers: of constraints of the statement, in sizes and the
    numbers of COUNTS (in brackets)."""
    for count, bound in product(pairs, bounds(statement)):
        values = variables(statement["law"]) | sizes_at(statement, count) | {f"[{x}]": y for x, y in count.items()}
        half = {HALF: count["ss"] + variable(SLACK)}  # as K = 2 ss + ..
        place = Region(values | half, ranges_of(statement["law"]))
        stated = replace(place, constraints=[place.value(tree) for tree in statement["where"]])
        prove("le", 0, room(bound, count, place), stated, {"multipliers": evidence.get("multipliers", {})})
    if "constant" in statement:
        require_witness(statement, room, evidence["cases"], by)


def require_witness(statement: Any, room: Room, cases: Any, by: Reach) -> None:
    """A pair of different sets that the reading compares, to which one of the bounds leaves no room, exists at all
    stated sizes, and `by` accepts it.

    cases: numbers (of COUNTS) as expressions of m, K, N and floor(K / 2), or ["if", a, then, else] by whether the
    integer a >= 0.
    """
    term, sizes = statement["law"]["term"], statement["sizes"]
    values = variables(statement["law"]) | {HALF: variable(HALF)} | ({"N": lift(0)} if all_sensitive(term) else {})
    place = Region(values | ({"m": lift(1)} if is_of_single(statement) else {}), ranges_of(statement["law"]))
    where = tuple(place.value(tree) for tree in (*statement["where"], *DOMAIN))
    for tree, region in _leaves(cases, where, place):
        require(isinstance(tree, dict) and set(tree) <= set(COUNTS), "numbers of exchanged and common items")
        count = {name: place.value(tree.get(name, 0)) for name in COUNTS}
        if implied(lift(-1), region):
            continue  # no sizes
        for name, natural in count.items():
            require(implied(natural, region), f"{name} is not shown to be an integer >= 0")
        # a number is any where the vector has a variable
        of = (zip(count.values(), vector.values(), strict=True) for vector in vectors(statement))
        possible = any(all(x == y or set(y.num) - {()} for x, y in pairs) for pairs in of)
        require(possible, "another reading, or no such items")
        require(implied(sum((count[x] for x in EXCHANGES), lift(-1)), region), "the sets do not differ")
        for name, size in sizes_at(statement, count).items():
            require(size == place.values[name], f"the pair has another {name}")
        for absent in (("bs", "bn"), ("sb", "nb")):  # the size of s, of s'
            held = sum((count[x] for x in (*EXCHANGES, "g", "h") if x not in absent), lift(0))
            require((sizes == "all" and not is_drawn(term)) or implied(held - 1, region), "an empty set")
        require(any(room(bound, count, place) == 0 for bound in bounds(statement)), "no bound is reached")
        by(count, region)


def _leaves(tree: Any, where: tuple[Ratio, ...], place: Region) -> Iterator[tuple[Any, tuple[Ratio, ...]]]:
    match tree:
        case ["if", form, then, other]:
            condition = place.value(form)
            yield from _leaves(then, (*where, condition), place)
            yield from _leaves(other, (*where, -condition - 1), place)
        case _:
            yield tree, where
