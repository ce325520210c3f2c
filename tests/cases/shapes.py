"""Certificates of shapes whose checking could cost more than it is charged: many variables, terms, relations, lemmas,
exponentials, sums and pieces, in any number.
"""

from collections.abc import Callable
from typing import Any

from cases.greedy import RANGE, Json, chain, formula

Shape = Callable[[int], Json]
SHAPES: dict[str, tuple[Shape, int, int]] = {}
"""By name, with a small size and one that takes about a second at most."""

FREE = {**RANGE, "min": 0}
POSITIVE = {**FREE, "strict": True}
NATURAL = {**FREE, "integer": True}
ABOVE_ONE = {**RANGE, "strict": True}
INDUCTION = {"induct": "u", "factor": 1, "first": {}, "next": {}}


def shape(small: int, large: int) -> Callable[[Shape], Shape]:
    def listed(build: Shape) -> Shape:
        SHAPES[build.__name__] = build, small, large
        return build

    return listed


def names(number: int, letter: str = "x") -> list[str]:
    return [f"{letter}{i}" for i in range(number)]


def positive(tree: Any, variables: list[str], spec: Json = POSITIVE, times: int = 1) -> Json:
    return formula([["lt", 0, tree]] * times, " ".join(variables), spec)


@shape(40, 200)
def long_terms_in_a_denominator(n: int) -> Json:
    """Exponents were gathered for every variable by itself, whenever a fraction was made."""
    first, second = names(n), names(n, "y")
    tree: Any = ["div", 1, ["add", chain("mul", first), chain("mul", second)]]
    for _ in range(150):
        tree = ["mul", tree, 2]
    return positive(tree, first + second, times=20)


@shape(20, 400)
def denominators_of_many_terms(n: int) -> Json:
    """Every term became a tuple with a place for every name."""
    first, second = names(n), names(n, "y")
    inverses = [["div", 1, chain("add", of)] for of in (first, [*first[1:], *second])]
    return positive(["add", *inverses], first + second)


@shape(20, 1500)
def denominators_of_the_same_names(n: int) -> Json:
    inverses = [["div", 1, ["add", chain("add", names(n)), i]] for i in (1, 2)]
    return positive(["add", *inverses], names(n), FREE)


@shape(20, 150)
def long_terms_that_are_added(n: int) -> Json:
    product = chain("mul", names(n))
    return positive(chain("add", [["mul", product, x] for x in names(n)]), names(n), FREE)


@shape(30, 150)
def signs_of_long_terms(n: int) -> Json:
    return positive(["mul", chain("mul", names(n)), chain("add", names(n))], names(n), times=20)


@shape(20, 100)
def powers_of_degree_0(n: int) -> Json:
    total = chain("add", names(n))
    return positive(chain("add", [["pow", total, 0]] * n), names(n))


@shape(20, 200)
def variables_that_are_shifted(n: int) -> Json:
    return positive(chain("add", names(n)), names(n), ABOVE_ONE)


@shape(15, 40)
def powers_of_a_sum_with_a_variable(n: int) -> Json:
    power = ["pow", ["add", chain("add", names(n)), 1], "u"]
    return formula([["eq", power, power]] * n, " ".join([*names(n), "u"]), {**RANGE, "integer": True})


@shape(40, 300)
def relations_by_induction(n: int) -> Json:
    """The trees of all relations are looked at for each of them."""
    relations = [["le", 0, ["mul", "u", i]] for i in range(1, n)]
    return formula(relations, "u", NATURAL, steps=[INDUCTION] * len(relations))


@shape(50, 500)
def lemmas_by_induction(n: int) -> Json:
    return formula([["lt", 0, 1]], "u", NATURAL, steps=[{}], lemmas=[["u", INDUCTION]] * n)


@shape(200, 20_000)
def lemmas(n: int) -> Json:
    return formula([["lt", 0, 1]], "x", FREE, steps=[{}], lemmas=[["x", {}]] * n)


@shape(50, 6000)
def exponentials_in_relations(n: int) -> Json:
    return formula([["lt", 0, ["exp", ["mul", "x", i]]] for i in range(1, n)], "x", ABOVE_ONE)


@shape(30, 150)
def exponentials_in_a_sum(n: int) -> Json:
    return positive(chain("add", [["exp", ["mul", x, 2]] for x in names(n)]), names(n), ABOVE_ONE)


def closed(number: int, more: int) -> Json:
    """So many sums with forms, beside variables that are in none of them."""
    sums = [["sum", "s", 1, "x", i] for i in range(1, number + 1)]
    forms = [[tree, ["mul", "s", tree[4]], ["mul", "s", tree[4]]] for tree in sums]
    spec = {**RANGE, "integer": True}
    return formula([["lt", 0, chain("add", sums)]], " ".join(["x", *names(more)]), spec, steps=[{}], sums=forms)


@shape(20, 250)
def sums_with_forms(n: int) -> Json:
    return closed(n, 0)


@shape(50, 5000)
def sums_beside_variables(n: int) -> Json:
    return closed(30, n)


@shape(150, 400)
def pieces_of_relations_of_numbers(n: int) -> Json:
    """Every relation is decided on every piece."""
    certificate = formula([["lt", 0, 1]] * n, "x", cover=[f"{i}/7" for i in range(7, n + 8)])
    certificate["statement"]["domain"]["constraints"] = [["sub", "x", 2], ["sub", (n + 6) // 7, "x"]]
    return certificate


@shape(50, 1500)
def multipliers(n: int) -> Json:
    certificate = formula([["le", 0, 1]], "x", FREE, steps=[{"multipliers": {str(i): 0 for i in range(n)}}])
    certificate["statement"]["domain"]["constraints"] = ["x"] * n
    return certificate


@shape(50, 2000)
def a_domain_without_a_point(n: int) -> Json:
    certificate = positive(1, names(n), FREE)
    certificate["statement"]["domain"]["constraints"] = [-1]
    return certificate


@shape(50, 5000)
def deep_trees(n: int) -> Json:
    tree = chain("add", ["x"] * n)
    for _ in range(150):
        tree = ["neg", tree]
    return formula([["eq", tree, tree]], "x")


@shape(2, 200)
def mechanisms_within_mechanisms(n: int) -> Json:
    """A digest of every one of them is taken."""
    certificate = positive(1, ["x"])
    inner: Json = {"mechanism": "x" * n * 1000}
    for _ in range(90):
        inner = {"mechanism": "", "of": inner}
    certificate["statement"]["note"] = inner
    return certificate
