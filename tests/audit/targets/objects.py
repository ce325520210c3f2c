"""Reports that are objects, with a canonical form: randomized response on 2 items, epsilon = ln(3)."""

import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Report:
    value: int
    hidden: int = field(default=0, repr=False, compare=False)


class Slotted:
    """An object with slots, which holds itself and a function."""

    __slots__ = ("itself", "made_by", "value")

    def __init__(self, value: int) -> None:
        self.value, self.itself, self.made_by = value, self, random.random


class Plain:
    def client(self) -> None:
        return None

    def drawn(self, item: int) -> int:
        return (item + random.randrange(4) // 3) % 2

    def privatize(self, client: None, item: int) -> Any:
        return Report(self.drawn(item))

    def canonical(self, report: Any) -> int:
        return int(report.value)


class WithSlots(Plain):
    def privatize(self, client: None, item: int) -> Any:
        return Slotted(self.drawn(item))


class OfNumpy(Plain):
    def privatize(self, client: None, item: int) -> Any:
        return np.array([(self.drawn(item),)], dtype=[("value", np.int64)])[0]

    def canonical(self, report: Any) -> int:
        return int(report["value"])


class Generating(Plain):
    def privatize(self, client: None, item: int) -> Any:
        return (self.drawn(item) for _ in range(1))

    def canonical(self, report: Any) -> int:
        return int(next(report))


class Hiding(Plain):
    def privatize(self, client: None, item: int) -> Any:
        return Report(self.drawn(item), item)
