"""Binomial coefficients of sizes. Pascal's rule and absorption make those that differ by integers rational multiples of
one; the tangent bound relates those whose tops differ by multiples of m.
"""

from fractions import Fraction

from dp_checks.kernel.polynomial import Ratio, lift, variable
from dp_checks.kernel.rejected import require

LEAST = {"m": 1, "K": 1, "n": 1, "k": 1, "N": 0, "r": 0}
"""Names that are integers wherever they occur, at least so large."""
MAX_STEPS = 16


def binomial(top: Ratio, bottom: Ratio) -> Ratio:
    """binom(X + a, Y + b), a and b integers, X and Y sums of sizes, Y <= X and X + a >= 0: binom(X, Y) times
    (X + a)! / X!, Y! / (Y + b)! and (X - Y)! / (X - Y + a - b)!, products of |a|, |b| and |a - b| factors; the last one
    has a factor 0 if X + a < Y + b.

    X = Z + c m, Z free of m: binom(X, Y) = binom(Z, Y) (1 + c m Y / (Z - Y + 1)) + a number >= 0. For binom(Z + j, Y) -
    binom(Z, Y) is the sum of binom(Z + i, Y - 1) over i < j, and binom(Z, Y - 1) = binom(Z, Y) Y / (Z - Y + 1).
    """
    (x, a), (y, b) = _split(top), _split(bottom)
    _require_natural(y)
    _require_natural(x - y)
    require(sum(c * LEAST[name] for [(name, _)], c in x.num.items()) + a >= 0, "a binomial coefficient of top < 0")
    more = Ratio({mono: c for mono, c in x.num.items() if mono == (("m", 1),)}, lift(1).den)
    z = x - more
    _require_natural(z - y)
    number = variable("binom" + _written(z, y)) if not (y == 0 or z == y) else lift(1)
    if more != 0:
        number = number * (1 + more * y / (z - y + 1)) + variable("more" + _written(x, y)) * (0 if y == 0 else 1)
    return number * _factorials(x, a) / _factorials(y, b) / _factorials(x - y, a - b)


def _split(form: Ratio) -> tuple[Ratio, int]:
    """A sum of sizes and an integer."""
    constant = form.num.get((), Fraction(0))
    require(
        form.den == lift(1).den and constant.denominator == 1, "a binomial coefficient of something else than sizes"
    )
    require(abs(constant) <= MAX_STEPS, "a binomial coefficient far from its sizes")
    return form - constant, int(constant)


def _require_natural(form: Ratio) -> None:
    for monomial, c in form.num.items():
        known = len(monomial) == 1 and monomial[0][0] in LEAST and monomial[0][1] == 1
        require(known and c > 0 and c.denominator == 1, "not a sum of sizes, so that it may be negative or no integer")


def _factorials(z: Ratio, steps: int) -> Ratio:
    """(z + steps)! / z!"""
    product = lift(1)
    for i in range(abs(steps)):
        product = product * (z + (i + 1 if steps > 0 else -i))
    return product if steps >= 0 else 1 / product


def _written(top: Ratio, bottom: Ratio) -> str:
    return str([sorted((monomial, str(c)) for monomial, c in part.num.items()) for part in (top, bottom)])
