"""Formal statements of source 003, Sections 3.2 to 4.1: how budgets are divided, and the scales of noise."""

from dp_spec.synthesis.budgets import (
    EPS,
    JOINTS,
    NETWORKS,
    SEGMENTATION,
    WHOLE,
    D,
    K,
    N,
    joint_scale,
    share,
)
from dp_spec.synthesis.claims.definitions import NORMALIZED, X, Y
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula, formula
from dp_spec.vocabulary.ranges import ANY_SIZE, POSITIVE, SEVERAL, SOME
from dp_spec.vocabulary.statement import Domain, conjunction
from dp_spec.vocabulary.term import Term, exp, minimum, term, var

H, C, L, M, T = (var(name) for name in ("h", "c", "l", "m", "t"))
SPLIT = Domain({"n": SOME, "d": SOME, "k": SOME, "eps": POSITIVE}, (D - K,))
SENSITIVITY = var("delta")


def _accesses(attributes: Term, pairs: Term) -> Formula:
    """With `pairs` pairs of attributes an access: the scale of the noise of d (d - 1) / (2 pairs) accesses."""
    every = attributes * (attributes - 1)
    return formula(
        {"h": SOME, "delta": POSITIVE, "eps": POSITIVE},
        ("eq", SENSITIVITY * every / (EPS * (2 * pairs)), SENSITIVITY / (EPS / (every / (2 * pairs)))),
    )


def noised(attributes: Term) -> Term:
    """|C| - l', l' = min(|C| - 1, l): how many joint tables of a cluster are noised."""
    return attributes - minimum(attributes - 1, L)


_CLUSTER = Domain({"c": SOME, "d": SEVERAL, "l": SOME}, (D - C - 1,))
"""A cluster that is not all attributes, in-degree l >= 1."""
_FEW, _MANY = L + 1 - C, C - L - 2
""">= 0 where one table of the cluster is noised; where several are, c - l of them."""

FORMAL: dict[str, Formal] = {
    # d even and odd, [d / 2] = h
    "003.alg3.scale": conjunction(_accesses(2 * H, H), _accesses(2 * H + 1, H)),
    "003.sec33.count": formula(
        {"c": SOME, "eps": POSITIVE}, ("eq", 1 + (C - 1), C), ("eq", (1 + (C - 1)) * (EPS / C), EPS)
    ),
    # weights x = exp(-OE) of a joint table, y of the others: Algorithm 5 and (12), which are alike, and Section 3.5
    "003.eq12.forms": formula(
        {"n": SOME, "eps": POSITIVE, "x": POSITIVE, "y": ANY_SIZE},
        ("eq", joint_scale(EPS, X, Y), 2 * (X + Y) / (N * EPS * X)),
    ),
    "003.eq12.shares": conjunction(
        NORMALIZED,
        formula({"x": POSITIVE, "y": ANY_SIZE, "eps": POSITIVE}, ("eq", X / (X + Y) * EPS + Y / (X + Y) * EPS, EPS)),
    ),
    # OE and OE + t of two joint tables, exp(-OE) = x, the others y
    "003.eq12.monotone": formula(
        {"n": SOME, "eps": POSITIVE, "x": POSITIVE, "y": ANY_SIZE, "t": POSITIVE},
        ("lt", X / exp(T) / (X + X / exp(T) + Y) * EPS, X / (X + X / exp(T) + Y) * EPS),
        ("lt", joint_scale(EPS, X, X / exp(T) + Y), joint_scale(EPS, X / exp(T), X + Y)),
    ),
    "003.prose.splits@per-cluster": formula(_CLUSTER, ("lt", C, D), ("lt", noised(C), noised(D))),
    "003.prose.splits@per-cluster.corrected": conjunction(
        formula(_CLUSTER, ("lt", C, D)),
        formula(_CLUSTER.variables, ("lt", term(1), D - L), where=(D - C - 1, _FEW, D - L - 2)),
        formula(_CLUSTER.variables, ("lt", C - L, D - L), where=(D - C - 1, _MANY)),
    ),
    "003.prose.splits@total": formula({"d": SOME}, ("le", D, D - 1)),
    "003.prose.splits@total.corrected": formula({"d": SOME}, ("eq", D, (D - 1) + 1)),
    "003.thm1.sum": formula(SPLIT, ("eq", share(SEGMENTATION) + share(NETWORKS) + share(JOINTS), EPS)),
    "003.sec41.split": formula(
        {**SPLIT.variables, "m": SOME},
        ("eq", share(SEGMENTATION) + share(NETWORKS) + share(JOINTS), EPS),
        ("eq", SEGMENTATION * (2 * D / K), NETWORKS * (D - 1)),
        ("eq", SEGMENTATION / WHOLE, (SEGMENTATION / WHOLE).substitute({"n": M})),
        ("eq", NETWORKS / WHOLE, (NETWORKS / WHOLE).substitute({"n": M})),
        where=SPLIT.constraints,
    ),
}
