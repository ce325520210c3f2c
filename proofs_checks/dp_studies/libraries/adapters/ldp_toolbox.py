"""ldp-toolbox 0.1.3. Local hashing estimates in processes: here the same calls are made one after the other."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path
from typing import Any, Iterable  # noqa: UP035 - Python 3.8

import numpy as np
import xxhash  # type: ignore[import-not-found]
from ldp_toolbox.protocols.frequency import lh  # type: ignore[import-not-found]
from ldp_toolbox.protocols.frequency.grr import GeneralizedRandomizedResponse  # type: ignore[import-not-found]
from ldp_toolbox.protocols.frequency.he import HistogramEncoding  # type: ignore[import-not-found]
from ldp_toolbox.protocols.frequency.lh import LocalHashing  # type: ignore[import-not-found]
from ldp_toolbox.protocols.frequency.ss import SubsetSelection  # type: ignore[import-not-found]
from ldp_toolbox.protocols.frequency.ue import UnaryEncoding  # type: ignore[import-not-found]


class _OneByOne:
    """joblib.Parallel without processes."""

    def __init__(self, n_jobs: int) -> None:
        """The number of processes is ignored."""

    def __call__(self, calls: Iterable[Any]) -> list[Any]:
        """The results of the calls."""
        return [function(*arguments, **named) for function, arguments, named in calls]


lh.Parallel = _OneByOne


def stated(protocol: Any, **more: Any) -> dict[str, Any]:
    """What the library states: the variance of an estimate from one report, the success of its attack."""
    return {"stated variance": protocol.get_mse(), "stated attack success": protocol.get_asr(), **more}


def cells(d: int, seed: int, g: int) -> list[int]:
    """The cells of the items under the hash function of a seed."""
    return [xxhash.xxh32(str(item), seed=seed).intdigest() % g for item in range(d)]


def subset(report: Any) -> Any:
    """The set of the items; a list where an item occurs twice."""
    items = [int(item) for item in report]
    return frozenset(items) if len(set(items)) == len(items) else items


# --- the changes that are proposed ------------------------------------------------------------------------------------


def whole(item: Any) -> Any:
    """An input that has to be an integer."""
    if not isinstance(item, (int, np.integer)):
        raise TypeError("no integer")
    return item


def hashed(client: Any, item: Any) -> Any:
    """The report of local hashing on a whole number, with a cell of one type."""
    if item is None or item != int(item):
        raise TypeError("no integer")
    cell, *rest = client.obfuscate(int(item))
    return (int(cell), *rest)


Texts = run_path(str(Path(__file__).with_name("texts.py")))["texts"](globals())
