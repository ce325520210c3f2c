"""Mechanisms with a fault: classes with a few members replaced."""

from collections.abc import Callable
from typing import Any

Members = dict[str, Any]


def values(**formulas: Callable[[Any], Any]) -> Members:
    """Properties replaced by formulas in the mechanism."""
    return {name: property(formula) for name, formula in formulas.items()}


def mutant(cls: type[Any], members: Members) -> type[Any]:
    """The mechanism with the fault."""
    return type("Mutant" + cls.__name__, (cls,), members)
