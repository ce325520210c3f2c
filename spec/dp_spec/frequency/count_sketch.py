"""The private count-mean sketch, as source 004 and its reference [1] state it. b stands for m, the number of columns.

The k functions are public, one is drawn per report: a family with k members. Moments are stated for families of which
any two items share a column with chance 1/b. `fixed_mean` and `fixed_variance` are those of f'(d) / n given the
functions, of which a share kappa(d, d') maps both items to one column; `drawn_variance` averages over how they were
drawn.
"""

from collections.abc import Sequence

from dp_spec.frequency.collisions import Records, Shared, kappa_variance, summed, users
from dp_spec.vocabulary.law import USERS, Estimator, F, Law, bits, mix
from dp_spec.vocabulary.scalar import S
from dp_spec.vocabulary.term import Term, term, var

T, B = var("t"), var("b")
"""e^(epsilon/2), and the number of columns."""
C = (T + 1) / (T - 1)
"""c_epsilon."""


def flipped(t: Term) -> Term:
    """A_client-CMS, step 4: the probability that a sign changes."""
    return 1 / (t + 1)


_BITS = bits(1 - flipped(T), flipped(T))
CMS = Law("count_sketch-cms", "t", term(2), mix("hash", B, _BITS), families={"hash": 1 / B}, integers={"b": 2})
"""Client: a row is drawn; the item's column has a 1, others 0 (-1 in the source); every bit is flipped with 1/(t+1)."""

CLIENT = Law("count_sketch-cms", "t", term(2), mix("rows", B, _BITS), integers={"b": 1})
"""The same with any public functions: nothing is assumed of them."""

DECODED = Estimator(1 / C, (C - 1) / (2 * C))
"""A_server-CMS, step 3 without k: c/2 u + 1/2 for the sign u = 2 F - 1, as a function of the bit F."""

ESTIMATOR = Estimator((B - 1) / (B * C), (1 - 1 / C) / 2 + 1 / (B * C))
"""f'(d) / n: m/(m-1) (c_eps/2 u + 1/2 - 1/m) averaged over the reports, u = 2 F_x - 1 the signs in the item's cells."""

VARIANCE = (B / (B - 1)) ** 2 * ((C**2 - 1) / 4 + (1 - F) * (1 / B) * (1 - 1 / B)) / USERS
"""Var f'(d) / n^2 for functions of which any two items share a column with 1/b."""


def fixed_mean(m: int, records: Records[S], zero: S) -> S:
    """(1/n) sum over the records d' of (m kappa(d, d') - 1) / (m - 1)."""
    return summed([(number, m * kappa - 1) for number, kappa in records], zero) / (users(records) * (m - 1))


def fixed_variance(c: S, m: int, records: Records[S]) -> S:
    """(m/(m-1))^2 [n (c_eps^2 - 1)/4 + sum over the records d' of kappa (1 - kappa)] / n^2."""
    n, shared = users(records), summed([(number, kappa * (1 - kappa)) for number, kappa in records], c * 0)
    return m**2 * (n * (c**2 - 1) / 4 + shared) / ((m - 1) * n) ** 2


def drawn_variance(c: S, m: int, k: int, held: int, others: Sequence[int]) -> S:
    """Of an item with `held` records, over the draw of the k functions and the reports; `others` are those of the other
    items: ((m/(m-1))^2 n (c_eps^2 - 1)/4 + [(n - held) (1 - 1/k) + (1/k) sum of others^2] / (m-1)) / n^2.
    """
    n, squares = held + sum(others), sum(number**2 for number in others)
    spread = kappa_variance(m, k, c * 0 + 1)
    return m**2 * (n * (c**2 - 1) / 4 + spread * ((k - 1) * sum(others) + squares)) / ((m - 1) * n) ** 2


def family_mean(m: int, numbers: Sequence[int], shared: Shared[S]) -> S:
    """Over the draw of functions of any family; `numbers` are the records of all items."""
    return fixed_mean(m, list(zip(numbers, shared.pairs, strict=True)), shared.weight * 0)


def family_variance(c: S, m: int, numbers: Sequence[int], shared: Shared[S]) -> S:
    """Over the reports and the draw of functions of any family: the mean of `fixed_variance`, and the variance of
    `fixed_mean`.
    """
    n = sum(numbers)
    between = summed([(number, shared.pairs[i] - shared.square(i)) for i, number in enumerate(numbers)], c * 0)
    return m**2 * (n * (c**2 - 1) / 4 + between + shared.variance(numbers)) / ((m - 1) * n) ** 2
