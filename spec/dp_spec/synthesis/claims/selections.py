"""Formal statements of source 003, Sections 3.3 and 3.5, about what IBayes and PrivBayes select: laws, and privacy."""

from collections.abc import Callable, Mapping

from dp_spec.synthesis.budgets import EPS, K
from dp_spec.synthesis.claims.budgets import SENSITIVITY
from dp_spec.synthesis.claims.budgets import C as CLUSTERED
from dp_spec.synthesis.claims.definitions import ADAPTIVE, EXPONENTIAL, NORMALIZED, X, Y
from dp_spec.synthesis.claims.sensitivities import ENTROPY_MOVES, INFORMATION_MOVES
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
from dp_spec.synthesis.tables import ONE, OTHER, entropy, information, neighbors, records, sensitivity, tables
from dp_spec.synthesis.tables import pair as pair_of
from dp_spec.vocabulary.arithmetic import BOTH, Arithmetic, Tree, both, every, less, listed, some, total
from dp_spec.vocabulary.claim import Formal, Unchecked
from dp_spec.vocabulary.error_statements import Formula, formula
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, FROM_ONE, MANY, NATURAL, POSITIVE, SEVERAL, SOME
from dp_spec.vocabulary.statement import All, Domain, Range, conjunction
from dp_spec.vocabulary.term import Term, term, var

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


def _selection_is_private(weights: Weights) -> Tree:
    """No chance of a root, or of a pair after any placed attributes, is more than e^(epsilon / c) times that for a
    neighbor."""
    roots = [root_chance(weights, data, "first", C) for data in (ONE, OTHER)]
    among = candidates("placed", C, parent_sets("placed", L))
    chances = [called("chosen", "one_of", pair_chance(weights, data, among)) for data in (ONE, OTHER)]
    bounded = [["le", one, ["mul", weights.share, other]] for one, other in (roots, chances)]
    return neighbors(both(every(bounded[0], first=ALL), every(bounded[1], placed=PLACED, one_of=among)), RECORDS, "n")


_REST = tables(RECORDS, ["sub", "n", 1])


def moves_by_one(domain: Tree, one: Tree, rest: Tree, own: Tree, its: Tree) -> Tree:
    """|u / Delta u - u' / Delta u'| <= 1 with a record more, each table having its own sensitivity: times both of
    them."""
    change = ["sub", ["mul", one, its], ["mul", rest, own]]
    bounds = [["le", moved, ["mul", own, its]] for moved in (change, ["neg", change])]
    return every(both(*bounds), rest=tables(domain, ["sub", "n", 1]), one=domain)


def _by_sensitivity(score: Callable[[Tree], Tree], domain: Tree) -> Tree:
    return moves_by_one(domain, score(ONE), score("rest"), *(sensitivity(["size", data]) for data in (ONE, "rest")))


_W: Tree = ["from", 0, "w"]
WITH_PARENTS: Tree = ["union", "x", BOTH, listed("y", _W, pair_of("x", "y"))]
"""The values of a binary attribute and of its parents."""
INFORMATION_AR = Arithmetic(
    Domain({"n": MANY, "w": SEVERAL}),
    _by_sensitivity(lambda data: information(data, 0, 1, BOTH, _W), WITH_PARENTS),
)
"""The information of both by its sensitivity, where a record is added or removed."""


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


_TWO = (2 - var("n"), 2 - var("c"))
"""Two records of two attributes, where these are no fewer."""
_SELECTED = ["pow", "t", ["mul", 2, C]]
"""e^(epsilon_2)."""


def _clusters() -> Tree:
    """k clusters of c attributes with the same columns: the chance that all have the same network."""
    one, other = (["pow", network_chance(EVERY_BUDGET, data, C, L), "k"] for data in (ONE, OTHER))
    return neighbors(every(["le", one, ["mul", _SELECTED, other]], network=networks(C, L)), RECORDS, "n")


def selections(clusters: Term, each: Term) -> Formula:
    """In so many clusters so many selections each, with equal shares of epsilon: a score moves by x <= Delta, which
    moves the logarithms of its weight and of the sum of all weights by x epsilon / (2 Delta) of a share."""
    names = [name for name in (*clusters.variables(), *each.variables()) if name != "d"]
    lost = 2 * (EPS / each * X / (2 * SENSITIVITY))
    return formula(
        {**dict.fromkeys(names, SOME), "d": SEVERAL, "delta": POSITIVE, "x": ANY_SIZE, "eps": POSITIVE},
        ("le", clusters * (each * lost), clusters * EPS),
        where=(SENSITIVITY - X,),
    )


_CHOSEN = (ENTROPY_MOVES, INFORMATION_MOVES, EXPONENTIAL, ADAPTIVE)
"""The scores by their sensitivities; one selection; one after the other. A record is replaced."""
NETWORKS_RO = (*_CHOSEN, selections(K, CLUSTERED))
"""The networks of k clusters lose k epsilon_2 at most."""
_SCORES_AR = (
    Arithmetic(Domain({"n": MANY}), _by_sensitivity(lambda data: entropy(data, BOTH), BOTH)),
    INFORMATION_AR,
)
NETWORKS_AR = (*_SCORES_AR, EXPONENTIAL, ADAPTIVE, selections(K, CLUSTERED))
"""The same where a record is added or removed."""

FORMAL: dict[str, Formal] = {
    "003.alg4.law": _budgets(_law, CLUSTER),
    "003.alg4.dp@ro": conjunction(*_CHOSEN, selections(term(1), CLUSTERED)),
    "003.alg4.dp@ar": conjunction(*_SCORES_AR, EXPONENTIAL, ADAPTIVE),
    "003.alg4.tight": Arithmetic(Domain({"n": SEVERAL, "c": SEVERAL, "l": SOME, "t": FROM_ONE}), _attained(_SELECTED)),
    "003.alg4.tight.corrected": conjunction(
        Arithmetic(Domain({**CLUSTER, "t": ABOVE_ONE}), _smaller()),
        Arithmetic(Domain({"n": SEVERAL, "c": SEVERAL, "l": SOME, "t": FROM_ONE}, _TWO), _attained("t")),
    ),
    "003.alg4.access": Unchecked(
        "which steps read the data is how Algorithm 4 is written down: a sentence that says it of those that take the "
        "data could not fail"
    ),
    "003.eq10.norm@bound-index": NORMALIZED,
    # weights x of (X_j, Pi_j), y of another candidate
    "003.eq10.norm@literal-index": formula({"x": POSITIVE, "y": POSITIVE}, ("eq", X / (X + X) + Y / (X + X), X / X)),
    "003.eq10.dp": _budgets(_selection_is_private, CLUSTER),
    "003.sec33.allclusters": Arithmetic(Domain({**CLUSTER, "k": SOME, "t": FROM_ONE}), _clusters()),
    "003.sec33.allclusters.corrected": conjunction(*NETWORKS_RO),
}
