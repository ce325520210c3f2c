"""The whole reproduction of source 000 at a small size: same seed same bytes, nothing lost, planted faults caught."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from dp_checks.runtime.parallel import Workers
from dp_command import main
from dp_refimpl.fast.array_counts import ROUNDING
from dp_refimpl.shuffle.murs import SOLH
from dp_refimpl.shuffle.protocol_parts import Affine
from dp_spec.frequency import local_hashing
from dp_spec.shuffle import messages
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.reproduce.s000.counts import Counted
from dp_studies.reproduce.s000.data import DataSet, named, synthetic
from dp_studies.reproduce.s000.draw import pictures
from dp_studies.reproduce.s000.parameter_choices import Choice
from dp_studies.reproduce.s000.points import result
from dp_studies.reproduce.s000.run import FAMILY_LEVEL, bounds, level, reproduce
from dp_studies.reproduce.s000.schema import SCHEMA
from dp_studies.reproduce.s000.settings import ALGORITHMS, Plan
from dp_studies.reproduce.s000.summary import misses, paragraph, summary, winners

DATA = synthetic("synthetic", 5000, 12)
PLAN = Plan((DATA,), ("printed", "certified"), ("1",), "1/1000", (2, 8), ("1", "5"), 3, 4, 7)
OPTIONS = [
    *("--users", "5000", "--items", "12", "--epsilon", "1", "--delta", "1/1000", "--labels", "2,8", "--local", "1,5"),
    *("--steps", "3", "--runs", "4", "--seed", "7"),
]


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return reproduce(PLAN, tmp_path_factory.mktemp("document")).document


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the command writes, pictures and times included."""
    made = tmp_path_factory.mktemp("command")
    found = CliRunner().invoke(main, ["reproduce", "000", "--out", str(made), *OPTIONS])
    assert found.exit_code == 0, found.output
    assert "inside their intervals: 8 of 8" in found.output
    assert "with certified parameters: smallest error: mixDUMP at epsilon 1" in found.output
    return made


def changed(plan: Plan, **more: Any) -> Plan:
    return Plan(**{name: getattr(plan, name) for name in plan.__dataclass_fields__} | more)


@pytest.mark.slow
def test_the_document(document: dict[str, Any]) -> None:
    jsonschema.validate(document, SCHEMA)
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert misses(document) == []
    assert document["confidence"]["bounds"] == bounds(PLAN) == 2 * 4 * 2
    assert level(PLAN) * bounds(PLAN) + ROUNDING == FAMILY_LEVEL
    for point in document["points"].values():
        assert set(point["simulated"]) == set(ALGORITHMS)
        assert [one["algorithm"] for one in point["settings"]].count("OD-HP") == 4
        assert point["refused"] == []


def test_certified_parameters_are_no_worse(document: dict[str, Any]) -> None:
    """Fewer dummies and larger local budgets than the sources' bounds, wherever these hold."""
    printed, certified = (document["points"][f"synthetic:{c}:epsilon=1"]["settings"] for c in ("printed", "certified"))
    by_setting = {(s["algorithm"], s["labels"], s["local"]): s["dummies"] for s in printed if s["dummies"]}
    assert len(by_setting) >= 2
    for one in certified:
        setting = one["algorithm"], one["labels"], one["local"]
        assert one["dummies"] <= by_setting.get(setting, one["dummies"])
    local = {s["labels"]: float(s["local"]) for s in printed if s["algorithm"] == "MURS"}
    larger = {s["labels"]: float(s["local"]) for s in certified if s["algorithm"] == "MURS"}
    assert all(larger[labels] > budget for labels, budget in local.items())


def test_hp_sdp_with_the_labels_of_murs_is_murs(document: dict[str, Any]) -> None:
    """14 g ln(2/delta) / ((n-1) eps^2) = g / M_c: before POP they differ in nothing."""
    for point in document["points"].values():
        of = {
            name: [
                {k: v for k, v in s.items() if k != "algorithm"} for s in point["settings"] if s["algorithm"] == name
            ]
            for name in ("MURS", "HP-SDP")
        }
        assert of["MURS"] == of["HP-SDP"]


def test_pop_never_increases_the_error(document: dict[str, Any]) -> None:
    for point in document["points"].values():
        for one in point["simulated"].values():
            assert float(one["pop"]["after"]) <= float(one["pop"]["before"])
            assert float(one["pop"]["before"]) == pytest.approx(float(one["error"]["simulated"]), rel=1e-5)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_for_any_number_of_jobs(tmp_path: Path, document: dict[str, Any]) -> None:
    reproduce(PLAN, tmp_path / "two", Workers(2))
    assert json.loads((tmp_path / "two" / "reproduce.json").read_text(encoding="utf-8")) == document
    plan = changed(PLAN, calibrations=("printed",))
    other = reproduce(changed(plan, seed=8), tmp_path / "other").document["points"]
    for key, point in other.items():
        assert point["settings"] == document["points"][key]["settings"]
        assert point["simulated"] != document["points"][key]["simulated"]


@pytest.mark.slow
def test_an_interruption_loses_nothing(tmp_path: Path, document: dict[str, Any]) -> None:
    def stop(done: int, total: int, key: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reproduce(PLAN, tmp_path, progress=stop)
    again = reproduce(PLAN, tmp_path)
    assert (again.taken, again.document) == (1, document)
    with pytest.raises(KeyboardInterrupt):
        reproduce(PLAN, tmp_path, progress=stop)
    assert reproduce(changed(PLAN, runs=3), tmp_path).taken == 0


def test_the_journal_belongs_to_the_histogram(tmp_path: Path) -> None:
    def stop(done: int, total: int, key: str) -> None:
        raise KeyboardInterrupt

    plan = changed(PLAN, calibrations=("printed",))
    with pytest.raises(KeyboardInterrupt):
        reproduce(plan, tmp_path, progress=stop)
    assert reproduce(changed(plan, data=(DataSet("synthetic", (4000, 1000)),)), tmp_path).taken == 0


# --- planted faults ---------------------------------------------------------------------------------------------------

STRICT = Plan((synthetic("synthetic", 20_000, 200),), ("printed",), ("0.5",), "1e-6", (8,), ("8",), 1, 40, 7)


def missed(plan: Plan) -> list[str]:
    return misses({"points": {point.key: result(plan, level(plan), point) for point in plan.points()}})


def fewer(self: Counted, coins: Any) -> Any:
    """Dummies are forgotten."""
    return draw(Counted(self.data, Choice(self.choice.algorithm, self.choice.labels, self.choice.root)), coins)


def shifted(self: SOLH[Any]) -> Affine[Any]:
    """1/h is not taken off."""
    return Affine(self.one * 0, self.one * 0, self.p - self.one / self.family.labels)


draw = Counted.draw
FAULTS: Mapping[str, tuple[Any, str, Callable[[], Any]]] = {
    "no dummies are sent": (Counted, "draw", lambda: fewer),
    "1/h is not subtracted": (SOLH, "estimator", lambda: property(shifted)),
    "the variance of OD-HP without dummies": (messages, "VARIANCE_OLH", lambda: local_hashing.VARIANCE),
    "twice mixDUMP's variance": (messages, "VARIANCE_GRR", lambda: messages.VARIANCE_GRR * 2),
    "q where 1/h belongs": (Counted, "other", lambda: Counted.changed),
}


@pytest.mark.slow
def test_the_strict_plan_has_no_misses() -> None:
    assert missed(STRICT) == []


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_a_miss(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, name, function = FAULTS[fault]
    monkeypatch.setattr(where, name, function())
    assert missed(STRICT)


def test_a_program_with_another_budget_is_a_miss(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is run keeps its items less often than the formula says."""
    program = vars(Counted)["program"].func

    def weaker(self: Counted) -> Any:
        choice = self.choice
        return program(Counted(self.data, Choice(choice.algorithm, choice.labels, choice.root / 2, choice.dummies)))

    monkeypatch.setattr(Counted, "program", property(weaker))
    assert missed(STRICT)


# --- pictures and words -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_command(folder: Path, document: dict[str, Any]) -> None:
    names = {"reproduce.json", "times.json", "error-synthetic.png", "error-synthetic.svg", "times.png", "times.svg"}
    assert {path.name for path in folder.iterdir()} >= names
    assert json.loads((folder / "reproduce.json").read_text(encoding="utf-8")) == document


@pytest.mark.slow
def test_pictures_are_the_same_bytes_every_time(document: dict[str, Any], folder: Path) -> None:
    times = json.loads((folder / "times.json").read_text(encoding="utf-8"))
    found = pictures(document, times, ("svg",))
    assert found == {path.name: path.read_bytes() for path in folder.glob("*.svg")}
    assert set(pictures(document, {}, ("svg",))) == {"error-synthetic.svg"}


def test_pictures_without_ends(document: dict[str, Any]) -> None:
    wrong = json.loads(json.dumps(document))
    error = wrong["points"]["synthetic:printed:epsilon=1"]["simulated"]["MURS"]["error"]
    error["interval"], error["inside"] = ["1e-9", None], False
    del wrong["points"]["synthetic:certified:epsilon=1"]["simulated"]["OD-HP"]
    assert set(pictures(wrong, {}, ("svg",))) == {"error-synthetic.svg"}


def test_times_are_of_every_algorithm(folder: Path) -> None:
    times = json.loads((folder / "times.json").read_text(encoding="utf-8"))
    assert [row["algorithm"] for row in times["times"]] == list(ALGORITHMS)
    assert all(row["all"] > 0 for row in times["times"])


def test_a_miss_is_reported(document: dict[str, Any]) -> None:
    wrong = json.loads(json.dumps(document))
    key = "synthetic:printed:epsilon=1"
    wrong["points"][key]["simulated"]["OD-HP"]["error"]["inside"] = False
    wrong["points"][key]["refused"] = [{"algorithm": "MURS", "labels": 2, "budget": None, "words": "few users"}]
    assert misses(wrong) == [f"{key}, OD-HP"]
    lines = list(summary(wrong))
    assert f"OUTSIDE {key}, OD-HP" in lines
    assert any("7 of 8" in line for line in lines)
    assert any("few users" in line for line in lines)


def test_who_wins_is_decided_by_the_errors() -> None:
    def setting(algorithm: str, local: str, error: str) -> dict[str, str]:
        return {"algorithm": algorithm, "local": local, "error": error}

    point = {
        "data": "x",
        "calibration": "printed",
        "epsilon": "1",
        "settings": [
            setting("MURS", "1", "2.0e-9"),
            setting("mixDUMP", "4", "9.0e-10"),
            setting("mixDUMP", "8", "3.0e-9"),
            setting("OD-HP", "4", "9.0e-10"),
            setting("OD-HP", "8", "1.0e-9"),
            setting("OD-HP", "8", "1.0e-8"),
        ],
    }
    (found,) = winners([point])
    assert found["winner"] == ["mixDUMP", "OD-HP"]
    below = [found[name] for name in ("settings", "below_mixdump", "below_murs", "below_all")]
    assert below == [3, 1, 2, 0]
    (none,) = winners([point | {"settings": [setting("MURS", "1", "2.0e-9")]}])
    assert (none["winner"], none["settings"], none["below_all"]) == (["MURS"], 0, 0)


def test_the_paragraph_names_settings(document: dict[str, Any]) -> None:
    words = "\n".join(paragraph(document))
    assert "synthetic, with the published parameters: smallest error: " in words
    assert "of 4 settings of OD-HP" in words
    assert "dummies)" in words


def test_a_miss_is_exit_code_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dp_studies.reproduce.s000.summary.misses", lambda document: ["a point"])
    arguments = ["reproduce", "000", "--out", str(tmp_path), *OPTIONS, "--calibration", "printed", "--no-times"]
    assert CliRunner().invoke(main, arguments).exit_code == 1
    assert not (tmp_path / "times.json").exists()


def test_a_file_of_users(tmp_path: Path) -> None:
    path = tmp_path / "cities.csv"
    path.write_text("user,city\n" + "".join(f"{i},{'abc'[i % 3 if i % 2 else 0]}\n" for i in range(5000)))
    arguments = ["reproduce", "000", "--out", str(tmp_path / "out"), *OPTIONS[4:], "--no-times"]
    arguments += ["--calibration", "printed", "--data", str(path), "--column", "city"]
    found = CliRunner().invoke(main, arguments)
    assert found.exit_code == 0, found.output
    made = json.loads((tmp_path / "out" / "reproduce.json").read_text(encoding="utf-8"))
    assert (made["data"]["cities.csv"]["users"], made["data"]["cities.csv"]["items"]) == (5000, 3)


# --- plans and the command line ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad",
    [
        {"data": ()},
        {"data": (DATA, DATA)},
        {"data": (DATA, synthetic("synthetic", 10, 2))},
        {"calibrations": ("published",)},
        {"calibrations": ()},
        {"epsilons": ("0",)},
        {"epsilons": ("nan",)},
        {"epsilons": ("ln(2)",)},
        {"epsilons": (1,)},
        {"delta": "0"},
        {"delta": "1"},
        {"delta": "x"},
        {"delta": 0.1},
        {"labels": (1,)},
        {"labels": (2, 2)},
        {"labels": (True,)},
        {"budgets": ("-1",)},
        {"budgets": ("0",)},
        {"steps": 0},
        {"runs": 0},
        {"seed": -1},
    ],
)
def test_bad_plans(bad: dict[str, Any]) -> None:
    with pytest.raises(DomainError):
        Plan(**bad)


def test_too_few_users_for_the_published_choice(tmp_path: Path) -> None:
    plan = changed(PLAN, data=(synthetic("few", 50, 4),), calibrations=("printed",))
    document = reproduce(plan, tmp_path).document
    refused = {one["algorithm"] for one in document["points"]["few:printed:epsilon=1"]["refused"]}
    assert refused == {"MURS", "HP-SDP"}
    assert any("MURS has no setting somewhere" in line for line in summary(document))


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--data", "adult"], "--data"),
        (["--data", "ipums,none"], "--data"),
        (["--column", "x"], "--column"),
        (["--users", "10"], "both, or none"),
        (["--users", "1", "--items", "2"], "--users"),
        (["--users", "10", "--items", "2", "--data", "ipums"], "--data"),
        (["--calibration", "paper"], "--calibration"),
        (["--epsilon", "0"], "epsilons"),
        (["--epsilon", "x"], "epsilon"),
        (["--delta", "2"], "delta"),
        (["--labels", "1"], "labels"),
        (["--labels", "2,,3"], "labels"),
        (["--local", "0"], "budgets"),
        (["--steps", "0"], "--steps"),
        (["--runs", "0"], "--runs"),
        (["--jobs", "0"], "--jobs"),
    ],
)
def test_bad_commands(arguments: list[str], word: str) -> None:
    found = CliRunner().invoke(main, ["reproduce", "000", *arguments])
    assert found.exit_code == 2
    assert word in found.output
    assert found.output.count("\n") == 1


def test_the_published_sizes() -> None:
    assert [(named(name).users, named(name).items) for name in ("ipums", "kosarak")] == [(602325, 915), (10**6, 42178)]
