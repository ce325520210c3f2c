"""Local hashing: law by brute force and of the kernel, exact moments for all kinds of families, best range; faults."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import fmpq
from numpy.random import default_rng

from dp_audit.oracles.base import epsilon
from dp_audit.oracles.hashing import DrawnHashing, FixedHashing, IdealHashing, best_cells
from dp_refimpl.coins import SamplingCoins, ScriptedCoins
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.hash_families import (
    AffineLabels,
    AllFunctions,
    CarterWegman,
    LabelFunction,
    PublicFunctions,
)
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
from dp_spec.frequency.local_hashing import OLH as LAW
from dp_spec.frequency.local_hashing import fixed_mean, fixed_variance
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError, UndecidedError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.ratfunc import RationalFunctionField
from independent import plain_oracles as plain
from independent.brute_force import collected
from independent.sketch_cases import (
    PlainLaw,
    Table,
    collisions,
    contributions,
    data_sets,
    exact,
    functions,
    jointly,
    largest_ratio,
    not_as_stated,
    rows_of,
    separates,
    summed,
)
from mutants.local_hashing import HASHING, SUPPORTS
from mutants.mechanisms import mutant

ROOT = Fraction(2)
"""e^(eps/2); e^eps is 4."""
W = ROOT**2
FIELD = RationalFunctionField({"w": 1})
IDEAL = tuple((d, g) for d in (1, 2, 3) for g in (2, 3))
"""All functions from d items to g labels."""
LISTS: dict[str, tuple[int, tuple[Table, ...]]] = {
    "pairwise": (2, ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0))),
    "collisions of 1/3": (2, ((0, 0, 1), (0, 1, 0), (1, 0, 0))),
    "a bijection": (3, ((1, 2, 0),)),
    "repeated": (3, ((0, 1, 2), (0, 1, 2), (0, 0, 0))),
    "spare labels": (4, ((0, 1, 2), (3, 0, 1))),
}
"""Public lists with one collision chance; of the last ones it is 0 or 2/3."""
UNEVEN = ((0, 0, 1), (0, 1, 1))
SAME_FOR_FAST = ("the offset is 1/g whatever the family", "the offset is the collision chance")
"""What is a fault of local hashing under any family, and what FLH does."""


def listed(g: int, tables: tuple[Table, ...]) -> PublicFunctions:
    return PublicFunctions(functions(tables, g))


def built(family: Any, cls: type[Any] = LocalHashing, root: Any = None, collision: fmpq | None = None) -> Any:
    budget = Budget.of_root(exact(ROOT), 2) if root is None else Budget.of_root(root)
    return cls(ItemDomain(family.items), budget, family, collision)


def laws(g: int, tables: tuple[Table, ...]) -> dict[int, PlainLaw]:
    """Reports as the program writes them: the function itself, so that repeated ones are one."""
    rows, found = functions(tables, g), dict[int, PlainLaw]()
    for x in range(len(tables[0])):
        drawn: Any = plain.drawn_hashing(x, g, W, tables)
        found[x] = collected(((rows[j], cell), p) for (cell, j), p in drawn.items())
    return found


def families() -> Iterator[tuple[int, tuple[Table, ...], Any]]:
    for d, g in IDEAL:
        yield g, tuple(product(range(g), repeat=d)), AllFunctions(tuple(range(d)), g)
    for g, tables in [*LISTS.values(), (2, UNEVEN)]:
        yield g, tables, listed(g, tables)


def wrong_laws(cls: type[Any] = LocalHashing) -> Iterator[str]:
    for g, tables, family in families():
        if rows_of(built(family, cls)) != laws(g, tables):
            yield f"{family}"


def wrong_estimates(cls: type[Any] = LocalHashing) -> Iterator[str]:
    """Mean f_x, and the variance of a sum of independent 0-1 variables, for every data set."""
    for g, tables, family in families():
        if tables == UNEVEN:
            continue
        d, p = len(tables[0]), W / (W + g - 1)
        kappa = Fraction(1, g) if d == 1 else collisions(tables, 0, 1)
        chance = kappa * p + (1 - kappa) / (W + g - 1)
        moments = contributions(laws(g, tables), built(family, cls).estimate)
        for data in data_sets(d):
            n = len(data)
            for x in range(d):
                f = Fraction(data.count(x), n)
                variance = (f * p * (1 - p) + (1 - f) * chance * (1 - chance)) / (n * (p - chance) ** 2)
                mean, found = summed(moments, data, x)
                if (mean / n, found / n**2) != (f, variance):
                    yield f"{family}: {data}, item {x}"


def test_the_law_is_the_one_by_brute_force() -> None:
    assert list(wrong_laws()) == []


@pytest.mark.parametrize(
    ("g", "tables"), [(g, tables) for g, tables, _ in families() if len(set(tables)) == len(tables)]
)
def test_the_law_is_the_term_for_every_budget(g: int, tables: tuple[Table, ...]) -> None:
    mechanism = built(listed(g, tables), root=FIELD.variable("w"))
    assert list(not_as_stated(mechanism, LAW, {"b": g}, [tables], lambda y: (tables.index(y[0].values), y[1]))) == []


def test_all_functions_are_the_list_of_all() -> None:
    for d, g in IDEAL:
        whole = AllFunctions(tuple(range(d)), g)
        assert rows_of(built(whole)) == rows_of(built(PublicFunctions(tuple(whole.law()))))


def test_mean_and_variance_for_families_with_one_collision_chance() -> None:
    assert list(wrong_estimates()) == []


@pytest.mark.parametrize("zero", [True, False])
@pytest.mark.parametrize(("prime", "g"), [(p, g) for p in (2, 3, 5, 7) for g in (2, 3, 4, 9) if p > 2 or g < 4])
def test_collisions_of_affine_functions_are_counted(prime: int, g: int, zero: bool) -> None:
    family = CarterWegman(tuple(range(min(prime, 3))), prime, g, zero)
    assert {collision_probability(family, 0, x) for x in family.items[1:]} == {affine_collision(family)}
    assert collision_chance(family, family.items) == affine_collision(family)
    plain = AffineLabels(family.items, prime)
    assert collision_probability(plain, 0, 1) == affine_collision(plain) == collision_chance(plain, (0, 1))


def test_the_variance_of_the_literature_is_that_of_collisions_of_chance() -> None:
    """For kappa = 1/g: a report supports an item with 1/g; for the best range 4 w / (w-1)^2, as with unary encoding."""
    for g in (2, 3, 5):
        mechanism = built(AllFunctions((0, 1), g))
        found = contributions(laws(g, tuple(product(range(g), repeat=2))), mechanism.estimate)[0, 1][1]
        assert exact(found) == label_variance(g, mechanism.budget)
    assert label_variance(5, Budget.of_root(fmpq(4))) == fmpq(16, 9)


def test_moments_over_the_joint_law_of_two_reports() -> None:
    tables = tuple(product(range(2), repeat=2))
    moments = contributions(laws(2, tables), built(AllFunctions((0, 1), 2)).estimate)
    for data in ((0, 0), (0, 1)):
        for x, found in jointly(laws(2, tables), data, built(AllFunctions((0, 1), 2)).estimate).items():
            mean, variance = summed(moments, data, x)
            assert found == (mean / 2, variance / 4)


def test_the_estimates_are_those_of_another_program() -> None:
    tables = tuple(product(range(2), repeat=3))
    mechanism = built(AllFunctions((0, 1, 2), 2))
    for reports in product(list(laws(2, tables)[0])[::3], repeat=3):
        stated = plain.hashing_estimate([(label, h.values) for h, label in reports], 3, 2, W)
        assert list(mechanism.estimate(reports).values()) == [exact(v) for v in stated]


@pytest.mark.parametrize("name", HASHING)
def test_a_fault_of_the_client_is_caught(name: str) -> None:
    assert any(wrong_laws(mutant(LocalHashing, HASHING[name])))


@pytest.mark.parametrize("name", SUPPORTS)
def test_a_fault_of_the_estimator_is_caught(name: str) -> None:
    assert any(wrong_estimates(mutant(LocalHashing, SUPPORTS[name])))


def test_functions_with_different_collision_chances() -> None:
    """Nothing is assumed: the estimator refuses them, or is told what to take and has the exact bias of that."""
    family = listed(2, UNEVEN)
    assert [collisions(UNEVEN, 0, x) for x in (1, 2)] == [Fraction(1, 2), 0]
    with pytest.raises(DomainError, match="one collision chance") as error:
        built(family).estimate([(family.functions[0], 0)])
    assert error.value.parameter == "family"
    p, q = W / (W + 1), 1 / (W + 1)
    told = contributions(laws(2, UNEVEN), built(family, collision=fmpq(1, 2)).estimate)
    for (held, x), (mean, _) in told.items():
        kappa = collisions(UNEVEN, held, x)
        assert mean == (q + (p - q) * kappa - Fraction(1, 2)) / (p - Fraction(1, 2))
    assert told[2, 0][0] == -1


def test_collision_chances() -> None:
    for d, g in IDEAL:
        whole = AllFunctions(tuple(range(d)), g)
        assert collision_chance(whole, whole.items) == fmpq(1, g)
        assert collision_chance(PublicFunctions(tuple(whole.law())), whole.items) == fmpq(1, g)
    found = [collision_chance(listed(g, tables), range(3)) for g, tables in LISTS.values()]
    assert found == [fmpq(1, 2), fmpq(1, 3), 0, fmpq(1, 3), 0]
    assert collision_chance(listed(2, UNEVEN), (0, 2)) == 0  # only these two are compared


@pytest.mark.parametrize(("g", "tables"), [(2, ((0, 0, 0), (1, 1, 1))), (3, ((2, 2, 2),))])
def test_items_that_always_collide_are_not_estimated(g: int, tables: tuple[Table, ...]) -> None:
    family = listed(g, tables)
    with pytest.raises(DomainError) as error:
        built(family).estimate([(family.functions[0], 0)])
    assert error.value.parameter == "collision"


@pytest.mark.parametrize(
    ("g", "tables"), [(g, t) for g, t, _ in families()] + [(2, ((0, 0), (1, 1))), (3, ((2, 2, 2),))]
)
def test_the_largest_ratio_is_e_eps_if_a_function_separates_two_items(g: int, tables: tuple[Table, ...]) -> None:
    assert largest_ratio(built(listed(g, tables))) == (exact(W) if separates(tables) else 1)
    variable = FIELD.variable("w")
    assert largest_ratio(built(listed(g, tables[:3]), root=variable)) == (variable if separates(tables[:3]) else 1)


def test_what_audits_state_is_the_law_of_the_program() -> None:
    given = epsilon("epsilon", "2*ln(2)")
    for g, tables in LISTS.values():
        rows = functions(tables, g)
        drawn = DrawnHashing(3, g, given, tables)
        done = exact_channel(built(listed(g, tables))).rows
        for x in range(3):
            stated: dict[Any, Any] = {}
            law: Any = drawn.law(x)
            for (cell, j), p in law.items():
                stated[rows[j], cell] = stated.get((rows[j], cell), 0) + p
            assert stated == done[x]
            fixed = exact_channel(built(listed(g, tables[:1]))).rows[x]
            assert dict(FixedHashing(3, g, given, tables[0]).law(x)) == {label: p for (_, label), p in fixed.items()}
    ideal = IdealHashing(2, 3, given)
    mechanism = built(AllFunctions((0, 1), 3))
    for x, row in exact_channel(mechanism).rows.items():
        assert {(label, h.values): p for (h, label), p in row.items()} == dict(ideal.law(x))
        for report in row:
            assert tuple(mechanism.estimate([report]).values()) == ideal.scores((report[1], report[0].values))


# --- the best range ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("w", [Fraction(a, b) for b in (1, 2, 3, 7) for a in range(b + 1, 9 * b, 2)], ids=str)
def test_the_best_range_is_one_of_the_two_around_the_optimum(w: Fraction) -> None:
    errors = {g: (w + g - 1) ** 2 / ((g - 1) * (w - 1) ** 2) for g in range(2, 2 * int(w) + 5)}
    found = optimal_labels(Budget.of_root(exact(w)))
    assert found.best == min(errors, key=lambda g: (errors[g], g))
    assert found.best in found[:2]
    assert found.below <= w + 1 <= found.above <= found.below + 1
    assert (found.below == found.above) == (w.denominator == 1)


@pytest.mark.parametrize("given", ["0.1", "1/2", "1", "2", "3", "5", "ln(3)", "ln(7/2)", "3*ln(2)/2"])
def test_the_best_range_for_any_budget_is_that_of_audits(given: str) -> None:
    assert optimal_labels(Budget(given)).best == best_cells(epsilon("epsilon", given))


@pytest.mark.parametrize(("given", "labels"), [("ln(2)/2", (2, 3, 2)), ("ln(6)/2", (3, 4, 3)), ("ln(12)/2", (4, 5, 4))])
def test_of_two_equal_variances_the_smaller_range(given: str, labels: tuple[int, int, int]) -> None:
    """t (t + 1) = e^(2 eps) for t = g - 1."""
    budget = Budget(given)
    assert optimal_labels(budget) == Labels(*labels)
    assert str(label_variance(labels[0], budget)) == str(label_variance(labels[1], budget))


def test_the_best_range_refuses() -> None:
    with pytest.raises(DomainError, match="budget"):
        optimal_labels(Budget.of_root(fmpq(1)))
    with pytest.raises(UndecidedError):
        optimal_labels(Budget.of_root(FIELD.variable("w")))
    for g in (1, 0, True, 2.0, None):
        with pytest.raises(DomainError, match="g = "):
            label_variance(g, Budget.of_root(fmpq(2)))  # type: ignore[arg-type]


# --- refusals ---------------------------------------------------------------------------------------------------------

ON_TWO = listed(2, ((0, 1), (1, 0)))


@pytest.mark.parametrize(
    "family",
    [None, (0, 1), AllFunctions((0,), 2), AllFunctions((1, 2), 2), listed(1, ((0, 0),)), LabelFunction],
    ids=str,
)
def test_families_that_are_none(family: Any) -> None:
    with pytest.raises(DomainError) as error:
        LocalHashing(ItemDomain.of_sizes(2), Budget.of_root(fmpq(2)), family)
    assert error.value.parameter == "family"


def test_two_labels_of_binary_hashing() -> None:
    binary = BLH(ItemDomain.of_sizes(2), Budget.of_root(fmpq(3)), AllFunctions((0, 1), 2))
    assert (binary.p, binary.q) == (fmpq(3, 4), fmpq(1, 4))
    with pytest.raises(DomainError, match="family"):
        BLH(ItemDomain.of_sizes(2), Budget.of_root(fmpq(3)), AllFunctions((0, 1), 3))


@pytest.mark.parametrize("given", ["0.1", "1/2", "1", "2", "5", "ln(3)", "ln(7/2)", "ln(2)/2"])
def test_optimized_hashing_has_the_best_range_or_the_nearest(given: str) -> None:
    """The idealized hash, unless a family is given; the paper's e^eps + 1 is between the two ranges or one of them."""
    ranges, near = optimal_labels(Budget(given)), nearest_labels(Budget(given))
    best, nearest = OLH(d=2, epsilon=given), OLH(d=2, epsilon=given, rounding="nearest")
    assert (best.g, nearest.g) == (ranges.best, near)
    assert near in ranges[:2]
    assert best.family == AllFunctions((0, 1), ranges.best)
    assert OLH(d=2, epsilon=given, family=best.family) == best
    with pytest.raises(DomainError) as error:
        OLH(d=2, epsilon=given, family=AllFunctions((0, 1), ranges.best + 1))
    assert error.value.parameter == "family"


@pytest.mark.parametrize("w", [Fraction(a, b) for b in (1, 2, 3, 7) for a in range(b, 5 * b)], ids=str)
def test_the_nearest_range(w: Fraction) -> None:
    found = nearest_labels(Budget.of_root(exact(w)))
    assert abs(found - w - 1) == min(abs(g - w - 1) for g in range(1, 9))
    assert found == (int(w) + 1 if w - int(w) <= Fraction(1, 2) else int(w) + 2)


WIDTHS = [Fraction(a, b) for b in (1, 2, 3, 7) for a in range(b + 1, 6 * b)]


def wrong_ranges(best: Any, nearest: Any) -> Iterator[str]:
    """Where they are not the integer with the least variance, and the one next to e^eps + 1."""
    for w in WIDTHS:
        errors = {g: (w + g - 1) ** 2 / (g - 1) for g in range(2, 9)}
        if best(w) != min(errors, key=lambda g: (errors[g], g)):
            yield f"best of {w}"
        if nearest(w) != min(range(2, 9), key=lambda g: (abs(g - w - 1), g)):
            yield f"nearest of {w}"


def own_best(w: Fraction) -> int:
    return optimal_labels(Budget.of_root(exact(w))).best


def own_nearest(w: Fraction) -> int:
    return nearest_labels(Budget.of_root(exact(w)))


RANGES: dict[str, Any] = {
    "rounded down": lambda w: int(w) + 1,
    "rounded up": lambda w: -int(-w // 1) + 1,
    "halves away from zero": lambda w: int(w + Fraction(1, 2)) + 1,
    "e^eps, not e^eps + 1": lambda w: max(2, round(w)),
    "of e^(eps/2)": lambda w: max(2, round(float(w) ** 0.5) + 1),
    "two labels": lambda w: 2,
    "one more": lambda w: own_best(w) + 1,
}


def test_both_ranges() -> None:
    assert list(wrong_ranges(own_best, own_nearest)) == []


@pytest.mark.parametrize("name", RANGES)
def test_a_fault_of_a_range_is_caught(name: str) -> None:
    assert any(wrong_ranges(RANGES[name], own_nearest))
    assert any(wrong_ranges(own_best, RANGES[name]))


def test_rounding_may_miss_the_best_range() -> None:
    """Between sqrt(t (t + 1)) and t + 1/2 (t = 2: 2.449.. < 2.475 < 2.5) the larger of the two is better."""
    budget = Budget.of_root(fmpq(99, 40))
    assert (optimal_labels(budget).best, nearest_labels(budget)) == (4, 3)
    assert label_variance(4, budget) < label_variance(3, budget)


@pytest.mark.parametrize("rounding", ["", "BEST", None, 2, []], ids=str)
def test_roundings_that_are_none(rounding: Any) -> None:
    with pytest.raises(DomainError) as error:
        OLH(d=2, epsilon=1, rounding=rounding)
    assert error.value.parameter == "rounding"


@pytest.mark.parametrize("name", HASHING)
def test_a_fault_of_fast_hashing_is_caught(name: str) -> None:
    """The same client, on a list of two functions."""
    tables = ((0, 1, 2), (0, 0, 1))
    found = built(listed(3, tables), mutant(FLH, HASHING[name]))
    assert rows_of(built(listed(3, tables), FLH)) == laws(3, tables) != rows_of(found)


def wrong_fast_estimates(cls: type[Any] = FLH) -> Iterator[str]:
    """Mean and variance for fixed lists, of every data set, with the offset 1/g of the literature."""
    for g, tables in [*((g, t) for g, t, _ in families() if len(t) < 9), (2, UNEVEN), (3, UNEVEN), (2, ((0, 0),))]:
        d, p, q, chance = len(tables[0]), W / (W + g - 1), 1 / (W + g - 1), Fraction(1, g)
        moments = contributions(laws(g, tables), built(listed(g, tables), cls).estimate)
        for data in data_sets(d):
            n = len(data)
            for x in range(d):
                records = [(data.count(held), exact(collisions(tables, held, x))) for held in range(d)]
                numbers = exact(p), exact(q), exact(chance), records
                stated = fixed_mean(*numbers), fixed_variance(*numbers)
                mean, variance = summed(moments, data, x)
                if (exact(mean / n), exact(variance / n**2)) != stated:
                    yield f"{tables}: {data}, item {x}"


def test_mean_and_variance_of_fast_hashing_for_fixed_lists() -> None:
    assert list(wrong_fast_estimates()) == []


@pytest.mark.parametrize("name", [name for name in SUPPORTS if name not in SAME_FOR_FAST])
def test_a_fault_of_the_fast_estimator_is_caught(name: str) -> None:
    assert any(wrong_fast_estimates(mutant(FLH, SUPPORTS[name])))


def test_fast_hashing_takes_a_list() -> None:
    for family in (None, AllFunctions((0, 1), 2), functions(((0, 1),), 2), LabelFunction((0, 1), (0, 1), 2)):
        with pytest.raises(DomainError) as error:
            FLH(ItemDomain.of_sizes(2), Budget.of_root(fmpq(2)), family)  # type: ignore[arg-type]
        assert error.value.parameter == "family"
    assert FLH(d=2, epsilon=1, family=listed(2, ((0, 1),))).collision == fmpq(1, 2)
    assert FLH(d=2, epsilon=1, family=listed(2, ((0, 1),)), collision=fmpq(0)).collision == 0


@pytest.mark.parametrize("collision", [fmpq(-1, 2), fmpq(3, 2), 0.5, Fraction(1, 2), True, "1/2"], ids=str)
def test_collision_chances_that_are_none(collision: Any) -> None:
    with pytest.raises(DomainError) as error:
        built(ON_TWO, collision=collision)
    assert error.value.parameter == "collision"


H = ON_TWO.functions[0]


@pytest.mark.parametrize(
    "report",
    [
        (H, 2),
        (H, -1),
        (H, True),
        (H, 0.0),
        (H, 0, 0),
        [H, 0],
        ((0, 1), 0),
        (0, H),
        None,
        (LabelFunction((0, 1), (0, 1), 3), 0),
        (LabelFunction((1, 0), (0, 1), 2), 0),
        (LabelFunction((0, 1), (0, 0), 2), 0),
    ],
    ids=str,
)
def test_reports_of_another_family(report: Any) -> None:
    with pytest.raises(DomainError) as error:
        built(ON_TWO).estimate([(H, 1), report])
    assert error.value.parameter == "reports"


def test_other_refusals() -> None:
    mechanism = built(AllFunctions((0, 1), 2))
    with pytest.raises(DomainError, match="item"):
        mechanism.randomize(2, SamplingCoins(default_rng(1)))
    with pytest.raises(DomainError, match="reports"):
        mechanism.estimate([])
    at_zero = built(AllFunctions((0, 1), 2), root=fmpq(1))
    with pytest.raises(DomainError, match="budget"):
        at_zero.estimate([at_zero.randomize(0, SamplingCoins(default_rng(1)))])


def test_a_scripted_run() -> None:
    coins = ScriptedCoins([1, 0])
    assert built(ON_TWO).randomize(0, coins) == (ON_TWO.functions[1], 0)
    coins.require_finished()
