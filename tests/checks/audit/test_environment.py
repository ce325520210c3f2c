"""The environment of the audited libraries: pinned, hashed, idempotent, and clear about what is missing."""

import re
import shutil
import sys
from pathlib import Path

import pytest

from dp_checks.audit import environment
from dp_checks.audit.environment import AuditEnvironmentError, create, default_directory, locate, main

LOCKS = Path(environment.__file__).parent


def test_locks_are_pinned_and_hashed_and_name_no_host() -> None:
    for name in ("requirements.lock", "build.lock"):
        text = (LOCKS / name).read_text(encoding="utf-8")
        assert "://" not in text
        entries = [e for e in re.split(r"\n(?=[a-z])", text) if not e.startswith("#") or "\n" in e]
        pinned = [entry for entry in entries if re.match(r"[a-z0-9-]+==", entry)]
        assert pinned
        assert all("--hash=sha256:" in entry for entry in pinned)
    pins = (LOCKS / "requirements.lock").read_text(encoding="utf-8")
    assert "pure-ldp==1.2.0" in pins
    assert "multi-freq-ldpy==0.2.5" in pins


def test_directory_can_be_named_by_a_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(environment.VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    assert default_directory() == tmp_path / ".audit-env"
    monkeypatch.setenv(environment.VARIABLE, str(tmp_path / "elsewhere"))
    assert default_directory() == tmp_path / "elsewhere"


def test_missing_environment_is_named_with_the_command(tmp_path: Path) -> None:
    with pytest.raises(AuditEnvironmentError, match=re.escape(f"{environment.COMMAND} {tmp_path}")):
        locate(tmp_path)


def test_a_foreign_directory_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "pyvenv.cfg").write_text("somebody else's", encoding="utf-8")
    with pytest.raises(AuditEnvironmentError, match="not made by this command"):
        create(tmp_path)
    assert (tmp_path / "pyvenv.cfg").is_file()


def test_failing_installer_is_reported_in_plain_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: sys.executable)
    assert main([str(tmp_path / "new")]) == 1
    assert "installing the audited libraries failed" in capsys.readouterr().err


def test_second_run_installs_nothing_and_a_changed_lock_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []

    def pretend(command: list[str]) -> None:
        commands.append(command)
        if "venv" in command:
            python = tmp_path / "made" / "bin" / "python"
            python.parent.mkdir(parents=True)
            python.touch()

    monkeypatch.setattr(environment, "_run", pretend)
    monkeypatch.setattr(shutil, "which", lambda name: "uv")
    made = create(tmp_path / "made")
    assert len(commands) == 3
    assert all("--require-hashes" in command for command in commands[1:])
    assert create(tmp_path / "made") == made == locate(tmp_path / "made")
    assert len(commands) == 3
    monkeypatch.setattr(environment, "_digest", lambda: "another lock")
    with pytest.raises(AuditEnvironmentError):
        locate(tmp_path / "made")
    create(tmp_path / "made")
    assert len(commands) == 6


def test_half_made_environment_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(command: list[str]) -> None:
        (tmp_path / "made").mkdir(exist_ok=True)
        if "install" in command:
            raise AuditEnvironmentError("no index")

    monkeypatch.setattr(environment, "_run", fail)
    monkeypatch.setattr(shutil, "which", lambda name: "uv")
    for _ in range(2):
        with pytest.raises(AuditEnvironmentError, match="no index"):
            create(tmp_path / "made")
