"""The private count-mean sketch, as source 004 and its reference [1] state it. b stands for m, the number of columns.

The k functions are public, one is drawn per report: a family with k members. `fixed_mean` and `fixed_variance` are
those of f'(d) / n given the functions, of which a share kappa(d, d') maps both items to one column; `drawn_variance`
averages over how they were drawn.
"""

from collections.abc import Sequence

from dp_spec.frequency.collisions import Records, Shared, kappa_variance, summed, users
from dp_spec.vocabulary.law import (
    KAPPA1,
    KAPPA2,
    SEPARATING,
    SQUARED,
    USERS,
    Estimator,
    F,
    Law,
    M,
    bits,
    each,
    mix,
    thinned,
)
from dp_spec.vocabulary.scalar import S
from dp_spec.vocabulary.term import Term, term, var

T, B = var("t"), var("b")
"""e^(epsilon/2), and the number of columns."""


def constant(t: Term) -> Term:
    """A_server-CMS, step 2: c_epsilon, which makes a sign unbiased."""
    return (t + 1) / (t - 1)


C = constant(T)


def flipped(t: Term) -> Term:
    """A_client-CMS, step 4: the probability that a sign changes."""
    return 1 / (t + 1)


_BITS = bits(1 - flipped(T), flipped(T))
_ANY = mix("rows", B, _BITS)
"""A row is drawn; the item's column has a 1, others 0 (-1 in the source); every bit is flipped with 1/(t+1)."""


def _client(least: int = 2, **families: Term) -> Law:
    return Law("count_sketch-cms", "t", term(2), _ANY, families=families, integers={"b": least})


CLIENT, FIXED = _client(1), _client()
"""A_client-CMS with any public functions: nothing is assumed of them."""
CMS = _client(rows=1 / B)
"""With functions of which any two items share a column with chance 1/b."""
SEPARATED = _client(rows=SEPARATING)
"""With functions of which one separates two items."""
ALIKE = Law("count_sketch-cms", "t", term(2), mix("rows", term(1), _BITS))
"""With one column: no function separates any."""
RECORDS = Law("count_sketch-records", "t", 2 * M, each("held", _ANY), integers={"b": 1})
"""Every one of m records reported. As nothing is assumed of the functions, an item may be a pair (place, word): sets of
m items then hold all sequences of m words."""
RHO = var("rho")
UPLOADED = Law("count_sketch-uploaded", "t", term(2), thinned(RHO, _ANY), ("rho",), {"rows": 1 / B}, {"b": 2})
"""A record is uploaded with chance rho."""
UPLOADED_ANY = Law("count_sketch-uploaded", "t", term(2), thinned(RHO, _ANY), ("rho",), integers={"b": 1})

DECODED = Estimator(1 / C, (C - 1) / (2 * C))
"""A_server-CMS, step 3 without k: c/2 u + 1/2 for the sign u = 2 F - 1, as a function of the bit F; averaged over the
reports, f'(d) / n without the term for collisions."""


def estimator(kappa: Term) -> Estimator:
    """(c/2 u + 1/2 - kappa) / (1 - kappa) averaged over the reports, u = 2 F_x - 1 the signs in the item's cells."""
    return Estimator((1 - kappa) / C, (1 - 1 / C) / 2 + kappa / C)


ESTIMATOR = estimator(1 / B)
"""f'(d) / n, the source's: kappa = 1/m."""
MEAN = F + (B * KAPPA1 - (1 - F)) / (B - 1)
"""E f'(d) / n for fixed functions."""
FIXED_VARIANCE = (B / (B - 1)) ** 2 * ((C**2 - 1) / 4 + KAPPA1 - KAPPA2) / USERS
"""Var f'(d) / n^2 for fixed functions."""
VARIANCE = (B / (B - 1)) ** 2 * ((C**2 - 1) / 4 + (1 - F) * (1 / B) * (1 - 1 / B)) / USERS
"""The same where every record draws functions of which any two items share a column with 1/b."""
ROWS = var("k")
DRAWN_VARIANCE = (B / (B - 1)) ** 2 * (C**2 - 1) / (4 * USERS) + ((1 - F) * (1 - 1 / ROWS) / USERS + SQUARED / ROWS) / (
    B - 1
)
"""The same where all records share k independent functions, values at any three items independent and uniform."""


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
