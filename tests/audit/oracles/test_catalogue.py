"""Oracles of the catalogue: the law of brute force, the program's estimates, moments of the law, what readings compare.

Every mechanism, in every view of its reports, at sizes that reach the corners; faults are planted in each.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, islice
from typing import Any

import pytest
from flint import fmpq

from audit.oracles.test_oracle_mutants import ESTIMATED, EVERYWHERE, pulled
from dp_audit.judge.bets.watches import family
from dp_audit.judge.law import oracle_ratio
from dp_audit.oracles import KINDS, catalogue, oracle
from dp_audit.oracles.base import Event, Number, Oracle
from dp_audit.oracles.mechanism import MechanismOracle, canonical
from dp_audit.oracles.relations import READINGS, Reading
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.grr import GRR
from dp_refimpl.frequency.hashing import HashFunction
from dp_refimpl.frequency.privset import PrivSet
from dp_refimpl.frequency.rappor import RAPPOR
from dp_refimpl.frequency.wheel import ArcMechanism
from dp_refimpl.mechanisms import RECORDS
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.definitions import Relation, smallest_constant, uldp_protection_violation
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain, Report
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_spec.vocabulary.table import Channel
from independent import brute_force as plain
from independent import brute_force_privset, brute_force_wheel, item_mechanisms
from independent.oracle_cases import BITS, all_same, exact, moments, mutant, report_forms, same, total

pytestmark = pytest.mark.usefixtures("precise")

PlainLaw = Callable[[Any], plain.Law]
SIZES = ((2, 1, 1), (1, 1, 2), (2, 1, 2), (1, 3, 2), (2, 2, 2), (1, 2, 3))
"""(K, N, m)."""


@dataclass(frozen=True)
class Case:
    """An oracle, its parameters, and its law by brute force as a function of what the user holds."""

    name: str
    parameters: Mapping[str, object]
    law: PlainLaw
    unbiased: bool = True

    def oracle(self, **more: object) -> MechanismOracle:
        subject = oracle(self.name, {**self.parameters, **more})
        assert isinstance(subject, MechanismOracle)
        return subject

    def __str__(self) -> str:
        return self.name + "-" + ",".join(f"{k}={v}" for k, v in self.parameters.items()).replace(" ", "")


def wheel_law(values: tuple[Fraction, ...], sensitive: int, m: int, w: Fraction, pair: bool, s: Any) -> plain.Law:
    """The law of (the items whose arcs hold the point, z1), from the cells of a grid."""
    grid = brute_force_wheel.coarsest_grid(values, m, w)
    weighted: list[tuple[Hashable, Fraction]] = []
    for (j, sent), p in brute_force_wheel.law(s, values, sensitive, m, w, grid).items():
        arcs = frozenset(x for x, v in enumerate(values) if brute_force_wheel.in_arc(Fraction(j, grid), v, m, w))
        weighted.append(((arcs, sent) if pair else arcs, p))
    return plain.collected(weighted)


def cases(k: int, n: int, m: int, t: Fraction) -> Iterator[Case]:
    """All mechanisms at K, N, m and e^epsilon = t^(2m)."""
    d, w = k + n, t ** (2 * m)
    budget: dict[str, object] = {"epsilon": f"ln({w})"}
    items, both = {"d": d, **budget}, {"K": k, "N": n, **budget}
    sets, pairs = {**items, "m": m}, {**both, "m": m}
    for view in ("vector", "multiset"):
        yield Case("GRRSplit", {**sets, "view": view}, partial(plain.grr_split, d=d, t=t, view=view))
    yield Case("GRRSample", sets, partial(plain.grr_sample, d=d, t=t, m=m))
    yield Case("RAPPORSet", sets, partial(plain.rappor_set, d=d, root=t))
    yield Case("RAPPORSample", sets, partial(plain.rappor_sample, d=d, t=t, m=m))
    for view in ("set", "multiset", "position", "padded"):
        law = partial(plain.sugrr, sensitive=k, t=t, view=view)
        yield Case("SuGRR", {**pairs, "view": view}, law, view in ("multiset", "position"))
    yield Case("SuGRRSample", pairs, partial(plain.sugrr_sample, sensitive=k, t=t, m=m))
    yield Case("SuRAP", pairs, partial(plain.surap, sensitive=k, d=d, t=t))
    yield Case("SuRAPSample", pairs, partial(plain.surap_sample, sensitive=k, d=d, t=t, m=m))
    if m == 1:
        half = t**m / (t**m + 1)
        yield Case("URR", both, partial(plain.protected_item, sensitive=k, w=w))
        yield Case("URAP", both, partial(plain.urap, sensitive=k, d=d, w=w, theta=half))
        third = Fraction(1, 3)
        yield Case("URAP", {**both, "theta": "1/3"}, partial(plain.urap, sensitive=k, d=d, w=w, theta=third))
    for size in range(1, d - m + 1):
        law = partial(brute_force_privset.privset, d=d, m=m, k=size, w=w, padded=False)
        yield Case("PrivSet", {**sets, "k": size}, law)
    p = brute_force_wheel.arc_length(m, w)
    for values in ([Fraction(x, 7) for x in range(d)], [x * p % 1 for x in range(d)], [Fraction(1, 2)] * d):
        hashed = {"hash": ", ".join(map(str, values))}
        for name, parameters, pair in (("Wheel", sets, False), ("SuWheel", pairs, True)):
            law = partial(wheel_law, tuple(values), k, m, w, pair)
            yield Case(name, {**parameters, **hashed}, law, False)


def cases_on_items() -> Iterator[Case]:
    """The mechanisms on single items of which the tests of programs know the law, at their first root."""
    for case in (case for case in item_mechanisms.CASES if case.name in catalogue.KINDS):
        for (d,) in case.sizes:
            parameters = {"d": d, "epsilon": f"ln({case.roots[0] ** case.power})"}
            yield Case(case.name, parameters, case.own_laws(d).__getitem__)


CASES = [case for k, n, m in SIZES for case in cases(k, n, m, Fraction(3, 2) if m > 1 else Fraction(2))]
CASES += cases_on_items()
SMALL = list(cases(2, 1, 2, Fraction(3, 2))) + list(cases(2, 1, 1, Fraction(2)))
IRRATIONAL = [
    Case(case.name, {**case.parameters, "epsilon": epsilon}, case.law, case.unbiased)
    for case in SMALL
    for epsilon in (1.0, 0.3, "ln(2)")
    if case.parameters.get("theta") is None
]
"""e^epsilon or its shares are irrational; the plain laws are not theirs."""


def reports(subject: Oracle) -> list[Hashable]:
    return list(dict.fromkeys(y for x in subject.inputs for y in subject.law(x)))


def program_estimate(subject: MechanismOracle, outputs: Sequence[Hashable]) -> tuple[Number, ...]:
    """What the program itself says of several reports at once."""
    hashes = () if subject.h is None else ([subject.h] * len(outputs),)
    estimates: dict[Any, Real] = subject.mechanism.estimate([subject._native[y] for y in outputs], *hashes)
    numbers = [estimates[x] for x in subject.mechanism.domain.items]
    return tuple(fmpq(q) if (q := x.rational()) is not None else x.enclosure(BITS) for x in numbers)


def faults(case: Case, subject: MechanismOracle, data: int = 3) -> set[str]:
    """Which statements about an oracle are violated."""
    wrong = set()
    try:
        for x in subject.inputs:
            law, reference = subject.law(x), case.law(x)
            if not all(same(law.get(y, fmpq(0)), exact(reference.get(y, 0))) for y in {*law, *reference}):
                wrong.add("law")
            if not all(subject.possible(y) for y in reference):
                wrong.add("possible")
            events = subject.events(x)
            if not all(same(total(p for y, p in law.items() if e.holds(y)), e.probability) for e in events):
                wrong.add("events")
        if not same(subject.privacy(), Budget(str(case.parameters["epsilon"])).exp().rational() or fmpq(0)):
            wrong.add("bound")
        wrong |= estimate_faults(case, subject, data)
    except DomainError:
        wrong.add("refused")
    return wrong


def estimate_faults(case: Case, subject: MechanismOracle, data: int) -> set[str]:
    """Estimates against the program's, moments against those of the law."""
    wrong, alphabet = set(), reports(subject)
    lists = [[y] for y in alphabet] + [[y, alphabet[0]] for y in alphabet] + [alphabet]
    for outputs in lists:
        if not all_same(subject.estimate(outputs), program_estimate(subject, outputs)):
            wrong.add("estimate")
    sets: list[tuple[Item, ...]] = [(x,) for x in subject.inputs]
    sets += [pair for pair in combinations_with_replacement(subject.inputs, 2) if len(subject.law(pair[0])) <= 16][
        :data
    ]
    for held in sets:
        mean, variance = moments(subject, held)
        if not all_same(mean, subject.expected_estimate(held)):
            wrong.add("expectation")
        if not all_same(variance, subject.variance(held)):
            wrong.add("variance")
        holders = [sum(x in (y if isinstance(y, frozenset) else {y}) for y in held) for x in range(subject.d)]
        if case.unbiased and not all_same(subject.expected_estimate(held), [fmpq(h, len(held)) for h in holders]):
            wrong.add("biased")
    return wrong


def test_every_mechanism_of_the_registry_is_an_oracle_with_cases() -> None:
    others = {name: record.oracles for name, record in RECORDS.items() if record.oracles is not None}
    assert set(RECORDS) - set(others) == set(catalogue.KINDS) == {case.name for case in CASES}
    assert all(name in KINDS and name not in catalogue.KINDS for names in others.values() for name in names)
    assert [name for name, names in others.items() if not names] == ["SHE"]
    assert set(catalogue.KINDS) <= set(KINDS)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_law_estimates_and_moments(case: Case) -> None:
    assert faults(case, case.oracle()) == set()


@pytest.mark.parametrize("case", IRRATIONAL, ids=str)
def test_at_irrational_budgets_balls_are_tiny_and_right(case: Case) -> None:
    subject = case.oracle()
    for x in subject.inputs:
        assert same(total(iter(subject.law(x).values())), fmpq(1))
    assert estimate_faults(case, subject, 1) == set()
    if case.unbiased:  # exactly: the numbers are
        assert all(isinstance(value, fmpq) for value in subject.expected_estimate(subject.inputs[:1]))


@pytest.mark.parametrize("case", SMALL, ids=str)
def test_what_is_no_report_is_impossible_and_in_no_event(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    alphabet = reports(case.oracle())
    for listed in (256, 0):
        monkeypatch.setattr("dp_audit.oracles.mechanism.LISTED", listed)
        subject = case.oracle()
        forms = (*report_forms(), (None, frozenset([99])), ((), ()), ((9,), frozenset()), (frozenset([9]), frozenset()))
        for form in (form for form in forms if form not in alphabet):
            assert not subject.possible(form)
            assert not any(event.holds(form) for event in subject.events(subject.inputs[0]))


@pytest.mark.parametrize("case", SMALL, ids=str)
def test_marginal_events_have_the_probabilities_of_the_law(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dp_audit.oracles.mechanism.LISTED", 0)
    subject = case.oracle()
    for x in subject.inputs:
        events = subject.events(x)
        assert len({event.name for event in events}) == len(events)
        for event in events:
            assert same(total(p for y, p in subject.law(x).items() if event.holds(y)), event.probability)
    assert not subject.lists_outputs
    assert family(subject).watches


@pytest.mark.parametrize("case", SMALL, ids=str)
def test_what_is_no_input_is_refused(case: Case) -> None:
    subject = case.oracle()
    for item in (-1, 99, True, "0", None, frozenset([0, 1, 2, 3]), frozenset([99])):
        for method in (
            subject.law,
            subject.events,
            lambda x: subject.variance([x]),
            lambda x: subject.expected_estimate([x]),
        ):
            with pytest.raises(DomainError, match="item"):
                method(item)
    for outputs in ([], ["no report"], [None]):
        with pytest.raises(DomainError, match="report"):
            subject.estimate(outputs)


@pytest.mark.parametrize("case", SMALL, ids=str)
def test_inputs_outside_are_none_of_the_domain(case: Case) -> None:
    subject = case.oracle()
    assert subject.outside
    assert not set(subject.outside) & set(subject.inputs)
    assert len(set(subject.outside)) == len(subject.outside)


# --- what readings compare --------------------------------------------------------------------------------------------

READ = [case for case in CASES if "relation" in KINDS[case.name].parameters]


def channel_of(subject: MechanismOracle) -> Channel[Any, Report, Real]:
    """The program's own reports, y0 in canonical form."""
    more = () if subject.h is None else (subject.h,)

    def run(s: Any, coins: Any) -> Report:
        y = subject.mechanism.randomize(s, *more, coins)
        return Report(canonical(subject.mechanism, y.protected, subject.h), y.invertible)

    return exact_channel(run, subject.inputs, subject.mechanism.one)


@pytest.mark.parametrize("case", READ, ids=str)
def test_a_reading_compares_what_the_definition_compares(case: Case) -> None:
    channel, domain = channel_of(case.oracle()), case.oracle().mechanism.domain
    for relation in READINGS:
        ratio = oracle_ratio(case.oracle(relation=relation))
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
        for y in reports(own):
            assert all_same(subject.estimate([y]) or (), own.estimate([y]))
        for data in ([0], [0, 1, 1]):
            assert all_same(subject.variance(data) or (), own.variance([held[x] for x in data]))


# --- parameters -------------------------------------------------------------------------------------------------------

GOOD: dict[str, dict[str, object]] = {
    "SuGRR": {"K": 2, "N": 1, "m": 2, "epsilon": "ln(4)", "view": "set", "relation": "samenon"},
    "SuWheel": {"K": 2, "N": 1, "m": 2, "epsilon": "ln(4)", "hash": "0, 1/3, 0.5", "relation": "joint"},
    "PrivSet": {"d": 3, "m": 1, "k": 2, "epsilon": "ln(4)"},
    "URAP": {"K": 1, "N": 1, "epsilon": "ln(4)", "theta": "1/2"},
    "GRRSplit": {"d": 3, "m": 2, "epsilon": "ln(4)", "view": "multiset"},
}
BAD: dict[str, tuple[object, ...]] = {
    "K": (0, -1, 1.5, True, None, "x"),
    "N": (-1, 0.5, True, None, "x"),
    "d": (0, -1, 1.0, True, None),
    "m": (0, 4, -1, 2.0, True, None),
    "k": (0, 3, 1.0, True),
    "epsilon": (0, -1, "x", None, True, float("nan")),
    "view": ("", "sorted", None, 3),
    "relation": ("ldp", "", None, 3),
    "theta": ("x", None, True),
    "hash": ("0, 1/3", "0, 1, 2", "0, x, 1", None, [0, 1], [0, [1], 2], "", "0, -1/2, 1"),
}


@pytest.mark.parametrize(("name", "parameter"), [(name, p) for name, good in GOOD.items() for p in good])
def test_a_bad_parameter_is_refused_by_name(name: str, parameter: str) -> None:
    assert oracle(name, GOOD[name])
    for value in BAD[parameter]:
        with pytest.raises(DomainError, match=parameter if parameter not in ("hash",) else "hash|values"):
            oracle(name, {**GOOD[name], parameter: value})


@pytest.mark.parametrize("spelling", ["SuGRR", "sugrr", "su-grr", "SU_GRR"])
def test_any_spelling_of_a_name_is_read(spelling: str) -> None:
    parameters = {**GOOD["SuGRR"], "view": "SET", "relation": "same-non"}
    assert oracle(spelling, parameters) == oracle("SuGRR", GOOD["SuGRR"])


def test_too_many_paths_are_refused() -> None:
    with pytest.raises(DomainError, match="paths"):
        oracle("RAPPORSet", {"d": 30, "m": 2, "epsilon": 1.0}).law(frozenset([0, 1]))


# --- planted faults ---------------------------------------------------------------------------------------------------


def broken(**members: Any) -> Callable[[Case], Oracle]:
    """The oracle with some members of its mechanism's class replaced."""

    def plant(case: Case) -> Oracle:
        subject = case.oracle()
        kind = type("Faulty", (type(subject.mechanism),), members)
        faulty: Any = object.__new__(kind)
        for name in subject.mechanism.__dataclass_fields__:
            object.__setattr__(faulty, name, getattr(subject.mechanism, name))
        return MechanismOracle(subject.d, subject.epsilon, faulty, subject.relation, subject.h)

    return plant


def numbers(factor: Fraction) -> property:
    return property(lambda self: self.budget.exp() * 0 + exact(factor))


FAULTY = {
    str(case): case
    for case in SMALL
    if case.parameters["epsilon"] == f"ln({Fraction(81, 16)})" and len(case.oracle().inputs) > 1
}
SPECIAL: list[tuple[str, str, Callable[[Case], Oracle]]] = [
    ("SuGRR", "r is that of a sensitive item", broken(r=property(lambda self: self.p))),
    ("SuGRR", "the budget is not divided", broken(p=numbers(Fraction(4, 5)), q=numbers(Fraction(1, 5)))),
    ("SuGRR", "another view", lambda case: oracle("SuGRR", {**case.parameters, "view": "set"})),
    ("SuGRRSample", "r is 1", lambda case: oracle("SuGRR", case.parameters)),
    ("SuRAP", "r as if it were sampled", broken(r=property(lambda self: self.p - self.q))),
    ("SuRAP", "q is 1/3", broken(q=numbers(Fraction(1, 3)))),
    ("SuRAPSample", "the budget is divided", lambda case: oracle("SuRAP", case.parameters)),
    ("RAPPORSet", "p is 4/5", broken(p=numbers(Fraction(4, 5)))),
    ("RAPPORSample", "sets are encoded whole", lambda case: oracle("RAPPORSet", case.parameters)),
    ("GRRSplit", "p and q of the whole budget", broken(p=numbers(Fraction(1, 2)), q=numbers(Fraction(1, 4)))),
    ("GRRSample", "estimates are not scaled", lambda case: mutant(case.oracle(), scores=_halved)),
    ("PrivSet", "the hit probability is 1/2", broken(hit=numbers(Fraction(1, 2)))),
    ("Wheel", "arcs are half as long", broken(p=property(lambda s: 1 / (2 * (2 * s.m - 1 + s.m * s.budget.exp()))))),
    ("Wheel", "another hash", lambda case: case.oracle(hash="1/2, 1/2, 1/11")),
    ("SuWheel", "z1 is never sent", broken(randomize=lambda self, s, h, c: Report(self.draw_cell(s, h, c)))),
]


def _halved(self: MechanismOracle, report: Hashable) -> tuple[Number, ...]:
    return tuple(score / 2 for score in MechanismOracle.scores(self, report))


def flattened(_: Any, events: tuple[Event, ...]) -> tuple[Event, ...]:
    return tuple(Event(event.name, event.holds, fmpq(2, 7)) for event in events)


@pytest.mark.parametrize("case", FAULTY.values(), ids=str)
def test_faults_that_every_oracle_could_have_are_caught(case: Case) -> None:
    planted = {**EVERYWHERE, **ESTIMATED, "all events are fair coins": pulled("events", flattened)}
    correct = case.oracle()
    assert faults(case, correct, 0) == set()
    symmetric = {"items are turned"} if "hash" in case.parameters else set()  # all arcs may coincide
    flat = {"the law is uniform", "outputs are mixed up"} if len(correct.law(correct.inputs[0])) < 3 else set()
    missed = {n for n, plant in planted.items() if not faults(case, plant(correct), 0)}  # type: ignore[arg-type]
    assert missed <= symmetric | flat


@pytest.mark.parametrize(("name", "fault", "plant"), SPECIAL, ids=[f"{name}: {fault}" for name, fault, _ in SPECIAL])
def test_a_fault_of_one_mechanism_is_caught(name: str, fault: str, plant: Callable[[Case], Oracle]) -> None:
    views = (None, "multiset", "vector")
    case = next(c for c in FAULTY.values() if c.name == name and c.parameters.get("view") in views)
    subject = plant(case)
    assert isinstance(subject, MechanismOracle)
    assert faults(case, subject) != set(), fault


def test_a_wrong_reading_is_caught() -> None:
    """Complements of what the definition compares, planted in `compares`."""
    case = next(c for c in READ if c.name == "SuGRRSample" and c.parameters["N"] == 2)
    channel, domain = channel_of(case.oracle()), case.oracle().mechanism.domain
    right = Reading.compares
    relation: Relation
    for relation in ("joint", "deniability", "samenon"):
        constant = smallest_constant(channel, domain, relation)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Reading, "compares", lambda self, s, t, y: not right(self, s, t, y) and s != t)
            ratio = oracle_ratio(case.oracle(relation=relation))
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


def test_data_sets_of_many_users_add_up() -> None:
    for case in islice((c for c in SMALL if c.unbiased), 0, None, 3):
        subject = case.oracle()
        a, b = subject.inputs[0], subject.inputs[-1]
        one, other = subject.variance([a]), subject.variance([b])
        assert all_same(subject.variance([a, b, b]), [(x + 2 * y) / 9 for x, y in zip(one, other, strict=True)])
