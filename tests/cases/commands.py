"""Commands that must be refused, as data: arguments, and words of the one line that says why."""

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from dp_command import main

Refused = tuple[str, str]
"""Arguments as they are typed, and words of the error."""


def bad_command_test(command: str, refused: Sequence[Refused]) -> Callable[[str, str, Path, pytest.MonkeyPatch], None]:
    """The test that the command refuses all of these arguments in one line, each of them a case of its own."""

    @pytest.mark.parametrize(("arguments", "words"), refused, ids=[arguments[:60] for arguments, _ in refused])
    def test(arguments: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        done = CliRunner().invoke(main, shlex.split(f"{command} {arguments}"))
        assert (done.exit_code, done.stdout) == (2, ""), done.output
        assert done.stderr.startswith("Error: ")
        assert done.stderr.count("\n") == 1
        assert words in done.stderr
        assert len(done.stderr) < 600

    return test
