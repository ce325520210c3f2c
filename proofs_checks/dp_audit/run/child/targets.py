"""What a job names: the protocol of a file or a module, its parameters, its inputs, and its estimates."""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.machinery
import importlib.util
import inspect
import os
import sys
from typing import Any, Callable, Dict, Iterable, List, Sequence, Tuple

TARGET = "audited_adapter"
"""The name under which the target's file is executed, where it has none of its own."""
METHODS = "client()", "privatize(client, item)"
"""What every protocol can be asked for."""
SERVER_METHODS = "server()", "aggregate(server, report)", "estimate(server)"
"""What a protocol with a server can be asked for."""

_COMPILED: Dict[Tuple[str, bytes], Any] = {}
"""The code of files, by path and text."""


class _Loader(importlib.machinery.SourceFileLoader):
    """Executes a file that is compiled once, in this process or in one of which it is a copy."""

    def get_code(self, fullname: str) -> Any:
        """Return the code of the file as it is now."""
        key = self.path, self.get_data(self.path)
        if key not in _COMPILED:
            _COMPILED[key] = super().get_code(fullname)
        return _COMPILED[key]


def compile_file(adapter: str) -> None:
    """Compile a file that copies of this process load; what is wrong with it they tell."""
    with contextlib.suppress(Exception):
        if adapter.endswith(".py"):
            _Loader(TARGET, adapter).get_code(TARGET)


def load(adapter: str, name: str = TARGET, loader: Any = None) -> Any:
    """The module of a file, executed under this name (by a loader made of both, if there is one), or of a module name.

    A file that is part of no package may import what lies beside it, after all that is installed.

    Raises `ImportError`, and what the file raises.
    """
    if not adapter.endswith(".py"):
        return importlib.import_module(adapter)
    folder = os.path.dirname(os.path.abspath(adapter))  # noqa: PTH100, PTH120
    if folder not in sys.path and not os.path.exists(os.path.join(folder, "__init__.py")):  # noqa: PTH110, PTH118
        sys.path.append(folder)
    made = (_Loader if loader is None else loader)(name, adapter)
    specification = importlib.util.spec_from_file_location(name, adapter, loader=made)
    if specification is None or specification.loader is None:
        raise ImportError(adapter)
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    specification.loader.exec_module(module)
    return module


def taken(made: Any, parameters: Dict[str, Any]) -> Dict[str, Any]:
    """Return those of `parameters` that `made` accepts. If its signature is unknown, or still has `**kwargs` after
    unwrapping decorators, return all of them."""
    for wrapped in (False, True):
        try:
            arguments = inspect.signature(made, follow_wrapped=wrapped).parameters
        except (TypeError, ValueError):
            return parameters
        if not any(one.kind is one.VAR_KEYWORD for one in arguments.values()):
            return {name: value for name, value in parameters.items() if name in arguments}
    return parameters


def accepts(method: Any, arguments: int) -> bool:
    """Whether this can be called with so many arguments, as far as its signature is known."""
    try:
        inspect.signature(method, follow_wrapped=False).bind(*[None] * arguments)
    except TypeError:
        return False
    except ValueError:  # no signature is known
        return True
    return True


class Function:
    """The protocol of a plain function of the item. Parameters that it has arguments for are handed to it."""

    def __init__(self, function: Callable[..., Any], parameters: Dict[str, Any]) -> None:
        self._function, self._parameters = function, taken(function, parameters)

    def client(self) -> None:
        """A function has no state."""

    def privatize(self, client: None, item: Any) -> Any:
        """What the function returns for the item."""
        return self._function(item, **self._parameters)


CLIENTS = (("privatize",), ("encode", "perturb"), ("perturb",), ("randomize",))
"""Methods of a class without `client()` that make a report of an item, one after the other."""
SERVERS = ("estimate", "aggregate")
"""Methods of a class without `server()` that make estimates of the list of reports: the first that takes it alone."""
OWN_FORM = ("canonical", "facts", "conditions", "variance", "reproduce", "reproduce_estimate", "server", *SERVERS)
ESTIMATING = ("estimat", "aggregat", "frequenc", "histogram")
"""Parts of the names of methods that estimate something."""
_PROPERTIES = (property, functools.cached_property)
USERS = ("n", "users", "n_users", "num_users")
"""Names of the argument of a method `variance`."""
STATED = {"stated variance": 1, "stated variance, two users": 2}
"""What is asked of such a method, by the names of the facts: the variance of the estimate of so many users."""


class Spelled:
    """The protocol of a class that makes reports of items, or estimates of lists of reports, in other words.

    `parameters` are those that it takes, `steps` the methods that make a report of an item, one after the other, where
    there is no `client()`; every client is then a new object. `estimate`: the method that makes estimates of a list of
    reports, or "".
    """

    def __init__(
        self, own: Any, made: Any, parameters: Dict[str, Any], steps: Sequence[str] = (), estimate: str = ""
    ) -> None:
        self._own, self._made, self._parameters, self._steps = own, made, parameters, steps
        report = "{input}" if steps else "adapter.privatize(adapter.client(), {input})"
        for name in steps:
            report = "adapter." + name + "(" + report + ")"
        self.calls = [report, "print(adapter." + estimate + "({reports}))"]
        if estimate:
            self.server: Callable[[], List[Any]] = list
            self.aggregate = lambda server, report: server.append(report)
            self.estimate = lambda server: getattr(own, estimate)(list(server))

    @staticmethod
    def steps_of(own: Any) -> Sequence[str]:
        """The methods of an object that make a report of an item; none where it has `client()`."""
        clients = () if hasattr(own, "client") else CLIENTS
        return next((names for names in clients if all(accepts(getattr(own, name, None), 1) for name in names)), ())

    def __getattr__(self, name: str) -> Any:
        if name not in OWN_FORM:
            raise AttributeError(name)
        return getattr(self._own, name)

    def client(self) -> Any:
        """What its method says, or a new object."""
        return self._made(**self._parameters) if self._steps else self._own.client()

    def privatize(self, client: Any, item: Any) -> Any:
        """What its methods make of the item."""
        if not self._steps:
            return self._own.privatize(client, item)
        for name in self._steps:
            item = getattr(client, name)(item)
        return item


def protocol_of(made: Any, parameters: Dict[str, Any]) -> Any:
    """The protocol that a class makes of those parameters that it takes, or that of a function of the item."""
    if not inspect.isclass(made):
        return Function(made, parameters)
    parameters = taken(made, parameters)
    own = made(**parameters)
    has_client, estimate, steps = hasattr(own, "client"), _estimating(own), Spelled.steps_of(own)
    return Spelled(own, made, parameters, steps, estimate) if steps or (has_client and estimate) else own


def _estimating(own: Any) -> str:
    """The method that makes estimates of a list of reports; "" where there is none, or a server is asked."""
    aggregate = getattr(own, "aggregate", None)
    if hasattr(own, "server") or (accepts(aggregate, 2) and not accepts(aggregate, 1)):
        return ""
    return next((name for name in SERVERS if accepts(getattr(own, name, None), 1)), "")


def stated_variance(protocol: Any) -> Dict[str, Any]:
    """What a property or method `variance` of nothing says of one user, or one of their number of one and of two.

    Further arguments of it have defaults.
    """
    if isinstance(inspect.getattr_static(type(_own(protocol)), "variance", None), _PROPERTIES):
        return {"stated variance": protocol.variance}
    calls = _variance_calls(protocol)
    return {fact: protocol.variance(**dict.fromkeys(names, users)) for fact, (names, users) in calls}


def _variance_calls(protocol: Any) -> List[Any]:
    """For every fact that a method `variance` can be asked for: the names of its argument, and the number of users."""
    try:
        asked = inspect.signature(protocol.variance)
        names = [name for name in asked.parameters if name in USERS]
        asked.bind(**dict.fromkeys(names, 1))
    except (AttributeError, TypeError, ValueError):
        return []
    return [(fact, (names, users)) for fact, users in STATED.items() if names or users == 1]


def _own(protocol: Any) -> Any:
    """The object whose methods a protocol calls."""
    return getattr(protocol, "_own", protocol) if isinstance(protocol, Spelled) else protocol


def ignored_methods(protocol: Any) -> List[str]:
    """Methods that nothing looks at: those that estimate something, by their names, of what has no server, and a
    variance of something else than a number of users."""
    own = _own(protocol)
    if isinstance(protocol, Function):
        return []
    kinds = {name: inspect.getattr_static(type(own), name) for name in dir(type(own)) if not name.startswith("_")}
    words = () if hasattr(protocol, "server") else ESTIMATING
    named = [name for name in kinds if any(word in name for word in words)]
    named += ["variance"] if "variance" in kinds and not _variance_calls(protocol) else []
    return [name + _arguments(getattr(own, name)) for name in named if inspect.isroutine(kinds[name])]


def _arguments(method: Any) -> str:
    try:
        return "(" + ", ".join(inspect.signature(method).parameters) + ")"
    except (TypeError, ValueError):
        return "()"


def require_methods(protocol: Any, name: str) -> None:
    """Raise `TypeError` for what has not the methods of a client, or with `server()` not those of a server."""
    for kind, methods in (("", METHODS), (" with server()", SERVER_METHODS if hasattr(protocol, "server") else ())):
        for call in methods:
            method, _, arguments = call.rstrip(")").partition("(")
            if not accepts(getattr(protocol, method, None), len(arguments.split())):
                needed = f"an audited class{kind} has the methods {' and '.join(methods)}"
                raise TypeError(
                    f"{name} has no {call}: {needed}" + ("" if kind else "; or name a function of the item")
                )


def decode(item: Any, input_type: str = "int") -> Any:
    """An input as the target gets it; `int` is the input as it stands.

    `{"float": "nan"}` is a float, `{"set": [0, 1]}` a frozenset (in other types: its members in order).
    """
    if isinstance(item, dict) and "set" in item:
        item = [decode(part) for part in item["set"]]
        return frozenset(item) if input_type == "int" else _INPUT_TYPES[input_type](item)
    if isinstance(item, dict) and "float" in item:
        item = float(item["float"])
    elif isinstance(item, list):
        item = [decode(part) for part in item]
    if input_type.startswith("numpy."):
        return getattr(importlib.import_module("numpy"), input_type[len("numpy.") :])(item)
    return _INPUT_TYPES[input_type](item)


_INPUT_TYPES: Dict[str, Callable[[Any], Any]] = {
    "int": lambda item: item,
    "list": list,
    "tuple": tuple,
    "bool": bool,
    "str": str,
    "float": float,
}


def by_item(estimates: Any, inputs: Iterable[Any]) -> List[Any]:
    """Estimates in the order of the items, if they are told by item: the inputs, or the members of those."""
    if not hasattr(estimates, "keys"):
        return list(estimates)
    items = [decode(tuple(item) if isinstance(item, list) else item) for item in inputs]
    if all(isinstance(item, frozenset) for item in items):
        items = sorted(frozenset().union(*items))
    keys = dict.fromkeys(estimates.keys())
    return [estimates[item] if item in keys else 0 for item in (items if set(keys) <= set(items) else keys)]
