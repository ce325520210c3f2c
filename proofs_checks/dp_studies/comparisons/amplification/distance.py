"""How far apart two ends are, and why."""

from decimal import Decimal
from math import inf
from typing import NamedTuple

from dp_studies.comparisons.amplification.query import Setting
from dp_studies.comparisons.amplification.solve import NOTHING, Enclosure

NEAR = Decimal(1) / 100
"""Ends whose relative distance is larger are said to be apart."""


TINY = Decimal("1e-30")
"""An upper end of delta up to which more work is hardly worth it, where nothing is shown."""
FEW = 10_000
"""Users up to which each data set of two labels is a block of its own."""


class Distance(NamedTuple):
    """The relative distance of two ends in percent (inf: one of them is 0), and what it comes from."""

    percent: float
    why: str


def distance(enclosure: Enclosure, setting: Setting, asked: str) -> Distance | None:
    """The distance, if it is more than one percent (of numbers of dummies: and more than one dummy)."""
    lower, upper = enclosure.lower.value, enclosure.upper.value
    if upper <= lower * (1 + NEAR) or (asked == "dummies" and upper <= lower + 1):
        return None
    return Distance(float((upper / lower - 1) * 100) if lower else inf, _why(enclosure, setting, asked))


def _why(enclosure: Enclosure, setting: Setting, asked: str) -> str:
    if asked == "delta" and enclosure.lower.shown_by == NOTHING and enclosure.upper.value <= TINY:
        return "a delta as small as that is not told from 0"
    blocks = setting.mechanism in ("krr", "dump") and setting.labels == 2  # as many as the work allows
    if enclosure.left_out or enclosure.lower.cheaper or enclosure.upper.cheaper or (blocks and setting.users > FEW):
        return "more --work brings them closer"
    worst = {"ldp": "randomizer", "olh": "family of functions"}
    if setting.mechanism == "ldp" or (setting.mechanism == "olh" and setting.labels == 2):
        return f"the bound is that of the worst {worst[setting.mechanism]}, and no data set is known that shows as much"
    return "so few messages hide a report that no data set is known which shows as much as the bound for all"
