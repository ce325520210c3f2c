"""The page of a mechanism: what it does, its law, estimator, errors, privacy, an exact example, and what is said of it.

It is made of the mechanism's record, its laws, the ledger and published audits; the words are in `exhibits`.
"""

import inspect
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from dp_checks import search
from dp_checks.ledger import HELD, Entry, Ledger, errata
from dp_checks.pages import additive, examples
from dp_checks.pages.arc_mechanisms import arc_entries
from dp_checks.pages.codemap import programs_of
from dp_checks.pages.exhibits import EXHIBITS, MATRIX, SHUFFLED, Exhibit
from dp_checks.pages.notation import (
    GLYPHS,
    abbreviated,
    badge,
    exact,
    foldable,
    folded,
    items,
    latex,
    picture,
    reference,
    table,
)
from dp_checks.pages.statements import estimate
from dp_checks.verdict import Verdict
from dp_refimpl.coins import Coins
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.padding import pad_and_sample
from dp_refimpl.frequency.parameters import ItemParameters
from dp_refimpl.mechanisms import RECORDS
from dp_refimpl.records import Mechanism, Record
from dp_refimpl.syntheses import SYNTHESES, Synthesis
from dp_spec.vocabulary.claim import Claim, Formal
from dp_spec.vocabulary.definitions import smallest_constant
from dp_spec.vocabulary.items import ItemDomain, Report
from dp_spec.vocabulary.law import Estimator, Law
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_spec.vocabulary.statement import All, Mse, Unbiased
from dp_spec.vocabulary.table import Channel, ratio_maximum
from dp_spec.vocabulary.term import Term, term, var

Claims = tuple[Claim, ...]
Audits = Mapping[str, Sequence[str]]
"""By the name of an oracle what published audits of libraries say, a line each."""
FAMILIES: Mapping[str, str] = {
    "item": "One item per user",
    "set": "A set of items per user",
    "counts": "Counts that a curator holds",
    "messages": "Messages that a shuffler permutes",
    "table": "A table that a curator holds",
}
"""What is held, in the order of the index."""
LISTED = 12
"""Entries of the ledger whose sentences are shown; of others the ids are."""


@dataclass(frozen=True)
class Subject:
    """What a page is about: a mechanism's record, its family, the claims about its laws, and these laws."""

    record: Record
    family: str
    claims: Claims
    laws: tuple[Law, ...]

    @property
    def name(self) -> str:
        """The name of its class."""
        return self.record.name

    @property
    def slug(self) -> str:
        """The name of its page."""
        return self.name.lower()

    @property
    def exhibit(self) -> Exhibit:
        """Its words; where there are none, those of the docstring."""
        return EXHIBITS.get(self.name) or Exhibit(self.name, _sentence(self.record.program))


def subjects(claims: Claims) -> tuple[Subject, ...]:
    """Every mechanism that has a page, by family."""
    by_program: dict[str, list[Claim]] = {}
    for claim in claims:
        for name in programs_of(claim):
            by_program.setdefault(name, []).append(claim)
    listed = [_subject(record, _family(record), by_program) for record in RECORDS.values()]
    listed += [_subject(record, "counts", by_program) for record in MATRIX]
    listed += [_subject(record, "messages", by_program) for record in SHUFFLED]
    listed += [_subject(record, "table", by_program) for record in SYNTHESES.values()]
    return tuple(subject for family in FAMILIES for subject in listed if subject.family == family)


def _subject(record: Record, family: str, by_program: Mapping[str, Sequence[Claim]]) -> Subject:
    """With one law of each table of entries: views are the same draw, looked at otherwise, or in part."""
    claims, names = tuple(by_program.get(record.name, ())), getattr(record, "laws", ())
    laws = [law for _, part in _formals(claims) if isinstance(law := getattr(part, "law", None), Law)]
    own = [law for law in laws if law.mechanism in names and law.unit in UNITS and not _stated_by_hand(record)]
    emitting = [law for law in own if law.r is not None] or own
    return Subject(record, family, claims, tuple({(law.draw, law.p, law.q, law.r): law for law in emitting}.values()))


def _stated_by_hand(record: Record) -> bool:
    """Whether the exhibit has the chances, for a law whose own terms are too long to read, or that has none."""
    return record.name in EXHIBITS and bool(EXHIBITS[record.name].formulas)


def _family(record: Record) -> str:
    target = examples.made(record.example)
    one = isinstance(target, ItemParameters) and not isinstance(next(iter(target.inputs), None), frozenset)
    return "item" if one else "set"


# --- pages --------------------------------------------------------------------------------------------------------


def pages(claims: Claims, ledger: Ledger, audits: Audits) -> dict[str, list[str]]:
    """Lines by path: an index by what is held, and a page for every mechanism."""
    listed = subjects(claims)
    lines = ["# Mechanisms", "", LEAD, ""]
    for family, title in FAMILIES.items():
        rows = [
            [f"[{one.name}]({one.slug}.md)", one.exhibit.title, ", ".join(one.record.aliases) or "–", one.record.report]
            for one in listed
            if one.family == family
        ]
        lines += [f"## {title}", "", *table(["", "", "also called", "a report is"], rows)]
    lines += ["```{toctree}", ":hidden:", "", *(one.slug for one in listed), "```"]
    return {"mechanisms/index.md": lines} | {f"mechanisms/{one.slug}.md": page(one, ledger, audits) for one in listed}


LEAD = (
    "One page for each: what it does, its law as a table, estimator and variance, privacy and what attains it, an "
    "exact example, what is proved, which printed statements are false, and what audits of libraries found."
)


def page(subject: Subject, ledger: Ledger, audits: Audits) -> list[str]:
    """Everything about one mechanism."""
    record, exhibit = subject.record, subject.exhibit
    lines = [f"# {record.name}: {exhibit.title}" if exhibit.title != record.name else f"# {record.name}", ""]
    for word in dict.fromkeys((record.name, *record.aliases, exhibit.title, *_synonyms(record))):
        lines += [f"```{{index}} ! single: {word}", "```"]
    lines += ["", exhibit.words, ""]
    lines += [f"Also called {', '.join(record.aliases)}.", ""] if record.aliases else []
    lines += [*_law(subject), *_estimators(subject, ledger), *_errors(subject, ledger), *_privacy(subject)]
    lines += examples.example(record.example)
    if examples.has_picture(record.example):
        lines += picture(f"law-{subject.slug}", picture_words(subject), "../", "small")
    lines += [*_said(subject, ledger), *_audits(record, audits), *program(record.program)]
    return lines


def _synonyms(record: Record) -> Iterator[str]:
    """What people type for it, one phrase each, in British spelling as well."""
    names = {search.words(name) for name in search.names_of(record)}
    for typed, _ in search.SYNONYMS:
        phrases = typed.split(", ")
        if names & set(map(search.words, phrases)):
            yield from phrases
            yield from (phrase.replace("ized", "ised") for phrase in phrases if "ized" in phrase)


def picture_words(subject: Subject) -> str:
    """What the picture of a law shows, for those who do not see it."""
    what = (
        "The density of the point"
        if any(law.unit == "arcs" for law in subject.laws)
        else "The probability of every report"
    )
    return f"{what} of {subject.name}, for every input of the exact example: the numbers of the table above."


# --- the law ------------------------------------------------------------------------------------------------------

UNITS = ("items", "bits", "arcs")
"""What the laws are about whose entries are a table."""


def _law(subject: Subject) -> list[str]:
    """The table of the law, or the formulas of the exhibit; sums of counts with noise, law by law."""
    lines: list[str] = []
    for law in subject.laws:
        lines += ["## Density" if law.unit == "arcs" else "## Law", "", *entries(law), *_budget(law)]
    if subject.exhibit.formulas:
        lines += ["## Law, estimator, variance", "", *_formulas(subject.exhibit)]
    if subject.family == "counts":
        lines += additive.sections(subject.record.program)
    return lines


def _formulas(exhibit: Exhibit) -> list[str]:
    """The formulas, with p and q by their names after they are stated."""
    chances = {formula: words[1] for words, formula in exhibit.formulas if words.startswith("$")}
    rows = [
        [words, f"${latex(formula if formula in chances else abbreviated(formula, chances), exhibit.symbols)}$"]
        for words, formula in exhibit.formulas
    ]
    return table(["", "value"], rows)


def entries(law: Law) -> list[str]:
    """The table of one item or one bit (of laws on arcs the chances of an arc), printed from the law."""
    if law.unit == "arcs":
        return arc_entries(law)
    results = [("p", law.p), ("q", law.q), *([("r", law.r)] if law.r is not None else [])]
    words = (
        (
            "a sensitive item is reported as itself",
            "an item is reported as one given (other) sensitive item",
            "a non-sensitive item is reported as itself",
        )
        if law.unit == "items"
        else (
            "the bit of a sensitive item that is held is 1",
            "the bit of a sensitive item that is not held is 1",
            "the bit of a non-sensitive item that is held is 1",
        )
    )
    if law.r is None:
        words = tuple(text.replace("a sensitive ", "an ").replace("sensitive ", "") for text in words)  # type: ignore[assignment]
    rows = [[f"${name}$", text, f"${latex(entry)}$"] for (name, entry), text in zip(results, words, strict=False)]
    applied = {
        "all": "every item that is held" if law.unit == "items" else "every bit of the vector of what is held",
        "one": "one uniformly drawn item of the set",
        "each": "every item that is held, in a report of its own",
    }[law.draw]
    return [*table(["", "probability that", "value"], rows, "cll"), f"Applied to {applied}.", ""]


def _budget(law: Law) -> list[str]:
    if law.e_eps == var("w") ** term(1):
        return []
    return [f"Budget: $e^{{\\epsilon}} = {latex(law.e_eps)}$.", ""]


def _estimators(subject: Subject, ledger: Ledger) -> list[str]:
    """Which estimators of its laws are unbiased."""
    return [line for law in subject.laws for line in _estimators_of(law, subject.claims, ledger)]


def _estimators_of(law: Law, claims: Claims, ledger: Ledger) -> list[str]:
    groups: dict[tuple[str, Estimator, Verdict], list[str]] = {}
    for name, part in _formals(claims):
        if isinstance(part, Unbiased) and not isinstance(part, Mse) and part.law == law:
            groups.setdefault((part.item, part.estimator, ledger[name].verdict), []).append(name)
    if not groups:
        return []
    rows = [
        [_item(item, law), _small(estimate(estimator, law)), badge(verdict), _listed(names)]
        for (item, estimator, verdict), names in groups.items()
    ]
    return ["## Estimators", "", *table(["Item", "Estimator", "Unbiased", "Claims"], rows)]


DATA = {"fixed": "fixed data set", "iid": "independent users"}
"""What a mean squared error is over: the mechanism's choices alone, or those of a population as well."""


def _errors(subject: Subject, ledger: Ledger) -> list[str]:
    """The mean squared errors that are printed of its laws."""
    return [line for law in subject.laws for line in _errors_of(law, subject.claims, ledger)]


def _errors_of(law: Law, claims: Claims, ledger: Ledger) -> list[str]:
    """Printed formula, verdict and what holds, side by side."""
    formals = list(_formals(claims))
    errors = {name: part for name, part in formals if isinstance(part, Mse) and part.law == law and part.formula}
    ours = {name for claim in claims if claim.corrects for name, _ in claim.formals()}
    groups: dict[tuple[str, str, Term, Verdict, tuple[str, ...]], list[str]] = {}
    for name, part in errors.items():
        if name not in ours and part.formula is not None:
            key = (part.item, part.data, part.formula, ledger[name].verdict, ledger[name].instead)
            groups.setdefault(key, []).append(name)
    if not groups:
        return []
    lead = r"$\mathrm{MSE}[\hat f_x]$ as printed; where that fails, what holds instead."
    lines = ["## Mean squared errors", "", lead, ""]
    for kind in sorted({item for item, *_ in groups}, reverse=True):
        rows = []
        for (item, data, formula, verdict, instead), names in groups.items():
            if item == kind:
                holds = [_held(errors.get(i), law, i, ledger[i].verdict) for i in instead]
                cell = "<br>".join(holds) if holds else "as printed" if verdict in HELD else "–"
                rows.append([_small(latex(folded(formula, law))), _judged(verdict, DATA[data], names), cell])
        lines += [f"For {_item(kind, law)}:", "", *table(["Printed", "Verdict", "Holds"], rows)]
    return lines


def _judged(verdict: Verdict, about: str, names: Iterable[str]) -> str:
    return f"{badge(verdict)} {about}: {_listed(names)}"


def _held(error: Mse | None, law: Law, name: str, verdict: Verdict) -> str:
    """What holds instead: its formula, if it is an error of this law, its claim and verdict."""
    formula = "" if error is None or error.formula is None else f" {_small(latex(folded(error.formula, law)))}"
    return f"{badge(verdict)} {reference(name, 'correction')}:{formula}"


def _small(formula: str) -> str:
    """A formula in a cell."""
    return f"${formula}$"


def _listed(names: Iterable[str]) -> str:
    """Links to claims; of readings of one row the row is written once."""
    rows: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        rows.setdefault(name.partition("@")[0], []).append(name)
    links = []
    for row, ids in rows.items():
        readings = ", ".join(reference(i, i.partition("@")[2]) for i in ids if "@" in i)
        links.append(f"{reference(row)}: {readings}" if readings else reference(row))
    return "; ".join(links)


def _item(item: str, law: Law) -> str:
    """Of which items something is said, in words."""
    if law.r is None:
        return "every item"
    return "a sensitive item" if item == "sensitive" else "a non-sensitive item"


def _formals(claims: Claims) -> Iterator[tuple[str, Formal]]:
    for claim in claims:
        for name, statement in claim.formals():
            for part in statement.parts if isinstance(statement, All) else (statement,):
                yield name, part


# --- privacy ------------------------------------------------------------------------------------------------------


def _privacy(subject: Subject) -> list[str]:
    """The smallest constant of the exact example, and for plain LDP two inputs and a report that attain it."""
    record = subject.record
    if not isinstance(record, Mechanism) or examples.law_of(record.example) is None:
        return []
    target = examples.made(record.example)
    start = "In the exact example below the smallest constant is"
    if record.relation != "ldp":
        constant = smallest_constant(_on_sets(target), target.domain, record.relation)
        most = "unbounded" if constant is None else examples.number(constant)
        return ["## Privacy", "", f"{start} {most} (reading `{record.relation}` of SULDP).", ""]
    largest = ratio_maximum(exact_channel(target))
    if largest is None or largest.ratio is None:
        return ["## Privacy", "", "In the exact example below a report tells two inputs apart with certainty.", ""]
    first, second = map(examples.written, (largest.x, largest.other))
    chance, other = map(examples.number, (largest.probability, largest.other_probability))
    says = f"{start} {examples.number(largest.ratio)}; the report {examples.written(largest.y)} attains it: "
    says += f"probability {chance} from {first}, {other} from {second}."
    whole = compare(largest.ratio, target.budget.exp()) is Ordering.EQUAL
    return ["## Privacy", "", says + whole * " This is $e^{\\epsilon}$: the whole budget is spent.", ""]


def _on_sets(target: Any) -> Channel[Any, Any, Any]:
    """The channel of the instance as readings of SULDP have it: of sets of items, to reports (y0, I)."""
    held = {x if isinstance(x, frozenset) else frozenset([x]): x for x in target.inputs}
    open_items = target.domain.nonsensitive

    def program(items: Any, coins: Coins) -> Report:
        y = target.randomize(held[items], coins)
        return y if isinstance(y, Report) else Report(None, frozenset([y])) if y in open_items else Report(y)

    return exact_channel(program, held, target.one)


# --- what is said of it -------------------------------------------------------------------------------------------


def _said(subject: Subject, ledger: Ledger) -> list[str]:
    """What is proved or verified, that first on which its oracle rests; then printed statements that do not hold."""
    record = subject.record
    claims: Any = getattr(record, "claims", ())
    rests_on = dict.fromkeys(claims({}) if callable(claims) else claims)
    about = search.about(record.name, ledger) if isinstance(record, Mechanism | Synthesis) else _stated(subject)
    order = [*(i for i in rests_on if i in ledger), *(i for i in ledger if i in about and i not in rests_on)]
    single = [i for i in order if "row" in ledger[i].data or "readings" not in ledger[i].data]
    held = [i for i in single if ledger[i].verdict in HELD]
    wrong = [i for i in errata(ledger) if i in single]
    lines = ["## What is proved", "", *_list(held, ledger)] if held else []
    return [*lines, *(["## What is printed, and false", "", *_list(wrong, ledger)] if wrong else [])]


def _stated(subject: Subject) -> set[str]:
    """The entries whose statement is about a law of the mechanism."""
    return {name for claim in subject.claims for name in (claim.id, *(i for i, _ in claim.formals()))}


def _list(names: Sequence[str], ledger: Ledger) -> list[str]:
    first, more = names[:LISTED], names[LISTED:]
    lines = [*(_line(name, ledger[name]) for name in first), ""]
    links = [f"{reference(name)} {GLYPHS[ledger[name].verdict]}" for name in more]
    return [*lines, *(foldable(f"{len(more)} more", [", ".join(links)]) if more else [])]


def _line(name: str, entry: Entry) -> str:
    instead = f" Holds instead: {', '.join(map(reference, entry.instead))}." if entry.instead else ""
    return f"- {reference(name)} {badge(entry.verdict)} {entry.typeset}.{instead}"


def _audits(record: Record, audits: Audits) -> list[str]:
    """The oracles that implementations are compared with, and what published audits say."""
    if not isinstance(record, Mechanism):
        return []
    names = (record.name,) if record.oracles is None else record.oracles
    if not names:
        return []
    oracles = " or ".join(f"`--oracle {name}`" for name in names)
    lines = ["## Audits", "", f"Implementations are compared with {oracles}.", ""]
    published = list(dict.fromkeys(line for name in names for line in audits.get(name, ())))
    return [*lines, *(["Published audits of libraries:", "", *published, ""] if published else [])]


def program(cls: type) -> list[str]:
    """A mechanism's docstring and the source of its randomized program."""
    randomize = getattr(cls, "randomize", None) or getattr(cls, "messages", None)
    link = f"{{py:class}}`{cls.__name__} <{cls.__module__}.{cls.__qualname__}>`"
    lines = ["## Program", "", _sentence(cls), "", f"Program: {link}.", ""]
    if randomize is not None:
        lines += ["```python", textwrap.dedent(inspect.getsource(randomize)).rstrip(), "```", ""]
    estimator = getattr(cls, "estimate", None)
    return [*lines, *([_sentence(estimator), ""] if estimator is not None else [])]


def _sentence(documented: object) -> str:
    return inspect.cleandoc(getattr(documented, "__doc__", None) or "").replace("*", r"\*")


def padding_example() -> list[str]:
    """Padding and sampling at d = 3, m = 2: the exact law of the set that the mechanism runs on."""
    domain = ItemDomain.of_sizes(3)
    inputs = domain.subsets([1, 2, 3])
    channel = exact_channel(lambda s, coins: pad_and_sample(s, 2, domain, (), coins, fmpq(1)), inputs, fmpq(1))
    outputs = sorted({tuple(sorted(y, key=str)) for row in channel.rows.values() for y in row})
    rows = [
        [items(sorted(s, key=str)), *(exact(row.get(frozenset(y), 0)) for y in outputs)]
        for s, row in channel.rows.items()
    ]
    lead = "$m=2$, items $0$, $1$, $2$; shorter sets are filled up from the rest of $X$ (kind `existing`)."
    source = textwrap.dedent(inspect.getsource(pad_and_sample)).rstrip()
    name = f"{pad_and_sample.__module__}.{pad_and_sample.__name__}"
    return [
        _sentence(pad_and_sample),
        "",
        f"Program: {{py:func}}`pad_and_sample <{name}>`.",
        "",
        "```python",
        source,
        "```",
        "",
        "## Exact example",
        "",
        lead,
        "",
        *table(["held", *(items(y) for y in outputs)], rows, "l" + "c" * len(outputs)),
    ]
