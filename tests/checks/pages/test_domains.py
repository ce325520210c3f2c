"""Constraints as people read them, without minus signs, and still the same constraints."""

import re
from itertools import product

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from dp_checks.certify import all_claims
from dp_checks.pages.domains import SIZES, constraint, domain, relation
from dp_checks.pages.notation import latex
from dp_spec.vocabulary.statement import All, Domain, Range
from dp_spec.vocabulary.term import Term, term, var

K, N, M, F = (var(name) for name in ("K", "N", "m", "f"))
HOLDS = {"le": lambda a, b: a <= b, "lt": lambda a, b: a < b, "ge": lambda a, b: a >= b}


def test_integers_have_their_own_names() -> None:
    whole, real = Range(1, integer=True), Range(1, strict=True)
    first = Domain({"w": whole, "first": whole, "m": whole}, (var("w") - var("first"),))
    assert domain(first).endswith(
        r"$w\ge 1\text{ integer}$, $\mathrm{first}\ge 1\text{ integer}$, "
        + (r"$m\ge 1\text{ integer}$, $\mathrm{first}\le w$")
    )
    assert domain(Domain({"w": real, "t": real})) == r", for all $e^{\epsilon}>1$, $e^{\epsilon/2m}>1$"


@pytest.mark.parametrize(
    ("delta", "constraints", "written"),
    [
        (Range(0, strict=True, unit=True), (), r"$0<\delta<1$"),
        (Range(0, strict=True), (1 - var("delta"),), r"$\delta>0$, $\delta\le 1$"),
        (Range(0, strict=True), (), r"$\Delta>0$"),
        (Range(1, integer=True), (), r"$\Delta\ge 1\text{ integer}$"),
    ],
)
def test_delta_is_of_a_budget_where_it_is_at_most_one_and_else_a_sensitivity(
    delta: Range, constraints: tuple[Term, ...], written: str
) -> None:
    assert domain(Domain({"delta": delta}, constraints)) == f", for all {written}"


def test_indices_are_subscripts() -> None:
    assert latex(var("a00") + var("an1") * var("e0") - var("loss")) == (
        r"a_{00} + \mathrm{an}_{1} \, e^{\epsilon/m} - \mathrm{loss}"
    )


def summands(side: Term) -> set[int | str]:
    """The operators of what is added up."""
    return set().union(*map(summands, side.arguments)) if side.head == "add" else {side.head}


def says(needed: Term, values: dict[str, fmpq]) -> bool:
    left, sign, right = relation(needed)
    at = {**values, "d": values["K"] + values["N"]}
    return bool(HOLDS[sign](fmpq(1) * left.evaluate(at), fmpq(1) * right.evaluate(at)))


@given(st.lists(st.integers(-3, 3), min_size=4, max_size=4))
def test_what_is_written_is_what_is_needed(numbers: list[int]) -> None:
    k, n, m, c = numbers
    needed = k * K + n * N - (-m) * M + c
    for values in product(range(4), repeat=3):
        at = dict(zip(("K", "N", "m"), map(fmpq, values), strict=True))
        assert says(needed, at) == (needed.evaluate(at) >= 0)


@given(st.integers(-2, 2), st.integers(-2, 2), st.integers(-2, 2))
def test_nothing_is_strict_beside_a_real_number(m: int, f: int, c: int) -> None:
    needed = m * M + f * F + m * (M * F) + c
    for at in ({"K": fmpq(1), "N": fmpq(0), "m": fmpq(a), "f": fmpq(b, 4)} for a in range(4) for b in range(5)):
        assert says(needed, at) == (needed.evaluate(at) >= 0)


@pytest.mark.parametrize(
    ("needed", "latex"),
    [
        (K + N - M - 1, "$m<d$"),
        (K + N - 2 * M, r"$2 \, m\le d$"),
        (K - M - 1, "$m<K$"),
        (N - M, r"$m\le N$"),
        (N - M + 1, r"$m\le N + 1$"),
        (K - 2, r"$K\ge 2$"),
        (N - 1, r"$N\ge 1$"),
        (K + 2 * N - 2 * M, r"$2 \, m\le K + 2 \, N$"),
        (1 - M, "$m=1$"),
        (1 - F, r"$f_x\le 1$"),
        (M - F - 1, r"$f_x + 1\le m$"),
        (2 * K - 2 * M, r"$m\le K$"),
    ],
)
def test_constraints_of_the_papers(needed: Term, latex: str) -> None:
    assert constraint(needed) == latex


def test_no_page_shows_a_difference_that_is_not_negative() -> None:
    relations = []
    for claim in all_claims():
        for _, statement in claim.formals():
            for part in statement.parts if isinstance(statement, All) else (statement,):
                relations += [relation(c) for c in getattr(part, "where", ())]
                if isinstance(about := getattr(part, "domain", None), Domain):
                    integers = SIZES | {name for name, bounds in about.variables.items() if bounds.integer}
                    relations += [relation(c, integers) for c in about.constraints]
    assert relations
    assert {head for left, _, right in relations for side in (left, right) for head in summands(side)} & {
        "sub",
        "neg",
    } == set()


def test_a_domain_names_its_variables_first() -> None:
    about = Domain({"m": Range(1, integer=True), "f": Range()}, (term(1) - F,))
    assert re.fullmatch(r", for all \$m\\ge 1\\text\{ integer\}\$, \$f_x\\ge 0\$, \$f_x\\le 1\$", domain(about))
