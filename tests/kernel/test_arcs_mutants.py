"""Faults planted in the kernel's modules about arcs: each makes it misjudge a certificate, or compute another law."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from corpus.certificates import accepted_about, planted
from dp_kernel import Rejected
from dp_kernel.laws import arc_instances, arcs, grammar
from dp_kernel.numbers.polynomial import is_nonnegative
from independent import brute_force_wheel as plain
from mutants import kernel
from mutants.kernel import always, unless

F = Fraction
SETTINGS = (
    (1, F(2), (F(0), F(1, 3), F(5, 6))),
    (2, F(2), (F(13, 14), F(0), F(1, 14))),
    (2, F(3, 2), (F(1, 2), F(1, 2), F(7, 12), F(1, 6))),
)


@cache
def genuine() -> tuple[Any, ...]:
    return tuple(accepted_about("arcs").values())


@cache
def false() -> dict[str, Any]:
    return planted("arcs", "arc estimates")


def other_laws() -> Iterator[str]:
    """Where the kernel's laws are not those of the brute force."""
    for m, w, values in SETTINGS:
        arc, d, k = plain.arc_length(m, w), len(values), 1
        term, world = ["push", "emit", ["hashed", "hash", ["interval", arc, w]]], grammar.World(k, d - k)
        world = world._replace(families={"hash": [(F(1), values)]})
        grid = plain.coarsest_grid(values, m, w)
        for s in (x for size in range(m + 1) for x in combinations(range(d), size)):
            drawn: dict[Any, Fraction] = plain.law(frozenset(s), values, k, m, w, grid)
            expected: dict[Any, Fraction] = {}
            for (j, sent), mass in drawn.items():
                hits = tuple(x for x in range(d) if plain.in_arc(F(j, grid), values[x], m, w))
                y = (0, hits), tuple(sorted(sent))
                expected[y] = expected.get(y, F(0)) + mass
            law = {y: p for y, p in grammar.output_law(term, s, m, world).items() if p}
            if law != {y: p for y, p in expected.items() if p}:
                yield f"the law of {s}"
            for x in range(d):
                counted = [x in sent if x >= k else plain.in_arc(F(j, grid), values[x], m, w) for j, sent in drawn]
                chance = sum(p * is_counted for p, is_counted in zip(drawn.values(), counted, strict=True))
                if sum(p * (y[1].count(x) if x >= k else x in y[0][1]) for y, p in law.items()) != chance:
                    yield f"the chance that {x} is counted, given {s}"


def misjudged() -> Iterator[str]:
    """False certificates that are accepted, real ones that are rejected, laws that are others."""
    yield from kernel.misjudged(false(), genuine())
    try:
        yield from other_laws()
    except (Rejected, ArithmeticError) as error:
        yield f"no law: {error}"


@pytest.mark.slow
def test_laws_are_those_of_the_brute_force() -> None:
    assert list(other_laws()) == []


cells, in_arc, functions_of = arc_instances.cells, arc_instances.in_arc, arc_instances.functions_of
arcs_of, hit_chance, outcome_law = arc_instances.arcs_of, arcs.hit_chance, grammar.outcome_law
K = "dp_kernel."
POINTS, RULES, LAWS = K + "laws.arc_instances.", K + "laws.arcs.", K + "laws.grammar."


def with_density(off: Callable[..., Any]) -> Callable[..., Any]:
    """The law of a point with another density off the cover, or what is no density."""

    def law(s: Any, h: Any, m: int, arc: Fraction, weight: Fraction) -> Any:
        lengths, omega = cells(h, arc), m * arc * weight + 1 - m * arc
        inside, covers = weight / omega, sum(length for hits, length in lengths.items() if set(hits) & set(s))
        outside = off(omega, weight, covers, len(s) * arc)
        return {hits: length * (inside if set(hits) & set(s) else outside) for hits, length in lengths.items()}

    return law


def printed(omega: Fraction, weight: Fraction, covers: Fraction) -> Fraction:
    return (omega - covers * weight) / ((1 - covers) * omega) if covers < 1 else F(0)


def emitting(which: Callable[[int, int, Any], bool]) -> Callable[..., Any]:
    """Laws that emit other held items."""

    def law(term: Any, s: Any, m: int, world: Any) -> Any:
        if term[:2] != ["push", "emit"]:
            return outcome_law(term, s, m, world)
        points = outcome_law(term[2], s, m, world)
        return {(y, tuple(x for x in s if which(x, world.k, y[1]))): p for y, p in points.items()}

    return law


def weakly(value: Any, bounds: Any, *, strictly: bool = False) -> bool:
    return is_nonnegative(value, bounds)


def renamed(old: str, new: str) -> Callable[..., Any]:
    def functions(listed: Any, term: Any, m: int, d: int) -> Any:
        family, interval = arcs_of(term)
        other = ["hashed", new if family == old else family, interval]
        return dict.fromkeys([family], *functions_of(listed, other, m, d).values())

    return functions


def any_function(listed: Any, term: Any, m: int, d: int) -> Any:
    return {arcs_of(term)[0]: [(Fraction(weight), tuple(map(Fraction, values))) for values, weight in listed]}


def as_ideal(*families: str) -> Callable[..., Any]:
    def chance(interval: Any, family: str, values: Any, *, held: bool) -> Any:
        return hit_chance(interval, "ideal" if family in families else family, values, held=held)

    return chance


FAULTS: dict[str, kernel.Fault] = {
    "law: overlaps are counted twice": (
        [LAWS + "point_law"],
        with_density(lambda omega, w, covers, twice: printed(omega, w, twice)),
    ),
    "law: the density off the cover is 1 / Omega": (
        [LAWS + "point_law"],
        with_density(lambda omega, w, covers, twice: 1 / omega),
    ),
    "law: everything is a density": (
        [LAWS + "point_law"],
        with_density(lambda omega, w, covers, twice: printed(omega, w, covers)),
    ),
    "law: arcs do not wrap": ([POINTS + "in_arc"], lambda tau, v, arc: v <= tau < v + arc),
    "law: arcs are closed": (
        [POINTS + "in_arc"],
        lambda tau, v, arc: any(0 <= tau - v + turn <= arc for turn in (0, 1)),
    ),
    "law: arcs end at the hash value": (
        [POINTS + "in_arc"],
        lambda tau, v, arc: in_arc(tau, (v - arc) % 1, arc),
    ),
    "law: hit items are emitted": ([LAWS + "outcome_law"], emitting(lambda x, k, hits: x >= k and x in hits)),
    "law: sensitive items are emitted": ([LAWS + "outcome_law"], emitting(lambda x, k, hits: x not in hits)),
    "law: all held items are emitted": ([LAWS + "outcome_law"], emitting(lambda x, k, hits: x >= k)),
    "estimates: another item's arc is never hit": (
        [POINTS + "chance_at", K + "laws.moments.chance_at"],
        always(F(0)),
    ),
    "estimates: another item's arc is always hit": (
        [POINTS + "chance_at", K + "laws.moments.chance_at"],
        always(F(1)),
    ),
    "law: points anywhere": ([POINTS + "point_of"], Fraction),
    "law: every instance fits": ([K + "finite.instances.fits", K + "laws.moments.fits"], always(True)),
    "law: only the cells of the first item": ([POINTS + "cells"], always({(): F(1, 2), (0,): F(1, 2)})),
    "law: the normalizer is 1": ([POINTS + "normalizer", RULES + "normalizer"], always(1)),
    "families: any law": ([K + "finite.instances.functions_of"], any_function),
    "families: independence is not checked": ([POINTS + "require_independent"], always(None)),
    "families: two values only": ([K + "finite.instances.functions_of"], renamed("kwise", "pairwise")),
    "families: no fixed function is one": ([K + "finite.instances.functions_of"], renamed("fixed", "ideal")),
    "families: any name": ([POINTS + "FAMILIES"], arc_instances.FAMILIES | {"universal"}),
    "rules: disjoint arcs always fit": ([RULES + "require_exists"], always(None)),
    "rules: nothing is shown": ([RULES + "is_nonnegative"], always(False)),
    "rules: everything is shown": ([RULES + "is_nonnegative"], always(True)),
    "rules: > as >=": ([RULES + "is_nonnegative"], weakly),
    "rules: nothing is shown of the law": ([RULES + "require_density"], always(None)),
    "rules: any hash function is ideal": ([RULES + "hit_chance"], as_ideal("fixed", "pairwise", "hash")),
    "rules: disjoint arcs are independent": ([RULES + "hit_chance"], as_ideal("disjoint")),
    "rules: there are no invertible data": ([RULES + "is_sensitive"], always(True)),
    "rules: there are invertible data": ([RULES + "implied"], always(False)),
    "rules: everything is implied": ([RULES + "implied"], always(True)),
    "rules: any family is any hash function": ([RULES + "arcs_of"], lambda term: ("hash", arcs_of(term)[1])),
    "rules: every pair is compared": ([K + "finite.instances.related"], always(True)),
    "estimates: shown numbers are not compared": (
        [K + "laws.moments.require"],
        unless("at the witness", "numbers are"),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    genuine(), false()  # certificates are made before the kernel is broken
    kernel.plant(FAULTS[fault], monkeypatch)
    assert next(misjudged(), None) is not None
