"""Numbers of a field are ordered by `dp_spec.vocabulary.scalar.compare` and by nothing else.

Overlapping balls answer False to every one of `< <= == != >= >`, and a generic formula does not know whether it runs on
balls. So the lint asks mypy, after type checking our packages, for the inferred type of each operand, and objects to

- `< <= > >=`, and `min`, `max`, `sorted`, `.sort` without a key, on a number of a field: `Scalar`, type variables bound
  to it, balls, `RationalFunction`, `Term`, flint's other numbers except the integers `fmpz`;
- `< <= > >=` on `Any`, because nobody can tell what hides there;
- `==`, `!=` and `in` on a ball or on a generic `Scalar` (on exact numbers they are exact).

The packages of `proofs_checks` have code that is written for exact rationals (`fmpq`) alone, where an operator says
nothing wrong, and code that reads foreign objects: there the objections to `fmpq` and to `Any` are dropped, the others
stay.
`scalar.py` is exempt, where the comparison is made, and `real.py`, whose numbers are totally ordered.
"""

import shutil
import sys
from bisect import bisect_left
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import pytest
from mypy import build
from mypy.find_sources import create_source_list
from mypy.nodes import CallExpr, ComparisonExpr, Expression, MemberExpr, RefExpr
from mypy.options import Options
from mypy.types import AnyType, Instance, Type, TypeVarType, UnionType, get_proper_type

from structure.tree import PACKAGES

pytestmark = pytest.mark.skipif(
    version("python-flint").startswith("0.8."), reason="python-flint 0.8 does not say all of its types: see `make test`"
)

OWNERS = frozenset({"dp_spec.vocabulary.scalar", "dp_spec.vocabulary.real"})
LENIENT = ("dp_kernel", "dp_checks", "dp_audit", "dp_studies")
ORDER = frozenset({"<", "<=", ">", ">="})
BEYOND_EVERY_STUB = 50_000
PLANTED = "planted_lines"
UNREAD = ("dask", "distributed", "filelock", "hypothesis", "joblib", "matplotlib", "pytest", "PIL", "rich")
"""Libraries as large as ours that hand nothing of ours back to be compared: what they return is unknown here."""
EQUALITY = frozenset({"==", "!="})
MEMBERSHIP = frozenset({"in", "not in"})
NEVER = frozenset({"ball", "generic", "symbolic"})


def number_kinds(kind: Type | None, depth: int = 0) -> Iterator[str]:
    """What hides in a type: "ball", "generic", "symbolic", "rational" or "unknown" (nothing for all other types)."""
    proper = get_proper_type(kind)
    if proper is None or isinstance(proper, AnyType):
        yield "unknown"
    elif isinstance(proper, UnionType):
        for item in proper.items:
            yield from number_kinds(item, depth)
    elif isinstance(proper, TypeVarType):
        yield from ("generic" for _ in number_kinds(proper.upper_bound, depth))
    elif isinstance(proper, Instance):
        module, _, name = proper.type.fullname.rpartition(".")
        if module.startswith("flint") and name in ("arb", "acb", "arf"):
            yield "ball"
        elif name == "Scalar" and module.startswith("dp_spec"):
            yield "generic"
        elif module.startswith("dp_spec") and name in ("RationalFunction", "Term"):
            yield "symbolic"
        elif module.startswith("flint") and name != "fmpz":
            yield "rational" if name == "fmpq" else "symbolic"
        elif depth < 2 and proper.type.fullname.startswith("builtins."):
            for argument in proper.args:
                yield from (k for k in number_kinds(argument, depth + 1) if k != "unknown")


def objections(node: Expression, types: dict[Expression, Type], strict: bool) -> Iterator[str]:
    """What is wrong with one comparison or call."""
    if isinstance(node, ComparisonExpr):
        for operator, left, right in zip(node.operators, node.operands, node.operands[1:], strict=False):
            compared = (left,) if operator in MEMBERSHIP else (left, right)
            kinds = {k for operand in compared for k in number_kinds(types.get(operand))}
            if operator in ORDER and kinds & (NEVER | {"rational", "unknown"} if strict else NEVER):
                yield f"`{operator}` on numbers ({', '.join(sorted(kinds))}): use compare()"
            if operator in EQUALITY | MEMBERSHIP and kinds & {"ball", "generic"}:
                yield f"`{operator}` on numbers ({', '.join(sorted(kinds))}): use compare()"
    elif isinstance(node, CallExpr) and "key" not in node.arg_names:
        called = node.callee
        name = called.fullname if isinstance(called, RefExpr) else ""
        kinds = set()
        if name in ("builtins.min", "builtins.max", "builtins.sorted"):
            kinds = set(number_kinds(types.get(node)))
        elif isinstance(called, MemberExpr) and called.name == "sort":
            kinds = set(number_kinds(types.get(called.expr)))
        if kinds & (NEVER | {"rational"} if strict else NEVER):
            yield f"`{name or 'sort'}` on numbers ({', '.join(sorted(kinds))}): use compare()"


class Line(NamedTuple):
    """What is wrong with a line: of what a lenient package is told, and what is said to a strict one."""

    module: str
    number: int
    lenient: tuple[str, ...]
    strict: tuple[str, ...]


def judged(scratch: Path, *folders: Path) -> list[Line]:
    """All lines of the packages in the given folders to which a strict package would hear objections.

    mypy's result maps expressions to types and names no module. So it checks a copy (in `scratch`), each module below
    so many blank lines that no two lines of ours, or of a library's stub, have the same number.
    """
    copies = [Path(shutil.copytree(folder, scratch / str(i) / folder.name)) for i, folder in enumerate(folders)]
    starts, names = [BEYOND_EVERY_STUB], []
    for copy in copies:
        for path in sorted(copy.rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            path.write_text("\n" * starts[-1] + text, encoding="utf-8")
            names.append(".".join(path.relative_to(copy.parent).with_suffix("").parts).removesuffix(".__init__"))
            starts.append(starts[-1] + text.count("\n") + 1)

    options = Options()
    options.mypy_path = [str(path.parent) for path in copies]
    options.explicit_package_bases = options.namespace_packages = True
    options.export_types = options.preserve_asts = True
    options.incremental = False
    options.cache_dir = "/dev/null"
    options.ignore_missing_imports = True
    options.check_untyped_defs = True
    options.python_executable = sys.executable
    options.per_module_options = {
        f"{library}.*": {"follow_imports": "skip", "follow_imports_for_stubs": True} for library in UNREAD
    }
    types = build.build(create_source_list([str(copy) for copy in copies], options), options).types

    lines: list[Line] = []
    for node in types:
        index = bisect_left(starts, node.line) - 1
        if 0 <= index < len(names) and (strict := tuple(objections(node, types, True))):
            lenient = tuple(objections(node, types, False))
            lines.append(Line(names[index], node.line - starts[index], lenient, strict))
    return sorted(lines)


def planted(lines: list[Line]) -> dict[int, Line]:
    """What is said of the planted lines, by their numbers."""
    return {line.number: line for line in lines if line.module.startswith(PLANTED)}


HEADER = """
from collections.abc import Sequence
from typing import Any
import numpy as np
from flint import arb, fmpq, fmpz
from dp_spec.vocabulary.ratfunc import RationalFunction
from dp_spec.vocabulary.scalar import Ordering, S, Scalar, compare
"""

FORBIDDEN = """
def rationals(a: fmpq, b: fmpq) -> bool: return a <= b
def ball_and_int(a: arb) -> bool: return a > 0
def chained(a: fmpq) -> bool: return 0 < a < 1
def optional(a: fmpq | int, b: int) -> bool: return b >= a
def generic(a: S, b: S) -> bool: return a < b
def protocol(a: Scalar, b: Scalar) -> bool: return a == b
def equal_balls(a: arb, b: arb) -> bool: return a == b
def different(a: S, b: S) -> bool: return a != b
def member(a: S, b: list[S]) -> bool: return a not in b
def function(a: RationalFunction) -> bool: return a > 1
def hidden(a: Any, b: int) -> bool: return a < b
def largest(a: Sequence[fmpq]) -> fmpq: return max(a)
def ordered(a: list[fmpq]) -> list[fmpq]: return sorted(a)
def in_place(a: list[fmpq]) -> None: a.sort()
def smallest(a: fmpq, b: fmpq) -> fmpq: return min(a, b)
def nested(a: list[fmpq]) -> list[int]: return [i for i, x in enumerate(a) if x > 1]
"""

ALLOWED = """
def integers(a: int, b: int) -> bool: return 0 <= a < b
def sizes(a: Sequence[fmpq]) -> bool: return len(a) > 2
def flint_integers(a: fmpz) -> bool: return a >= 0
def exact(a: fmpq, b: fmpq) -> bool: return a == b and compare(a, b) is Ordering.EQUAL
def floats(a: float, b: np.ndarray) -> object: return b < a
def subset(a: frozenset[int], b: frozenset[int]) -> bool: return a <= b
def most(a: list[int]) -> int: return max(a)
def first(a: list[tuple[str, fmpq]]) -> tuple[str, fmpq]: return min(a, key=lambda pair: pair[0])
"""


def _lines(text: str, after: str) -> list[tuple[int, str]]:
    first = after.count("\n") + 1
    return [(first + i, line) for i, line in enumerate(text.split("\n")) if line]


@pytest.mark.slow
def test_numbers_of_a_field_are_ordered_by_compare_alone(tmp_path: Path) -> None:
    """Of our packages and of planted lines, checked together: mypy reads what they import once."""
    folder = tmp_path / PLANTED
    folder.mkdir()
    (folder / "lines.py").write_text(HEADER + FORBIDDEN + ALLOWED, encoding="utf-8")
    lines = judged(tmp_path / "scratch", *PACKAGES.values(), folder)

    ours = [line for line in lines if line.module not in OWNERS and not line.module.startswith(PLANTED)]
    unordered = [
        f"{line.module}:{line.number}: {text}"
        for line in ours
        for text in (line.lenient if line.module.startswith(LENIENT) else line.strict)
    ]
    assert unordered == []
    assert any(line.module.startswith(name) for line in ours for name in LENIENT)  # these are looked at, too
    assert {line.module for line in lines if line.module.startswith("dp_spec")} == OWNERS, "exempt modules need it"

    said = planted(lines)
    assert [line for number, line in _lines(FORBIDDEN, HEADER) if number not in said] == []
    assert [line for number, line in _lines(ALLOWED, HEADER + FORBIDDEN) if number in said] == []
    passed = [line for number, line in _lines(FORBIDDEN, HEADER) if not said[number].lenient]
    assert passed == [line for _, line in _lines(FORBIDDEN, HEADER) if "fmpq" in line or "Any" in line]
