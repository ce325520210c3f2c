"""Faults planted in the kernel: each makes it accept a false certificate, reject a real one, or compute another law."""

import importlib
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

import arcs_certificates
import brute_force as plain
import error_certificates
import subset_certificates
from certificates import NAMES, real
from dp_checks.kernel import Rejected, laws, polynomial, verify
from dp_spec.frequency import grr, rappor, sugrr, surap
from false_certificates import FALSE

SIZES = ((1, 0, 1), (2, 1, 1), (1, 2, 2), (2, 1, 2), (1, 1, 2), (3, 0, 2), (2, 2, 3))
ROOT = Fraction(3, 2)


FAMILIES = (arcs_certificates, error_certificates, subset_certificates)
"""Families with planted faults, and tests, of their own."""
CORE = {
    name: false
    for name, false in FALSE.items()
    if false[0].__module__ in ("false_formulas", "false_laws", "false_estimators", "false_channels")
}
CORE_NAMES = [name for name in NAMES if not any(name in family.REPRESENTATIVE for family in FAMILIES)]


def fault_free() -> dict[str, Any]:
    return {name: real(name) for name in CORE_NAMES if name != "smaller-order refuted"}


Expected = Callable[[plain.Items], plain.Law]


def expected_laws(k: int, n: int, m: int, t: Fraction) -> Iterator[tuple[Any, str, Fraction, Expected]]:
    """Table, view, root of e^eps and the law by brute force, which shares no line with the kernel."""
    d = k + n
    for view in ("set", "multiset", "position", "padded"):
        yield sugrr.SUGRR, view, t**2, partial(plain.sugrr, sensitive=k, t=t, view=view)
    yield sugrr.SUGRR_SAMPLE, "one", t ** (2 * m), partial(plain.sugrr_sample, sensitive=k, t=t, m=m)
    yield surap.SURAP, "sen", t, partial(plain.surap, sensitive=k, d=d, t=t)
    yield surap.SURAP_SAMPLE, "sen", t**m, partial(plain.surap_sample, sensitive=k, d=d, t=t, m=m)
    if n == 0:
        yield grr.GRR_SPLIT, "vector", t**2, partial(plain.grr_split, d=d, t=t, view="vector")
        yield rappor.RAPPOR_SET, "sen", t, partial(plain.rappor_set, d=d, root=t)


def other_laws() -> Iterator[str]:
    """Where the kernel's laws are not those of the brute force."""
    for k, n, m in SIZES:
        for law, view, root, expected in expected_laws(k, n, m, ROOT):
            at = {law.base: root, "K": k, "m": m}
            numbers = tuple(None if entry is None else entry.evaluate(at) for entry in (law.p, law.q, law.r))
            for s in laws.sets_of([m], k, n):
                order = tuple(range(k + n))
                found = laws.report_law({"unit": law.unit, "draw": law.draw}, view, s, k, n, order, numbers)
                if {named_output(law, view, y): p for y, p in found.items() if p} != expected(frozenset(s)):
                    yield f"{law.mechanism} ({view}) at {(k, n, m)}: {s}"


def named_output(law: Any, view: str, y: Any) -> Any:
    y0, kept = y
    if law.r is None:
        return y0
    return (frozenset(y0) if view == "set" else y0, frozenset(kept))


def misjudged() -> Iterator[str]:
    """False certificates that are accepted, real ones that are rejected, laws that are others."""
    for name, (build, _) in CORE.items():
        try:
            verify(build())
        except Rejected:
            continue
        yield f"accepted: {name}"
    for name, certificate in fault_free().items():
        try:
            verify(certificate)
        except Rejected as error:
            yield f"rejected: {name}: {error}"
    yield from other_laws()


def test_the_kernel_misjudges_nothing() -> None:
    assert list(misjudged()) == []


def always(value: Any) -> Callable[..., Any]:
    return lambda *args, **options: value


coefficients, related, observed, slots = polynomial._coefficients, laws.related, laws.observed, laws._bit_slots
shifted, whole = polynomial.shifted, laws._whole


def ignoring_strictness(poly: Any, bounds: Any, strictly: bool) -> bool:
    return coefficients(poly, bounds, False)


def both_ways(relation: str, s: Any, other: Any, k: int) -> bool:
    return related(relation, s, other, k) or (relation == "deniability" and related(relation, other, s, k))


def by_length(relation: str, s: Any, other: Any, k: int) -> bool:
    exchanged = len(set(s) - set(other)) == 1 == len(set(other) - set(s))
    return exchanged if relation == "deniability" else related(relation, s, other, k)


def all_pairs(relation: str, s: Any, other: Any, k: int) -> bool:
    return relation == "samenon" or related(relation, s, other, k)


def without_condition(law: Any, relation: str, s: Any, other: Any, counted: str) -> Any:
    return observed(law, "ldp" if relation == "joint" else relation, s, other, counted)


def empties_always(law: Any, relation: str, s: Any, other: Any, counted: str) -> Any:
    return observed(law, relation, s, other, "all")


def r_where_not_held(held: Any, k: int, n: int, numbers: Any) -> Any:
    p, q, r = numbers
    return slots(held, k, n, (p, q, p if r is not None else None))


def unshifted(poly: Any, bounds: Any) -> Any:
    return poly


K = "dp_checks.kernel."
FAULTS: dict[str, tuple[list[str], Any]] = {
    "positivity: > as >=": ([K + "polynomial._coefficients"], ignoring_strictness),
    "positivity: signs are not looked at": ([K + "polynomial._coefficients"], always(True)),
    "positivity: nothing is shown": ([K + "polynomial._coefficients"], always(False)),
    "positivity: bounds are taken as 0": ([K + "polynomial.shifted"], unshifted),
    "positivity: multipliers are not checked": ([K + "formulas.is_nonnegative"], always(True)),
    "roots: never any": ([K + "formulas.roots_above"], always(0)),
    "definedness: poles are allowed": (
        [K + "formulas.require_defined", K + "moments.require_defined", K + "defined.require_defined"],
        always(None),
    ),
    "domains: points are not checked": ([K + "domains.inside"], always(True)),
    "domains: integers are not": (
        [K + "domains.inside"],
        lambda domain, name, x: x >= domain["variables"][name]["min"],
    ),
    "domains: lemmas are free": (
        [K + "domains._lemma"],
        lambda lemma, domain, values: [values["w"] - 1 - values["m"] * values["v"]],
    ),
    "shape: any statement": ([K + "check.require_statement"], always(None)),
    "shape: any evidence": ([K + "check.require_evidence"], always(None)),
    "laws: any table": ([K + "check.require_law", K + "moments.require_law"], always(None)),
    "sizes: none are needed": ([K + "check.require_sizes"], always(None)),
    "sizes: every instance fits": (
        [K + f"{m}.fits" for m in ("privacy", "constants", "moments", "reports")],
        always(True),
    ),
    "related: deniability in both directions": (
        [K + "laws.related", K + "privacy.related", K + "channels.related"],
        both_ways,
    ),
    "related: deniability of any item": ([K + "privacy.related", K + "channels.related"], by_length),
    "related: samenon compares all sets": ([K + "privacy.related", K + "channels.related"], all_pairs),
    "observed: joint without its condition": ([K + "privacy.observed", K + "channels.observed"], without_condition),
    "observed: empty y0 counts": ([K + "privacy.observed", K + "channels.observed"], empties_always),
    "constants: everything is implied": ([K + "constants.implied"], always(True)),
    "constants: never attained": ([K + "constants._require_attained"], always(None)),
    "verified: nothing is enumerated": ([K + "privacy._compared"], always(())),
    "moments: Bernoulli variables without variance": (
        [K + "moments._bernoulli"],
        lambda held, other: (polynomial.lift(held), polynomial.lift(0)),
    ),
    "moments: shown numbers are not compared": ([K + "moments._require_shown"], always(None)),
    "moments: everybody holds x": ([K + "moments._frequency"], always(Fraction(1))),
    "laws: r is p": ([K + "laws._bit_slots"], r_where_not_held),
    "laws: a drawn item is the first": (
        [K + "laws._whole"],
        lambda law, view, held, k, n, order, numbers: whole(law, view, held[:1], k, n, order, numbers),
    ),
    "laws: results in reverse order": (
        [K + "laws._whole"],
        lambda law, view, held, k, n, order, numbers: whole(law, view, held, k, n, order[::-1], numbers),
    ),
    "channels: rows are not checked": ([K + "channels.holds"], always(True)),
    "channels: incomplete ones refute": ([K + "channels._complete"], always(False)),
    "containment: always": ([K + "channels._contained"], always(True)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fault_free()  # real certificates are made before the kernel is broken
    paths, replacement = FAULTS[fault]
    for path in paths:
        module, name = path.rsplit(".", 1)
        monkeypatch.setattr(importlib.import_module(module), name, replacement)
    assert next(misjudged(), None) is not None
