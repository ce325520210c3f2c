"""Rows about figures that a library states about itself, against success probabilities and variances known by hand."""

from fractions import Fraction
from math import comb

import pytest
from flint import fmpq

from dp_audit.judge.library_claims import ATTACK, HELD, VARIANCE, attack_success, stated_rows
from dp_audit.observation.target_laws import TargetLaws
from dp_audit.oracles import oracle
from dp_audit.oracles.post_processing import Normalized
from dp_audit.outcome import Verdict

LN3 = "ln(3)"


def exact(fraction: Fraction) -> fmpq:
    return fmpq(fraction.numerator, fraction.denominator)


def bits(d: int, p: Fraction, q: Fraction) -> Fraction:
    """A guess among the bits set, or among all items if none is."""
    others = [comb(d - 1, i) * q**i * (1 - q) ** (d - 1 - i) for i in range(d)]
    return sum((p * chance / (i + 1) for i, chance in enumerate(others)), (1 - p) * others[0] / d)


@pytest.mark.parametrize("d", [2, 3, 4])
def test_success_of_the_best_attack(d: int) -> None:
    assert attack_success(oracle("GRR", {"d": d, "epsilon": LN3})) == fmpq(3, d + 2)
    oue = oracle("OUE", {"d": d, "epsilon": LN3})
    assert attack_success(oue) == exact(bits(d, Fraction(1, 2), Fraction(1, 4)))


@pytest.mark.parametrize("k", [1, 2, 3])
def test_success_against_subset_selection_is_p_over_k(k: int) -> None:
    subsets = oracle("SS", {"d": 4, "epsilon": LN3, "k": k})
    assert attack_success(subsets) == fmpq(3, 3 * k + 4 - k)


@pytest.mark.parametrize(("d", "g"), [(2, 2), (3, 2), (3, 4)])
def test_local_hashing_is_compared_over_all_hash_functions(d: int, g: int) -> None:
    p = Fraction(3, 3 + g - 1)
    own = p * Fraction(g, d) * (1 - (1 - Fraction(1, g)) ** d)
    alone = (1 - p) * (1 - Fraction(1, g)) ** (d - 1) / d
    chance = Fraction(1, g)
    facts = {ATTACK: exact(own + alone), VARIANCE: exact(chance * (1 - chance) / (p - chance) ** 2)}
    for table in ([0] * d, [0, *[1] * (d - 1)]):
        hashing = oracle("LH", {"d": d, "g": g, "epsilon": LN3, "hash": table})
        for reference in (hashing, Normalized.of(hashing)):
            assert [row.verdict for row in stated_rows(TargetLaws(facts=facts), reference)] == [Verdict.CONFORMS] * 2


@pytest.mark.parametrize("factor", [fmpq(0), fmpq(1, 2), 1 + fmpq(1, 2**30), fmpq(2)])
def test_other_figures_are_a_surprise(factor: fmpq) -> None:
    reference = oracle("GRR", {"d": 3, "epsilon": LN3})
    # q = 1/5, p - q = 2/5: the variance of an item nobody holds is q(1-q) / (p-q)^2 = 1.
    rows = stated_rows(TargetLaws(facts={VARIANCE: factor, ATTACK: factor * fmpq(3, 5)}), reference)
    assert {row.check: row.verdict for row in rows} == {VARIANCE: Verdict.WARNING, ATTACK: Verdict.WARNING}
    assert rows[0].figures["exact"] == "1"
    assert rows[1].figures["exact"] == "3/5"


@pytest.mark.parametrize("name", [VARIANCE, HELD, ATTACK])
def test_what_cannot_be_negative_and_is_said_to_be_is_a_fault(name: str) -> None:
    (row,) = stated_rows(TargetLaws(facts={name: fmpq(-1, 2**60)}), oracle("GRR", {"d": 3, "epsilon": LN3}))
    assert row.verdict is Verdict.FAULT
    assert "negative" in row.detail


def test_the_variance_of_what_the_only_user_holds_is_another_one() -> None:
    # p = 3/5, q = 1/5: p(1-p) / (p-q)^2 = 3/2 and q(1-q) / (p-q)^2 = 1.
    facts = {HELD: fmpq(3, 2), VARIANCE: fmpq(1)}
    rows = stated_rows(TargetLaws(facts=facts), oracle("GRR", {"d": 3, "epsilon": LN3}))
    assert {row.check: row.verdict for row in rows} == dict.fromkeys(facts, Verdict.CONFORMS)
    pairs = oracle("RSpFD-GRR", {"sizes": [2, 3], "epsilon": LN3})
    exact = pairs.variance([(0, 0)])
    assert exact is not None
    (row,) = stated_rows(TargetLaws(facts={HELD: exact[0]}), pairs)
    assert row.verdict is Verdict.CONFORMS


def test_rounding_is_told_from_a_surprise() -> None:
    reference = oracle("GRR", {"d": 3, "epsilon": LN3})
    (row,) = stated_rows(TargetLaws(facts={ATTACK: fmpq(3, 5) + fmpq(1, 2**50)}), reference)
    assert row.verdict is Verdict.ROUNDING


@pytest.mark.parametrize("stated", [("float", "nan"), None, True, "3/5"])
def test_what_is_no_number_is_a_surprise(stated: object) -> None:
    reference = oracle("GRR", {"d": 3, "epsilon": LN3})
    (row,) = stated_rows(TargetLaws(facts={ATTACK: stated}), reference)
    assert row.verdict is Verdict.WARNING
    assert "no finite number" in row.detail


def test_nothing_is_said_where_nothing_is_stated() -> None:
    assert stated_rows(TargetLaws(), oracle("GRR", {"d": 3, "epsilon": LN3})) == []
    chosen = oracle("Exponential", {"utilities": "[[0, 1], [1, 0]]", "sensitivity": 1, "epsilon": LN3})
    facts = {VARIANCE: fmpq(1), ATTACK: fmpq(1)}
    assert [row.check for row in stated_rows(TargetLaws(facts=facts), chosen)] == [ATTACK]
