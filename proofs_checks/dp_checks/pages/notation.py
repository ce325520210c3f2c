"""How formulas, numbers, inputs, outputs and verdicts are written in Markdown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from dp_checks.verdict import Verdict
from dp_spec.vocabulary.claim import Claim
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.source import paper_of, papers, sources
from dp_spec.vocabulary.term import Term

SYMBOLS: Mapping[str, str] = {
    "e0": r"e^{\epsilon/m}",
    "w": r"e^{\epsilon}",
    "t": r"e^{\epsilon/2m}",
    "h": r"e^{\epsilon/2}",
    "theta": r"\theta",
    "eps": r"\epsilon",
    "f": "f_x",
    "g": r"f(X_{\rm non})",
    "count": "F_x",
    "invertible": "T",
    "size": r"\lvert s\rvert",
    "held": r"[x\in s]",
    "first": r"E[\hat f_x]",
    "second": r"E[\hat f_x^2]",
    "rest": r"\rho",
    "more": r"\delta",
    "delta": r"\Delta",
    "gamma": r"\gamma",
    "rho": r"\rho",
    "mu": r"\mu",
    "kappa1": r"\kappa_1",
    "kappa2": r"\kappa_2",
}
"""LaTeX of variables whose name is not what readers of the sources know."""

GLYPHS: Mapping[Verdict, str] = {
    "proved": "✓",
    "verified": "✓",
    "conditional": "◐",
    "refuted": "✗",
    "ill_posed": "?",
    "unchecked": "–",
}

VIEWS: Mapping[str, str] = {
    "set": "$y_0$ is the set of the sensitive results",
    "multiset": "$y_0$ is the multiset of the sensitive results",
    "position": "$y_0$ lists the results by position, blank where the result is not sensitive",
    "padded": "$y_0$ is the multiset of the sensitive results, filled up with uniformly drawn sensitive items",
    "vector": "the report lists the results in the order of the items",
    "one": "$y_0$ is the one sensitive result, or $\\bot$ if there is none",
    "sen": "$y_0$ is the vector of the sensitive bits",
    "whole": "$y_0$ is the whole bit vector",
    "hash": "conditional on the published hash function, whatever it is",
    "ideal": "every user draws a fresh uniformly random hash function",
    "kwise": "fresh hash functions, every $m+1$ hash values independent and uniform",
    "pairwise": "fresh hash functions, every two hash values independent and uniform",
    "fixed": "conditional on one fixed public hash function",
    "disjoint": "conditional on one fixed public hash function under which the arcs of all items are disjoint",
}
"""What the server sees, by the name of the view."""

COMPARED: Mapping[str, str] = {
    "ldp": r"$M(y\mid s)\le C\,M(y\mid s')$ for all $s$, $s'$ and all reports $y$",
    "marginal": r"$M(y_0\mid s)\le C\,M(y_0\mid s')$ for all $s$, $s'$ and all $y_0$ (the law of $y_0$ alone)",
    "joint": r"$M(y_0,I\mid s)\le C\,M(y_0,I\mid s')$ for all $s$, $s'$ and all reports whose invertible data "
    r"$I\subseteq s\cap s'$",
    "deniability": r"$M(y_0,I\mid s)\le C\,M(y_0,I\mid s')$ for all reports, and all $s$, $s'$ that differ by one "
    "sensitive item of $s$ exchanged for another item",
    "samenon": r"$M(y_0,I\mid s)\le C\,M(y_0,I\mid s')$ for all reports, and all $s$, $s'$ with the same "
    r"non-sensitive items",
}
"""What a reading of (1), (4) or (11) compares; C is the constant."""

SIZES: Mapping[str, str] = {
    "exactm": "all sets of exactly $m$ items",
    "atmost": "all sets of 1 to $m$ items",
    "all": "all sets of items",
}


def latex(term: Term, symbols: Mapping[str, str] | None = None) -> str:
    """A checked formula as LaTeX, in the sources' symbols."""
    bound = {name: named(name) for name in _indices(term)}
    long = {name: named(name) for name in term.variables() if len(name) > 1 and name not in SYMBOLS}
    return term.latex({**long, **SYMBOLS, **bound, **(symbols or {})})


GREEK = ("alpha", "beta", "delta", "eta", "tau")
"""Words that are letters."""


def named(name: str) -> str:
    """A name as LaTeX: words upright, digits at the end of a name as an index, whether or not after an underscore."""
    start = name.rstrip("0123456789")
    word, index = start.rstrip("_"), name.removeprefix(start)
    letters = word if len(word) == 1 else rf"\{word}" if word in GREEK else rf"\mathrm{{{word}}}"
    return f"{letters}_{{{index}}}" if index else letters


def _indices(term: Term) -> Iterator[str]:
    """What sums run over: these names mean nothing else there."""
    if term.head == "sum":
        yield str(term.arguments[0].head)
    for argument in term.arguments:
        yield from _indices(argument)


def folded(formula: Term, law: Law) -> Term:
    """The formula with the entries of the law's table written p, q and r, as the sources write them."""
    entries = {getattr(law, name): name for name in ("r", "q", "p")}  # of equal ones the first letter
    return abbreviated(formula, entries)


def abbreviated(formula: Term, names: Mapping[Term, str]) -> Term:
    """The formula with these parts of it written by their names."""
    if formula in names:
        return Term(names[formula])
    arguments = tuple(abbreviated(part, names) for part in formula.arguments)
    return Term(formula.head, arguments) if arguments else formula


def inline(term: Term, symbols: Mapping[str, str] | None = None) -> str:
    """A formula within a line."""
    return f"${latex(term, symbols)}$"


READABLE = 1000
"""Characters of TeX of the longest formula that is shown: some lines of a book."""


def display(text: str) -> list[str]:
    """A formula on lines of its own; of one that nobody can read, where it is."""
    return _set(text) if len(text) <= READABLE else [f"A formula {_unreadable(text)}.", ""]


def displayed(relations: Sequence[str]) -> list[str]:
    """Formulas below each other; of those that are too much to read, how many they are and where."""
    sizes = accumulate(map(len, relations))
    readable = [text for text, size in zip(relations, sizes, strict=True) if size <= READABLE]
    rest = relations[len(readable) :]
    below = r" \\ ".join(readable)
    lines = _set(rf"\begin{{gathered}} {below} \end{{gathered}}" if len(readable) > 1 else below) if readable else []
    many = f"{len(rest)} {'more ' if readable else ''}{'formulas' if len(rest) > 1 else 'formula'}"
    return [*lines, f"{many} {_unreadable(''.join(rest))}.", ""] if rest else lines


def _set(text: str) -> list[str]:
    return ["$$", text, "$$", ""]


def _unreadable(text: str) -> str:
    return (
        f"of {len(text):,} characters of TeX, which `proofs_checks/statements.json` has under the id of the statement"
    )


def in_a_line(lines: Iterable[str]) -> str:
    """Markdown lines as running text: formulas on lines of their own are set in the line."""
    return " ".join(line for line in lines if line).replace("$$ ", "$").replace(" $$", "$")


def fraction(number: object) -> str:
    """An exact number "a/b" as LaTeX, or as it is."""
    top, bar, bottom = str(number).partition("/")
    sign = "-" if bar and top.startswith("-") else ""
    return rf"{sign}\tfrac{{{top.removeprefix(sign)}}}{{{bottom}}}" if bar else top


def exact(number: object) -> str:
    """An exact number within a line."""
    return f"${fraction(number)}$"


def badge(verdict: Verdict) -> str:
    """A verdict as a badge: a word and a sign, colored by the style sheet."""
    return f"[{GLYPHS[verdict]} {word(verdict)}]{{.verdict .{verdict.replace('_', '-')}}}"


def word(verdict: Verdict) -> str:
    """A verdict as running text has it."""
    return verdict.replace("_", "-")


def reference(claim: str, text: str = "") -> str:
    """A link to a claim."""
    return f"{{claim}}`{text} <{claim}>`" if text else f"{{claim}}`{claim}`"


def cited(source: str) -> str:
    """A source as running text cites it, linked to its record."""
    return f"[{sources()[source].short}](#source-{source})"


def place(claim: Claim) -> str:
    """Where a statement stands, linked to the record of its paper; those of the literature name it themselves."""
    paper = paper_of(claim.id)
    if paper.id in papers():
        return f"[{claim.place}](#source-{paper.id.replace('.', '-')})"
    return f"{cited(claim.source)}, {claim.place}"


def items(values: Iterable[object]) -> str:
    """A set of items."""
    listed = ", ".join(str(x) for x in values)
    return rf"$\{{{listed}\}}$" if listed else r"$\emptyset$"


def output(y: Any, law: Law, view: str, *, alone: bool = False) -> str:
    """A report [y0, I], or (`alone`) a y0, as certificates write it."""
    if alone:
        return f"$y_0$ = {protected(y, law, view)}"
    y0, kept = y
    if law.r is None:
        return protected(y0, law, view)
    return f"$y_0$ = {protected(y0, law, view)}, $I$ = {items(kept)}"


def protected(y0: Any, law: Law, view: str) -> str:
    """The protected datum in its view."""
    if y0 is None:
        return r"$\bot$"
    if not isinstance(y0, list | tuple):
        return f"${y0}$"
    if view == "whole" and len(y0) == 2 and isinstance(y0[0], list | tuple):
        return f"{protected(y0[0], law, 'sen')} and {items(y0[1])}"
    if law.draw == "each":
        return "; ".join(protected(part, law, "sen") for part in y0)
    entries = [r"\_" if z is None else str(z) for z in y0]
    if view == "set":
        return items(entries)
    if law.unit == "bits":
        return f"${''.join(entries)}$" if entries else "(no bits)"
    if view == "multiset" or view == "padded":
        return r"$[\," + ", ".join(entries) + r"\,]$"
    return f"$({', '.join(entries)})$"


def table(header: Sequence[str], rows: Iterable[Sequence[str]], align: str = "") -> list[str]:
    """A Markdown table; `align` has l, c or r for every column."""
    marks = {"l": "---", "c": ":-:", "r": "--:"}
    rule = [marks[a] for a in align or "l" * len(header)]
    lines = [header, rule, *rows]
    return ["| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines] + [""]


def picture(name: str, alt: str, up: str = "", look: str = "figure") -> list[str]:
    """A figure in a box that scrolls by itself.

    `up` leads to the generated folder; `look` (figure or small) is a class of the style sheet that says how narrow the
    figure may become and stay legible.
    """
    image = [f":::{{image}} {up}figures/{name}.svg", f":alt: {alt}", f":class: {look}", ":::"]
    return ["::::{container} picture", *image, "::::", ""]


def foldable(summary: str, lines: Sequence[str]) -> list[str]:
    """Lines that a reader opens; `summary` is plain text."""
    return [f"::::{{folded}} {summary}", *lines, "::::", ""]


def indefinite(names: Sequence[str]) -> str:
    """Names as "a, b and c"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
