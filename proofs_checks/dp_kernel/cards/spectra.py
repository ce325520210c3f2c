"""Card *spectra*. The inverse of A^T A for queries on a tree, entry by entry; forms of ranges, summed over all of them.

**Premises.** A has a row for every node of some heights of a complete b-ary tree over its N = b^h leaves: a weight
times the sum of the leaves under it, or (b = 2) times the sum of the left ones minus that of the right ones. Sums are
of all heights from 0 or 1 up to h - 1 or h, or of the root alone; differences of all heights from 1 to h.

**Proof.** `docs/cards/spectra.txt`, SHA-256 2595e0f5a42d29e78d745d19dee1e8375071f16a0c4e314c1fb88cb0603890c6.

**Source.** Source 001, Section 4 (Boost); consistency as least squares: Hay, Rastogi, Miklau, Suciu 2010. **Refuter.**
`tests/kernel/test_noise.py` inverts the matrices of small trees.
"""

from typing import Any

from dp_kernel.formulas.terms import put
from dp_kernel.meter import applied, require


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
