"""Answers the audit protocol for an adapter of a Python library, as the library runs for its users.

    python -I -B FOLDER serve ADAPTER CLASS PARAMETERS [OPTIONS]

ADAPTER is a file or an importable module, CLASS a class of it (or a function of the item), PARAMETERS a JSON object.
OPTIONS is one, too: {"input_type": "int" | "list" | "tuple" | "numpy.int64" ..., "inputs": [...]}; the latter say in
which order estimates are that are told by item. Nothing is intercepted, and every report is drawn by a fresh client.
What the library prints goes to stderr.
"""

from __future__ import annotations

import json
import sys
import warnings
from typing import Any, Dict, List, Optional, TextIO

from .representation import canonical_text, canonical_value, estimate_number
from .targets import by_item, decode, load, protocol_of

REMEMBERED = 1 << 16
"""Of so many different reports the library's own form is kept, for its server."""


class Server:
    """Answers requests for one protocol of an adapter."""

    def __init__(self, protocol: Any, input_type: str = "int", inputs: Optional[List[Any]] = None) -> None:
        self._protocol = protocol
        self._inputs = inputs
        self._input_type = input_type
        self._own: Dict[str, Any] = {}

    def answer(self, request: Dict[str, Any]) -> Dict[str, Any]:
        """Return the content of the answer; whatever is raised is an error."""
        try:
            if request["op"] == "sample":
                return self._sample(request["input"], request["count"])
            if request["op"] == "estimate":
                return {"estimates": self._estimate(request["reports"])}
            return {"error": "unknown op " + repr(request["op"])}
        except Exception as error:
            return {"error": type(error).__name__ + ": " + str(error)}

    def _sample(self, item: Any, count: int) -> Dict[str, Any]:
        value = decode(item, self._input_type)
        canonical = getattr(self._protocol, "canonical", None)
        reports: List[Any] = []
        for _ in range(count):
            own = self._protocol.privatize(self._protocol.client(), value)
            report = canonical_value(own if canonical is None else canonical(own))
            if type(report) is not int or str(report) not in self._own:
                key = canonical_text(report)
                if len(self._own) < REMEMBERED:
                    self._own.setdefault(key, own)
            reports.append(report)
        return {"reports": reports}

    def _estimate(self, reports: List[Any]) -> List[Any]:
        if not hasattr(self._protocol, "server"):
            raise NotImplementedError("the adapter has no server")
        own = [self._own[canonical_text(report)] for report in reports]  # the library's own form: of reports it gave
        server = self._protocol.server()
        for report in own:
            self._protocol.aggregate(server, report)
        estimates = self._protocol.estimate(server)
        return [estimate_number(value) for value in by_item(estimates, self._inputs or ())]


def serve(arguments: List[str], answers: TextIO) -> None:
    """Answer until the input ends; the arguments are those behind `serve`."""
    adapter, name, parameters, *options = arguments
    warnings.simplefilter("ignore")
    protocol = protocol_of(getattr(load(adapter), name), json.loads(parameters))
    server = Server(protocol, **json.loads(options[0] if options else "{}"))
    for line in sys.stdin:
        request = json.loads(line)
        answers.write(json.dumps({"id": request["id"], **server.answer(request)}) + "\n")
        answers.flush()
