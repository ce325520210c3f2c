"""Bad input ends in one line and the right exit code, and shows no traceback."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from first_contact.bad_inputs import Case, cases, files
from first_contact.driver import run

CASES = list(cases())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place, before = tmp_path_factory.mktemp("bad"), Path.cwd()
    files(place)
    os.chdir(place)
    yield place
    os.chdir(before)


def complaint(case: Case, answer: dict[str, object]) -> str:
    """What is wrong with how a case ended; "" if nothing is."""
    arguments, code, words = case
    lines = str(answer["said"]).strip().splitlines()
    if answer["leaked"] or "Traceback" in str(answer["said"]):
        return f"{arguments}: {answer['leaked']}"
    if answer["code"] != code or len(lines) != 1 or words not in lines[0]:
        return f"{arguments}: exit {answer['code']} for {code}, {words!r} expected in {lines}"
    return ""


def test_there_are_enough_cases_and_all_differ() -> None:
    assert len({arguments for arguments, _, _ in CASES}) == len(CASES) >= 150


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(case[0])[:80] or "nothing")
def test_bad_input_ends_in_one_line(case: Case, folder: Path) -> None:
    assert complaint(case, run(list(case[0]))) == ""
