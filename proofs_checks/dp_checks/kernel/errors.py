"""Statements that relate exact errors of mechanisms, over all parameters of a domain or over an interval of epsilon.

The error of one item is derived from the mechanism's table (see `moments`); it is affine in f_x, so that the sum over
X depends on the data through f(X_sen) = m - g and f(X_non) = g only.
"""

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

from dp_checks.kernel import enclosure
from dp_checks.kernel.costs import cost, same_law
from dp_checks.kernel.defined import require_defined
from dp_checks.kernel.domains import bounds_of, is_possible, point, speaks_of_data, symbolic
from dp_checks.kernel.exact import integer, rational
from dp_checks.kernel.formulas import holds, prove
from dp_checks.kernel.moments import NAMES, renamed
from dp_checks.kernel.orders import order
from dp_checks.kernel.polynomial import Polynomial, Ratio, lift, variable
from dp_checks.kernel.proving import (
    data_constraints,
    exponentials,
    for_small_epsilon,
    prove_affinely,
    require_data,
    require_sizes,
)
from dp_checks.kernel.rejected import Rejected, require
from dp_checks.kernel.terms import evaluate
from dp_checks.kernel.totals import error

MAX_PIECES, MAX_BITS = 20_000, 4_000_000
"""How many intervals cover a domain, and how many bits of precision all of them have."""
SMALL = "[root - 1]"


def errors(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: all relations between the named errors hold on the whole domain.

    Proved by a step for every relation, or (roots e^(...), one variable) by enclosures on intervals that cover the
    domain; refuted by a point, where n g is an integer and m - g items of X_sen, g of X_non can be held.
    """
    domain, values = statement["domain"], statement["values"]
    require(speaks_of_data(domain), "sizes are integers >= 1 and frequencies >= 0")
    require(not values.keys() & {*domain["variables"], *NAMES}, "the name of an error means something else")
    require_data(values.values(), domain)
    _require_one_budget(statement)
    if verdict == "refuted":
        _refuted(statement, evidence)
    elif "steps" in evidence:
        _proved(statement, evidence)
    else:
        _covered(statement, evidence)


def _proved(statement: Any, evidence: Any) -> None:
    found, domain = gains(statement)
    require(len(evidence["steps"]) == len(found), "one proof step for every relation")
    for (op, gain), step in zip(found, evidence["steps"], strict=True):
        prove_affinely(op, gain, domain, step)


def gains(statement: Any) -> tuple[list[tuple[str, Ratio]], Any]:
    """Every relation as op and right - left, in the variables of the domain that is returned with them."""
    domain, named = statement["domain"], statement["values"]
    trees = [value["root"] for value in named.values()]
    values: dict[str, Any] = symbolic(domain)
    if any(isinstance(tree, list) and tree[0] == "exp" for tree in trees):
        domain = for_small_epsilon(domain)
    for value in named.values():
        for tree in (value["root"], *value["at"].values()):
            require_defined(tree, values, bounds_of(domain))
    roots, domain = exponentials(trees, values, domain)
    for name, value in named.items():
        base = roots[str(value["root"])]
        prove("lt", lift(1), base, domain, {})
        at = {x: lift(evaluate(tree, values)) for x, tree in value["at"].items()}
        require_sizes(at, domain)
        law, general = error(value["error"])
        put = {x: y for x, y in (values | at).items() if x in NAMES}
        values[name] = renamed(general, {law["base"]: base, **put})
        require(_variables(values[name]) <= domain["variables"].keys(), "a parameter has no value")
    found = []
    for op, left, right in statement["relations"]:
        for side in (left, right):
            require_defined(side, values, bounds_of(domain))
        found.append((op, lift(evaluate(right, values)) - evaluate(left, values)))
    return found, domain


def _require_one_budget(statement: Any) -> None:
    """Every root spends the stated budget: root^power = budget, exponents compared where both are e^(...)."""
    if "budget" not in statement:
        return
    values, budget = symbolic(statement["domain"]), statement["budget"]
    require_defined(budget, values, bounds_of(statement["domain"]))
    for value in statement["values"].values():
        law, root = error(value["error"])[0], value["root"]
        inner = values | {name: evaluate(tree, values) for name, tree in value["at"].items()}
        if isinstance(budget, list) and budget[0] == "exp":
            require(isinstance(root, list) and root[0] == "exp", "a root is e^(...)")
            spent, allowed = evaluate(root[1], values) * lift(evaluate(law["power"], inner)), budget[1]
        else:
            inner["[root]"] = lift(evaluate(root, values))
            spent, allowed = evaluate(["pow", "[root]", law["power"]], inner), budget
        require(lift(spent) == evaluate(allowed, values), "another budget is spent")


def _refuted(statement: Any, evidence: Any) -> None:
    at = point(statement["domain"], evidence["values"])
    require(is_possible(at), "no data set has these frequencies")
    op, left, right = statement["relations"][integer(evidence["relation"], 0)]
    bits = integer(evidence.get("bits", 0), 0, 4096)
    here = {name: (x, x) for name, x in at.items()}
    values = dict(here)
    for name, value in statement["values"].items():
        values[name] = _enclosed(value, here, bits)
        limits = [evaluate(tree, at) for tree in data_constraints(value, statement["domain"])]
        require(all(limit >= 0 for limit in limits), "no data set has these frequencies")
        if "n" in at:
            inner = {x: evaluate(tree, at) for x, tree in value["at"].items()}
            require(is_possible(at | inner), "no data set has these frequencies")
    (low, high), (floor, ceiling) = (enclosure.evaluate(tree, values, bits) for tree in (left, right))
    require(_decided(op, (low, high), (floor, ceiling)) is False, "the relation is not shown to fail at the witness")


def _covered(statement: Any, evidence: Any) -> None:
    domain, bits = statement["domain"], integer(evidence["bits"], 1, 4096)
    names = list(domain["variables"])
    require(len(names) <= 1 and not domain["lemmas"], "enclosures cover one variable at most")
    if not names:
        require(evidence["cover"] == [], "nothing to cover")
        require_on(statement, {}, bits)
        return
    ends = [rational(x) for x in evidence["cover"]]
    require(2 <= len(ends) <= MAX_PIECES and len(ends) * bits <= MAX_BITS, "too few or too many pieces")
    require(all(a < b for a, b in pairwise(ends)), "the pieces are in order")
    _require_within(domain, names[0], ends[0], ends[-1])
    for a, b in pairwise(ends):
        require_on(statement, {names[0]: (a, b)}, bits)


def require_on(statement: Any, here: Mapping[str, enclosure.Interval], bits: int) -> None:
    """Raise `Rejected` unless every relation is shown on a box by enclosures."""
    values = dict(here)
    for name, value in statement["values"].items():
        values[name] = _enclosed(value, here, bits)
    for op, left, right in statement["relations"]:
        sides = [enclosure.evaluate(tree, values, bits) for tree in (left, right)]
        require(_decided(op, *sides) is True, f"not shown on {here}")


def _require_within(domain: Any, name: str, low: Fraction, high: Fraction) -> None:
    """The domain lies in [low, high]: a constraint a x + b >= 0 with a > 0 says x >= -b/a, one with a < 0 the rest."""
    below = above = False
    for tree in domain["constraints"]:
        start, slope = (lift(evaluate(tree, {name: lift(x)})) for x in (0, 1))
        numbers = [_number(x) for x in (start, slope)]
        require(_is_affine(tree, name), "constraints that bound the variable are affine")
        b, a = numbers[0], numbers[1] - numbers[0]
        below = below or (a > 0 and -b / a >= low)
        above = above or (a < 0 and -b / a <= high)
    require(below and above, "the pieces do not cover the domain")


def _is_affine(tree: Any, name: str) -> bool:
    value = lift(evaluate(tree, {name: variable(name)}))
    return set(value.den) == {()} and all(mono in ((), ((name, 1),)) for mono in value.num)


def _enclosed(value: Any, here: Mapping[str, enclosure.Interval], bits: int) -> enclosure.Interval:
    """An enclosure of an error: parameters are exact, the root may be real; expanded around 1, where it is smallest."""
    low, high = enclosure.evaluate(value["root"], here, bits)
    require(low > 1, "the root of e^eps is not shown to exceed 1")
    exact = tuple((name, a) for name, (a, b) in here.items() if a == b)
    top, bottom = _expanded(json.dumps(value, sort_keys=True), exact)
    return enclosure.quotient(*(_polynomial(part, (low - 1, high - 1)) for part in (top, bottom)))


@lru_cache(maxsize=512)
def _expanded(text: str, exact: tuple[tuple[str, Fraction], ...]) -> tuple[Polynomial, Polynomial]:
    """The error at its parameters: numerator and denominator as polynomials in the root - 1."""
    value = json.loads(text)
    law, general = error(value["error"])
    known = {name: lift(x) for name, x in exact}
    known |= {name: lift(evaluate(tree, known)) for name, tree in value["at"].items()}
    numbers = {name: x for name, x in known.items() if name in NAMES}
    _require_numbers({name: _number(x) for name, x in numbers.items()})
    shifted = renamed(general, {**numbers, law["base"]: variable(SMALL) + 1})
    return shifted.num, shifted.den


def _polynomial(p: Polynomial, y: enclosure.Interval) -> enclosure.Interval:
    """The range of a polynomial in one positive variable: monotone terms, positive and negative ones apart."""
    low = high = Fraction(0)
    for monomial, c in p.items():
        require(all(name == SMALL for name, _ in monomial), "a parameter has no value")
        k = monomial[0][1] if monomial else 0
        a, b = y[0] ** k * c, y[1] ** k * c
        low, high = low + min(a, b), high + max(a, b)
    return low, high


def _decided(op: str, left: enclosure.Interval, right: enclosure.Interval) -> bool | None:
    """A relation between numbers that lie in intervals; None where these overlap."""
    if left[0] == left[1] and right[0] == right[1]:
        return holds(op, left[0], right[0])
    if left[1] < right[0]:
        return op != "eq"
    if left[1] == right[0] and op == "le":
        return True
    return False if left[0] > right[1] else None


def _require_numbers(at: Mapping[str, Fraction]) -> None:
    for name in ("m", "K", "N", "n"):
        if name in at:
            require(at[name].denominator == 1 and at[name] >= (name != "N"), f"{name} = {at[name]} is no size")
    require(is_possible({name: x for name, x in at.items() if name != "n"} | {"n": _common(at)}), "no frequencies")


def _common(at: Mapping[str, Fraction]) -> Fraction:
    """Users for whom the frequencies are whole numbers: n itself may be given for a mean."""
    return Fraction(at.get("f", Fraction(1)).denominator * at.get("g", Fraction(1)).denominator)


def _variables(value: Ratio) -> set[str]:
    return {name for part in (value.num, value.den) for monomial in part for name, _ in monomial}


def _number(value: Ratio) -> Fraction:
    if set(value.num) <= {()} and set(value.den) == {()}:
        return value.num.get((), Fraction(0)) / value.den[()]
    raise Rejected("not a number")


CHECKS: dict[str, Callable[[Any, str, Any], None]] = {
    "errors": errors,
    "order": order,
    "cost": cost,
    "arcs-cost": cost,
    "same-law": same_law,
}
