"""Plausible faults of the matrix mechanisms, as overrides of a few members."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import fmpq

from dp_refimpl.matrix.base import Mechanism
from dp_refimpl.matrix.consistency import Boost
from dp_refimpl.matrix.haar import Haar, HaarTree, Normalization
from dp_refimpl.matrix.identity import Identity
from dp_refimpl.matrix.mechanism import MatrixMechanism
from dp_refimpl.matrix.parameters import Neighbors, total
from dp_refimpl.matrix.privelet import Privelet
from dp_refimpl.matrix.tree import Node, Tree
from dp_refimpl.matrix.weighted_privelet import WeightedPrivelet
from dp_spec.vocabulary.real import Real
from mutants.mechanisms import Members, values

Pass = Callable[[Any, Any], Any]


def scaled(add: Callable[[Any], Any], replace: Callable[[Any], Any] | None = None) -> Members:
    """Other noise scales; without `replace` twice the other one."""

    def scale(s: Any, neighbors: Neighbors) -> fmpq:
        if neighbors is Neighbors.ADD_REMOVE:
            return fmpq(add(s))
        return fmpq(2 * add(s) if replace is None else replace(s))

    return {"scale": scale}


def compressed(change: Callable[[Any, Any, Any], Any], base: type[Any]) -> Members:
    """Something done to the exact answers: of the mechanism, the data and the right answers."""
    return {"compress": lambda s, data: change(s, data, base.compress(s, data))}


def estimated(change: Callable[[Any, Any, Any], Any], base: type[Any]) -> Members:
    """Something done to the estimates: of the mechanism, the noisy answers and the right estimates."""
    return {"estimates": lambda s, noisy: change(s, noisy, base.estimates(s, noisy))}


def restored_from(change: Callable[[Any, Any], Any], base: type[Any]) -> Members:
    """Estimates from changed answers."""
    return {"estimates": lambda s, noisy: base.estimates(s, change(s, list(noisy)))}


def swapped(values_: list[Any]) -> list[Any]:
    """All coefficients but the total with the other sign."""
    return [values_[0], *(value * -1 for value in values_[1:])]


def stretched(values_: list[Any], numerator: int, denominator: int) -> list[Any]:
    """All coefficients but the total with another weight."""
    return [values_[0], *(value * numerator / denominator for value in values_[1:])]


IDENTITY: dict[str, Members] = {
    "scale 2 for one person": scaled(lambda s: 2, lambda s: 2 if s.size > 1 else 0),
    "replacing counts as one change": scaled(lambda s: 1, lambda s: 1 if s.size > 1 else 0),
    "the scale is the number of counts": scaled(lambda s: s.size),
    "estimates reversed": estimated(lambda s, y, v: v[::-1], Identity),
    "counts doubled": compressed(lambda s, x, c: [a + a for a in c], Identity),
    "the errors of a range are fully correlated": {"range_coefficient": lambda s, lo, hi: fmpq((hi - lo + 1) ** 2)},
    "the last leaf is not in the range": {"range_coefficient": lambda s, lo, hi: fmpq(hi - lo)},
}

TREE: dict[str, Members] = {
    "the root is forgotten in the scale": scaled(lambda s: s.height, lambda s: 2 * s.height),
    "one level too many in the scale": scaled(lambda s: s.height + 2 - s.top, lambda s: 2 * s.height),
    "replacing changes the total": scaled(lambda s: s.height + 1 - s.top),
    "replacing counts as one change": scaled(lambda s: s.height + 1 - s.top, lambda s: s.height + 1 - s.top),
    "leaves first": compressed(lambda s, x, c: [v for level in s.levels(c)[::-1] for v in level], Tree),
    "nodes from right to left": compressed(lambda s, x, c: [v for level in s.levels(c) for v in level[::-1]], Tree),
    "averages instead of sums": compressed(
        lambda s, x, c: [v / len(s.levels(c)[-1]) * len(level) for level in s.levels(c) for v in level], Tree
    ),
    "the largest nodes are not used": {
        "cover": lambda s, lo, hi: [Node(s.height, i) for i in range(lo - 1, hi)],
    },
    "the nodes of a range begin one leaf late": {"cover": lambda s, lo, hi: Tree.cover(s, min(lo + 1, hi), hi)},
}


def passes(up: Pass | None = None, down: Pass | None = None) -> Members:
    members: Members = {}
    if up is not None:
        members["upwards"] = up
    if down is not None:
        members["downwards"] = down
    return members


def up_with(weights: Callable[[int, int], tuple[int, int, int]]) -> Members:
    """Other weights of a node's own value and of its children's sum."""

    def up(s: Any, levels: Any) -> Any:
        below = list(levels[-1])
        rows = [below]
        for height, level in enumerate(reversed(levels[:-1]), 2):
            own, others, whole = weights(s.branching, height)
            sums = [total(below[i : i + s.branching]) for i in range(0, len(below), s.branching)]
            below = [(y * own + z * others) / whole for y, z in zip(level, sums, strict=True)]
            rows.append(below)
        return rows[::-1]

    return {"upwards": up}


def down_with(share: Callable[[int], int], wrong_parent: bool = False) -> Members:
    """Another share of what the parent has beyond its children."""

    def down(s: Any, levels: Any) -> Any:
        b, rows = s.branching, [list(levels[0])]
        for level in levels[1:]:
            sums = [total(level[i : i + b]) for i in range(0, len(level), b)]
            missing = [parent - z for parent, z in zip(rows[-1], sums, strict=True)]
            rows.append(
                [z + missing[i % len(missing) if wrong_parent else i // b] / share(b) for i, z in enumerate(level)]
            )
        return rows

    return {"downwards": down}


BOOST: dict[str, Members] = {
    "the root is forgotten in the scale": TREE["the root is forgotten in the scale"],
    "one level too many in the scale": TREE["one level too many in the scale"],
    "replacing changes the total": TREE["replacing changes the total"],
    "no consistency": {"estimates": Tree.estimates},
    "no way down": passes(down=lambda s, levels: levels),
    "no way up": passes(up=lambda s, levels: [list(level) for level in levels]),
    "heights from 0": up_with(lambda b, t: (b ** (t - 1) - b ** (t - 2), b ** (t - 2) - 1, b ** (t - 1) - 1 or 1)),
    "own value and children swapped": up_with(lambda b, t: (b ** (t - 1) - 1, b**t - b ** (t - 1), b**t - 1)),
    "plain mean of both": up_with(lambda b, t: (1, 1, 2)),
    "not shared among the children": down_with(lambda b: 1),
    "shared among one child too many": down_with(lambda b: b + 1),
    "passed down to other families": down_with(lambda b: b, wrong_parent=True),
    "the root counts where it is omitted, and the other way round": {
        "eigenvalues": lambda s: [
            fmpq(s.branching**t - 1, s.branching - 1) for t in (max(1, s.height + s.top), *range(1, s.height + 1))
        ]
    },
    "the error of the naive tree": {"range_coefficient": Tree.range_coefficient},
}

SHARED: dict[str, Members] = {
    "left and right swapped": compressed(lambda s, x, c: swapped(c), HaarTree),
    "restored with the other sign": restored_from(lambda s, y: swapped(y), HaarTree),
    "weights of the parent's height": restored_from(lambda s, y: stretched(y, 1, 2), HaarTree),
    "weights of the children's height": restored_from(lambda s, y: stretched(y, 2, 1), HaarTree),
    "the total is not released as it is": compressed(lambda s, x, c: [c[0] * 2, *c[1:]], HaarTree),
    "the total has the weight of a child": restored_from(lambda s, y: [y[0] * 2, *y[1:]], HaarTree),
    "the total is lost": restored_from(lambda s, y: [y[0] - y[0], *y[1:]], HaarTree),
    "nodes of a level from right to left": compressed(
        lambda s, x, c: [c[0], *(v for d in range(s.height) for v in c[2**d : 2 ** (d + 1)][::-1])], HaarTree
    ),
    "noise of the total forgotten in the error": {
        "range_coefficient": lambda s, lo, hi: (
            HaarTree.range_coefficient(s, lo, hi) - fmpq((hi - lo + 1) ** 2, s.size**2)
        )
    },
    "errors of single counts are added": {
        "range_coefficient": lambda s, lo, hi: sum(
            (HaarTree.range_coefficient(s, i, i) for i in range(lo, hi + 1)), fmpq(0)
        )
    },
}

PRIVELET: dict[str, Members] = SHARED | {
    "scale h": scaled(lambda s: s.height, lambda s: 2 * s.height),
    "scale h + 2": scaled(lambda s: s.height + 2, lambda s: 2 * s.height),
    "scale h + 1 for replacing, too": scaled(lambda s: s.height + 1, lambda s: s.height + 1),
    "scale 1": scaled(lambda s: 1, lambda s: 2 if s.height else 0),
    "errors of the averaged transform": {"height_spread": lambda s, t: fmpq(4) ** t},
}

WEIGHTED: dict[str, Members] = SHARED | {
    "lambda = h": scaled(lambda s: s.height),
    "replacing without the factor 2": scaled(lambda s: s.height + 1, lambda s: s.height + 1),
    "no weights": {"scale_runs": Mechanism.scale_runs},
    "weights of the children's height": {
        "scale_runs": lambda s, n: [(count, s.scale(n) / fmpq(2) ** (t - 1)) for count, t in s.height_runs]
    },
    "the total has weight 1": {
        "scale_runs": lambda s, n: [
            (count, s.scale(n) / (1 if i == 0 else 2**t)) for i, (count, t) in enumerate(s.height_runs)
        ]
    },
    "spreads are not squared": {"spreads": lambda s: [fmpq(1, 2**t) for t in s.heights]},
    "errors without weights": {"height_spread": lambda s, t: fmpq(4) ** t},
    "coefficients are not averaged": values(divided=lambda s: False),
}


HAAR: dict[str, Members] = SHARED | {
    "scale h + 1 for all": scaled(lambda s: s.height + 1, lambda s: 2 * s.height),
    "never averaged": values(divided=lambda s: False),
    "always averaged": values(divided=lambda s: True),
    "one scale for all": {"scale_runs": Mechanism.scale_runs},
    "spreads forgotten": {"spreads": Mechanism.spreads},
    "errors of the differences": {"height_spread": lambda s, t: fmpq(1)},
    "rows of squared length 1 / 2^t": {
        "_factor": lambda s, t: (
            Real.power(fmpq(2), Fraction(-t)) if s.normalization is Normalization.ORTHONORMAL else Haar._factor(s, t)
        )
    },
}

GENERAL: dict[str, Members] = {
    "transposed instead of inverted": values(inverse=lambda s: s.matrix.transpose()),
    "A^T A is not inverted completely": values(
        inverse=lambda s: (s.matrix.transpose() * s.matrix) * s.matrix.transpose()
    ),
    "sensitivity over rows": scaled(
        lambda s: max(int(sum((abs(e) for e in row), fmpq(0)).ceil()) for row in s.matrix.tolist()), lambda s: 1
    ),
    "replacing costs twice as much": {
        "scale": lambda s, n: MatrixMechanism.scale(s, Neighbors.ADD_REMOVE) * (1 if n is Neighbors.ADD_REMOVE else 2)
    },
    "largest entry instead of the L1 norm": {"scale": lambda s, n: fmpq(2)},
    "answers reversed": compressed(lambda s, x, c: c[::-1], MatrixMechanism),
    "the first answer is ignored": restored_from(lambda s, y: [y[0] - y[0], *y[1:]], MatrixMechanism),
    "errors of single counts are added": {
        "range_coefficient": lambda s, lo, hi: sum(
            (MatrixMechanism.range_coefficient(s, i, i) for i in range(lo, hi + 1)), fmpq(0)
        )
    },
}

MUTANTS: dict[type[Any], dict[str, Members]] = {
    Identity: IDENTITY,
    Tree: TREE,
    Boost: BOOST,
    Privelet: PRIVELET,
    WeightedPrivelet: WEIGHTED,
    Haar: HAAR,
    MatrixMechanism: GENERAL,
}
"""Every one must show in a matrix, a scale or an error."""
