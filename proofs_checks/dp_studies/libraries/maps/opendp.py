"""Declared maps of opendp, read off its objects: a file that `audit map` runs in the environment of the library.

`NAMES` are the instances of `opendp.toml` beside this file; each is an attribute of this module by its name. Of a
measurement the law is assumed, not observed: its row says so.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np

METRICS = {
    "SymmetricDistance": "symmetric",
    "InsertDeleteDistance": "insert-delete",
    "ChangeOneDistance": "change-one",
    "HammingDistance": "Hamming",
    "DiscreteDistance": "discrete",
    "AbsoluteDistance": "absolute",
    "L1Distance": "L1",
    "L2Distance": "L2",
    "LInfDistance": "Linf",
    "MaxDivergence": "max-divergence",
}
"""What the names of opendp's metrics and measures are called here."""


def metric(described: object) -> str:
    """The name of a metric or measure that an object of the library says."""
    name = re.match(r"\w+", str(described))
    return METRICS[name[0]] if name is not None and name[0] in METRICS else str(described)


def above(distance: Any, kind: str = "f64") -> Any:
    """A distance as the library takes it: one that is no integer at the next number of this type above."""
    if isinstance(distance, int) and kind == "f64":
        return distance
    nearest = getattr(np, {"f32": "float32", "f64": "float64"}[kind])(float(distance))
    return float(
        nearest if Fraction(float(nearest)) >= distance else np.nextafter(nearest, nearest.dtype.type(math.inf))
    )


def whole(distance: Any) -> int:
    """A distance as a metric of integers takes it: at the next integer above."""
    ceiling: int = math.ceil(distance)
    return ceiling


def bound(made: Any, distance: Any) -> Any:
    """What an object declares at a distance; a number that would overflow it refuses, and so bounds nothing."""
    try:
        return made.map(distance)
    except Exception as error:
        if "Overflow" in str(error):
            return math.inf
        raise


def ends(kind: str) -> list[int]:
    """Integers of a type: small ones, its ends, and one that no double has."""
    bits = int(kind[1:])
    return [0, 1, 2 ** (bits - 1) - 1, -(2 ** (bits - 1)), -1, *([2**53 + 1] if bits == 64 else [])]


def frame(rows: Sequence[tuple[int, bool]]) -> Any:
    """A frame of these records, columns a and b."""
    import polars  # type: ignore[import-not-found]

    columns = {"a": polars.Int32, "b": polars.Boolean}
    return polars.LazyFrame(rows, schema=columns, orient="row")


Law = Mapping[Any, Fraction]
ONE = Fraction(1)


def response(categories: Sequence[Any], prob: float) -> Callable[[Any], Law]:
    """The law of randomized response: the truth with this probability, else another category, uniformly."""
    truth = Fraction(prob)
    lie = (1 - truth) / (len(categories) - 1)
    return lambda item: {y: truth if y == item else lie for y in categories}


def bits(f: float) -> Callable[[bytes], Law]:
    """The law of RAPPOR on one byte: each bit is another one with probability f / 2."""
    other = Fraction(f) / 2

    def law(member: bytes) -> Law:
        flips = [bin(member[0] ^ y).count("1") for y in range(256)]
        return {y: other ** flips[y] * (1 - other) ** (8 - flips[y]) for y in range(256)}

    return law


def both(*laws: Callable[[Any], Law]) -> Callable[[Any], Law]:
    """The law of independent answers to one question."""

    def law(member: Any) -> Law:
        parts = [one(member).items() for one in laws]
        return {tuple(y for y, _ in each): math.prod((p for _, p in each), start=ONE) for each in product(*parts)}

    return law


INSTANCES: Mapping[str, Any] = run_path(str(Path(__file__).with_name("instances.py")))["instances"](
    __file__, {each.__name__: each for each in (metric, above, whole, bound, ends, frame, response, bits, both)}
)
NAMES = tuple(INSTANCES)
globals().update(INSTANCES)
