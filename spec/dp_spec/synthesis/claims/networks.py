"""Formal statements of source 003, Section 3.3: networks that are selected, their laws and their privacy.

A filter is given by the pairs that it removes; there may be any.
"""

from dp_spec.synthesis.claims.definitions import ANY, EXPONENTIAL, NORMALIZED, POSITIVE, A, B, P, Q, W, X, Y, Z
from dp_spec.synthesis.networks import (
    EVERY_BUDGET,
    Weights,
    attributes,
    before,
    called,
    candidates,
    greedy_orders,
    is_acyclic,
    joint_entropy,
    kept,
    network_chance,
    network_count,
    networks,
    orders,
    outside,
    pair_chance,
    pairs,
    parent_information,
    parent_sets,
    parents_in,
    rational,
    root_chance,
    run_power,
    small_subsets,
    subsets,
    with_root,
)
from dp_spec.synthesis.tables import ONE, OTHER, entropy, column, neighbors, records, sensitivity, tables
from dp_spec.vocabulary.arithmetic import (
    BOTH,
    Arithmetic,
    Tree,
    both,
    distance,
    every,
    implies,
    less,
    listed,
    number_of,
    only,
    some,
    those,
    total,
)
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula
from dp_spec.vocabulary.statement import All, Domain, Not, Range
from dp_spec.vocabulary.term import term

SOME, SEVERAL, MANY = (Range(least, integer=True) for least in (1, 2, 3))
C, L, ALL = "c", "l", attributes("c")
RECORDS = records(C)
CLUSTER = {"n": SEVERAL, "c": SOME, "l": SOME}
"""n >= 2 records, at which (8) is positive; c attributes, in-degree at most l."""
BUDGET, TIMES = {"t": Range(1)}, {"s": Range(integer=True)}
RATIONAL = rational("s")


def both_budgets(make: "Callable[[Weights], Tree]", names: "Mapping[str, Range]") -> All:
    """For every epsilon, t = e^(epsilon / (2 c)); and for epsilon = 2 c s log B_n."""
    return All(
        (
            Arithmetic(Domain({**names, **BUDGET}), make(EVERY_BUDGET)),
            Arithmetic(Domain({**names, **TIMES}), make(RATIONAL)),
        )
    )


# --- greedy construction ----------------------------------------------------------------------------------------------


def _runs(one: Tree, other: Tree, degree: int) -> tuple[Tree, Tree, Tree]:
    """Greedy orders from two roots, and that their totals are equal."""
    first, second = (
        with_root(name, greedy_orders(name, C, degree), root) for name, root in (("run", one), ("other_run", other))
    )
    return first, second, ["eq", run_power("run", C, degree), run_power("other_run", C, degree)]


def _roots_matter(degree: int) -> Tree:
    """Two roots of which all greedy orders have different totals."""
    first, second, equal = _runs("one", "other", degree)
    differ = every(["not", equal], run=first, other_run=second)
    return some(differ, data=tables(RECORDS, "n"), one=ALL, other=ALL)


def _roots_are_alike(degree: int) -> Tree:
    """Any two roots have greedy orders of the same total."""
    first, second, equal = _runs("one", "other", degree)
    return every(some(equal, run=first, other_run=second), data=tables(RECORDS, "n"), one=ALL, other=ALL)


def _totals_are_equal(degree: int) -> Tree:
    """All greedy orders, from all roots, have the same total."""
    equal = ["eq", run_power("run", C, degree), run_power("other_run", C, degree)]
    first, second = (greedy_orders(name, C, degree) for name in ("run", "other_run"))
    return every(equal, data=tables(RECORDS, "n"), run=first, other_run=second)


def _largest_entropy_is_best(degree: int) -> Tree:
    """Some root of largest entropy has a greedy order whose total no greedy order from another root exceeds."""
    first, second, _ = _runs("one", "other", degree)
    scores = [entropy(column("data", x), BOTH) for x in ("rival", "most")]
    top = those("most", ALL, every(["le", *scores], rival=ALL))
    exceeded = ["le", run_power("other_run", C, degree), run_power("run", C, degree)]
    best = some(every(exceeded, other=ALL, other_run=second), run=first)
    return every(some(best, one=top), data=tables(RECORDS, "n"))


# --- candidates, networks ---------------------------------------------------------------------------------------------

PLACED = those("placed", ["events", ALL], both(less(0, ["size", "placed"]), less(["size", "placed"], C)))
"""The attributes that are placed before one of the iterations t = 2..c."""
REMOVED = ["events", pairs(C)]
ALLOWED = kept("x", "placed")


def _has_candidates(sets: Tree) -> Arithmetic:
    return Arithmetic(
        Domain({"c": SOME, "l": SOME}),
        every(less(0, ["size", candidates("placed", C, sets)]), removed=REMOVED, placed=PLACED),
    )


def _acyclic() -> Tree:
    """Edges that an order and a filter admit."""
    placed = kept("x", before("turns", "place", C))
    admitted = every(
        ["in", parents_in("edges", ["at", "turns", "place"], C), parent_sets(_kept_at(), L)], place=ALL
    )
    few = every(["le", ["size", parents_in("edges", "child", C)], L], child=ALL)
    del placed
    edges = ["events", ["union", "x", ALL, listed("y", those("y", ALL, ["not", ["eq", "x", "y"]]), _pair("x", "y"))]]
    return every(
        implies(admitted, both(is_acyclic("edges", C), few)), removed=REMOVED, turns=orders(C), edges=edges
    )


def _kept_at() -> Tree:
    return kept(["at", "turns", "place"], before("turns", "place", C))


def _pair(one: Tree, other: Tree) -> Tree:
    return ["joined", only(one), only(other)]


# --- laws -------------------------------------------------------------------------------------------------------------


def _law(weights: Weights) -> Tree:
    """There are so many networks, all have positive chances, and these sum to 1."""
    chance, found = network_chance(weights, "data", C, L), networks(C, L)
    number = ["eq", ["size", found], network_count(C, L)]
    shares = both(["eq", total("network", found, chance), 1], every(less(0, chance), network=found))
    return every(both(number, shares), data=tables(RECORDS, "n"))


def _private(weights: Weights) -> Tree:
    """No chance of a network is more than e^epsilon times that for a neighbor."""
    one, other = (network_chance(weights, data, C, L) for data in (ONE, OTHER))
    bounded = ["le", one, ["mul", ["pow", weights.share, C], other]]
    return neighbors(every(bounded, network=networks(C, L)), RECORDS, "n")


def _selection_is_private(weights: Weights) -> Tree:
    """Nor is that of a root, or of a pair after any placed attributes, more than e^(epsilon / c) times that."""

    def bounded(one: Tree, other: Tree) -> Tree:
        return ["le", one, ["mul", weights.share, other]]

    roots = every(bounded(*(root_chance(weights, data, "first", C) for data in (ONE, OTHER))), first=ALL)
    among = candidates("placed", C, parent_sets("placed", L))
    chances = (pair_chance(weights, data, among) for data in (ONE, OTHER))
    return neighbors(both(roots, every(bounded(*chances), placed=PLACED, chosen=among)), RECORDS, "n")


_REST = ["multisets", RECORDS, ["sub", "n", 1]]


def _private_with_a_record_more() -> Tree:
    """In both directions; each table has its own sensitivity."""
    more, fewer = (network_chance(EVERY_BUDGET, data, C, L) for data in (ONE, "rest"))
    factor = ["pow", "t", ["mul", 2, C]]
    bounded = both(["le", more, ["mul", factor, fewer]], ["le", fewer, ["mul", factor, more]])
    return every(bounded, rest=_REST, one=RECORDS, network=networks(C, L))


def _normalized_scores_move_by_one(score: "Callable[[Tree], Tree]") -> Tree:
    """|u / Delta u - u' / Delta u'| <= 1, with a record more: each table has its own sensitivity."""
    normalized = [["div", score(data), sensitivity(["size", data])] for data in (ONE, "rest")]
    return every(["le", distance(*normalized), 1], rest=_REST, one=RECORDS)


_LAST = ["from", 1, C]
ADAPTIVE = Formula(
    Domain(
        {**dict.fromkeys("pqcsabxy", ANY), "v": Range(1), "w": Range(1)},
        (),
    ),
    (),
)


def _attained(share: Tree, bound: Tree) -> Tree:
    """No chance of a network is more than the bound times that for a neighbor, and some is equal to it."""
    one, other = (network_chance(EVERY_BUDGET, data, C, L) for data in (ONE, OTHER))
    found = networks(C, L)
    bounded = neighbors(every(["le", one, ["mul", bound, other]], network=found), RECORDS, "n")
    reached = some(
        ["eq", one, ["mul", bound, other]], rest=_REST, one=RECORDS, other=RECORDS, network=found
    )
    return both(bounded, reached)
