"""The whole reproduction of source 004 at a small size: same seed same bytes, nothing lost, bad plans refused."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner
from flint import ctx

from dp_checks.runtime.parallel import HERE, Workers
from dp_command import main
from dp_refimpl.fast.frequency import count_sketch as fast
from dp_spec.frequency import count_sketch
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.reproduce.command import SOURCES
from dp_studies.reproduce.s002 import run as run_of_002
from dp_studies.reproduce.s004 import points, run
from dp_studies.reproduce.s004.cost_figure import best, mean_square
from dp_studies.reproduce.s004.draw import pictures
from dp_studies.reproduce.s004.points import repetition, task_key
from dp_studies.reproduce.s004.run import claims_about, reproduce
from dp_studies.reproduce.s004.schema import SCHEMA
from dp_studies.reproduce.s004.settings import Plan, Point, Reading, Sketch
from dp_studies.reproduce.s004.sign_counts import BITS
from dp_studies.reproduce.s004.summary import TESTED, misses, summary

PLAN = Plan(
    ("harmonic", "exponential"), (4, 30), (8,), ("1", "4"), ("random", "fixed"), 6, 7, records=3000, words=12, top=6
)
OPTIONS = [
    *("--k", "4,30", "--m", "8", "--epsilon", "1,4", "--functions", "both", "--runs", "6", "--seed", "7"),
    *("--records", "3000", "--words", "12", "--top", "6"),
]


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return reproduce(PLAN, tmp_path_factory.mktemp("document")).document


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the command writes, pictures included: they take seconds."""
    made = tmp_path_factory.mktemp("command")
    found = CliRunner().invoke(main, ["reproduce", "004", "--out", str(made), *OPTIONS])
    assert found.exit_code == 0, found.output
    assert "inside their intervals: 384 of 384" in found.output
    return made


@pytest.mark.slow
def test_the_document(document: dict[str, Any]) -> None:
    jsonschema.validate(document, SCHEMA)
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert len(document["points"]) == 2 * 2 * 2 * 2
    assert misses(document) == []
    assert all(sum(counts) == 3000 for counts in document["data"].values())
    bounds = document["confidence"]
    assert bounds["tested"]["bounds"] == 4 * 6 * len(document["points"])
    assert bounds["ranks"]["bounds"] == 2 * 3 * (6 + 1) * len(document["points"])


@pytest.mark.slow
def test_random_functions_are_unbiased_and_fixed_ones_are_not(document: dict[str, Any]) -> None:
    """004.eval.d.var: D estimates the variance for random functions, and more than that for fixed ones."""
    for point in document["points"].values():
        for word in point["words"]:
            biased = float(word["estimate"]["exact"]) != word["count"]
            assert biased == (word["meanfirst"]["exact"] != "0") == (point["functions"] == "fixed")


def test_means_are_those_of_the_repetitions(document: dict[str, Any]) -> None:
    for point in document["points"].values():
        above, before = (np.array(point["runs"][name]) for name in ("above", "before"))
        found = np.abs(1 + above + before - np.arange(1, 7)).mean(axis=0)
        for x, word in enumerate(point["words"]):
            assert float(word["rank"]["ordinal"]["simulated"]) == pytest.approx(found[x])
            low, high = (float(end) for end in word["rank"]["ordinal"]["interval"])
            # the mean can be above the upper end, which is also a bound without any runs
            assert 0 <= low <= min(found[x], high)
        (group,) = point["groups"]
        assert group["ranks"] == [1, 5]
        assert float(group["deviation"]["ordinal"]["simulated"]) == pytest.approx(found[:5].mean())


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_for_any_number_of_jobs(tmp_path: Path, document: dict[str, Any]) -> None:
    reproduce(PLAN, tmp_path / "two", Workers(2))
    two = (tmp_path / "two" / "reproduce.json").read_text(encoding="utf-8")
    assert json.loads(two) == document
    other = Plan(**{**vars(PLAN), "seed": 8})
    assert reproduce(other, tmp_path / "other").document["points"] != document["points"]


def test_fixed_functions_are_the_same_in_all_repetitions() -> None:
    labels = [points.functions(PLAN, Sketch(30, 8, "fixed"))(0, 30).tolist() for _ in range(2)]
    assert labels[0] == labels[1] != points.functions(PLAN, Sketch(30, 16, "fixed"))(0, 30).tolist()
    counted = points.collisions(PLAN, Sketch(30, 8, "fixed"))
    table = np.array(labels[0])
    assert [[int((table[:, d] == table[:, e]).sum()) for e in range(12)] for d in range(6)] == [
        list(r) for r in counted
    ]


@pytest.mark.parametrize("reading", ["random", "fixed"])
def test_the_error_has_the_square_of_the_bias(reading: Reading) -> None:
    """The formulas of f'(d), and the first two cumulants of the law of F_d."""
    evaluation = points.Evaluation.without_runs(PLAN, Point("harmonic", Sketch(30, 8, reading), "1"))
    for word, own in enumerate(PLAN.counts("harmonic")[: PLAN.top]):
        series, (mean, square) = evaluation.law.cumulants(word), evaluation.exact(word)
        with ctx.workprec(BITS):
            found = evaluation.estimate(0) + evaluation.slope * series[1]
            assert (found - mean).contains(0)
            error = square - evaluation.slope**2 * 2 * series[2] - (found - own) ** 2
            assert error.contains(0)
            assert error.rad() < 1e-100


@pytest.mark.slow
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
    assert reproduce(Plan(**{**vars(PLAN), "epsilons": ("1", "2")}), tmp_path).taken == 0


def test_sources_keep_their_work_in_one_folder(tmp_path: Path) -> None:
    def stop(done: int, total: int, key: str) -> None:
        raise KeyboardInterrupt

    other = run_of_002.Plan((4,), ("paper",), 1, 7)
    with pytest.raises(KeyboardInterrupt):
        run_of_002.reproduce(other, tmp_path, progress=stop)
    few = Plan(("harmonic",), (4,), (8,), ("4",), runs=2, records=100, words=5, top=2)
    reproduce(few, tmp_path)
    with pytest.raises(KeyboardInterrupt):
        run_of_002.reproduce(other, tmp_path, progress=stop)
    journal = (tmp_path / "journal.jsonl").read_text(encoding="utf-8")
    assert journal.count('"reproduce"') == 2


# --- planted faults ---------------------------------------------------------------------------------------------------

STRICT = Plan(("harmonic",), (64,), (32,), ("4",), ("random",), 40, 7, records=30_000, words=30, top=5)


def missed(plan: Plan) -> list[str]:
    results = {
        task_key(sketch, number): repetition(plan, sketch, number)
        for sketch in plan.sketches()
        for number in range(plan.runs)
    }
    return misses(run.document(plan, HERE, results))


def with_counts(change: Callable[[Any], Any]) -> Callable[..., Any]:
    sample = fast.sample_ones
    return lambda *arguments: change(sample(*arguments))


def noisier(ones: Any) -> Any:
    return ones + np.random.default_rng(1).integers(-600, 601, ones.shape)


FAULTS: Mapping[str, tuple[Any, str, Callable[[], Any]]] = {
    "estimates shifted": (points, "sample_ones", lambda: with_counts(lambda ones: ones + 300)),
    "words rotated": (points, "sample_ones", lambda: with_counts(lambda ones: np.roll(ones, 1, axis=2))),
    "noise added": (points, "sample_ones", lambda: with_counts(noisier)),
    "no noise": (points, "sample_ones", lambda: with_counts(lambda ones: (ones // 10_000) * 10_000)),
    "one function for all": (
        points,
        "random_labels",
        lambda: lambda words, m, coins: lambda start, stop: np.tile(np.arange(words) % m, (stop - start, 1)),
    ),
    "few columns used": (
        points,
        "random_labels",
        lambda: lambda words, m, coins: fast.random_labels(words, 8, coins),
    ),
    "a formula of the flips alone": (
        count_sketch,
        "shared_variance",
        lambda: lambda c, m, k, n, f, squared: count_sketch.variance(c, m, n, 0, 0),
    ),
}


def test_the_strict_plan_has_no_misses() -> None:
    assert missed(STRICT) == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_a_miss(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, name, function = FAULTS[fault]
    monkeypatch.setattr(where, name, function())
    assert missed(STRICT)


# --- costs, claims, pictures ------------------------------------------------------------------------------------------


def test_costs(document: dict[str, Any]) -> None:
    by_setting = {(cost["k"], cost["m"]): cost for cost in document["costs"]}
    cost = by_setting[30, 8]
    assert (cost["counters"], cost["bits"], cost["client"], cost["queries"]) == (240, 13, 24_000, 360)
    assert cost["operations"] == 24_000 + 24_000 + 240 + 360
    assert {s for s, c in by_setting.items() if c["simulated"]} == {(4, 8), (30, 8)}
    assert by_setting[1, 8]["bits"] == 8


@pytest.mark.slow
def test_the_best_setting(document: dict[str, Any]) -> None:
    for one in document["best"]:
        products = {
            (k, m): mean_square(PLAN, one["data"], k, m, one["epsilon"]) * PLAN.costs(k, m).operations
            for k in PLAN.ks
            for m in PLAN.ms
        }
        assert min(products, key=lambda s: float(products[s])) == (one["k"], one["m"])
    assert best(Plan(), "harmonic", "4") == (65535, 32)
    assert best(Plan(), "harmonic", "1") == (256, 32)


def test_claims_about_rank_deviations() -> None:
    point = {"data": "harmonic", "k": 65535, "m": 32, "epsilon": "2", "functions": "random"}
    assert claims_about(point, [16, 20]) == [
        "004.exp.rank-trend@groups",
        "004.exp.km-rank@simulated",
        "004.exp.line1@harmonic-eps2",
    ]
    assert claims_about(point, [1, 5]) == ["004.exp.rank-trend@groups"]
    assert claims_about({**point, "epsilon": "8"}, [16, 20]) == ["004.exp.line1@harmonic-eps8"]
    assert claims_about({**point, "m": 1024}, [16, 20]) == []
    assert claims_about({**point, "data": "even"}, [16, 20]) == []


@pytest.mark.slow
def test_pictures_are_the_same_bytes_every_time(document: dict[str, Any], folder: Path) -> None:
    found = {path.name: path.read_bytes() for path in folder.glob("*.svg")}
    names = {f"cost-{data}" for data in PLAN.data}
    names |= {
        f"{name}-{data}-{r}" for name in ("rank", "deviation", "variance") for data in PLAN.data for r in PLAN.readings
    }
    assert set(found) == {f"{name}.svg" for name in names}
    few = {**document, "data": {"harmonic": document["data"]["harmonic"]}}
    assert pictures(few, kinds=("svg",)) == {name: svg for name, svg in found.items() if "harmonic" in name}


def test_a_miss_is_reported(document: dict[str, Any]) -> None:
    wrong = json.loads(json.dumps(document))
    key = next(iter(wrong["points"]))
    wrong["points"][key]["words"][2]["variance"]["inside"] = False
    assert misses(wrong) == [f"{key}, word 3 (variance)"]
    assert f"OUTSIDE {key}, word 3 (variance)" in list(summary(wrong))
    total = len(TESTED) * 6 * len(document["points"])
    assert any(f"{total - 1} of {total}" in line for line in summary(wrong))


# --- plans and the command line ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad",
    [
        {"data": ()},
        {"data": ("zipf",)},
        {"data": ("harmonic", "harmonic")},
        {"data": "harmonic"},
        {"ks": (0,)},
        {"ks": (True,)},
        {"ks": ()},
        {"ms": (1,)},
        {"ms": (2.0,)},
        {"epsilons": ("0",)},
        {"epsilons": ("-1",)},
        {"epsilons": ("nan",)},
        {"epsilons": (2,)},
        {"epsilons": ("1", "1")},
        {"ks": ({},)},
        {"ks": ("256",)},
        {"epsilons": ([],)},
        {"readings": ("affine",)},
        {"readings": ()},
        {"runs": 0},
        {"runs": True},
        {"seed": -1},
        {"records": 0},
        {"words": 0},
        {"top": 0},
        {"top": 2001},
        {"top": 51},
    ],
)
def test_bad_plans(bad: dict[str, Any]) -> None:
    with pytest.raises(DomainError):
        Plan(**bad)


@pytest.mark.slow
def test_the_command(folder: Path, document: dict[str, Any]) -> None:
    assert {path.name for path in folder.iterdir()} >= {
        "reproduce.json",
        "cost-harmonic.png",
        "rank-harmonic-fixed.svg",
    }
    assert json.loads((folder / "reproduce.json").read_text(encoding="utf-8")) == document


@pytest.mark.slow
def test_a_miss_is_exit_code_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dp_studies.reproduce.s004.summary.misses", lambda document: ["a point"])
    few = ["--data", "harmonic", "--k", "4", "--m", "8", "--epsilon", "4", "--runs", "1", "--functions", "random"]
    assert CliRunner().invoke(main, ["reproduce", "004", "--out", str(tmp_path), *OPTIONS, *few]).exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([], "SOURCE"),
        (["003"], "SOURCE"),
        (["4"], "SOURCE"),
        (["004", "--figures", "1"], "--figures"),
        (["004", "--calibration", "paper"], "--calibration"),
        (["002", "--epsilon", "2"], "--epsilon"),
        (["004", "--epsilon", "0"], "epsilons"),
        (["004", "--epsilon", "x"], "epsilon"),
        (["004", "--k", "0"], "ks"),
        (["004", "--k", "1,,2"], "k"),
        (["004", "--m", "1"], "ms"),
        (["004", "--data", "zipf"], "data"),
        (["004", "--functions", "affine"], "--functions"),
        (["004", "--runs", "0"], "--runs"),
        (["004", "--records", "0"], "--records"),
        (["004", "--words", "10"], "top"),
        (["004", "--jobs", "0"], "--jobs"),
    ],
)
def test_bad_commands(arguments: list[str], word: str) -> None:
    found = CliRunner().invoke(main, ["reproduce", *arguments])
    assert found.exit_code == 2
    assert word in found.output
    assert found.output.count("\n") == 1


def test_every_source_has_a_command() -> None:
    for source in SOURCES:
        found = CliRunner().invoke(main, ["reproduce", source, "--help"])
        assert found.exit_code == 0
        assert f"dp-refimpl reproduce {source}" in found.output
