"""Mechanisms on tables as one writes them: right in two ways, and with one line wrong.

An item is the number of a data set. What is reported: a candidate; the cells of noisy joint tables; networks and cells.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, product
from math import exp, log, log2
from typing import Any

import numpy as np

Table = Sequence[Sequence[int]]
Pair = tuple[int, tuple[int, ...]]


def entropy(table: Table, attributes: Sequence[int]) -> float:
    counts = Counter(tuple(record[a] for a in attributes) for record in table)
    return sum(count / len(table) * log(len(table) / count) for count in counts.values())


def noise(count: int, scale: float, n: int) -> list[float]:
    """The weights of 0 .. n: two-sided geometric noise, what is outside moved to the ends."""
    a = exp(-1 / scale)
    weights = [(1 - a) / (1 + a) * a ** abs(y - count) for y in range(n + 1)]
    weights[0], weights[n] = a**count / (1 + a), a ** (n - count) / (1 + a)
    return weights


class Nats:
    """With numpy's choice, and logarithms to base e."""

    def draw(self, weights: Sequence[float]) -> int:
        chances = np.array(weights)
        return int(np.random.choice(len(weights), p=chances / chances.sum()))

    def entropy(self, table: Table, attributes: Sequence[int]) -> float:
        return entropy(table, attributes)

    def score(self, table: Table, x: int, parents: Sequence[int]) -> float:
        together = self.entropy(table, [x, *parents])
        return self.entropy(table, [x]) + self.entropy(table, parents) - together

    def sensitivity(self, n: int) -> float:
        return log(n) / n + (n - 1) / n * log(n / (n - 1))

    def weight(self, score: float, sensitivity: float, epsilon: float) -> float:
        return exp(epsilon * score / (2 * sensitivity))

    def scale(self, epsilon: float, n: int) -> float:
        return 2 / epsilon

    def shares(self, weights: Sequence[float]) -> list[float]:
        return [weight / sum(weights) for weight in weights]

    def noisy(self, count: int, scale: float, n: int) -> int:
        return self.draw(noise(count, scale, n))

    def both_large(self, one: bool, other: bool) -> bool:
        return one and other

    def per_choice(self, epsilon: float, cluster: Sequence[int]) -> float:
        return epsilon / len(cluster)

    def per_cluster(self, epsilon: float, partition: Sequence[object]) -> float:
        return epsilon / len(partition)

    def root(self, table: Table, cluster: Sequence[int], epsilon: float) -> int:
        delta = self.sensitivity(len(table))
        return cluster[self.draw([self.weight(self.entropy(table, [x]), delta, epsilon) for x in cluster])]

    def choose(self, table: Table, candidates: Sequence[Pair], epsilon: float) -> int:
        delta = self.sensitivity(len(table))
        return self.draw([self.weight(self.score(table, x, parents), delta, epsilon) for x, parents in candidates])

    kept: Callable[[int, int], bool] = staticmethod(lambda x, parent: True)

    def network(self, table: Table, cluster: Sequence[int], degree: int, root: int, epsilon: float) -> list[Pair]:
        """Pair after pair, each with this budget, of those that are kept."""
        network: list[Pair] = [(root, ())]
        while len(network) < len(cluster):
            placed = sorted(x for x, _ in network)
            left = {x: [p for p in placed if self.kept(x, p)] for x in cluster if x not in placed}
            candidates = [(x, set_) for x, ps in left.items() for set_ in combinations(ps, min(degree, len(ps)))]
            network.append(candidates[self.choose(table, candidates, epsilon)])
        return network

    def cells(self, table: Table, sizes: Sequence[int], attributes: Sequence[int]) -> list[int]:
        counts = Counter(tuple(record[a] for a in attributes) for record in table)
        return [counts[values] for values in product(*(range(sizes[a]) for a in attributes))]

    def joints(
        self, table: Table, sizes: Sequence[int], network: Sequence[Pair], weights: Sequence[float], epsilon: float
    ) -> list[list[int]]:
        """Noisy joint tables of these pairs."""
        joints = []
        for (x, parents), share in zip(network, self.shares([weights[x] for x, _ in network]), strict=True):
            scale, n = self.scale(epsilon * share, len(table)), len(table)
            joints.append([self.noisy(count, scale, n) for count in self.cells(table, sizes, [x, *parents])])
        return joints

    def row(self, sizes: Sequence[int], network: Sequence[Pair], joints: Sequence[Sequence[int]]) -> list[int]:
        """Attribute after attribute, by its noisy joint table; the first ones by the first table."""
        row: dict[int, int] = {}
        for i, (x, parents) in enumerate(network):
            place = max(i, len(network) - len(joints))
            (origin, ancestors), weights = network[place], [0] * sizes[x]
            values = product(*(range(sizes[a]) for a in (origin, *ancestors)))
            for cell, record in zip(joints[place - len(network)], values, strict=True):
                at = dict(zip((origin, *ancestors), record, strict=True))
                if all(at[p] == row[p] for p in parents):
                    weights[at[x]] += cell
            row[x] = self.draw(weights if any(weights) else [1] * sizes[x])
        return [row[x] for x in sorted(row)]

    def rows(self, sizes: Sequence[int], network: Sequence[Pair], joints: Any, number: int) -> list[list[int]]:
        return [self.row(sizes, network, joints) for _ in range(number)]


class Bits(Nats):
    """With one uniform number for a draw, logarithms to base 2, counts of numpy, and noise by its distribution."""

    def draw(self, weights: Sequence[float]) -> int:
        u, total = random.random() * sum(weights), 0.0
        for i, weight in enumerate(weights[:-1]):
            total += weight
            if u < total:
                return i
        return len(weights) - 1

    def entropy(self, table: Table, attributes: Sequence[int]) -> float:
        if not attributes:
            return 0.0
        counts = np.unique(np.array(table)[:, list(attributes)], axis=0, return_counts=True)[1] / len(table)
        return -float((counts * np.log2(counts)).sum())

    def sensitivity(self, n: int) -> float:
        return log2(n) - (n - 1) / n * log2(n - 1)

    def cells(self, table: Table, sizes: Sequence[int], attributes: Sequence[int]) -> list[int]:
        bins = [np.arange(sizes[a] + 1) for a in attributes]
        return [int(c) for c in np.histogramdd(np.array(table)[:, list(attributes)], bins)[0].ravel()]

    def noisy(self, count: int, scale: float, n: int) -> int:
        a, u = exp(-1 / scale), random.random()
        for y in range(n):
            below = a ** (count - y) / (1 + a) if y < count else 1 - a ** (y + 1 - count) / (1 + a)
            if u < below:
                return y
        return n


def select(item: int, made: Nats, tables: Sequence[Table], candidates: Sequence[Pair], epsilon: float) -> int:
    return made.choose(tables[item], candidates, epsilon)


def greedybayes(
    item: int, made: Nats, sizes: Sequence[int], tables: Sequence[Table], degree: int, epsilon: float
) -> list[Pair]:
    d = len(sizes)
    return made.network(tables[item], range(d), degree, made.draw([1.0] * d), epsilon / (d - 1))


def publish(
    item: int,
    made: Nats,
    sizes: Sequence[int],
    tables: Sequence[Table],
    network: Sequence[Pair],
    degree: int,
    weights: Sequence[float],
    epsilon: float,
) -> list[list[int]]:
    return made.joints(tables[item], sizes, network[min(degree, len(network) - 1) :], weights, epsilon)


def publish_rows(item: int, made: Nats, release: str, **parameters: Any) -> list[list[int]]:
    return made.rows(
        parameters["sizes"], parameters["network"], publish(item, made, **parameters), len(parameters["tables"][item])
    )


def filtered(
    item: int,
    made: Nats,
    tables: Sequence[Table],
    partition: Sequence[Sequence[int]],
    matrix: Sequence[Sequence[float]],
    epsilon: float,
) -> Any:
    """The network of one cluster by half of the budget, of pairs that (9) keeps with eta = 1/2."""
    large = {(x, y) for x, row in enumerate(matrix) for y, entry in enumerate(row) if entry > max(row) / 2}
    made.kept = lambda x, parent: made.both_large((x, parent) in large, (parent, x) in large)
    (cluster,) = partition
    each = epsilon / 2 / len(cluster)
    return [made.network(tables[item], cluster, 1, made.root(tables[item], cluster, each), each)]


def privbayes(
    item: int, made: Nats, sizes: Sequence[int], tables: Sequence[Table], degree: int, beta: float, epsilon: float
) -> Any:
    d, table = len(sizes), tables[item]
    network = greedybayes(item, made, sizes, tables, degree, beta * epsilon)
    return network, made.joints(table, sizes, network[min(degree, d - 1) :], [1.0] * d, (1 - beta) * epsilon)


def hmprivbayes(
    item: int,
    made: Nats,
    sizes: Sequence[int],
    tables: Sequence[Table],
    partition: Sequence[Sequence[int]],
    degree: int,
    beta: float,
    epsilon: float,
) -> Any:
    table, models, own = tables[item], [], made.per_cluster(epsilon, partition)
    for cluster in partition:
        each = made.per_choice(beta * own, cluster)
        network = made.network(table, cluster, degree, made.root(table, cluster, each), each)
        noised = network[min(degree, len(cluster) - 1) :]
        models.append((network, made.joints(table, sizes, noised, [1.0] * len(sizes), (1 - beta) * own)))
    return models


PROGRAMS: dict[str, Callable[..., Any]] = {
    "TableSelection": select,
    "GreedyBayes": greedybayes,
    "NoisyJoints": publish,
    "PrivBayes": privbayes,
    "CalibratedHMPrivBayes": hmprivbayes,
    "NoisyJoints, rows": publish_rows,
    "CalibratedHMPrivBayes, filter": filtered,
}

# --- one line wrong ---------------------------------------------------------------------------------------------------


def normalized_score(self: Nats, table: Table, x: int, parents: Sequence[int]) -> float:
    """A quotient of entropies, with the sensitivity of what is divided."""
    divisor = (self.entropy(table, [x]) * self.entropy(table, parents)) ** 0.5
    return Nats.score(self, table, x, parents) / divisor if divisor else 0.0


def parents_first(self: Nats, table: Table, sizes: Sequence[int], attributes: Sequence[int]) -> list[int]:
    return Nats.cells(self, table, sizes, [*attributes[1:], attributes[0]])


FAULTS: dict[str, tuple[str, Callable[..., Any]]] = {
    "without the second term": ("sensitivity", lambda self, n: log(n) / n),
    "mixed bases": ("score", lambda self, *arguments: Nats.score(self, *arguments) / log(2)),
    "without the two": ("weight", lambda self, score, sensitivity, epsilon: exp(epsilon * score / sensitivity)),
    "normalized score": ("score", normalized_score),
    "whole budget for every choice": ("per_choice", lambda self, epsilon, cluster: epsilon),
    "whole budget for every cluster": ("per_cluster", lambda self, epsilon, partition: epsilon),
    "uniform root": ("root", lambda self, table, cluster, epsilon: cluster[self.draw([1.0] * len(cluster))]),
    "filter of one row": ("both_large", lambda self, one, other: one or other),
    "one row repeated": (
        "rows",
        lambda self, sizes, network, joints, number: [self.row(sizes, network, joints)] * number,
    ),
    "noise of frequencies on counts": ("scale", lambda self, epsilon, n: 2 / (n * epsilon)),
    "one cell moves": ("scale", lambda self, epsilon, n: 1 / epsilon),
    "weights inverted": ("shares", lambda self, weights: Nats.shares(self, [1 / weight for weight in weights])),
    "whole budget for every table": ("shares", lambda self, weights: [1.0 for _ in weights]),
    "clamp before noise": ("noisy", lambda self, count, scale, n: self.draw(noise(count + 1, scale, n + 2)) - 1),
    "parents first": ("cells", parents_first),
}
"""The method that is wrong, and what it does."""


def wrong(fault: str) -> Nats:
    """`Nats` with this fault."""
    method, function = FAULTS[fault]
    made: Nats = type("Wrong", (Nats,), {method: function})()
    return made
