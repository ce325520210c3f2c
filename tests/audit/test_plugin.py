"""The pytest plugin, in pytest runs of its own: what passes, what fails and how, files, workers, and no cost unused."""

import json
import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from audit.targets import clients
from cases.refusals import refusal_test, refuses
from dp_audit.options import Options
from dp_audit.plugin import AssertConforms, ConformanceError, conforming
from dp_audit.report.document import schema

BRIEF = Options(users=(), reuse=False, unmodified=False)
UNUSED = """
    import sys

    def test_nothing_is_imported_before_it_is_used():
        assert not {"flint", "numpy", "matplotlib", "rich", "dp_checks", "dp_audit.plugin"} & set(sys.modules)
"""
SUITE = """
    import unittest

    import pytest

    import clients
    from dp_audit import Options

    BRIEF = Options(users=(1,), reuse=False, unmodified=False)

    @pytest.mark.conforms_to("GRR", options=BRIEF, d=3, epsilon=1.0)
    def test_correct():
        return clients.grr, clients.estimate

    @pytest.mark.conforms_to("GRR", options=BRIEF, d=3, epsilon=1.0)
    def test_wrong():
        return clients.too_little_noise

    @pytest.mark.conforms_to("GRR", options=BRIEF, d=3, epsilon=1.0, accept=["law", "privacy"])
    def test_known():
        return clients.too_little_noise

    @pytest.mark.conforms_to("GRR", options=BRIEF, d=3, epsilon=1.0)
    def test_returns_nothing():
        pass

    @pytest.mark.conforms_to("GRR", options=BRIEF, d=3, epsilon=1.0)
    def test_fails_itself():
        assert clients.HISTORY, "own message"

    @pytest.mark.conforms_to("GRR", options=BRIEF, d=3, epsilon=1.0)
    class TestMethods(unittest.TestCase):
        def test_unittest(self):
            pass

    @pytest.fixture(scope="module")
    def audited(assert_conforms):
        return assert_conforms(clients.grr, "GRR", options=BRIEF, d=2, epsilon="ln(2)")

    def test_fixture(audited):
        assert audited.row("law").verdict in ("conforms", "rounding")
"""
PASSED = {"test_correct", "test_known", "test_fixture"}
FAILED = {"test_wrong", "test_returns_nothing", "test_fails_itself", "test_unittest"}


def suite(folder: Path, text: str, *options: str) -> str:
    """What a strict run of pytest prints that has no plugin but this one (and those in the options)."""
    (folder / "clients.py").write_text(Path(clients.__file__).read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "test_suite.py").write_text(textwrap.dedent(text), encoding="utf-8")
    plugins = ("-p", "dp_audit.pytest_plugin", "-p", "no:cacheprovider")
    fixed = ("-m", "pytest", *plugins, "--strict-markers", "-W", "error")
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "COV"))}
    done = subprocess.run(
        [sys.executable, *fixed, "-v", "-ra", *options, "."],
        cwd=folder,
        env=clean | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.stdout + done.stderr


def outcomes(said: str) -> tuple[set[str], set[str]]:
    """The names of the tests that passed, and of those that did not."""
    words = [line.split() for line in said.splitlines() if line.startswith(("PASSED", "FAILED", "ERROR"))]
    named = [(w[0], w[1].rpartition("::")[2]) for w in words if len(w) > 1]
    return {n for word, n in named if word == "PASSED"}, {n for word, n in named if word != "PASSED"}


def test_a_run_that_does_not_use_it_imports_nothing_heavy(tmp_path: Path) -> None:
    said = suite(tmp_path, UNUSED, "--dp-json=audit.json")
    assert "1 passed" in said
    assert "no audit was run: audit.json is not written" in said
    assert not (tmp_path / "audit.json").exists()


@pytest.mark.slow
def test_marker_and_fixture_in_workers(tmp_path: Path) -> None:
    """(Without workers: `consumer/test_wheel.py`.)"""
    (out := tmp_path / "out").mkdir()
    files = {form: out / f"audit.{form}" for form in ("json", "junit", "sarif", "html")}
    options = [f"--dp-{form}={path}" for form, path in files.items()]
    said = suite(tmp_path, SUITE, "-rA", *options, "-p", "xdist", "-n", "2")
    assert outcomes(said) == (PASSED, FAILED), said
    assert "fault       privacy" in said
    assert "from clients import too_little_noise as audited" in said
    assert "not None" in said
    assert "own message" in said
    assert "unittest.TestCase" in said
    assert "During handling" not in said
    assert "pytest_plugin.py" not in said.partition("test_returns_nothing")[0]
    document = json.loads(files["json"].read_text())
    jsonschema.Draft202012Validator(schema()).validate(document)
    audited = sorted((r["mechanism"], r["verdict"]) for r in document["audits"])
    wrong = ("too_little_noise", "fault")
    assert audited == [("grr", "rounding")] * 2 + [wrong] * 2
    assert "4 audits: 2 fault, 2 rounding" in said
    assert all(path.stat().st_size for path in files.values())


@pytest.mark.slow
def test_files_that_cannot_be_written_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    text = """
        def test_one(assert_conforms):
            import clients
            from dp_audit import Options
            brief = Options(users=(), reuse=False, unmodified=False)
            assert_conforms(clients.grr, "GRR", options=brief, d=2, epsilon=1.0)
    """
    assert "cannot write" in suite(tmp_path, text, f"--dp-json={tmp_path / 'folder'}")


def test_a_folder_that_does_not_exist_is_refused_before_any_test(tmp_path: Path) -> None:
    said = suite(tmp_path, UNUSED, f"--dp-html={tmp_path / 'none' / 'audit.html'}")
    assert f"{tmp_path / 'none'} is no folder" in said
    assert "passed" not in said
    assert not (tmp_path / "none").exists()


@pytest.mark.slow
def test_a_fault_raises_with_the_report_that_is_kept() -> None:
    audits: list[str] = []
    check = AssertConforms(audits)
    with pytest.raises(ConformanceError) as caught:
        check(clients.too_much_noise, "GRR", options=BRIEF, d=3, epsilon=1.0)
    lines = str(caught.value).splitlines()
    verdicts = [line.split()[0] for line in lines if line.split()[0] in ("fault", "warning", "rounding", "conforms")]
    assert verdicts[0] == "fault"
    assert "fault" not in verdicts[1:]
    assert any("most_common()" in line for line in lines)
    assert json.loads(audits[0])["verdict"] == "fault"


@pytest.mark.slow
def test_what_could_not_be_decided_is_not_conformance() -> None:
    with pytest.raises(ConformanceError, match="TargetHung: killed after 1 s"):
        AssertConforms([])(hangs, "GRR", options=Options(timeout=1), d=3, epsilon=1.0)
    with pytest.raises(ConformanceError, match="TargetDied: exit status"):
        AssertConforms([])(lambda item: os._exit(3), "GRR", d=3, epsilon=1.0)


def hangs(item: int) -> int:
    while item == 1:
        time.sleep(0.01)
    return item


@pytest.mark.slow
def test_warnings_raise_only_if_strict() -> None:
    check = partial(AssertConforms([]), clients.too_much_noise, "GRR", accept=("law",), options=BRIEF)
    assert check(d=3, epsilon=1.0).row("tightness").verdict == "warning"
    with pytest.raises(ConformanceError, match="tightness"):
        check(strict=True, d=3, epsilon=1.0)


@pytest.mark.slow
def test_a_file_is_audited_in_a_child_process() -> None:
    check = AssertConforms([])
    assert check(f"{clients.__file__}:grr", "GRR", options=BRIEF, d=3, epsilon=1.0).method == "exact"
    with pytest.raises(ConformanceError, match="privacy"):
        check(f"{clients.__file__}:too_little_noise", "GRR", options=BRIEF, d=3, epsilon=1.0)


def asserting(target: Any = clients.grr, **options: Any) -> Callable[[], object]:
    return lambda: AssertConforms([])(target, "GRR", **{"d": 3, "epsilon": 1.0, **options})


test_bad_use_is_a_typed_error = refusal_test(
    refuses("", asserting(accept=["no such check"]), says="accept"),
    refuses("", asserting(accept="law"), says="accept"),
    refuses("", asserting("file.py"), says="target"),
    refuses("", asserting("file.py:f", estimate=clients.estimate), says="estimate"),
    refuses("", asserting(epsilom=1.0), says="epsilom"),
    refuses("", asserting((clients.grr, clients.estimate)), says="estimate="),
)


def test_a_test_has_one_oracle() -> None:
    with pytest.raises(TypeError, match="one oracle"):
        conforming(lambda: clients.grr, [((), {"d": 3})], AssertConforms([]))()


EXAMPLES = """
    from hypothesis import given, settings, strategies as st

    import clients
    from dp_audit.options import Options

    BRIEF = Options(users=(), reuse=False, unmodified=False)

    @settings(max_examples=5, database=None, derandomize=True)
    @given(d=st.integers(2, 5))
    def test_many(assert_conforms, d):
        assert_conforms(clients.too_little_noise, "GRR", options=BRIEF, d=d, epsilon=1.0)

    def test_one(assert_conforms):
        assert_conforms(clients.too_little_noise, "GRR", options=BRIEF, d=3, epsilon=1.0)
"""


@pytest.mark.slow
def test_there_is_one_page_for_each_failing_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    said = suite(tmp_path, EXAMPLES)
    pages = sorted((tmp_path / "temporary").glob("dp-refimpl-*/*.html"))
    assert [page.name.rpartition("-")[0] for page in pages] == ["test_suite.py-test_many", "test_suite.py-test_one"]
    assert all(f"page: {page}" in said for page in pages)
    assert "d = 2" in pages[0].read_text(encoding="utf-8")


COMMANDING = r"""
    import pytest

    HASHES = 2 * "#"  # so that pytest shows nothing of this text that a runner would obey

    def says(item):
        print("\n::error::printed")
        raise LookupError(f"\n::error::raised\r{HASHES}[error]raised\x1b[2J\u2028::stop-commands::x")

    class Raises:
        def __init__(self, **parameters):
            raise ValueError(f"\n::error::made\n{HASHES}[error]made")

    @pytest.mark.conforms_to("GRR", d=2, epsilon=1.0)
    def test_marked():
        return says

    def test_fixture(assert_conforms):
        assert_conforms(says, "GRR", d=2, epsilon=1.0)

    @pytest.mark.conforms_to("GRR", d=2, epsilon=1.0)
    def test_marked_class():
        return Raises

    def test_class(assert_conforms):
        assert_conforms(Raises, "GRR", d=2, epsilon=1.0)
"""


@pytest.mark.slow
@pytest.mark.parametrize("style", ["auto", "line", "native"])
def test_a_log_obeys_nothing_that_the_code_says(style: str, tmp_path: Path) -> None:
    said = suite(tmp_path, COMMANDING, f"--tb={style}", "--showlocals", f"--junitxml={tmp_path / 'pytest.xml'}")
    assert "4 failed" in said
    assert "ValueError" in said or style == "line"  # which shows one line of each
    for text in (said, (tmp_path / "pytest.xml").read_text(encoding="utf-8")):
        assert [line for line in text.splitlines() if line.lstrip().startswith("::") or "##[" in line] == []
        assert "\x1b[2J" not in text
