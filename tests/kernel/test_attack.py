"""Some attempts of `make attack`: nothing false is accepted; and the brute force knows what is false."""

from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from attack import (
    arcs,
    command,
    definitions,
    formulas,
    generate,
    laws,
    multisets,
    mutate,
    noise,
    points,
    referee,
    rules,
    shuffle,
    synthesis,
    terms,
    trees,
    truth,
    worlds,
)
from attack.campaign import attack, attempts, campaign, printed
from corpus.certificates import planted, rejected
from dp_checks.certificate import certificate
from dp_checks.check import decide
from dp_checks.runtime.parallel import Workers
from dp_kernel.certificate.check import check
from dp_spec.frequency.claims import source_002
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.sentences import written
from dp_spec.vocabulary.statement import Statement

SAMPLE = (
    *(
        "002.base.urr.uldp",
        "002.thm2.sugrr.proof@multiset",
        "002.thm2.sugrr.proof@set",
        "002.alg.sugrr.output@multiset",
    ),
    *("002.prose.uldp.split", "002.base.grr.eq5.norm", "002.thm4.surap.inv", "002.alg.surap.output"),
    *("002.thm6.eq21.sens@fixed-data", "002.pad.unbiased@long.corrected", "002.pad.unbiased@long"),
    *("002.thm1.sugrr.proof.product@ordered", "002.thm1.sugrr.proof.product@set", "002.thm1.sugrr.eq11@multiset-joint"),
    *("002.thm4.surap.eq11@joint", "002.thm4.surap.eq11@whole-marginal", "002.base.rappor.one.tight"),
    *("002.budget.sugrr@multiset-joint", "002.budget.surap@samenon", "002.thm5.surap.sens", "002.thm2.sugrr.sens@set"),
)


@cache
def certificates() -> tuple[dict[str, Any], ...]:
    """Certificates of some claims."""
    formals = {name: formal for claim in source_002() for name, formal in claim.formals() if name in SAMPLE}
    assert len(formals) == len(SAMPLE)
    proofs = []
    for name, formal in formals.items():
        assert isinstance(formal, Statement)
        proofs.append(certificate(name, formal, decide(formal, name)))
    return tuple(proofs)


W, K = terms.W, terms.K
CELLS = {"own": terms.div(W, terms.DEN), "other": terms.div(1, terms.DEN)}
GRR = ["row", {"sen": CELLS}]
LAW = {
    "mechanism": "grr",
    "base": W,
    "power": "m",
    "parameters": [],
    "term": ["push", "multiset", ["each", "held", GRR]],
}
RATIO: dict[str, Any] = {
    "type": "ratio",
    "law": LAW,
    "relation": "ldp",
    "counted": "all",
    "sizes": "exactm",
    "where": [],
    "any_order": False,
}
RATIO_OF_ONE = {**RATIO, "law": {**LAW, "power": 1, "term": ["drawn", GRR]}, "where": [["sub", 1, "m"]]}
MISSING = ["binom", ["sub", K, "m"], "k"]
WEIGHT = terms.add(MISSING, terms.mul(W, ["sub", ["binom", K, "k"], MISSING]))
SUBSET = ["subset", "k", terms.div(W, WEIGHT), terms.div(1, WEIGHT)]


EVERY_KIND = frozenset({*truth.JUDGES, "divergence", "implies", "definition"})


@pytest.mark.parametrize(
    ("number", "kinds"),
    [
        pytest.param(400, frozenset(), marks=pytest.mark.slow),
        pytest.param(4000, EVERY_KIND, marks=pytest.mark.campaign),
    ],
)
def test_nothing_false_is_accepted(number: int, kinds: frozenset[str]) -> None:
    report = attack(number, 5, certificates())
    assert not report.false, printed(report)
    for verdict, share in (("proved", 50), ("verified", 200), ("refuted", 66)):
        judged = sum(report.number("true", kind) for kind in report.kinds if kind[1] == verdict)
        assert share * judged > number, f"too little that is {verdict} was accepted and judged"
    assert 100 * report.number("were false") > number, "too little that is false was rejected"
    for kind in report.kinds:
        judged, left = (report.number(outcome, kind) for outcome in ("true", "undecided"))
        assert judged + left < 8 or 3 * left <= judged, f"of {kind} the brute force knows too little"
    assert kinds <= {name for name, verdict in report.kinds if report.number("true", (name, verdict))}


@pytest.mark.slow
def test_processes_make_the_attempts_of_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("attack.campaign.BATCH", 20)
    alone, two = (campaign(60, 1, tmp_path, Workers(jobs)) for jobs in (1, 2))
    assert alone == two
    assert alone.number("tried") >= 60


def test_attempts_are_the_same_every_time() -> None:
    first, again = (list(generate.attempts(Random("7"), ())) for _ in "12")
    assert first == again


def test_words_of_synthesis_are_attacked() -> None:
    """Of shares, joint tables and counts: what is accepted is true, by the brute force, and some of it is a refutation.
    (Those that take longer are in the campaign above.)"""
    with attempts() as made:
        for sort, seed in product((synthesis.of_shares, synthesis.of_joints, synthesis.of_counts), range(4)):
            rng = Random(f"{sort.__name__}/{seed}")
            for attempt in synthesis.about(sort, 2, rng):
                made.one(*attempt, rng)
        report = made.report()
    assert not report.false, printed(report)
    for verdict in ("verified", "refuted"):
        judged, left = (report.number(of, ("arithmetic", verdict)) for of in ("true", "undecided"))
        assert judged >= 4
        assert not left


# --- the way in -------------------------------------------------------------------------------------------------------


def test_the_command_reads_what_the_ledger_pins(tmp_path: Path) -> None:
    proof = command.certificate(RATIO, "proved", {"rule": "product", "powers": {"ss": 1}})
    right = command.entry(proof)
    assert command.accepts(proof, right, tmp_path)
    assert not command.accepts(proof, {**right, "verdict": "refuted"}, tmp_path)
    assert not command.accepts(proof, {**right, "digest": "0" * 64}, tmp_path)
    assert not command.accepts({**proof, "ties": []}, right, tmp_path)


def test_no_sentence_says_what_a_sum_of_bits_is_where_a_row_has_further_results() -> None:
    """With a class `any` the chance of a bit is more than the entry of its class: found by the attack."""
    row = ["row", {"sen": {**CELLS, "any": 1}}]
    law = {**LAW, "term": ["push", "multiset", ["each", "held", row]]}
    of = {"type": "bernoulli-sum", "law": law, "where": [], "sizes": "exactm"}
    assert written({**of, "law": LAW})["type"] == "sentence"
    with pytest.raises(DomainError, match="own and other"):
        written(of)


def test_cards_are_named_as_the_command_says(tmp_path: Path) -> None:
    body = {**RATIO, "law": {**LAW, "power": 1, "term": SUBSET, "integers": {"k": 1}}}
    proof = command.certificate(body, "proved", {"rule": "counting"})
    assert command.accepts(proof, command.entry(proof), tmp_path)
    assert proof["cards"] == ["counting"]


def test_what_an_accepted_certificate_uses_is_named() -> None:
    evidence = {"rule": "product", "powers": {"ss": 1}}
    used = {*rules.told(RATIO, "proved", evidence)}
    with rules.watched(used):
        check(RATIO, "proved", evidence)
    named = {"ratio proved by rule=product powers", "ratio: relation ldp", "node each", "push multiset"}
    named |= {
        "judgements.ratios.product",
        "laws.grammar.outcome_law: case ['row', kinds]",
        "certificate.check.check",
    }
    assert named <= used <= rules.known()
    assert "ratio proved by rule=linear" in rules.known() - used


VERIFIED: dict[str, Any] = {
    "statement": RATIO_OF_ONE,
    "verdict": "verified",
    "evidence": {"instances": [{"m": 1, "K": 2, "N": 0}, {"m": 1, "K": 3, "N": 0}]},
    "ties": [{"law": "a" * 64, "at": [{"m": 1, "K": 2, "N": 0}], "table": "b" * 64}],
}
INSTANCES = VERIFIED["evidence"]["instances"]
OTHER_BINDINGS: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, ""),
    "another order of points": ({"evidence": {"instances": INSTANCES[::-1]}}, ""),
    "a point fewer": ({"evidence": {"instances": INSTANCES[:1]}}, "another scope"),
    "a point twice": ({"evidence": {"instances": [*INSTANCES, INSTANCES[0]]}}, "another scope"),
    "another table": ({"ties": [{**VERIFIED["ties"][0], "table": "c" * 64}]}, "other ties"),
    "sizes that are none": ({"ties": [{**VERIFIED["ties"][0], "at": [{"m": -1, "K": 2, "N": 0}]}]}, "other ties"),
    "another verdict": ({"verdict": "proved"}, "another verdict"),
    "another statement": ({"statement": {**RATIO_OF_ONE, "sizes": "all"}}, "another statement"),
}


@pytest.mark.parametrize("name", OTHER_BINDINGS)
def test_what_a_certificate_is_bound_to_is_compared(name: str) -> None:
    changes, why = OTHER_BINDINGS[name]
    difference = mutate.difference(VERIFIED, {**VERIFIED, **changes})
    assert difference.startswith(why)
    assert bool(difference) == bool(why)


def test_changes_of_bindings_are_seen() -> None:
    reasons = [mutate.difference(VERIFIED, mutate.unbound(VERIFIED, Random(seed))) for seed in range(40)]
    assert {why.split(" than")[0] for why in reasons} == {"another scope", "other ties"}


# --- the brute force --------------------------------------------------------------------------------------------------


FEW_ITEMS = planted("accepted once").keys() - {"sizes_of_another_world"}
"""The other one is false for six items only."""


FALSE = (
    *("comparison_of_sets_that_cannot_exist", "comparison_at_a_frequency_of_two", "half_of_one_user"),
    *("the_quadratic_polynomial_above_one", "bernoulli_the_wrong_way", "bernoulli_below_one"),
    *("a_family_beside_a_unit_range", "a_domain_bounded_by_a_power", "a_taylor_polynomial_as_a_bound"),
)
"""Bounds of the corpus; of others `test_false_bounds` says why."""


@pytest.mark.parametrize("name", [*sorted(FEW_ITEMS), *FALSE])
def test_the_brute_force_knows_what_is_false(name: str) -> None:
    certificate = rejected()[name].certificate()
    statement, verdict, evidence = (certificate[field] for field in ("statement", "verdict", "evidence"))
    assert referee.contradiction(statement, verdict, evidence, Random(3).randrange)[0]


HELD: dict[str, Any] = {
    "type": "chance",
    "law": LAW,
    "item": "sensitive",
    "event": "other",
    "where": [],
    "sizes": "exactm",
}
MISS = terms.mul("m", terms.div(1, terms.DEN))
OWN, OTHER = terms.div(W, terms.DEN), terms.div(1, terms.DEN)
ONE: dict[str, Any] = {**HELD, "event": "held", "law": {**LAW, "power": 2, "term": ["copies", 2, GRR]}}
NONE_SENT = terms.mul(terms.sub(1, OWN), ["pow", terms.sub(1, OTHER), terms.sub("m", 1)])
ONE_LABEL = {**LAW, "power": 1, "term": ["mix", "g", "b", ["mix", "h", 1, GRR]], "integers": {"b": 1}}
SEPARATED = {**RATIO, "law": {**ONE_LABEL, "families": {"h": "separating"}}}
NATURAL = {"min": 1, "strict": False, "integer": True, "unit": False}
TWO = {"variables": {"n": NATURAL, "b": {**NATURAL, "min": 2}}, "constraints": []}
UNDEFINED = ["sum", "s", 1, ["div", "x", "x"], "s"]
X = {"variables": {"x": {"min": 0, "strict": False, "integer": False, "unit": False}}, "constraints": []}
JUDGED: list[tuple[dict[str, Any], bool]] = [
    (RATIO, True),
    ({**RATIO, "law": {**LAW, "power": 1}}, False),
    ({**RATIO, "type": "smallest", "where": [["sub", K, ["mul", 2, "m"]]], "constant": ["pow", W, "m"]}, False),
    ({**RATIO, "type": "smallest", "where": [["sub", 1, "m"], ["sub", K, 2]], "constant": W}, True),
    ({**HELD, "probability": MISS}, False),
    ({**HELD, "probability": terms.sub(1, ["pow", terms.sub(1, OTHER), "m"])}, True),
    ({**HELD, "probability": terms.mul(2, MISS)}, False),
    ({**HELD, "probability": terms.div(1, terms.sub(K, 1))}, False),
    ({**ONE, "probability": terms.mul(2, OWN)}, False),
    ({**ONE, "probability": terms.sub(1, ["pow", terms.sub(1, OWN), 2])}, True),
    ({**HELD, "event": "held", "probability": terms.add(OWN, terms.mul(terms.sub("m", 1), OTHER))}, False),
    ({**HELD, "event": "held", "probability": terms.sub(1, NONE_SENT)}, True),
    (SEPARATED, False),
    ({**SEPARATED, "law": {**ONE_LABEL, "families": {"g": "separating"}, "integers": {"b": 2}}}, True),
    (noise.limit(TWO, "n", ["div", "b", "n"], 0), True),
    (noise.limit(TWO, "n", ["div", ["mul", "b", "n"], ["add", "n", "b"]], "b"), True),
    (noise.limit(TWO, "n", ["div", ["mul", "b", "n"], ["add", "n", "b"]], 2), False),
    (noise.limit(TWO, "n", ["div", "n", "b"], None), True),
    (noise.limit(TWO, "n", "b", None), False),
    ({"type": "formula", "domain": X, "values": {}, "relations": [["eq", UNDEFINED, 1]]}, False),
    ({"type": "formula", "domain": X, "values": {}, "relations": [["le", "x", ["mul", "x", "x"]]]}, False),
    ({"type": "formula", "domain": X, "values": {}, "relations": [["le", 0, ["mul", "x", "x"]]]}, True),
    ({"type": "formula", "domain": X, "values": {}, "relations": [["eq", ["div", "x", "x"], 1]]}, False),
]
"""Statements about all sizes and budgets, and whether they are true."""


@pytest.mark.parametrize(("statement", "holds"), JUDGED)
def test_the_brute_force_tells_false_from_true(statement: dict[str, Any], holds: bool) -> None:
    why, decided = referee.contradiction(statement, "proved", {}, Random(3).randrange)
    assert decided
    assert (why == "") == holds, why


def test_a_made_up_family_has_the_stated_collisions() -> None:
    world = worlds.World(1, 3, 0, {}, (), {"h": ["div", 3, 5]})
    listed = laws.maps(world, "h", 2)
    assert sum(weight for _, weight in listed) == 1
    for x, y in ((0, 1), (0, 2), (1, 2)):
        assert sum(weight for image, weight in listed if image[x] == image[y]) == Fraction(3, 5)


def test_the_brute_force_imports_nothing_of_the_project() -> None:
    for module in (arcs, definitions, formulas, laws, multisets, points, referee, trees, truth, worlds):
        used = {str(getattr(value, "__module__", "")) for value in vars(module).values()}
        used |= {str(getattr(value, "__name__", "")) for value in vars(module).values()}
        assert not [name for name in used if name.startswith("dp_")]


SHUFFLED: dict[str, Any] = {
    "type": "divergence",
    "domain": {"variables": {}, "constraints": []},
    "at": {"x": 3, "K": 2},
    "users": 1,
    "dummies": 0,
    "e_eps": 1,
    "relation": "eq",
    "delta": ["div", 1, 2],
    "law": {**LAW, "base": "x", "power": 1, "term": ["push", "sorted", ["copies", 1, shuffle.RESPONSE]]},
}
LOGARITHM = {"variables": {"x": {"min": 1, "strict": True, "integer": False, "unit": False}}}
PAIR = ["pair", shuffle.RESPONSE, ["copies", "c", ["row", {"*": {"any": ["div", 1, "K"]}}]]]
BESIDE = SHUFFLED | {"users": 2, "dummies": 1, "e_eps": 2, "delta": ["div", 1, 16], "at": {"x": 5, "K": 2, "c": 1}}
BESIDE["law"] = {**SHUFFLED["law"], "term": ["push", "sorted", PAIR], "integers": {"c": 0}}
"""Two reports, beside a uniform message of each user and one more."""
LISTED = {"instances": [{"values": {}, "by": "all data sets"}]}
NO_LIMIT = [[["mul", "n", ["sub", ["mul", "R", 2], 1]], 1]]
WITNESSED: list[tuple[dict[str, Any], str, dict[str, Any], bool]] = [
    (SHUFFLED, "proved", LISTED, True),
    ({**SHUFFLED, "delta": ["div", 1, 3]}, "proved", LISTED, False),
    (BESIDE, "proved", LISTED, True),
    ({**BESIDE, "delta": ["div", 1, 15]}, "proved", LISTED, False),
    *(
        ({"type": of, "parts": [SHUFFLED, {**SHUFFLED, "delta": ["div", 1, number]}]}, verdict, evidence, right)
        for of in ("all", "instances")
        for number, verdict, evidence, right in (
            (2, "verified", {"parts": [["proved", LISTED]] * 2}, True),
            (3, "verified", {"parts": [["proved", LISTED]] * 2}, False),
            (3, "refuted", {"part": 0, "evidence": {"values": {}, "by": "all data sets"}}, False),
        )
    ),
    ({**noise.limit(TWO, "n", "b", 0), "relations": NO_LIMIT}, "proved", {"constants": ["R"]}, False),
    ({**SHUFFLED, "at": {"x": 3, "K": 2, "y": 1}}, "proved", {"instances": [{"values": {}, "by": "blanket"}]}, False),
    (
        {
            "type": "formula",
            "domain": {**LOGARITHM, "constraints": [["sub", ["log", "x"], 1]]},
            "values": {},
            "relations": [["le", "x", 2]],
        },
        "refuted",
        {"relation": 0, "values": {"x": "3"}},
        True,
    ),
    (
        {"type": "implies", "premises": ["eq11-samenon"], "conclusions": ["ldp"], "inputs": "m-sets"},
        "verified",
        {"families": [{"K": 2, "N": 0, "m": 1, "e_eps": "2", "parts": 1, "outputs": [[0, []], [1, []]]}]},
        False,
    ),
]


@pytest.mark.parametrize(("statement", "verdict", "evidence", "right"), WITNESSED)
def test_the_brute_force_reads_evidence(
    statement: dict[str, Any], verdict: str, evidence: dict[str, Any], right: bool
) -> None:
    why, decided = referee.contradiction(statement, verdict, evidence, Random(3).randrange)
    assert decided
    assert (why == "") == right, why


def test_the_brute_force_says_that_it_does_not_know() -> None:
    close = ["le", ["pow", ["pow", "x", ["div", 1, 2]], 2], "x"]
    statement = {"type": "formula", "domain": {**LOGARITHM, "constraints": []}, "values": {}, "relations": [close]}
    assert referee.contradiction(statement, "proved", {}, Random(3).randrange) == ("", False)
