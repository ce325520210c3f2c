"""The rules of the kernel by name, and which of them an accepted certificate has used. The kernel is only watched.

A rule is a function of the kernel, an arm of one of its `match` statements that does not refuse, a form of evidence, a
word that a field of statements may have, a constructor of laws or of sentences, a function of outcomes.
"""

import ast
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import dp_kernel
from dp_kernel.certificate.check import KINDS
from dp_kernel.finite.sentences import PARTS
from dp_kernel.laws.grammar import NODES, PUSHES
from dp_kernel.schema import VERDICTS, Kind

FOLDER = Path(dp_kernel.__file__).parent
Place = tuple[str, int]
"""A file of the kernel, and a line of it."""


@cache
def places() -> tuple[dict[Place, str], dict[Place, dict[int, str]]]:
    """The kernel's functions by their first line, and for each the arms of its `match` statements by theirs."""
    functions: dict[Place, str] = {}
    arms: dict[Place, dict[int, str]] = {}

    def walk(node: ast.AST, path: str, names: tuple[str, ...], inside: Place | None) -> None:
        for child in ast.iter_child_nodes(node):
            here, within = names, inside
            if isinstance(child, ast.FunctionDef):
                here = (*names, child.name)
                within = path, min([child.lineno, *(x.lineno for x in child.decorator_list)])
                if not isinstance(child.body[-1], ast.Expr) or len(child.body) > 1:
                    functions[within] = ".".join(here)  # not one that is only declared
            elif isinstance(child, ast.ClassDef):
                here = (*names, child.name)
            elif isinstance(child, ast.match_case) and inside and not isinstance(child.body[0], ast.Raise):
                arm = f"{'.'.join(names)}: case {ast.unparse(child.pattern)}"
                arms.setdefault(inside, {})[child.body[0].lineno] = arm
            walk(child, path, here, within)

    for path in sorted(FOLDER.rglob("*.py")):
        module = ".".join(path.relative_to(FOLDER).with_suffix("").parts)
        walk(ast.parse(path.read_text(encoding="utf-8")), str(path), (module,), None)
    return functions, arms


@cache
def known() -> frozenset[str]:
    """Every rule."""
    functions, arms = places()
    names = {*functions.values(), *(arm for lines in arms.values() for arm in lines.values())}
    names |= {f"node {name}" for name in NODES} | {f"push {name}" for name in PUSHES}
    names |= {f"constructor {name}" for name in PARTS}
    paths = (path for folder in ("cards", "amplification") for path in (FOLDER / folder).glob("*.py"))
    names |= {f"card {path.stem}" for path in paths if path.stem != "__init__"}
    for name, kind in KINDS.items():
        names |= {_form(name, verdict, shape) for verdict in VERDICTS for shape in kind.shapes(verdict)}
        names |= {f"{name}: {field} {word}" for field, words in _words(kind) for word in words}
    return frozenset(names)


def _form(name: str, verdict: str, shape: dict[str, str]) -> str:
    return f"{name} {verdict} by {' '.join(f'{x}={word}' if word else x for x, word in shape.items()) or 'nothing'}"


def _words(kind: Kind) -> list[tuple[str, tuple[str, ...]]]:
    """The fields of a statement that have one of several words."""
    return [(name.rstrip("?"), words) for name, words in kind.fields.items() if isinstance(words, tuple)]


def told(statement: Any, verdict: str, evidence: Any) -> Iterator[str]:
    """The rules that a statement and its evidence name."""
    kind = KINDS[statement["type"]]
    for shape in kind.shapes(verdict):
        fields = {name.rstrip("?") for name in shape}
        needed = {name for name in shape if name[-1] != "?"}
        if needed <= set(evidence) <= fields and all(evidence[x] == word for x, word in shape.items() if word):
            yield _form(statement["type"], verdict, shape)
    for field, _ in _words(kind):
        if field in statement:
            yield f"{statement['type']}: {field} {statement[field]}"
    for law in (statement.get(name) for name in ("law", "other")):
        yield from _nodes(law.get("term") if isinstance(law, dict) else None)
    stated = [statement.get(name) for name in ("sentence", "premises", "conclusions")]
    yield from (f"constructor {name}" for name in {*_constructors(stated)})
    match statement["type"], verdict:
        case (("all" | "instances"), "refuted"):
            yield from told(statement["parts"][evidence["part"]], verdict, evidence["evidence"])
        case (("all" | "instances"), _):
            for part, (part_verdict, proof) in zip(statement["parts"], evidence["parts"], strict=True):
                yield from told(part, part_verdict, proof)
        case "not", _:
            other = {"proved": "refuted", "refuted": "proved"}[verdict]
            yield from told(statement["of"], other, evidence["evidence"])


def _constructors(tree: Any) -> Iterator[str]:
    if isinstance(tree, list) and tree:
        yield from (tree[0],) if isinstance(tree[0], str) and tree[0] in PARTS else ()
        for part in tree:
            yield from _constructors(part)


def _nodes(term: Any) -> Iterator[str]:
    if isinstance(term, list) and term and isinstance(term[0], str) and term[0] in NODES:
        yield f"node {term[0]}"
        if term[0] == "push":
            yield f"push {term[1]}"
        for part in term[1:]:
            yield from _nodes(part)


@contextmanager
def watched(used: set[str]) -> Iterator[None]:
    """Within it the functions and arms of the kernel that are run are put into the set."""
    functions, arms = places()

    def called(frame: FrameType, event: str, _: Any) -> Callable[..., Any] | None:
        place = frame.f_code.co_filename, frame.f_code.co_firstlineno
        if place not in functions:
            return None
        used.add(functions[place])
        left = {line: arm for line, arm in arms.get(place, {}).items() if arm not in used}
        if not left:
            return None

        def line(frame: FrameType, event: str, _: Any) -> Callable[..., Any]:
            if frame.f_lineno in left:
                used.add(left[frame.f_lineno])
            return line

        return line

    before = sys.gettrace()
    sys.settrace(called)
    try:
        yield
    finally:
        sys.settrace(before)


UNREACHED: dict[str, str] = {
    "meter.remembered": "runs when the kernel is loaded",
    "shared: item nonsensitive": "a law whose functions are drawn has sensitive items only",
    "shared: sizes atmost": "a law whose functions are drawn is of one item",
}
"""Rules by the beginning of their names, and why no accepted statement of a campaign uses them."""


def reason(rule: str) -> str:
    """Why nothing accepted uses it; "" if it should."""
    return next((why for name, why in UNREACHED.items() if rule.startswith(name)), "")
