"""Source 003 a second time, in plain fractions over lists of records: nothing here imports the programs."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

Record = tuple[int, ...]
Network = tuple[tuple[int, tuple[int, ...]], ...]


def surprise(records: Sequence[Record], of: Sequence[int]) -> Fraction:
    """e^(nH): the product over the records of n / (how many records show the same)."""
    shown, found = [tuple(record[a] for a in of) for record in records], Fraction(1)
    for value in shown:
        found *= Fraction(len(shown), shown.count(value))
    return found


def dependence(records: Sequence[Record], x: int, parents: Sequence[int]) -> Fraction:
    """e^(nI): the product over the records of p(x, pi) / (p(x) p(pi))."""
    n, found = len(records), Fraction(1)
    for record in records:
        same_x = [other[x] == record[x] for other in records]
        same_pi = [all(other[a] == record[a] for a in parents) for other in records]
        both = sum(a and b for a, b in zip(same_x, same_pi, strict=True))
        found *= Fraction(both, n) / (Fraction(sum(same_x), n) * Fraction(sum(same_pi), n))
    return found


def network_law(
    records: Sequence[Record], cluster: Sequence[int], degree: int, sets: str, kept: Any
) -> dict[Network, Fraction] | None:
    """Weights e^(nH) for the root and e^(nI) for pairs, list by list; None where a step has no candidate."""
    law: dict[Network, Fraction] = {}

    def extend(network: Network, probability: Fraction) -> bool:
        if len(network) == len(cluster):
            law[network] = probability
            return True
        weights: dict[Any, Fraction] = {}
        if not network:
            weights = {(x, ()): surprise(records, (x,)) for x in cluster}
        else:
            placed = {x for x, _ in network}
            for x in set(cluster) - placed:
                admissible = {y for y in placed if kept is None or (x, y) in kept}
                most = min(degree, len(admissible))
                size = {"exact-l": {degree}, "min-l": {most}, "upto-l": set(range(degree + 1))}[sets]
                for number in size:
                    for parents in combinations(sorted(admissible), number):
                        weights[x, parents] = dependence(records, x, parents)
        total = sum(weights.values())
        return bool(weights) and all(
            extend((*network, pair), probability * weight / total) for pair, weight in weights.items()
        )

    return law if extend((), Fraction(1)) else None


def clamped(count: int, n: int, alpha: Fraction) -> list[Fraction]:
    """The range-restricted geometric law, written out."""
    inner = [(1 - alpha) / (1 + alpha) * alpha ** abs(x - count) for x in range(n + 1)]
    return [alpha**count / (1 + alpha), *inner[1:n], alpha ** (n - count) / (1 + alpha)]


def quotient(cells: dict[Record, int], x: int, parents: Sequence[int], names: Sequence[int], empty: str) -> Any:
    """((values of the parents, law of x), ...) of a table whose keys list the attributes `names`."""
    at, found = {a: i for i, a in enumerate(names)}, {}
    for values in sorted({tuple(r[at[p]] for p in parents) for r in cells}):
        agreeing = [r for r in cells if tuple(r[at[p]] for p in parents) == values]
        mass, range_x = sum(cells[r] for r in agreeing), sorted({r[at[x]] for r in cells})
        sums = [sum(cells[r] for r in agreeing if r[at[x]] == v) for v in range_x]
        undefined = None if empty == "undefined" else tuple(Fraction(1, len(range_x)) for _ in range_x)
        found[values] = tuple(Fraction(s, mass) for s in sums) if mass else undefined
    return tuple(sorted(found.items()))


def conditionals_law(
    records: Sequence[Record], sizes: Sequence[int], network: Network, alphas: Sequence[Fraction], empty: str
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


def cluster_law(
    records: Sequence[Record], sizes: Sequence[int], cluster: Sequence[int], degree: int, alphas: Sequence[Fraction]
) -> dict[tuple[Network, tuple[Record, ...]], Fraction]:
    """The law of a network and n synthetic rows of a cluster, values in order of attribute."""
    law: dict[tuple[Network, tuple[Record, ...]], Fraction] = {}
    order, n = sorted(cluster), len(records)
    networks = network_law(records, cluster, degree, "min-l", None)
    assert networks is not None
    for network, chosen in networks.items():
        for made, noisy in conditionals_law(records, sizes, network, alphas, "uniform").items():
            rows = {}
            for row in product(*(range(sizes[a]) for a in order)):
                held, rows[row] = dict(zip(order, row, strict=True)), Fraction(1)
                for x, parents, laws in made:
                    rows[row] *= dict(laws)[tuple(held[p] for p in parents)][held[x]]
            for drawn in product(rows, repeat=n):
                probability = chosen * noisy
                for row in drawn:
                    probability *= rows[row]
                law[network, drawn] = law.get((network, drawn), Fraction(0)) + probability
    return law
