"""Plausible faults in local hashing, in optimized unary encoding, and in their estimators."""

from fractions import Fraction
from typing import Any

from dp_refimpl.coins import uniform
from dp_refimpl.frequency.grr import GRR
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain
from mutants.mechanisms import Members, counting, following, values

UNARY: dict[str, Members] = {
    "the chances of symmetric encoding": values(
        p=lambda s: s.root_share / (s.root_share + 1), q=lambda s: 1 / (s.root_share + 1)
    )
    | {"root_share": property(lambda s: s.budget.exp(Fraction(1, 2)))},
    "q of e^(eps/2)": values(q=lambda s: 1 / (s.budget.exp(Fraction(1, 2)) + 1)),
    "q of e^eps - 1": values(q=lambda s: 1 / s.budget.exp()),
    "q depends on d": values(q=lambda s: 1 / (s.budget.exp() + len(s.domain.items) - 1)),
    "p of e^eps": values(p=lambda s: s.budget.exp() / (s.budget.exp() + 1)),
    "p and q swapped": values(p=lambda s: 1 / (s.budget.exp() + 1), q=lambda s: s.one / 2),
}


def bit_estimator(offset: Any, slope: Any, counted: Any = 1) -> Members:
    return counting(lambda s, x, bits: bits[s.domain.items.index(x)] == counted, offset, slope)


UNARY_ESTIMATORS: dict[str, Members] = {
    "offset p": bit_estimator(lambda s: s.p, lambda s: s.p - s.q),
    "no offset": bit_estimator(lambda s: s.q * 0, lambda s: s.p - s.q),
    "slope p": bit_estimator(lambda s: s.q, lambda s: s.p),
    "slope q - p": bit_estimator(lambda s: s.q, lambda s: s.q - s.p),
    "slope 1 - 2q": bit_estimator(lambda s: s.q, lambda s: 1 - 2 * s.q),
    "zeros counted": bit_estimator(lambda s: s.q, lambda s: s.p - s.q, 0),
}


def hashing(
    drawn: Any = lambda s, coins, x: s.family.draw(coins, s.one),
    label: Any = lambda s, h, x: h(x),
    perturbed: Any = lambda s, own, coins: s._labels.randomize(own, coins),
    said: Any = lambda s, h, coins: h,
) -> Members:
    """The client with another step."""

    def run(s: Any, item: Any, coins: Any) -> Any:
        h = drawn(s, coins, item)
        reported = perturbed(s, label(s, h, item), coins)
        return said(s, h, coins), reported

    return {"randomize": run}


def first(s: Any) -> Any:
    return next(iter(s.family.law()))


def randomized(s: Any, own: Any, coins: Any, budget: Any, labels: int) -> Any:
    """GRR with another budget or another number of labels, folded."""
    domain = ItemDomain.of_sizes(labels)
    return GRR(domain, budget).randomize(own, coins) % s.g


HASHING: dict[str, Members] = {
    "one function for all": hashing(drawn=lambda s, coins, x: first(s)),
    "the label of the next item": hashing(label=lambda s, h, x: h(following(s, x))),
    "labels from 1": hashing(label=lambda s, h, x: (h(x) + 1) % s.g),
    "not perturbed": hashing(perturbed=lambda s, own, coins: own),
    "uniform": hashing(perturbed=lambda s, own, coins: uniform(coins, range(s.g), s.one)),
    "half the budget": hashing(
        perturbed=lambda s, own, coins: randomized(s, own, coins, Budget.of_root(s.budget.root, 1), s.g)
    ),
    "a label too many": hashing(perturbed=lambda s, own, coins: randomized(s, own, coins, s.budget, s.g + 1)),
    "another function is said": hashing(said=lambda s, h, coins: s.family.draw(coins, s.one)),
    "p of g + 1 labels": {"_labels": property(lambda s: GRR(ItemDomain.of_sizes(s.g + 1), s.budget))},
}


def support_estimator(offset: Any, slope: Any, supported: Any = lambda h, x, label: h(x) == label) -> Members:
    return counting(lambda s, x, report: supported(report[0], x, report[1]), offset, slope)


SUPPORTS: dict[str, Members] = {
    "offset q": support_estimator(lambda s: s.q, lambda s: s.p - s.q),
    "offset q, slope of 1/g": support_estimator(lambda s: s.q, lambda s: s.p - s.chance),
    "slope p - q": support_estimator(lambda s: s.chance, lambda s: s.p - s.q),
    "no offset": support_estimator(lambda s: s.one * 0, lambda s: s.p - s.chance),
    "offset 1/(g+1)": support_estimator(lambda s: s.one / (s.g + 1), lambda s: s.p - s.one / (s.g + 1)),
    "what is not supported": support_estimator(
        lambda s: s.chance, lambda s: s.p - s.chance, lambda h, x, label: h(x) != label
    ),
    "the label is taken for the item": support_estimator(
        lambda s: s.chance, lambda s: s.p - s.chance, lambda h, x, label: x == label
    ),
    "the offset is 1/g whatever the family": support_estimator(lambda s: s.one / s.g, lambda s: s.p - s.one / s.g),
    "the offset is the collision chance": support_estimator(
        lambda s: (s.chance - s.q) / (s.p - s.q), lambda s: s.p - (s.chance - s.q) / (s.p - s.q)
    ),
}
