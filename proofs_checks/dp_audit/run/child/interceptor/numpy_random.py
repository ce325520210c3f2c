"""What replaces the classes of `numpy.random`."""

from __future__ import annotations

from typing import Any, Callable, List, Tuple

import numpy as np

from . import numpy_laws
from .coins import Source, unless_imported
from .intervals import SINGLES, Cell
from .lazy_float import LazySingle, single
from .lazy_integer import is_entropy
from .numpy_draws import REAL, NumpyDraws, integers_of, shape_of

GLOBAL_STATE = getattr(np.random.mtrand, "_rand")  # noqa: B009 - private, and absent from the stubs
_BIT_GENERATORS = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64", "SeedSequence")


class _OrReal(type):
    """Real generators, which exist where a given value seeds one, count as instances of the replacement."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return super().__instancecheck__(instance) or isinstance(instance, type(cls._real))  # type: ignore[attr-defined]


class _UnseededBits:
    """Stands for an unseeded bit generator."""


def _random_state_class(source: Source) -> Any:
    class RandomState(NumpyDraws, metaclass=_OrReal):
        _source = source
        _exponential_model = numpy_laws.INVERSE.format(".exponential")
        _geometric_model = "ceil(log1p(-u) / log1p(-p)) with this machine's log1p"
        _real = REAL["RandomState"](0)

        def __new__(cls, seed: Any = None) -> Any:
            if seed is None or isinstance(seed, _UnseededBits) or is_entropy(source, seed):
                return super().__new__(cls)
            return source.seeded("numpy.random.RandomState", seed, REAL["RandomState"])

        def __init__(self, seed: Any = None) -> None:
            pass

        def seed(self, seed: Any = None) -> None:
            source.seed("numpy.random.seed", None if seed is None or is_entropy(source, seed) else seed, self)

        def random_sample(self, size: Any = None) -> Any:
            return self._uniforms(size)

        random = ranf = sample = random_sample

        def rand(self, *shape: int) -> Any:
            return self._uniforms(shape or None)

        def standard_exponential(self, size: Any = None) -> Any:
            return self.exponential(1.0, size)

        def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
            template = self._real.randint(low, high, size, dtype)
            return integers_of(self, template, low, high, 0)

        def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:
            return self._choice(self._real.choice(a, size, replace, p), a, size, replace, p)

    unless_imported(RandomState, [name for name in dir(RandomState) if name not in _KEPT and name[0] != "_"])
    return RandomState


_KEPT = ("seed", "bit_generator")
"""What replacements do while a module is imported, too."""


def _generator_class(source: Source) -> Any:
    class Generator(NumpyDraws, metaclass=_OrReal):
        _source = source
        _real = REAL["default_rng"](0)
        _name = "numpy Generator"
        _exponential_model = ".exponential (a ziggurat): idealized as -scale log(1 - u) for a uniform double u"
        _geometric_model = "idealized as ceil(log1p(-u) / log1p(-p))"

        def __init__(self, bit_generator: Any) -> None:
            if not isinstance(bit_generator, _UnseededBits):
                source.refuse("numpy.random.Generator(" + type(bit_generator).__name__ + ")")
            self._bits = bit_generator

        @property
        def bit_generator(self) -> Any:
            return self._bits

        def spawn(self, n_children: int) -> List[Any]:
            return [type(self)(self._bits) for _ in range(n_children)]

        def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
            if np.dtype(dtype) == np.float32 and size is None and out is None:
                coins = self._use("numpy Generator uniform singles: uniform on multiples of 2^-24")
                return LazySingle(Cell(source, coins, high=SINGLES), single, numpy=True)
            if out is not None or np.dtype(dtype) != np.float64:
                source.refuse("Generator.random with out, or an array of dtype " + np.dtype(dtype).name)
            return self._uniforms(size)

        def standard_exponential(
            self, size: Any = None, dtype: Any = np.float64, method: str = "zig", out: Any = None
        ) -> Any:
            if out is not None or np.dtype(dtype) != np.float64:
                source.refuse("Generator.standard_exponential with dtype or out")
            shape = shape_of(self._real.standard_exponential(size, dtype, method))
            if method == "inv":
                return self._lazy(
                    shape, numpy_laws.INVERSE.format(".standard_exponential(inv)"), numpy_laws.inverse_exponential
                )
            return self.exponential(1.0, size)

        def integers(
            self, low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64, endpoint: bool = False
        ) -> Any:
            template = self._real.integers(low, high, size, dtype, endpoint)
            return integers_of(self, template, low, high, int(endpoint))

        def choice(
            self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0, shuffle: bool = True
        ) -> Any:
            if not shuffle and not replace:
                source.refuse("Generator.choice(shuffle=False)")
            return self._choice(self._real.choice(a, size, replace, p, axis), a, size, replace, p, axis)

    unless_imported(Generator, [name for name in dir(Generator) if name not in _KEPT and name[0] != "_"])
    return Generator


def numpy_replacements(source: Source) -> Tuple[List[Tuple[Any, Any]], Tuple[Any, ...]]:
    """Return (original, replacement) of all that draws in `numpy.random`; the classes that replace its generators."""
    fake_state, fake_generator = _random_state_class(source), _generator_class(source)
    state = fake_state()

    class BitGenerator(_UnseededBits):
        _real: Any = None

        def __init__(self, seed: Any = None) -> None:
            unseeded = seed is None or isinstance(seed, _UnseededBits) or is_entropy(source, seed)
            source.seed("numpy.random." + type(self).__name__, None if unseeded else seed, self)

        def spawn(self, n_children: int) -> List[Any]:
            """Return the children of a seed: those of what is unseeded are unseeded, and independent."""
            return [type(self)() for _ in range(n_children)]

        @property
        def seed_seq(self) -> Any:
            return self._replacement("seed_seq", bits["SeedSequence"])

        def _replacement(self, name: str, made: Callable[[], Any]) -> Any:
            if not hasattr(self._real, name):
                raise AttributeError(name)
            return made()

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return self._replacement(name, lambda: source.refuse(f"numpy.random.{type(self).__name__}.{name}"))

    def default_rng(seed: Any = None) -> Any:
        if isinstance(seed, fake_generator):
            return seed
        if seed is None or isinstance(seed, _UnseededBits) or is_entropy(source, seed):
            return fake_generator(bits["PCG64"]())
        return source.seeded("numpy.random.default_rng", seed, REAL["default_rng"])

    bits = {name: type(name, (BitGenerator,), {"_real": getattr(np.random, name)}) for name in _BIT_GENERATORS}
    replaced = [
        (GLOBAL_STATE, state),
        (np.random.RandomState, fake_state),
        (np.random.Generator, fake_generator),
        (np.random.default_rng, default_rng),
    ]
    for name in dir(np.random):
        value = getattr(np.random, name)
        if name in _BIT_GENERATORS:
            replaced.append((value, bits[name]))
        elif not (
            name.startswith("_") or name in ("default_rng", "test") or not callable(value) or isinstance(value, type)
        ):
            replaced.append((value, getattr(state, name, source.loud("numpy.random." + name, value))))
    return replaced, (fake_state, fake_generator)
