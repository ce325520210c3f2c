"""What the literature states of hash families, decided again by counting with plain integers, further than the kernel
does."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product

import pytest

from dp_checks.ledger import FAILED, HELD, load_ledger
from dp_spec.frequency.claims.hash_families import FORMAL
from dp_spec.vocabulary.statement import Instances

PRIMES = (2, 3, 5, 7, 11)
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
    images = set()
    for keys in combinations(range(len(rows[0])), k):
        counts = dict.fromkeys(product(range(labels), repeat=k), 0)
        for row in rows:
            counts[tuple(row[x] for x in keys)] += 1
        images |= set(counts.values())
    return images


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
