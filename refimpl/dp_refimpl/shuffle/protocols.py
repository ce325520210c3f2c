"""Whole protocols, from the users' items to the published histogram: OD-HP (Algorithm 1), HP-SDP, others."""

from collections.abc import Callable
from typing import TypeVar

from dp_refimpl.shuffle.em import Refinement, em, grouped, likelihood, starting_point
from dp_refimpl.shuffle.hpsdp import SRR, pop
from dp_refimpl.shuffle.murs import SOLH
from dp_refimpl.shuffle.odhp import ODHP
from dp_refimpl.shuffle.protocol_parts import Message, Multiset, elements
from dp_refimpl.shuffle.shuffler import Permuting, Pipeline, Shuffler, Technique, Unit, estimates, listed
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import S

R = TypeVar("R")
Handed = Multiset | tuple[Message, ...]


def od_hp(
    randomizer: ODHP[S],
    refinement: Refinement,
    shuffler: Shuffler | None = None,
    unit: Unit | None = None,
) -> Pipeline[dict[Item, S], S]:
    """Algorithm 1. The shuffler is a uniform permutation unless another one is given; `unit` is what it permutes, by
    default what the hash model says."""
    permuted = randomizer.unit if unit is None else unit
    analyzer = unbundled(refining(randomizer, refinement), permuted)
    return Pipeline(randomizer, Permuting() if shuffler is None else shuffler, analyzer, permuted)


def hp_sdp(randomizer: SRR[S], technique: Technique) -> Pipeline[dict[Item, S], S]:
    """SRR at the users, MRS by a technique, and POP at the collector."""
    estimate = estimates(randomizer)
    return Pipeline(randomizer, Permuting(technique), lambda handed, users: pop(estimate(handed, users)))


def peos(randomizer: SOLH[S]) -> Pipeline[dict[Item, S], S]:
    """SOLH with the fake messages of the shuffling parties, as many as it says (0: SOLH itself)."""
    return Pipeline(randomizer, Permuting(), estimates(randomizer), fakes=randomizer.fake_messages)


def refining(randomizer: ODHP[S], refinement: Refinement) -> Callable[[Handed, int], dict[Item, S]]:
    """Lines 10 to 15: estimates of all items, then EM from the uniform histogram or from the estimates."""
    chances = likelihood(refinement.kind, randomizer.p, randomizer.q, randomizer.h, randomizer.dummies.mean)
    items = randomizer.domain.items

    def analyze(handed: Handed, users: int) -> dict[Item, S]:
        received = listed(handed)
        first = starting_point(refinement.start, items, randomizer.estimate(received, users), randomizer.one)
        groups = grouped(received, randomizer)
        refined = em(first, groups, chances, refinement.steps, refinement.least_gain)
        return dict(zip(items, refined.histogram, strict=True))

    return analyze


def unbundled(analyzer: Callable[[Handed, int], R], unit: Unit) -> Callable[[Handed, int], R]:
    """The analyzer on the messages of all bundles, where bundles are what was shuffled."""
    if unit == "message":
        return analyzer
    return lambda handed, users: analyzer(tuple(y for bundle in listed(handed) for y in _opened(bundle)), users)


def _opened(bundle: Message) -> tuple[Message, ...]:
    assert isinstance(bundle, frozenset)
    return elements(bundle)
