"""Answers the audit protocol for an adapter of a Python library, as the library runs for its users.

One file that imports only the standard library and numpy and is valid for Python 3.8, so that it runs inside the
environment of the audited library:

    python -I -B serve.py ADAPTER CLASS PARAMETERS [OPTIONS]

ADAPTER is a file or an importable module, CLASS a class of it (or a function of the item), PARAMETERS a JSON object.
OPTIONS is one, too: {"input_type": "int" | "list" | "tuple" | "numpy.int64" ..., "one_type": true | false, "inputs":
[...]}; with "one_type" a sample fails once reports were of several types, and "inputs" say in which order estimates
are that are told by item. Nothing is intercepted, and every report is drawn by a fresh client. What the library prints
goes to stderr.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import json
import math
import numbers
import os
import sys
import warnings
from fractions import Fraction
from typing import Any, Callable, Dict, Iterable, List, Optional

import numpy as np

LISTED = 20000
"""Up to so many reports are listed in their order, more are counted."""
REMEMBERED = 1 << 16
"""Of so many different reports the library's own form is kept, for its server."""


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


class _Function:
    """A plain function of the item as a protocol: parameters that it has arguments for are handed to it."""

    def __init__(self, function: Callable[..., Any], parameters: Dict[str, Any]) -> None:
        self._function, self._parameters = function, taken(function, parameters)

    def client(self) -> None:
        """A function has no state."""

    def privatize(self, client: None, item: Any) -> Any:
        """What the function returns for the item."""
        return self._function(item, **self._parameters)


class Server:
    """Answers requests for one protocol of an adapter."""

    def __init__(
        self, protocol: Any, input_type: str = "int", one_type: bool = False, inputs: Optional[List[Any]] = None
    ) -> None:
        self._protocol = protocol
        self._inputs = inputs
        self._input_type = input_type
        self._one_type = one_type
        self._types: List[str] = []
        self._own: Dict[str, Any] = {}

    def answer(self, request: Dict[str, Any]) -> Dict[str, Any]:
        """The content of the answer; whatever is raised is an error."""
        try:
            if request["op"] == "sample":
                return self._sample(request["input"], request["count"])
            if request["op"] == "estimate":
                return {"estimates": self._estimate(request["reports"])}
            return {"error": "unknown op " + repr(request["op"])}
        except Exception as error:
            return {"error": type(error).__name__ + ": " + str(error)}

    def _sample(self, item: Any, count: int) -> Dict[str, Any]:
        given = _decode(item, self._input_type)
        canonical = getattr(self._protocol, "canonical", None)
        reports: List[Any] = []
        counts: Dict[str, int] = {}
        for _ in range(count):
            own = self._protocol.privatize(self._protocol.client(), given)
            if self._one_type:
                self._look_at_type(own)
            report = plain(own if canonical is None else canonical(own))
            if type(report) is not int or str(report) not in self._own:
                key = _text(report)
                if len(self._own) < REMEMBERED:
                    self._own.setdefault(key, own)
            if count <= LISTED:
                reports.append(report)
            else:
                counts[_text(report)] = counts.get(_text(report), 0) + 1
        if count <= LISTED:
            return {"reports": reports}
        return {"counts": [[json.loads(key), k] for key, k in counts.items()]}

    def _look_at_type(self, own: Any) -> None:
        kind = kind_of(own)
        if kind not in self._types:
            self._types.append(kind)
        if len(self._types) > 1:
            raise TypeError("reports of several types: " + ", ".join(self._types))

    def _estimate(self, reports: List[Any]) -> List[Any]:
        if not hasattr(self._protocol, "server"):
            raise NotImplementedError("the adapter has no server")
        own = [self._own[_text(report)] for report in reports]  # the library's own form: of reports it gave
        server = self._protocol.server()
        for report in own:
            self._protocol.aggregate(server, report)
        estimates = self._protocol.estimate(server)
        return [_estimate(value) for value in by_item(estimates, self._inputs or ())]


def by_item(estimates: Any, inputs: Iterable[Any]) -> List[Any]:
    """Estimates in the order of the items, if they are told by item: the inputs, or the members of those."""
    if not hasattr(estimates, "keys"):
        return list(estimates)
    items = [_decode(tuple(item) if isinstance(item, list) else item, "int") for item in inputs]
    if all(isinstance(item, frozenset) for item in items):
        items = sorted(frozenset().union(*items))
    known = dict.fromkeys(estimates.keys())
    return [estimates[item] if item in known else 0 for item in (items if set(known) <= set(items) else known)]


def plain(value: Any) -> Any:
    """The canonical JSON value of a report. Raises `TypeError` for what has none: that needs `canonical`."""
    if value is None or type(value) in (int, str):
        return value
    if isinstance(value, (bool, np.bool_, int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        exact = Fraction(float(value))  # raises for NaN and infinities
        return exact.numerator if exact.denominator == 1 else {"fraction": str(exact)}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, (set, frozenset)):
        return {"set": sorted((plain(part) for part in value), key=_text)}
    if isinstance(value, (bytes, bytearray)):
        return {"bytes": bytes(value).hex()}
    if isinstance(value, str):
        return str(value)
    raise TypeError("no canonical form of a report of type " + type(value).__name__)


def kind_of(value: Any) -> str:
    """The type of a report and of its parts, in their order."""
    if isinstance(value, np.ndarray):
        return "numpy.ndarray " + str(value.dtype)
    name = type(value).__module__ + "." + type(value).__name__
    if isinstance(value, (list, tuple)):
        return name + "[" + ", ".join(map(kind_of, value)) + "]"
    return name


def _estimate(value: Any) -> Any:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (numbers.Rational, float, np.number)):
        raise TypeError("an estimate of type " + type(value).__name__)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, numbers.Rational):
        return str(Fraction(value))
    if not math.isfinite(value):
        raise ValueError("an estimate is " + repr(float(value)))
    return float(value)


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _decode(item: Any, input_type: str) -> Any:
    """An input as the library gets it; `int` is the input as it stands, a set a frozenset."""
    if isinstance(item, dict) and list(item) == ["set"]:
        return frozenset(item["set"]) if input_type == "int" else _INPUT_TYPES[input_type](item["set"])
    if input_type.startswith("numpy."):
        return getattr(np, input_type[len("numpy.") :])(item)
    return _INPUT_TYPES[input_type](item)


_INPUT_TYPES: Dict[str, Callable[[Any], Any]] = {
    "int": lambda item: item,
    "list": list,
    "tuple": tuple,
    "str": str,
    "float": float,
    "bool": bool,
}


def _load(adapter: str, name: str) -> Any:
    if not adapter.endswith(".py"):
        return getattr(importlib.import_module(adapter), name)
    specification = importlib.util.spec_from_file_location("audited_adapter", adapter)
    if specification is None or specification.loader is None:
        raise ImportError(adapter)
    module = importlib.util.module_from_spec(specification)
    sys.modules["audited_adapter"] = module
    specification.loader.exec_module(module)
    return getattr(module, name)


def main() -> int:
    """Answer until the input ends."""
    adapter, name, parameters = sys.argv[1:4]
    options = json.loads(sys.argv[4]) if len(sys.argv) > 4 else {}
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # what the library prints must not come between the answers
    warnings.simplefilter("ignore")
    made = _load(adapter, name)
    given = json.loads(parameters)
    server = Server(made(**taken(made, given)) if inspect.isclass(made) else _Function(made, given), **options)
    for line in sys.stdin:
        request = json.loads(line)
        answers.write(json.dumps({"id": request["id"], **server.answer(request)}) + "\n")
        answers.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
