"""Runs command lines in one process: a JSON list of argument lists on the standard input, results on the output.

It imports the installed package and nothing of the tests, so that it can run where only a wheel is installed.
"""

import json
import sys

from click.testing import CliRunner

from dp_command import main


def run(arguments: list[str]) -> dict[str, object]:
    """Exit code, all that was printed, and the exception that is no exit, if there was one."""
    done = CliRunner().invoke(main, arguments)
    raised = done.exception
    leaked = "" if raised is None or isinstance(raised, SystemExit) else repr(raised)
    return {"code": done.exit_code, "said": done.output, "leaked": leaked}


if __name__ == "__main__":
    json.dump([run(arguments) for arguments in json.load(sys.stdin)], sys.stdout)
