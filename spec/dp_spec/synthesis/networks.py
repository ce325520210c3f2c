"""Bayesian networks of attributes as lists, how many there are, and the laws of those that a mechanism selects, in
sentences.

A network of c attributes is the pair of the list of its attributes, in order of selection, and the list of their sets
of parents, place by place; a set of parents is a list in increasing order. Where a filter is active, `removed` are the
pairs i < j with S_i = 0.
"""

from collections.abc import Callable
from dataclasses import dataclass

from dp_spec.synthesis.tables import column, columns, entropy, pair, records, sensitivity
from dp_spec.vocabulary.arithmetic import (
    BOTH,
    Tree,
    both,
    every,
    implies,
    less,
    listed,
    only,
    product,
    some,
    those,
    total,
)

ORDER: Tree = ["at", "network", 0]
PARENTS: Tree = ["at", "network", 1]


def attributes(number: Tree) -> Tree:
    """The attributes 0..number-1."""
    return ["from", 0, number]


def orders(number: Tree) -> Tree:
    """All orders of so many attributes."""
    lists = ["lists", attributes(number), number]
    permutations = those("order", lists, every(["in", "each", "order"], each=attributes(number)))
    return listed("order", permutations, "order")


def before(order: Tree, place: Tree, number: Tree) -> Tree:
    """The attributes in front of a place, in increasing order."""
    earlier = listed("earlier", ["from", 0, place], ["at", order, "earlier"])
    return those("early", attributes(number), ["in", "early", earlier])


def subsets(things: Tree, size: Tree) -> Tree:
    """All subsets of so many things."""
    return those("set", ["events", things], ["eq", ["size", "set"], size])


def small_subsets(things: Tree, size: Tree) -> Tree:
    """All subsets of at most so many things."""
    return those("set", ["events", things], ["le", ["size", "set"], size])


def parent_sets(allowed: Tree, degree: Tree) -> Tree:
    """Reading `min-l`: all subsets of min(l, number) of the attributes that are allowed as parents."""
    return subsets(allowed, ["min", degree, ["size", allowed]])


def kept(x: Tree, placed: Tree) -> Tree:
    """V': the placed attributes that the filter leaves to x."""
    gone = ["or", ["in", pair(x, "near"), "removed"], ["in", pair("near", x), "removed"]]
    return those("near", placed, ["not", gone])


def outside(placed: Tree, number: Tree) -> Tree:
    """The attributes that are not placed."""
    return those("x", attributes(number), ["not", ["in", "x", placed]])


def placed_before(number: Tree) -> Tree:
    """The sets of attributes that may be placed before one of the iterations t = 2..c: some, and not all."""
    size = ["size", "placed"]
    return those("placed", ["events", attributes(number)], both(less(0, size), less(size, number)))


def candidates(placed: Tree, number: Tree, sets: Tree) -> Tree:
    """Omega: every attribute `x` that is not placed, with each of its sets of parents."""
    return ["union", "x", outside(placed, number), listed("set", sets, pair("x", "set"))]


def networks(number: Tree, degree: Tree, filtered: bool = False) -> Tree:
    """All networks of so many attributes with sets of parents as in reading `min-l`, without or with a filter."""
    placed = before("order", "place", number)
    own = parent_sets(kept(["at", "order", "place"], placed) if filtered else placed, degree)
    admitted = every(["in", ["at", "parents", "place"], own], place=attributes(number))
    lists = those("parents", ["lists", small_subsets(attributes(number), degree), number], admitted)
    return ["union", "order", orders(number), listed("parents", lists, pair("order", "parents"))]


def network_count(number: Tree, degree: Tree) -> Tree:
    """c! times the product over t = 2..c of binom(t - 1, min(l, t - 1))."""
    choices = product("v", ["from", 1, number], ["binom", "v", ["min", degree, "v"]])
    return ["mul", product("factor", ["from", 1, ["add", number, 1]], "factor"), choices]


def candidate_count(number: Tree, degree: Tree) -> Tree:
    """f(c, l): the sum over v = 1..c-1 of (c - v) binom(v, min(l, v)), how many pairs are scored."""
    return total("v", ["from", 1, number], ["mul", ["sub", number, "v"], ["binom", "v", ["min", degree, "v"]]])


def parents_in(edges: Tree, x: Tree, number: Tree) -> Tree:
    """The attributes from which an edge leads to x; edges are pairs (parent, child)."""
    return those("parent", attributes(number), ["in", pair("parent", x), edges])


def is_acyclic(edges: Tree, number: Tree) -> Tree:
    """Every set of attributes that is not empty has one to which no edge leads from within."""
    first = some(every(["not", ["in", pair("tail", "head"), edges]], tail="group"), head="group")
    return every(implies(["not", ["eq", ["size", "group"], 0]], first), group=["events", attributes(number)])


# --- scores and laws of selections ------------------------------------------------------------------------------------


def joint_entropy(data: Tree, chosen: Tree) -> Tree:
    """n H of a list of binary attributes together."""
    return entropy(columns(data, chosen), records(["size", chosen]))


def parent_information(data: Tree, x: Tree, chosen: Tree) -> Tree:
    """n I(X, Pi) of a binary attribute and a list of them."""
    apart = ["add", entropy(column(data, x), BOTH), joint_entropy(data, chosen)]
    return ["sub", apart, joint_entropy(data, ["joined", only(x), chosen])]


def entropy_power(data: Tree, chosen: Tree) -> Tree:
    """e^(n H) = n^n / prod c^c, H in nats, of a list of binary attributes together."""
    counts = product("value", records(["size", chosen]), _self_power(["count", columns(data, chosen), "value"]))
    return ["div", _self_power(["size", data]), counts]


def information_power(data: Tree, x: Tree, chosen: Tree) -> Tree:
    """A = e^(n I) of a binary attribute and a list of them."""
    apart = ["mul", entropy_power(data, only(x)), entropy_power(data, chosen)]
    return ["div", apart, entropy_power(data, ["joined", only(x), chosen])]


def sensitivity_power(n: Tree) -> Tree:
    """B_n = n^n / (n - 1)^(n - 1): e to the n times (8)."""
    return ["div", _self_power(n), _self_power(["sub", n, 1])]


def _self_power(x: Tree) -> Tree:
    return ["pow", x, x]


@dataclass(frozen=True)
class Weights:
    """e^(epsilon u / (2 c Delta u)) of a root, and of an attribute with its parents; e^(epsilon / c)."""

    root: Callable[[Tree, Tree], Tree]
    parents: Callable[[Tree, Tree, Tree], Tree]
    share: Tree


EVERY_BUDGET = Weights(
    lambda data, x: ["pow", "t", ["div", entropy(column(data, x), BOTH), sensitivity(["size", data])]],
    lambda data, x, chosen: ["pow", "t", ["div", parent_information(data, x, chosen), sensitivity(["size", data])]],
    ["pow", "t", 2],
)
"""t = e^(epsilon / (2 c)), to the power u / Delta u."""


def rational(s: Tree) -> Weights:
    """epsilon = 2 c s log B_n: e^(epsilon u / (2 c Delta u)) = (e^(n u))^s."""
    return Weights(
        lambda data, x: ["pow", entropy_power(data, only(x)), s],
        lambda data, x, chosen: ["pow", information_power(data, x, chosen), s],
        ["pow", sensitivity_power("n"), ["mul", 2, s]],
    )


def root_chance(weights: Weights, data: Tree, x: Tree, number: Tree) -> Tree:
    """The chance that an attribute becomes the root."""
    return ["div", weights.root(data, x), total("root", attributes(number), weights.root(data, "root"))]


def pair_chance(weights: Weights, data: Tree, among: Tree) -> Tree:
    """(10): the chance of `chosen`, a pair of an attribute and its parents, among the candidates."""
    whole = total("candidate", among, weights.parents(data, ["at", "candidate", 0], ["at", "candidate", 1]))
    return ["div", weights.parents(data, ["at", "chosen", 0], ["at", "chosen", 1]), whole]


def called(name: str, thing: Tree, number: Tree) -> Tree:
    """A number that speaks of a thing by a name."""
    return total(name, only(thing), number)


def steps_chance(weights: Weights, data: Tree, number: Tree, degree: Tree, filtered: bool = False) -> Tree:
    """The chance of the pairs of `network` after its root: the product along its list."""
    sets = parent_sets(kept("x", "placed") if filtered else "placed", degree)
    chance = pair_chance(weights, data, candidates("placed", number, sets))
    chosen = called("chosen", pair(["at", ORDER, "step"], ["at", PARENTS, "step"]), chance)
    return product("step", ["from", 1, number], called("placed", before(ORDER, "step", number), chosen))


def network_chance(weights: Weights, data: Tree, number: Tree, degree: Tree, filtered: bool = False) -> Tree:
    """The chance of `network`: that of its root times those of its other pairs."""
    steps = steps_chance(weights, data, number, degree, filtered)
    return called("first", ["at", ORDER, 0], ["mul", root_chance(weights, data, "first", number), steps])


# --- greedy construction, without noise -------------------------------------------------------------------------------


def best_power(data: Tree, x: Tree, placed: Tree, degree: Tree) -> Tree:
    """The largest e^(n I) that an attribute has with a set of placed parents."""
    scores = listed("set", parent_sets(placed, degree), information_power(data, x, "set"))
    largest = those("best", "scores", every(["le", "rival", "best"], rival="scores"))
    return called("scores", scores, ["at", largest, 0])


def greedy_orders(name: str, number: Tree, degree: Tree) -> Tree:
    """The orders of `data` in which every attribute after the first is one of the best, with its best parents."""
    placed = called("placed", before(name, "turn", number), called("y", ["at", name, "turn"], _best(degree)))
    rival = called("placed", before(name, "turn", number), called("y", "late", _best(degree)))
    last = ["not", ["in", "late", before(name, "turn", number)]]
    test = every(implies(last, ["le", rival, placed]), turn=["from", 1, number], late=attributes(number))
    return listed(name, those(name, orders(number), test), name)


def _best(degree: Tree) -> Tree:
    return best_power("data", "y", "placed", degree)


def run_power(name: str, number: Tree, degree: Tree) -> Tree:
    """e to the n times the sum of I(X_t, Pi_t) along a greedy order."""
    chosen = called("y", ["at", name, "turn"], _best(degree))
    return product("turn", ["from", 1, number], called("placed", before(name, "turn", number), chosen))


def with_root(name: str, runs: Tree, root: Tree) -> Tree:
    """The orders that begin with a root."""
    return those(name, runs, ["eq", ["at", name, 0], root])


# --- conditional probabilities ----------------------------------------------------------------------------------------


def conditional(data: Tree, x: Tree, chosen: Tree, record: Tree) -> Tree:
    """Pr[X = x | Pi = pi] in a table, at the values of a record; 1/2 where no record of it has these pi."""
    there = ["size", those("row", data, _agree("row", record, chosen))]
    ones = ["size", those("row", data, both(_agree("row", record, chosen), _same("row", record, x)))]
    absent = ["number", ["eq", there, 0]]
    return ["div", ["add", ones, absent], ["add", there, ["mul", 2, absent]]]


def _same(one: Tree, other: Tree, x: Tree) -> Tree:
    return ["eq", ["at", one, x], ["at", other, x]]


def _agree(one: Tree, other: Tree, chosen: Tree) -> Tree:
    return every(_same(one, other, "shared"), shared=chosen)


def record_chance(data: Tree, parents: Tree, record: Tree, number: Tree) -> Tree:
    """Pr_N of a record: the product of conditional probabilities; attributes stand in order of selection."""
    return product("x", attributes(number), conditional(data, "x", ["at", parents, "x"], record))


def ordered_parents(number: Tree) -> Tree:
    """All lists of sets of parents of attributes in order of selection: those of x are among 0..x-1."""
    inside = every(["in", ["at", "parents", "place"], ["events", ["from", 0, "place"]]], place=attributes(number))
    lists = ["lists", ["events", attributes(number)], number]
    return listed("parents", those("parents", lists, inside), "parents")
