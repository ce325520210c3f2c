"""Average errors of range queries, and the accuracy index (source 001, Section 4): trees and Boost beside Privelet."""

from dp_spec.matrix.privelet import H, T, average, ranges, two
from dp_spec.vocabulary.term import Term, log, summed, term, var

B = var("b")


def used(block: Term, n: Term) -> Term:
    """How many pairs there are of a range and a node with `block` leaves, not the root, that it is put together from:
    it is inside and its parent is not.

    Of the y-th pair of siblings (2 y block + 1) block ranges have the left one so, and (n - (2 y + 2) block + 1) block
    the right one; summed over y.
    """
    return n * (n / 2 - block + 1)


def naive_average(root: bool, h: Term = H) -> Term:
    """The average number of nodes that a range is put together from, b = 2; the whole range is the root, or its two
    children if it is not released."""
    n = two(h)
    return (summed("t", 0, h - 1, used(two(T), n)) + (1 if root else 2)) / ranges(n)


def identity_average(h: Term = H) -> Term:
    """The average length of a range."""
    return (two(h) + 2) / 3


def with_delta(sensitivity: Term, of: Term) -> Term:
    """Normalization `with-delta`: Delta^2 times the average coefficient."""
    return sensitivity**2 * of


PRIVELET_ERROR = with_delta(H + 1, average())
NAIVE_ERROR = with_delta(H + 1, naive_average(True))
NAIVE_NOROOT_ERROR = with_delta(H, naive_average(False))
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
