"""A block says how precisely balls are computed, and nothing after it is; what is kept is kept for each precision."""

from fractions import Fraction

from flint import arb, arb_series

from dp_spec.vocabulary.precision import allow_series, current_bits, kept_by_precision, precision
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import ball


def test_blocks_are_nested_and_end() -> None:
    before = current_bits()
    with precision(300):
        with precision(90):
            assert current_bits() == 90
            rough = arb(1) / 3
        assert current_bits() == 300
        fine = arb(1) / 3
    assert current_bits() == before
    assert rough.rel_accuracy_bits() < 100 < 290 < fine.rel_accuracy_bits()


def test_a_number_becomes_a_ball_of_the_block() -> None:
    root = Real.power(None, Fraction(1, 3))
    for bits in (64, 500):
        with precision(bits):
            assert bits - 8 <= ball(root).rel_accuracy_bits() <= bits + 8


def test_what_is_kept_is_kept_by_precision() -> None:
    calls = []

    @kept_by_precision(8)
    def third(number: int) -> arb:
        """A third."""
        calls.append(number)
        return arb(number) / 3

    for bits in (100, 200, 100, 200):
        with precision(bits):
            assert third(1).rel_accuracy_bits() >= bits - 3
    assert calls == [1, 1]
    assert third.__doc__ == "A third."


def test_series_are_as_long_as_they_are_let_be() -> None:
    assert allow_series(40) == 40
    assert (arb_series([0, 1], prec=40).exp())[39] > 0
