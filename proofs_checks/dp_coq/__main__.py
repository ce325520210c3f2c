"""`python -m dp_coq`: the theory and the certificates of `make certify` are given to Coq; what it proves is compared
with what is committed, or written (`--write`)."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from dp_coq.compiler import Compiler, ProofError
from dp_coq.record import COMMITTED, counts, derived, pending, text_of

PROOFS_CHECKS = Path(__file__).resolve().parents[1]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m dp_coq", description=__doc__)
    parser.add_argument("--certificates", type=Path, default=Path("build/certify/certificates"))
    parser.add_argument("--build", type=Path, default=Path("build/coq"), help="what Coq has said is kept here")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true", help=f"replace {COMMITTED.name}")
    parser.add_argument(
        "--pending", action="store_true", help="without Coq: note which statements it has not been given"
    )
    options = parser.parse_args()
    if options.pending:
        COMMITTED.write_text(text_of(pending(json.loads(COMMITTED.read_text("utf-8")), the_ledger())), encoding="utf-8")
        return 0
    try:
        text, table = prove(options.certificates, Compiler.of(options.build, options.jobs))
    except ProofError as error:
        print(error, file=sys.stderr)
        return 2
    print(table)
    if options.write:
        COMMITTED.write_text(text, encoding="utf-8")
    elif text != COMMITTED.read_text(encoding="utf-8"):
        print(f"{COMMITTED.name} says something else: look at the difference that --write makes", file=sys.stderr)
        return 1
    return 0


def the_ledger() -> Any:
    return json.loads((PROOFS_CHECKS / "ledger.json").read_text(encoding="utf-8"))


def prove(folder: Path, compiler: Compiler) -> tuple[str, str]:
    """The text of the record of all certificates, and the counts. Raises `ProofError` where there are none."""
    files = sorted(folder.glob("*.json"))
    if not files:
        raise ProofError(f"no certificates in {folder}: make certify writes them")
    record, rows = derived(compiler, the_ledger(), [json.loads(file.read_text(encoding="utf-8")) for file in files])
    return text_of(record), counts(rows)


if __name__ == "__main__":
    sys.exit(main())
