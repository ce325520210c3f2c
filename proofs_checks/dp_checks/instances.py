"""Instances of refutations as programs take them, and what programs say of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb, fmpq

from dp_refimpl.coins import Coins, ScriptedCoins
from dp_refimpl.synthesis.tables import CountTable
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import at_most


@dataclass(frozen=True)
class Instance:
    """Numbers of an instance, and what else a case names."""

    at: Mapping[str, Any]
    named: Mapping[str, Any]

    def integer(self, name: str) -> int:
        """A whole number of the instance."""
        return int(self.at[name])

    def number(self, name: str) -> fmpq:
        """A number of the instance."""
        return fmpq(*map(int, str(self.at[name]).split("/")))

    @property
    def table(self) -> CountTable:
        """The data set of the case: records, or values of one attribute."""
        return table_of(self.named["data"])


Told = tuple[list[str], bool]
"""What the program says, and whether this refutes the statement."""
Program = Callable[[Instance], Told]


def table_of(data: Sequence[Any]) -> CountTable:
    """The table of records, or of values of one attribute, the sizes being the least that hold them."""
    records = [tuple(x) if isinstance(x, list) else (x,) for x in data]
    return CountTable.of_records([max(2, *(1 + x[a] for x in records)) for a in range(len(records[0]))], records)


def less(what: str, one: Any, other: Any) -> Told:
    """Two numbers of which the statement says that the one is less."""
    return [f"{what}: {one} and {other}, stated less"], at_most(other, one)


def raises(call: Callable[[], object], kind: type[DomainError]) -> Told:
    """The program has no value, as its error says."""
    try:
        call()
    except kind as error:
        return [str(error)], True
    return ["the program has a value"], False


def six_digits(number: arb) -> str:
    """A ball as text with six digits."""
    return str(number.str(6, radius=False))


def free_coins() -> Coins:
    """The first of all choices, for programs that have one choice here, or none."""
    return ScriptedCoins([0] * 64)
