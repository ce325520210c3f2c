"""Checkers for PrivSet: ties to the program, first counterexamples, planted faults."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import fmpq

import plain_privset
from certificates import certified
from dp_checks.check import decide, subset_errors, subsets
from dp_checks.check.candidate import ROOTS
from dp_checks.check.subset_errors import CONDITION, FACTOR
from dp_checks.check.subsets import tie
from dp_checks.kernel import verify
from dp_checks.replay import replay
from dp_checks.verdict import InternalDisagreementError
from dp_refimpl.coins import uniform_subset
from dp_refimpl.frequency.privset import PrivSet
from dp_spec.frequency.claims import privset
from dp_spec.frequency.privset import PADDED, PLAIN, READINGS, SET_WEIGHTS, SINGLE_WEIGHTS
from dp_spec.vocabulary.law import M
from dp_spec.vocabulary.statement import Statement
from dp_spec.vocabulary.subset_statements import SubsetBest, SubsetSameChoice
from subset_certificates import REPRESENTATIVE, STATEMENTS

ALL: dict[str, Any] = {**privset.FORMAL, **STATEMENTS}


def outcomes() -> dict[str, tuple[str, str, str]]:
    found: dict[str, tuple[str, str, str]] = {}
    for name, statement in ALL.items():
        outcome = decide(statement, name)
        if outcome.verdict != "unchecked":
            assert isinstance(statement, Statement)
            verify(certified(statement, outcome.verdict, outcome.evidence.data, name))
        found[name] = outcome.verdict, outcome.evidence.kind, outcome.evidence.scope
    return found


EXPECTED = outcomes()


def test_everything_is_decided() -> None:
    assert all(verdict in ("proved", "refuted") for verdict, _, _ in EXPECTED.values())
    for name, claim in REPRESENTATIVE.items():
        assert EXPECTED[claim][0] == name.split()[1]


def test_what_is_refuted_has_a_correction_that_holds() -> None:
    refuted = {name for name in privset.FORMAL if EXPECTED[name][0] == "refuted"}
    corrections = {name for name in privset.FORMAL if ".corrected" in name}
    assert {name.partition(".corrected")[0] for name in corrections} == refuted
    assert {EXPECTED[name][0] for name in corrections} == {"proved"}


def fractions() -> list[Fraction]:
    return [Fraction(int(root.p), int(root.q)) for root in ROOTS]


def test_the_disagreement_of_the_objectives_is_the_first() -> None:
    """By brute force: at every smaller instance they share a best k."""
    at = decide(privset.FORMAL["002.base.privset.objective"]).evidence.data["instance"]
    found = None
    listed = [(d, m) for d in range(1, at["d"] + 1) for m in range(1, d + 1)]
    for (d, m), w in product(listed, fractions()):
        if d + m <= 10:  # larger output domains: the counts of the kernel, which the recount covers up to 7
            both = [plain_privset.errors(d, m, w, True, first) for first in (m, 1)]
            best = [{k for k, error in enumerate(errors) if error == min(errors)} for errors in both]
            if not best[0] & best[1]:
                found = {"d": d, "m": m, "w": str(w)}
                break
    assert found == at


def test_the_instance_on_which_rappor_is_better_is_the_first() -> None:
    at = decide(privset.FORMAL["002.base.privset.better"]).evidence.data["evidence"]["instance"]
    listed = [(d, m) for d in range(2, at["d"] + 1) for m in range(1, d)]
    for (d, m), t in product(listed, fractions()):
        errors = plain_privset.errors(d, m, t ** (2 * m), False, m)  # D = d: the others are the items that are not held
        if min(errors) >= d * t / (t - 1) ** 2:
            assert {"d": d, "m": m, "t": str(t)} == at
            return
    raise AssertionError("no such instance")


@pytest.mark.parametrize("d", range(2, 9))
def test_the_formula_of_one_item_against_brute_force(d: int) -> None:
    statement = privset.FORMAL["002.base.privset.ksearch.corrected"].parts[0]  # type: ignore[union-attr]
    assert isinstance(statement, SubsetBest)
    for w in (Fraction(101, 100), Fraction(3, 2), Fraction(3), Fraction(40)):
        at = {"D": d, "w": fmpq(w.numerator, w.denominator)}
        radicand, shift, scale = (x.evaluate(at) for x in (statement.radicand, statement.shift, statement.scale))
        stated = next(k for k in range(1, d) if scale * k + shift >= 0 and (scale * k + shift) ** 2 >= radicand)
        errors = plain_privset.errors(d, 1, w, False, 1)
        assert stated == 1 + errors.index(min(errors))
        assert stated in {max(1, int(d / (1 + w))), max(1, -int(-d // (1 + w)))}


# --- ties ---------------------------------------------------------------------------------------------------------

WRONG_TABLES = {
    "hit and miss exchanged": replace(PLAIN, hit=PLAIN.miss, miss=PLAIN.hit),
    "no budget": replace(PADDED, hit=PADDED.miss),
    "half the weight": replace(PLAIN, hit=PLAIN.hit / 2),
}


@pytest.mark.parametrize("fault", WRONG_TABLES)
def test_a_wrong_table_is_not_that_of_the_program(fault: str) -> None:
    with pytest.raises(InternalDisagreementError, match="another law"):
        tie(WRONG_TABLES[fault])


def uniform(self: Any, items: Any, coins: Any) -> Any:
    self.completed(items)
    return frozenset(uniform_subset(coins, self.outputs, self.k, self.hit * 0 + 1))


@pytest.mark.parametrize(
    ("member", "replacement", "reason"),
    [
        ("randomize", uniform, "another law"),
        ("p", property(lambda s: s.q), "p and q"),
        ("q", property(lambda s: s.p), "p and q"),
    ],
)
def test_a_wrong_program_does_not_have_the_table(
    member: str, replacement: Any, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PrivSet, member, replacement)
    tie.cache_clear()
    with pytest.raises(InternalDisagreementError, match=reason):
        decide(STATEMENTS["test.privset.convex"])
    tie.cache_clear()


def test_both_readings_are_tied() -> None:
    assert all(tie(table) > 5 for table in READINGS.values())
    for reading in READINGS:
        listed = list(subsets.sizes(reading))
        assert listed == sorted(listed)


def test_replay_enumerates_the_program_again() -> None:
    statement = STATEMENTS["test.privset.ratio"]
    (line,) = replay(certified(statement, "proved", {"lemma": "two probabilities"}))
    assert line.startswith("privset (padded): table = enumerated program at ")


# --- planted faults -----------------------------------------------------------------------------------------------


def differences() -> Iterator[str]:
    for name, statement in ALL.items():
        try:
            outcome = decide(statement, name)
        except InternalDisagreementError as error:
            yield f"{name}: {error}"
            continue
        if (outcome.verdict, outcome.evidence.kind, outcome.evidence.scope) != EXPECTED[name]:
            yield name


every, errors_at, summed = subsets.sizes, subset_errors._values, subset_errors._summed
FAULTS: dict[str, tuple[Any, str, Any]] = {
    "everything holds of tables": (subsets, "fails", lambda *args: False),
    "nothing holds of tables": (subsets, "fails", lambda *args: True),
    "chances are not compared": (subsets, "_differs", lambda *args: False),
    "two items are skipped": (subsets, "sizes", lambda reading: (size for size in every(reading) if size[0] > 2)),
    "ratios are not compared": (subsets, "ratio_maximum", lambda channel: None),
    "every k is best": (subset_errors, "_minimisers", lambda values: list(range(1, len(values) + 1))),
    "the first k is best": (subset_errors, "_minimisers", lambda values: [1]),
    "the largest error is best": (
        subset_errors,
        "_minimisers",
        lambda values: [k for k, v in enumerate(values, 1) if v == max(values)],
    ),
    "objectives at k + 1": (subset_errors, "_values", lambda *args: errors_at(*args)[1:] or errors_at(*args)),
    "objectives are negated": (subset_errors, "_values", lambda *args: [-v for v in errors_at(*args)]),
    "no error at all": (subset_errors, "_summed", lambda *args: fmpq(0)),
    "errors twice": (subset_errors, "_summed", lambda *args: 20 * summed(*args)),
    "domains are ignored": (subset_errors, "_inside", lambda domain, point: False),
    "one dummy for all": (subset_errors, "_outputs", lambda table, d, m: d + (table.reading == "padded")),
    "m = 1 only": (subset_errors, "_sizes", lambda *args: iter([(2, 1), (8, 1)])),
    "another condition": (subset_errors, "_STEP", {"condition": (CONDITION + 1).json(), "factor": FACTOR.json()}),
    "another factor": (subset_errors, "_STEP", {"condition": CONDITION.json(), "factor": (2 * FACTOR).json()}),
    "another quadratic": (subset_errors, "QUADRATIC", {**subset_errors.QUADRATIC, "slope": CONDITION}),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, name, replacement = FAULTS[fault]
    assert hasattr(module, name)
    monkeypatch.setattr(module, name, replacement)
    assert next(differences(), None) is not None


def test_nothing_differs_without_a_fault() -> None:
    assert list(differences()) == []


def test_objectives_that_only_differ_in_name_agree() -> None:
    """Three times an objective selects the same k."""
    tripled = SubsetSameChoice(PADDED, (SINGLE_WEIGHTS, 3 * SINGLE_WEIGHTS))
    assert decide(tripled).verdict == "unchecked"
    assert decide(replace(tripled, objectives=(SET_WEIGHTS, SET_WEIGHTS), constraints=(1 - M,))).verdict == "proved"
