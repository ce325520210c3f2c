"""Formulas and bounds in which powers of e occur: what is written in Coq, what is not covered, and what is refused."""

import shutil
from typing import Any

import pytest

from dp_coq.compiler import Compiler
from dp_coq.evidence import derivation
from dp_coq.expressions import Outside
from dp_coq.parts import Part
from dp_coq.statements import statement
from dp_coq.theorems import decided, goal

INSTALLED = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")
REAL = {"min": 0, "strict": True, "integer": False, "unit": False}
E_X = ["exp", "x"]


def formula(relations: Any, constraints: Any = (), **variables: Any) -> dict[str, Any]:
    """A formula for all x > 0, or for other variables."""
    domain = {"variables": variables or {"x": REAL}, "constraints": [*constraints]}
    return {"type": "formula", "domain": domain, "values": {}, "of_data": False, "relations": relations}


def bound(left: Any, right: Any, fixed: Any, constraints: Any = (), grows: Any = ()) -> dict[str, Any]:
    """A bound for all x > 0."""
    about = formula([[left, right]], constraints)
    return {**about, "type": "bounded", "fixed": fixed, "grows": [*grows]}


ABOUT = "(Domain [From 0 true false; From 0 false false] [])"
POWER = "[(2%positive, (Var 1))]"


def test_a_power_of_e_is_a_name() -> None:
    text = f"(PowersOfE (Exponentials {POWER} (ErrorFormula [] (Formula {ABOUT} [(Lt, (Cst 1), (Var 2))])) None))"
    assert statement(formula([["lt", 1, E_X]])) == text


def test_a_bound_says_what_its_constant_may_depend_on() -> None:
    formula_in_coq = f"(Formula {ABOUT} [(Le, (Var 2), (Cst 1))])"
    text = f"(PowersOfE (Exponentials {POWER} (ErrorFormula [] {formula_in_coq}) (Some [1%positive])))"
    assert statement(bound(E_X, 1, ["x"])) == text


def test_powers_that_are_written_alike_have_one_name() -> None:
    said = statement(formula([["lt", E_X, ["mul", ["exp", ["mul", 2, "x"]], E_X]]]))
    assert "[(2%positive, (Var 1)); (3%positive, (Mul (Cst 2) (Var 1)))]" in said
    assert "(Lt, (Var 2), (Mul (Var 3) (Var 2)))" in said


@pytest.mark.parametrize(
    "said",
    [
        formula([["lt", 1, ["exp", E_X]]]),
        formula([["lt", 1, ["sum", "x", 1, 3, E_X]]]),
        formula([["lt", 1, E_X]], [["sub", E_X, 2]]),
        formula([["lt", 1, ["exp", "y"]]]),
        formula([["lt", "[e 0]", E_X]], **{"[e 0]": REAL, "x": REAL}),
        {**formula([["lt", 1, E_X]]), "budget": E_X},
        {**formula([["lt", 1, E_X]]), "quantities": {"q": {}}},
        {**formula([["lt", 1, E_X]]), "where": []},
        {**formula([["lt", 1, E_X]]), "of_data": True},
    ],
)
def test_what_is_not_covered_is_said(said: Any) -> None:
    with pytest.raises(Outside):
        statement(said)


@pytest.mark.parametrize("tree", [["exp", "x", "x"], ["exp", True], ["exp"]])
def test_what_is_no_power_is_an_error(tree: Any) -> None:
    with pytest.raises(TypeError):
        statement(formula([["lt", ["exp", 1], tree]]))


def test_boxes_are_not_covered() -> None:
    with pytest.raises(Outside, match="boxes"):
        derivation(formula([["lt", 1, E_X]]), {"values": {"x": "1"}, "cover": []})


UP_TO_1 = [["sub", 1, "x"]]
HALF_SQUARE = ["add", ["add", 1, "x"], ["div", ["mul", "x", "x"], 2]]
TRUE = [
    formula([["lt", 1, E_X]]),
    formula([["lt", HALF_SQUARE, E_X]], UP_TO_1),
    formula([["lt", E_X, ["add", HALF_SQUARE, ["div", ["mul", "x", "x"], 4]]]], UP_TO_1),
    bound(["sub", E_X, 1], "x", [], UP_TO_1),
    bound("x", ["sub", E_X, 1], [], UP_TO_1),
]
FALSE = [
    formula([["lt", E_X, 1]]),
    formula([["lt", 2, E_X]]),
    formula([["eq", E_X, HALF_SQUARE]], UP_TO_1),
    formula([["lt", E_X, HALF_SQUARE]], UP_TO_1),
    formula([["lt", ["add", HALF_SQUARE, ["div", ["mul", "x", "x"], 4]], E_X]], UP_TO_1),
    formula([["lt", 1, E_X]], x={**REAL, "strict": False}),
    formula([["lt", 1, ["exp", ["neg", "x"]]]]),
    formula([["lt", 1, E_X]], [["sub", 0, 1]]),
    formula([["le", ["exp", ["div", 1, "x"]], ["exp", ["div", 1, "x"]]]], x={**REAL, "strict": False}),
    bound(["sub", E_X, 1], "x", []),
    bound(["sub", E_X, 1], ["mul", "x", "x"], [], UP_TO_1),
    bound(E_X, 1, []),
    bound(["mul", E_X, -1], 1, [], UP_TO_1) | {"fixed": [], "relations": [[1, ["mul", -1, E_X]]]},
]
"""At x = 0, for large x, where the domain is empty, where an exponent is undefined, or for no constant."""


def asked(said: Any, constant: Any = 2) -> Any:
    """What Coq is asked about a statement: a point, an empty step, and 2 as the constant."""
    evidence = {"values": {"x": "1"}, "steps": [{}]} | ({"constants": [constant]} if said["type"] == "bounded" else {})
    return goal("a claim", Part((), said, "proved", evidence))


@pytest.mark.campaign
@INSTALLED
def test_what_is_true_of_powers_is_proved_and_what_is_false_is_not(tmp_path: Any) -> None:
    compiler = Compiler.of(tmp_path)
    compiler.compile_theory()
    assert decided(compiler, [asked(said) for said in TRUE])[0] == [True] * len(TRUE)
    constants = (0, -1, 2, "x", ["mul", 3, "x"])
    every = [asked(said, constant) for said in FALSE for constant in constants]
    assert decided(compiler, every)[0] == [False] * len(every)
