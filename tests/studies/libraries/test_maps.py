"""Numbers that released libraries declare: instances are read off the library's objects, in its own environment."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from dp_audit import Environment, Verdict, audit_map_file
from dp_command import main
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.libraries.maps import MAPS, audit_map_library
from dp_studies.libraries.maps.opendp import INSTANCES
from running.child_processes import environment

SOME = (
    "make_clamp, i32, symmetric, (0, 10)",
    "make_sum of floats, insert_delete, (0.1, 0.3)",
    "make_sum of three, i64, symmetric, (-5, 3)",
    "make_mean of three floats, symmetric, (0.1, 0.3), variance",
    "make_count_by_categories, i32, True, L2Distance, float",
    "make_cast_default, i64, insert_delete, f32",
    "make_b_ary_tree, 2",
    "make_lipschitz_float_mul, -0.7",
)
"""One of each kind of domain and of metric."""


@pytest.fixture(scope="session")
def central() -> Environment:
    return environment("central")


def test_every_instance_has_a_name_of_its_own_and_the_library_s_own_words() -> None:
    assert len(INSTANCES) >= 100
    assert [name for name, made in INSTANCES.items() if "{" in made.made or "vector(" in made.made] == []
    assert "dp.vector_domain(dp.atom_domain(T='f64', nan=False), size=3)" in INSTANCES[SOME[3]].made


@pytest.mark.slow
@pytest.mark.parametrize("name", SOME)
def test_no_right_number_is_accused(central: Environment, name: str) -> None:
    audit = audit_map_library("opendp", name, environment=central)
    assert (audit.verdict, audit.versions["opendp"]) == (Verdict.CONSISTENT, "0.16.0"), audit.text()


@pytest.mark.slow
def test_a_law_that_is_assumed_is_said_to_be(central: Environment) -> None:
    audit = audit_map_library("opendp", "make_randomized_response, [0, 1, 2], 0.75", environment=central)
    assert (audit.verdict, audit.models[-1]) == (Verdict.CONSISTENT, "the function is stated, not observed")


@pytest.mark.slow
def test_a_number_that_is_changed_is_found(central: Environment, tmp_path: Path) -> None:
    text = MAPS["opendp"].path.read_text(encoding="utf-8")
    changed = text.replace("self._object.map(distance if", "0.999 * self._object.map(distance if")
    assert changed != text
    (tmp_path / "opendp.toml").write_text(MAPS["opendp"].path.with_suffix(".toml").read_text(encoding="utf-8"))
    (tmp_path / "opendp.py").write_text(changed, encoding="utf-8")
    for name in (*SOME[2:5], "make_randomized_response, [0, 1, 2], 0.75"):
        audit = audit_map_file(tmp_path / "opendp.py", name, python=central.python)
        wrong = Verdict.UNDECIDED if "response" in name else Verdict.FAULT
        assert audit.row("declared map").verdict is wrong, audit.text()


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
        (["sums.py"], "give FILE.py:NAME, the name"),
        (["missing.py:total"], "no file missing.py"),
        (["--library", "opendp", "--only", "make_nothing*"], "no instance of opendp"),
    ],
)
def test_bad_usage_of_the_command_is_refused(arguments: list[str], words: str) -> None:
    result = CliRunner().invoke(main, ["audit", "map", *arguments])
    assert (result.exit_code, words in result.output) == (2, True), result.output
