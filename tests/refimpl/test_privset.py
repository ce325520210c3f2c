"""PrivSet: exact law, estimator and search for k, against plain fractions; planted faults."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from cases.faults import nothing_wrong_test
from cases.refusals import refusal_test, refuses
from dp_refimpl.coins import SamplingCoins
from dp_refimpl.enumeration import output_law
from dp_refimpl.frequency.privset import Dummy, PrivSet, best_k, error, inclusion
from dp_spec.vocabulary.budget import Budget, real_budget
from dp_spec.vocabulary.exceptions import NotExactError, UndecidedError
from dp_spec.vocabulary.items import ItemDomain
from independent import brute_force as plain
from independent import brute_force_privset
from independent.numbers import fraction
from mutants.rewriting import planted_test, read_faults

ROOTS = (Fraction(1), Fraction(3, 2), Fraction(3))
SIZES = tuple(
    (d, m, k, padded)
    for padded in (False, True)
    for d in range(1, 4 if padded else 5)
    for m in range(1, d + padded)
    for k in range(1, (d if padded else d - m) + 1)
)


def budget(w: Fraction) -> Budget[fmpq]:
    return Budget.of_root(fmpq(w.numerator, w.denominator))


def built(d: int, m: int, k: int, padded: bool, w: Fraction) -> Any:
    return PrivSet(ItemDomain.of_sizes(d), budget(w), m, k, padded)


def inputs(d: int, m: int, padded: bool) -> tuple[frozenset[Any], ...]:
    return ItemDomain.of_sizes(d).subsets(range(0 if padded else m, m + 1))


def numbered(d: int, report: Any) -> frozenset[int]:
    return frozenset(d + x.number if isinstance(x, Dummy) else x for x in report)


def wrong_laws() -> Iterator[str]:
    for (d, m, k, padded), w in ((at, w) for at in SIZES for w in ROOTS):
        mechanism = built(d, m, k, padded, w)
        for s in inputs(d, m, padded):
            done = output_law(partial(mechanism.randomize, s), fmpq(1))
            law = plain.collected((numbered(d, o), fraction(p)) for o, p in done.items())
            if law != brute_force_privset.privset(s, d, m, k, w, padded):
                yield f"{(d, m, k, padded, w)}: law of {set(s)}"


def wrong_estimates() -> Iterator[str]:
    """Expected estimates of one user, from the law by brute force (reports as the mechanism writes them)."""
    for d, m, k, padded in SIZES:
        mechanism = built(d, m, k, padded, ROOTS[1])
        for s in inputs(d, m, padded):
            mean = dict.fromkeys(range(d), fmpq(0))
            for o, p in brute_force_privset.privset(s, d, m, k, ROOTS[1], padded).items():
                report = frozenset(mechanism.outputs[x] for x in o)  # type: ignore[attr-defined]
                for x, estimate in mechanism.estimate([report]).items():
                    mean[x] += estimate * fmpq(p.numerator, p.denominator)
            if mean != {x: int(x in s) for x in range(d)}:
                yield f"{(d, m, k, padded)}: estimates of {set(s)}"


test_exact_law_is_the_law_by_brute_force = nothing_wrong_test(wrong_laws)
test_estimator_is_unbiased = nothing_wrong_test(wrong_estimates)
test_planted_faults_are_found = planted_test(
    read_faults("privset.toml"), {"law PrivSet": wrong_laws, "estimates PrivSet": wrong_estimates}
)


@given(st.integers(2, 7), st.data())
def test_p_and_q_are_the_chances_of_the_law(d: int, data: st.DataObject) -> None:
    m = data.draw(st.integers(1, d - 1))
    k = data.draw(st.integers(1, d - m))
    w = data.draw(st.fractions(1, 20, max_denominator=9))
    chances = inclusion(d, m, k, budget(w))
    assert tuple(map(fraction, chances)) == brute_force_privset.chances(d, m, k, w, False)


# --- choice of k --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize(("objective", "first"), [("set-weights", None), ("single-weights", 1)])
def test_best_k_is_the_smallest_with_the_least_error(padded: bool, objective: Any, first: int | None) -> None:
    for d in range(2, 6 if padded else 8):
        for m in range(1, min(d, 3)):
            for w in (Fraction(3, 2), Fraction(2), Fraction(5)):
                listed = brute_force_privset.errors(d, m, w, padded, first or m)
                size = brute_force_privset.outputs(d, m, padded)
                errors = [fraction(error(size, m, k, budget(w), objective)) for k in range(1, len(listed) + 1)]
                assert errors == listed
                best = best_k(ItemDomain.of_sizes(d), budget(w), m, padded=padded, objective=objective)
                assert best == 1 + listed.index(min(listed))


def test_a_tie_goes_to_the_smaller_k() -> None:
    """For m = 1 the errors at k and k + 1 are equal where w^2 k (k + 1) = (D - k)(D - k - 1): D = 10, k = 1, w = 6."""
    domain, six = ItemDomain.of_sizes(10), Budget.of_root(fmpq(6))
    assert error(10, 1, 1, six) == error(10, 1, 2, six)
    assert best_k(domain, six, 1) == 1
    with pytest.raises(UndecidedError):
        best_k(domain, real_budget("ln(6)", 64), 1)


def test_the_objectives_differ_first_at_eight_items() -> None:
    domain, two = ItemDomain.of_sizes(8), Budget.of_root(fmpq(2))
    assert best_k(domain, two, 2, padded=True) == 2
    assert best_k(domain, two, 2, padded=True, objective="single-weights") == 1


# --- dummies ----------------------------------------------------------------------------------------------------------

DOMAIN, TWO = ItemDomain.of_sizes(4), Budget.of_root(fmpq(2))


def test_dummies_fill_up_in_order_and_are_not_estimated() -> None:
    mechanism = PrivSet(ItemDomain(("a", "b", "c")), TWO, 3, 2, True)
    assert mechanism.outputs == ("a", "b", "c", Dummy(0), Dummy(1), Dummy(2))
    assert mechanism.completed(frozenset({"c"})) == ("c", Dummy(0), Dummy(1))
    assert mechanism.completed(frozenset()) == (Dummy(0), Dummy(1), Dummy(2))
    assert list(mechanism.estimate([frozenset({"a", Dummy(2)})])) == ["a", "b", "c"]


# --- refusals ---------------------------------------------------------------------------------------------------------

NAN, COINS = float("nan"), SamplingCoins(default_rng(0))
NO_SETS = [frozenset({0}), frozenset({0, 1, 2}), frozenset(), frozenset({0, 9}), {0, 1}, [0, 1], None]
NO_PADDED_SETS = [frozenset({0, 1, 2}), frozenset({Dummy(0)}), frozenset({0, 9}), (0,), 0]
NO_REPORTS = [frozenset({0}), frozenset({0, 1, 2}), frozenset({0, 9}), (0, 1), frozenset({0, Dummy(2)}), {0, 1}]


def drawn(padded: bool) -> Any:
    return lambda items: PrivSet(DOMAIN, TWO, 2, 1, padded).randomize(items, COINS)


def at_epsilon_zero() -> Any:
    mechanism = PrivSet(DOMAIN, Budget.of_root(fmpq(1)), 2, 2)
    return mechanism.estimate([mechanism.randomize(frozenset({0, 1}), COINS)])


test_refusals = refusal_test(
    refuses("m", lambda m: best_k(DOMAIN, TWO, m), 0, -1, 4, True, 2.0, "2", None, NAN),
    refuses("objective", lambda objective: best_k(DOMAIN, TWO, 2, objective=objective), "both"),
    refuses("padded", lambda padded: best_k(DOMAIN, TWO, 2, padded=padded), 1),
    refuses("budget", lambda: best_k(DOMAIN, Budget.of_root(fmpq(1)), 2)),
    refuses("domain", lambda domain: best_k(domain, TWO, 1), (0, 1)),
    refuses("m", lambda m: PrivSet(DOMAIN, TWO, m, 1), 0, 4, 5, True, 1.0, None, "1", NAN),
    refuses("m", lambda m: PrivSet(DOMAIN, TWO, m, 1, True), 0, 5, True),
    refuses("m", lambda: PrivSet(ItemDomain.of_sizes(1), TWO, 1, 1)),
    refuses("k", lambda k: PrivSet(DOMAIN, TWO, 2, k), 0, 3, -1, True, 1.0, None, "1", NAN),
    refuses("k", lambda k: PrivSet(DOMAIN, TWO, 2, k, True), 0, 5),
    refuses("padded", lambda padded: PrivSet(DOMAIN, TWO, 2, 1, padded), 1),
    refuses("domain", lambda domain: PrivSet(domain, TWO, 1, 1), (0, 1), ItemDomain((0, Dummy(0)))),
    refuses("domain.sensitive", lambda: PrivSet(ItemDomain((), (0, 1)), TWO, 1, 1)),
    refuses("budget", lambda budget: PrivSet(DOMAIN, budget, 1, 1), fmpq(2)),
    refuses("items", drawn(False), *NO_SETS),
    refuses("items", drawn(True), *NO_PADDED_SETS),
    refuses("reports", PrivSet(DOMAIN, TWO, 2, 2, True).estimate, [], *([report] for report in NO_REPORTS)),
    refuses("budget", at_epsilon_zero),
    refuses("probability", lambda: PrivSet(DOMAIN, real_budget("1"), 2, 2).randomize(frozenset({0, 1}), COINS)),
    refuses("budget", lambda: TWO.split(2), kind=NotExactError),
)
