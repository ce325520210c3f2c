"""dpmm 0.1.9: the selection of its PrivBayes, and what its preparation of tables takes from the data without noise."""

from __future__ import annotations

import logging
from typing import Any

import dpmm.models.priv_bayes as source  # type: ignore[import-not-found]
import numpy as np
import pandas as pd  # type: ignore[import-untyped]
from dpmm.models.base.mbi import Dataset, Domain  # type: ignore[import-not-found]
from dpmm.processing.table_binner import TableBinner  # type: ignore[import-not-found]

NAMES = "abcdef"
logging.getLogger("dpmm").setLevel(logging.ERROR)


class select:
    """PrivBayes.select, which has half of the budget of PrivBayes."""

    def __init__(self, sizes: Any, tables: Any, epsilon: float, degree: int, **stated: Any) -> None:
        self._names = list(NAMES[: len(sizes)])
        domain = Domain(self._names, list(sizes))
        self._data = [Dataset(pd.DataFrame(table, columns=self._names), domain) for table in tables]
        # Made once: it searches for rho for a second, and selects without a state. Cliques are parents and attribute.
        self._made = source.PrivBayes(epsilon=2 * epsilon, delta=1e-5, degree=degree + 1, n_jobs=1)

    def client(self) -> Any:
        """PrivBayes."""
        return self._made

    def privatize(self, client: Any, item: Any) -> Any:
        """Every attribute, the last of a clique, with its parents."""
        cliques = client.select(self._data[item])
        places = [[NAMES.index(name) for name in clique] for clique in cliques]
        return [[clique[-1], sorted(clique[:-1])] for clique in places]


class _Information(source.MI):  # type: ignore[misc]
    """Mutual information in nats, not divided by anything."""

    def __call__(self, parents: Any, child: str) -> float:
        joint = self.data.project([*parents, child]).datavector(flatten=False) / len(self.data.df)
        last = len(parents)
        own, others = joint.sum(axis=tuple(range(last))), joint.sum(axis=-1)
        return float((self.entropy(own) + self.entropy(others) - self.entropy(joint)) * np.log(2))


class select_repaired(select):
    """With mutual information in nats, as its sensitivity is."""

    def privatize(self, client: Any, item: Any) -> Any:
        """As above."""
        own, source.MI = source.MI, _Information
        try:
            return super().privatize(client, item)
        finally:
            source.MI = own


class prepared:
    """TableBinner.fit with domains that are given: what it keeps, and what the synthetic rows show.

    In the last record, attribute b is y, as in all others, or z, or missing.
    """

    def __init__(self, d: int, epsilon: float) -> None:
        self._epsilon = epsilon
        self._frames = [
            pd.DataFrame({"a": ["u", "v"] * 5, "b": ["y"] * 9 + [last]}).astype("category")
            for last in ("y", "z", None)[:d]
        ]

    def client(self) -> Any:
        """Nothing."""

    def privatize(self, client: Any, item: Any) -> Any:
        """The parts that are another than for the first data set."""
        first, attributes = self._kept(0), self._kept(item)
        return [name for name in attributes if attributes[name] != first[name]]

    def _kept(self, item: int) -> dict[str, Any]:
        domain = {"a": {"categories": ["u", "v"]}, "b": {"categories": ["y", "z"]}}
        binner = TableBinner(binner_settings={"n_bins": 2, "epsilon": self._epsilon}, domain=domain)
        binner.fit(self._frames[item])
        return {"static_columns": binner.static_columns, "columns with NaN": sorted(binner.nan_columns)}


class prepared_without_domain(prepared):
    """PrivBayes.fit without a domain: the sizes of the noisy tables. In the last record, attribute b is 1 or 2."""

    def __init__(self, d: int, epsilon: float) -> None:
        self._made = source.PrivBayes(epsilon=epsilon, delta=1e-5, n_jobs=1)
        self._frames = [pd.DataFrame({"a": [0, 1] * 5, "b": [0, 1] * 4 + [0, last]}) for last in (1, 2)[:d]]

    def _kept(self, item: int) -> dict[str, Any]:
        self._made.fit_state = None  # as new
        self._made.fit(self._frames[item], marginals_only=True)
        return {"number of cells": sorted(len(noisy.ravel()) for _, noisy, _, _ in self._made.measures)[-1]}
