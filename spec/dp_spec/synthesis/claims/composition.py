"""Formal statements of source 003: what Theorem 1, its networks, and Jtree lose in all, as conjunctions of what is
proved of the stages and of how losses add up.

A stage after others, given what these released, is within its factor; so all of them together are within the product,
whose logarithm is a sum of shares of epsilon. Only what is said of tables, by how much a score or an entry of the
matrix moves, is shown at listed sizes.
"""

from dp_spec.synthesis.budgets import (
    EPS,
    JOINTS,
    NETWORKS,
    SEGMENTATION,
    WHOLE,
    D,
    K,
    N,
    composed,
    privbayes_scale,
    share,
)
from dp_spec.synthesis.claims.baselines import CLIQUES
from dp_spec.synthesis.claims.budgets import SENSITIVITY, C, H
from dp_spec.synthesis.claims.definitions import ADAPTIVE, EXPONENTIAL, IMAGES, X, Y
from dp_spec.synthesis.claims.noise import FIXED, MATRIX, RATIOS
from dp_spec.synthesis.claims.selections import (
    INFORMATION_AR,
    NETWORKS_AR,
    NETWORKS_RO,
    WITH_PARENTS,
    moves_by_one,
    selections,
)
from dp_spec.synthesis.claims.sensitivities import PAIR_MOVES
from dp_spec.synthesis.claims.tables import DELTA
from dp_spec.synthesis.claims.tables import cells as sensitivity_of_cells
from dp_spec.synthesis.claims.thresholds import GRAPH
from dp_spec.synthesis.scores import f_score, half, r_score
from dp_spec.synthesis.tables import ONE
from dp_spec.vocabulary.arithmetic import BOTH, Arithmetic, Tree
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula, formula
from dp_spec.vocabulary.ranges import ANY_SIZE, POSITIVE, SEVERAL, SOME
from dp_spec.vocabulary.statement import Domain, conjunction
from dp_spec.vocabulary.term import Term, term, var

# --- Theorem 1


def _added(attributes: Term, joints: bool) -> Formula:
    """Of d = 2 h or 2 h + 1 attributes, epsilon divided as in Section 4.1: the losses of all entries of the matrix, of
    the c selections of each of k clusters, and of the joint tables with the weights x and y in each."""
    entries = attributes * (attributes - 1) / 2
    own = {"d": attributes}
    first, second, third = (share(part).substitute(own) for part in (SEGMENTATION, NETWORKS, JOINTS))
    spent = entries * (first / (entries / H)) + K * (C * (second / C))
    certified = H * first + K * second
    if joints:
        spent += K * (X / (X + Y) * third + Y / (X + Y) * third)
        certified = (composed(H) / WHOLE * EPS).substitute(own)
    names = {"h": SOME, "k": SOME, "c": SOME, "n": SOME, "x": POSITIVE, "y": ANY_SIZE, "eps": POSITIVE}
    return formula(names, ("eq", spent, certified))


def _sums(joints: bool) -> tuple[Formula, Formula]:
    return _added(2 * H, joints), _added(2 * H + 1, joints)


_GEOMETRIC = (
    RATIOS,
    formula(
        {"h": SOME, "x": POSITIVE, "y": ANY_SIZE, "eps": POSITIVE},
        ("eq", DELTA * (X / (X + Y) * EPS / 2), X / (X + Y) * EPS),
        quantities={"delta": sensitivity_of_cells()},
    ),
)
"""A count that moves by 1 changes chances by 1 / alpha = e^(omega epsilon_3 / 2) at most; those of a joint table move
by 2 in all."""

# --- Jtree: epsilon_1 = eps, epsilon_2 = rest

_REST, _CLIQUES = var("rest"), var("q")
_PAIRS = D * (D - 1) / 2
_JTREE = formula(
    {"d": SEVERAL, "q": SOME, "x": ANY_SIZE, "delta": POSITIVE, "eps": POSITIVE, "rest": POSITIVE},
    (
        "le",
        _PAIRS * (X / (2 * SENSITIVITY / EPS)) + _CLIQUES * (_REST / _CLIQUES),
        _PAIRS / 2 * EPS + _REST,
    ),
    where=(SENSITIVITY - X,),
)

# --- PrivBayes, where a record is added or removed

_JOINTS = privbayes_scale(EPS, var("j"))
"""The scale of the noise on j = d - k joint tables of a table of n records."""
_WITH_SCORE = Domain({"n": SEVERAL, "w": SEVERAL})


def _f(data: Tree) -> Tree:
    """n F, whose sensitivity is 1."""
    return f_score(data, "w", half(["size", data]))


def _r(data: Tree) -> Tree:
    """2 n^2 R."""
    return r_score(data, BOTH, ["from", 0, "w"])


def _r_moves(data: Tree) -> Tree:
    """2 n^2 (3 / n + 2 / n^2)."""
    return ["add", ["mul", 6, ["size", data]], 4]


FORMAL: dict[str, Formal] = {
    "003.thm1.dp@transcript.data.ro.corrected": conjunction(*MATRIX.parts, *NETWORKS_RO, *_sums(joints=False)),
    "003.thm1.dp@transcript.fixed.ro.corrected": conjunction(
        *MATRIX.parts, *NETWORKS_RO, *FIXED, IMAGES, *_sums(joints=True)
    ),
    "003.thm1.dp@synth.geometric.ro.corrected": conjunction(
        *MATRIX.parts, *NETWORKS_RO, *_GEOMETRIC, IMAGES, *_sums(joints=True)
    ),
    "003.thm1.dp@transcript.ar.corrected": conjunction(*NETWORKS_AR),
    "003.base.jtree.dp@ro.corrected": conjunction(PAIR_MOVES, *GRAPH.parts, CLIQUES, ADAPTIVE, _JTREE),
    "003.base.privbayes.network.ar": conjunction(
        INFORMATION_AR,
        Arithmetic(_WITH_SCORE, moves_by_one(WITH_PARENTS, _f(ONE), _f("rest"), 1, 1)),
        Arithmetic(_WITH_SCORE, moves_by_one(WITH_PARENTS, _r(ONE), _r("rest"), _r_moves(ONE), _r_moves("rest"))),
        EXPONENTIAL,
        ADAPTIVE,
        selections(term(1), D - 1),
    ),
    "003.base.privbayes.joints.ar": formula(
        {"n": SOME, "j": SOME, "eps": POSITIVE},
        ("lt", _JOINTS.substitute({"n": N + 1}), _JOINTS),
    ),
}
