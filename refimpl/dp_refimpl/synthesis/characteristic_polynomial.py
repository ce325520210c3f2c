"""The characteristic polynomial of a Laplacian over its weights, taken as variables: which eigenvalues are equal.

If the logarithms of all weights are integer multiples of one algebraic number other than 0, the weights are powers of
one transcendental number (Lindemann), and what holds for the variable t holds for it, and nothing else. Otherwise every
different weight is a variable of its own: what is equal for variables is equal for numbers, but not conversely.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from math import gcd, lcm
from typing import Any

from flint import arb, fmpq, fmpz_mpoly_ctx

Exponents = tuple[tuple[int, ...], ...]

MAX_SPREAD = 64
"""Weights are powers of one variable where the exponents differ by so much at most."""


@dataclass(frozen=True)
class Characteristic:
    """det((x - 1) B + W), whose roots in x are the eigenvalues of B^(-1/2) (B - W) B^(-1/2), and its minors.

    w_ij is t^e for an exponent e >= 0, and a variable of its own for e < 0; `hollow` weights have a zero diagonal.
    """

    exponents: Exponents
    hollow: bool

    @cached_property
    def labels(self) -> list[int]:
        """The negative exponents, in the order of their variables."""
        return sorted({e for row in self.exponents for e in row if e < 0})

    @property
    def distinct(self) -> int:
        """The number of different roots of the polynomial over the field of the variables."""
        polynomial = self.minor(())
        return len(self.exponents) - int(polynomial.gcd(polynomial.derivative("x")).degrees()[0])

    def factor_at(self, root: arb, multiplicity: int, weights: list[arb]) -> Any:
        """The irreducible factor that has an eigenvalue of this multiplicity as root; None if balls show several.

        `weights` are the numbers t and those of `labels`.
        """
        factors = [f for f, times in self.minor(()).factor()[1] if times == multiplicity and f.degrees()[0] != 0]
        vanishing = [f for f in factors if _value(f, [root, *weights]).contains(0)]
        return vanishing[0] if len(vanishing) == 1 else None

    def multiplicity(self, factor: Any, deleted: tuple[int, ...]) -> int:
        """How often an irreducible factor divides the minor without some rows and the same columns."""
        minor, times = self.minor(deleted), 0
        while True:
            quotient, rest = divmod(minor, factor)
            if rest != 0:
                return times
            minor, times = quotient, times + 1

    def minor(self, deleted: tuple[int, ...]) -> Any:
        """The determinant without some rows and the same columns."""
        return _minor(self, deleted)

    def matrix(self) -> tuple[list[list[Any]], Any]:
        """(x - 1) B + W, and the polynomial 0."""
        n = range(len(self.exponents))
        context = fmpz_mpoly_ctx.get(("x", "t", *(f"w{-label}" for label in self.labels)), "lex")
        x, t, *variables = context.gens()
        of_label, zero = dict(zip(self.labels, variables, strict=True)), x - x
        weights = [
            [zero if self.hollow and i == j else _weight(e, t, of_label) for j, e in enumerate(row)]
            for i, row in enumerate(self.exponents)
        ]
        degrees = [sum(row, zero) for row in weights]
        return [[weights[i][j] + (x - 1) * degrees[i] if i == j else weights[i][j] for j in n] for i in n], zero


def common_exponents(numbers: list[list[fmpq]]) -> tuple[Exponents, fmpq] | None:
    """Integers e_ij >= 0 and a step with number_ij = step * e_ij + constant; None where the integers are large."""
    listed = [number for row in numbers for number in row]
    denominator = lcm(*(int(number.q) for number in listed))
    whole = [[int(number * denominator) for number in row] for row in numbers]
    low = min(min(row) for row in whole)
    step = gcd(*(number - low for row in whole for number in row)) or 1
    exponents = tuple(tuple((number - low) // step for number in row) for row in whole)
    return None if max(map(max, exponents)) > MAX_SPREAD else (exponents, fmpq(step, denominator))


@lru_cache(maxsize=1 << 12)
def _minor(characteristic: Characteristic, deleted: tuple[int, ...]) -> Any:
    """By expansion along rows: the minors of the last rows and any columns, from few rows to all."""
    matrix, zero = characteristic.matrix()
    kept = [i for i in range(len(matrix)) if i not in deleted]
    minors: dict[tuple[int, ...], Any] = {(): zero + 1}
    for size in range(1, len(kept) + 1):
        row = matrix[kept[-size]]
        for columns in combinations(kept, size):
            minors[columns] = sum(
                ((-1) ** a * row[c] * minors[columns[:a] + columns[a + 1 :]] for a, c in enumerate(columns)), zero
            )
    return minors[tuple(kept)]


def _weight(exponent: int, t: Any, of_label: dict[int, Any]) -> Any:
    return of_label[exponent] if exponent < 0 else t**exponent


def _value(polynomial: Any, numbers: list[arb]) -> arb:
    total = arb(0)
    for powers, coefficient in polynomial.to_dict().items():
        term = arb(coefficient)
        for number, power in zip(numbers, powers, strict=True):
            term *= number ** int(power)
        total += term
    return total
