"""Binomial coefficients of sizes. Pascal's rule and absorption make those that differ by integers rational multiples of
one; the tangent bound relates those whose tops differ by multiples of m.
"""

from math import prod

from dp_kernel.meter import require
from dp_kernel.numbers.polynomial import ONE, Ratio, lift, variable

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
    more = variable("m") * x.num.get((("m", 1),), 0)
    z = x - more
    for part, c in (term for form in (y, x - y, z - y) for term in form.num.items()):
        natural = any(part == ((name, 1),) for name in LEAST) and c > 0
        require(natural, "not a sum of sizes, so that it may be negative or no integer")
    require(sum(c * LEAST[name] for [(name, _)], c in x.num.items()) + a >= 0, "a binomial coefficient of top < 0")
    number = lift(1) if y == 0 or z == y else variable(f"binom{_written(z, y)}")
    if more != 0:
        number = number * (1 + more * y / (z - y + 1))
        number = number if y == 0 else number + variable(f"more{_written(x, y)}")
    return number * _factorials(x, a) / _factorials(y, b) / _factorials(x - y, a - b)


def _split(form: Ratio) -> tuple[Ratio, int]:
    """A sum of sizes and an integer."""
    constant = form.num.get((), 0)
    require(form.den == ONE, "a binomial coefficient of something else than sizes")
    require(abs(constant) <= MAX_STEPS, "a binomial coefficient far from its sizes")
    return form - constant, constant


def _factorials(z: Ratio, steps: int) -> Ratio:
    """(z + steps)! / z!"""
    if steps < 0:
        return 1 / _factorials(z + steps, -steps)
    return prod((z + i for i in range(1, steps + 1)), start=lift(1))


def _written(*forms: Ratio) -> str:
    return str([sorted((monomial, str(c)) for monomial, c in form.num.items()) for form in forms])
