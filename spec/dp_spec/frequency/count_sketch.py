"""The private count-mean sketch, as source 004 and its reference [1] state it. b stands for m, the number of columns.

The k functions are public, one is drawn per report: a family with k members, of which a share kappa(d, d') maps two
items to one column. Moments are functions of numbers of any field, terms among them.
"""

from typing import Any

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
PLAIN = Law("count_sketch-plain", "t", term(2), mix("rows", B, bits(term(1), term(0))), integers={"b": 1})
"""A row of the sketch of the true items (Count-Min, Count-Mean): a record adds 1 to its item's column; no epsilon."""
RECORDS = Law("count_sketch-records", "t", 2 * M, each("held", _ANY), integers={"b": 1})
"""Every one of m records reported. As nothing is assumed of the functions, an item may be a pair (place, word): sets of
m items then hold all sequences of m words."""
RHO = var("rho")
UPLOADED = Law("count_sketch-uploaded", "t", term(2), thinned(RHO, _ANY), ("rho",), {"rows": 1 / B}, {"b": 2})
"""A record is uploaded with chance rho."""
UPLOADED_ANY = Law("count_sketch-uploaded", "t", term(2), thinned(RHO, _ANY), ("rho",), integers={"b": 1})

COUNT = Estimator(term(1), term(0))
"""The counter of an item in the row, by n."""
DECODED = Estimator(1 / C, (C - 1) / (2 * C))
"""A_server-CMS, step 3 without k: c/2 u + 1/2 for the sign u = 2 F - 1, as a function of the bit F; averaged over the
reports, f'(d) / n without the term for collisions."""


def estimator(kappa: Term) -> Estimator:
    """(c/2 u + 1/2 - kappa) / (1 - kappa) averaged over the reports, u = 2 F_x - 1 the signs in the item's cells."""
    return Estimator((1 - kappa) / C, (1 - 1 / C) / 2 + kappa / C)


ESTIMATOR = estimator(1 / B)
"""f'(d) / n, the source's: kappa = 1/m."""


def mean(m: Any, f: Any, kappa1: Any) -> Any:
    """E f'(d) / n for fixed functions to m columns; f is the frequency of d."""
    return f + (m * kappa1 - (1 - f)) / (m - 1)


def variance(c: Any, m: Any, n: Any, kappa1: Any, kappa2: Any) -> Any:
    """Var f'(d) / n^2 for fixed functions: (m/(m-1))^2 [(c^2 - 1)/4 + kappa1 - kappa2] / n (004.supp.var.fixed)."""
    return m**2 * ((c**2 - 1) / 4 + kappa1 - kappa2) / ((m - 1) ** 2 * n)


def shared_variance(c: Any, m: Any, k: Any, n: Any, f: Any, squared: Any) -> Any:
    """The same where all records share k independent functions, values at any three items independent and uniform
    (004.supp.var.random); `squared` is the sum of the squared frequencies of the other items."""
    flips = m**2 * (c**2 - 1) / (4 * (m - 1) ** 2 * n)
    return flips + ((1 - f) * (k - 1) / n + squared) / (k * (m - 1))


ROWS = var("k")
MEAN: Term = mean(B, F, KAPPA1)
FIXED_VARIANCE: Term = variance(C, B, USERS, KAPPA1, KAPPA2)
DRAWN_VARIANCE: Term = shared_variance(C, B, ROWS, USERS, F, SQUARED)
VARIANCE = (B / (B - 1)) ** 2 * ((C**2 - 1) / 4 + (1 - F) * (1 / B) * (1 - 1 / B)) / USERS
"""Where every record draws functions of which any two items share a column with 1/b."""
