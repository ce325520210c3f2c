"""Formal statements of source 003, Sections 3.2 to 3.4: by how much entropies and mutual informations move.

Both sides are times n; the base of the logarithm is the same on both.
"""

from dp_spec.synthesis.tables import ONE, OTHER, entropy, information, neighbors, pair, sensitivity, tables, values
from dp_spec.vocabulary.arithmetic import BOTH, Arithmetic, Tree, both, listed
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.statement import Domain, Range

SOME, SEVERAL, MANY = (Range(least, integer=True) for least in (1, 2, 3))
N, V, W = "n", values("v"), values("w")


def _moves(measure: tuple[Tree, Tree], domain: Tree) -> Tree:
    """Neither direction is told apart: `one` and `other` are any two records."""
    return neighbors(["le", ["sub", *measure], sensitivity(N)], domain, N)


def _attained(measure: tuple[Tree, Tree], domain: Tree) -> Tree:
    """Some neighbors reach it."""
    reached = ["eq", ["sub", *measure], sensitivity(N)]
    return ["some", "rest", tables(domain, ["sub", N, 1]), ["some", "one", domain, ["some", "other", domain, reached]]]


_ENTROPIES = (entropy(ONE, V), entropy(OTHER, V))


def _informations_move(one: Tree, other: Tree) -> Tree:
    """The first attribute has these values, the other one (or a parent set) those."""
    domain = ["union", "x", one, listed("y", other, pair("x", "y"))]
    return _moves((information(ONE, 0, 1, one, other), information(OTHER, 0, 1, one, other)), domain)


FORMAL: dict[str, Formal] = {
    "003.eq8.delta-h@ro": Arithmetic(Domain({"n": SOME, "v": SEVERAL}), _moves(_ENTROPIES, V)),
    "003.sec32.delta-i@pair.ro": Arithmetic(Domain({"n": SOME}), _informations_move(BOTH, BOTH)),
    "003.sec32.delta-i@parents.ro": Arithmetic(Domain({"n": SOME, "w": SEVERAL}), _informations_move(BOTH, W)),
    "003.sec32.delta-i@general.ro": Arithmetic(Domain({"n": SOME, "v": MANY, "w": MANY}), _informations_move(V, W)),
    "003.eq8.tight": Arithmetic(
        Domain({"n": SOME, "v": SEVERAL}), both(_moves(_ENTROPIES, V), _attained(_ENTROPIES, V))
    ),
}
