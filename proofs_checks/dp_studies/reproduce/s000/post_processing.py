"""Post-processing, in floats: POP, which is HP-SDP's, after all algorithms; EM of OD-HP.

EM needs the messages themselves, with their functions: all n users and |M| dummies are drawn, each with a function of
its own, and the errors of the same messages without EM and with it are given. Everything here is measured and decides
nothing.
"""

from itertools import count
from typing import TypedDict

import numpy as np
from flint import ctx, fmpq, fmpz
from numpy.typing import NDArray

from dp_refimpl.fast.array_coins import Indices
from dp_refimpl.fast.array_counts import Draws
from dp_refimpl.fast.frequency.label_arrays import draw_label_hashes
from dp_refimpl.fast.shuffle.em import OwnFunctions, em_array, starting_array
from dp_refimpl.fast.shuffle.messages import estimates_array, exact_chance
from dp_refimpl.frequency.hash_families import CarterWegman
from dp_refimpl.shuffle.em import likelihood
from dp_refimpl.shuffle.hpsdp import pop_array
from dp_spec.vocabulary.items import ItemDomain
from dp_studies.reproduce.numbers import BITS
from dp_studies.reproduce.s000.counts import Counted

NEARLY_UNIFORM, SMALL = 16, 1 << 16
"""Residues for each label, and how many at most for that alone."""
Floats = NDArray[np.float64]


class Measured(TypedDict):
    """Mean squared errors of the same messages' estimates, before and after a post-processing."""

    before: str
    after: str


def squared_error(law: Counted, estimates: Floats) -> float:
    """The mean of (f~_v - f_v)^2 over the items."""
    return float(np.square(estimates - law.data.array / law.data.users).mean())


def popped(law: Counted, counts: Indices) -> tuple[float, float]:
    """The errors of one run without POP, and with it."""
    plain = estimates_array(law.estimator, counts, law.messages, law.data.users)
    return squared_error(law, plain), squared_error(law, pop_array(plain))


def functions_of(items: int, labels: int) -> CarterWegman:
    """x -> ((a x + b) mod P) mod h: labels of two items are independent, each of them with a chance that differs from
    1 / h by less than 1 / P. P is so small that EM with a function for every message is a matter of seconds."""
    least = max(items, labels, min(NEARLY_UNIFORM * labels, SMALL))
    prime = next(p for p in count(least) if fmpz(p).is_prime())
    return CarterWegman(ItemDomain.of_sizes(items).items, prime, labels, True)


def own_messages(law: Counted, coins: Draws) -> OwnFunctions:
    """The messages of all users, then the dummies; each carries a function of its own."""
    data, h = law.data, law.choice.labels
    hashes = draw_label_hashes(functions_of(data.items, h), law.messages, coins)
    own = hashes.part(slice(data.users)).values(np.repeat(np.arange(data.items), data.array)[:, None])
    with ctx.workprec(BITS):
        kept = exact_chance(law.own - law.changed)
    sent = coins.below(h, (law.messages, 1))
    users = sent[: data.users]
    users[:] = np.where(coins.bernoulli(kept, own.shape).view(np.bool_), own, users)
    return OwnFunctions(hashes, sent, data.items)


def refined(law: Counted, steps: int, coins: Draws) -> Measured:
    """EM with the likelihood `mix`, from the start `vector`, so many steps: the errors without it, and with it."""
    sent = own_messages(law, coins)
    plain = estimates_array(law.estimator, sent.support(), law.messages, law.data.users)
    mean = fmpq(law.choice.dummies, law.data.users)
    with ctx.workprec(BITS):
        given = likelihood("mix", law.own, law.changed, law.choice.labels, mean)
        inside, outside = (float(exact_chance(x)) for x in (given.inside, given.outside))
    found = em_array(sent, starting_array(plain), inside, outside, steps).histogram
    return {"before": shown(squared_error(law, plain)), "after": shown(squared_error(law, found))}


def shown(number: float) -> str:
    """A float as far as it is measured."""
    return f"{number:.5e}"
