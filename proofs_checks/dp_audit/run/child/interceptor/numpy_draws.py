"""What `numpy.random`'s generators share: their draws, undetermined or enumerated."""

from __future__ import annotations

import copy
import functools
from typing import Any, Callable, Dict, List, Tuple

import numpy as np

from . import numpy_laws
from .coins import Coins, Source
from .intervals import Cell, uniform_double
from .lazy_float import LazyUniform
from .lazy_integer import lazy_integer, lazy_member, weighted_member

REAL: Dict[str, Any] = {name: getattr(np.random, name) for name in ("RandomState", "default_rng", "Generator")}


def _fill(template: Any, draw: Callable[[Tuple[int, ...]], Any]) -> Any:
    """Return values drawn into the shape and type that the real function returned for the same arguments."""
    if not isinstance(template, np.ndarray):
        value = draw(())
        return value if isinstance(value, LazyUniform) else type(template)(value)
    result = np.empty_like(template)
    for index in np.ndindex(template.shape):
        result[index] = draw(index)
    return result


def _steps(step: Callable[..., Any], parameters: List[float]) -> Tuple[Callable[[Any], Any], ...]:
    """Return what is done to k: a uniform double is made of it, and of that a number, if it is another one."""
    more = () if step is numpy_laws.identity else (functools.partial(numpy_laws.step, step, parameters),)
    return (uniform_double, *more)


class NumpyDraws:
    """What `RandomState` and `Generator` share. `_real`, a private generator, validates arguments and gives types."""

    _source: Source
    _real: Any
    _name = "numpy.random"

    def _use(self, model: str) -> Coins:
        return self._source.use(model, self.__dict__.get("_bits", self))

    def _lazy(
        self,
        shape: Any,
        model: str,
        step: Callable[..., Any],
        *parameters: Any,
        least: int = 0,
    ) -> Any:
        """Return draws step(u, *parameters) of the shape (None: one draw), for uniform doubles u >= least / 2^53."""
        coins = self._use(self._name + model)

        def drawn(numbers: List[float]) -> LazyUniform:
            cell = Cell(self._source, coins, least)
            return LazyUniform(cell, *_steps(step, numbers), numpy=shape is not None)

        if shape is None:  # numpy then gives a `float`
            return drawn([float(parameter) for parameter in parameters])
        result = np.empty(shape, dtype=object)
        arrays = [np.broadcast_to(np.asarray(p, dtype=np.float64), result.shape) for p in parameters]
        for index in np.ndindex(result.shape):
            result[index] = drawn([float(array[index]) for array in arrays])
        return result

    def _uniforms(self, shape: Any) -> Any:
        return self._lazy(shape, " uniform doubles: uniform on multiples of 2^-53", numpy_laws.identity)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        shape = shape_of(self._real.uniform(low, high, size))
        model = ".uniform: low + (high - low) u for a uniform double u"
        return self._lazy(shape, model, lambda u, a, b: a + (b - a) * u, low, high)

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        shape = shape_of(self._real.laplace(loc, scale, size))
        return self._lazy(shape, numpy_laws.INVERSE.format(".laplace"), numpy_laws.laplace, loc, scale, least=1)

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        shape = shape_of(self._real.gumbel(loc, scale, size))
        return self._lazy(shape, numpy_laws.INVERSE.format(".gumbel"), numpy_laws.gumbel, loc, scale, least=1)

    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        shape = shape_of(self._real.logistic(loc, scale, size))
        return self._lazy(shape, numpy_laws.INVERSE.format(".logistic"), numpy_laws.logistic, loc, scale, least=1)

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        shape = shape_of(self._real.exponential(scale, size))
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
        ps = np.broadcast_to(p, shape_of(template) or ())

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
    """Return the type of the integer that the real function returned; None: `int`."""
    return None if type(template) is int else type(template)


def shape_of(template: Any) -> Any:
    return template.shape if isinstance(template, np.ndarray) else None


def integers_of(self: NumpyDraws, template: Any, low: Any, high: Any, closed: int) -> Any:
    if high is None:
        low, high = 0, low
    coins = self._use(self._name + " integers: uniform")
    if not isinstance(template, np.ndarray):
        size = int(high) + closed - int(low)
        return lazy_integer(self._source, coins, size, _cast(template), int(low))
    shape = template.shape
    lows, highs = np.broadcast_to(low, shape), np.broadcast_to(high, shape)
    return _fill(template, lambda i: int(lows[i]) + coins.integer(int(highs[i]) + closed - int(lows[i])))
