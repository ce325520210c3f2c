"""Outputs as canonical JSON, and what they are before: types, dtypes, order, what they hold.

Outputs of code that is run as it is (`canonical_value`, `kind_of`, `estimate_number`) have the same canonical form.
"""

from __future__ import annotations

import array
import collections
import datetime
import decimal
import functools
import hashlib
import itertools
import json
import math
import numbers
import random
import threading
import types
from fractions import Fraction
from typing import Any, Callable, List, Optional, Sequence, Set, Tuple

import numpy as np

from .refusals import UnreadableOutput

HIDDEN_PARTS = 2000
"""So many parts of what functions hold are looked at."""
BASE_BYTES = 1 << 22
"""A longer buffer that an array is a part of is not looked at."""
OPAQUE = " (opaque)"
"""After the type of what cannot be looked into."""
_READABLE = "return numbers, texts, bytes, or lists, tuples, sets or dictionaries of such, or add a method `canonical`"


class Reader:
    """Canonical JSON value and raw description of an output.

    With `opaque` what has no canonical form is described by its type and what it holds; else it is refused. `memory`:
    also the array that an array is a part of, which a copy is no longer, and which may never have been written.
    """

    def __init__(self, limit: int, opaque: bool, memory: bool = False) -> None:
        self._left = limit
        self._opaque, self._memory = opaque, memory
        self._open: Set[int] = set()
        self.hidden = False

    def settled(self, value: Any) -> Tuple[Any, Optional[Tuple[Any, str]]]:
        """Return what stands for a value that is not determined yet: another value, or what is read of it."""
        return value, None

    def read(self, value: Any) -> Tuple[Any, str]:
        """Return (canonical, raw): equal numbers have equal canonical forms whatever their type; raw keeps type and
        order."""
        self._left -= 1
        if self._left < 0:
            raise UnreadableOutput("an output with too many parts")
        value, form = self.settled(value)
        if form is not None:
            return form
        canonical, raw = self._read(value)
        builtin = type(value) in _SCALARS or not isinstance(value, _BUILTIN)
        more = None if builtin else getattr(value, "__dict__", None)
        if type(more) is dict and more:  # of a subclass that carries something
            held = [(str(k), self._inside(value, v)) for k, v in more.items()]
            raw += " with " + ", ".join(f"{k}: {r} {canonical_text(c)}" for k, (c, r) in held)
        return canonical, raw

    def _read(self, value: Any) -> Tuple[Any, str]:
        if type(value) in _FLOATS and value:  # estimates are many
            return _number(float(value)), _FLOATS[type(value)]
        name = type(value).__name__ if type(value).__module__ != "numpy" else "numpy." + type(value).__name__
        if value is None or isinstance(value, (bool, np.bool_)):
            return (None if value is None else bool(value)), name
        if isinstance(value, (int, np.integer)):
            if int(value).bit_length() > 4096:
                raise UnreadableOutput("an integer of more than 4096 bits")
            return int(value), name
        if isinstance(value, (float, np.floating)):
            return _number(float(value)), name + (" -0" if value == 0 and math.copysign(1, float(value)) < 0 else "")
        if isinstance(value, (str, bytes, bytearray)):
            self._left -= len(value)
            if self._left < 0:
                raise UnreadableOutput(f"a {name} of length {len(value)}")
            return (str(value) if isinstance(value, str) else {"bytes": bytes(value).hex()}), name
        if isinstance(value, np.ndarray):
            return self._array(value, name)
        if isinstance(value, (list, tuple)):
            alike = self._alike(value)
            parts = [self.read(part) for part in value] if alike is None else alike
            return [c for c, _ in parts], name + "[" + _runs([r for _, r in parts]) + "]"
        if isinstance(value, (set, frozenset)):
            parts = [self.read(part) for part in value]
            canonical = sorted((c for c, _ in parts), key=canonical_text)
            return {"set": canonical}, f"{name} in order [{', '.join(canonical_text(c) + ': ' + r for c, r in parts)}]"
        if isinstance(value, dict):
            pairs = [(self.read(k), self.read(v)) for k, v in value.items()]
            canonical = sorted(([k[0], v[0]] for k, v in pairs), key=canonical_text)
            order = ", ".join(f"{canonical_text(k[0])} ({k[1]}): {v[1]}" for k, v in pairs)
            return {"dict": canonical}, f"{name} in order [{order}]"
        if not self._opaque:
            raise UnreadableOutput(f"no canonical form for an output of type {name}: {_READABLE}")
        return self._object(value, name)

    def _alike(self, value: Sequence[Any]) -> Optional[List[Tuple[Any, str]]]:
        """Return the parts of a list of integers, or of floats but 0, as `read` does, fast; None for others."""
        kinds = set(map(type, value))
        if len(kinds) != 1 or len(value) > self._left:
            return None
        if kinds == {int} and min(value) > -_WORD and max(value) < _WORD:
            self._left -= len(value)
            return [(part, "int") for part in value]
        if kinds == {float} and 0 not in value:
            self._left -= len(value)
            return [(_number(part), "float") for part in value]
        return None

    def _array(self, value: Any, name: str) -> Tuple[Any, str]:
        if value.size > self._left:
            raise UnreadableOutput(f"an array of {value.size} numbers")
        if value.dtype == object:
            canonical, raw = self.read(value.tolist())
            return canonical, f"numpy.ndarray object {value.shape} of {raw}"
        numbers, _ = self.read(value.tolist())
        kind = "numpy.ndarray" if type(value) is np.ndarray else name
        negative = (value == 0) & np.signbit(value) if value.dtype.kind == "f" else np.zeros(1, bool)
        where = np.flatnonzero(negative).tolist()
        kind = f"{kind} {value.dtype.str} {value.shape}" + (f" -0 at {where}" if where else "")
        if type(value) is not np.ndarray and isinstance(value, np.ma.MaskedArray):  # the mask hides it, and keeps it
            canonical, raw = self._inside(value, np.asarray(value.data))
            kind += f" over {raw} {canonical_text(canonical)}"
        return numbers, kind + (within(value) if self._memory else "")

    def _object(self, value: Any, name: str) -> Tuple[Any, str]:
        if id(value) in self._open:  # it holds itself
            return {"object": []}, name
        held = attributes(value)
        if held is None:
            return {"object": []}, name + OPAQUE
        self._open.add(id(value))
        try:
            inside = self._inside if isinstance(value, _FUNCTIONS) else lambda _, part: self.read(part)
            parts = [(str(k), inside(value, v)) for k, v in held]
        finally:
            self._open.discard(id(value))
        return {"object": [[k, c] for k, (c, _) in parts]}, f"{name}({', '.join(f'{k}: {r}' for k, (_, r) in parts)})"

    def _inside(self, owner: Any, part: Any) -> Tuple[Any, str]:
        """Return what is read of a part that is not meant to be one of the output, whatever it is."""
        before = self._left, self._opaque, self.hidden
        self._left, self._opaque, self.hidden = min(self._left, HIDDEN_PARTS), True, True
        try:
            return self.read(part)
        except UnreadableOutput:
            return {"object": []}, type(part).__name__ + OPAQUE
        finally:
            self._left, self._opaque, self.hidden = before


def within(value: Any) -> str:
    """Return the rest of the memory that an array is a part of."""
    base = value.base
    if isinstance(base, np.ndarray) and base.dtype == object:
        return ""
    if not isinstance(base, (np.ndarray, bytes, bytearray)):
        return ""
    size = base.nbytes if isinstance(base, np.ndarray) else len(base)
    if size <= value.nbytes:
        return ""
    content = base.tobytes() if isinstance(base, np.ndarray) else bytes(base)
    digest = hashlib.sha256(content).hexdigest()[:16] if size <= BASE_BYTES else ""
    return f" <within {size} bytes {digest}>"


_BUILTIN = (int, float, str, bytes, bytearray, list, tuple, set, frozenset, dict, np.ndarray)
_SCALARS = frozenset([*_BUILTIN, bool, type(None), np.float64])
_FUNCTIONS = (types.FunctionType, types.MethodType, functools.partial)
_NOTHING = (
    *(type, types.ModuleType, types.BuiltinFunctionType, type(threading.Lock()), type(threading.RLock()), np.ufunc),
    *(random.Random, np.random.Generator, np.random.RandomState),
)
"""What holds nothing that is a value."""
_VALUES: Sequence[Tuple[type, Callable[[Any], Any]]] = (
    (decimal.Decimal, lambda x: str(decimal.Decimal(x))),
    (complex, lambda x: [x.real, x.imag]),
    (range, lambda x: [x.start, x.stop, x.step]),
    (slice, lambda x: [x.start, x.stop, x.step]),
    (array.array, lambda x: [x.typecode, x.tolist()]),
    (collections.deque, lambda x: [list(x), x.maxlen]),
    (memoryview, lambda x: [x.format, list(x.shape or ()), x.tobytes(), x.readonly]),
    (datetime.timedelta, lambda x: [x.days, x.seconds, x.microseconds]),
    (datetime.datetime, lambda x: [datetime.datetime.isoformat(x), x.fold, repr(x.tzinfo)]),
    (datetime.date, lambda x: datetime.date.isoformat(x)),
    (datetime.time, lambda x: [datetime.time.isoformat(x), x.fold, repr(x.tzinfo)]),
    (np.datetime64, lambda x: str(x)),
    (np.timedelta64, lambda x: str(x)),
    (np.complexfloating, lambda x: [x.real, x.imag]),
    (types.MappingProxyType, dict),
    *((type(view), list) for view in ({0: 0}.keys(), {0: 0}.values(), {0: 0}.items())),
)
"""What types of values, whose parts have no names, are made of."""


def attributes(value: Any) -> Optional[List[Tuple[str, Any]]]:
    """Return what an object holds by names: of a record of numpy its fields, of a function its defaults and what it
    closes over; None, if that cannot be known."""
    if isinstance(value, np.void):
        return [(name, value[name]) for name in value.dtype.names or ()]
    if isinstance(value, types.FunctionType):
        cells = zip(value.__code__.co_freevars, value.__closure__ or ())
        return [
            *_defaults(value),
            *((name, held) for name, cell in cells for held in _contents(cell)),
            *vars(value).items(),
        ]
    if isinstance(value, types.MethodType):
        return [("self", value.__self__), ("function", value.__func__)]
    if isinstance(value, functools.partial):
        return [("function", value.func), ("args", value.args), ("keywords", value.keywords)]
    ours = type(value).__module__.startswith(__name__.rpartition(".")[0] + ".interceptor.")  # a replaced generator
    if type(value) is object or isinstance(value, _NOTHING) or ours:
        return []
    slots = [getattr(cls, "__slots__", ()) for cls in type(value).__mro__]
    names = [name for some in slots for name in ((some,) if isinstance(some, str) else some)]
    names = [name for name in names if name not in ("__dict__", "__weakref__") and hasattr(value, name)]
    own = getattr(value, "__dict__", None)
    held = [*((name, getattr(value, name)) for name in names), *(own.items() if type(own) is dict else ())]
    made = [("value", parts(value)) for kind, parts in _VALUES if isinstance(value, kind)][:1]
    of_python = own is not None or any("__slots__" in vars(cls) for cls in type(value).__mro__)
    return [*made, *held] if made or of_python else None


def _defaults(function: Any) -> List[Tuple[str, Any]]:
    defaults = [("defaults", list(function.__defaults__))] if function.__defaults__ else []
    return [*defaults, *(function.__kwdefaults__ or {}).items()]


def _contents(cell: Any) -> List[Any]:
    try:
        return [cell.cell_contents]
    except ValueError:  # nothing yet
        return []


_FLOATS = {float: "float", np.float64: "numpy.float64"}
_WORD = 1 << 62


def _number(value: float) -> Any:
    if not math.isfinite(value):
        return {"float": repr(value)}
    top, bottom = value.as_integer_ratio()
    return top if bottom == 1 else {"fraction": f"{top}/{bottom}"}


def _runs(names: List[str]) -> str:
    groups = [(name, len(list(group))) for name, group in itertools.groupby(names)]
    return ", ".join(f"{name}*{count}" if count > 1 else name for name, count in groups)


def canonical_text(value: Any) -> str:
    """Return JSON text, of which there is one for a value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def told(reader: Reader, value: Any) -> Tuple[str, str]:
    """Return canonical text and raw description."""
    try:
        canonical, raw = reader.read(value)
        return canonical_text(canonical), raw
    except RecursionError:
        raise UnreadableOutput("an output that is nested too deeply") from None


def canonical_value(value: Any) -> Any:
    """Return the canonical JSON value of a report. Raises `TypeError` for what has none: that needs `canonical`."""
    if value is None or type(value) in (int, str):
        return value
    if isinstance(value, (bool, np.bool_, int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        exact = Fraction(float(value))  # raises for NaN and infinities
        return exact.numerator if exact.denominator == 1 else {"fraction": str(exact)}
    if isinstance(value, np.ndarray):
        return canonical_value(value.tolist())
    if isinstance(value, (list, tuple)):
        return [canonical_value(part) for part in value]
    if isinstance(value, (set, frozenset)):
        return {"set": sorted((canonical_value(part) for part in value), key=canonical_text)}
    if isinstance(value, (bytes, bytearray)):
        return {"bytes": bytes(value).hex()}
    if isinstance(value, str):
        return str(value)
    raise TypeError("no canonical form of a report of type " + type(value).__name__)


def kind_of(value: Any) -> str:
    """Return the type of a report and of its parts, in their order."""
    if isinstance(value, np.ndarray):
        return "numpy.ndarray " + str(value.dtype)
    name = type(value).__module__ + "." + type(value).__name__
    if isinstance(value, (list, tuple)):
        return name + "[" + ", ".join(map(kind_of, value)) + "]"
    return name


def estimate_number(value: Any) -> Any:
    """Return the JSON value of an estimate. Raises `TypeError` for what is no number, `ValueError` for one not
    finite."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (numbers.Rational, float, np.number)):
        raise TypeError("an estimate of type " + type(value).__name__)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, numbers.Rational):
        return str(Fraction(value))
    if not math.isfinite(value):
        raise ValueError("an estimate is " + repr(float(value)))
    return float(value)
