"""Re-check certificates with the standard library alone; with a ledger also that it has this verdict on this statement
under this id. Exit 1 if one is rejected, 2 if one cannot be read.
"""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from dp_kernel import Rejected, verify
from dp_kernel.certificate.digest import require_pinned
from dp_kernel.meter import DEFAULT, require


def main(arguments: list[str]) -> int:
    """Check every certificate file; print a line for each."""
    parser = ArgumentParser("python -m dp_kernel", description=__doc__)
    parser.add_argument(
        "--work", type=int, default=DEFAULT, help="units of work allowed for each (default: %(default)s)"
    )
    parser.add_argument("certificates", nargs="+", metavar="CERTIFICATE")
    parser.add_argument("--ledger", metavar="FILE", help="the ledger that pins verdicts and statements")
    options = parser.parse_args(arguments)
    try:
        ledger = None if options.ledger is None else read(Path(options.ledger), max(options.work, DEFAULT))
    except (OSError, Rejected) as error:
        print(printable(f"no ledger: {options.ledger}: {error}"))
        return 2
    codes = {0}
    for path in options.certificates:
        try:
            certificate = read(Path(path), options.work)
            verify(certificate, options.work)
            if options.ledger is not None:
                require_pinned(certificate, ledger)
        except (OSError, Rejected) as error:
            code, word = (2, "NOT READ") if isinstance(error, OSError) else (1, "REJECTED")
            codes.add(code)
            print(printable(f"{word} {path}: {error}"))
        else:
            print(printable(f"accepted {certificate['id']}: {certificate['verdict']}"))
    return max(codes)


def read(path: Path, work: int = DEFAULT) -> Any:
    """The JSON of a file of at most a byte for two units of work. Raises `OSError`, and `Rejected` for a longer file,
    for anything that is not JSON and for a field that is named twice.
    """
    most = max(work, 0) // 2
    with path.open("rb") as file:
        content = file.read(most + 1)
    require(len(content) <= most, f"more than {most} bytes, the limit for {work} units of work (--work)")
    try:
        return json.loads(content.decode(), object_pairs_hook=_fields)
    except (ValueError, RecursionError) as error:
        raise error if isinstance(error, Rejected) else Rejected(f"not JSON: {error}") from error


def printable(text: str) -> str:
    """One line of ASCII, whatever a certificate's author has put into it."""
    line = text[:500].encode("ascii", "backslashreplace").decode().replace("##", r"#\x23")
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)[:500]


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    require(len(fields) == len(pairs), "a field is named twice")
    return fields


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print("interrupted: the certificates that are not named were not checked", file=sys.stderr)
        sys.exit(130)
