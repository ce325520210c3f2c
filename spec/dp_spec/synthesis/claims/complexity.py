"""Formal statements of source 003, abstract, Sections 1 and 4: numbers of candidate pairs, and scales of noise.

f(c, l) is the number of pairs that are scored for a network of c attributes, in-degree at most l, without a filter.
"""

from dp_spec.synthesis.budgets import EPS, JOINTS, D, composed, joint_scale, privbayes_scale, share
from dp_spec.synthesis.claims.budgets import C, H, L, noised
from dp_spec.synthesis.networks import candidate_count
from dp_spec.vocabulary.arithmetic import Arithmetic, Tree, added, both, every, less, listed, only, those, total
from dp_spec.vocabulary.claim import Formal, Unchecked
from dp_spec.vocabulary.error_statements import Formula, formula
from dp_spec.vocabulary.ranges import MANY, NATURAL, POSITIVE, SEVERAL, SOME
from dp_spec.vocabulary.statement import Domain, conjunction
from dp_spec.vocabulary.term import Term, term, var

TIMES = "running times of programs on a machine: measured, not stated; the curves of Figure 6 are lost"
ATTRIBUTES: Tree = ["add", ["mul", 3, "q"], "r"]
"""d = 3 q + r, r = 0, 1, 2: three clusters, as equal as possible, have q or q + 1 attributes."""
THIRDS = Domain({"q": SOME, "r": NATURAL, "l": SOME}, (2 - var("r"),))
_DEGREE_BELOW = 3 * var("q") + var("r") - L


def _thirds(rest: Tree) -> Tree:
    return listed("cluster", ["from", 0, 3], ["add", "q", ["number", less("cluster", rest)]])


def _scored(sizes: Tree, degree: Tree = "l") -> Tree:
    """The sum of f over the sizes of clusters."""
    return total("part", sizes, candidate_count("part", degree))


def _sizes(attributes: Tree, clusters: Tree) -> Tree:
    """The sizes of so many clusters, none empty, of so many attributes; the order of clusters is left out."""
    lists = ["multisets", ["from", 1, attributes], clusters]
    return those("sizes", lists, ["eq", total("part", "sizes", "part"), attributes])


def _efficient(sizes: Tree, attributes: Tree) -> Tree:
    """f of the clusters, and a value of MIC for every pair, are less than f(d, l)."""
    work = added(_scored(sizes), ["binom", attributes, 2])
    return less(work, candidate_count(attributes, "l"))


def _efficient_thirds(apart: int) -> Arithmetic:
    """With d - l at least so much."""
    return Arithmetic(
        Domain(THIRDS.variables, (*THIRDS.constraints, _DEGREE_BELOW - apart)), _efficient(_thirds("r"), ATTRIBUTES)
    )


def _efficient_all(apart: int) -> Arithmetic:
    return Arithmetic(
        Domain({"d": MANY, "l": SOME}, (D - L - apart,)),
        every(_efficient("sizes", "d"), sizes=_sizes("d", 3)),
    )


_PUBLISHED = joint_scale(share(JOINTS), term(1), noised(C) - 1).substitute({"k": 3})
"""(12), all OE equal, with the share epsilon_3 of epsilon and three clusters, in a cluster of c attributes."""
_BASELINE = privbayes_scale(EPS * 7 / 10, D - L)
"""PrivBayes of degree l with 1 - beta = 7/10 of epsilon."""
_SIZES = {"n": SOME, "d": MANY, "c": SOME, "l": SOME, "eps": POSITIVE}
_INSIDE = (D - C - 2, D - L - 1)
"""A cluster beside two others; l < d."""


def _noise(joints: Term, *constraints: Term) -> Formula:
    scale = joint_scale(share(JOINTS), term(1), joints - 1).substitute({"k": 3})
    return formula(_SIZES, ("lt", scale, _BASELINE), where=(*_INSIDE, *constraints))


def _certified(attributes: Term, joints: Term) -> tuple[Term, Term]:
    """The scales of both methods with the same epsilon, where HMPrivBayes has the budgets M12 times a factor for which
    [d / 2] epsilon_1 + 3 epsilon_2 + 3 epsilon_3 is epsilon."""
    scale = joint_scale(JOINTS / composed(H) * EPS, term(1), joints - 1)
    return scale.substitute({"k": 3, "d": attributes}), _BASELINE.substitute({"d": attributes})


def _less(attributes: Term) -> Formula:
    """In every cluster beside two others, with every degree l < d."""
    names = {"n": SOME, "h": SEVERAL, "c": SOME, "l": SOME, "eps": POSITIVE}
    inside = (attributes - C - 2, attributes - L - 1)
    return formula(names, ("lt", *_certified(attributes, noised(C))), where=inside)


def _more(attributes: Term, joints: Term, *constraints: Term) -> Formula:
    """Of degree 3 and with so many noised joint tables in a cluster."""
    ours, theirs = (scale.substitute({"l": 3}) for scale in _certified(attributes, joints))
    names = {"n": SOME, "h": SEVERAL, "x": NATURAL, "eps": POSITIVE}
    return formula(names, ("lt", theirs, ours), where=constraints)


_EVEN, _ODD = 2 * H, 2 * H + 1
_MORE_THAN_FOUR = var("x") + 2
"""c - 3 joint tables are noised where c = x + 5."""


def _grows(sizes: Tree, more: Tree, attributes: Tree) -> Tree:
    """f(d, l) less that of the clusters is positive, and grows with another attribute."""
    gap = ["sub", candidate_count(attributes, "l"), _scored(sizes)]
    next_gap = ["sub", candidate_count(["add", attributes, 1], "l"), _scored(more)]
    return both(less(0, gap), less(gap, next_gap))


_LIKE_THE_DATA: Tree = ["joined", only(17), only(58)]
"""q of d = 52 and d = 175, which are 3 q + 1."""
_HALF_MORE = less(["mul", 3, _scored("sizes", "degree")], ["mul", 2, _scored("sizes", ["add", "degree", 1])])
_CLUSTERS = listed("cluster", ["from", 0, 3], ["add", "q", ["number", less("cluster", 1)]])

FORMAL: dict[str, Formal] = {
    "003.prose.space": Arithmetic(
        Domain({"d": SOME, "k": SOME, "l": SOME}, (D - var("k"),)),
        every(
            ["le", _scored("sizes"), candidate_count("d", "l")],
            sizes=those(
                "sizes",
                ["multisets", ["from", 1, ["add", "d", 1]], "k"],
                ["eq", total("part", "sizes", "part"), "d"],
            ),
        ),
    ),
    "003.abs.efficiency@count": _efficient_thirds(1),
    "003.abs.efficiency@count.corrected": _efficient_thirds(3),
    "003.abs.efficiency@anyclusters": _efficient_all(1),
    "003.abs.efficiency@anyclusters.corrected": _efficient_all(3),
    "003.abs.efficiency@wallclock": Unchecked(TIMES),
    "003.abs.noise@nominal": formula(_SIZES, ("lt", _PUBLISHED, _BASELINE), where=_INSIDE),
    # 3 c <= d + 2: several joint tables of a cluster are noised, or one is
    "003.abs.noise@nominal.corrected": conjunction(
        _noise(C - L, C - L - 1, D + 2 - 3 * C, D - L - 3),
        _noise(term(1), L - C, D - L - 3),
    ),
    "003.abs.noise@certified": conjunction(_less(_EVEN), _less(_ODD)),
    # the largest cluster has at least 5 attributes; or at most 4, where d <= 12
    "003.abs.noise@certified.corrected": conjunction(
        _more(_EVEN, _MORE_THAN_FOUR),
        _more(_ODD, _MORE_THAN_FOUR),
        _more(_EVEN, term(1), 6 - H),
        _more(_ODD, term(1), 5 - H),
    ),
    "003.fig6.l@count.default": Arithmetic(
        Domain({}), every(_HALF_MORE, q=_LIKE_THE_DATA, sizes=only(_CLUSTERS), degree=["from", 1, 5])
    ),
    "003.fig6.l@count.all": Arithmetic(
        Domain({"c": SOME, "l": SOME}, (C - L - 2,)),
        less(candidate_count("c", "l"), candidate_count("c", ["add", "l", 1])),
    ),
    "003.fig6.l@count.all.corrected": Arithmetic(
        Domain({"c": SOME, "l": SOME}, (C - 2 * L - 4,)),
        less(candidate_count("c", "l"), candidate_count("c", ["add", "l", 1])),
    ),
    "003.fig6.l@wallclock": Unchecked(TIMES),
    "003.fig6.d@count": Arithmetic(THIRDS, less(_scored(_thirds("r")), _scored(_thirds(["add", "r", 1])))),
    "003.fig6.d@wallclock": Unchecked(TIMES),
    "003.fig6.gap@count": Arithmetic(THIRDS, _grows(_thirds("r"), _thirds(["add", "r", 1]), ATTRIBUTES)),
    "003.fig6.gap@wallclock": Unchecked(TIMES),
}
