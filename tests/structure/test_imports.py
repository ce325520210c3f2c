"""The direction of imports: what the literature says never depends on how we compute it, the kernel on nothing."""

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from structure.tree import PACKAGES, modules

OURS = (*PACKAGES, "dp_command")
KERNEL = ("meter", "numbers", "formulas", "laws", "schema", "cards", "judgements", "finite", "amplification", "shuffle")
"""The parts of the kernel, each of which may import those before it; `certificate` may import all of them."""
_JUDGED_WITH = ("dp_audit.observation", "dp_audit.oracles", "dp_audit.outcome", "dp_audit.exact_numbers")
MAY: Mapping[str, tuple[str, ...]] = {
    "dp_spec": (),
    "dp_refimpl": ("dp_spec.vocabulary",),
    **{f"dp_kernel.{part}": tuple(f"dp_kernel.{x}" for x in KERNEL[:i]) for i, part in enumerate(KERNEL)},
    "dp_kernel": (),
    "dp_checks.runtime": ("dp_spec.vocabulary", "dp_checks.verdict"),
    "dp_checks": ("dp_spec", "dp_refimpl", "dp_kernel"),
    "dp_audit.run.child": (),
    "dp_audit.observation": ("dp_spec.vocabulary", "dp_checks.runtime.escapes"),
    "dp_audit.outcome": ("dp_audit.report.text",),
    "dp_audit.run": ("dp_audit.observation", "dp_audit.environment", "dp_spec.vocabulary", "dp_checks.runtime"),
    "dp_audit.judge": (*_JUDGED_WITH, "dp_spec.vocabulary"),
    "dp_audit.report": ("dp_audit.judge.question", *_JUDGED_WITH, "dp_spec", "dp_checks.runtime"),
    "dp_audit": ("dp_spec", "dp_refimpl", "dp_checks.runtime", "dp_checks.ledger", "dp_checks.registry"),
    "dp_coq": ("dp_kernel.certificate.digest",),
    "dp_studies": ("dp_spec", "dp_refimpl", "dp_kernel", "dp_checks", "dp_audit"),
}
"""What of ours each part may import beside itself; the first part that a module lies in counts."""
ALONE: Mapping[str, tuple[str, ...]] = {"dp_kernel": (), "dp_audit.run.child": ("numpy",)}
"""Parts that run where nothing else of ours is: the standard library, and this."""


def imports(module: str, source: str, is_package: bool = False) -> Iterator[str]:
    """Every module that `source` (the text of `module`) imports, relative and local imports included, as dotted names.

    `from a import b` yields `a.b`: whether b is a module or a name, the rules below are about prefixes. Imports spelled
    as calls (`__import__`, `importlib.import_module`) with a literal name count too.
    """
    base = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parent = base[: len(base) - node.level + 1] if node.level else []
            stem = ".".join([*parent, *([node.module] if node.module else [])])
            yield from (f"{stem}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = ast.unparse(node.func)
            if called in ("__import__", "import_module", "importlib.import_module"):
                yield str(node.args[0].value)


def within(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(prefix + ".")


def violations(module: str, imported: str) -> Iterator[str]:
    """Why `module` must not import `imported` (nothing if it may)."""
    part = next((part for part in MAY if within(module, part)), None)
    if part is None:
        return
    ours = any(within(imported, package) for package in OURS)
    if ours and not any(within(imported, allowed) for allowed in (part, *MAY[part])):
        yield f"{module} imports {imported}: of ours {part} may import itself and {MAY[part]}"
    for alone in (alone for alone in ALONE if within(module, alone)):
        if not within(imported, alone) and imported.split(".")[0] not in {*sys.stdlib_module_names, *ALONE[alone]}:
            yield f"{module} imports {imported}: {alone} runs where that is not installed"


def found_in(module: str, path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return [v for name in imports(module, text, path.name == "__init__.py") for v in violations(module, name)]


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_point_the_right_way(package: str) -> None:
    assert [v for module, path in modules(package) for v in found_in(module, path)] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_folder_of_a_package_is_a_package(package: str) -> None:
    folders = {path.parent for _, path in modules(package)}
    assert [folder.name for folder in sorted(folders) if not (folder / "__init__.py").is_file()] == []
    assert (PACKAGES[package] / "py.typed").is_file()


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("dp_spec.claims.grr", "import dp_refimpl"),
        ("dp_spec.claims.grr", "from dp_checks.ledger import load_ledger"),
        ("dp_spec.claims.grr", "def f():\n    from dp_refimpl.coins import Coins"),
        ("dp_spec.claims.grr", "import importlib\nimportlib.import_module('dp_checks.prove')"),
        ("dp_refimpl.frequency.grr", "from dp_spec.frequency import grr"),
        ("dp_refimpl.frequency.grr", "from dp_spec import frequency"),
        ("dp_refimpl.frequency.grr", "import dp_checks.ledger"),
        ("dp_kernel", "from flint import fmpq"),
        ("dp_kernel.check", "from ..dp_checks import certificate"),
        ("dp_kernel.check", "from dp_checks.certificate import Certificate"),
        ("dp_kernel.numbers.tails", "import numpy"),
        ("dp_kernel.formulas.terms", "from dp_kernel.laws import grammar"),
        ("dp_kernel.laws.sizes", "from dp_kernel import schema"),
        ("dp_kernel.cards.blanket", "from dp_kernel.shuffle.divergences import point"),
        ("dp_kernel.judgements.moments", "from dp_kernel.certificate.digest import laws"),
        ("dp_kernel.certificate.check", "from dp_spec.vocabulary.term import Term"),
        ("dp_audit.run.child.interceptor.path_walk", "from dp_refimpl.coins import Coins"),
        ("dp_audit.run.child.interceptor.path_walk", "import flint"),
        ("dp_audit.run.child", "from ..report import Row"),
        ("dp_checks.pages.site", "from dp_audit import outcome"),
        ("dp_checks.pages.site", "from dp_studies.pages import budget"),
        ("dp_checks.runtime.boundary", "from dp_checks.ledger import load_ledger"),
        ("dp_audit.judge.law", "from dp_audit.run.enumeration import run_target"),
        ("dp_audit.run.enumeration", "from dp_audit.judge import law"),
        ("dp_audit.observation.values", "from dp_audit.outcome import Row"),
        ("dp_coq.statements", "from dp_kernel.formulas.terms import evaluate"),
        ("dp_kernel.certificate.digest", "from dp_coq.parts import parts"),
        ("dp_audit.command", "from dp_checks.certify import certify"),
        ("dp_audit.command", "from dp_studies.libraries import LIBRARIES"),
        ("dp_audit.outcome", "from dp_command import main"),
        ("dp_audit.run.child.interceptor.path_walk", "from dp_audit.outcome import Row"),
    ],
)
def test_a_forbidden_import_is_caught(module: str, line: str) -> None:
    assert [v for name in imports(module, line) for v in violations(module, name)]


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("dp_spec.frequency.grr", "from dp_spec.vocabulary.budget import Budget\nimport numpy"),
        ("dp_refimpl.frequency.grr", "from dp_spec.vocabulary import Budget\nfrom . import parameters\nimport numpy"),
        ("dp_checks.prove", "import dp_spec.frequency, dp_refimpl.frequency, flint"),
        ("dp_kernel.judgements.moments", "from dp_kernel.cards import counting\nfrom dp_kernel import schema"),
        ("dp_kernel.certificate.check", "from . import reader\nfrom fractions import Fraction"),
        (
            "dp_audit.run.child.interceptor",
            "import numpy as np\nimport random\nfrom fractions import Fraction",
        ),
        (
            "dp_audit.run.child.interceptor.path_walk",
            "from .coins import Coins\nfrom dp_audit.run.child.interceptor import coins",
        ),
        ("dp_coq.record", "from dp_kernel.certificate.digest import digest"),
        ("dp_audit.vectors.positive", "from dp_checks.ledger import load_ledger"),
    ],
)
def test_an_allowed_import_passes(module: str, line: str) -> None:
    assert [v for name in imports(module, line) for v in violations(module, name)] == []
