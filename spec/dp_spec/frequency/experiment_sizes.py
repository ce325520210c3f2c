"""The sizes of the experiments of source 002, Table 4."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Sizes:
    """n users, d items of which k are sensitive, sets of m items."""

    n: int
    d: int
    k: int
    m: int


TABLE4: Mapping[str, Sizes] = {
    "sales": Sizes(19_789, 3_752, 201, 54),
    "anime": Sizes(71_662, 12_994, 1_748, 231),
    "movie": Sizes(5_641, 3_883, 799, 300),
    "simulated": Sizes(100_000, 256, 64, 8),
}
