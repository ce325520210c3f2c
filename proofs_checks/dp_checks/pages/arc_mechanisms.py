"""Wheel and suWheel on a page: the numbers of their laws, an exact example, and a picture of its densities."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

from flint import fmpq
from matplotlib.figure import Figure

from dp_checks.pages.notation import exact, folded, fraction, items, latex, table
from dp_refimpl.enumeration import output_law
from dp_refimpl.frequency.hashing import HashFunction
from dp_refimpl.frequency.suwheel import SuWheel
from dp_refimpl.frequency.wheel import Wheel
from dp_spec.vocabulary.items import Report
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.term import Term

HASH = ("1/10", "3/20", "9/10")
"""Hash values of the items of the example: two arcs that overlap, one that wraps around."""


def arc_entries(law: Law) -> list[str]:
    """What the letters p, q, r of a law on arcs stand for."""
    words = [
        ("q", law.q, "length of an item's arc; the point is in the arc of an item not held (independent hash values)"),
        ("p", law.p, "the point is in the arc of a given item of the set"),
    ]
    words += [("r", law.r, "a non-sensitive item of the set is emitted")] if law.r is not None else []
    parts = [Term(entry.head, tuple(folded(part, law) for part in entry.arguments)) for _, entry, _ in words]
    rows = [[f"${name}$", text, f"${latex(part)}$"] for (name, _, text), part in zip(words, parts, strict=True)]
    return [
        *table(["", "", "value"], rows, "cll"),
        "With $l$ the length of the cover $C_v$ the density is",
        "",
        *_density(),
    ]


def _density() -> list[str]:
    return [
        "$$",
        r"Q(y_0\mid v)=\begin{cases}e^\epsilon/\Omega,&y_0\in C_v\\"
        r"(\Omega-l\,e^\epsilon)/((1-l)\,\Omega),&y_0\notin C_v\end{cases}"
        r"\qquad\Omega=m\,q\,e^\epsilon+1-m\,q.",
        "$$",
        "",
    ]


def densities(target: Wheel[Any] | SuWheel[Any]) -> list[str]:
    """The exact density and invertible data of every set on the cells of one hash function."""
    domain = target.domain
    h = HashFunction(domain.items, tuple(fmpq(*map(int, v.split("/"))) for v in HASH))
    sets = domain.subsets([target.m])
    rows = []
    for cell in target.cells(h):
        row = [f"$[{fraction(cell[0])}, {fraction(cell[1])})$"]
        for s in sets:
            law = output_law(lambda coins, s=s: target.randomize(s, h, coins), target.one)  # type: ignore[misc]
            by_cell = {_cell(y): (y, p) for y, p in law.items()}
            y, p = by_cell[cell]
            emitted = f", {items(sorted(y.invertible, key=str))}" if isinstance(y, Report) and y.invertible else ""
            row.append(f"{exact(p / (cell[1] - cell[0]))}{emitted}")
        rows.append(row)
    values = ", ".join(f"$h({x})={fraction(h(x))}$" for x in domain.items)
    lead = (
        f"{values}; arcs of length ${fraction(target.p)}$. The density of $y_0$ on every cell, and what is emitted "
        "there; columns are the inputs; enumerated from the program."
    )
    header = ["$y_0$ in", *(items(sorted(s, key=str)) for s in sets)]
    return [lead, "", *table(header, rows, "l" + "c" * len(sets))]


def _cell(y: Any) -> Any:
    return y.protected if isinstance(y, Report) else y


LOOKS = (("#3b7dd8", "-"), ("#d1702a", "--"), ("#2e8b57", ":"))
"""A color and a style for the density of each input."""


def density_picture(target: Wheel[Any] | SuWheel[Any]) -> Figure:
    """The densities of the exact example, all under one hash function: laws that (1) and (11) compare."""
    domain = target.domain
    h = HashFunction(domain.items, tuple(fmpq(*map(int, v.split("/"))) for v in HASH))
    figure = Figure(figsize=(4.4, 3.4), layout="constrained")
    axes = figure.subplots()
    for s, (color, style) in zip(domain.subsets([target.m]), LOOKS, strict=True):
        density = target.density(s, h)
        ends = [float(Fraction(str(b))) for b in density.breakpoints]
        heights = [float(Fraction(str(density.at(a)))) for a, _ in pairwise(density.breakpoints)]
        label = items(sorted(s, key=str))
        axes.stairs(heights, ends, baseline=None, label=label, color=color, linestyle=style, linewidth=1.8)
    for i, x in enumerate(domain.items):
        at = (float(Fraction(str(h(x)))), 0.02 + 0.08 * (i % 2))  # neighbors are not written over each other
        axes.annotate(f"$h({x})$", at, xycoords=("data", "axes fraction"), ha="center", fontsize=10)
    axes.set_ylim(0, None)
    axes.set_xlim(0, 1)
    axes.set_xlabel("$y_0$")
    axes.set_ylabel("density")
    figure.legend(title="input", loc="outside upper center", ncols=len(LOOKS), frameon=False, fontsize=10)
    return figure
