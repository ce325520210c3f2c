"""synthcity 0.2.12: the file of its PrivBayes, alone, with stand-ins for what it imports of the rest of the package and
for what makes a network of the noisy tables."""

from __future__ import annotations

import importlib.util
import sys
import types
import warnings
from functools import partial
from importlib.metadata import files
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


class noisy_counts:
    """_get_noisy_counts_for_attributes for the only attribute: a count for each of its values.

    The tables of PrivBayes have half of its budget.
    """

    factor = 1.0

    def __init__(self, counts: Any, sensitivity: float, epsilon: float, low: int, high: int) -> None:
        self._counts, self._low, self._high = counts, low, high
        self._made = source.PrivBayes(epsilon=2 * epsilon / self.factor, K=0)

    def client(self) -> Any:
        """Nothing."""

    def privatize(self, client: Any, item: Any) -> Any:
        """The noisy counts, rounded, if they are in the window; "none" for a value that the table does not have."""
        counts = self._counts[item]
        values = [value for value, count in enumerate(counts) for _ in range(count)]
        table = self._made._get_noisy_counts_for_attributes(pd.DataFrame({"a": values}), ["a"])
        noisy = dict(zip(table["a"], table["count"], strict=True))
        return [self._seen(round(noisy[value])) if value in noisy else "none" for value in range(len(counts))]

    def _seen(self, noisy: int) -> Any:
        return "below" if noisy < self._low else "above" if noisy > self._high else noisy


class noisy_counts_repaired(noisy_counts):
    """With n times the noise, as it is added to counts; n is 3 here."""

    factor = 3.0


class selection:
    """_exponential_mechanism on candidates whose scores the plugin computes, and the draw that _greedy_bayes makes.

    Of three attributes two are selected, each with half of the budget of the network, which is half of the plugin's.
    """

    def __init__(self, tables: Any, candidates: Any, epsilon: float, **stated: Any) -> None:
        self._made = source.PrivBayes(epsilon=4 * epsilon, K=1)
        self._frames = [pd.DataFrame(table, columns=list("abc")) for table in tables]
        self._edges = [source.network_edge("abc"[x], parents=["abc"[y] for y in ys]) for x, ys in candidates]
        self._scores = [[self._score(frame, *edge) for edge in self._edges] for frame in self._frames]

    def client(self) -> Any:
        """Nothing."""

    def privatize(self, client: Any, item: Any) -> Any:
        """The place of the candidate."""
        chances = self._made._exponential_mechanism(self._frames[item], self._edges, self._scores[item])
        return int(np.random.choice(list(range(len(self._edges))), p=chances))

    def _score(self, frame: Any, candidate: str, parents: list[str]) -> float:
        return float(self._made.mutual_info_score(frame, parents, candidate))


class selection_repaired(selection):
    """With mutual information in nats, as its sensitivity is."""

    def _score(self, frame: Any, candidate: str, parents: list[str]) -> float:
        return float(mutual_info_score(frame[parents[0]], frame[candidate]))


class encoded:
    """_encode: what it keeps of an attribute to decode the synthetic rows. In the last record, it is 0, 1 or 2."""

    def __init__(self, d: int, epsilon: float) -> None:
        self._made = source.PrivBayes(epsilon=epsilon)
        self._kept = [self._values([0, 1] * 5 + [last]) for last in range(d)]

    def client(self) -> Any:
        """Nothing."""

    def privatize(self, client: Any, item: Any) -> Any:
        """The parts that are another than for the first data set."""
        return ["values of a"] * (self._kept[item] != self._kept[0])

    def _values(self, column: list[int]) -> list[int]:
        _, encoders = self._made._encode(pd.DataFrame({"a": column}))
        return [int(value) for value in encoders["a"]["model"].classes_]


class parents:
    """_greedy_bayes for two attributes: whether the second one of the network has the first as a parent.

    The last of ten records has b = 0, as all others, or b = 1.
    """

    def __init__(self, d: int, epsilon: float) -> None:
        self._made = source.PrivBayes(epsilon=2 * epsilon, K=1)
        self._frames = [pd.DataFrame({"a": [0, 1] * 5, "b": [0] * 9 + [last]}) for last in range(d)]
        self._first = self._edges(0)

    def client(self) -> Any:
        """Nothing."""

    def privatize(self, client: Any, item: Any) -> Any:
        """The parts that are another than for the first data set."""
        return ["number of parents"] * (self._edges(item) != self._first)

    def _edges(self, item: int) -> int:
        self._made.mi_cache = {}
        return sum(len(edge.parents) for edge in self._made._greedy_bayes(self._frames[item]))
