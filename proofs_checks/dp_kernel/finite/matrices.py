"""Statements about the explicit matrices of additive laws at numbers: best linear estimates, and strategies that are
never much worse than others. A X = B and L D L^T are multiplied out over Q."""

from typing import Any

from dp_kernel.cards import noise
from dp_kernel.cards.projection import require_semidefinite
from dp_kernel.certificate import schema
from dp_kernel.certificate.schema import Kind
from dp_kernel.formulas.domains import Region
from dp_kernel.formulas.terms import evaluate
from dp_kernel.laws.additive import LAW, places, queries, require_rows
from dp_kernel.meter import applied, require
from dp_kernel.numbers.json_numbers import dot, integer, products, rational


def columns(law: Any, at: Any) -> tuple[Any, Any]:
    """A by columns, rows over the scales of their Laplace noise: all variances are 2 then; and the scales."""
    values = {name: evaluate(tree, {}) for name, tree in at.items()}
    require_rows(law, Region(values, {}))
    noise.times_variance(law, "scale", 1)
    rows, scales, _ = zip(*queries(law, values), strict=True)
    return [products(column, [1 / c for c in scales]) for column in zip(*rows, strict=True)], scales


def best_linear(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: no unbiased linear estimate of a query of the `workload` from the answers of `strategy` has less
    variance than the one with the weights in `estimates`, which is one.

    Proved by X: estimates A = workload, estimates = X A^T. Refuted by one that is biased, or by `better` weights.
    """
    a, scales = columns(statement["strategy"], statement["at"])
    workload, estimates = _matrix(statement["workload"]), _matrix(statement["estimates"], scales)
    require({*map(len, workload)} == {len(a)} and len(workload) == len(estimates), "no estimate of every query")
    if verdict == "proved":
        require(_times(estimates, a) == workload, "an estimate is biased")
        applied("projection")
        spanned = _times(_matrix(evidence["multipliers"]), [*zip(*a, strict=True)])
        require(spanned == estimates, "not in the row space of the queries")
        return
    i = integer(evidence["query"], 0, len(workload) - 1)
    if "better" not in evidence:
        require(_times(estimates, a)[i] != workload[i], "the estimate is unbiased")
        return
    [better] = _matrix([evidence["better"]], scales)
    require(_times([better], a) == [workload[i]], "the better estimate is biased")
    require(dot(better, better) < dot(estimates[i], estimates[i]), "it is no better")


def dominates(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: for no linear query the least variance of an unbiased linear estimate from the answers of `strategy`
    is above `factor` > 0 times that from those of `other`.

    Proved by factor A^T A, less that of the other, as L D L^T; refuted by a vector at which it is negative.
    """
    applied("projection")
    (a, _), (b, _) = (columns(statement[name], statement["at"]) for name in ("strategy", "other"))
    factor = evaluate(statement["factor"], {})
    require(factor > 0, "a factor > 0")
    pairs = ([(dot(u, x), dot(v, y)) for x, y in zip(a, b, strict=True)] for u, v in zip(a, b, strict=True))
    gap = [[dot((factor, -1), pair) for pair in row] for row in pairs]
    if verdict == "proved":
        require_semidefinite(gap, _matrix(evidence["lower"]), *_matrix([evidence["pivots"]]))
        return
    [vector] = _matrix([evidence["vector"]])
    require(dot(vector, *_times([vector], gap)) < 0, "the form is not negative there")


def _matrix(rows: Any, scales: Any = None) -> Any:
    """Rows of numbers; for weights of answers each times the scale of its noise, for answers over their scales."""
    found = [[*map(rational, row)] for row in rows]
    return found if scales is None else [products(row, scales) for row in found]


def _times(rows: Any, a: Any) -> Any:
    return [[dot(row, column) for column in a] for row in rows]


_ROWS, _OF = schema.some([[rational, ...], ...]), {"strategy": LAW, "at": places}
_QUERIES = _OF | {"workload": _ROWS, "estimates": _ROWS}
_COMPARED = _OF | {"other": LAW, "factor": schema.tree}
KINDS = {
    "best-linear": Kind(best_linear, _QUERIES, proved=[["multipliers"]], refuted=[["query", "better?"]]),
    "dominates": Kind(dominates, _COMPARED, proved=[["lower", "pivots"]], refuted=[["vector"]]),
}
