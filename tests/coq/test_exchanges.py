"""Evidence for ratios at all sizes, by a table: what is linear, which multiples show a sign, what is not covered."""

from fractions import Fraction
from typing import Any

import pytest

from coq.test_checker import CONSTANT
from dp_coq.evidence import derivation
from dp_coq.exchanges import linear, multipliers
from dp_coq.expressions import Outside

STATEMENT: Any = CONSTANT["statement"]
EVIDENCE: Any = CONSTANT["evidence"]


@pytest.mark.parametrize(
    ("tree", "form"),
    [
        (3, {"": 3}),
        (["sub", ["mul", 2, "m"], "m"], {"m": 1}),
        (["add", ["neg", "K"], 1], {"K": -1, "": 1}),
    ],
)
def test_a_linear_tree_has_these_coefficients(tree: Any, form: Any) -> None:
    assert {name: x for name, x in linear(tree).items() if x} == form


def test_what_is_not_linear_is_said() -> None:
    with pytest.raises(Outside, match="linear"):
        linear(["mul", "K", "m"])


def form(**coefficients: int) -> dict[str, Fraction]:
    return {name: Fraction(x) for name, x in coefficients.items()}


def test_a_sign_is_shown_by_multiples_of_what_is_stated() -> None:
    stated = [form(a=-1, m=1), form(b=-1, m=1)]
    assert multipliers(form(m=2, a=-1, b=-1), stated) == {0: 1, 1: 1}
    assert multipliers(form(m=1, a=-1, b=-1), stated) is None


def test_the_evidence_of_a_smallest_constant_names_who_reaches_it() -> None:
    text = derivation(STATEMENT, EVIDENCE)
    assert text.startswith("(Compared (RatioProof [")
    assert "(Rated 7 (Cst 1) (Vector (Some 1%nat) None (Some 1%nat) (Some 0%nat) None None))" in text
    assert "(Leaf (Vector (Cst 1) (Cst 0) (Cst 1) (Cst 0) (Sub (Var 3) (Cst 1)) (Cst 0)) [" in text


@pytest.mark.parametrize(
    "changed",
    [
        {"constant": ["pow", "t", 1]},
        {"constant": ["pow", "t", 3]},
        {"constant": ["add", "t", 1]},
        {"where": [-1]},
        {"law": {**STATEMENT["law"], "term": ["push", "multiset", ["each", "held", ["row", {"sen": {"own": 1}}]]]}},
    ],
)
def test_a_ratio_without_evidence_is_said(changed: Any) -> None:
    with pytest.raises(Outside):
        derivation({**STATEMENT, **changed}, EVIDENCE)
