"""Parameter choices of the shuffle literature, as balls: ln(2 / delta) is in no budget's field.

epsilon and delta are the central (shuffle) parameters, n users. Comparisons that a ball leaves open raise
`UndecidedError`; compute with more bits then (`dp_spec.vocabulary.precision`). Source 000, M7.
"""

from fractions import Fraction

from flint import arb, fmpq

from dp_refimpl.requirements import require_integer
from dp_spec.vocabulary.budget import Epsilon, epsilon_ball
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import at_most


def central_epsilon(epsilon: Epsilon) -> arb:
    """epsilon > 0 as a ball of the current precision. Raises `DomainError` for others (see `epsilon_ball`)."""
    ball = epsilon_ball(epsilon)
    if at_most(ball, 0):
        raise DomainError("epsilon", epsilon, "epsilon > 0")
    return ball


def log_over(times: int, delta: fmpq | Fraction) -> arb:
    """ln(times / delta). Raises `DomainError` unless delta is a rational number in (0, 1]."""
    if isinstance(delta, Fraction):
        delta = fmpq(delta.numerator, delta.denominator)
    if not isinstance(delta, fmpq) or at_most(delta, 0) or not at_most(delta, 1):
        raise DomainError("delta", delta, "a rational number (fmpq, or a Fraction) in (0, 1]")
    return arb(times / delta).log()


def blanket_gamma(k: int, users: int, epsilon: Epsilon, delta: fmpq | Fraction) -> arb:
    """max(14 k ln(2/delta) / ((n-1) eps^2), 27 k / ((n-1) eps)) < 1: the chance to randomize of SH, with k = g of SRR.

    Raises `DomainError` where it is not below 1: there are too few users for the choice.
    """
    require_integer("k", k, 1)
    require_integer("users", users, 2)
    eps = central_epsilon(epsilon)
    first = 14 * k * log_over(2, delta) / ((users - 1) * eps**2)
    second = 27 * k / ((users - 1) * eps)
    gamma = second if at_most(first, second) else first
    if at_most(1, gamma):
        raise DomainError("gamma", gamma, f"a number below 1: {users} users are too few for k = {k}")
    return gamma


def mixed_dummies(k: int, users: int, gamma: fmpq | arb, epsilon: Epsilon, delta: fmpq | Fraction) -> arb:
    """n s of mixDUMP, and |M| of (7) solved for it; 0 where the randomizers alone are enough.

    14 k ln(4/delta) / eps^2 + 1 + sqrt(2 gamma (n-1) ln(2/delta)) - gamma (n-1).
    """
    require_integer("k", k, 1)
    require_integer("users", users, 1)
    if not (at_most(0, gamma) and at_most(gamma, 1)):
        raise DomainError("gamma", gamma, "a number in [0, 1]")
    expected = arb(gamma) * (users - 1)
    number = 14 * k * log_over(4, delta) / central_epsilon(epsilon) ** 2 + 1
    number += (2 * expected * log_over(2, delta)).sqrt() - expected
    return arb(0) if at_most(number, 0) else number


def whole(number: arb) -> int:
    """The integer part, rounded down. Raises `DomainError` for a ball that does not decide it."""
    integer = number.floor().unique_fmpz()
    if integer is None:
        raise DomainError("number", number, "a ball that decides the integer part (compute with a higher precision)")
    return int(integer)


def above(number: arb, bits: int = 64) -> fmpq:
    """A multiple of 2^-bits that is certainly at least the number, less than 2^(1-bits) above a sharp ball."""
    require_integer("bits", bits, 1)
    top = (number * 2**bits).upper().ceil().unique_fmpz()
    assert top is not None
    return fmpq(top, 2**bits)
