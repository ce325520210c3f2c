"""Divergences of two laws: against grids of orders, events and quantiles; laws of compositions; types of neighbors."""

import math
from collections.abc import Hashable, Iterator
from fractions import Fraction
from itertools import combinations, product
from statistics import NormalDist
from typing import Any

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from audit.maps import law_cases
from audit.maps.law_cases import adaptive, composed
from audit.maps.map_cases import SMALL, Map, histogram, noisy_count, response
from dp_audit import Verdict, audit_map
from dp_audit.exact_numbers import ends
from dp_audit.judge.suprema import neighbors
from dp_audit.observation.declared_map import DeclaredMap
from dp_audit.oracles import concentration
from dp_audit.oracles.laws import MAX_OUTCOMES, chances, law_of, total_of
from dp_audit.oracles.metrics import METRICS, metric
from dp_audit.run.declared_maps import MapHere
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.precision import allow_series, precision
from mutants.rewriting import planted_test, read_faults

WEIGHTS = st.lists(st.sampled_from([1, 2, 3, 10, 200]), min_size=3, max_size=3)
Law = tuple[tuple[Hashable, fmpq], ...]


def law(weights: list[int]) -> Law:
    return tuple((y, fmpq(w, sum(weights))) for y, w in enumerate(weights))


def divergence(p: Law, q: Law, order: float) -> float:
    total = sum(float(a) * float(a / b) ** (order - 1) for (_, a), (_, b) in zip(p, q, strict=True))
    return math.log(total) / (order - 1)


def enclosed(name: str, p: Law, q: Law) -> tuple[float, float]:
    """Both ends of a distance, as floats a little outside."""
    of = metric("d_out", name)
    low, high = ends(of.lowered(of.scaled(p, q)))
    return float(arb(low)) * (1 - 1e-12) - 1e-15, float(arb(high)) * (1 + 1e-12) + 1e-15


@given(WEIGHTS, WEIGHTS, st.sampled_from([2, 3, 5]))
def test_renyi_divergences_are_sums_of_powers(p: list[int], q: list[int], order: int) -> None:
    low, high = enclosed(f"Renyi {order}", law(p), law(q))
    near = max(divergence(law(p), law(q), order), divergence(law(q), law(p), order))
    assert low - 1e-9 <= near <= high + 1e-9
    between = enclosed(f"Renyi {2 * order + 1}/2", law(p), law(q))
    assert low <= between[1], "it grows with the order"
    assert between[0] <= enclosed(f"Renyi {order + 1}", law(p), law(q))[1]
    assert enclosed("Renyi 1", law(p), law(q))[0] <= high


@given(WEIGHTS, WEIGHTS)
def test_rho_is_the_largest_rate_of_a_grid(p: list[int], q: list[int]) -> None:
    low, high = enclosed("zero-concentrated", law(p), law(q))
    orders = [1 + 1.05**k / 100 for k in range(180)]
    rates = [divergence(*pair, order) / order for order in orders for pair in ((law(p), law(q)), (law(q), law(p)))]
    assert max(rates) <= high + 1e-9
    assert low <= max(rates) * 1.02 + 1e-12, "the grid is fine"
    assert high - low <= 1e-9


def test_rho_of_nearly_equal_laws_is_as_narrow() -> None:
    for shift in (10, 10**3, 10**6):
        p, q = fmpq(shift + 1, 2 * shift + 1), fmpq(shift, 2 * shift + 1)
        ball: Any = METRICS["zero-concentrated"].scaled(((0, p), (1, q)), ((0, q), (1, p)))
        with precision(192):
            assert ball.overlaps((arb(p) - arb(q)) * arb(p / q).log()), "that of Kullback and Leibler"
            assert ball.rel_accuracy_bits() > 90


@pytest.mark.parametrize(
    ("p", "q"),
    [
        ((0, fmpq(9, 10)), (0, fmpq(1))),
        ((0, fmpq(1, 2), fmpq(2, 5)), (0, fmpq(5, 9), fmpq(4, 9))),
        ((0, fmpq(1, 2), fmpq(1, 2)), (0, fmpq(1, 2) + fmpq(1, 2**400), fmpq(1, 2) - fmpq(1, 2**400))),
    ],
)
def test_rho_of_laws_that_are_equal_or_nearly_so_ends(p: tuple[Any, ...], q: tuple[Any, ...]) -> None:
    ball: Any = METRICS["zero-concentrated"].scaled(tuple(enumerate(p)), tuple(enumerate(q)))
    assert 0 <= ends(ball)[1] < fmpq(1, 2**700)


def test_mu_of_many_answers_of_which_most_are_rare_is_the_same_both_ways() -> None:
    one, other = (((0, 1 - fmpq(k, 100)), (1, fmpq(k, 100))) for k in (1, 2))
    for times in (30, 60):
        balls: list[Any] = [
            metric("d_out", "Gaussian").scaled((a,) * times, (b,) * times) for a, b in ((one, other), (other, one))
        ]
        assert balls[0].overlaps(balls[1])


def test_the_larger_direction_is_the_one_of_all_digits() -> None:
    p, q = law([1, 1]), law([333333334, 333333333])
    ball: Any = metric("d_out", "Renyi 1").scaled(p, q)
    with precision(256):
        ways = [
            sum((arb(a) * arb(a / b).log() for (_, a), (_, b) in zip(*way, strict=True)), arb(0))
            for way in ((p, q), (q, p))
        ]
        assert all(ends(way)[1] <= ends(ball)[1] for way in ways)


@pytest.mark.parametrize("order", [1023, 1025, 10**6])
def test_large_orders_are_near_the_largest_ratio(order: int) -> None:
    low, high = enclosed(f"Renyi {order}", law([1, 2]), law([2, 1]))
    assert math.log(2) - math.log(3) / (order - 1) <= high
    assert low <= math.log(2)


@given(WEIGHTS, WEIGHTS)
def test_mu_is_the_one_of_all_tests(p: list[int], q: list[int]) -> None:
    low, high = enclosed("Gaussian", law(p), law(q))
    events = [[y for y in range(3) if mask >> y & 1] for mask in range(1, 7)]
    normal = NormalDist()
    chance = [[float(sum(fmpq(w[y], sum(w)) for y in event)) for event in events] for w in (p, q)]
    gaps = [normal.inv_cdf(a) - normal.inv_cdf(b) for a, b in zip(*chance, strict=True)]
    assert low - 1e-7 <= max(map(abs, gaps)) <= high + 1e-7


@given(WEIGHTS, WEIGHTS, st.fractions(0, 1, max_denominator=9))
def test_epsilon_at_a_delta_is_the_smallest_one(p: list[int], q: list[int], delta: Fraction) -> None:
    ratio = metric("d_out", f"max-divergence {delta}").scaled(law(p), law(q))
    assert isinstance(ratio, fmpq)

    def excess(factor: fmpq) -> fmpq:
        pairs = [(a, b) for (_, a), (_, b) in zip(law(p), law(q), strict=True)]
        sums = [
            sum((max(x - factor * y, fmpq(0)) for x, y in way), fmpq(0)) for way in (pairs, [v[::-1] for v in pairs])
        ]
        return max(sums)

    exact = fmpq(delta.numerator, delta.denominator)
    assert excess(ratio) <= exact
    assert ratio == 1 or excess(ratio * fmpq(999, 1000)) > exact


@pytest.mark.parametrize("name", ["zero-concentrated", "Gaussian", "Renyi 2", "Renyi 3/2", "Renyi 1", "max-divergence"])
def test_what_only_one_law_has_is_infinitely_far(name: str) -> None:
    p, q = ((0, fmpq(1)),), ((0, fmpq(1, 2)), (1, fmpq(1, 2)))
    assert metric("d_out", name).scaled(p, q) is None
    assert metric("d_out", name).scaled(q, p) is None
    assert metric("d_out", name).scaled(q, q) in (0, 1)


def slanted(item: int) -> dict[int, Fraction]:
    """Weights 1, 2, 3 or 3, 2, 1."""
    return {0: Fraction(1 + 2 * item, 6), 1: Fraction(1, 3), 2: Fraction(3 - 2 * item, 6)}


def test_a_number_nearer_than_its_ball_is_undecided() -> None:
    ball = metric("d_out", "zero-concentrated").scaled(law([1, 2, 3]), law([3, 2, 1]))
    assert isinstance(ball, arb)
    near = Fraction(str(ball.mid().fmpq()))
    row = audit_map(Map("", slanted, near, (0, 1), "discrete", "zero-concentrated")).row("declared map")
    assert (row.verdict, "nearer to the true number" in row.detail) == (Verdict.UNDECIDED, True)


# --- compositions -----------------------------------------------------------------------------------------------------


def canonical(value: Any) -> Any:
    """A law as the child tells it."""
    if isinstance(value, dict):
        return tuple((key, canonical(part)) for key, part in value.items())
    if isinstance(value, list | tuple):
        return tuple(map(canonical, value))
    return fmpq(value.numerator, value.denominator) if isinstance(value, Fraction) else value


def test_a_list_of_laws_is_their_product() -> None:
    for times in (1, 2, 4):
        one, whole = response(2, 3), law_of(canonical(composed(response(2, 3), times)(0)))
        for answers in product((0, 1), repeat=times):
            assert whole[answers] == canonical(math.prod((one(0)[y] for y in answers), start=Fraction(1)))
        assert total_of(canonical(composed(one, times)(0))) == 1
        merged = chances(*(canonical(composed(one, times)(item)) for item in (0, 1)))
        assert len(merged) == times + 1
        assert sum((p for p, _ in merged), fmpq(0)) == sum((q for _, q in merged), fmpq(0)) == 1


def test_an_adaptive_law_multiplies_along_its_answers() -> None:
    whole = law_of(canonical(adaptive(1)))
    assert whole == {(0, 0): fmpq(1, 24), (0, 1): fmpq(5, 24), (1, 0): fmpq(3, 12), (1, 1): fmpq(6, 12)}


def test_a_product_says_which_law_is_not_one() -> None:
    half = {0: Fraction(1, 2), 1: Fraction(1, 2)}
    assert total_of(canonical([half, {0: Fraction(1, 3)}])) == fmpq(1, 3)


def test_a_product_has_a_bounded_number_of_outcomes() -> None:
    laws = tuple(canonical({y: Fraction(1, 100) for y in range(100)}) for _ in range(3))
    with pytest.raises(DomainError, match=str(MAX_OUTCOMES)):
        law_of(laws)


@pytest.mark.parametrize("value", [5, "ab", [[0, -1]], [[0, 1], [0, 1]], [[0, 1], 3], [[0, [1, 2]]], [3]])
def test_what_is_no_law_is_refused(value: Any) -> None:
    with pytest.raises(DomainError):
        law_of(canonical(value))


# --- types of neighbors -----------------------------------------------------------------------------------------------


def plain(observation: DeclaredMap, d_in: str, d_out: str) -> dict[fmpq, Any]:
    """The largest distance of outputs up to every distance of inputs, by all pairs."""
    of_in, of_out = metric("d_in", d_in), metric("d_out", d_out)
    pairs: list[tuple[Any, Any]] = []
    for x, y in combinations(observation.members.values(), 2):
        distance = of_in.scaled(x.value, y.value)
        if distance is not None:
            pairs.append((distance, of_out.scaled(x.output, y.output)))
    largest: dict[fmpq, Any] = {}
    for distance in sorted({distance for distance, _ in pairs}):
        scaled = [out for at, out in pairs if at <= distance]
        largest[distance] = None if None in scaled else max(scaled)
    return largest


TYPED: tuple[tuple[Any, str, str], ...] = (
    (sum, "symmetric", "absolute"),
    (histogram(3), "change-one", "L1"),
    (lambda rows: rows, "symmetric", "insert-delete"),
    (lambda rows: rows[::-1], "insert-delete", "symmetric"),
    (lambda rows: rows[:1], "Hamming", "Hamming"),
    (noisy_count(Fraction(1, 2), 4), "symmetric", "max-divergence"),
    (noisy_count(Fraction(1, 2), 4), "symmetric", "hockey-stick 0"),
    (lambda rows: 1 / sum(rows) if sum(rows) else math.nan, "symmetric", "absolute"),
    (lambda rows: {row: rows.count(row) for row in rows}, "change-one", "L1 of absolute"),
)


def wrong_types() -> Iterator[str]:
    """Maps of which types of neighbors do not have the suprema of plain pairs, or not the members that show it."""
    for function, d_in, d_out in TYPED:
        observation = MapHere(Map("", function, 1, SMALL, d_in, d_out)).evaluate(1000, None, ())
        of_in, of_out = metric("d_in", d_in), metric("d_out", d_out)
        suprema = neighbors(observation, of_in, of_out).suprema(of_out)
        if {one.distance: one.largest.scaled for one in suprema} != plain(observation, d_in, d_out):
            yield f"{d_in}, {d_out}"
        for one in suprema:
            left, right = (observation.members[number] for number in one.largest.members)
            apart: Any = of_in.scaled(left.value, right.value)
            if of_out.scaled(left.output, right.output) != one.largest.scaled or apart > one.distance:
                yield f"{d_in}, {d_out}, witness"


def test_types_of_neighbors_have_the_suprema_of_plain_pairs() -> None:
    assert not list(wrong_types())


# --- planted faults ---------------------------------------------------------------------------------------------------


def misjudged() -> Iterator[str]:
    """Cases whose number is accused and right, or believed and wrong, or said to be attained and is not."""
    concentration._rho.cache_clear()
    for case in law_cases.RIGHT:
        row = audit_map(case).row("declared map")
        if (row.verdict, "attained" in row.detail) != (Verdict.CONFORMS, case.attained):
            yield case.name
    for case in law_cases.WRONG:
        if [row.check for row in audit_map(case).faults] != ["declared map"]:
            yield case.name


def off_grids() -> Iterator[str]:
    """Laws whose rho is below a rate, above all of a fine grid, or known to few digits."""
    concentration._rho.cache_clear()
    for p, q in (
        ([1, 2, 6], [2, 1, 7]),
        ([1, 99], [10, 90]),
        ([1, 1, 200], [200, 10, 1]),
        ([1, 1, 1], [1, 3, 10]),
        ([1, 1, 1], [1, 1, 2]),
    ):
        low, high = enclosed("zero-concentrated", law(p), law(q))
        orders = [1 + 1.02**k / 1000 for k in range(550)]
        rates = [divergence(*pair, order) / order for order in orders for pair in ((law(p), law(q)), (law(q), law(p)))]
        if not max(rates) - 1e-9 <= high <= low + 1e-9 <= max(rates) * 1.002 + 1e-9:
            yield f"{p}, {q}"


def lost_places() -> Iterator[str]:
    """Places whose Taylor coefficients are not among those that are said of all places around them."""
    with precision(concentration.BITS):
        allow_series(concentration.TERMS + 4)
        rate = concentration._Rate([(fmpq(2, 3), fmpq(1, 20)), (fmpq(1, 3), fmpq(19, 20))])
        for middle, radius in ((fmpq(9, 8), fmpq(1, 8)), (fmpq(3, 2), fmpq(1, 2)), (fmpq(3), fmpq(1))):
            around = rate._rates(middle, radius)
            for place in (middle + radius * fmpq(step, 4) for step in range(-4, 5)):
                if not all(map(arb.overlaps, around, rate._rates(place, fmpq(0)))):
                    yield f"{place} around {middle}"


def test_what_is_said_of_all_places_holds_at_each() -> None:
    assert not list(lost_places())


test_planted_faults_are_found = planted_test(
    read_faults("declared_maps.toml"),
    {
        "declared numbers": misjudged,
        "rho on grids": off_grids,
        "remainders": lost_places,
        "types of neighbors": wrong_types,
    },
)
