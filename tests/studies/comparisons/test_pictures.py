"""Pictures of comparisons are the same bytes every time."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from dp_command import main


@pytest.mark.parametrize("kind", ["svg", "png"])
@pytest.mark.parametrize("command", ["strategies --n 16", "frequency-oracles --d 16 --items 4 --range 1/2 ln(9)"])
def test_a_picture_is_the_same_bytes(command: str, kind: str, tmp_path: Path) -> None:
    files = [tmp_path / f"{i}.{kind}" for i in range(2)]
    for file in files:
        done = CliRunner().invoke(main, [*command.split(), "--plot", str(file)])
        assert done.exit_code == 0, done.output
    assert files[0].read_bytes() == files[1].read_bytes()
    assert len(files[0].read_bytes()) > 5000
