"""The command `python -m dp_audit.linear`: ask the libraries again, and rewrite the committed answers."""

import json
import sys
from pathlib import Path

from dp_audit.environment import AuditEnvironmentError, locate
from dp_audit.linear import COMMITTED, SCRIPTS, ask, together
from dp_checks.outputs import write_file


def main() -> int:
    """Exit status 1 if an environment is missing."""
    try:
        found = together([ask(name, locate(name)) for name in SCRIPTS])
    except AuditEnvironmentError as error:
        print(error, file=sys.stderr)
        return 1
    write_file(Path(__file__).parents[3] / COMMITTED, json.dumps(found, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
