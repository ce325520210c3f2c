"""Laplace noise after clamping: the law of which cells are above 0, bounds of chances of rows; planted faults."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from math import exp

import mpmath
import pytest
from flint import arb, fmpq

from cases.faults import fault_test, in_module, nothing_wrong_test
from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.enumeration import output_law
from dp_refimpl.matrix.laplace import Laplace
from dp_refimpl.synthesis import clamped_laplace
from dp_refimpl.synthesis.clamped_laplace import PositiveCells, at_most_step, equal_rows
from dp_refimpl.synthesis.noisy_tables import HnoisyConditionals
from dp_refimpl.synthesis.tables import CountTable
from dp_spec.vocabulary.scalar import compare
from independent.numbers import fraction

HALF = fmpq(1, 2)


def wrong_chances() -> Iterator[str]:
    """Against the Laplace law of a rational scale, whose numbers are powers of e."""
    for scale, distance in product((fmpq(1, 3), fmpq(2)), range(-3, 4)):
        alpha = (-1 / arb(scale)).exp()
        if not clamped_laplace.at_most_step(alpha, distance).overlaps(Laplace(scale).cdf(distance)):
            yield f"at most {distance} at scale {scale}"


def wrong_bounds() -> Iterator[str]:
    """Of one row the chances of two values add up to 1, and are halves where the counts are equal; more steps are
    nearer; without much noise a row follows the counts; one integral."""
    for counts, steps in product(((0, 1), (1, 0), (1, 1), (2, 1)), (1, 3)):
        least, most = map(fraction, clamped_laplace.equal_rows(counts, 1, HALF, steps))
        turned = tuple(map(fraction, clamped_laplace.equal_rows((counts[1], counts[0]), 1, HALF, steps)))
        if not least < most or not turned[0] + least <= 1 <= turned[1] + most:
            yield f"{counts} {steps}"
    coarse, fine = (clamped_laplace.equal_rows((1, 2), 3, alpha, s) for alpha, s in ((fmpq(1, 16), 1), (HALF, 4)))
    if not fraction(coarse[0]) < fraction(fine[0]) < fraction(fine[1]) < fraction(coarse[1]):
        yield "more steps are not nearer"
    least, most = map(fraction, clamped_laplace.equal_rows((6, 2), 2, fmpq(1, 2**40), 8))
    if not least < Fraction(9, 16) < most or most - least > Fraction(1, 10):
        yield "without much noise"
    least, most = map(fraction, clamped_laplace.equal_rows((0, 1), 2, HALF, 16))
    if not least < Fraction(integral()) < most or most - least > Fraction(1, 20):
        yield "the integral"


def integral() -> float:
    """The chance of two rows of the first of two values with counts 0 and 1, the noise falling by 1/2^16 a unit."""
    rate = 16 * mpmath.log(2)

    def density(x: float, center: int) -> mpmath.mpf:
        return rate / 2 * mpmath.exp(-rate * abs(x - center))

    def joint(x: mpmath.mpf) -> mpmath.mpf:
        return density(x, 0) * mpmath.quad(lambda y: density(y, 1) * (x / (x + y)) ** 2, [0, 1, 2], maxdegree=4)

    with mpmath.workdps(8):
        beside = mpmath.quad(joint, [0, 1], maxdegree=5)
    alone = exp(-rate) / 2  # the other count is at most 0
    return float(beside + alone / 2 + alone / 8)


test_chances = nothing_wrong_test(wrong_chances)
test_bounds = nothing_wrong_test(wrong_bounds)
test_faults_of_chances = fault_test(
    wrong_chances,
    in_module(
        clamped_laplace,
        {
            "of discrete noise": ("at_most_step", lambda alpha, z: alpha ** abs(z) / (1 + alpha)),
            "not halved": ("at_most_step", lambda alpha, z: alpha ** abs(z)),
            "the other side": ("at_most_step", lambda alpha, z: at_most_step(alpha, -z)),
        },
    ),
)
_RIGHT = clamped_laplace._interval_chances
test_faults_of_bounds = fault_test(
    wrong_bounds,
    in_module(
        clamped_laplace,
        {
            "shares from above": ("_share", lambda begins, ends, top: fmpq(begins + 1, begins + max(ends, 1))),
            "all beside none": ("_share", lambda begins, ends, top: fmpq(1)),
            "counts turned": ("_interval_chances", lambda center, alpha, top: _RIGHT(center, alpha, top)[::-1]),
            "twice the noise": ("_interval_chances", lambda center, alpha, top: _RIGHT(center, alpha**2, top)),
            "of no count": ("_interval_chances", lambda center, alpha, top: _RIGHT(0, alpha, top)),
        },
    ),
)


@pytest.mark.parametrize("alpha", [HALF, fmpq(3, 4)])
def test_the_law_of_the_program_is_the_product(alpha: fmpq) -> None:
    table, noise = CountTable.of_records((2,), [(0,), (1,), (1,)]), PositiveCells((alpha,))
    program = partial(HnoisyConditionals(noise, 0).noisy_joints, table, ((0, ()),))
    law = {joint.cells: p for (joint,), p in output_law(program, fmpq(1)).items()}
    one, two = noise.law(0, 1), noise.law(0, 2)
    assert law == {(fmpq(i), fmpq(j)): one[i] * two[j] for i, j in product(range(2), repeat=2)}
    assert one[0] == alpha / 2
    assert compare(two[0], one[0]).name == "LESS"


NOISE = PositiveCells((HALF,))
test_refusals = refusal_test(
    refuses("alpha", lambda alpha: PositiveCells((alpha,)), fmpq(0), fmpq(1), fmpq(-1)),
    refuses_each("joint", NOISE.law, (1, 0), (-1, 0), (True, 0)),
    refuses_each("count", NOISE.law, (0, -1), (0, 0.5)),
    refuses("distance", lambda z: at_most_step(HALF, z), 0.5, True, None),
    refuses_each("alpha", equal_rows, ((1, 0), 1, 0.5, 1), ((1, 0), 1, fmpq(1), 1)),
    refuses_each("rows", equal_rows, ((1, 0), 0, HALF, 1), ((1, 0), 1.0, HALF, 1)),
    refuses_each("steps", equal_rows, ((1, 0), 1, HALF, 0), ((1, 0), 1, HALF, True)),
    refuses_each("n", equal_rows, ((0, 0), 1, HALF, 1)),
    refuses_each("count", equal_rows, ((2, -1), 1, HALF, 1)),
)
