"""Formal statements of source 003, Sections 3.1, 4.3 and 5: the steps of HMPrivBayes, its rows, what it tends to, and
how evenly it protects attributes."""

from dp_spec.synthesis.claims.definitions import P, Q, U, W
from dp_spec.synthesis.spectra import entry, numbers, sequence
from dp_spec.synthesis.tables import column, information, pair, records, tables, values
from dp_spec.vocabulary.arithmetic import (
    BOTH,
    Arithmetic,
    Tree,
    both,
    every,
    implies,
    larger,
    less,
    listed,
    only,
    some,
    those,
)
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Limit, formula
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, FROM_ONE, POSITIVE, SOME, UNIT
from dp_spec.vocabulary.statement import Domain, conjunction
from dp_spec.vocabulary.term import term, var

# The order of steps: objects are numbers; a step is the list of what it reads, and what it writes

_DATA, _MATRIX, _CLUSTERS, _PROJECTION, _NETWORK, _CONDITIONALS, _ROWS = range(7)
"""D; S; C_1, ..., C_k; D_i; N_i; P_i*; D_i'."""
_SEGMENT = pair(numbers(_DATA), numbers(_MATRIX, _CLUSTERS))
_PROJECT = pair(numbers(_DATA, _CLUSTERS), numbers(_PROJECTION))
_LEARN = pair(numbers(_PROJECTION, _MATRIX), numbers(_NETWORK))
_SAMPLE = pair(numbers(_NETWORK, _CONDITIONALS), numbers(_ROWS))
_PERTURB = pair(numbers(_PROJECTION, _NETWORK), numbers(_CONDITIONALS))


def _runs(*steps: Tree) -> Tree:
    """Everything that a step reads is the data, or written by a step before it."""
    program = sequence(*steps)
    place = values(len(steps))
    written = some(["in", "read", ["at", ["at", program, "before"], 1]], before=values("step"))
    available = ["or", ["eq", "read", _DATA], written]
    return every(every(available, read=["at", ["at", program, "step"], 0]), step=place)


# Rows of clusters, put together: attribute a is in cluster `label`_a of k, and every cluster has m rows


def _members(cluster: Tree) -> Tree:
    return those("a", values("d"), ["eq", ["at", "label", "a"], cluster])


def _drawn(said: Tree) -> Tree:
    """For all clusters, and all their rows: of every cluster, m lists of as many bits as it has attributes."""
    used = every(["in", "c", "label"], c=values("k"))
    clusters = those("label", ["lists", values("k"), "d"], used)
    return every(every(said, bits=["lists", ["lists", BOTH, "d"], "m"]), label=clusters)


def _value(row: Tree, attribute: Tree) -> Tree:
    """An attribute, with its value in a row of its cluster."""
    return pair(attribute, entry("bits", row, attribute))


def _is_table(data: Tree) -> Tree:
    """m rows, each with all d attributes."""
    complete = ["eq", ["size", those("x", values("d"), ["in", "x", _attributes("row")])], "d"]
    return both(["eq", ["size", data], "m"], every(both(complete, ["eq", ["size", "row"], "d"]), row=data))


def _attributes(row: Tree) -> Tree:
    return listed("known", row, ["at", "known", 0])


ROW_JOIN = listed("r", values("m"), ["union", "c", values("k"), listed("a", _members("c"), _value("r", "a"))])
"""The r-th rows of all clusters side by side."""
SET_UNION: Tree = [
    "union",
    "c",
    values("k"),
    ["union", "r", values("m"), only(listed("a", _members("c"), _value("r", "a")))],
]
"""The rows of all clusters as one set."""


# What the filter (9) keeps, where the coefficients of all pairs are 0


def _network_law(noise: Tree, row: Tree) -> Tree:
    """n^2 times the chance of a row: of the attributes 0 and 1, which are independent, and of 2, placed last, given
    those of them that the filter keeps. Coefficients are 0 plus b times the noise."""

    def with_noise(i: int, j: int) -> Tree:
        return ["mul", "b", ["at", noise, i + j - 1]]

    def kept(c: int) -> Tree:
        """The entry of 2 and c is more than eta times the maximum of either row, with the 0 of the diagonal."""
        own = with_noise(c, 2)
        rows = [larger(0, larger(with_noise(0, 2), with_noise(1, 2))), larger(0, larger(with_noise(0, 1), own))]
        return both(*(less(["mul", "eta", most], own) for most in rows))

    matches = [["or", ["not", kept(c)], ["eq", ["at", "record", c], ["at", row, c]]] for c in (0, 1)]
    matching = those("record", "data", both(*matches))
    hit = those("record", "data", both(*matches, ["eq", ["at", "record", 2], ["at", row, 2]]))
    number = ["size", matching]
    last = ["div", ["size", hit], ["add", number, ["number", ["eq", number, 0]]]]
    first = [["count", column("data", a), ["at", row, a]] for a in (0, 1)]
    return ["mul", ["mul", *first], last]


def _filter_limit() -> Tree:
    """For tables whose attributes are not constant, and in pairs independent, and all noise: the law of rows is that
    without noise."""
    varies = every(both(*(["in", x, column("table", "a")] for x in (0, 1))), a=values(3))
    alone = [["eq", information("data", i, j, BOTH, BOTH), 0] for i, j in ((0, 1), (0, 2), (1, 2))]
    same = ["eq", _network_law("noise", "row"), _network_law(sequence(0, 0, 0), "row")]
    return every(
        implies(both(*alone), same),
        data=those("table", tables(records(3), "n"), varies),
        noise=["lists", ["from", 1, 3], 3],
        row=records(3),
    )


_EPS, _M, _G = var("eps"), var("m"), var("g")
_TENDS = Domain({"m": SOME, "w": ABOVE_ONE, "g": FROM_ONE, "u": POSITIVE})

# Attributes 0, 1, 2 in a chain, one parent each: the joint tables of 1 and 0 and of 2 and 1 get noise


def _joints(record: Tree) -> Tree:
    """The frequencies in the two joint tables of one record."""
    cells = records(2)

    def table(parent: int, child: int) -> Tree:
        own = pair(["at", record, parent], ["at", record, child])
        return listed("cell", cells, ["number", ["eq", "cell", own]])

    return ["joined", table(0, 1), table(1, 2)]


def _scales() -> Tree:
    """(12) with the weights x and y of the two tables, n = 1."""
    scales = [["mul", ["div", 2, "eps"], ["div", ["add", "x", "y"], own]] for own in ("x", "y")]
    return ["joined", *(listed("cell", records(2), own) for own in scales)]


def _changed(attribute: Tree) -> Tree:
    """The record with another value of one attribute."""
    other = ["sub", 1, ["mul", 2, ["at", "record", "place"]]]
    change = ["mul", ["number", ["eq", "place", attribute]], other]
    return listed("place", values(3), ["add", ["at", "record", "place"], change])


def _loss(attribute: Tree) -> Tree:
    """Between a record and the one that differs in this attribute."""
    return ["laplace", _joints("record"), _joints(_changed(attribute)), _scales()]


_WEIGHTS = Domain({"x": POSITIVE, "y": POSITIVE, "eps": POSITIVE})
_SHARE = [
    "div",
    ["add", ["mul", "x", ["number", ["le", "one", 1]]], ["mul", "y", ["number", ["le", 1, "one"]]]],
    ["add", "x", "y"],
]

FORMAL: dict[str, Formal] = {
    "003.alg2.order@listing": Arithmetic(Domain({}), _runs(_SEGMENT, _PROJECT, _LEARN, _SAMPLE, _PERTURB)),
    "003.alg2.order@prose": Arithmetic(Domain({}), _runs(_SEGMENT, _PROJECT, _LEARN, _PERTURB, _SAMPLE)),
    # the attributes before have the chance q, u in another row, the next one is 1 with the chance p given them
    "003.alg2.sample": formula(
        {"p": ANY_SIZE, "q": ANY_SIZE, "u": ANY_SIZE},
        ("eq", Q * P + Q * (1 - P), Q),
        ("eq", U * (Q * P) + U * (Q * (1 - P)), U * Q),
        ("le", term(0), Q * (1 - P)),
        where=(1 - P,),
    ),
    "003.alg2.union@rowjoin": Arithmetic(
        Domain({"d": SOME, "k": SOME, "m": SOME}, (var("d") - var("k"),)), _drawn(_is_table(ROW_JOIN))
    ),
    "003.alg2.union@setunion": Arithmetic(
        Domain({"d": SOME, "k": SOME, "m": SOME}, (var("d") - var("k"),)), _drawn(_is_table(SET_UNION))
    ),
    "003.fig5.limit": Arithmetic(Domain({"n": SOME, "b": POSITIVE, "eta": UNIT}), _filter_limit()),
    # g best candidates of weight 1, the others of weight u / w^m in all; scales at the share eps of a budget m
    "003.fig5.limit.corrected": conjunction(
        Limit(_TENDS, "m", 1 / (_G + U / W**_M), 1 / _G),
        Limit(Domain({"m": SOME, "u": POSITIVE, "eps": POSITIVE}), "m", U / (_EPS * _M), term(0)),
    ),
    "003.prose.even": Arithmetic(
        _WEIGHTS, every(["eq", _loss("one"), _loss("other")], record=records(3), one=values(3), other=values(3))
    ),
    "003.prose.even.corrected": Arithmetic(
        _WEIGHTS, every(["eq", _loss("one"), ["mul", "eps", _SHARE]], record=records(3), one=values(3))
    ),
}
