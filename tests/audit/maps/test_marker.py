"""The marker `declares`, in a pytest run of its own: what passes, what fails and how."""

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

SUITE = """
    import unittest

    import pytest

    AGES = {"of": "i32", "sizes": [0, 3], "near": [0, 100]}

    def total(rows):
        return sum(min(max(age, 0), 100) for age in rows)

    @pytest.mark.declares(100, d_in="change-one", d_out="absolute", search=AGES, limit=60)
    @pytest.mark.declares(lambda distance: 100 * distance, d_in="symmetric", d_out="absolute", members=[(), (7,)])
    def test_right():
        return total

    @pytest.mark.declares(60, d_in="change-one", d_out="absolute", search=AGES, limit=60)
    def test_wrong():
        return total

    @pytest.mark.declares(60, d_in="change-one", d_out="absolute", members=[(0,), (70,)], exhaustive=True)
    @pytest.mark.declares(100, d_in="change-one", d_out="absolute", members=[(0,), (70,)], exhaustive=True)
    def test_one_of_two():
        return total

    @pytest.mark.declares(1, d_in="changed", d_out="absolute", members=[(0,)])
    def test_metric():
        return total

    @pytest.mark.declares(1, d_in="change-one", d_out="absolute", member=[(0,)])
    def test_option():
        return total

    @pytest.mark.declares(1, d_in="change-one", d_out="absolute")
    def test_nothing_named():
        return total

    @pytest.mark.declares(1, d_in="change-one", d_out="absolute", members=[(0,), (70,)])
    def test_returns_nothing():
        pass

    @pytest.mark.declares(d_in="change-one", d_out="absolute", members=[(0,), (70,)])
    def test_no_number():
        return total

    @pytest.mark.conforms_to("GRR", d=3, epsilon=1.0)
    @pytest.mark.declares(1, d_in="change-one", d_out="absolute", members=[(0,), (70,)])
    def test_two_kinds():
        return total

    class TestOld(unittest.TestCase):
        @pytest.mark.declares(1, d_in="change-one", d_out="absolute", members=[(0,), (70,)])
        def test_unittest(self):
            return total
"""
WORDS = {
    "test_wrong": "and at most 60 is declared",
    "test_one_of_two": "and at most 60 is declared",
    "test_metric": "d_in 'changed' is not known",
    "test_option": "of members, search",
    "test_nothing_named": "it lacks members or search",
    "test_returns_nothing": "returns the function of a member",
    "test_no_number": "give one number per unit of distance",
    "test_two_kinds": "use two tests",
    "test_unittest": "use a test function",
}


def test_a_declared_number_is_a_test(tmp_path: Path) -> None:
    (tmp_path / "test_suite.py").write_text(textwrap.dedent(SUITE))
    plugins = ("-p", "dp_audit.pytest_plugin", "-p", "no:cacheprovider")
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "COV"))}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *plugins, "--dp-json", "audits.json", "-v", "-ra", "--strict-markers", "."],
        cwd=tmp_path,
        env=clean | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    _, *parts = re.split(r"_{3,} (?:ERROR at setup of TestOld\.)?(\w+) _{3,}\n", done.stdout)
    failed = dict(zip(parts[::2], parts[1::2], strict=True))
    assert failed.keys() == WORDS.keys(), done.stdout
    assert [name for name, words in WORDS.items() if words not in failed[name]] == [], done.stdout
    audits = json.loads((tmp_path / "audits.json").read_text())["audits"]
    assert {audit["mechanism"] for audit in audits} == {"total"}
    assert sorted(audit["verdict"] for audit in audits) == ["conforms", "consistent", "consistent", "fault", "fault"]
