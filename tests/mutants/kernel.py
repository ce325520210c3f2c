"""Faults planted in the kernel: what stands for its functions, and which certificates it misjudges then."""

import importlib
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

import pytest

from dp_kernel import Rejected, meter, verify

Fault = tuple[list[str], Any]
"""The names of what is replaced, with their modules, and what replaces it."""


def misjudged(false: Mapping[str, Any], genuine: Iterable[Any]) -> Iterator[str]:
    """False certificates (by name) that are accepted, real ones that are rejected."""
    for name, certificate in false.items():
        try:
            verify(certificate)
        except Rejected:
            continue
        yield f"accepted: {name}"
    for certificate in genuine:
        try:
            verify(certificate)
        except Rejected as error:
            yield f"rejected: {certificate['id']}: {error}"


def plant(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    """Break the kernel (certificates are made before that)."""
    paths, replacement = fault
    assert paths
    for path in paths:
        module, name = path.rsplit(".", 1)
        monkeypatch.setattr(importlib.import_module(module), name, replacement, raising=name not in ("all", "any"))


def rewrite(module: Any, name: str, written: str, wrong: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """Let the text of a function (or class) of a module of the kernel say something else, wherever it is used; what it
    was and what it is."""
    original, space = getattr(module, name), dict(vars(module))
    source = inspect.getsource(original)
    assert source.count(written) == 1, "the kernel says something else now"
    exec(source.replace(written, wrong), space)
    for path, other in list(sys.modules.items()):
        if path.startswith("dp_kernel") and vars(other).get(name) is original:
            monkeypatch.setattr(other, name, space[name])
    return original, space[name]


Place = TypeVar("Place")


def by_fault(faults: Mapping[Place, Mapping[str, tuple[str, str]]]) -> dict[str, tuple[Place, str, str]]:
    """Where the text is, what it says and what the mutant's says, by fault, of a table by places."""
    return {fault: (place, *texts) for place, replacements in faults.items() for fault, texts in replacements.items()}


def always(value: Any) -> Callable[..., Any]:
    return lambda *args, **options: value


def unless(*words: str) -> Callable[[bool, str], None]:
    """Nothing is rejected for a reason with one of these words."""
    return lambda condition, reason: meter.require(condition or any(word in reason for word in words), reason)
