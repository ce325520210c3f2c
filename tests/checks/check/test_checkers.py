"""Checkers: their candidates are the first in the declared order, the kernel has the last word, faults are caught."""

import importlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from typing import Any

import pytest

from cases.formal_statements import FORMAL, statement_of
from dp_checks.check import channels, decide, formulas, moments, places, ratios, reports
from dp_checks.check.decision import FINDERS, candidates, checkers
from dp_checks.check.moments import added
from dp_checks.check.proposals import Candidate, Sizes, sizes_of
from dp_checks.check.ties import tie
from dp_checks.verdict import InternalDisagreementError
from dp_refimpl.frequency.sugrr import SuGRR
from dp_spec.frequency import grr, sugrr, surap
from dp_spec.frequency.claims import definitions
from dp_spec.frequency.grr import E0
from dp_spec.frequency.rappor import T
from dp_spec.vocabulary.claim import Unchecked
from dp_spec.vocabulary.error_statements import Bounded, Formula, Limit
from dp_spec.vocabulary.law import K, M, N, drawn
from dp_spec.vocabulary.scalar import Ordering
from dp_spec.vocabulary.statement import Domain, Range, Ratio, Smallest, Statement, Unbiased
from dp_spec.vocabulary.term import term, var
from mutants.law_tables import tabled
from running.decisions import disagreements
from running.programs import forget_programs

CLAIMS = (
    "002.def3.eq9@coordinate",
    "002.def3.eq11@deniability",
    "002.thm2.sugrr.proof@set",
    "002.pad.unbiased@long",
    "002.thm2.sugrr.sens@set",
    "002.def3.eq11.protects@samenon",
    "002.def3.implications@joint-samenon",
    "002.def.freq",
    "002.prose.split.composition",
    "002.def3.eps0@sugrr",
    "002.thm4.surap.inv",
    "002.def1.limit",
    "002.pad.unbiased@long.corrected",
    "002.prose.uldp.split",
    "002.base.grrsplit.tight@multiset",
    "002.base.rappor.eq6-7.privacy@exactm",
    "002.base.grrsample.privacy",
    "002.base.rappor.bettersplit@rappor",
    "002.alg.sugrr.output@set",
    "002.prose.grrlarge@ktoinf",
    "002.prose.grrlarge@dtoinf",
    "002.thm1.sugrr.eq11@set-marginal",
    "002.thm1.sugrr.eq11@multiset-marginal-nonempty",
    "002.thm1.sugrr.eq11@multiset-joint",
    "002.thm1.sugrr.eq11@position-samenon",
    "002.thm1.sugrr.proof.product@set",
    "002.thm1.sugrrsample.tight",
    "002.thm2.sugrr.sens@multiset",
    "002.thm2.sugrr.non@multiset",
    "002.thm2.sugrr.proof@multiset",
    "002.thm3.eq16.sens@multiset",
    "002.thm3.eq16.sens@iid",
    "002.thm3.eq17.non@fixed-data",
    "002.thm6.eq21.sens@fixed-data",
)
"""Statements of every kind that are decided in no time, first those that show most faults."""


X = var("x")
UNIT = Domain({"x": Range()}, (1 - X,))
VALUES = {"x": "1/2"}
SMALL = Formula(UNIT, (("le", X, term(1)),))
AT_THE_BOUND = Formula(UNIT, (("le", X, term(1)), ("lt", X, term(1))))
"""True, and false at x = 1 only."""
WRONG = (AT_THE_BOUND, Ratio(definitions.UNDIVIDED, "multiset", "joint"))
"""The second is false by a factor smaller than e^epsilon."""


def believed() -> Iterator[str]:
    """False statements that are not refuted."""
    for number, wrong in enumerate(WRONG):
        try:
            if decide(wrong).verdict != "refuted":
                yield f"false statement {number}"
        except InternalDisagreementError as error:
            yield f"false statement {number}: {error}"


def test_what_is_false_is_refuted() -> None:
    assert list(believed()) == []


def test_sizes_come_in_the_declared_order_and_miss_none() -> None:
    listed = list(sizes_of(sugrr.SUGRR, (), d_max=4, m_max=3))
    assert listed == sorted(listed)
    assert listed == [
        Sizes(d, m, k) for d in range(1, 5) for m in range(1, 4) for k in range(1, 5) if m <= d and k <= d
    ]
    assert {s.n for s in sizes_of(grr.GRR_SPLIT, ())} == {0}
    assert all(s.k >= 2 * s.m for s in sizes_of(sugrr.SUGRR, (K - 2 * M,)))


@pytest.mark.parametrize("reading", ["position-joint", "multiset-marginal-nonempty"])
def test_a_counterexample_is_the_smallest(reading: str) -> None:
    """At every smaller size the bound holds for the epsilons that are searched."""
    statement = FORMAL[f"002.thm1.sugrr.eq11@{reading}"]
    assert isinstance(statement, Ratio)
    instance = next(candidates(statement)).data["instance"]
    own = Sizes(instance["K"] + instance["N"], instance["m"], instance["K"])
    smaller = [s for s in sizes_of(statement.law, statement.where) if s < own]
    assert smaller
    for sizes in smaller:
        where = (M - sizes.m, sizes.m - M, K - sizes.k, sizes.k - K, N - sizes.n, sizes.n - N)
        assert next(candidates(replace(statement, where=where))).verdict != "refuted"


# --- the decision -------------------------------------------------------------------------------------------------


def test_a_rejected_counterexample_is_a_defect_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Candidate("refuted", "witness", "", {"relation": 0, "values": {"x": "2"}})
    monkeypatch.setitem(FINDERS, (Formula, ""), lambda statement, hint: iter([wrong]))
    with pytest.raises(InternalDisagreementError, match="the kernel rejects"):
        decide(SMALL)


def test_a_rejected_proof_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Candidate("proved", "positivity", "", {"values": VALUES, "steps": [{}]})
    monkeypatch.setitem(FINDERS, (Formula, ""), lambda statement, hint: iter([wrong]))
    assert decide(SMALL).verdict == "unchecked"


def test_the_first_accepted_candidate_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    proofs = [
        Candidate("proved", "positivity", "no", {"values": VALUES, "steps": [{}]}),
        Candidate("proved", "positivity", "first", {"values": VALUES, "steps": [{"multipliers": {"0": 1}}]}),
        Candidate("verified", "positivity", "second", {"points": [{"x": "0"}], "bits": 64}),
    ]
    monkeypatch.setitem(FINDERS, (Formula, ""), lambda statement, hint: iter(proofs))
    outcome = decide(SMALL)
    assert (outcome.verdict, outcome.evidence.scope) == ("proved", "first")


def test_what_is_not_stated_formally_stays_unchecked_with_its_reason() -> None:
    outcome = decide(Unchecked("no data"))
    assert (outcome.verdict, outcome.evidence.scope, dict(outcome.evidence.data)) == ("unchecked", "no data", {})


# --- ties ---------------------------------------------------------------------------------------------------------

WRONG_TABLES = {
    "p and q exchanged": tabled(sugrr.SUGRR, p=sugrr.other(E0), q=sugrr.own(E0)).in_view("multiset"),
    "r as p": tabled(sugrr.SUGRR, r=sugrr.own(E0)).in_view("multiset"),
    "K + 1 for K": tabled(sugrr.SUGRR, q=1 / (E0 + K)).in_view("multiset"),
    "half the budget": tabled(sugrr.SUGRR, p=sugrr.own(E0**2)).in_view("multiset"),
    "one drawn item": replace(sugrr.SUGRR, term=drawn(sugrr.SUGRR.term)).in_view("multiset"),
    "bits not kept": tabled(surap.SURAP, r=surap.kept(T**2)).in_view("sen"),
    "bits of one drawn item": replace(surap.SURAP, term=drawn(surap.SURAP.term)).in_view("sen"),
}


@pytest.mark.parametrize("fault", WRONG_TABLES)
def test_a_wrong_table_is_not_that_of_the_program(fault: str) -> None:
    law = WRONG_TABLES[fault]
    with pytest.raises(InternalDisagreementError, match=r"in the program, .* in the table"):
        tie(law)


def test_a_wrong_program_does_not_have_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """The law and views stay; the program reports every item twice as carefully, or forgets one."""
    randomize = SuGRR.randomize

    def forgetful(self: Any, s: Any, coins: Any) -> Any:
        return randomize(self, frozenset(sorted(s)[1:]) if len(s) == 2 else s, coins)

    def turned(self: Any, s: Any, coins: Any) -> Any:
        report: Any = randomize(self, s, coins)
        return replace(report, protected=report.protected[::-1]) if len(report.protected) == 2 else report

    for fault, view in ((forgetful, "multiset"), (forgetful, "set"), (turned, "position")):
        monkeypatch.setattr(SuGRR, "randomize", fault)
        forget_programs()
        with pytest.raises(InternalDisagreementError, match="in the program"):
            tie(sugrr.SUGRR.in_view(view))
        forget_programs()


def test_a_verdict_needs_the_tie() -> None:
    statement = Unbiased(WRONG_TABLES["r as p"], "multiset", "sensitive", sugrr.SUGRR_SENSITIVE)
    with pytest.raises(InternalDisagreementError, match="in the program"):
        decide(statement)


# --- planted faults -----------------------------------------------------------------------------------------------


def renamed(verdict: str, checker: Callable[..., Iterator[Candidate]]) -> Callable[..., Iterator[Candidate]]:
    """A checker that calls some verdict by another name."""

    def faulty(*args: Any) -> Iterator[Candidate]:
        for candidate in checker(*args):
            yield replace(candidate, verdict=verdict)  # type: ignore[arg-type]

    return faulty


def without(verdict: str, checker: Callable[..., Iterator[Candidate]]) -> Callable[..., Iterator[Candidate]]:
    return lambda *args: (c for c in checker(*args) if c.verdict != verdict)


points_of, all_places, compared, bound = formulas._points, places.places, ratios.compared, ratios._bound


def fewer_places(keep: Callable[[Any], bool]) -> Callable[..., Iterator[Any]]:
    return lambda *args: (place for place in all_places(*args) if keep(place.at))


class Wrong(moments.Counts):
    """Counts of reports with a fault."""

    fault = ""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        if self.fault == "no offset":
            self.offset = Fraction(0)
        if self.fault == "exchanged":
            self.slope, self.offset = self.offset or Fraction(1), self.slope

    def data(self, *args: Any) -> Any:
        evidence = super().data(*args)
        return evidence | {"always": {"f": Fraction(1)}, "f and g": {"f": evidence["g"], "g": evidence["f"]}}.get(
            self.fault, {}
        )


def wrong(fault: str) -> type[Wrong]:
    return type("Wrong", (Wrong,), {"fault": fault})


FAULTS: dict[str, tuple[Any, Any, Any]] = {
    "ratios: one sensitive item is skipped": (ratios, "places", fewer_places(lambda at: at["K"] > 1)),
    "ratios: m = 1 only": (ratios, "places", fewer_places(lambda at: at["m"] == 1)),
    "ratios: no non-sensitive items": (ratios, "places", fewer_places(lambda at: at["N"] == 0)),
    "ratios: e^eps of one item": (
        ratios,
        "_bound",
        lambda body, place: Fraction(place.at[body["law"]["base"]]),
    ),
    "ratios: e^eps squared": (ratios, "_bound", lambda body, place: bound(body, place) ** 2),
    "ratios: every reading is joint": (
        ratios,
        "compared",
        lambda body, place: compared(body | {"relation": "joint"}, place),
    ),
    "ratios: no counterexamples": (FINDERS, (Ratio, ""), without("refuted", FINDERS[Ratio, ""])),
    "ratios: no powers": (ratios, "_powers", lambda statement: iter(())),
    "ratios: the constant is not compared": (ratios, "largest", lambda comparisons: None),
    "moments: one sensitive item is skipped": (moments, "places", fewer_places(lambda at: at["K"] > 1)),
    "moments: m = 1 only": (moments, "places", fewer_places(lambda at: at["m"] == 1)),
    "moments: no offset": (moments, "Counts", wrong("no offset")),
    "moments: offset and slope exchanged": (moments, "Counts", wrong("exchanged")),
    "moments: frequencies of the other item": (moments, "Counts", wrong("always")),
    "moments: counts of the next item": (
        moments,
        "added",
        lambda law, y, x, world: added(law, y, (x + 1) % (world.k + world.n), world),
    ),
    "moments: f and g exchanged": (moments, "Counts", wrong("f and g")),
    "moments: reports as sets": (moments, "added", lambda law, y, x, world: int(x in y[0] or x in y[1])),
    "reports: no case is one that fails": (reports, "truth", lambda *at: True),
    "reports: every case is one that fails": (reports, "truth", lambda *at: False),
    "reports: there are no cases": (reports, "cases", lambda *at: ()),
    "formulas: everything holds": (formulas, "_fails", lambda *args: False),
    "formulas: < for <=": (formulas, "_fails", lambda op, order: order is not Ordering.LESS),
    "formulas: constraints are ignored": (
        formulas,
        "_points",
        lambda statement: points_of(replace(statement, domain=replace(statement.domain, constraints=()))),
    ),
    "channels: no example": (channels, "pool", lambda: ()),
    "channels: no mechanism": (channels, "mechanisms", lambda: ()),
    "channels: no families": (channels, "families", lambda form: []),
    "channels: premises are ignored": (channels, "_holds", lambda predicate, c: not predicate.startswith("eq11-s")),
    "channels: everything holds": (channels, "_holds", lambda predicate, c: True),
}


def first_of(checker: str) -> tuple[str, ...]:
    """All claims, those that a checker proposes evidence on first: one of them shows its faults."""
    return tuple(sorted(CLAIMS, key=lambda claim: f"dp_checks.check.{checker}" not in checkers(statement_of(claim))))


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, name, replacement = FAULTS[fault]
    if place is FINDERS:
        assert name in FINDERS
        monkeypatch.setitem(FINDERS, name, replacement)
    else:
        assert hasattr(place, name)
        monkeypatch.setattr(place, name, replacement)
    assert next(chain(believed(), disagreements(first_of(fault.partition(":")[0]))), None) is not None


@pytest.mark.parametrize(("module", "name"), [("decision", "records"), ("ties", "tie")])
def test_a_missing_tie_is_caught(module: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.import_module(f"dp_checks.check.{module}"), name, lambda _: ())
    assert next(disagreements(("002.thm4.surap.inv",)), None) is not None


def test_a_witness_called_a_proof_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    for verdict in ("verified", "proved"):
        monkeypatch.setitem(FINDERS, (Unbiased, ""), renamed(verdict, FINDERS[Unbiased, ""]))
        assert decide(FORMAL["002.thm2.sugrr.sens@set"]).verdict == "unchecked"
        monkeypatch.undo()


def test_constants_of_single_sets_are_not_compared() -> None:
    """For m = d nothing is compared: such a statement is neither proved nor refuted there."""
    statement = Smallest(surap.SURAP, "sen", "joint", where=(M - K - N,), constant=term(1))
    assert decide(statement).verdict == "unchecked"


X, H = var("x"), var("h")
NOTHING: dict[str, Statement] = {
    "relation": Formula(Domain({"x": Range(1)}, (-X,)), (("le", X, 2 * X),)),
    "bound": Bounded(Domain({"x": Range(1)}, (-X,)), ((X, 2 * X),)),
    "limit": Limit(Domain({"h": Range(1, integer=True), "x": Range(1)}, (-X,)), "h", X / H, term(0)),
}


@pytest.mark.parametrize("about", NOTHING)
def test_a_statement_about_nothing_stays_unchecked(about: str) -> None:
    assert decide(NOTHING[about]).verdict == "unchecked"
