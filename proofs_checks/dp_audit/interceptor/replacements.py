"""The interceptor: replacements wherever the originals are found, for as long as it is entered."""

from __future__ import annotations

import gc
import itertools
import math
import os
import pickle
import random
import secrets
import sys
import types
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from .coins import Limits, Source
from .hooks import c_functions, install_hook, refuse_c_functions
from .lazy import MONOTONE
from .numpy_random import GLOBAL_STATE, REAL, numpy_replacements
from .python_random import python_replacements
from .refusals import UnmodeledRandomness

_SYSTEM_RANDOM = random.SystemRandom
_MODULES = (random, secrets, os, math, np.random, np.random.mtrand)
_ORIGINALS = [
    (module, name, value)
    for module in _MODULES
    for name, value in vars(module).items()
    if callable(value) and (module not in (os, math) or name in ("urandom", "getrandom", *MONOTONE))
]
"""The functions and classes as they were before the target was imported."""


class Interceptor:
    """Context manager: puts the replacements wherever the originals are found by identity, and takes them out again.

    `watch_generators` also watches the state of every numpy generator that exists already (a scan of all objects).
    """

    def __init__(self, watch_generators: bool = True, limits: Optional[Limits] = None) -> None:
        self.source = Source(limits)
        self._undo: List[Tuple[Any, str, Any]] = []
        self._placed: List[Tuple[Any, str, Any]] = []
        self._system: List[Any] = []
        self._fakes: Tuple[Any, ...] = ()
        self._watch_generators = watch_generators

    def __enter__(self) -> Source:
        for original, name, value in _ORIGINALS:
            if getattr(original, name, None) is not value:
                raise UnmodeledRandomness(f"{original.__name__}.{name} was replaced before the audit")
        table = self._replacements()
        generators = (np.random.RandomState, np.random.Generator)
        watched = self.source.watched = [GLOBAL_STATE]
        self._system = [getattr(secrets, "_sysrand")]  # noqa: B009 - private, and absent from the stubs
        if self._watch_generators:
            private = {id(replacement._real) for replacement in self._fakes}
            found = _living(*generators, _SYSTEM_RANDOM, *c_functions())
            watched += [g for g in found if isinstance(g, generators) and id(g) not in private]
            self._system = [g for g in found if type(g) is _SYSTEM_RANDOM]
            refuse_c_functions(found)
        for kept in self._system:  # wherever it is, it draws from the coins now
            kept.__class__ = self._system_class
        method = types.MethodType
        for module in list(sys.modules.values()):
            names = getattr(module, "__dict__", None)
            if not isinstance(names, dict) or names.get("__package__") == __package__:
                continue
            numpy_inside = str(names.get("__name__")).startswith("numpy.random.")
            for name, value in list(names.items()):
                entry = table.get(id(value))
                if entry is None and type(value) is method and type(value.__self__) is self._system_class:
                    entry = (value, getattr(value.__self__, value.__name__))
                if entry is not None and entry[0] is value and not (numpy_inside and isinstance(value, type)):
                    names[name] = entry[1]
                    self._undo.append((names, name, value))
                    if module in _MODULES:
                        self._placed.append((names, name, entry[1]))
        install_hook()
        return self.source

    def __exit__(self, *exception: object) -> None:
        while self._system:
            self._system.pop().__class__ = _SYSTEM_RANDOM
        self._placed.clear()
        while self._undo:
            names, name, value = self._undo.pop()
            names[name] = value

    def tampering(self) -> Optional[str]:
        """A replacement that is no longer in its place, or a module of them that was imported afresh."""
        for module in _MODULES:
            if sys.modules.get(module.__name__) is not module:
                return module.__name__
        for names, name, replacement in self._placed:
            if names.get(name) is not replacement:
                return f"{names['__name__']}.{name}"
        return None

    def states(self) -> List[bytes]:
        """The states of the generators that are watched; a run must leave them alone."""
        return [pickle.dumps(_state(generator)) for generator in self.source.watched]

    def _replacements(self) -> Dict[int, Tuple[Any, Any]]:
        python, self._system_class = python_replacements(self.source)
        numpy, self._fakes = numpy_replacements(self.source)
        return {id(original): (original, replacement) for original, replacement in python + numpy}


def _living(*kinds: Any) -> List[Any]:
    """All objects of these types and of their subclasses, in one fast pass: there can be a million objects.

    No object is asked what it is: it could run code of the target.
    """
    wanted, left = set(), list(kinds)
    while left:
        kind = left.pop()
        wanted.add(id(kind))
        left += type.__subclasses__(kind)
    everything = gc.get_objects()
    return list(itertools.compress(everything, map(wanted.__contains__, map(id, map(type, everything)))))


def _state(generator: Any) -> Any:
    return generator.bit_generator.state if isinstance(generator, REAL["Generator"]) else generator.get_state()
