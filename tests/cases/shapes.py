"""Certificates of shapes whose checking could cost more than it is charged: many variables, terms, relations, lemmas,
exponentials, sums and pieces, in any number.
"""

from collections.abc import Callable
from typing import Any

from cases.greedy import AT_ENDS, FREE, RANGE, Json, chain, constrained, formula, names, repeated

Shape = Callable[[int], Json]
SHAPES: dict[str, tuple[Shape, int]] = {}
"""By name, with a small size."""

POSITIVE = {**FREE, "strict": True}
NATURAL = {**FREE, "integer": True}
ABOVE_ONE = {**RANGE, "strict": True}
INDUCTION = {"induct": "u", "factor": 1, "first": {}, "next": {}}


def shape(small: int) -> Callable[[Shape], Shape]:
    def listed(build: Shape) -> Shape:
        SHAPES[build.__name__] = build, small
        return build

    return listed


def positive(tree: Any, variables: list[str], spec: Json = POSITIVE, times: int = 1) -> Json:
    return formula([["lt", 0, tree]] * times, variables, spec)


@shape(40)
def long_terms_in_a_denominator(n: int) -> Json:
    """Exponents were gathered for every variable by itself, whenever a fraction was made."""
    first, second = names(n), names(n, "y")
    inverse = ["div", 1, ["add", chain("mul", first), chain("mul", second)]]
    return positive(repeated(150, inverse, lambda tree: ["mul", tree, 2]), first + second, times=20)


@shape(20)
def denominators_of_many_terms(n: int) -> Json:
    """Every term became a tuple with a place for every name."""
    first, second = names(n), names(n, "y")
    inverses = [["div", 1, chain("add", of)] for of in (first, [*first[1:], *second])]
    return positive(["add", *inverses], first + second)


@shape(20)
def denominators_of_the_same_names(n: int) -> Json:
    inverses = [["div", 1, ["add", chain("add", names(n)), i]] for i in (1, 2)]
    return positive(["add", *inverses], names(n), FREE)


@shape(20)
def long_terms_that_are_added(n: int) -> Json:
    product = chain("mul", names(n))
    return positive(chain("add", [["mul", product, x] for x in names(n)]), names(n), FREE)


@shape(20)
def powers_of_degree_0(n: int) -> Json:
    total = chain("add", names(n))
    return positive(chain("add", [["pow", total, 0]] * n), names(n))


@shape(15)
def powers_of_a_sum_with_a_variable(n: int) -> Json:
    power = ["pow", ["add", chain("add", names(n)), 1], "u"]
    return formula([["eq", power, power]] * n, [*names(n), "u"], {**RANGE, "integer": True})


def closed(number: int, more: int) -> Json:
    """So many sums with forms, beside variables that are in none of them."""
    sums = [["sum", "s", 1, "x", i] for i in range(1, number + 1)]
    forms = [[tree, ["mul", "s", tree[4]], ["mul", "s", tree[4]]] for tree in sums]
    spec = {**RANGE, "integer": True}
    return formula([["lt", 0, chain("add", sums)]], ["x", *names(more)], spec, steps=[{}], sums=forms)


SHAPES |= {
    "signs_of_long_terms": (
        lambda n: positive(["mul", chain("mul", names(n)), chain("add", names(n))], names(n), times=20),
        30,
    ),
    "variables_that_are_shifted": (lambda n: positive(chain("add", names(n)), names(n), ABOVE_ONE), 20),
    # the trees of all relations are looked at for each of them
    "relations_by_induction": (
        lambda n: formula([["le", 0, ["mul", "u", i]] for i in range(1, n)], "u", NATURAL, steps=[INDUCTION] * (n - 1)),
        40,
    ),
    "lemmas_by_induction": (
        lambda n: formula([["lt", 0, 1]], "u", NATURAL, steps=[{}], lemmas=[["u", INDUCTION]] * n),
        50,
    ),
    "lemmas": (lambda n: formula([["lt", 0, 1]], "x", FREE, steps=[{}], lemmas=[["x", {}]] * n), 200),
    "exponentials_in_relations": (
        lambda n: formula([["lt", 0, ["exp", ["mul", "x", i]]] for i in range(1, n)], "x", ABOVE_ONE),
        50,
    ),
    "exponentials_in_a_sum": (
        lambda n: positive(chain("add", [["exp", ["mul", x, 2]] for x in names(n)]), names(n), ABOVE_ONE),
        30,
    ),
    "sums_with_forms": (lambda n: closed(n, 0), 20),
    "sums_beside_variables": (lambda n: closed(30, n), 50),
    # every relation is decided on every piece
    "pieces_of_relations_of_numbers": (
        lambda n: constrained(
            formula([["lt", 0, 1]] * n, "x", cover=[f"{i}/7" for i in range(7, n + 8)], steps=AT_ENDS),
            ["sub", "x", 2],
            ["sub", (n + 6) // 7, "x"],
        ),
        150,
    ),
    "multipliers": (
        lambda n: constrained(
            formula([["le", 0, 1]], "x", FREE, steps=[{"multipliers": {str(i): 0 for i in range(n)}}]), *["x"] * n
        ),
        50,
    ),
    "a_domain_without_a_point": (lambda n: constrained(positive(1, names(n), FREE), -1), 50),
}


@shape(50)
def deep_trees(n: int) -> Json:
    tree = repeated(150, chain("add", ["x"] * n), lambda inner: ["neg", inner])
    return formula([["eq", tree, tree]], "x")


@shape(2)
def mechanisms_within_mechanisms(n: int) -> Json:
    """A digest of every one of them is taken."""
    certificate = positive(1, ["x"])
    inner = repeated(90, {"mechanism": "x" * n * 1000}, lambda of: {"mechanism": "", "of": of})
    certificate["statement"]["note"] = inner
    return certificate
