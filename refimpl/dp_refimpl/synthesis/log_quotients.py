"""Quotients of logarithms of rationals: what mutual information divided by log2 min(a, b) is, exactly.

A rational value is an `fmpq`; every other one is written in one way, so that equal expressions are equal objects.
Order is decided by balls whose precision rises; that two different objects of one base are different numbers is
elementary, for two bases it is a case of the four exponentials conjecture, and `UndecidedError` says where it fails.
"""

from dataclasses import dataclass
from math import gcd

from flint import arb, fmpq, fmpz

from dp_refimpl.requirements import require_above, require_integer
from dp_spec.vocabulary.exceptions import DomainError, UndecidedError
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, at_most, compare

MAX_BITS = 1 << 14
"""The precision at which a comparison of two bases is given up."""

SMALL_PRIMES = tuple(p for p in range(2, 256) if all(p % q for q in range(2, p)))


@dataclass(frozen=True)
class LogQuotient:
    """The irrational number factor * ln(argument) / ln(base): argument and base > 1 are no powers of other rationals.

    Made by `log_quotient`.
    """

    factor: fmpq
    argument: fmpq
    base: fmpq

    def enclosure(self, bits: int) -> arb:
        """A ball around the number, computed with so many bits."""
        with precision(bits):
            return arb(self.factor) * arb(self.argument).log() / arb(self.base).log()

    def scaled(self, factor: fmpq) -> "LogQuotient":
        """The number times a rational other than 0. Raises `DomainError` for 0."""
        if not factor:
            raise DomainError("factor", factor, "a rational number other than 0")
        return LogQuotient(self.factor * factor, self.argument, self.base)

    def __str__(self) -> str:
        return f"{self.factor}*ln({self.argument})/ln({self.base})"


Exact = fmpq | LogQuotient
"""A rational, or an irrational quotient of logarithms."""


def log_quotient(argument: fmpq, base: fmpq, divisor: int = 1) -> Exact:
    """ln(argument) / (divisor * ln(base)). Raises `DomainError` unless argument > 0, base > 1, divisor >= 1."""
    require_above("argument", argument, 0)
    require_above("base", base, 1)
    require_integer("divisor", divisor, 1)
    if argument == 1:
        return fmpq(0)
    (root, times), (base_root, base_times) = _primitive(argument), _primitive(base)
    factor = fmpq(times, base_times * divisor)
    return factor if root == base_root else LogQuotient(factor, root, base_root)


def compare_quotients(left: Exact, right: Exact) -> Ordering:
    """The order of two numbers. Raises `UndecidedError` where `MAX_BITS` bits do not tell different bases apart."""
    if isinstance(left, fmpq) and isinstance(right, fmpq):
        return compare(left, right)
    if left == right:
        return Ordering.EQUAL
    bits = 64
    while bits <= MAX_BITS or not _different_bases(left, right):
        order = compare(enclosed(left, bits), enclosed(right, bits))
        if order is not Ordering.UNDECIDED:
            return order
        bits *= 2
    raise UndecidedError(f"{left} and {right} agree to {MAX_BITS} bits")


def enclosed(number: Exact, bits: int) -> arb:
    """A ball around the number, computed with so many bits."""
    if isinstance(number, LogQuotient):
        return number.enclosure(bits)
    with precision(bits):
        return arb(number)


def nearest_multiple(number: Exact, step: fmpq) -> int:
    """The integer k with k * step nearest to the number, the larger one in the middle; step > 0."""
    require_above("step", step, 0)
    if isinstance(number, fmpq):
        return int((number / step + fmpq(1, 2)).floor())
    bits = 64
    while True:  # an irrational number is never in the middle, so that the loop ends
        with precision(bits):
            floor = (number.enclosure(bits) / step + fmpq(1, 2)).floor().unique_fmpz()
        if floor is not None:
            return int(floor)
        bits *= 2


def _different_bases(left: Exact, right: Exact) -> bool:
    return isinstance(left, LogQuotient) and isinstance(right, LogQuotient) and left.base != right.base


def _primitive(number: fmpq) -> tuple[fmpq, int]:
    """(c, k) with number = c^k, where c > 1 is no power of another rational; number is not 1."""
    if at_most(number, 1):
        root, times = _primitive(1 / number)
        return root, -times
    multiplicity = 0  # k divides how often a prime divides the number
    for prime in SMALL_PRIMES:
        for part in (number.p, number.q):
            if part % prime == 0:
                multiplicity = gcd(multiplicity, _valuation(part, prime))
    largest = max(int(number.p).bit_length(), int(number.q).bit_length()) // int(SMALL_PRIMES[-1]).bit_length() + 1
    for k in range(multiplicity or largest, 1, -1):
        if multiplicity % k == 0:
            top, bottom = number.p.root(k), number.q.root(k)
            if top**k == number.p and bottom**k == number.q:
                return fmpq(top, bottom), k
    return number, 1


def _valuation(number: fmpz, prime: int) -> int:
    """How often a prime divides a number > 0: halves of the exponent are tried on its powers."""
    times, power, step = 0, fmpz(prime), 1
    steps = []
    while number % power == 0:
        steps.append((power, step))
        power, step = power * power, 2 * step
    for power, step in reversed(steps):
        if number % power == 0:
            number, times = number // power, times + step
    return times
