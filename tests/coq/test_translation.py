"""Statements in Coq, by a table: what is written, and what is not covered."""

from typing import Any

import pytest

from dp_coq.evidence import counterexample, derivation, powers
from dp_coq.expressions import Outside, expression
from dp_coq.parts import part_at, parts
from dp_coq.statements import domain, sentence, statement

NAMES = {"d": 1, "x": 2}
WHOLE = {"min": 0, "strict": False, "integer": True, "unit": False}
ANY = {"min": 0, "strict": False, "integer": False, "unit": False}


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (-3, "(Cst (-3))"),
        ("x", "(Var 2)"),
        (["sub", "x", "d"], "(Sub (Var 2) (Var 1))"),
        (["pow", "x", ["neg", 2]], "(Pow (Var 2) (Neg (Cst 2)))"),
        (["min", "d", "x", 1], "(Min (Var 1) (Min (Var 2) (Cst 1)))"),
        (["sum", "i", 1, "d", ["mul", "i", "x"]], "(Sum 3 (Cst 1) (Var 1) (Mul (Var 3) (Var 2)))"),
        (["sum", "x", 1, "x", "x"], "(Sum 3 (Cst 1) (Var 2) (Var 3))"),
        (["sum", "i", 0, 1, ["sum", "j", 0, "i", "j"]], "(Sum 3 (Cst 0) (Cst 1) (Sum 4 (Cst 0) (Var 3) (Var 4)))"),
    ],
)
def test_a_tree_is_this_expression(tree: Any, text: str) -> None:
    assert expression(tree, NAMES) == text


@pytest.mark.parametrize("tree", [["exp", "x"], ["log", "x"], "y"])
def test_what_is_not_covered_is_said(tree: Any) -> None:
    with pytest.raises(Outside):
        expression(tree, NAMES)


@pytest.mark.parametrize("tree", [True, None, 0.5, []])
def test_what_is_no_tree_is_an_error(tree: Any) -> None:
    with pytest.raises(TypeError):
        expression(tree, NAMES)


@pytest.mark.parametrize(
    ("spec", "constraints", "text"),
    [
        ({"min": 2, "integer": True}, [], "(Domain [From 2 false true] [])"),
        ({"strict": True}, [], "(Domain [From 0 true false] [])"),
        ({"strict": True, "unit": True}, [], "(Domain [Unit false] [])"),
        ({"strict": True}, [["sub", 1, "x"]], "(Domain [Unit true] [(Sub (Cst 1) (Var 1))])"),
        ({}, [["sub", 1, "x"]], "(Domain [From 0 false false] [(Sub (Cst 1) (Var 1))])"),
    ],
)
def test_a_domain_is_this_one(spec: Any, constraints: Any, text: str) -> None:
    assert domain({"variables": {"x": ANY | spec}, "constraints": constraints}) == text


FORMULA = {
    "type": "formula",
    "domain": {"variables": {"x": ANY}, "constraints": []},
    "values": {},
    "of_data": False,
    "relations": [["le", "x", ["mul", 2, "x"]]],
}


@pytest.mark.parametrize(
    "changed",
    [
        {"domain": {"variables": {"x": ANY | {"max": 1}}, "constraints": []}},
        {"domain": {"variables": {"x": ANY}, "constraints": [], "holes": []}},
        {"budget": 1},
        {"where": []},
    ],
)
def test_a_field_that_nobody_reads_is_not_dropped(changed: Any) -> None:
    with pytest.raises(Outside, match="fields"):
        statement(FORMULA | changed)


def test_a_formula_is_this_statement() -> None:
    text = "(Formulas (Formula (Domain [From 0 false false] []) [(Le, (Var 1), (Mul (Cst 2) (Var 1)))]))"
    assert statement(FORMULA) == text


def test_a_bound_is_this_statement() -> None:
    bound = {**FORMULA, "type": "bounded", "fixed": ["x"], "grows": [], "relations": [["x", 1]]}
    assert statement(bound) == "(Bounds (Bound (Domain [From 0 false false] []) [1%positive] [((Var 1), (Cst 1))]))"
    with pytest.raises(Outside):
        statement({**bound, "grows": ["x"]})


@pytest.mark.parametrize(
    "changed",
    [{"type": "shared"}, {"of_data": True}, {"values": {"v": {}}}, {"quantities": {"q": {}}}],
)
def test_a_field_with_another_meaning_is_not_dropped(changed: Any) -> None:
    with pytest.raises(Outside):
        statement(FORMULA | changed)


@pytest.mark.parametrize(
    "evidence",
    [
        {"values": {"x": "0"}, "cover": []},
        {"values": {"x": "0"}, "steps": [{"induct": "x"}]},
        {"values": {"x": "0"}, "steps": [{}], "lemmas": [1]},
    ],
)
def test_evidence_that_is_not_covered_is_said(evidence: Any) -> None:
    with pytest.raises(Outside):
        derivation(FORMULA, evidence)


def test_parts_have_their_verdicts_and_places() -> None:
    other = FORMULA | {"relations": [["lt", "x", 0]]}
    both = {"type": "all", "parts": [FORMULA, {"type": "not", "of": other}]}
    evidence = {"parts": [["proved", {"steps": [{}]}], ["proved", {"evidence": {"relation": 0}}]]}
    listed = [(part.place, part.verdict, part.statement) for part in parts(both, "proved", evidence)]
    assert listed == [((0,), "proved", FORMULA), ((1,), "refuted", other)]
    assert [part_at(both, place) for place, _, _ in listed] == [FORMULA, other]
    (part,) = parts(both, "refuted", {"part": 1, "evidence": {"evidence": {"steps": [{}]}}})
    assert (part.place, part.verdict, part.statement) == ((1,), "proved", other)


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (2, "(Const 2)"),
        ("x", "(Name 2)"),
        (["neg", "x"], "(Two Minus (Const 0) (Name 2))"),
        (
            ["some", "i", ["from", 0, 2], ["le", "i", "x"]],
            "(Exist 3 (Two Between (Const 0) (Const 2)) (Two AtMost (Name 3) (Name 2)))",
        ),
        (
            ["total", "i", ["only", "d"], ["mul", "i", "x"]],
            "(Each Total 3 (One Only (Name 1)) (Two Times (Name 3) (Name 2)))",
        ),
        (
            ["or", ["eq", "d", 1], ["not", ["empty", ["events", ["only", 1]]]]],
            "(Or (Two Equal (Name 1) (Const 1)) "
            "(One Not (Two Equal (One Size (One Events (One Only (Const 1)))) (Const 0))))",
        ),
    ],
)
def test_a_sentence_is_this_one(tree: Any, text: str) -> None:
    assert sentence(tree, NAMES) == text


@pytest.mark.parametrize("tree", [["log", "x"], ["laplace", 1, 2, 3]])
def test_a_sentence_that_is_not_covered_is_said(tree: Any) -> None:
    with pytest.raises(Outside):
        sentence(tree, NAMES)


@pytest.mark.parametrize("tree", [True, None, 0.5, [], "y"])
def test_what_is_no_sentence_is_an_error(tree: Any) -> None:
    with pytest.raises(TypeError):
        sentence(tree, NAMES)


ARITHMETIC = {
    "type": "arithmetic",
    "domain": {"variables": {"x": WHOLE}, "constraints": []},
    "sentence": ["all", "s", ["lists", ["from", 0, 2], "x"], ["le", ["size", "s"], 0]],
}


def test_a_sentence_fails_in_a_case() -> None:
    evidence = {"instance": {"x": "1"}, "case": {"s": [1]}}
    assert counterexample(ARITHMETIC, evidence) == "(FalseIn [(1 # 1)%Q] [(Lst [(Num (1 # 1)%Q)])])"
    assert statement(ARITHMETIC).startswith("(Sentences (Arithmetic (Domain [From 0 false true] []) (Each All 2 ")
    with pytest.raises(Outside, match="fields"):
        statement(ARITHMETIC | {"law": {}})
    long = ["and", ARITHMETIC["sentence"], ["eq", ["joined", *[["only", 1]] * 2], ["total", "i", [0] * 9000, 1]]]
    with pytest.raises(Outside, match="long"):
        counterexample(ARITHMETIC | {"sentence": long}, evidence)


def test_powers_are_listed_once_and_not_under_sums() -> None:
    tree = ["add", ["pow", 2, ["add", "x", "d"]], ["mul", ["pow", 2, "x"], ["pow", "x", 3]]]
    assert powers(tree, NAMES) == ["((Cst 2), 1%positive)", "((Cst 2), 2%positive)"]
    assert powers(["sum", "i", 0, ["pow", 2, "d"], ["pow", 3, "i"]], NAMES) == ["((Cst 2), 1%positive)"]


def test_a_sum_is_given_with_what_closes_it() -> None:
    summed = ["sum", "i", 1, "x", ["pow", 2, "i"]]
    closed = FORMULA | {"relations": [["eq", summed, ["sub", ["pow", 2, ["add", "x", 1]], 2]]]}
    form = ["mul", 2, ["pow", 2, "i"]]
    text = derivation(closed, {"values": {"x": "0"}, "steps": [{}], "sums": [[summed, form, form]]})
    assert f"[Form {expression(summed, {'x': 1})} (Mul (Cst 2) (Pow (Cst 2) (Var 2))) [((Cst 2), 2%positive)]]" in text
    with pytest.raises(Outside, match="enclosed"):
        derivation(closed, {"values": {"x": "0"}, "steps": [{}], "sums": [[summed, form, 0]]})
