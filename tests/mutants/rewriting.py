"""Faults planted in the text of functions, as data: TOML tables, each called by a function, a class or a member of one.

A line is a fault: what is wrong, the words that are there, the words in their place, and what finds the fault.
"""

import inspect
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name
from types import FunctionType
from typing import Any, NamedTuple

import pytest

from dp_kernel.meter import limited


class Fault(NamedTuple):
    """The place, the words that are there, the words in their place, and what finds it."""

    place: str
    written: str
    wrong: str
    finder: str


def read_faults(file: str) -> dict[str, Fault]:
    """The faults of a file beside this one, by place and what is wrong; places are in its `package`."""
    tables = tomllib.loads(Path(__file__).with_name(file).read_text(encoding="utf-8"))
    package = tables.pop("package")
    return {
        f"{place}: {wrong}": Fault(f"{package}.{place}", *words)
        for place, lines in tables.items()
        for wrong, words in lines.items()
    }


@contextmanager
def planted(fault: Fault) -> Iterator[None]:
    """Within it what is at the place does what the other words say, whoever uses it."""
    target, above = (resolve_name(path) for path in (fault.place, fault.place.rpartition(".")[0]))
    owner = above if isinstance(above, type) else inspect.unwrap(target)
    source, part = (inspect.getsource(_function(of)) for of in (owner, target))
    assert fault.written in part, f"{fault.place} says something else now"
    faulty = dict(vars(import_module(owner.__module__)))
    exec(source.replace(part, part.replace(fault.written, fault.wrong)), faulty)
    functions, wrong = _functions(owner), _functions(faulty[owner.__name__])
    with pytest.MonkeyPatch.context() as patch:
        for name, function in functions.items():
            if function.__code__.co_filename == inspect.getfile(owner):  # others are made by decorators
                patch.setattr(function, "__code__", wrong[name].__code__)
        with limited():  # what the kernel remembers is forgotten
            pass
        yield
    with limited():
        pass


def planted_test(
    faults: Mapping[str, Fault], finders: Mapping[str, Callable[[], Iterable[object]]]
) -> Callable[[str], None]:
    """The test that every planted fault is found by what is named to find it, which finds nothing where none is."""
    clean = {f"nothing: {fault.finder}": fault.finder for fault in faults.values()}

    @pytest.mark.parametrize("fault", [*faults, *clean])
    def test(fault: str) -> None:
        if fault in clean:
            assert list(finders[clean[fault]]()) == []
            return
        with planted(faults[fault]):
            assert any(True for _ in finders[faults[fault].finder]()), f"{fault} survived"

    return test


def _function(of: Any) -> Any:
    """What a property, or what is remembered, calls; else the same."""
    for name in ("fget", "func"):
        of = getattr(of, name, of)
    return inspect.unwrap(of)


def _functions(of: Any) -> dict[str, FunctionType]:
    """The members of a class that are functions, by name, or the function."""
    members = {name: _function(x) for name, x in vars(of).items()} if isinstance(of, type) else {"": _function(of)}
    return {name: member for name, member in members.items() if isinstance(member, FunctionType)}
