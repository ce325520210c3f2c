"""The code that is running, by content: the text of every module of ours, and hashes of it; and the committed files
that go with it."""

import hashlib
import platform
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

PACKAGES = ("dp_spec", "dp_refimpl", "dp_kernel", "dp_checks", "dp_studies")
"""What verdicts and studies are made of."""
LIBRARIES = ("python-flint", "mpmath", "numpy")
"""The libraries of numbers."""

Sources = Mapping[str, bytes]
"""The text of every module, by its name."""


@cache
def sources() -> Sources:
    """The modules of `PACKAGES`, as they are now."""
    return {name: text for package in PACKAGES for name, text in _modules(files(package), package)}


@cache
def everything() -> str:
    """A hash of all code of ours that computes, audits too, and of what it runs on."""
    modules = {**sources(), **dict(_modules(files("dp_audit"), "dp_audit"))}
    return hashed(surroundings(), *(f"{name} {hashed(text)}" for name, text in sorted(modules.items())))


@cache
def hashed(*parts: str | bytes) -> str:
    """SHA-256 of the parts, a line each."""
    return hashlib.sha256(b"\n".join(p.encode() if isinstance(p, str) else p for p in parts)).hexdigest()


@cache
def surroundings() -> str:
    """The versions of Python and of the libraries of numbers."""
    return ", ".join([platform.python_version(), *(f"{library} {version(library)}" for library in LIBRARIES)])


def carried(*place: str) -> Path:
    """Where a committed file or folder is: at its place in the source tree, or among the data of an installation."""
    packaged = Path(str(files("dp_checks").joinpath("data", place[-1])))
    return packaged if packaged.exists() else Path(__file__).parents[3].joinpath(*place)


def _modules(folder: Any, name: str) -> Iterator[tuple[str, bytes]]:
    for item in folder.iterdir():
        if item.is_dir() and item.joinpath("__init__.py").is_file():
            yield from _modules(item, f"{name}.{item.name}")
        elif item.name.endswith(".py"):
            stem = item.name.removesuffix(".py")
            yield name if stem == "__init__" else f"{name}.{stem}", item.read_bytes()
