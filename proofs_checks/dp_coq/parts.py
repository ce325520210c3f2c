"""The parts of a certificate that have evidence of their own."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_OPPOSITE = {"proved": "refuted", "refuted": "proved"}


@dataclass(frozen=True)
class Part:
    """A statement that is no conjunction and no negation, its verdict and its evidence; the place it has in its claim:
    the numbers of the parts that it lies in."""

    place: tuple[int, ...]
    statement: Any
    verdict: str
    evidence: Any


def parts(statement: Any, verdict: str, evidence: Any, place: tuple[int, ...] = ()) -> Iterator[Part]:
    """Every part, in order. A refuted conjunction has one: the part that is refuted. What is negated has the opposite
    verdict; what is verified at some sizes is one part."""
    kind = statement["type"]
    if kind == "all" and verdict == "refuted":
        number = evidence["part"]
        yield from parts(statement["parts"][number], verdict, evidence["evidence"], (*place, number))
    elif kind == "all":
        for number, (part, (own, proof)) in enumerate(zip(statement["parts"], evidence["parts"], strict=True)):
            yield from parts(part, own, proof, (*place, number))
    elif kind == "not" and verdict in _OPPOSITE:
        yield from parts(statement["of"], _OPPOSITE[verdict], evidence["evidence"], place)
    else:
        yield Part(place, statement, verdict, evidence)


def part_at(statement: Any, place: tuple[int, ...]) -> Any:
    """The statement of the part that lies there."""
    while statement["type"] in ("all", "not"):
        if statement["type"] == "not":
            statement = statement["of"]
        else:
            statement, place = statement["parts"][place[0]], place[1:]
    return statement
