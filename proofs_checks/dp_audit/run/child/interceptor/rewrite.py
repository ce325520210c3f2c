"""The target's file, with what would ask a draw for its value written otherwise: `int(x)`, `float(x)`, `members[x]`,
`int.from_bytes(x, ...)`, `x.tolist()` and `numpy.float64(x)`.

Python's `int` returns nothing but an `int`, and an index has to be one, so that an undetermined x would be enumerated
there; `float` of an undetermined double is the same double. In functions of the file they become calls that know this;
for all else these do what was done before.
"""

from __future__ import annotations

import ast
import importlib.machinery
from typing import Any, Callable, Dict

import numpy as np

from .entropy import LazyBytes
from .lazy_float import LazyUniform
from .lazy_integer import LazyInteger


def _integer(value: Any) -> Any:
    return value.as_int() if type(value) is LazyInteger else int(value)


def _float(value: Any) -> Any:
    return value.typed(False) if type(value) is LazyUniform else float(value)


def _float64(owner: Any, *arguments: Any) -> Any:
    """Return what `owner.float64` makes of these; with `numpy.float64` a lazy draw stays lazy."""
    lazy = owner is np and len(arguments) == 1 and type(arguments[0]) is LazyUniform
    return arguments[0].typed(True) if lazy else owner.float64(*arguments)


def _list_of(owner: Any) -> Any:
    """Return `owner.tolist()`, which makes `float` of the numbers of an array."""
    made = owner.tolist()
    return _floats(made) if type(owner) is np.ndarray and owner.dtype == object else made


def _floats(made: Any) -> Any:
    if type(made) is list:
        return [_floats(part) for part in made]
    return made.typed(False) if type(made) is LazyUniform else made


def _from_bytes(data: Any, *order: Any, **options: Any) -> Any:
    if type(data) is not LazyBytes:
        return int.from_bytes(data, *order, **options)
    keywords = dict(zip(("order",), order)) if order else {"order": options.pop("byteorder", "big")}
    return data.number(**keywords, **options)


def _item(members: Any, place: Any) -> Any:
    if type(place) is LazyInteger:
        if type(members) in (list, tuple, range):
            return place.member(members)
        if type(members) is np.ndarray and members.dtype == np.int64 and members.ndim == 1:
            return place.member(members.tolist(), np.int64)
    return members[place]


HELPERS: Dict[str, Callable[..., Any]] = {
    "_kept_integer": _integer,
    "_kept_float": _float,
    "_kept_item": _item,
    "_kept_from_bytes": _from_bytes,
    "_kept_float64": _float64,
    "_kept_tolist": _list_of,
}
"""The names under which the file finds them; under `LOADER` a file that wraps the target's finds how to load that."""


class _Keeping(ast.NodeTransformer):
    """Rewrites the bodies of functions; not annotations, and no name like `int` that is the file's own."""

    def __init__(self, tree: ast.AST) -> None:
        self._inside = 0
        self._kept = {
            name: helper for name, helper in _BUILTINS.items() if not any(_binds(node, name) for node in ast.walk(tree))
        }

    def _visit_function(self, node: Any) -> Any:
        self._inside += 1
        body = node.body if isinstance(node.body, list) else [node.body]
        changed = [self.visit(part) for part in body]
        node.body = changed if isinstance(node.body, list) else changed[0]
        self._inside -= 1
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = _visit_function

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        helper = self._kept.get(node.func.id) if isinstance(node.func, ast.Name) else None
        single = len(node.args) == 1 and not node.keywords
        if self._inside and helper and single:
            return _call(helper, node, node.args, node.keywords)
        if self._inside and isinstance(node.func, ast.Attribute) and len(node.args) == _ATTRIBUTES.get(node.func.attr):
            return _call("_kept_" + node.func.attr, node, [node.func.value, *node.args], node.keywords)
        if self._inside and "int" in self._kept and ast.dump(node.func) == _FROM_BYTES:
            return _call("_kept_from_bytes", node, node.args, node.keywords)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        self.generic_visit(node)
        simple = isinstance(node.slice, (ast.Name, ast.Call, ast.BinOp, ast.Attribute))
        if self._inside and simple and isinstance(node.ctx, ast.Load):
            return _call("_kept_item", node, [node.value, node.slice])
        return node


_BUILTINS = {"int": "_kept_integer", "float": "_kept_float"}
_ATTRIBUTES = {"float64": 1, "tolist": 0}
"""Attributes that are called with so many arguments."""
_FROM_BYTES = ast.dump(ast.parse("int.from_bytes", mode="eval").body)


def _binds(node: ast.AST, name: str) -> bool:
    names = [getattr(node, name, None) for name in ("arg", "asname", "name")]
    return (
        name in names
        or "*" in names
        or (isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load))
    )


def _call(name: str, node: ast.expr, arguments: Any, keywords: Any = ()) -> ast.AST:
    function = ast.copy_location(ast.Name(name, ast.Load()), node)
    return ast.copy_location(ast.Call(function, arguments, list(keywords)), node)


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a file of the target from its source, rewritten."""

    def get_code(self, fullname: str) -> Any:
        """Return the code compiled afresh, never what was compiled before."""
        path = self.get_filename(fullname)
        tree = ast.parse(self.get_data(path), path)
        return compile(_Keeping(tree).visit(tree), path, "exec", dont_inherit=True)

    def exec_module(self, module: Any) -> None:
        """Execute the module with the names that it needs."""
        vars(module).update(HELPERS, LOADER=Loader)
        super().exec_module(module)
