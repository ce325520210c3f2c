"""What a verdict depends on, by content.

Its statement, the checkers, the programs of its laws, the kernel, and whatever modules these import; Python and the
libraries of numbers.

Imports are read from the sources, functions' own included. Three modules look up one of many (a checker, a program):
of what they import there, only what a statement needs counts. A test compares this with the modules that are run.
"""

import ast
import hashlib
import json
import platform
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from dp_checks.check.decide import checkers
from dp_kernel.certificate.digest import laws
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.statement import Statement

PACKAGES = ("dp_spec", "dp_refimpl", "dp_kernel", "dp_checks")
LIBRARIES = ("python-flint", "mpmath", "numpy")
MECHANISMS, MATRICES, SHUFFLED = "dp_refimpl.frequency.", "dp_refimpl.matrix.", "dp_refimpl.shuffle."
LOOKUPS = {
    "dp_checks.check.decide": "dp_checks.check.",
    "dp_checks.programs": MECHANISMS,
    "dp_checks.check.arcs_programs": MECHANISMS,
    "dp_checks.check.subset_programs": MECHANISMS,
    "dp_checks.check.sketch_programs": MECHANISMS,
    "dp_checks.check.additive_programs": "dp_refimpl.",
    "dp_checks.check.message_programs": SHUFFLED,
}
"""Modules that look things up, and where what they look up is."""
ALWAYS = ("dp_checks.check.decide", "dp_checks.check.ties", "dp_checks.certificate")
MESSAGES = tuple(f"{SHUFFLED}{name}" for name in ("aue", "dummies", "dump", "odhp"))
"""Randomizers of laws named "messages": of several messages of one user."""
SHARED = tuple(f"{MECHANISMS}{name}" for name in ("padding", "split", "arcs", "hashing"))
"""Parts of programs of several mechanisms."""

Sources = Mapping[str, bytes]
"""The text of every module of ours, by its name."""


def key(claim: str, statement: Statement, modules: Sources | None = None) -> str:
    """A hash of everything the verdict on a statement under an id depends on.

    Raises `DomainError` for a law that is not named after the module of its mechanism.
    """
    modules = sources() if modules is None else modules
    content = statement.json()
    roots = {*ALWAYS, *SHARED, *checkers(statement), *_programs(content), *_kernel(modules)}
    if unknown := roots - modules.keys():
        raise DomainError("mechanism", sorted(unknown), "a law whose name begins with its module's")
    return _hash(json.dumps([claim, content], sort_keys=True), code(roots, modules))


def code(roots: Iterable[str], modules: Sources | None = None) -> str:
    """A hash of some modules, of all that they import, and of what they run on."""
    modules = sources() if modules is None else modules
    return _hash(_surroundings(), *(f"{name} {_hash(modules[name])}" for name in sorted(closure(roots, modules))))


def closure(roots: Iterable[str], modules: Sources) -> frozenset[str]:
    """The modules themselves and all that they import, directly or not."""
    found: set[str] = set()
    left, known = set(roots), frozenset(modules)
    while left:
        module = left.pop()
        found.add(module)
        left |= _imports(module, modules[module], known) - found
    return frozenset(found)


@cache
def everything() -> str:
    """A hash of all code of ours that computes, audits too, and of what it runs on."""
    modules = {**sources(), **dict(_modules(files("dp_audit"), "dp_audit"))}
    return _hash(_surroundings(), *(f"{name} {_hash(text)}" for name, text in sorted(modules.items())))


@cache
def sources() -> Sources:
    """The modules of the packages that verdicts are made of, as they are now."""
    return {name: text for package in PACKAGES for name, text in _modules(files(package), package)}


def _modules(folder: Any, name: str) -> Iterator[tuple[str, bytes]]:
    for item in folder.iterdir():
        if item.is_dir() and item.joinpath("__init__.py").is_file():
            yield from _modules(item, f"{name}.{item.name}")
        elif item.name.endswith(".py"):
            stem = item.name.removesuffix(".py")
            yield name if stem == "__init__" else f"{name}.{stem}", item.read_bytes()


@cache
def _imports(module: str, text: bytes, known: frozenset[str]) -> frozenset[str]:
    """Which of the known modules a module imports; of packages only those that a name is taken from."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = module.split(".")[: -node.level] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            inner = {f"{stem}.{alias.name}" for alias in node.names}
            found |= inner & known if inner <= known else {stem, *inner & known}
    looked_up = LOOKUPS.get(module)
    return frozenset(m for m in found & known if looked_up is None or not m.startswith(looked_up) or m in SHARED)


def _programs(content: Mapping[str, Any]) -> set[str]:
    """The modules of the mechanisms that the laws of a statement are tied to, as their names are made."""
    found = set()
    for law in laws(content):
        stem, more = str(law["mechanism"]).split("-")[0], [f"{MATRICES}mechanism"] if "noise" in law else []
        if stem == "messages":
            found |= {*MESSAGES}
            continue
        inside = "noise" in law and MATRICES + stem in sources()
        found |= {(MATRICES if inside else MECHANISMS) + stem, *more}
    return found


def _kernel(modules: Sources) -> set[str]:
    return {module for module in modules if module.startswith("dp_kernel")}


@cache
def _hash(*parts: str | bytes) -> str:
    return hashlib.sha256(b"\n".join(p.encode() if isinstance(p, str) else p for p in parts)).hexdigest()


@cache
def _surroundings() -> str:
    return ", ".join([platform.python_version(), *(f"{library} {version(library)}" for library in LIBRARIES)])
