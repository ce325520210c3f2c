"""Judgement "variance" where one draw of functions serves all users (the rows of a sketch)."""

from fractions import Fraction
from itertools import permutations, product
from math import perm
from typing import Any

from dp_kernel.certificate import schema
from dp_kernel.certificate.schema import Kind
from dp_kernel.formulas.domains import Region
from dp_kernel.formulas.terms import evaluate, symbols
from dp_kernel.laws.arc_instances import require_independent
from dp_kernel.laws.families import Image, to_labels, unnamed
from dp_kernel.laws.grammar import nodes
from dp_kernel.laws.moments import ERROR, SHOWN, at_witness, mean_and_variance, require_other, sizes_in
from dp_kernel.laws.sizes import DATA, fits, point_values, ranges_of
from dp_kernel.laws.stochastic import natural
from dp_kernel.meter import require
from dp_kernel.numbers.json_numbers import MAX_FUNCTIONS, integer
from dp_kernel.numbers.polynomial import substituted, variable

Draws = list[tuple[Fraction, tuple[Image, ...]]]
"""A law on lists of functions, one for every row."""
INDEPENDENT = {"pairwise": 2, "threewise": 3}
"""How many values of a function are independent and uniform, where the rows are; `distinct`: different rows, drawn from
all functions."""


def shared(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: where one draw of k functions, `independence` of their values, serves all users, the variance is
    `formula`, in which `squared` is the sum over items y other than the counted one of f_y^2.

    The law of total variance. kappa(x, y) is the mean of k independent indicators of chance 1/b; those of two items y
    are independent where any three values are.
    """
    law, values = statement["law"], sizes_in(statement) | {x: variable(x) for x in (*DATA, "n")}
    place, choices = Region(values, ranges_of(law)), [node[1:3] for node, _ in nodes(law["term"], values)]
    require([unnamed(law), statement["labels"]] in choices, "not the labels of the functions that are drawn")
    natural(statement["rows"], place, 1)
    require(not symbols(statement["formula"]) & {"kappa1", "kappa2"}, "kappa is drawn")
    if verdict == "refuted":
        require_other(evidence, *_shared_at(statement, evidence))
        return
    require(statement["independence"] == "threewise", "the variance needs three independent values")
    require("per_invertible" not in statement["estimator"], "the variance needs the covariance of F_x and T")
    chance, rows = 1 / place.value(statement["labels"]), place.value(statement["rows"])
    spread, f = chance * (1 - chance) / rows, variable("f")
    mean, variance = mean_and_variance(statement)
    gain = substituted(mean, {"kappa1": 1}) - substituted(mean, {"kappa1": 0})
    require(mean == substituted(mean, {"kappa1": 0}) + gain * variable("kappa1"), "the mean is not affine in kappa")
    within = substituted(variance, {"kappa1": (1 - f) * chance, "kappa2": (1 - f) * (chance * chance + spread)})
    derived = within + gain * gain * variable("squared") * spread
    require(derived == place.value(statement["formula"]), "the variance is another one")


def _shared_at(statement: Any, evidence: Any) -> tuple[Fraction, Any]:
    """The exact variance over draws and reports at a witness, and the formula's value."""
    at, values, x = evidence["instance"], point_values(statement["law"], evidence["instance"]), evidence["item"]
    require(fits(statement, at), "the instance lies outside the domain")
    family, rows = unnamed(statement["law"]), integer(int(evaluate(statement["rows"], values)), 1, 8)
    labels = int(evaluate(statement["labels"], values))
    draws = draws_at(statement["independence"], evidence.get("functions"), at["K"], labels, rows)
    first = second = Fraction(0)
    for weight, functions in draws:
        listed = {family: [[f"1/{rows}", list(image)] for image in functions]}
        mean, variance, data = at_witness(statement, {**evidence, "hashes": listed})
        first, second = first + weight * mean, second + weight * (variance + mean * mean)
    others = [s[0] for s in evidence["users"] if s != [x]]
    squared = sum((Fraction(others.count(y), len(evidence["users"])) ** 2 for y in set(others)), Fraction(0))
    return second - first * first, evaluate(statement["formula"], data | {"squared": squared})


def draws_at(independence: str, listed: Any, items: int, labels: int, rows: int) -> Draws:
    """The law on lists of functions: independent rows, each from the listed family, whose values are independent and
    uniform; or (`distinct`, nothing is listed) all lists of different functions."""
    if independence == "distinct":
        many = listed is not None or labels**items > 16 or perm(labels**items, rows) > MAX_FUNCTIONS
        require(not many, "too many functions")
        lists = [*permutations(product(range(labels), repeat=items), rows)]
        require(bool(lists), "not so many different functions")
        return [(Fraction(1, len(lists)), chosen) for chosen in lists]
    functions = to_labels(listed, items, labels)
    require_independent(functions, min(INDEPENDENT[independence], items), labels)
    require(len(functions) ** rows <= MAX_FUNCTIONS, "too many draws")
    found: Draws = [(Fraction(1), ())]
    for _ in range(rows):
        found = [(weight * p, (*chosen, image)) for weight, chosen in found for p, image in functions]
    return found


_FIELDS = ERROR | {
    "data": ("fixed",),
    "rows": schema.tree,
    "labels": schema.tree,
    "independence": (*INDEPENDENT, "distinct"),
}
KINDS = {"shared": Kind(shared, _FIELDS, proved="rule=total", refuted=f"{SHOWN} users | {SHOWN} users functions")}
