"""Vectorized samplers: their exact laws at small sizes are those of the mechanisms."""

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from cases.refusals import refusal_test, refuses
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.fast.array_coins import ArrayCoins
from dp_refimpl.fast.frequency.grr import sample_grr, sample_grr_sample, sample_grr_split, sample_urr
from dp_refimpl.fast.frequency.item_arrays import BLANK, chunks, item_rows, positions, set_rows
from dp_refimpl.fast.frequency.rappor import sample_rappor, sample_rappor_sample, sample_rappor_set
from dp_refimpl.fast.frequency.sugrr import ItemReports, sample_sugrr, sample_sugrr_sample
from dp_refimpl.fast.frequency.surap import sample_surap, sample_surap_sample, sample_urap
from dp_refimpl.frequency.rappor import RAPPOR
from dp_refimpl.frequency.sugrr import SuGRR
from dp_refimpl.frequency.surap import SuRAP, SuRAPSample
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain
from independent import brute_force as plain
from independent.cases import CASES, Case, plain_rows
from independent.enumerated_arrays import ONE, EnumeratedArrayCoins, ExactArrayCoins, law_of


def row_of_items(y: Any) -> Hashable:
    return int(y) if np.ndim(y) == 0 else tuple(int(z) for z in y)


def report_of_items(view: str) -> Callable[[Any, Any], Hashable]:
    def decode(y0: Any, entries: Any) -> Hashable:
        invertible = frozenset(int(z) for z in entries if z != BLANK)
        listed = [int(z) for z in y0]
        if view == "position":
            return tuple(None if z == BLANK else z for z in listed), invertible
        held = [z for z in listed if z != BLANK]
        assert listed == held + [BLANK] * (len(listed) - len(held))
        if view == "sample":
            return (held[0] if held else None), invertible
        return frozenset(held) if view == "set" else tuple(held), invertible

    return decode


def report_of_bits(sensitive: int) -> Callable[[Any], Hashable]:
    return lambda y: (
        tuple(int(b) for b in y[:sensitive]),
        frozenset(int(j) for j in np.flatnonzero(y) if j >= sensitive),
    )


SAMPLERS: dict[str, Callable[..., Any]] = {
    "grr": sample_grr,
    "grr-split-vector": sample_grr_split,
    "grr-split-multiset": sample_grr_split,
    "grr-sample": sample_grr_sample,
    "rappor": sample_rappor,
    "rappor-set": sample_rappor_set,
    "rappor-sample": sample_rappor_sample,
    "urr": sample_urr,
    "urap": sample_urap,
    "urap-theta": sample_urap,
    "sugrr-set": sample_sugrr,
    "sugrr-multiset": sample_sugrr,
    "sugrr-position": sample_sugrr,
    "sugrr-padded": sample_sugrr,
    "sugrr-sample": sample_sugrr_sample,
    "surap": sample_surap,
    "surap-sample": sample_surap_sample,
}
SIZES = ((1, 0, 1), (2, 1, 1), (1, 2, 2), (2, 1, 2))
ROOT = Fraction(3, 2)


def decoded(case: Case, reports: Any, sensitive: int) -> tuple[Hashable, ...]:
    """The rows of a sampler's result as the brute force writes reports."""
    if isinstance(reports, ItemReports):
        decode = report_of_items(dict(case.options).get("view", "sample"))
        return tuple(map(decode, reports.protected, reports.invertible))
    if case.name.startswith(("surap", "urap")):
        return tuple(map(report_of_bits(sensitive), reports))
    return tuple(map(row_of_items, reports))


def sampled(case: Case, mechanism: Any, array: Any, coins: ArrayCoins) -> tuple[Hashable, ...]:
    """What the sampler yields with these coins."""
    return decoded(case, SAMPLERS[case.name](mechanism, array, coins), len(mechanism.domain.sensitive))


def wrong_samples(case: Case, kind: Any, users: int = 1, sizes: Any = SIZES) -> Iterator[str]:
    """Where the joint law of the reports of some users is not the product of the laws by brute force."""
    for k, n, m in sizes:
        mechanism = case.build(k, n, m, ROOT)
        inputs = case.inputs(mechanism.domain, m, False)
        for held in [(x,) * users for x in inputs] if users == 1 else [(inputs[0], inputs[-1])]:
            array = np.array([sorted(x, reverse=True) if case.on_sets else x for x in held], np.int64)
            law = law_of(partial(sampled, case, mechanism, array), kind)
            if law != plain.collected(plain.independent([case.law(x, k, k + n, m, ROOT) for x in held])):
                yield f"{case.name} {(k, n, m)}: law of {held}"


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_sampler_has_exactly_the_law_of_the_mechanism(case: Case) -> None:
    assert list(wrong_samples(case, ExactArrayCoins)) == []


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_users_are_independent(case: Case) -> None:
    assert list(wrong_samples(case, ExactArrayCoins, 2, [(1, 1, 1)])) == []


@pytest.mark.parametrize("name", ["grr-sample", "rappor-set", "sugrr-sample"])
def test_the_law_without_the_short_cut_of_exact_indices(name: str) -> None:
    assert list(wrong_samples(next(case for case in CASES if case.name == name), EnumeratedArrayCoins)) == []


@pytest.mark.parametrize("order", [(2, 0, 1), (2, 1, 0), (1, 2, 0)])
def test_items_are_processed_in_the_order_of_the_mechanism(order: tuple[int, ...]) -> None:
    mechanism = SuGRR(ItemDomain.of_sizes(2, 1), Budget.of_root(fmpq(3, 2), 4), 2, view="position", order=order)
    case = next(c for c in CASES if c.name == "sugrr-position")
    for s in mechanism.domain.subsets([2]):
        law = law_of(partial(sampled, case, mechanism, np.array([sorted(s, key=str)])))
        program = exact_channel(mechanism.randomize, [s], ONE)
        assert law == {(y,): p for y, p in plain_rows(program)[s].items()}
        slots = plain.independent([plain.protected_item(x, 2, ROOT**2) for x in order if x in s])
        positions_of_y0 = plain.collected((tuple(z if z in (0, 1) else None for z in y), p) for y, p in slots)
        assert plain_rows(program.push_forward(lambda y: y.protected))[s] == positions_of_y0


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_samplers_are_reproducible_and_count_their_users(case: Case) -> None:
    mechanism = case.build(3, 4, 2, ROOT)
    array = default_rng(0).permuted(np.tile(np.arange(7), (50, 1)), axis=1)[:, : 2 if case.on_sets else 1]
    array = array if case.on_sets else array[:, 0]
    before = array.copy()
    first, second = (SAMPLERS[case.name](mechanism, array, ArrayCoins(default_rng(9))) for _ in range(2))
    assert decoded(case, first, 3) == decoded(case, second, 3)
    assert len(decoded(case, first, 3)) == 50
    assert (array == before).all()


def test_dense_reports_are_bytes() -> None:
    mechanism = RAPPOR(ItemDomain.of_sizes(100), Budget.of_root(fmpq(2), 2))
    reports = sample_rappor(mechanism, np.zeros(30, np.int64), ArrayCoins(default_rng(0)))
    assert (reports.shape, reports.dtype) == ((30, 100), np.dtype(np.uint8))


def test_sets_of_other_sizes_where_they_are_wanted() -> None:
    domain, budget = ItemDomain.of_sizes(2, 2), Budget.of_root(fmpq(2), 4)
    surap = next(case for case in CASES if case.name == "surap")
    for width in (0, 1, 3):
        sets = np.arange(width)[None, :].astype(np.int64)
        items = frozenset(range(width))
        law = law_of(partial(sampled, surap, SuRAP(domain, budget, 2, True), sets))
        assert law == plain.collected(plain.independent([plain.surap(items, 2, 4, Fraction(2))]))
    empty = sample_sugrr(SuGRR(domain, budget, 2, True), np.empty((2, 0), np.int64), ArrayCoins(default_rng(0)))
    assert empty.protected.shape == empty.invertible.shape == (2, 0)


def test_positions() -> None:
    domain = ItemDomain(("a", "b"), ("c",))
    assert positions(["c", "a", "a"], domain).tolist() == [2, 0, 0]


@given(st.integers(0, 50), st.integers(1, 20))
def test_chunks_cover_all_users_once(users: int, size: int) -> None:
    parts = [range(users)[part] for part in chunks(users, size)]
    assert [i for part in parts for i in part] == list(range(users))
    assert all(1 <= len(part) <= size for part in parts)


DOMAIN, BUDGET = ItemDomain.of_sizes(2, 2), Budget.of_root(fmpq(2), 4)
EMPTY = SuRAPSample(DOMAIN, BUDGET, m=2, any_size=True)
NO_ITEMS = [[0], 0, np.array([], int), *map(np.array, ([[0]], [0.0], [4], [-1]))]
NO_SETS = [
    *([[0, 1]], np.empty((0, 2), np.int64), None),
    *map(np.array, ([0, 1], [[0.0, 1.0]], [[True, False]], [[0, 4]], [[0, -1]], [[1, 1]])),
    *map(np.array, ([[0, 1, 2]], [[0]], [["a", "b"]])),
]
test_refusals = refusal_test(
    refuses("sets", lambda sets: set_rows(sets, SuRAP(DOMAIN, BUDGET, m=2)), *NO_SETS),
    refuses("items", lambda items: item_rows(items, RAPPOR(DOMAIN, BUDGET)), *NO_ITEMS),
    # nothing is drawn from empty sets
    refuses("sets", lambda: sample_surap_sample(EMPTY, np.empty((3, 0), np.int64), ArrayCoins(default_rng(0)))),
    refuses("items", lambda names: positions(names, ItemDomain(("a", "b"), ("c",))), ["a", "z"]),
    refuses("size", lambda size: chunks(3, size), 0, -3),
)
