"""`python -m dp_checks.kernel CERTIFICATE...`: re-check certificates with the standard library alone. Exit 1 if one is rejected."""

import json
import sys
from pathlib import Path

from dp_checks.kernel import Rejected, verify


def main(paths: list[str]) -> int:
    """Check every certificate file; print a line for each."""
    if not paths or paths[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if paths else 2
    rejected = 0
    for path in paths:
        try:
            certificate = json.loads(Path(path).read_text(encoding="utf-8"))
            verify(certificate)
        except (OSError, json.JSONDecodeError, UnicodeDecodeError, Rejected) as error:
            rejected += 1
            print(f"REJECTED {path}: {error}")
        else:
            print(f"accepted {certificate['id']}: {certificate['verdict']}")
    return 1 if rejected else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
