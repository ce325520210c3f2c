"""Arguments that have to be integers. What is none, or is beyond its ends, is a `DomainError` that names the parameter,
its value and what is allowed."""

from typing import TypeGuard

from dp_spec.vocabulary.exceptions import DomainError


def is_integer(value: object, least: int | None = None, most: int | None = None) -> TypeGuard[int]:
    """Whether this is an integer, no bool, and within the ends that are given."""
    if isinstance(value, bool) or not isinstance(value, int):
        return False
    return (least is None or value >= least) and (most is None or value <= most)


def require_integer(name: str, value: object, least: int | None = None, most: int | None = None, note: str = "") -> int:
    """The integer. Raises `DomainError` unless it is one, and within the ends that are given; `note` follows them."""
    if not is_integer(value, least, most):
        raise DomainError(name, value, f"an integer{_ends(least, most)}{note}")
    return value


def _ends(least: int | None, most: int | None) -> str:
    if least is None:
        return "" if most is None else f" <= {most}"
    return f" >= {least}" if most is None else f" in {least}..{most}"
