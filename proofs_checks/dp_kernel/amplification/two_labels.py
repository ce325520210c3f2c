"""Card *two_labels*. Shuffled randomized response where the others hold x0 or x1: what the number of messages at x0
shows, from both sides; of two labels delta(eps), for every data set.

**Premises.** Those of the card *blanket*; bounds for every data set are of two labels.

**Proof.** `docs/cards/two_labels.txt`, SHA-256 e0126ca020619d08bfeff9268d9127f4d9d43bf2f09073c53f22afc68f232b8f.

**Source.** Written for `dp-refimpl amplify`; the ratios are Newton's inequalities. **Refuter.**
`tests/kernel/test_tails.py` compares with exact fractions.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import lcm
from operator import mul

from dp_kernel.amplification.third_values import summed
from dp_kernel.cards.blanket import Hint, Shuffled, require_premises
from dp_kernel.meter import applied, paid, pay, price, require
from dp_kernel.numbers.tails import Pair, Window, ceil


class Both:
    """The sum of two independent numbers of which a few chances are wanted, scaled by 2^(2 bits). What lies outside of
    a window may add to each."""

    def __init__(self, first: Window, second: Window, bits: int) -> None:
        few, many = sorted((first, second), key=lambda law: len(law.terms))
        pay(2 * (len(few.terms) + len(many.terms)))
        self.low, self.units = few.low + many.low, price(bits, bits)
        self.few, self.many = ([[t[i] for t in law.terms] for i in (0, 1)] for law in (few, many))
        self.sums = [[*accumulate(x, initial=0)] for x in self.many]
        self.outside = first.left + first.right + second.left + second.right << bits

    def at(self, y: int) -> Pair:
        """Bounds of the chance of y."""
        low, high = (_met(x, z, y - self.low, self.units) for x, z in zip(self.few, self.many, strict=True))
        return low, high + self.outside

    def below(self, y: int) -> Pair:
        """Bounds of the chance of less than y."""
        i = y - self.low
        met = [
            _met(x, z, i, self.units) + z[-1] * sum(x[: max(0, i - len(z) + 1)])
            for x, z in zip(self.few, self.sums, strict=True)
        ]
        return met[0], met[1] + self.outside

    def last(self, up: int, down: int) -> int:
        """The last y with up P[y] >= down P[y - 1], about, where down >= up: none beyond the mode."""
        low, high = self.low, self.low + 2 + sum(x[0].index(max(x[0])) for x in (self.few, self.many))
        while low < high:
            middle = (low + high + 1) // 2
            more = up * self.at(middle)[0] >= down * self.at(middle - 1)[0]
            low, high = (middle, high) if more else (low, middle - 1)
        return low


def _met(few: Sequence[int], many: Sequence[int], i: int, units: int) -> int:
    """The sum of the products of terms whose places add up to i."""
    first = max(0, i - len(many) + 1)
    end = max(first, min(len(few), i + 1))
    pay(1 + ((end - first) * units >> 2))
    return sum(map(mul, few[first:end], reversed(many[i - end + 1 : i - first + 1])))


def with_ones(s: Shuffled, ones: int, hint: Hint) -> tuple[Fraction, Fraction]:
    """Bounds of what the number of messages at x0 shows (of two labels: delta): so many others hold x1, the rest x0."""
    require_premises(s, hint)
    applied("two_labels")
    require(0 <= ones < s.users, "no more than the other users")
    other, gain = (s.labels - 1) * s.q, s.gains[0]
    loss = 1 - s.a - gain
    scale = lcm(gain.denominator, loss.denominator)
    up, down = int(gain * scale), int(-loss * scale)
    if up <= 0:
        return Fraction(0), Fraction(0)
    zeros = summed([(s.users - 1 - ones, other), (s.extra, 1 - Fraction(1, s.labels))], hint)
    others = Both(zeros, summed([(ones, 1 - s.q)], hint), hint.bits)
    pay(40 * price(2 * hint.bits, scale.bit_length()))
    y, unit = others.last(up, down), 1 << 2 * hint.bits
    here, before, after, fewer = others.at(y), others.at(y - 1), others.at(y + 1), others.below(y)
    low, high = up * here[0] - (down - up) * fewer[1], up * here[1] - (down - up) * fewer[0]
    if not here[0]:
        return Fraction(0), Fraction(up, scale)
    # y may be none of the best
    high += ceil(max(0, down * before[1] - up * here[0]) * unit, here[0])
    high += ceil(max(0, up * after[1] - down * here[0]) * unit, after[1]) if after[1] else 0
    return Fraction(max(0, low), scale * unit), Fraction(high, scale * unit)


def of_two_labels(s: Shuffled, hint: Hint) -> Fraction:
    """An upper bound of delta for every data set of two labels: those with ones from a knot up to the next at once."""
    require_premises(s, hint)
    require(s.labels == 2 and hint.knots[-1] < s.users, "two labels, and knots that are numbers of other users")
    return max(of_block(s, *ends, hint) for ends in pairwise([*paid(hint.knots), s.users]))


def of_block(s: Shuffled, first: int, end: int, hint: Hint) -> Fraction:
    """An upper bound of delta for every data set of two labels where `first` to `end` - 1 other users hold x1."""
    return with_ones(s._replace(users=s.users - (end - 1 - first)), first, hint)[1]
