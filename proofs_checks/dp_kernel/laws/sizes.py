"""Sizes: instances of a statement about a law, and pairs of sets of all sizes as vectors of free natural numbers.

Match the items that s loses with those it gains: ss sensitive by sensitive, sn sensitive by non-sensitive, and so on; b
is the blank that a smaller set has instead; g and h items are common (sensitive, not), o and u in neither set, z blanks
in both. Every pair of sets of at most m items has such numbers: what holds for all natural numbers holds for all pairs.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

from dp_kernel.formulas.domains import Region
from dp_kernel.formulas.terms import evaluate, require_defined, symbols
from dp_kernel.laws.grammar import SEPARATING, is_of_one_item, is_plain, nodes, valued
from dp_kernel.meter import Rejected, paid, require
from dp_kernel.numbers.binomials import LEAST
from dp_kernel.numbers.json_numbers import integer, rational
from dp_kernel.numbers.polynomial import ONE, Bound, Ratio, is_nonnegative, lift, variable

Instance = dict[str, Any]
Counts = dict[str, Ratio]
Number = Callable[[Counts], Ratio]
Reach = Callable[[Counts, tuple[Any, ...]], None]

MAX_ITEMS = 8
"""Instances are enumerated: larger ones would keep the kernel busy for ever."""

COUNTS = ("ss", "sn", "ns", "nn", "sb", "bs", "nb", "bn", "g", "h", "o", "u", "z")
EXCHANGES = COUNTS[:8]
DATA = ("f", "g", "kappa1", "kappa2", "squared")
"""What a formula may say of a data set, beside n."""
LARGEST, SLACK = "[A]", "[slack]"
"""The smallest of the expressions in a constant's min(...); by how much it exceeds a number."""
HALF, FLOOR = "[half]", ["floor", ["div", "K", 2]]
DOMAIN = [["sub", ["add", "K", "N"], "m"], ["sub", "K", ["mul", 2, HALF]], ["sub", ["add", ["mul", 2, HALF], 1], "K"]]
"""What holds at all sizes, of [half] = floor(K / 2)."""


def variables(law: Any) -> dict[str, Ratio]:
    """Every variable of a law (and of a constant) as itself, but K by r >= 0 where it has a least value."""
    names, least = (law["base"], "m", "K", "N", *law["parameters"], *law.get("integers", {})), least_k(law["term"])
    found = {name: variable(name) for name in (*names, LARGEST)}
    return found if least is None else found | {"K": lift(evaluate(least, found)) + variable("r")}


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
    natural = (*DATA, LARGEST, SLACK, *(f"[{name}]" for name in COUNTS))
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
        and (n == 0 or not is_plain(term))
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
    for tree in statement["where"]:
        match tree:
            case ["sub", str() as name, int() as least] if name in LEAST:
                ranges[name] = Bound(max(ranges[name].low, Fraction(least)), False, whole=True)
    values = variables(law) | {name: variable(name) for name in (*DATA, "n")}
    values |= {"m": lift(1)} if ["sub", 1, "m"] in statement["where"] or is_of_one_item(law["term"]) else {}
    for tree in (tree for tree in trees if symbols(tree).isdisjoint(("size", "held"))):
        named, forms = split(tree)
        for part in (named, *forms):
            require_defined(part, values, ranges)
    for m, k, n in product(range(1, 5), range(1, MAX_ITEMS + 1), range(MAX_ITEMS + 1)):
        if k + n <= MAX_ITEMS and fits(statement, {"m": m, "K": k, "N": n, **statement["law"].get("integers", {})}):
            return
    raise Rejected("a statement about no sizes at all")


def numbers(statement: Any, at: Instance) -> Any:
    """The law's term with the numbers of an instance in it."""
    return valued(statement["law"]["term"], point_values(statement["law"], at))


def vectors(statement: Any) -> list[Counts]:
    """The vectors of all compared pairs: free numbers, none where the law or the reading has none, one if one item is
    exchanged."""
    term, relation = statement["law"]["term"], statement["relation"]
    gone = {"sb", "bs", "nb", "bn", "z"} if statement["sizes"] == "exactm" else set()
    if is_plain(term):
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


def implied(needed: Any, where: tuple[Any, ...]) -> bool:
    """Whether an integer needed >= 0 follows from m >= 1, K >= 1, N >= 0 and the constraints, by adding up at most four
    of them (one may occur again) to what is seen to be at most needed, or 2 needed + 1."""
    sizes = {name: variable(name) for name in ("m", "K", "N", HALF)}
    given = [x if isinstance(x, Ratio) else lift(evaluate(x, sizes)) for x in (needed, *where)]
    linear, (goal, *forms) = [(), *(((name, 1),) for name in sizes)], [form.num for form in given]
    require(all(form.den == ONE and set(form.num) <= set(linear) for form in given), "a size is a linear form")
    for number in range(5):
        for chosen in paid(combinations_with_replacement(forms, number), *range(9)):
            used = [sum(form.get(x, 0) for form in chosen) for x in linear]
            for scale in (1, 2):
                constant, *rest = (scale * goal.get(x, 0) - part for x, part in zip(linear, used, strict=True))
                if min(rest) >= 0 and constant + scale - 1 + rest[0] + rest[1] >= 0:
                    return True
    return False


# --- the smallest constant ------------------------------------------------------------------------------------------
#
# It is c(A), A the smallest of some forms of sizes. The rules show that no ratio exceeds c(number of the pair); here: A
# is at least the number of every compared pair, and at all stated sizes some pair has it.


def lost(count: Counts) -> Ratio:
    """The number of sensitive items that s loses."""
    return count["ss"] + count["sn"] + count["sb"]


def smallest_of(tree: Any) -> list[Any]:
    """What the tree is the smallest of."""
    return list(tree[1:]) if isinstance(tree, list) and tree[0] == "min" else [tree]


def split(tree: Any) -> tuple[Any, list[Any]]:
    """The tree with its min(...) named, and what it is the smallest of."""
    if not isinstance(tree, list) or tree[0] == "sum":
        return tree, []
    if tree[0] == "min":
        return LARGEST, tree[1:]
    parts = [split(argument) for argument in tree[1:]]
    forms = next((found for _, found in parts if found), [])
    require(all(found in ([], forms) for _, found in parts), "one min(...) in a constant")
    return [tree[0], *(part for part, _ in parts)], forms


def require_constant(statement: Any, forms: list[Any], number: Number, cases: Any, by: Reach) -> None:
    """Raise `Rejected` unless every form of sizes is at least the number of every compared pair and, where a constant
    is stated, there is at all stated sizes a pair whose number is one of the forms, and which reaches c of it."""
    values, ranges = variables(statement["law"]), ranges_of(statement["law"])
    for vector in vectors(statement):
        of, at = number(vector), values | sizes_at(statement, vector)
        for form in forms:
            if isinstance(form, list) and form[0] == "floor":
                form = form[1]  # floor(a) is at least an integer if a is
                require(of.den == ONE, "no integer")
            require(is_nonnegative(Region(at, ranges).value(form) - of, ranges), "a pair has a larger number")

    if "constant" in statement:
        require_witness(statement, cases, forms, number, by)


def require_witness(statement: Any, cases: Any, forms: list[Any], number: Number, by: Reach) -> None:
    """A pair of different sets that the reading compares, whose number is one of the forms, exists at all stated sizes,
    and `by` accepts it.

    cases: numbers (of COUNTS) as expressions of m, K, N and [half] = floor(K / 2), or ["if", a, then, else] by whether
    the integer a >= 0.
    """
    term, sizes = statement["law"]["term"], statement["sizes"]
    values = {name: variable(name) for name in ("m", "K", "N", HALF)} | ({"N": lift(0)} if is_plain(term) else {})
    values |= {"m": lift(1)} if is_of_single(statement) else {}
    where = [lift(evaluate(tree, values)) for tree in (*statement["where"], *DOMAIN)]
    for tree, found in _leaves(cases, tuple(where), values):
        require(isinstance(tree, dict) and set(tree) <= set(COUNTS), "numbers of exchanged and common items")
        count = {name: lift(evaluate(tree.get(name, 0), values)) for name in COUNTS}
        if implied(lift(-1), found):
            continue  # no sizes
        for name, natural in count.items():
            require(implied(natural, found), f"{name} is not shown to be an integer >= 0")
        # a number is any where the vector has a variable
        of = (zip(count.values(), vector.values(), strict=True) for vector in vectors(statement))
        possible = any(all(x == y or set(y.num) - {()} for x, y in pairs) for pairs in of)
        require(possible, "another reading, or no such items")
        require(implied(sum((count[x] for x in EXCHANGES), lift(-1)), found), "the sets do not differ")
        for name, size in sizes_at(statement, count).items():
            require(size == values[name], f"the pair has another {name}")
        for absent in () if sizes == "exactm" else (("bs", "bn"), ("sb", "nb")):  # the size of s, of s'
            held = sum((count[x] for x in (*EXCHANGES, "g", "h") if x not in absent), lift(0))
            require((sizes == "all" and not is_drawn(term)) or implied(held - 1, found), "an empty set")
        equal = (lift(evaluate(HALF if form == FLOOR else form, values)) == number(count) for form in forms)
        require(not forms or any(equal), "another number is reached")
        by(count, found)


def _leaves(tree: Any, where: tuple[Ratio, ...], values: Counts) -> Iterator[tuple[Any, tuple[Ratio, ...]]]:
    match tree:
        case ["if", form, then, other]:
            condition = lift(evaluate(form, values))
            yield from _leaves(then, (*where, condition), values)
            yield from _leaves(other, (*where, -condition - 1), values)
        case _:
            yield tree, where
