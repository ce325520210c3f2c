"""flint's precision, one for a whole process, is read and set by `dp_spec.vocabulary.precision` and by nothing else."""

import ast
from collections.abc import Iterator

import pytest

from structure.tree import PACKAGES, modules

OWNER = "dp_spec.vocabulary.precision"
GLOBALS = {"flint": {"ctx"}, "mpmath": {"mp", "iv", "fp", "workprec", "workdps", "extraprec", "extradps"}}
"""What sets the precision of all that follows: by library, its names."""


def uses(tree: ast.Module) -> Iterator[str]:
    """Yield what a module uses of it: imported by name, or as an attribute of the library."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in GLOBALS:
            yield from (f"{node.module}.{each.name}" for each in node.names if each.name in GLOBALS[node.module])
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            library = node.value.id
            if node.attr in GLOBALS.get(library, ()):
                yield f"{library}.{node.attr}"


@pytest.mark.parametrize("package", PACKAGES)
def test_nothing_else_reads_or_sets_the_precision(package: str) -> None:
    wrong = {
        name: sorted(named)
        for name, path in modules(package)
        if name != OWNER and (named := set(uses(ast.parse(path.read_text(encoding="utf-8")))))
    }
    assert not wrong


def test_the_owner_is_seen_to_use_it() -> None:
    path = PACKAGES["dp_spec"] / "vocabulary" / "precision.py"
    assert set(uses(ast.parse(path.read_text(encoding="utf-8")))) == {"flint.ctx"}


@pytest.mark.parametrize(
    "text",
    [
        "from flint import arb, ctx",
        "import flint\nflint.ctx.prec = 90",
        "import mpmath\nwith mpmath.workprec(90): pass",
        "import mpmath\nmpmath.mp.dps = 30",
        "from mpmath import mp",
    ],
)
def test_a_use_is_found(text: str) -> None:
    assert [*uses(ast.parse(text))]
