"""One place for a kind of statement: a class, a kernel kind, a finder and words belong together, and nothing is dead.

What a kernel rule accepts as evidence, and every word that a field may have, is used by a claim of the ledger, or by a
statement that is made here as any contributor would.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from cases import shuffle_statements
from cases.shuffle_statements import SHOWN
from dp_checks.certify import all_claims
from dp_checks.check import decide
from dp_checks.check.decision import FINDERS
from dp_checks.pages.statements import FORMAL
from dp_kernel.certificate.check import COMPOUND, KINDS, RULES, check
from dp_kernel.finite.sentences import PARTS
from dp_kernel.laws.grammar import NODES, PUSHES
from dp_kernel.schema import ARITY, VERDICTS
from dp_spec.frequency import count_sketch, grr, sugrr
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula, Mean, Variance
from dp_spec.vocabulary.law import F
from dp_spec.vocabulary.sentences import WRITTEN
from dp_spec.vocabulary.statement import (
    All,
    Chance,
    Domain,
    Frequencies,
    Instances,
    Not,
    Range,
    Statement,
)
from dp_spec.vocabulary.term import term, var

Json = Any

SHAPES = {
    "all proved: parts": "002.base.urr.unbiased",
    "arithmetic refuted: instance case": "003.def1.dp@point",
    "arithmetic verified: instances": "003.fig3.values",
    "bounded proved: values constants steps sums? lemmas?": "002.table2.rappor@upper",
    "bounded refuted: values relation family constant step? sums? lemmas?": "002.prose.grrlarge@dtoinf",
    "chance proved: rule=contributions": "002.alg1.pfalse@ideal",
    "completions ill_posed: channel": "002.def3.eq9@coordinate",
    "definition verified: families": "002.def2.eq2-3",
    "formula proved: values cover steps?": "002.sec44.slightly@table4.corrected",
    "formula proved: steps?": "002.exp.fig1.grrworse@eps-to-1",
    "formula proved: values steps sums? lemmas?": "002.exp.fig4.freq.corrected",
    "formula refuted: relation values": "002.exp.fig4.freq",
    "implies refuted: channel": "002.def3.implications@samenon-deniability",
    "implies verified: families": "002.def3.reduce@joint-forward",
    "instances verified: parts": "000.fig1.example.corrected",
    "mean proved: rule=contributions": "004.agg.unbiased@fixed.corrected",
    "mse proved: rule=contributions": "002.thm3.eq16.non@set",
    "mse refuted: instance item exact stated population": "002.thm3.eq17.non@iid",
    "mse refuted: instance item exact stated population hashes": "002.thm9.eq25.non@iid",
    "mse refuted: instance item exact stated users hashes": "004.eval.d.var@fixed",
    "mse refuted: instance item exact stated users": "002.thm6.eq22.non@fixed-data",
    "not refuted: evidence": "002.base.privset.ksearch",
    "ratio proved: rule=counting": "002.base.privset.privacy",
    "ratio proved: rule=cover": "002.thm7.eq11@samenon",
    "ratio proved: rule=linear": "002.base.grr.eq5.privacy",
    "ratio proved: rule=product powers": "002.base.grrsplit.privacy@vector",
    "ratio refuted: instance s other output probability other_probability": "002.thm1.sugrrsample.eq11@bot-in-marginal",
    "ratio refuted: instance s other output probability other_probability hashes": "002.thm7.eq11@deniability",
    "sentence refuted: instance case": "002.alg.sugrr.output@padded",
    "sentence verified: instances": "002.table3.grrsample",
    "shared proved: rule=total": "004.supp.var.random@threewise",
    "shared refuted: instance item exact stated users": "004.supp.var.random@distinct",
    "smallest proved: rule=counting": "002.base.privset.tight",
    "smallest proved: rule=cover": "002.budget.wheel@deniability",
    "smallest proved: rule=linear cases multipliers": "002.thm4.surapsample.tight@sen-marginal.corrected2",
    "smallest proved: rule=matching cases": "002.base.grrsplit.tight@multiset.corrected",
    "smallest proved: rule=product powers cases": "002.base.grrsplit.tight@vector",
    "smallest refuted: instance exact stated": "002.base.grrsplit.tight@multiset",
    "smallest refuted: instance exact stated hashes": "004.client.tight@anyfamily",
    "unbiased proved: rule=contributions": "002.base.grr.unbiased",
    "unbiased refuted: instance item exact stated users": "002.thm2.sugrr.sens@padded",
    "unbiased refuted: instance item exact stated users hashes": "002.thm8.sens@fixed",
    "unbounded proved: rule=emitted": "002.thm7.eq11@joint.corrected2",
    "variance proved: rule=contributions": "002.thm9.proof.var@pairwise.corrected",
    "variance refuted: instance item exact stated users hashes": "002.thm9.proof.var@fixed",
}
"""For evidence of every shape (type of statement, verdict: fields) a claim whose certificate has it."""

SHAPES |= {
    "bounded proved: lemmas?": "001.sec4.bestorder@pure",
    "bounded proved: sums?": "001.alg1.order@average",
    "bounded refuted: lemmas?": "001.alg1.order.norm@orthonormal",
    "bounded refuted: step?": "001.sec4.positive@identity",
    "bounded refuted: sums?": "001.alg3.complexity@bits",
    "formula proved: sums?": "001.eq14",
}
"""Fields that evidence of a shape may have, and limits."""

SLOW = {
    "all refuted: part evidence": "002.base.privset.better",
    "chance refuted: instance item exact stated s hashes": "002.alg1.pfalse@fixed",
}

X = var("x")
UNIT = Domain({"x": Range()}, (1 - X,))
BELOW, ABOVE = Formula(UNIT, (("lt", X, term(1)),)), {"relation": 0, "values": {"x": "1"}}
ONE = {"m": 1, "K": 2, "N": 0, "w": "2"}
OTHER = grr.other(grr.W)
SUMS, ONE_OF_EACH = Frequencies(sugrr.SUGRR, "multiset"), {"m": 1, "K": 1, "N": 1}
_POWERS = Formula(Domain({"x": Range(integer=True)}), (("le", X, term(2) ** X),))
_INDUCTION = {"induct": "x", "factor": 1, "first": {}, "next": {}}
_SHUFFLED = {
    "divergence proved: instances": "divergence proved by a blanket",
    "divergence verified: instances": "divergence verified for one user",
    "divergence refuted: values by data width? bits? knots? hashes?": "divergence refuted by a third value",
    **{f"divergence refuted: {x}?": "divergence refuted by a third value" for x in ("width", "bits", "knots")},
    "divergence refuted: hashes?": "divergence refuted under listed functions",
}

GENERAL: dict[str, tuple[Statement, str, Json]] = {
    "formula proved: lemmas?": (
        _POWERS,
        "proved",
        {
            "values": {"x": "0"},
            "steps": [{"multipliers": {"0": 1}}],
            "lemmas": [[(term(2) ** X - X).json(), _INDUCTION]],
        },
    ),
    "all verified: parts": (All((SUMS,)), "verified", {"parts": [["verified", {"instances": [ONE_OF_EACH]}]]}),
    "chance refuted: instance item exact stated s": (
        Chance(grr.GRR_SAMPLE, "one", "sensitive", "held", OTHER, where=(1 - var("m"),)),
        "refuted",
        {"instance": ONE, "s": [0], "item": 0, "exact": "2/3", "stated": "1/3"},
    ),
    "mean refuted: instance item exact stated users": (
        Mean(grr.GRR_SAMPLE, "vector", "sensitive", grr.SAMPLE_ESTIMATOR, formula=term(0)),
        "refuted",
        {"instance": ONE | {"n": 1}, "users": [[0]], "item": 0, "exact": "1", "stated": "0"},
    ),
    "mean refuted: instance item exact stated users hashes": (
        Mean(count_sketch.FIXED, "vector", "sensitive", count_sketch.ESTIMATOR, formula=F),
        "refuted",
        {
            "instance": {"m": 1, "K": 2, "N": 0, "b": 2, "t": "2", "n": 1},
            "hashes": {"rows": [["1", [0, 0]]]},
            "item": 0,
            "users": [[1]],
            "exact": "1",
            "stated": "0",
        },
    ),
    "instances refuted: part evidence": (Instances((BELOW,)), "refuted", {"part": 0, "evidence": ABOVE}),
    "not proved: evidence": (Not(BELOW), "proved", {"evidence": ABOVE}),
    "variance refuted: instance item exact stated users": (
        Variance(grr.GRR_SAMPLE, "vector", "sensitive", grr.SAMPLE_ESTIMATOR, formula=term(0)),
        "refuted",
        {"instance": ONE | {"n": 1}, "users": [[0]], "item": 0, "exact": "2", "stated": "0"},
    ),
}
GENERAL |= {name: (shuffle_statements.STATEMENTS[SHOWN[of][0]], *SHOWN[of][1:]) for name, of in _SHUFFLED.items()}
"""Statements and evidence of the shapes that no claim (or no quick one) has."""


def classes(of: type[Statement] = Statement) -> Iterator[type[Statement]]:
    for kind in of.__subclasses__():
        if kind.__module__.startswith("dp_spec."):
            yield kind
            yield from classes(kind)


def shapes(body: Json, verdict: str, evidence: Json) -> Iterator[str]:
    """The shapes of the evidence on a statement and on its parts."""
    for shape in KINDS[body["type"]].shapes(verdict):
        needed = {x for x in shape if x[-1] != "?"}
        fields = needed <= evidence.keys() <= {x.removesuffix("?") for x in shape}
        if fields and all(not word or evidence[x] == word for x, word in shape.items()):
            yield written(body["type"], verdict, shape)
            yield from (f"{body['type']} {verdict}: {x}?" for x in evidence.keys() - shape.keys())
    for part, proof in zip(body.get("parts", []), evidence.get("parts", []), strict=False):
        yield from shapes(part, *proof)


def written(name: str, verdict: str, shape: dict[str, str]) -> str:
    return f"{name} {verdict}: " + " ".join(x + (f"={word}" if word else "") for x, word in shape.items())


def statements(value: Json) -> Iterator[Json]:
    """Every statement within a JSON value."""
    if isinstance(value, dict):
        if value.get("type") in KINDS:
            yield value
        for child in value.values():
            yield from statements(child)
    elif isinstance(value, list):
        for child in value:
            yield from statements(child)


def words(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list):
        for child in value:
            yield from words(child)
    elif isinstance(value, str):
        yield value


@pytest.fixture(scope="module")
def claimed() -> dict[str, Formal]:
    return {i: formal for claim in all_claims() for i, formal in claim.formals()}


@pytest.fixture(scope="module")
def stated(claimed: dict[str, Formal]) -> list[Json]:
    bodies = [formal.json() for formal in claimed.values() if isinstance(formal, Statement)]
    return json.loads(json.dumps(bodies))  # type: ignore[no-any-return]


def test_every_class_of_statements_has_a_kind_a_finder_and_words() -> None:
    kinds, sentences = {*classes()}, {name.removesuffix("-cases") for name in WRITTEN}  # limits are bounds
    assert {kind.type for kind in kinds} == KINDS.keys() - {"sentence"} | sentences
    assert {kind for kind, _ in FINDERS} == {kind for kind, _ in FORMAL} == kinds


def test_a_kind_is_declared_once() -> None:
    assert len(KINDS) == len(COMPOUND) + sum(len(module.KINDS) for module in RULES)


@pytest.mark.slow
def test_every_kind_is_claimed_every_word_and_every_optional_field(stated: list[Json]) -> None:
    nodes = list(statements(stated))
    assert {body["type"] for body in nodes} == KINDS.keys()
    allowed: dict[str, set[str]] = defaultdict(set)
    values: dict[str, set[str]] = defaultdict(set)
    for name, kind in KINDS.items():
        for field, check_ in kind.fields.items():
            bodies = [body for body in nodes if body["type"] == name]
            if isinstance(check_, tuple):
                allowed[field].update(check_)
                values[field].update(
                    body[field.removesuffix("?")] for body in bodies if field.removesuffix("?") in body
                )
            if field.endswith("?"):
                assert {field[:-1] in body for body in bodies} == {True, False}, (name, field)
    assert values == allowed


def test_every_predicate_operator_and_constructor_is_used(stated: list[Json]) -> None:
    used = set(words(stated))
    assert set(PARTS) - used - {"binom"} == set()
    assert set(ARITY) - used == set()
    assert {*NODES, *PUSHES} - used == set()


def test_every_shape_of_evidence_is_used() -> None:
    kinds = [(n, v, x) for n, kind in KINDS.items() for v in VERDICTS for x in kind.shapes(v)]
    lines = {written(*shape) for shape in kinds} | {f"{n} {v}: {y}" for n, v, x in kinds for y in x if y[-1] == "?"}
    assert lines == {*SHAPES, *SLOW, *GENERAL}


@pytest.mark.parametrize(
    ("name", "claim"), [*SHAPES.items(), *(pytest.param(*x, marks=pytest.mark.slow) for x in SLOW.items())]
)
def test_a_claim_has_evidence_of_the_shape(name: str, claim: str, claimed: dict[str, Formal]) -> None:
    statement = claimed[claim]
    assert isinstance(statement, Statement)
    outcome = decide(statement, claim)
    assert name in shapes(statement.json(), outcome.verdict, outcome.evidence.data)


@pytest.mark.parametrize("name", GENERAL)
def test_the_kernel_accepts_general_evidence_of_the_shape(name: str) -> None:
    statement, verdict, evidence = GENERAL[name]
    assert name in shapes(statement.json(), verdict, evidence)
    check(json.loads(json.dumps(statement.json())), verdict, evidence)
