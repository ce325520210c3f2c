"""Basic RAPPOR and its versions for sets, as source 002, section 2.3.2 states them. K stands for d."""

from dp_spec.vocabulary.law import Estimator, Law, M, bits, drawn, each
from dp_spec.vocabulary.term import Term, term, var

T, H = var("t"), var("h")


def stays(x: Term) -> Term:
    """(6): probability that a 1 stays 1, with x for e^(epsilon/2m) (or e^(epsilon/2))."""
    return x / (x + 1)


def appears(x: Term) -> Term:
    """(7): probability that a 0 becomes 1."""
    return 1 / (x + 1)


RAPPOR_SET = Law("rappor-set", "t", 2 * M, bits(stays(T), appears(T)))
"""The m-hot vector with e^(epsilon/2m)."""

RAPPOR_SAMPLE = Law("rappor-sample", "h", term(2), drawn(bits(stays(H), appears(H))))
"""One drawn item with e^(epsilon/2); with m = 1 it is RAPPOR on one item."""

RAPPOR_SPLIT = Law("rappor-split", "t", 2 * M, each("held", bits(stays(T), appears(T))))
"""One-item RAPPOR run on each item with epsilon/m: m vectors."""

SET_ESTIMATOR = Estimator(stays(T) - appears(T), appears(T))
SAMPLE_ESTIMATOR = Estimator((stays(H) - appears(H)) / M, appears(H))
SPLIT_ESTIMATOR = Estimator(stays(T) - appears(T), M * appears(T))
