"""Linear functions: their operator norm says of all vectors what enumeration says of some, and accuses nobody."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import arb, fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from audit.maps.map_cases import Map
from dp_audit import Verdict, audit_map
from dp_audit.exact_numbers import ends
from dp_audit.oracles.distances import BITS
from dp_audit.oracles.operator_norms import NORMS, largest_eigenvalue, operator_norm
from dp_spec.vocabulary.precision import precision

Matrix = list[list[int]]
MATRICES = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(st.integers(-3, 3), min_size=width, max_size=width), min_size=1, max_size=4)
)


@dataclass(frozen=True)
class Linear(Map):
    """What says that it is linear."""

    linear: bool = True


def tree(leaves: int, branching: int) -> Callable[[Sequence[Any]], list[Any]]:
    """The sums of all nodes, the leaves first."""

    def sums(row: Sequence[Any]) -> list[Any]:
        level, nodes = list(row), list(row)
        while len(level) > 1:
            level = [sum(level[i : i + branching]) for i in range(0, len(level), branching)]
            nodes += level
        return nodes

    return sums


def prefixes(row: Sequence[Any]) -> list[Any]:
    return [sum(row[: i + 1]) for i in range(len(row))]


def units(size: int) -> tuple[tuple[int, ...], ...]:
    return ((0,) * size, (1,) * size, *(tuple(int(i == j) for j in range(size)) for i in range(size)))


def columns(function: Callable[[Sequence[Any]], list[Any]], size: int) -> list[list[fmpq]]:
    return [[fmpq(number) for number in function(unit)] for unit in units(size)[2:]]


def times(matrix: Matrix, vector: Sequence[int]) -> list[fmpq]:
    return [fmpq(sum(a * b for a, b in zip(row, vector, strict=True))) for row in matrix]


# --- norms ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("branching", "height"), [(b, h) for b in (2, 3, 4, 5) for h in (0, 1, 2, 3) if b**h <= 64])
def test_the_square_of_a_whole_tree_is_the_number_of_its_nodes_over_a_leaf(branching: int, height: int) -> None:
    """A node over b^k leaves adds at most b^k times the squares of these, and exactly that where all are equal."""
    leaves = branching**height
    of = columns(tree(leaves, branching), leaves)
    assert operator_norm(of, "L2", "L2") == sum(branching**k for k in range(height + 1))
    assert [operator_norm(of, "L1", name) for name in ("L1", "L2", "Linf")] == [height + 1, height + 1, 1]


@pytest.mark.parametrize(("branching", "height"), [(b, h) for b in (2, 3, 4, 5) for h in (0, 1, 2, 3) if b**h <= 27])
def test_the_eigenvalues_of_a_whole_tree_are_sums_of_powers(branching: int, height: int) -> None:
    """What is constant on blocks of b^k leaves, and adds up to 0 on larger ones, is multiplied by 1 + b + ... + b^k."""
    leaves = branching**height
    of = columns(tree(leaves, branching), leaves)
    products = fmpq_mat([[sum((a * b for a, b in zip(x, y, strict=True)), fmpq(0)) for y in of] for x in of])
    blocks = [branching ** (height - k) for k in range(height + 1)]
    dimensions = [larger - smaller for larger, smaller in zip(blocks, [*blocks[1:], 0], strict=True)]
    values = [sum(branching**j for j in range(k + 1)) for k in range(height + 1)]
    assert dict(products.charpoly().roots()) == dict(zip(values, dimensions, strict=True))


@given(MATRICES)
def test_no_vectors_are_farther_apart_and_of_total_distances_some_are_as_far(matrix: Matrix) -> None:
    of = [[fmpq(row[place]) for row in matrix] for place in range(len(matrix[0]))]
    vectors = [vector for vector in product(range(-2, 3), repeat=len(of)) if any(vector)]
    for name in ("L1", "L2", "Linf"):
        power = 2 if name == "L2" else 1
        ratios = [NORMS[name](times(matrix, vector)) / sum(map(abs, vector)) ** power for vector in vectors]
        assert operator_norm(of, "L1", name) == max(ratios)
    norm = operator_norm(of, "L2", "L2")
    squares = [NORMS["L2"](times(matrix, vector)) / sum(number**2 for number in vector) for vector in vectors]
    assert max(squares) <= ends(norm)[1]


@given(MATRICES)
def test_of_largest_and_euclidean_distances_some_vectors_are_as_far(matrix: Matrix) -> None:
    """To an Euclidean ball the farthest are sums of rows: they are among the vectors, beside those of a grid."""
    of = [[fmpq(row[place]) for row in matrix] for place in range(len(matrix[0]))]
    vectors = [vector for vector in product(range(-1, 2), repeat=len(of)) if any(vector)]
    for name in ("L1", "L2", "Linf"):
        power = 2 if name == "L2" else 1
        ratios = [NORMS[name](times(matrix, vector)) / max(map(abs, vector)) ** power for vector in vectors]
        assert operator_norm(of, "Linf", name) == max(ratios)
    sums = [
        tuple(sum(a * row[k] for a, row in zip(by, matrix, strict=True)) for k in range(len(of)))
        for by in product(range(-1, 2), repeat=len(matrix))
    ]
    for name in ("L1", "Linf"):
        squares = [
            NORMS[name](times(matrix, vector)) ** 2 / sum(number**2 for number in vector)
            for vector in {*vectors, *sums}
            if any(vector)
        ]
        with precision(BITS):
            low, high = ends(operator_norm(of, "L2", name))
        assert low**2 <= max(squares) <= high**2
        assert high - low <= fmpq(1, 2**100)


@pytest.mark.parametrize(
    ("d_in", "d_out", "norm"),
    [("Linf", "Linf", 7), ("Linf", "L1", 8), ("Linf", "L2", 50), ("Linf", "absolute", 7), ("L2", "Linf", 5)],
)
def test_norms_by_hand(d_in: str, d_out: str, norm: int) -> None:
    """Rows (3, 4) and (0, 1): to (1, 1) they bring 7 and 1, and the first has the Euclidean norm 5."""
    assert operator_norm([[fmpq(3), fmpq(0)], [fmpq(4), fmpq(1)]], d_in, d_out) == norm


def is_never_negative(symmetric: list[list[Fraction]]) -> bool:
    """Whether no vector has a negative product with its image: by elimination, column by column."""
    rows = [list(row) for row in symmetric]
    while rows:
        first, *others = rows
        if first[0] < 0 or (first[0] == 0 and any(first)):
            return False
        rows = [
            [b - (row[0] * a / first[0] if first[0] else 0) for a, b in zip(first[1:], row[1:], strict=True)]
            for row in others
        ]
    return True


@given(MATRICES)
def test_the_largest_eigenvalue_is_where_the_difference_is_never_negative(matrix: Matrix) -> None:
    size = len(matrix[0])
    products = [[sum(row[i] * row[j] for row in matrix) for j in range(size)] for i in range(size)]
    low, high = (Fraction(int(end.p), int(end.q)) for end in ends(largest_eigenvalue(fmpq_mat(products))))

    def at(number: Fraction) -> bool:
        return is_never_negative(
            [[(number if i == j else 0) - Fraction(products[i][j]) for j in range(size)] for i in range(size)]
        )

    assert at(high)
    assert not at(low - Fraction(1, 2**100))


def test_an_eigenvalue_is_exact_where_it_is_rational() -> None:
    assert largest_eigenvalue(fmpq_mat([[2, 1], [1, 2]])) == 3
    assert isinstance(largest_eigenvalue(fmpq_mat([[1, 2], [2, 5]])), arb)
    assert isinstance(largest_eigenvalue(fmpq_mat([[0, 0, 0], [0, 0, 1], [0, 1, 1]])), arb)  # 0 is rational, and below


# --- audits -----------------------------------------------------------------------------------------------------------

LEAVES = units(9)
NINE = Linear("", tree(9, 3), 4, LEAVES, "L2", "L2", exhaustive=False)
"""The norm of nine leaves with three children each is the root of 13; there is no room in 3.6."""


def doubled_without_one(row: Sequence[int]) -> list[int]:
    return [2 * number for number in row] if list(row) != [1, 1] else [2, 1]


def halved(row: Sequence[int]) -> list[float]:
    return [number / 2 for number in row]


def shortened(row: Sequence[int]) -> list[int]:
    return list(row)[: sum(row) or 2]


class Broken(Linear):
    """What declares a number that is none."""

    def declared(self, distance: Any) -> Any:
        return -1 if distance else 0


class Unbounded(Linear):
    """What declares no bound."""

    def declared(self, distance: Any) -> Any:
        return float("inf")


@dataclass(frozen=True)
class Assumed(Linear):
    assumed: bool = True


PAIR = units(2)
ROWS: tuple[tuple[str, Map, Verdict, str], ...] = (
    ("a right number", NINE, Verdict.CONFORMS, "brought 3.60555 apart at most; no less is declared, at "),
    ("too small", replace(NINE, per_unit=Fraction(18, 5)), Verdict.UNDECIDED, "less is declared"),
    ("without its members", replace(NINE, members=LEAVES[2:]), Verdict.UNDECIDED, "zero vector and all unit vectors"),
    ("of signs", Linear("", prefixes, 6, units(3), "Linf", "L1"), Verdict.CONFORMS, "brought 6 apart"),
    ("of too many signs", Linear("", prefixes, 153, units(17), "Linf", "L1"), Verdict.UNDECIDED, "for more than 16"),
    (
        "not linear",
        Linear("", doubled_without_one, 2, PAIR, "L1", "L1"),
        Verdict.UNDECIDED,
        "not linear on ('1', '1')",
    ),
    ("with doubles", Linear("", halved, 1, PAIR, "L1", "L1"), Verdict.UNDECIDED, "no vector of exact numbers"),
    ("of lists", Linear("", len, 1, ((), (1,)), "symmetric", "absolute"), Verdict.UNDECIDED, "not known of symmetric"),
    ("of two lengths", Linear("", sum, 1, (*PAIR, (1,)), "L1", "absolute"), Verdict.UNDECIDED, "several lengths"),
    ("to two lengths", Linear("", shortened, 1, PAIR, "L1", "L1"), Verdict.UNDECIDED, "several lengths"),
    ("of nothing", Linear("", list, 1, ((), ()), "L2", "L2"), Verdict.UNDECIDED, "or empty"),
    ("no number", Broken("", prefixes, 1, PAIR, "L1", "L1"), Verdict.UNDECIDED, "no number"),
    ("no bound", Unbounded("", prefixes, 1, PAIR, "L1", "L1"), Verdict.CONFORMS, "brought 2 apart"),
    ("a statement", Assumed("", prefixes, 2, PAIR, "L1", "L1"), Verdict.CONSISTENT, "brought 2 apart"),
    ("of one number", Linear("", lambda x: 3 * x, 3, (0, 1, 5), "absolute", "absolute"), Verdict.CONFORMS, "brought 3"),
)


@pytest.mark.parametrize(("case", "verdict", "words"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_what_is_said_of_all_vectors(case: Map, verdict: Verdict, words: str) -> None:
    row = audit_map(case).row("operator norm")
    assert (row.verdict, words in row.detail) == (verdict, True), row


def test_what_two_members_show_is_a_fault_of_these() -> None:
    """At distance 3 nine equal leaves are the root of 117 apart."""
    audit = audit_map(replace(NINE, per_unit=3))
    assert [row.check for row in audit.faults] == ["declared map"]
    assert audit.row("operator norm").verdict is Verdict.UNDECIDED


def test_nothing_is_said_of_what_is_not_said_to_be_linear() -> None:
    case = Map("", tree(9, 3), 4, LEAVES, "L2", "L2", exhaustive=False)
    assert [row.check for row in audit_map(case).rows if row.check == "operator norm"] == []
