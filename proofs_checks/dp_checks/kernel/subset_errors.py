"""Statements about errors of mechanisms on subsets (PrivSet): which k is best, and how good it is.

The estimate of f_x is (F_x / n - Q) / (P - Q) and F_x a sum of n independent variables, Bernoulli(P) for the n f_x
users who hold x and Bernoulli(Q) for the others: n MSE = (f_x P (1 - P) + (1 - f_x) Q (1 - Q)) / (P - Q)^2. If
everybody holds m of the d items, n times the sum over the items is (m P (1 - P) + (d - m) Q (1 - Q)) / (P - Q)^2.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dp_checks.kernel.defined import require_defined
from dp_checks.kernel.domains import bounds_of, point, require_inhabited
from dp_checks.kernel.domains import symbolic as variables_of
from dp_checks.kernel.exact import integer, rational
from dp_checks.kernel.formulas import prove
from dp_checks.kernel.polynomial import Bound, Ratio, is_nonnegative, lift, variable
from dp_checks.kernel.rejected import require
from dp_checks.kernel.subset_counts import (
    Counts,
    Symbolic,
    atoms,
    chances,
    number_at,
    one_item,
    relations,
    sizes,
    symbolic,
)
from dp_checks.kernel.terms import evaluate, symbols

MAX_SEARCHED = 40
"""Outputs of an instance at which every k is tried."""
MAX_D, MAX_M = 8, 6
"""Where a point of a domain is looked for."""


def same_choice(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: some k minimises both objectives. Refuted where no best k of one is a best k of the other; proved
    where m = 1 makes them the same function of P, Q and D.
    """
    table, objectives = statement["table"], statement["objectives"]
    _require_sizes(statement)
    if verdict == "refuted":
        at = evidence["instance"]
        _, outputs, m = sizes(table, at, ("d", "m", "w"), MAX_SEARCHED)
        require(_fits(statement, at), "the instance lies outside the domain")
        best = [_best(table, tree, outputs, m, number_at(at, "w")) for tree in objectives]
        shown = [[integer(k) for k in listed] for listed in evidence["best"]]
        require(shown == best, "the witness shows other subset sizes")
        require(not set(best[0]) & set(best[1]), "the objectives agree at the witness")
        return
    require(verdict == "proved" and evidence == {"lemma": "same expression"}, "unknown evidence")
    require(["sub", 1, "m"] in statement["constraints"], "m = 1 is not stated")
    for tree in objectives:
        _defined(statement, tree)
    values = {"m": Fraction(1)} | {name: variable(name) for name in ("P", "Q", "D")}
    first, second = (lift(evaluate(tree, values)) for tree in objectives)
    require(first == second, "the objectives differ")


def best(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: for m = 1 the smallest best k is (sqrt(radicand) - shift) / scale rounded up, and D / (1 + w) rounded
    up or down, but at least 1. Proved by the first difference of the objective and its root (`require_formula`).

    Refuted by an instance at which it is not the smallest k >= 1 with scale k + shift >= sqrt(radicand).
    """
    if verdict == "refuted":
        require(not _is_best(statement, evidence["instance"]), "the formula is right at the witness")
        return
    require(verdict == "proved", f"unknown verdict {verdict}")
    require_formula(statement, evidence | {name: statement[name] for name in ("radicand", "shift", "scale")})


def no_formula(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: for no m is the smallest best k one formula. Refuted by the formula for m = 1."""
    require(verdict == "refuted", "only refutations are known")
    require_formula(statement, evidence)


def require_formula(statement: Any, evidence: Any) -> None:
    """Raise `Rejected` unless (sqrt(radicand) - shift) / scale, rounded up, is the smallest best k of the objective for
    m = 1, all D >= 2 and all w > 1, and is D / (1 + w) rounded up or down, or 1.

    R(k + 1) - R(k) = factor condition(k) with factor > 0 for 1 <= k <= D - 2, and condition grows with k: R falls as
    long as condition < 0, so the smallest best k is the first with condition >= 0, or D - 1. 2 scale condition =
    (scale k + shift)^2 - radicand with scale, shift > 0: condition >= 0 if and only if k >= (sqrt(radicand) - shift) /
    scale, which is > 0 as radicand > shift^2, and which k = D - 1 satisfies. Condition >= 0 at every k >= D / (1 + w),
    and < 0 at every k with 0 <= k <= D / (1 + w) - 1.
    """
    k, w, d = variable("k"), variable("w"), variable("D")
    above = Bound(Fraction(1), True)
    ranges = {"k": Bound(Fraction(1), False), "w": above, "[r]": Bound(Fraction(0), False)}
    beyond = k + 2 + variable("[r]")  # D >= k + 2

    def read(name: str, at_k: Ratio = k, at_d: Ratio = d) -> Ratio:
        require(symbols(evidence[name]) <= {"k", "w", "D"}, f"the {name} has other variables")
        bounds = {"k": Bound(Fraction(1), False), "w": above, "D": Bound(Fraction(2), False)}
        if name in ("radicand", "shift", "scale"):
            require("k" not in symbols(evidence[name]), f"the {name} depends on k")
            require_defined(evidence[name], {"w": w, "D": d}, bounds)
        return lift(evaluate(evidence[name], {"k": at_k, "w": w, "D": at_d}))

    def positive(number: Ratio, reason: str, *, strictly: bool = True) -> None:
        require(is_nonnegative(number, ranges | {"D": Bound(Fraction(2), False)}, strictly=strictly), reason)

    _defined(statement, statement["objective"])
    difference = _one_item(statement, k + 1) - _one_item(statement, k)
    require(difference == read("factor") * read("condition"), "not the first difference of the objective")
    positive(read("factor", at_d=beyond), "the factor is not shown to be positive")
    growth = read("condition", k + 1, beyond) - read("condition", k, beyond)
    positive(growth, "the condition is not shown to grow with k")
    scale, shift, radicand = read("scale"), read("shift"), read("radicand")
    side = scale * k + shift
    require(2 * scale * read("condition") == side * side - radicand, "not the root of the condition")
    for number in (scale, shift, radicand - shift * shift):
        positive(number, "the root is not shown to be positive")
    positive(read("condition", d - 1), "the last k does not satisfy the condition", strictly=False)
    # k = c + r, and k = q, c = q + 1 + r, where c = D / (1 + w)
    c, r, q = (variable(name) for name in ("[c]", "[r]", "[q]"))
    ranges |= {"[q]": Bound(Fraction(0), False), "[c]": Bound(Fraction(0), True)}
    positive(read("condition", c + r, c * (1 + w)), "k = D / (1 + w) is not shown to be enough", strictly=False)
    positive(-read("condition", q, (q + 1 + r) * (1 + w)), "k = D / (1 + w) - 1 is not shown to be too small")


def convex(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the objective is strictly convex in k. Proved for set weights, b = D - m, all m, D and w > 1.

    With u = having / apart, y = ((D - k) u - b) / k the objective is
    (w - 1)^-2 [b (b / k - 1) + 2 b w (y + 1) + w^2 (m u y + b (u - 1)(y + 1))] (an identity, checked here). u is the
    product of (D - j) / (D - k - j + 1) over 1 <= j <= m; in (D - k) u the first of these denominators cancels. As
    functions of real k both have Taylor coefficients >= 0 at 0, and converge up to their poles, from D - m + 1 on.
    (D - k) u is b at k = 0, so y has no negative coefficient either. At k = 1, where u is 1, all derivatives of u and y
    are >= 0 (sums of such coefficients), hence those of u - 1 and of the products: all of these are convex for
    1 <= k < D - m + 1. b / k is strictly convex.
    """
    if verdict == "refuted":
        require(_second_difference(statement, evidence["instance"]) <= 0, "the objective is convex at the witness")
        return
    require(verdict == "proved" and evidence == {"lemma": "Taylor coefficients"}, "unknown evidence")
    _require_factor(_defined(statement, statement["objective"]))
    d, m, k, w, u = (variable(name) for name in ("D", "m", "k", "w", "[u]"))
    p, q = _shares(relations(d, m, k, u), w)
    found = lift(evaluate(statement["objective"], {"P": p, "Q": q, "D": d, "m": m}))
    b = d - m
    y = ((d - k) * u - b) / k
    stated = b * (b / k - 1) + 2 * b * w * (y + 1) + w * w * (m * u * y + b * (u - 1) * (y + 1))
    require(found * (w - 1) * (w - 1) == stated, "not the objective of the lemma")


def better(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: for some k the summed error is smaller than the rival. Refuted by an instance at which it is for no k;
    proved for m = 1 as follows.

    multiple (R(k) - rival) = square k^2 + slope k + constant =: F(k), multiple > 0 for 0 < k < D. F > 0 at 0 and D, F'
    < 0 at 0, > 0 at D, and the discriminant is larger than square^2, square > 0: the roots of F lie between 0 and D
    more than 1 apart, and the integer between them is a k with R(k) < rival.
    """
    _require_sizes(statement)
    if verdict == "refuted":
        _require_none_better(statement, evidence)
        return
    require(verdict == "proved" and ["sub", 1, "m"] in statement["constraints"], "unknown evidence")
    require(statement["table"]["reading"] == "plain", "the lemma has D = d outputs")
    d, t, k = variable("D"), variable("t"), variable("k")
    ranges = {"D": Bound(Fraction(2), False), "t": Bound(Fraction(1), True)}
    inside = {"t": ranges["t"], "k": Bound(Fraction(0), True), "[r]": Bound(Fraction(0), True)}
    require(symbols(evidence["multiple"]) <= {"k", "D", "t"}, "the multiple has other variables")
    multiple = lift(evaluate(evidence["multiple"], {"k": k, "D": k + variable("[r]"), "t": t}))
    require(is_nonnegative(multiple, inside, strictly=True), "the multiple is not shown to be positive")
    parts = []
    for name in ("square", "slope", "constant"):
        require(symbols(evidence[name]) <= {"D", "t"}, f"the {name} depends on k")
        parts.append(lift(evaluate(evidence[name], {"D": d, "t": t})))
    square, slope, constant = parts
    require_defined(statement["rival"], {"d": d, "m": lift(1), "t": t}, {**ranges, "d": ranges["D"]})
    rival = lift(evaluate(statement["rival"], {"d": d, "m": Fraction(1), "t": t}))
    chance = _one_item_chances(statement["table"], d, k, t * t)
    found = lift(evaluate(evidence["multiple"], {"k": k, "D": d, "t": t})) * (_summed(*chance, lift(1), d - 1) - rival)
    require(found == square * k * k + slope * k + constant, "not the quadratic")
    shown = (
        square,
        constant,
        (square * d + slope) * d + constant,
        -slope,
        2 * square * d + slope,
        slope * slope - 4 * square * constant - square * square,
    )
    for number in shown:
        require(is_nonnegative(number, ranges, strictly=True), "the roots are not shown to be more than 1 apart")


def error_above(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: for every k the summed error is larger than `bound` on the domain. Proved for bounds up to m (m - 1).

    As w grows the error falls to m (hitting - having) having / apart^2 and more, and hitting - having >= (m - 1) apart.
    """
    domain = statement["domain"]
    ranges = domain["variables"]
    require(set(ranges) == {"d", "m", "t"} and not domain["lemmas"], "a domain of d, m and t")
    require(all(ranges[n]["integer"] and ranges[n]["min"] >= 1 for n in ("d", "m")), "sizes from 1")
    require(ranges["t"]["min"] >= 1 and (ranges["t"]["min"] > 1 or ranges["t"]["strict"]), "t > 1")
    require_inhabited(domain)
    if verdict == "refuted":
        require(not _is_above(statement, evidence["instance"]), "the error is larger than the bound at the witness")
        return
    require(verdict == "proved" and evidence["lemma"] == "positive limit", "unknown evidence")
    require_defined(statement["bound"], variables_of(domain), bounds_of(domain))
    m = variable("m")
    prove("le", lift(evaluate(statement["bound"], variables_of(domain))), m * (m - 1), domain, evidence["step"])
    found, bounds = symbolic(statement["table"]), atoms()[1]
    total = _summed(found.held, found.other, m, variable("[d - m]"))
    bounds |= {"[d - m]": Bound(Fraction(0), False)}
    require(is_nonnegative(total - m * (m - 1), bounds, strictly=True), "the error is not shown to be so large")


CHECKS: dict[str, Callable[[Any, str, Any], None]] = {
    "subsets-same-choice": same_choice,
    "subsets-best": best,
    "subsets-no-formula": no_formula,
    "subsets-convex": convex,
    "subsets-better": better,
    "subsets-error-above": error_above,
}


def _summed(p: Any, q: Any, held: Any, others: Any) -> Any:
    return (held * p * (1 - p) + others * q * (1 - q)) / ((p - q) * (p - q))


def _best(table: Any, tree: Any, outputs: int, m: int, w: Fraction) -> list[int]:
    """Every k in 1..D-m at which the objective is smallest."""
    found = {k: _at({"table": table, "objective": tree}, outputs, m, k, w) for k in range(1, outputs - m + 1)}
    return [k for k, number in found.items() if number == min(found.values())]


def _at(statement: Any, outputs: int, m: int, k: int, w: Fraction) -> Any:
    """The objective at one size."""
    p, q = chances(statement["table"], outputs, m, k, w)
    return evaluate(statement["objective"], {"P": p, "Q": q, "D": Fraction(outputs), "m": Fraction(m)})


def _is_best(statement: Any, at: Any) -> bool:
    _, outputs, m = sizes(statement["table"], at, ("d", "m", "w"), MAX_SEARCHED)
    require(m == 1, "the statement is about m = 1")
    values = {"D": Fraction(outputs), "w": number_at(at, "w")}
    radicand, shift, scale = (evaluate(statement[name], values) for name in ("radicand", "shift", "scale"))
    sides = [(k, scale * k + shift) for k in range(1, outputs)]
    stated = [k for k, side in sides if side >= 0 and side * side >= radicand]
    return scale > 0 and stated[:1] == _best(statement["table"], statement["objective"], outputs, 1, values["w"])[:1]


def _is_above(statement: Any, at: Any) -> bool:
    table = statement["table"]
    d, outputs, m = sizes(table, at, ("d", "m", "k", "t"), MAX_SEARCHED)
    k, t = integer(at["k"], 1, outputs - m), number_at(at, "t")
    point(statement["domain"], {name: at[name] for name in statement["domain"]["variables"]})
    p, q = chances(table, outputs, m, k, t ** (2 * m))
    bound = evaluate(statement["bound"], {"d": Fraction(d), "m": Fraction(m), "t": t})
    return bool(_summed(p, q, Fraction(m), Fraction(d - m)) > bound)


def _second_difference(statement: Any, at: Any) -> Any:
    _, outputs, m = sizes(statement["table"], at, ("d", "m", "k", "w"), MAX_SEARCHED)
    middle, w = integer(at["k"], 2, outputs - m - 1), number_at(at, "w")
    before, here, after = (_at(statement, outputs, m, k, w) for k in (middle - 1, middle, middle + 1))
    return before + after - 2 * here


def _require_none_better(statement: Any, evidence: Any) -> None:
    """Raise `Rejected` unless at the instance the errors for k = 1, 2, .. are those shown, and at least the rival."""
    at, table = evidence["instance"], statement["table"]
    d, outputs, m = sizes(table, at, ("d", "m", "t"), MAX_SEARCHED)
    require(_fits(statement, at), "the instance lies outside the domain")
    t = number_at(at, "t")
    pairs = [chances(table, outputs, m, k, t ** (2 * m)) for k in range(1, outputs - m + 1)]
    errors = [_summed(p, q, Fraction(m), Fraction(d - m)) for p, q in pairs]
    rival = evaluate(statement["rival"], {"d": Fraction(d), "m": Fraction(m), "t": t})
    require([rational(e) for e in evidence["errors"]] == errors, "the witness shows other errors")
    require(rational(evidence["rival"]) == rival, "the witness shows another rival")
    require(min(errors) >= rival, "some k is better than the rival there")


def _fits(statement: Any, at: Any) -> bool:
    values = {name: Fraction(at[name]) for name in ("d", "m")}
    return all(evaluate(tree, values) >= 0 for tree in statement["constraints"])


def _require_sizes(statement: Any) -> None:
    """Raise `Rejected` unless the statement speaks of some sizes."""
    plain = statement["table"]["reading"] == "plain"
    some = ({"d": d, "m": m} for d in range(1, MAX_D + 1) for m in range(1, min(d + (not plain), MAX_M + 1)))
    require(any(_fits(statement, at) for at in some), "a statement about no sizes at all")


def _defined(statement: Any, objective: Any) -> Symbolic:
    """The table for all sizes; raises `Rejected` unless it is a law and the objective has a value at every size."""
    table = symbolic(statement["table"])
    values = {"P": table.held, "Q": table.other, "D": table.values["D"], "m": table.values["m"]}
    require_defined(objective, values, table.ranges)
    return table


def _require_factor(table: Symbolic) -> None:
    require(table.hit == lift(table.values["w"]) * table.miss, "the two probabilities do not differ by e^epsilon")


def _shares(number: Counts, w: Ratio) -> tuple[Ratio, Ratio]:
    """P and Q, from multiples of the numbers of subsets."""
    total = number.missing + w * number.hitting
    return w * number.having / total, (w * (number.having - number.apart) + number.apart) / total


def _one_item_chances(table: Any, d: Ratio, k: Ratio, w: Ratio) -> tuple[Ratio, Ratio]:
    """P and Q for m = 1."""
    _require_factor(symbolic(table))
    return _shares(one_item(d, k), w)


def _one_item(statement: Any, k: Ratio) -> Ratio:
    """The objective for m = 1, as a function of k, D and w."""
    d, w = variable("D"), variable("w")
    p, q = _one_item_chances(statement["table"], d, k, w)
    return lift(evaluate(statement["objective"], {"P": p, "Q": q, "D": d, "m": Fraction(1)}))
