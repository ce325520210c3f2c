"""Laws, moments and errors in Coq, by a table: what is written, what is not covered, which data sets are evidence."""

from fractions import Fraction
from typing import Any

import pytest

from dp_coq.data_sets import of_sizes, of_some_user
from dp_coq.evidence import counterexample, derivation
from dp_coq.expressions import Outside
from dp_coq.laws import names_of, sizes, term
from dp_coq.statements import statement

ROW = ["row", {"sen": {"own": "w", "other": 1}, "non": {"own": 0}}]
LAW = {"base": "w", "mechanism": "one", "parameters": ["p"], "power": 1, "term": ["push", "one", ["drawn", ROW]]}
ALONE = {**LAW, "term": ["row", {"sen": {"own": "w", "other": 1}}]}
NAMES = {"K": 1, "N": 2, "m": 3, "n": 4, "f": 5, "g": 6, "w": 7, "p": 8, "c": 9}
UNBIASED = {
    "type": "unbiased",
    "law": LAW,
    "item": "sensitive",
    "sizes": "exactm",
    "estimator": {"slope": "w", "offset": 1},
    "where": [["sub", 1, "m"]],
}
MSE = UNBIASED | {"type": "mse", "data": "fixed", "formula": "f", "where": []}
TEXT = "(Row [(Sen, [(Own, (Var 7)); (Other, (Cst 1))]); (Non, [(Own, (Cst 0))])])"
MECHANISM = (
    "(Mechanism (Domain [From 1 false true; From 0 false true; From 1 false true; From 1 false true; "
    "From 0 false false; From 0 false false; From 1 true false; Unit false] {constraints}) "
    f"(Push Blanked (Drawn {TEXT})) true (Cst 1) (Var 7))"
)


def test_a_law_has_these_names() -> None:
    assert names_of({**LAW, "integers": {"c": 0}}) == NAMES


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (["each", "held", ROW], f"(EachHeld {TEXT})"),
        (["each", "items", ["row", {"sen1": {"1": 1}}]], "(EachItems [(Sen1, [(Bit1, (Cst 1))])])"),
        (["pair", ROW, ["copies", "c", ["row", {"*": {"any": 1}}]]], None),
        (["push", "multiset", ["each", "held", ROW]], f"(Push Multiset (EachHeld {TEXT}))"),
        (["push", "bits", ["drawn", ROW]], f"(Push Blanked (Drawn {TEXT}))"),
    ],
)
def test_a_term_is_this_law(tree: Any, text: str | None) -> None:
    beside = f"(Pair {TEXT} (Copies (Var 9) (Row [(Every, [(Any, (Cst 1))])])))"
    assert term(tree, NAMES) == (text or beside)


@pytest.mark.parametrize(
    "tree",
    [
        ["push", "emit", ["hashed", "ideal", ["interval", 1, 1]]],
        ["push", "whole", ["each", "items", ROW]],
        ["each", "held", ["row", {"non": {"pad": 1}}]],
        ["subset", 1, 1, 1],
    ],
)
def test_a_law_that_is_not_covered_is_said(tree: Any) -> None:
    with pytest.raises(Outside):
        term(tree, NAMES)


def test_a_law_of_sensitive_items_has_no_others() -> None:
    assert sizes(ALONE, []).endswith("[(Neg (Var 2)); (Sub (Cst 1) (Var 3))])")
    assert sizes({**ALONE, "parameters": [], "integers": {"c": 2}}, []).count("From 2 false true") == 1


def test_a_moment_is_this_statement() -> None:
    stated = MECHANISM.format(constraints="[(Sub (Cst 1) (Var 3))]")
    assert statement(UNBIASED) == f"(Moments (Moment Mean {stated} (Var 5)))"
    variance = UNBIASED | {"type": "variance", "data": "fixed", "formula": "n", "where": []}
    assert statement(variance) == f"(Moments (Moment Variance {MECHANISM.format(constraints='[]')} (Var 4)))"
    assert "Moment Error" in statement(MSE)


@pytest.mark.parametrize(
    "changed",
    [
        {"data": "iid"},
        {"sizes": "atmost"},
        {"estimator": {"slope": 1, "offset": 0, "per_invertible": 1}},
        {"law": {**LAW, "families": {"hash": 1}}},
        {"law": ALONE, "item": "nonsensitive"},
        {"law": {**LAW, "term": ROW}, "item": "nonsensitive"},
        {"law": {**LAW, "holes": []}},
        {"formula": "kappa1"},
        {"estimator": {"slope": 1, "offset": "f"}},
        {"estimator": {"slope": "n", "offset": 0}},
        {"law": {**LAW, "term": ["row", {"sen": {"own": "g"}}]}},
        {"law": {**LAW, "term": ["push", "multiset", ["drawn", ROW]]}},
        {"law": {**LAW, "term": ["push", "multiset", ["each", "held", ["row", {"sen": {"own": 1, "1": 1}}]]]}},
        {"holes": []},
    ],
)
def test_a_moment_that_is_not_covered_is_said(changed: Any) -> None:
    with pytest.raises(Outside):
        statement(MSE | changed)


FREE = {"min": 0, "strict": False, "integer": False, "unit": False}
FORMULA: Any = {
    "type": "formula",
    "domain": {"variables": {"f": FREE, "t": FREE | {"min": 1}}, "constraints": []},
    "values": {"v": {"error": MSE, "root": ["add", "t", 1], "at": {"m": 1, "n": 2}}},
    "of_data": False,
    "budget": "t",
    "relations": [["le", "v", "f"]],
}


def test_a_formula_names_this_error() -> None:
    places = (
        "[(3%positive, (Cst 1)); (4%positive, (Cst 2)); (5%positive, (Var 1)); (7%positive, (Add (Var 2) (Cst 1)))]"
    )
    error = f"(ErrorOf [{MECHANISM.format(constraints='[]')}] false {places})"
    power = "(Pow (Add (Var 2) (Cst 1)) (Cst 1))"
    spent = f"[(Sub {power} (Var 2)); (Sub (Var 2) {power})]"
    over = f"(Domain [From 0 false false; From 1 false false; From 0 false false] {spent})"
    relations = "[(Le, (Var 3), (Var 1))]"
    assert statement(FORMULA) == f"(Errors (ErrorFormula [(3%positive, {error})] (Formula {over} {relations})))"


def test_an_error_of_all_items_has_no_share_of_one() -> None:
    both = {"sensitive": MSE, "nonsensitive": MSE | {"item": "nonsensitive"}}
    summed = FORMULA | {"values": {"v": {**FORMULA["values"]["v"], "error": both}}}
    assert "] true [(3%positive, (Cst 1)); (4%positive, (Cst 2)); (7%positive" in statement(summed)


VALUE: Any = FORMULA["values"]["v"]


@pytest.mark.parametrize(
    "changed",
    [
        {"type": "bounded", "fixed": [], "grows": ["n"], "relations": [["v", 1]]},
        {"of_data": True},
        {"values": {"v": {**VALUE, "at": {"w": 2}}}},
        {"values": {"v": {**VALUE, "error": MSE | {"where": [["sub", 1, "m"]]}}}},
        {"values": {"v": {**VALUE, "error": {"sensitive": MSE}, "at": {"f": 0}}}},
    ],
)
def test_errors_that_are_not_covered_are_said(changed: Any) -> None:
    with pytest.raises(Outside):
        statement(FORMULA | changed)


def test_evidence_has_a_data_set() -> None:
    values = "(1 # 1)%Q; (0 # 1)%Q; (1 # 1)%Q; (1 # 1)%Q; (1 # 1)%Q; (0 # 1)%Q; (2 # 1)%Q; (1 # 2)%Q"
    one = f"(Witness [{values}] ([(1, [0])])%N 0%N)"
    assert of_some_user(UNBIASED) == one
    assert derivation(UNBIASED, {}) == f"(Computed {one} [] [] [(Step (Cst 1) [] [] None)])"
    evidence = {"instance": {"K": 2, "N": 1, "m": 1, "w": "3", "p": "1/3"}, "users": [[1], [2]], "item": 1}
    at = "[(2 # 1)%Q; (1 # 1)%Q; (1 # 1)%Q; (2 # 1)%Q; (1 # 2)%Q; (1 # 2)%Q; (3 # 1)%Q; (1 # 3)%Q]"
    assert counterexample(UNBIASED, evidence) == f"(FailsFor (Witness {at} ([(1, [1]); (1, [2])])%N 1%N))"
    with pytest.raises(Outside):
        counterexample(UNBIASED, {**evidence, "hashes": [1]})


def test_a_formula_has_errors_at_its_point() -> None:
    evidence = {"values": {"f": "1/2", "t": "1"}, "steps": [{}]}
    users = "([(1, [0]); (1, [1])])%N 0%N"
    text = derivation(FORMULA, evidence)
    assert text.startswith("(Replaced [(1 # 2)%Q; (1 # 1)%Q; (1 # 2)%Q] [([(Var 5)], (Witness [(2 # 1)%Q; (2 # 1)%Q; ")
    assert users in text
    assert text.endswith("[Step (Cst 1) [] [] None])")
    refuted = counterexample(FORMULA, {"values": evidence["values"], "relation": 0})
    assert refuted.startswith("(FailsAt ")
    assert refuted.endswith(" 0%nat)")


@pytest.mark.parametrize("item", ["sensitive", "nonsensitive", None])
def test_users_have_the_sizes_and_frequencies(item: str | None) -> None:
    at = {"K": 3, "N": 4, "m": 3, "n": 10, "f": Fraction(3, 10), "g": Fraction(17, 10)}
    groups, x = of_sizes(at, item)
    assert sum(number for number, _ in groups) == 10
    assert all(len({*held}) == 3 and {*held} <= {*range(7)} for _, held in groups)
    assert sum(number * sum(y >= 3 for y in held) for number, held in groups) == 17
    if item is not None:
        assert (x >= 3) == (item == "nonsensitive")
        assert sum(number for number, held in groups if x in held) == 3
