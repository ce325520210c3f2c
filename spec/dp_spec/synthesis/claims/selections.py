"""Formal statements of source 003, Sections 3.3 and 3.5, about what IBayes and PrivBayes select: laws, and privacy."""

from collections.abc import Callable, Mapping

from dp_spec.synthesis.claims.definitions import ADAPTIVE, EXPONENTIAL, NORMALIZED, X, Y
from dp_spec.synthesis.networks import (
    EVERY_BUDGET,
    Weights,
    attributes,
    called,
    candidates,
    network_chance,
    network_count,
    networks,
    pair_chance,
    parent_sets,
    placed_before,
    rational,
    root_chance,
)
from dp_spec.synthesis.tables import ONE, OTHER, entropy, information, neighbors, pairs, records, sensitivity, tables
from dp_spec.synthesis.tables import pair as pair_of
from dp_spec.vocabulary.arithmetic import BOTH, Arithmetic, Tree, both, every, less, listed, some, total
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import formula
from dp_spec.vocabulary.ranges import ABOVE_ONE, FROM_ONE, MANY, NATURAL, POSITIVE, SEVERAL, SOME
from dp_spec.vocabulary.statement import All, Domain, Range, conjunction

C, L, ALL = "c", "l", attributes("c")
RECORDS = records(C)
CLUSTER = {"n": SEVERAL, "c": SOME, "l": SOME}
"""n >= 2 records, at which (8) is positive; c attributes, in-degree at most l."""
RATIONAL = rational("s")
PLACED = placed_before(C)


def _budgets(make: Callable[[Weights], Tree], names: Mapping[str, Range]) -> All:
    """For every epsilon, t = e^(epsilon / (2 c)); and for epsilon = 2 c s log B_n."""
    return conjunction(
        Arithmetic(Domain({**names, "t": FROM_ONE}), make(EVERY_BUDGET)),
        Arithmetic(Domain({**names, "s": NATURAL}), make(RATIONAL)),
    )


def _law(weights: Weights) -> Tree:
    """There are so many networks, all have positive chances, and these sum to 1."""
    chance, outcomes = network_chance(weights, "data", C, L), networks(C, L)
    number = ["eq", ["size", outcomes], network_count(C, L)]
    shares = both(["eq", total("network", outcomes, chance), 1], every(less(0, chance), network=outcomes))
    return every(both(number, shares), data=tables(RECORDS, "n"))


def _private(weights: Weights) -> Tree:
    """No chance of a network is more than e^epsilon times that for a neighbor."""
    one, other = (network_chance(weights, data, C, L) for data in (ONE, OTHER))
    bounded = ["le", one, ["mul", ["pow", weights.share, C], other]]
    return neighbors(every(bounded, network=networks(C, L)), RECORDS, "n")


def _selection_is_private(weights: Weights) -> Tree:
    """No chance of a root, or of a pair after any placed attributes, is more than e^(epsilon / c) times that for a
    neighbor."""
    roots = [root_chance(weights, data, "first", C) for data in (ONE, OTHER)]
    among = candidates("placed", C, parent_sets("placed", L))
    chances = [called("chosen", "one_of", pair_chance(weights, data, among)) for data in (ONE, OTHER)]
    bounded = [["le", one, ["mul", weights.share, other]] for one, other in (roots, chances)]
    return neighbors(both(every(bounded[0], first=ALL), every(bounded[1], placed=PLACED, one_of=among)), RECORDS, "n")


_REST = tables(RECORDS, ["sub", "n", 1])


def _moves_by_one(score: Callable[[Tree], Tree], domain: Tree) -> Tree:
    """|u / Delta u - u' / Delta u'| <= 1 with a record more, each table having its own sensitivity: times both of
    them."""
    own, its = (sensitivity(["size", data]) for data in (ONE, "rest"))
    change = ["sub", ["mul", score(ONE), its], ["mul", score("rest"), own]]
    bounds = [["le", moved, ["mul", own, its]] for moved in (change, ["neg", change])]
    return every(both(*bounds), rest=tables(domain, ["sub", "n", 1]), one=domain)


_W: Tree = ["from", 0, "w"]
_WITH_PARENTS = ["union", "x", BOTH, listed("y", _W, pair_of("x", "y"))]


def _attained(bound: Tree) -> Tree:
    """No chance of a network is more than the bound times that for a neighbor, and some is equal to it."""
    one, other = (network_chance(EVERY_BUDGET, data, C, L) for data in (ONE, OTHER))
    outcomes, limit = networks(C, L), ["mul", bound, other]
    bounded = neighbors(every(["le", one, limit], network=outcomes), RECORDS, "n")
    return both(bounded, some(["eq", one, limit], rest=_REST, one=RECORDS, other=RECORDS, network=outcomes))


def _smaller() -> Tree:
    """Every chance of a network is less than e^epsilon times that for a neighbor."""
    one, other = (network_chance(EVERY_BUDGET, data, C, L) for data in (ONE, OTHER))
    return neighbors(
        every(less(one, ["mul", ["pow", "t", ["mul", 2, C]], other]), network=networks(C, L)), RECORDS, "n"
    )


def _without_budget() -> Tree:
    """At epsilon = 0 no chance of a network depends on the table, whatever the filter removes."""
    one, other = (network_chance(rational(0), data, C, L, filtered=True) for data in ("data", "other"))
    outcomes = networks(C, L, filtered=True)
    same = every(["eq", one, other], network=outcomes)
    return every(same, removed=["events", pairs(C)], data=tables(RECORDS, "n"), other=tables(RECORDS, "n"))


def _clusters(factor: Tree) -> Tree:
    """k clusters of c attributes with the same columns: the chance that all have the same network."""
    one, other = (["pow", network_chance(EVERY_BUDGET, data, C, L), "k"] for data in (ONE, OTHER))
    return neighbors(every(["le", one, ["mul", factor, other]], network=networks(C, L)), RECORDS, "n")


_SELECTED = ["pow", "t", ["mul", 2, C]]
"""e^(epsilon_2)."""

FORMAL: dict[str, Formal] = {
    "003.alg4.law": _budgets(_law, CLUSTER),
    "003.alg4.dp@ro": _budgets(_private, CLUSTER),
    # the scores, by their sensitivities; one selection; one after the other
    "003.alg4.dp@ar": conjunction(
        Arithmetic(Domain({"n": MANY}), _moves_by_one(lambda data: entropy(data, BOTH), BOTH)),
        Arithmetic(
            Domain({"n": MANY, "w": SEVERAL}),
            _moves_by_one(lambda data: information(data, 0, 1, BOTH, _W), _WITH_PARENTS),
        ),
        EXPONENTIAL,
        ADAPTIVE,
    ),
    "003.alg4.tight": Arithmetic(Domain({"n": SEVERAL, "c": SEVERAL, "l": SOME, "t": FROM_ONE}), _attained(_SELECTED)),
    "003.alg4.tight.corrected": conjunction(
        Arithmetic(Domain({**CLUSTER, "t": ABOVE_ONE}), _smaller()),
        Arithmetic(Domain({"n": SEVERAL, "c": SEVERAL, "l": SOME, "t": FROM_ONE}), _attained("t")),
    ),
    "003.alg4.access": Arithmetic(Domain({"n": SOME, "c": SOME, "l": SOME}), _without_budget()),
    "003.eq10.norm@bound-index": NORMALIZED,
    # weights x of (X_j, Pi_j), y of another candidate
    "003.eq10.norm@literal-index": formula({"x": POSITIVE, "y": POSITIVE}, ("eq", X / (X + X) + Y / (X + X), X / X)),
    "003.eq10.dp": _budgets(_selection_is_private, CLUSTER),
    "003.sec33.allclusters": Arithmetic(Domain({**CLUSTER, "k": SOME, "t": FROM_ONE}), _clusters(_SELECTED)),
    "003.sec33.allclusters.corrected": Arithmetic(
        Domain({**CLUSTER, "k": SOME, "t": FROM_ONE}), _clusters(["pow", _SELECTED, "k"])
    ),
}
