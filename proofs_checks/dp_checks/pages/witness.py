"""Refutations in words: the smallest counterexample of a statement, with its exact numbers."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from dp_checks.check import channels
from dp_checks.check.channel_pool import inputs_of
from dp_checks.pages import arcs, divergences, errors, messages, sentences, sketches, subsets
from dp_checks.pages.notation import exact, fraction, items, latex, output, protected, table
from dp_checks.pages.statements import predicate
from dp_checks.pages.witness_numbers import (
    count_law,
    e_epsilon,
    padded_mean,
    rational,
    report_law,
    stated_count_law,
    stated_mean,
)
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.statement import (
    All,
    BernoulliSum,
    Completions,
    Computable,
    Definition,
    Exceeds,
    Mse,
    Padding,
    ProductForm,
    Ratio,
    Smallest,
    Statement,
    Unbiased,
)
from dp_spec.vocabulary.term import var

Data = Mapping[str, Any]
FAMILIES: tuple[Any, ...] = (errors, arcs, divergences, messages, sentences, sketches, subsets)
"""Modules that word the counterexamples of their own types of statement."""


def _in_full(data: Data) -> Data:
    """The data with those of the case that is shown."""
    return {**data, **data.get("case", {})}


def witness(statement: Formal, data: Data) -> list[str]:
    """The counterexample as Markdown lines; nothing for a statement that was not refuted."""
    if not isinstance(statement, Statement) or not data:
        return []
    lines = _lines(statement, _in_full(data))
    return lines if lines is not None else [f"Witness: `{dict(data)}`", ""]


@cache
def examples(statement: Definition) -> tuple[str, ...]:
    """An example that a definition accepts, and one that it rejects."""
    accepted, rejected = (channel_table(listed[0]) for listed in channels.examples(statement))
    return "It accepts this channel.", "", *accepted, "It rejects this one.", "", *rejected


def one_line(statement: Formal, data: Data) -> str:
    """The counterexample in one line."""
    data = _in_full(data)
    for family in FAMILIES:
        line: str | None = family.one_line(statement, data) if isinstance(statement, Statement) else None
        if line is not None:
            return line
    match statement:
        case All():
            return one_line(statement.parts[data["part"]], data["evidence"])
        case Exceeds():
            return f"{instance(statement.law, data['instance'])}: no compared ratio exceeds $e^\\epsilon$"
        case Smallest() if not statement.cases:
            return (
                f"{instance(statement.law, data['instance'])}: the smallest constant is {_smallest(data)}, "
                f"not {exact(data['stated'])}"
            )
        case Ratio() if not statement.cases:
            law, at = statement.law, data["instance"]
            y = output(data["output"], law, statement.view, alone=statement.relation == "marginal")
            return (
                f"{instance(law, at)}: {y} has probability {exact(data['probability'])} from $s$ = {items(data['s'])}, "
                f"{exact(data['other_probability'])} from $s'$ = {items(data['other'])}, {_against(law, at, data)}"
            )
        case Mse():
            return f"{_where(statement, data)}: the MSE is {exact(data['exact'])}, not {exact(data['stated'])}"
        case Unbiased():
            where = _where(statement, data)
            return f"{where}: the expected estimate is {exact(data['exact'])}, $f_x$ is {exact(data['stated'])}"
        case BernoulliSum():
            return f"{_where(statement, data)}: $F_x$ has another law"
        case Padding():
            where = f"{instance(statement.law, data['instance'])}, a user with $s$ = {items(data['s'])}"
            exactly, stated = exact(padded_mean(statement, data)), exact(stated_mean(statement, data))
            return f"{where}: the expected estimate for item ${data['item']}$ is {exactly}, not {stated}"
        case Computable():
            z, v = (_slots(r) for r in (data["first"], data["second"]))
            same = f"the results {z} and {v} give the same report"
            return f"{same}, but hold item ${data['item']}$ a different number of times"
        case ProductForm():
            law = statement.law
            return (
                f"{instance(law, data['instance'])}: no matching gives the ratio of "
                f"{protected(data['output'], law, statement.view)} for {items(data['s'])} and {items(data['other'])}"
            )
    if "channel" in data:
        c = data["channel"]
        sizes = f"$K={c['K']}$, $N={c['N']}$, $e^\\epsilon={fraction(c['e_eps'])}$"
        if isinstance(statement, Completions):
            return (
                f"{' and '.join(f'*{name}*' for name in statement.readings)} differ on the channel with {sizes} "
                f"({_columns(c)})"
            )
        return f"the channel with {sizes} ({_columns(c)}) has every premise, but not {_missing(statement)}"
    return "see the claim"


def instance(law: Law, at: Data) -> str:
    """The sizes and the budget of an instance; items 0..K-1 are the sensitive ones."""
    k, n = at["K"], at["N"]
    text = [f"$m={at['m']}$", f"$K={k}$", *([f"$N={n}$"] if law.r is not None else [])]
    root, e_eps = latex(var(law.base)), e_epsilon(law, at)
    text.append(
        f"${root}={fraction(at[law.base])}$"
        + (f" ($e^\\epsilon={fraction(e_eps)}$)" if str(e_eps) != at[law.base] else "")
    )
    text += [f"${latex(var(name))}={fraction(at[name])}$" for name in law.parameters]
    if "order" in at:
        text.append(f"items processed in the order {', '.join(map(str, at['order']))}")
    return ", ".join(text)


def _columns(c: Data) -> str:
    """A small channel in running text: the law of the output for every input."""
    laws = []
    for s, row in zip(inputs_of(c), c["rows"], strict=True):
        outputs = [f"({_output_text(y)}) with {exact(p)}" for y, p in zip(c["outputs"], row, strict=True) if p != "0"]
        laws.append(f"from {items(s)}: {', '.join(outputs)}")
    return "; ".join(laws)


def _missing(statement: Formal) -> str:
    return " or not ".join(f"*{predicate(name)}*" for name in getattr(statement, "conclusions", ()))


def channel_table(c: Data) -> list[str]:
    """A finite channel: inputs as columns, outputs as rows."""
    header = ["output", *(items(s) for s in inputs_of(c))]
    rows = []
    for y, column in zip(c["outputs"], zip(*c["rows"], strict=True), strict=True):
        rows.append([_output_text(y), *(exact(p) for p in column)])
    lead = (
        f"A channel with $e^\\epsilon={fraction(c['e_eps'])}$; sensitive: {items(range(c['K']))}, "
        f"not sensitive: {items(range(c['K'], c['K'] + c['N']))}; columns are the inputs $s$:"
    )
    return [lead, "", *table(header, rows, "l" + "c" * len(c["rows"]))]


def _lines(statement: Statement, data: Data) -> list[str] | None:
    for family in FAMILIES:
        worded: list[str] | None = family.lines(statement, data)
        if worded is not None:
            return worded
    match statement:
        case All():
            part = statement.parts[data["part"]]
            return [f"Part {data['part'] + 1} fails.", "", *witness(part, data["evidence"])]
        case Exceeds():
            return [f"At {instance(statement.law, data['instance'])} no compared ratio exceeds $e^\\epsilon$.", ""]
        case Smallest() if not statement.cases:
            rows = [["exact smallest constant", _smallest(data)], ["as stated", exact(data["stated"])]]
            return [*_at(statement.law, data["instance"]), *table(["", "value"], rows, "lc")]
        case Ratio() if not statement.cases:
            return _ratio(statement, data)
        case Mse() | Unbiased():
            return _moment(statement, data)
        case BernoulliSum():
            return _count(statement, data)
        case ProductForm():
            return _product(statement, data)
        case Computable():
            results = [
                [items(s), _slots(z), f"${z.count(data['item'])}$"]
                for s, z in ((data["s"], data["first"]), (data["other"], data["second"]))
            ]
            lead = f"Items {items(range(data['instance']['K']))} are sensitive. These results can show the same report:"
            return [lead, "", *table(["set", "results", f"$F_{{{data['item']}}}$"], results, "lcc")]
        case Padding():
            return _padding(statement, data)
    if "channel" in data:
        if isinstance(statement, Completions):
            has = "every premise, and " * bool(statement.premises)
            return [*channel_table(data["channel"]), f"It has {has}one of the two readings and not the other.", ""]
        failed = [f"*{predicate(p)}*" for p in getattr(statement, "conclusions", ())]
        after = [f"It has every premise, and violates {' or '.join(failed)}.", ""] if failed else []
        return [*channel_table(data["channel"]), *after]
    return None


def _at(law: Law, at: Data) -> list[str]:
    k, n = at["K"], at["N"]
    others = f", not sensitive: {items(range(k, k + n))}" if n else ""
    return [f"At {instance(law, at)}; sensitive: {items(range(k))}{others}.", ""]


def _ratio(statement: Ratio, data: Data) -> list[str]:
    law, at = statement.law, data["instance"]
    y = output(data["output"], law, statement.view, alone=statement.relation == "marginal")
    rows = [
        [f"$s$ = {items(data['s'])}", exact(data["probability"])],
        [f"$s'$ = {items(data['other'])}", exact(data["other_probability"])],
        ["ratio", _quotient(data)],
        ["allowed: $e^\\epsilon$", exact(e_epsilon(law, at))],
    ]
    return [*_at(law, at), *table(["input", f"probability of {y}"], rows, "lc")]


def _quotient(data: Data) -> str:
    q = rational(data["other_probability"])
    return exact(rational(data["probability"]) / q) if q != 0 else "unbounded"


def _against(law: Law, at: Data, data: Data) -> str:
    return f"ratio {_quotient(data)} against $e^\\epsilon={fraction(e_epsilon(law, at))}$"


def _where(statement: Unbiased | BernoulliSum, data: Data) -> str:
    if "population" in data:
        held = " or ".join(f"{items(s)} with probability {exact(p)}" for s, p in data["population"])
        users = f"$n={data['instance']['n']}$, users hold {held}"
    else:
        users = "one user with " + " and one with ".join(items(s) for s in data.get("users", [data.get("s")]))
    return f"{instance(statement.law, data['instance'])}, {users}, item ${data['item']}$"


def _moment(statement: Unbiased, data: Data) -> list[str]:
    names = (
        ("exact MSE", "MSE as stated") if isinstance(statement, Mse) else ("exact expectation of the estimate", "$f_x$")
    )
    rows = [[names[0], exact(data["exact"])], [names[1], exact(data["stated"])]]
    return [f"At {_where(statement, data)}:", "", *table(["", "value"], rows, "lc")]


def _count(statement: BernoulliSum, data: Data) -> list[str]:
    law, at, x = statement.law, data["instance"], data["item"]
    s = data["s"]
    actual, stated = count_law(law, statement.view, at, s, x), stated_count_law(law, at, x in s)
    rows = [
        [f"$F_x={c}$", exact(actual.get(c, 0)), exact(stated.get(c, 0))] for c in sorted(actual.keys() | stated.keys())
    ]
    return [f"At {_where(statement, data)}:", "", *table(["", "exact probability", "as stated"], rows, "lcc")]


def _product(statement: ProductForm, data: Data) -> list[str]:
    law, at = statement.law, data["instance"]
    y = (tuple(data["output"][0]), ())
    p, q = (report_law(law, statement.view, at, s)[y] for s in (data["s"], data["other"]))
    rows = [
        [f"$s$ = {items(data['s'])}", exact(p)],
        [f"$s'$ = {items(data['other'])}", exact(q)],
        ["ratio", exact(p / q)],
    ]
    name = protected(data["output"][0], law, statement.view)
    lines = [*_at(law, at), *table(["input", f"probability of {name}"], rows, "lc")]
    return [*lines, "No matching of the results to the items of $s$ and of $s'$ gives this ratio as a product.", ""]


def _padding(statement: Padding, data: Data) -> list[str]:
    rows = [
        [f"exact expectation of the estimate for item ${data['item']}$", exact(padded_mean(statement, data))],
        ["as stated", exact(stated_mean(statement, data))],
    ]
    lead = f"At {instance(statement.law, data['instance'])}, a user with $s$ = {items(data['s'])}:"
    return [lead, "", *table(["", "value"], rows, "lc")]


def _slots(outcome: Any) -> str:
    """The results of all slots; an item that is shown stands before the one that fills its slot."""
    return f"$({', '.join(f'({z[0]}, {z[1]})' if isinstance(z, list | tuple) else str(z) for z in outcome)})$"


def _smallest(data: Data) -> str:
    return "unbounded" if data["exact"] == "unbounded" else exact(data["exact"])


def _output_text(y: Any) -> str:
    y0, kept = y
    listed = isinstance(y0, list | tuple)
    if listed and len(y0) == 2 and all(isinstance(end, str) for end in y0):
        return f"$[{fraction(y0[0])},\\,{fraction(y0[1])})$"
    text = r"\bot" if y0 is None else rf"\{{{', '.join(map(str, y0))}\}}" if listed else str(y0)
    return f"$y_0={text}$, $I$ = {items(kept)}"
