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


@pytest.mark.parametrize("field", [{"integer": True}, {"min": 1}, {"min": -1}])
def test_a_range_between_0_and_1_has_no_integers_and_no_other_ends(field: Any) -> None:
    around = {"variables": {"x": {**ANY, "unit": True}}, "constraints": []}
    assert domain(around) == "(Domain [Unit false] [])"
    with pytest.raises(Outside, match="ranges"):
        domain({**around, "variables": {"x": {**ANY, "unit": True, **field}}})


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
    about = "(Domain [From 0 false false] [])"
    assert statement(bound) == f"(Bounds (Bound {about} [1%positive] [] [((Var 1), (Cst 1))]))"
    moving = statement({**bound, "fixed": [], "grows": ["x"]})
    assert moving == f"(Bounds (Bound {about} [] [1%positive] [((Var 1), (Cst 1))]))"


@pytest.mark.parametrize(
    "changed",
    [{"type": "shared"}, {"of_data": True}, {"values": {"v": {}}}],
)
def test_a_field_with_another_meaning_is_not_dropped(changed: Any) -> None:
    with pytest.raises(Outside):
        statement(FORMULA | changed)


@pytest.mark.parametrize(
    "evidence",
    [
        {"values": {"x": "0"}, "cover": []},
        {"values": {"x": "0"}, "steps": [{"induct": "x"}]},
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
        (["log", "x"], "(One Log (Name 2))"),
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


@pytest.mark.parametrize(
    "tree", [["exptrunc", "x", 1], ["behind", "x", "d"], ["sets", 1, 1], ["chance", "law", "x", 1]]
)
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
    long = ["and", ARITHMETIC["sentence"], ["eq", ["joined", *[["only", 1]] * 2], ["total", "i", [0] * 90000, 1]]]
    with pytest.raises(Outside, match="long"):
        counterexample(ARITHMETIC | {"sentence": long}, evidence)


def test_the_loss_of_laplace_noise_is_a_sum() -> None:
    text = sentence(["laplace", ["only", "x"], ["only", "d"], ["only", 2]], NAMES)
    one, other, scale = (f"(Two At (One Only {datum}) (Name 3))" for datum in ("(Name 2)", "(Name 1)", "(Const 2)"))
    assert text.startswith("(Each Total 3 (Two Between (Const 0) ")
    opposites = f"(Two Minus (Const 0) (Two Minus {one} {other})) (Two Minus (Const 0) (Two Minus {other} {one}))"
    assert text.endswith(f"(Two Over (Two Minus (Const 0) (Two Smaller {opposites})) {scale}))")


IMPLIES = {"type": "implies", "premises": [], "conclusions": [["all", "s", ["sets", 1, "m"], ["le", 1, "e_eps"]]]}


def test_a_channel_is_the_first_premise() -> None:
    text = statement(IMPLIES)
    assert text.startswith("(Implications (Implication [(And ")
    assert text.count("(Two AtMost (Const 1) (Name 4))") == 1
    with pytest.raises(Outside, match="fields"):
        statement(IMPLIES | {"law": {}})
    channel = {
        "K": 1,
        "N": 1,
        "m": 1,
        "e_eps": "2",
        "outputs": [[0, []], [None, [1]]],
        "rows": [["1", "0"], ["1/2", "1/2"]],
    }
    one, two = "(Num (1 # 1)%Q)", "(Num (1 # 2)%Q)"
    zero = "(Num (0 # 1)%Q)"
    rows = [
        f"(Lst [(Lst [{zero}]); (Lst [{zero}; (Lst [])]); {one}])",
        f"(Lst [(Lst [{one}]); (Lst [{zero}; (Lst [])]); {two}])",
        f"(Lst [(Lst [{one}]); (Lst [(Lst []); (Lst [{one}])]); {two}])",
    ]
    text = counterexample(IMPLIES, {"channel": channel})
    assert text == f"(FalseOf [{one}; {one}; {one}; (Num (2 # 1)%Q); (Lst [{'; '.join(rows)}])])"


RESPONSE = ["row", {"sen": {"own": ["div", "w", ["add", "w", 1]], "other": ["div", 1, ["add", "w", 1]]}}]
RATIO: Any = {
    "type": "ratio",
    "law": {"base": "w", "mechanism": "one", "parameters": [], "power": 1, "term": RESPONSE},
    "relation": "ldp",
    "counted": "all",
    "sizes": "exactm",
    "where": [],
    "any_order": False,
}


def test_a_ratio_is_a_sentence_about_a_table() -> None:
    text = statement(RATIO)
    assert text.startswith("(Tables (LawSentence (Domain [")
    assert "(Two AtMost (Each Total" in text
    assert "(Exist" not in text
    assert "(Exist" in statement({**RATIO, "type": "smallest", "constant": "w"})
    at = {"instance": {"K": 2, "N": 0, "m": 1, "w": "2"}}
    values = "; ".join(f"({number} # 1)%Q" for number in (2, 0, 1, 1, 0, 0, 2))
    assert counterexample(RATIO, at) == f"(FalseIn [{values}] [])"


@pytest.mark.parametrize(
    "changed",
    [
        {"any_order": True},
        {"holes": []},
        {"counted": "nonempty", "law": {**RATIO["law"], "term": ["push", "bits", ["each", "items", RESPONSE]]}},
        {"law": {**RATIO["law"], "term": ["mix", "hash", 2, RESPONSE]}},
        {"law": {**RATIO["law"], "term": ["push", "whole", ["each", "items", RESPONSE]]}},
    ],
)
def test_a_ratio_that_is_not_covered_is_said(changed: Any) -> None:
    with pytest.raises(Outside):
        statement(RATIO | changed)


TREE = {
    "mechanism": "haar",
    "noise": "laplace",
    "branching": 2,
    "rows": [["sums", "h", "h", 1, 1], ["differences", 1, "h", 1, 1]],
    "restored": [["div", 1, ["pow", 2, "h"]], ["div", 1, ["pow", 2, "s"]]],
}


def of_tree(of: list[str], at: Any) -> Any:
    variables = {"h": WHOLE | {"min": 1}, "j": WHOLE | {"min": 1}}
    return {
        **FORMULA,
        "domain": {"variables": variables, "constraints": []},
        "quantities": {"q": {"law": TREE, "of": of, "at": at}},
        "relations": [["eq", "q", 1]],
    }


def test_a_quantity_is_what_it_is_for_all_counts() -> None:
    text = statement(of_tree(["returned", "diagonal"], {}))
    leaf = "(Sub (Sub (Pow (Cst 2) (Var 1)) (Cst 1)) (Var 3))"
    assert f"(Domain [From 1 false true; From 1 false true; From 0 false true] [{leaf}])" in text
    node = "(Floor (Div (Var 3) (Pow (Cst 2) (Var 4))))"
    alike = f"(Pow (Cst 0) (Pow (Sub {node} {node}) (Cst 2)))"
    assert f"(Sum 4 (Var 1) (Var 1) (Mul {alike} (Mul (Div (Cst 1) (Pow (Cst 2) (Var 1))) (Cst 1))))" in text
    assert text.count("(Pow (Cst (-1)) ") == 2


def test_two_counts_meet_at_a_height() -> None:
    about = statement(of_tree(["gram", "pair"], {"h": ["add", "h", "j"], "k": "j"}))
    nodes = [f"(Floor (Div (Var {count}) (Pow (Cst 2) (Var 2))))" for count in (3, 4)]
    assert f"(Neg (Pow (Sub {' '.join(nodes)}) (Cst 2)))" in about


def test_every_count_is_under_one_node_of_a_height() -> None:
    text = statement(of_tree(["sensitivity", "addremove"], {}))
    sums = "(Add (Add (Cst 0) (Sum 3 (Var 1) (Var 1) (Cst 1))) (Sum 3 (Cst 1) (Var 1) (Cst 1)))"
    assert f"[(Eq, {sums}, (Cst 1))]" in text


def test_two_exchanged_counts_are_farthest_apart_at_the_root() -> None:
    text = statement(of_tree(["sensitivity", "replace"], {}))
    assert text.count("; From 0 false true") == 4
    assert "From 1 false true; From 0 false true; From 0 false true] [(Sub (Var 1) (Var 5)); " in text
    assert "); (Le, " in text
    beside = of_tree(["sensitivity", "replace"], {})
    other = {**beside["quantities"]["q"], "of": ["gram", "diagonal"]}
    with pytest.raises(Outside, match="beside"):
        statement({**beside, "quantities": {**beside["quantities"], "other": other}})


@pytest.mark.parametrize(
    "of", [["least squares", "pair"], ["least squares", "diagonal"], ["gram", "constant"], ["covariance", "ranges"]]
)
def test_a_quantity_that_is_not_covered_is_said(of: list[str]) -> None:
    with pytest.raises(Outside):
        statement(of_tree(of, {}))


def test_powers_are_listed_once_and_not_under_sums() -> None:
    tree = ["add", ["pow", 2, ["add", "x", "d"]], ["mul", ["pow", 2, "x"], ["pow", "x", 3]]]
    assert powers(tree, NAMES) == ["((Cst 2), 1%positive)", "((Cst 2), 2%positive)"]
    assert powers(["sum", "i", 0, ["pow", 2, "d"], ["pow", 3, "i"]], NAMES) == ["((Cst 2), 1%positive)"]


def test_a_sum_is_given_with_what_closes_it() -> None:
    summed = ["sum", "i", 1, "x", ["pow", 2, "i"]]
    closed = FORMULA | {"relations": [["eq", summed, ["sub", ["pow", 2, ["add", "x", 1]], 2]]]}
    form = ["mul", 2, ["pow", 2, "i"]]
    text = derivation(closed, {"values": {"x": "0"}, "steps": [{}], "sums": [[summed, form, form]]})
    closes = "(Mul (Cst 2) (Pow (Cst 2) (Var 2))) [((Cst 2), 2%positive)] (Step (Cst 1) [] [] None)"
    assert f"[Form {expression(summed, {'x': 1})} {closes}]" in text
    with pytest.raises(Outside, match="enclosed"):
        derivation(closed, {"values": {"x": "0"}, "steps": [{}], "sums": [[summed, form, 0]]})
