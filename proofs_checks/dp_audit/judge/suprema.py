"""The largest distance of outputs, for every distance that two members of a domain have: over types of neighbors.

Members that no distance tells apart, and of which the function makes what no distance tells apart, are of one type:
one of each, and one pair of each two, stands for all. So lists of records are counted once for all their orders,
wherever the function does not look at the order.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from flint import fmpq

from dp_audit.exact_numbers import ends
from dp_audit.observation.declared_map import DeclaredMap, Raised
from dp_audit.oracles.distances import Metric, Scaled, farther
from dp_audit.outcome import TOLERANCE

ROUNDED = fmpq(1, 2**46)
"""Of the size of values: what some hundred operations on doubles can do."""
SLACKS = (TOLERANCE, ROUNDED)
"""Shares of the size of values that may be taken for rounding."""


@dataclass(frozen=True)
class Pair:
    """Two members by their numbers, with the distance of what comes of them.

    `scaled` is in the scale of the metric of outputs, None where it is infinite, `least` a lower end of it as it is;
    `size` the magnitude beside which rounding is judged, 0 where no number is a double.
    """

    members: tuple[int, int]
    scaled: Scaled | None
    least: fmpq
    size: fmpq

    def at_least(self, slack: fmpq) -> tuple[bool, fmpq]:
        """Return, in order, what the distance is if such a share of the size is rounded: infinite, or at least this."""
        return self.scaled is None, self.least - slack * self.size


@dataclass(frozen=True)
class Supremum:
    """Of all pairs of members up to a distance of inputs the first one with the largest distance of outputs, and for
    each of `SLACKS` the one of which that is largest when all that may be rounding is taken off."""

    distance: fmpq
    largest: Pair
    surest: tuple[Pair, ...]

    def with_pair(self, pair: Pair) -> "Supremum":
        """Return the supremum over one pair more."""
        largest = pair if farther(pair.scaled, self.largest.scaled) else self.largest
        surest = tuple(
            pair if pair.at_least(slack) > one.at_least(slack) else one
            for slack, one in zip(SLACKS, self.surest, strict=True)
        )
        return Supremum(self.distance, largest, surest)


@dataclass(frozen=True)
class Neighbors:
    """Members at a finite distance of inputs: the first two of each type of pair, by their numbers.

    `outputs` are those that a distance tells apart, and `rounded` whether they have doubles; `pairs` are the distance,
    the two members, and their two outputs by number.
    """

    outputs: tuple[Hashable, ...]
    rounded: tuple[bool, ...]
    pairs: tuple[tuple[fmpq, tuple[int, int], tuple[int, int]], ...]

    def outputs_of_pairs(self) -> Iterator[tuple[Hashable, Hashable]]:
        """Return what comes of every two."""
        seen: set[tuple[int, int]] = set()
        for _, _, (left, right) in self.pairs:
            if left != right and (left, right) not in seen:
                seen.add((left, right))
                yield self.outputs[left], self.outputs[right]

    def suprema(self, d_out: Metric) -> list[Supremum]:
        """Return them at every distance that two members have, in their order.

        Raises `DomainError` for values that the metric is not for.
        """
        sizes = [
            d_out.size(output) if rounded else fmpq(0)
            for output, rounded in zip(self.outputs, self.rounded, strict=True)
        ]
        known: dict[tuple[int, int], tuple[Scaled | None, fmpq]] = {}
        at: dict[fmpq, Supremum] = {}
        for distance, members, types in self.pairs:
            left, right = types
            if types not in known:
                scaled = d_out.scaled(self.outputs[left], self.outputs[right])
                known[types] = scaled, fmpq(0) if scaled is None else ends(d_out.lowered(scaled))[0]
            pair = Pair(members, *known[types], max(sizes[left], sizes[right]))
            at[distance] = at.get(distance, Supremum(distance, pair, (pair,) * len(SLACKS))).with_pair(pair)
        by_distance: list[Supremum] = []
        for distance in sorted(at):
            below = replace(by_distance[-1], distance=distance) if by_distance else at[distance]
            for pair in (at[distance].largest, *at[distance].surest):
                below = below.with_pair(pair)
            by_distance.append(below)
        return by_distance


def neighbors(observation: DeclaredMap, d_in: Metric, d_out: Metric) -> Neighbors:
    """Return them, of all members on which the function does not raise.

    Raises `DomainError` for values that the metrics are not for.
    """
    inputs: dict[Hashable, int] = {}
    outputs: dict[tuple[bool, Hashable], int] = {}
    values: list[Hashable] = []
    types: dict[tuple[int, int], list[int]] = {}
    for number, member in observation.members.items():
        if not isinstance(member.output, Raised):
            kind = inputs.setdefault(d_in.class_of(member.value), len(inputs))
            output = outputs.setdefault((member.rounded, d_out.class_of(member.output)), len(outputs))
            values += [member.output] if output == len(values) else []
            types.setdefault((kind, output), []).append(number)
    pairs = []
    for (_, output), numbers in types.items():
        if len(numbers) > 1:
            pairs.append((fmpq(0), (numbers[0], numbers[1]), (output, output)))
    for ((_, left), (i, *_)), ((_, right), (j, *_)) in combinations(types.items(), 2):
        distance = d_in.scaled(observation.members[i].value, observation.members[j].value)
        if distance is not None:
            assert isinstance(distance, fmpq)
            pairs.append((distance, (i, j), (left, right)))
    return Neighbors(tuple(values), tuple(rounded for rounded, _ in outputs), tuple(pairs))
