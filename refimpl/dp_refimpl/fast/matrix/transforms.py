"""The linear programs on arrays, in O(N): Haar transform and inverse, sums of trees, consistency in two passes.

They run on int64, float64 and object arrays; on objects (`fmpq`) they are exact.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dp_refimpl.matrix.parameters import tree_height
from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError

Values = NDArray[Any]


def haar_forward(values: Values) -> Values:
    """c_0..c_(N-1) of N = 2^h values: the total, and left-minus-right sums of the nodes 1..N-1 (`haar.differences`).

    Integers stay integers. Raises `DomainError` for other sizes, and for values that are no finite numbers or whose
    sums may leave 63 bits.
    """
    sums = require_vector("values", values)
    tree_height(sums.size)
    coefficients = np.empty_like(sums)
    while sums.size > 1:
        left, right = sums[::2], sums[1::2]
        np.subtract(left, right, out=coefficients[sums.size // 2 : sums.size])
        sums = left + right
    coefficients[0] = sums[0]
    return coefficients


def haar_inverse(coefficients: Values) -> Values:
    """The values with these coefficients (`haar.leaves`); integers become floats. Raises as `haar_forward`."""
    numbers = _divisible(require_vector("coefficients", coefficients))
    tree_height(numbers.size)
    level, width = numbers[:1] / numbers.size, numbers.size
    while level.size < numbers.size:
        parts = numbers[level.size : 2 * level.size] / width
        children = np.empty(2 * level.size, numbers.dtype)
        np.add(level, parts, out=children[::2])
        np.subtract(level, parts, out=children[1::2])
        level, width = children, width // 2
    return level


def by_height(coefficients: Values, exponent: int) -> Values:
    """c_0..c_(N-1) times 2^(exponent t), t the height of the node (h for c_0); integers become floats."""
    numbers = _divisible(coefficients).copy()
    height = tree_height(numbers.size)
    for t in range(1, height + 1):
        first = 0 if t == height else 2 ** (height - t)
        part = numbers[first : 2 ** (height - t + 1)]
        numbers[first : 2 ** (height - t + 1)] = (
            part * 2 ** (exponent * t) if exponent > 0 else part / 2 ** (-exponent * t)
        )
    return numbers


def tree_sums(values: Values, branching: int = 2, top: int = 0) -> Values:
    """The sums of all nodes of depths top..h, level by level from the root (`tree.Tree.compress`).

    Raises `DomainError` as `haar_forward`, for N = branching^h.
    """
    level = require_vector("values", values)
    if require_integer("top", top, 0) > tree_height(level.size, branching):
        raise DomainError("top", top, "a depth that the tree has")
    levels, width = [level], int(branching**top)
    while level.size > width:
        level = _families(level, branching)
        levels.append(level)
    return np.concatenate(levels[::-1])


def consistent_leaves(noisy: Values, branching: int = 2, top: int = 0) -> Values:
    """Least-squares leaves from the noisy nodes of depths top..h (`consistency.Boost.estimates`), in two passes.

    Raises `DomainError` for a number of nodes that no tree has, and as `haar_forward`.
    """
    nodes = _divisible(require_vector("noisy", noisy))
    levels: list[Values] = []
    width = require_integer("branching", branching, 2) ** require_integer("top", top, 0)
    end = 0
    while end < nodes.size:
        levels.append(nodes[end : end + width])
        end, width = end + width, width * branching
    if end != nodes.size:
        raise DomainError("noisy", f"{nodes.size} nodes", f"all nodes of a tree with {branching} children each")
    upwards = [levels[-1]]
    for height, level in enumerate(reversed(levels[:-1]), 2):
        own, others, whole = _weights(branching, height)
        upwards.append((level * own + _families(upwards[-1], branching) * others) / whole)
    values = upwards.pop()
    for level in reversed(upwards):
        values = level + np.repeat((values - _families(level, branching)) / branching, branching)
    return values


def _weights(b: int, height: int) -> tuple[int, int, int]:
    """Own value, sum of the children and divisor of the upward pass for a node of a height (leaves have 1)."""
    return b**height - b ** (height - 1), b ** (height - 1) - 1, b**height - 1


def _families(level: Values, branching: int) -> Values:
    """The sums of the children of every parent."""
    return np.add.reduce(level.reshape(-1, branching), axis=1)  # type: ignore[no-any-return]


def require_vector(name: str, values: Values) -> Values:
    """The numbers as int64, float64 or objects. Raises `DomainError` for no vector of numbers that are finite.

    Integers must have sums below 2^62, so that no intermediate result leaves 63 bits.
    """
    if not isinstance(values, np.ndarray) or values.ndim != 1 or values.dtype.kind not in "iufO":
        raise DomainError(name, values, "a vector of numbers")
    if not values.size:
        raise DomainError(name, values, "one or more numbers")
    if values.dtype.kind in "iu":
        most = max(abs(int(values.min())), abs(int(values.max())))
        if most * values.size >= 2**62:
            raise DomainError(name, most, "integers with sums below 2^62")
        return values.astype(np.int64, copy=False)
    if values.dtype.kind == "f":
        if not bool(np.isfinite(values).all()):
            raise DomainError(name, values, "finite numbers")
        return values.astype(np.float64, copy=False)
    return values


def _divisible(values: Values) -> Values:
    return values.astype(np.float64) if values.dtype.kind in "iu" else values
