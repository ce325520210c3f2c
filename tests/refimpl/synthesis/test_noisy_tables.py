"""Algorithm 5 against a sum over all noisy tables; its weights, scales and readings; planted faults are caught."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from cases.faults import mutant_test
from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.coins import SamplingCoins
from dp_refimpl.synthesis.conditionals import UnderivableError
from dp_refimpl.synthesis.network import Network
from dp_refimpl.synthesis.noisy_tables import (
    HnoisyConditionals,
    LaplaceCells,
    NoCellNoise,
    RangeGeometric,
    entropy_weights,
    geometric_alphas,
    noise_scales,
    risk_entropy,
    shares,
)
from dp_refimpl.synthesis.tables import CountTable, Record
from dp_spec.vocabulary.budget import Budget, every_budget, rational_budget, real_budget
from dp_spec.vocabulary.exceptions import NotExactError
from dp_spec.vocabulary.real import Real
from independent.brute_force_synthesis import conditionals_law
from independent.numbers import fraction, plain_law

ALPHAS = [Fraction(1, 3), Fraction(1, 9), Fraction(1, 27)]
A, B, C = (0, ()), (1, (0,)), (2, (1,))
CASES: list[tuple[tuple[Record, ...], tuple[int, ...], Network, int, int]] = [
    (((0, 1), (1, 1)), (2, 2), (A, B), 1, 1),
    (((0, 1), (1, 1)), (2, 2), (A, B), 0, 0),
    (((0, 1),), (2, 3), (A, B), 1, 1),
    (((0, 1),), (2, 2), ((1, ()), (0, (1,))), 3, 1),
    (((0, 1, 0),), (2, 2, 2), (A, B, C), 1, 1),
    (((0, 1, 1), (0, 1, 0)), (2, 2, 2), ((2, ()),), 2, 0),
    (((0, 0), (0, 0)), (1, 2), (A, (1, ())), 0, 0),
]


def fractions(conditionals: Any) -> Any:
    return tuple(
        (c.attribute, c.parents, tuple((v, p and tuple(fraction(q) for q in p)) for v, p in c.rows))
        for c in conditionals
    )


def wrong_laws(make: Callable[..., Any]) -> Iterator[str]:
    for (records, sizes, network, degree, prefix), empty in product(CASES, ("uniform", "undefined")):
        table = CountTable.of_records(sizes, records)
        program = make(RangeGeometric((fmpq(1, 3), fmpq(1, 9), fmpq(1, 27))), degree, "d-degree", empty)
        law = {fractions(output): p for output, p in plain_law(program.publish, table, network).items()}
        if law != conditionals_law(records, sizes, network, ALPHAS[: len(network) - prefix], empty):
            yield f"{records} {network} {degree} {empty}"


def test_the_law_is_the_sum_over_noisy_tables() -> None:
    assert list(wrong_laws(HnoisyConditionals)) == []


class SameAlpha(RangeGeometric[fmpq]):
    def law(self, joint: int, count: int, n: int) -> tuple[fmpq, ...]:
        return super().law(0, count, n)


class Mirrored(RangeGeometric[fmpq]):
    def law(self, joint: int, count: int, n: int) -> tuple[fmpq, ...]:
        return super().law(joint, n - count, n)


class Folded(RangeGeometric[fmpq]):
    def law(self, joint: int, count: int, n: int) -> tuple[fmpq, ...]:
        weights = [self.alphas[joint] ** abs(x - count) for x in range(n + 1)]
        return tuple(weight / sum(weights) for weight in weights)


class OwnJoint(HnoisyConditionals):
    def prefix_length(self, table: CountTable, network: Network) -> int:
        return 0


class Shorter(HnoisyConditionals):
    def prefix_length(self, table: CountTable, network: Network) -> int:
        return max(super().prefix_length(table, network) - 1, 0)


FAULTS: dict[str, Callable[..., Any]] = {
    "one alpha for all": lambda noise, *a: HnoisyConditionals(SameAlpha(noise.alphas), *a),
    "mirrored": lambda noise, *a: HnoisyConditionals(Mirrored(noise.alphas), *a),
    "normalized instead of clamped": lambda noise, *a: HnoisyConditionals(Folded(noise.alphas), *a),
    "every pair its own joint": OwnJoint,
    "shorter prefix": Shorter,
    "no noise": lambda noise, *a: HnoisyConditionals(NoCellNoise(), *a),
    "uniform in both readings": lambda noise, degree, prefix, empty: HnoisyConditionals(
        noise, degree, prefix, "uniform"
    ),
}
test_planted_fault_is_caught = mutant_test(lambda make: any(wrong_laws(make)), FAULTS)


def test_the_readings_of_the_prefix() -> None:
    table, chain = CountTable.of_records((2, 2, 2), [(0, 1, 0)]), (A, B, C)
    by_degree, by_attributes = HnoisyConditionals(NoCellNoise(), 1), HnoisyConditionals(NoCellNoise(), 1, "d-attrs")
    assert [by_degree.prefix_length(table, chain[:c]) for c in (1, 2, 3)] == [0, 1, 1]
    assert [by_attributes.prefix_length(table, chain[:c]) for c in (1, 2, 3)] == [0, 1, 2]
    coins = SamplingCoins(default_rng(0))
    assert len(by_degree.publish(table, chain, coins)) == 3
    with pytest.raises(UnderivableError):
        by_attributes.publish(table, chain, coins)
    filtered = (A, (1, ()), (2, (1,)))  # the second attribute is left without its parent
    with pytest.raises(UnderivableError):
        by_degree.publish(table, filtered, coins)
    assert len(HnoisyConditionals(NoCellNoise(), 1, "none").noisy_joints(table, filtered, coins)) == 3


def test_without_noise_the_conditionals_are_frequencies() -> None:
    table = CountTable.of_records((2, 2), [(0, 0), (0, 1), (0, 1), (1, 1)])
    program = HnoisyConditionals(NoCellNoise(), 1)
    first, second = program.publish(table, (A, B), SamplingCoins(default_rng(0)))
    assert first.law({}) == (fmpq(3, 4), fmpq(1, 4))
    assert [law for _, law in second.rows] == [(fmpq(1, 3), fmpq(2, 3)), (0, 1)]


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), min_size=2, max_size=6),
    st.sampled_from(["values", "records"]),
)
def test_risk_entropy_agrees_with_fifty_digits(records: list[tuple[int, int]], base: Any) -> None:
    table, n = CountTable.of_records((3, 2), records), len(records)
    with mpmath.workdps(50):
        frequencies = [mpmath.mpf(sum(r[0] == v for r in records)) / n for v in range(3)]
        divisor = mpmath.log(3 if base == "values" else n)
        expected = str(-sum(p * mpmath.log(p) for p in frequencies if p) / divisor)
    with ctx.workprec(160):
        ball = risk_entropy(table, 0, base).enclosure(160)
        assert abs(ball - arb(expected)) < fmpq(1, 10**40)
        assert not ball > 1
        (weight,) = entropy_weights(table, (0,), base)
        assert weight == 1
        two: Any = entropy_weights(table, (0, 1), base)
        other = risk_entropy(table, 1, base).enclosure(160)
        quotient_ = (two[0] / two[1]).enclosure(160) if isinstance(two[0], Real) else two[0] / two[1]
        assert abs(quotient_ - (other - ball).exp()) < fmpq(1, 10**30)


def test_scales_are_exact_where_they_can_be() -> None:
    even = CountTable.of_records((2, 2, 4), [(0, 0, 0), (0, 1, 0), (0, 1, 3), (0, 0, 3)])
    weights: Any = entropy_weights(even, (0, 1, 2))
    assert [str(w.exact()) for w in weights] == ["1", "1/e", "1/e^(1/2)"]
    scales = noise_scales(4, fmpq(1, 2), weights)
    assert scales[1] / scales[0] == Real.power(None, Fraction(1))
    assert sum(shares(weights), Real.lift(0)) == 1
    assert noise_scales(10, fmpq(1), (fmpq(1), fmpq(1))) == (fmpq(2, 5), fmpq(2, 5))
    assert noise_scales(10, fmpq(1), (fmpq(3),)) == (fmpq(1, 5),)
    assert noise_scales(1, 2, (fmpq(1), fmpq(3))) == (fmpq(4), fmpq(4, 3))


def test_alphas_are_exact_where_they_can_be() -> None:
    assert geometric_alphas(rational_budget("8*ln(2)"), (fmpq(1, 4), fmpq(3, 4))) == (fmpq(1, 2), fmpq(1, 8))
    field = every_budget(4)
    assert geometric_alphas(field, (fmpq(1, 2),)) == (1 / field.root,)
    assert geometric_alphas(Budget(1), shares((Real.lift(2), Real.lift(2)))) == (Real.power(None, Fraction(-1, 4)),) * 2
    uneven = shares((Real.lift(1), Real.power(None, Fraction(-1))))
    with ctx.workprec(80):
        balls = geometric_alphas(real_budget(2, 80), uneven)
        assert (balls[0] * balls[1]).overlaps(arb(-1).exp())


def test_laplace_noise_neither_overflows_nor_is_undefined() -> None:
    table, coins = CountTable.of_records((2, 2), [(0, 0), (1, 1)] * 5), SamplingCoins(default_rng(0))
    for scale in (0.0, 1e-300, 1.0, 1.7e308):
        noise = LaplaceCells((scale,), default_rng(7))
        for _ in range(20):
            made = HnoisyConditionals(noise, 1).publish(table, (A, B), coins)
            assert all(sum(law or (), fmpq(0)) == 1 for c in made for _, law in c.rows)
    exact = HnoisyConditionals(LaplaceCells((0.0,), default_rng(7)), 1).publish(table, (A, B), coins)
    assert exact == HnoisyConditionals(NoCellNoise(), 1).publish(table, (A, B), coins)


HELD = CountTable.of_records((2, 1), [(0, 0), (1, 0)])
EMPTY, COINS = CountTable((2, 2), ()), SamplingCoins(default_rng(0))
PLAIN: Any = HnoisyConditionals(NoCellNoise(), 1)
GEOMETRIC: Any = RangeGeometric((fmpq(1, 2),))
test_refusals = refusal_test(
    refuses("alpha", lambda alpha: RangeGeometric((alpha,)), fmpq(0), fmpq(1), fmpq(-1, 2), fmpq(2)),
    refuses_each("joint", GEOMETRIC.law, (1, 0, 2), (-1, 0, 2)),
    refuses_each("count", GEOMETRIC.law, (0, 3, 2), (0, -1, 2)),
    refuses("scale", lambda scale: LaplaceCells((scale,), default_rng(0)), -1.0, float("inf"), float("nan"), 1),
    refuses("degree", lambda degree: HnoisyConditionals(NoCellNoise(), degree), -1, True, 1.0),
    refuses("prefix", lambda prefix: HnoisyConditionals(NoCellNoise(), 1, prefix), "d", None),
    refuses("empty", lambda empty: HnoisyConditionals(NoCellNoise(), 1, empty=empty), "zero", None),
    refuses("n", lambda: PLAIN.publish(EMPTY, (A, B), COINS)),
    refuses("network", lambda network: PLAIN.publish(HELD, network, COINS), (), ((0, (1,)),)),
    refuses("attributes", lambda network: PLAIN.publish(HELD, network, COINS), ((2, ()),)),
    refuses(
        "joints", lambda joints: PLAIN.conditionals((A,), joints), (), PLAIN.noisy_joints(HELD, (A, (1, ())), COINS) * 2
    ),
    refuses("base", lambda base: risk_entropy(HELD, 0, base), "log2", None),
    refuses("values", lambda: risk_entropy(HELD, 1)),
    refuses("records", lambda: risk_entropy(CountTable.of_records((2,), [(0,)]), 0, "records")),
    refuses("n", lambda: risk_entropy(EMPTY, 0)),
    refuses("weights", shares, (), (fmpq(0),), (fmpq(1), fmpq(-1))),
    refuses("weights", lambda weights: noise_scales(2, 1, weights), (fmpq(0), fmpq(1)), (fmpq(-1), fmpq(2))),
    refuses("generator", lambda g: LaplaceCells((1.0,), g), None, 3),
    refuses("n", lambda n: noise_scales(n, 1, (fmpq(1),)), 0, True),
    refuses("epsilon", lambda epsilon: noise_scales(1, epsilon, (fmpq(1),)), 0, fmpq(-1)),
    refuses("budget", lambda: geometric_alphas(rational_budget("ln(2)"), (fmpq(1),)), kind=NotExactError),
    refuses("budget", lambda: geometric_alphas(rational_budget("ln(2)"), (Real.power(None, Fraction(-1)),))),
)
