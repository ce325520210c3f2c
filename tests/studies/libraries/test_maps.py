"""Numbers that released libraries declare: instances are read off the library's objects, in its own environment."""

import json
import re
import shutil
from ast import literal_eval
from collections import Counter
from pathlib import Path
from subprocess import run

import pytest
from click.testing import CliRunner

from dp_audit import Environment, Verdict, audit_map_file
from dp_command import main
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.libraries.maps import MAPS, audit_map_library
from dp_studies.libraries.maps.opendp import INSTANCES
from dp_studies.libraries.maps.published import differing, document, published, row
from running.child_processes import environment

SOME = (
    "make_clamp, i32, symmetric, (0, 10)",
    "make_sum of floats, f64, insert_delete, (-0.25, 0.125)",
    "make_sum of three, i64, symmetric, (-5, 3)",
    "make_mean and make_variance of three floats, symmetric, (0.0, 10.0), variance",
    "make_count_by_categories, i32, True, L2Distance, float",
    "make_count_by, i32, [0, 1, -1, 7], 2",
    "make_cast_default, i64, symmetric, f32",
    "make_b_ary_tree, 3, l2, 2",
    "make_lipschitz_float_mul, f64, -0.7, (-10.0, 10.0)",
    "make_quantile_score_candidates, i32, [-1, 0], 0.1",
    "make_stable_lazyframe, frame.select(pl.col('a'))",
    "make_split_lines",
)
"""One of each kind of domain and of metric, of which the number is right."""
RESPONSE = "make_randomized_response, [0, 1, 2], 0.75"
TREE = "make_b_ary_tree, 9, l2, 3"


@pytest.fixture(scope="session", params=["0.15.1", "0.16.0"])
def release(request: pytest.FixtureRequest) -> tuple[str, Environment]:
    return request.param, environment(f"opendp-{request.param}")


def test_every_instance_has_a_name_of_its_own_and_all_its_values() -> None:
    assert len(INSTANCES) >= 300
    assert [name for name, made in INSTANCES.items() if re.search("<[A-Za-z]+>", re.sub("<f64>", "", made.make))] == []
    assert INSTANCES["make_select_column, a"].make.count("'a'") == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", SOME)
def test_no_right_number_is_accused(release: tuple[str, Environment], name: str) -> None:
    version, made = release
    audit = audit_map_library("opendp", name, version=version, environment=made, limit=60)
    assert (audit.verdict, audit.versions["opendp"]) == (Verdict.CONSISTENT, version), audit.text()


@pytest.mark.slow
def test_a_law_that_is_assumed_is_said_to_be(release: tuple[str, Environment]) -> None:
    audit = audit_map_library("opendp", RESPONSE, environment=release[1])
    assert (audit.verdict, audit.models[-1]) == (Verdict.CONSISTENT, "the function is stated, not observed")


@pytest.mark.slow
def test_the_number_of_trees_is_too_small_and_the_library_alone_repeats_it(release: tuple[str, Environment]) -> None:
    row = audit_map_library("opendp", TREE, environment=release[1], limit=20).row("declared map")
    assert row.verdict is Verdict.FAULT
    done = run([str(release[1].python), "-I", "-c", "\n".join(row.reproduction)], capture_output=True, text=True)
    left, right, declared = literal_eval("[" + done.stdout.replace("] ", "], ") + "]")
    assert sum((a - b) ** 2 for a, b in zip(left, right, strict=True)) > declared**2 > 0


@pytest.mark.slow
def test_a_number_that_is_changed_is_found(release: tuple[str, Environment], tmp_path: Path) -> None:
    for file in ("opendp.py", "instances.py"):
        shutil.copy(MAPS["opendp"].path.with_name(file), tmp_path)
    table = MAPS["opendp"].path.with_suffix(".toml").read_text(encoding="utf-8")
    changed = table.replace(
        'declared = "bound(made, above(distance))"', 'declared = "0.999 * bound(made, above(distance))"'
    )
    assert changed != table
    (tmp_path / "opendp.toml").write_text(changed, encoding="utf-8")
    for name in (*SOME[2:5], RESPONSE):
        audit = audit_map_file(tmp_path / "opendp.py", name, python=release[1].python, limit=60)
        wrong = Verdict.UNDECIDED if name == RESPONSE else Verdict.FAULT
        assert audit.row("declared map").verdict is wrong, audit.text()


HANDED = {
    "spent by sums and counts, sum(rows(member), bounds=(0, 10)), change-one": (Verdict.CONSISTENT, Verdict.ROUNDING),
    "spent by sums and counts, count_nonzero(rows(member)), symmetric": (Verdict.CONSISTENT,),
    "spent by means and variances, mean(rows(member), bounds=(0, 10)), change-one": (
        Verdict.CONSISTENT,
        Verdict.ROUNDING,
    ),
    "spent by quantiles, quantile(rows(member), 0.5, bounds=(0, 10)), change-one": (Verdict.CONSISTENT,),
    "handed by means and variances, var(rows(member), bounds=(0, 10)), change-one": (Verdict.CONSISTENT,),
    "spent by sums and counts, sum(rows(member), bounds=(-10, -4)), symmetric": (Verdict.FAULT,),
    "spent by histograms, histogram(rows(member), bins=3, range=(0, 10)), change-one": (Verdict.FAULT,),
    "handed by means and variances, mean(rows(member), bounds=(0, 10)), symmetric": (Verdict.FAULT,),
}
"""What diffprivlib hands to mechanisms keeps its epsilon under one relation of neighbors, which it does not name."""


@pytest.mark.slow
@pytest.mark.parametrize("name", HANDED)
def test_what_is_handed_to_mechanisms(name: str) -> None:
    audit = audit_map_library("diffprivlib", name, environment=environment("central"), limit=40)
    assert audit.verdict in HANDED[name], audit.text()


ROOT = Path(__file__).parents[3]


def test_what_is_published_is_of_the_instances_there_are() -> None:
    releases = published("opendp", ROOT)
    assert list(releases) == list(MAPS["opendp"].environments)
    assert all(set(rows) == set(INSTANCES) for rows in releases.values())


def test_the_page_says_what_is_published() -> None:
    page = (ROOT / "docs" / "guide" / "audit-maps.md").read_text(encoding="utf-8")
    releases = published("opendp", ROOT)
    for version, rows in releases.items():
        count = Counter(row["verdict"] for row in rows.values())
        line = [str(count[verdict]) for verdict in ("conforms", "consistent", "rounding", "undecided", "fault")]
        assert " | ".join([f"| {version}", str(len(rows)), *line]) in page
    faults = [name for rows in releases.values() for name, row in rows.items() if row["verdict"] == "fault"]
    trees = [name for name in faults if name.startswith("make_b_ary_tree") and ", l2, " in name]
    bounded = [name for name in faults if name.startswith("make_metric_bounded") and "insert_delete" in name]
    assert (trees != [], bounded != [], len(trees) + len(bounded)) == (True, True, len(faults))
    assert ("No verdict differs" in page) == (differing(releases) == [])


def test_of_a_quiet_verdict_no_more_is_published() -> None:
    quiet = {"verdict": "consistent", "rows": [{"verdict": "consistent"}]}
    fault = {"check": "declared map", "detail": "1 and 2", "verdict": "fault", "reproduction": ["a", "b"]}
    rows = {"x": row(quiet), "y": row({"verdict": "fault", "rows": [fault]})}
    assert rows["x"] == {"verdict": "consistent"}
    assert rows["y"] == {"verdict": "fault", "check": "declared map", "detail": "1 and 2", "repeat": "a\nb"}
    assert differing({"1": rows, "2": rows}) == []
    assert differing({"1": rows, "2": {"x": rows["y"], "y": rows["y"]}}) == ["x"]
    assert json.loads(document("opendp", {"1": rows}))["releases"]["1"] == rows


def test_an_unknown_release_is_refused() -> None:
    with pytest.raises(DomainError, match=r"did you mean 0\.16\.0 or 0\.15\.1"):
        audit_map_library("opendp", SOME[0], version="0.14.0")


@pytest.mark.parametrize(
    ("library", "name", "words"),
    [("opndp", SOME[0], "did you mean opendp"), ("opendp", "make_clmp", "known are make_clamp, make_clamp of floats")],
)
def test_an_unknown_name_is_refused(library: str, name: str, words: str) -> None:
    with pytest.raises(DomainError, match=words):
        audit_map_library(library, name)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "give FILE.py:NAME, or --library"),
        (["sums.py:total", "--library", "opendp"], "give FILE.py:NAME, or --library"),
        (["--library", "opendp", "--version", "1"], "0.15.1"),
        (["--library", "opendp", "--limit", "1"], "limit"),
        (["sums.py"], "give FILE.py:NAME, the name"),
        (["missing.py:total"], "no file missing.py"),
        (["--library", "opendp", "--only", "make_nothing*"], "no instance of opendp"),
    ],
)
def test_bad_usage_of_the_command_is_refused(arguments: list[str], words: str) -> None:
    result = CliRunner().invoke(main, ["audit", "map", *arguments])
    assert (result.exit_code, words in result.output) == (2, True), result.output
