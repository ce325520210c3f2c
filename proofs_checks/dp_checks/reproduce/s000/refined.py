"""Post-processing, in floats: POP, which is HP-SDP's, after all algorithms; EM of OD-HP.

EM needs the messages themselves, with their functions: an own function for each of 10^6 users and 42,178 items is too
much for every step. So EM is tried on messages with functions out of a public list, the same number n of users and |M|
of dummies; items that share labels often are then estimated with a bias, with or without EM, and both errors are given.
Everything here is measured and decides nothing.
"""

from typing import TypedDict

import numpy as np
from flint import ctx, fmpq
from numpy.typing import NDArray

from dp_checks.reproduce.numbers import BITS
from dp_checks.reproduce.s000.counts import Counted
from dp_refimpl.array_coins import Indices
from dp_refimpl.array_counts import Draws
from dp_refimpl.shuffle.em import likelihood
from dp_refimpl.shuffle.em_arrays import ListedCounts, em_array, starting_array
from dp_refimpl.shuffle.hpsdp import pop_array
from dp_refimpl.shuffle.samplers import estimates_array, exact_chance

_BLOCK = 1 << 20
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


def listed_messages(law: Counted, functions: int, coins: Draws) -> ListedCounts:
    """The messages of all users and the dummies; each carries one of so many public functions, uniformly.

    The functions are independent and uniform, drawn here, too.
    """
    data, h = law.data, law.choice.labels
    labels = coins.below(h, (functions, data.items)).astype(np.uint32)
    tally = np.zeros(functions * h, np.int64)
    held = np.repeat(np.arange(data.items), data.array)
    with ctx.workprec(BITS):
        kept = exact_chance(law.own - law.changed)
    for start in range(0, data.users, _BLOCK):
        items = held[start : start + _BLOCK]
        carried = coins.below(functions, len(items))
        own, noise = labels[carried, items].astype(np.int64), coins.below(h, len(items))
        sent = np.where(coins.bernoulli(kept, len(items)).view(np.bool_), own, noise)
        tally += np.bincount(carried * h + sent, minlength=tally.size)
    for start in range(0, law.choice.dummies, _BLOCK):
        size = min(_BLOCK, law.choice.dummies - start)
        tally += np.bincount(coins.below(tally.size, size), minlength=tally.size)
    return ListedCounts(labels, tally.reshape(functions, h))


def supported(sent: ListedCounts) -> Indices:
    """C_v of every item."""
    found = np.zeros(sent.items, np.int64)
    for labels, counts in zip(sent.labels, sent.counts, strict=True):
        found += counts[labels]
    return found


def refined(law: Counted, functions: int, steps: int, coins: Draws) -> Measured:
    """EM with the likelihood `mix`, from the start `vector`, so many steps: the errors without it, and with it."""
    sent = listed_messages(law, functions, coins)
    plain = estimates_array(law.estimator, supported(sent), law.messages, law.data.users)
    mean = fmpq(law.choice.dummies, law.data.users)
    with ctx.workprec(BITS):
        given = likelihood("mix", law.own, law.changed, law.choice.labels, mean)
        inside, outside = (float(exact_chance(x)) for x in (given.inside, given.outside))
    found = em_array(sent, starting_array(plain), inside, outside, steps).histogram
    return {"before": shown(squared_error(law, plain)), "after": shown(squared_error(law, found))}


def shown(number: float) -> str:
    """A float as far as it is measured."""
    return f"{number:.5e}"
