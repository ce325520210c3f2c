"""Whole workloads at once: the errors of all ranges, all prefixes or all counts, added up in closed forms, exact.

Of a tree over `size` leaves only the leaves 1..used have data (the others are padding), and queries lie within them.
"""

from collections.abc import Sequence
from enum import Enum

from flint import fmpq

from dp_refimpl.matrix.parameters import require_kind, tree_height
from dp_refimpl.matrix.tree import Tree
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError


class Workload(Enum):
    """All N (N + 1) / 2 ranges, the sums of the first 1..N counts, or every count by itself."""

    RANGES = "ranges"
    PREFIX = "prefix"
    IDENTITY = "identity"


def queries(workload: Workload, used: int) -> int:
    """How many queries there are on counts 1..used. Raises `DomainError` unless used >= 1."""
    require_kind("workload", workload, Workload)
    require_integer("used", used, 1)
    return used * (used + 1) // 2 if workload is Workload.RANGES else used


def block_squares(workload: Workload, used: int, width: int) -> int:
    """Sum over the queries and over the blocks of `width` leaves of (leaves of the query in the block)^2.

    The last block may be cut off. For ranges and n = used, a multiple of B = width, this is
    n (B^3 - 2 (n + 1) B^2 + (2 n^2 + 6 n + 3) B + 2 n + 2) / 12. Raises `DomainError` unless used and width are >= 1.
    """
    queries(workload, used)
    full, rest = divmod(used, require_integer("width", width, 1))
    if workload is Workload.IDENTITY:
        return used
    if workload is Workload.PREFIX:
        whole = width**3 * full * (full - 1) // 2 + full * _squares(width)
        return whole + rest * full * width**2 + _squares(rest)
    starts, squares = width * full * (full - 1) // 2, width**2 * _squares(full - 1)
    pairs = _pairs(width, used, full, starts, squares)
    return pairs + _pairs(rest, used, 1, full * width, (full * width) ** 2)


def energy_totals(workload: Workload, used: int, size: int, branching: int = 2) -> list[fmpq]:
    """`ranges.energies` added up over the queries: of the mean, then of the nodes of heights 1..h.

    Raises `DomainError` for a size that is no power of `branching`, and unless 1 <= used <= size.
    """
    height = tree_height(size, branching)
    if require_integer("used", used, 1) > size:
        raise DomainError("used", used, f"an integer in 1..{size}")
    means = [fmpq(block_squares(workload, used, branching**t), branching**t) for t in range(height + 1)]
    return [means[height], *(means[t - 1] - means[t] for t in range(1, height + 1))]


def vector_energies(query: Sequence[fmpq], size: int, branching: int = 2) -> list[fmpq]:
    """Squared lengths of the parts of one query, with a factor for each leaf 1..len(query), in the same order."""
    height = tree_height(size, branching)
    if not 1 <= len(query) <= size:
        raise DomainError("query", f"{len(query)} factors", f"1..{size} factors")
    sums, means = list(query), [sum((x * x for x in query), fmpq(0))]
    for t in range(1, height + 1):
        sums = [sum(sums[i : i + branching], fmpq(0)) for i in range(0, len(sums), branching)]
        means.append(sum((x * x for x in sums), fmpq(0)) / branching**t)
    return [means[height], *(means[t - 1] - means[t] for t in range(1, height + 1))]


def cover_total(workload: Workload, used: int, tree: Tree) -> int:
    """Sum over the queries of the number of nodes in `Tree.cover`.

    A node is used for the ranges that contain it but not its parent; a parent that is contained has b such children.
    Raises `DomainError` unless 1 <= used <= the tree's size.
    """
    if require_integer("used", used, 1) > tree.size:
        raise DomainError("used", used, f"an integer in 1..{tree.size}")
    contained = [_containing(workload, used, tree.branching**t) for t in range(tree.height - tree.top + 1)]
    return sum(contained) - tree.branching * sum(contained[1:])


def vector_cover(query: Sequence[fmpq], tree: Tree) -> fmpq:
    """Sum of the squared factors of the largest released nodes on whose leaves a query is constant.

    For a range it is the number of nodes in `Tree.cover`.
    """
    if not 1 <= len(query) <= tree.size:
        raise DomainError("query", f"{len(query)} factors", f"1..{tree.size} factors")
    level: list[fmpq | None] = [*query, *[fmpq(0)] * (tree.size - len(query))]
    total = sum((x * x for x in query), fmpq(0))
    for _ in range(tree.height - tree.top):
        families = [level[i : i + tree.branching] for i in range(0, len(level), tree.branching)]
        level = [family[0] if all(x == family[0] for x in family) else None for family in families]
        total -= (tree.branching - 1) * sum((x * x for x in level if x is not None), fmpq(0))
    return total


def _squares(n: int) -> int:
    """1 + 4 + ... + n^2; 0 for n < 1."""
    return n * (n + 1) * (2 * n + 1) // 6 if n > 0 else 0


def _pairs(width: int, used: int, blocks: int, starts: int, squares: int) -> int:
    """Sum over ordered pairs i, j of one block of min(i, j) (n + 1 - max(i, j)), n = used: the ranges with both.

    For blocks that begin behind a leaves, with the sums of a and of a^2 over the blocks.
    """
    low, high = _squares(width), width * (width + 1) * (4 * width - 1) // 6
    both, n = (width * (width + 1) // 2) ** 2, used + 1
    by_start = width**2 * (n * starts - squares) - starts * (low + high)
    return by_start + blocks * (n * low - both)


def _containing(workload: Workload, used: int, width: int) -> int:
    """Sum over the full blocks of how many queries contain them; j blocks before and k behind: (j B + 1) (.. + 1)."""
    full, rest = divmod(used, width)
    if workload is Workload.IDENTITY:
        return used if width == 1 else 0
    behind = width * full * (full - 1) // 2 + full * (rest + 1)
    if workload is Workload.PREFIX:
        return behind
    before = width * full * (full - 1) // 2
    products = full * (full - 1) * (full - 2) // 6
    return behind + width**2 * products + before * (rest + 1)
