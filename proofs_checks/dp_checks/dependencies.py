"""What a verdict depends on, by content.

Its statement, the checkers, the programs of its laws, the kernel, and whatever modules these import; Python and the
libraries of numbers.

Imports are read from the sources, functions' own included. Some modules look up one of many (a checker, a program):
of what they import there, only what a statement needs counts. A test compares this with the modules that are run.
"""

import ast
import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from dp_checks import matrix_programs, programs
from dp_checks.check.decision import checkers
from dp_checks.runtime.sources import Sources, hashed, sources, surroundings
from dp_kernel.certificate.digest import laws
from dp_spec.vocabulary.statement import Statement

MECHANISMS, MATRICES, SHUFFLED = "dp_refimpl.frequency.", "dp_refimpl.matrix.", "dp_refimpl.shuffle."
LOOKUPS: Mapping[str, tuple[str, ...]] = {
    "dp_checks.check.decision": ("dp_checks.check.",),
    "dp_checks.programs": (MECHANISMS, SHUFFLED),
    "dp_checks.matrix_programs": (MECHANISMS, MATRICES),
    "dp_refimpl.mechanisms": (MECHANISMS,),
}
"""Modules that look things up, and where what they look up is."""
ALWAYS = ("dp_checks.check.decision", "dp_checks.check.ties", "dp_checks.certificate")
SHARED = tuple(f"{MECHANISMS}{name}" for name in ("padding", "budget_split", "arcs", "hashing"))
"""Parts of programs of several mechanisms."""
RUN = {"dp_checks.check.channel_pool": tuple(f"{MECHANISMS}{name}" for name in ("grr", "sugrr", "surap"))}
"""What a module looks up itself, whatever the statement is about."""


def key(claim: str, statement: Statement, modules: Sources | None = None) -> str:
    """A hash of everything the verdict on a statement under an id depends on.

    Raises `DomainError` for a law that no program is known for.
    """
    modules = sources() if modules is None else modules
    content = statement.json()
    roots = {*ALWAYS, *SHARED, *checkers(statement), *_programs(content), *_kernel(modules)}
    return hashed(json.dumps([claim, content], sort_keys=True), code(roots, modules))


def code(roots: Iterable[str], modules: Sources | None = None) -> str:
    """A hash of some modules, of all that they import, and of what they run on."""
    modules = sources() if modules is None else modules
    return hashed(surroundings(), *(f"{name} {hashed(modules[name])}" for name in sorted(closure(roots, modules))))


def closure(roots: Iterable[str], modules: Sources) -> frozenset[str]:
    """The modules themselves and all that they import, directly or not."""
    reached: set[str] = set()
    left, names = set(roots), frozenset(modules)
    while left:
        module = left.pop()
        reached.add(module)
        left |= {*_imports(module, modules[module], names), *RUN.get(module, ())} - reached
    return frozenset(reached)


@cache
def _imports(module: str, text: bytes, modules: frozenset[str]) -> frozenset[str]:
    """Which of the known modules a module imports; of packages only those that a name is taken from."""
    imports = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            imports |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = module.split(".")[: -node.level] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            inner = {f"{stem}.{alias.name}" for alias in node.names}
            imports |= inner & modules if inner <= modules else {stem, *inner & modules}
    looked_up = LOOKUPS.get(module)
    return frozenset(m for m in imports & modules if looked_up is None or not m.startswith(looked_up) or m in SHARED)


def _programs(content: Mapping[str, Any]) -> set[str]:
    """The modules of the programs that the laws of a statement are tied to."""
    modules = set()
    for law in laws(content):
        if "noise" in law:
            modules |= {matrix_programs.program_class(law["mechanism"]).__module__, f"{MATRICES}mechanism"}
        else:
            modules |= {cls.__module__ for cls in programs.classes(law["mechanism"])}
    return modules


def _kernel(modules: Sources) -> set[str]:
    return {module for module in modules if module.startswith("dp_kernel")}
