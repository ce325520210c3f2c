"""diffpriv-pure 0.1.0: noise for a count and for a sum. It draws from the standard library's global generator."""

from __future__ import annotations

from typing import Any

import diffpriv_pure  # type: ignore[import-not-found]


class _Query:
    """A noisy number; outside the window low .. high it is merged, which is post-processing. `code` computes it."""

    code: str

    def __init__(self, values: Any, sensitivity: int, epsilon: float, low: int, high: int) -> None:
        self._epsilon, self._low, self._high = epsilon, low, high

    def client(self) -> Any:
        """Nothing: the library has functions."""

    def seen(self, noisy: Any) -> Any:
        """An integer, if it is in the window."""
        return "below" if noisy < self._low else "above" if noisy > self._high else noisy

    @property
    def reproduce(self) -> list[str]:
        """How often each value comes out, in the library's own terms."""
        return [
            "from collections import Counter; from diffpriv_pure import *",
            f"noisy = Counter(round({self.code.format(epsilon=self._epsilon)}) for _ in range(10000))",
            "print(sorted(noisy.items()))",
        ]


class private_count(_Query):
    """private_count of a true count."""

    code = "private_count({{input}}, {epsilon})"

    def privatize(self, client: Any, item: Any) -> Any:
        """The noisy count, an integer."""
        return self.seen(diffpriv_pure.private_count(item, self._epsilon))


class private_sum(_Query):
    """private_sum of one value within the bounds 0 and 1, the input."""

    code = "private_sum([{{input}}], (0, 1), {epsilon})"

    def privatize(self, client: Any, item: Any) -> Any:
        """The noisy sum, rounded."""
        return self.seen(round(diffpriv_pure.private_sum([item], (0, 1), self._epsilon)))


class private_count_repaired(private_count):
    """With noise on both sides: the difference of two draws of the library's own noise, floored instead of ceiled."""

    def privatize(self, client: Any, item: Any) -> Any:
        """The noisy count."""
        up, down = (self._geometric() for _ in range(2))
        return self.seen(item + up - down)

    def _geometric(self) -> int:
        from math import floor, log
        from random import random

        return floor(log(1.0 - random()) / -self._epsilon)
