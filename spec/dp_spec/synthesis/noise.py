"""Noise on tables, in sentences: what source 003 adds noise to, scales, chances of noisy cells, and of what is sampled.

Frequencies are counts by the number of records; informations and sensitivities here are in bits.
"""

from dp_spec.synthesis import tables
from dp_spec.synthesis.tables import column, columns, information, pair, sensitivity
from dp_spec.vocabulary.arithmetic import BOTH, Tree, added, distance, less, listed, number_of, those, total


def size(data: Tree) -> Tree:
    """The number of records."""
    return ["size", data]


def half(d: Tree) -> Tree:
    """floor(d / 2)."""
    return number_of("halved", ["from", 1, ["add", d, 1]], ["le", ["mul", 2, "halved"], d])


def accesses(d: Tree) -> Tree:
    """r = d (d - 1) / (2 floor(d / 2))."""
    return ["div", ["mul", d, ["sub", d, 1]], ["mul", 2, half(d)]]


def ordered_pairs(d: Tree) -> Tree:
    """All pairs of two of d attributes, in both orders."""
    others = those("second", ["from", 0, d], ["not", ["eq", "first", "second"]])
    return ["union", "first", ["from", 0, d], listed("second", others, pair("first", "second"))]


def bits(times_n: Tree, n: Tree) -> Tree:
    """An entropy in nats times n, in bits."""
    return ["div", times_n, ["mul", n, ["log", 2]]]


def coefficients(data: Tree, of: Tree) -> Tree:
    """MIC of some pairs of binary attributes: their mutual information in bits (the only grid has 2 x 2 cells)."""
    attributes = (["at", "pair", 0], ["at", "pair", 1])
    return listed("pair", of, bits(information(data, *attributes, BOTH, BOTH), size(data)))


def similarity_scale(n: Tree, d: Tree, eps: Tree = 1) -> Tree:
    """b_S = Delta m d (d - 1) / (epsilon 2 floor(d / 2))."""
    scale = ["mul", bits(sensitivity(n), n), accesses(d)]
    return scale if eps == 1 else ["div", scale, eps]


def cells(attributes: Tree) -> Tree:
    """The cells of the joint table of some binary attributes."""
    return ["lists", BOTH, ["size", attributes]]


def joint(data: Tree, attributes: Tree) -> Tree:
    """The frequencies of the cells of a joint table."""
    frequency = ["div", ["count", columns(data, attributes), "cell"], size(data)]
    return listed("cell", cells(attributes), frequency)


def joint_scale(n: Tree, eps: Tree, of: Tree, others: Tree) -> Tree:
    """(12): 2 / (n epsilon) times the sum of all weights by that of the table."""
    return ["mul", ["div", 2, ["mul", n, eps]], ["div", ["add", of, others], of]]


def marginals(d: Tree) -> Tree:
    """The cells of the tables of d single binary attributes: pairs of an attribute and a value."""
    return tables.cells(["from", 0, d], BOTH)


def single(data: Tree, d: Tree) -> Tree:
    """The frequencies of these cells."""
    counted = ["count", column(data, ["at", "cell", 0]), ["at", "cell", 1]]
    return listed("cell", marginals(d), ["div", counted, size(data)])


def part(d: Tree, k: Tree, of: str) -> Tree:
    """Of epsilon = 1 the part epsilon_1 (`first`) or epsilon_2 = epsilon_3 (`other`) of Section 4.1: n
    cancels."""
    first, other = ["sub", d, 1], ["div", ["mul", 2, d], k]
    return ["div", first if of == "first" else other, added(first, other, other)]


def geometric(x: Tree, count: Tree, n: Tree, alpha: Tree) -> Tree:
    """The chance of x in 0..n as a noisy count: two-sided geometric noise, what lies outside moved to 0 or n."""
    inside = ["mul", ["sub", 1, alpha], ["pow", alpha, distance(x, count)]]
    between = ["number", ["and", less(0, x), less(x, n)]]
    low = ["mul", ["number", ["eq", x, 0]], ["pow", alpha, count]]
    high = ["mul", ["number", ["eq", x, n]], ["pow", alpha, ["sub", n, count]]]
    return ["div", added(low, high, ["mul", between, inside]), ["add", 1, alpha]]


def fraction(m: Tree) -> Tree:
    """m / (m + 1)."""
    return ["div", m, ["add", m, 1]]


def at_most_zero(alpha: Tree, count: Tree) -> Tree:
    """The chance that a count with Laplace noise is at most 0, where a step of 1 changes densities by alpha."""
    return ["div", ["pow", alpha, count], 2]


def below(step: Tree, count: Tree, beta: Tree, steps: Tree) -> Tree:
    """The chance that a count with Laplace noise is at most so many steps; 1 is so many steps of the factor beta."""
    center = ["mul", count, steps]
    left = ["number", ["le", step, center]]
    tail = ["div", ["pow", beta, distance(step, center)], 2]
    return ["add", ["mul", left, tail], ["mul", ["sub", 1, left], ["sub", 1, tail]]]


def intervals(count: Tree, beta: Tree, steps: Tree, top: Tree) -> Tree:
    """The chances that a noisy count is at most 0, lies in each of the intervals (j - 1, j] of steps up to the top, and
    above."""
    inside = ["number", ["le", "step", top]]
    reached = ["mul", inside, below(["min", "step", top], count, beta, steps)]
    later = ["number", less(0, "step")]
    before = ["mul", later, below(["sub", "step", later], count, beta, steps)]
    chance = ["sub", added(reached, ["sub", 1, inside]), before]
    return listed("step", ["from", 0, ["add", top, 2]], chance)


def _both_empty(own: Tree, others: Tree, n: Tree) -> Tree:
    """The chance that both counts are at most 0, and that all of n rows have the value all the same."""
    return ["div", ["mul", ["at", own, 0], ["at", others, 0]], ["pow", 2, n]]


def all_rows_at_least(own: Tree, others: Tree, n: Tree, top: Tree) -> Tree:
    """A bound from below of the chance that all of n rows have a value of a binary attribute, from the chances of the
    intervals of its noisy count and of that of the other value: a count is at least where its interval begins, the
    other one at most where its own ends."""
    begins = ["sub", "held", 1]
    share = ["div", begins, ["add", begins, "lost"]]
    beside = total("lost", ["from", 1, ["add", top, 1]], ["mul", ["at", others, "lost"], ["pow", share, n]])
    rows = ["mul", ["at", own, "held"], ["add", ["at", others, 0], beside]]
    return ["add", total("held", ["from", 1, ["add", top, 2]], rows), _both_empty(own, others, n)]


def all_rows_at_most(own: Tree, others: Tree, n: Tree, top: Tree) -> Tree:
    """A bound from above of the same chance."""
    begins = ["sub", "lost", ["number", less(0, "lost")]]
    share = ["div", "held", ["add", "held", begins]]
    beside = total("lost", ["from", 0, ["add", top, 2]], ["mul", ["at", others, "lost"], ["pow", share, n]])
    inside = total("held", ["from", 1, ["add", top, 1]], ["mul", ["at", own, "held"], beside])
    return added(inside, ["at", own, ["add", top, 1]], _both_empty(own, others, n))


def rows_of(counts: tuple[Tree, Tree], alpha: Tree, drawn: Tree) -> Tree:
    """The chance that rows of a binary attribute, as many as there are records, have the drawn values, in this order:
    noisy counts of 0 and 1 with geometric noise, normalized, uniform where both are 0."""
    n = ["size", drawn]
    both = ["add", "zeros", "ones"]
    none = ["number", ["eq", both, 0]]
    ones = ["div", ["add", "ones", ["div", none, 2]], ["add", both, none]]
    number = ["count", drawn, 1]
    chances = ["mul", ["pow", ones, number], ["pow", ["sub", 1, ones], ["sub", n, number]]]
    laws = (geometric("zeros", counts[0], n, alpha), geometric("ones", counts[1], n, alpha))
    noisy: Tree = ["from", 0, ["add", n, 1]]
    return total("zeros", noisy, ["mul", laws[0], total("ones", noisy, ["mul", laws[1], chances])])
