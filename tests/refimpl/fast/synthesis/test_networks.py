"""Networks on arrays have the laws of the exact programs; selections are the exact ones."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from math import log
from typing import Any

import numpy as np
from flint import arb, fmpq

from cases.branches import ROUNDING, Branches, unequal
from cases.faults import fault_test, nothing_wrong_test
from cases.refusals import refusal_test, refuses
from dp_refimpl.enumeration import output_law
from dp_refimpl.fast.synthesis import network, subset_counts
from dp_refimpl.fast.synthesis.network import ArrayGreedyBayes, ArrayIBayes
from dp_refimpl.fast.synthesis.parent_rules import BoundedSets, SizedSets
from dp_refimpl.fast.synthesis.record_arrays import ArrayTable
from dp_refimpl.fast.synthesis.score_arrays import sensitivity
from dp_refimpl.fast.synthesis.selection import ExponentialArray, MaximumArray
from dp_refimpl.synthesis.information import entropy, entropy_sensitivity
from dp_refimpl.synthesis.network import IBayes, Network, NoCandidateError
from dp_refimpl.synthesis.privbayes import SCORES, DomainBound, FixedDegree, GreedyBayes
from dp_refimpl.synthesis.selection import ExponentialMechanism, Maximum, RealExponentialMechanism
from dp_refimpl.synthesis.tables import CountTable
from dp_spec.vocabulary.budget import real_budget

EPSILON = "3"
READINGS: Any = [(0, "min-l"), (1, "min-l"), (2, "min-l"), (1, "exact-l"), (2, "upto-l")]
CASES: list[tuple[tuple[int, ...], tuple[tuple[int, ...], ...], tuple[int, ...], Any]] = [
    ((2, 2, 2), ((0, 0, 0), (0, 1, 1), (1, 1, 0)), (0, 1, 2), None),
    ((2, 2, 2, 2), ((0, 0, 0, 1), (0, 1, 1, 1), (1, 1, 0, 0), (1, 1, 0, 1)), (3, 1, 2), None),
    ((2, 2, 3), ((0, 1, 0), (0, 1, 1), (0, 1, 2), (0, 0, 0)), (2, 0, 1), None),
    ((2, 2, 3), ((0, 0, 0), (1, 1, 1)), (2, 1), frozenset({(1, 2), (2, 1)})),
    ((2, 2, 2), ((0, 0, 0), (1, 1, 0), (1, 1, 1)), (0, 1, 2), frozenset({(0, 1), (1, 0), (2, 1), (1, 2)})),
    ((2, 2, 2), ((0, 0, 0), (1, 1, 0), (1, 1, 1)), (0, 1, 2), frozenset({(1, 0), (2, 0), (2, 1)})),
]


Build = Callable[[Any], Network]
"""With coins for the choices."""


def law_of(build: Build) -> dict[Network, arb] | None:
    """The law of the networks; None where some choices lead to a step without candidates."""
    try:
        return output_law(build, arb(1))
    except NoCandidateError:
        return None


def wrong() -> Iterator[str]:
    """Cases whose laws of networks are not those of the exact program."""
    for (sizes, records, cluster, kept), (degree, sets) in product(CASES, READINGS):
        table = CountTable.of_records(sizes, records)
        exact = IBayes(ExponentialMechanism(real_budget(EPSILON)), degree, sets, kept)

        def on_arrays(coins: Any, c: Any = cluster, t: Any = table, of: Any = (degree, sets, kept)) -> Network:
            branches: Any = Branches(coins, ExponentialArray(EPSILON))
            return ArrayIBayes(branches, *of).build(ArrayTable.of_counts(t), c, branches)

        law, wanted = law_of(on_arrays), law_of(lambda coins: exact.build(table, cluster, coins))  # noqa: B023
        if (law is None) != (wanted is None) or unequal(law or {}, wanted or {}):
            yield f"{records} {cluster} {degree} {sets}"


test_ibayes_has_the_exact_law = nothing_wrong_test(wrong)


def _not_sorted(self: Any, sets: Any) -> Any:
    return self.ones[sets.shape[1]][np.zeros(len(sets), np.int64)]


test_planted_faults_are_caught = fault_test(
    wrong,
    {
        "all sets are the first": (subset_counts.SubsetCounts, "_counts", _not_sorted),
        "a uniform root": (network, "entropies", lambda counts: np.zeros(counts.shape[:-1])),
        "sensitivity of R": (network, "sensitivity", lambda name, n: 3 / n),
        "sensitivity in bits, scores in nats": (network, "sensitivity", lambda name, n: sensitivity(name, n) / log(2)),
        "the oldest parents": (SizedSets, "admissible", lambda self, left, placed, sets: sets.shape[1] == self.degree),
    },
    (NoCandidateError, ValueError),
)


PLAIN = ((0, 0, 0), (0, 1, 1), (1, 1, 0), (1, 0, 1))
MIXED = ((0, 3, 1), (0, 2, 0), (1, 0, 2), (1, 1, 2), (0, 0, 0))
WIDER = ((0, 0, 0, 1), (1, 1, 0, 0), (1, 2, 0, 1), (0, 1, 0, 1))
GREEDY: list[tuple[tuple[int, ...], tuple[tuple[int, ...], ...], Any, Any]] = [
    *(((2, 2, 2), PLAIN, FixedDegree(degree), name) for degree, name in product(range(3), sorted(SCORES))),
    *(((2, 2, 2), PLAIN, DomainBound(fmpq(bound)), name) for bound, name in ((7, "F"), (fmpq(8), "R"), (0, "I"))),
    # no parents, of an attribute that is within the bound alone or is not; one of some; all
    *(((2, 4, 3), MIXED, DomainBound(bound), "I-general") for bound in (fmpq(-1), fmpq(3), fmpq(17, 2), fmpq(12))),
    *(((2, 4, 3), MIXED, DomainBound(bound), "R") for bound in (fmpq(11), fmpq(10**30))),
    # a constant attribute belongs to every largest set
    *(((2, 3, 1, 2), WIDER, DomainBound(fmpq(bound)), "I-general") for bound in (4, 6)),
]
"""Sizes, records, rule and score."""


def wrong_greedy() -> Iterator[str]:
    """Cases whose laws of networks are not those of the exact program."""
    for sizes, records, rule, name in GREEDY:
        array, law = ArrayTable(sizes, np.array(records)), exact_greedy(sizes, records, rule, name)
        made = output_law(lambda coins, r=rule, s=name, a=array: branching(coins, r, s, a), arb(1))  # type: ignore[misc]
        if unequal(made, law):
            yield f"{sizes} {rule} {name}"


def branching(coins: Any, rule: Any, name: Any, array: ArrayTable) -> Network:
    branches: Any = Branches(coins, ExponentialArray(EPSILON))
    return ArrayGreedyBayes(branches, rule, name).build(array, branches)


@cache
def exact_greedy(sizes: Any, records: Any, rule: Any, name: Any) -> dict[Network, arb]:
    table = CountTable.of_records(sizes, records)
    program = GreedyBayes(ExponentialMechanism(real_budget(EPSILON)), rule, arb(1), SCORES[name])
    return output_law(lambda coins: program.build(table, coins), arb(1))


test_greedy_bayes_has_the_exact_law = nothing_wrong_test(wrong_greedy)

test_planted_faults_of_greedy_bayes_are_caught = fault_test(
    wrong_greedy,
    {
        "smaller sets as well": (BoundedSets, "_fewest_outside", lambda self, *_: self.bound + 1),
        "one parent too few": (BoundedSets, "most", 1),
        "sets that are dropped too early": (BoundedSets, "useful", lambda self, sets: sets[self.sizes[sets[:, 0]] < 3]),
        "sensitivity of R": (network, "sensitivity", lambda name, n: 3 / n),
    },
    (NoCandidateError,),
)


def test_selections_are_the_exact_ones() -> None:
    table = CountTable.of_records((2, 3, 2), [(0, 0, 1), (1, 2, 1), (1, 1, 1)])
    scores = [entropy(table, (x,)) for x in range(3)]
    floats = np.array([float(score.nats()) for score in scores])
    change = entropy_sensitivity(3)
    for parts in (1, 7):
        law = ExponentialArray(EPSILON).split(parts).law(floats, float(change.nats()))
        exact = RealExponentialMechanism(EPSILON).split(parts).law(scores, change)
        assert max(abs(p - float(q)) for p, q in zip(law.tolist(), exact, strict=True)) <= ROUNDING
    for ties in ("uniform", "first"):
        assert MaximumArray(ties).law(floats, 0.0).tolist() == [float(p.p) for p in Maximum(ties).law(scores, change)]
    assert MaximumArray().law(np.array([1.0, 0.0, 1.0]), 0.0).tolist() == [0.5, 0, 0.5]
    assert MaximumArray("first").law(np.array([1.0, 0.0, 1.0]), 0.0).tolist() == [1, 0, 0]


class Uniform:
    """A generator of one number."""

    def __init__(self, number: float) -> None:
        self.number = number

    def random(self) -> float:
        return self.number


def test_a_choice_is_where_its_part_of_the_law_is() -> None:
    """At both ends of every part, also beside candidates that are not admissible."""
    scores, selection = np.array([-np.inf, 0.5, -np.inf, 0.0, 1.0, -np.inf]), ExponentialArray(2)
    edges = np.cumsum(selection.law(scores, 1.0))
    for index, low, high in ((1, 0.0, edges[1]), (3, edges[1], edges[3]), (4, edges[3], 1.0)):
        for inside in (low + 1e-9, high - 1e-9):
            uniform: Any = Uniform(float(inside))
            assert selection.choose(scores, 1.0, uniform) == index


TABLE = ArrayTable((2, 2), np.array([[0, 1], [1, 1]]))
NONE = ArrayTable((2, 2), np.zeros((0, 2), np.int64))
RNG = np.random.default_rng(1)
LARGE = ArrayTable((2**16,) * 3, np.zeros((1, 3), np.int64))

test_bad_input_is_refused = refusal_test(
    refuses("epsilon", ExponentialArray, 0, -1, float("inf"), float("nan"), "x"),
    refuses("parts", lambda parts: ExponentialArray(1, parts), 0, True, 1.5),
    refuses("ties", MaximumArray, "last"),
    refuses("scores", lambda scores: MaximumArray().law(np.array(scores), 0.0), [], [-np.inf]),
    refuses("scores", lambda scores: ExponentialArray(1).law(np.array(scores), 1.0), [], [-np.inf], [np.inf], [np.nan]),
    refuses("sensitivity", lambda change: ExponentialArray(1).law(np.zeros(2), change), 0.0, -1.0, np.nan, np.inf),
    refuses("degree", lambda degree: ArrayIBayes(MaximumArray(), degree), -1, 1.0, True),
    refuses("sets", lambda sets: ArrayIBayes(MaximumArray(), 1, sets), "all"),
    refuses("bound", lambda bound: ArrayGreedyBayes(MaximumArray(), DomainBound(bound)), 4, 4.0, arb(4)),
    refuses("bound", lambda: ArrayGreedyBayes(MaximumArray(), DomainBound(fmpq(2**40))).build(LARGE, RNG)),
    refuses("score", lambda score: ArrayGreedyBayes(MaximumArray(), FixedDegree(1), score), "H"),
    refuses("degree", lambda k: ArrayGreedyBayes(MaximumArray(), FixedDegree(k), "R").build(TABLE, RNG), 2, 9),
    refuses("cluster", lambda cluster: ArrayIBayes(MaximumArray(), 1).build(TABLE, cluster, RNG), ()),
    refuses("attributes", lambda part: ArrayIBayes(MaximumArray(), 1).build(TABLE, part, RNG), (0, 2), (0, 0), None, 3),
    refuses("n", lambda: ArrayIBayes(MaximumArray(), 1).build(NONE, (0, 1), RNG)),
    refuses("score", lambda: ArrayIBayes(MaximumArray(), 1, score="H").build(TABLE, (0, 1), RNG)),  # type: ignore[arg-type]
)
