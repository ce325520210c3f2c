"""diffprivlib 0.6.6: mechanisms on finite sets and on integers, and the tool `count_nonzero`, with their defaults.

A mechanism for selection is made for the utilities of one data set, so that here the input names the data set. Its
categories are text: item k is the k-th letter.
"""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

import numpy as np
from diffprivlib import mechanisms, tools  # type: ignore[import-not-found]

DRAWS = 18
"""Most uniform draws of a run that is followed; see `PermuteAndFlip`."""


MECHANISMS: dict[str, Any] = vars(mechanisms)


class _Protocol:
    """A mechanism object, which `code` makes of what it names; `input_code` is its input, for reproductions."""

    code: str
    names: ClassVar[dict[str, Any]] = MECHANISMS
    input_code = "{input}"

    def client(self) -> Any:
        """A fresh mechanism."""
        return eval(self.code, dict(self.names))

    def privatize(self, client: Any, item: Any) -> Any:
        """The output."""
        return client.randomise(item)

    @property
    def reproduce(self) -> list[str]:
        """How often each output comes out, in the library's own terms."""
        return [
            "from collections import Counter; from diffprivlib.mechanisms import *",
            f"mechanism = {self.code}",
            f"print(Counter(mechanism.randomise({self.input_code}) for _ in range(10000)))",
        ]


class _Categories(_Protocol):
    """Categories that are letters."""

    input_code = "chr(97 + {input})"

    def privatize(self, client: Any, item: Any) -> Any:
        """The category reported."""
        return client.randomise(chr(97 + item))

    def canonical(self, report: Any) -> Any:
        """Its place in the alphabet."""
        return ord(report) - 97


class Binary(_Categories):
    """Binary, with the labels "a" and "b"."""

    def __init__(self, epsilon: float) -> None:
        self.code = f'Binary(epsilon={epsilon}, value0="a", value1="b")'


class ExponentialCategorical(_Categories):
    """ExponentialCategorical with the distances as its utilities."""

    def __init__(self, distances: Any, epsilon: float) -> None:
        n = range(len(distances))
        utilities = [(chr(97 + x), chr(97 + y), distances[x][y]) for x in n for y in n if x < y]
        self.code = f"ExponentialCategorical(epsilon={epsilon}, utility_list={utilities})"


class ExponentialHierarchical(_Categories):
    """ExponentialHierarchical on nested lists of letters."""

    def __init__(self, hierarchy: Any, epsilon: float) -> None:
        self.code = f"ExponentialHierarchical(epsilon={epsilon}, hierarchy={_letters(hierarchy)})"


class _Balanced(mechanisms.ExponentialHierarchical):  # type: ignore[misc, unused-ignore]
    """Balanced only if the rows of distances are permutations of each other."""

    def _build_normalising_constant(self, re_eval: bool = False) -> Any:
        values = self._domain_values
        rows = {tuple(sorted(self._get_utility(x, y) for y in values)) for x in values}
        self._balanced_tree = len(rows) == 1
        return super()._build_normalising_constant(re_eval=True)


class ExponentialHierarchical_repaired(ExponentialHierarchical):
    """With another test of balance."""

    names: ClassVar[dict[str, Any]] = {**MECHANISMS, "ExponentialHierarchical": _Balanced}


def _letters(node: Any) -> Any:
    return [_letters(child) for child in node] if isinstance(node, list) else chr(97 + node)


class Exponential(_Protocol):
    """Exponential without labels of candidates: it returns their places in the list of utilities."""

    name = "Exponential"

    def __init__(self, utilities: Any, sensitivity: float, epsilon: float, monotonic: bool = False) -> None:
        self._utilities = utilities
        self._options = {"epsilon": epsilon, "sensitivity": sensitivity, "monotonic": monotonic}

    @property
    def reproduce(self) -> list[str]:
        """How often each candidate comes out, in the library's own terms."""
        options = ", ".join(f"{name}={value}" for name, value in self._options.items())
        return [
            "from collections import Counter; from diffprivlib.mechanisms import *",
            f"mechanism = {self.name}({options}, utility={self._utilities}[{{input}}])",
            "print(Counter(int(mechanism.randomise()) for _ in range(10000)))",
        ]

    def client(self) -> Any:
        """Nothing: a mechanism is made for one data set."""

    def privatize(self, client: Any, item: Any) -> Any:
        """The candidate selected on a data set."""
        return mechanisms.Exponential(utility=list(self._utilities[item]), **self._options).randomise()


class PermuteAndFlip(Exponential):
    """PermuteAndFlip. Its loops have no last round, so that a run is followed for at most `DRAWS` uniform draws; one
    that needs more, with a probability below 10^-13 for the published parameters, counts as the best candidate."""

    name = "PermuteAndFlip"

    def privatize(self, client: Any, item: Any) -> Any:
        """The candidate selected on a data set."""
        utilities = list(self._utilities[item])
        mechanism = mechanisms.PermuteAndFlip(utility=list(utilities), random_state=_at_most(DRAWS), **self._options)
        try:
            return mechanism.randomise()
        except _EnoughError:
            return utilities.index(max(utilities))


class _EnoughError(Exception):
    """More draws than are followed."""


def _at_most(draws: int) -> Any:
    """The generator that the library uses by default, for so many draws."""

    class Generator(secrets.SystemRandom):
        left = draws

        def random(self) -> Any:
            self.left -= 1
            if self.left < 0:
                raise _EnoughError
            return super().random()

    return Generator()


class Geometric(_Protocol):
    """Geometric; outputs outside the window low .. high are merged, which is post-processing."""

    def __init__(self, values: Any, sensitivity: int, epsilon: float, low: int, high: int) -> None:
        self._low, self._high = low, high
        self.code = f"Geometric(epsilon={epsilon}, sensitivity={sensitivity})"

    def privatize(self, client: Any, item: Any) -> Any:
        """The noisy value, if it is in the window."""
        noisy = self.noisy(client, item)
        return "below" if noisy < self._low else "above" if noisy > self._high else noisy

    def noisy(self, client: Any, item: Any) -> Any:
        """The noisy value."""
        return client.randomise(item)


class Geometric_repaired(Geometric):
    """With the value added as an integer."""

    def noisy(self, client: Any, item: Any) -> Any:
        """The noisy value."""
        return item + client.randomise(0)


class Geometric_tails(Geometric):
    """Geometric, when the window is so wide that nothing is merged."""

    @property
    def reproduce(self) -> list[str]:
        """The largest finite output on each of two inputs: that of the smallest positive draw."""
        return [
            "import secrets; from diffprivlib.mechanisms import *",
            "class Smallest(secrets.SystemRandom): random = lambda self: 0.5 + 2**-53",
            f"print([{self.code[:-1]}, random_state=Smallest()).randomise(value) for value in (0, 1)])",
        ]


class GeometricTruncated(_Protocol):
    """GeometricTruncated."""

    name = "GeometricTruncated"

    def __init__(self, values: Any, sensitivity: int, epsilon: float, lower: Any, upper: Any) -> None:
        bounds = f"lower={_integer(lower)}, upper={_integer(upper)}"
        self.code = f"{self.name}(epsilon={epsilon}, sensitivity={sensitivity}, {bounds})"


class GeometricFolded(GeometricTruncated):
    """GeometricFolded."""

    name = "GeometricFolded"


class count_nonzero(_Protocol):
    """tools.count_nonzero on as many records as the upper bound says, of which `item` are not zero."""

    def __init__(self, values: Any, sensitivity: int, epsilon: float, lower: int, upper: int) -> None:
        self._epsilon, self._size = epsilon, upper

    @property
    def reproduce(self) -> list[str]:
        """How often each count comes out, in the library's own terms."""
        return [
            "from collections import Counter; from diffprivlib.tools import count_nonzero",
            f"data = [1] * {{input}} + [0] * ({self._size} - {{input}})",
            f"print(Counter(count_nonzero(data, epsilon={self._epsilon}) for _ in range(10000)))",
        ]

    def client(self) -> Any:
        """Nothing: it is a function."""

    def privatize(self, client: Any, item: Any) -> Any:
        """The noisy count."""
        return tools.count_nonzero(np.array([1] * item + [0] * (self._size - item)), epsilon=self._epsilon)


class histogram(_Protocol):
    """tools.histogram with one bin: records whose weights are the sensitivity and sum to the item; counts at or above
    the upper bound are merged, which is post-processing. The neighboring relation is adding a record."""

    def __init__(self, values: Any, sensitivity: int, epsilon: float, lower: int, upper: int) -> None:
        self._weight, self._epsilon, self._upper = sensitivity, epsilon, upper
        self._spent = epsilon

    @property
    def reproduce(self) -> list[str]:
        """How often each count comes out, in the library's own terms."""
        size = f"({{input}} // {self._weight})"
        options = f"epsilon={self._epsilon}, bins=1, range=(0, 1), weights=[{self._weight}] * {size}"
        return [
            "from collections import Counter; from diffprivlib.tools import histogram",
            f"counts = [int(histogram([0.5] * {size}, {options})[0][0]) for _ in range(10000)]",
            "print(Counter(counts))",
        ]

    def client(self) -> Any:
        """Nothing: it is a function."""

    def privatize(self, client: Any, item: Any) -> Any:
        """The noisy weighted count."""
        sample, weights = np.full(item // self._weight, 0.5), np.full(item // self._weight, self._weight)
        options = {} if self._weight == 1 else {"weights": weights}
        counts, _ = tools.histogram(sample, epsilon=self._spent, bins=1, range=(0, 1), **options)
        return min(int(counts[0]), self._upper)


class histogram_repaired(histogram):
    """With the noise of counts whose sensitivity is the weight."""

    def __init__(self, values: Any, sensitivity: int, epsilon: float, lower: int, upper: int) -> None:
        super().__init__(values, sensitivity, epsilon, lower, upper)
        self._spent = epsilon / sensitivity


def _integer(number: Any) -> Any:
    return int(number) if number == int(number) else number
