"""The kernel is general: mechanisms of the literature that no ledger entry is about, stated as any contributor would,
are decided for all sizes by the rules there are.

Optimized unary encoding, local hashing, local hashing with dummies, count-mean and Hadamard sketches, Hadamard
response, subset selection, m-hot RAPPOR: stochastic, smallest epsilon, mean and variance of the standard estimator; how
private shuffled reports are.
"""

import inspect
import json
import re
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from cases.shuffle_statements import ANY_FAMILY, SHOWN, STATEMENTS, TWO_LABELS, about, hint
from dp_checks.check.extremal_pairs import SINGLE, WIDE
from dp_checks.check.moments import added
from dp_kernel import amplification
from dp_kernel.certificate.check import check
from dp_kernel.laws.grammar import World, output_law, valued
from dp_kernel.meter import Rejected
from dp_kernel.shuffle import divergences
from dp_spec.frequency import count_sketch, hadamard, local_hashing, unary
from dp_spec.frequency.count_sketch import CMS
from dp_spec.frequency.grr import GRR_SAMPLE
from dp_spec.frequency.hadamard import HCMS
from dp_spec.frequency.hadamard import RESPONSE as SIGNS
from dp_spec.frequency.local_hashing import OLH
from dp_spec.frequency.privset import ONE_HELD, ONE_OTHER, omega
from dp_spec.frequency.unary import OUE
from dp_spec.vocabulary.law import (
    USERS,
    Estimator,
    F,
    K,
    Law,
    M,
    bits,
    copies,
    item,
    mix,
    pair,
    push,
    row,
    subset,
)
from dp_spec.vocabulary.shuffle_statements import Divergence
from dp_spec.vocabulary.statement import Mse, Smallest, Statement, Unbiased
from dp_spec.vocabulary.term import Term, exp, term, var

W, T, B, C = var("w"), var("t"), var("b"), var("c")
P, Q = W / (W + B - 1), 1 / (W + B - 1)
"""GRR on b labels."""
UNIVERSAL = {"hash": 1 / B}
DUMMY = copies(C, row({"*": {"any": 1 / K}}))
ONE = (1 - M,)

BUNDLE = Law(
    "olh-with-dummies",
    "w",
    term(1),
    mix("hash", B, push("sorted", pair(item(W / (W + K - 1), 1 / (W + K - 1)), DUMMY))),
    (),
    UNIVERSAL,
    {"b": 2, "c": 0},
)
RAPPOR = Law("rappor-set", "t", 2 * M, bits(T / (T + 1), 1 / (T + 1)))
SELECTION = Law("subset-selection", "w", term(1), subset(var("k"), W / omega(K), 1 / omega(K)), integers={"k": 1})


def variance(held: Term, other: Term, more: Term | int = 0) -> Term:
    """n (held - other)^2 times the variance of the estimate, F_x a sum of independent Bernoulli variables."""
    return (F * held * (1 - held) + (1 - F) * other * (1 - other) + more) / (USERS * (held - other) ** 2)


def standard(
    law: Law, held: Term, other: Term, shift: Term | int = 0, more: Term | int = 0, where: Any = ()
) -> list[Statement]:
    """The standard estimator is unbiased and has this variance."""
    estimator = Estimator(held - other, other + shift)
    view: Any = "subset" if law.unit == "subsets" else "vector" if law.unit != "bits" or law.term[0] == "mix" else "sen"
    return [
        Unbiased(law, view, "sensitive", estimator, where=where),
        Mse(law, view, "sensitive", estimator, where=where, formula=variance(held, other, more)),
    ]


SMALLEST = {
    "OUE": Smallest(OUE, "sen", "ldp", where=(*ONE, K - 2), constant=W**1),
    "OLH": Smallest(OLH, "vector", "ldp", where=(K - 2,), constant=W),
    "OLH with dummies": Smallest(BUNDLE, "vector", "ldp", where=(K - 2,), constant=W),
    "CMS": Smallest(CMS, "vector", "ldp", where=(K - 2,), constant=T**2),
    "HCMS": Smallest(HCMS, "vector", "ldp", where=(K - 2,), constant=W),
    "Hadamard response": Smallest(SIGNS, "vector", "ldp", where=(K - 2,), constant=W),
    "RAPPOR": Smallest(RAPPOR, "sen", "ldp", where=(K - 2 * M,), constant=T ** (2 * M)),
    "subset selection": Smallest(SELECTION, "subset", "ldp", where=ONE, constant=W),  # type: ignore[arg-type]
}
UNARY, FLIPPED = T / (T + 1), 1 / (T + 1)
MOMENTS = {
    "OUE": standard(OUE, term(1) / 2, 1 / (W + 1), where=ONE),
    "OLH": standard(OLH, P, 1 / B),
    "OLH with dummies": standard(BUNDLE, P, 1 / B, C / B, C * (1 / B) * (1 - 1 / B)),
    "CMS": standard(CMS, UNARY, UNARY / B + (1 - 1 / B) * FLIPPED),
    "HCMS": standard(HCMS, W / (W + 1), (1 + (B + 1) / (2 * B) * (W - 1)) / (W + 1)),
    "Hadamard response": standard(SIGNS, W / (W + 1), term(1) / 2),
    "RAPPOR": standard(RAPPOR, UNARY, FLIPPED),
    "subset selection": standard(SELECTION, ONE_HELD.substitute({"D": K}), ONE_OTHER.substitute({"D": K}), where=ONE),
}
PRINTED = {
    "OUE": (OUE, "sen", ONE, unary.ESTIMATOR, unary.VARIANCE),
    "OLH": (OLH, "vector", (), local_hashing.ESTIMATOR, local_hashing.VARIANCE),
    "CMS": (CMS, "vector", (), count_sketch.ESTIMATOR, count_sketch.VARIANCE),
    "HCMS": (HCMS, "vector", (), hadamard.HCMS_ESTIMATOR, hadamard.HCMS_VARIANCE),
    "Hadamard response": (SIGNS, "vector", (), hadamard.RESPONSE_ESTIMATOR, hadamard.RESPONSE_VARIANCE),
}
"""Estimators and variances as their authors write them."""


DERIVED = {
    name: {"rule": "product", "powers": {"ss": power}, "cases": SINGLE}
    for name, power in {"OUE": 1, "OLH": 1, "OLH with dummies": 1, "CMS": 2, "HCMS": 1, "Hadamard response": 1}.items()
}
DERIVED["subset selection"] = {"rule": "counting"}
DERIVED["RAPPOR"] = {"rule": "product", "powers": {"ss": 2}, "cases": WIDE}
CONTRIBUTIONS = {"rule": "contributions"}


def proved(statement: Statement, evidence: Any) -> None:
    """Raise `Rejected` unless the kernel accepts the proof."""
    check(json.loads(json.dumps(statement.json())), "proved", json.loads(json.dumps(evidence)))


@pytest.mark.parametrize("name", SMALLEST)
def test_the_smallest_constant_is_proved_for_all_sizes(name: str) -> None:
    proved(SMALLEST[name], DERIVED[name])


@pytest.mark.parametrize("name", SMALLEST)
def test_a_smaller_or_larger_constant_is_not(name: str) -> None:
    statement = SMALLEST[name]
    for wrong in (
        statement.constant * statement.law.root,
        statement.constant / statement.law.root,
        statement.law.root**3,
    ):
        with pytest.raises((Rejected, ValueError)):
            proved(replace(statement, constant=wrong), DERIVED[name])


@pytest.mark.parametrize("name", MOMENTS)
def test_mean_and_variance_of_the_standard_estimator_are_proved_for_every_data_set(name: str) -> None:
    for statement in MOMENTS[name]:
        proved(statement, CONTRIBUTIONS)


@pytest.mark.parametrize("name", PRINTED)
def test_mean_and_variance_as_printed_are_proved_for_every_data_set(name: str) -> None:
    law, view, where, estimator, formula = PRINTED[name]
    shown: Any = view
    proved(Unbiased(law, shown, "sensitive", estimator, where=where), CONTRIBUTIONS)
    proved(Mse(law, shown, "sensitive", estimator, where=where, formula=formula), CONTRIBUTIONS)
    with pytest.raises(Rejected):
        proved(Mse(law, shown, "sensitive", estimator, where=where, formula=formula * 2), CONTRIBUTIONS)


@pytest.mark.parametrize("name", MOMENTS)
def test_another_variance_is_not(name: str) -> None:
    mse = MOMENTS[name][1]
    assert isinstance(mse, Mse)
    assert mse.formula is not None
    for wrong in (mse.formula + F / USERS, mse.formula * 2, mse.formula * (1 + F)):
        with pytest.raises(Rejected):
            proved(replace(mse, formula=wrong), CONTRIBUTIONS)


def test_without_a_premise_about_collisions_nothing_is_said_of_moments() -> None:
    for statement in MOMENTS["OLH"]:
        blind: Any = statement
        with pytest.raises((Rejected, LookupError)):
            proved(replace(blind, law=replace(OLH, families={})), CONTRIBUTIONS)


def test_without_a_family_that_separates_nothing_is_reached() -> None:
    blind = replace(OLH, families={"hash": term(1)})
    with pytest.raises(Rejected):
        proved(replace(SMALLEST["OLH"], law=blind), DERIVED["OLH"])


# --- at small sizes, by listed families -------------------------------------------------------------------------------

FUNCTIONS: dict[str, list[tuple[Any, tuple[int, ...]]]] = {
    "all": [(Fraction(1, 8), image) for image in product(range(2), repeat=3)],
    "pairwise": [(Fraction(1, 4), image) for image in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0))],
    "constant": [(Fraction(1, 2), image) for image in ((0, 0, 0), (1, 1, 1))],
}


def chance_of(law: Law, values: dict[str, Fraction], family: str, held: int, counted: int) -> Fraction:
    """The mean contribution to the count of an item of a user who holds `held`, over a listed family of functions."""
    term_of, world = valued(law.json()["term"], values), World(3, 0, families=families(law, family))
    found = output_law(term_of, (held,), 1, world)
    return sum((p * added(term_of, y, counted, world) for y, p in found.items()), Fraction(0))


def families(law: Law, name: str) -> dict[str, list[tuple[Any, tuple[int, ...]]]]:
    """The listed family, whatever the law calls it; coordinates of the Hadamard matrix of size 2."""
    outer = law.term[1]
    return {outer: FUNCTIONS[name], "coordinates": [(Fraction(1, 2), signs) for signs in ((0, 0), (0, 1))]}


def small(law: Law, copies: int) -> dict[str, Fraction]:
    """Three items, two labels, base 3."""
    sizes = {"K": 3, "N": 0, "m": 1, law.base: 3, "b": 2, "c": copies}
    return {name: Fraction(number) for name, number in sizes.items()}


@pytest.mark.parametrize("law", [OLH, CMS, HCMS, BUNDLE], ids=lambda law: str(law.mechanism))
def test_derived_moments_are_those_of_listed_families(law: Law) -> None:
    values = small(law, 2)
    estimator = next(
        s for group in MOMENTS.values() for s in group if isinstance(s, Unbiased) and s.law is law
    ).estimator
    slope, offset = (Fraction(str(part.evaluate(values))) for part in (estimator.slope, estimator.offset))
    for family, right in {"all": True, "pairwise": True, "constant": False}.items():
        means = {(x, y): chance_of(law, values, family, x, y) for x in range(3) for y in range(3)}
        unbiased = all((mean - offset) / slope == (x == y) for (x, y), mean in means.items())
        assert unbiased == right, family  # the premise decides: a family that does not have it is biased


@pytest.mark.parametrize("law", [OLH, CMS, HCMS, BUNDLE, SIGNS], ids=lambda law: str(law.mechanism))
def test_the_constant_is_that_of_every_listed_family_that_separates(law: Law) -> None:
    values = small(law, 1)
    stated = Fraction(3) ** int(law.power.evaluate({}))
    for family in FUNCTIONS:
        world = World(3, 0, families=families(law, family))
        rows = [output_law(valued(law.json()["term"], values), (x,), 1, world) for x in range(3)]
        assert all(sum(row.values()) == 1 for row in rows)
        worst = max(p / other[y] for row in rows for other in rows for y, p in row.items())
        assert worst == (1 if family == "constant" else stated)


# --- shuffled reports -------------------------------------------------------------------------------------------------

TENTH = exp(term(1) / 10)
BLH = {"w": term(7), "K": term(1000), "b": term(2)}
CROWDS: dict[str, tuple[Divergence, str, Any]] = {
    "binary randomized response": (
        *(about(GRR_SAMPLE, 10_000, TENTH, "1/500000000000000", at=TWO_LABELS), "blanket"),
        hint(10, 96),
    ),
    "binary randomized response, one data set": (
        *(about(GRR_SAMPLE, 10_000, TENTH, "1/30000000000000000000", at=TWO_LABELS), "one label"),
        hint(10, 96, data=[0]),
    ),
    "BLH": (about(ANY_FAMILY, 10_000, TENTH, "1/250000", at=BLH), "blanket", hint(10, 96)),
    "BLH, one data set": (about(ANY_FAMILY, 10_000, TENTH, "1/20000000", at=BLH), "one label", hint(10, 96, data=[0])),
    "every randomizer": (about(None, 100_000, TENTH, "1/20000000000000000000000"), "blanket", hint(10, 96)),
    "four labels beside fake reports": (
        *(about(GRR_SAMPLE, 1000, TENTH, "1/300000000000", dummies=term(10_000)), "blanket"),
        hint(10, 96, *range(300, 500, 10)),
    ),
}
"""Bounds for a data set, or all of them."""


@pytest.mark.parametrize("name", CROWDS)
def test_shuffled_reports_are_bounded(name: str) -> None:
    statement, by, told = CROWDS[name]
    found = {"values": {}, "by": by, **told}
    refuted = "data" in told
    for factor, holds in ((1, True), (4 if refuted else term(1) / 4, False)):
        body = json.loads(json.dumps(replace(statement, delta=statement.delta * factor).json()))
        evidence = found if refuted else {"instances": [found]}
        if holds:
            check(body, "refuted" if refuted else "proved", evidence)
            continue
        with pytest.raises(Rejected, match="not refuted" if refuted else "not shown"):
            check(body, "refuted" if refuted else "proved", evidence)


def test_every_rule_on_shuffled_reports_is_used_by_a_certificate() -> None:
    """From both sides, by every relation, beside another law."""
    listed_rules: Any = divergences.INSTANCE["by"]
    rules: dict[str, set[str]] = {"proofs": set(), "refutations": set()}
    for _, verdict, evidence in SHOWN.values():
        listed = [evidence] if verdict == "refuted" else evidence["instances"]
        rules["refutations" if verdict == "refuted" else "proofs"] |= {instance["by"] for instance in listed}
    assert rules["proofs"] == {*listed_rules}
    beside = re.findall(r'case "([a-z ]+)":\n', inspect.getsource(amplification.below))
    assert rules["refutations"] == {divergences.LISTED, "third", *beside}
    used = [STATEMENTS[of] for of, *_ in SHOWN.values()]
    stated = [statement for statement in used if isinstance(statement, Divergence)]
    assert {statement.relation for statement in stated} == {"le", "lt", "eq"}
    assert {statement.than is None for statement in stated} == {True, False}
    assert {statement.law is None for statement in stated} == {True, False}
