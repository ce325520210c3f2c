"""The command imports what the given command needs, and no more."""

import subprocess
import sys

import click

from dp_command import COMMANDS, main


def test_every_command_is_where_it_is_said_to_be_and_help_imports_none() -> None:
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command is not None
        assert command.help
    program = "import sys, dp_command\ntry: dp_command.main(['--help'])\nfinally: print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert all(f"\n  {name} " in done.stdout for name in COMMANDS)
    assert not {"numpy", "matplotlib", "joblib", "dp_audit", "dp_checks.check"} & set(done.stderr.split())
