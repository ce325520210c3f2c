"""`python -m structure.public_types`: the types of all that others import are known to pyright as well as to mypy.

What is internal is listed here, with why; CONTRIBUTING says it to readers.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

INTERNAL: Mapping[str, str] = {
    "dp_kernel.": "a program that reads certificates: annotations only pyright needs would be lines that are trusted",
    "dp_audit.run.child.": "copied into the environment of what is audited, and run there",
    "dp_studies.libraries.adapters.": "run in the environment of the audited library, whose names they export",
}
"""Beginnings of the names of modules that nobody imports, and why; what is in a package itself is public."""
PUBLIC = ("dp_kernel.Rejected", "dp_kernel.verify")
"""What is exported all the same, from within."""
PACKAGES = ("dp_spec", "dp_refimpl", "dp_kernel", "dp_checks", "dp_audit", "dp_coq", "dp_studies")


def main() -> int:
    """Print a line for each package, and what is not known; 1 if anything is not."""
    unknown = 0
    for package in PACKAGES:
        symbols = exported(package)
        missing = [*incomplete(symbols)]
        print("\n".join([f"{package}: types of {len(symbols) - len(missing)} of {len(symbols)} names", *missing]))
        unknown += len(missing)
    return 1 if unknown else 0


def exported(package: str) -> list[Mapping[str, Any]]:
    """What pyright says of the names that the package exports and that are not internal."""
    command = [sys.executable, "-m", "pyright", "--ignoreexternal", "--outputjson", "--verifytypes", package]
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run(command, env={**os.environ, "PATH": search}, capture_output=True, text=True, check=False)
    symbols = json.loads(done.stdout)["typeCompleteness"]["symbols"]
    return [symbol for symbol in symbols if symbol["isExported"] and is_public(symbol["name"])]


def is_public(name: str) -> bool:
    """Whether others import it."""
    return not name.startswith(tuple(INTERNAL)) or name.startswith(PUBLIC)


def incomplete(symbols: list[Mapping[str, Any]]) -> Iterator[str]:
    """A line for every name whose type is not known, or is inferred only."""
    for symbol in symbols:
        if not symbol["isTypeKnown"] or symbol["isTypeAmbiguous"]:
            said = "; ".join(str(one["message"]).partition("\n")[0] for one in symbol.get("diagnostics", ()))
            yield f"  {symbol['name']}: {said}"


if __name__ == "__main__":
    sys.exit(main())
