"""Randomized response on d items whose reports show more than their values, or (`Fine*`) do not."""

import array
import datetime
import decimal
import functools
import math
import random
from typing import Any

import numpy as np


class GRR:
    """What the others are: `form` makes the report of a value, given the item."""

    def __init__(self, d: int, epsilon: float) -> None:
        self.d = d
        self.p = math.exp(epsilon) / (math.exp(epsilon) + d - 1)

    def client(self) -> None:
        """No state."""

    def privatize(self, client: None, item: int) -> Any:
        """The item, or another one."""
        if random.random() < self.p:
            return self.form(item, item)
        other = random.randrange(self.d - 1)
        return self.form(other + (other >= item), item)

    def form(self, value: int, item: int) -> Any:
        """The report."""
        raise NotImplementedError

    def canonical(self, report: Any) -> int:
        """The value."""
        return int(report)


class Decimals(GRR):
    """2.0 for the truth, 2 for a lie."""

    def form(self, value: int, item: int) -> Any:
        return decimal.Decimal(f"{value}.0" if value == item else value)


class FineDecimals(GRR):
    """One form."""

    def form(self, value: int, item: int) -> Any:
        return decimal.Decimal(f"{value}.0")


class NegativeZeros(GRR):
    """The imaginary part."""

    def form(self, value: int, item: int) -> Any:
        return complex(value, -0.0 if value == item else 0.0)

    def canonical(self, report: Any) -> int:
        return int(report.real)


class Dates(GRR):
    """Which of two equal times it is."""

    def form(self, value: int, item: int) -> Any:
        return datetime.datetime(2026, 1, 1 + value, fold=int(value == item))

    def canonical(self, report: Any) -> int:
        return int(report.day - 1)


class FineDates(GRR):
    """One of them."""

    def form(self, value: int, item: int) -> Any:
        return datetime.datetime(2026, 1, 1 + value)

    def canonical(self, report: Any) -> int:
        return int(report.day - 1)


class Arrays(GRR):
    """The type of the members of an array."""

    def form(self, value: int, item: int) -> Any:
        return array.array("b" if value == item else "h", [value])

    def canonical(self, report: Any) -> int:
        return int(report[0])


class Carried(GRR):
    """A text that carries something."""

    class Text(str):
        """A text with attributes."""

    def form(self, value: int, item: int) -> Any:
        made = self.Text(value)
        made.source = item  # type: ignore[attr-defined]
        return made


class FineCarried(Carried):
    """Something else."""

    def form(self, value: int, item: int) -> Any:
        return super().form(value, 0)


class Closures(GRR):
    """What a function closes over."""

    def form(self, value: int, item: int) -> Any:
        return lambda: value + item - item

    def canonical(self, report: Any) -> int:
        return int(report())


class Defaults(Closures):
    """What its arguments are, if they are not given."""

    def form(self, value: int, item: int) -> Any:
        def function(source: int = item) -> int:
            return value

        return function


class Partials(Closures):
    """What it is given."""

    def form(self, value: int, item: int) -> Any:
        return functools.partial(lambda x, y: x, value, item)


class FineClosures(Closures):
    """The value alone."""

    def form(self, value: int, item: int) -> Any:
        return lambda: value


class Views(GRR):
    """The rest of the array that it is a part of."""

    def form(self, value: int, item: int) -> Any:
        buffer = np.zeros(2, np.int64)
        buffer[:] = value, item
        return buffer[:1]

    def canonical(self, report: Any) -> int:
        return int(report[0])

    def server(self) -> list[Any]:
        """The reports."""
        return []

    def aggregate(self, server: list[Any], report: Any) -> None:
        """One more."""
        server.append(report)

    def estimate(self, server: list[Any]) -> list[float]:
        """Estimated frequencies."""
        q, n = (1 - self.p) / (self.d - 1), len(server)
        return [(sum(int(y[0]) == x for y in server) / n - q) / (self.p - q) for x in range(self.d)]


class Unwritten(Views):
    """The rest was never written."""

    def form(self, value: int, item: int) -> Any:
        buffer = np.empty(64, np.int64)
        buffer[0] = value
        return buffer[:1]


class FineViews(Views):
    """The rest is noise, or always the same."""

    def form(self, value: int, item: int) -> Any:
        return np.array([value, 7, random.randrange(2)])[:1]


class Iterators(Closures):
    """Nobody can look into these."""

    def form(self, value: int, item: int) -> Any:
        return iter([value, item])

    def canonical(self, report: Any) -> int:
        return int(next(report))


class Digits(GRR):
    """The digits of an integer."""

    def form(self, value: int, item: int) -> Any:
        return 100 * value + item

    def canonical(self, report: Any) -> int:
        return int(report // 100)


class Letters(GRR):
    """The case of a text."""

    def form(self, value: int, item: int) -> Any:
        return f"item {value}" if value == item else f"ITEM {value}"

    def canonical(self, report: Any) -> int:
        return int(report[5:])


class Order(GRR):
    """The order of a list."""

    def form(self, value: int, item: int) -> Any:
        return [value, -1] if value == item else [-1, value]

    def canonical(self, report: Any) -> int:
        return int(max(report))


class FineText(GRR):
    """One text for a value."""

    def form(self, value: int, item: int) -> Any:
        return f"item {value}"

    def canonical(self, report: Any) -> int:
        return int(report[5:])


class FineFloats(GRR):
    """What is drawn is compared with what nobody can enumerate."""

    def privatize(self, client: None, item: int) -> Any:
        """The same law, by two draws of Laplace noise: the sign of their sum is a coin."""
        if random.random() < self.p:
            return self.form(item, item)
        others = [x for x in range(self.d) if x != item]
        coin = np.random.laplace() + np.random.laplace() > 0
        return self.form(others[int(coin)], item)

    def form(self, value: int, item: int) -> Any:
        return value + 0.25


class Floats(FineFloats):
    """The digits show the item."""

    def form(self, value: int, item: int) -> Any:
        return value + item / 100


class FloatTypes(FineFloats):
    """The type shows whether it lies."""

    def form(self, value: int, item: int) -> Any:
        return float(value) if value == item else np.float64(value)


class FineNoise(FineFloats):
    """Digits that say nothing."""

    def form(self, value: int, item: int) -> Any:
        return value + random.randrange(100) / 1000


class FineTurns(FineFloats):
    """Digits that come in turn."""

    turn = 0

    def form(self, value: int, item: int) -> Any:
        FineTurns.turn += 1
        return value + FineTurns.turn % 6 / 10
