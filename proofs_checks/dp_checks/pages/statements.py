"""What is formally checked, printed from the statement that is checked."""

from collections.abc import Mapping

from dp_checks.pages import arcs, divergences, errors, messages, sentences, sketches, subsets
from dp_checks.pages.estimators import MOMENTS, estimated, moment, ratio, smallest
from dp_checks.pages.notation import COMPARED, display, folded, in_a_line, indefinite, inline, latex
from dp_checks.pages.subjects import Words, about, followed
from dp_checks.registry import Key, entry_of, joined, keyed
from dp_spec.vocabulary.claim import Formal, Unchecked
from dp_spec.vocabulary.error_statements import Variance
from dp_spec.vocabulary.law import Estimator, Law
from dp_spec.vocabulary.statement import (
    All,
    BernoulliSum,
    Completions,
    Computable,
    Definition,
    Exceeds,
    Frequencies,
    Implies,
    Instances,
    Mse,
    Not,
    Padding,
    ProductForm,
    Ratio,
    Smallest,
    Statement,
    Unbiased,
    Unbounded,
)

PREDICATES: Mapping[str, str] = {
    "ldp": "(1), $\\epsilon$-LDP",
    "ldp-events": "(1) for all sets of outputs instead of single ones",
    "split-2": "(1) with $e^{2\\epsilon}$ for sets of two items, run on each",
    "split-3": "(1) with $e^{3\\epsilon}$ for sets of three items, run on each",
    "uldp-inversion": "(2), (3): an output with invertible data has exactly one input, the one it shows",
    "uldp-inversion-rows": "(2), (3) by inputs: all invertible data that an input shows are itself, not sensitive",
    "uldp-protection": "(4) for outputs without invertible data",
    "uldp-protection-events": "(4) for sets of outputs without invertible data",
    "eq9-membership": "(9): every non-sensitive item held is emitted with positive probability",
    "eq9-sets": "(9) by sets: what some report of $s$ shows contains what any report shows of $s_{\\rm non}$",
    "eq9-coordinate-some": "(9): some coordinate $y_i$ is the item with positive probability",
    "eq9-coordinate-every": "(9): every coordinate that a report of $s$ has is the item with positive probability",
    "eq10-membership": "(10): no non-sensitive item is emitted that is not held",
    "eq10-sets": "(10) by sets: what the reports of $s$ show lies within $s_{\\rm non}$",
    "eq10-coordinate": "(10): no coordinate $y_i$ is ever an item that is not held",
    "eq11-marginal": "(11), `marginal`",
    "eq11-marginal-nonempty": "(11), `marginal`, reports without a sensitive element left out",
    "eq11-joint": "(11), `joint`",
    "eq11-deniability": "(11), `deniability`",
    "eq11-samenon": "(11), `samenon`",
    **{
        f"eq11-{r}-events": f"(11), `{r}`, for sets of the outputs that are compared"
        for r in ("marginal", "joint", "deniability", "samenon")
    },
    "one-image": "the inputs that may emit a datum are those that hold one item, its own",
    "unmixed-inputs": "no input holds both a sensitive and a non-sensitive item",
    "fixed-t": "the number $t$ of emitted items is the same in all reports of an input",
    "random-t": "$t$ is never more than the number of non-sensitive items held",
}
"""The predicates on channels, by the name certificates use."""


BRIEF = 3
"""Statements about errors with more parts than that are printed in one line a part."""


def formal(statement: Formal) -> list[str]:
    """The statement as Markdown lines. An unknown kind prints its name, so that a new one is seen, not lost."""
    if isinstance(statement, Unchecked):
        return [f"No formal statement: {statement.reason}.", ""]
    worded = entry_of(FORMAL, statement)
    return [f"A statement of type `{statement.type}`.", ""] if worded is None else worded(statement)


def _completions(statement: Completions) -> list[str]:
    lines = [f"- *{name}*: A channel has this when {predicate(form)}." for name, form in statement.readings.items()]
    premises = [predicate(p) for p in statement.premises]
    scope = f" For channels with {indefinite(premises)}:" if premises else ""
    return [f"Two completions of the print.{scope}", "", *lines, ""]


def _not(statement: Not) -> list[str]:
    denied = _brief(statement.of, False) or formal(statement.of)
    return ["It is not so that:", "", *(f"> {line}".rstrip() for line in denied), ""]


def _brief(part: Statement, many: bool) -> list[str]:
    """One line for a part that is about errors and one of many, or about quantities."""
    line = errors.brief(part) if many or getattr(part, "quantities", None) else None
    return [] if line is None else [line]


def _unbounded(statement: Unbounded) -> list[str]:
    return [f"No constant $C$ has {COMPARED[statement.relation]}.", ""]


def _exceeds(statement: Exceeds) -> list[str]:
    return [f"No: some ratio exceeds $C = {latex(statement.law.e_eps)}$ in {COMPARED[statement.relation]}.", ""]


def _unbiased(statement: Unbiased) -> list[str]:
    lead = f"For a {_item(statement.item)} item, unbiased for every data set:"
    return [lead, "", *display(estimate(statement.estimator, statement.law))]


def _definition(statement: Definition) -> list[str]:
    forms = "; equivalently: ".join(predicate(f) for f in statement.forms)
    return [f"A predicate on channels: {forms}.", ""]


def _implies(statement: Implies) -> list[str]:
    premises, conclusions = (
        indefinite([predicate(p) for p in side]) for side in (statement.premises, statement.conclusions)
    )
    inputs = {
        "m-sets": "sets of one size",
        "singletons": "single items",
        "sets as items": "sets, each seen as an item,",
    }
    return [
        f"Every channel on {inputs[statement.inputs]} with {premises} also has {conclusions}, "
        "for the same $e^\\epsilon$.",
        "",
    ]


def _padding(statement: Padding) -> list[str]:
    how = "sampled down" if statement.law.brought == ("sampled",) else "filled up with items drawn from the rest of $X$"
    mean = inline(statement.mean)
    return [f"A user's expected estimate of $f_x$, after the set is {how} to $m$ items, is {mean}.", ""]


def in_one_line(statement: Formal) -> str:
    """A statement as running text."""
    parts = [errors.brief(part) for part in (statement.parts if isinstance(statement, All) else (statement,))]
    lines = [part for part in parts if part is not None]
    return "; ".join(lines) if lines and len(lines) == len(parts) else in_a_line(formal(statement))


def predicate(name: str) -> str:
    """A predicate on channels in words."""
    return PREDICATES.get(name, f"`{name}`")


def estimate(estimator: Estimator, law: Law) -> str:
    """The estimator as LaTeX, in the p, q and r of the law's table."""
    return rf"\hat f_x = {latex(folded(estimated(estimator), law))}"


def _all(statement: All) -> list[str]:
    several = isinstance(statement, Instances)
    lines = ["Instances of what is said of all sizes:" if several else "All of:", ""]
    for part in statement.parts:
        first, *rest = _brief(part, len(statement.parts) > BRIEF) or formal(part)
        lines += [f"- {first}", *(f"  {line}" if line else "" for line in rest)]
    return [*lines, ""]


def _mse(statement: Mse) -> list[str]:
    data = (
        "a fixed data set of $n$ users"
        if statement.data == "fixed"
        else "$n$ users drawn independently from a population"
    )
    lead = f"For a {_item(statement.item)} item and {data}, the estimator"
    lines = [lead, "", *display(estimate(statement.estimator, statement.law))]
    if statement.formula is not None:
        formula = latex(folded(statement.formula, statement.law))
        lines += [f"has the {MOMENTS[statement.type][0]}", "", *moment(statement, formula)]
    return lines


def _item(item: str) -> str:
    return "sensitive" if item == "sensitive" else "non-sensitive"


def _told(text: str) -> Words:
    """The same sentence of every statement of a class."""
    return lambda statement: [text, ""]


_OF_LAWS: Mapping[type, Words] = {
    BernoulliSum: _told(
        "$F_x$ is a sum of independent Bernoulli variables: $n f_x$ with $p$ and $n(m-f_x)$ with $q$.",
    ),
    Computable: _told("The server can compute $F_x$, the number of results equal to $x$, from the reports."),
    Exceeds: _exceeds,
    Frequencies: _told("For every data set of at most three users the $f_x$, counted item by item, sum to $m$."),
    Mse: _mse,
    Padding: _padding,
    ProductForm: _told(
        "Ratios of report probabilities are products of ratios of table entries, results matched to items.",
    ),
    Ratio: ratio(),
    Smallest: smallest(),
    Unbiased: _unbiased,
    Unbounded: _unbounded,
    Variance: _mse,
}
FORMAL: dict[Key, Words] = joined(
    keyed(
        {
            All: _all,
            Completions: _completions,
            Definition: _definition,
            Implies: _implies,
            Instances: _all,
            Not: _not,
        }
    ),
    followed(_OF_LAWS, about),
    *(module.FORMAL for module in (arcs, divergences, errors, messages, sentences, sketches, subsets)),
)
"""The words of all classes of statements, from the tables beside them."""
