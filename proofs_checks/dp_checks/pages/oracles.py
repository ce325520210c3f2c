"""The page of the frequency oracles of the literature: programs, chances and variances, exact examples.

Formulas are the terms of `dp_spec`; the tables are enumerated from the programs.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flint import fmpq

from dp_checks.ledger import Entry
from dp_checks.pages import mechanisms, topics
from dp_checks.pages.codemap import parts
from dp_checks.pages.mechanisms import program
from dp_checks.pages.notation import exact, fraction, items, latex, table
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.count_sketch import ClientCMS, Sampled
from dp_refimpl.frequency.hadamard import HCMS, HadamardResponse
from dp_refimpl.frequency.hash_families import AllFunctions, LabelFunction
from dp_refimpl.frequency.histogram import SHE, THE
from dp_refimpl.frequency.local_hashing import BLH, FLH, OLH, LocalHashing
from dp_refimpl.frequency.subset_selection import SubsetSelection
from dp_refimpl.frequency.unary import OUE
from dp_refimpl.mechanisms import RECORDS
from dp_spec.frequency import count_sketch, hadamard, histogram, local_hashing, subset_selection, unary
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.claim import Claim
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.term import Term

NAME = "frequency-oracles"
TITLE = "Frequency oracles of the literature"
KEYWORDS = (
    "OUE",
    "SHE",
    "THE",
    "BLH",
    "OLH",
    "FLH",
    "subset selection",
    "k-subset",
    "local hashing",
    "Hadamard response",
    "HCMS",
    "histogram encoding",
)
OWN, OTHER = "$p$: a report supports the item held", "$q$: a report supports another item"
VARIANCE = "the estimate's variance"
_FUNCTIONS = tuple(LabelFunction((0, 1), values, 2) for values in ((0, 1), (1, 1)))


@dataclass(frozen=True)
class Exhibit:
    """A mechanism: its class, formulas with what they are, and an instance that is small enough for a table."""

    title: str
    program: type[Any]
    formulas: tuple[tuple[str, Term], ...] = ()
    example: Any = None
    at: str = ""
    symbols: Mapping[str, str] = field(default_factory=dict, hash=False)
    others: tuple[type[Any], ...] = ()


def _with(cls: type[Any], power: int, *own: Any, d: int = 2) -> Any:
    """The mechanism at e^eps = 4."""
    return cls(ItemDomain.of_sizes(d), Budget.of_root(fmpq(4) if power == 1 else fmpq(2), power), *own)


EXHIBITS = (
    Exhibit(
        "OUE: optimized unary encoding",
        OUE,
        ((OWN, unary.P), (OTHER, unary.Q), (VARIANCE, unary.VARIANCE)),
        _with(OUE, 1),
        "$d=2$, $e^\\epsilon=4$",
    ),
    Exhibit(
        "SHE: summation with histogram encoding",
        SHE,
        (
            ("the estimate's variance, real-valued noise", histogram.SHE_VARIANCE),
            ("the same with midpoints of $s$ cells per unit", histogram.CELLS_VARIANCE),
        ),
        symbols={"r": "r", "s": "s"},
    ),
    Exhibit(
        "THE: thresholding with histogram encoding",
        THE,
        (
            (OWN, histogram.P),
            (OTHER, histogram.Q),
            ("what two items attain", histogram.ATTAINED),
            (VARIANCE, histogram.VARIANCE),
        ),
        THE(ItemDomain.of_sizes(2), Budget.of_root(fmpq(2), 4), Fraction(1, 2)),
        "$d=2$, $e^\\epsilon=16$, $\\theta=\\tfrac12$",
        {"a": r"e^{\epsilon(\theta-1)/2}"},
    ),
    Exhibit(
        "Local hashing: BLH, OLH, FLH",
        LocalHashing,
        (
            (OWN, local_hashing.P),
            ("a report supports another item", 1 / local_hashing.B),
            ("the estimate's variance, a function for every report", local_hashing.VARIANCE),
        ),
        _with(LocalHashing, 1, AllFunctions((0, 1), 2)),
        "$d=2$, $g=2$, $e^\\epsilon=4$, all functions",
        {"b": "g"},
        (BLH, OLH, FLH),
    ),
    Exhibit(
        "Subset selection",
        SubsetSelection,
        ((OWN, subset_selection.P), (OTHER, subset_selection.Q), (VARIANCE, subset_selection.VARIANCE)),
        _with(SubsetSelection, 1, 2, d=3),
        "$d=3$, $k=2$, $e^\\epsilon=4$",
        {"D": "d"},
    ),
    Exhibit(
        "Hadamard response",
        HadamardResponse,
        ((VARIANCE, hadamard.RESPONSE_VARIANCE),),
        _with(HadamardResponse, 1),
        "$d=2$, $e^\\epsilon=4$",
    ),
    Exhibit(
        "Count-mean sketch: client",
        ClientCMS,
        (("the estimate's variance, collisions of chance", count_sketch.VARIANCE),),
        _with(ClientCMS, 2, _FUNCTIONS),
        "$d=2$, $m=2$, $e^\\epsilon=4$, the functions $(0,1)$ and $(1,1)$",
        {"b": "m", "t": r"e^{\epsilon/2}"},
        (Sampled,),
    ),
    Exhibit(
        "HCMS: Hadamard count-mean sketch",
        HCMS,
        (("the estimate's variance, collisions of chance", hadamard.HCMS_VARIANCE),),
        _with(HCMS, 1, _FUNCTIONS),
        "$d=2$, $m=2$, $e^\\epsilon=4$, the functions $(0,1)$ and $(1,1)$",
        {"b": "m"},
    ),
)
"""In the order of the page."""


def further(claims: tuple[Claim, ...]) -> tuple[topics.Exhibit, ...]:
    """The laws on items or bits of mechanisms that no other page shows, each with a small example."""
    elsewhere = {exhibit.law.mechanism for topic in topics.TOPICS for exhibit in topic.laws}
    here = {cls for exhibit in EXHIBITS for cls in (exhibit.program, *exhibit.others)}
    formals = (formal for claim in claims for _, formal in claim.formals())
    laws = {law.mechanism: law for formal in formals for law in parts(formal) if isinstance(law, Law)}
    views = {"items": "one", "bits": "sen"}
    return tuple(
        topics.Exhibit(law, record.name, views[law.unit], topics.Example(2, 0 if law.all_sensitive else 1, 1))
        for record in RECORDS.values()
        for law in (laws[name] for name in record.laws if name in laws and name not in elsewhere)
        if record.program not in here and law.unit in views
    )


def page(claims: tuple[Claim, ...], ledger: Mapping[str, Entry]) -> list[str]:
    """The page: first what is shown by hand, then every other mechanism from its law and its claims."""
    lines = [
        f"# {TITLE}",
        "",
        *(line for word in KEYWORDS for line in (f"```{{index}} ! single: {word}", "```")),
        "",
        "One item per user. Each is a program whose law is enumerated; formulas are compared with the enumerated laws "
        "by tests, at all small sizes. What the ledger says of them is on the pages of the sources. Variances for "
        "given hash functions, and over the draw of functions that all users share, are the functions "
        "`fixed_variance`, `drawn_variance` and `family_variance` of {py:mod}`~dp_spec.frequency.local_hashing`, "
        "{py:mod}`~dp_spec.frequency.count_sketch` and {py:mod}`~dp_spec.frequency.hadamard`. Symmetric unary encoding "
        "(SUE) is [RAPPOR](rappor.md).",
        "",
    ]
    lines += [line for exhibit in EXHIBITS for line in section(exhibit)]
    return [*lines, *(line for exhibit in further(claims) for line in mechanisms.section(exhibit, claims, ledger))]


def section(exhibit: Exhibit) -> list[str]:
    """One mechanism."""
    lines = [f"## {exhibit.title}", "", *program(exhibit.program)]
    for other in exhibit.others:
        lines += [f"**{other.__name__}.** {(other.__doc__ or '').partition('.')[0].strip()}.", ""]
        lines += [f"Program: {{py:class}}`{other.__name__} <{other.__module__}.{other.__qualname__}>`.", ""]
    chances = {term: words[1] for words, term in exhibit.formulas if words.startswith("$")}
    rows = [
        [words, f"${latex(term if term in chances else _folded(term, chances), exhibit.symbols)}$"]
        for words, term in exhibit.formulas
    ]
    lines += ["### Formulas", "", *table(["", "value"], rows)]
    return [*lines, *_example(exhibit)]


def _folded(formula: Term, chances: Mapping[Term, str]) -> Term:
    """The formula with p and q by their names."""
    if formula in chances:
        return Term(chances[formula])
    return Term(formula.head, tuple(_folded(a, chances) for a in formula.arguments)) if formula.arguments else formula


def _example(exhibit: Exhibit) -> Iterable[str]:
    if exhibit.example is None:
        return _cells()
    channel = exact_channel(exhibit.example)
    reports = list(dict.fromkeys(y for row in channel.rows.values() for y in row))
    rows = [[_written(y), *(exact(row.get(y, 0)) for row in channel.rows.values())] for y in reports]
    lead = f"{exhibit.at}. Columns are the inputs; enumerated from the program."
    header = ["report", *(f"${x}$" for x in channel.rows)]
    return ["### Exact example", "", lead, "", *table(header, rows, "l" + "c" * len(channel.rows))]


def _cells() -> list[str]:
    """Of SHE the entries around 0 and 1."""
    target: SHE[fmpq] = _with(SHE, 2)
    midpoints = [fmpq(j, 2) for j in range(-3, 7, 2)]
    rows = [[exact(y), *(exact(target.prob((y, midpoints[1]), x)) for x in (0, 1))] for y in midpoints]
    lead = (
        f"$d=2$, one cell per unit, $e^\\epsilon=4$: the reports $(y, {fraction(midpoints[1])})$, of infinitely many."
    )
    return ["### Exact example", "", lead, "", *table(["$y$", "$0$", "$1$"], rows, "lcc")]


def _written(report: Any) -> str:
    """A report as the page has it: bits, a set, a function by its labels, or what it is made of."""
    if isinstance(report, frozenset):
        return items(sorted(report, key=str))
    if isinstance(report, tuple):
        return f"$({', '.join(_part(part) for part in report)})$"
    return f"${report}$"


def _part(part: Any) -> str:
    if isinstance(part, LabelFunction):
        return f"({', '.join(map(str, part.values))})"
    return f"({', '.join(map(str, part))})" if isinstance(part, tuple) else str(part)
