"""The environments of the audited libraries: pinned, hashed, idempotent, and clear about what is missing."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner

from dp_audit import environment
from dp_audit.environment import JAVASCRIPT, NAMES, AuditEnvironmentError, create, default_directory, locate
from dp_command import main
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.libraries import LIBRARIES

LOCKS = Path(environment.__file__).parent / "locks"
PINNED = {
    "local": ("pure-ldp==1.2.0", "multi-freq-ldpy==0.2.5", "ldp-toolbox==0.1.3"),
    "central": ("trasgodp==2.1.0", "diffprivlib==0.6.6", "opendp==0.16.0"),
    "further": (
        *("diffpriv-pure==0.1.0", "nprr==0.1.4", "privadjust==1.0.13", "ldp-hierarchical-mechanism==0.1.3"),
        *("datasynthesizer==0.1.13", "python-dp==1.1.5", "smartnoise-sql==1.0.10"),
    ),
    "synthesis": ("dpmm==0.1.9", "synthcity==0.2.12"),
    "javascript": ("differential-privacy==1.1.2", "weighted-random==0.1.0"),
    "tumult": ("tmlt-core==0.20.0", "pyspark==3.5.9"),
    "accountants": ("dp-accounting==0.6.0", "prv-accountant==0.2.0"),
    "opendp-0.15.1": ("opendp==0.15.1", "polars==1.36.1"),
    "opendp-0.16.0": ("opendp==0.16.0", "polars==1.36.1"),
}


PYTHON = tuple(name for name in NAMES if name != JAVASCRIPT)


def entries(lock: str) -> list[str]:
    text = (LOCKS / f"{lock}.lock").read_text(encoding="utf-8")
    return [entry for entry in re.split(r"\n(?=\S)", text) if not entry.startswith("#")]


@pytest.mark.parametrize("lock", ["build", *PYTHON])
def test_locks_are_pinned_and_hashed_and_name_no_host(lock: str) -> None:
    pinned = entries(lock)
    assert pinned
    assert all(re.match(r"[a-z0-9-]+==[0-9.a-z]+ ", e) and "--hash=sha256:" in e for e in pinned)
    text = (LOCKS / f"{lock}.lock").read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index" not in text


@pytest.mark.parametrize("name", PYTHON)
def test_every_environment_holds_its_libraries(name: str) -> None:
    assert set(PINNED[name]) <= {entry.split()[0] for entry in entries(name)}


def test_the_lock_of_modules_is_pinned_and_hashed_and_names_no_host() -> None:
    text = (LOCKS / JAVASCRIPT / "package-lock.json").read_text(encoding="utf-8")
    packages = {name: package for name, package in json.loads(text)["packages"].items() if name}
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())
    assert "://" not in text
    wanted = json.loads((LOCKS / JAVASCRIPT / "package.json").read_text(encoding="utf-8"))["dependencies"]
    assert all(packages[f"node_modules/{name}"]["version"] == version for name, version in wanted.items())
    assert set(PINNED[JAVASCRIPT]) <= {f"{name}=={version}" for name, version in wanted.items()}


def test_what_is_left_out_is_in_no_lock_and_explained() -> None:
    left_out = [line.split()[0] for line in (LOCKS / "left_out.txt").read_text().splitlines() if line[0] != "#"]
    assert "ray" in left_out
    locked = {entry.partition("==")[0] for name in PYTHON for entry in entries(name)}
    assert not locked & set(left_out)
    readme = (LOCKS.parent / "README.md").read_text(encoding="utf-8")
    assert all(name in readme for name in left_out)


def test_every_audited_library_is_pinned_in_the_environment_that_it_names() -> None:
    for library in LIBRARIES.values():
        assert any(pin.startswith(f"{library.name.lower()}==") for pin in PINNED[library.environment]), library.name


def test_directory_can_be_named_by_a_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(environment.VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    assert default_directory() == tmp_path / ".audit-env"
    monkeypatch.setenv(environment.VARIABLE, str(tmp_path / "elsewhere"))
    assert default_directory() == tmp_path / "elsewhere"


@pytest.mark.parametrize("use", [locate, create])
def test_unknown_environment_is_refused(use: Callable[[str, Path], object], tmp_path: Path) -> None:
    for name in ("", "Local", "../local"):
        with pytest.raises(DomainError, match="one of local, central"):
            use(name, tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_missing_environment_is_named_with_the_command(name: str, tmp_path: Path) -> None:
    with pytest.raises(AuditEnvironmentError, match=re.escape(f"{environment.COMMAND} {name} --directory {tmp_path}")):
        locate(name, tmp_path)


def test_a_foreign_directory_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "local").mkdir()
    (tmp_path / "local" / "pyvenv.cfg").write_text("somebody else's", encoding="utf-8")
    with pytest.raises(AuditEnvironmentError, match="not made by this command"):
        create("local", tmp_path)
    assert (tmp_path / "local" / "pyvenv.cfg").is_file()


def test_failing_installer_is_reported_in_plain_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: sys.executable)
    done = CliRunner().invoke(main, ["audit", "environment", "local", "--directory", str(tmp_path / "new")])
    assert done.exit_code == 2
    assert "installing the audited libraries failed" in done.stderr


def test_missing_venv_is_reported_in_plain_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(command: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, "", "ensurepip")

    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(environment, "run", broken)
    with pytest.raises(AuditEnvironmentError, match="python3-venv"):
        create("local", tmp_path)


def test_newer_python_is_refused_before_anything_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "_run", lambda command: pytest.fail(f"ran {command}"))
    monkeypatch.setattr(sys, "version_info", (3, 13, 0, "final", 0))
    with pytest.raises(AuditEnvironmentError, match=r"Python 3\.13: trasgodp .*numpy 2\.0\.2(.|\n)*Python 3\.12"):
        create("central", tmp_path)
    assert not (tmp_path / "central").exists()


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands run, by a uv that makes empty environments."""
    run: list[list[str]] = []

    def pretend(command: list[str]) -> None:
        run.append(command)
        if "venv" in command:
            python = Path(command[-1]) / "bin" / "python"
            python.parent.mkdir(parents=True, exist_ok=True)
            python.touch()

    monkeypatch.setattr(environment, "_run", pretend)
    monkeypatch.setattr(environment, "_NEWEST", {})  # whichever Python this is
    monkeypatch.setattr(shutil, "which", lambda name: "uv")
    return run


def test_second_run_installs_nothing_and_a_changed_lock_counts(
    tmp_path: Path, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = create("local", tmp_path)
    assert len(commands) == 3
    for command in commands[1:]:
        assert {"--require-hashes", "--no-deps", "--only-binary"} <= set(command)
    assert create("local", tmp_path) == made == locate("local", tmp_path)
    assert len(commands) == 3
    monkeypatch.setattr(environment, "_digest", lambda name: "another lock")
    with pytest.raises(AuditEnvironmentError):
        locate("local", tmp_path)
    create("local", tmp_path)
    assert len(commands) == 6


def test_modules_are_installed_from_their_lock_without_running_anything(
    tmp_path: Path, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def installed(command: list[str]) -> None:
        commands.append(command)
        (tmp_path / JAVASCRIPT / "node_modules").mkdir()

    monkeypatch.setattr(environment, "_run", installed)
    made = create(JAVASCRIPT, tmp_path)
    assert made.modules == tmp_path / JAVASCRIPT / "node_modules"
    assert {"ci", "--ignore-scripts"} <= set(commands[0])
    assert (tmp_path / JAVASCRIPT / "package-lock.json").is_file()
    assert create(JAVASCRIPT, tmp_path) == made
    assert len(commands) == 1


def test_missing_npm_is_reported_in_plain_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(AuditEnvironmentError, match="node and npm"):
        create(JAVASCRIPT, tmp_path)


def test_environments_are_independent(
    tmp_path: Path, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(environment.VARIABLE, str(tmp_path))
    assert CliRunner().invoke(main, ["audit", "environment", "central"]).exit_code == 0
    assert locate("central").python.parents[1] == tmp_path / "central"
    with pytest.raises(AuditEnvironmentError):
        locate("local")
    assert CliRunner().invoke(main, ["audit", "environment"]).exit_code == 0
    assert locate("local").python.parents[1] == tmp_path / "local"
    # One run of uv makes each, two install `local`, one `central`.
    assert [command[1] for command in commands] == ["venv", "pip", "venv", "pip", "pip"]


def test_what_is_installed_is_compiled_but_for_its_own_tests(tmp_path: Path) -> None:
    (tmp_path / "library" / "tests").mkdir(parents=True)
    for name, text in {"code": r"a = '\d'", "template": "def (", "tests/of_code": "a = 1"}.items():
        (tmp_path / "library" / f"{name}.py").write_text(text, encoding="utf-8")
    environment._compile(tmp_path)
    assert [path.name.partition(".")[0] for path in tmp_path.rglob("*.pyc")] == ["code"]


@pytest.mark.parametrize("broken", ["venv", "install"])
def test_half_made_environment_is_made_anew(
    broken: str, tmp_path: Path, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend = environment._run

    def interrupted(command: list[str]) -> None:
        (tmp_path / "local" / "left").touch()
        if broken in command:
            raise KeyboardInterrupt

    monkeypatch.setattr(environment, "_run", interrupted)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            create("local", tmp_path)
    with pytest.raises(AuditEnvironmentError):
        locate("local", tmp_path)
    monkeypatch.setattr(environment, "_run", pretend)
    create("local", tmp_path)
    assert not (tmp_path / "local" / "left").exists()
    assert len(commands) == 3


def test_two_at_once_make_it_once(tmp_path: Path, commands: list[list[str]]) -> None:
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: create("local", tmp_path), range(4)))
    assert len(set(made)) == 1
    assert len(commands) == 3
