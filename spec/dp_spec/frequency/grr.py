"""GRR and its versions for sets, as source 002, section 2.3.1 states them. K stands for d: every item is sensitive."""

from dp_spec.vocabulary.law import Estimator, K, Law, M, drawn, each, item
from dp_spec.vocabulary.term import Term, term, var

W, E0 = var("w"), var("e0")


def own(x: Term) -> Term:
    """(5), y = x, with x for e^epsilon (or its share)."""
    return x / (x + K - 1)


def other(x: Term) -> Term:
    """(5), y != x."""
    return 1 / (x + K - 1)


GRR_SAMPLE = Law("grr-sample", "w", term(1), drawn(item(own(W), other(W))))
"""One drawn item with the whole budget; with m = 1 it is GRR on one item."""

GRR_SPLIT = Law("grr-split", "e0", M, each("held", item(own(E0), other(E0))))
"""Every item with e^(epsilon/m)."""

SAMPLE_ESTIMATOR = Estimator((own(W) - other(W)) / M, other(W))
SPLIT_ESTIMATOR = Estimator(own(E0) - other(E0), M * other(E0))
