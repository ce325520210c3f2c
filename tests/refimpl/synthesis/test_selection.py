"""Laws of the exponential mechanism against plain weights, in all fields."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import mpmath
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from cases.refusals import refusal_test, refuses
from dp_refimpl.coins import SamplingCoins, ScriptedCoins
from dp_refimpl.enumeration import output_law
from dp_refimpl.synthesis.information import Information, entropy_sensitivity
from dp_refimpl.synthesis.selection import ExponentialMechanism, Maximum, RealExponentialMechanism
from dp_spec.vocabulary.budget import Budget, every_budget, real_budget
from dp_spec.vocabulary.exceptions import NotExactError
from independent.numbers import fraction

POWERS = [(1,), (1, 4), (4, 1, 4), (1, 1)]
"""e^(nH) at n = 2."""


def quantity(p: int, q: int, n: int) -> Information:
    return Information(fmpq(p, q), n)


def plain(weights: Sequence[Fraction]) -> list[Fraction]:
    return [weight / sum(weights) for weight in weights]


def fractions(law: Sequence[Any]) -> list[Fraction]:
    return [fraction(p) for p in law]


def test_laws_are_those_of_plain_weights() -> None:
    at, field = Fraction(3, 2), {"t": fmpq(3, 2)}
    for scores in product(range(-2, 3), repeat=3):  # rational scores u / 4 of sensitivity 1 / 4, e^epsilon = t^4
        law = ExponentialMechanism(every_budget(4)).law([fmpq(u, 4) for u in scores], fmpq(1, 4))
        assert fractions([p.at(field) for p in law]) == plain([at ** (2 * u) for u in scores])
    for powers in POWERS:  # entropies of 0 or 1 bit at n = 2
        law = ExponentialMechanism(every_budget(4)).law([quantity(a, 1, 2) for a in powers], entropy_sensitivity(2))
        assert fractions([p.at(field) for p in law]) == plain([at**2 if a == 4 else Fraction(1) for a in powers])
    scores3 = [quantity(27, 4, 3), quantity(27, 16, 3), quantity(1, 1, 3)]
    for s in (1, 2):  # e^epsilon = B_n^(2s)
        rational = ExponentialMechanism(Budget.of_root(fmpq(27, 4), 2 * s)).law(scores3, entropy_sensitivity(3))
        assert fractions(rational) == plain([Fraction(27, 4) ** s, Fraction(27, 16) ** s, Fraction(1)])
    with mpmath.workdps(40):
        unit = mpmath.log(mpmath.mpf(27) / 4)
        weights = [mpmath.exp(mpmath.mpf("0.35") * mpmath.log(a) / unit) for a in (mpmath.mpf(27) / 16, 27, 1)]
        expected = [str(weight / sum(weights)) for weight in weights]
    with ctx.workprec(100):
        others = [quantity(27, 16, 3), quantity(27, 1, 3), quantity(1, 1, 3)]
        balls = ExponentialMechanism(real_budget("0.7", 100)).law(others, entropy_sensitivity(3))
        assert all(abs(p - arb(q)) < fmpq(1, 10**25) for p, q in zip(balls, expected, strict=True))


@pytest.mark.parametrize("mechanism", [ExponentialMechanism(Budget.of_root(fmpq(3), 2)), Maximum(), Maximum("first")])
def test_programs_have_their_laws(mechanism: Any) -> None:
    for scores in product([fmpq(-1), fmpq(0), fmpq(1)], repeat=3):
        program = output_law(partial(mechanism.choose, scores, fmpq(1)), fmpq(1))
        law = mechanism.law(scores, fmpq(1))
        assert [program.get(i, fmpq(0)) for i in range(3)] == list(law)


def test_the_maximum_of_quantities_and_its_ties() -> None:
    scores = [quantity(2, 1, 3), quantity(4, 1, 3), quantity(4, 1, 3), quantity(1, 1, 3)]
    assert list(Maximum().law(scores, UNIT)) == [0, fmpq(1, 2), fmpq(1, 2), 0]
    assert list(Maximum("first").law(scores, UNIT)) == [0, 1, 0, 0]
    assert Maximum().split(3) == Maximum()


@given(st.lists(st.integers(0, 1), min_size=80, max_size=80), st.sampled_from(["0.7", "2*ln(3)", 40]))
def test_fair_bits_choose_by_the_distribution_function(bits: list[int], epsilon: Any) -> None:
    scores = [quantity(27, 16, 3), quantity(27, 4, 3), quantity(1, 1, 3)]
    mechanism, at = RealExponentialMechanism(epsilon), sum((fmpq(b, 2 ** (i + 1)) for i, b in enumerate(bits)), fmpq(0))
    chosen = mechanism.choose(scores, entropy_sensitivity(3), ScriptedCoins(bits))
    law = mechanism.law(scores, entropy_sensitivity(3), 200)
    below = sum(law[:chosen], arb(0))
    assert not below > at + fmpq(1, 2**79)
    assert not below + law[chosen] < at


def test_any_epsilon_is_sampled() -> None:
    coins, scores = SamplingCoins(default_rng(3)), [fmpq(0), fmpq(1), fmpq(1)]
    for epsilon in ("0", "1e-30", 1, 10**5):
        assert RealExponentialMechanism(epsilon).split(3).choose(scores, fmpq(1), coins) in range(3)
    assert [RealExponentialMechanism(10**5).choose([fmpq(0), fmpq(1)], fmpq(1), coins) for _ in range(20)] == [1] * 20


def test_the_budget_is_split() -> None:
    assert ExponentialMechanism(every_budget(6)).split(3) == ExponentialMechanism(every_budget(2))
    thirds = RealExponentialMechanism("0.9").split(3).law([fmpq(0), fmpq(1)], fmpq(1))
    whole = RealExponentialMechanism("0.3").law([fmpq(0), fmpq(1)], fmpq(1))
    assert all(a.overlaps(b) for a, b in zip(thirds, whole, strict=True))


def law_of(score: Any, sensitivity: Any) -> object:
    return ExponentialMechanism(Budget.of_root(fmpq(4))).law([score], sensitivity)


def irrational(budget: Any) -> object:
    return ExponentialMechanism(budget).law([quantity(2, 1, 3)] * 2, entropy_sensitivity(3))


UNIT = entropy_sensitivity(3)
test_refusals = refusal_test(
    refuses("budget", ExponentialMechanism, 1, fmpq(2)),
    refuses("budget", irrational, Budget("1"), Budget("ln(3)"), every_budget(2), kind=NotExactError),
    refuses("sensitivity", lambda s: law_of(fmpq(1), s), fmpq(0), fmpq(-1), 1, 1.0, UNIT),
    refuses("sensitivity", lambda s: law_of(quantity(1, 1, 3), s), entropy_sensitivity(2), fmpq(1), quantity(1, 1, 3)),
    refuses("sensitivity", lambda n: law_of(quantity(1, 1, n), entropy_sensitivity(n)), 1),
    refuses("scores", lambda s: ExponentialMechanism(Budget(1)).law(s, fmpq(1)), [], ()),
    refuses("scores", lambda s: Maximum().law(s, fmpq(1)), []),
    refuses("ties", Maximum, "last", None),
    refuses("epsilon", RealExponentialMechanism, -1, "x", None),
    refuses("parts", lambda parts: RealExponentialMechanism(1, parts), 0, -1, True, 1.0),
)
