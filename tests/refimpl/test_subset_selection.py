"""Subset selection: PrivSet for one item, by brute force; exact moments, the best size; planted faults."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq
from numpy.random import default_rng

from dp_audit.oracles import oracle
from dp_refimpl.coins import SamplingCoins, ScriptedCoins
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.privset import PrivSet
from dp_refimpl.frequency.subset_selection import SubsetSelection
from dp_spec.frequency import subset_selection as spec
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.ratfunc import RationalFunctionField
from independent import plain_oracles as plain
from independent.cases import fraction
from independent.sketch_cases import PlainLaw, contributions, data_sets, exact, jointly, largest_ratio, rows_of, summed
from mutants.mechanisms import mutant
from mutants.subset_selection import ESTIMATORS, SUBSETS

ROOTS = (Fraction(2), Fraction(5, 3))
"""e^eps."""
SIZES = [(d, k) for d in (2, 3, 4) for k in range(1, d)]
W = RationalFunctionField({"w": 1}).variable("w")


def built(d: int, k: int, root: Any, cls: type[Any] = SubsetSelection) -> Any:
    return cls(ItemDomain.of_sizes(d), Budget.of_root(exact(root) if isinstance(root, Fraction) else root), k)


def laws(d: int, k: int, root: Fraction) -> dict[int, PlainLaw]:
    return {x: plain.subset(x, d, k, root) for x in range(d)}


def wrong_laws(cls: type[Any] = SubsetSelection) -> Iterator[str]:
    for d, k in SIZES:
        for root in ROOTS:
            if rows_of(built(d, k, root, cls)) != laws(d, k, root):
                yield f"d = {d}, k = {k}, e^eps = {root}"


def wrong_estimates(cls: type[Any] = SubsetSelection) -> Iterator[str]:
    """Mean f_x and the stated variance for every data set."""
    for d, k in SIZES:
        stated = {"w": exact(ROOTS[0]), "D": fmpq(d), "k": fmpq(k)}
        moments = contributions(laws(d, k, ROOTS[0]), built(d, k, ROOTS[0], cls).estimate)
        for data in data_sets(d):
            n = len(data)
            for x in range(d):
                f = Fraction(data.count(x), n)
                mean, variance = summed(moments, data, x)
                expected = fraction(spec.VARIANCE.evaluate({**stated, "n": fmpq(n), "f": exact(f)}))
                if (mean / n, variance / n**2) != (f, expected):
                    yield f"d = {d}, k = {k}, {data}, item {x}"


def test_the_law_is_the_one_by_brute_force_and_that_of_sets_of_one_item() -> None:
    assert list(wrong_laws()) == []
    for d, k in SIZES:
        sets = exact_channel(PrivSet(ItemDomain.of_sizes(d), Budget.of_root(W), 1, k)).rows
        assert exact_channel(built(d, k, W)).rows == {x: sets[frozenset([x])] for x in range(d)}
        assert largest_ratio(built(d, k, W)) == W
        assert (built(d, k, W).p, built(d, k, W).q) == tuple(
            chance.evaluate({"w": W, "D": W.field.lift(d), "k": W.field.lift(k)}) for chance in (spec.P, spec.Q)
        )


def test_mean_and_variance() -> None:
    assert list(wrong_estimates()) == []
    for data in ((0, 0), (0, 1)):
        moments = contributions(laws(3, 2, ROOTS[0]), built(3, 2, ROOTS[0]).estimate)
        for x, found in jointly(laws(3, 2, ROOTS[0]), data, built(3, 2, ROOTS[0]).estimate).items():
            mean, variance = summed(moments, data, x)
            assert found == (mean / 2, variance / 4)


@pytest.mark.parametrize("name", SUBSETS)
def test_a_fault_of_the_client_is_caught(name: str) -> None:
    assert any(wrong_laws(mutant(SubsetSelection, SUBSETS[name])))


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_fault_of_the_estimator_is_caught(name: str) -> None:
    assert any(wrong_estimates(mutant(SubsetSelection, ESTIMATORS[name])))


@pytest.mark.parametrize(("d", "epsilon"), [(2, "1"), (5, "1/10"), (12, "1"), (12, "3"), (30, "ln(4)")])
def test_the_size_that_is_left_out_is_the_best_one(d: int, epsilon: str) -> None:
    """For an item nobody holds and one that one of d users holds: the sum over the items."""
    chosen = SubsetSelection(d=d, epsilon=epsilon).k
    errors = {}
    for k in range(1, d):
        tried = SubsetSelection(d=d, epsilon=epsilon, k=k)
        p, q = tried.p, tried.q
        errors[k] = (p * (1 - p) + (d - 1) * q * (1 - q)) / (p - q) ** 2
    assert chosen == min(errors, key=lambda k: (errors[k], k))


def test_what_audits_state_is_the_law_of_the_program() -> None:
    for d, k in SIZES:
        stated = oracle("SS", {"d": d, "k": k, "epsilon": "ln(2)"})
        assert {x: dict(stated.law(x)) for x in stated.inputs} == exact_channel(built(d, k, ROOTS[0])).rows
    left_out = oracle("SS", {"d": 5, "epsilon": "1/10"})
    assert left_out.law(0).keys() == exact_channel(SubsetSelection(d=5, epsilon="1/10")).rows[0].keys()


@pytest.mark.parametrize("k", [0, 3, -1, True, 1.0, "1"], ids=str)
def test_sizes_that_are_none(k: Any) -> None:
    with pytest.raises(DomainError) as error:
        SubsetSelection(d=3, epsilon=1, k=k)
    assert error.value.parameter == "k"


@pytest.mark.parametrize(
    "report", [frozenset([0]), frozenset([0, 7]), frozenset([0, 1, 2]), {0, 1}, (0, 1), None, 0], ids=str
)
def test_reports_of_other_sizes(report: Any) -> None:
    with pytest.raises(DomainError) as error:
        built(3, 2, ROOTS[0]).estimate([frozenset([0, 1]), report])
    assert error.value.parameter == "reports"


def test_other_refusals() -> None:
    mechanism = built(3, 2, ROOTS[0])
    for item in (3, None, frozenset([0])):
        with pytest.raises(DomainError, match="item"):
            mechanism.randomize(item, SamplingCoins(default_rng(1)))
    with pytest.raises(DomainError, match="reports"):
        mechanism.estimate([])
    for k in (None, 1):
        with pytest.raises(DomainError) as error:
            SubsetSelection(d=1, epsilon=1, k=k)
        assert error.value.parameter == "domain"
    with pytest.raises(DomainError, match="budget"):
        SubsetSelection(d=3, epsilon=0)
    with pytest.raises(DomainError, match="budget"):
        SubsetSelection(d=3, epsilon=0, k=1).estimate([frozenset([0])])


def test_a_scripted_run() -> None:
    coins = ScriptedCoins([1, 0, 0, 1])
    assert built(3, 2, ROOTS[0]).randomize(1, coins) == frozenset([1, 2])
    coins.require_finished()
