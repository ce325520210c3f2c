"""`dp-refimpl amplify`: documents, journal, errors in one line, certificates where only the kernel is."""

import json
import os
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

import dp_checks
from cases.commands import bad_command_test
from dp_command import main
from dp_studies.comparisons.amplification import grid
from dp_studies.comparisons.amplification.document import SCHEMA

PACKAGES = Path(dp_checks.__file__).parents[1]
SMALL = ("--k", "3", "--n", "10")
ASKED = {
    "epsilon": (*SMALL, "--epsilon0", "ln(5)/2", "--delta", "1e-3"),
    "delta": (*SMALL, "--epsilon0", "1", "--epsilon", "0.3"),
    "epsilon0": (*SMALL, "--epsilon", "1/2", "--delta", "1/100"),
    "dummies": (*SMALL, "--epsilon0", "1", "--epsilon", "1/4", "--delta", "1/100"),
    "dump": ("--mechanism", "dump", *SMALL, "--epsilon", "1", "--delta", "1/100"),
    "ldp": ("--mechanism", "ldp", "--n", "10", "--n", "20", "--epsilon0", "1", "--delta", "1e-3"),
    "olh": ("--mechanism", "olh", *SMALL, "--dummies", "4", "--epsilon0", "1", "--delta", "1e-3"),
}


def run(out: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["amplify", "--out", str(out), *arguments])


def document(done: Result) -> Any:
    report = json.loads(done.stdout)
    jsonschema.validate(report, SCHEMA)
    return report


@pytest.mark.parametrize("name", ASKED)
def test_documents_text_and_certificates(name: str, tmp_path: Path) -> None:
    done = run(tmp_path, *ASKED[name], "--json")
    assert done.exit_code == 0, done.output
    report = document(done)
    rows = report["rows"]
    asked = {"ldp": "epsilon", "olh": "epsilon", "dump": "dummies"}.get(name, name)
    assert {row["asked"] for row in rows} == {asked}
    named = [row[side]["certificate"] for row in rows for side in ("lower", "upper")]
    files = [str(tmp_path / "certificates" / f"{one}.json") for one in named if one]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    command = [sys.executable, "-S", "-s", "-B", "-m", "dp_kernel", *files]
    kernel = subprocess.run(command, cwd=PACKAGES, env=environment, capture_output=True, text=True, check=False)
    assert kernel.returncode == 0, kernel.stdout
    assert kernel.stdout.count("accepted") == len(files) > 0
    text = run(tmp_path, *ASKED[name]).output
    for row in rows:
        assert row["lower"]["value"] in text
        assert row["upper"]["value"] in text
    assert ("lies in" in text) is (len(rows) == 1)


def test_a_table_has_every_row_in_its_order(tmp_path: Path) -> None:
    done = run(tmp_path, "--k", "3", "--k", "2", "--n", "5", "--n", "9", "--epsilon0", "1", "--delta", "1/50", "--json")
    rows = document(done)["rows"]
    assert [(row["labels"], row["users"]) for row in rows] == [(3, 5), (3, 9), (2, 5), (2, 9)]


def test_more_digits_than_doubles_have_are_as_near(tmp_path: Path) -> None:
    few, many = (
        document(run(tmp_path, *SMALL, "--epsilon0", "1", "--delta", "1e-3", "--digits", digits, "--json"))["rows"][0]
        for digits in ("8", "25")
    )
    for side in ("lower", "upper"):
        one, other = (Decimal(row[side]["value"]) for row in (few, many))
        assert len(str(other)) > 25
        assert abs(one / other - 1) < Decimal("1e-6")


@pytest.mark.slow
def test_the_picture_of_one_answer_is_a_curve(tmp_path: Path) -> None:
    plot = ("--plot", str(tmp_path / "curve.svg"))
    done = run(tmp_path, *SMALL, "--epsilon0", "1", "--delta", "1e-3", *plot, "--json")
    assert len(document(done)["curve"]) > 10


def test_what_is_not_reached_is_a_refused_row(tmp_path: Path) -> None:
    arguments = ("--mechanism", "dump", *SMALL, "--dummies", "1", "--dummies", "400", "--delta", "1e-3")
    done = run(tmp_path, *arguments, "--json")
    assert done.exit_code == 3
    few, many = document(done)["rows"]
    assert "refused" not in many
    assert "add dummies" in few["refused"]
    assert "no answer: " in run(tmp_path, *arguments).output


APART: dict[str, tuple[tuple[str, ...], str]] = {
    "little work": (
        ("--k", "3", "--n", "100000000", "--epsilon0", "1", "--delta", "1e-3", "--work", "100000"),
        "--work",
    ),
    "few users": (("--k", "3", "--n", "100", "--epsilon0", "4", "--delta", "1e-2"), "no data set is known"),
    "any randomizer": (("--mechanism", "ldp", "--n", "100", "--epsilon0", "1", "--delta", "1e-3"), "worst randomizer"),
    "practically 0": (("--k", "64", "--n", "1000000", "--epsilon0", "1", "--epsilon", "0.5"), "not told from 0"),
}


@pytest.mark.campaign
@pytest.mark.parametrize("name", APART)
def test_ends_that_are_apart_are_said_to_be_first(name: str, tmp_path: Path) -> None:
    arguments, why = APART[name]
    (row,) = document(run(tmp_path, *arguments, "--json"))["rows"]
    lower, upper = (Fraction(row[side]["value"]) for side in ("lower", "upper"))
    assert upper > lower * Fraction(101, 100)
    assert why in row["apart"]["why"]
    assert (row["apart"]["percent"] is None) is (lower == 0)
    first, *_ = run(tmp_path, *arguments).output.splitlines()
    assert row["apart"]["why"] in first
    assert ("far apart" if lower == 0 else f"{row['apart']['percent']} percent apart") in first


def test_a_table_says_first_that_ends_are_apart(tmp_path: Path) -> None:
    first, *lines = run(tmp_path, "--k", "2", *APART["few users"][0]).output.splitlines()
    assert "1 of 2 answers are more than 1 percent apart" in first
    assert any(" % " in line for line in lines)


def test_more_work_than_usual_is_announced(tmp_path: Path) -> None:
    done = run(tmp_path, "--k", "2", "--n", "900", "--epsilon0", "1", "--delta", "1e-3", "--work", "99000000")
    assert done.exit_code == 0
    assert "units of work" in done.stderr


def test_an_interrupted_table_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("--k", "3", "--n", "5", "--n", "6", "--n", "7", "--epsilon0", "1", "--delta", "1/50", "--json")
    real, asked = grid._answered, list[int]()

    def interrupted(question: Any) -> Any:
        asked.append(question.setting.users)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return real(question)

    monkeypatch.setattr(grid, "_answered", interrupted)
    done = run(tmp_path, *arguments)
    assert done.exit_code == 130
    assert "run the same command again" in done.stderr
    again = run(tmp_path, *arguments)
    assert again.exit_code == 0
    assert asked == [5, 6, 6, 7]
    assert document(again) == document(run(tmp_path / "anew", *arguments)) | {
        "certificates": str(tmp_path / "certificates")
    }


LONG = "9" * 400
ASKING = "--k 3 --n 10 --epsilon0 1 --delta 1e-3"
BAD = [
    ("", "--n"),
    ("--n 5", "two or all of --epsilon0, --epsilon and --delta"),
    ("--k 3 --n 10 --delta 1e-3", "two or all of"),
    ("--n 5 --epsilon0 1 --delta 1e-3", "--labels"),
    ("--n 0 --k 3 --epsilon0 1 --delta 1e-3", "--users = 0"),
    ("--n -1 --k 3 --epsilon0 1 --delta 1e-3", "--users = -1"),
    (f"--n {LONG} --k 3 --epsilon0 1 --delta 1e-3", "--users = "),
    ("--n x --k 3 --epsilon0 1 --delta 1e-3", "--n"),
    ("--n 5 --k 1 --epsilon0 1 --delta 1e-3", "--labels = 1"),
    (f"{ASKING} --dummies -1", "--dummies = -1"),
    *(
        (f"--k 3 --n 10 --epsilon0 1 --delta '{bad}'", "--delta = ")
        for bad in ("0", "1", "2", "-1", "nan", "inf", "", "x", "1/0", "1e-400", "1e-151", "1_0e-3", "0.٣", LONG)
    ),
    *(
        (f"--k 3 --n 10 --delta 1e-3 --epsilon0 '{bad}'", "--epsilon0 = ")
        for bad in ("0", "-1", "nan", "inf", "", "x", "1/0", "ln(1)", "1e-300", "65", "1000000", "1e9", "ln(0)")
    ),
    *(
        (f"--k 3 --n 10 --epsilon0 1 --epsilon '{bad}'", "--epsilon = ")
        for bad in ("-1", "nan", "inf", "", "x", "1/0", "ln(2)", "1e-300", "65", "1e9")
    ),
    (f"{ASKING} --k 3", "every value once"),
    (f"--mechanism ldp {ASKING}", "--labels = [3]"),
    ("--mechanism ldp --n 9 --dummies 3 --epsilon0 1 --delta 1e-3", "--dummies = 3"),
    ("--mechanism ldp --n 9 --epsilon0 1 --epsilon 0.1 --delta 1e-3", "--mechanism = 'ldp': allowed is another one"),
    ("--mechanism dump --k 3 --n 10 --delta 1e-3", "--dummies = None"),
    (f"--mechanism dump --dummies 3 {ASKING}", "--epsilon0 = '1'"),
    (f"--mechanism kr {ASKING}", "did you mean krr"),
    (f"{ASKING} --dummies 3 --epsilon 1", "--dummies = [3]"),
    (f"{ASKING} --plot x.pdf", "--plot = 'x.pdf'"),
    (f"{ASKING} --digits 31", "--digits"),
    (f"{ASKING} --work 0", "--work"),
    (f"{ASKING} --jobs 0", "--jobs"),
]
test_bad_input_is_one_line = bad_command_test("amplify --out made", BAD)


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (file := tmp_path / "file").write_text("")
    done = run(file / "below", *ASKED["delta"])
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1


@pytest.mark.campaign
def test_extremes_are_answered_or_refused(tmp_path: Path) -> None:
    for arguments in (
        ("--n", "1", "--k", "2", "--epsilon0", "64", "--delta", "1e-6"),
        ("--n", "10", "--k", "10000000000000", "--epsilon0", "30", "--delta", "1e-6"),
        ("--n", "10", "--k", "3", "--epsilon0", "1e-9", "--delta", "1e-13"),
        ("--n", "10", "--k", "3", "--epsilon0", "1", "--epsilon", "64"),
        ("--n", "10", "--k", "3", "--epsilon0", "1", "--delta", "1e-150"),
        ("--mechanism", "dump", "--n", "10", "--k", "3", "--dummies", "1", "--delta", "1e-6"),
        ("--n", "10000000000000", "--k", "3", "--epsilon0", "1", "--delta", "1e-6"),
    ):
        done = run(tmp_path, *arguments, "--json")
        assert done.exit_code in (0, 3), done.output
        document(done)
