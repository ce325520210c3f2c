"""Estimates of a target's server."""

from __future__ import annotations

import time
from typing import Any, Dict, List, Tuple

from .side_effects import said

PATIENCE = 512
"""After so many reports the time is looked at."""


def estimates(
    serve: Any,
    inputs: List[Any],
    protocol: Any,
    server: Any,
    cycle: List[Tuple[Any, int]],
    size: int,
    end: float = float("inf"),
    every: bool = False,
) -> Dict[str, Any]:
    """The estimates of `size` reports (these in turn), what is raised, or nothing if that takes too long.

    `every`: the server is asked after each report, too.
    """
    try:
        for number in range(size):
            protocol.aggregate(server, cycle[number % len(cycle)][0])
            if every:
                protocol.estimate(server)
            if number % PATIENCE == PATIENCE - 1 and time.monotonic() > end:
                return {}
        found = serve.by_item(protocol.estimate(server), inputs)
        return {"estimates": [serve._estimate(value) for value in found]}
    except Exception as error:
        return {"raised": said(error)}
