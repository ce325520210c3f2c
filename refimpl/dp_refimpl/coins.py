"""Coins: the only source of randomness of a mechanism.

A randomized program asks its coins to choose an index with given probabilities; everything else is built on that.
Sampling coins make it the mechanism itself, scripted coins replay one run, enumerating coins (in dp_checks) yield the
exact output law.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from flint import arb, fmpq, fmpz

from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import S, at_most, is_zero, require_law

if TYPE_CHECKING:
    from numpy.random import Generator

T = TypeVar("T")


class Coins(Protocol):
    """A source of randomness."""

    def choose(self, probabilities: Sequence[S]) -> int:
        """An index drawn with the given probabilities (>= 0, sum exactly 1; raises `NotStochasticError` otherwise)."""
        ...

    def choose_each(self, laws: Sequence[Sequence[S]]) -> tuple[int, ...]:
        """One independent index for each of the laws."""
        ...


def bernoulli(coins: Coins, p: S) -> bool:
    """True with probability p."""
    return coins.choose((1 - p, p)) == 1


def uniform(coins: Coins, outcomes: Sequence[T], one: S) -> T:
    """A uniformly drawn outcome; `one` is the 1 of the field. Raises `DomainError` when there are none."""
    if not outcomes:
        raise DomainError("outcomes", outcomes, "at least one outcome")
    return outcomes[coins.choose((one / len(outcomes),) * len(outcomes))]


def uniform_subset(coins: Coins, outcomes: Sequence[T], size: int, one: S) -> tuple[T, ...]:
    """`size` different outcomes drawn uniformly without replacement, in order of drawing."""
    if not 0 <= size <= len(outcomes):
        raise DomainError("size", size, f"0..{len(outcomes)}")
    left, drawn = list(outcomes), []
    for _ in range(size):
        drawn.append(left.pop(uniform(coins, range(len(left)), one)))
    return tuple(drawn)


class SamplingCoins:
    """Coins of a `numpy.random.Generator`, exact: bits are drawn until they decide between the probabilities.

    Probabilities are exact numbers (the midpoint of a ball is not its number). Raises `DomainError` otherwise.
    """

    def __init__(self, generator: "Generator") -> None:
        from numpy.random import Generator  # takes long, and exact work does without

        if not isinstance(generator, Generator):
            raise DomainError("generator", generator, "a numpy.random.Generator")
        self._generator = generator

    def choose(self, probabilities: Sequence[S]) -> int:
        """An index drawn exactly: U in [low, low + 2^-k) is refined until the interval lies inside one cell."""
        exact: list[Any] = [p if isinstance(p, Real) else as_fraction(p) for p in probabilities]
        require_law([p if isinstance(p, Real) else fmpq(p.numerator, p.denominator) for p in exact])
        edges = list(accumulate(exact))
        low, width = Fraction(0), Fraction(1)
        while True:
            first = next(i for i, e in enumerate(edges) if not at_most(e, low))
            if at_most(low + width, edges[first]):
                return first
            width /= 2**32
            low += width * int(self._generator.integers(2**32))

    def choose_each(self, laws: Sequence[Sequence[S]]) -> tuple[int, ...]:
        """Independent choices."""
        return tuple(self.choose(law) for law in laws)


class ScriptedCoins:
    """Coins that replay a list of indices; raises `DomainError` when the script does not fit the program."""

    def __init__(self, script: Sequence[int]) -> None:
        self._script = tuple(script)
        self._position = 0

    def choose(self, probabilities: Sequence[S]) -> int:
        """The next index of the script; it must have positive probability."""
        require_law(tuple(probabilities))
        if self._position == len(self._script):
            raise DomainError("script", self._script, "one index for every choice (the script is too short)")
        index = self._script[self._position]
        if isinstance(index, bool) or index not in range(len(probabilities)):
            raise DomainError("script", index, f"an index below {len(probabilities)}")
        if is_zero(probabilities[index]):
            raise DomainError("script", index, "an index of positive probability")
        self._position += 1
        return index

    def choose_each(self, laws: Sequence[Sequence[S]]) -> tuple[int, ...]:
        """The next indices of the script."""
        return tuple(self.choose(law) for law in laws)

    def require_finished(self) -> None:
        """Raise `DomainError` if the program did not use the whole script."""
        if self._position != len(self._script):
            raise DomainError("script", self._script, f"{self._position} choices (the script is too long)")


def as_fraction(probability: Any) -> Fraction:
    """A rational probability as a `Fraction`. Raises `DomainError` for a ball, a rational function or a float."""
    if isinstance(probability, fmpq):
        return Fraction(int(probability.p), int(probability.q))
    if isinstance(probability, int | fmpz | Fraction) and not isinstance(probability, bool):
        return Fraction(int(probability)) if isinstance(probability, fmpz) else Fraction(probability)
    kind = "a ball" if isinstance(probability, arb) else type(probability).__name__
    raise DomainError("probability", probability, f"a rational number to sample from exactly, not {kind}")
