"""Statements and counterexamples about explicit matrices in words: best linear estimates, strategies that dominate."""

from collections.abc import Mapping
from typing import Any

from flint import fmpq

from dp_checks.check.matrices import ends, least_variances, query_at, variance
from dp_checks.pages import additive
from dp_checks.pages.notation import inline, latex
from dp_checks.pages.subjects import Words
from dp_checks.registry import Key, keyed
from dp_spec.vocabulary.matrix_statements import BestLinear, Dominates
from dp_spec.vocabulary.term import Term, var

Data = Mapping[str, Any]
EVIDENCE: Mapping[str, str] = {
    "row space": "For every query a vector $x$: the weights of its estimate, times the variances of the answers, are "
    "$x^TA^T$. The kernel multiplies this out, and that the estimates are unbiased; by the card *projection* no other "
    "unbiased linear estimate has less variance.",
    "better estimate": "Weights for one query, the first one that has such: they make an unbiased estimate, of less "
    "variance than the stated one.",
    "biased estimate": "One query whose estimate has another expectation than the query.",
    "sum of squares": "A lower triangular matrix $L$ with ones on its diagonal and numbers $D\\ge0$. The kernel "
    "multiplies out that $LDL^T$ is $c\\,A^TA-B^TB$, of the queries of both strategies over the scales of their noise; "
    "by the card *projection* no linear query has a variance above $c$ times that of the other strategy.",
    "negative direction": "A vector $x$ with $x^T(c\\,A^TA-B^TB)\\,x<0$, of the queries of both strategies over the "
    "scales of their noise: for the query $x^TB^TB$ the constant $c$ is too small.",
}
"""Kinds of evidence of this family: what each shows."""
SHORT = 16
"""Longer vectors are not written out."""


def _best_linear(statement: BestLinear) -> list[str]:
    size, number = len(statement.workload[0]), len(statement.workload)
    ranges = {ends(query) for query in statement.workload}
    all_ranges = None not in ranges and len(ranges) == size * (size + 1) // 2 == number
    queries = f"any of the {number} ranges" if all_ranges else f"any of {number} queries"
    answers = f"{len(statement.estimates[0])} noisy answers of {additive.name(statement.strategy)}"
    return [
        f"{_tree(statement.at)}: no unbiased linear estimate of {queries} of {size} counts from the {answers} has less "
        "variance than the stated one, which is unbiased.",
        "",
    ]


def _dominates(statement: Dominates) -> list[str]:
    one, other = (additive.name(law) for law in (statement.strategy, statement.other))
    return [
        f"{_tree(statement.at)}: for every linear query of the counts the least variance of an unbiased linear "
        f"estimate from the noisy answers of {one} is at most {inline(statement.factor)} times that from those of "
        f"{other}.",
        "",
    ]


def one_line(statement: object, data: Data) -> str | None:
    """The counterexample in one line; None for other statements."""
    match statement:
        case BestLinear():
            asked, row = statement.workload[data["query"]], statement.estimates[data["query"]]
            if "better" not in data:
                return f"the estimate of {_query(asked)} with the weights {_vector(row)} is biased"
            better = tuple(fmpq(*map(int, str(x).split("/"))) for x in data["better"])
            less, more = (_number(variance(statement, weights)) for weights in (better, row))
            return f"{_query(asked)} has an unbiased estimate of variance {less}, not {more}: weights {_vector(better)}"
        case Dominates():
            asked = query_at(statement, data["vector"])
            found, other = (_number(x) for x in least_variances(statement, asked))
            return (
                f"for {_query(asked)} the least variances are {found} and {other}: more than "
                f"{inline(statement.factor)} times as large"
            )
    return None


def lines(statement: object, data: Data) -> list[str] | None:
    """The counterexample as Markdown lines; None for other statements."""
    found = one_line(statement, data)
    return None if found is None else [f"{found[0].upper()}{found[1:]}.", ""]


def _tree(at: Mapping[str, Term]) -> str:
    return "For " + ", ".join(f"${latex(var(x), additive.HEIGHTS)}={latex(t)}$" for x, t in at.items())


def _query(asked: tuple[fmpq, ...]) -> str:
    """A range by its ends, another query by its weights."""
    found = ends(asked)
    return f"the query {_vector(asked)}" if found is None else f"the range $[{found[0]},{found[1]}]$"


def _vector(row: tuple[fmpq, ...]) -> str:
    if len(row) > SHORT:
        return f"of the certificate ({len(row)} numbers)"
    return f"$({', '.join(map(str, row))})$"


def _number(x: fmpq | None) -> str:
    return "infinite (there is no such estimate)" if x is None else f"${x}$"


_WORDS: Mapping[type, Words] = {BestLinear: _best_linear, Dominates: _dominates}
FORMAL: dict[Key, Words] = keyed(_WORDS)
"""What statements of this family say."""
