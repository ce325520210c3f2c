"""Linear forms in the data x_1..x_N and in noise variables z_1..z_p: a program run on them shows its own matrices."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from flint import fmpq, fmpz

from dp_spec.vocabulary.exceptions import DomainError


class Symbol(NamedTuple):
    """A variable: kind "x" (a data value) or "z" (a noise variable), numbered from 1."""

    kind: str
    number: int

    def __str__(self) -> str:
        return f"{self.kind}_{self.number}"


class LinearForm:
    """An immutable sum of rational multiples of symbols; zero coefficients are not kept.

    Forms are added, subtracted, and multiplied or divided by exact rational numbers. Raises `DomainError` for other
    factors, `TypeError` for the sum of a form and a number (a form has no constant).
    """

    __slots__ = ("_terms",)

    def __init__(self, terms: Mapping[Symbol, fmpq] | Iterable[tuple[Symbol, fmpq]] = ()) -> None:
        factors: dict[Symbol, fmpq] = dict(terms)
        self._terms = {symbol: number for symbol, number in factors.items() if number != 0}

    @classmethod
    def of(cls, kind: str, index: int) -> "LinearForm":
        """One symbol, once."""
        return cls({Symbol(kind, index): fmpq(1)})

    @property
    def terms(self) -> dict[Symbol, fmpq]:
        """The coefficients that are not 0, by symbol."""
        return dict(self._terms)

    def coefficient(self, kind: str, index: int) -> fmpq:
        """The coefficient of a symbol."""
        return self._terms.get(Symbol(kind, index), fmpq(0))

    def row(self, kind: str, count: int) -> list[fmpq]:
        """The coefficients of the symbols 1..count of a kind. Raises `DomainError` if one beyond them occurs."""
        if outside := [s for s in self._terms if s.kind == kind and not 1 <= s.number <= count]:
            raise DomainError("form", str(outside[0]), f"symbols {kind}_1..{kind}_{count}")
        return [self.coefficient(kind, index) for index in range(1, count + 1)]

    def __add__(self, other: "LinearForm") -> "LinearForm":
        if not isinstance(other, LinearForm):
            return NotImplemented
        small, large = sorted((self._terms, other._terms), key=len)
        merged = dict(large)
        for symbol, number in small.items():
            merged[symbol] = merged[symbol] + number if symbol in merged else number
        return LinearForm(merged)

    def __neg__(self) -> "LinearForm":
        return self * -1

    def __sub__(self, other: "LinearForm") -> "LinearForm":
        if not isinstance(other, LinearForm):
            return NotImplemented
        return self + (-other)

    def __mul__(self, factor: int | fmpq) -> "LinearForm":
        by = _factor(factor)
        return LinearForm({symbol: number * by for symbol, number in self._terms.items()})

    __rmul__ = __mul__

    def __truediv__(self, divisor: int | fmpq) -> "LinearForm":
        return self * (1 / _factor(divisor))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LinearForm) and self._terms == other._terms

    def __hash__(self) -> int:
        return hash(frozenset((symbol, str(number)) for symbol, number in self._terms.items()))

    def __repr__(self) -> str:
        ordered = sorted(self._terms.items(), key=lambda term: term[0])
        return " + ".join(f"{number} {symbol}" for symbol, number in ordered) or "0"


def data_symbols(count: int) -> list[LinearForm]:
    """x_1..x_count."""
    return [LinearForm.of("x", index) for index in range(1, count + 1)]


def noise_symbols(count: int) -> list[LinearForm]:
    """z_1..z_count."""
    return [LinearForm.of("z", index) for index in range(1, count + 1)]


def _factor(number: int | fmpq) -> fmpq:
    if isinstance(number, bool) or not isinstance(number, int | fmpz | fmpq):
        raise DomainError("factor", number, "an exact rational number")
    return fmpq(number)
