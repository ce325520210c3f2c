"""Pictures of comparisons are the same bytes every time."""

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from dp_command import main

COMMANDS = {
    "strategies": "strategies --n 16",
    "frequency-oracles": "frequency-oracles --d 16 --items 4 --range 1/2 'ln(9)'",
    "profile": "profile --k 3 --n 4 --epsilon0 'ln(3)'",
    "amplify": "amplify --out made --k 3 --n 10 --epsilon0 1 --delta 1e-3",
    "amplify, several": "amplify --out made --mechanism ldp --n 10 --n 20 --epsilon0 1 --epsilon0 'ln(3)' --delta 1e-3",
}
SLOW = [pytest.param(name, marks=pytest.mark.slow) if "amplify" in name else name for name in COMMANDS]


@pytest.mark.parametrize("kind", ["svg", "png"])
@pytest.mark.parametrize("name", SLOW)
def test_a_picture_is_the_same_bytes(name: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = [tmp_path / f"{i}.{kind}" for i in range(2)]
    for file in files:
        done = CliRunner().invoke(main, [*shlex.split(COMMANDS[name]), "--plot", str(file)])
        assert done.exit_code == 0, done.output
    assert files[0].read_bytes() == files[1].read_bytes()
    assert len(files[0].read_bytes()) > 5000
    assert files[0].read_bytes().startswith({"svg": b"<?xml", "png": b"\x89PNG"}[kind])
