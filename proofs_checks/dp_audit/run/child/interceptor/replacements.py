"""The interceptor: replacements wherever the originals are found, for as long as it is entered."""

from __future__ import annotations

import functools
import gc
import importlib.machinery
import itertools
import math
import operator
import os
import pickle
import random
import secrets
import sys
import types
from typing import Any, Callable, Dict, FrozenSet, List, Optional, Tuple

import numpy as np

from ..refusals import UnmodeledRandomness
from .coins import EXECUTING, Limits, Source
from .hooks import c_functions, install_hook, refuse_c_functions
from .numpy_draws import REAL
from .numpy_random import GLOBAL_STATE, numpy_replacements
from .python_random import python_replacements
from .ufuncs import MONOTONE

_SYSTEM_RANDOM = random.SystemRandom
_MODULES = (random, secrets, os, math, np.random, np.random.mtrand)
_ORIGINALS = [
    (module, name, value)
    for module in _MODULES
    for name, value in vars(module).items()
    if callable(value) and (module not in (os, math) or name in ("urandom", "getrandom", *MONOTONE))
]
"""The functions and classes as they were before the target was imported."""


MANY = 500
_IDENTITY = object.__hash__
"""Where an object is, whatever its type says of it: `id`, of which every call is an event that audit hooks hear."""
_GENERATORS = (np.random.RandomState, np.random.Generator)
_LOADERS = (
    importlib.machinery.SourceFileLoader,
    importlib.machinery.SourcelessFileLoader,
    importlib.machinery.ExtensionFileLoader,
)


def _executing(execute: Callable[..., None]) -> Callable[..., None]:
    """Return a loader's way to execute a module, which is noted meanwhile."""

    @functools.wraps(execute)
    def noted(self: Any, module: Any) -> None:
        EXECUTING.append(module.__name__)
        try:
            execute(self, module)
        finally:
            EXECUTING.pop()

    return noted


def _unseeded(generator: Any) -> bool:
    """Return whether a numpy Generator was made of the system's entropy: 128 bits, where a seed is a number somebody
    wrote."""
    entropy = getattr(getattr(generator.bit_generator, "seed_seq", None), "entropy", None)
    return isinstance(entropy, int) and entropy >> 64 != 0


class Interceptor:
    """Context manager: puts the replacements wherever the originals are found by identity, and takes them out again.

    `watch_generators` also watches the state of every numpy generator that exists already (a scan of all objects);
    `modules` are those that are looked through (None: all).
    """

    def __init__(
        self, watch_generators: bool = True, limits: Optional[Limits] = None, modules: Optional[List[Any]] = None
    ) -> None:
        self.source = Source(limits)
        self._modules = modules
        self._undo: List[Tuple[Any, str, Any]] = []
        self._placed: List[Tuple[Any, str, Any]] = []
        self._system: List[Any] = []
        self._loaders: List[Tuple[Any, Any]] = []
        self._looks = 0
        self._fakes: Tuple[Any, ...] = ()
        self._watch_generators = watch_generators

    def __enter__(self) -> Source:
        for original, name, value in _ORIGINALS:
            if getattr(original, name, None) is not value:
                raise UnmodeledRandomness(f"{original.__name__}.{name} was replaced before the audit")
        table = self._replacements()
        self.source.watched = [GLOBAL_STATE]
        if self._watch_generators:
            self.look()
        self._own([getattr(secrets, "_sysrand")])  # noqa: B009 - private, and absent from the stubs
        method = types.MethodType
        wanted = frozenset(_IDENTITY(original) for original, _ in table.values())
        kinds = frozenset(map(_IDENTITY, (method, REAL["Generator"])))
        for module in list(sys.modules.values()) if self._modules is None else self._modules:
            names = getattr(module, "__dict__", None)
            if not isinstance(names, dict) or names.get("__package__") == __package__:
                continue
            numpy_inside = str(names.get("__name__")).startswith("numpy.random.")
            for name, value in _suspects(names, wanted, kinds):
                entry = table.get(id(value))
                if entry is None and type(value) is method and type(value.__self__) is self._system_class:
                    entry = (value, getattr(value.__self__, value.__name__))
                if type(value) is REAL["Generator"] and _unseeded(value):
                    entry = (value, table[id(REAL["default_rng"])][1]())
                if entry is not None and entry[0] is value and not (numpy_inside and isinstance(value, type)):
                    names[name] = entry[1]
                    self._undo.append((names, name, value))
                    if module in _MODULES:
                        self._placed.append((names, name, entry[1]))
        install_hook()
        for loader in _LOADERS:
            self._loaders.append((loader, vars(loader).get("exec_module")))
            setattr(loader, "exec_module", _executing(loader.exec_module))  # noqa: B010 - a method is no attribute
        return self.source

    def look(self) -> None:
        """Find what draws and exists already: system generators draw from the coins from now on, others are watched."""
        sources = _living(*_GENERATORS, _SYSTEM_RANDOM, *c_functions())
        refuse_c_functions(sources)  # before anything is changed
        ids = {id(replacement._real) for replacement in self._fakes} | {id(g) for g in self.source.watched}
        self.source.watched += [g for g in sources if isinstance(g, _GENERATORS) and id(g) not in ids]
        self._own(sources)

    def _own(self, sources: List[Any]) -> None:
        for kept in sources:
            if type(kept) is _SYSTEM_RANDOM:  # wherever it is, it draws from the coins now
                kept.__class__ = self._system_class
                self._system.append(kept)

    def __exit__(self, *exception: object) -> None:
        while self._loaders:
            loader, own = self._loaders.pop()
            delattr(loader, "exec_module")
            if own is not None:
                setattr(loader, "exec_module", own)  # noqa: B010
        while self._system:
            self._system.pop().__class__ = _SYSTEM_RANDOM
        self._placed.clear()
        while self._undo:
            names, name, value = self._undo.pop()
            names[name] = value

    def tampering(self, seldom: int = 1) -> Optional[str]:
        """Return the name of a replacement that is no longer in its place, or of a module of them that was imported
        afresh.

        After many looks it looks only every `seldom`-th time.
        """
        self._looks += 1
        if self._looks > MANY and self._looks % seldom:
            return None
        for module in _MODULES:
            if sys.modules.get(module.__name__) is not module:
                return module.__name__
        for names, name, replacement in self._placed:
            if names.get(name) is not replacement:
                return f"{names['__name__']}.{name}"
        return None

    def states(self) -> List[bytes]:
        """Return the states of the generators that are watched; a run must leave them alone."""
        return [pickle.dumps(_state(generator)) for generator in self.source.watched]

    def require(self, before: List[bytes]) -> None:
        """Raise unless the generators that are watched are as they were."""
        for generator, was, now in zip(self.source.watched, before, self.states()):
            if was != now:
                unknown = UnmodeledRandomness("a numpy generator that was not replaced was drawn from")
                raise self.source.seed_of(generator) or unknown

    def _replacements(self) -> Dict[int, Tuple[Any, Any]]:
        python, self._system_class = python_replacements(self.source)
        numpy, self._fakes = numpy_replacements(self.source)
        return {id(original): (original, replacement) for original, replacement in python + numpy}


def _suspects(names: Dict[str, Any], wanted: FrozenSet[int], kinds: FrozenSet[int]) -> List[Tuple[str, Any]]:
    """Return the names whose values, or the types of them, are wanted (by identity): there are many names, and most
    modules have none."""
    if wanted.isdisjoint(map(_IDENTITY, names.values())) and kinds.isdisjoint(
        map(_IDENTITY, map(type, names.values()))
    ):
        return []
    items = list(names.items())
    values = [value for _, value in items]
    ours = map(wanted.__contains__, map(_IDENTITY, values))
    alike = map(kinds.__contains__, map(_IDENTITY, map(type, values)))
    return list(itertools.compress(items, map(operator.or_, ours, alike)))


def _living(*kinds: Any) -> List[Any]:
    """Return all objects of these types and of their subclasses, in one fast pass: there can be a million objects.

    No object is asked what it is: it could run code of the target.
    """
    wanted, left = set(), list(kinds)
    while left:
        kind = left.pop()
        wanted.add(_IDENTITY(kind))
        left += type.__subclasses__(kind)
    everything = gc.get_objects()
    return list(itertools.compress(everything, map(wanted.__contains__, map(_IDENTITY, map(type, everything)))))


def _state(generator: Any) -> Any:
    return generator.bit_generator.state if isinstance(generator, REAL["Generator"]) else generator.get_state()
