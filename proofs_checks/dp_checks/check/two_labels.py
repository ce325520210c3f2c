"""Which data sets of two labels are bounded at once. Untrusted, as all tuning: the kernel's bound holds for any blocks.

The more of the others hold what the user in question holds, the more is shown: by the third cumulant log delta falls by
(2/3) t^3 v (p - q) for each of them who holds the other value, e^t the ratio of loss and gain, v = p q; it grows by
t^2 v / 2 for each of whom it is said what was sent. So a block may be the longer, the farther it begins, and shows no
more than the first data set, but for what goes up and down because numbers are integers: about what one user does.
"""

import sys
from fractions import Fraction
from itertools import pairwise
from math import log
from typing import Any

from dp_checks.check.divergence_windows import fewer, fourths, windows
from dp_kernel.amplification.two_labels import of_block, with_ones
from dp_kernel.cards.blanket import Hint, Shuffled
from dp_kernel.meter import limited
from dp_kernel.shuffle.divergences import hint

LATTICE = 0.3
"""By so many users, divided by v, are blocks shorter because numbers are integers."""
PROBED = 3
"""First blocks that are looked at in a search, beside the last one."""


def every_data_set(s: Shuffled, delta: Fraction, units: int) -> dict[str, Any]:
    """The evidence for a bound of all data sets of two labels, in about so many units of work."""
    window = windows(delta)
    times = fourths(s.users)
    few = fewer(s, times)
    with limited(sys.maxsize) as meter:
        with_ones(few, few.users // 2, Hint(window["width"], window["bits"]))
    return {"by": "two labels", **window, "knots": blocks(s, max(1, units // (max(1, meter.spent) << times)))}


def blocks(s: Shuffled, most: int) -> list[int]:
    """Numbers of ones at which blocks begin, at most so many: all of them longer, where there would be too many."""
    gain, loss, _ = s.gains
    slope = log(-loss / gain) * float(1 - 2 * s.q) * 4 / 3 if 0 < gain < -loss else 0.0
    spare = LATTICE / float(s.q * (1 - s.q)) if s.q else 0.0

    def starts(longer: int) -> list[int]:
        knots: list[int] = []
        new = 0
        while new < s.users and len(knots) <= most:
            knots.append(new)
            new += 1 + longer + max(0, int(slope * new - spare))
        return knots

    too_few, enough = -1, s.users
    while enough - too_few > 1:
        middle = (enough + too_few) // 2
        too_few, enough = (too_few, middle) if len(starts(middle)) <= most else (middle, enough)
    return starts(enough)


def of_few(s: Shuffled, evidence: dict[str, Any]) -> Fraction:
    """The largest bound of a few blocks, mostly that of all."""
    ends = [*pairwise([*evidence["knots"], s.users])]
    return max(of_block(s, *block, hint(evidence)) for block in [*ends[:PROBED], ends[-1]])
