"""What diffprivlib hands to its mechanisms: a file that `audit map` runs in the environment of the library.

A tool declares a sensitivity to a mechanism, and its user an epsilon. Here mechanisms are replaced: they record what
they are handed, and answer all data sets alike. `NAMES` are the instances of `diffprivlib.toml` beside this file.
"""

import warnings
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from math import inf, isfinite
from pathlib import Path
from runpy import run_path
from typing import Any


@dataclass(frozen=True)
class Call:
    """One use of a mechanism: its class, epsilon, sensitivity, and the value, or the utilities of a selection with the
    lengths of the intervals that are selected from."""

    mechanism: str
    epsilon: float
    sensitivity: float
    values: tuple[float, ...]
    lengths: tuple[float, ...] = ()

    @property
    def scaled(self) -> list[float]:
        """The values in the scale of their noise; without noise any value but 0 is infinite."""
        if self.sensitivity == 0:
            return [inf if value else 0.0 for value in self.values]
        return [self.epsilon * value / self.sensitivity for value in self.values]


def calls(run: Callable[[Any], object], member: Any) -> list[Call]:
    """What the mechanisms are handed on a data set."""
    made: list[Call] = []
    with _replaced(made), warnings.catch_warnings(action="ignore"):
        run(member)
    return made


@contextmanager
def _replaced(made: list[Call]) -> Iterator[None]:
    from diffprivlib import mechanisms  # type: ignore[import-not-found]

    answering = mechanisms.Laplace.randomise.__name__

    def recorded(self: Any, value: Any = None) -> Any:
        if hasattr(self, "utility"):
            values, lengths = (tuple(map(float, part)) for part in (self.utility, self.measure or ()))
            made.append(Call(type(self).__name__, self.epsilon, self.sensitivity, values, lengths))
            return 0 if self.candidates is None else self.candidates[0]
        self._check_all(value)
        made.append(Call(type(self).__name__, self.epsilon, self.sensitivity, (float(value),)))
        return _answer(self)

    kinds = [kind for kind in vars(mechanisms).values() if isinstance(kind, type) and answering in vars(kind)]
    kept = {kind: vars(kind)[answering] for kind in kinds}
    try:
        for kind in kinds:
            setattr(kind, answering, recorded)
        yield
    finally:
        for kind, method in kept.items():
            setattr(kind, answering, method)


def _answer(mechanism: Any) -> Any:
    """One answer to all data sets, that the mechanism could give."""
    low, high = getattr(mechanism, "lower", 1.0), getattr(mechanism, "upper", 1.0)
    middle = (low + high) / 2 if isfinite(low) and isfinite(high) else max(low, 1.0)
    return int(middle) if "Geometric" in type(mechanism).__name__ else float(middle)


def spent(run: Callable[[Any], object], member: Any) -> list[float]:
    """Every number of which noise of scale sensitivity / epsilon hides a change: in that scale.

    The sum of what neighbors differ by is the epsilon that all calls spend, as their mechanisms promise.
    """
    return [value for call in calls(run, member) for value in call.scaled]


def utilities(run: Callable[[Any], object], member: Any, low: float, points: Iterable[float]) -> list[float]:
    """The utility of each point, in the scale of its selection, where one call selects an interval above `low`.

    A sum of lengths is rounded: points shall be far from the ends of intervals.
    """
    (call,) = calls(run, member)
    ends = list(accumulate(call.lengths, initial=low))[1:]
    return [call.scaled[min(bisect_left(ends, point), len(ends) - 1)] for point in points]


def handed(run: Callable[[Any], object], member: Any) -> list[tuple[str, float, float]]:
    """What mechanisms are made of; it is not noisy, and may not depend on the records."""
    return [(call.mechanism, call.epsilon, call.sensitivity) for call in calls(run, member)]


INSTANCES: Mapping[str, Any] = run_path(str(Path(__file__).with_name("instances.py")))["instances"](
    __file__, {each.__name__: each for each in (spent, utilities, handed)}
)
NAMES = tuple(INSTANCES)
globals().update(INSTANCES)
