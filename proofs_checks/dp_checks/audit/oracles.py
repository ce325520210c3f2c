"""The one place where the oracle of an audit is made: the exact law and moments an implementation is compared with.

GRR and SUE (basic RAPPOR) are the programs of the core, enumerated; OUE is stated here until the core has it.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any, Protocol

from flint import arb, ctx, fmpq

from dp_checks.enumeration import output_law
from dp_refimpl.coins import Coins
from dp_refimpl.frequency.grr import GRR
from dp_refimpl.frequency.parameters import ItemParameters
from dp_refimpl.frequency.rappor import RAPPOR, Bits, perturb_bits
from dp_spec.vocabulary.budget import Budget, budget
from dp_spec.vocabulary.errors import DomainError, NotExactError
from dp_spec.vocabulary.items import Item, ItemDomain

Number = fmpq | arb
"""An exact rational, or a rigorous ball where the number is irrational."""


@dataclass(frozen=True)
class Epsilon:
    """A privacy budget as an audit needs it twice: the double handed to the library, and e^epsilon exactly.

    `exact_exp` is e^epsilon when it is rational (given as `"ln(3)"`: the library gets the nearest double); otherwise
    epsilon is the exact rational value of the double.
    """

    text: str
    double: float
    exact_exp: fmpq | None = None

    @classmethod
    def of(cls, epsilon: float | str) -> "Epsilon":
        """From a finite double > 0 or from text as `"ln(3)"`. Raises `DomainError` otherwise."""
        if isinstance(epsilon, str):
            exp = budget(epsilon).exp()
            with ctx.workprec(256):
                double = float(arb(exp).log())
            if double <= 0:
                raise DomainError("epsilon", epsilon, "an epsilon > 0")
            return cls(epsilon, double, exp)
        if isinstance(epsilon, bool) or not isinstance(epsilon, int | float) or not isfinite(epsilon) or epsilon <= 0:
            raise DomainError("epsilon", epsilon, 'a finite double > 0, or text as "ln(3)"')
        return cls(repr(epsilon), float(epsilon))

    def exp(self) -> Number:
        """e^epsilon, as a ball at the current precision unless it is rational."""
        if self.exact_exp is not None:
            return self.exact_exp
        exact = Fraction(self.double)
        return arb(fmpq(exact.numerator, exact.denominator)).exp()


class Oracle(Protocol):
    """What an implementation is compared with. Balls are computed at the current flint precision."""

    @property
    def inputs(self) -> tuple[Item, ...]:
        """What a user can hold."""
        ...

    def privacy(self) -> Number:
        """The nominal bound e^epsilon on the ratio of probabilities."""
        ...

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of the report of a user who holds `item`."""
        ...

    def expected_estimate(self, data: Sequence[Item]) -> tuple[fmpq, ...]:
        """Expectation of the estimated frequency of every item for a fixed data set: the true frequency."""
        ...

    def variance(self, data: Sequence[Item]) -> tuple[Number, ...]:
        """Variance of the estimated frequency of every item for a fixed data set."""
        ...


class OUE(ItemParameters[Any]):
    """Optimised unary encoding: a 1 stays with probability 1/2, a 0 becomes 1 with probability 1 / (e^epsilon + 1)."""

    @property
    def p(self) -> Any:
        """Probability that the 1 stays 1."""
        return (self.budget.exp() * 0 + 1) / 2

    @property
    def q(self) -> Any:
        """Probability that a 0 becomes 1."""
        return 1 / (self.budget.exp() + 1)

    def randomize(self, item: Item, coins: Coins) -> Bits:
        """A report: d bits in domain order. Raises `DomainError` for an unknown item."""
        self.require_item(item)
        return perturb_bits(frozenset([item]), self.domain, self.p, self.q, coins)


@dataclass(frozen=True)
class FrequencyOracle:
    """A frequency oracle whose report supports the true item with probability p and any other with probability q.

    Its estimate of the frequency of x is (F_x / n - q) / (p - q), F_x the number of reports that support x.
    """

    mechanism: type[Any]
    d: int
    epsilon: Epsilon

    @property
    def inputs(self) -> tuple[Item, ...]:
        """The items 0 .. d-1."""
        return tuple(range(self.d))

    def privacy(self) -> Number:
        """The nominal bound e^epsilon on the ratio of probabilities."""
        return self.epsilon.exp()

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Law of the report of a user who holds `item`: the program of the core, enumerated."""
        program = self._program()
        return output_law(lambda coins: program.randomize(item, coins), program.p * 0 + 1)

    def expected_estimate(self, data: Sequence[Item]) -> tuple[fmpq, ...]:
        """The true frequencies: the estimator is unbiased."""
        return tuple(fmpq(data.count(x), len(data)) for x in self.inputs)

    def variance(self, data: Sequence[Item]) -> tuple[Number, ...]:
        """(f_x p(1-p) + (1 - f_x) q(1-q)) / (n (p-q)^2) with f_x the frequency of x in the data."""
        program = self._program()
        p, q, n = program.p, program.q, len(data)
        held = [data.count(x) for x in self.inputs]
        return tuple((k * p * (1 - p) + (n - k) * q * (1 - q)) / (n * n * (p - q) ** 2) for k in held)

    def _program(self) -> Any:
        domain = ItemDomain.of_sizes(self.d)
        # sqrt(e^epsilon) of unary encoding is irrational for most budgets: balls there, rationals where they suffice.
        exact = self.epsilon.exact_exp
        try:
            program = self.mechanism(domain, Budget(self.epsilon.exp()))
            _ = program.p
        except NotExactError:
            program = self.mechanism(domain, Budget(arb(exact)))
        return program


_MECHANISMS: dict[str, type[Any]] = {"GRR": GRR, "SUE": RAPPOR, "OUE": OUE}


def oracle(protocol: str, d: int, epsilon: Epsilon) -> Oracle:
    """The oracle of a protocol on d items. Raises `DomainError` for an unknown protocol or d < 2."""
    if protocol not in _MECHANISMS:
        raise DomainError("protocol", protocol, f"one of {', '.join(_MECHANISMS)}")
    if isinstance(d, bool) or not isinstance(d, int) or d < 2:
        raise DomainError("d", d, "an integer >= 2")
    return FrequencyOracle(_MECHANISMS[protocol], d, epsilon)
