"""Plausible faults in subset selection and its estimator."""

from typing import Any

from dp_refimpl.coins import bernoulli, uniform_subset
from dp_refimpl.frequency.privset import PrivSet
from dp_spec.vocabulary.budget import Budget
from mutants.mechanisms import Members, counting, following


def rest(s: Any, item: Any) -> list[Any]:
    """The other items."""
    return [x for x in s.domain.items if x != item]


def subsets(
    kept: Any = lambda s: s.p,
    own: Any = lambda s, item: item,
    others: Any = rest,
    size: Any = lambda s, hit: s.k - 1 if hit else s.k,
) -> Members:
    """Whether the item is in the subset, then the others."""

    def run(s: Any, item: Any, coins: Any) -> Any:
        hit = bernoulli(coins, kept(s))
        left = others(s, item)
        drawn = uniform_subset(coins, left, min(size(s, hit), len(left)), s.one)
        return frozenset(drawn) | (frozenset([own(s, item)]) if hit else frozenset())

    return {"randomize": run}


SUBSETS: dict[str, Members] = {
    "p of one item": subsets(lambda s: s.budget.exp() / (s.budget.exp() + len(s.domain.items) - 1)),
    "p without k": subsets(lambda s: s.budget.exp() / (s.budget.exp() + len(s.domain.items) - s.k)),
    "1 - p": subsets(lambda s: 1 - s.p),
    "always in it": subsets(lambda s: s.one),
    "the next item": subsets(own=following),
    "the others may be the item": subsets(others=lambda s, item: list(s.domain.items)),
    "k others beside the item": subsets(size=lambda s, hit: s.k),
    "k - 1 items without it": subsets(size=lambda s, hit: s.k - 1),
    "k + 1 of D": {"of_sets": property(lambda s: PrivSet(s.domain, s.budget, 1, s.k % (len(s.domain.items) - 1) + 1))}
    | subsets(),
    "twice the budget": {"of_sets": property(lambda s: PrivSet(s.domain, Budget.of_root(s.budget.exp() ** 2), 1, s.k))},
}
"""With two items and k = 1 some of them are no faults."""


def estimator(offset: Any, slope: Any, counted: Any = lambda s, x, y: x in y) -> Members:
    return counting(counted, offset, slope)


ESTIMATORS: dict[str, Members] = {
    "offset k/d": estimator(lambda s: s.one * s.k / len(s.domain.items), lambda s: s.p - s.q),
    "no offset": estimator(lambda s: s.one * 0, lambda s: s.p - s.q),
    "offset p": estimator(lambda s: s.p, lambda s: s.p - s.q),
    "slope p": estimator(lambda s: s.q, lambda s: s.p),
    "slope q - p": estimator(lambda s: s.q, lambda s: s.q - s.p),
    "not scaled": estimator(lambda s: s.q, lambda s: s.one),
    "what is not in it": estimator(lambda s: s.q, lambda s: s.p - s.q, lambda s, x, y: x not in y),
    "q with k, not k - 1": estimator(
        lambda s: s.one * s.k / (len(s.domain.items) - 1), lambda s: s.p - s.one * s.k / (len(s.domain.items) - 1)
    ),
}
