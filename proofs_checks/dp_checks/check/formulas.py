"""Checkers for statements `for all x in a domain`: relations between terms and errors, bounds up to a constant."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from fractions import Fraction
from itertools import islice, product
from typing import Any, TypeVar

from flint import arb, fmpq

from dp_checks import hints
from dp_checks.check.inhabitants import inhabitant
from dp_checks.check.proposals import ROOTS, Candidate, Finder, text
from dp_checks.check.telescoping import forms
from dp_checks.registry import Key, keyed
from dp_kernel.formulas.definitions import by_induction
from dp_kernel.formulas.domains import Region, prove
from dp_kernel.formulas.terms import Interval
from dp_kernel.judgements import relations as kernel
from dp_kernel.judgements.additive import with_quantities
from dp_kernel.judgements.error_terms import opened, require_possible
from dp_kernel.meter import Rejected, limited
from dp_kernel.numbers.json_numbers import rational
from dp_spec.vocabulary.error_statements import Formula, Total, Value, closed_form
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_spec.vocabulary.statement import Domain, Mse, Range
from dp_spec.vocabulary.term import Term

T = TypeVar("T")
MAX_POINTS, MAX_PIECES = 40_000, 20_000
EPSILONS = (fmpq(1, 2), fmpq(1), fmpq(1, 10), fmpq(2), fmpq(5), fmpq(10))
"""Values of a real epsilon at which counterexamples are sought, in this order."""
SIGNS: Mapping[str, str] = {"eq": "=", "le": r"\le", "lt": "<"}
SHORT = 250
"""Relations with at most this many characters are repeated beside their counterexample."""
Point = Mapping[str, Any]
REFUSED = (Rejected, ValueError, ArithmeticError, LookupError)
"""What the kernel raises where evidence shows nothing."""


# --- relations ----------------------------------------------------------------------------------------------------


def formula(statement: Formula, hint: str) -> Iterator[Candidate]:
    """A first point of a small grid at which a relation fails; a step for every relation; enclosures on intervals that
    cover the domain, or at the points of the grid (relations with exp or log)."""
    trees = [side for _, *sides in statement.relations for side in sides]
    real = any(_is_real(t) for t in (*trees, *(value.root for value in statement.values.values())))
    body, pool = statement.json(), dict[Any, Term]()
    sides = [(left.shared(pool), right.shared(pool)) for _, left, right in statement.relations]
    for point in _points(statement):
        failure = _failure(statement, sides, body, point, real)
        if failure is not None:
            yield failure
            return
    data = _steps(body, hint)
    if data is not None:
        kind = "identity" if all(op == "eq" for op, _, _ in statement.relations) else "positivity"
        yield Candidate("proved", kind, "the whole domain", data)
    if real and len(statement.domain.variables) <= 1:
        data = _cover(statement, body) or {"values": {}, "cover": []}
        ends = data["cover"]
        scope = f"every epsilon in [{ends[0]}, {ends[-1]}], {len(ends) - 1} pieces" if ends else "the whole domain"
        yield Candidate("proved", "interval enclosure", scope, data)


def _failure(
    statement: Formula, sides: Sequence[tuple[Term, Term]], body: Any, point: Point, real: bool
) -> Candidate | None:
    """The first relation that fails at a point, as a proposal; `sides` of all relations share their parts."""
    known = dict[int, Any]()
    with precision(kernel.BITS):
        values = {**point, **{name: value_at(value, point) for name, value in statement.values.items()}}
        values |= quantities_at(statement, body, point)
        for index, ((op, _, _), pair) in enumerate(zip(statement.relations, sides, strict=True)):
            order = compare(*(_number(side.evaluate(values, known), real) for side in pair))
            if not _fails(op, order):
                continue
            witness = {name: text(x) for name, x in point.items()}
            try:
                require_possible(body, Region({name: Fraction(x) for name, x in witness.items()}, {}))
            except REFUSED:
                return None
            data = {"relation": index, "values": witness}
            first = [_named(statement, index)] if statement.values or not witness else []
            described = ", ".join([*first, *(f"{name} = {x}" for name, x in witness.items())])
            return Candidate("refuted", "interval enclosure" if real else "witness", described, data)
    return None


def quantities_at(statement: Formula, body: Any, point: Point) -> Point:
    """The exact quantities of additive laws at a point."""
    if not statement.quantities:
        return {}
    at = Region({name: Fraction(text(x)) for name, x in point.items()}, {}, bits=kernel.BITS)
    quantities = with_quantities(body, at, []).values
    return {name: fmpq(quantities[name].numerator, quantities[name].denominator) for name in statement.quantities}


def _named(statement: Formula, index: int) -> str:
    """A relation by its number; one between short terms of numbers alone as it reads."""
    op, left, right = statement.relations[index]
    printed = f"${left.latex()} {SIGNS[op]} {right.latex()}$"
    alone = not {*left.variables(), *right.variables()} and len(printed) <= SHORT
    return f"{printed} fails" if alone else f"relation {index + 1}"


def value_at(value: Value, point: Point) -> Any:
    """An exact error at a point, from the closed forms of the statement (balls where the root is real)."""
    error = value.error
    law = next(laws_of(error))[0]
    at = {name: x for name, x in point.items() if name in ("m", "K", "N", "n", "f", "g")}
    at |= {name: term.evaluate(point) for name, term in value.at.items()}
    at[law.base] = value.root.evaluate(point)
    if isinstance(error, Mse):
        return closed_form(error).evaluate(at)
    total: Any = fmpq(0)
    for part, items, held in (
        (error.sensitive, "K", at["m"] - at["g"]),
        (error.nonsensitive, "N", at["g"]),
    ):
        if part is not None:
            absent, present = (closed_form(part).evaluate({**at, "f": f}) for f in (0, 1))
            total = total + at.get(items, 0) * absent + held * (present - absent)
    return total


def laws_of(error: Mse | Total) -> Iterator[tuple[Law, str]]:
    """The law of an error, with the view of the reports, for every part."""
    parts = (error,) if isinstance(error, Mse) else (error.sensitive, error.nonsensitive)
    yield from ((part.law, part.view) for part in parts if part is not None)


def _is_real(term: Term) -> bool:
    """Whether enclosures decide it: it has no value as a rational function, or a sum of many numbers."""
    long = term.head == "sum" and not any(True for end in term.arguments[1:3] for _ in end.variables())
    return long or term.head in ("exp", "log") or any(_is_real(a) for a in term.arguments)


def _number(value: Any, real: bool) -> Any:
    return arb(value) if real and not isinstance(value, arb) else value


def _fails(op: str, order: Ordering) -> bool:
    wrong = {"eq": (Ordering.LESS, Ordering.GREATER), "le": (Ordering.GREATER,)}
    return order in wrong.get(op, (Ordering.GREATER, Ordering.EQUAL))


def _points(statement: Formula) -> Iterator[Point]:
    """Points of a small grid in the declared order of the variables; of one user's data where errors are compared."""
    domain, about_data = statement.domain, bool(statement.values)
    grid = product(*(_grid(name, spec, about_data) for name, spec in domain.variables.items()))
    for values in islice(grid, MAX_POINTS if about_data else MAX_POINTS // 10):
        point: dict[str, Any] = dict(zip(domain.variables, values, strict=True))
        held = about_data and {"m", "K", "g"} <= point.keys()
        if held and not 0 <= point["m"] - point["g"] <= point["K"]:
            continue
        if all(constraint.evaluate(point) >= 0 for constraint in domain.constraints):
            yield point


def _grid(name: str, spec: Range, about_data: bool) -> tuple[Any, ...]:
    if spec.unit:
        return fmpq(1, 2), fmpq(1, 3), fmpq(9, 10)
    if about_data and name == "eps":
        return EPSILONS
    if about_data and name in ("f", "n"):
        return (0, 1)[spec.min or spec.strict :]
    if about_data and name == "g":
        return (0, 1, 2, 3)
    if spec.integer:
        return tuple(range(spec.min, spec.min + 3 + about_data))
    if about_data and spec.min >= 1:
        return ROOTS if spec.strict else (fmpq(spec.min), *ROOTS)
    inner = tuple(spec.min + fmpq(x, 2) for x in (1, 2, 8, 4, 9))
    return inner if spec.strict else (fmpq(spec.min), *inner)


def _steps(body: Any, hint: str) -> dict[str, Any] | None:
    """A step for every relation: of the hints, plain positivity, or positivity at both ends of a frequency; with forms
    of the sums."""
    relations = body["relations"]
    trees = [tree for _, *sides in relations for tree in sides]
    hinted = hints.STEPS.get(hint, ())
    try:
        # expressions without errors may be too large to expand: no further than the kernel would go
        with limited() if not body["values"] else nullcontext():
            values = inhabitant(body)
            start = opened(body, values)[0]
            sums = forms(body, start, trees, hints.ENCLOSURES.get(hint, ()))

            def prepared(at: Region) -> Region:
                return kernel.prepared_for(body, at, trees, {"sums": sums})

            place, steps = prepared(start), []
            for index, relation in enumerate(relations):

                def shows(step: Any, relation: Any = relation) -> None:
                    if "induct" in step:
                        by_induction(start, relation, step, prepared)
                    else:
                        prove(relation[0], place.value(relation[1]), place.value(relation[2]), place, step)

                step = first_shown([*hinted[index : index + 1], *tried_steps(body["domain"]), *hinted], shows)
                if step is None:
                    return None
                steps.append(step)
    except REFUSED:
        return None
    return {"values": values, "steps": steps} | ({"sums": sums} if sums else {})


def first_shown(tried: Iterable[T], shows: Callable[[T], object]) -> T | None:
    """The first that the kernel does not refuse."""
    for one in tried:
        try:
            shows(one)
        except REFUSED:
            continue
        return one
    return None


def tried_steps(domain: Any) -> list[Any]:
    """Plain positivity; ends of f and of g."""
    tried: list[Any] = [{}]
    for name, highs in (("f", (1,)), ("g", ("m", "N"))):
        if name in domain["variables"]:
            stated = [high for high in highs if ["sub", high, name] in domain["constraints"]]
            tried += [{"ends": [name, high]} for high in stated]
    return tried


def _cover(statement: Formula, body: Any) -> dict[str, Any] | None:
    """Ends of intervals on each of which enclosures show every relation, bisected where they are too wide; and the
    steps by which the variable lies between them."""
    names = list(statement.domain.variables)
    if not names:
        return {"values": {}, "cover": []}
    (low, high), steps = _ends(statement.domain, names[0])
    pieces, pending = [low], [high]
    while pending:
        a, b = pieces[-1], pending[-1]
        try:
            answers = kernel.judged(body, body["relations"], {names[0]: Interval(rational(text(a)), rational(text(b)))})
        except REFUSED:
            answers = []
        if not answers or not all(answers):
            if len(pieces) + len(pending) > MAX_PIECES or b - a < fmpq(1, 10**6):
                return None
            pending.append((a + b) / 2)
            continue
        pieces.append(pending.pop())
    return {"values": inhabitant(body), "cover": [text(x) for x in pieces], "steps": steps}


def _ends(domain: Domain, name: str) -> tuple[list[fmpq], list[Any]]:
    """The interval that the affine constraints leave to a variable; the steps that show it."""
    ends, steps = [fmpq(0), fmpq(0)], list[Any]([{}, {}])
    for number, constraint in enumerate(domain.constraints):
        b = fmpq(1) * constraint.evaluate({name: fmpq(0)})
        a = fmpq(1) * constraint.evaluate({name: fmpq(1)}) - b
        by = abs(1 / a)
        multiplier = int(by.p) if by.q == 1 else ["div", int(by.p), int(by.q)]
        ends[a < 0], steps[a < 0] = -b / a, {"multipliers": {str(number): multiplier}}
    return ends, steps


FINDERS: dict[Key, Finder] = keyed({Formula: formula})
