"""Faults planted in the kernel's modules about arcs: each makes it misjudge a certificate, or compute another law."""

import importlib
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest

import arcs_certificates
import false_arc_estimates
import false_arcs
import plain_wheel as plain
from certificates import certified, real
from dp_checks.kernel import Rejected, interval, interval_points, verify
from dp_checks.kernel.polynomial import is_nonnegative
from planted import FALSE

F = Fraction
MODULES_OF_ARCS = (false_arcs.__name__, false_arc_estimates.__name__)
ON_ARCS = {name: build for name, (build, _) in FALSE.items() if build.__module__ in MODULES_OF_ARCS}
SETTINGS = (
    (1, F(2), (F(0), F(1, 3), F(5, 6))),
    (2, F(2), (F(13, 14), F(0), F(1, 14))),
    (2, F(3, 2), (F(1, 2), F(1, 2), F(7, 12), F(1, 6))),
)


@cache
def genuine() -> tuple[Any, ...]:
    others = [certified(s, verdict, evidence) for s, verdict, evidence in false_arcs.OTHERS_ON_ARCS]
    return *(real(name) for name in arcs_certificates.REPRESENTATIVE), *others


def other_laws() -> Iterator[str]:
    """Where the kernel's laws are not those of the brute force."""
    for m, w, values in SETTINGS:
        arc, d, k = plain.arc_length(m, w), len(values), 1
        c = interval_points.Circle(m, arc, w, plain.omega(m, w), d, k)
        term, at = ["push", "emit", ["hashed", "hash", ["interval", arc, w]]], {"m": m, "K": k, "N": d - k}
        evidence = {"hashes": [[[str(v) for v in values], "1"]]}
        grid = plain.coarsest_grid(values, m, w)
        for s in (x for size in range(m + 1) for x in combinations(range(d), size)):
            expected: dict[Any, Fraction] = plain.law(frozenset(s), values, k, m, w, grid)
            cells = interval_points.cells(values, arc)
            for (j, sent), mass in expected.items():
                z = F(j, grid)
                low = max(low for low, _ in cells if low <= z)
                if interval_points.density_at(z, s, values, c) != mass * grid:
                    yield f"the density of {s} at {z}"
                if set(interval_points.emitted(low, s, values, c)) != set(sent):
                    yield f"what {s} emits at {z}"
            for x in range(d):
                counted = [x in sent if x >= k else plain.in_arc(F(j, grid), values[x], m, w) for j, sent in expected]
                if interval.chance_at(term, at, s, x, evidence) != sum(
                    p * is_counted for p, is_counted in zip(expected.values(), counted, strict=True)
                ):
                    yield f"the chance that {x} is counted, given {s}"


def misjudged() -> Iterator[str]:
    """False certificates that are accepted, real ones that are rejected, laws that are others."""
    for name, build in ON_ARCS.items():
        try:
            verify(build())
        except Rejected:
            continue
        yield f"accepted: {name}"
    for certificate in genuine():
        try:
            verify(certificate)
        except Rejected as error:
            yield f"rejected: {certificate['id']}: {error}"
    try:
        yield from other_laws()
    except (Rejected, ZeroDivisionError) as error:
        yield f"no law: {error}"


def test_the_kernel_misjudges_nothing() -> None:
    assert len(ON_ARCS) > 50
    assert list(misjudged()) == []


def always(value: Any) -> Callable[..., Any]:
    return lambda *args, **options: value


family_of, covered, in_arc = interval_points.family_of, interval_points.covered, interval_points.in_arc
densities, arcs_of, hit_chance = interval_points.densities, interval_points.arcs_of, interval.hit_chance
K = "dp_checks.kernel."
POINTS, RULES, STATEMENTS = K + "interval_points.", K + "interval.", K + "interval_statements."


def with_density(off: Callable[[Any, Any, Any], Any]) -> Callable[..., Any]:
    """Cells with another density off the cover."""

    def cells(s: Any, h: Any, c: Any) -> Any:
        inside = c.weight / c.omega
        return [
            (low, width, inside if covered(low, s, h, c.arc) else off(s, h, c)) for low, width, _ in densities(s, h, c)
        ]

    return cells


def overlaps_twice(s: Any, h: Any, c: Any) -> Any:
    covers = len(s) * c.arc
    return (c.omega - covers * c.weight) / ((1 - covers) * c.omega)


def weakly(value: Any, bounds: Any, *, strictly: bool = False) -> bool:
    return is_nonnegative(value, bounds)


def renamed(old: str, new: str) -> Callable[..., Any]:
    return lambda listed, family, c: family_of(listed, new if family == old else family, c)


def any_function(listed: Any, family: str, c: Any) -> Any:
    return [(tuple(map(Fraction, values)), Fraction(weight)) for values, weight in listed]


def as_ideal(*families: str) -> Callable[..., Any]:
    def chance(arcs: Any, family: str, values: Any, *, held: bool) -> Any:
        return hit_chance(arcs, "ideal" if family in families else family, values, held=held)

    return chance


FAULTS: dict[str, tuple[list[str], Any]] = {
    "law: overlaps are counted twice": ([POINTS + "densities"], with_density(overlaps_twice)),
    "law: the density off the cover is 1 / Omega": (
        [POINTS + "densities"],
        with_density(lambda s, h, c: 1 / c.omega),
    ),
    "law: arcs do not wrap": ([POINTS + "in_arc"], lambda tau, v, arc: v <= tau < v + arc),
    "law: arcs are closed": (
        [POINTS + "in_arc"],
        lambda tau, v, arc: any(0 <= tau - v + turn <= arc for turn in (0, 1)),
    ),
    "law: arcs end at the hash value": ([POINTS + "in_arc"], lambda tau, v, arc: in_arc(tau, (v - arc) % 1, arc)),
    "law: hit items are emitted": (
        [POINTS + "emitted"],
        lambda tau, s, h, c: tuple(x for x in s if x >= c.k and in_arc(tau, h[x], c.arc)),
    ),
    "law: sensitive items are emitted": (
        [POINTS + "emitted"],
        lambda tau, s, h, c: tuple(x for x in s if not in_arc(tau, h[x], c.arc)),
    ),
    "law: everything is a density": ([POINTS + "is_density"], always(True)),
    "law: nothing is a density": ([POINTS + "is_density"], always(False)),
    "law: sets of any size": ([POINTS + "set_of"], lambda value, c, sizes: tuple(value)),
    "law: points anywhere": ([POINTS + "point_of"], Fraction),
    "law: hash values anywhere": ([POINTS + "hash_function"], lambda values, d: tuple(map(Fraction, values))),
    "law: every instance fits": ([POINTS + "fits", K + "moments.fits"], always(True)),
    "law: only the cells of the first item": ([POINTS + "cells"], always([(F(0), F(1, 2)), (F(1, 2), F(1, 2))])),
    "law: the normaliser is 1": ([POINTS + "normaliser"], always(1)),
    "law: a set against itself": (
        [POINTS + "witness"],
        lambda statement, evidence, sizes: (
            interval_points.circle_of(statement, evidence["instance"]),
            *(tuple(evidence[name]) for name in ("s", "other")),
            tuple(map(Fraction, evidence["hash"])),
            Fraction(evidence["point"]),
        ),
    ),
    "families: any law": ([POINTS + "family_of"], any_function),
    "families: independence is not checked": ([POINTS + "_require_independent"], always(None)),
    "families: two values only": ([POINTS + "family_of"], renamed("kwise", "pairwise")),
    "families: no fixed function is one": ([POINTS + "family_of"], renamed("fixed", "ideal")),
    "families: any name": ([POINTS + "FAMILIES"], interval_points.FAMILIES | {"universal"}),
    "rules: disjoint arcs always fit": ([RULES + "require_exists"], always(None)),
    "rules: nothing is shown": ([RULES + "is_nonnegative", STATEMENTS + "is_nonnegative"], always(False)),
    "rules: everything is shown": ([RULES + "is_nonnegative", STATEMENTS + "is_nonnegative"], always(True)),
    "rules: > as >=": ([RULES + "is_nonnegative"], weakly),
    "rules: nothing is shown of the law": ([RULES + "require_density"], always(None)),
    "rules: any hash function is ideal": ([RULES + "hit_chance"], as_ideal("fixed", "pairwise", "hash")),
    "rules: disjoint arcs are independent": ([RULES + "hit_chance"], as_ideal("disjoint")),
    "rules: there are no invertible data": ([RULES + "is_plain"], always(True)),
    "rules: there are invertible data": ([RULES + "implied"], always(False)),
    "rules: everything is implied": ([RULES + "implied"], always(True)),
    "rules: any family is any hash function": (
        [POINTS + "arcs_of"],
        lambda term: ("hash", arcs_of(term)[1]),
    ),
    "rules: every pair is compared": ([RULES + "related"], always(True)),
    "cover: readings are right": ([STATEMENTS + "is_member"], lambda reading, tau, v, p: in_arc(tau, v, p)),
    "cover: no order types": ([STATEMENTS + "order_types"], always(())),
    "cover: generic order types only": (
        [STATEMENTS + "order_types"],
        always([(F(1, 2), F(1, 3), F(1, 5)), (F(1, 50), F(9, 10), F(1, 5)), (F(1, 7), F(1, 3), F(1, 5))]),
    ),
    "estimates: shown numbers are not compared": ([K + "moments._require_shown"], always(None)),
    "estimates: items of any class": (
        [K + "interval.chance_at"],
        lambda term, at, s, x, evidence: Fraction(1, 2),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    genuine()  # real certificates are made before the kernel is broken
    paths, replacement = FAULTS[fault]
    assert paths
    for path in paths:
        module, name = path.rsplit(".", 1)
        monkeypatch.setattr(importlib.import_module(module), name, replacement)
    assert next(misjudged(), None) is not None


def test_every_order_type_is_found_by_a_finer_grid() -> None:
    """No point of a grid of step 1/12 has an order type that the kernel's list lacks."""
    from dp_checks.kernel.interval_statements import order_types

    def kind(tau: Fraction, v: Fraction, p: Fraction) -> tuple[int, ...]:
        u = v + p
        forms = (tau, v - 1, u - 1, tau - v, tau - u, tau - u + 1, tau - v + 1)
        return tuple((x > 0) - (x < 0) for x in forms)

    listed = {kind(*point) for point in order_types()}
    for tau, v, p in product(range(12), range(13), range(1, 12)):
        assert kind(F(tau, 12), F(v, 12), F(p, 12)) in listed
