"""Optimized unary encoding: law by brute force and of the kernel, exact moments, ratio; planted faults."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq
from numpy.random import default_rng

from dp_audit.oracles import oracle
from dp_refimpl.coins import SamplingCoins, ScriptedCoins
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.rappor import RAPPOR
from dp_refimpl.frequency.unary import OUE
from dp_spec.frequency import unary as spec
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.ratfunc import RationalFunctionField
from independent import plain_oracles as plain
from independent.sketch_cases import (
    PlainLaw,
    contributions,
    data_sets,
    exact,
    jointly,
    largest_ratio,
    not_as_stated,
    rows_of,
    summed,
)
from mutants.local_hashing import UNARY, UNARY_ESTIMATORS
from mutants.mechanisms import mutant

ROOTS = (Fraction(2), Fraction(3, 2))
"""e^(eps/2), so that the chances of symmetric encoding are rational, too."""
W = RationalFunctionField({"w": 1}).variable("w")


def built(d: int, root: Fraction, cls: type[Any] = OUE) -> Any:
    return cls(ItemDomain.of_sizes(d), Budget.of_root(exact(root), 2))


def laws(d: int, root: Fraction) -> dict[int, PlainLaw]:
    return {x: plain.unary(x, d, Fraction(1, 2), 1 / (root**2 + 1)) for x in range(d)}


def wrong_laws(cls: type[Any] = OUE) -> Iterator[str]:
    for d in (1, 2, 3, 4):
        for root in ROOTS:
            if rows_of(built(d, root, cls)) != laws(d, root):
                yield f"{d} items, e^(eps/2) = {root}"


def wrong_estimates(cls: type[Any] = OUE) -> Iterator[str]:
    """Mean f_x and variance (4 w / (w-1)^2 + f_x) / n for every data set."""
    for d in (1, 2, 3):
        for root in ROOTS:
            w, moments = root**2, contributions(laws(d, root), built(d, root, cls).estimate)
            for data in data_sets(d):
                n = len(data)
                for x in range(d):
                    f = Fraction(data.count(x), n)
                    mean, variance = summed(moments, data, x)
                    if (mean / n, variance / n**2) != (f, (4 * w / (w - 1) ** 2 + f) / n):
                        yield f"{data}, item {x}"


def test_the_law_is_the_one_by_brute_force() -> None:
    assert list(wrong_laws()) == []


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_the_law_is_the_term_for_every_budget(d: int) -> None:
    mechanism: OUE[Any] = OUE(ItemDomain.of_sizes(d), Budget.of_root(W))
    assert list(not_as_stated(mechanism, spec.OUE, {}, (), lambda y: y)) == []
    assert largest_ratio(mechanism) == (W if d > 1 else 1)


def test_mean_and_variance() -> None:
    assert list(wrong_estimates()) == []


def test_moments_over_the_joint_law_of_two_reports() -> None:
    mechanism = built(2, ROOTS[0])
    for data in ((0, 0), (0, 1)):
        for x, found in jointly(laws(2, ROOTS[0]), data, mechanism.estimate).items():
            f = Fraction(data.count(x), 2)
            assert found == (f, (Fraction(16, 9) + f) / 2)


@pytest.mark.parametrize("name", UNARY)
def test_a_fault_of_the_program_is_caught(name: str) -> None:
    assert any(wrong_laws(mutant(OUE, UNARY[name])))


@pytest.mark.parametrize("name", UNARY_ESTIMATORS)
def test_a_fault_of_the_estimator_is_caught(name: str) -> None:
    assert any(wrong_estimates(mutant(OUE, UNARY_ESTIMATORS[name])))


@pytest.mark.parametrize("root", ROOTS)
def test_what_nobody_holds_is_estimated_better_than_by_symmetric_encoding(root: Fraction) -> None:
    symmetric = RAPPOR(ItemDomain.of_sizes(2), Budget.of_root(exact(root), 2))
    other = contributions(rows_of(symmetric), symmetric.estimate)[1, 0][1]
    assert contributions(laws(2, root), built(2, root).estimate)[1, 0][1] < other


def test_what_audits_state_is_the_law_of_the_program() -> None:
    stated = oracle("OUE", {"d": 3, "epsilon": "2*ln(2)"})
    assert {x: dict(stated.law(x)) for x in stated.inputs} == exact_channel(built(3, Fraction(2))).rows


def test_a_scripted_run() -> None:
    coins = ScriptedCoins([1, 0, 1])
    assert built(3, ROOTS[0]).randomize(1, coins) == (1, 0, 1)
    coins.require_finished()


@pytest.mark.parametrize("report", [(1, 0), (1, 0, 0, 0), (1, 0, 2), (True, 0, 0), (1.0, 0, 0), None, "100"], ids=str)
def test_reports_of_another_encoding(report: Any) -> None:
    with pytest.raises(DomainError) as error:
        built(3, ROOTS[0]).estimate([(0, 0, 1), report])
    assert error.value.parameter == "reports"


def test_refusals() -> None:
    mechanism = built(3, ROOTS[0])
    with pytest.raises(DomainError, match="item"):
        mechanism.randomize(3, SamplingCoins(default_rng(1)))
    with pytest.raises(DomainError, match="reports"):
        mechanism.estimate([])
    at_zero: OUE[fmpq] = OUE(ItemDomain.of_sizes(2), Budget.of_root(fmpq(1)))
    with pytest.raises(DomainError, match="budget"):
        at_zero.estimate([at_zero.randomize(0, SamplingCoins(default_rng(1)))])
