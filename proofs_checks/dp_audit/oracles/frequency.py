"""Oracles of frequency oracles that are programs with a pair (p, q), enumerated: GRR, SUE (basic RAPPOR), OUE."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from flint import ctx

from dp_audit.oracles.additive import BitOracle, ProgramOracle, SupportOracle
from dp_audit.oracles.base import Number, OracleKind, epsilon, integer
from dp_refimpl.frequency.grr import GRR
from dp_refimpl.frequency.rappor import RAPPOR
from dp_refimpl.frequency.unary import OUE
from dp_refimpl.mechanisms import RECORDS
from dp_spec.vocabulary.items import Item, ItemDomain


@dataclass(frozen=True)
class FrequencyOracle(ProgramOracle, SupportOracle):
    """A report is an item; it supports that item."""

    mechanism: type[Any]

    @property
    def p(self) -> Number:
        """Probability that a report supports the item held."""
        return self.program().p  # type: ignore[no-any-return]

    @property
    def q(self) -> Number:
        """Probability that a report supports a given other item."""
        return self.program().q  # type: ignore[no-any-return]

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of the report of a user who holds `item`: the program, enumerated."""
        return _law(self, self.require_item(item), ctx.prec)

    @property
    def is_large(self) -> bool:
        """Whether the laws are those of one item with the items renamed: GRR treats all alike, and has d^2 paths."""
        return self.mechanism is GRR and self.d > LARGE

    def possible(self, output: Hashable) -> bool:
        """Every item is."""
        return output in range(self.d) if type(self) is FrequencyOracle else super().possible(output)

    def supports(self, report: Hashable, item: int) -> bool:
        """Whether the report is the item."""
        return report == item

    def program(self) -> Any:
        """The core's mechanism, in numbers of the current precision."""
        return _program(self, ctx.prec)

    def made(self) -> Any:
        """The core's mechanism, made anew; SUE takes a root of e^epsilon."""
        parts = 2 if self.mechanism is RAPPOR else 1
        return self.mechanism(ItemDomain.of_sizes(self.d), self.epsilon.numbers(parts))


LARGE = 64
"""Items up to which every law of GRR is enumerated on its own."""


@lru_cache(maxsize=256)
def _program(oracle: FrequencyOracle, precision: int) -> Any:
    """The program of an oracle at the current precision, which is `precision`."""
    return oracle.made()


@lru_cache(maxsize=4096)
def _law(oracle: FrequencyOracle, held: int, precision: int) -> Mapping[Hashable, Number]:
    """Law of an item at the current precision, which is `precision`."""
    if not oracle.is_large or held == 0:
        return ProgramOracle.law(oracle, held)
    first = _law(oracle, 0, precision)
    return {y: first[0] if y == held else first[1] for y in range(oracle.d)}


@dataclass(frozen=True)
class UnaryEncoding(BitOracle, FrequencyOracle):
    """A report is d independent bits; it supports the items whose bits are set."""


_PARAMETERS = {"d": integer(2), "epsilon": epsilon}
KINDS = {
    "GRR": OracleKind.of(RECORDS["GRR"], lambda d, epsilon: FrequencyOracle(d, epsilon, GRR), _PARAMETERS),
    "SUE": OracleKind.of(RECORDS["RAPPOR"], lambda d, epsilon: UnaryEncoding(d, epsilon, RAPPOR), _PARAMETERS),
    "OUE": OracleKind.of(RECORDS["OUE"], lambda d, epsilon: UnaryEncoding(d, epsilon, OUE), _PARAMETERS),
}
