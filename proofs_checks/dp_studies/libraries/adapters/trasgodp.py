"""trasgodp 2.1.0: its functions on lists and on dataframes, for a column in which the audited user is the first.

The alphabet is what a column contains. So that it is the whole alphabet, as for a public domain, every other category
is held by one more user. Item k is the k-th letter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped, unused-ignore]
from trasgodp import categorical, geoindis, numerical  # type: ignore[import-not-found]
from trasgodp.categorical import _exponential, _randomized_response  # type: ignore[import-not-found]


class _Categorical:
    """The report of the first user of a column of d letters, all different. `name` is the function."""

    name: str

    def __init__(self, d: int, epsilon: float) -> None:
        self._d, self._epsilon = d, epsilon

    @property
    def reproduce(self) -> list[str]:
        """How often each report of the first user comes out, in the library's own terms."""
        return [
            f"from collections import Counter; from trasgodp.categorical import {self.name}",
            f"column = [chr(97 + (k + {{input}}) % {self._d}) for k in range({self._d})]",
            f"print(Counter(repr({self.name}(column, {self._epsilon})[0]) for _ in range(10000)))",
        ]

    def client(self) -> Any:
        """Nothing: the library has functions."""

    def privatize(self, client: Any, item: Any) -> Any:
        """The first user's report."""
        return getattr(categorical, self.name)(self._column(item), self._epsilon)[0]

    def _column(self, item: int) -> list[str]:
        return [chr(97 + (k + item) % self._d) for k in range(self._d)]

    def canonical(self, report: Any) -> Any:
        """The item."""
        return ord(str(report)) - 97


class randomized_response_binary(_Categorical):
    """dp_randomized_response_binary_array."""

    name = "dp_randomized_response_binary_array"

    def __init__(self, epsilon: float) -> None:
        super().__init__(2, epsilon)


class randomized_response_kary(_Categorical):
    """dp_randomized_response_kary_array."""

    name = "dp_randomized_response_kary_array"


class exponential(_Categorical):
    """dp_exponential_array: the utility of a category is 1 if it is the user's own, else 0."""

    name = "dp_exponential_array"

    def __init__(self, utilities: Any, sensitivity: float, epsilon: float) -> None:
        super().__init__(len(utilities), epsilon)


class _Frame(_Categorical):
    """The functions on a column of a dataframe, which replace it."""

    @property
    def reproduce(self) -> list[str]:
        """How often each report of the first user comes out, in the library's own terms."""
        return [
            f"from collections import Counter; import pandas as pd; from trasgodp.categorical import {self.name}",
            f'data = pd.DataFrame({{"x": [chr(97 + (k + {{input}}) % {self._d}) for k in range({self._d})]}})',
            f'print(Counter({self.name}(data, "x", {self._epsilon})["x"][0] for _ in range(10000)))',
        ]

    def privatize(self, client: Any, item: Any) -> Any:
        """The first user's report."""
        data = pd.DataFrame({"x": self._column(item)})
        return getattr(categorical, self.name)(data, "x", self._epsilon)["x"].iloc[0]


class randomized_response_binary_frame(_Frame, randomized_response_binary):
    """dp_randomized_response_binary."""

    name = "dp_randomized_response_binary"


class randomized_response_kary_frame(_Frame):
    """dp_randomized_response_kary."""

    name = "dp_randomized_response_kary"


class exponential_frame(_Frame, exponential):
    """dp_exponential."""

    name = "dp_exponential"


class randomized_response_kary_column(_Categorical):
    """dp_randomized_response_kary_array on a whole column, which the input is; all its reports."""

    name = "dp_randomized_response_kary_array"

    def __init__(self, d: int, epsilon: float, columns: Any) -> None:
        super().__init__(d, epsilon)

    @property
    def reproduce(self) -> list[str]:
        """How often each column comes out, in the library's own terms."""
        return [
            f"from collections import Counter; from trasgodp.categorical import {self.name}",
            "column = [chr(97 + item) for item in {input}]",
            f"print(Counter(repr({self.name}(column, {self._epsilon})) for _ in range(10000)))",
        ]

    def privatize(self, client: Any, item: Any) -> Any:
        """All reports."""
        return getattr(categorical, self.name)([chr(97 + x) for x in item], self._epsilon)

    def canonical(self, report: Any) -> Any:
        """The items."""
        return [ord(str(letter)) - 97 for letter in report]


class exponential_column(randomized_response_kary_column):
    """dp_exponential_array on a whole column, which the input is; all its reports."""

    name = "dp_exponential_array"

    def __init__(self, utilities: Any, sensitivity: float, epsilon: float, columns: Any) -> None:
        super().__init__(len(utilities), epsilon, columns)


class clip_laplace:
    """dp_clip_laplace_array on one integer."""

    def __init__(self, lower: int, upper: int, epsilon: float) -> None:
        self._arguments = (epsilon, lower, upper)

    @property
    def reproduce(self) -> list[str]:
        """How often each report comes out, in the library's own terms."""
        return [
            "from collections import Counter",
            "from trasgodp.numerical import dp_clip_laplace_array",
            f"print(Counter(int(dp_clip_laplace_array([{{input}}], *{self._arguments})[0]) for _ in range(10000)))",
        ]

    def client(self) -> Any:
        """Nothing: the library has functions."""

    def privatize(self, client: Any, item: Any) -> Any:
        """The report."""
        return numerical.dp_clip_laplace_array([item], *self._arguments)[0]


class clip_laplace_frame(clip_laplace):
    """dp_clip_laplace on a column of one integer."""

    def privatize(self, client: Any, item: Any) -> Any:
        """The report."""
        return numerical.dp_clip_laplace(pd.DataFrame({"x": [item]}), "x", *self._arguments)["x"].iloc[0]


class binary_after_metric_privacy(randomized_response_binary):
    """dp_randomized_response_binary_array, called after `metric_privacy` with its defaults in the same program."""

    @property
    def reproduce(self) -> list[str]:
        """The reports, in the library's own terms."""
        return [
            "import pandas as pd; from trasgodp.categorical import *; from trasgodp.geoindis import metric_privacy",
            'place = pd.DataFrame({"lat": [43.46], "lon": [-3.8]})',
            "print({(metric_privacy(place, 'lat', 'lon', 0.001)['lat'][0], "
            f"{self.name}(['a', 'b'], {self._epsilon})[0]) for _ in range(100)}})",
        ]

    def privatize(self, client: Any, item: Any) -> Any:
        """The first user's report."""
        geoindis.metric_privacy(pd.DataFrame({"lat": [43.46], "lon": [-3.8]}), "lat", "lon", 0.001)
        return super().privatize(client, item)


class _Public:
    """numpy, but with a public alphabet of d letters in the place of the values that occur."""

    def __init__(self, d: int) -> None:
        self._letters = [chr(97 + x) for x in range(d)]

    def unique(self, values: Any, **named: Any) -> Any:
        """The alphabet, where it is asked for without anything else."""
        return np.unique(values, **named) if named else np.array(self._letters)

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


class randomized_response_kary_column_repaired(randomized_response_kary_column):
    """With the argument `categories`."""

    def __init__(self, d: int, epsilon: float, columns: Any) -> None:
        super().__init__(d, epsilon, columns)
        _randomized_response.np = _Public(d)


class exponential_column_repaired(exponential_column):
    """With the argument `categories`."""

    def __init__(self, utilities: Any, sensitivity: float, epsilon: float, columns: Any) -> None:
        super().__init__(utilities, sensitivity, epsilon, columns)
        _exponential.np = _Public(len(utilities))
