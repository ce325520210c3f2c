"""Values that may be missing, where a test needs them."""

from typing import TypeVar

T = TypeVar("T")


def known(value: T | None) -> T:
    """The value, which is there."""
    assert value is not None
    return value
