"""Checkers for laws on arcs (Wheel, suWheel): counterexamples are sought in the programs, under explicit hash
functions."""

from collections.abc import Callable, Iterator
from itertools import pairwise, product
from typing import Any

from flint import fmpq

from dp_checks.check import arcs_estimates
from dp_checks.check.arcs_programs import channel, functions, listed, mechanism, outcomes
from dp_checks.check.proposals import EVERY, ROOTS, Candidate, Sizes, finders, sizes_of, text
from dp_refimpl.frequency.arcs import Coverage, midpoint
from dp_refimpl.frequency.hashing import FixedFunction, HashFunction
from dp_spec.vocabulary.arc_statements import Cover
from dp_spec.vocabulary.definitions import Relation, smallest_constant, suldp_violation
from dp_spec.vocabulary.error_statements import Variance
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.statement import (
    Chance,
    Invertible,
    Mse,
    Ratio,
    Smallest,
    Unbiased,
    Unbounded,
)

Instance = tuple[Sizes, fmpq, HashFunction]


def proof(kind: str, rule: str = "", scope: str = "all sizes, every hash function") -> Candidate:
    """A proposal that rests on a rule alone, which is named where a kind of statement has several."""
    return Candidate("proved", kind, f"{EVERY}, {scope}", {"rule": rule} if rule else {})


# --- ratios -----------------------------------------------------------------------------------


def _ratio(statement: Ratio) -> Iterator[Candidate]:
    """A first violation in the declared order; the length of the cover."""
    for at, rows, domain in _channels(statement):
        found = suldp_violation(rows, domain, _relation(statement), at[1])
        if found:
            data = _witness(statement, at, found, rows)
            yield Candidate("refuted", "witness", describe(data), data)
            return
    yield proof("length of the cover", "cover")


def _smallest(statement: Smallest) -> Iterator[Candidate]:
    """Disjoint covers, unless some ratio is above the constant."""
    for at, rows, domain in _channels(statement):
        stated = fmpq(1) * statement.constant.evaluate({statement.law.base: at[1], **at[0].json()})
        if suldp_violation(rows, domain, _relation(statement), stated):
            return
    yield proof("disjoint covers", "cover")


def _unbounded(statement: Unbounded) -> Iterator[Candidate]:
    """The rule on emitted items, unless at some sizes a constant bounds the ratios under all listed hash functions."""
    bounded: dict[tuple[Sizes, fmpq], bool] = {}
    for (sizes, root, _), rows, domain in _channels(statement):
        try:
            worst = smallest_constant(rows, domain, _relation(statement))
        except DomainError:
            continue
        bounded[sizes, root] = bounded.get((sizes, root), True) and worst is not None
    if not any(bounded.values()):
        yield proof("emitted item", "emitted")


# --- invertible data ----------------------------------------------------------------------------------------------


def _invertible(statement: Invertible) -> Iterator[Candidate]:
    """The support of the law, unless some program misses an item of s or emits another one."""
    law = statement.law
    for sizes in sizes_of(law, statement.where, d_max=3):
        for root in ROOTS[:2]:
            target = mechanism(law, sizes, root)
            for h in functions(sizes.d, target.p):
                for s, row in channel(law, sizes, root, h, range(sizes.m, sizes.m + 1)).rows.items():
                    emitted = frozenset().union(*(y.invertible for y in row))
                    if emitted != s & frozenset(target.domain.nonsensitive):
                        return
    yield proof("support", "support")


# --- arcs ---------------------------------------------------------------------------------------------------------


def _cover(statement: Cover) -> Iterator[Candidate]:
    """A first point at which the program's reading and the half-open arc differ; exhausted order types."""
    law = statement.law
    for sizes, root in product(sizes_of(law, (), d_max=1), ROOTS):
        target = mechanism(law, sizes, root)
        ends = (fmpq(0), 1 - target.p, 1 - target.p / 2, fmpq(1, 2))
        for v in (*ends, fmpq(1)) if statement.values == "closed" else ends:
            arc, reading = Coverage((v,), target.p), _member(statement, target, v)
            turned = [tau - int(tau.floor()) for end in (v, v + target.p) for tau in (end, end + target.p / 4)]
            points = sorted({fmpq(0), *turned})
            differ = [tau for tau in points if reading(tau) != arc.covers(tau)]
            if differ and statement.same == "everywhere":
                at = {**sizes.json(), law.base: text(root)}
                data = {"instance": at, "value": text(v), "point": text(differ[0])}
                yield Candidate("refuted", "witness", describe(data), data)
                return
            if any(reading(midpoint(c)) != arc.covers(midpoint(c)) for c in pairwise(arc.breakpoints)):
                return
    yield proof("exhausted order types", scope="every arc length, hash value and point")


def _member(statement: Cover, target: Any, v: fmpq) -> Callable[[fmpq], bool]:
    if statement.reading == "server":
        h = HashFunction((0,), (v,))
        return lambda tau: bool(target.hit(0, h, tau))
    return Coverage((v,), target.p, statement.reading).covers


# --- instances ----------------------------------------------------------------------------------------------------


def _channels(statement: Ratio) -> Iterator[tuple[Instance, Any, Any]]:
    """Instances with the program's channel on the admissible sets that have a density there."""
    law = statement.law
    for sizes, root in product(sizes_of(law, statement.where, d_max=3), ROOTS):
        lengths = {
            "exactm": range(sizes.m, sizes.m + 1),
            "atmost": range(1, sizes.m + 1),
            "all": range(sizes.d + 1),
        }[statement.sizes]
        target = mechanism(law, sizes, root)
        for h in functions(sizes.d, target.p):
            yield (sizes, root, h), outcomes(law, sizes, root, h, lengths), target.domain


def _witness(statement: Ratio, at: Instance, found: Any, rows: Any) -> dict[str, Any]:
    sizes, root, h = at
    marginal = _relation(statement) == "marginal"
    choice, hits = found.output if marginal else found.output.protected
    point = [choice, list(hits)]
    return {
        "instance": {**sizes.json(), statement.law.base: text(root)},
        "hashes": listed(FixedFunction(h)),
        "s": sorted(found.x),
        "other": sorted(found.other),
        "output": point if marginal else [point, sorted(found.output.invertible)],
        "probability": text(found.probability),
        "other_probability": text(fmpq(1) * found.other_probability),
    }


def _relation(statement: Ratio) -> Relation:
    return "joint" if statement.relation == "ldp" else statement.relation


describe = arcs_estimates.describe

FINDERS = finders(
    {
        Chance: arcs_estimates.chance,
        Cover: _cover,
        Invertible: _invertible,
        Mse: arcs_estimates.mse,
        Ratio: _ratio,
        Smallest: _smallest,
        Unbiased: arcs_estimates.unbiased,
        Unbounded: _unbounded,
        Variance: arcs_estimates.mse,
    },
    unit="arcs",
)
