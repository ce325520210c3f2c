"""What sets a parameter of an object: methods and properties."""

from __future__ import annotations

import functools
import inspect
import re
import types
from typing import Any, Callable, Dict, Iterator, List, Tuple

_SETTERS = re.compile(r"(update|set|change|configure)(_|$)")


def others(given: Dict[str, Any]) -> List[Tuple[str, Any]]:
    """(name, another value) of every number among the parameters."""
    found: List[Tuple[str, Any]] = []
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            continue
        found.append((name, value * 2 if isinstance(value, float) else value + 1))
    return found


def updates(held: Any, name: str, given: Dict[str, Any]) -> Iterator[Tuple[str, Callable[[], Any]]]:
    """What sets this parameter on an object: methods that take it by name, and properties."""
    kind = type(held)
    if kind.__module__ == "builtins":
        return
    for attribute in dir(kind):
        member = getattr(kind, attribute, None)
        if isinstance(member, property) and member.fset is not None and attribute == name:
            yield attribute + " = " + repr(given[name]), lambda: setattr(held, name, given[name])
        elif isinstance(member, types.FunctionType) and _SETTERS.match(attribute):
            taken = list(inspect.signature(member).parameters.values())[1:]
            if name not in [p.name for p in taken]:
                continue
            needed = {p.name for p in taken if p.default is p.empty and p.kind is not p.VAR_KEYWORD} | {name}
            if needed <= set(given):
                told = {each: given[each] for each in sorted(needed)}
                call = attribute + "(" + ", ".join("%s=%r" % pair for pair in told.items()) + ")"
                yield call, functools.partial(getattr(held, attribute), **told)
