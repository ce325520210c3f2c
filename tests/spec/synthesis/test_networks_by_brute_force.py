"""Networks, selections and counts of source 003 decided again in plain fractions and integers: greedy construction,
the filter, factorizations, joint tables, numbers of candidates."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product
from math import comb, exp, log, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from independent.verdicts import verdict

Record = tuple[int, ...]
Table = Sequence[Record]


def records(d: int) -> list[Record]:
    return [*product((0, 1), repeat=d)]


def tables(d: int, n: int) -> Iterator[tuple[Record, ...]]:
    return combinations_with_replacement(records(d), n)


def power(table: Table, attributes: Iterable[int]) -> Fraction:
    """e^(n H)."""
    chosen, n = [*attributes], len(table)
    return Fraction(n**n, prod(c**c for c in Counter(tuple(x[a] for a in chosen) for x in table).values()))


def score(table: Table, x: int, parents: Sequence[int]) -> Fraction:
    """e^(n I)."""
    return power(table, [x]) * power(table, parents) / power(table, [x, *parents])


# --- greedy construction ----------------------------------------------------------------------------------------------


def totals(table: Table, degree: int, root: int) -> set[Fraction]:
    """e to the n times the totals of all greedy runs from a root."""
    found, d = set[Fraction](), len(table[0])

    def grow(placed: tuple[int, ...], total: Fraction) -> None:
        best = {
            x: max(score(table, x, p) for p in combinations(sorted(placed), min(degree, len(placed))))
            for x in range(d)
            if x not in placed
        }
        if not best:
            found.add(total)
        for x, value in best.items():
            if value == max(best.values()):
                grow((*placed, x), total * value)

    grow((root,), Fraction(1))
    return found


@pytest.mark.parametrize(("d", "n"), [(2, 3), (3, 2), (3, 3), (3, 4), (4, 2)])
def test_with_one_parent_all_roots_are_alike(d: int, n: int) -> None:
    assert all(len(set.union(*(totals(t, 1, root) for root in range(d)))) == 1 for t in tables(d, n))
    assert verdict("prose.randomroot@l1") == "refuted"
    assert verdict("prose.randomroot@l1.corrected") == "verified"
    assert verdict("prose.maxroot@l1") == "verified"


def test_with_two_parents_roots_matter_for_five_records() -> None:
    def apart(t: Table) -> bool:
        found = [totals(t, 2, root) for root in range(len(t[0]))]
        return any(not one & other for one, other in combinations(found, 2))

    assert not any(apart(t) for t in tables(3, 4))
    assert not any(apart(t) for n in (1, 2, 3) for t in tables(4, n))
    assert apart([(0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 1, 0), (0, 1, 0, 0), (1, 0, 1, 1)])
    assert verdict("prose.randomroot@l2") == "proved"


def test_the_largest_entropy_is_not_the_best_root() -> None:
    table = [(0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 1, 0), (0, 1, 1, 1), (1, 1, 0, 1)]
    entropies = [power(table, [x]) for x in range(4)]
    found = [totals(table, 2, root) for root in range(4)]
    assert entropies[3] > max(entropies[:3])
    assert max(found[2]) > max(found[3])
    assert verdict("prose.maxroot@l2") == "refuted"


# --- laws of selections -----------------------------------------------------------------------------------------------


def test_scores_by_their_sensitivities_move_by_one_if_a_record_comes() -> None:
    def normalized(table: Table, value: Fraction) -> float:
        n = len(table)
        return log(value) / log(n**n / (n - 1) ** (n - 1))

    for n in (3, 4, 5, 6):
        for rest in tables(2, n - 1):
            for new in records(2):
                more = [*rest, new]
                moves = [
                    normalized(more, power(more, [0])) - normalized(rest, power(rest, [0])),
                    normalized(more, score(more, 0, [1])) - normalized(rest, score(rest, 0, [1])),
                ]
                assert max(map(abs, moves)) < 1 + 1e-12
    assert verdict("alg4.dp@ar") == "verified"


# --- candidates, the filter, clusters ---------------------------------------------------------------------------------


def sets(reading: str, allowed: Sequence[int], degree: int) -> list[tuple[int, ...]]:
    sizes = {"exact-l": [degree], "min-l": [min(degree, len(allowed))], "upto-l": range(degree + 1)}[reading]
    return [p for size in sizes for p in combinations(allowed, size)]


@given(st.data())
def test_networks_have_no_cycle(data: st.DataObject) -> None:
    c, degree = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 3))
    order = data.draw(st.permutations(range(c)))
    parents = {}
    for place, x in enumerate(order):
        allowed = sorted(y for y in order[:place] if data.draw(st.booleans()))
        parents[x] = data.draw(st.sampled_from(sets("min-l", allowed, degree)))
    left = set(range(c))
    while left:
        free = {x for x in left if not left & {*parents[x]}}
        assert free
        left -= free
    assert max(map(len, parents.values())) <= degree
    assert verdict("alg4.dag") == "verified"


def keeps(s: Sequence[Sequence[Fraction]], eta: Fraction, x: int, y: int, joined: str, diagonal: bool) -> bool:
    """Whether (9) leaves the pair."""

    def small(a: int, b: int) -> bool:
        return s[a][b] <= eta * max(v for i, v in enumerate(s[a]) if diagonal or i != a)

    both = (small(x, y), small(y, x))
    return not (any(both) if joined == "or" else all(both))


def test_the_filter_may_remove_the_strongest_pair() -> None:
    table, half = [(0, 0, 0), (0, 0, 1), (1, 1, 0)], Fraction(1, 2)
    found = {(x, y): score(table, x, [y]) for x, y in permutations(range(3), 2)}
    assert found[2, 0] == found[2, 1] > 1
    assert found[2, 0] ** 2 <= found[0, 1]  # I(2, 0) <= I(0, 1) / 2
    assert verdict("eq9.strongest@exact.or") == "refuted"
    noisy = [[Fraction(0), Fraction(-1)], [Fraction(-1), Fraction(0)]]
    for diagonal, reading in ((True, "diagonal"), (False, "off")):
        assert not keeps(noisy, half, 0, 1, "or", diagonal)
        assert verdict(f"eq9.strongest@noisy.{reading}") == "refuted"
    assert verdict("eq9.post") == "proved"


def test_clusters_share_records() -> None:
    one, other, clusters = (0, 0), (1, 1), ([0], [1])
    assert sum([one[x] for x in c] != [other[x] for x in c] for c in clusters) == 2
    assert score([(0, 0), (1, 1)], 0, [1]) == 4
    assert verdict("sec33.independent@attributes") == "verified"
    assert verdict("sec33.independent@records") == "refuted"
    assert verdict("sec33.independent@statistical") == "refuted"


# --- factorization ----------------------------------------------------------------------------------------------------


def factorized(table: Table, parents: Sequence[Sequence[int]]) -> dict[Record, Fraction]:
    """Pr_N of all records."""

    def conditional(x: int, record: Record) -> Fraction:
        rows = [r for r in table if all(r[p] == record[p] for p in parents[x])]
        return Fraction(sum(r[x] == record[x] for r in rows), len(rows)) if rows else Fraction(1, 2)

    d = len(table[0])
    return {r: prod((conditional(x, r) for x in range(d)), start=Fraction(1)) for r in records(d)}


def marginal(chances: Mapping[Record, Fraction], x: int, y: int) -> dict[Record, Fraction]:
    found = dict.fromkeys(records(2), Fraction(0))
    for record, p in chances.items():
        found[record[x], record[y]] += p
    return found


@pytest.mark.parametrize(("d", "n"), [(2, 2), (3, 2), (3, 3)])
def test_factorizations(d: int, n: int) -> None:
    choices = [[p for size in range(x + 1) for p in combinations(range(x), size)] for x in range(d)]
    for table in tables(d, n):
        frequencies = {r: Fraction(table.count(r), n) for r in records(d)}
        for parents in product(*choices):
            found = factorized(table, parents)
            assert sum(found.values()) == 1
            if all(len(p) == min(1, x) for x, p in enumerate(parents)):
                for x in range(1, d):
                    assert marginal(found, x, parents[x][0]) == marginal(frequencies, x, parents[x][0])
    assert verdict("sec23.fact@distribution") == "verified"
    assert verdict("prose.assoc@parent") == "verified"


def test_associations_are_lost() -> None:
    assert factorized([(0, 0), (1, 1)], [(), ()])[0, 0] == Fraction(1, 4)
    assert verdict("sec23.fact@equality") == "refuted"
    assert verdict("prose.assoc@across") == "refuted"
    table: list[Record] = [(0, 0, 0), (0, 1, 1), (1, 0, 1)]
    assert score(table, 1, [0]) == score(table, 2, [0]) == score(table, 2, [1])  # any tree is greedy
    frequencies = {r: Fraction(table.count(r), 3) for r in records(3)}
    assert marginal(factorized(table, [(), (0,), (0,)]), 1, 2) != marginal(frequencies, 1, 2)
    assert verdict("prose.assoc@cluster") == "refuted"


@given(st.lists(st.fractions(0, 1, max_denominator=7), min_size=13, max_size=13))
def test_the_product_of_figure_1(chances: list[Fraction]) -> None:
    parents: list[tuple[int, ...]] = [(), (0,), (1,), (0, 1), (2, 3)]
    starts = [0, 1, 3, 5, 9]
    total = Fraction(0)
    for record in records(5):
        product_ = Fraction(1)
        for x, start in enumerate(starts):
            place = sum(record[p] << i for i, p in enumerate(parents[x]))
            one = chances[start + place]
            product_ *= one if record[x] else 1 - one
        total += product_
    assert total == 1
    assert verdict("fig1.fact") == "verified"


# --- joint tables that tell others ------------------------------------------------------------------------------------


def told(network: Sequence[tuple[int, ...]], most: int) -> bool:
    """Whether pair l' + 1 has the attributes of all pairs before it."""
    known = {most, *network[most]}
    return all({j, *network[j]} <= known for j in range(most))


@pytest.mark.parametrize(("c", "degree"), [(2, 1), (3, 1), (3, 2), (4, 1), (4, 2), (4, 3)])
def test_the_first_joint_table_tells_those_before(c: int, degree: int) -> None:
    networks = [*product(*(sets("min-l", range(x), degree) for x in range(c)))]
    assert all(told(network, min(c - 1, degree)) for network in networks)
    assert all(told(network, c - 1) for network in networks) == (degree >= c - 1)  # d >= c attributes
    assert verdict("alg5.lprime@d-degree") == verdict("alg5.step3@nofilter") == "verified"
    assert verdict("base.privbayes.prefix") == "verified"
    assert verdict("alg5.lprime@d-attrs") == "refuted"
    assert not told([()] * c, 1)  # the filter has removed all pairs
    assert verdict("alg5.step3@filter") == "refuted"


# --- numbers of candidates, scales of noise ---------------------------------------------------------------------------


def scored(c: int, degree: int) -> int:
    """Pair by pair."""
    return sum((c - v) * len(sets("min-l", range(v), degree)) for v in range(1, c))


def thirds(d: int) -> list[int]:
    return [len(range(i, d, 3)) for i in range(3)]


def test_numbers_of_candidates() -> None:
    for degree in range(1, 7):
        for a, b in product(range(1, 8), repeat=2):
            assert scored(a, degree) + scored(b, degree) <= scored(a + b, degree)
        gaps = []
        for d in range(3, 12):
            parts = sum(scored(c, degree) for c in thirds(d))
            assert parts < sum(scored(c, degree) for c in thirds(d + 1))
            gaps.append(scored(d, degree) - parts)
            if d >= degree + 3:
                assert parts + comb(d, 2) < scored(d, degree)
        assert gaps[0] > 0
        assert all(x < y for x, y in pairwise(gaps))
        assert all(scored(c, degree) < scored(c, degree + 1) for c in range(2 * degree + 4, 2 * degree + 8))
    assert verdict("prose.space") == verdict("fig6.d@count") == verdict("fig6.gap@count") == "verified"
    assert scored(3, 2) == comb(3, 2)
    assert scored(3, 1) > scored(3, 2)
    for reading in ("count", "anyclusters"):
        assert verdict(f"abs.efficiency@{reading}") == "refuted"
        assert verdict(f"abs.efficiency@{reading}.corrected") == "verified"
    assert verdict("fig6.l@count.all") == "refuted"
    assert verdict("fig6.l@count.all.corrected") == "verified"
    assert verdict("fig6.l@count.default") == "verified"


def test_clusters_of_any_sizes_are_efficient_with_three_attributes_more_than_parents() -> None:
    for d in range(4, 13):
        for a, b in combinations_with_replacement(range(1, d), 2):
            for degree in range(1, d - 2):
                if d - a - b >= 1:
                    parts = sum(scored(c, degree) for c in (a, b, d - a - b))
                    assert parts + comb(d, 2) < scored(d, degree)


def scales(d: int, c: int, degree: int, certified: bool) -> tuple[Fraction, Fraction]:
    """n epsilon / 2 times the scales of HMPrivBayes and PrivBayes."""
    a = [Fraction(d - 1), Fraction(2 * d, 3), Fraction(2 * d, 3)]
    times = [d // 2, 3, 3] if certified else [1, 1, 1]
    budget = a[2] / sum(x * m for x, m in zip(a, times, strict=True))
    return (c - min(c - 1, degree)) / budget, Fraction(d - degree) / Fraction(7, 10)


def test_scales_of_noise() -> None:
    assert scales(3, 1, 1, False)[0] > scales(3, 1, 1, False)[1]
    for d in range(4, 60):
        for degree in range(1, d - 2):
            ours, theirs = scales(d, max(thirds(d)), degree, False)
            assert ours < theirs
        ours, theirs = scales(d, max(thirds(d)), 3, True)
        assert ours > theirs
    for reading in ("nominal", "certified"):
        assert verdict(f"abs.noise@{reading}") == "refuted"
        assert verdict(f"abs.noise@{reading}.corrected") == "proved"


# --- Jtree ----------------------------------------------------------------------------------------------


def test_comparisons_with_one_threshold_lose_more_than_their_budget() -> None:
    """Chances of graphs by the midpoint rule; every value of the threshold is one of three kinds."""

    def tail(x: float) -> float:
        return exp(-x) / 2 if x > 0 else 1 - exp(x) / 2

    def chance(edges: Sequence[int], none: Sequence[int], w: float, v: float) -> float:
        """Of pairs with information Delta (1) or 0; in units of the scale of the noise."""
        steps, total = 20_000, 0.0
        for i in range(steps):
            z = -25 + 50 * (i + 0.5) / steps
            u = z + log(v)
            here = prod(tail(u - x * log(w)) for x in edges) * prod(1 - tail(u - x * log(w)) for x in none)
            total += here * exp(-abs(z)) / 2 * 50 / steps
        return total

    for g, h, w, v, more in ((2, 3, 2.0, 1.25, 1.25), (2, 3, 4.0, 1.5, 1.5), (3, 3, 2.0, 1.25, 2)):
        falling, rising = comb(g, 2), comb(h, 2)
        one, other = chance([1] * falling, [0] * rising, w, v), chance([0] * falling, [1] * rising, w, v)
        assert w**2 * other * more < one < w ** (falling + rising) * other
    assert score([(0, 0, 0, 0, 0), (1, 1, 0, 0, 0)], 0, [1]) == 4  # n Delta = log 4
    assert verdict("base.jtree.graph") == verdict("base.jtree.dp@ro") == "refuted"
    assert verdict("base.jtree.graph.corrected") == "proved"
    assert verdict("base.jtree.dp@ar") == "unchecked"
