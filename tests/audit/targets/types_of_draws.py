"""Randomized response whose report has another type for another bit, or (`fine_*`) one type; d = 2."""

import math
import random
from typing import Any

import numpy as np

KEEP = math.e / (1 + math.e)
rng = np.random.default_rng()


def _shown(bit: int, keep: Any) -> Any:
    """The bit or the other one: 0 is told as an `int`, 1 as what `keep` becomes."""
    return keep * 1 if bit else 1 - int(keep)


def element(bit: int) -> Any:
    """Of an array of numpy."""
    return _shown(bit, np.random.rand(1)[0] < KEEP)


def later_element(bit: int) -> Any:
    """Of an array of a Generator."""
    return _shown(bit, rng.uniform(0, 1, 3)[2] < KEEP)


def laplace_element(bit: int) -> Any:
    """Laplace noise in an array."""
    return _shown(bit, np.random.laplace(size=1)[0] < -math.log(2 * (1 - KEEP)))


def of_a_loop(bit: int) -> Any:
    """The elements in turn."""
    kept = [u < KEEP for u in np.random.rand(1)]
    return _shown(bit, kept[0])


def as_float64(bit: int) -> Any:
    """A float made a scalar of numpy."""
    return _shown(bit, np.float64(random.random()) < KEEP)


def with_float64(bit: int) -> Any:
    """A float compared with a scalar of numpy."""
    return _shown(bit, random.random() < np.float64(KEEP))


def inverted(bit: int) -> Any:
    """`~` of what numpy compares is its negation; the types differ."""
    keep = rng.random(3)[0] < KEEP
    return bool(keep) if bit else ~keep


def integer_draw(bit: int) -> Any:
    """An integer compared with one of numpy."""
    return _shown(bit, random.randrange(1 << 60) < np.int64(int(KEEP * (1 << 60))))


def fine_scalar(bit: int) -> Any:
    """A scalar that numpy draws is a float."""
    keep = np.random.random() < KEEP
    return keep * 1 if bit else 1 - int(keep)


def fine_inverted(bit: int) -> Any:
    """`~` of what numpy compares is its negation."""
    keep = rng.random(3)[0] < KEEP
    return keep if bit else ~keep


def fine_listed(bit: int) -> Any:
    """A list of what numpy draws has floats."""
    keep = np.random.rand(2).tolist()[0] < KEEP
    return keep * 1 if bit else 1 - int(keep)


def fine_item(bit: int) -> Any:
    """So has `item`."""
    keep = np.random.rand(2)[1].item() < KEEP
    return keep * 1 if bit else 1 - int(keep)


def fine_float(bit: int) -> Any:
    """`float` of a scalar of numpy."""
    keep = float(np.random.rand(2)[1]) < KEEP
    return keep * 1 if bit else 1 - int(keep)


def fine_logarithm(bit: int) -> Any:
    """The logarithm of `math` is a float."""
    keep = math.log(np.random.rand(2)[1]) < math.log(KEEP)
    return keep * 1 if bit else 1 - int(keep)


def fine_array(bit: int) -> Any:
    """Whatever is compared, the report is made of one type."""
    keep = np.random.rand(2) < KEEP
    return np.int64(keep[0]) if bit else np.int64(1 - keep[1])
