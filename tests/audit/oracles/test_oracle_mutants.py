"""Plausible faults, planted in every oracle one at a time: the checks of the other tests find each of them."""

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from dp_audit.oracles import Number, forms, hadamard, oracle
from dp_audit.oracles.base import Event, Oracle
from dp_audit.oracles.forms import Coefficients
from dp_audit.oracles.frequency import coefficient
from dp_audit.oracles.mechanism import MechanismOracle
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import Report
from independent import catalogue_cases as catalogue
from independent import oracle_cases as cases
from independent.oracle_cases import Case, all_faults, mutant

SS = cases.subset(5, 2, 3)
LH = cases.fixed_hashing(3, 3, (0, 1, 1, 2))
FLH = cases.drawn_hashing(2, 3, ((0, 1, 0), (1, 1, 0)))
IDEAL = cases.ideal_hashing(2, 3, 5)
HM = cases.coefficients(3, 3)
HM2 = cases.coefficients(2, 3, t=2)
HR = cases.response(5, 3, 2, (4, 1, 0, 3, 2))
HR1 = cases.response(4, 3, 1)
THE = cases.thresholded(3, 2, "1/2")
UE = cases.unary(3, "3/4", "1/5")
CMS = cases.count_mean(3, 3, ((0, 1, 1), (0, 0, 2)))
HCMS = cases.hadamard_count_mean(4, 3, ((0, 1, 1), (0, 3, 2)))
PCS = cases.count_sketch(3, 3, ((0, 1, 1), (0, 0, 2)), ((1, 1, 0), (0, 1, 0)))
RAPPOR = cases.bloom(4, "1/2", (((0, 1), (2, 3)), ((1, 2), (0, 3))))


def pulled(method: str, change: Callable[[Any, Any], Any]) -> Callable[[Oracle], Oracle]:
    """The oracle with the results of a method (or property) changed: change(oracle, result)."""

    def planted(correct: Oracle) -> Oracle:
        original = getattr(type(correct), method)
        if isinstance(original, property):
            assert original.fget is not None
            get = original.fget
            return mutant(correct, **{method: property(lambda self: change(self, get(self)))})
        return mutant(correct, **{method: lambda self, *arguments: change(self, original(self, *arguments))})

    return planted


def scaled(factor: fmpq) -> Callable[[Any, Any], Any]:
    return lambda _, estimates: tuple(value * factor for value in estimates)


def shifted(_: Any, estimates: tuple[Number, ...]) -> tuple[Number, ...]:
    return tuple(value + fmpq(1, 7) for value in estimates)


def turned(_: Any, estimates: tuple[Number, ...]) -> tuple[Number, ...]:
    return (*estimates[1:], estimates[0])


def without_one(_: Any, law: Mapping[Hashable, Number]) -> Mapping[Hashable, Number]:
    return dict(list(law.items())[1:])


def relabeled(_: Any, law: Mapping[Hashable, Number]) -> Mapping[Hashable, Number]:
    return dict(zip(law, [*list(law.values())[1:], next(iter(law.values()))], strict=True))


def uniform(_: Any, law: Mapping[Hashable, Number]) -> Mapping[Hashable, Number]:
    return dict.fromkeys(law, fmpq(1, len(law)))


def flattened(_: Any, events: tuple[Event, ...]) -> tuple[Event, ...]:
    return tuple(Event(event.name, event.holds, fmpq(1, 2)) for event in events)


EVERYWHERE: dict[str, Callable[[Oracle], Oracle]] = {
    "an output is missing": pulled("law", without_one),
    "outputs are mixed up": pulled("law", relabeled),
    "the law is uniform": pulled("law", uniform),
    "the bound is half of it": pulled("privacy", lambda _, bound: bound / 2),
    "the bound is generous": pulled("privacy", lambda _, bound: bound * bound * bound),
    "nothing is possible": pulled("possible", lambda _, possible: False),
    "all events are fair coins": pulled("events", flattened),
}
ESTIMATED: dict[str, Callable[[Oracle], Oracle]] = {
    "estimates are counts of something else": pulled("scores", scaled(fmpq(2))),
    "the offset is missing": pulled("scores", shifted),
    "items are turned": pulled("scores", turned),
    "the sign is wrong": pulled("scores", scaled(fmpq(-1))),
    "the variance is twice": pulled("moments", lambda _, pair: (pair[0], pair[1] * 2)),
    "the variance is the second moment": pulled("moments", lambda _, pair: (pair[0], pair[1] + pair[0] ** 2)),
    "the expectation is zero": pulled("moments", lambda _, pair: (fmpq(0), pair[1])),
}


def broken(**members: Any) -> Callable[[Oracle], Oracle]:
    """The oracle with some members of its mechanism's class replaced."""

    def plant(correct: Oracle) -> Oracle:
        assert isinstance(correct, MechanismOracle)
        kind = type("Faulty", (type(correct.mechanism),), members)
        faulty: Any = object.__new__(kind)
        for name in correct.mechanism.__dataclass_fields__:
            object.__setattr__(faulty, name, getattr(correct.mechanism, name))
        return MechanismOracle(correct.d, correct.epsilon, faulty, correct.relation, correct.h)

    return plant


def numbers(p: int, q: int) -> property:
    return property(lambda self: self.budget.exp() * 0 + fmpq(p, q))


CATALOGUE = [
    case
    for case in catalogue.cases(2, 1, 2, Fraction(3, 2))
    if case.parameters.get("hash") != "1/2, 1/2, 1/2"  # to which all items are the same
]
ALL = (SS, LH, FLH, IDEAL, HM, HM2, HR, HR1, THE, UE, CMS, HCMS, PCS, RAPPOR, *CATALOGUE)
OF = {case.name: case for case in CATALOGUE if case.parameters.get("view") in (None, "multiset")}
SUGRR = OF["SuGRR"]
SPECIAL: list[tuple[Case, str, Callable[[Oracle], Oracle]]] = [
    (SS, "p has the denominator k w + d", pulled("p", lambda o, _: fmpq(6, 11))),
    (SS, "q forgets the second item", pulled("q", lambda o, _: (1 - o.p) * fmpq(2, 4))),
    (SS, "q as if drawn with replacement", pulled("q", lambda o, _: fmpq(2, 5))),
    (SS, "k is one larger", lambda o: cases.subset(5, 3, 3).oracle()),
    (SS, "k is one smaller", lambda o: cases.subset(5, 1, 3).oracle()),
    (LH, "1/g is missing in the estimate", pulled("scores", lambda o, s: tuple(v + fmpq(1, 3) / o.p for v in s))),
    (
        LH,
        "q of the cells instead of 1/g",
        pulled("moments", lambda o, m: (m[0], m[1] * (o.p - fmpq(1, 3)) / (o.p - o.q))),
    ),
    (LH, "items that collide are kept apart", pulled("agreement", lambda o, r: r * 0)),
    (LH, "one cell more", lambda o: cases.fixed_hashing(4, 3, (0, 1, 1, 2)).oracle()),
    (LH, "another hash function", lambda o: cases.fixed_hashing(3, 3, (0, 1, 2, 1)).oracle()),
    (FLH, "the ideal collision probability", pulled("agreement", lambda o, r: fmpq(1, 2))),
    (FLH, "functions in another order", lambda o: cases.drawn_hashing(2, 3, ((1, 1, 0), (0, 1, 0))).oracle()),
    (IDEAL, "collisions are rarer than 1/g", pulled("agreement", lambda o, r: r * 9 / 10)),
    (
        HM,
        "the Hadamard matrix is of the other sign",
        pulled("law", lambda _, f: {(i, -s): p for (i, s), p in f.items()}),
    ),
    (HM, "items start at the second column", lambda o: cases.coefficients(3, 3, first=1).oracle()),
    (HM, "the sign is right with p instead of 2p - 1", pulled("base", lambda o, _: fmpq(0))),
    (HM, "D is d", lambda o: mutant(o, form=Coefficients(2))),
    (HM2, "D is twice as large", lambda o: mutant(o, one=coefficient(5, Budget("ln(3)")))),
    (HM, "held items have the variance of others", pulled("moments", lambda o, m: (m[0], fmpq(4)))),
    (HM2, "coefficients count as independent", pulled("moments", lambda o, m: (m[0], o.scale() ** 2 / 2 - m[0]))),
    (HM2, "the denominator forgets the - 1", pulled("scale", lambda o, _: fmpq(3 + 4, 3 - 1))),
    (HM2, "the slope of one coefficient", pulled("scale", lambda o, _: fmpq(3 + 1, 3 - 1))),
    (HR, "no permutation", lambda o: cases.response(5, 3, 2).oracle()),
    (HR, "the inverse permutation", lambda o: cases.response(5, 3, 2, (2, 1, 4, 3, 0)).oracle()),
    (HR, "one block", lambda o: cases.response(5, 3, 1, (4, 1, 0, 3, 2)).oracle()),
    (HR, "the first row is used", pulled("place", lambda _, place: (place[0], place[1] - 1))),
    (HR, "the norm is 2B + e^eps", pulled("norm", lambda _, norm: norm + 1)),
    (HR, "the width is twice", pulled("width", lambda _, width: width * 2)),
    (HR1, "the norm is that of two blocks", pulled("norm", lambda _, norm: norm + 2)),
    (THE, "the noise has scale 1 / epsilon", lambda o: cases.thresholded(3, 4, "1/2").oracle()),
    (THE, "the threshold is one higher", lambda o: cases.thresholded(3, 2, "3/2").oracle()),
    (THE, "p and q are those of theta = 1", lambda o: cases.thresholded(3, 2, "1").oracle()),
    (THE, "p forgets the half", pulled("p", lambda _, p: 2 * p - 1)),
    (THE, "q forgets the half", pulled("q", lambda _, q: 2 * q)),
    (
        UE,
        "p and q are exchanged",
        lambda o: mutant(o, p=property(lambda _: fmpq(1, 5)), q=property(lambda _: fmpq(3, 4))),
    ),
    (UE, "q is 1 - p", pulled("q", lambda o, _: fmpq(1, 4))),
    (UE, "the bound is p / q", pulled("privacy", lambda o, _: fmpq(15, 4))),
    (CMS, "c with the whole epsilon", pulled("p", lambda _, p: fmpq(9, 10))),
    (CMS, "the factor m / (m-1) is missing", pulled("scores", scaled(fmpq(2, 3)))),
    (CMS, "every other item collides with 1/m", pulled("agreement", lambda o, r: r * 0 + fmpq(1, 3))),
    (
        CMS,
        "entries are bits",
        pulled("law", lambda _, f: {(tuple(max(b, 0) for b in v), j): p for (v, j), p in f.items()}),
    ),
    (CMS, "another hash function", lambda o: cases.count_mean(3, 3, ((0, 1, 1), (0, 1, 2))).oracle()),
    (HCMS, "c with half of epsilon", pulled("p", lambda _, p: fmpq(2, 3))),
    (HCMS, "collisions count with their square", pulled("agreement", lambda _, r: r * r)),
    (HCMS, "another hash function", lambda o: cases.hadamard_count_mean(4, 3, ((0, 1, 1), (0, 2, 3))).oracle()),
    (PCS, "not debiased", pulled("p", lambda _, p: fmpq(1))),
    (PCS, "signs are forgotten", pulled("agreement", lambda _, r: abs(r))),
    (
        PCS,
        "the other signs of one function",
        lambda o: cases.count_sketch(3, 3, ((0, 1, 1), (0, 0, 2)), ((1, 1, 0), (1, 0, 1))).oracle(),
    ),
    (RAPPOR, "f instead of f / 2", lambda o: cases.bloom(4, "9/10", (((0, 1), (2, 3)), ((1, 2), (0, 3)))).oracle()),
    (RAPPOR, "the bound for one hash function", pulled("privacy", lambda o, _: ((2 - o.f) / o.f) ** 2)),
    (RAPPOR, "the bound for one changed item", pulled("privacy", lambda o, _: ((2 - o.f) / o.f) ** o.hash_number)),
    (RAPPOR, "other filters", lambda o: cases.bloom(4, "1/2", (((0, 1), (2, 3)), ((1, 3), (0, 2)))).oracle()),
    (RAPPOR, "cohorts exchanged", lambda o: cases.bloom(4, "1/2", (((1, 2), (0, 3)), ((0, 1), (2, 3)))).oracle()),
    (SUGRR, "r is that of a sensitive item", broken(r=property(lambda self: self.p))),
    (SUGRR, "the budget is not divided", broken(p=numbers(4, 5), q=numbers(1, 5))),
    (SUGRR, "another view", lambda o: oracle("SuGRR", {**SUGRR.parameters, "view": "set"})),
    (OF["SuGRRSample"], "r is 1", lambda o: oracle("SuGRR", OF["SuGRRSample"].parameters)),
    (OF["SuRAP"], "r as if it were sampled", broken(r=property(lambda self: self.p - self.q))),
    (OF["SuRAP"], "q is 1/3", broken(q=numbers(1, 3))),
    (OF["SuRAPSample"], "the budget is divided", lambda o: oracle("SuRAP", OF["SuRAPSample"].parameters)),
    (OF["RAPPORSet"], "p is 4/5", broken(p=numbers(4, 5))),
    (
        OF["RAPPORSample"],
        "sets are encoded whole",
        lambda o: oracle("RAPPORSet", OF["RAPPORSample"].parameters),
    ),
    (OF["GRRSplit"], "p and q of the whole budget", broken(p=numbers(1, 2), q=numbers(1, 4))),
    (OF["GRRSample"], "estimates are not scaled", pulled("scores", scaled(fmpq(1, 2)))),
    (OF["PrivSet"], "the hit probability is 1/2", broken(hit=numbers(1, 2))),
    (
        OF["Wheel"],
        "arcs are half as long",
        broken(p=property(lambda s: 1 / (2 * (2 * s.m - 1 + s.m * s.budget.exp())))),
    ),
    (
        OF["Wheel"],
        "another hash",
        lambda o: oracle("Wheel", {**OF["Wheel"].parameters, "hash": "1/2, 1/2, 1/11"}),
    ),
    (OF["SuWheel"], "z1 is never sent", broken(randomize=lambda self, s, h, c: Report(self.draw_cell(s, h, c)))),
]


@pytest.mark.parametrize("case", ALL, ids=str)
def test_the_unchanged_oracles_pass(case: Case) -> None:
    assert all_faults(case, case.oracle()) == set()
    assert all_faults(case, mutant(case.oracle())) == set()


@pytest.mark.parametrize("case", ALL, ids=str)
def test_faults_that_every_oracle_could_have_are_caught(case: Case) -> None:
    planted = EVERYWHERE if case.estimate is None else {**EVERYWHERE, **ESTIMATED}
    missed = [name for name, plant in planted.items() if all_faults(case, plant(case.oracle())) == set()]
    assert missed == []


@pytest.mark.parametrize(("case", "name", "plant"), SPECIAL, ids=[f"{c.name}: {name}" for c, name, _ in SPECIAL])
def test_a_fault_of_one_mechanism_is_caught(case: Case, name: str, plant: Callable[[Oracle], Oracle]) -> None:
    assert all_faults(case, plant(case.oracle())) != set()


def test_a_matrix_with_a_wrong_entry_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (forms, hadamard):
        monkeypatch.setattr(module, "hadamard_entry", lambda i, j: -1 if (i ^ j).bit_count() % 2 else 1)
    assert all_faults(HM, HM.oracle()) != set()
    assert all_faults(HR, HR.oracle()) != set()
