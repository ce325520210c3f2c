"""Plausible bugs, as programs: each gives a negative vector that names the bug it catches.

A buggy randomizer has the signature (item, d, e, coins), with e = e^epsilon; a buggy estimator (reports, d, e). All
numbers are exact rationals. Subset selection has k = 2, local hashing g = 2 and the hash function `HASH`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from dp_refimpl.coins import Coins, bernoulli, uniform, uniform_subset

ONE = fmpq(1)
K = 2
HASH = (0, 1, 1, 0)
Randomizer = Callable[[int, int, fmpq, Coins], Any]
Estimator = Callable[[Sequence[Any], int, fmpq], tuple[fmpq, ...]]


@dataclass(frozen=True)
class Bug:
    """A bug in the randomizer or in the estimator of a mechanism. `flags` are the kinds of mistake it belongs to."""

    name: str
    mechanism: str
    says: str
    flags: tuple[str, ...]
    randomize: Randomizer | None = None
    estimate: Estimator | None = None


FLAGS = {
    "budget": "another budget than the nominal one is spent",
    "denominator": "a normalizing constant is off",
    "off-by-one": "an index or a range is off by one",
    "correlation": "draws that must be independent are not",
    "leak": "something is not randomized at all",
    "permutation": "right numbers at wrong places",
    "modulo-bias": "a uniform integer is made by a remainder",
    "post-processing": "estimates are changed in a way that biases them",
    "sensitivity": "a number that bounds what one record changes is another one",
    "sampling": "something is drawn with or without replacement, or from the wrong set",
}
"""The kinds of mistake, in words."""


def _keep(d: int, e: fmpq) -> fmpq:
    return e / (e + d - 1)


def _other(item: int, d: int, coins: Coins) -> int:
    return uniform(coins, [x for x in range(d) if x != item], ONE)


def _grr(item: int, d: int, p: fmpq, coins: Coins) -> int:
    return item if bernoulli(coins, p) else _other(item, d, coins)


def _lie_may_be_true(item: int, d: int, e: fmpq, coins: Coins) -> int:
    return item if bernoulli(coins, _keep(d, e)) else uniform(coins, range(d), ONE)


def _never_last(item: int, d: int, e: fmpq, coins: Coins) -> int:
    if bernoulli(coins, _keep(d, e)):
        return item
    return uniform(coins, [x for x in range(d - 1) if x != item] or [0], ONE)


def _remainder(item: int, d: int, e: fmpq, coins: Coins) -> int:
    if bernoulli(coins, _keep(d, e)):
        return item
    lie = uniform(coins, range(16), ONE) % (d - 1)
    return lie + (lie >= item)


def _bits(item: int, d: int, p: fmpq, q: fmpq, coins: Coins) -> tuple[int, ...]:
    return tuple(int(bernoulli(coins, p if x == item else q)) for x in range(d))


def _root(e: fmpq) -> fmpq:
    """Return the exact square root; the vectors use squares."""
    top, bottom = e.p.isqrt(), e.q.isqrt()
    assert top * top == e.p
    assert bottom * bottom == e.q
    return fmpq(top, bottom)


def _symmetric(e: fmpq) -> tuple[fmpq, fmpq]:
    root = _root(e)
    return root / (root + 1), 1 / (root + 1)


def _shared_coin(item: int, d: int, e: fmpq, coins: Coins) -> tuple[int, ...]:
    p, q = _symmetric(e)
    level = coins.choose((q, p - q, 1 - p))  # one uniform draw for all bits: below q, between q and p, above p
    return tuple(int(level < (2 if x == item else 1)) for x in range(d))


def _last_bit_plain(item: int, d: int, e: fmpq, coins: Coins) -> tuple[int, ...]:
    return (*_bits(item, d, *_symmetric(e), coins)[:-1], int(item == d - 1))


def _affine(counts: Sequence[int], n: int, p: fmpq, q: fmpq) -> tuple[fmpq, ...]:
    return tuple((fmpq(count, n) - q) / (p - q) for count in counts)


def _counts(reports: Sequence[int], d: int) -> list[int]:
    return [list(reports).count(x) for x in range(d)]


def _grr_estimate(reports: Sequence[int], d: int, e: fmpq, q: fmpq) -> tuple[fmpq, ...]:
    return _affine(_counts(reports, d), len(reports), _keep(d, e), q)


def _clipped(reports: Sequence[int], d: int, e: fmpq) -> tuple[fmpq, ...]:
    raw = _grr_estimate(reports, d, e, 1 / (e + d - 1))
    return tuple(x if x.p > 0 else fmpq(0) for x in raw)


def _bit_sums(reports: Sequence[tuple[int, ...]]) -> list[int]:
    return [sum(column) for column in zip(*reports, strict=True)]


def _subset(item: int, d: int, chance: fmpq, coins: Coins) -> frozenset[int]:
    """Return the item with this chance, and others to make k."""
    others = [x for x in range(d) if x != item]
    if bernoulli(coins, chance):
        return frozenset((item, *uniform_subset(coins, others, K - 1, ONE)))
    return frozenset(uniform_subset(coins, others, K, ONE))


def _cell(item: int, e: fmpq, coins: Coins) -> int:
    """Return the cell of the item by GRR on two cells, the lie drawn from both."""
    return HASH[item] if bernoulli(coins, e / (e + 1)) else uniform(coins, (0, 1), ONE)


def _supports(reports: Sequence[int], d: int) -> list[int]:
    return [sum(HASH[x] == cell for cell in reports) for x in range(d)]


def _coefficient(item: int, d: int, e: fmpq, rows: Sequence[int], coins: Coins) -> tuple[int, int]:
    """Return one coefficient of the item's row of the Hadamard matrix among `rows`, its sign kept with e / (e + 1)."""
    row = uniform(coins, rows, ONE)
    sign = -1 if (row & item).bit_count() % 2 else 1
    return row, sign if bernoulli(coins, e / (e + 1)) else -sign


BUGS = (
    Bug(
        "lie-may-be-true",
        "GRR",
        "the lie is drawn from all items instead of the others",
        ("sampling",),
        _lie_may_be_true,
    ),
    Bug(
        "denominator-d",
        "GRR",
        "the truth has probability e^eps / (e^eps + d) instead of e^eps / (e^eps + d - 1)",
        ("denominator",),
        lambda x, d, e, coins: _grr(x, d, e / (e + d), coins),
    ),
    Bug("lie-is-never-last", "GRR", "the last item is never drawn as a lie", ("off-by-one",), _never_last),
    Bug(
        "budget-doubled",
        "GRR",
        "the client spends 2 eps",
        ("budget",),
        lambda x, d, e, coins: _grr(x, d, _keep(d, e * e), coins),
    ),
    Bug(
        "budget-halved",
        "GRR",
        "the client spends eps / 2: private, and needlessly noisy",
        ("budget",),
        lambda x, d, e, coins: _grr(x, d, _keep(d, _root(e)), coins),
    ),
    Bug("lie-by-remainder", "GRR", "the lie is four random bits modulo d - 1", ("modulo-bias",), _remainder),
    Bug("truth", "GRR", "the item itself is sent", ("leak",), lambda x, d, e, coins: x),
    Bug(
        "budget-per-bit",
        "SUE",
        "every bit is perturbed with the whole budget; a pair of inputs differs in two bits",
        ("budget",),
        lambda x, d, e, coins: _bits(x, d, e / (e + 1), 1 / (e + 1), coins),
    ),
    Bug("shared-coin", "SUE", "all bits share one random draw", ("correlation",), _shared_coin),
    Bug("last-bit-plain", "SUE", "the last bit is not perturbed", ("off-by-one", "leak"), _last_bit_plain),
    Bug(
        "bits-reversed",
        "SUE",
        "bits are reported in reverse order",
        ("permutation",),
        lambda x, d, e, coins: _bits(x, d, *_symmetric(e), coins)[::-1],
    ),
    Bug(
        "p-and-q-swapped",
        "OUE",
        "the 1 is perturbed like a 0 and the 0 like a 1",
        ("permutation",),
        lambda x, d, e, coins: _bits(x, d, 1 / (e + 1), fmpq(1, 2), coins),
    ),
    Bug(
        "symmetric-instead",
        "OUE",
        "bits are perturbed as in symmetric unary encoding",
        ("budget",),
        lambda x, d, e, coins: _bits(x, d, *_symmetric(e), coins),
    ),
    Bug(
        "estimator-lies-among-d",
        "GRR",
        "the server takes q = (1 - p) / d",
        ("denominator",),
        estimate=lambda reports, d, e: _grr_estimate(reports, d, e, (1 - _keep(d, e)) / d),
    ),
    Bug(
        "estimator-clips",
        "GRR",
        "negative estimates are set to 0",
        ("post-processing",),
        estimate=_clipped,
    ),
    Bug(
        "estimator-divides-once-more",
        "GRR",
        "frequencies are divided by the number of users again",
        ("denominator",),
        estimate=lambda reports, d, e: tuple(x / len(reports) for x in _grr_estimate(reports, d, e, 1 / (e + d - 1))),
    ),
    Bug(
        "estimator-of-another-encoding",
        "OUE",
        "the server inverts the symmetric encoding",
        ("budget",),
        estimate=lambda reports, d, e: _affine(_bit_sums(reports), len(reports), *_symmetric(e)),
    ),
    Bug(
        "denominator-d-minus-k-plus-1",
        "SS",
        "the item is kept with k e^eps / (k e^eps + d - k + 1)",
        ("denominator", "off-by-one"),
        lambda x, d, e, coins: _subset(x, d, K * e / (K * e + d - K + 1), coins),
    ),
    Bug(
        "item-by-weight-of-one",
        "SS",
        "the item is kept with e^eps / (e^eps + d - k) instead of k e^eps / (k e^eps + d - k)",
        ("denominator",),
        lambda x, d, e, coins: _subset(x, d, e / (e + d - K), coins),
    ),
    Bug(
        "lie-may-be-true",
        "LH",
        "the lie is drawn from all cells instead of the others",
        ("sampling",),
        lambda x, d, e, coins: _cell(x, e, coins),
    ),
    Bug(
        "estimator-forgets-collisions",
        "LH",
        "the server takes q = 1 / (e^eps + g - 1) instead of 1 / g",
        ("denominator",),
        estimate=lambda reports, d, e: _affine(_supports(reports, d), len(reports), e / (e + 1), 1 / (e + 1)),
    ),
    Bug(
        "first-coefficient-is-never-drawn",
        "HM",
        "the coefficient is drawn from 1 .. D-1",
        ("off-by-one",),
        lambda x, d, e, coins: _coefficient(x, d, e, range(1, d), coins),
    ),
    Bug(
        "sign-by-half-the-budget",
        "HM",
        "the sign is kept with e^(eps/2) / (e^(eps/2) + 1)",
        ("budget",),
        lambda x, d, e, coins: _coefficient(x, d, _root(e), range(d), coins),
    ),
)
