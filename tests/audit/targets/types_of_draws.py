"""Randomized response whose report has another type for another bit, or (`fine_*`) one type; d = 2."""

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np

KEEP = math.e / (1 + math.e)
rng = np.random.default_rng()


def _shown(draw: Callable[[], Any]) -> Callable[[int], Any]:
    """The bit or the other one: 0 is told as an `int`, 1 as what the draw becomes."""

    def client(bit: int) -> Any:
        keep = draw()
        return keep * 1 if bit else 1 - int(keep)

    return client


element = _shown(lambda: np.random.rand(1)[0] < KEEP)
"""Of an array of numpy."""
later_element = _shown(lambda: rng.uniform(0, 1, 3)[2] < KEEP)
"""Of an array of a Generator."""
laplace_element = _shown(lambda: np.random.laplace(size=1)[0] < -math.log(2 * (1 - KEEP)))
"""Laplace noise in an array."""
of_a_loop = _shown(lambda: next(u < KEEP for u in np.random.rand(1)))
"""The elements in turn."""
as_float64 = _shown(lambda: np.float64(random.random()) < KEEP)
"""A float made a scalar of numpy."""
with_float64 = _shown(lambda: random.random() < np.float64(KEEP))
"""A float compared with a scalar of numpy."""
integer_draw = _shown(lambda: random.randrange(1 << 60) < np.int64(int(KEEP * (1 << 60))))
"""An integer compared with one of numpy."""
fine_scalar = _shown(lambda: np.random.random() < KEEP)
"""A scalar that numpy draws is a float."""
fine_listed = _shown(lambda: np.random.rand(2).tolist()[0] < KEEP)
"""A list of what numpy draws has floats."""
fine_item = _shown(lambda: np.random.rand(2)[1].item() < KEEP)
"""So has `item`."""
fine_float = _shown(lambda: float(np.random.rand(2)[1]) < KEEP)
"""`float` of a scalar of numpy."""
fine_logarithm = _shown(lambda: math.log(np.random.rand(2)[1]) < math.log(KEEP))
"""The logarithm of `math` is a float."""


def inverted(bit: int) -> Any:
    """`~` of what numpy compares is its negation; the types differ."""
    keep = rng.random(3)[0] < KEEP
    return bool(keep) if bit else ~keep


def fine_inverted(bit: int) -> Any:
    """`~` of what numpy compares is its negation."""
    keep = rng.random(3)[0] < KEEP
    return keep if bit else ~keep


def fine_array(bit: int) -> Any:
    """Whatever is compared, the report is made of one type."""
    keep = np.random.rand(2) < KEEP
    return np.int64(keep[0]) if bit else np.int64(1 - keep[1])
