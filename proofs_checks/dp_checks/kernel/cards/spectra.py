"""Card *spectra*. The inverse of A^T A for queries on a tree, entry by entry; forms of ranges, summed over all of them.

**Premises.** A has a row for every node of some heights of a complete b-ary tree over its N = b^h leaves: a weight
times the sum of the leaves under it, or (b = 2) times the sum of the left ones minus that of the right ones. Sums are
of all heights from 0 or 1 up to h - 1 or h, or of the root alone; differences of all heights from 1 to h.

**Proof.** Let J_s have entry 1 where two leaves are under one node of height s. J_s J_t = b^min(s,t) J_max(s,t): all
J_s are simultaneously diagonal. Let V_t, t = 1..h, be the vectors that are constant under every node of height t - 1
and sum to 0 under every node of height t, V the constant ones; together they are everything. J_s is b^s on V, and on
V_t if s < t, else 0. The squares of the rows of one height add up to w^2 J_s (sums) or w^2 (2 J_(s-1) - J_s)
(differences), which is w^2 2^s on V_s and 0 elsewhere. So A^T A is a number on each of these spaces: on V_t the sum of
w^2 b^s over the sums of height s < t, and w^2 2^t for a difference; on V that of all sums. The inverse has the
reciprocals (the certificate shows them defined). The projection to V is J_h / b^h, that to V_t is J_(t-1) / b^(t-1) -
J_t / b^t: with entry 1/b^(t-1) - 1/b^t for leaves whose lowest common ancestor is below height t (or that are one),
-1/b^t for t, and 0 above. Least squares: u minimizes |A u - y| iff A^T A u = A^T y, so that u = (A^T A)^-1 A^T y = B y,
and B B^T = (A^T A)^-1. Ranges: counts i <= j, of 1..N, are both in i (N + 1 - j) ranges. With B = b^s the sum of
I^T J_s I over all indicators I of ranges is that of min(i, j) (N + 1 - max(i, j)) over the pairs under one node of
height s, i = x B + u, j = x B + v, x = 0..N/B - 1, u, v = 1..B: by Faulhaber's sums it is `in_ranges`.

**Source.** Source 001, Section 4 (Boost); consistency as least squares: Hay, Rastogi, Miklau, Suciu 2010. **Refuter.**
`tests/checks/kernel/test_noise.py` inverts the matrices of small trees.
"""

from typing import Any

from dp_checks.kernel.terms import put
from dp_checks.kernel.work import applied, require


def in_ranges(b: Any, height: Any) -> Any:
    """The sum of I^T J_s I over all ranges, s = height."""
    applied("spectra")
    n, block = ["pow", b, "h"], ["pow", b, height]
    quadratic = ["add", ["add", ["mul", 2, ["pow", n, 2]], ["mul", 6, n]], 3]
    found: Any = ["mul", 2, ["add", n, 1]]
    for power, c in ((1, quadratic), (2, ["neg", found]), (3, 1)):
        found = ["add", found, ["mul", c, ["pow", block, power]]]
    return ["div", ["mul", n, found], 12]


def inverse(law: Any, which: str, at: Any) -> Any:
    """The entry of (A^T A)^-1 for a pair of counts, or on the diagonal; its form summed over all ranges."""
    applied("spectra")
    node, root, b = *_spectrum(law, at), law["branching"]
    if which == "ranges":
        below, here = (["div", in_ranges(b, s), ["pow", b, s]] for s in (["sub", "s", 1], "s"))
        own = ["div", ["div", in_ranges(b, "h"), ["pow", b, "h"]], root]
        return ["add", own, ["sum", "s", 1, "h", ["div", ["sub", below, here], node]]]
    share = ["div", ["div", ["sub", b, 1], ["pow", b, "s"]], node]
    total = ["add", ["div", ["div", 1, ["pow", b, "h"]], root], ["sum", "s", 1, "h", share]]
    if which == "diagonal":
        return total
    # all heights, those below k too: an inverse that is none has no entries
    own = ["div", ["div", 1, ["pow", b, "k"]], put(node, {"s": "k"})]
    return ["sub", ["sub", total, ["sum", "s", 1, "k", share]], own]


def _spectrum(law: Any, at: Any) -> tuple[Any, Any]:
    """What A^T A is on V_s, and on the constant vectors."""
    node: Any = 0
    root: Any = 0
    for kind, first, last, weight, _ in law["rows"]:
        each = ["mul", ["mul", weight, weight], ["pow", law["branching"], "s"]]
        if kind == "sums":
            root = ["add", root, ["sum", "s", first, last, each]]
        if kind == "sums" and at.shows("h", first):
            continue
        require(at.shows(first, 1) and at.shows(["sub", "h", int(kind == "sums")], last), "a gap")
        of_row = each if kind == "differences" else ["sum", "q", first, ["sub", "s", 1], put(each, {"s": "q"})]
        node = ["add", node, of_row]
    return node, root
