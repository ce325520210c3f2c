"""Exact tables of mechanisms with a public hash function (Wheel, suWheel) or size (PrivSet), for the command line."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from flint import fmpq

from dp_checks.enumeration import exact_channel
from dp_refimpl.coins import Coins
from dp_refimpl.frequency.hashing import HashFunction
from dp_refimpl.frequency.privset import PrivSet
from dp_refimpl.frequency.suwheel import SuWheel
from dp_refimpl.frequency.wheel import Wheel
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.errors import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain, Report
from dp_spec.vocabulary.table import Channel

Held = frozenset[Item]
PARAMETERS: Mapping[str, frozenset[str]] = {
    "wheel": frozenset({"epsilon", "K", "d", "m", "hash"}),
    "suwheel": frozenset({"epsilon", "K", "d", "N", "m", "hash"}),
    "privset": frozenset({"epsilon", "K", "d", "m", "k"}),
}
"""What may be given for each."""


def arc_table(name: str, domain: ItemDomain, budget: Budget[fmpq], m: int, hashes: str) -> Channel[Held, Report, fmpq]:
    """The law of (cell of the point, invertible data) given the hash values, which are written "0, 1/3, 1/2".

    The cell is a part of [0, 1) that no arc divides; the density is the probability over the cell's length. Raises
    `DomainError` for what is no list of d rational numbers in [0, 1].
    """
    try:
        values = tuple(Fraction(v.strip()) for v in hashes.split(","))
    except (ValueError, ZeroDivisionError):
        raise DomainError("hash", hashes, f"{len(domain.items)} rational numbers in [0, 1], as 0,1/3,1/2") from None
    h = HashFunction(domain.items, tuple(fmpq(v.numerator, v.denominator) for v in values))
    target: Any = {"wheel": Wheel, "suwheel": SuWheel}[name](domain, budget, m)

    def run(s: Held, coins: Coins) -> Report:
        y = target.randomize(s, h, coins)
        return y if isinstance(y, Report) else Report(y)

    return exact_channel(run, domain.subsets([m]), fmpq(1))


def privset_table(domain: ItemDomain, budget: Budget[Any], m: int, k: int) -> Channel[Held, Report, Any]:
    """The law of the reported k items. Raises `DomainError` for m and k that PrivSet does not admit."""
    target = PrivSet(domain, budget, m, k)

    def run(s: Held, coins: Coins) -> Report:
        return Report(tuple(sorted(target.randomize(s, coins), key=str)))

    return exact_channel(run, domain.subsets([m]), budget.exp() * 0 + 1)
