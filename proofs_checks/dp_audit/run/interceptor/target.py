"""What a job names: the protocol of a file, and the inputs it is given."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from typing import Any, Callable, Dict, Iterable, List

import numpy as np

from .coins import TARGET
from .rewrite import Loader

METHODS = "client()", "privatize(client, item)"
"""What every protocol can be asked for."""


def taken(made: Any, parameters: Dict[str, Any]) -> Dict[str, Any]:
    """The parameters that a class or function has arguments for; all, where that cannot be told or it takes any.

    A decorated one has those of its wrapper; one that takes any is taken to hand them on to what it wraps.
    """
    for wrapped in (False, True):
        try:
            known = inspect.signature(made, follow_wrapped=wrapped).parameters
        except (TypeError, ValueError):
            return parameters
        if not any(one.kind is one.VAR_KEYWORD for one in known.values()):
            return {name: value for name, value in parameters.items() if name in known}
    return parameters


class Function:
    """The protocol of a plain function of the item. Parameters that it has arguments for are handed to it."""

    def __init__(self, function: Callable[..., Any], parameters: Dict[str, Any]) -> None:
        self._function, self._parameters = function, taken(function, parameters)

    def client(self) -> None:
        """A function has no state."""

    def privatize(self, client: None, item: Any) -> Any:
        """What the function returns for the item."""
        return self._function(item, **self._parameters)


def require_methods(protocol: Any) -> None:
    """Raise `TypeError` for what has not the methods of a client."""
    missing = [call for call in METHODS if not callable(getattr(protocol, call.partition("(")[0], None))]
    if missing:
        needed = "an audited class has the methods " + " and ".join(METHODS)
        raise TypeError(f"{type(protocol).__name__} has no {missing[0]}: {needed}; or name a function of the item")


def decode(item: Any, input_type: str) -> Any:
    """An input as the library gets it; `int` is the input as it stands.

    `{"float": "nan"}` is a float, `{"set": [0, 1]}` a frozenset (in other types: its members in order).
    """
    if isinstance(item, dict):
        if "set" in item:
            item = [decode(part, "int") for part in item["set"]]
            return frozenset(item) if input_type == "int" else _INPUT_TYPES[input_type](item)
        item = float(item["float"])
    elif isinstance(item, list):
        item = [decode(part, "int") for part in item]
    if input_type.startswith("numpy."):
        return getattr(np, input_type[len("numpy.") :])(item)
    return _INPUT_TYPES[input_type](item)


def by_item(estimates: Any, inputs: Iterable[Any]) -> List[Any]:
    """Estimates in the order of the items, if they are told by item: the inputs, or the members of those."""
    if not hasattr(estimates, "keys"):
        return list(estimates)
    items = [decode(tuple(item) if isinstance(item, list) else item, "int") for item in inputs]
    if all(isinstance(item, frozenset) for item in items):
        items = sorted(frozenset().union(*items))
    known = dict.fromkeys(estimates.keys())
    return [estimates[item] if item in known else 0 for item in (items if set(known) <= set(items) else known)]


_INPUT_TYPES: Dict[str, Callable[[Any], Any]] = {
    "int": lambda item: item,
    "list": list,
    "tuple": tuple,
    "bool": bool,
    "str": str,
    "float": float,
}


def load(adapter: str) -> Any:
    """The module of a file, rewritten as `written` says, or of a name."""
    if not adapter.endswith(".py"):
        return importlib.import_module(adapter)
    specification = importlib.util.spec_from_file_location(TARGET, adapter, loader=Loader(TARGET, adapter))
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[TARGET] = module
    specification.loader.exec_module(module)
    return module
