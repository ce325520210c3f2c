"""PrivSet: exact law, estimator, search for k and vectorized sampler, against plain fractions; planted faults."""

from collections.abc import Hashable, Iterator
from fractions import Fraction
from functools import partial
from itertools import chain, combinations
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from cases.faults import nothing_wrong_test
from cases.refusals import refusal_test, refuses
from dp_refimpl.coins import SamplingCoins
from dp_refimpl.enumeration import exact_channel, output_law
from dp_refimpl.fast.array_coins import ArrayCoins
from dp_refimpl.fast.frequency import privset
from dp_refimpl.fast.frequency.privset import completed_rows, sample_privset
from dp_refimpl.frequency.privset import Dummy, PrivSet, best_k, error, inclusion
from dp_spec.vocabulary.budget import Budget, real_budget
from dp_spec.vocabulary.exceptions import NotExactError, UndecidedError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.ratfunc import RationalFunctionField
from independent import brute_force as plain
from independent import brute_force_privset
from independent.enumerated_arrays import EnumeratedArrayCoins, law_of, with_words
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


def test_the_same_law_over_every_field() -> None:
    field = RationalFunctionField({"w": 1})
    w = field.variable("w")
    symbolic = PrivSet(ItemDomain.of_sizes(3), Budget.of_root(w), 2, 2, True)
    exact = built(3, 2, 2, True, Fraction(3))
    ball = PrivSet(ItemDomain.of_sizes(3), real_budget("ln(3)"), 2, 2, True)
    for name in ("hit", "p", "q"):
        number = getattr(exact, name)
        assert getattr(symbolic, name).at({"w": fmpq(3)}) == number
        assert getattr(ball, name).contains(arb(number))
    row = exact_channel(symbolic.randomize, [frozenset([0])], w * 0 + 1).rows[frozenset([0])]
    assert sum(row.values(), w * 0) == 1


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


# --- the vectorized sampler ---------------------------------------------------------------------------------------


def array(sets: list[tuple[int, ...]], width: int) -> Any:
    return np.array([[*sorted(s, reverse=True), *[-1] * (width - len(s))] for s in sets], np.int64).reshape(
        len(sets), width
    )


def wrong_samples(sizes: Any, users: int = 1, kind: Any = EnumeratedArrayCoins) -> Iterator[str]:
    """Where the joint law of some users' reports is not the product of the laws by brute force."""
    w = ROOTS[1]
    for d, m, k, padded in sizes:
        mechanism = built(d, m, k, padded, w)
        every = [tuple(s) for size in range(0 if padded else m, m + 1) for s in combinations(range(d), size)]
        for sets in [[s] * users for s in every] if users == 1 else [[every[0], every[-1]]]:
            held = array(sets, m)

            def program(coins: Any, mechanism: Any = mechanism, held: Any = held) -> Hashable:
                return tuple(tuple(map(int, row)) for row in sample_privset(mechanism, held, coins))

            laws = [brute_force_privset.privset(frozenset(s), d, m, k, w, padded) for s in sets]
            listed: list[plain.Law] = [{tuple(sorted(o)): p for o, p in law.items()} for law in laws]  # type: ignore[call-overload]
            if law_of(program, kind) != plain.collected(plain.independent(listed)):
                yield f"{(d, m, k, padded)}: law of {sets}"


SMALL = [
    *((2, 1, 1, False), (3, 1, 2, False), (3, 2, 1, False), (4, 2, 2, False)),
    *((1, 1, 1, True), (2, 2, 1, True), (2, 1, 2, True)),
]


def test_sampler_has_exactly_the_law_of_the_mechanism() -> None:
    assert list(wrong_samples(SMALL)) == []
    assert list(wrong_samples([(2, 2, 2, True), (4, 1, 3, False)], kind=with_words(1, 2))) == []


def test_users_are_independent() -> None:
    assert list(wrong_samples([(2, 1, 1, False), (3, 2, 1, False), (1, 1, 1, True)], users=2)) == []


test_planted_faults_of_the_sampler_are_found = planted_test(
    read_faults("privset_arrays.toml"),
    {"samples": lambda: chain(wrong_samples(SMALL), wrong_samples([(2, 1, 1, False)], users=2))},
)


def test_blocks_of_users_change_nothing_but_the_words(monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism = built(5, 2, 3, True, Fraction(3))
    sets = np.array([[0, 1], [4, -1], [-1, -1], [3, 2]] * 30, np.int64)
    before = sets.copy()
    first, second = (sample_privset(mechanism, sets, ArrayCoins(default_rng(3))) for _ in range(2))
    monkeypatch.setattr(privset, "CELLS", 14)
    blocks = sample_privset(mechanism, sets, ArrayCoins(default_rng(3)))
    assert (first == second).all()
    assert (sets == before).all()
    for reports in (first, blocks):
        assert (reports.shape, reports.dtype) == ((120, 3), np.dtype(np.int64))
        assert ((reports >= 0) & (reports < 7)).all()
        assert (np.diff(reports, axis=1) > 0).all()


def test_rows_are_completed_by_the_first_dummies() -> None:
    mechanism = built(4, 3, 1, True, Fraction(2))
    rows = completed_rows(mechanism, np.array([[2, -1, 0], [-1, -1, -1], [3, 1, 0], [-1, 3, -1]]))
    assert rows.tolist() == [[0, 2, 4], [4, 5, 6], [0, 1, 3], [3, 4, 5]]
    assert completed_rows(mechanism, np.empty((2, 0), np.int64)).tolist() == [[4, 5, 6]] * 2
    assert completed_rows(mechanism, np.array([[-1, 2, -1, -1, 1]])).tolist() == [[1, 2, 4]]


# --- refusals ---------------------------------------------------------------------------------------------------------

NAN, COINS = float("nan"), SamplingCoins(default_rng(0))
NO_SETS = [frozenset({0}), frozenset({0, 1, 2}), frozenset(), frozenset({0, 9}), {0, 1}, [0, 1], None]
NO_PADDED_SETS = [frozenset({0, 1, 2}), frozenset({Dummy(0)}), frozenset({0, 9}), (0,), 0]
NO_REPORTS = [frozenset({0}), frozenset({0, 1, 2}), frozenset({0, 9}), (0, 1), frozenset({0, Dummy(2)}), {0, 1}]
NO_ARRAYS = [
    *([[0, 1]], None, np.array([0, 1]), np.empty((0, 2), np.int64)),
    *map(np.array, ([[0.0, 1.0]], [[True, False]], [[0, 4]], [[1, 1]], [[0, 1, 2]], [["a", "b"]])),
]


def drawn(padded: bool) -> Any:
    return lambda items: PrivSet(DOMAIN, TWO, 2, 1, padded).randomize(items, COINS)


def sampled(padded: bool) -> Any:
    return lambda sets: sample_privset(built(4, 2, 1, padded, Fraction(2)), sets, ArrayCoins(default_rng(0)))


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
    refuses("sets", sampled(False), *NO_ARRAYS, np.array([[0]]), np.array([[0, -1]])),
    refuses("sets", sampled(True), *NO_ARRAYS, np.array([[0, -2]])),
)
