"""The interface of all mechanisms here: compress, add noise, restore; what is released is linear in the data."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, overload

from flint import fmpq

from dp_refimpl.matrix.noise import Noise
from dp_refimpl.matrix.parameters import (
    Neighbors,
    Scale,
    T,
    divisible,
    require_kind,
    require_range,
    require_values,
    total,
)


class Mechanism(ABC):
    """A mechanism on `size` counts v_1..v_N (leaves), which releases `answers` noisy numbers.

    Programs are generic: they run on ints, `fmpq`, floats and linear forms.
    """

    size: int

    @property
    @abstractmethod
    def answers(self) -> int:
        """How many numbers are released."""

    @abstractmethod
    def compress(self, data: Sequence[T]) -> list[T]:
        """The strategy's answers A v without noise."""

    @abstractmethod
    def estimates(self, noisy: Sequence[T]) -> list[T]:
        """Estimates of v_1..v_N: the restoration B on values of a field."""

    @abstractmethod
    def scale(self, neighbors: Neighbors) -> Scale:
        """The noise scale in units of 1 / epsilon, for which the release is epsilon-differentially private. Raises
        `DomainError` for what is no `Neighbors`."""

    @abstractmethod
    def range_coefficient(self, first: int, last: int) -> fmpq:
        """c such that the answer to the range first..last has mean squared error 2 (scale / epsilon)^2 c."""

    def spreads(self) -> list[fmpq]:
        """How far the noise of each answer is spread: (its scale / `scale`)^2."""
        return [fmpq(1)] * self.answers

    def scale_runs(self, neighbors: Neighbors) -> list[tuple[int, Scale]]:
        """The noise scales of the answers in order, as (how many, scale)."""
        return [(self.answers, self.scale(neighbors))]

    def scales(self, neighbors: Neighbors) -> list[Scale]:
        """The noise scale of each answer."""
        return [scale for count, scale in self.scale_runs(neighbors) for _ in range(count)]

    def release(self, data: Sequence[T], noise: Noise[T], neighbors: Neighbors = Neighbors.ADD_REMOVE) -> list[T]:
        """The noisy answers. Raises `DomainError` unless the data are `size` finite numbers that the noise accepts."""
        require_kind("neighbors", neighbors, Neighbors)
        exact = self.compress(require_values("data", data, self.size))
        lifted = [noise.lift(answer) for answer in exact]
        return [answer + noise.draw(scale) for answer, scale in zip(lifted, self.scales(neighbors), strict=True)]

    @overload
    def restore(self, noisy: Sequence[int]) -> list[fmpq]: ...
    @overload
    def restore(self, noisy: Sequence[T]) -> list[T]: ...
    def restore(self, noisy: Sequence[Any]) -> list[Any]:
        """Unbiased estimates of all leaves; integers are restored as exact rationals.

        Raises `DomainError` unless these are `answers` finite numbers or forms.
        """
        return self.estimates(divisible(require_values("noisy", noisy, self.answers)))

    @overload
    def answer(self, noisy: Sequence[int], first: int, last: int) -> fmpq: ...
    @overload
    def answer(self, noisy: Sequence[T], first: int, last: int) -> T: ...
    def answer(self, noisy: Sequence[Any], first: int, last: int) -> Any:
        """The estimated sum of the leaves first..last (from 1). Raises `DomainError` as `restore`, and for no range."""
        require_range(first, last, self.size)
        return total(self.restore(noisy)[first - 1 : last])
