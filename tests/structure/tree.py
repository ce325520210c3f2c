"""The project's tree, as the structure tests see it."""

import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {
    "dp_spec": ROOT / "spec" / "dp_spec",
    "dp_refimpl": ROOT / "refimpl" / "dp_refimpl",
    "dp_kernel": ROOT / "proofs_checks" / "dp_kernel",
    "dp_checks": ROOT / "proofs_checks" / "dp_checks",
    "dp_audit": ROOT / "proofs_checks" / "dp_audit",
    "dp_coq": ROOT / "proofs_checks" / "dp_coq",
    "dp_studies": ROOT / "proofs_checks" / "dp_studies",
}


def modules(package: str) -> Iterator[tuple[str, Path]]:
    """Every module of one of our packages: dotted name and file."""
    top = PACKAGES[package]
    for path in sorted(top.rglob("*.py")):
        parts = path.relative_to(top.parent).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


@cache
def tracked_files() -> tuple[Path, ...]:
    """Every file of the tree that is committed or would be (git's view; ignored files are left out)."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return tuple(path for name in listed.split("\0") if name and (path := ROOT / name).is_file())
