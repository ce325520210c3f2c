"""Attackers on tiny tables: the laws of the synthetic table are the programs', the bound is that of the definition."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx

from dp_refimpl.synthesis.tables import CountTable
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_studies.reproduce.numbers import BITS, ball
from dp_studies.reproduce.s003.attackers import (
    EPSILON,
    LAWS,
    SIZES,
    bound,
    differencing,
    matched,
    matching,
    noisy_power,
    result,
    simulated,
    stated_table,
)
from dp_studies.reproduce.s003.crowds import adult, chances, copied, counted, mean
from dp_studies.reproduce.s003.data import named

ONE, TWO = CountTable.of_records(SIZES, [(0, 0), (1, 1)]), CountTable.of_records(SIZES, [(0, 1), (0, 1)])


@pytest.mark.parametrize("method", LAWS)
def test_chances_are_between_those_of_a_coin_and_of_certainty(method: str) -> None:
    simulation: dict[str, Any] = result(method, 2, "1/5")
    for attacker in ("informed", "matching"):
        assert 0.5 < float(simulation[attacker]["mean"]) <= float(simulation[attacker]["largest"]) <= 1
    with ctx.workprec(BITS):
        assert compare(sum(LAWS[method]("1/5", ONE).values(), arb(0)), 1) is not Ordering.GREATER
        most = float(bound("1/5").mid())
    assert (float(simulation["informed"]["largest"]) <= most) is (method != "NoPrivacy")


@pytest.mark.parametrize("share", [Fraction(0), Fraction(1, 3), Fraction(1)])
@pytest.mark.parametrize("scale", [Fraction(1, 10), Fraction(30)])
def test_powers_of_a_clamped_probability(share: Fraction, scale: Fraction) -> None:
    """They add up as powers do, and E P is the integral of P(P > t) over t."""
    with ctx.workprec(BITS):
        assert noisy_power(share, scale, 0, 0).overlaps(arb(1))
        for ones in range(3):
            for zeros in range(3):
                parts = noisy_power(share, scale, ones + 1, zeros), noisy_power(share, scale, ones, zeros + 1)
                assert sum(parts, arb(0)).overlaps(noisy_power(share, scale, ones, zeros))
                assert all(part.rad() < arb(2) ** -100 for part in parts)
        tails = [(ball(-distance / scale)).exp() for distance in (share, 1 - share)]
        mean = ball(share) + ball(scale) / 2 * (tails[0] - tails[1])
        assert noisy_power(share, scale, 1, 0).overlaps(mean)


def test_noprivacy_by_hand() -> None:
    """Of (0, 0) and (1, 1) either root copies its attribute: rows are (0, 0) or (1, 1), each with chance 1/2."""
    law = {data.vector: chance for data, chance in LAWS["NoPrivacy"]("1", ONE).items()}
    assert {vector: float(chance.mid()) for vector, chance in law.items()} == {
        (2, 0, 0, 0): 0.25,
        (1, 0, 0, 1): 0.5,
        (0, 0, 0, 2): 0.25,
    }


def test_the_matching_attacker() -> None:
    half = Fraction(1, 2)
    assert matching(ONE) == {(0, 0): 1, (0, 1): 0, (1, 0): 0, (1, 1): 1}
    assert matching(TWO) == {(0, 0): 0, (0, 1): 1, (1, 0): half, (1, 1): half}
    assert [matched(ONE, ONE), matched(ONE, TWO), matched(TWO, ONE)] == [1, Fraction(1, 4), 0]


def test_the_differencing_attacker() -> None:
    """Beside (0, 0), of which there is one synthetic row: then (1, 1) is more than is known, and (1, 0) is not."""
    knowledge = CountTable.of_records(SIZES, [(0, 0)])
    assert [differencing(knowledge, ONE, (1, 1)), differencing(knowledge, ONE, (1, 0))] == [1, 0]
    assert [differencing(knowledge, ONE, (0, v)) for v in (0, 1)] == [Fraction(1, 2)] * 2
    assert [differencing(knowledge, TWO, (0, v)) for v in (0, 1)] == [0, 1]


def test_random_records_come_after_those_of_the_size_of_adult() -> None:
    n = 45222
    table = named("adult")
    assert np.array_equal(adult(100_000).records[:n], adult(n).records)
    assert np.array_equal(adult(n).records[:, 1], table.bits[:, table.labels])
    rest = counted(adult(100_000)).n - counted(adult(n)).n
    assert rest == 54778  # as the source says


@pytest.mark.slow
@pytest.mark.parametrize("method", LAWS)
def test_arrays_have_the_chances_of_the_law(method: str) -> None:
    """The interval of 100 runs on three records contains the exact chance of the matching attacker."""
    average = mean(chances(copied(3), method, [(7, run) for run in range(100)])["matching"], Fraction(1, 1000))
    low, high = (float(end) for end in average["interval"])
    with ctx.workprec(BITS):
        table = stated_table(3)
        law = LAWS[method](EPSILON, table)
        exact = sum((chance * ball(matched(table, data)) for data, chance in law.items()), arb(0))
    assert low < float(exact.mid()) < high
    assert high - low < 0.45


def test_simulated_chances_are_those_of_the_law() -> None:
    simulation = simulated(2, 7, Fraction(1, 1000), "9", 60)["matching"]
    assert simulation["inside"]
    assert float(simulation["interval"][0]) > 0.5
