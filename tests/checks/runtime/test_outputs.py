"""Outputs: files are written where they were asked for, and never through a link that somebody has put there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from dp_checks.runtime.journal import Journal
from dp_checks.runtime.outputs import LinkedOutputError, make_folder, write_file
from dp_command import main

pytestmark = pytest.mark.skipif(os.name != "posix", reason="symbolic links of POSIX")


@pytest.mark.parametrize("exists", [True, False])
def test_a_file_that_is_a_link_is_refused(exists: bool, tmp_path: Path) -> None:
    victim, link = tmp_path / "victim", tmp_path / "link"
    if exists:
        victim.write_text("kept")
    link.symlink_to(victim)
    with pytest.raises(LinkedOutputError, match="symbolic link"):
        write_file(link, "new")
    with pytest.raises(LinkedOutputError, match="symbolic link"):
        Journal(link, "certify").add({"key": 1})
    assert victim.exists() == exists
    assert not exists or victim.read_text() == "kept"


def test_a_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(LinkedOutputError):
        make_folder(tmp_path / "link")
    write_file(make_folder(tmp_path / "link" / "below") / "file", "a link above is the business of who gave the path")


def test_files_are_written_anew(tmp_path: Path) -> None:
    write_file(tmp_path / "file", "long content")
    write_file(tmp_path / "file", "ä")
    assert (tmp_path / "file").read_bytes() == "ä".encode()
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="devices of Linux")
def test_devices_go_on_working() -> None:
    write_file(Path("/dev/null"), "nothing")


@pytest.mark.slow
def test_commands_say_it_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("kept")
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "victim")
    (tmp_path / "folder").symlink_to(tmp_path / "real")
    (tmp_path / "vectors").mkdir()
    (tmp_path / "vectors" / "GRR.json").symlink_to(tmp_path / "victim")
    audited = ["audit", "table", "missing.json", "--oracle", "GRR", "--param", "d=2", "--param", "epsilon=1"]
    for arguments in (
        ["certify", "002.base.grr.eq5.norm", "--json", str(tmp_path / "link")],
        ["certify", "002.base.grr.eq5.norm", "--out", str(tmp_path / "folder")],
        ["reproduce", "002", "--out", str(tmp_path / "folder")],
        ["vectors", str(tmp_path / "folder")],
        ["vectors", str(tmp_path / "vectors")],
        *([*audited, f"--{form}", str(tmp_path / "link")] for form in ("json", "junit", "sarif", "html")),
    ):
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 2, arguments
        assert "is a symbolic link" in result.output
        assert result.output.count("\n") == 1
    assert (tmp_path / "victim").read_text() == "kept"
    assert not list((tmp_path / "real").iterdir())


def test_what_a_killed_writer_left_is_removed(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left = tmp_path / f".file.json.{gone.pid}.part"
    names = (f".file.json.{os.getppid()}.part", ".file.json.x.part", f".other.{gone.pid}.part")
    others = [tmp_path / name for name in names]
    for path in (left, *others):
        path.write_text("begun")
    write_file(tmp_path / "file.json", "whole")
    assert not left.exists()
    assert all(path.exists() for path in others)
