"""Does what a linear function declares bound all vectors, and not only those that were looked at?"""

from collections.abc import Hashable

from flint import arb, fmpq

from dp_audit.exact_numbers import figure, short
from dp_audit.judge.declared_map import INFINITE, finite_distance, judge_scaled
from dp_audit.judge.plan import MAP
from dp_audit.judge.question import Question
from dp_audit.observation.declared_map import DeclaredMap, Raised
from dp_audit.oracles.distances import Metric
from dp_audit.oracles.operator_norms import NORMS, SIGNED, Vector, operator_norm, signs
from dp_audit.oracles.values import number_of, rows_of
from dp_audit.outcome import Row, Verdict
from dp_spec.vocabulary.exceptions import DomainError

CHECK = "operator norm"


def linear_rows(observation: DeclaredMap, d_in: str, d_out: Metric) -> list[Row]:
    """Return the row of a function that is said to be linear: how far apart its matrix can bring two vectors, beside
    what is declared at every distance that two members have. What no two members show is no fault."""
    if not observation.linear:
        return []
    unknown = f"not known of {d_in} to {d_out.name}"
    columns = _columns(observation) if {d_in, d_out.name} <= NORMS.keys() else unknown
    if not isinstance(columns, str) and signs(columns, d_in, d_out.name) > SIGNED:
        columns = f"{unknown} for more than {SIGNED} numbers"
    if isinstance(columns, str):
        return [Row(CHECK, Verdict.UNDECIDED, columns)]
    norm = operator_norm(columns, d_in, d_out.name)
    figures = {"operator norm": figure(d_out.lowered(norm))}
    detail = f"vectors at distance 1 are brought {short(d_out.lowered(norm))} apart at most"
    numbers = observation.declared.items()
    kinds = {_kind(declared, distance, norm, d_out) for (distance, _), declared in numbers}
    if kinds == {"right"}:
        verdict = Verdict.CONSISTENT if observation.assumed else Verdict.CONFORMS
        return [Row(CHECK, verdict, f"{detail}; no less is declared, at {len(numbers)} distances", figures)]
    if kinds <= {"right", "rounding"}:
        return [Row(CHECK, Verdict.ROUNDING, f"{detail}; no less is declared but by the rounding of doubles", figures)]
    less = "less is declared" if "less" in kinds else "what is declared is no number, or too near to be told from it"
    return [Row(CHECK, Verdict.UNDECIDED, f"{detail}; {less}", figures)]


def _kind(declared: Hashable | Raised, distance: fmpq, norm: fmpq | arb, metric: Metric) -> str:
    raised = metric.raised(distance)
    assert isinstance(raised, fmpq)
    number = finite_distance(declared)
    if number is None:
        return "right" if declared == INFINITE else "unknown"
    kind = judge_scaled(raised * norm, number, metric, fmpq(0)).kind
    return {"equal": "right", "loose": "right", "rounding": "rounding", "fault": "less"}.get(kind, "unknown")


def _columns(observation: DeclaredMap) -> list[Vector] | str:
    """Return the columns of the matrix, what the function makes of unit vectors less what it makes of zero; in words
    why members do not show them."""
    values: dict[Vector, Vector] = {}
    for member in observation.members.values():
        argument, value = _vector(member.value), _vector(member.output)
        if member.rounded or argument is None or value is None:
            return f"{member.written}, or what comes of it, is no vector of exact numbers"
        values[argument] = value
    size = len(next(iter(values)))
    if size == 0 or {*map(len, values)} != {size} or len({*map(len, values.values())}) > 1:
        return "members, or what comes of them, are vectors of several lengths, or empty"
    zero = (fmpq(0),) * size
    units = [(*zero[:place], fmpq(1), *zero[place + 1 :]) for place in range(size)]
    if not values.keys() >= {zero, *units}:
        return "the zero vector and all unit vectors are not among the members"
    columns = [_plus(values[unit], -1, values[zero]) for unit in units]
    for argument, value in values.items():
        for number, column in zip(argument, columns, strict=True):
            value = _plus(value, -number, column)
        if value != values[zero]:
            return f"the function is not linear on {tuple(map(str, argument))}"
    return columns


def _plus(left: Vector, factor: fmpq | int, right: Vector) -> Vector:
    return tuple(a + factor * b for a, b in zip(left, right, strict=True))


def _vector(value: Hashable | Raised) -> Vector | None:
    """Return a vector of finite numbers, or a number as one; None for anything else."""
    is_vector = isinstance(value, tuple) and value[:1] != ("float",)
    try:
        numbers = [number_of(part) for part in (rows_of(value) if is_vector else (value,))]
    except DomainError:
        return None
    finite = tuple(number for number in numbers if number is not None)
    return finite if len(finite) == len(numbers) else None


QUESTIONS = (
    Question(
        "operator-norm",
        "does the declared number bound all vectors, and not only those that were looked at?",
        needs=(MAP,),
        meaning="Of a function that is said to be `linear`, the largest distance of what it makes of any two vectors "
        "at distance 1: its matrix is what it makes of unit vectors. `conforms` where no less is declared, at every "
        "distance that two members have; what no two members show is `undecided`",
        unasked="left out where the target does not say that it is `linear`",
        hint="declare at least the operator norm per unit of distance",
    ),
)
