"""Checkers of laws on arcs: witnesses are the first in the declared order, ties hold, planted faults are caught."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from cases.faults import fault_test
from cases.formal_statements import statement_of
from dp_checks.check import decide, moments, places, ratios, ties
from dp_checks.check.decision import candidates
from dp_checks.check.moments import added
from dp_checks.check.proposals import Sizes
from dp_checks.programs import Instance, mechanism
from dp_checks.verdict import InternalDisagreementError
from dp_kernel import Rejected
from dp_refimpl.frequency.arcs import Coverage
from dp_refimpl.frequency.hashing import independence
from dp_refimpl.frequency.suwheel import SuWheel
from dp_refimpl.frequency.wheel import ArcMechanism
from dp_spec.frequency.grr import W
from dp_spec.frequency.wheel import ARC, SUWHEEL, WHEEL
from dp_spec.vocabulary.items import ItemDomain, Report
from dp_spec.vocabulary.law import Law, M, interval, push
from dp_spec.vocabulary.statement import Ratio
from dp_spec.vocabulary.term import Term, term
from running.decisions import disagreements

CLAIMS = (
    "002.def3.sizes.suwheel@all-marginal",
    "002.thm7.eq11@joint",
    "002.alg1.pfalse@fixed",
    "002.alg1.pfalse@pairwise",
    "002.alg1.line3.norm@all",
    "002.alg1.line7@fixed",
    "002.alg1.ptrue@fixed",
    "002.alg1.pfalse@fixed.corrected",
    "002.alg1.popt@f0",
    "002.thm7.inv",
    "002.thm7.eq11@marginal",
    "002.thm7.eq11@samenon",
    "002.thm7.proof.case@inin",
    "002.thm7.l",
    "002.thm7.tight",
    "002.thm8.sens@fixed",
    "002.thm8.sens@fixed.corrected",
    "002.thm9.proof.var@fixed",
    "002.thm9.proof.var@fixed.corrected",
    "002.thm9.eq25.non@fixed-data",
    "002.thm9.eq25.non@iid",
)
"""First those that show most faults."""


def program(sizes: Sizes, root: fmpq) -> Any:
    """suWheel at an instance."""
    return mechanism(SUWHEEL, "hash", Instance(sizes.m, ItemDomain.of_sizes(sizes.k, sizes.n), root))


def test_witnesses_are_the_smallest() -> None:
    """At smaller sizes the counterexample search finds nothing."""
    for claim, smaller in {
        "002.alg1.pfalse@pairwise": [
            Sizes(d, m, k) for d in (1, 2, 3) for m in (1, 2) for k in (1, 2) if m < 2 or d < 3
        ],
        "002.thm7.eq11@joint": [Sizes(1, 1, 1)],
    }.items():
        own = decide(statement_of(claim), claim).evidence.data["instance"]
        assert all(s < Sizes(own["K"] + own["N"], own["m"], own["K"]) or s.m < own["m"] for s in smaller)
        statement: Any = statement_of(claim)
        for s in smaller:
            if s.m <= s.d and s.k <= s.d:
                where = tuple(sign * (t - value) for sign in (1, -1) for t, value in _sizes(s))
                outcome = next(iter(candidates(replace(statement, where=where))))
                assert outcome.verdict != "refuted", s


def _sizes(s: Sizes) -> list[tuple[Any, int]]:
    from dp_spec.vocabulary.law import K, N

    return [(M, s.m), (K, s.k), (N, s.n)]


def test_families_have_the_independence_that_their_view_names() -> None:
    for sizes, root in ((Sizes(2, 1, 1), fmpq(2)), (Sizes(3, 1, 1), fmpq(2)), (Sizes(3, 2, 1), fmpq(2))):
        target = program(sizes, root)
        for view, least in {"ideal": sizes.d, "kwise": min(sizes.m + 1, sizes.d), "pairwise": 2}.items():
            for family in places.hash_families(SUWHEEL, view, sizes, root):
                assert independence(family) >= least
        everything = frozenset(target.domain.items)
        for family in places.hash_families(SUWHEEL, "disjoint", sizes, root):
            assert all(target.coverage(everything, h).measure == sizes.d * target.p for h in family.law())


def test_the_listed_functions_show_overlaps_gaps_and_wrapping() -> None:
    target = program(Sizes(3, 2, 1), fmpq(2))
    covers = {target.coverage(frozenset({0, 1}), h).measure for h in places.functions(3, target.p)}
    assert {target.p, 2 * target.p} < covers
    assert any(v + target.p > 1 for h in places.functions(3, target.p) for v in h.values)
    assert places.arc_length(SUWHEEL, Sizes(3, 2, 1), fmpq(2)) == target.p


# --- ties ---------------------------------------------------------------------------------------------------------


def law(of: Law, length: Term = ARC, weight: Term = W, *, emits: bool = True) -> Law:
    """A mechanism with other arcs."""
    point = interval("hash", length, weight)
    return replace(of, term=push("emit", point) if emits else point)


WRONG_LAWS = {
    "wheel emits": law(WHEEL),
    "longer arcs": law(SUWHEEL, 2 * ARC),
    "arcs of m + 1 items": law(SUWHEEL, ARC.substitute({"m": M + 1})),
    "twice the weight": law(SUWHEEL, weight=2 * W),
    "no weight": law(WHEEL, weight=term(1), emits=False),
}


@pytest.mark.parametrize("fault", WRONG_LAWS)
def test_a_wrong_law_is_not_that_of_the_program(fault: str) -> None:
    with pytest.raises((InternalDisagreementError, Rejected)):
        ties.tie(WRONG_LAWS[fault])


def test_the_laws_are_those_of_the_programs() -> None:
    assert len(ties.tie(law(SUWHEEL))) > len(ties.tie(law(WHEEL, emits=False))) > 0


randomize, coverage, hit, density = SuWheel.randomize, ArcMechanism.coverage, ArcMechanism.hit, ArcMechanism.density


def silent(self: Any, s: Any, h: Any, coins: Any) -> Any:
    return Report(randomize(self, s, h, coins).protected)


def forgetful(self: Any, s: Any, h: Any) -> Any:
    return density(self, frozenset(sorted(s)[:1]) if len(s) == 2 else s, h)


def halved(self: Any, s: Any, h: Any) -> Any:
    cover = coverage(self, s, h)
    return Coverage(cover.starts, cover.length / 2)


def late(self: Any, x: Any, h: Any, z0: Any) -> Any:
    return not hit(self, x, h, z0)


WRONG_PROGRAMS: dict[str, tuple[Any, str, Any]] = {
    "nothing is emitted": (SuWheel, "randomize", silent),
    "one item of two is covered": (ArcMechanism, "density", forgetful),
    "arcs are half as long": (ArcMechanism, "coverage", halved),
    "the server counts the others": (ArcMechanism, "hit", late),
}


@pytest.mark.usefixtures("other_programs")
@pytest.mark.parametrize("fault", WRONG_PROGRAMS)
def test_a_wrong_program_does_not_have_the_law(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*WRONG_PROGRAMS[fault])
    with pytest.raises(InternalDisagreementError):
        ties.tie(SUWHEEL.in_view("hash"))


# --- planted faults -----------------------------------------------------------------------------------------------


functions, families, compared = places.functions, places.hash_families, ratios.compared


def only(*patterns: int) -> Callable[..., Any]:
    return lambda d, arc: tuple(h for i, h in enumerate(functions(d, arc)) if i in patterns)


def read_as(**other: str) -> Callable[..., Any]:
    """Another reading of what is compared."""
    return lambda body, place: compared(body | other, place)


def exchanged(law: Any, y: Any, x: int, world: Any) -> int:
    return int(x in y[1]) if x < world.k else int(x in y[0][1])


FAULTS: dict[str, tuple[Any, str, Any]] = {
    "only equal hash values are tried": (places, "functions", only(1)),
    "no violation is found": (ratios, "violation", lambda *args: None),
    "every reading is joint": (ratios, "compared", read_as(relation="joint")),
    "every reading is marginal": (ratios, "compared", read_as(relation="marginal")),
    "sets of m items only": (ratios, "compared", read_as(sizes="exactm")),
    "hash values of another function": (
        places,
        "listed",
        lambda family: [[["0"] * len(h.values), "1"] for h in family.law()],
    ),
    "every function is disjoint": (places, "is_disjoint", lambda h, arc: True),
    "pairwise values are independent": (
        places,
        "hash_families",
        lambda law, view, *at: families(law, "kwise" if view == "pairwise" else view, *at),
    ),
    "no family is tried": (places, "hash_families", lambda *args: iter(())),
    "hit and emitted are exchanged": (moments, "added", exchanged),
    "chances of the next item": (
        moments,
        "added",
        lambda law, y, x, world: added(law, y, (x + 1) % (world.k + world.n), world),
    ),
    "no bias": (moments.Counts, "law_of", lambda counts, s, x: {int(x in s): Fraction(1)}),
}


test_planted_faults_are_caught = fault_test(lambda: disagreements(CLAIMS), FAULTS)


@pytest.mark.usefixtures("other_programs")
def test_a_missing_tie_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ties, "_on_arcs", lambda law: iter(()))
    assert any(disagreements(CLAIMS))


def test_another_constant_is_not_proved() -> None:
    from dp_spec.vocabulary.statement import Smallest
    from dp_spec.vocabulary.term import var

    assert decide(Smallest(SUWHEEL, "hash", "marginal", constant=(var("w") + 1) / 2)).verdict == "unchecked"
    assert decide(Smallest(SUWHEEL, "hash", "marginal", constant=term(100))).verdict == "unchecked"


def test_a_statement_about_hash_functions_on_average_is_not_decided_by_given_ones() -> None:
    statement = Ratio(SUWHEEL, "ideal", "marginal")
    assert decide(statement).verdict == "unchecked"
