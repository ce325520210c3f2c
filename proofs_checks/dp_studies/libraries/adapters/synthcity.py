"""synthcity 0.2.12: the file of its PrivBayes, alone, with stand-ins for what it imports of the rest of the package and
for what makes a network of the noisy tables."""

from __future__ import annotations

import importlib.util
import sys
import types
import warnings
from functools import partial
from importlib.metadata import files
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
from sklearn.metrics import mutual_info_score

warnings.simplefilter("ignore")


class _Nothing:
    """A class of which only the name is needed."""


def _module(name: str, **members: Any) -> types.ModuleType:
    made = types.ModuleType(name)
    made.__dict__.update(members, __path__=[])
    sys.modules[name] = made
    return made


def _source() -> Any:
    """The module, from its file: importing the package starts all of its generators."""
    log = {"debug": lambda *words: None, "info": lambda *words: None}
    _module("synthcity", logger=_module("synthcity.logger", **log))
    for name in ("synthcity.plugins", "synthcity.plugins.core", "synthcity.utils"):
        _module(name)
    for name in ("dataloader", "distribution", "plugin", "schema", "serializable"):
        kind = "DataLoader" if name == "dataloader" else name.capitalize()
        _module(f"synthcity.plugins.core.{name}", **{kind: type(kind, (_Nothing,), {})})
    _module("synthcity.utils.reproducibility", enable_reproducible_results=None)
    for name in ("pgmpy", "pgmpy.factors", "pgmpy.factors.discrete"):
        _module(name)
    _module("pgmpy.factors.discrete.CPD", TabularCPD=_Nothing)
    _module("pgmpy.models", BayesianNetwork=_Nothing)
    _module("pgmpy.sampling", BayesianModelSampling=_Nothing)
    _module("tqdm", tqdm=lambda steps: steps)
    [file] = [file for file in files("synthcity") or () if file.name == "plugin_privbayes.py"]
    spec = importlib.util.spec_from_file_location("plugin_privbayes", str(file.locate()))
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules["plugin_privbayes"] = made
    spec.loader.exec_module(made)
    return made


source = _source()
# The clusters of a binary attribute are its two values, whatever centers k-means draws first.
source.KMeans = partial(source.KMeans, init=np.arange(10.0)[:, None], n_init=1)


def noisy(made: Any, counts: Any) -> list[Any]:
    """_get_noisy_counts_for_attributes for the only attribute: a rounded count for each of its values; "none" for one
    that the table does not have."""
    values = [value for value, count in enumerate(counts) for _ in range(count)]
    table = made._get_noisy_counts_for_attributes(pd.DataFrame({"a": values}), ["a"])
    drawn = dict(zip(table["a"], table["count"], strict=True))
    return [round(drawn[value]) if value in drawn else "none" for value in range(len(counts))]


def own_score(made: Any, data: Any, candidate: str, parents: list[str]) -> float:
    """The score of the plugin."""
    return float(made.mutual_info_score(data, parents, candidate))


def in_nats(made: Any, data: Any, candidate: str, parents: list[str]) -> float:
    """Proposed: mutual information in nats, as its sensitivity is."""
    return float(mutual_info_score(data[parents[0]], data[candidate]))


def selections(tables: Any, candidates: Any, epsilon: float, score: Any = own_score) -> list[Any]:
    """For every table what `chosen` is given.

    Of three attributes two are selected, each with half of the budget of the network, which is half of the plugin's.
    """
    made = source.PrivBayes(epsilon=4 * epsilon, K=1)
    edges = [source.network_edge("abc"[x], parents=["abc"[y] for y in ys]) for x, ys in candidates]
    frames = [pd.DataFrame(table, columns=list("abc")) for table in tables]
    return [(made, data, edges, [score(made, data, *edge) for edge in edges]) for data in frames]


def chosen(made: Any, data: Any, edges: list[Any], scores: list[float]) -> int:
    """The place of the candidate that is drawn with the chances of _exponential_mechanism, as by _greedy_bayes."""
    chances = made._exponential_mechanism(data, edges, scores)
    return int(np.random.choice(list(range(len(edges))), p=chances))


def encoded(made: Any, last: int) -> list[int]:
    """What _encode keeps of an attribute to decode the synthetic rows. In the last record, it is this number."""
    _, encoders = made._encode(pd.DataFrame({"a": [0, 1] * 5 + [last]}))
    return [int(value) for value in encoders["a"]["model"].classes_]


def parents(made: Any, last: int) -> int:
    """How many parents the two attributes of the network of _greedy_bayes have together.

    The last of ten records has b = 0, as all others, or b = 1.
    """
    made.mi_cache = {}
    data = pd.DataFrame({"a": [0, 1] * 5, "b": [0] * 9 + [last]})
    return sum(len(edge.parents) for edge in made._greedy_bayes(data))


Texts = run_path(str(Path(__file__).with_name("texts.py")))["texts"](globals())
