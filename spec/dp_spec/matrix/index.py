"""Average errors of range queries, and the accuracy index (source 001, Section 4): trees and Boost beside Privelet."""

from dp_spec.matrix.privelet import H, T, average, ranges, two
from dp_spec.vocabulary.term import Term, log, summed, term, var

B = var("b")


def inside(block: Term, n: Term) -> Term:
    """How many pairs there are of a range and a node in it, of the nodes with `block` leaves: the x-th has
    (x block + 1) (n - (x + 1) block + 1) such ranges."""
    return n * (n - block) * (n - 2 * block) / (6 * block) + n * (n + 1 - block) / block


def naive_average(top: Term, h: Term = H) -> Term:
    """The average number of nodes of heights up to `top` that a range is put together from, b = 2: the counts in it,
    less one for every node above in it, whose two children it replaces."""
    n = two(h)
    total = n * (n + 1) * (n + 2) / 6 - summed("t", 1, top, inside(two(T), n))
    return total / ranges(n)


def identity_average(h: Term = H) -> Term:
    """The average length of a range."""
    return (two(h) + 2) / 3


def with_delta(sensitivity: Term, of: Term) -> Term:
    """Normalization `with-delta`: Delta^2 times the average coefficient."""
    return sensitivity**2 * of


PRIVELET_ERROR = with_delta(H + 1, average())
NAIVE_ERROR = with_delta(H + 1, naive_average(H))
NAIVE_NOROOT_ERROR = with_delta(H, naive_average(H - 1))
IDENTITY_ERROR = identity_average()


def index_of(error: Term) -> Term:
    """What tends to the index (19) of a binary strategy."""
    return H**3 / error


def bary_slope(b: Term = B) -> Term:
    """lim h^3 / err of Boost with b children."""
    return 3 * b / (b - 1) ** 2


def bary_index(b: Term = B) -> Term:
    """(19) of Boost with b children, N = b^h: (h log2 b)^3 / err."""
    return bary_slope(b) * (log(b) / log(term(2))) ** 3
