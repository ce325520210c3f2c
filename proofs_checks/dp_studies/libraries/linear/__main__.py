"""The command `python -m dp_studies.libraries.linear`: ask the libraries again, and rewrite the committed answers."""

import json
import sys
from pathlib import Path

from dp_audit.environment import AuditEnvironmentError, locate
from dp_checks.runtime.outputs import write_file
from dp_studies.libraries.linear import ASKED, COMMITTED, ask, together


def main() -> int:
    """Exit status 1 if an environment is missing."""
    try:
        answers = together([ask(name, locate(name)) for name in ASKED])
    except AuditEnvironmentError as error:
        print(error, file=sys.stderr)
        return 1
    write_file(Path(__file__).parents[4] / COMMITTED, json.dumps(answers, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
