"""Histogram encoding, as Wang, Blocki, Li, Jha (2017) state it: Laplace noise of scale 2 / epsilon on one-hot vectors.

SHE reports the noisy entries, THE whether each is above theta. An entry without noise v has the density
(epsilon / 4) e^(-epsilon |y - v| / 2).
"""

from dp_spec.vocabulary.additive import Additive, Row
from dp_spec.vocabulary.law import USERS, F, Law, bits
from dp_spec.vocabulary.term import term, var

EPS, STEPS, R = var("eps"), var("s"), var("r")
"""epsilon; the cells per unit that entries are rounded to, and e^(-epsilon / (2 s))."""

SHE_VARIANCE = 8 / (EPS**2 * USERS)
"""The estimate is the mean of the noisy entries."""
CELLS_VARIANCE = (2 * R / (1 - R) ** 2 + term(1) / 4) / (STEPS**2 * USERS)
"""The same where entries are rounded to the midpoints of cells of width 1/s (not in the paper)."""

SHE = Additive("histogram-she", (Row("sums", term(0), term(0), term(1), 2 / EPS),), (term(1),), branching=var("d"))
"""The entries of a one-hot vector, d counts of which one is 1: the leaves of a tree of height 1. To exchange the item
is to `replace`. Cells and their midpoints are functions of the entries."""

H, A = var("h"), var("a")
"""e^(epsilon/2), and e^(epsilon (theta - 1) / 2), between 1/h and 1 for theta between 0 and 1."""
P, Q = 1 - A / 2, 1 / (2 * A * H)
"""1 - e^(epsilon (theta - 1) / 2) / 2 and e^(-epsilon theta / 2) / 2: the own entry is above theta, another one is."""
SHARE = var("z")
AT_SHARE = {"a": (1 + (H - 1) * SHARE) / H}
"""The a of the share z of the way from 1 to e^(epsilon/2) that e^(epsilon theta / 2) has gone.

For every epsilon > 0 it grows with theta, from 0 at theta = 0 to 1 at theta = 1: every z strictly between is that of
one such theta, those of the paper (theta > 1/2) are the z > 1 / (e^(epsilon/4) + 1).
"""
THE = Law("histogram-the", "h", term(2), bits(P.substitute(AT_SHARE), Q.substitute(AT_SHARE)), ("z",))
"""One bit per item, for 0 < theta < 1; stated for one item per user (m = 1)."""
ATTAINED = P * (1 - Q) / (Q * (1 - P))
"""The largest ratio of the chances of a report; less than e^epsilon."""

VARIANCE = (F * P * (1 - P) + (1 - F) * Q * (1 - Q)) / (USERS * (P - Q) ** 2)
"""Of the estimated frequency, exact."""
_U = A * H
PRINTED = (2 * _U - 1) / (USERS * (1 + A * _U - 2 * _U) ** 2)
"""As the paper prints it, that of an item nobody holds: a^2 h is e^(epsilon (theta - 1/2))."""
