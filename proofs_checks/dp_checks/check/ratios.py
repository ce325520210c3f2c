"""Checkers for ratios of report probabilities: bounds, necessity of splitting, smallest constants."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice, permutations, product
from typing import Any

from flint import fmpq

from dp_checks.check import extremal_pairs
from dp_checks.check.proposals import EVERY, ROOTS, THETAS, Candidate, at_sizes, finders, sizes_of, text
from dp_checks.check.ties import canonical
from dp_checks.programs import law_channel
from dp_kernel.laws import ratios as kernel
from dp_kernel.laws.grammar import valued
from dp_kernel.meter import Rejected
from dp_kernel.numbers.polynomial import lift
from dp_spec.vocabulary.definitions import Relation, smallest_constant, suldp_violation
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.statement import Exceeds, Ratio, Smallest, Unbounded
from dp_spec.vocabulary.term import var


def ratio(statement: Ratio) -> Iterator[Candidate]:
    """A first violation in the declared order; a product of powers; every epsilon at listed sizes."""
    for point in _points(statement):
        domain, channel = _domain(point), _channel(statement, point)
        found = suldp_violation(
            channel, domain, _relation(statement), _e_eps(statement, point), count_empty=statement.counted == "all"
        )
        if found:
            output = found.output if _relation(statement) == "marginal" else canonical(found.output)  # type: ignore[arg-type]
            yield Candidate(
                "refuted",
                "witness",
                _describe(point),
                {
                    "instance": point,
                    "s": sorted(found.x, key=str),
                    "other": sorted(found.other, key=str),
                    "output": output,
                    "probability": text(found.probability),
                    "other_probability": text(found.other_probability),
                },
            )
            return
    for powers in _powers(statement):
        yield Candidate("proved", "product of powers", f"{EVERY}, all sizes", {"rule": "product", "powers": powers})
    yield Candidate("proved", "sums over items", f"{EVERY}, all sizes", {"rule": "linear"})
    yield _exhausted(statement)


def exceeds(statement: Exceeds) -> Iterator[Candidate]:
    """A first instance at which no ratio is larger than e^epsilon."""
    for point, worst in _constants(statement):
        if worst is not None and worst <= _e_eps(statement, point):
            yield Candidate("refuted", "witness", _describe(point), {"instance": point})
            return


def smallest(statement: Smallest) -> Iterator[Candidate]:
    """A first instance with another smallest constant; pairs that reach it; every epsilon at listed sizes."""
    for point, worst in _constants(statement):
        stated = statement.constant.evaluate(_values(statement.law, point))
        if worst is None or worst != stated:
            data = {"instance": point, "exact": "unbounded" if worst is None else text(worst), "stated": text(stated)}
            yield Candidate("refuted", "witness", _describe(point), data)
            return
    for powers, reached in product(_powers(statement), extremal_pairs.REACHED):
        data = {"rule": "product", "powers": powers, "cases": reached}
        yield Candidate("proved", "product of powers that is reached", f"{EVERY}, all sizes", data)
    for reached in extremal_pairs.REACHED:
        yield Candidate("proved", "card matching", f"{EVERY}, all sizes", {"rule": "matching", "cases": reached})
    base = statement.law.base
    without: list[tuple[Any, Any]] = [(reached, {}) for reached in extremal_pairs.REACHED]
    few, between = (
        (extremal_pairs.FEW, extremal_pairs.few_multipliers(base)),
        (extremal_pairs.BETWEEN, extremal_pairs.between_multipliers(base)),
    )
    for reached, found in (*without, few, between):
        data = {"rule": "linear", "cases": reached, "multipliers": found}
        yield Candidate("proved", "sums over items that are reached", f"{EVERY}, all sizes", data)
    yield _exhausted(statement)


def unbounded(statement: Unbounded) -> Iterator[Candidate]:
    """An output of one set that is impossible for another, at listed sizes."""
    yield _exhausted(statement)


def _constants(statement: Ratio) -> Iterator[tuple[dict[str, Any], Any]]:
    """Instances at which something is compared, with their smallest constants (None: unbounded)."""
    for point in _points(statement):
        channel, counted = _channel(statement, point), statement.counted == "all"
        try:
            worst = smallest_constant(channel, _domain(point), _relation(statement), count_empty=counted)
        except DomainError:
            continue
        yield point, worst


def _powers(statement: Ratio) -> Iterator[dict[str, int]]:
    """For every exchange the smallest power of the base that bounds its factor, at a few points."""
    body = statement.json()
    if statement.law.brought:
        body["law"]["term"], body["sizes"] = body["law"]["term"][-1], "exactm"
    found: dict[str, int] = {}
    for point in islice(_points(replace(statement, any_order=False)), 40):
        numbers = {name: Fraction(value) for name, value in point.items() if name != "order"}
        try:
            factors = kernel.factors(valued(body["law"]["term"], numbers), kernel.seen_by(body))
        except Rejected:
            return
        for name, pairs in factors.items():
            for pair in pairs:
                needed = _least_power(numbers[statement.law.base], pair)
                found[name] = max(found.get(name, 0), needed)
    yield found


def _least_power(base: Fraction, pair: kernel.Pair) -> int:
    """The least power of the base, up to 8, that makes up for a quotient."""
    p, other = (Fraction(value.num.get((), 0), value.den[()]) for value in map(lift, (pair.p, pair.other)))
    return next((k for k in range(9) if base**k * other >= p), 8)


def _exhausted(statement: Ratio) -> Candidate:
    return at_sizes(statement.law, statement.where, _most(statement))


def _most(statement: Ratio) -> int:
    """2m <= d needs d = 4 for m = 2; other sizes of sets are compared up to d = 3."""
    return 4 if statement.sizes == "exactm" else 3


def _points(statement: Ratio) -> Iterator[dict[str, Any]]:
    """Instances in the declared order: sizes, then the order of processing (if quantified), then the budget."""
    law = statement.law
    for sizes in sizes_of(law, statement.where, _most(statement)):
        natural = tuple(range(sizes.d))
        for order in permutations(natural) if statement.any_order and sizes.d <= 3 else (natural,):
            for root in ROOTS:
                for theta in THETAS if law.parameters else (None,):
                    point = {**sizes.json(), law.base: text(root)}
                    point |= {"order": list(order)} if order != natural else {}
                    yield point | dict.fromkeys(law.parameters, text(theta))


def _channel(statement: Ratio, point: dict[str, Any]) -> Any:
    law, domain = statement.law, _domain(point)
    d, m = len(domain.items), point["m"]
    lengths = {
        "exactm": range(m, m + 1),
        "atmost": range(1, m + 1),
        "all": range(1 if law.draw == "one" else 0, d + 1),
    }[statement.sizes]
    order = tuple(point["order"]) if "order" in point else None
    values = _values(law, point)
    own = {name: values[name] for name in law.parameters}
    return law_channel(law, statement.view, m, lengths, domain, values[law.base], order, **own)


def _domain(point: dict[str, Any]) -> ItemDomain:
    return ItemDomain.of_sizes(point["K"], point["N"])


def _relation(statement: Ratio) -> Relation:
    return "joint" if statement.relation == "ldp" else statement.relation


def _values(law: Law, point: dict[str, Any]) -> dict[str, Any]:
    roots = {name: fmpq(*map(int, point[name].split("/"))) for name in (law.base, *law.parameters)}
    return roots | {name: point[name] for name in ("m", "K", "N")}


def _e_eps(statement: Ratio, point: dict[str, Any]) -> Any:
    law = statement.law
    return (var(law.base) ** law.power).evaluate(_values(law, point))


def _describe(point: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in point.items())


FINDERS = finders({Exceeds: exceeds, Ratio: ratio, Smallest: smallest, Unbounded: unbounded})
