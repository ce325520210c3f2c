"""What is formally checked, printed from the statement that is checked."""

from collections.abc import Mapping
from typing import Any

from dp_checks.report import arcs, errors, subsets
from dp_checks.report.notation import COMPARED, SIZES, VIEWS, display, folded, indefinite, inline, latex
from dp_checks.report.ranges import constraint, domain
from dp_spec.vocabulary.claim import Formal, Unchecked
from dp_spec.vocabulary.law import Estimator, Law
from dp_spec.vocabulary.statement import (
    All,
    BernoulliSum,
    Compare,
    Completions,
    Computable,
    Definition,
    Exceeds,
    Formula,
    Implies,
    Independent,
    Invertible,
    InvertibleWithin,
    Mse,
    NoChannel,
    Padding,
    ProductForm,
    Ratio,
    SmallerOrder,
    Smallest,
    Unbiased,
    Unbounded,
    Unique,
    Vanishing,
)
from dp_spec.vocabulary.term import Term, term, var

RELATIONS = {"eq": "=", "le": r"\le", "lt": "<"}
PREDICATES: Mapping[str, str] = {
    "ldp": "(1), $\\epsilon$-LDP",
    "ldp-events": "(1) for every event",
    "ldp-density": "(1) for densities",
    "uldp-inversion": "(2), (3): an output with invertible data has exactly one input, the one it shows",
    "uldp-protection": "(4) for outputs without invertible data",
    "eq9-membership": "(9): every non-sensitive item held is emitted with positive probability",
    "eq9-coordinate": "(9) coordinate by coordinate",
    "eq10-membership": "(10): no non-sensitive item is emitted that is not held",
    "eq10-coordinate": "(10) coordinate by coordinate",
    "eq11-marginal": "(11), `marginal`",
    "eq11-marginal-nonempty": "(11), `marginal`, reports without a sensitive element left out",
    "eq11-joint": "(11), `joint`",
    "eq11-deniability": "(11), `deniability`",
    "eq11-samenon": "(11), `samenon`",
    "mixed-input": "some input holds a sensitive and a non-sensitive item",
    "varying-t": "the number $t$ of emitted items varies",
    "random-t": "$t$ is never more than the number of non-sensitive items held",
}
"""The predicates on channels, by the name certificates use."""


BRIEF = 3
"""Statements about errors with more parts than that are printed in one line a part."""


def formal(statement: Formal) -> list[str]:
    """The statement as Markdown lines. An unknown kind prints its name, so that a new one is seen, not lost."""
    on_arcs = arcs.formal(statement)
    if on_arcs is not None:
        return [*on_arcs, *_about(statement)] if hasattr(statement, "law") else on_arcs
    families: tuple[Any, ...] = (errors, subsets)
    for family in families:
        found: list[str] | None = family.formal(statement)
        if found is not None:
            return found
    match statement:
        case Unchecked():
            return [f"No formal statement: {statement.reason}.", ""]
        case All():
            return _all(statement)
        case Completions():
            lines = ["Two completions of the print:", ""]
            for name, part in statement.completions.items():
                lines += [f"- *{name}*: " + " ".join(line for line in formal(part) if line)]
            return [*lines, ""]
        case Smallest():
            lead = rf"The smallest constant $C$ with {COMPARED[statement.relation]} is"
            return [lead, "", *display(rf"C = {latex(statement.constant)}"), *_about(statement)]
        case Unbounded():
            return [f"No constant $C$ has {COMPARED[statement.relation]}.", "", *_about(statement)]
        case Exceeds():
            return [
                f"No: some ratio exceeds $C = {latex(statement.law.e_eps)}$ in {COMPARED[statement.relation]}.",
                "",
                *_about(statement),
            ]
        case Ratio():
            return [
                f"{COMPARED[statement.relation]}, with $C = e^\\epsilon = {latex(statement.law.e_eps)}$.",
                "",
                *_about(statement),
            ]
        case Mse():
            return _mse(statement)
        case Unbiased():
            lines = [
                f"For a {_item(statement.item)} item, unbiased for every data set:",
                "",
                *display(estimate(statement.estimator, statement.law)),
            ]
            return [*lines, *_about(statement)]
        case BernoulliSum():
            text = "$F_x$ is a sum of independent Bernoulli variables: $n f_x$ with $p$ and $n(m-f_x)$ with $q$."
            return [text, "", *_about(statement)]
        case ProductForm():
            return [
                "Ratios of report probabilities are products of ratios of table entries, results matched to items.",
                "",
                *_about(statement),
            ]
        case Compare() | SmallerOrder():
            smaller = "is smaller than" if isinstance(statement, Compare) else "has a smaller order in $m$ than"
            left, right = (f"`{s.law.mechanism}` ({VIEWS[s.view]})" for s in (statement.left, statement.right))
            return [f"The exact MSE of {left} {smaller} that of {right}{domain(statement.domain)}.", ""]
        case Formula():
            lines = [rf"{latex(a)} {RELATIONS[op]} {latex(b)}" for op, a, b in statement.relations]
            body = r" \\ ".join(lines)
            return [
                f"All of these hold{domain(statement.domain)}:",
                "",
                *display(rf"\begin{{gathered}} {body} \end{{gathered}}"),
            ]
        case Vanishing():
            listed = ", ".join(inline(t) for t in statement.terms)
            return [
                f"As ${statement.variable}\\to\\infty$ each of these tends to 0{domain(statement.domain)}: {listed}.",
                "",
            ]
        case Independent():
            listed = ", ".join(inline(t) for t in statement.terms)
            return [f"None of these depends on {indefinite([f'${v}$' for v in statement.variables])}: {listed}.", ""]
        case Invertible():
            at = r"$\epsilon>0$" if statement.epsilon == "positive" else r"$\epsilon=0$"
            chance = (
                ""
                if statement.probability is None
                else f" (with probability {inline(folded(statement.probability, statement.law))})"
            )
            text = (
                f"At {at} a non-sensitive item is emitted with positive probability{chance} if and only if it is held."
            )
            return [text, "", *_about(statement)]
        case InvertibleWithin():
            return [
                "The invertible data are non-sensitive items of $s$, and the report shows which.",
                "",
                *_about(statement),
            ]
        case Computable():
            return [
                "The server can compute $F_x$, the number of results equal to $x$, from the reports.",
                "",
                *_about(statement),
            ]
        case Definition():
            return [f"A predicate on channels: {indefinite([predicate(f) for f in statement.forms])}.", ""]
        case Implies():
            premises, conclusions = (
                indefinite([predicate(p) for p in side]) for side in (statement.premises, statement.conclusions)
            )
            inputs = "sets of one size" if statement.inputs == "m-sets" else "single items"
            return [
                f"Every channel on {inputs} with {premises} also has {conclusions}, for the same $e^\\epsilon$.",
                "",
            ]
        case NoChannel():
            return [f"No channel has all of: {'; '.join(predicate(p) for p in statement.predicates)}.", ""]
        case Unique():
            return ["Under (9) and (10) an emitted datum is the image of exactly one item, and that item is held.", ""]
        case Padding():
            how = "sampled down" if statement.mode == "long" else "filled up with items drawn from the rest of $X$"
            mean = inline(statement.mean)
            text = f"A user's expected estimate of $f_x$, after the set is {how} to $m$ items, is {mean}."
            return [text, "", *_about(statement)]
    return [f"A statement of type `{statement.type}`.", ""]


def predicate(name: str) -> str:
    """A predicate on channels in words."""
    return PREDICATES.get(name, f"`{name}`")


def estimate(estimator: Estimator, law: Law) -> str:
    """The estimator as LaTeX, in the p, q and r of the law's table."""
    counted: Term = var("count") / var("n")
    if estimator.offset != term(0):
        counted = counted - estimator.offset
    if estimator.per_invertible is not None:
        counted = counted - estimator.per_invertible * var("invertible") / var("n")
    return rf"\hat f_x = {latex(folded(counted / estimator.slope, law))}"


def _all(statement: All) -> list[str]:
    lines = ["All of:", ""]
    for part in statement.parts:
        brief = errors.brief(part) if len(statement.parts) > BRIEF else None
        first, *rest = [brief] if brief is not None else formal(part)
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
        name, symbol = ("variance", "Var") if statement.type == "variance" else ("mean squared error", "MSE")
        error = latex(folded(statement.formula, statement.law))
        lines += [f"has the {name}", "", *display(rf"\mathrm{{{symbol}}}[\hat f_x] = {error}")]
    return [*lines, *_about(statement)]


def _item(item: str) -> str:
    return "sensitive" if item == "sensitive" else "non-sensitive"


def _about(statement: object) -> list[str]:
    """What the statement is about: law, view, sets, constraints on the sizes, what is counted."""
    law: Law = statement.law  # type: ignore[attr-defined]
    view: str = statement.view  # type: ignore[attr-defined]
    words = [f"law `{law.mechanism}`", VIEWS.get(view, f"view `{view}`")]
    sizes = getattr(statement, "sizes", None)
    if sizes is not None:
        words.append(SIZES[sizes])
    where = [constraint(c) for c in getattr(statement, "where", ())]
    if where:
        words.append("where " + indefinite(where))
    if getattr(statement, "counted", "all") == "nonempty":
        words.append("reports without a sensitive element are not counted")
    if getattr(statement, "any_order", False):
        words.append("for every fixed order in which the items of a set may be processed")
    for name in law.parameters:
        words.append(f"for every $0<{latex(var(name))}<1$")
    return [f"*{'; '.join(words)}.*", ""]
