"""Rewrite the corpus where the format of certificates, or what the kernel says, has changed on purpose.

    PYTHONPATH=tests python -m corpus.migration [FILE]

FILE is a Python file with a function `migrated(certificate)`, which returns the certificate in the new format, or None
where its subject is gone: the line is dropped. Without FILE the certificates stay. Every certificate is judged
afterwards. A reason that the kernel no longer gives is replaced by what it says now. Nothing is written where a right
certificate is rejected or a wrong one accepted.
"""

import json
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from corpus.certificates import ACCEPTED, REJECTED
from dp_kernel import Rejected, verify

Json = dict[str, Any]


def judged(certificate: Json) -> str | None:
    """Why the kernel rejects; None where it accepts."""
    try:
        verify(certificate)
    except Rejected as error:
        return str(error)
    return None


def rewritten(path: Path, migrated: Callable[[Json], Json | None]) -> tuple[list[Json], list[str]]:
    """The lines of a file after the migration, and what speaks against writing them."""
    lines, objections = [], []
    for text in path.read_text(encoding="ascii").splitlines():
        line = json.loads(text)
        certificate = migrated(line["certificate"])
        if certificate is None:
            print(f"dropped: {line['id']}")
            continue
        line["certificate"] = certificate
        reason = judged(line["certificate"])
        if (reason is None) == (path == REJECTED):
            objections.append(f"{line['id']}: {'accepted' if reason is None else reason}")
        elif reason is not None and (not line["reason"] or line["reason"] not in reason):
            print(f"{line['id']}: {line['reason']} -> {reason}")
            line["reason"] = reason
        lines.append(line)
    return lines, objections


def main(arguments: list[str]) -> int:
    """Migrate both files. Returns 1, and writes nothing, where a verdict changed."""
    migrated = runpy.run_path(arguments[0])["migrated"] if arguments else lambda certificate: certificate
    results = {path: rewritten(path, migrated) for path in (ACCEPTED, REJECTED)}
    objections = [objection for _, complaints in results.values() for objection in complaints]
    print(*objections, sep="\n")
    if not objections:
        for path, (lines, _) in results.items():
            path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines), encoding="ascii")
    return 1 if objections else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
