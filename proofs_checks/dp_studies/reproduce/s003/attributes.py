"""Attributes with public domains: the codes of what is written in a file."""

from dataclasses import dataclass

from flint import fmpq

from dp_refimpl.synthesis.binary_codes import equal_width_bin
from dp_spec.vocabulary.exceptions import DomainError

BINS = 16


@dataclass(frozen=True)
class Category:
    """An attribute with these values. Raises `DomainError` unless there are two or more, each once."""

    name: str
    values: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(set(self.values)) != len(self.values) or len(self.values) < 2:
            raise DomainError("values", self.values, "two or more values, each once")

    @property
    def size(self) -> int:
        """The number of values."""
        return len(self.values)

    def code(self, text: str) -> int:
        """The place of a value. Raises `DomainError` for an unknown one."""
        if text not in self.values:
            raise DomainError(self.name, text, f"one of {', '.join(self.values)}")
        return self.values.index(text)


@dataclass(frozen=True)
class Number:
    """An integer from `low` to `high`, in 16 bins of equal width. Raises `DomainError` for fewer than 16 integers."""

    name: str
    low: int
    high: int

    def __post_init__(self) -> None:
        if self.high - self.low + 1 < BINS:
            raise DomainError("high", self.high, f"an integer >= {self.low + BINS - 1}")

    @property
    def size(self) -> int:
        """The number of bins."""
        return BINS

    def code(self, text: str) -> int:
        """The bin of an integer. Raises `DomainError` for other texts and outside the range."""
        try:
            number = int(text)
        except ValueError:
            raise DomainError(self.name, text, f"an integer from {self.low} to {self.high}") from None
        if not self.low <= number <= self.high:
            raise DomainError(self.name, number, f"an integer from {self.low} to {self.high}")
        return equal_width_bin(fmpq(number), fmpq(self.low), fmpq(self.high), BINS)


Attribute = Category | Number
