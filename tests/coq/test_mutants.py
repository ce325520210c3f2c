"""Certificates that a brute force finds wrong are refused by both checkers, and the brute force finds some."""

import shutil
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from coq.mutants import LATE, NONE, answered, asked, falsehood, kernel_accepts, mutants
from coq.test_checker import SUM, certificates
from dp_coq.compiler import Compiler
from dp_coq.parts import Part, parts
from dp_coq.theorems import goal

TRUE: Any = SUM


def a_part(relations: Any) -> Part:
    (part,) = parts({**TRUE["statement"], "relations": relations}, "proved", TRUE["evidence"])
    return part


def test_values_at_points_show_what_is_wrong() -> None:
    choose = Random(0).randrange
    assert falsehood(a_part([["le", "x", 3]]), choose).startswith("it does not hold at")
    assert falsehood(a_part(TRUE["statement"]["relations"]), choose) == ""


def test_the_kernel_refuses_what_is_wrong() -> None:
    wrong = list(islice(mutants(certificates(), Random(0)), 60))
    assert len({each.change for each in wrong}) >= 5
    assert [each.why for each in wrong if kernel_accepts(each.part)] == []
    assert kernel_accepts(a_part(TRUE["statement"]["relations"]))


@pytest.mark.campaign
@pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")
def test_coq_refuses_what_is_wrong(tmp_path: Path) -> None:
    compiler = Compiler.of(tmp_path)
    compiler.compile_theory()
    wrong = [each.goal for each in islice(mutants(certificates(), Random(1)), 60)]
    right = goal("sum", a_part(TRUE["statement"]["relations"]))
    assert answered(compiler, [right]) == ["true"]
    assert {*answered(compiler, wrong)} <= {"false", LATE, NONE}
    assert asked([right]).count("timeout") == 1
