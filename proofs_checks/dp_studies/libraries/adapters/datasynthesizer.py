"""DataSynthesizer 0.1.13: the noisy parts of its two private modes, on small data sets; an input is the number of one.

Its child processes run in this one. What it prints about its progress is dropped.
"""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
from DataSynthesizer.DataDescriber import DataDescriber  # type: ignore[import-not-found]
from DataSynthesizer.lib import PrivBayes  # type: ignore[import-not-found]

ATTRIBUTES = 3
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


def _frame(rows: Any) -> Any:
    return pd.DataFrame({name: list(values) for name, values in rows.items()})


@contextlib.contextmanager
def _unseeded() -> Iterator[None]:
    """With a generator that is not seeded, as `seed=None` would be."""
    own, PrivBayes.set_random_seed = PrivBayes.set_random_seed, lambda seed: None
    try:
        yield
    finally:
        PrivBayes.set_random_seed = own


def _silent() -> Any:
    return contextlib.redirect_stdout(io.StringIO())


class _Functions:
    """The library has functions."""

    def client(self) -> Any:
        """Nothing."""


class greedy_bayes(_Functions):
    """greedy_bayes with its default seed: the pair added to each of two roots."""

    def __init__(self, utilities: Any, sensitivity: float, epsilon: float) -> None:
        self._epsilon = epsilon

    def privatize(self, client: Any, item: Any) -> Any:
        """The root of the network of two attributes."""
        frame = _frame({"a": "0011", "b": ["0011", "0111"][item]})
        with _silent():
            network = PrivBayes.greedy_bayes(frame, 1, self._epsilon)
        return "ab".index(network[0][1][0])

    @property
    def reproduce(self) -> list[str]:
        """The network, five times."""
        return [
            "import pandas as pd; from DataSynthesizer.lib.PrivBayes import greedy_bayes",
            "data = pd.DataFrame({'a': list('0011'), 'b': list('0111')})",
            f"if __name__ == '__main__': print([greedy_bayes(data, 1, {self._epsilon}) for _ in range(5)])",
        ]


class greedy_bayes_repaired(greedy_bayes):
    """With `seed=None`."""

    def privatize(self, client: Any, item: Any) -> Any:
        """As above."""
        with _unseeded():
            return super().privatize(client, item)


class greedy_bayes_network(_Functions):
    """greedy_bayes on data sets that are given, with a generator that is not seeded: the whole network."""

    def __init__(self, tables: Any, epsilon: float, degree: int, **stated: Any) -> None:
        self._frames = [pd.DataFrame(table, columns=list("abcdef"[: len(table[0])])) for table in tables]
        self._epsilon, self._degree = epsilon, degree

    def privatize(self, client: Any, item: Any) -> Any:
        """The root, and every attribute with its parents."""
        with _unseeded(), _silent():
            network = PrivBayes.greedy_bayes(self._frames[item], self._degree, self._epsilon)
        root = network[0][1][0]
        pairs = [(child, sorted(parents)) for child, parents in network]
        return [["abcdef".index(x), ["abcdef".index(parent) for parent in ps]] for x, ps in [(root, []), *pairs]]


class exponential_mechanism_once(_Functions):
    """exponential_mechanism on data sets of three values for each attribute, of which one occurs in one record."""

    binary: Any = None
    """What is said of the attributes; None: what occurs, as greedy_bayes counts it."""

    def __init__(self, tables: Any, candidates: Any, epsilon: float, **stated: Any) -> None:
        self._frames = [pd.DataFrame(table, columns=list("abc")).astype(str) for table in tables]
        self._pairs = [("abc"[x], ["abc"[parent] for parent in parents]) for x, parents in candidates]
        self._epsilon = epsilon

    def privatize(self, client: Any, item: Any) -> Any:
        """The candidate, with the whole budget: of two attributes, one is chosen."""
        frame = self._frames[item]
        scores = [float(PrivBayes.mutual_information(frame[child], frame[parents])) for child, parents in self._pairs]
        binary = self.binary or {attribute: frame[attribute].unique().size <= 2 for attribute in frame}
        chances = PrivBayes.exponential_mechanism(self._epsilon, scores, self._pairs, binary, len(frame), 2)
        return int(np.random.choice(list(range(len(scores))), p=chances))


class exponential_mechanism_of_domain(exponential_mechanism_once):
    """With the number of values of the domain, which is public, instead of those that occur."""

    binary = {"a": False, "b": False, "c": False}  # noqa: RUF012 - never written


class exponential_mechanism(_Functions):
    """exponential_mechanism on the two candidates, and the draw that `greedy_bayes` makes from it."""

    def __init__(self, epsilon: float, **stated: Any) -> None:
        self._epsilon = epsilon

    def privatize(self, client: Any, item: Any) -> Any:
        """The candidate."""
        frame = _frame(SCORED[item])
        binary = {attribute: frame[attribute].unique().size <= 2 for attribute in frame}
        chances = PrivBayes.exponential_mechanism(
            self._epsilon, self._scores(frame), PAIRS, binary, len(frame), ATTRIBUTES
        )
        return int(np.random.choice(list(range(len(PAIRS))), p=chances))

    def _scores(self, frame: Any) -> list[float]:
        return [float(PrivBayes.mutual_information(frame[child], frame[parents])) for child, parents in PAIRS]

    def facts(self, conditioned: Any) -> Any:
        """The scores, and for every candidate its sensitivity times the number of selections that share epsilon."""
        frames = [_frame(rows) for rows in SCORED]
        binary = dict.fromkeys("abc", True)
        n = len(frames[0])
        each = [PrivBayes.calculate_sensitivity(n, child, parents, binary) for child, parents in PAIRS]
        return {
            "scores": [self._scores(frame) for frame in frames],
            "sensitivities": [float(PrivBayes.calculate_delta(ATTRIBUTES, s, 1.0)) for s in each],
        }

    @property
    def reproduce(self) -> list[str]:
        """The probabilities of the candidates."""
        return [
            "from DataSynthesizer.lib.PrivBayes import *; import pandas as pd",
            f"data = pd.DataFrame({{k: list(v) for k, v in {SCORED}[{{input}}].items()}}); pairs = {PAIRS}",
            f"print(exponential_mechanism({self._epsilon}, [mutual_information(data[c], data[p]) for c, p in pairs], "
            "pairs, dict.fromkeys('abc', True), 6, 3))",
        ]


class noisy_counts(_Functions):
    """get_noisy_distribution_of_attributes for the only attribute of a data set: a count for each of its values."""

    factor = 1.0
    attributes: list[str] = ["a"]  # noqa: RUF012 - never written

    def __init__(self, counts: Any, sensitivity: float, epsilon: float, low: int, high: int) -> None:
        self._counts, self._epsilon, self._low, self._high = counts, epsilon, low, high

    def privatize(self, client: Any, item: Any) -> Any:
        """The noisy counts, rounded, if they are in the window."""
        table = PrivBayes.get_noisy_distribution_of_attributes(
            self.attributes, self._frame(self._counts[item]), self._epsilon / self.factor
        )
        return [self._seen(round(count)) for count in table["count"]]

    def _frame(self, counts: Any) -> Any:
        """A record for every count; with several attributes, binary ones, a cell is the number that they write."""
        width = len(self.attributes)
        cells = [cell for cell, count in enumerate(counts) for _ in range(count)]
        rows = [[cell] if width == 1 else [cell >> width - 1 - i & 1 for i in range(width)] for cell in cells]
        return pd.DataFrame(rows, columns=self.attributes)

    def _seen(self, noisy: int) -> Any:
        return "below" if noisy < self._low else "above" if noisy > self._high else noisy


class noisy_counts_repaired(noisy_counts):
    """With twice the noise, as one record that changes moves two counts."""

    factor = 2.0


class noisy_pairs(noisy_counts):
    """The joint table of two binary attributes, the only ones."""

    attributes = ["a", "b"]  # noqa: RUF012


class noisy_pairs_repaired(noisy_pairs):
    """With twice the noise."""

    factor = 2.0


class described(_Functions):
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

    def privatize(self, client: Any, item: Any) -> Any:
        """The parts that are another than for the first data set."""
        description = self._exact(item)
        return [name for name in description if description[name] != self._first[name]]

    def _exact(self, item: int) -> dict[str, Any]:
        describer = DataDescriber(category_threshold=20)
        with _silent():
            describer.describe_dataset_in_correlated_attribute_mode(
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


class independent:
    """describe_dataset_in_independent_attribute_mode on a file with one attribute: its most probable value."""

    options: dict[str, Any] = {}  # noqa: RUF012 - never written

    def __init__(self, utilities: Any, sensitivity: float, epsilon: float) -> None:
        self._epsilon = epsilon
        self._files = [self._file(counts) for counts in utilities]

    def _file(self, counts: Any) -> str:
        path = Path(tempfile.mkdtemp(), "data.csv")
        path.write_text("a\n" + "".join(f"v{value}\n" * int(count) for value, count in enumerate(counts)))
        return str(path)

    def client(self) -> Any:
        """A fresh describer."""
        return DataDescriber(category_threshold=20)

    def privatize(self, client: Any, item: Any) -> Any:
        """The place of the largest probability."""
        with _silent():
            client.describe_dataset_in_independent_attribute_mode(
                self._files[item], epsilon=self._epsilon, attribute_to_is_categorical={"a": True}, **self.options
            )
        return int(np.argmax(client.data_description["attribute_description"]["a"]["distribution_probabilities"]))


class independent_unseeded(independent):
    """With seed=None."""

    options = {"seed": None}  # noqa: RUF012
