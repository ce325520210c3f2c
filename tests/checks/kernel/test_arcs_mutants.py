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
from dp_checks.kernel import Rejected, arcs_law, arcs_lemmas, verify
from dp_checks.kernel.polynomial import Bound, is_nonnegative, lift
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
        n = arcs_law.Numbers(m, w, arc, plain.omega(m, w), d, k)
        grid = plain.coarsest_grid(values, m, w)
        for s in (c for size in range(m + 1) for c in combinations(range(d), size)):
            expected: dict[Any, Fraction] = plain.law(frozenset(s), values, k, m, w, grid)
            cells = arcs_law.cells(values, arc)
            for (j, sent), mass in expected.items():
                z = F(j, grid)
                low = max(low for low, _ in cells if low <= z)
                if arcs_law.density(low, s, values, n) != mass * grid:
                    yield f"the density of {s} at {z}"
                if set(arcs_law.emitted(low, s, values, n)) != set(sent):
                    yield f"what {s} emits at {z}"
            for x in range(d):
                hit = sum(p for (j, _), p in expected.items() if plain.in_arc(F(j, grid), values[x], m, w))
                if arcs_law.chance("held", s, x, values, n) != hit:
                    yield f"the chance of the arc of {x}, given {s}"


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


density, family, covered, in_arc = arcs_law.density, arcs_law.family, arcs_law.covered, arcs_law.in_arc
hit_chances, cover_length, symbols = arcs_lemmas.hit_chances, arcs_lemmas.cover_length, arcs_lemmas.symbols


def ignoring_the_cover(tau: Any, s: Any, h: Any, n: Any) -> Any:
    """Arcs counted one by one, overlaps or not."""
    if covered(tau, s, h, n.arc):
        return n.w / n.omega
    covers = len(s) * n.arc
    return (n.omega - covers * n.w) / ((1 - covers) * n.omega)


def any_view(spec: Any) -> Any:
    return hit_chances({**spec, "view": "ideal"})


def disjoint_as_independent(spec: Any) -> Any:
    return hit_chances({**spec, "view": "ideal"} if spec["view"] == "disjoint" else spec)


def weakly(value: Any, bounds: Any, *, strictly: bool = False) -> bool:
    return is_nonnegative(value, bounds)


K = "dp_checks.kernel."
MODULES = ("arcs", "arcs_cover", "arcs_estimates", "arcs_law", "arcs_lemmas", "moments")


def everywhere(name: str) -> list[str]:
    """Every module about arcs that uses a name."""
    return [K + f"{m}.{name}" for m in MODULES if hasattr(importlib.import_module(K + m), name)]


FAULTS: dict[str, tuple[list[str], Any]] = {
    "law: overlaps are counted twice": (everywhere("density"), ignoring_the_cover),
    "law: the density off the cover is 1 / Omega": (
        everywhere("density"),
        lambda tau, s, h, n: (n.w if covered(tau, s, h, n.arc) else 1) / n.omega,
    ),
    "law: arcs do not wrap": (everywhere("in_arc"), lambda tau, v, arc: v <= tau < v + arc),
    "law: arcs are closed": (
        everywhere("in_arc"),
        lambda tau, v, arc: any(0 <= tau - v + turn <= arc for turn in (0, 1)),
    ),
    "law: arcs end at the hash value": (everywhere("in_arc"), lambda tau, v, arc: in_arc(tau, (v - arc) % 1, arc)),
    "law: hit items are emitted": (
        everywhere("emitted"),
        lambda tau, s, h, n: tuple(x for x in s if x >= n.k and in_arc(tau, h[x], n.arc)),
    ),
    "law: sensitive items are emitted": (
        everywhere("emitted"),
        lambda tau, s, h, n: tuple(x for x in s if not in_arc(tau, h[x], n.arc)),
    ),
    "law: everything is a density": (everywhere("is_density"), always(True)),
    "law: nothing is a density": (everywhere("is_density"), always(False)),
    "law: sets of any size": (everywhere("set_of"), lambda value, n, least, most: tuple(value)),
    "law: points anywhere": (everywhere("point_of"), Fraction),
    "law: hash values anywhere": (everywhere("hash_function"), lambda values, d: tuple(map(Fraction, values))),
    "law: every instance fits": ([K + "arcs_law.fits"], always(True)),
    "law: only the cells of the first item": (
        [K + "arcs_law.cells"],
        lambda h, arc: [(F(0), F(1, 2)), (F(1, 2), F(1))],
    ),
    "families: any law": (
        everywhere("family"),
        lambda listed, view, n: [(tuple(map(Fraction, values)), Fraction(weight)) for values, weight in listed],
    ),
    "families: independence is not checked": ([K + "arcs_law._require_independent"], always(None)),
    "families: two values only": (
        everywhere("family"),
        lambda listed, view, n: family(listed, "pairwise" if view == "kwise" else view, n),
    ),
    "families: no fixed function is one": (
        everywhere("family"),
        lambda listed, view, n: family(listed, "ideal" if view == "fixed" else view, n),
    ),
    "lemmas: covers are one arc long": (
        everywhere("cover_length"),
        lambda n, items, share=arcs_lemmas.SHRUNK[0]: cover_length(n, lift(1), share),
    ),
    "lemmas: shares above 1": ([K + "arcs_lemmas.symbols"], lambda law, m=None: unbounded_share(law, m)),
    "lemmas: nothing is shown": ([K + "arcs_lemmas.is_nonnegative"], always(False)),
    "lemmas: everything is shown": ([K + "arcs_lemmas.is_nonnegative"], always(True)),
    "lemmas: > as >=": ([K + "arcs_lemmas.is_nonnegative"], weakly),
    "lemmas: any hash function is ideal": (everywhere("hit_chances"), any_view),
    "lemmas: disjoint arcs are independent": (everywhere("hit_chances"), disjoint_as_independent),
    "lemmas: invertible data are ignored": (everywhere("without_invertible"), always(True)),
    "lemmas: invertible data are always there": (everywhere("without_invertible"), always(False)),
    "lemmas: everything is implied": ([K + "arcs.implied", K + "arcs_lemmas.implied"], always(True)),
    "arcs: any view": ([K + "arcs._require_any_hash"], always(None)),
    "arcs: every pair is compared": ([K + "arcs.related"], always(True)),
    "arcs: no density bounds": (everywhere("require_density"), always(None)),
    "cover: readings are right": ([K + "arcs_cover.is_member"], lambda reading, tau, v, p: in_arc(tau, v, p)),
    "cover: no order types": ([K + "arcs_cover.order_types"], always(())),
    "cover: generic order types only": (
        [K + "arcs_cover.order_types"],
        always([(F(1, 2), F(1, 3), F(1, 5)), (F(1, 50), F(9, 10), F(1, 5)), (F(1, 7), F(1, 3), F(1, 5))]),
    ),
    "best arc: everything is larger": ([K + "arcs_cover.is_nonnegative"], always(True)),
    "estimates: shown numbers are not compared": ([K + "arcs_estimates._require_shown"], always(None)),
    "estimates: the first function only": (
        [K + "arcs_estimates._mean"],
        lambda functions, event, s, x, n: arcs_law.chance(event, s, x, functions[-1][0], n) / 2,
    ),
}


def unbounded_share(law: Any, m: Any) -> Any:
    """1 / (1 + g) with g > -1: covers longer than all arcs together."""
    n = symbols(law) if m is None else symbols(law, m=m)
    return n._replace(ranges=n.ranges | dict.fromkeys(arcs_lemmas.SHRUNK, Bound(F(-1), strict=True)))


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
    from dp_checks.kernel.arcs_cover import order_types

    def kind(tau: Fraction, v: Fraction, p: Fraction) -> tuple[int, ...]:
        u = v + p
        forms = (tau, v - 1, u - 1, tau - v, tau - u, tau - u + 1, tau - v + 1)
        return tuple((x > 0) - (x < 0) for x in forms)

    listed = {kind(*point) for point in order_types()}
    for tau, v, p in product(range(12), range(13), range(1, 12)):
        assert kind(F(tau, 12), F(v, 12), F(p, 12)) in listed
