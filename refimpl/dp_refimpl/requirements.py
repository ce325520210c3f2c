"""What arguments have to be: integers, words, rational numbers. What is something else is a `DomainError` that names
the parameter, its value and what is allowed."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeVar, get_args

from flint import fmpq

from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.integers import is_integer, require_integer
from dp_spec.vocabulary.scalar import at_most

__all__ = [
    "fraction_of",
    "is_integer",
    "require_above",
    "require_bool",
    "require_budget",
    "require_integer",
    "require_share",
    "require_word",
]
T = TypeVar("T")


def fraction_of(text: object) -> Fraction | None:
    """The rational number that a text of at most 100 characters writes, as 1/4, 0.25 or 1e-6; None for what is none."""
    try:
        return Fraction(text) if isinstance(text, str) and len(text) <= 100 else None
    except (ValueError, ZeroDivisionError):
        return None


def require_word(name: str, value: T, words: Any) -> T:
    """The word. Raises `DomainError` unless it is one of the words, a `Literal` or a list."""
    allowed = words if isinstance(words, Sequence) else get_args(words)
    if value not in allowed:
        raise DomainError(name, value, f"one of {', '.join(allowed)}")
    return value


def require_bool(name: str, value: object) -> None:
    """Raise `DomainError` unless this is True or False."""
    if not isinstance(value, bool):
        raise DomainError(name, value, "True or False")


def require_above(name: str, value: object, bound: int) -> None:
    """Raise `DomainError` unless this is a rational number (`fmpq`) above the bound."""
    if not isinstance(value, fmpq) or at_most(value, bound):
        raise DomainError(name, value, f"a rational number (fmpq) > {bound}")


def require_pair(name: str, pair: tuple[T, T]) -> tuple[T, T]:
    """The two things. Raises `DomainError` for anything but a tuple of two."""
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise DomainError(name, pair, "a tuple of two")
    return pair


def require_drawing(generator: object) -> None:
    """Raise `DomainError` unless this draws Laplace noise, as a generator of numpy does; numpy is not imported."""
    if not callable(getattr(generator, "laplace", None)):
        raise DomainError("generator", generator, "a numpy.random.Generator")


def require_budget(name: str, epsilon: Any) -> Budget[Any]:
    """The budget of an epsilon, or the budget itself. Raises `DomainError` for what is no epsilon, and for 0."""
    budget = Budget.of(epsilon)
    if budget.root == 1:
        raise DomainError(name, epsilon, "an epsilon > 0")
    return budget


def require_share(name: str, value: object) -> None:
    """Raise `DomainError` unless this is a rational number (`fmpq`) above 0 and below 1."""
    if not isinstance(value, fmpq) or at_most(value, 0) or at_most(1, value):
        raise DomainError(name, value, "a rational number (fmpq) above 0 and below 1")
