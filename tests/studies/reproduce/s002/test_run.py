"""The whole reproduction on small figures: same seed same bytes, nothing lost by an interruption, bad plans refused."""

import json
from pathlib import Path
from typing import Any

import filelock
import jsonschema
import pytest
from click.testing import CliRunner

from dp_checks.certify import DirectoryInUseError
from dp_checks.runtime.parallel import Workers
from dp_command import main
from dp_refimpl.fast.array_counts import ROUNDING
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.reproduce.s002 import command, run
from dp_studies.reproduce.s002.draw import pictures
from dp_studies.reproduce.s002.formulas import MECHANISMS
from dp_studies.reproduce.s002.points import CALIBRATIONS
from dp_studies.reproduce.s002.run import FAMILY_LEVEL, SEED, Plan, reproduce
from dp_studies.reproduce.s002.schema import SCHEMA
from dp_studies.reproduce.s002.settings import Figure, Panel, Place, Setting
from dp_studies.reproduce.s002.summary import misses, printed, summary

SMALL = Figure(
    3,
    "d",
    "d",
    (
        Panel(
            "small",
            (
                Place("8", Setting(200, 8, 4, 2, "1")),
                Place("12", Setting(200, 12, 3, 2, "1"), simulated=False),
                Place("16", Setting(200, 16, 16, 2, "1")),
            ),
        ),
    ),
)
PLAN = Plan((3,), ("paper", "joint"), 3, 7)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "figure", lambda number: SMALL)


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "figure", lambda number: SMALL)
        return reproduce(PLAN, tmp_path_factory.mktemp("document")).document


def test_the_document(document: dict[str, Any]) -> None:
    jsonschema.validate(document, SCHEMA)
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert len(document["points"]) == 2 * (len(MECHANISMS) + len(MECHANISMS) - 1)
    assert misses(document) == []
    places = [p for f in document["figures"] for c in f["panels"][0]["curves"] for p in c["places"]]
    assert {p["point"] for p in places} - {None} == set(document["points"])
    for place in places:
        assert (place["exact"] is None) == (place["absent"] is not None) == (place["nominal_epsilon"] is None)
        assert place["x"] != "12" or place["point"] is None


def test_the_level_is_shared_by_all_bounds(document: dict[str, Any]) -> None:
    bounds = sum(2 * len(point["inside"]) for point in document["points"].values())
    assert document["confidence"]["bounds"] == bounds == Plan.bounds(PLAN.points())
    assert document["confidence"]["level"] == str((FAMILY_LEVEL - ROUNDING) / bounds)


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    for name, seed in (("one", 7), ("two", 7), ("other", 8)):
        reproduce(Plan((3,), ("paper",), 2, seed), tmp_path / name)
    one, two, other = ((tmp_path / name / "reproduce.json").read_bytes() for name in ("one", "two", "other"))
    assert one == two
    assert json.loads(one)["points"] != json.loads(other)["points"]


def test_an_interruption_loses_nothing(tmp_path: Path, document: dict[str, Any]) -> None:
    def stop(done: int, total: int, key: str) -> None:
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reproduce(PLAN, tmp_path, progress=stop)
    journal = tmp_path / "journal.jsonl"
    lines = journal.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 4
    damaged = lines[0].replace('"inside"', '"outside"')
    journal.write_text("\n".join([damaged, *lines[1:], lines[1][:50], "[]"]) + "\n", encoding="utf-8")
    seen = []
    again = reproduce(PLAN, tmp_path, progress=lambda done, total, key: seen.append((done, total)))
    assert (again.taken, again.damaged) == (3, (1, 5, 6))
    assert seen == [(done, len(document["points"])) for done in range(4, len(document["points"]) + 1)]
    assert again.document == document
    assert not journal.exists()


@pytest.mark.parametrize(
    "plan", [Plan((3,), ("paper",), 3, 8), Plan((3,), ("paper",), 4, 7), Plan((3,), ("paper", "joint"), 3, 7)]
)
def test_another_plan_does_not_use_the_journal(tmp_path: Path, plan: Plan) -> None:
    def stop(done: int, total: int, key: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reproduce(Plan((3,), ("paper",), 3, 7), tmp_path, progress=stop)
    assert reproduce(plan, tmp_path).taken == 0


def test_a_directory_in_use(tmp_path: Path) -> None:
    with filelock.FileLock(tmp_path / "lock"), pytest.raises(DirectoryInUseError, match="another run"):
        reproduce(PLAN, tmp_path)


@pytest.mark.parametrize(
    "bad",
    [
        {"figures": ()},
        {"figures": (5,)},
        {"figures": (1, 1)},
        {"calibrations": ()},
        {"calibrations": ("private",)},
        {"runs": 0},
        {"runs": True},
        {"runs": 2.0},
        {"seed": -1},
        {"seed": None},
    ],
)
def test_bad_plans(bad: dict[str, Any]) -> None:
    with pytest.raises(DomainError):
        Plan(**bad)


@pytest.mark.parametrize("jobs", [0, True, 1.5])
def test_bad_jobs(tmp_path: Path, jobs: Any) -> None:
    with pytest.raises(DomainError, match="jobs"):
        reproduce(PLAN, tmp_path, Workers(jobs))


# --- pictures and words -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_pictures_are_the_same_bytes_every_time(document: dict[str, Any]) -> None:
    found = pictures(document)
    assert sorted(found) == [f"figure3-{c}.{kind}" for c in ("joint", "paper") for kind in ("png", "svg")]
    assert pictures(document) == found
    assert all(content.startswith(b"\x89PNG") for name, content in found.items() if name.endswith("png"))
    assert all(b"<svg" in content for name, content in found.items() if name.endswith("svg"))


def test_a_miss_is_reported(document: dict[str, Any]) -> None:
    wrong = json.loads(json.dumps(document))
    key = next(iter(wrong["points"]))
    wrong["points"][key]["inside"]["sensitive"] = False
    assert misses(wrong) == [f"{key} (sensitive)"]
    assert f"OUTSIDE {key} (sensitive)" in list(summary(wrong))


def test_the_summary_counts_printed_formulas(document: dict[str, Any]) -> None:
    of = {claim: number for claim, _, number in printed(document)}
    assert set(of) == {error.printed_claim for m in MECHANISMS.values() for error in m.errors.values()} - {""}
    text = "\n".join(summary(document))
    assert "18 simulated points of 3 runs, seed 7" in text
    assert "absent, joint, SuWheel" in text


# --- command line -----------------------------------------------------------------------------------------------------


def test_the_command(tmp_path: Path) -> None:
    arguments = ["reproduce", "002", "--out", str(tmp_path), "--figures", "3", "--runs", "2", "--calibration", "paper"]
    found = CliRunner().invoke(main, arguments)
    assert found.exit_code == 0, found.output
    assert "inside their intervals: 15 of 15" in found.output
    assert {path.name for path in tmp_path.iterdir()} >= {"reproduce.json", "figure3-paper.png", "figure3-paper.svg"}
    assert json.loads((tmp_path / "reproduce.json").read_text(encoding="utf-8"))["seed"] == SEED


def test_a_miss_is_exit_code_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dp_studies.reproduce.s002.summary.misses", lambda document: ["a point"])
    arguments = ["reproduce", "002", "--out", str(tmp_path), "--figures", "3", "--runs", "1", "--calibration", "paper"]
    assert CliRunner().invoke(main, arguments).exit_code == 1


def test_an_interrupted_command_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "reproduce", interrupted)
    found = CliRunner().invoke(main, ["reproduce", "002", "--out", str(tmp_path), "--calibration", "paper"])
    assert found.exit_code == 130
    assert "go on" in found.output


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["003"], "SOURCE"),
        (["002", "--figures", "5"], "figures"),
        (["002", "--figures", "1,x"], "figures"),
        (["002", "--runs", "0"], "--runs"),
        (["002", "--seed", "-1"], "--seed"),
        (["002", "--calibration", "none"], "--calibration"),
        (["002", "--jobs", "0"], "--jobs"),
    ],
)
def test_bad_commands(arguments: list[str], word: str) -> None:
    found = CliRunner().invoke(main, ["reproduce", *arguments])
    assert found.exit_code == 2
    assert word in found.output


def test_the_command_has_the_plan_s_seed_and_calibrations_and_fewer_points() -> None:
    assert command.SEED == SEED
    assert Plan().runs > command.RUNS
    assert command.CHOICES[3:] == CALIBRATIONS
    assert set(command.BOTH) < set(CALIBRATIONS)
