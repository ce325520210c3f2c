"""Algorithm 3 of source 001: the coefficient of a fixed range for Privelet, in O(h) operations, with its readings."""

from dataclasses import dataclass
from enum import Enum

from flint import fmpq

from dp_refimpl.matrix.parameters import require_kind, require_range
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError


class Pairs(Enum):
    """What a pair of leaves {i, j} contributes with common ancestor height k: 2 Phi_k, or Phi_k."""

    DOUBLE = "double"
    SINGLE = "single"


class Covered(Enum):
    """S_k: floor(r / 2^k) - ceil((l - 1) / 2^k), as it is or not below 0."""

    FLOOR = "floor"
    FLOOR_CLAMP = "floorclamp"


class Border(Enum):
    """Border nodes of a height: the set of nodes, or one for l and one for r, even if that is one node twice."""

    DISTINCT = "distinct"
    ENDS = "ends"


@dataclass(frozen=True)
class Reading:
    """How Algorithm 3 is read; the default computes I^T Sigma I. Raises `DomainError` for what is no reading."""

    pairs: Pairs = Pairs.DOUBLE
    covered: Covered = Covered.FLOOR_CLAMP
    border: Border = Border.DISTINCT

    def __post_init__(self) -> None:
        require_kind("pairs", self.pairs, Pairs)
        require_kind("covered", self.covered, Covered)
        require_kind("border", self.border, Border)


DEFAULT = Reading()


def phi(h: int, k: int) -> fmpq:
    """Phi_k = 2/3 (4^-h - 4^-k): the covariance coefficient of leaves whose lowest common ancestor has height k (8).

    Raises `DomainError` unless 1 <= k <= h.
    """
    if require_integer("k", k, 1) > require_integer("h", h, 0):
        raise DomainError("k", k, f"an integer in 1..{h}")
    return fmpq(2, 3) * (fmpq(1, 4**h) - fmpq(1, 4**k))


def covered_nodes(k: int, first: int, last: int, covered: Covered = Covered.FLOOR_CLAMP) -> int:
    """S_k, the number of nodes of height k inside first..last (10)."""
    width = 1 << k
    nodes = last // width - -(-(first - 1) // width)
    return nodes if covered is Covered.FLOOR else max(0, nodes)


def border_nodes(k: int, first: int, last: int, border: Border = Border.DISTINCT) -> list[range]:
    """The leaves (from 1) of the nodes of height k that contain an end of first..last and are not inside it."""
    starts = [(end - 1) // 2**k * 2**k + 1 for end in (first, last)]
    if border is Border.DISTINCT and starts[0] == starts[1]:
        starts = starts[:1]
    nodes = [range(start, start + 2**k) for start in starts]
    return [node for node in nodes if not (first <= node[0] and node[-1] <= last)]


def border_pairs(node: range, first: int, last: int) -> int:
    """|P| |R|: how many pairs of leaves of the range have the node as lowest common ancestor."""
    start, end = node[0], node[-1]
    middle = start + (end - start + 1) // 2 - 1
    left = max(0, min(last, middle) - max(first, start) + 1)
    right = max(0, min(last, end) - max(first, middle + 1) + 1)
    return left * right


def algorithm3(h: int, first: int, last: int, reading: Reading = DEFAULT) -> fmpq:
    """R_err of the range first..last of 2^h leaves. Raises `DomainError` unless h >= 0, and for no range."""
    length = require_range(first, last, 2 ** require_integer("h", h, 0))
    if not isinstance(reading, Reading):
        raise DomainError("reading", reading, "a Reading")
    each = 2 if reading.pairs is Pairs.DOUBLE else 1
    error: fmpq = length * (fmpq(1, 3) + fmpq(2, 3) / 4**h)
    for k in range(1, h + 1):
        pairs = covered_nodes(k, first, last, reading.covered) * 4 ** (k - 1)
        pairs += sum(border_pairs(node, first, last) for node in border_nodes(k, first, last, reading.border))
        error += each * pairs * phi(h, k)
    return error
