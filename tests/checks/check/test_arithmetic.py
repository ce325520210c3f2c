"""Sentences without a law: what is verified, what is refuted, and what is neither: it has no meaning somewhere."""

from typing import Any

import pytest

from dp_checks.check import decide
from dp_checks.check.arithmetic import HIGHEST
from dp_spec.vocabulary.arithmetic import Arithmetic, Tree, every, less
from dp_spec.vocabulary.ranges import SEVERAL, SOME
from dp_spec.vocabulary.statement import Domain, Range

N, POSITIVE = "n", Range(strict=True)
BELOW = ["from", 0, N]

CASES: dict[str, tuple[dict[str, Range], Tree, str, Any]] = {
    "true": ({"n": SOME}, every(less("x", N), x=BELOW), "verified", None),
    "true for all t": ({"n": SOME, "t": POSITIVE}, ["le", 0, ["mul", N, "t"]], "verified", None),
    "without variables": ({}, ["eq", ["log", 8], ["mul", 3, ["log", 2]]], "verified", None),
    "false at a later point": ({"n": SOME}, ["le", N, 3], "refuted", {"n": 4}),
    "false in a case": ({"n": SEVERAL}, every(["eq", "x", 0], x=BELOW), "refuted", {"n": 2}),
    "false at some t": ({"t": POSITIVE}, ["le", 1, "t"], "refuted", {"t": "1/2"}),
    "neither, as t is irrational where it is false": (
        {"t": POSITIVE},
        ["not", ["eq", ["mul", "t", "t"], 3]],
        "unchecked",
        None,
    ),
    "without a value at n = 2": ({"n": SOME}, ["le", ["div", 1, ["sub", N, 2]], 1], "unchecked", None),
    "without a logarithm at n = 3": ({"n": SOME}, ["le", ["log", ["min", ["sub", 3, N], 1]], 0], "unchecked", None),
    "false only beyond what is tried": ({"n": SOME}, ["le", N, HIGHEST + 1], "verified", None),
}


@pytest.mark.parametrize("case", CASES)
def test_a_sentence_is_decided(case: str) -> None:
    variables, sentence, verdict, point = CASES[case]
    outcome = decide(Arithmetic(Domain(variables), sentence))
    assert outcome.verdict == verdict
    if point is not None:
        assert outcome.evidence.data["instance"] == point
