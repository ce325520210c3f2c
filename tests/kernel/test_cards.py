"""Refuters of cards and of the rule on binomial coefficients: brute force that shares no line with the kernel."""

from ast import literal_eval
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, factorial, prod
from random import Random
from typing import Any

import pytest

from dp_kernel.cards.counting import chances, counts
from dp_kernel.formulas.terms import evaluate
from dp_kernel.meter import Rejected
from dp_kernel.numbers.binomials import LEAST
from dp_kernel.numbers.polynomial import Polynomial, lift, substituted, variable

SIZES = [(d, m, k) for d in range(2, 8) for m in range(1, d) for k in range(1, d - m + 1)]


@pytest.mark.parametrize(("d", "m", "k"), SIZES)
def test_subsets_are_counted(d: int, m: int, k: int) -> None:
    """Card *counting*, against all subsets one by one."""
    held, subsets = set(range(m)), [set(o) for o in combinations(range(d), k)]
    miss = [o for o in subsets if not o & held]
    values = {"K": Fraction(d), "m": Fraction(m)}
    missing, meeting, having, apart = counts(Fraction(k), values)
    assert (missing, meeting) == (len(miss), len(subsets) - len(miss))
    assert {having} == {sum(x in o for o in subsets) for x in range(d)}
    assert {apart} == {sum(x in o for o in miss) for x in range(m, d)}
    hit, low = Fraction(3, 7), Fraction(2, 11)
    law = [(o, hit if o & held else low) for o in subsets]
    listed = [sum((p for o, p in law if x in o), Fraction(0)) for x in range(d)]
    assert {chances([Fraction(k), hit, low], values)} == {(listed[x], listed[y]) for x in range(m) for y in range(m, d)}


def numeric(part: Polynomial, at: dict[str, int]) -> Fraction:
    """A polynomial in sizes and numbers of subsets at a point: these are counted, by what their names say."""

    def size(form: Any) -> int:
        return int(sum(Fraction(c) * at[monomial[0][0]] for monomial, c in form))

    @cache
    def value(name: str) -> Fraction:
        if name in at:
            return Fraction(at[name])
        top, bottom = literal_eval(name[name.index("[") :])
        x, y = size(top), size(bottom)
        if name.startswith("binom["):
            assert x >= y >= 0
            return Fraction(comb(x, y))
        j = size([(monomial, c) for monomial, c in top if monomial == (("m", 1),)])
        gap = comb(x, y) - comb(x - j, y) * (1 + Fraction(j * y, x - j - y + 1))
        assert name.startswith("more[")
        assert gap >= 0, "not the tangent bound"
        return gap

    return sum(
        (c * prod((value(x) ** e for x, e in monomial), start=Fraction(1)) for monomial, c in part.items()), Fraction(0)
    )


@pytest.mark.slow
def test_binomial_coefficients_of_sizes() -> None:
    random, cases = Random(7), 0
    symbols = {name: variable(name) for name in LEAST}
    for _ in range(750):
        over = {name: random.choice((0, 0, 1, 1, 2)) for name in LEAST}
        under = {name: random.choice((0, 1)) * bool(over[name]) for name in LEAST}
        a, b = random.randint(-3, 3), random.randint(-3, 3)
        top: Any
        bottom: Any
        top, bottom = a, b
        for name in LEAST:
            top, bottom = ["add", top, ["mul", over[name], name]], ["add", bottom, ["mul", under[name], name]]
        try:
            coefficient = lift(evaluate(["binom", top, bottom], symbols))
        except (Rejected, ArithmeticError):
            continue
        for _ in range(8):
            at = {name: least + random.randint(0, 3) for name, least in LEAST.items()}
            n, k = (c + sum(form[x] * at[x] for x in LEAST) for c, form in ((a, over), (b, under)))
            assert n >= 0
            assert numeric(coefficient.num, at) / numeric(coefficient.den, at) == (comb(n, k) if k >= 0 else 0)
            cases += 1
    assert cases > 2500


@pytest.mark.parametrize(
    "tree",
    [
        ["binom", "w", "k"],
        ["binom", ["div", "k", 2], 1],
        ["binom", ["mul", "k", "m"], "k"],
        ["binom", "k", ["add", "k", "m"]],
        ["binom", ["sub", "k", 2], 1],
        ["binom", ["sub", "K", "m"], "k"],
        ["binom", ["add", "k", 17], "k"],
    ],
)
def test_what_may_be_negative_or_no_integer_has_no_binomial_coefficient(tree: Any) -> None:
    with pytest.raises(Rejected):
        evaluate(tree, {name: variable(name) for name in (*LEAST, "w")})


def test_a_size_in_a_number_of_subsets_is_not_replaced() -> None:
    coefficient = lift(evaluate(["binom", ["add", "k", "r"], "k"], {"k": variable("k"), "r": variable("r")}))
    assert substituted(coefficient, {"w": lift(2)}) == coefficient
    with pytest.raises(ValueError, match="replaced"):
        substituted(coefficient, {"r": lift(0)})


@pytest.mark.parametrize("x", [Fraction(3, 2), Fraction(2), Fraction(5)])
@pytest.mark.parametrize("show", ["multiset", "set"])
def test_matched_results_reach_the_truncated_exponential(show: str, x: Fraction) -> None:
    """Card *matching*, against all pairs of sets and all outputs."""
    for k, n, m in [(2, 0, 1), (3, 0, 2), (4, 0, 2), (1, 1, 1), (1, 2, 2), (2, 2, 2), (2, 3, 2), (3, 1, 3), (2, 3, 3)]:
        sets = [set(s) for s in combinations(range(k + n), m)]
        laws = [_unordered(s, k, x, show) for s in sets]
        ratios = [law[y] / other[y] for law in laws for other in laws for y in law if y in other]
        lost = max(len({z for z in s - other if z < k}) for s in sets for other in sets)
        bound = sum(((x - 1) ** i / factorial(i) for i in range(lost + 1)), Fraction(0))
        assert max(ratios) <= bound, (k, n, m)
        if m - lost <= n and k + n - m >= lost:
            assert max(ratios) == bound, (k, n, m)


def _unordered(s: set[int], k: int, x: Fraction, show: str) -> dict[tuple[object, ...], Fraction]:
    """The law of the results of all held items, without their order: labels below k, and shown items."""
    other, total = 1 / (x + k - 1), dict[tuple[object, ...], Fraction]()
    for results in product(*([*range(k), *([z] if z >= k else [])] for z in sorted(s))):
        p = Fraction(1)
        for z, y in zip(sorted(s), results, strict=True):
            p *= (x * other if z < k else 1 - k * other) if y == z else other
        labels, invertible = sorted(y for y in results if y < k), tuple(y for y in results if y >= k)
        y0 = tuple(sorted(set(labels)) if show == "set" else labels)
        total[y0, invertible] = total.get((y0, invertible), Fraction(0)) + p
    return {y: p for y, p in total.items() if p}
