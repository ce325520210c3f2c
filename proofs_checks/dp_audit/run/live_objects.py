"""A function or class at hand: its name, its module, its place in the source, and its adapter with an estimator."""

import functools
import inspect
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from dp_audit.run.child.targets import taken


def _unwrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    while isinstance(function, functools.partial):
        function = function.func
    inner: Callable[..., Any] = inspect.unwrap(function)
    return inner


def name_of(function: Callable[..., Any]) -> str:
    """Return its name in its module, or that of its class."""
    inner = _unwrapped(function)
    return str(getattr(inner, "__qualname__", type(inner).__qualname__)).replace("<locals>.", "")


def module_of(function: Callable[..., Any]) -> str:
    """Return the name of its module, or that of its class."""
    inner = _unwrapped(function)
    return str(getattr(inner, "__module__", None) or type(inner).__module__)


def source_of(function: Callable[..., Any]) -> str:
    """Return the module of a function or class; "" where there is none that can be read."""
    try:
        return inspect.getsource(sys.modules[module_of(function)])
    except (TypeError, OSError, KeyError):
        return ""


def location_of_object(function: Callable[..., Any]) -> str:
    """Return FILE:LINE of its source; "" where there is none that can be read."""
    try:
        inner = _unwrapped(function)
        return f"{relative(Path(inspect.getfile(inner)))}:{inspect.getsourcelines(inner)[1]}"
    except (TypeError, OSError):  # a builtin or an object that is called; source that is not there
        return ""


def relative(path: Path) -> str:
    """Return a path below the working directory relative to it, as source code is named in reports."""
    absolute = path.absolute()
    here = Path.cwd()
    return (absolute.relative_to(here) if absolute.is_relative_to(here) else absolute).as_posix()


def with_estimate(randomize: Callable[..., Any], estimate: Callable[..., Sequence[Any]]) -> type:
    """Return the adapter of a function and an estimator, which are handed the parameters that they have arguments
    for."""

    class Adapter:
        def __init__(self, **parameters: Any) -> None:
            self._given, self._estimating = taken(randomize, parameters), taken(estimate, parameters)

        def client(self) -> None:
            """Return None: a function has no state."""

        def privatize(self, client: None, item: Any) -> Any:
            return randomize(item, **self._given)

        def server(self) -> list[Any]:
            return []

        def aggregate(self, server: list[Any], report: Any) -> None:
            server.append(report)

        def estimate(self, server: list[Any]) -> Sequence[Any]:
            return estimate(list(server), **self._estimating)

    return Adapter
