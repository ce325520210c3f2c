"""trasgodp 2.1.0: columns of letters."""

import types
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
from trasgodp import categorical, geoindis, numerical  # type: ignore[import-not-found]
from trasgodp.categorical import _exponential, _randomized_response  # type: ignore[import-not-found]


def column(item: int, d: int) -> list[str]:
    """All d letters, from the item on."""
    return [chr(97 + (k + item) % d) for k in range(d)]


def in_frame(function: Any, values: list[Any], *arguments: Any) -> Any:
    """What becomes of the first value of a column of a dataframe."""
    return function(pd.DataFrame({"x": values}), "x", *arguments)["x"].iloc[0]


def public(module: Any, d: int) -> None:
    """Give a module numpy with an alphabet of d letters in the place of the values that occur."""
    letters = np.array([chr(97 + x) for x in range(d)])

    def unique(values: Any, **named: Any) -> Any:
        return np.unique(values, **named) if named else letters

    module.np = types.SimpleNamespace(**{**vars(np), "unique": unique})


Texts = run_path(str(Path(__file__).with_name("texts.py")))["texts"](globals())
