"""DataSynthesizer 0.1.13: the noisy parts of its two private modes, on small data sets; an input is the number of one.

Its child processes run in this one. What it prints about its progress is dropped.
"""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
from DataSynthesizer.DataDescriber import DataDescriber  # type: ignore[import-not-found]
from DataSynthesizer.lib import PrivBayes  # type: ignore[import-not-found]

NAMES = "abcdef"
ROOTS = ({"a": "0011", "b": "0011"}, {"a": "0011", "b": "0111"})
SCORED = (
    {"a": "000111", "b": "001101", "c": "010101"},
    {"a": "000111", "b": "001101", "c": "010100"},
)
"""Data sets of three binary attributes that differ in one record."""
PAIRS = [("b", ["a"]), ("c", ["a"])]
"""The candidates when the root is a: a child and its parents."""


class _Pool:
    """multiprocessing's Pool, in this process."""

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, *error: Any) -> None:
        """Nothing to end."""

    def map(self, function: Any, tasks: Any) -> list[Any]:
        """One after the other."""
        return [function(task) for task in tasks]


PrivBayes.Pool = _Pool


def quiet(function: Any, *arguments: Any, **named: Any) -> Any:
    """What a function returns, without what it prints."""
    with contextlib.redirect_stdout(io.StringIO()):
        return function(*arguments, **named)


def unseeded(data: Any, degree: int, epsilon: float) -> Any:
    """The network of greedy_bayes with a generator that is not seeded, as `seed=None` would be."""
    own, PrivBayes.set_random_seed = PrivBayes.set_random_seed, lambda seed: None
    try:
        return quiet(PrivBayes.greedy_bayes, data, degree, epsilon)
    finally:
        PrivBayes.set_random_seed = own


def columns(values: Any) -> Any:
    """A data set, given by the values of its attributes."""
    return pd.DataFrame({name: list(own) for name, own in values.items()})


def records(rows: Any) -> Any:
    """A data set, given by its records."""
    return pd.DataFrame(rows, columns=list(NAMES[: len(rows[0])]))


def numbered(network: Any) -> Any:
    """The root, and every attribute with its parents, as numbers."""
    pairs = [(network[0][1][0], []), *((child, sorted(parents)) for child, parents in network)]
    return [[NAMES.index(x), [NAMES.index(parent) for parent in parents]] for x, parents in pairs]


def named(candidates: Any) -> Any:
    """Attributes with their parents, by their names."""
    return [(NAMES[x], [NAMES[parent] for parent in parents]) for x, parents in candidates]


def scores(data: Any, pairs: Any) -> list[float]:
    """The mutual informations, as the library computes them."""
    return [float(PrivBayes.mutual_information(data[child], data[parents])) for child, parents in pairs]


def chosen(data: Any, pairs: Any, attributes: int, epsilon: float, binary: Any = None) -> int:
    """The place of the pair that is drawn with the probabilities of exponential_mechanism, as `greedy_bayes` draws it.

    `binary`: what is said of the attributes; None: what occurs, as greedy_bayes counts it.
    """
    binary = binary or {attribute: data[attribute].unique().size <= 2 for attribute in data}
    chances = PrivBayes.exponential_mechanism(epsilon, scores(data, pairs), pairs, binary, len(data), attributes)
    return int(np.random.choice(list(range(len(pairs))), p=chances))


def sensitivities() -> list[float]:
    """For every candidate its sensitivity times the number of selections that share epsilon."""
    binary, n = dict.fromkeys("abc", True), len(SCORED[0]["a"])
    each = [PrivBayes.calculate_sensitivity(n, child, parents, binary) for child, parents in PAIRS]
    return [float(PrivBayes.calculate_delta(3, s, 1.0)) for s in each]


def noisy(attributes: str, counts: Any, epsilon: float) -> list[int]:
    """get_noisy_distribution_of_attributes of the only attributes of a data set: a rounded count for each cell.

    Of several attributes, binary ones, a cell is the number that they write.
    """
    width = len(attributes)
    cells = [cell for cell, count in enumerate(counts) for _ in range(count)]
    rows = [[cell] if width == 1 else [cell >> width - 1 - i & 1 for i in range(width)] for cell in cells]
    data = pd.DataFrame(rows, columns=list(attributes))
    table = PrivBayes.get_noisy_distribution_of_attributes(list(attributes), data, epsilon)
    return [round(count) for count in table["count"]]


class Described:
    """describe_dataset_in_correlated_attribute_mode with domains that are given: what in it has no noise.

    In the last record, attribute a is u, or w, which no other record has, or missing.
    """

    def __init__(self, d: int, epsilon: float) -> None:
        self._epsilon = epsilon
        folder = Path(tempfile.mkdtemp())
        self._domains = folder / "domains.json"
        self._domains.write_text(json.dumps({"a": ["u", "v", "w"], "b": ["y", "z"]}))
        self._files = [folder / f"{item}.csv" for item in range(d)]
        for file, last in zip(self._files, ["u,y", "w,y", ",y"], strict=False):
            file.write_text("\n".join(["a,b", *["u,y", "v,z"] * 4, last, ""]))
        self._first = self._exact(0)

    def changed(self, item: int) -> list[str]:
        """The parts that are another than for the first data set."""
        description = self._exact(item)
        return [name for name in description if description[name] != self._first[name]]

    def _exact(self, item: int) -> dict[str, Any]:
        describer = DataDescriber(category_threshold=20)
        quiet(
            describer.describe_dataset_in_correlated_attribute_mode,
            self._files[item],
            k=1,
            epsilon=self._epsilon,
            attribute_to_is_categorical={"a": True, "b": True},
            attribute_to_is_candidate_key={"a": False, "b": False},
            categorical_attribute_domain_file=str(self._domains),
            seed=None,
        )
        description = describer.data_description
        parts = {
            f"{part} of {name}": value
            for name, attribute in description["attribute_description"].items()
            for part, value in attribute.items()
            if part != "distribution_probabilities"
        }
        child = description["bayesian_network"][0][0]
        rows = description["conditional_probabilities"][child].values()
        return {**parts, "number of cells": sum(map(len, rows))}


def counted(counts: Any) -> str:
    """A file with one attribute, whose values occur so often."""
    path = Path(tempfile.mkdtemp(), "data.csv")
    path.write_text("a\n" + "".join(f"v{value}\n" * int(count) for value, count in enumerate(counts)))
    return str(path)


def most_probable(describer: Any, file: str, epsilon: float, **seed: Any) -> int:
    """The place of the largest probability that describe_dataset_in_independent_attribute_mode finds in a file."""
    describe, categorical = describer.describe_dataset_in_independent_attribute_mode, {"a": True}
    quiet(describe, file, epsilon=epsilon, attribute_to_is_categorical=categorical, **seed)
    return int(np.argmax(describer.data_description["attribute_description"]["a"]["distribution_probabilities"]))


Texts = run_path(str(Path(__file__).with_name("texts.py")))["texts"](globals())
