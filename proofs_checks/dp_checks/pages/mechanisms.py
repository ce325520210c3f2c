"""A mechanism on a page: program, table, estimators, error formulas, an exact example."""

import inspect
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from flint import fmpq

from dp_checks.ledger import HELD, Entry
from dp_checks.pages.arc_mechanisms import arc_entries, arc_example
from dp_checks.pages.notation import (
    VIEWS,
    badge,
    exact,
    folded,
    fraction,
    items,
    latex,
    output,
    picture,
    reference,
    table,
)
from dp_checks.pages.statements import estimate
from dp_checks.pages.topics import Exhibit
from dp_checks.programs import canonical, law_channel, program_class
from dp_checks.verdict import Verdict
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.padding import pad_and_sample
from dp_spec.vocabulary.claim import Claim, Formal
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.law import Estimator, Law
from dp_spec.vocabulary.statement import All, Mse, Unbiased
from dp_spec.vocabulary.term import Term, term, var

Claims = tuple[Claim, ...]
THETA = fmpq(2, 3)
"""Value of a further parameter in example tables."""


def section(exhibit: Exhibit, claims: Claims, ledger: Mapping[str, Entry]) -> list[str]:
    """Everything about one law."""
    law = exhibit.law
    on_arcs = law.unit == "arcs"
    lines = [f"## {exhibit.title}", "", *program(program_class(law.mechanism))]
    lines += ["### Density" if on_arcs else "### Table", "", *entries(law), *_budget(law)]
    lines += _estimators(law, claims, ledger)
    lines += _errors(law, claims, ledger)
    lines += arc_example(exhibit) if on_arcs else _example(exhibit)
    return [*lines, *picture(f"law-{exhibit.slug}", picture_words(exhibit), "../", "small")]


def picture_words(exhibit: Exhibit) -> str:
    """What the picture of a law shows, for those who do not see it."""
    what = "The density of the point" if exhibit.law.unit == "arcs" else "The probability of every report"
    return f"{what} of {exhibit.title}, for every input of the exact example: the numbers of the table above."


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
            "the bit of a sensitive item held is 1",
            "the bit of a sensitive item not held is 1",
            "the bit of a non-sensitive item held is 1",
        )
    )
    if law.r is None:
        words = tuple(text.replace("sensitive ", "") for text in words)  # type: ignore[assignment]
    rows = [[f"${name}$", text, f"${latex(entry)}$"] for (name, entry), text in zip(results, words, strict=False)]
    applied = {
        "all": "every item of the set" if law.unit == "items" else "every bit of the set's vector",
        "one": "one uniformly drawn item of the set",
        "each": "every item of the set, in a report of its own",
    }[law.draw]
    return [*table(["", "probability that", "value"], rows, "cll"), f"Applied to {applied}.", ""]


def _budget(law: Law) -> list[str]:
    if law.e_eps == var("w") ** term(1):
        return []
    return [f"Budget: $e^{{\\epsilon}} = {latex(law.e_eps)}$.", ""]


def program(cls: type) -> list[str]:
    """A mechanism's docstring and the source of its randomized program."""
    randomize, estimator = (getattr(cls, name, None) for name in ("randomize", "estimate"))
    lines = [_sentence(cls), "", f"Program: {{py:class}}`{cls.__name__} <{cls.__module__}.{cls.__qualname__}>`.", ""]
    if randomize is not None:
        lines += ["```python", textwrap.dedent(inspect.getsource(randomize)).rstrip(), "```", ""]
    return [*lines, *([f"{_sentence(estimator)}", ""] if estimator is not None else [])]


def _sentence(documented: object) -> str:
    return inspect.cleandoc(getattr(documented, "__doc__", None) or "").replace("\n\n", "\n\n").replace("*", r"\*")


def _estimators(law: Law, claims: Claims, ledger: Mapping[str, Entry]) -> list[str]:
    groups: dict[tuple[str, Estimator, Verdict], list[str]] = {}
    for name, part in _formals(claims):
        if isinstance(part, Unbiased) and not isinstance(part, Mse) and part.law == law:
            groups.setdefault((part.item, part.estimator, ledger[name].verdict), []).append(name)
    if not groups:
        return []
    rows = [
        [_item(item), _small(estimate(estimator, law)), badge(verdict), _listed(names)]
        for (item, estimator, verdict), names in groups.items()
    ]
    return ["### Estimators", "", *table(["Item", "Estimator", "Unbiased", "Claims"], rows)]


DATA = {"fixed": "fixed data set", "iid": "independent users"}
"""What a mean squared error is over: the mechanism's choices alone, or those of a population as well."""


def _errors(law: Law, claims: Claims, ledger: Mapping[str, Entry]) -> list[str]:
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
    lines = ["### Mean squared errors", "", lead, ""]
    for kind in sorted({item for item, *_ in groups}, reverse=True):
        rows = []
        for (item, data, formula, verdict, instead), names in groups.items():
            if item == kind:
                holds = [_held(errors.get(i), law, i, ledger[i].verdict) for i in instead]
                cell = "<br>".join(holds) if holds else "as printed" if verdict in HELD else "–"
                rows.append([_small(latex(folded(formula, law))), _judged(verdict, DATA[data], names), cell])
        lines += [f"For a {_item(kind)} item:", "", *table(["Printed", "Verdict", "Holds"], rows)]
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


def _item(item: str) -> str:
    return "sensitive" if item == "sensitive" else "non-sensitive"


def _formals(claims: Claims) -> Iterator[tuple[str, Formal]]:
    for claim in claims:
        for name, statement in claim.formals():
            for part in statement.parts if isinstance(statement, All) else (statement,):
                yield name, part


def _example(exhibit: Exhibit) -> list[str]:
    law, e = exhibit.law, exhibit.example
    at = f"$m={e.m}$, sensitive {items(range(e.k))}" + (
        f", not sensitive {items(range(e.k, e.k + e.n))}" if e.n else ""
    )
    at += f", ${latex(law.root)}={e.root}$" + "".join(f", ${latex(var(n))}={fraction(THETA)}$" for n in law.parameters)
    if law.e_eps != var("w") ** term(1):
        at += f" ($e^\\epsilon={fraction(law.e_eps.evaluate({law.base: fmpq(e.root), 'm': e.m}))}$)"
    inputs, law_of = example_law(exhibit)
    rows = [[report, *(exact(p) for p in chances)] for report, chances in law_of.items()]
    header = ["report", *inputs]
    lead = f"{at}; {VIEWS[exhibit.view]}. Columns are the inputs; enumerated from the program."
    return ["### Exact example", "", lead, "", *table(header, rows, "l" + "c" * len(inputs))]


def example_law(exhibit: Exhibit) -> tuple[list[str], dict[str, list[fmpq]]]:
    """The inputs of the exact example, and the probability of every report from each of them, enumerated."""
    law, e = exhibit.law, exhibit.example
    extra: dict[str, Any] = dict.fromkeys(law.parameters, THETA)
    channel = law_channel(
        law, exhibit.view, e.m, range(e.m, e.m + 1), ItemDomain.of_sizes(e.k, e.n), fmpq(e.root), **extra
    )
    rows = [{canonical(y): p for y, p in row.items()} for row in channel.rows.values()]
    outputs = sorted({y for row in rows for y in row}, key=lambda y: (len(y[1]), str(y)))
    chances = {output(y, law, exhibit.view): [fmpq(1) * row.get(y, 0) for row in rows] for y in outputs}
    return [items(sorted(s, key=str)) for s in channel.inputs], chances


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
