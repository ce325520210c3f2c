"""A mechanism on a page: program, table, estimators, error formulas, an exact example."""

import inspect
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from flint import fmpq

from dp_checks.check.ties import canonical
from dp_checks.ledger import Entry
from dp_checks.programs import law_channel, mechanism
from dp_checks.report.circle import arc_entries, arc_example, arc_program
from dp_checks.report.formal import estimate
from dp_checks.report.notation import (
    VIEWS,
    badge,
    display,
    exact,
    folded,
    fraction,
    items,
    latex,
    output,
    reference,
    table,
)
from dp_checks.report.topics import Shown
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.padding import pad_and_sample
from dp_refimpl.frequency.privset import PrivSet
from dp_spec.vocabulary.claim import Claim, Formal
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.law import Estimator, Law
from dp_spec.vocabulary.statement import All, Mse, Unbiased
from dp_spec.vocabulary.term import Term, term, var

Claims = tuple[Claim, ...]
THETA = fmpq(2, 3)
"""Value of a further parameter in example tables."""


def section(shown: Shown, claims: Claims, ledger: Mapping[str, Entry]) -> list[str]:
    """Everything about one law."""
    law = shown.law
    on_arcs = law.unit == "arcs"
    lines = [f"## {shown.title}", "", *program(program_class(shown))]
    lines += ["### Density" if on_arcs else "### Table", "", *entries(law), *_budget(law)]
    lines += _estimators(law, claims, ledger)
    lines += _errors(law, claims, ledger)
    return [*lines, *(arc_example(shown) if on_arcs else _example(shown))]


def program_class(shown: Shown) -> type:
    """The class of the randomised program behind a law."""
    if shown.law.unit == "subsets":
        return PrivSet
    return arc_program(shown.law) if shown.law.unit == "arcs" else type(_mechanism(shown))


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
    """A mechanism's docstring and the source of its randomised program."""
    randomize, estimator = (getattr(cls, name, None) for name in ("randomize", "estimate"))
    lines = [_sentence(cls), "", f"Program: {{py:class}}`{cls.__name__} <{cls.__module__}.{cls.__qualname__}>`.", ""]
    if randomize is not None:
        lines += ["```python", textwrap.dedent(inspect.getsource(randomize)).rstrip(), "```", ""]
    return [*lines, *([f"{_sentence(estimator)}", ""] if estimator is not None else [])]


def _sentence(documented: object) -> str:
    return inspect.cleandoc(getattr(documented, "__doc__", None) or "").replace("\n\n", "\n\n").replace("*", r"\*")


def _estimators(law: Law, claims: Claims, ledger: Mapping[str, Entry]) -> list[str]:
    found: dict[tuple[str, Estimator], list[str]] = {}
    for name, part in _formals(claims):
        if isinstance(part, Unbiased) and not isinstance(part, Mse) and part.law == law:
            found.setdefault((part.item, part.estimator), []).append(name)
    if not found:
        return []
    lines = ["### Estimators", ""]
    for (item, estimator), names in found.items():
        lines += [
            f"For a {_item(item)} item:",
            "",
            *display(estimate(estimator, law)),
            f"Unbiased? {_judged(names, ledger)}",
            "",
        ]
    return lines


def _errors(law: Law, claims: Claims, ledger: Mapping[str, Entry]) -> list[str]:
    found: dict[tuple[str, Term], dict[str, list[str]]] = {}
    for name, part in _formals(claims):
        if isinstance(part, Mse) and part.law == law and part.formula is not None:
            found.setdefault((part.item, part.formula), {}).setdefault(part.data, []).append(name)
    if not found:
        return []
    lines = ["### Mean squared errors", "", "Every formula stated of this table, printed or corrected.", ""]
    about = {"fixed": "Fixed data set", "iid": "Independent users of one population"}
    for (item, formula), by_data in sorted(found.items(), key=lambda entry: entry[0][0] != "sensitive"):
        mse = rf"\mathrm{{MSE}}[\hat f_x] = {latex(folded(formula, law))}"
        lines += [f"For a {_item(item)} item:", "", *display(mse)]
        lines += [f"- {about[data]}: {_judged(names, ledger)}" for data, names in by_data.items()] + [""]
    return lines


def _judged(names: Iterable[str], ledger: Mapping[str, Entry]) -> str:
    return ", ".join(f"{reference(n)} {badge(ledger[n].verdict)}" for n in dict.fromkeys(names))


def _item(item: str) -> str:
    return "sensitive" if item == "sensitive" else "non-sensitive"


def _formals(claims: Claims) -> Iterator[tuple[str, Formal]]:
    for claim in claims:
        for name, statement in claim.formals():
            for part in statement.parts if isinstance(statement, All) else (statement,):
                yield name, part


def _mechanism(shown: Shown) -> Any:
    e = shown.example
    extra: dict[str, Any] = dict.fromkeys(shown.law.parameters, THETA)
    return mechanism(shown.law, shown.view, e.m, ItemDomain.of_sizes(e.k, e.n), fmpq(e.root), **extra)


def _example(shown: Shown) -> list[str]:
    law, e = shown.law, shown.example
    domain = ItemDomain.of_sizes(e.k, e.n)
    extra: dict[str, Any] = dict.fromkeys(law.parameters, THETA)
    channel = law_channel(law, shown.view, e.m, range(e.m, e.m + 1), domain, fmpq(e.root), **extra)
    at = f"$m={e.m}$, sensitive {items(range(e.k))}" + (
        f", not sensitive {items(range(e.k, e.k + e.n))}" if e.n else ""
    )
    at += f", ${latex(law.root)}={e.root}$" + "".join(f", ${latex(var(n))}={fraction(THETA)}$" for n in law.parameters)
    if law.e_eps != var("w") ** term(1):
        at += f" ($e^\\epsilon={fraction(law.e_eps.evaluate({law.base: fmpq(e.root), 'm': e.m}))}$)"
    outputs = sorted({canonical(y) for row in channel.rows.values() for y in row}, key=lambda y: (len(y[1]), str(y)))
    rows = []
    for y in outputs:
        chances = [{canonical(z): p for z, p in row.items()}.get(y, 0) for row in channel.rows.values()]
        rows.append([output(y, law, shown.view), *(exact(p) for p in chances)])
    header = ["report", *(items(sorted(s, key=str)) for s in channel.inputs)]
    lead = f"{at}; {VIEWS[shown.view]}. Columns are the inputs; enumerated from the program."
    return ["### Exact example", "", lead, "", *table(header, rows, "l" + "c" * len(channel.inputs))]


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
