"""Plausible faults in PrivSet, its estimator, its search and its sampler."""

from math import comb
from typing import Any

import numpy as np

from dp_refimpl.coins import bernoulli, uniform, uniform_subset
from dp_refimpl.fast.frequency import privset as fast
from dp_refimpl.frequency import privset
from mutants.mechanisms import Members, values
from mutants.subset_selection import estimator


def drawn(shared: Any = None, hit: Any = lambda s: s.hit, held: Any = lambda s, items: s.completed(items)) -> Members:
    """The program with another way to draw the number of shared outputs, another first coin, or another completion."""

    def run(s: Any, items: Any, coins: Any) -> Any:
        own = held(s, items)
        rest = [x for x in s.outputs if x not in own]
        one = s.hit * 0 + 1
        number = 0
        if bernoulli(coins, hit(s)):
            ways = [comb(len(own), j) * comb(len(rest), s.k - j) for j in range(1, s.k + 1)] if own else [1]
            number = shared(s, coins, one) if shared else 1 + coins.choose([one * w / sum(ways) for w in ways])
        number = min(number, len(own))
        chosen = uniform_subset(coins, own, number, one)
        return frozenset(chosen + uniform_subset(coins, rest, s.k - number, one))

    return {"randomize": run}


def uniform_overlap(s: Any, coins: Any, one: Any) -> int:
    """Every number of shared outputs alike."""
    return int(uniform(coins, range(1, min(s.m, s.k) + 1), one))


def last_dummies(s: Any, items: Any) -> tuple[Any, ...]:
    own = s.completed(items)
    real = tuple(x for x in own if x in s.domain.items)
    return real + tuple(privset.Dummy(s.m - 1 - j) for j in range(s.m - len(real)))


def any_subset(s: Any, items: Any, coins: Any) -> Any:
    """A report that should meet the set is any subset of k outputs."""
    own = s.completed(items)
    one = s.hit * 0 + 1
    pool = s.outputs if bernoulli(coins, s.hit) else [x for x in s.outputs if x not in own]
    return frozenset(uniform_subset(coins, pool, s.k, one))


def chances(s: Any) -> Any:
    return privset.inclusion(len(s.outputs), s.m, s.k, s.budget)


def share(s: Any) -> Any:
    return privset.miss_share(len(s.outputs), s.m, s.k, s.budget.exp() * 0 + 1)


PRIVSET: dict[str, Members] = {
    "hit and miss exchanged": drawn(hit=lambda s: 1 - s.hit),
    "the weight of one subset for the class": drawn(hit=lambda s: s.budget.exp() / (s.budget.exp() + 1)),
    "every class alike, no budget": drawn(hit=lambda s: 1 - share(s)),
    "e^(2 eps)": values(
        hit=lambda s: s.budget.exp() ** 2 * (1 - share(s)) / (share(s) + s.budget.exp() ** 2 * (1 - share(s)))
    ),
    "exactly one shared output": drawn(shared=lambda s, coins, one: 1),
    "uniform number of shared outputs": drawn(shared=uniform_overlap),
    "a hit may miss": {"randomize": any_subset},
    "not completed": drawn(held=lambda s, items: tuple(x for x in s.completed(items) if x in s.domain.items)),
    "completed by the last dummies": drawn(held=last_dummies),
    "p and q exchanged": values(p=lambda s: chances(s)[1], q=lambda s: chances(s)[0]),
    "estimator divides by p": estimator(lambda s: s.q, lambda s: s.p),
    "estimator subtracts p": estimator(lambda s: s.p, lambda s: s.p - s.q),
    "estimator with k / D": estimator(lambda s: (s.q * 0 + s.k) / len(s.outputs), lambda s: s.p - s.q),
    "estimator without q": estimator(lambda s: s.q * 0, lambda s: s.p - s.q),
}

first, completed = fast._first, fast.completed_rows


def places(change: Any) -> Any:
    """The sampler's first choice, changed."""
    return lambda mechanism, users, coins: change(first(mechanism, users, coins), mechanism)


def from_the_end(mechanism: Any, sets: Any) -> Any:
    d, rows = len(mechanism.domain.items), completed(mechanism, sets)
    return np.where(rows >= d, 2 * d + mechanism.m - 1 - rows, rows)


def shifted(pool: Any, users: Any, one: Any, other: Any) -> None:
    """Overwrites instead of exchanging."""
    pool[users, one] = pool[users, other]


SAMPLER: dict[str, tuple[str, Any]] = {
    "always the first held output": (
        "_first",
        places(lambda place, mechanism: np.where(place < mechanism.m, 0, place)),
    ),
    "never a miss": ("_first", places(lambda place, mechanism: np.minimum(place, mechanism.m - 1))),
    "the last held output first": (
        "_first",
        places(lambda place, mechanism: np.where(place < mechanism.m, mechanism.m - 1 - place, place)),
    ),
    "overwritten pool": ("_exchange", shifted),
    "nothing is shuffled": ("_exchange", lambda pool, users, one, other: None),
    "all users alike": ("_first", places(lambda place, mechanism: np.full_like(place, place[0]))),
    "binom(D - i, k - 1)": ("comb", lambda n, k: comb(n + 1, k)),
    "dummies from the end": ("completed_rows", from_the_end),
}
