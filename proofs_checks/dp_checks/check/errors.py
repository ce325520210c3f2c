"""Checkers for errors of mechanisms: relations between exact totals, orders, communication costs, equal laws."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any

from flint import arb, ctx, fmpq

from dp_checks import hints
from dp_checks.check.candidate import ROOTS, Candidate, text
from dp_checks.kernel import errors as kernel
from dp_checks.kernel.exact import rational
from dp_checks.kernel.orders import order as require_order
from dp_checks.kernel.orders import sides_for_all
from dp_checks.kernel.proving import prove_affinely
from dp_checks.kernel.rejected import Rejected
from dp_spec.vocabulary.error_statements import Cost, Errors, Order, SameLaw, Total, Value, closed_form
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_spec.vocabulary.statement import Domain, Mse, Range, Statement

BITS = 192
"""Precision of enclosures."""
MAX_POINTS = 40_000
EPSILONS = (fmpq(1, 2), fmpq(1), fmpq(1, 10), fmpq(2), fmpq(5), fmpq(10))
"""Values of a real epsilon at which counterexamples are sought, in this order."""
Point = Mapping[str, Any]


def candidates(statement: Statement, hint: str) -> Iterator[Candidate] | None:
    """Proposals for statements of this family; None for other statements."""
    match statement:
        case Errors():
            return errors(statement, hint)
        case Order():
            return order(statement, hint)
        case Cost():
            return cost(statement)
        case SameLaw():
            return iter(
                [Candidate("proved", "equal tables", "every epsilon > 0, all sizes", {"lemma": "equal tables"})]
            )
    return None


def laws(statement: Statement) -> Iterator[tuple[Law, str]]:
    """The laws that a statement of this family is about, each with a view of its reports."""
    match statement:
        case Errors():
            for value in statement.values.values():
                yield from _laws_of(value.error)
        case Order():
            yield from _laws_of(statement.error)
        case Cost():
            yield statement.law, statement.view
        case SameLaw():
            yield statement.left, statement.view
            yield statement.right, statement.view


def _laws_of(error: Mse | Total) -> Iterator[tuple[Law, str]]:
    parts = (error,) if isinstance(error, Mse) else (error.sensitive, error.nonsensitive)
    yield from ((part.law, part.view) for part in parts if part is not None)


# --- relations ----------------------------------------------------------------------------------------------------


def errors(statement: Errors, hint: str) -> Iterator[Candidate]:
    """A first point of a small grid at which a relation fails; a positivity step for every relation; enclosures on
    intervals of epsilon that cover the domain."""
    real = any(value.root.head == "exp" for value in statement.values.values())
    refuted = _first_failure(statement, real)
    if refuted is not None:
        yield refuted
        return
    body = statement.json()
    steps = _steps(body, hint)
    if steps is not None:
        yield Candidate("proved", "positivity", "the whole domain", {"steps": steps})
    if real and len(statement.domain.variables) <= 1:
        cover = _cover(statement, body)
        scope = f"every epsilon in [{cover[0]}, {cover[-1]}], {len(cover) - 1} pieces" if cover else "the whole domain"
        yield Candidate("proved", "interval enclosure", scope, {"cover": cover, "bits": BITS})


def _first_failure(statement: Errors, real: bool) -> Candidate | None:
    for point in _points(statement.domain):
        with ctx.workprec(BITS):
            values = {name: value_at(value, point) for name, value in statement.values.items()}
            for index, (op, left, right) in enumerate(statement.relations):
                found = compare(*(_number(side.evaluate({**point, **values}), real) for side in (left, right)))
                if found is Ordering.GREATER or (found is not Ordering.UNDECIDED and not _holds(op, found)):
                    shown = {name: text(x) for name, x in point.items()}
                    data: dict[str, Any] = {"relation": index, "values": shown} | ({"bits": BITS} if real else {})
                    described = ", ".join([f"relation {index + 1}", *(f"{name} = {x}" for name, x in shown.items())])
                    return Candidate("refuted", "interval enclosure" if real else "witness", described, data)
    return None


def value_at(value: Value, point: Point) -> Any:
    """An exact error at a point, from the closed forms of the statement (balls where the root is real)."""
    error = value.error
    law = next(_laws_of(error))[0]
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


def _number(value: Any, real: bool) -> Any:
    return arb(value) if real and not isinstance(value, arb) else value


def _holds(op: str, found: Ordering) -> bool:
    return found is {"eq": Ordering.EQUAL, "lt": Ordering.LESS}.get(op, Ordering.LESS) or (
        op == "le" and found is Ordering.EQUAL
    )


def _points(domain: Domain) -> Iterator[Point]:
    """Points of a small grid in the declared order of the variables, with frequencies of one user's data."""
    grid = product(*(_grid(name, spec) for name, spec in domain.variables.items()))
    for values in islice(grid, MAX_POINTS):
        point: dict[str, Any] = dict(zip(domain.variables, values, strict=True))
        possible = point.get("g", 0) <= min(point.get("m", 9), point.get("N", 9))
        held = point["m"] - point.get("g", 0) <= point["K"] if {"m", "K", "g"} <= point.keys() else True
        if possible and held and all(constraint.evaluate(point) >= 0 for constraint in domain.constraints):
            yield point


def _grid(name: str, spec: Range) -> tuple[Any, ...]:
    if name == "eps":
        return EPSILONS
    if name in ("f", "n"):
        return (0, 1)[spec.min or spec.strict :]
    if name == "g":
        return (0, 1, 2, 3)
    if spec.integer:
        return tuple(range(spec.min, spec.min + 4))
    if spec.min >= 1:
        return ROOTS if spec.strict else (fmpq(spec.min), *ROOTS)
    return (fmpq(1), fmpq(1, 2), fmpq(2)) if spec.strict else (fmpq(0), fmpq(1, 2), fmpq(1), fmpq(2))


def _steps(body: Any, hint: str) -> list[Any] | None:
    """A step for every relation: of the hints, plain positivity, or positivity at both ends of a frequency."""
    try:
        gains, domain = kernel.gains(body)
    except (Rejected, ValueError, ArithmeticError, LookupError):
        return None
    steps = []
    for index, (op, gain) in enumerate(gains):
        for step in (*hints.ERROR_STEPS.get((hint, index), ()), *_tried(domain)):
            try:
                prove_affinely(op, gain, domain, step)
            except (Rejected, ValueError, ArithmeticError, LookupError):
                continue
            steps.append(step)
            break
        else:
            return None
    return steps


def _tried(domain: Any) -> list[Any]:
    """Plain positivity; ends of f and g, one after the other."""
    tried: list[Any] = [{}]
    for name, highs in (("f", (1,)), ("g", ("m", "N"))):
        if name in domain["variables"]:
            stated = [high for high in highs if ["sub", high, name] in domain["constraints"]]
            tried += [{"ends": name, "high": high, "steps": [step, step]} for high in stated for step in tried[:]]
    return tried


def _cover(statement: Errors, body: Any) -> list[str]:
    """Ends of intervals on each of which enclosures show every relation: bisected where they are too wide."""
    names = list(statement.domain.variables)
    if not names:
        return []
    low, high = _ends(statement.domain, names[0])
    pieces, pending = [low], [high]
    while pending:
        a, b = pieces[-1], pending[-1]
        here = {names[0]: tuple(rational(text(x)) for x in (a, b))}
        try:
            kernel.require_on(body, here, BITS)  # type: ignore[arg-type]
        except (Rejected, ValueError, ArithmeticError, LookupError):
            if len(pieces) + len(pending) > kernel.MAX_PIECES or b - a < fmpq(1, 10**6):
                return []
            pending.append((a + b) / 2)
            continue
        pieces.append(pending.pop())
    return [text(x) for x in pieces]


def _ends(domain: Domain, name: str) -> tuple[fmpq, fmpq]:
    """The interval that the affine constraints leave to a variable."""
    low, high = fmpq(0), fmpq(0)
    for constraint in domain.constraints:
        b = fmpq(1) * constraint.evaluate({name: fmpq(0)})
        a = fmpq(1) * constraint.evaluate({name: fmpq(1)}) - b
        low, high = (-b / a, high) if a > 0 else (low, -b / a)
    return low, high


# --- orders and costs ---------------------------------------------------------------------------------------------

CONSTANTS = ("1", "4", "16", "64", "256", "1024", "4096")
FAMILIES: tuple[Mapping[str, Any], ...] = tuple(
    {"eps": 1, "m": m, "K": k, "N": n, "n": 1, "g": g, "f": f}
    for m, k, n, g, f in (
        ("L", 2, "L", "L", 0),
        (1, "L", "L", 0, 0),
        ("L", "L", 0, 0, 1),
        (1, 1, 0, 0, 1),
        (1, 1, 1, 1, 0),
    )
)
"""Families along which an order may fail, in this order: growing ones first, single sizes last."""


def order(statement: Order, hint: str) -> Iterator[Candidate]:
    """A family along which the quotient of error and entry is unbounded; constants that bound it."""
    body = statement.json()
    for family, side, constant in product(FAMILIES, ("upper", "lower"), ("1/16", "1/1024")):
        chosen = {name: x for name, x in family.items() if name in statement.domain.variables}
        data: dict[str, Any] = {"side": side, "family": chosen, "constant": constant}
        if _accepted(body, "refuted", data):
            listed = ", ".join(f"{name} = {x}" for name, x in chosen.items())
            excess = "error / entry" if side == "upper" else "entry / error"
            yield Candidate("refuted", "unbounded family", f"{excess} >= {constant} L along {listed}", data)
            return
    found = []
    for sign, bound in ((1, "upper"), (-1, "lower"))[: 1 if statement.bound == "upper" else 2]:
        hinted = hints.ORDER_STEPS.get(hint) or hints.ORDER_STEPS.get(hint.split("@")[0], {})
        proof = _constant(body, sign, hinted.get(bound, ()))
        if proof is None:
            return
        found.append((bound, *proof))
    scope = ", ".join(f"{bound} constant {constant}" for bound, constant, _ in found)
    data = {"constants": [constant for _, constant, _ in found], "steps": [step for _, _, step in found]}
    yield Candidate("proved", "constant for a bound", f"0 < epsilon <= 1, all sizes: {scope}", data)


def _accepted(body: Any, verdict: str, data: Any) -> bool:
    try:
        require_order(body, verdict, data)
    except (Rejected, ValueError, ArithmeticError, LookupError):
        return False
    return True


def _constant(body: Any, sign: int, hinted: Sequence[Any]) -> tuple[str, Any] | None:
    """The smallest of some constants (for a lower bound: the largest) for which a step proves the bound."""
    left, right, domain = sides_for_all(body)
    for constant in CONSTANTS:
        factor = rational(constant) if sign > 0 else 1 / rational(constant)
        for step in (*hinted, *_tried(domain)):
            try:
                prove_affinely("le", (right * factor - left) * sign, domain, step)
            except (Rejected, ValueError, ArithmeticError, LookupError):
                continue
            return str(factor), step
    return None


def cost(statement: Cost) -> Iterator[Candidate]:
    """No number of bits for a point of a continuum; small powers for every symbol."""
    if statement.output == "real":
        yield Candidate("refuted", "continuum", "every epsilon > 0, all sizes", {"lemma": "continuum"})
        return
    for power in (1, 2, 3, 4):
        data = {"powers": [power] * len(statement.symbols)}
        yield Candidate("proved", "constant for a bound", f"the whole domain: C = {power + 1}", data)
