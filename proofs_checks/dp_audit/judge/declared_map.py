"""Is the number that a map declares right? For every distance of inputs the largest distance of outputs, exactly."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from flint import arb, fmpq

from dp_audit.exact_numbers import ends, figure, short
from dp_audit.judge.plan import MAP
from dp_audit.judge.question import Question
from dp_audit.judge.suprema import ROUNDED, Neighbors, Pair, Supremum
from dp_audit.observation.declared_map import DeclaredMap, Member, Raised
from dp_audit.observation.values import show
from dp_audit.oracles.distances import BITS, Metric, Scaled
from dp_audit.oracles.divergences import Family
from dp_audit.outcome import TOLERANCE, Row, Verdict
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import Ordering, compare

CHECK = "declared map"
INFINITE = ("float", "inf")
"""A declared number that bounds nothing."""
ULPS = fmpq(1, 2**50)
"""Some units of the last place of a double that is about 1."""
SHARE = fmpq(1, 2**10)
"""What is more of a declared number is more than rounding, unless a few operations on such values can do it."""
DIGITS = 12
"""Of a number that is written exactly in a sentence."""
SHOWN = 16
"""Distances of inputs whose numbers are figures of the row."""


# --- one number -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Judgment:
    """A declared number beside the true one: `equal` (larger by rounding at most), `loose` (larger), `rounding`
    (smaller by rounding), `undecided` (nearer than the true one is known), or `fault`.

    `factor` is the declared number by the true one: None where the true one is 0, or either is infinite.
    """

    kind: str
    factor: fmpq | arb | None = None


def judge_scaled(true: Scaled | None, declared: fmpq | None, metric: Metric, size: fmpq) -> Judgment:
    """Compare a declared distance with the true one, in the scale of the metric; None is infinite.

    Rounding of values is what `ROUNDED` times their size can do, and up to `TOLERANCE` times it where that is a small
    `SHARE` of the declared number; of a true number that is irrational also `ULPS` of the declared one; of laws, whose
    numbers are so in general, `TOLERANCE` of it, and some units of the last place of 1.
    """
    if declared is None:
        return Judgment("equal" if true is None else "loose")
    if true is None:
        return Judgment("fault")
    rounding = max(ROUNDED * size, min(TOLERANCE * size, SHARE * declared))
    with precision(BITS):
        distance = metric.lowered(true)
        if metric.of_laws:
            rounding += TOLERANCE * declared + ULPS
        elif isinstance(distance, arb) and not distance.is_exact():
            rounding += ULPS * declared
        return _judge_finite(true, declared, metric, rounding)


def _judge_finite(true: Scaled, declared: fmpq, metric: Metric, rounding: fmpq) -> Judgment:
    distance = metric.lowered(true)
    factor = None if compare(distance, 0) is Ordering.EQUAL else declared / distance
    order = compare(true, metric.raised(declared))
    if order is Ordering.UNDECIDED:
        return Judgment("undecided", factor)
    if order is not Ordering.GREATER:
        less = max(declared - rounding, fmpq(0))
        within = declared == 0 or compare(true, metric.raised(less)) is not Ordering.LESS
        return Judgment("equal" if within else "loose", factor)
    within = compare(true, metric.raised(declared + rounding)) is not Ordering.GREATER
    return Judgment("rounding" if within else "fault", factor)


PLAIN = Metric("number", "a number", lambda x, y: None)


def judge_number(true: fmpq | Real, declared: fmpq) -> Judgment:
    """Compare a declared number >= 0 with the true one, exactly; up to 2^-40 it is the rounding of doubles.

    Raises `DomainError` for a declared number that is negative or no exact rational one.
    """
    if not isinstance(declared, fmpq) or compare(declared, 0) is Ordering.LESS:
        raise DomainError("declared", declared, "an exact rational number (fmpq) >= 0")
    if not isinstance(true, fmpq | Real):
        raise DomainError("true", true, "an exact number (fmpq or Real)")
    return judge_scaled(true, declared, PLAIN, fmpq(1))


# --- all distances ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """A distance of inputs at which a number is declared, and of a curve the parameter (else None)."""

    distance: fmpq
    point: fmpq | None = None


@dataclass(frozen=True)
class Curve:
    """The suprema at one parameter of a family of metrics, of which one of a larger parameter is smaller (`falls`) or
    larger; without a parameter they are all there is."""

    metric: Metric
    suprema: tuple[Supremum, ...]
    point: fmpq | None = None
    falls: bool = True


def curves(pairs: Neighbors, d_out: Metric | Family) -> list[Curve]:
    """Return the suprema, of a family at parameters that tell the curves of these pairs."""
    if isinstance(d_out, Metric):
        return [Curve(d_out, tuple(pairs.suprema(d_out)))]
    points = d_out.points(pairs.outputs_of_pairs())
    metrics = [d_out.at(point) for point in points]
    return [
        Curve(metric, tuple(pairs.suprema(metric)), fmpq(point.numerator, point.denominator), d_out.falls)
        for metric, point in zip(metrics, points, strict=True)
    ]


def places(of: Sequence[Curve]) -> list[Place]:
    """Return where declared numbers are compared: the smallest distance first."""
    distances = [one.distance for one in of[0].suprema] if of else []
    return [Place(distance, curve.point) for distance in distances for curve in of]


@dataclass(frozen=True)
class Comparison:
    """A supremum beside what is declared at its distance (None: infinite)."""

    supremum: Supremum
    declared: fmpq | None
    curve: Curve

    @property
    def metric(self) -> Metric:
        """Return the metric of outputs."""
        return self.curve.metric

    @property
    def place(self) -> Place:
        """Return where the number is declared."""
        return Place(self.supremum.distance, self.curve.point)

    @property
    def fault(self) -> Pair | None:
        """Return a pair that shows that the declared number is too small, if there is one."""
        pairs = (self.supremum.largest, *self.supremum.surest)
        return next((pair for pair in pairs if self._judgment(pair).kind == "fault"), None)

    @property
    def judgment(self) -> Judgment:
        """Return how the declared number compares with the largest distance."""
        return self._judgment(self.supremum.largest)

    def _judgment(self, pair: Pair) -> Judgment:
        return judge_scaled(pair.scaled, self.declared, self.metric, pair.size)


@dataclass(frozen=True)
class MapJudgment:
    """The row about the numbers that are declared, and of a fault the pair of members and the place it is at."""

    row: Row
    fault: tuple[Pair, Place] | None = None


def map_judgment(observation: DeclaredMap, d_in: Metric, of: Sequence[Curve]) -> MapJudgment:
    """Return whether every declared number is at least the largest distance of outputs."""
    if not places(of):
        return MapJudgment(Row(CHECK, Verdict.UNDECIDED, f"no two members have a finite {d_in.name} distance"))
    comparisons = []
    for number in range(len(of[0].suprema)):
        for curve in of:
            one = curve.suprema[number]
            compared = _comparison(observation, d_in, curve, one)
            if isinstance(compared, Row):
                return MapJudgment(compared)
            comparisons.append(compared)
    figures = {name: text for one in comparisons[:SHOWN] for name, text in _figures(one)}
    for comparison in comparisons:
        if comparison.fault is not None:
            row = _fault_row(observation, d_in, comparison, comparison.fault)
            return MapJudgment(replace(row, figures=figures), (comparison.fault, comparison.place))
    verdict, detail = _right(observation, comparisons, d_in)
    return MapJudgment(Row(CHECK, verdict, detail, figures))


def _comparison(observation: DeclaredMap, d_in: Metric, curve: Curve, one: Supremum) -> Comparison | Row:
    """Return what is declared at a place beside the true number; a row where that is no number."""
    declared = observation.declared.get((one.distance, curve.point), Raised("not told"))
    at = f"{d_in.name} distance {_written(one.distance)}"
    at += "" if curve.point is None else f", {curve.metric.name}"
    if isinstance(declared, Raised):
        return Row(CHECK, Verdict.UNDECIDED, f"no number is declared at {at}: {declared.message}")
    number = finite_distance(declared)
    if number is None and declared != INFINITE:
        witness = {"distance": str(one.distance), "declared": show(declared)}
        return Row(CHECK, Verdict.FAULT, f"what is declared at {at} is {show(declared)}: no distance", {}, witness)
    return Comparison(one, number, curve)


def finite_distance(declared: Hashable) -> fmpq | None:
    """Return a declared number that is finite and >= 0."""
    number = fmpq(declared) if isinstance(declared, int | fmpq) else None
    return None if number is None or compare(number, 0) is Ordering.LESS else number


def _figures(one: Comparison) -> Iterator[tuple[str, str]]:
    scaled = one.supremum.largest.scaled
    at = f"at {one.supremum.distance}" + ("" if one.curve.point is None else f", {one.metric.name}")
    yield f"true {at}", "infinite" if scaled is None else figure(one.metric.lowered(scaled))
    yield f"declared {at}", "infinite" if one.declared is None else str(one.declared)


def _written(number: fmpq) -> str:
    """Return a number for people: six digits of one that has many."""
    return str(number) if len(str(number)) <= DIGITS else short(number)


def _fault_row(observation: DeclaredMap, d_in: Metric, one: Comparison, pair: Pair) -> Row:
    left, right = (observation.members[number] for number in pair.members)
    true = "infinite" if pair.scaled is None else short(one.metric.lowered(pair.scaled))
    declared = "infinite" if one.declared is None else _written(one.declared)
    exact = d_in.scaled(left.value, right.value)
    assert isinstance(exact, fmpq)
    detail = (
        f"{left.written} and {right.written} are at {d_in.name} distance {_written(exact)}; what "
        f"comes of them is at {one.metric.name} distance {true}, and at most {declared} is declared"
    )
    witness = {"left": left.written, "right": right.written, "true": true, "declared": declared}
    return Row(CHECK, Verdict.FAULT, detail, {}, witness)


def _right(observation: DeclaredMap, comparisons: Sequence[Comparison], d_in: Metric) -> tuple[Verdict, str]:
    """Return the verdict, and the detail, of numbers of which none is too small."""
    scope = (
        f"{len(observation.members)} members, up to {d_in.name} distance {_written(comparisons[-1].supremum.distance)}"
    )
    kinds = {one.judgment.kind for one in comparisons}
    if "undecided" in kinds:
        return Verdict.UNDECIDED, f"nearer to the true number than that is known ({scope})"
    if "rounding" in kinds:
        return Verdict.ROUNDING, f"too small, but by no more than the rounding of doubles ({scope})"
    first = next((one for one in comparisons if one.supremum.distance != 0), comparisons[0])
    how = "attained" if first.judgment.kind != "loose" else f"larger{_times(first.judgment.factor)}"
    tight = f"at distance {_written(first.supremum.distance)} it is {how}"
    if first.curve.point is not None:
        return Verdict.CONSISTENT, f"never too small on {scope}, {_on_curve(comparisons)}"
    if observation.whole:
        return Verdict.CONFORMS, f"never too small, on the whole domain ({scope}); {tight}"
    return Verdict.CONSISTENT, f"never too small on {scope}; {tight}"


def _on_curve(comparisons: Sequence[Comparison]) -> str:
    """Return where a declared curve was compared, and how far too small it can be between these places.

    A true curve is at most what it is at one end of a gap; a declared one that goes the same way is at least what it
    is at the other end.
    """
    at = [one for one in comparisons if one.supremum.distance == comparisons[0].supremum.distance]
    words = f"at {len(at)} places of the curve, {at[0].metric.name} to {at[-1].metric.name}"
    falls = at[0].curve.falls
    gaps = [
        pair if falls else pair[::-1]
        for pair in pairwise(comparisons)
        if pair[0].place.distance == pair[1].place.distance
    ]
    short_of = [_shortfall(*pair) for pair in gaps]
    if any(number is None for number in short_of):
        return words
    most = max((number for number in short_of if number is not None), default=fmpq(0))
    never = "rises" if falls else "falls"
    return f"{words}; between them, if the declared curve never {never}, by at most {short(most)}"


def _shortfall(true: Comparison, declared: Comparison) -> fmpq | None:
    """Return by how much the number declared at one place is below the true one at another; None is infinite."""
    if declared.declared is None:
        return fmpq(0)
    scaled = true.supremum.largest.scaled
    if scaled is None:
        return None
    return max(ends(true.metric.lowered(scaled))[1] - declared.declared, fmpq(0))


def _times(factor: fmpq | arb | None) -> str:
    """Return by which factor a number is larger, for people."""
    if factor is None:
        return ""
    near = ends(factor)[1] < 1 + fmpq(1, 1000)
    return f" by a factor of {f'1 + {short(factor - 1)}' if near else short(factor)}"


# --- members ----------------------------------------------------------------------------------------------------------


def member_rows(observation: DeclaredMap, d_in: Metric, d_out: Metric) -> list[Row]:
    """Return the rows `members`, `output domain`, `laws`."""
    members = list(observation.members.values())
    rows = [_members_row(observation, d_in)]
    inside = [member for member in members if member.inside is not None]
    outside = next((member for member in inside if member.inside is not True), None)
    if outside is not None:
        what = outside.inside.message if isinstance(outside.inside, Raised) else "says no"
        detail = f"what comes of {outside.written} is not in the declared output domain ({what})"
        rows.append(Row("output domain", Verdict.FAULT, detail, {}, {"member": outside.written}))
    elif inside:
        rows.append(Row("output domain", Verdict.CONFORMS, f"the outputs of all {len(inside)} members are in it"))
    return [*rows, *([_laws_row(members, d_out)] if d_out.of_laws else [])]


def _members_row(observation: DeclaredMap, d_in: Metric) -> Row:
    members = list(observation.members.values())
    raised = [member for member in members if isinstance(member.output, Raised)]
    messages = [member.output.message for member in members if isinstance(member.output, Raised)]
    random = next((member for member in members if not member.repeats), None)
    changed = next((member for member in members if member.changed), None)
    if not members or len(raised) == len(members):
        first = f", {raised[0].written} for one: {messages[0]}" if raised else ""
        return Row("members", Verdict.UNDECIDED, f"the function has a value on none of {len(members)} members{first}")
    if random is not None:
        detail = f"two calls on {random.written} make different values: of a random function give the law"
        return Row("members", Verdict.UNDECIDED, detail, {}, {"member": random.written})
    if changed is not None:
        detail = f"the function changes its input {changed.written}"
        return Row("members", Verdict.WARNING, detail, {}, {"member": changed.written})
    if raised:
        return _raised_row(observation, raised, d_in)
    return Row("members", Verdict.CONFORMS, f"the function has one value on each of {len(members)} members")


def _raised_row(observation: DeclaredMap, raised: Sequence[Member], d_in: Metric) -> Row:
    """Return that the function raises on members of its domain, if possible beside one where it does not."""
    values = [member for member in observation.members.values() if not isinstance(member.output, Raised)]
    near = [
        (distance, one, other)
        for one in raised
        for other in values
        if isinstance(distance := d_in.scaled(one.value, other.value), fmpq)
    ]
    distance, one, beside = min(near, key=lambda pair: pair[0], default=(None, raised[0], None))
    assert isinstance(one.output, Raised)
    also = "" if beside is None else f", not on {beside.written} at {d_in.name} distance {distance}"
    detail = (
        f"raises on {len(raised)} of {len(observation.members)} members: {one.output.message} on {one.written}{also}"
    )
    return Row("members", Verdict.WARNING, detail, {}, {"member": one.written})


def _laws_row(members: Sequence[Member], d_out: Metric) -> Row:
    """Return whether probabilities sum to 1."""
    worst, of = fmpq(0), ""
    for member in members:
        for total in () if isinstance(member.output, Raised) else d_out.totals(member.output):
            if abs(total - 1) > worst:
                worst, of = abs(total - 1), member.written
    if worst == 0:
        return Row("normalization", Verdict.CONFORMS, "every law sums to 1")
    verdict = Verdict.ROUNDING if worst <= TOLERANCE else Verdict.FAULT
    detail = f"the probabilities of {of} do not sum to 1: {short(worst)} is left or too much"
    return Row("normalization", verdict, detail, {"largest deviation": figure(worst)}, {"member": of})


QUESTIONS = (
    Question(
        "declared-map",
        "is every declared distance of outputs at least the true one?",
        needs=(MAP,),
        meaning="For every distance that two members have, the largest distance of what the function makes of two "
        "members up to it (of laws: their divergence) is compared exactly with the declared number: `fault` where that "
        "is too small, with the first such pair; `conforms` only where the members are the whole domain; else "
        "`consistent`",
        hint="declare a number that bounds every pair, or mend the function",
    ),
    Question(
        "members",
        "has the function one value on every member of its domain?",
        needs=(MAP,),
        hint="give every member of the domain a value, or leave it out of the domain",
    ),
    Question(
        "output-domain",
        "are its values members of the declared output domain?",
        needs=(MAP,),
        unasked="left out where the target has no `contains`",
        hint="widen the output domain, or clamp",
    ),
)
