"""The lines of Python that show a deviation: they call what was audited on `{input}`, its server on `{reports}`."""

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from dp_audit.exact.at_hand import module_of, name_of, relative
from dp_audit.interceptor.given import taken

_COUNT = "print(Counter(repr({call}) for _ in range(10**5)).most_common())"


def _call(names: Sequence[str], handed: Mapping[str, Any]) -> str:
    """The arguments of a function that is audited: the placeholder of the item, and what it is handed."""
    return ", ".join(["{input}", *(f"{name}={value!r}" for name, value in handed.items() if name in names)])


def _made(handed: Mapping[str, Any]) -> str:
    """The adapter, an instance of the audited class."""
    return f"adapter = audited({', '.join(f'{name}={value!r}' for name, value in handed.items())})"


def _taken(found: ast.ClassDef, handed: Mapping[str, Any]) -> Mapping[str, Any]:
    """The parameters that a class takes, where its own text says so."""
    makes = [n for n in found.body if isinstance(n, ast.FunctionDef) and n.name == "__init__" and n.args.kwarg is None]
    if not makes:
        return handed
    known = {argument.arg for argument in (*makes[0].args.args, *makes[0].args.kwonlyargs)}
    return {name: value for name, value in handed.items() if name in known}


def server_lines(made: str) -> tuple[str, ...]:
    """The estimate of the server of an adapter that is made so."""
    return (
        f"{made}; server = adapter.server()",
        "for report in {reports}: adapter.aggregate(server, report)",
        "print(adapter.estimate(server))",
    )


def estimate_lines(lines: Sequence[str], estimate: Callable[..., Any] | None, is_class: bool) -> tuple[str, ...]:
    """The estimate of code at hand, whose reports are shown by these lines; none without an estimator."""
    if is_class:
        return server_lines("; ".join(lines[:2]))
    return () if estimate is None else (_import(estimate, "estimate"), "print(estimate(list({reports})))")


def _import(function: Callable[..., Any], name: str) -> str:
    """A line that binds a function at hand to a name; a comment where it has no name of its own in a module."""
    qualified = str(getattr(function, "__qualname__", ""))
    if qualified.isidentifier():
        return f"from {module_of(function)} import {qualified} as {name}"
    return f"{name} = ...  # {name_of(function)}"


def lines_of_object(function: Callable[..., Any], handed: Mapping[str, Any]) -> tuple[str, ...]:
    """Many reports on one input, of a function or class at hand."""
    first = _import(function, "audited")
    if isinstance(function, type):
        made = _made(taken(function, dict(handed)))
        return (
            f"from collections import Counter; {first}",
            made,
            _COUNT.replace("{call}", "adapter.privatize(adapter.client(), {input})"),
        )
    call = f"audited({_call(list(inspect.signature(function).parameters), handed)})"
    return (first, "from collections import Counter", _COUNT.replace("{call}", call))


def lines_of_file(path: Path, found: ast.FunctionDef | ast.ClassDef, handed: Mapping[str, Any]) -> tuple[str, ...]:
    """Many reports on one input, of a function or class of a file."""
    load = f"audited = run_path({relative(path)!r})[{found.name!r}]"
    if isinstance(found, ast.ClassDef):
        made = _made(_taken(found, handed))
        call = "adapter.privatize(adapter.client(), {input})"
        return (
            "from runpy import run_path; from collections import Counter",
            f"{load}; {made}",
            _COUNT.replace("{call}", call),
        )
    arguments = (*found.args.posonlyargs, *found.args.args, *found.args.kwonlyargs)
    call = f"audited({_call([argument.arg for argument in arguments], handed)})"
    return "from runpy import run_path; from collections import Counter", load, _COUNT.replace("{call}", call)
