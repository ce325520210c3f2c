"""Planted faults, as data: what is put in the place of what, and what has to be found wrong then."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

Patch = tuple[Any, str, Any]
"""An object, the name of an attribute, and what the attribute is replaced by."""


def nothing_wrong_test(wrong: Callable[[], Iterable[object]]) -> Callable[[], None]:
    """The test that nothing is found wrong."""

    def test() -> None:
        assert list(wrong()) == []

    return test


def fault_test(
    wrong: Callable[[], Iterable[object] | None],
    faults: Mapping[str, Patch],
    refused: tuple[type[Exception], ...] = (),
) -> Callable[[str, pytest.MonkeyPatch], None]:
    """The test that something is found wrong, or an error of these kinds is raised, while a fault is planted.

    Every fault is a case of its own. A check that fails by an error of its own may find nothing otherwise.
    """

    @pytest.mark.parametrize("fault", faults)
    def test(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(*faults[fault])
        try:
            caught = any(True for _ in wrong() or ())
        except refused:
            caught = True
        assert caught, f"{fault} survived"

    return test


def mutant_test(wrong: Callable[[Any], bool], mutants: Mapping[str, Any]) -> Callable[[str], None]:
    """The test that something is found wrong with every faulty program, which is an argument of the search."""

    @pytest.mark.parametrize("fault", mutants)
    def test(fault: str) -> None:
        assert wrong(mutants[fault]), f"{fault} survived"

    return test


def in_module(module: object, faults: Mapping[str, tuple[str, Any]]) -> dict[str, Patch]:
    """Faults whose functions are all of one module."""
    return {fault: (module, name, replacement) for fault, (name, replacement) in faults.items()}
