"""Checkers for readings of arcs (Wheel, suWheel): counterexamples are sought in the programs."""

from collections.abc import Callable, Iterator
from itertools import pairwise, product
from typing import Any

from flint import fmpq

from dp_checks.check.places import Place, witness
from dp_checks.check.proposals import EVERY, ROOTS, Candidate, finders, sizes_of, text
from dp_checks.programs import mechanism
from dp_refimpl.frequency.arcs import Coverage, midpoint
from dp_refimpl.frequency.hashing import HashFunction
from dp_spec.vocabulary.arc_statements import Cover
from dp_spec.vocabulary.items import ItemDomain


def cover(statement: Cover) -> Iterator[Candidate]:
    """A first point at which the program's reading and the half-open arc differ; exhausted order types."""
    law = statement.law
    for sizes, root in product(sizes_of(law, (), d_max=1), ROOTS):
        target = mechanism(law, law.view, sizes.m, ItemDomain.of_sizes(sizes.k, sizes.n), root)
        ends = (fmpq(0), 1 - target.p, 1 - target.p / 2, fmpq(1, 2))
        for v in (*ends, fmpq(1)) if statement.values == "closed" else ends:
            arc, reading = Coverage((v,), target.p), _member(statement, target, v)
            turned = [tau - int(tau.floor()) for end in (v, v + target.p) for tau in (end, end + target.p / 4)]
            points = sorted({fmpq(0), *turned})
            differ = [tau for tau in points if reading(tau) != arc.covers(tau)]
            if differ and statement.same == "everywhere":
                at = Place({**sizes.json(), law.base: text(root)})
                yield witness(statement, at, {"value": text(v), "point": text(differ[0])})
                return
            if any(reading(midpoint(c)) != arc.covers(midpoint(c)) for c in pairwise(arc.breakpoints)):
                return
    scope = f"{EVERY}, every arc length, hash value and point"
    yield Candidate("proved", "exhausted order types", scope, {})


def _member(statement: Cover, target: Any, v: fmpq) -> Callable[[fmpq], bool]:
    if statement.reading == "server":
        h = HashFunction((0,), (v,))
        return lambda tau: bool(target.hit(0, h, tau))
    return Coverage((v,), target.p, statement.reading).covers


FINDERS = finders({Cover: cover})
