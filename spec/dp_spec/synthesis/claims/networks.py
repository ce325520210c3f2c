"""Formal statements of source 003, Sections 2.3, 3.3 and 3.4, about Bayesian networks: how they are built, what they
are, and which conditional distributions a joint table tells.

A filter is given by the pairs that it removes: it may be any.
"""

from dp_spec.synthesis.networks import (
    attributes,
    before,
    candidates,
    conditional,
    greedy_orders,
    is_acyclic,
    kept,
    ordered_parents,
    orders,
    parent_sets,
    parents_in,
    placed_before,
    record_chance,
    run_power,
    small_subsets,
    subsets,
    with_root,
)
from dp_spec.synthesis.tables import column, entropy, information, pair, pairs, records, tables
from dp_spec.vocabulary.arithmetic import (
    BOTH,
    Arithmetic,
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
from dp_spec.vocabulary.claim import Formal, Unchecked
from dp_spec.vocabulary.ranges import SEVERAL, SOME, UNIT
from dp_spec.vocabulary.statement import Domain, Not
from dp_spec.vocabulary.term import var

C, L, ALL = "c", "l", attributes("c")
RECORDS = records(C)
TABLES = tables(RECORDS, "n")
_SIZES = Domain({"c": SEVERAL, "l": SOME})
"""A cluster of two attributes or more."""


# --- greedy construction ----------------------------------------------------------------------------------------------


def _equal(degree: int) -> Tree:
    return ["eq", run_power("run", C, degree), run_power("other_run", C, degree)]


def _runs(name: str, root: Tree, degree: int) -> Tree:
    """The greedy orders from a root, however ties are broken."""
    return with_root(name, greedy_orders(name, C, degree), root)


def _roots_are_alike(degree: int) -> Tree:
    """For every table any two roots have greedy orders of the same total."""
    alike = some(_equal(degree), run=_runs("run", "one", degree), other_run=_runs("other_run", "other", degree))
    return every(alike, data=TABLES, one=ALL, other=ALL)


def _totals(degree: int) -> Tree:
    """The totals of all greedy orders, from all roots (e to the power n times them)."""
    return ["union", "any_run", greedy_orders("any_run", C, degree), only(run_power("any_run", C, degree))]


def _all_totals_are_equal(degree: int) -> Tree:
    """All greedy orders, from all roots, have the same total."""
    return every(["eq", ["size", _totals(degree)], 1], data=TABLES)


def _largest_entropy_is_best(degree: int) -> Tree:
    """Some root of largest entropy has a greedy order whose total no greedy order exceeds."""
    rival, most = (entropy(column("data", x), BOTH) for x in ("rival", "most"))
    top = those("most", ALL, every(["le", rival, most], rival=ALL))
    best = every(["le", "other_total", run_power("run", C, degree)], other_total=_totals(degree))
    return every(some(best, one=top, run=_runs("run", "one", degree)), data=TABLES)


# --- candidates and networks ------------------------------------------------------------------------------------------

PLACED = placed_before(C)
REMOVED: Tree = ["events", pairs(C)]
ALLOWED = kept("x", "placed")


def _has_candidates(sets: Tree) -> Arithmetic:
    return Arithmetic(
        _SIZES,
        every(less(0, ["size", candidates("placed", C, sets)]), removed=REMOVED, placed=PLACED),
    )


def _is_network() -> Tree:
    """Edges that Algorithm 4 can give, with some order and some filter, have no cycle, and at most l into each."""
    allowed = kept(["at", "turns", "place"], before("turns", "place", C))
    admitted = every(["in", parents_in("edges", ["at", "turns", "place"], C), parent_sets(allowed, L)], place=ALL)
    few = every(["le", ["size", parents_in("edges", "child", C)], L], child=ALL)
    possible = ["union", "x", ALL, listed("y", those("z", ALL, ["not", ["eq", "x", "z"]]), pair("x", "y"))]
    sentence = implies(admitted, both(is_acyclic("edges", C), few))
    return every(sentence, removed=REMOVED, turns=orders(C), edges=["events", possible])


# --- factorization ----------------------------------------------------------------------------------------------------

_CHANCE = record_chance("data", "parents", "record", C)
_FREQUENCY = ["div", ["count", "data", "record"], "n"]
_NETWORKS = {"data": TABLES, "parents": ordered_parents(C)}
_TABLES_OF = Domain({"n": SOME, "c": SOME})

_FIGURE: Tree = [(), (0,), (1,), (0, 1), (2, 3)]
"""The parents of X_1, ..., X_5 in the printed product."""
_EDGES = ((0, 1), (1, 2), (0, 3), (1, 3), (2, 4), (3, 4))
_CHANCES = [[f"{name}{i}" for i in range(2 ** len(own))] for name, own in zip("abdef", _FIGURE, strict=True)]
"""Pr[X_i = 1 | Pi_i], one for all values of the parents."""


def _list(things: list[Tree]) -> Tree:
    """A list that is written out."""
    elements: Tree = ["from", 0, 0]
    for thing in things:
        elements = only(thing) if elements == ["from", 0, 0] else ["joined", elements, only(thing)]
    return elements


_PRINTED = _list([_list(list(own)) for own in _FIGURE])
_GRAPH = _list([_list(list(edge)) for edge in _EDGES])


def _factor(x: int) -> Tree:
    """Pr[X_i | Pi_i] at the values of a record."""
    place: Tree = 0
    for parent in _FIGURE[x]:
        place = ["add", ["mul", 2, place], ["at", "record", parent]]
    one = ["at", _list(_CHANCES[x]), place]
    value = ["at", "record", x]
    return ["add", ["mul", value, one], ["mul", ["sub", 1, value], ["sub", 1, one]]]


def _printed_product() -> Tree:
    factors = _factor(0)
    for x in range(1, 5):
        factors = ["mul", factors, _factor(x)]
    return factors


def _figure() -> Tree:
    """The product sums to 1 and is never negative; its parents are those of the edges, which have no cycle."""
    sums = ["eq", total("record", records(5), _printed_product()), 1]
    own = every(["eq", parents_in(_GRAPH, "child", 5), ["at", _PRINTED, "child"]], child=attributes(5))
    return both(sums, own, is_acyclic(_GRAPH, 5))


# --- what a joint table tells -----------------------------------------------------------------------------------------


def _prefix(bound: Tree, filtered: bool = False) -> Tree:
    """With l' = min(c - 1, bound): for every j <= l' the attributes of the j-th pair are among those of pair l' + 1,
    whatever parents both have; attributes stand in order of selection."""
    most = ["min", ["sub", C, 1], bound]
    earlier, last = ["from", 0, "j"], ["from", 0, most]
    if filtered:
        earlier, last = kept("j", earlier), kept(most, last)
    inside = every(["in", "each", ["joined", "table", only(most)]], each=["joined", "own", only("j")])
    noised = ["eq", ["size", ["from", most, C]], ["sub", C, most]]
    return every(both(noised, inside), j=["from", 0, most], own=parent_sets(earlier, L), table=parent_sets(last, L))


# --- associations -----------------------------------------------------------------------------------------------------


def _tree_parents() -> Tree:
    """Networks with l = 1: every attribute after the first has one parent."""
    single = every(["eq", ["size", ["at", "parents", "place"]], ["min", 1, "place"]], place=ALL)
    return those("parents", ordered_parents(C), single)


def _both_have(record: Tree, one: Tree, other: Tree) -> Tree:
    return both(["eq", ["at", record, one], "a"], ["eq", ["at", record, other], "b"])


def _kept_together(one: Tree, other: Tree) -> Tree:
    """Two attributes have the same joint law in the network and in the table."""
    law = total("record", those("record_of", RECORDS, _both_have("record_of", one, other)), _CHANCE)
    share = ["div", ["size", those("row_of", "data", _both_have("row_of", one, other))], "n"]
    return every(["eq", law, share], a=BOTH, b=BOTH)


def _is_greedy() -> Tree:
    """The root has largest entropy, and every pair after it the largest I among the candidates: a network that is
    chosen without noise, attributes in order of selection."""
    root = every(["le", entropy(column("data", "y"), BOTH), entropy(column("data", 0), BOTH)], y=ALL)
    own = information("data", "place", ["at", ["at", "parents", "place"], 0], BOTH, BOTH)
    rival = information("data", "late", "early", BOTH, BOTH)
    best = every(["le", rival, own], place=["from", 1, C], late=["from", "place", C], early=["from", 0, "place"])
    return both(root, best)


_L, _C, _D = var("l"), var("c"), var("d")

FORMAL: dict[str, Formal] = {
    "003.prose.randomroot@l1": Unchecked(
        "that there are no such data is 003.prose.randomroot@l1.corrected: it is shown at small sizes, and of all data "
        "it is the theorem of Prim on spanning trees of largest weight, which no rule has"
    ),
    "003.prose.randomroot@l1.corrected": Arithmetic(Domain({"n": SOME, "c": SOME}), _all_totals_are_equal(1)),
    "003.prose.randomroot@l2": Not(Arithmetic(Domain({"n": SOME, "c": SOME}), _roots_are_alike(2))),
    "003.prose.maxroot@l1": Arithmetic(Domain({"n": SOME, "c": SOME}), _largest_entropy_is_best(1)),
    "003.prose.maxroot@l2": Arithmetic(Domain({"n": SOME, "c": SOME}), _largest_entropy_is_best(2)),
    "003.alg4.candidates@exact-l": _has_candidates(subsets(ALLOWED, L)),
    "003.alg4.candidates@min-l": _has_candidates(parent_sets(ALLOWED, L)),
    "003.alg4.candidates@upto-l": _has_candidates(small_subsets(ALLOWED, L)),
    "003.alg4.dag": Arithmetic(Domain({"c": SOME, "l": SOME}), _is_network()),
    "003.sec23.fact@distribution": Arithmetic(
        _TABLES_OF, every(["eq", total("record", RECORDS, _CHANCE), 1], **_NETWORKS)
    ),
    "003.sec23.fact@equality": Arithmetic(
        _TABLES_OF, every(every(["eq", _CHANCE, _FREQUENCY], record=RECORDS), **_NETWORKS)
    ),
    "003.fig1.fact": Arithmetic(Domain({name: UNIT for own in _CHANCES for name in own}), _figure()),
    "003.alg5.lprime@d-attrs": Arithmetic(Domain({"c": SEVERAL, "l": SOME, "d": SOME}, (_D - _C,)), _prefix("d")),
    "003.alg5.lprime@d-degree": Arithmetic(_SIZES, _prefix(L)),
    "003.alg5.step3@nofilter": Arithmetic(_SIZES, _prefix(L)),
    "003.alg5.step3@filter": Arithmetic(_SIZES, every(_prefix(L, True), removed=REMOVED)),
    "003.base.privbayes.prefix": Arithmetic(Domain({"c": SEVERAL, "l": SOME}, (_C - _L - 1,)), _prefix(L)),
    "003.prose.assoc@parent": Arithmetic(
        Domain({"n": SOME, "c": SEVERAL}),
        every(
            every(_kept_together("child", ["at", ["at", "parents", "child"], 0]), child=["from", 1, C]),
            data=TABLES,
            parents=_tree_parents(),
        ),
    ),
    "003.prose.assoc@cluster": Arithmetic(
        Domain({"n": SOME, "c": SEVERAL}),
        every(
            implies(_is_greedy(), every(_kept_together("first", "second"), first=ALL, second=ALL)),
            data=TABLES,
            parents=_tree_parents(),
        ),
    ),
    # two clusters of one attribute
    "003.prose.assoc@across": Arithmetic(
        Domain({"n": SOME}),
        every(
            [
                "eq",
                ["div", ["count", "data", "record"], "n"],
                product("x", attributes(2), conditional("data", "x", ["from", 0, 0], "record")),
            ],
            data=tables(records(2), "n"),
            record=records(2),
        ),
    ),
}
