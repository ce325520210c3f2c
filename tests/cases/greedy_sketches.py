"""Certificates about sketches and sums that are small and would keep a checker busy for minutes, or fill its memory."""

from itertools import product
from typing import Any

from cases.greedy import HOSTILE, UNIT, constrained, formula, hostile, names
from corpus.certificates import Json, real

__all__ = ["HOSTILE"]

NOTHING: list[Any] = []


def of_sum(tree: Any) -> Json:
    """A number said to be 0."""
    return formula([["eq", tree, 0]], "", cover=NOTHING)


def summed(of: Any, high: int = 10**9, index: str = "j") -> Any:
    return ["sum", index, 1, high, of]


def at_instance(name: str, **changes: Any) -> Json:
    """A certificate at other sizes."""
    certificate = real(name)
    certificate["evidence"]["instance"] |= changes
    return certificate


HOSTILE |= {
    "a_huge_sum": lambda: of_sum(summed(1)),
    # every partial sum is longer than the one before
    "a_huge_sum_of_fractions": lambda: of_sum(summed(["div", 1, ["add", ["pow", "j", 20], 1]])),
    "a_huge_sum_of_enclosures": lambda: of_sum(summed(["log", ["add", "j", ["exp", 1]]])),
    "a_huge_sum_that_has_to_be_defined": lambda: formula([["eq", summed(["div", 1, ["add", "j", "x"]]), 0]], "x", UNIT),
    "a_huge_sum_with_many_variables": lambda: formula([["eq", summed("j"), 0]], names(5000)),
    "a_huge_constraint": lambda: constrained(formula([["eq", "x", "x"]]), ["sub", summed(1), "x"]),
    "a_huge_number_of_bits": lambda: at_instance("mse refuted under fixed functions", b=60),
    "a_huge_number_of_functions": lambda: at_instance("shared refuted for different functions", K=10**18),
}


@hostile
def a_huge_nest_of_sums() -> Json:
    tree: Any = 1
    for i in range(60):
        tree = summed(tree, 2, f"j{i}")
    return of_sum(tree)


@hostile
def a_lot_of_draws() -> Json:
    """16 functions of 4 items, 2 or 3 rows, 8 users."""
    certificate = at_instance("shared refuted for different functions", K=4, k=3, n=8)
    certificate["evidence"]["users"] = [[i % 4] for i in range(8)]
    return certificate


@hostile
def a_lot_of_independent_draws() -> Json:
    """8 functions of 7 items, 3 rows."""
    certificate = at_instance("shared refuted", K=7, b=2, k=3, n=8)
    words = [
        [sum(a * c for a, c in zip(at, of, strict=True)) % 2 for of in _ROOTS] for at in product(range(2), repeat=3)
    ]
    certificate["evidence"] |= {"users": [[i % 7] for i in range(8)], "functions": [["1/8", word] for word in words]}
    return certificate


_ROOTS = [*product(range(2), repeat=3)][1:]


@hostile
def a_lot_of_listed_functions() -> Json:
    """512 functions of 8 items whose chances have 300 digits."""
    digits = 10**149
    chances = [f"1/{digits + i}" for i in range(512)]
    certificate = at_instance("unbiased refuted for colliding labels", K=8, b=8)
    certificate["evidence"]["hashes"] = {"rows": [[p, [0] * 8] for p in chances]}
    return certificate


@hostile
def a_huge_where() -> Json:
    """The sizes of a statement are looked for one by one."""
    certificate = real("unbiased proved for colliding labels")
    certificate["statement"]["where"] = [["sub", 1, "m"], ["sub", 0, summed(1)]]
    return certificate
