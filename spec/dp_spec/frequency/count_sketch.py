"""The LDP count-mean sketch, as source 004 states it. K stands for |D|, b for the m columns."""

from dp_spec.vocabulary.law import Estimator, Law, bits, mix
from dp_spec.vocabulary.term import Term, term, var

S, C, COLUMNS = var("s"), var("c"), var("b")
"""s = e^(epsilon/2); the server's constant; the range of the hash functions."""


def flipped(s: Term) -> Term:
    """A_client-CMS, step 4: the probability that a sign changes."""
    return 1 / (s + 1)


CMS = Law("cms", "s", term(2), mix("rows", COLUMNS, bits(1 - flipped(S), flipped(S))), integers={"b": 1})
"""A report: the row, any published function of any family, and the signs of its columns (a bit is 1 for the sign +)."""

ENCODED = Law("rappor-sample", "h", term(2), bits(1 - flipped(var("h")), flipped(var("h"))))
"""What is reported given the row: basic RAPPOR of the label, on the columns as items."""


def server_constant(s: Term) -> Term:
    """A_server-CMS, step 2."""
    return (s + 1) / (s - 1)


def decoded(c: Term) -> Estimator:
    """A_server-CMS, step 3 without k: c/2 u + 1/2 for the sign u = 2 F - 1, as a function of the bit F."""
    return Estimator(1 / c, (c - 1) / (2 * c))
