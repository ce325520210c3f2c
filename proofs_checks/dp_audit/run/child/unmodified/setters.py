"""What sets a parameter of an object: methods and properties."""

from __future__ import annotations

import functools
import inspect
import re
import types
from typing import Any, Callable, Dict, Iterator, List, Tuple

_ANY = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_SETTERS = re.compile(r"(update|set|change|configure)(_|$)")


def others(parameters: Dict[str, Any]) -> List[Tuple[str, Any]]:
    """Return (name, another value) of every number among the parameters."""
    changes: List[Tuple[str, Any]] = []
    for name, value in parameters.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            continue
        changes.append((name, value * 2 if isinstance(value, float) else value + 1))
    return changes


def updates(held: Any, name: str, parameters: Dict[str, Any]) -> Iterator[Tuple[str, Callable[[], Any]]]:
    """Yield what sets this parameter on an object: methods that take it by name, or any name, and properties."""
    kind = type(held)
    if kind.__module__ == "builtins":
        return
    for attribute in dir(kind):
        member = getattr(kind, attribute, None)
        if isinstance(member, property) and member.fset is not None and attribute == name:
            yield attribute + " = " + repr(parameters[name]), lambda: setattr(held, name, parameters[name])
        elif isinstance(member, types.FunctionType) and _SETTERS.match(attribute):
            taken = list(inspect.signature(member).parameters.values())[1:]
            named = name in [p.name for p in taken]
            if not named and not any(p.kind is p.VAR_KEYWORD for p in taken):
                continue
            needed = {p.name for p in taken if p.default is p.empty and p.kind not in _ANY} | {name}
            if needed <= set(parameters):
                arguments = {each: parameters[each] for each in sorted(needed)}
                call = attribute + "(" + ", ".join("%s=%r" % pair for pair in arguments.items()) + ")"
                update = functools.partial(getattr(held, attribute), **arguments)
                yield call, update if named else functools.partial(_updated, held, update, name, parameters[name])


def _updated(held: Any, update: Callable[[], Any], name: str, value: Any) -> None:
    """Update, and raise unless the object says that its parameter is another one now: what takes any name may take none
    of ours."""
    update()
    attributes = held.get_params() if hasattr(held, "get_params") else vars(held)
    if value not in (attributes.get(name), attributes.get("_" + name)):
        raise LookupError(name)
