"""Checkers for formulas: identities, positivity, limits, independence."""

from collections.abc import Iterator
from itertools import islice, product
from typing import Any

from flint import arb, ctx, fmpq

from dp_checks import hints
from dp_checks.check.candidate import Candidate, text
from dp_checks.check.moments import step_json
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_spec.vocabulary.statement import Domain, Formula, Independent, Range, Vanishing
from dp_spec.vocabulary.term import Term

MAX_POINTS = 4000


def formula(statement: Formula, hint: str) -> Iterator[Candidate]:
    """A first point of a small grid at which a relation fails; an identity, positivity or root-count step for every
    relation."""
    if any(_is_real(side) for _, left, right in statement.relations for side in (left, right)):
        yield from _enclosed(statement)
        return
    for point in _points(statement.domain):
        for index, (op, left, right) in enumerate(statement.relations):
            if not _holds(op, left.evaluate(point), right.evaluate(point)):
                values = {name: text(value) for name, value in point.items()}
                yield Candidate("refuted", "witness", _listed(values), {"relation": index, "values": values})
                return
    steps = hints.MULTIPLIERS.get(hint, ((1, {}),) * len(statement.relations))
    kind = hints.KINDS.get(hint, "positivity")
    kind = "identity" if all(op == "eq" for op, _, _ in statement.relations) else kind
    yield Candidate("proved", kind, "the whole domain", {"steps": [step_json(*step) for step in steps]})

    names = list(statement.domain.variables)
    if len(names) == 1:
        counted = [{} if op == "eq" else {"roots": names[0]} for op, _, _ in statement.relations]
        yield Candidate("proved", "real-root count", "the whole domain", {"steps": counted})


BITS = 128
"""Precision of enclosures."""


def _enclosed(statement: Formula) -> Iterator[Candidate]:
    """Relations with exp, log or sqrt: balls at the grid's points (a domain is never exhausted this way)."""
    points = []
    for point in _points(statement.domain):
        values = {name: text(value) for name, value in point.items()}
        for index, (op, left, right) in enumerate(statement.relations):
            with ctx.workprec(BITS):
                order = compare(arb(0) + left.evaluate(point), arb(0) + right.evaluate(point))
            if (op, order) in ((op, Ordering.GREATER), ("eq", Ordering.LESS)):
                data: dict[str, Any] = {"relation": index, "values": values, "bits": BITS}
                yield Candidate("refuted", "interval enclosure", _listed(values) or f"relation {index + 1}", data)
                return
        points.append(values)
    if not statement.domain.variables:
        yield Candidate("proved", "interval enclosure", "the whole domain", {"bits": BITS})
        return
    yield Candidate("verified", "interval enclosure", f"{len(points)} points", {"points": points, "bits": BITS})


def _is_real(term: Term) -> bool:
    return term.head in ("exp", "log", "sqrt") or any(_is_real(a) for a in term.arguments)


def _listed(values: dict[str, str]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def vanishing(statement: Vanishing) -> Iterator[Candidate]:
    """A term that does not depend on the variable and is not 0; constants (the numerators) for a bound."""
    for index, term in enumerate(statement.terms):
        if statement.variable not in set(term.variables()):
            for point in _points(statement.domain):
                if term.evaluate(point) > 0:
                    data = {"term": index, "values": {name: text(value) for name, value in point.items()}}
                    yield Candidate("refuted", "constant term", f"every {statement.variable}", data)
                    return
    constants = [term.arguments[0].json() for term in statement.terms if term.head == "div"]
    yield Candidate("proved", "constant for a bound", "the whole domain", {"constants": constants})


def independent(statement: Independent) -> Iterator[Candidate]:
    """No variable occurs."""
    yield Candidate("proved", "free of the variables", "the whole domain", {"kind": "free of the variables"})


def _points(domain: Domain) -> Iterator[dict[str, Any]]:
    """Points of a small grid that satisfy the constraints, in the declared order of the variables."""
    if domain.lemmas:
        return
    grid = product(*(_values(spec) for spec in domain.variables.values()))
    for values in islice(grid, MAX_POINTS):
        point: dict[str, Any] = dict(zip(domain.variables, values, strict=True))
        if all(_at(constraint, point) >= 0 for constraint in domain.constraints):
            yield point


def _values(spec: Range) -> tuple[int | fmpq, ...]:
    if spec.unit:
        return fmpq(1, 2), fmpq(1, 3), fmpq(9, 10)
    if spec.integer:
        return spec.min, spec.min + 1, spec.min + 2
    inner = (spec.min + fmpq(1, 2), fmpq(spec.min + 1), fmpq(spec.min + 4), fmpq(spec.min + 2))
    return inner if spec.strict else (fmpq(spec.min), *inner)


def _at(term: Term, point: dict[str, Any]) -> Any:
    return term.evaluate(point)


def _holds(op: str, left: Any, right: Any) -> bool:
    return bool(left == right if op == "eq" else left <= right if op == "le" else left < right)
