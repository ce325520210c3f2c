"""How source 003 and PrivBayes divide a budget, and the scales of noise that follow: terms in the numbers of records n,
attributes d, clusters k and joint tables."""

from dp_spec.vocabulary.term import Term, term, var

N, D, K, EPS = (var(name) for name in ("n", "d", "k", "eps"))
SEGMENTATION, NETWORKS = (D - 1) / N, 2 * D / (N * K)
JOINTS = NETWORKS
"""a1, a2 and a3 of Section 4.1."""
WHOLE = SEGMENTATION + NETWORKS + JOINTS


def share(part: Term) -> Term:
    """epsilon_j = a_j / a epsilon."""
    return part / WHOLE * EPS


def composed(half: Term) -> Term:
    """What composition certifies in the place of a1 + a2 + a3, `half` being floor(d / 2): one record moves so many
    coefficients of an access, and all k clusters."""
    return half * SEGMENTATION + K * NETWORKS + K * JOINTS


def joint_scale(eps: Term, of: Term, others: Term) -> Term:
    """(12): the scale of noise on the cells of a joint table of weight `of`, where the other joint tables of the
    cluster have the weights `others` in all."""
    return 2 / (N * eps) * ((of + others) / of)


def mean_probability(degree: Term) -> Term:
    """The mean probability of a cell, of so many binary parents and their child."""
    return 1 / term(2) ** (degree + 1)


def privbayes_scale(eps: Term, joints: Term) -> Term:
    """The scale of noise on so many joint tables of PrivBayes (d less the degree)."""
    return 2 * joints / (N * eps)
