"""Random statements about explicit matrices of noise on trees, with evidence that might be accepted; and whether they
hold: by null spaces and all principal minors."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

from flint import fmpq

from attack import trees
from attack.relations import changed
from attack.worlds import MeaninglessError, UndecidedError, value
from dp_checks.check.matrices import factors, matrix, negative, solved
from dp_kernel.meter import Rejected
from independent.plain_estimates import information, is_best, is_semidefinite
from independent.plain_trees import Query

Json = dict[str, Any]
Attempt = tuple[Json, str, Json]
MOST = 6
"""Counts of which all principal minors are looked at."""


def estimates(rng: Random, law: Json) -> Iterator[Attempt]:
    """Best estimates of some queries, or nearly: an entry, a query, a law, an answer without noise is another one."""
    at = {"h": rng.choice((0, 1, 1, 2)), "x": rng.randint(1, 2)}
    queries = answers(law, at)
    a, d = [q.weights for q in queries], [2 * q.scale**2 for q in queries]
    asked = [[Fraction(rng.choice((0, 0, 1, 1, -1, 2))) for _ in a[0]] for _ in range(rng.choice((1, 1, 2)))]
    xs = [solved(matrix(_flint(information(a, d))), _flint([row])[0]) for row in asked]
    if any(x is None for x in xs):
        return
    x = [[Fraction(int(e.p), int(e.q)) for e in row or ()] for row in xs]
    best = [[_dot(row, q) / v for q, v in zip(a, d, strict=True)] for row in x]
    body: Json = {"type": "best-linear", "strategy": law, "at": at, "workload": asked, "estimates": best}
    evidence: Json = {"multipliers": [[e / 2 for e in row] for row in x]}
    yield _written(body), "proved", _written(evidence)
    for _ in range(3):
        stated = {**body, "estimates": [_moved(rng, row) for row in best]}
        if rng.random() < 0.3:
            stated["workload"] = [_moved(rng, row) for row in asked]
        stated["strategy"] = noisier(rng, law) if rng.random() < 0.3 else law
        yield _written(stated), "proved", _written(evidence)
        query = rng.randrange(len(asked))
        yield _written(stated), "refuted", _written({"query": query, "better": _moved(rng, best[query])})
        yield _written(stated), "refuted", _written({"query": query})


def strategies(rng: Random, law: Json, other: Json) -> Iterator[Attempt]:
    """Two strategies with a constant, L and D or a vector for it or for another one nearby."""
    at = {"h": rng.choice((0, 1, 1, 2)), "x": rng.randint(1, 2)}
    forms = []
    for of in (law, other):
        queries = answers(of, at)
        forms.append(information([q.weights for q in queries], [q.scale**2 for q in queries]))
    if len({*map(len, forms)}) == 2:
        return
    near = sorted({a[i][i] / b[i][i] for b, a in [forms] for i in range(len(a)) if b[i][i] != 0} or {Fraction(1)})
    for _ in range(4):
        meant, stated = (rng.choice(near) * rng.choice((1, 1, 2, 4, Fraction(1, 2), Fraction(9, 8))) for _ in "12")
        stated = meant if rng.random() < 0.6 else stated
        if meant <= 0 or stated <= 0:
            continue
        less, more = (_flint(of) for of in forms)
        gap = matrix(
            [[_number(meant) * x - y for x, y in zip(u, v, strict=True)] for u, v in zip(less, more, strict=True)]
        )
        body: Json = {"type": "dominates", "strategy": law, "other": other, "at": at}
        body["factor"] = ["div", stated.numerator, stated.denominator]
        lower, pivots = factors(gap)
        yield body, "proved", {"lower": [_texts(row) for row in lower], "pivots": _texts(pivots)}
        lower = [[abs(x) if rng.random() < 0.2 else x for x in row] for row in lower]
        yield body, "proved", {"lower": [_texts(row) for row in lower], "pivots": _texts(map(abs, pivots))}
        vector = negative(gap) or [fmpq(rng.randint(-2, 2)) for _ in range(gap.nrows())]
        yield body, "refuted", {"vector": _texts(vector)}


def noisier(rng: Random, law: Json) -> Json:
    """Another scale in one of the rows."""
    rows = [list(row) for row in law["rows"]]
    row = rng.choice(rows)
    row[4] = changed(rng, row[4], ["h", "x", "s"]) if rng.random() < 0.5 else ["mul", 2, row[4]]
    return {**law, "rows": rows}


def answers(law: Json, at: Json) -> list[Query]:
    """The queries of a law. Raises `Rejected` where it has none that are looked at."""
    try:
        return trees.queries(law, {name: value(tree, {}) for name, tree in at.items()})
    except (MeaninglessError, UndecidedError) as error:
        raise Rejected(str(error)) from error


def judged(statement: Any, verdict: str) -> tuple[str, bool]:
    """Why an accepted verdict is wrong, and whether the truth is known."""
    try:
        holds = _holds(statement)
    except UndecidedError:
        return "", False
    except MeaninglessError as error:
        return f"nothing is stated: {error}", True
    return ("" if holds == (verdict == "proved") else f"it {'holds' if holds else 'does not hold'}"), True


def _holds(statement: Any) -> bool:
    at = {name: value(tree, {}) for name, tree in statement["at"].items()}
    laws = [statement[name] for name in ("strategy", "other") if name in statement]
    found = [trees.queries(law, at) for law in laws]
    if any(law["noise"] != "laplace" for law in laws):
        raise MeaninglessError("another variance")
    a, d = ([[of(q) for q in queries] for queries in found] for of in (_weights, _variance))
    if statement["type"] == "best-linear":
        workload, weights = ([[Fraction(x) for x in row] for row in statement[x]] for x in ("workload", "estimates"))
        if not workload or len(workload) != len(weights):
            raise MeaninglessError("not one estimate for every query")
        if any(len(q) != len(a[0][0]) for q in workload) or any(len(r) != len(a[0]) for r in weights):
            raise MeaninglessError("rows of other lengths")
        return all(is_best(a[0], d[0], q, r) for q, r in zip(workload, weights, strict=True))
    less, more = map(information, a, d)
    factor = value(statement["factor"], {})
    if factor <= 0 or len(less) != len(more):
        raise MeaninglessError("no factor, or other counts")
    if len(less) > MOST:
        raise UndecidedError("too many minors")
    return is_semidefinite(
        [[factor * x - y for x, y in zip(u, v, strict=True)] for u, v in zip(less, more, strict=True)]
    )


def _weights(query: Query) -> Any:
    return query.weights


def _variance(query: Query) -> Any:
    return 2 * query.scale**2


def _moved(rng: Random, row: list[Fraction]) -> list[Fraction]:
    """The row, or one with another entry."""
    found = [*row]
    if rng.random() < 0.6:
        found[rng.randrange(len(row))] += rng.choice((1, -1, Fraction(1, 2), Fraction(-1, 3)))
    return found


def _dot(row: list[Fraction], other: list[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(row, other, strict=True)), Fraction(0))


def _number(x: Fraction) -> fmpq:
    return fmpq(x.numerator, x.denominator)


def _flint(rows: list[list[Fraction]]) -> Any:
    return [[_number(x) for x in row] for row in rows]


def _texts(row: Any) -> list[str]:
    return [*map(str, row)]


def _written(of: Any) -> Any:
    """Fractions as certificates have them."""
    if isinstance(of, dict):
        return {name: _written(x) for name, x in of.items()}
    if isinstance(of, list):
        return [_written(x) for x in of]
    return str(of) if isinstance(of, Fraction) else of
