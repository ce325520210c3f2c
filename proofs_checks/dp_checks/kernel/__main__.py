"""`python -m dp_checks.kernel CERTIFICATE...`: re-check certificates with the standard library alone. Exit 1 if one
is rejected.
"""

import json
import sys
from pathlib import Path
from typing import Any

from dp_checks.kernel import Rejected, verify


def main(paths: list[str]) -> int:
    """Check every certificate file; print a line for each."""
    if not paths or paths[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if paths else 2
    rejected = 0
    for path in paths:
        try:
            certificate = read(path)
            verify(certificate)
        except (OSError, Rejected) as error:
            rejected += 1
            print(printable(f"REJECTED {path}: {error}"))
        else:
            print(printable(f"accepted {certificate['id']}: {certificate['verdict']}"))
    return 1 if rejected else 0


def read(path: str) -> Any:
    """The JSON of a file. Raises `OSError`, and `Rejected` for anything that is not JSON or names a field twice."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"), object_pairs_hook=_fields)
    except (ValueError, RecursionError) as error:
        raise Rejected(f"not JSON: {error}") from error


def printable(text: str) -> str:
    """One line of ASCII, whatever a certificate's author has put into it."""
    line = text.encode("ascii", "backslashreplace").decode()
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)[:500]


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) != len(pairs):
        raise Rejected("a field is named twice")
    return dict(pairs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
