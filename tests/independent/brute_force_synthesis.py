"""Source 003 a second time, in plain fractions over lists of records: nothing here imports the programs."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import prod
from typing import Any, TypeVar

Of = TypeVar("Of")
Record = tuple[int, ...]
Records = Sequence[Record]
Pair = tuple[int, tuple[int, ...]]
Network = tuple[Pair, ...]


# --- tables and informations ------------------------------------------------------------------------------------------


def binary(d: int) -> list[Record]:
    """All records of d binary attributes."""
    return [*product((0, 1), repeat=d)]


def tables(values: Sequence[Of], n: int) -> Iterator[tuple[Of, ...]]:
    """All tables of n of these records, up to their order."""
    return combinations_with_replacement(values, n)


def neighbors(values: Sequence[Of], n: int) -> Iterator[tuple[tuple[Of, ...], tuple[Of, ...]]]:
    """Ordered pairs of tables that differ in one record, the last."""
    for rest in tables(values, n - 1):
        for one, other in product(values, repeat=2):
            yield (*rest, one), (*rest, other)


def powers(values: Sequence[Hashable]) -> int:
    """The product of c^c over the counts c."""
    return prod(int(c**c) for c in Counter(values).values())


def entropy_power(values: Sequence[Hashable]) -> Fraction:
    """e^(nH)."""
    return Fraction(len(values) ** len(values), powers(values))


def surprise(records: Records, of: Sequence[int]) -> Fraction:
    """e^(nH) of some attributes together."""
    return entropy_power([tuple(record[a] for a in of) for record in records])


def dependence(records: Records, x: int, parents: Sequence[int]) -> Fraction:
    """e^(nI) of an attribute and some others together."""
    own, others = [record[x] for record in records], [tuple(record[a] for a in parents) for record in records]
    n, both = len(records), [*zip(own, others, strict=True)]
    return Fraction(n**n * powers(both), powers(own) * powers(others))


# --- networks ---------------------------------------------------------------------------------------------------------


def parent_sets(reading: str, admissible: Sequence[int], degree: int) -> list[tuple[int, ...]]:
    """The sets of parents among these that a reading of Algorithm 4 allows."""
    least = {"exact-l": degree, "min-l": min(degree, len(admissible)), "upto-l": 0}[reading]
    return [parents for size in range(least, degree + 1) for parents in combinations(admissible, size)]


Weigh = Callable[[Records, int, tuple[int, ...] | None], Fraction]
"""The weight of a pair, or of a root, which has None in the place of parents."""


def by_information(weight: Callable[[Fraction], Fraction]) -> Weigh:
    """Weights of e^(nH) for roots and of e^(nI) for pairs."""
    return lambda records, x, parents: weight(
        surprise(records, (x,)) if parents is None else dependence(records, x, parents)
    )


INFORMATION = by_information(lambda power: power)


def network_law(
    records: Records, cluster: Sequence[int], degree: int, sets: str, kept: Any, weigh: Weigh = INFORMATION
) -> dict[Network, Fraction] | None:
    """By weights of roots and of pairs, list by list; None where a step has no candidate."""
    law: dict[Network, Fraction] = {}

    def extend(network: Network, probability: Fraction) -> bool:
        if len(network) == len(cluster):
            law[network] = probability
            return True
        weights: dict[Pair, Fraction] = {}
        if not network:
            weights = {(x, ()): weigh(records, x, None) for x in cluster}
        else:
            placed = {x for x, _ in network}
            for x in set(cluster) - placed:
                admissible = sorted(y for y in placed if kept is None or (x, y) in kept)
                for parents in parent_sets(sets, admissible, degree):
                    weights[x, parents] = weigh(records, x, parents)
        total = sum(weights.values())
        return bool(weights) and all(extend((*network, pair), probability * w / total) for pair, w in weights.items())

    return law if extend((), Fraction(1)) else None


# --- noisy tables -----------------------------------------------------------------------------------------------------


def clamped(count: int, n: int, alpha: Fraction) -> list[Fraction]:
    """The range-restricted geometric law, written out."""
    inner = [(1 - alpha) / (1 + alpha) * alpha ** abs(x - count) for x in range(n + 1)]
    return [alpha**count / (1 + alpha), *inner[1:n], alpha ** (n - count) / (1 + alpha)]


def quotient(cells: Mapping[Record, int], x: int, parents: Sequence[int], names: Sequence[int], empty: str) -> Any:
    """((values of the parents, law of x), ...) of a table whose keys list the attributes `names`."""
    at, laws = {a: i for i, a in enumerate(names)}, {}
    for values in sorted({tuple(r[at[p]] for p in parents) for r in cells}):
        agreeing = [r for r in cells if tuple(r[at[p]] for p in parents) == values]
        mass, range_x = sum(cells[r] for r in agreeing), sorted({r[at[x]] for r in cells})
        sums = [sum(cells[r] for r in agreeing if r[at[x]] == v) for v in range_x]
        undefined = None if empty == "undefined" else tuple(Fraction(1, len(range_x)) for _ in range_x)
        laws[values] = tuple(Fraction(s, mass) for s in sums) if mass else undefined
    return tuple(sorted(laws.items()))


def conditionals_law(
    records: Records, sizes: Sequence[int], network: Network, alphas: Sequence[Fraction], empty: str
) -> dict[Any, Fraction]:
    """The law of P*: the sum over all noisy tables of the last pairs, one for each alpha; the first is the prefix's."""
    prefix, n = len(network) - len(alphas), len(records)
    noised = network[prefix:]
    keys = [(i, r) for i, (x, p) in enumerate(noised) for r in product(*(range(sizes[a]) for a in (x, *p)))]
    laws = []
    for i, r in keys:
        x, p = noised[i]
        count = sum(1 for record in records if tuple(record[a] for a in (x, *p)) == r)
        laws.append(clamped(count, n, alphas[i]))
    law: dict[Any, Fraction] = {}
    for noisy in product(range(n + 1), repeat=len(keys)):
        probability = Fraction(1)
        for options, value in zip(laws, noisy, strict=True):
            probability *= options[value]
        tables: list[dict[Record, int]] = [{} for _ in noised]
        for (i, r), value in zip(keys, noisy, strict=True):
            tables[i][r] = value
        output = []
        for j, (x, p) in enumerate(network):
            i = max(j - prefix, 0)
            output.append((x, p, quotient(tables[i], x, p, (noised[i][0], *noised[i][1]), empty)))
        law[tuple(output)] = law.get(tuple(output), Fraction(0)) + probability
    return law


def rows_law(
    records: Records,
    sizes: Sequence[int],
    networks: Mapping[Network, Fraction] | None,
    alphas: Sequence[Fraction],
    number: int,
) -> dict[tuple[Network, tuple[Record, ...]], Fraction]:
    """The law of a network, given that of networks, and of so many synthetic rows, values in order of attribute."""
    law: dict[tuple[Network, tuple[Record, ...]], Fraction] = {}
    assert networks is not None
    for network, chosen in networks.items():
        order = sorted(x for x, _ in network)
        for made, noisy in conditionals_law(records, sizes, network, alphas, "uniform").items():
            rows = {}
            for row in product(*(range(sizes[a]) for a in order)):
                held, rows[row] = dict(zip(order, row, strict=True)), Fraction(1)
                for x, parents, laws in made:
                    rows[row] *= dict(laws)[tuple(held[p] for p in parents)][held[x]]
            for drawn in product(rows, repeat=number):
                probability = chosen * noisy
                for row in drawn:
                    probability *= rows[row]
                law[network, drawn] = law.get((network, drawn), Fraction(0)) + probability
    return law
