"""Networks, selections and counts of source 003 decided again in plain fractions and integers: greedy construction,
laws of selections, the filter, joint tables, numbers of candidates, clique tables."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product
from math import comb, exp, factorial, log, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from independent.brute_force_synthesis import (
    Network,
    Record,
    Records,
    binary,
    dependence,
    factorized,
    frequencies,
    neighbors,
    network_law,
    parent_sets,
    surprise,
    tables,
)
from independent.verdicts import verdict

ABOVE_ONE = st.fractions(Fraction(11, 10), 9, max_denominator=20)


# --- greedy construction ----------------------------------------------------------------------------------------------


def totals(table: Records, degree: int, root: int) -> set[Fraction]:
    """e to the n times the totals of all greedy runs from a root."""
    sums, d = set[Fraction](), len(table[0])

    def grow(placed: tuple[int, ...], total: Fraction) -> None:
        best = {
            x: max(dependence(table, x, p) for p in parent_sets("min-l", sorted(placed), degree))
            for x in range(d)
            if x not in placed
        }
        if not best:
            sums.add(total)
        for x, value in best.items():
            if value == max(best.values()):
                grow((*placed, x), total * value)

    grow((root,), Fraction(1))
    return sums


@pytest.mark.parametrize(("d", "n"), [(2, 3), (3, 2), (3, 3), (3, 4), (4, 2)])
def test_with_one_parent_all_roots_are_alike(d: int, n: int) -> None:
    assert all(len(set.union(*(totals(t, 1, root) for root in range(d)))) == 1 for t in tables(binary(d), n))
    assert verdict("prose.randomroot@l1") == "refuted"
    assert verdict("prose.randomroot@l1.corrected") == "verified"
    assert verdict("prose.maxroot@l1") == "verified"


def test_with_two_parents_roots_matter_for_five_records() -> None:
    def apart(t: Records) -> bool:
        sums = [totals(t, 2, root) for root in range(len(t[0]))]
        return any(not one & other for one, other in combinations(sums, 2))

    assert not any(apart(t) for t in tables(binary(3), 4))
    assert not any(apart(t) for n in (1, 2, 3) for t in tables(binary(4), n))
    assert apart([(0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 1, 0), (0, 1, 0, 0), (1, 0, 1, 1)])
    assert verdict("prose.randomroot@l2") == "proved"


def test_the_largest_entropy_is_not_the_best_root() -> None:
    table = [(0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 1, 0), (0, 1, 1, 1), (1, 1, 0, 1)]
    entropies = [surprise(table, [x]) for x in range(4)]
    sums = [totals(table, 2, root) for root in range(4)]
    assert entropies[3] > max(entropies[:3])
    assert max(sums[2]) > max(sums[3])
    assert verdict("prose.maxroot@l2") == "refuted"


# --- laws of selections -----------------------------------------------------------------------------------------------


def selected(table: Records, degree: int, t: Fraction | None = None) -> dict[Network, Fraction]:
    """IBayes with weights t^(bits) of two records, or with s = 1."""

    def weight(power: Fraction) -> Fraction:
        if t is None:
            return power
        return t if power > 1 else Fraction(1)

    law = network_law(table, range(len(table[0])), degree, "min-l", None, weight)
    assert law is not None
    return law


def loss(c: int, n: int, degree: int, t: Fraction | None = None) -> Fraction:
    """The largest ratio of two chances."""
    laws = {table: selected(table, degree, t) for table in tables(binary(c), n)}
    pairs = ((laws[tuple(sorted(one))], laws[tuple(sorted(two))]) for one, two in neighbors(binary(c), n))
    return max(p / two[network] for one, two in pairs for network, p in one.items())


@pytest.mark.parametrize(("c", "degree"), [(1, 1), (2, 1), (3, 1), (3, 2), (4, 2)])
def test_the_law_of_networks_is_a_table(c: int, degree: int) -> None:
    number = factorial(c) * prod(comb(v, min(degree, v)) for v in range(1, c))
    for table in ([(0,) * c, (1,) * c], [(0,) * c, (0,) * (c - 1) + (1,), (1,) * c]):
        law = selected(table, degree)
        assert len(law) == number
        assert sum(law.values()) == 1
        assert min(law.values()) > 0
    assert verdict("alg4.law") == "verified"


@given(ABOVE_ONE)
def test_two_attributes_lose_a_quarter_of_the_budget(t: Fraction) -> None:
    assert loss(2, 2, 1, t) == t < t**4
    assert t**5 > t**4
    assert verdict("alg4.tight") == "refuted"
    assert verdict("alg4.tight.corrected") == "verified"
    assert verdict("sec33.allclusters") == "refuted"
    assert verdict("sec33.allclusters.corrected") == "verified"


@pytest.mark.parametrize(("c", "n", "degree"), [(2, 3, 1), (2, 4, 1), (3, 2, 1), (3, 2, 2)])
def test_a_network_loses_less_than_its_budget(c: int, n: int, degree: int) -> None:
    base = Fraction(n**n, (n - 1) ** (n - 1))
    assert 1 < loss(c, n, degree) < base ** (2 * c)
    assert verdict("alg4.dp@ro") == "verified"
    assert verdict("eq10.dp") == "verified"


def test_scores_by_their_sensitivities_move_by_one_if_a_record_comes() -> None:
    def normalized(table: Records, value: Fraction) -> float:
        n = len(table)
        return log(value) / log(n**n / (n - 1) ** (n - 1))

    for n in (3, 4, 5, 6):
        for rest in tables(binary(2), n - 1):
            for new in binary(2):
                more = [*rest, new]
                moves = [
                    normalized(more, surprise(more, [0])) - normalized(rest, surprise(rest, [0])),
                    normalized(more, dependence(more, 0, [1])) - normalized(rest, dependence(rest, 0, [1])),
                ]
                assert max(map(abs, moves)) < 1 + 1e-12
    assert verdict("alg4.dp@ar") == "verified"


def test_without_budget_the_table_does_not_matter() -> None:
    assert len({tuple(selected(t, 1, Fraction(1)).items()) for t in tables(binary(3), 2)}) == 1
    assert verdict("alg4.access") == "verified"
    assert verdict("eq10.norm@bound-index") == "proved"
    assert verdict("eq10.norm@literal-index") == "refuted"


# --- candidates, the filter, clusters ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("c", "degree"), [(2, 1), (3, 1), (3, 2), (4, 2)])
def test_candidates_and_networks(c: int, degree: int) -> None:
    edges = [*combinations(range(c), 2)]
    filters = [set(f) for size in range(len(edges) + 1) for f in combinations(edges, size)]
    places = [p for size in range(1, c) for p in combinations(range(c), size)]

    def number(reading: str, placed: Sequence[int], removed: set[tuple[int, int]]) -> int:
        left = [x for x in range(c) if x not in placed]
        allowed = {x: [y for y in placed if (min(x, y), max(x, y)) not in removed] for x in left}
        return sum(len(parent_sets(reading, allowed[x], degree)) for x in left)

    for reading in ("min-l", "upto-l"):
        assert all(number(reading, p, f) > 0 for p in places for f in filters)
        assert verdict(f"alg4.candidates@{reading}") == "verified"
    assert degree == 1 or number("exact-l", (0,), set()) == 0
    assert verdict("alg4.candidates@exact-l") == "refuted"
    assert all(number("min-l", p, f) <= number("min-l", p, set()) for p in places for f in filters)
    assert verdict("eq9.reduces") == "verified"


@given(st.data())
def test_networks_have_no_cycle(data: st.DataObject) -> None:
    c, degree = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 3))
    order = data.draw(st.permutations(range(c)))
    parents = {}
    for place, x in enumerate(order):
        allowed = sorted(y for y in order[:place] if data.draw(st.booleans()))
        parents[x] = data.draw(st.sampled_from(parent_sets("min-l", allowed, degree)))
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


def matrices(d: int) -> st.SearchStrategy[list[list[Fraction]]]:
    rows = st.lists(st.fractions(-3, 3, max_denominator=4), min_size=d, max_size=d)
    return st.lists(rows, min_size=d, max_size=d)


@given(
    st.integers(2, 4).flatmap(matrices),
    st.fractions(0, 1, max_denominator=6),
    st.sampled_from(("or", "and")),
)
def test_the_filter_is_symmetric(s: list[list[Fraction]], eta: Fraction, joined: str) -> None:
    for i, row in enumerate(s):
        row[i] = Fraction(0)
    for x, y in permutations(range(len(s)), 2):
        assert keeps(s, eta, x, y, joined, True) == keeps(s, eta, y, x, joined, True)
        assert keeps(s, eta, x, y, joined, False) == keeps(s, eta, y, x, joined, False)
        if joined == "and" and s[x][y] == max(s[x]) > 0 and eta < 1:
            assert keeps(s, eta, x, y, joined, True)
    assert verdict(f"eq9.symmetric@{joined}") == "verified"
    assert verdict("eq9.strongest@exact.and") == "verified"


def test_the_filter_may_remove_the_strongest_pair() -> None:
    table, half = [(0, 0, 0), (0, 0, 1), (1, 1, 0)], Fraction(1, 2)
    dependences = {(x, y): dependence(table, x, [y]) for x, y in permutations(range(3), 2)}
    assert dependences[2, 0] == dependences[2, 1] > 1
    assert dependences[2, 0] ** 2 <= dependences[0, 1]  # I(2, 0) <= I(0, 1) / 2
    assert verdict("eq9.strongest@exact.or") == "refuted"
    noisy = [[Fraction(0), Fraction(-1)], [Fraction(-1), Fraction(0)]]
    for diagonal, reading in ((True, "diagonal"), (False, "off")):
        assert not keeps(noisy, half, 0, 1, "or", diagonal)
        assert verdict(f"eq9.strongest@noisy.{reading}") == "refuted"
    assert verdict("eq9.post") == "proved"


def test_clusters_share_records() -> None:
    one, other, clusters = (0, 0), (1, 1), ([0], [1])
    assert sum([one[x] for x in c] != [other[x] for x in c] for c in clusters) == 2
    assert dependence([(0, 0), (1, 1)], 0, [1]) == 4
    assert verdict("sec33.independent@attributes") == "verified"
    assert verdict("sec33.independent@records") == "refuted"
    assert verdict("sec33.independent@statistical") == "refuted"


# --- factorization ----------------------------------------------------------------------------------------------------


def marginal(chances: Mapping[Record, Fraction], x: int, y: int) -> dict[Record, Fraction]:
    law = dict.fromkeys(binary(2), Fraction(0))
    for record, p in chances.items():
        law[record[x], record[y]] += p
    return law


@pytest.mark.parametrize(("d", "n"), [(2, 2), (3, 2), (3, 3)])
def test_factorizations(d: int, n: int) -> None:
    choices = [[p for size in range(x + 1) for p in combinations(range(x), size)] for x in range(d)]
    for table in tables(binary(d), n):
        observed = frequencies(table)
        for parents in product(*choices):
            law = factorized(table, parents)
            assert sum(law.values()) == 1
            if all(len(p) == min(1, x) for x, p in enumerate(parents)):
                for x in range(1, d):
                    assert marginal(law, x, parents[x][0]) == marginal(observed, x, parents[x][0])
    assert verdict("sec23.fact@distribution") == "verified"
    assert verdict("prose.assoc@parent") == "verified"


def test_associations_are_lost() -> None:
    assert factorized([(0, 0), (1, 1)], [(), ()])[0, 0] == Fraction(1, 4)
    assert verdict("sec23.fact@equality") == "refuted"
    assert verdict("prose.assoc@across") == "refuted"
    table: list[Record] = [(0, 0, 0), (0, 1, 1), (1, 0, 1)]
    assert dependence(table, 1, [0]) == dependence(table, 2, [0]) == dependence(table, 2, [1])  # any tree is greedy
    observed = frequencies(table)
    assert marginal(factorized(table, [(), (0,), (0,)]), 1, 2) != marginal(observed, 1, 2)
    assert verdict("prose.assoc@cluster") == "refuted"


@given(st.lists(st.fractions(0, 1, max_denominator=7), min_size=13, max_size=13))
def test_the_product_of_figure_1(chances: list[Fraction]) -> None:
    parents: list[tuple[int, ...]] = [(), (0,), (1,), (0, 1), (2, 3)]
    starts = [0, 1, 3, 5, 9]
    total = Fraction(0)
    for record in binary(5):
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
    family = {most, *network[most]}
    return all({j, *network[j]} <= family for j in range(most))


@pytest.mark.parametrize(("c", "degree"), [(2, 1), (3, 1), (3, 2), (4, 1), (4, 2), (4, 3)])
def test_the_first_joint_table_tells_those_before(c: int, degree: int) -> None:
    networks = [*product(*(parent_sets("min-l", range(x), degree) for x in range(c)))]
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
    return sum((c - v) * len(parent_sets("min-l", range(v), degree)) for v in range(1, c))


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


def test_clique_tables_after_step_5_may_sum_to_something_else() -> None:
    first, second = [-1, 0, 1, 1], [0, 0, 0, 1]
    one, two = ([Fraction(x, sum(t)) for x in t] for t in (first, second))
    before, after = [one[b] + one[2 + b] for b in (0, 1)], [two[2 * b] + two[2 * b + 1] for b in (0, 1)]
    one = [x + (after[i % 2] - before[i % 2]) / 4 for i, x in enumerate(one)]
    two = [x + (before[i // 2] - after[i // 2]) / 4 for i, x in enumerate(two)]

    def clamped(cells: list[Fraction]) -> list[Fraction]:
        if min(cells) >= 0:
            return cells
        order = sorted((i for i in range(4) if cells[i] > 0), key=lambda i: (-cells[i], i))
        sums = [sum((cells[i] for i in order[:m]), Fraction(0)) for m in range(1, len(order) + 1)]
        best = min(range(len(sums)), key=lambda m: (abs(sums[m] - 1), m)) + 1
        return [x if i in order[:best] else Fraction(0) for i, x in enumerate(cells)]

    one, two = clamped(one), clamped(two)
    total = Fraction(0)
    for a, b, c in binary(3):
        below = two[2 * b] + two[2 * b + 1]
        if below:
            total += one[2 * a + b] / sum(one) * two[2 * b + c] / below
    assert total != 1
    assert verdict("base.jtree.junction@clamped") == "refuted"


@given(
    st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(any),
    st.lists(st.fractions(0, 1), min_size=2, max_size=2),
)
def test_consistent_clique_tables_give_a_distribution(first: list[int], shares: list[Fraction]) -> None:
    """The second table divides what the first one has of the shared attribute."""
    n = sum(first)
    shared = [first[b] + first[2 + b] for b in (0, 1)]
    second = [shared[b] * (shares[b] if c else 1 - shares[b]) for b in (0, 1) for c in (0, 1)]
    law = {
        (a, b, c): Fraction(first[2 * a + b]) * second[2 * b + c] / shared[b] / n if shared[b] else Fraction(0)
        for a, b, c in binary(3)
    }
    assert sum(law.values()) == 1
    for x, y in product((0, 1), repeat=2):
        assert sum(law[x, y, c] for c in (0, 1)) == Fraction(first[2 * x + y], n)
        assert sum(law[a, x, y] for a in (0, 1)) == second[2 * x + y] / n
    assert verdict("base.jtree.junction@consistent") == "verified"


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
    assert dependence([(0, 0, 0, 0, 0), (1, 1, 0, 0, 0)], 0, [1]) == 4  # n Delta = log 4
    assert verdict("base.jtree.graph") == verdict("base.jtree.dp@ro") == "refuted"
    assert verdict("base.jtree.graph.corrected") == "proved"
    assert verdict("base.jtree.dp@ar") == "unchecked"


@pytest.mark.parametrize(("w", "v"), [(1.5, 1.1), (4.0, 1.9)])
def test_all_comparisons_lose_at_most_half_of_their_budget_each(w: float, v: float) -> None:
    """Three attributes, two records: informations are Delta or 0; graphs, by the midpoint rule."""

    def tail(x: float) -> float:
        return exp(-x) / 2 if x > 0 else 1 - exp(x) / 2

    @cache
    def chance(edges: Record, bits: Record) -> float:
        total = 0.0
        for z in ((i + 0.5) / 50 - 20 for i in range(2000)):
            chances = [tail(z + log(v) - bit * log(w)) for bit in bits]
            total += exp(-abs(z)) / 100 * prod(p if e else 1 - p for e, p in zip(edges, chances, strict=True))
        return total

    def bits(table: Records) -> Record:
        return tuple(int(dependence(table, i, [j]) > 1) for i, j in combinations(range(3), 2))

    moved = {(bits(one), bits(other)) for one, other in neighbors(binary(3), 2)}
    ratios = [chance(edges, one) / chance(edges, other) for one, other in moved for edges in binary(3)]
    assert w < max(ratios) <= w**3
    assert verdict("base.jtree.dp@ro.corrected") == "verified"


# --- PrivBayes, where a record is added -------------------------------------------------------------------------------


def farness(table: Records) -> Fraction:
    """R / S(R)."""
    n, gap = len(table), Fraction(0)
    for x, y in binary(2):
        ones, others = sum(r[0] == x for r in table), sum(r[1] == y for r in table)
        gap += abs(Fraction(sum(r == (x, y) for r in table), n) - Fraction(ones * others, n * n))
    return gap / 2 / (Fraction(3, n) + Fraction(2, n * n))


def certainty(table: Records) -> Fraction:
    """F / S(F), the value 0 or 1 that X is to have for each value of the parent."""
    n, best = len(table), Fraction(-1)
    for owners in binary(2):
        own = [Fraction(sum(r[0] == x == owners[r[1]] for r in table), n) for x in (0, 1)]
        best = max(best, sum((min(k, Fraction(1, 2)) for k in own), Fraction(-1)))
    return best * n


def test_scores_of_privbayes_move_by_one_if_a_record_comes() -> None:
    for n in (2, 3, 4, 5):
        for rest, new in product(tables(binary(2), n - 1), binary(2)):
            for score in (farness, certainty):
                assert abs(score([*rest, new]) - score(rest)) <= 1
    assert verdict("base.privbayes.network.ar") == "verified"


def test_the_noise_of_privbayes_tells_the_number_of_records() -> None:
    """The log ratio of the densities of a noisy cell grows with it: scales 2 / n and 2 / (n + 1)."""

    def gap(y: float, n: int) -> float:
        return log(n / (n + 1)) + y * (n + 1) / 2 - y * n / 2

    assert gap(1e3, 2) > 400 < gap(1e3, 10**6)
    assert verdict("base.privbayes.joints.ar") == "proved"
