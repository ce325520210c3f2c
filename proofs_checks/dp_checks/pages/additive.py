"""Additive laws on a page: their queries, noise and restoration; their quantities in words; how sums were closed."""

from collections.abc import Mapping
from fractions import Fraction

from dp_checks import matrix_programs
from dp_checks.pages.exhibits import ADDITIVE
from dp_checks.pages.notation import fraction, inline, latex, table
from dp_spec.vocabulary.additive import Additive, Quantity, Row
from dp_spec.vocabulary.term import Term, var

HEIGHTS: Mapping[str, str] = {"h": "h"}
"""In a law h is the height of the tree, and no root of e^epsilon."""
NEIGHBORS: Mapping[str, str] = {
    "addremove": "neighbors that add or remove a record",
    "replace": "neighbors that replace a record",
}
BETWEEN: Mapping[str, str] = {"loss": "privacy loss", "sensitivity": "$L_1$ sensitivity of the queries"}
MATRICES: Mapping[str, str] = {
    "gram": "$A^TA$",
    "returned": "$BA$",
    "coefficient": "$BB^T$",
    "covariance": "the covariance matrix $BDB^T$ of the estimates",
    "least squares": "$(A^TA)^{-1}$",
}
"""Matrices over pairs of counts: A has the queries, B the restoration, D the variances of the noise."""
ENTRIES: Mapping[str, str] = {
    "pair": "entry of {} for two counts whose lowest common ancestor has height $k$",
    "diagonal": "entry of {} for a count with itself",
    "constant": "number that {} is on the queries with one weight for all counts",
    "contrast": "number that {} is on the queries that are constant under every node of height $k-1$ and add up to 0 "
    "under every one of height $k$",
    "ranges": "sum, over all ranges and all pairs of counts in them, of the entries of {}",
}
ROWS: Mapping[str, str] = {
    "sums": "the sum of the counts under a node",
    "differences": "the counts under the left child of a node minus those under the right one",
}
NOISE: Mapping[str, str] = {
    "laplace": r"Laplace noise of scale $c$, of density $e^{-\lvert x\rvert/c}/(2c)$",
    "discrete": r"discrete Laplace noise of scale $c$, on the integers, in proportion to $e^{-\lvert x\rvert/c}$",
}
EXAMPLE = 2
"""The height of the tree of the exact example."""


# --- quantities ---------------------------------------------------------------------------------------------------


def quantities(named: Mapping[str, Quantity] | None, own: Mapping[str, str]) -> list[str]:
    """The named quantities of a statement as Markdown lines; nothing where it has none."""
    if not named:
        return []
    rows = [[inline(var(name)), quantity(q), put(q.at, own)] for name, q in named.items()]
    lead = "Exact quantities of additive laws (queries $A$ with independent noise, restoration $B$):"
    return [lead, "", *table(["", "quantity", "for"], rows)]


def quantity(named: Quantity) -> str:
    """A quantity in words."""
    what, which = named.of
    if what in BETWEEN:
        return f"{BETWEEN[what]} between {NEIGHBORS[which]}, of {name(named.law)}"
    return f"{ENTRIES[which].format(MATRICES[what])}, of {name(named.law)}"


def put(at: Mapping[str, Term], own: Mapping[str, str]) -> str:
    """What is put for the variables of a law: terms in those of the statement."""
    return ", ".join(f"${latex(var(x), HEIGHTS)}:={latex(t, own)}$" for x, t in at.items()) or "–"


def name(law: Additive) -> str:
    """The name of a law; a link to its queries where a page shows them."""
    noise = "" if law.noise == "laplace" else f" with {law.noise} noise"
    on_page = any(listed == law for listed, _ in ADDITIVE)
    return (f"[`{law.mechanism}`](#law-{law.mechanism})" if on_page else f"`{law.mechanism}`") + noise


# --- laws ---------------------------------------------------------------------------------------------------------


def sections(cls: type) -> list[str]:
    """The laws whose program is a class: queries, what the symbols mean, an exact example of each."""
    lines: list[str] = []
    for law, title in ADDITIVE:
        if matrix_programs.program_class(law.mechanism) is cls:
            lines += [f"(law-{law.mechanism})=", f"## {title}", "", *rows(law), *example(law)]
    return lines


def rows(law: Additive) -> list[str]:
    """The queries of a law as a table, printed from its terms, and what their symbols mean."""
    restored = law.restored or (None,) * len(law.rows)
    cells = [
        [ROWS[row.kind], _heights(row), *(inline(t, HEIGHTS) for t in (row.weight, row.scale)), _part(part)]
        for row, part in zip(law.rows, restored, strict=True)
    ]
    header = ["query, for every node of height $s$", "heights", "weight", "noise scale", "in the estimate"]
    lines = table(header, cells, "llccc")
    if law.restored is None:  # nothing is said of the estimates
        lines = table(header[:-1], [row[:-1] for row in cells], "llcc")
    return [*lines, *_symbols(law)]


def _heights(row: Row) -> str:
    first, last = (latex(t, HEIGHTS) for t in (row.first, row.last))
    return f"$s={first}$" if first == last else rf"$s={first},\dots,{last}$"


def _part(part: Term | None) -> str:
    return "–" if part is None else inline(part, HEIGHTS)


def _symbols(law: Additive) -> list[str]:
    b = latex(law.branching)
    tree = (
        f"a complete tree, $b={b}$ children to a node" if b.isdigit() else f"a complete tree, ${b}$ children to a node"
    )
    lines = [
        f"The $N={b}^h$ counts are the leaves of {tree}: leaves have height $s=0$, the root has height $h$. "
        f"Every answer, weight times query, gets {NOISE[law.noise]}, independent of all others.",
        "",
    ]
    if law.restored is None:
        return [*lines, "How estimates are made is no part of this law.", ""]
    signed = ", with a minus where a difference takes the count away" if _has_differences(law) else ""
    added = f"The estimate of a count adds up its part times the noisy answer over all nodes above it{signed}."
    return [*lines, added, ""]


def _has_differences(law: Additive) -> bool:
    return any(row.kind == "differences" for row in law.rows)


def example(law: Additive) -> list[str]:
    """All queries on the tree of height 2 with binary nodes at epsilon = 1, as ties read the law."""
    values = {"h": Fraction(EXAMPLE), "b": Fraction(2), "eps": Fraction(1)}
    queries = list(matrix_programs.queries(law.json(), values))
    cells = [
        [f"${_form(query)}$", f"${fraction(scale)}$", f"$({', '.join(map(fraction, back))})$"]
        for query, scale, back in queries
    ]
    header = ["noisy answer to", "noise scale", r"its parts in $\hat v_1,\dots,\hat v_4$"]
    lead = rf"$h={EXAMPLE}$, $\epsilon=1$: four counts $v_1,\dots,v_4$."
    if law.restored is None:
        return [lead, "", *table(header[:-1], [row[:-1] for row in cells], "lc")]
    return [lead, "", *table(header, cells, "lcc")]


def _form(query: list[Fraction]) -> str:
    """A linear form of v_1, v_2, ..."""
    text = ""
    for i, weight in enumerate(query, 1):
        if weight:
            size = "" if abs(weight) == 1 else rf"{fraction(abs(weight))}\,"
            text += f"{'-' if weight < 0 else '+' if text else ''}{size}v_{i}"
    return text
