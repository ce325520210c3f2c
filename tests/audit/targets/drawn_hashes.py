"""Local hashing that draws its hash function: correct, and with faults."""

import math
import random
from typing import Any


class Hashing:
    """(seed, cell) in a client that counts its reports."""

    def __init__(self, d: int, g: int, epsilon: float) -> None:
        self.d, self.g = d, g
        self.keep = math.exp(epsilon) / (math.exp(epsilon) + g - 1)

    def client(self) -> list[int]:
        return [0]

    def seed(self, item: int) -> Any:
        return random.getrandbits(32)

    def privatize(self, client: list[int], item: int) -> tuple[int, int]:
        client[0] += 1
        seed = self.seed(item)
        return seed, self.perturbed(client[0], self.cell(seed, item))

    def perturbed(self, number: int, cell: int) -> int:
        if random.random() < self.keep:
            return cell
        lie = random.randrange(self.g - 1)
        return lie + (lie >= cell)

    def cell(self, seed: Any, item: int) -> int:
        return random.Random(seed * self.d + int(item)).randrange(self.g)

    def canonical(self, report: tuple[int, int]) -> int:
        return report[1]

    def conditions(self, report: tuple[int, int]) -> list[int]:
        return [report[0]]

    def facts(self, conditioned: list[int]) -> dict[str, Any]:
        return {"hash": [self.cell(conditioned[0], item) for item in range(self.d)]}


class OfTheItem(Hashing):
    """The seed is one that puts the item into cell 0."""

    def seed(self, item: int) -> Any:
        while self.cell(seed := random.getrandbits(32), item):
            pass
        return seed


class EveryTenth(Hashing):
    """Every tenth report of a client is true."""

    def perturbed(self, number: int, cell: int) -> int:
        return cell if number % 10 == 0 else super().perturbed(number, cell)


class NextCell(Hashing):
    """A lie is always the next cell."""

    def perturbed(self, number: int, cell: int) -> int:
        return cell if random.random() < self.keep else (cell + 1) % self.g


class Outside(Hashing):
    """A lie may be no cell."""

    def perturbed(self, number: int, cell: int) -> int:
        return super().perturbed(number, cell) if random.random() < 0.99 else self.g


class SaysWhetherItLies(Hashing):
    """Says whether the report is true."""

    def perturbed(self, number: int, cell: int) -> int:
        report = super().perturbed(number, cell)
        print(report == cell)
        return report


class Shows(Hashing):
    """Says what the report is."""

    def privatize(self, client: list[int], item: int) -> tuple[int, int]:
        report = super().privatize(client, item)
        print(report)
        return report


class Silent(Hashing):
    """Does not say which seed a report has."""

    @property
    def conditions(self) -> Any:
        raise AttributeError("conditions")
