"""dpmm 0.1.9: the selection of its PrivBayes, and what its preparation of tables takes from the data without noise."""

from __future__ import annotations

import logging
from pathlib import Path
from runpy import run_path
from typing import Any

import dpmm.models.priv_bayes as source  # type: ignore[import-not-found]
import numpy as np
import pandas as pd  # type: ignore[import-untyped]
from dpmm.models.base.mbi import Dataset, Domain  # type: ignore[import-not-found]
from dpmm.processing.table_binner import TableBinner  # type: ignore[import-not-found]

NAMES = "abcdef"
logging.getLogger("dpmm").setLevel(logging.ERROR)


def model(epsilon: float, **options: Any) -> Any:
    """PrivBayes. Made once where it selects: it searches for rho for a second, and selects without a state."""
    return source.PrivBayes(epsilon=epsilon, delta=1e-5, n_jobs=1, **options)


def data_set(sizes: Any, table: Any) -> Any:
    """A table whose attributes have so many values."""
    names = list(NAMES[: len(sizes)])
    return Dataset(pd.DataFrame(table, columns=names), Domain(names, list(sizes)))


def network(made: Any, data: Any, score: Any = source.MI) -> Any:
    """Every attribute, the last of a clique, with its parents."""
    own, source.MI = source.MI, score
    try:
        cliques = made.select(data)
    finally:
        source.MI = own
    places = [[NAMES.index(name) for name in clique] for clique in cliques]
    return [[clique[-1], sorted(clique[:-1])] for clique in places]


class Information(source.MI):  # type: ignore[misc]
    """Proposed: mutual information in nats, as its sensitivity is, not divided by anything."""

    def __call__(self, parents: Any, child: str) -> float:
        joint = self.data.project([*parents, child]).datavector(flatten=False) / len(self.data.df)
        last = len(parents)
        own, others = joint.sum(axis=tuple(range(last))), joint.sum(axis=-1)
        return float((self.entropy(own) + self.entropy(others) - self.entropy(joint)) * np.log(2))


def changed(kept: Any, item: int) -> list[str]:
    """The parts of what is kept that are another than for the first data set."""
    first, own = kept(0), kept(item)
    return [name for name in own if own[name] != first[name]]


def binned(item: int, epsilon: float) -> dict[str, Any]:
    """What TableBinner.fit keeps, with domains that are given, and what the synthetic rows show.

    In the last record, attribute b is y, as in all others, or z, or missing.
    """
    data = pd.DataFrame({"a": ["u", "v"] * 5, "b": ["y"] * 9 + [("y", "z", None)[item]]}).astype("category")
    domain = {"a": {"categories": ["u", "v"]}, "b": {"categories": ["y", "z"]}}
    binner = TableBinner(binner_settings={"n_bins": 2, "epsilon": epsilon}, domain=domain)
    binner.fit(data)
    return {"static_columns": binner.static_columns, "columns with NaN": sorted(binner.nan_columns)}


def fitted(made: Any, item: int) -> dict[str, Any]:
    """The sizes of the noisy tables of PrivBayes.fit without a domain. In the last record, attribute b is 1 or 2."""
    made.fit_state = None  # as new
    made.fit(pd.DataFrame({"a": [0, 1] * 5, "b": [0, 1] * 4 + [0, 1 + item]}), marginals_only=True)
    return {"number of cells": sorted(len(noisy.ravel()) for _, noisy, _, _ in made.measures)[-1]}


Texts = run_path(str(Path(__file__).with_name("texts.py")))["texts"](globals())
