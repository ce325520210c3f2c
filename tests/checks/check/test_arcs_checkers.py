"""Checkers of laws on arcs: witnesses are the first in the declared order, ties hold, planted faults are caught."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest
from flint import fmpq

from cases.claimed import statement_of
from corpus.certificates import certified
from dp_checks.certificate import certificate
from dp_checks.check import arcs, arcs_estimates, arcs_programs, decide, ties
from dp_checks.check.decision import candidates
from dp_checks.check.proposals import Sizes
from dp_checks.replay import replay
from dp_checks.verdict import InternalDisagreementError, Outcome
from dp_kernel import Rejected, verify
from dp_refimpl.frequency.arcs import Coverage
from dp_refimpl.frequency.hashing import FixedFunction, HashFunction, independence
from dp_refimpl.frequency.suwheel import SuWheel
from dp_refimpl.frequency.wheel import ArcMechanism
from dp_spec.frequency.grr import W
from dp_spec.frequency.wheel import ARC, SUWHEEL, WHEEL
from dp_spec.vocabulary.items import Report
from dp_spec.vocabulary.law import Law, M, interval, push
from dp_spec.vocabulary.statement import Ratio
from dp_spec.vocabulary.term import Term, term

CLAIMS = (
    "002.base.wheel.cover@printed-closed",
    "002.alg1.line2@printed-closed",
    "002.alg1.line3.norm@all",
    "002.alg1.line7@fixed",
    "002.alg1.ptrue@fixed",
    "002.alg1.pfalse@pairwise",
    "002.alg1.pfalse@fixed",
    "002.alg1.pfalse@fixed.corrected",
    "002.alg1.popt@f0",
    "002.alg2.line5@closed",
    "002.thm7.inv",
    "002.thm7.eq11@marginal",
    "002.thm7.eq11@joint",
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
    "002.def3.sizes.suwheel@all-marginal",
)
PROGRAMS = (
    arcs_programs.channel,
    arcs_programs.chances,
    arcs_programs.functions,
    arcs_programs.hits_of,
    arcs_programs.outcomes,
)
"""Caches of what programs do: to be emptied where a program is changed."""


def forget(*cached: Any) -> None:
    for one in (arcs_estimates._mean, ties.tie, *cached):
        getattr(one, "cache_clear", lambda: None)()


@cache
def sound() -> dict[str, Outcome]:
    """The outcomes without a fault, each shown to the kernel."""
    found = {claim: decide(statement_of(claim), claim) for claim in CLAIMS}
    for claim, outcome in found.items():
        verify(certified(statement_of(claim), outcome.verdict, outcome.evidence.data, claim))
    return found


def disagreements() -> Iterator[str]:
    """Claims that are decided otherwise than without a fault, or on which checker, program and kernel contradict each
    other."""
    for claim, expected in sound().items():
        try:
            outcome = decide(statement_of(claim), claim)
        except (InternalDisagreementError, Rejected) as error:
            yield f"{claim}: {error}"
            continue
        if outcome != expected:
            yield f"{claim}: {outcome}"


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    sound()
    forget()
    yield
    forget()


@pytest.fixture
def other_programs() -> Iterator[None]:
    forget(*PROGRAMS)
    yield
    forget(*PROGRAMS)


@pytest.mark.slow
def test_everything_is_decided_the_same_way_again() -> None:
    assert list(disagreements()) == []
    assert "unchecked" not in {outcome.verdict for outcome in sound().values()}


def test_witnesses_are_the_smallest() -> None:
    """At smaller sizes the counterexample search finds nothing."""
    for claim, smaller in {
        "002.alg1.pfalse@pairwise": [
            Sizes(d, m, k) for d in (1, 2, 3) for m in (1, 2) for k in (1, 2) if m < 2 or d < 3
        ],
        "002.thm7.eq11@joint": [Sizes(1, 1, 1)],
    }.items():
        own = sound()[claim].evidence.data["instance"]
        assert all(s < Sizes(own["K"] + own["N"], own["m"], own["K"]) or s.m < own["m"] for s in smaller)
        statement: Any = statement_of(claim)
        for s in smaller:
            if s.m <= s.d and s.k <= s.d:
                where = tuple(sign * (t - value) for sign in (1, -1) for t, value in _sizes(s))
                found = next(iter(candidates(replace(statement, where=where))))
                assert found.verdict != "refuted", s


def _sizes(s: Sizes) -> list[tuple[Any, int]]:
    from dp_spec.vocabulary.law import K, N

    return [(M, s.m), (K, s.k), (N, s.n)]


def test_families_have_the_independence_that_their_view_names() -> None:
    for sizes, root in ((Sizes(2, 1, 1), fmpq(2)), (Sizes(3, 1, 1), fmpq(2)), (Sizes(3, 2, 1), fmpq(2))):
        target = arcs_programs.mechanism(SUWHEEL, sizes, root)
        for view, least in {"ideal": sizes.d, "kwise": min(sizes.m + 1, sizes.d), "pairwise": 2}.items():
            for family in arcs_programs.families(view, target):
                assert independence(family) >= least
        assert all(
            arcs_programs.is_disjoint(target, h) for f in arcs_programs.families("disjoint", target) for h in f.law()
        )


def test_the_listed_functions_show_overlaps_gaps_and_wrapping() -> None:
    target = arcs_programs.mechanism(SUWHEEL, Sizes(3, 2, 1), fmpq(2))
    covers = {target.coverage(frozenset({0, 1}), h).measure for h in arcs_programs.functions(3, target.p)}
    assert {target.p, 2 * target.p} < covers
    assert any(v + target.p > 1 for h in arcs_programs.functions(3, target.p) for v in h.values)


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
        ties.tie(SUWHEEL.seen("hash"))


INSTANCES = [
    (Sizes(2, 1, 1), fmpq(2)),
    (Sizes(2, 2, 1), fmpq(3, 2)),
    (Sizes(3, 2, 1), fmpq(2)),
    (Sizes(3, 2, 3), fmpq(2)),
]


@pytest.mark.parametrize(("sizes", "root"), INSTANCES)
def test_items_are_hit_and_emitted_as_often_as_the_law_says(sizes: Sizes, root: fmpq) -> None:
    """p and r under every hash function; q of another item, on average over independent values."""
    target, values = arcs_programs.mechanism(SUWHEEL, sizes, root), {"w": root, **sizes.json()}
    p, q, r = (fmpq(1) * entry.evaluate(values) for entry in (SUWHEEL.p, SUWHEEL.q, SUWHEEL.r or term(0)))
    for h in arcs_programs.functions(sizes.d, target.p):
        for s in target.domain.subsets(range(sizes.m + 1)):
            found = arcs_programs.chances(SUWHEEL, sizes, root, h, s)
            assert all(found[x] == (p, r if x >= sizes.k else 0) for x in s)
    for view, s in product(("ideal", "kwise"), target.domain.subsets([sizes.m])):
        for family, x in product(arcs_programs.families(view, target), range(sizes.d)):
            assert x in s or arcs_programs.mean_chances(SUWHEEL, sizes, root, family, s, x)[0] == q


# --- planted faults -----------------------------------------------------------------------------------------------


def only(*patterns: int) -> Callable[..., Any]:
    functions = arcs_programs.functions
    return lambda d, arc: tuple(h for i, h in enumerate(functions(d, arc)) if i in patterns)


mean_chances, families, outcomes = arcs_programs.mean_chances, arcs_programs.families, arcs_programs.outcomes

FAULTS: dict[str, list[tuple[Any, str, Any]]] = {
    "only equal hash values are tried": [(arcs, "functions", only(1)), (arcs_programs, "functions", only(1))],
    "no violation is found": [(arcs, "suldp_violation", lambda *args: None)],
    "every reading is joint": [(arcs, "_relation", lambda statement: "joint")],
    "every reading is marginal": [(arcs, "_relation", lambda statement: "marginal")],
    "sets of m items only": [
        (
            arcs,
            "outcomes",
            lambda law, sizes, root, h, lengths: outcomes(law, sizes, root, h, range(sizes.m, sizes.m + 1)),
        )
    ],
    "hash values of another function": [
        (arcs, "listed", lambda family: [[["0"] * len(h.values), "1"] for h in family.law()]),
    ],
    "the reading is the arc": [(arcs, "_member", lambda statement, target, v: Coverage((v,), target.p).covers)],
    "the server's test is another": [(arcs, "_member", lambda statement, target, v: lambda tau: tau == 0)],
    "every function is disjoint": [(arcs_programs, "is_disjoint", lambda target, h: True)],
    "pairwise values are independent": [
        (
            arcs_estimates,
            "families",
            lambda view, target: families("kwise" if view == "pairwise" else view, target),
        )
    ],
    "no family is tried": [(arcs_estimates, "families", lambda view, target: iter(()))],
    "hit and emitted are exchanged": [
        (arcs_estimates, "mean_chances", lambda *args: mean_chances(*args)[::-1]),
    ],
    "chances of the next item": [
        (
            arcs_estimates,
            "mean_chances",
            lambda law, sizes, root, family, s, x: mean_chances(law, sizes, root, family, s, (x + 1) % sizes.d),
        )
    ],
    "no bias": [(arcs_estimates, "_success", lambda statement, sizes, root, family, s, x: fmpq(int(x in s)))],
    "the tie is left out": [(ties, "_on_arcs", lambda law: iter(()))],
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, replacement in FAULTS[fault]:
        assert hasattr(module, name)
        monkeypatch.setattr(module, name, replacement)
    assert next(disagreements(), None) is not None


def test_another_constant_is_not_proved() -> None:
    from dp_spec.vocabulary.statement import Smallest
    from dp_spec.vocabulary.term import var

    assert decide(Smallest(SUWHEEL, "hash", "marginal", constant=(var("w") + 1) / 2)).verdict == "unchecked"
    assert decide(Smallest(SUWHEEL, "hash", "marginal", constant=term(100))).verdict == "unchecked"


def test_a_statement_about_hash_functions_on_average_is_not_decided_by_given_ones() -> None:
    statement = Ratio(SUWHEEL, "ideal", "marginal")
    assert decide(statement).verdict == "unchecked"


def test_an_instance_is_what_the_program_says() -> None:
    """The smallest refutation of P_false = p: a point avoids the other item's arc more often than 1 - p."""
    target = arcs_programs.mechanism(SUWHEEL, Sizes(2, 1, 1), fmpq(2))
    h = HashFunction((0, 1), (fmpq(0), fmpq(1, 3)))
    family = FixedFunction(h)
    hits = arcs_programs.mean_chances(SUWHEEL, Sizes(2, 1, 1), fmpq(2), family, frozenset({0}), 1)
    assert hits[0] == target.density(frozenset({0}), h).mass([(fmpq(1, 3), fmpq(2, 3))]) == fmpq(1, 4)


@pytest.mark.parametrize(
    ("claim", "number"),
    [
        ("002.thm7.eq11@joint", "probability"),
        ("002.def3.sizes.suwheel@all-marginal", "other_probability"),
        ("002.alg1.pfalse@pairwise", "exact"),
    ],
)
def test_a_replay_finds_the_witness_in_the_program(claim: str, number: str) -> None:
    outcome = sound()[claim]
    content = certificate(claim, statement_of(claim), outcome)
    assert any(f"= {outcome.evidence.data[number]}" in line for line in replay(content))
    content["evidence"][number] = "17/5"
    with pytest.raises(InternalDisagreementError, match="17/5"):
        replay(content)
