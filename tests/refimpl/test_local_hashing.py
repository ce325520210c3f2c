"""Local hashing: collision chances of all kinds of families, and the best range; planted faults."""

from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from cases.refusals import refusal_test, refuses, refuses_each
from dp_audit.oracles import hashing
from dp_audit.oracles.base import epsilon
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.hash_families import AffineLabels, AllFunctions, CarterWegman, LabelFunction, PublicFunctions
from dp_refimpl.frequency.hash_properties import collision_probability
from dp_refimpl.frequency.local_hashing import (
    BLH,
    FLH,
    OLH,
    Labels,
    LocalHashing,
    affine_collision,
    collision_chance,
    label_variance,
    nearest_labels,
    optimal_labels,
)
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError, UndecidedError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.ratfunc import RationalFunctionField
from independent.item_mechanisms import HASHED, IDEAL, LISTS, UNEVEN, listed
from independent.numbers import exact
from independent.sketch_cases import Table, collisions, contributions, functions, rows_of

W = Fraction(4)


def built(family: Any, collision: Any = None) -> Any:
    return LocalHashing(ItemDomain(family.items), Budget.of_root(fmpq(2), 2), family, collision)


def test_all_functions_are_the_list_of_all() -> None:
    for d, g in IDEAL:
        whole = AllFunctions(tuple(range(d)), g)
        assert rows_of(built(whole)) == rows_of(built(PublicFunctions(tuple(whole.law()))))


@pytest.mark.parametrize("zero", [True, False])
@pytest.mark.parametrize(("prime", "g"), [(p, g) for p in (2, 3, 5, 7) for g in (2, 3, 4, 9) if p > 2 or g < 4])
def test_collisions_of_affine_functions_are_counted(prime: int, g: int, zero: bool) -> None:
    family = CarterWegman(tuple(range(min(prime, 3))), prime, g, zero)
    assert {collision_probability(family, 0, x) for x in family.items[1:]} == {affine_collision(family)}
    assert collision_chance(family, family.items) == affine_collision(family)
    labels = AffineLabels(family.items, prime)
    assert collision_probability(labels, 0, 1) == affine_collision(labels) == collision_chance(labels, (0, 1))


def test_functions_with_different_collision_chances() -> None:
    """Nothing is assumed: the estimator refuses them, or is told what to take and has the exact bias of that."""
    family = listed(2, UNEVEN)
    assert [collisions(UNEVEN, 0, x) for x in (1, 2)] == [Fraction(1, 2), 0]
    p, q = W / (W + 1), 1 / (W + 1)
    moments = contributions(HASHED.own_laws(2, UNEVEN), built(family, collision=fmpq(1, 2)).estimate)
    for (held, x), (mean, _) in moments.items():
        kappa = collisions(UNEVEN, held, x)
        assert mean == (q + (p - q) * kappa - Fraction(1, 2)) / (p - Fraction(1, 2))
    assert moments[2, 0][0] == -1


def test_collision_chances() -> None:
    for d, g in IDEAL:
        whole = AllFunctions(tuple(range(d)), g)
        assert collision_chance(whole, whole.items) == fmpq(1, g)
        assert collision_chance(PublicFunctions(tuple(whole.law())), whole.items) == fmpq(1, g)
    chances = [collision_chance(listed(g, tables), range(3)) for g, tables in LISTS.values()]
    assert chances == [fmpq(1, 2), fmpq(1, 3), 0, fmpq(1, 3), 0]
    assert collision_chance(listed(2, UNEVEN), (0, 2)) == 0  # only these two are compared


def test_what_audits_state_is_the_law_of_the_program() -> None:
    budget = epsilon("epsilon", "2*ln(2)")
    for g, tables in LISTS.values():
        rows = functions(tables, g)
        drawn = hashing.fast_hashing(3, g, budget, tables)
        done = exact_channel(built(listed(g, tables))).rows
        for x in range(3):
            stated: dict[Any, Any] = {}
            law: Any = drawn.law(x)
            for (cell, j), p in law.items():
                stated[rows[j], cell] = stated.get((rows[j], cell), 0) + p
            assert stated == done[x]
            fixed = exact_channel(built(listed(g, tables[:1]))).rows[x]
            assert dict(hashing.fixed_hashing(3, g, budget, tables[0]).law(x)) == {
                label: p for (_, label), p in fixed.items()
            }
    ideal = hashing.ideal_hashing(2, 3, budget)
    mechanism = built(AllFunctions((0, 1), 3))
    for x, row in exact_channel(mechanism).rows.items():
        assert {(label, h.values): p for (h, label), p in row.items()} == dict(ideal.law(x))
        for report in row:
            assert tuple(mechanism.estimate([report]).values()) == ideal.scores((report[1], report[0].values))


# --- the best range ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("w", [Fraction(a, b) for b in (1, 2, 3, 7) for a in range(b + 1, 9 * b, 2)], ids=str)
def test_the_best_range_is_one_of_the_two_around_the_optimum(w: Fraction) -> None:
    errors = {g: (w + g - 1) ** 2 / ((g - 1) * (w - 1) ** 2) for g in range(2, 2 * int(w) + 5)}
    optimum = optimal_labels(Budget.of_root(exact(w)))
    assert optimum.best == min(errors, key=lambda g: (errors[g], g))
    assert optimum.best in optimum[:2]
    assert optimum.below <= w + 1 <= optimum.above <= optimum.below + 1
    assert (optimum.below == optimum.above) == (w.denominator == 1)


@pytest.mark.parametrize(
    ("spelling", "labels"), [("ln(2)/2", (2, 3, 2)), ("ln(6)/2", (3, 4, 3)), ("ln(12)/2", (4, 5, 4))]
)
def test_of_two_equal_variances_the_smaller_range(spelling: str, labels: tuple[int, int, int]) -> None:
    """t (t + 1) = e^(2 eps) for t = g - 1."""
    budget = Budget(spelling)
    assert optimal_labels(budget) == Labels(*labels)
    assert str(label_variance(labels[0], budget)) == str(label_variance(labels[1], budget))


@pytest.mark.parametrize("spelling", ["0.1", "1/2", "1", "2", "5", "ln(3)", "ln(7/2)", "ln(2)/2"])
def test_optimized_hashing_has_the_best_range_or_the_nearest(spelling: str) -> None:
    """The idealized hash, unless a family is given; the paper's e^eps + 1 is between the two ranges or one of them."""
    ranges, near = optimal_labels(Budget(spelling)), nearest_labels(Budget(spelling))
    best, nearest = OLH(d=2, epsilon=spelling), OLH(d=2, epsilon=spelling, rounding="nearest")
    assert (best.g, nearest.g) == (ranges.best, near)
    assert near in ranges[:2]
    assert best.family == AllFunctions((0, 1), ranges.best)
    assert OLH(d=2, epsilon=spelling, family=best.family) == best
    with pytest.raises(DomainError) as error:
        OLH(d=2, epsilon=spelling, family=AllFunctions((0, 1), ranges.best + 1))
    assert error.value.parameter == "family"


@pytest.mark.parametrize("w", [Fraction(a, b) for b in (1, 2, 3, 7) for a in range(b, 5 * b)], ids=str)
def test_the_nearest_range(w: Fraction) -> None:
    labels = nearest_labels(Budget.of_root(exact(w)))
    assert abs(labels - w - 1) == min(abs(g - w - 1) for g in range(1, 9))
    assert labels == (int(w) + 1 if w - int(w) <= Fraction(1, 2) else int(w) + 2)


def test_rounding_may_miss_the_best_range() -> None:
    """Between sqrt(t (t + 1)) and t + 1/2 (t = 2: 2.449.. < 2.475 < 2.5) the larger of the two is better."""
    budget = Budget.of_root(fmpq(99, 40))
    assert (optimal_labels(budget).best, nearest_labels(budget)) == (4, 3)
    assert label_variance(4, budget) < label_variance(3, budget)


def test_fast_hashing_takes_the_chance_of_all_functions_unless_another_is_given() -> None:
    assert FLH(d=2, epsilon=1, family=listed(2, ((0, 1),))).collision == fmpq(1, 2)
    assert FLH(d=2, epsilon=1, family=listed(2, ((0, 1),)), collision=fmpq(0)).collision == 0


# --- refusals ---------------------------------------------------------------------------------------------------------

DOMAIN, BUDGET = ItemDomain.of_sizes(2), Budget.of_root(fmpq(2))
BOTH, FUNCTION = AllFunctions((0, 1), 2), LabelFunction((0, 1), (0, 1), 2)
ON_TWO = listed(2, ((0, 1), (1, 0)))


def from_one(g: int, tables: tuple[Table, ...]) -> Any:
    family = listed(g, tables)
    return built(family).estimate([(family.functions[0], 0)])


EVERY = Budget.of_root(RationalFunctionField({"w": 1}).variable("w"))
test_refusals = refusal_test(
    refuses("", optimal_labels, EVERY, kind=UndecidedError),
    refuses(
        "family",
        lambda family: LocalHashing(DOMAIN, BUDGET, family),
        *(None, (0, 1), AllFunctions((0,), 2), AllFunctions((1, 2), 2), listed(1, ((0, 0),)), LabelFunction),
    ),
    refuses("family", lambda family: FLH(DOMAIN, BUDGET, family), None, BOTH, functions(((0, 1),), 2), FUNCTION),
    refuses("family", lambda: BLH(DOMAIN, BUDGET, AllFunctions((0, 1), 3))),
    refuses("family", lambda: from_one(2, UNEVEN), says="one collision chance"),
    refuses_each("collision", from_one, (2, ((0, 0, 0), (1, 1, 1))), (3, ((2, 2, 2),))),
    refuses("collision", lambda chance: built(ON_TWO, chance), fmpq(-1, 2), fmpq(3, 2), 0.5, Fraction(1, 2)),
    refuses("collision", lambda chance: built(ON_TWO, chance), True, "1/2"),
    refuses("rounding", lambda rounding: OLH(d=2, epsilon=1, rounding=rounding), "", "BEST", None, 2, []),
    refuses("budget", lambda: optimal_labels(Budget.of_root(fmpq(1)))),
    refuses("g", lambda g: label_variance(g, BUDGET), 1, 0, True, 2.0, None),
)
