"""Card *spectra*. The inverse of A^T A for queries on a tree, and what it is on constants and contrasts: least
variances of linear queries, and their order. Forms of ranges, summed over all of them.

**Premises.** A has a row for every node of some heights of a complete b-ary tree over its N = b^h leaves: a weight
times the sum of the leaves under it, or (b = 2) times the sum of the left ones minus that of the right ones. Sums are
of all heights from 0 or 1 up to h - 1 or h, of the leaves alone, or of the root alone; differences of all heights from
1 to h. For least variances: the noise of all answers has one variance, the unit, and is independent.

**Proof.** `docs/cards/spectra.txt`, SHA-256 363f71772dbf1b572d0cf7b094cb4db8b560acfe2e38b84321b14a5788aa23a7.

**Source.** Source 001, Section 4 (Boost); Hay, Rastogi, Miklau, Suciu 2010; the theorem of Gauss and Markov.
**Refuter.** `tests/kernel/test_noise.py` inverts the matrices of small trees, and compares with other estimates.
"""

from typing import Any

from dp_kernel.formulas.terms import put
from dp_kernel.meter import applied, require


def in_ranges(b: Any, height: Any) -> Any:
    """The sum of I^T J_s I over all ranges, s = height."""
    applied("spectra")
    n, block = ["pow", b, "h"], ["pow", b, height]
    quadratic = ["add", ["add", ["mul", 2, ["pow", n, 2]], ["mul", 6, n]], 3]
    total: Any = ["mul", 2, ["add", n, 1]]
    for power, c in ((1, quadratic), (2, ["neg", total]), (3, 1)):
        total = ["add", total, ["mul", c, ["pow", block, power]]]
    return ["div", ["mul", n, total], 12]


def inverse(blocks: Any, b: Any, at: Any) -> tuple[list[tuple[str, Any, Any, Any]], Any]:
    """The inverse of a matrix, by rows as the matrix is; and a 0 that is defined where there is one."""
    node, root = on_contrasts(blocks, b, at), on_constants(blocks, b, "q")
    each, whole = (["div", ["div", 1, ["pow", b, height]], x] for height, x in (("s", node), ("h", root)))
    defined = ["add", ["div", 0, root], ["sum", "s", 1, "h", ["div", 0, node]]]
    return [("sums", "h", "h", whole), ("differences", 1, "h", each)], defined


def on_constants(blocks: Any, b: Any, index: str) -> Any:
    """What a matrix is on the constant vectors, a sum over an index."""
    applied("spectra")
    total: Any = 0
    for kind, first, last, product in blocks:
        if kind == "sums":
            each = put(["mul", product, ["pow", b, "s"]], {"s": index})
            total = ["add", total, ["sum", index, first, last, each]]
    return total


def on_contrasts(blocks: Any, b: Any, at: Any) -> Any:
    """What it is on V_s."""
    applied("spectra")
    total: Any = 0
    for kind, first, last, product in blocks:
        each, leaves = ["mul", product, ["pow", b, "s"]], kind == "sums" and at.shows(last, 0)
        if kind == "sums" and at.shows("h", first):
            continue
        require(at.shows(first, 1) and (leaves or at.shows(["sub", "h", int(kind == "sums")], last)), "a gap")
        if kind == "sums":
            each = ["sum", "q", first, last if leaves else ["sub", "s", 1], put(each, {"s": "q"})]
        total = ["add", total, each]
    return total
