"""Reports as the code gives them: what they hold, which of them a server is handed, and what that estimates."""

from __future__ import annotations

import hashlib
import time
from typing import Any, Dict, List, Tuple

from ..refusals import UnreadableOutput
from ..representation import Reader, estimate_number, told
from ..targets import by_item
from .side_effects import said

KEPT = 16
"""Reports on every input that the server is handed later."""
ENDS = 8
"""Of hash functions that are drawn, so many reports with the smallest seeds, and with the largest ones."""
SEEDED, SCORES = 320, 6400
"""So many reports with different seeds the server is handed, then the same again; fewer where they have more scores."""
PARTS, SHOWN, SHORTENED = 10_000, 400, " ... "
"""Of a report so many parts are looked at, and so many characters told."""
PATIENCE = 512
"""After so many reports of a server the time is looked at."""
Coded = Tuple[Any, int]
"""A report and its code."""


def of_many_seeds(seeded: List[Tuple[List[Any], Coded]], items: int) -> List[Coded]:
    """Return first the reports with the smallest and the largest seeds in turn, where seeds have an order; then
    others."""
    reports = [report for _, report in seeded]
    try:
        ordered = [report for _, report in sorted(seeded, key=lambda each: each[0])]
    except Exception:
        ordered = reports
    ends = [report for pair in zip(ordered[:ENDS], ordered[: -ENDS - 1 : -1]) for report in pair]
    most = min(SEEDED, max(4 * KEPT, SCORES // items))
    return (ends + reports[:: max(1, len(reports) // (most - len(ends)))])[:most]


def described(own: Any, canonical: bool) -> str:
    """Return types, order and content of a report (`canonical`: of which the code makes another form)."""
    try:
        content, raw = told(Reader(PARTS, True, True), own)
    except Exception as error:
        return "not described: " + type(error).__name__
    except UnreadableOutput as error:
        return "not described: " + str(error)
    text: str = raw + " = " + content if canonical else raw
    return text if len(text) <= SHOWN else text[:SHOWN] + SHORTENED + hashlib.sha256(text.encode()).hexdigest()


class Server:
    """A server of a protocol; its estimates are told in the order of these inputs."""

    def __init__(self, protocol: Any, server: Any, inputs: List[Any]) -> None:
        self._protocol, self._server, self._inputs = protocol, server, inputs

    def estimates(
        self, cycle: List[Coded], size: int, end: float = float("inf"), every: bool = False
    ) -> Dict[str, Any]:
        """Return the estimates of `size` reports (these in turn), what is raised, or nothing if that takes too long.

        `every`: the server is asked after each report, too.
        """
        try:
            for number in range(size):
                self._protocol.aggregate(self._server, cycle[number % len(cycle)][0])
                if every:
                    self._protocol.estimate(self._server)
                if number % PATIENCE == PATIENCE - 1 and time.monotonic() > end:
                    return {}
            estimate = by_item(self._protocol.estimate(self._server), self._inputs)
            return {"estimates": [estimate_number(value) for value in estimate]}
        except Exception as error:
            return {"raised": said(error)}
