"""What replaces the classes of `numpy.random`."""

from __future__ import annotations

import copy
import functools
from typing import Any, Callable, Dict, List, Tuple

import numpy as np

from . import numpy_laws
from .cells import Cell, uniform_double
from .coins import Coins, Source, unless_imported
from .integers import is_entropy, lazy_integer, lazy_member, weighted_member
from .lazy import LazyUniform

GLOBAL_STATE = getattr(np.random.mtrand, "_rand")  # noqa: B009 - private, and absent from the stubs
_BIT_GENERATORS = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64", "SeedSequence")
REAL: Dict[str, Any] = {name: getattr(np.random, name) for name in ("RandomState", "default_rng", "Generator")}


def _fill(template: Any, draw: Callable[[Tuple[int, ...]], Any]) -> Any:
    """Values drawn into the shape and type that the real function returned for the same arguments."""
    if not isinstance(template, np.ndarray):
        value = draw(())
        return value if isinstance(value, LazyUniform) else type(template)(value)
    result = np.empty_like(template)
    for index in np.ndindex(template.shape):
        result[index] = draw(index)
    return result


def _steps(step: Callable[..., Any], parameters: List[float]) -> Tuple[Callable[[Any], Any], ...]:
    """What is done to k: a uniform double is made of it, and of that a number, if it is another one."""
    more = () if step is numpy_laws.identity else (functools.partial(numpy_laws.step, step, parameters),)
    return (uniform_double, *more)


class _NumpyDraws:
    """What `RandomState` and `Generator` share. `_real`, a private generator, validates arguments and gives types."""

    _source: Source
    _real: Any
    _name = "numpy.random"

    def _use(self, model: str) -> Coins:
        return self._source.use(model, self.__dict__.get("_bits", self))

    def _lazy(self, shape: Any, model: str, step: Callable[..., Any], *parameters: Any, least: int = 0) -> Any:
        """Draws step(u, *parameters) of the shape (None: one draw), for uniform doubles u >= least / 2^53."""
        coins = self._use(self._name + model)
        if shape is None:
            given = [float(parameter) for parameter in parameters]
            return LazyUniform(Cell(self._source, coins, least), *_steps(step, given))
        result = np.empty(shape, dtype=object)
        arrays = [np.broadcast_to(np.asarray(p, dtype=np.float64), result.shape) for p in parameters]
        for index in np.ndindex(result.shape):
            given = [float(array[index]) for array in arrays]
            result[index] = LazyUniform(Cell(self._source, coins, least), *_steps(step, given))
        return result

    def _uniforms(self, shape: Any) -> Any:
        return self._lazy(shape, " uniform doubles: uniform on multiples of 2^-53", numpy_laws.identity)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        shape = _shape(self._real.uniform(low, high, size))
        model = ".uniform: low + (high - low) u for a uniform double u"
        return self._lazy(shape, model, lambda u, a, b: a + (b - a) * u, low, high)

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        shape = _shape(self._real.laplace(loc, scale, size))
        return self._lazy(shape, numpy_laws.INVERSE.format(".laplace"), numpy_laws.laplace, loc, scale, least=1)

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        shape = _shape(self._real.gumbel(loc, scale, size))
        return self._lazy(shape, numpy_laws.INVERSE.format(".gumbel"), numpy_laws.gumbel, loc, scale, least=1)

    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        shape = _shape(self._real.logistic(loc, scale, size))
        return self._lazy(shape, numpy_laws.INVERSE.format(".logistic"), numpy_laws.logistic, loc, scale, least=1)

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        shape = _shape(self._real.exponential(scale, size))
        return self._lazy(shape, self._exponential_model, numpy_laws.exponential, scale)

    def geometric(self, p: Any, size: Any = None) -> Any:
        template = self._real.geometric(p, size)
        coins = self._use(
            self._name
            + ".geometric: "
            + self._geometric_model
            + " for p < 1/3, else numpy's search on the doubles, given"
            " that it ends (rounding can keep it from ending, with a probability of a few 2^-53)"
        )
        ps = np.broadcast_to(p, _shape(template) or ())

        def draw(index: Tuple[int, ...]) -> int:
            values, weights = numpy_laws.geometric(coins, float(ps[index]))
            return values[coins.choose(weights)]

        return _fill(template, draw)

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        template = self._real.binomial(n, p, size)
        coins = self._use(
            self._name + ".binomial: binomial law at the rational value of p (idealized in the last bits)"
        )
        shape = template.shape if isinstance(template, np.ndarray) else ()
        ns, ps = np.broadcast_to(n, shape), np.broadcast_to(p, shape)
        return _fill(template, lambda i: coins.choose(numpy_laws.binomial_weights(int(ns[i]), float(ps[i]))))

    def multinomial(self, n: Any, pvals: Any, size: Any = None) -> Any:
        template = self._real.multinomial(n, pvals, size)
        chances = np.asarray(pvals, dtype=np.float64)
        if np.ndim(n) or chances.ndim != 1:
            self._source.refuse("multinomial of arrays")
        coins = self._use(
            self._name + ".multinomial: multinomial law at the rational values of pvals (idealized in the last bits)"
        )
        result = np.zeros_like(template)
        for index in np.ndindex(template.shape[:-1]):
            weights = numpy_laws.multinomial_weights(chances)
            for _ in range(int(n)):
                result[(*index, coins.choose(weights))] += 1
        return result

    def _choice(self, template: Any, a: Any, size: Any, replace: bool, p: Any, axis: int = 0) -> Any:
        if axis != 0:
            self._source.refuse("choice with axis=" + repr(axis))
        population = None if isinstance(a, (int, np.integer)) or np.ndim(a) == 0 else np.asarray(a)
        count = int(a) if population is None else population.shape[0]
        shape = () if size is None else tuple(np.atleast_1d(size).tolist())
        total = int(np.prod(shape)) if shape else 1
        if not replace and p is not None:
            coins = self._use(self._name + ".choice(p) without replacement: numpy's rounds on the doubles")
            drawn = numpy_laws.without_replacement(coins, p, total)
        elif not replace and total > 1:
            drawn = self._use(self._name + ".choice without replacement: uniform").arrangement(count, total)
        elif p is not None:
            weights = numpy_laws.categorical_weights(p)
            coins = self._use(self._name + ".choice(p): numpy's cdf search on the doubles")
            if size is None and (population is None or _is_integral(population)):
                members = range(count) if population is None else population.tolist()
                return weighted_member(self._source, coins, members, weights, _cast(template))
            drawn = [coins.choose(weights) for _ in range(total)]
        else:
            coins = self._use(self._name + ".choice: uniform")
            if size is None and population is None:
                return lazy_integer(self._source, coins, count, _cast(template))
            if size is None and population is not None and _is_integral(population):
                return lazy_member(self._source, coins, population.tolist(), _cast(template))
            drawn = [coins.integer(count) for _ in range(total)]
        if size is None:
            return type(template)(drawn[0]) if population is None else population[drawn[0]]
        indices = np.array(drawn, dtype=np.int64).reshape(shape)
        return indices.astype(template.dtype) if population is None else population[indices]

    def shuffle(self, x: Any, axis: int = 0) -> None:
        if axis != 0:
            self._source.refuse("shuffle with axis=" + repr(axis))
        self._real.shuffle(copy.copy(x))
        coins = self._use(self._name + ".shuffle: uniform permutation")
        order = coins.arrangement(len(x), len(x))
        old = x.copy() if isinstance(x, np.ndarray) else list(x)
        for i, j in enumerate(order):
            x[i] = old[j]

    def permutation(self, x: Any, axis: int = 0) -> Any:
        if axis != 0:
            self._source.refuse("permutation with axis=" + repr(axis))
        template = self._real.permutation(x)
        coins = self._use(self._name + ".permutation: uniform permutation")
        items = np.arange(x) if np.ndim(x) == 0 else np.asarray(x)
        return items[coins.arrangement(len(items), len(items))].astype(template.dtype)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if not hasattr(self._real, name):
            raise AttributeError(name)
        return self._source.loud(self._name + "." + name, getattr(self._real, name))

    def __reduce__(self) -> Any:
        return self._source.refuse("a copy of a generator")


def _is_integral(population: Any) -> bool:
    return bool(population.dtype == np.int64 and population.ndim == 1)


def _cast(template: Any) -> Any:
    """The type of the integer that the real function returned; None: `int`."""
    return None if type(template) is int else type(template)


def _shape(template: Any) -> Any:
    return template.shape if isinstance(template, np.ndarray) else None


class _OrReal(type):
    """Real generators, which exist where a given value seeds one, count as instances of the replacement."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return super().__instancecheck__(instance) or isinstance(instance, type(cls._real))  # type: ignore[attr-defined]


class _UnseededBits:
    """Stands for an unseeded bit generator."""


def _random_state_class(source: Source) -> Any:
    class RandomState(_NumpyDraws, metaclass=_OrReal):
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
            return _integers(self, template, low, high, 0)

        def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:
            return self._choice(self._real.choice(a, size, replace, p), a, size, replace, p)

    unless_imported(RandomState, [name for name in dir(RandomState) if name not in _KEPT and name[0] != "_"])
    return RandomState


_KEPT = ("seed", "bit_generator")
"""What replacements do while a module is imported, too."""


def _generator_class(source: Source) -> Any:
    class Generator(_NumpyDraws, metaclass=_OrReal):
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
            if out is not None or np.dtype(dtype) != np.float64:
                source.refuse("Generator.random with dtype or out")
            return self._uniforms(size)

        def standard_exponential(
            self, size: Any = None, dtype: Any = np.float64, method: str = "zig", out: Any = None
        ) -> Any:
            if out is not None or np.dtype(dtype) != np.float64:
                source.refuse("Generator.standard_exponential with dtype or out")
            shape = _shape(self._real.standard_exponential(size, dtype, method))
            if method == "inv":
                return self._lazy(
                    shape, numpy_laws.INVERSE.format(".standard_exponential(inv)"), numpy_laws.inverse_exponential
                )
            return self.exponential(1.0, size)

        def integers(
            self, low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64, endpoint: bool = False
        ) -> Any:
            template = self._real.integers(low, high, size, dtype, endpoint)
            return _integers(self, template, low, high, int(endpoint))

        def choice(
            self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0, shuffle: bool = True
        ) -> Any:
            if not shuffle and not replace:
                source.refuse("Generator.choice(shuffle=False)")
            return self._choice(self._real.choice(a, size, replace, p, axis), a, size, replace, p, axis)

    unless_imported(Generator, [name for name in dir(Generator) if name not in _KEPT and name[0] != "_"])
    return Generator


def _integers(self: _NumpyDraws, template: Any, low: Any, high: Any, closed: int) -> Any:
    if high is None:
        low, high = 0, low
    coins = self._use(self._name + " integers: uniform")
    if not isinstance(template, np.ndarray):
        size = int(high) + closed - int(low)
        return lazy_integer(self._source, coins, size, _cast(template), int(low))
    shape = template.shape
    lows, highs = np.broadcast_to(low, shape), np.broadcast_to(high, shape)
    return _fill(template, lambda i: int(lows[i]) + coins.integer(int(highs[i]) + closed - int(lows[i])))


def numpy_replacements(source: Source) -> Tuple[List[Tuple[Any, Any]], Tuple[Any, ...]]:
    """(original, replacement) of all that draws in `numpy.random`; the classes that replace its generators."""
    fake_state, fake_generator = _random_state_class(source), _generator_class(source)
    state = fake_state()

    class BitGenerator(_UnseededBits):
        _real: Any = None

        def __init__(self, seed: Any = None) -> None:
            unseeded = seed is None or isinstance(seed, _UnseededBits) or is_entropy(source, seed)
            source.seed("numpy.random." + type(self).__name__, None if unseeded else seed, self)

        def spawn(self, n_children: int) -> List[Any]:
            """Children of what is unseeded are unseeded, and independent."""
            return [type(self)() for _ in range(n_children)]

        @property
        def seed_seq(self) -> Any:
            return self._named("seed_seq", bits["SeedSequence"])

        def _named(self, name: str, made: Callable[[], Any]) -> Any:
            if not hasattr(self._real, name):
                raise AttributeError(name)
            return made()

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return self._named(name, lambda: source.refuse(f"numpy.random.{type(self).__name__}.{name}"))

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
