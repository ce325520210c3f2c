"""Randomized response on d items whose reports show more than their values, or (`Fine*`) do not."""

import array
import datetime
import decimal
import functools
import itertools
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
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


def reporting(form: Callable[[int, int], Any], value: Callable[[Any], int] = int, base: type[GRR] = GRR) -> Any:
    """One whose reports are made so of value and item; how the value is told from them."""
    members = {"form": lambda self, value, item: form(value, item), "canonical": lambda self, report: value(report)}
    return type("Reporting", (base,), members)


def day(report: datetime.datetime) -> int:
    return report.day - 1


def called(report: Callable[[], int]) -> int:
    return report()


def after_word(report: str) -> int:
    return int(report[5:])


# --- what shows the item, or whether the report is true ---------------------------------------------------------------

Decimals = reporting(lambda value, item: decimal.Decimal(f"{value}.0" if value == item else value))
"""2.0 for the truth, 2 for a lie."""
NegativeZeros = reporting(lambda value, item: complex(value, -0.0 if value == item else 0.0), lambda y: int(y.real))
"""The imaginary part."""
Dates = reporting(lambda value, item: datetime.datetime(2026, 1, 1 + value, fold=int(value == item)), day)
"""Which of two equal times it is."""
Arrays = reporting(lambda value, item: array.array("b" if value == item else "h", [value]), lambda y: int(y[0]))
"""The type of the members of an array."""
Closures = reporting(lambda value, item: lambda: value + item - item, called)
"""What a function closes over."""
Partials = reporting(lambda value, item: functools.partial(lambda x, y: x, value, item), called)
"""What it is given."""
Iterators = reporting(lambda value, item: iter([value, item]), lambda y: int(next(y)))
"""Nobody can look into these."""
Digits = reporting(lambda value, item: 100 * value + item, lambda y: int(y // 100))
"""The digits of an integer."""
Letters = reporting(lambda value, item: f"item {value}" if value == item else f"ITEM {value}", after_word)
"""The case of a text."""
Order = reporting(lambda value, item: [value, -1] if value == item else [-1, value], max)
"""The order of a list."""


class Defaults(GRR):
    """What the arguments of a function are, if they are not given."""

    def form(self, value: int, item: int) -> Any:
        def function(source: int = item) -> int:
            return value

        return function

    def canonical(self, report: Any) -> int:
        return int(report())


class Carried(GRR):
    """A text that carries something."""

    class Text(str):
        """A text with attributes."""

    def form(self, value: int, item: int) -> Any:
        made = self.Text(value)
        made.source = item  # type: ignore[attr-defined]
        return made


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


class Masked(GRR):
    """An array whose mask hides the input, and keeps it."""

    def form(self, value: int, item: int) -> Any:
        return np.ma.array([value, item], mask=[False, True])

    def canonical(self, report: Any) -> int:
        return int(report[0])


# --- what shows nothing -----------------------------------------------------------------------------------------------

FineDecimals = reporting(lambda value, item: decimal.Decimal(f"{value}.0"))
FineDates = reporting(lambda value, item: datetime.datetime(2026, 1, 1 + value), day)
FineClosures = reporting(lambda value, item: lambda: value, called)
FineText = reporting(lambda value, item: f"item {value}", after_word)


class FineCarried(Carried):
    """Something else."""

    def form(self, value: int, item: int) -> Any:
        return super().form(value, 0)


class Unwritten(Views):
    """The rest was never written."""

    def form(self, value: int, item: int) -> Any:
        buffer = np.empty(64, np.int64)
        buffer[0] = value
        return buffer[:1]


class FineMasked(Masked):
    """The mask hides what is always the same."""

    def form(self, value: int, item: int) -> Any:
        return super().form(value, 7)


class FineViews(Views):
    """The rest is noise, or always the same."""

    def form(self, value: int, item: int) -> Any:
        return np.array([value, 7, random.randrange(2)])[:1]


# --- objects, with a canonical form: on 2 items, epsilon = ln(3) exactly ---------------------------------------------


@dataclass(frozen=True)
class Report:
    value: int
    hidden: int = field(default=0, repr=False, compare=False)


class Slotted:
    """An object with slots, which holds itself and a function."""

    __slots__ = ("itself", "made_by", "value")

    def __init__(self, value: int) -> None:
        self.value, self.itself, self.made_by = value, self, random.random


class OfTwo(GRR):
    """One of four sides of a die tells the other item."""

    def __init__(self) -> None:
        super().__init__(2, math.log(3))

    def privatize(self, client: None, item: int) -> Any:
        """The item, or the other one."""
        return self.form((item + random.randrange(4) // 3) % 2, item)


def value_of(report: Any) -> int:
    return int(report.value)


Plain = reporting(lambda value, item: Report(value), value_of, OfTwo)
WithSlots = reporting(lambda value, item: Slotted(value), value_of, OfTwo)
RECORD = [("value", np.int64)]
OfNumpy = reporting(lambda value, item: np.array([(value,)], RECORD)[0], lambda y: int(y["value"]), OfTwo)
Generating = reporting(lambda value, item: (value for _ in range(1)), next, OfTwo)
Hiding = reporting(lambda value, item: Report(value, item), value_of, OfTwo)
"""A field that the canonical form leaves out."""

# --- where nobody can enumerate what is drawn -------------------------------------------------------------------------


class Compared(GRR):
    """The same law, by two draws of Laplace noise: the sign of their sum is a coin."""

    def privatize(self, client: None, item: int) -> Any:
        """The item, or another one."""
        if random.random() < self.p:
            return self.form(item, item)
        others = [x for x in range(self.d) if x != item]
        coin = np.random.laplace() + np.random.laplace() > 0
        return self.form(others[int(coin)], item)


TURNS = itertools.count(1)
FineFloats = reporting(lambda value, item: value + 0.25, base=Compared)
Floats = reporting(lambda value, item: value + item / 100, base=Compared)
"""The digits show the item."""
FloatTypes = reporting(lambda value, item: float(value) if value == item else np.float64(value), base=Compared)
"""The type shows whether it lies."""
FineNoise = reporting(lambda value, item: value + random.randrange(100) / 1000, base=Compared)
"""Digits that say nothing."""
FineTurns = reporting(lambda value, item: value + next(TURNS) % 6 / 10, base=Compared)
"""Digits that come in turn."""


def second(report: tuple[int, int]) -> int:
    return report[1]


Nonces = reporting(lambda value, item: (random.getrandbits(127) * 2 + item % 2, value), second)
FineNonces = reporting(lambda value, item: (random.getrandbits(127) * 2 + random.getrandbits(1), value), second)
