"""What the literature states of hash families, decided again by counting with plain integers, further than the kernel
does; the statements are about the families of `dp_refimpl`, and wrong ones are not proved."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Literal

import pytest
from flint import fmpq

from dp_checks.check import decide
from dp_checks.ledger import FAILED, HELD, load_ledger
from dp_refimpl.frequency.hadamard import hadamard_entry
from dp_refimpl.frequency.hash_families import AffineLabels, AllFunctions, CarterWegman
from dp_refimpl.frequency.hash_properties import independence, is_uniform, same_collision_probability
from dp_spec.frequency.claims.hash_families import FORMAL
from dp_spec.vocabulary.error_statements import Formula
from dp_spec.vocabulary.statement import All, Domain, Instances
from dp_spec.vocabulary.term import Term, term

PRIMES = (2, 3, 5, 7, 11)
LISTED = PRIMES[:-1]
Rows = list[tuple[int, ...]]


def functions(prime: int, labels: int, least: int) -> Rows:
    """Tables of the values at 0..P - 1."""
    return [
        tuple((a * x + b) % prime % labels for x in range(prime)) for a in range(least, prime) for b in range(prime)
    ]


def collisions(rows: Rows) -> set[int]:
    """Under how many functions two different keys share a label: all numbers that occur."""
    return {sum(row[x] == row[y] for row in rows) for x, y in combinations(range(len(rows[0])), 2)}


def hits(rows: Rows, k: int, labels: int) -> set[int]:
    """How many functions give k different keys some k labels: all numbers that occur."""
    found = set()
    for keys in combinations(range(len(rows[0])), k):
        seen = dict.fromkeys(product(range(labels), repeat=k), 0)
        for row in rows:
            seen[tuple(row[x] for x in keys)] += 1
        found |= set(seen.values())
    return found


def doubled(order: int) -> Rows:
    """Sylvester's matrix, by doubling; it is symmetric."""
    rows: Rows = [(1,)]
    while len(rows) < order:
        rows = [row + row for row in rows] + [row + tuple(-z for z in row) for row in rows]
    return rows


def ranges() -> Iterator[tuple[int, int]]:
    return ((p, m) for p in PRIMES for m in range(2, p + 1))


def same_remainder(prime: int, labels: int, least: int) -> int:
    """Ordered pairs of numbers below P (different ones, if a is not 0) with one remainder modulo m."""
    pairs = product(range(prime), repeat=2)
    return sum(r % labels == s % labels and not (least and r == s) for r, s in pairs)


def affine() -> bool:
    """Every two keys have every two labels once; by the a = u (r - s) of the statement."""
    for p in PRIMES:
        assert hits(functions(p, p, 0), 2, p) == {1}
        for x, y, r, s in product(range(p), repeat=4):
            if x != y:
                a = pow(x - y, -1, p) * (r - s)
                b = r - a * x
                assert ((a * x + b) % p, (a * y + b) % p, a % p == 0) == (r, s, r == s)
    return True


def universal(least: int) -> Callable[[], bool]:
    def holds() -> bool:
        for p, m in ranges():
            [number] = collisions(functions(p, m, least))
            q, r = divmod(p, m)
            assert number == same_remainder(p, m, least)
            stated = r * (q + 1) * (q + 1 - least) + (m - r) * q * (q - least)
            assert number == stated
            size = p * (p - least)
            excess = Fraction(r * (m - r), m * p**2)
            assert m * number < size if least else Fraction(number, size) == Fraction(1, m) + excess
        return True

    return holds


def always(holds: Callable[[int, int], bool]) -> Callable[[], bool]:
    return lambda: all(holds(p, m) for p, m in ranges())


def labels() -> bool:
    for p, m in ranges():
        rows, (q, r) = functions(p, m, 1), divmod(p, m)
        for x, j in product(range(p), range(m)):
            assert sum(row[x] == j for row in rows) == (p - 1) * (q + (j < r))
    return True


def every() -> bool:
    for keys, m in ((2, 2), (3, 2), (4, 2), (5, 2), (2, 3), (3, 3), (4, 3)):
        rows = list(product(range(m), repeat=keys))
        assert all(hits(rows, k, m) == {m ** (keys - k)} for k in range(1, keys + 1))
    return True


def bits(order: int) -> Rows:
    """The functions that the coordinates are, on all columns but the constant one."""
    return [tuple((1 - z) // 2 for z in row[1:]) for row in doubled(order)]


TRUTH: dict[str, Callable[[], bool]] = {
    "lit.wegmancarter1981.affine": affine,
    "lit.wegmancarter1981.affine.nonzero": lambda: all(len(hits(functions(p, p, 1), 2, p)) == 1 for p in PRIMES),
    "lit.carterwegman1979.universal": universal(1),
    "lit.carterwegman1979.exact": always(lambda p, m: {m * n for n in collisions(functions(p, m, 1))} == {p * (p - 1)}),
    "lit.carterwegman1979.zero": always(lambda p, m: m * max(collisions(functions(p, m, 0))) <= p * p),
    "lit.carterwegman1979.zero.chance": universal(0),
    "lit.carterwegman1979.uniform": always(
        lambda p, m: {m * n for n in hits(functions(p, m, 1), 1, m)} == {p * (p - 1)}
    ),
    "lit.carterwegman1979.labels": labels,
    "lit.wegmancarter1981.modulo": always(lambda p, m: {m * m * n for n in hits(functions(p, m, 0), 2, m)} == {p * p}),
    "lit.wegmancarter1981.all": every,
    "lit.sylvester1867.columns": lambda: all(collisions(doubled(n)) == {n // 2} for n in (2, 4, 8, 16, 32)),
    "lit.sylvester1867.pairwise": lambda: all(hits(bits(n), 2, 2) == {n // 4} for n in (4, 8, 16)),
    "lit.sylvester1867.threewise": lambda: all(8 * n in {4} for n in hits(bits(4), 3, 2)),
}
"""Every row, decided without the project."""


@pytest.mark.parametrize("claim", TRUTH)
def test_plain_counting_agrees_with_the_ledger(claim: str) -> None:
    assert load_ledger()[claim].verdict in (HELD if TRUTH[claim]() else FAILED)


def test_nothing_is_proved_of_all_primes_or_sizes_by_small_ones() -> None:
    """Identities of a proof and an enumeration, with words between them."""
    listed = {i for i, formal in FORMAL.items() if isinstance(formal, Instances)}
    ledger = load_ledger()
    assert {ledger[i].verdict for i in listed} == {"verified"}
    assert {ledger[i.split("@")[0]].verdict for i in listed} == {"verified"}
    assert {i.split("@")[0] for i in FORMAL if "@" in i} == {i.split("@")[0] for i in listed}


def test_every_claim_is_counted() -> None:
    assert {i.split("@")[0] for i in FORMAL} == set(TRUTH)


FAILS: dict[str, tuple[int, str, str]] = {
    "lit.wegmancarter1981.affine.nonzero": (0, "0", "1/4"),
    "lit.carterwegman1979.exact": (0, "0", "1/2"),
    "lit.carterwegman1979.zero": (1, "5/9", "1/2"),
    "lit.carterwegman1979.uniform": (1, "2/3", "1/2"),
    "lit.wegmancarter1981.modulo": (1, "4/9", "1/4"),
    "lit.sylvester1867.threewise": (0, "1/4", "1/8"),
}
"""The first part that fails, in the order of primes and labels, and its two sides."""


@pytest.mark.parametrize("claim", FAILS)
def test_the_smallest_counterexample(claim: str) -> None:
    statement, (index, *sides) = FORMAL[claim], FAILS[claim]
    parts = statement.parts if isinstance(statement, All) else (statement,)
    found = [part.relations[0] for part in parts if isinstance(part, Formula)]
    assert [str(fmpq(side.evaluate({}))) for side in found[index][1:]] == sides
    for op, left, right in found[:index]:
        assert op in ("eq", "le")
        assert left.evaluate({}) == right.evaluate({})
    assert f"{found[index][2].latex()}$ fails" in decide(statement, claim).evidence.scope


@pytest.mark.parametrize(("prime", "number"), [(p, m) for p in LISTED for m in range(2, p + 1)])
def test_the_statements_are_about_the_families_of_the_programs(prime: int, number: int) -> None:
    items = tuple(range(prime))
    for zero in (False, True):
        family = CarterWegman(items, prime, number, zero)
        [shared] = collisions(functions(prime, number, 0 if zero else 1))
        assert same_collision_probability(family) == fmpq(shared, prime * (prime - (not zero)))
        assert is_uniform(family) == (number == prime)
    if prime <= 5:
        assert independence(AffineLabels(items, prime)) == 2


def test_all_functions_and_columns_of_the_programs() -> None:
    assert independence(AllFunctions((0, 1, 2), 3)) == 3
    assert doubled(16) == [tuple(hadamard_entry(i, j) for j in range(16)) for i in range(16)]


def changed(of: Term, old: Term, new: Term) -> Term:
    """The term with another one in every place of a part."""
    return new if of == old else Term(of.head, tuple(changed(part, old, new) for part in of.arguments))


def swapped(claim: str, part: int, old: Term | int, new: Term | int, op: Literal["eq", "le", "lt"] = "eq") -> Formula:
    """A part of a claim, its first relation changed."""
    formal = FORMAL[claim]
    formula = formal.parts[part] if isinstance(formal, All) else formal
    assert isinstance(formula, Formula)
    _, left, right = formula.relations[0]
    relation = (op, changed(left, term(old), term(new)), right)
    assert relation != formula.relations[0]
    return Formula(Domain({}), (relation,))


@pytest.mark.parametrize(
    "wrong",
    [
        swapped("lit.wegmancarter1981.affine@small", 1, 3, 4),  # 4 is no prime
        swapped("lit.wegmancarter1981.affine@small", 0, 2, 1),
        swapped("lit.wegmancarter1981.all@small", 1, 7, 6),  # a function is missing
        swapped("lit.sylvester1867.columns@small", 2, 4, 3),
        swapped("lit.sylvester1867.columns@small", 0, 0, 0, "lt"),
    ],
)
def test_a_wrong_statement_is_not_proved(wrong: Formula) -> None:
    assert decide(wrong).verdict == "refuted"


@pytest.mark.parametrize("index", [0, 1, 2])
def test_a_wrong_count_is_not_proved(index: int) -> None:
    """One pair more than there are."""
    formal = FORMAL["lit.carterwegman1979.universal@count"]
    assert isinstance(formal, Formula)
    op, left, right = formal.relations[index]
    relations = list(formal.relations)
    relations[index] = (op, left + 1 if op == "eq" else left + formal.relations[1][2], right)
    assert decide(Formula(formal.domain, tuple(relations)), "lit.carterwegman1979.universal@count").verdict == "refuted"
