"""Mechanisms on single items with what is known of them by another way, and the checks on both."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from dp_spec.vocabulary.budget import Budget
from independent.numbers import exact
from independent.sketch_cases import PlainLaw, Table, contributions, data_sets, jointly, rows_of, summed
from mutants.rewriting import Fault

Size = tuple[Any, ...]
"""The arguments of a mechanism, as simple values."""
Moments = tuple[Fraction, Fraction]
"""Mean and variance."""


@dataclass(frozen=True)
class MechanismCase:
    """A mechanism at small sizes, its laws by brute force, and the moments of its estimates by a formula.

    `build` takes a budget and a size; `laws` a root, which is e^(eps/power), and a size; `moments` a root, a
    data set, an item and a size. `joint`: sizes and data sets whose joint law is written out. `faults`: those that are
    not in `mutants/item_mechanisms.toml`.
    """

    name: str
    build: Callable[..., Any]
    laws: Callable[..., dict[int, PlainLaw]]
    moments: Callable[..., Moments]
    sizes: Sequence[Size]
    estimated: Sequence[Size]
    joint: Sequence[tuple[Size, Sequence[Table]]]
    power: int = 2
    roots: tuple[Fraction, ...] = (Fraction(2),)
    faults: Mapping[str, Fault] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name

    def built(self, *size: Any, root: Fraction | None = None) -> Any:
        """The mechanism at a rational budget."""
        return self.build(Budget.of_root(exact(root or self.roots[0]), self.power), *size)

    def own_laws(self, *size: Any) -> dict[int, PlainLaw]:
        """The laws by brute force at the first root."""
        return self.laws(self.roots[0], *size)


def wrong_laws(case: MechanismCase) -> Iterator[str]:
    """Where the law of the program is not the one by brute force."""
    for size, root in product(case.sizes, case.roots):
        if rows_of(case.built(*size, root=root)) != case.laws(root, *size):
            yield f"{case} {size}, root {root}"


def wrong_estimates(case: MechanismCase) -> Iterator[str]:
    """Where mean and variance of an estimate are not as stated, for every data set: sums over the reports."""
    for size, root in product(case.estimated, case.roots):
        laws = case.laws(root, *size)
        moments = contributions(laws, case.built(*size, root=root).estimate)
        for data in data_sets(len(laws)):
            for x in laws:
                total, spread = summed(moments, data, x)
                if (total / len(data), spread / len(data) ** 2) != case.moments(root, data, x, *size):
                    yield f"{case} {size}, root {root}, data {data}, item {x}"


def wrong_joint_estimates(case: MechanismCase) -> Iterator[str]:
    """The same over the joint law of all reports: nothing is taken for granted about sums."""
    for size, listed in case.joint:
        estimate = case.built(*size).estimate
        for data in listed:
            for x, moments in jointly(case.own_laws(*size), data, estimate).items():
                if moments != case.moments(case.roots[0], data, x, *size):
                    yield f"{case} {size}, data {data}, item {x}"
