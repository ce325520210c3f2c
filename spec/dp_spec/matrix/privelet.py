"""Formulas of source 001: the covariances of Privelet, their sum over all ranges, and Algorithm 3."""

from typing import Literal

from dp_spec.vocabulary.term import Term, floor, minimum, summed, term, var

H, K, L, R, S, T = (var(name) for name in ("h", "k", "first", "last", "s", "t"))
EPS = var("eps")
Pairs = Literal["double", "single"]


def two(exponent: Term | int) -> Term:
    """2 to a power."""
    return term(2) ** exponent


N = two(H)
SCALE = (H + 1) / EPS
"""Delta / epsilon of Algorithm 1."""


def diagonal(h: Term = H) -> Term:
    """(6), i = j."""
    return 1 / two(h) ** 2 + summed("t", 1, h, 1 / two(T) ** 2)


def off_diagonal(k: Term = K, h: Term = H) -> Term:
    """(6), i and j with lowest common ancestor at height k."""
    return 1 / two(h) ** 2 + summed("t", k + 1, h, 1 / two(T) ** 2) - 1 / two(k) ** 2


def diagonal_closed(h: Term = H) -> Term:
    """(7), i = j."""
    return term(1) / 3 + term(2) / 3 / two(h) ** 2


def phi(k: Term = K, h: Term = H) -> Term:
    """(7), (8): the covariance coefficient for lowest common ancestors at height k."""
    return term(2) / 3 * (1 / two(h) ** 2 - 1 / two(k) ** 2)


def phi_in_ranges(block: Term, n: Term) -> Term:
    """(13): what pairs with lowest common ancestor at height k add to the sum over all ranges; block = 2^k, n = 2^h."""
    of = 7 * block**2 - 12 * n * block - 12 * block + 8 * n**2 + 24 * n + 12
    return -((n**2 - block**2) * of) / (144 * n * block)


def diagonal_in_ranges(n: Term) -> Term:
    """(14)."""
    return (n + 1) * (n + 2) * (n**2 + 2) / (18 * n)


def in_ranges(h: Term = H) -> Term:
    """(15): the sum of I^T Sigma I over all ranges."""
    n = two(h)
    return (6 * h * n**3 + 6 * h * n**2 + n**3 + 37 * n**2 + 26 * n + 8) / (72 * n)


def average(h: Term = H) -> Term:
    """(16): the average coefficient over all ranges."""
    n = two(h)
    return h / 6 + term(1) / 36 + 1 / (2 * n) + 1 / (2 * (n + 1)) + 2 / (9 * n**2)


def approximate(h: Term = H) -> Term:
    """(17)."""
    return (6 * h + 1) / 36


def ranges(n: Term) -> Term:
    """How many ranges there are."""
    return n * (n + 1) / 2


def largest(a: Term | int, b: Term | int) -> Term:
    """The larger one of two numbers."""
    return term(a) + b - minimum(a, b)


def covered(k: int, clamped: bool) -> Term:
    """(10): how many nodes of height k lie inside [l, r], by the printed formula."""
    nodes = floor(R / two(k)) + floor((1 - L) / two(k))
    return largest(0, nodes) if clamped else nodes


def common_leaves(first: Term, last: Term) -> Term:
    """How many leaves of [l, r] are among first..last."""
    return largest(0, minimum(R, last) - largest(L, first) + 1)


def algorithm3(h: int, pairs: Pairs) -> Term:
    """Algorithm 3 at one height, with l and r as variables: S_k clamped at 0, every border node once."""
    times = 2 if pairs == "double" else 1
    total: Term = (R - L + 1) * diagonal_closed(term(h))
    for k in range(1, h + 1):
        half, count = 2 ** (k - 1), covered(k, True) * 4 ** (k - 1)
        for node in range(2 ** (h - k)):
            first = node * 2 * half + 1
            p, q = (
                common_leaves(term(first), term(first + half - 1)),
                common_leaves(term(first + half), term(first + 2 * half - 1)),
            )
            inside = minimum(1, floor(common_leaves(term(first), term(first + 2 * half - 1)) / (2 * half)))
            count = count + (1 - inside) * p * q
        total = total + times * count * phi(term(k), term(h))
    return total


def quadratic_form(h: int) -> Term:
    """I^T B B^T I of [l, r] from the restoration matrix (4): the squares of what every coefficient adds, summed."""
    total: Term = (common_leaves(term(1), term(2**h)) / 2**h) ** 2
    for t in range(1, h + 1):
        half = 2 ** (t - 1)
        for node in range(2 ** (h - t)):
            first = node * 2 * half + 1
            left = common_leaves(term(first), term(first + half - 1))
            right = common_leaves(term(first + half), term(first + 2 * half - 1))
            total = total + ((left - right) / 2**t) ** 2
    return total
