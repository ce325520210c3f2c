"""Entropy and mutual information of a count table as exact quantities: n times them is the logarithm of a rational.

A quantity u is stored as the rational e^(n u) (source 003: e^(nH) = n^n / prod c^c, with 0^0 = 1), so that sums and
comparisons are exact, also between tables of different n, and no base of the logarithm has to be chosen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import arb, fmpq, fmpz

from dp_refimpl.requirements import require_above, require_integer
from dp_refimpl.synthesis.tables import CountTable
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, at_most, compare


@dataclass(frozen=True)
class Information:
    """The quantity ln(power) / n nats, power > 0 rational. Raises `DomainError` for other powers, and unless n >= 1."""

    power: fmpq
    n: int

    def __post_init__(self) -> None:
        require_above("power", self.power, 0)
        require_records(self.n)

    @property
    def is_zero(self) -> bool:
        """Whether the quantity is 0."""
        return self.power == 1

    def __add__(self, other: "Information") -> "Information":
        """The sum; raises `DomainError` for quantities of different n."""
        return Information(self.power * self._of_same_n(other).power, self.n)

    def __sub__(self, other: "Information") -> "Information":
        """The difference; raises `DomainError` for quantities of different n."""
        return Information(self.power / self._of_same_n(other).power, self.n)

    def compare(self, other: "Information") -> Ordering:
        """Order two quantities: rationals of equal n directly, others as power^n' and power'^n."""
        if self.n == other.n:
            return compare(self.power, other.power)
        return compare(self.power**other.n, other.power**self.n)

    def magnitude(self) -> "Information":
        """The absolute value."""
        return Information(1 / self.power, self.n) if not at_most(1, self.power) else self

    def nats(self, bits: int = 128) -> arb:
        """A ball of so many bits around the quantity in nats."""
        with precision(bits):
            return _log(self.power) / self.n

    def bits(self, bits: int = 128) -> arb:
        """A ball of so many bits around the quantity in bits (logarithms to base 2)."""
        with precision(bits):
            return _log(self.power) / self.n / arb(2).log()

    def _of_same_n(self, other: "Information") -> "Information":
        if self.n != other.n:
            raise DomainError("n", other.n, f"{self.n}: quantities of tables of one size are added")
        return other


@dataclass(frozen=True)
class LogarithmRatio:
    """ln(numerator) / ln(denominator) of rationals > 0, as u / Delta u is. Raises `DomainError` for denominator 1."""

    numerator: fmpq
    denominator: fmpq

    def __post_init__(self) -> None:
        if self.denominator == 1:
            raise DomainError("denominator", self.denominator, "a number other than 1, whose logarithm is 0")

    def exact(self) -> Fraction | None:
        """The ratio where it is rational: both numbers are powers of one rational. None where it is irrational."""
        (a, upward), (b, along) = _above_one(self.numerator), _above_one(self.denominator)
        ratio = _ratio(a, b)
        return None if ratio is None else ratio * upward * along

    def enclosure(self, bits: int = 128) -> arb:
        """A ball of so many bits around the ratio."""
        with precision(bits):
            return _log(self.numerator) / _log(self.denominator)


def entropy(table: CountTable, attributes: Sequence[int]) -> Information:
    """H of the joint variable of some attributes, e^(nH) = n^n / prod c^c (source 003, (7), over the distinct values).

    Raises `DomainError` for a table without records, and for what are no different attributes of it.
    """
    n = require_records(table.n)
    counts = table.marginal(attributes).counts
    return Information(fmpq(fmpz(n) ** n, _product_of_powers([count for _, count in counts])), n)


def mutual_information(table: CountTable, x: int, parents: Sequence[int]) -> Information:
    """I(X; Pi) = H(X) + H(Pi) - H(X, Pi) of an attribute and a set of parents (source 003, (6)); 0 for no parents.

    Raises `DomainError` for a table without records, and for what are no different attributes of it.
    """
    return entropy(table, (x,)) + entropy(table, parents) - entropy(table, (x, *parents))


def entropy_sensitivity(n: int) -> Information:
    """Delta H = Delta I = Delta u of (8), e^(n Delta) = B_n = n^n / (n-1)^(n-1), as printed; 0 for n = 1.

    In PrivBayes it is S(I) where X or the set of parents is binary. Raises `DomainError` unless n >= 1.
    """
    return _entropy_sensitivity(require_records(n))


@lru_cache(maxsize=16)  # of 10^5 records n^n has half a million digits
def _entropy_sensitivity(n: int) -> Information:
    return Information(fmpq(fmpz(n) ** n, fmpz(n - 1) ** (n - 1)), n)


def information_sensitivity(n: int) -> Information:
    """S(I) of PrivBayes where neither is binary: 2/n log((n+1)/2) + (n-1)/n log((n+1)/(n-1)); 0 for n = 1.

    Raises `DomainError` unless n >= 1.
    """
    power = fmpq(fmpz(require_records(n) + 1) ** (n + 1), 4 * fmpz(n - 1) ** (n - 1))
    return Information(power, n)


def require_records(n: object) -> int:
    """The number of records; raises `DomainError` unless it is an integer >= 1."""
    return require_integer("n", n, 1, note=": a table with records")


def _product_of_powers(counts: Sequence[int]) -> fmpz:
    """prod c^c."""
    product = fmpz(1)
    for count in counts:
        product *= fmpz(count) ** count
    return product


def _log(number: fmpq) -> arb:
    """ln of a rational > 0, at the current precision and without its being rounded first."""
    return arb(number.p).log() - arb(number.q).log()


def _above_one(number: fmpq) -> tuple[fmpq, int]:
    """The number and 1, or its inverse and -1, so that it is >= 1."""
    return (number, 1) if at_most(1, number) else (1 / number, -1)


def _ratio(a: fmpq, b: fmpq) -> Fraction | None:
    """ln a / ln b for a >= 1, b > 1 where it is rational, by Euclid's algorithm on the exponents of a common base.

    If a = c^i and b = c^j with i >= j, then b divides a, numerator by numerator and denominator by denominator.
    """
    whole = 0
    while at_most(b, a) and a.p % b.p == 0 and a.q % b.q == 0:
        a, whole = a / b, whole + 1
    if at_most(b, a):
        return None
    rest = None if a == 1 else _ratio(b, a)
    return Fraction(whole) if a == 1 else None if rest is None else whole + 1 / rest
