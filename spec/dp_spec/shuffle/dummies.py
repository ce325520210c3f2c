"""How many dummies the bounds of source 000 and of its reference [16] ask for, and the errors that this leaves.

(7) is epsilon^2 = 14 h ln(4/delta) / (|M| + gamma (n - 1) - root - 1) with root^2 = 2 gamma (n - 1) ln(2/delta), and
mixDUMP's bound is the same with k items in the place of h labels; solved for |M| it is a sum.
"""

from fractions import Fraction

from dp_spec.frequency import local_hashing
from dp_spec.shuffle import messages
from dp_spec.vocabulary.term import Term, exp, log, term

LOG2, LOG4 = log(term(2_000_000)), log(term(4_000_000))
"""ln(2/delta) and ln(4/delta) of the experiments, delta = 10^-6."""


def gamma(labels: Term, w: Term) -> Term:
    """h q: the chance of a uniform label in the decomposition of randomized response."""
    return labels / (w + labels - 1)


def needed(labels: Term | int, eps: Term, log4: Term, root: Term, blanket: Term) -> Term:
    """|M|, where it is positive; `blanket` is gamma (n - 1), `root` the square root of 2 gamma (n - 1) ln(2/delta)."""
    return 14 * labels * log4 / eps**2 + 1 + root - blanket


def square_root(x: Term) -> Term:
    """Of a number > 0."""
    return exp(log(x) / 2)


def positive_part(x: Term) -> Term:
    """max(0, x) of a number that is not 0: half of x + |x|."""
    return (x + square_root(x * x)) / 2


def number(x: Fraction | int) -> Term:
    """A rational number as a term."""
    return term(x.numerator) / x.denominator


def asked(labels: int, users: int, eps_l: int, eps: Fraction) -> Term:
    """`needed` in the experiments, per user; of any sign."""
    blanket = gamma(term(labels), exp(term(eps_l))) * (users - 1)
    return needed(labels, number(eps), LOG4, square_root(2 * blanket * LOG2), blanket) / users


def published(eps: Fraction, users: int) -> Term:
    """M_c of MURS."""
    return number(eps) ** 2 * (users - 1) / (14 * LOG2)


def hashed_error(labels: int, users: int, eps_l: int, eps: Fraction, f: Fraction) -> Term:
    """The variance of OD-HP for an item of frequency f, a real number of dummies."""
    values = {"w": exp(term(eps_l)), "b": term(labels), "n": term(users), "f": number(f)}
    return messages.VARIANCE_OLH.substitute({**values, "c": positive_part(asked(labels, users, eps_l, eps))})


def mixed_error(items: int, users: int, eps_l: int, eps: Fraction, f: Fraction) -> Term:
    """The same of mixDUMP."""
    values = {"w": exp(term(eps_l)), "K": term(items), "n": term(users), "f": number(f)}
    return messages.VARIANCE_GRR.substitute({**values, "c": positive_part(asked(items, users, eps_l, eps))})


def murs_error(users: int, eps: Fraction, f: Fraction) -> Term:
    """The same of MURS, with the best real number of labels."""
    m = published(eps, users)
    labels = (m + 2) / 3
    at = {"w": m - labels + 1, "b": labels, "n": term(users), "f": number(f)}
    return local_hashing.VARIANCE.substitute(at)
