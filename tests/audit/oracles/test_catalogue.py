"""Oracles of the catalogue: the law of brute force, the program's estimates, moments of the law, what readings compare.

Every mechanism, in every view of its reports, at sizes that reach the corners.
"""

from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from flint import fmpq

from dp_audit.judge.bets.watches import family
from dp_audit.judge.law import oracle_ratio
from dp_audit.oracles import KINDS, Oracle, catalogue, oracle
from dp_audit.oracles.mechanism import MechanismOracle, canonical
from dp_audit.oracles.relations import READINGS, Reading
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.grr import GRR
from dp_refimpl.frequency.hashing import HashFunction
from dp_refimpl.frequency.privset import PrivSet
from dp_refimpl.frequency.rappor import RAPPOR
from dp_refimpl.frequency.wheel import ArcMechanism
from dp_refimpl.mechanisms import RECORDS
from dp_spec.vocabulary.definitions import Relation, smallest_constant, uldp_protection_violation
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain, Report
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_spec.vocabulary.table import Channel
from independent.catalogue_cases import CATALOGUE, SMALL, at_budget, is_unbiased
from independent.oracle_cases import (
    Case,
    all_faults,
    all_same,
    estimate_faults,
    exact,
    moment_faults,
    report_forms,
    same,
    total,
)
from running.optional_values import known

pytestmark = pytest.mark.usefixtures("precise")

IRRATIONAL = [
    at_budget(case, epsilon) for case in SMALL for epsilon in (1.0, 0.3, "ln(2)") if "theta" not in case.parameters
]
"""e^epsilon or its shares are irrational."""


def faults(case: Case, subject: Oracle) -> set[str]:
    """Which statements about an oracle are violated; the ratio is that of a reading, which is asked for below."""
    return all_faults(case, subject) - {"ratio"}


def subject_of(case: Case, **more: object) -> MechanismOracle:
    subject = oracle(case.name, {**case.parameters, **more})
    assert isinstance(subject, MechanismOracle)
    return subject


def test_every_mechanism_of_the_registry_is_an_oracle_with_cases() -> None:
    others = {name: record.oracles for name, record in RECORDS.items() if record.oracles is not None}
    assert set(RECORDS) - set(others) == set(catalogue.KINDS) == {case.name for case in CATALOGUE}
    assert all(name in KINDS and name not in catalogue.KINDS for names in others.values() for name in names)
    assert [name for name, names in others.items() if not names] == ["SHE"]
    assert set(catalogue.KINDS) <= set(KINDS)


@pytest.mark.parametrize("case", CATALOGUE, ids=str)
def test_law_estimates_and_moments(case: Case) -> None:
    assert faults(case, case.oracle()) == set()


@pytest.mark.parametrize("case", IRRATIONAL, ids=str)
def test_at_irrational_budgets_balls_are_tiny_and_right(case: Case) -> None:
    subject = case.oracle()
    for x in subject.inputs:
        assert same(total(iter(subject.law(x).values())), fmpq(1))
    assert estimate_faults(case, subject) | moment_faults(subject, (1,)) == set()
    if is_unbiased(case):  # exactly: the numbers are
        assert all(isinstance(value, fmpq) for value in known(subject.expected_estimate(subject.inputs[:1])))


@pytest.mark.parametrize("case", SMALL, ids=str)
def test_inputs_outside_are_none_of_the_domain(case: Case) -> None:
    subject = subject_of(case)
    assert subject.outside
    assert not set(subject.outside) & set(subject.inputs)
    assert len(set(subject.outside)) == len(subject.outside)
    assert not subject.lists_outputs or family(subject).watches


# --- what readings compare --------------------------------------------------------------------------------------------

READ = [case for case in CATALOGUE if "relation" in KINDS[case.name].parameters]


def channel_of(subject: MechanismOracle) -> Channel[Any, Report, Real]:
    """The program's own reports, y0 in canonical form."""
    more = () if subject.h is None else (subject.h,)

    def run(s: Any, coins: Any) -> Report:
        y = subject.mechanism.randomize(s, *more, coins)
        return Report(canonical(subject.mechanism, y.protected, subject.h), y.invertible)

    return exact_channel(run, subject.inputs, subject.mechanism.one)


@pytest.mark.parametrize("case", READ, ids=str)
def test_a_reading_compares_what_the_definition_compares(case: Case) -> None:
    channel, domain = channel_of(subject_of(case)), subject_of(case).mechanism.domain
    for relation in READINGS:
        ratio = oracle_ratio(subject_of(case, relation=relation))
        try:
            constant = smallest_constant(channel, domain, relation)
        except DomainError:  # nothing is compared
            assert ratio == 1
            continue
        assert (ratio is None) == (constant is None)
        if constant is not None and ratio is not None:
            assert same(ratio, max(constant, Real.lift(1)).rational() or fmpq(0))


@pytest.mark.parametrize("name", ["URR", "URAP"])
def test_on_items_the_outputs_without_invertible_data_are_compared(name: str) -> None:
    subject = oracle(name, {"K": 2, "N": 2, "epsilon": "ln(9)"})
    assert isinstance(subject, MechanismOracle)
    rows = {x: {_report(name, y): p for y, p in subject.law(x).items()} for x in subject.inputs}
    ratio = oracle_ratio(subject)
    channel: Any = Channel(rows)
    assert ratio == 9
    assert uldp_protection_violation(channel, fmpq(9)) is None
    assert uldp_protection_violation(channel, fmpq(899, 100)) is not None


def _report(name: str, y: Any) -> Report:
    return Report(y, frozenset([y]) & {2, 3}) if name == "URR" else Report(*y)


def test_a_sensitive_item_in_the_invertible_data_is_compared() -> None:
    domain, held, other = ItemDomain.of_sizes(2, 1), frozenset([0, 2]), frozenset([1, 2])
    leak, fine = ((0,), frozenset([0])), ((0,), frozenset([2]))
    for relation in READINGS:
        reading = Reading(domain, relation, False)
        assert reading.compares(held, other, reading.observed(leak))
        assert reading.compares(held, other, reading.observed(fine))
    assert Reading(domain, "marginal", False).observed(leak) != Reading(domain, "marginal", False).observed(fine)
    assert not Reading(domain, "joint", False).compares(held, frozenset([0, 1]), fine)


def test_malformed_reports_are_compared_whole() -> None:
    domain, held, other = ItemDomain.of_sizes(2, 1), frozenset([0, 2]), frozenset([1, 2])
    for form in report_forms():
        for relation in READINGS:
            reading = Reading(domain, relation, False)
            assert reading.compares(held, other, reading.observed(form))
            assert reading.observed(form) == form


# --- the other names of the same mechanisms ---------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", ["ln(9)", 1.0])
def test_grr_sue_and_ss_are_the_mechanisms_of_the_core(epsilon: float | str) -> None:
    named: tuple[tuple[str, Any, dict[str, Any]], ...] = (
        ("GRR", GRR, {}),
        ("SUE", RAPPOR, {}),
        ("SS", partial(PrivSet, m=1), {"k": 2}),
    )
    for name, mechanism, more in named:
        subject = oracle(name, {"d": 4, "epsilon": epsilon, **more})
        budget = KINDS["GRR"].parameters["epsilon"]("epsilon", epsilon)
        made = mechanism(ItemDomain.of_sizes(4), budget, **more)
        own = MechanismOracle(4, budget, made)
        held = own.inputs
        for x, s in zip(subject.inputs, held, strict=True):
            ours, theirs = subject.law(x), own.law(s)
            assert ours.keys() == theirs.keys()
            assert all(same(p, theirs[y]) for y, p in ours.items())
        for y in {y for s in held for y in own.law(s)}:
            assert all_same(subject.estimate([y]) or (), own.estimate([y]))
        for data in ([0], [0, 1, 1]):
            assert all_same(subject.variance(data) or (), own.variance([held[x] for x in data]))


# --- what is read -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spelling", ["SuGRR", "sugrr", "su-grr", "SU_GRR"])
def test_any_spelling_of_a_name_is_read(spelling: str) -> None:
    sizes: dict[str, object] = {"K": 2, "N": 1, "m": 2, "epsilon": "ln(4)"}
    subject = oracle("SuGRR", {**sizes, "view": "set", "relation": "samenon"})
    assert oracle(spelling, {**sizes, "view": "SET", "relation": "same-non"}) == subject


def test_a_wrong_reading_is_caught() -> None:
    """Complements of what the definition compares, planted in `compares`."""
    case = next(c for c in READ if c.name == "SuGRRSample" and c.parameters["N"] == 2)
    channel, domain = channel_of(subject_of(case)), subject_of(case).mechanism.domain
    right = Reading.compares
    relation: Relation
    for relation in ("joint", "deniability", "samenon"):
        constant = smallest_constant(channel, domain, relation)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Reading, "compares", lambda self, s, t, y: not right(self, s, t, y) and s != t)
            ratio = oracle_ratio(subject_of(case, relation=relation))
        assert constant is not None
        assert ratio is None or compare(ratio, constant) is not Ordering.EQUAL


def test_a_point_is_mapped_as_the_documentation_says() -> None:
    subject = oracle("Wheel", {"d": 3, "m": 2, "epsilon": "ln(3)", "hash": "0, 1/4, 7/8"})
    assert isinstance(subject, MechanismOracle)
    assert isinstance(subject.mechanism, ArcMechanism)
    assert isinstance(subject.h, HashFunction)
    p, values = Fraction(1, 9), (Fraction(0), Fraction(1, 4), Fraction(7, 8))
    for j in range(72):
        t = Fraction(j, 72)
        cell = next(c for c in subject.mechanism.cells(subject.h) if c[0] <= exact(t) < c[1])
        arcs = frozenset(x for x, v in enumerate(values) if (t - v) % 1 < p)
        assert canonical(subject.mechanism, cell, subject.h) == arcs
