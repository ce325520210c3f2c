"""Sizes: instances of a statement about a law, and pairs of sets of all sizes as vectors of free natural numbers.

Match the items that s loses with those it gains: ss sensitive by sensitive, sn sensitive by non-sensitive, and so on; b
is the blank that a smaller set has instead; g and h items are common (sensitive, not), o and u in neither set, z blanks
in both. Every pair of sets of at most m items has such numbers: what holds for all natural numbers holds for all pairs.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

from dp_checks.kernel.exact import integer, rational
from dp_checks.kernel.laws import is_of_one_item, is_plain, valued
from dp_checks.kernel.polynomial import Bound, Ratio, lift, substituted, variable
from dp_checks.kernel.rejected import Rejected, require
from dp_checks.kernel.terms import evaluate
from dp_checks.kernel.work import counted

Instance = dict[str, Any]
Counts = dict[str, Ratio]

MAX_ITEMS = 8
"""Instances are enumerated: larger ones would keep the kernel busy for ever."""

ONE, ZERO, ABOVE = Bound(Fraction(1), False), Bound(Fraction(0), False), Bound(Fraction(1), True)
COUNTS = ("ss", "sn", "ns", "nn", "sb", "bs", "nb", "bn", "g", "h", "o", "u", "z")
EXCHANGES = COUNTS[:8]


# --- laws -----------------------------------------------------------------------------------------------------------


def variables(law: Any) -> dict[str, Ratio]:
    """Every variable of a law as itself. But K by r >= 0 where reports are subsets of some items, of which r more than
    that are not held: K is the number of reported items + r, + m without dummies."""
    names = (law["base"], "m", "K", "N", *law["parameters"], *law.get("integers", {}))
    found = {name: variable(name) for name in names}
    if reported(law["term"]) is not None:
        found["K"] = lift(evaluate(reported(law["term"]), found)) + variable("r")
        found["K"] = found["K"] + (0 if is_completed(law["term"]) else found["m"])
    return found


def reported(term: Any) -> Any:
    """How many items a report names, where it is a subset of them."""
    return (
        term[1]
        if term[0] == "subset"
        else next(filter(None, (reported(x) for x in term[1:] if isinstance(x, list))), None)
    )


def is_completed(term: Any) -> bool:
    """Whether sets of at most m items are completed to m by sensitive dummies."""
    return bool(term[:2] == ["dummies", "sen"])


def ranges_of(law: Any) -> dict[str, Bound]:
    """The range of every variable of a law: its root of e^eps is > 1, its `integers` have least values."""
    ranges = {law["base"]: ABOVE, "K": ONE._replace(whole=True), "m": ONE, "N": ZERO, "r": ZERO}
    ranges |= {name: Bound(Fraction(least), False, whole=True) for name, least in law.get("integers", {}).items()}
    return ranges | {name: Bound(Fraction(0), True, unit=True) for name in law["parameters"]}


def is_drawn(term: Any) -> bool:
    """Whether one of the held items is drawn."""
    return bool(term[0] == "drawn" or (term[0] == "push" and is_drawn(term[2])))


# --- instances --------------------------------------------------------------------------------------------------


def point_values(law: Any, at: Instance) -> dict[str, Fraction]:
    """The variables of a law at an instance, shown to lie in their ranges."""
    values = {name: Fraction(integer(at[name])) for name in ("m", "K", "N")}
    values |= {name: rational(at[name]) for name in (law["base"], *law["parameters"])}
    values |= {name: Fraction(integer(at[name])) for name in law.get("integers", {})}
    ranges = ranges_of(law)
    for name, x in values.items():
        bound = ranges[name]
        inside = 0 < x < 1 if bound.unit else x > bound.low if bound.strict else x >= bound.low
        require(inside, f"{name} = {x} lies outside the domain")
    return values


def fits(statement: Any, at: Instance) -> bool:
    """Whether the sizes (and the order, if given) of an instance lie in the domain of the statement."""
    law = statement["law"]
    named = {"m", "K", "N", "n", "order", law["base"], *law["parameters"], *law.get("integers", {})}
    require(set(at) <= named, "an instance with unknown names")
    m, k, n = integer(at["m"], 1), integer(at["K"], 1), integer(at["N"], 0)
    require(k + n <= MAX_ITEMS, f"instances have at most {MAX_ITEMS} items")
    order, values = at.get("order"), {"m": Fraction(m), "K": Fraction(k), "N": Fraction(n)}
    values |= {name: Fraction(integer(at[name])) for name in law.get("integers", {})}
    size = reported(law["term"])
    left = None if size is None else k - (0 if is_completed(law["term"]) else m) - evaluate(size, values)
    return (
        (left is None or left >= 0)
        and (n == 0 or not is_plain(law["term"]))
        and (m == 1 or not is_of_one_item(law["term"]))
        and (m <= k + n or law["term"][0] == "dummies")
        and all(evaluate(tree, values) >= 0 for tree in statement["where"])
        and (order is None or sorted(map(integer, order)) == list(range(k + n)))
        and (order is None or statement.get("any_order", False))
    )


def require_sizes(statement: Any) -> None:
    """Raise `Rejected` unless the statement speaks of some sizes: looked for among small ones."""
    for m, k, n in product(range(1, 5), range(1, MAX_ITEMS + 1), range(MAX_ITEMS + 1)):
        if k + n <= MAX_ITEMS and fits(statement, {"m": m, "K": k, "N": n, **statement["law"].get("integers", {})}):
            return
    raise Rejected("a statement about no sizes at all")


def numbers(statement: Any, at: Instance, values: Mapping[str, Any] | None = None) -> Any:
    """The law's term with the numbers of an instance (or given ones) in it."""
    return valued(statement["law"]["term"], point_values(statement["law"], at) if values is None else values)


# --- all sizes ------------------------------------------------------------------------------------------------------


def vectors(statement: Any, *, ordered: bool = False) -> list[Counts]:
    """The vectors of all compared pairs: free numbers, none where the law or the reading has none, one if one item is
    exchanged. `ordered`: slots are compared place by place, ss, sn, ns, nn of them with different items."""
    term, relation = statement["law"]["term"], statement["relation"]
    gone = {"sb", "bs", "nb", "bn", "z"} if statement["sizes"] == "exactm" or ordered else set()
    if is_plain(term):
        gone |= {name for name in COUNTS if "n" in name} | {"h", "u"}
    if relation == "samenon" and not (ordered and statement.get("any_order", False)):
        gone |= {"sn", "ns", "nn", "nb", "bn"}
    free = {name: lift(0) if name in gone else variable(f"[{name}]") for name in COUNTS}
    single = relation == "deniability" and not ordered
    one_item = is_of_one_item(term) or (statement["sizes"] == "exactm" and ["sub", 1, "m"] in statement["where"])
    if not single and not one_item:
        return [free]
    rest = {name: lift(0) for name in (*EXCHANGES, *("ghz" if one_item else ""))}
    units = [name for name in EXCHANGES[:4] if name not in gone and (not single or name in ("ss", "sn"))]
    return [free | rest | {name: lift(1)} for name in units]


def sizes_at(count: Mapping[str, Any]) -> dict[str, Any]:
    """m, K, N of a pair with these counts."""
    lost, kept = sum((count[x] for x in EXCHANGES), lift(0)), count["g"] + count["h"] + count["z"]
    sensitive = count["ss"] * 2 + count["sn"] + count["ns"] + count["sb"] + count["bs"] + count["g"] + count["o"]
    others = count["nn"] * 2 + count["sn"] + count["ns"] + count["nb"] + count["bn"] + count["h"] + count["u"]
    return {"m": lost + kept, "K": sensitive, "N": others}


def bounds_with_counts(law: Any) -> dict[str, Bound]:
    """The ranges of a law's variables and of all counts."""
    return ranges_of(law) | {f"[{name}]": ZERO for name in COUNTS}


def implied(needed: Any, where: tuple[Any, ...]) -> bool:
    """Whether an integer needed >= 0 follows from m >= 1, K >= 1, N >= 0 and the constraints, by adding up at most four
    of them (one may occur again) to what is seen to be at most needed, or 2 needed + 1."""
    goal, forms = _linear(needed), [_linear(tree) for tree in where]
    scales = (1, 2) if all(c.denominator == 1 for c in goal.values()) else (1,)
    for number in range(5):
        for chosen in counted(combinations_with_replacement(forms, number), *range(9)):
            used = {x: sum(form[x] for form in chosen) for x in goal}
            for scale in scales:
                rest = {x: scale * c - used[x] for x, c in goal.items()}
                least = rest.pop("") + scale - 1 + sum(rest[name] for name in ("m", "K", "k"))
                if least >= 0 and all(c >= 0 for c in rest.values()):
                    return True
    return False


def _linear(form: Any) -> dict[str, Fraction]:
    """A linear form of sizes: the coefficient of each, and the constant."""
    names = ("m", "K", "N", "k", "[half]")
    value = form if isinstance(form, Ratio) else lift(evaluate(form, {name: variable(name) for name in names}))
    found = dict.fromkeys(("", *names), Fraction(0))
    for monomial, coefficient in value.num.items():
        require(sum(exponent for _, exponent in monomial) <= 1 and set(value.den) == {()}, "a size is a linear form")
        name = monomial[0][0] if monomial else ""
        require(name in found, f"{name} is no size")
        found[name] = Fraction(coefficient, value.den[()])
    return found


def is_zero(gap: Ratio, where: tuple[Any, ...]) -> bool:
    """Whether a difference of sizes is 0 on the stated domain."""
    return gap == 0 or (implied(gap, where) and implied(-gap, where))


def require_witness(
    statement: Any, cases: Any, reached: Callable[[Counts, tuple[Any, ...], Counts], None], *, ordered: bool = False
) -> None:
    """A pair of different sets that the reading compares exists at all stated sizes, and `reached` accepts it.

    cases: numbers (of COUNTS) as expressions of m, K, N; ["if", a, then, else] by whether the integer a >= 0; or
    ["parity", then, else]: K = 2 half, or K = 2 half + 1.
    """
    term, plain = statement["law"]["term"], is_plain(statement["law"]["term"])
    where = [*statement["where"], ["sub", ["add", "K", "N"], "m"]]
    where += [["sub", 1, "m"]] if is_of_one_item(term) else []
    start = {name: variable(name) for name in ("m", "K", "N")} | ({"N": lift(0)} if plain else {})
    start |= {"m": lift(1)} if ["sub", 1, "m"] in where else {}
    possible = {x for vector in vectors(statement, ordered=ordered) for x in COUNTS if vector[x] != 0}
    for tree, found, values in _leaves(cases, tuple(lift(evaluate(tree, start)) for tree in where), start):
        require(isinstance(tree, dict) and set(tree) <= set(COUNTS), "numbers of exchanged and common items")
        count = {name: lift(evaluate(tree.get(name, 0), values)) for name in COUNTS}
        if implied(lift(-1), found):
            continue  # no sizes
        for name, number in count.items():
            whole = all(c.denominator == 1 for c in _linear(number).values())
            require(whole and implied(number, found), f"{name} is not shown to be an integer >= 0")
        for name in COUNTS:
            if name not in possible:
                require(is_zero(count[name], found), f"{name}: another reading, or no such items")
                count[name] = lift(0)
        if statement["relation"] == "deniability":
            require(count["ss"] + count["sn"] == 1, "one item is exchanged")
        require(implied(sum((count[x] for x in EXCHANGES), lift(-1)), found), "the sets do not differ")
        at, free = sizes_at(count), {"exactm": "", "atmost": "", "all": "m"}[statement["sizes"]]
        for name in ("m",) if ordered else ("m", "K", "N"):
            require(name == free or is_zero(at[name] - values[name], found), f"the pair has another {name}")
        if statement["sizes"] != "exactm":
            for absent in (("bs", "bn"), ("sb", "nb")):  # the size of s, of s'
                size = sum((count[x] for x in (*EXCHANGES, "g", "h") if x not in absent), lift(0))
                nonempty = statement["sizes"] == "atmost" or is_drawn(term)
                require(not nonempty or implied(size - 1, found), "an empty set")
        if ordered:  # {1..m} and {2..m+1} differ at every place
            require(count["g"] == 0 and implied(values["K"] - values["m"] - 1, found), "K > m is not stated")
        reached(count, found, values)


def _leaves(
    tree: Any, where: tuple[Ratio, ...], values: dict[str, Ratio]
) -> Iterator[tuple[Any, tuple[Ratio, ...], Any]]:
    match tree:
        case ["if", form, then, other]:
            condition = lift(evaluate(form, values))
            require(all(c.denominator == 1 for c in _linear(condition).values()), "a case is about integers")
            yield from _leaves(then, (*where, condition), values)
            yield from _leaves(other, (*where, -condition - 1), values)
        case ["parity", *parts] if len(parts) == 2:
            for odd, part in enumerate(parts):
                put = {"K": variable("[half]") * 2 + odd}
                moved = tuple(substituted(constraint, put) for constraint in where)
                yield from _leaves(part, moved, {**values, **put, "half": variable("[half]")})
        case _:
            yield tree, where, values
