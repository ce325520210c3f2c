"""Whole protocols: what is published is the analyzer's on the exact channel; EM is biased; POP gives histograms."""

from collections.abc import Iterator
from typing import Any

import pytest
from flint import fmpq

from dp_refimpl.coins import Coins
from dp_refimpl.enumeration import output_law
from dp_refimpl.shuffle.channel import data_sets, shuffled_laws
from dp_refimpl.shuffle.dummies import Binomial, Constant
from dp_refimpl.shuffle.em import Refinement
from dp_refimpl.shuffle.hpsdp import SRR
from dp_refimpl.shuffle.murs import SOLH
from dp_refimpl.shuffle.odhp import ODHP
from dp_refimpl.shuffle.protocols import hp_sdp, od_hp, peos
from dp_refimpl.shuffle.shuffler import LostMessagesError, Pipeline, ToMultiset, ToSet, Unit
from dp_spec.vocabulary.exceptions import DomainError
from independent.shuffle_cases import BUDGET, IDEAL, TWO

ONE = fmpq(1)
Published = dict[tuple[Any, ...], fmpq]


def run(pipeline: Pipeline[dict[Any, fmpq], Any], data: tuple[Any, ...]) -> Published:
    """The law of what is published, all paths walked."""

    def published(coins: Coins) -> tuple[Any, ...]:
        estimates = pipeline.run(data, coins)
        return tuple(estimates[x] for x in pipeline.randomizer.inputs)

    return output_law(published, ONE)


def analyzed(pipeline: Pipeline[dict[Any, fmpq], Any], data: tuple[Any, ...]) -> Published:
    """The same from the exact channel."""
    law: Published = {}
    for messages, p in shuffled_laws(pipeline.randomizer, len(data), pipeline.unit).law(data).items():
        histogram = pipeline.analyzer(messages, len(data))
        key = tuple(histogram[x] for x in pipeline.randomizer.inputs)
        law[key] = law.get(key, fmpq(0)) + p
    return law


READINGS: dict[str, Any] = {
    "nohash": ODHP(TWO, BUDGET, Constant(1), hashes="nohash", form="t3"),
    "fresh": ODHP(TWO, BUDGET, Constant(1), IDEAL, "fresh"),
    "shared": ODHP(TWO, BUDGET, Constant(1), IDEAL, "shared"),
    "sharedsmall": ODHP(TWO, BUDGET, Constant(1), hashes="sharedsmall"),
    "random": ODHP(TWO, BUDGET, Binomial(2, fmpq(1, 2)), hashes="nohash", form="t3"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["mix", "reports"])
@pytest.mark.parametrize("name", READINGS)
def test_algorithm_1_publishes_what_the_collector_makes_of_the_channel(name: str, kind: Any) -> None:
    units: tuple[Unit, ...] = ("bundle",) if name == "fresh" else ("message", "bundle")
    for unit in units:
        pipeline = od_hp(READINGS[name], Refinement(kind, "uniform", 2), shuffler=ToMultiset(), unit=unit)
        for data in [(0, 1)] if name == "fresh" else data_sets(TWO.items, 2):  # which has many paths
            assert run(pipeline, data) == analyzed(pipeline, data)


def test_the_order_of_messages_does_not_matter() -> None:
    ordered = od_hp(READINGS["nohash"], Refinement("mix", "uniform", 2))
    counted = od_hp(READINGS["nohash"], Refinement("mix", "uniform", 2), shuffler=ToMultiset())
    for data in data_sets(TWO.items, 2):
        assert run(ordered, data) == run(counted, data)


def means(name: str, steps: int) -> Iterator[bool]:
    pipeline = od_hp(READINGS[name], Refinement("mix", "uniform", steps))
    for data in data_sets(TWO.items, 2):
        law = analyzed(pipeline, data)
        for j, x in enumerate(TWO.items):
            yield sum((p * f[j] for f, p in law.items()), fmpq(0)) == fmpq(data.count(x), 2)


@pytest.mark.parametrize("name", READINGS)
def test_refined_histograms_are_biased(name: str) -> None:
    """For the data sets in which one item has all users: nothing in the simplex is larger than 1."""
    assert not all(means(name, 1))
    assert not all(means(name, 3))


@pytest.mark.parametrize("name", READINGS)
def test_refined_histograms_are_histograms(name: str) -> None:
    pipeline = od_hp(READINGS[name], Refinement("mix", "uniform", 2))
    laws = [analyzed(pipeline, data) for data in data_sets(TWO.items, 2)]
    assert all(min(f) >= 0 and sum(f, fmpq(0)) == 1 for law in laws for f in law)


def test_the_start_of_estimates_needs_a_positive_one() -> None:
    """The estimates of hashed messages need not sum to 1, and may all be negative: the source says nothing then."""
    pipeline = od_hp(READINGS["fresh"], Refinement("mix", "vector", 2))
    with pytest.raises(DomainError, match="positive"):
        analyzed(pipeline, (0, 1))
    items = od_hp(READINGS["nohash"], Refinement("mix", "vector", 2))
    assert all(sum(f, fmpq(0)) == 1 for f in analyzed(items, (0, 1)))


def test_mrs_and_pop() -> None:
    srr = SRR(TWO, IDEAL, fmpq(1, 3))
    one, other = hp_sdp(srr, "heap"), hp_sdp(srr, "fisheryates")
    for data in data_sets(TWO.items, 2):
        law = run(one, data)
        assert law == run(other, data) == analyzed(one, data)
        assert all(min(f) >= 0 and sum(f, fmpq(0)) == 1 for f in law)


def test_fakes_do_not_bias() -> None:
    pipeline = peos(SOLH(TWO, BUDGET, IDEAL, fakes=1))
    for data in data_sets(TWO.items, 1):
        law = run(pipeline, data)
        assert [sum((p * f[j] for f, p in law.items()), fmpq(0)) for j in (0, 1)] == [data.count(0), data.count(1)]


def test_sets_lose_messages_of_algorithm_1() -> None:
    with pytest.raises(LostMessagesError):
        run(od_hp(READINGS["nohash"], Refinement("mix", "uniform", 1), shuffler=ToSet()), (0, 0))
