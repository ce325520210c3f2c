"""Junction trees of small graphs: triangulation, maximal cliques, and a tree with the running intersection property.

All choices are fixed: the node whose neighbors lack fewest edges is eliminated first, the first one of several; the
tree takes pairs of cliques with the largest intersections first, the first ones of several.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.exceptions import DomainError

Edge = tuple[int, int]
Nodes = tuple[int, ...]


@dataclass(frozen=True)
class JunctionTree:
    """Cliques in order from a root, each with the index of its parent (the root: None).

    The separator of a clique is its intersection with its parent, maybe empty.
    """

    cliques: tuple[Nodes, ...]
    parents: tuple[int | None, ...]

    @property
    def separators(self) -> tuple[Nodes, ...]:
        """The separators of all cliques but the root, in their order."""
        return tuple(
            tuple(sorted({*clique} & {*self.cliques[parent]}))
            for clique, parent in zip(self.cliques, self.parents, strict=True)
            if parent is not None
        )

    @property
    def intersections(self) -> tuple[Nodes, ...]:
        """All non-empty intersections of two or more cliques, from small to large, then in lexicographic order."""
        sets = {frozenset(a) & frozenset(b) for a, b in combinations(self.cliques, 2)}
        while True:
            more = {a & frozenset(b) for a in sets for b in self.cliques}
            if more <= sets:
                break
            sets |= more
        return tuple(sorted((tuple(sorted(nodes)) for nodes in sets if nodes), key=lambda nodes: (len(nodes), nodes)))


def triangulation(size: int, edges: Iterable[Edge]) -> tuple[frozenset[Edge], tuple[int, ...]]:
    """The edges of a chordal graph that has the given ones, and the order in which nodes were eliminated.

    Raises `DomainError` unless the edges are pairs i < j of nodes 0..size-1.
    """
    filled = set(edges)
    if not all(0 <= i < j < size for i, j in filled):
        raise DomainError("edges", filled, f"pairs i < j of nodes 0..{size - 1}")
    left, order = set(range(size)), []
    while left:
        lacking = {node: _lacking(node, left, filled) for node in left}
        node = min(left, key=lambda one: (len(lacking[one]), one))
        filled |= lacking[node]
        left.remove(node)
        order.append(node)
    return frozenset(filled), tuple(order)


def maximal_cliques(size: int, edges: Iterable[Edge]) -> tuple[Nodes, ...]:
    """The maximal cliques of the triangulated graph, in lexicographic order. Raises as `triangulation`."""
    filled, order = triangulation(size, edges)
    left, cliques = set(range(size)), []
    for node in order:
        cliques.append(frozenset({node, *_neighbors(node, left, filled)}))
        left.remove(node)
    maximal = {clique for clique in cliques if not any(clique < other for other in cliques)}
    return tuple(sorted(tuple(sorted(clique)) for clique in maximal))


def junction_tree(size: int, edges: Iterable[Edge]) -> JunctionTree:
    """A junction tree of the triangulated graph: a maximal spanning tree of its cliques by sizes of intersections.

    Raises `DomainError` unless there is a node, and as `triangulation`.
    """
    require_integer("size", size, 1)
    cliques = maximal_cliques(size, edges)
    order: list[tuple[int, int | None]] = [(0, None)]
    while len(order) < len(cliques):
        placed = [index for index, _ in order]
        pairs = [(p, c) for p in placed for c in range(len(cliques)) if c not in placed]
        shared = {(p, c): len({*cliques[p]} & {*cliques[c]}) for p, c in pairs}
        parent, child = max(pairs, key=lambda pair: (shared[pair], -pair[1], -pair[0]))
        order.append((child, parent))
    place = {index: i for i, (index, _) in enumerate(order)}
    parents = tuple(None if parent is None else place[parent] for _, parent in order)
    return JunctionTree(tuple(cliques[index] for index, _ in order), parents)


def _neighbors(node: int, left: set[int], edges: set[Edge] | frozenset[Edge]) -> list[int]:
    return [other for other in sorted(left) if (min(node, other), max(node, other)) in edges]


def _lacking(node: int, left: set[int], edges: set[Edge]) -> set[Edge]:
    return {pair for pair in combinations(_neighbors(node, left, edges), 2) if pair not in edges}
