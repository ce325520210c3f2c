"""Exact errors of frequency oracles on one item per user, side by side: (e^epsilon - 1)^2 n times the variance.

All are polynomials in t = e^(epsilon/2) (w = t^2) with rational coefficients, so that which of two is smaller is a
matter of the roots of their difference. f is the frequency of the estimated item. As every error is affine in f, and
the frequencies of d items add up to 1, its average over all items is, for all data, its value at f = 1/d.

For local hashing and the sketches any two items share a label with chance 1/b (of the functions that are drawn, or for
a sketch of those that are listed); D = d items, subsets of k.
"""

from collections.abc import Mapping

from dp_spec.vocabulary.law import F
from dp_spec.vocabulary.term import Term, term, var

W, T, D, B, K = var("w"), var("t"), var("D"), var("b"), var("k")
GAP = (W - 1) ** 2
"""What the variance is multiplied with, beside n."""

GRR = (W + D - 2) + F * (D - 2) * (W - 1)
RAPPOR = T * (T + 1) ** 2
"""Symmetric unary encoding."""
OUE = 4 * W + F * GAP
LOCAL_HASHING = ((W + B - 1) ** 2 + F * (W - 1) * ((B - 1) ** 2 - W)) / (B - 1)
"""b labels; BLH is b = 2, and has the error of Hadamard response."""
SUBSET_SELECTION = (F * W * (D - 1) ** 2 + (1 - F) * (W * (K - 1) + D - K) * (W * K + D - K - 1)) / (K * (D - K))
HADAMARD_RESPONSE = (W + 1) ** 2 - F * GAP
CMS = (B**2 * T * (T + 1) ** 2 + (1 - F) * (B - 1) * GAP) / (B - 1) ** 2
"""The count-mean sketch, b columns."""
HCMS = (B**2 * ((W + 1) ** 2 - F * GAP) - (1 - F) * GAP) / (B - 1) ** 2
"""The Hadamard count-mean sketch, b columns."""

ERRORS: Mapping[str, Term] = {
    "GRR": GRR,
    "SubsetSelection": SUBSET_SELECTION,
    "RAPPOR": RAPPOR,
    "OUE": OUE,
    "BLH": HADAMARD_RESPONSE,
    "OLH": LOCAL_HASHING,
    "HadamardResponse": HADAMARD_RESPONSE,
    "ClientCMS": CMS,
    "HCMS": HCMS,
}
"""By mechanism. Another one takes a line here, and its reports among the candidates of the comparison, if its error is
a polynomial in t; that of summation, 8 (w - 1)^2 / epsilon^2, is none."""

DIFFERENCES: Mapping[tuple[str, str], Term] = {
    ("OUE", "GRR"): (3 * W + 2 - D) + F * (W - 1) * (W + 1 - D),
    ("RAPPOR", "GRR"): (T**3 + T**2 + T + 2 - D) - F * (D - 2) * (W - 1),
    ("RAPPOR", "OUE"): (T - 1) ** 2 * (T - F * (T + 1) ** 2),
    ("OLH", "OUE"): (W + 1 - B) * ((W + 1 - B) - F * (W - 1) * B) / (B - 1),
    ("SubsetSelection", "OUE"): (
        ((W + 1) * K - D) ** 2 - (W + 1) * ((W - 1) * K + D) + W + F * (D - 1) * (W - 1) * (D - (W + 1) * K)
    )
    / (K * (D - K)),
    ("HadamardResponse", "OUE"): GAP * (1 - 2 * F),
    ("BLH", "HadamardResponse"): term(0),
    ("ClientCMS", "RAPPOR"): ((2 * B - 1) * T * (T + 1) ** 2 + (1 - F) * (B - 1) * GAP) / (B - 1) ** 2,
    ("HCMS", "HadamardResponse"): ((2 * B - 1) * ((W + 1) ** 2 - F * GAP) - (1 - F) * GAP) / (B - 1) ** 2,
    ("HCMS", "ClientCMS"): (T - 1) ** 2 * B * (B * (T**2 + T + 1) - (F * (B - 1) + 1) * (T + 1) ** 2) / (B - 1) ** 2,
}
"""The error of the first less that of the second.

At f = 0: GRR is better than OUE exactly for d < 3 e^epsilon + 2, and better than RAPPOR for d < t^3 + t^2 + t + 2; OUE
is always better than RAPPOR, and at least as good as local hashing, equal where e^epsilon + 1 is the number of labels.
For all f: sketches are worse than what they sketch; for f <= 1/2 and b >= 2 the Hadamard sketch is worse than the plain
one with as many columns."""

LABELS_STEP = ((1 + F * (W - 1)) * B * (B - 1) - W * (W - F * (W - 1))) / (B * (B - 1))
"""OLH with b + 1 labels less b: negative, then positive as b grows, so that the best b is the first without a fall."""
SUBSET_STEP = (
    (D - 1)
    * ((1 - F) * (W**2 - 1) * K * (K + 1) - (F * W * (D - 1) + (1 - F) * (D - W)) * (D - 2 * K - 1))
    / (K * (K + 1) * (D - K) * (D - K - 1))
)
"""Subset selection with k + 1 items less k, k <= d - 2: negative, then positive as k grows."""
LABELS_TIE = (1 + F * (W - 1)) * (B - 1) * (var("c") - 1) - W * (W - F * (W - 1))
"""Positive where b labels are better than c > b, negative where c labels are."""
