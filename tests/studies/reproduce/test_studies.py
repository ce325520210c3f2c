"""Every reproduction at a small size: same seed same bytes, nothing lost by an interruption, bad plans refused."""

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import filelock
import jsonschema
import pytest
from click.testing import CliRunner

from cases.commands import bad_command_test
from cases.refusals import refusal_test, refuses
from dp_checks.certify import DirectoryInUseError
from dp_checks.runtime.parallel import Workers
from dp_command import main
from dp_refimpl.fast.array_counts import ROUNDING
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.reproduce import study as studies
from dp_studies.reproduce.pictures import pictures
from dp_studies.reproduce.study import Family, Study
from studies.reproduce.cases import CASES, Case, bad_plans, interrupted, spoiled

Documents = Callable[[str], dict[str, Any]]
Folders = Callable[[str], Path]
SOME = [pytest.param(source, marks=pytest.mark.slow) if source in ("000", "003", "004") else source for source in CASES]


@pytest.fixture
def case(source: str) -> Case:
    return CASES[source]


@pytest.fixture
def document(source: str, document_of: Documents) -> dict[str, Any]:
    return deepcopy(document_of(source))


@pytest.mark.parametrize("source", SOME)
def test_the_document(case: Case, document: dict[str, Any]) -> None:
    jsonschema.validate(document, case.study.schema)
    jsonschema.Draft202012Validator.check_schema(case.study.schema)
    assert case.study.misses(document) == []


def test_the_level_is_shared_by_all_bounds() -> None:
    family = Family(12)
    assert family.level * family.bounds + ROUNDING == family.chance
    assert family.json == {"family_level": "1/1000000", "bounds": 12, "level": str(family.level)}


@pytest.mark.slow
@pytest.mark.parametrize("source", CASES)
def test_the_same_seed_gives_the_same_bytes_for_any_number_of_jobs(
    case: Case, tmp_path: Path, folder_of: Folders
) -> None:
    case.reproduced(tmp_path / "two", Workers(2))
    one, two = ((folder / "reproduce.json").read_bytes() for folder in (folder_of(case.study.source), tmp_path / "two"))
    assert one == two


@pytest.mark.parametrize("source", SOME)
def test_another_seed_gives_another_point(case: Case) -> None:
    one, other = (replace(case.plan, seed=seed) for seed in (7, 8))
    points, others = (case.study.tasks(plan) for plan in (one, other))
    both = [(task, others[key]) for key, task in points.items() if key in others]  # ranges of source 001 are drawn
    assert any(case.study.compute(one)(a) != case.study.compute(other)(b) for a, b in both)


@pytest.mark.parametrize("source", SOME)
def test_an_interruption_loses_nothing(case: Case, document: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        case.reproduced(tmp_path, progress=interrupted(case.stopped))
    steps = []
    again = case.reproduced(tmp_path, progress=lambda done, total, key: steps.append((done, total)))
    assert (again.taken, again.damaged, again.document) == (case.stopped, (), document)
    number = len(case.study.tasks(case.plan))
    assert steps == [(done, number) for done in range(case.stopped + 1, number + 1)]
    assert not (tmp_path / "journal.jsonl").exists()


@pytest.mark.parametrize("source", SOME)
def test_another_plan_does_not_use_the_journal(case: Case, tmp_path: Path) -> None:
    """Its first point is computed as the first one: none was taken."""
    for changed in ({}, *case.others):
        with pytest.raises(KeyboardInterrupt):
            case.reproduced(tmp_path, progress=interrupted(1), **changed)


@pytest.mark.slow
@pytest.mark.parametrize("source", CASES)
def test_the_command(case: Case, document: dict[str, Any], folder_of: Folders) -> None:
    folder = folder_of(case.study.source)
    drawn = {f"{name}.{kind}" for name in case.pictures for kind in ("png", "svg")}
    assert {path.name for path in folder.iterdir()} - {"lock"} == {"reproduce.json", *case.beside, *drawn}
    assert json.loads((folder / "reproduce.json").read_text(encoding="utf-8")) == document
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in folder.glob("*.png"))
    assert all(b"<svg" in path.read_bytes() for path in folder.glob("*.svg"))


@pytest.mark.slow
@pytest.mark.parametrize("source", CASES)
def test_pictures_are_the_same_bytes_every_time(case: Case, document: dict[str, Any], folder_of: Folders) -> None:
    folder = folder_of(case.study.source)
    for name in case.beside:
        document |= json.loads((folder / name).read_text(encoding="utf-8"))
    one_of_each = {drawing.function: drawing for drawing in case.draw.drawings(document)}
    for name, drawn in pictures(one_of_each.values(), kinds=("svg",)).items():
        assert drawn == (folder / name).read_bytes()


@pytest.mark.parametrize("source", SOME)
def test_a_miss_is_reported(case: Case, document: dict[str, Any]) -> None:
    name = spoiled(case, document)
    assert case.study.misses(document) == [name]
    lines = list(case.study.summary(document))
    assert lines[-1] == f"OUTSIDE {name}"
    assert any(f": {case.spoiled[2]} " in line for line in lines)


@pytest.mark.slow
def test_a_miss_is_exit_code_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Study, "misses", lambda self, document: ["a point"])
    result = CliRunner().invoke(main, [*CASES["002"].arguments, "--runs", "1", "--out", str(tmp_path)])
    assert result.exit_code == 1
    assert "OUTSIDE a point" in result.output


# --- the folder -------------------------------------------------------------------------------------------------------


def test_a_directory_in_use(tmp_path: Path) -> None:
    with filelock.FileLock(tmp_path / "lock"), pytest.raises(DirectoryInUseError, match="another run"):
        CASES["002"].reproduced(tmp_path)


def test_damaged_lines_of_the_journal_are_simulated_again(tmp_path: Path, document_of: Documents) -> None:
    case = CASES["002"]
    with pytest.raises(KeyboardInterrupt):
        case.reproduced(tmp_path, progress=interrupted(4))
    journal = tmp_path / "journal.jsonl"
    lines = journal.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 4
    damaged = lines[0].replace('"inside"', '"outside"')
    journal.write_text("\n".join([damaged, *lines[1:], lines[1][:50], "[]"]) + "\n", encoding="utf-8")
    again = case.reproduced(tmp_path)
    assert (again.taken, again.damaged, again.document) == (3, (1, 5, 6), document_of("002"))


def test_sources_keep_their_work_in_one_folder(tmp_path: Path) -> None:
    one, other = CASES["002"], CASES["001"]
    with pytest.raises(KeyboardInterrupt):
        one.reproduced(tmp_path, progress=interrupted(1))
    other.reproduced(tmp_path, kinds=("laplace",), sizes=(2,))
    with pytest.raises(KeyboardInterrupt):
        one.reproduced(tmp_path, progress=interrupted(2))
    assert (tmp_path / "journal.jsonl").read_text(encoding="utf-8").count('"reproduce 002"') == 2


def test_an_interrupted_command_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(studies, "reproduce", stopped)
    result = CliRunner().invoke(main, ["reproduce", "002", "--out", str(tmp_path), "--calibration", "paper"])
    assert result.exit_code == 130
    assert "go on" in result.output


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("plan", "bad"), bad_plans())
def test_bad_plans(plan: Callable[..., Any], bad: dict[str, Any]) -> None:
    with pytest.raises(DomainError):
        plan(**bad)


test_bad_jobs = refusal_test(refuses("jobs", Workers, 0, True, 1.5))


REFUSED = {
    "--data": ("000 --data ipums,none", "000 --users 10 --items 2 --data ipums"),
    "both, or none": ("000 --users 10",),
    "--users": ("000 --users 1 --items 2",),
    "labels": ("000 --labels 1", "000 --labels 2,,3"),
    "--steps": ("000 --steps 0",),
    "sizes": ("001 --sizes 1,,2",),
    "--records": ("004 --records 0",),
    "most": ("003 --most 0",),
    "sigma": ("003 --sigma 0 --data small", "003 --sigma 1,x --data small"),
    "eta": ("003 --eta 2 --data small", "003 --eta -1 --data small"),
    "cost": ("003 --cost 0 --data small",),
    "crowds": ("003 --crowds 1 --data small",),
    "k1": ("003 --k1 8 --data small", "003 --k1 x"),
    **{option: tuple(f"{source} {option} 0" for source in CASES) for option in ("--runs", "--jobs")},
}
"""Beside the bad inputs of `first_contact`, by the word that names what is wrong."""


test_bad_commands = bad_command_test(
    "reproduce", [(arguments, word) for word, several in REFUSED.items() for arguments in several]
)


@pytest.mark.parametrize("source", CASES)
def test_every_source_has_a_command(source: str) -> None:
    result = CliRunner().invoke(main, ["reproduce", source, "--help"])
    assert result.exit_code == 0
    assert f"dp-refimpl reproduce {source}" in result.output
