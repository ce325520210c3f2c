"""The whole reproduction of source 001 at a small size: same seed same bytes, nothing lost, planted faults caught."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner
from flint import fmpq

from dp_checks.runtime.parallel import HERE, Workers
from dp_command import main
from dp_refimpl.matrix.fixed_range import Pairs, Reading, algorithm3
from dp_refimpl.matrix.privelet import Privelet
from dp_spec.matrix import privelet
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.reproduce.s001 import errors, points, run
from dp_studies.reproduce.s001.draw import pictures
from dp_studies.reproduce.s001.noise import Noise
from dp_studies.reproduce.s001.points import Evaluation, result
from dp_studies.reproduce.s001.run import FAMILY_LEVEL, Table, reproduce
from dp_studies.reproduce.s001.schema import SCHEMA
from dp_studies.reproduce.s001.settings import Plan, Point, Range
from dp_studies.reproduce.s001.summary import misses, summary

PLAN = Plan(("laplace", "discrete"), ("1/2", "4"), 16, 5, (1, 2, 8), 8, 7)
OPTIONS = [
    *("--noise", "both", "--epsilon", "1/2,4", "--size", "16", "--ranges", "5", "--sizes", "1,2,8"),
    *("--runs", "8", "--seed", "7"),
]


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return reproduce(PLAN, tmp_path_factory.mktemp("document")).document


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the command writes, pictures included: they take seconds."""
    made = tmp_path_factory.mktemp("command")
    found = CliRunner().invoke(main, ["reproduce", "001", "--out", str(made), *OPTIONS])
    assert found.exit_code == 0, found.output
    assert "inside their intervals: 20 of 20" in found.output
    assert "(-70.83 %)" in found.output
    return made


def test_the_document(document: dict[str, Any]) -> None:
    jsonschema.validate(document, SCHEMA)
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert (len(document["table1"]), len(document["table2"]), len(document["power"])) == (4 * 5, 4 * 3, 4)
    assert misses(document) == []
    confidence = document["confidence"]
    assert (confidence["table1"]["bounds"], confidence["table2"]["bounds"]) == (2 * 4 * 5, 2 * 4 * 3)


def test_the_levels_have_room_for_the_grid() -> None:
    """Bounds and draws that are off add up to the level of a table."""
    for listed in (list(PLAN.first_table()), list(PLAN.second_table())):
        table = Table(listed, PLAN.runs)
        draws = sum(PLAN.runs * point.size for point in listed if point.kind == "laplace")
        assert table.level * table.bounds + draws * Noise(listed[0]).missed == FAMILY_LEVEL
    with pytest.raises(DomainError, match="runs"):
        Table(list(PLAN.first_table()), 10**13)


def test_values_are_those_of_the_formulas(document: dict[str, Any]) -> None:
    for key, point in document["table1"].items():
        if point["noise"] == "laplace":
            scale = 10 if point["epsilon"] == "1/2" else fmpq(5, 4)
            exact = 2 * scale**2 * algorithm3(4, point["first"], point["last"])
            assert float(point["error"]["exact"]) == pytest.approx(int(exact.p) / int(exact.q))
            assert key.startswith(f"laplace:epsilon={point['epsilon']}:N=16:{point['number']}:")
    for size, error in ((1, 8), (2, fmpq(64, 3)), (8, 2 * 64 * average(3))):
        found = document["table2"][f"laplace:epsilon=1/2:N={size}:all"]["error"]["exact"]
        assert float(found) == pytest.approx(int(fmpq(error).p) / int(fmpq(error).q))


def average(h: int) -> fmpq:
    return fmpq(privelet.average().evaluate({"h": h}))


def test_simulated_errors_are_those_of_the_runs(document: dict[str, Any]) -> None:
    for point in document["table1"].values():
        if point["noise"] == "discrete":
            mean = np.mean([(int(e) / 16) ** 2 for e in point["runs"]])
            assert float(point["error"]["simulated"]) == pytest.approx(mean)
            low, high = point["error"]["interval"]
            assert float(low) <= mean
            assert high is None or mean <= float(high)


def test_ranges_of_a_smaller_plan_are_the_first(document: dict[str, Any]) -> None:
    assert Plan(size=16, ranges=2, seed=7).queries == PLAN.queries[:2]
    assert Plan(size=16, ranges=5, seed=8).queries != PLAN.queries
    drawn = {(r.first, r.last) for r in Plan(size=4, ranges=300).queries}
    assert drawn == {(a, b) for a in range(1, 5) for b in range(a, 5)}


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_for_any_number_of_jobs(tmp_path: Path, document: dict[str, Any]) -> None:
    reproduce(PLAN, tmp_path / "two", Workers(2))
    assert json.loads((tmp_path / "two" / "reproduce.json").read_text(encoding="utf-8")) == document
    other = Plan(**{**vars_of(PLAN), "seed": 8})
    assert reproduce(other, tmp_path / "other").document["table2"] != document["table2"]


def vars_of(plan: Plan) -> dict[str, Any]:
    return {name: getattr(plan, name) for name in plan.__dataclass_fields__}


def test_an_interruption_loses_nothing(tmp_path: Path, document: dict[str, Any]) -> None:
    def stop(done: int, total: int, key: str) -> None:
        if done == 9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reproduce(PLAN, tmp_path, progress=stop)
    again = reproduce(PLAN, tmp_path)
    assert again.taken == 9
    assert again.document == document
    with pytest.raises(KeyboardInterrupt):
        reproduce(PLAN, tmp_path, progress=stop)
    assert reproduce(Plan(**{**vars_of(PLAN), "runs": 7}), tmp_path).taken == 0


# --- planted faults ---------------------------------------------------------------------------------------------------

STRICT = Plan(("laplace",), ("1",), 16, 8, (2, 4, 8), 1000, 7)


def missed(plan: Plan) -> list[str]:
    first, second = Table(list(plan.first_table()), plan.runs), Table(list(plan.second_table()), plan.runs)
    results = {
        point.key: result(point, plan.runs, plan.seed, table.level)
        for table in (first, second)
        for point in table.points
    }
    return misses(run.document(plan, first, second, results))


def noises(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    plain = errors.prefix_errors
    return lambda noise: plain(change(noise))


def root(factor: int) -> Callable[[Any], Any]:
    return lambda noise: np.concatenate([factor * noise[:, :1], noise[:, 1:]], axis=1)


def shared(noise: Any) -> Any:
    """One draw for all nodes."""
    return np.repeat(noise[:, 1:2], noise.shape[1], axis=1)


def halved(self: Evaluation, coefficient: fmpq) -> Any:
    return error(self, coefficient) / 2


def plain_sums(noise: Any) -> list[int]:
    """The mean of P is forgotten."""
    return [len(row) * sum(p * p for p in row) for row in errors.prefix_errors(noise).tolist()]


error = Evaluation.error
FAULTS: Mapping[str, tuple[Any, str, Callable[[], Any]]] = {
    "noise for Delta = h": (Privelet, "scale", lambda: lambda self, neighbors: fmpq(self.height)),
    "Delta = h": (privelet, "SCALE", lambda: privelet.H / privelet.EPS),
    "pairs once": (
        points,
        "algorithm3",
        lambda: lambda h, first, last: algorithm3(h, first, last, Reading(pairs=Pairs.SINGLE)),
    ),
    "the total doubled": (errors, "prefix_errors", lambda: noises(root(2))),
    "no noise on the total": (errors, "prefix_errors", lambda: noises(root(0))),
    "(17) for (16)": (privelet, "average", lambda: privelet.approximate),
    "variance b^2": (Evaluation, "error", lambda: halved),
    "noise of one sign": (errors, "prefix_errors", lambda: noises(np.abs)),
    "nodes share their noise": (errors, "prefix_errors", lambda: noises(shared)),
    "another sum over all ranges": (errors, "sums_of_squares", lambda: plain_sums),
    "pairs of ends for ranges": (Evaluation, "_ranges", lambda: property(lambda self: self.point.size**2)),
}


def test_the_strict_plan_has_no_misses() -> None:
    assert missed(STRICT) == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_a_miss(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, name, function = FAULTS[fault]
    monkeypatch.setattr(where, name, function())
    assert missed(STRICT)


def test_small_sizes_exclude_the_approximation() -> None:
    """001.exp.table2.eq17@all: (17) is not the error at N = 2."""
    point = Point("laplace", "1", 2)
    assert not result(point, 200, 7, FAMILY_LEVEL)["approximate"]["inside"]
    assert result(Point("laplace", "1", 256), 50, 7, FAMILY_LEVEL)["approximate"]["inside"]


# --- pictures and words -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_pictures_are_the_same_bytes_every_time(document: dict[str, Any], folder: Path) -> None:
    found = {path.name: path.read_bytes() for path in folder.glob("*.svg")}
    kinds = [f"{kind}-{epsilon}" for kind in PLAN.kinds for epsilon in ("1_2", "4")]
    assert set(found) == {f"figure{number}-{kind}.svg" for number in (4, 5) for kind in kinds}
    assert pictures(document, HERE, ("svg",)) == found


@pytest.mark.slow
def test_pictures_without_upper_ends_and_with_zeros(document: dict[str, Any], folder: Path) -> None:
    changed = json.loads(json.dumps(document))
    for name, value in (("simulated", "0"), ("interval", ["0", None]), ("inside", False)):
        changed["table2"]["discrete:epsilon=4:N=1:all"]["error"][name] = value
        changed["table1"][next(iter(changed["table1"]))]["error"]["interval"] = ["0", None]
    assert set(pictures(changed, kinds=("svg",))) == {path.name for path in folder.glob("*.svg")}


def test_a_miss_is_reported(document: dict[str, Any]) -> None:
    wrong = json.loads(json.dumps(document))
    key = "laplace:epsilon=4:N=8:all"
    wrong["table2"][key]["error"]["inside"] = False
    assert misses(wrong) == [f"table2, {key}"]
    lines = list(summary(wrong))
    assert f"OUTSIDE table2, {key}" in lines
    assert any("11 of 12" in line for line in lines)
    assert any("20 of 20" in line for line in lines)


def test_the_summary_has_the_precision_of_all_ranges() -> None:
    plan = Plan(size=1024, ranges=1, sizes=(1024,), runs=100)
    power = run.power(plan, "laplace", "1")
    assert power["at_most"] == {"pct1": False, "pct5": False, "pct25": True}
    assert power["largest"]["ranges"] == [[1, 1024]]
    many = run.power(Plan(runs=100_000), "discrete", "1")
    assert many["at_most"] == {"pct1": True, "pct5": True, "pct25": True}


# --- plans and the command line ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad",
    [
        {"kinds": ()},
        {"kinds": ("gauss",)},
        {"kinds": ("laplace", "laplace")},
        {"kinds": "laplace"},
        {"epsilons": ("0",)},
        {"epsilons": ("nan",)},
        {"epsilons": ("ln(2)",)},
        {"epsilons": (1,)},
        {"epsilons": ("1", "1")},
        {"size": 0},
        {"size": 3},
        {"size": 8192},
        {"size": True},
        {"ranges": 0},
        {"ranges": 2.0},
        {"sizes": ()},
        {"sizes": (2, 6)},
        {"sizes": (1, 8192)},
        {"sizes": ("2",)},
        {"runs": 0},
        {"runs": True},
        {"seed": -1},
    ],
)
def test_bad_plans(bad: dict[str, Any]) -> None:
    with pytest.raises(DomainError):
        Plan(**bad)


def test_discrete_noise_of_rates_that_do_not_fit_is_refused() -> None:
    with pytest.raises(DomainError, match="epsilon"):
        result(Point("discrete", "1/4000000000", 2, Range(1, 1, 1)), 1, 1, FAMILY_LEVEL)


@pytest.mark.slow
def test_the_command(folder: Path, document: dict[str, Any]) -> None:
    names = {"reproduce.json", "figure4-laplace-1_2.png", "figure5-discrete-4.svg"}
    assert {path.name for path in folder.iterdir()} >= names
    assert json.loads((folder / "reproduce.json").read_text(encoding="utf-8")) == document


def test_a_miss_is_exit_code_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dp_studies.reproduce.s001.summary.misses", lambda document: ["table1, a point"])
    arguments = ["reproduce", "001", "--out", str(tmp_path), *OPTIONS, "--noise", "laplace", "--epsilon", "1"]
    assert CliRunner().invoke(main, arguments).exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--figures", "4"], "--figures"),
        (["--noise", "gauss"], "--noise"),
        (["--epsilon", "0"], "epsilons"),
        (["--epsilon", "x"], "epsilon"),
        (["--size", "3"], "size"),
        (["--size", "0"], "--size"),
        (["--sizes", "1,,2"], "sizes"),
        (["--sizes", "8192"], "sizes"),
        (["--ranges", "0"], "--ranges"),
        (["--runs", "0"], "--runs"),
        (["--jobs", "0"], "--jobs"),
    ],
)
def test_bad_commands(arguments: list[str], word: str) -> None:
    found = CliRunner().invoke(main, ["reproduce", "001", *arguments])
    assert found.exit_code == 2
    assert word in found.output
    assert found.output.count("\n") == 1
