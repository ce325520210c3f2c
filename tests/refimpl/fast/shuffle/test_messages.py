"""Samplers have the laws of the programs, by enumeration of their words at small sizes; sizes of data; faults."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from numpy.random import default_rng

from cases.refusals import refusal_test, refuses
from dp_refimpl.fast.array_counts import Draws
from dp_refimpl.fast.frequency.hash_arrays import PolynomialHashes
from dp_refimpl.fast.frequency.label_arrays import LabelHashes
from dp_refimpl.fast.shuffle import messages as fast
from dp_refimpl.fast.shuffle.messages import (
    Sent,
    dummy_numbers,
    dummy_total,
    estimates_array,
    failures,
    failures_each,
    sample_hashed,
    sample_item_counts,
    sent_counts,
)
from dp_refimpl.frequency.hash_families import AffineLabels, CarterWegman
from dp_refimpl.shuffle.aue import AUE
from dp_refimpl.shuffle.blanket import SH
from dp_refimpl.shuffle.channel import shuffled_laws
from dp_refimpl.shuffle.dummies import Binomial, Constant, Listed, NegativeBinomial
from dp_refimpl.shuffle.dump import MixDUMP, PureDUMP
from dp_refimpl.shuffle.hpsdp import SRR
from dp_refimpl.shuffle.murs import SOLH
from dp_refimpl.shuffle.odhp import ODHP
from dp_refimpl.shuffle.protocol_parts import multiset
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain
from independent.array_reports import label_functions
from independent.enumerated_arrays import ExactDraws, law_of
from independent.numbers import fraction
from independent.shuffle_cases import BUDGET, IDEAL, TWO
from mutants.rewriting import planted_test, read_faults

NAN = float("nan")
RANDOM = Listed((fmpq(1, 2), fmpq(1, 2)))
AFFINE = AffineLabels((0, 1), 2)
SMALL = CarterWegman((0, 1), 3, 2, True)


ITEMS: dict[str, Any] = {
    "sh": SH(TWO, fmpq(1, 3)),
    "puredump": PureDUMP(TWO, Constant(1)),
    "mixdump": MixDUMP(TWO, BUDGET, Constant(1)),
    "mixdump binomial": MixDUMP(TWO, BUDGET, Binomial(1, fmpq(1, 3))),
    "mixdump listed": MixDUMP(TWO, BUDGET, RANDOM),
    "odhp": ODHP(TWO, BUDGET, Constant(1), hashes="nohash"),
    "aue": AUE(TWO, fmpq(1, 4)),
    "three": SH(ItemDomain.of_sizes(3), fmpq(1, 2)),
}


def counts_of(messages: Any, items: tuple[Any, ...]) -> tuple[int, ...]:
    counts = dict(messages)
    return tuple(counts.get(x, 0) for x in items)


def wrong_histogram(randomizer: Any, data: tuple[int, ...]) -> bool:
    held = np.bincount(data, minlength=len(randomizer.inputs)).astype(np.int64)
    array_law = law_of(lambda coins: tuple(int(c) for c in sample_item_counts(randomizer, held, coins)), ExactDraws)
    law = shuffled_laws(randomizer, len(data)).law(data)
    return array_law != {counts_of(y, randomizer.inputs): fraction(p) for y, p in law.items()}


@pytest.mark.parametrize("data", [(0,), (1,), (0, 0), (0, 1), (1, 1)])
@pytest.mark.parametrize("name", ITEMS)
def test_histograms_have_the_law_of_the_shuffled_messages(name: str, data: tuple[int, ...]) -> None:
    assert not wrong_histogram(ITEMS[name], data)


HASHED: dict[str, Any] = {
    "solh": SOLH(TWO, BUDGET, SMALL),
    "never zero": SOLH(TWO, BUDGET, CarterWegman((0, 1), 3, 2, False)),
    "srr": SRR(TWO, SMALL, fmpq(1, 3)),
    "shared": ODHP(TWO, BUDGET, Constant(1), AFFINE, "shared"),
    "shared domain": ODHP(TWO, BUDGET, Constant(2), AFFINE, "shared", "domain"),
    "shared random": ODHP(TWO, BUDGET, RANDOM, AFFINE, "shared"),
    "fresh": ODHP(TWO, BUDGET, Constant(1), AFFINE, "fresh"),
    "fresh domain": ODHP(TWO, BUDGET, RANDOM, AFFINE, "fresh", "domain"),
    "no dummies": ODHP(TWO, BUDGET, Listed((fmpq(1),)), AFFINE, "fresh"),
}


def written(sent: Sent, family: Any) -> Any:
    functions = label_functions(sent.hashes, family)
    return multiset((h, int(y)) for h, row in zip(functions, sent.labels, strict=True) for y in row)


def wrong_messages(randomizer: Any, item: int) -> bool:
    items = np.array([item])
    law = law_of(lambda coins: written(sample_hashed(randomizer, items, coins), randomizer.family), ExactDraws)
    return law != {y: fraction(p) for y, p in randomizer.bundle_law(item).items()}


@pytest.mark.parametrize("item", [0, 1])
@pytest.mark.parametrize("name", HASHED)
def test_hashed_messages_have_the_law_of_the_program(name: str, item: int) -> None:
    assert not wrong_messages(HASHED[name], item)


def wrong_messages_of_two(randomizer: Any) -> bool:
    array_law = law_of(lambda coins: written(sample_hashed(randomizer, np.array([0, 1]), coins), AFFINE), ExactDraws)
    law = shuffled_laws(randomizer, 2).law((0, 1))
    return array_law != {y: fraction(p) for y, p in law.items()}


@pytest.mark.parametrize("name", ["shared", "no dummies"])
def test_messages_of_two_users(name: str) -> None:
    assert not wrong_messages_of_two(HASHED[name])


@pytest.mark.parametrize("name", HASHED)
def test_counts_of_sent_messages(name: str) -> None:
    randomizer, items = HASHED[name], np.array([0, 1, 1, 0, 1])
    sent = sample_hashed(randomizer, items, Draws(default_rng(2)))
    drawn = label_functions(sent.hashes, randomizer.family)
    messages = [(h, int(y)) for h, row in zip(drawn, sent.labels, strict=True) for y in row]
    counts = sent_counts(randomizer, sent)
    assert counts.tolist() == [sum(h(x) == y for h, y in messages) for x in (0, 1)]
    exact = randomizer.estimate(messages, 5)
    close = estimates_array(randomizer.estimator, counts, len(messages), 5)
    assert np.allclose(close, [float(fraction(f)) for f in exact.values()])


class Bits:
    """Coins whose bits are given, the rest ones."""

    def __init__(self, *bits: int) -> None:
        self.bits = list(bits)

    def bernoulli(self, p: Fraction, count: int) -> Any:
        taken, self.bits = self.bits[:count], self.bits[count:]
        return np.array(taken + [1] * (count - len(taken)), np.uint8)


@pytest.mark.parametrize("block", [1, 2, 3, 100])
def test_failures_are_counted_up_to_the_last_success(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast, "_BLOCK", block)
    stream = (0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 1)
    for successes, zeros in ((0, 0), (1, 2), (2, 2), (3, 3), (4, 6), (5, 6)):
        coins: Any = Bits(*stream)
        assert failures(successes, Fraction(1, 2), coins) == zeros
    bits: Any = Bits(*stream)
    assert failures_each(2, Fraction(1, 2), 2, bits).tolist() == [2, 4]
    bits = Bits(*stream)
    assert failures_each(1, Fraction(1, 2), 5, bits).tolist() == [2, 0, 1, 3, 0]


def test_numbers_of_dummies_at_data_size() -> None:
    coins, users = Draws(default_rng(11)), 20_000
    for count in (Constant(2), Binomial(5, fmpq(1, 3)), NegativeBinomial(2, fmpq(1, 4)), RANDOM):
        each, total = dummy_numbers(count, users, coins), dummy_total(count, users, coins)
        assert each.shape == (users,)
        for number in (int(each.sum()), total):  # more than eight standard deviations
            assert (number - users * count.mean) ** 2 <= 64 * users * count.variance


def test_estimates_at_data_size() -> None:
    """Every estimate within eight exact standard deviations of its mean (forty numbers)."""
    domain, n = ItemDomain.of_sizes(5), 100_000
    held, budget = np.array([50_000, 30_000, 0, 19_999, 1]), Budget("1")
    family = CarterWegman(domain.items, 2**31 - 1, 4, True)
    randomizers: tuple[Any, ...] = (
        SH(domain, fmpq(1, 5)),
        MixDUMP(domain, budget, Binomial(3, fmpq(1, 2))),
        AUE(domain, fmpq(1, 10)),
        ODHP(domain, budget, NegativeBinomial(1, fmpq(1, 2)), family, "fresh"),
        ODHP(domain, budget, Constant(2), family, "shared", form="s2"),
    )
    for randomizer in randomizers:
        hashed = isinstance(randomizer, ODHP)
        items = np.repeat(np.arange(5), held)
        sent = sample_hashed(randomizer, items, Draws(default_rng(8))) if hashed else None
        counts = (
            sample_item_counts(randomizer, held, Draws(default_rng(8)))
            if sent is None
            else sent_counts(randomizer, sent)
        )
        messages = int(counts.sum()) if sent is None else int(sent.labels.size)
        estimates = estimates_array(randomizer.estimator, counts, messages, n)
        for x in range(5):
            mean, variance = randomizer.moments(dict(enumerate(map(int, held))), x)
            assert (estimates[x] - _float(mean)) ** 2 <= 64 * _float(variance)


def _float(x: Any) -> float:
    return float(fraction(x)) if isinstance(x, fmpq) else float(x)


FAULTS: dict[str, tuple[str, Any]] = {
    "randomized reports are lost": ("_reports", lambda keep, held, coins: coins.binomials(held, keep)),
    "nobody randomizes": ("_reports", lambda keep, held, coins: held),
    "a dummy less": ("dummy_total", lambda count, users, coins: users * count.m - 1),
    "one user's dummies": ("dummy_total", lambda count, users, coins: count.m),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, wrong = FAULTS[fault]
    monkeypatch.setattr(fast, name, wrong)
    assert wrong_histogram(ITEMS["mixdump"], (0, 1))


def test_dummies_with_other_functions_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """`shared` that draws new functions, and `fresh` that does not."""
    shared, fresh = HASHED["shared"], HASHED["fresh"]
    assert shared.bundle_law(0) != fresh.bundle_law(0)
    monkeypatch.setattr(fast, "_dummy_labels", lambda randomizer, hashes, each, coins: hashes.values(
        np.zeros((len(hashes), each), np.int64)
    ))  # fmt: skip
    assert wrong_messages(shared, 0)


def wrong_draws() -> Iterator[str]:
    """Where a function is not drawn as the program draws it."""
    for name in ("solh", "never zero"):
        for item in (0, 1):
            try:
                if wrong_messages(HASHED[name], item):
                    yield f"{name}: {item}"
            except DomainError as error:
                yield str(error)
    if wrong_messages_of_two(HASHED["no dummies"]):
        yield "two users"


test_planted_faults_of_functions_are_found = planted_test(
    {name: fault for name, fault in read_faults("hash_arrays.toml").items() if fault.finder == "messages"},
    {"messages": wrong_draws},
)


COINS: Any = Draws(default_rng(1))
PAIR: Any = np.array([1, 1])
ZEROS = PolynomialHashes(np.zeros((2, 2), np.int64), 3)
NO_HELD = [*map(np.array, ([1], [1, -1], [0, 0], [0.5, 0.5], [NAN, 1], [[1, 1]])), [1, 1]]
NO_ITEMS = [*map(np.array, ([0, 2], [-1], [0.0])), np.array([], np.int64), [0]]
PLAIN = SH(TWO, fmpq(1, 2)).estimator
OF_USERS: tuple[Any, ...] = (
    lambda users: dummy_total(Constant(1), users, COINS),
    lambda users: dummy_numbers(Constant(1), users, COINS),
    lambda users: estimates_array(PLAIN, PAIR, 2, users),
)
test_refusals = refusal_test(
    refuses("held", lambda held: sample_item_counts(ITEMS["odhp"], held, COINS), *NO_HELD),
    refuses("randomizer", lambda: sample_item_counts(HASHED["shared"], PAIR, COINS), says="items"),
    refuses("items", lambda items: sample_hashed(HASHED["solh"], items, COINS), *NO_ITEMS),
    refuses(
        "family",
        lambda randomizer: sample_hashed(randomizer, PAIR, COINS),
        *(SOLH(TWO, BUDGET, IDEAL), SOLH(ItemDomain((1, 0)), BUDGET, SMALL), ITEMS["odhp"]),
    ),
    refuses("hashes", lambda: sent_counts(HASHED["never zero"], Sent(LabelHashes(ZEROS, 2), PAIR[:, None]))),
    refuses("family", lambda: sent_counts(ITEMS["odhp"], Sent(LabelHashes(ZEROS, 2), PAIR[:, None]))),
    *(refuses("users", call, 0, -1, 1.0, True) for call in OF_USERS),
    refuses("slope", lambda: estimates_array(SH(TWO, fmpq(1)).estimator, PAIR, 2, 1)),
    refuses(
        "counts",
        lambda counts: estimates_array(PLAIN, counts, 2, 2),
        *(np.array([-1, 1]), np.array([0.5]), np.array([], np.int64), [1]),
    ),
)
