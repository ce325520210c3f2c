"""What makes bounds tight: windows, precisions, knots, thresholds. All of it is untrusted: the kernel's bounds hold
with any of it. Floats are welcome here."""

from fractions import Fraction
from itertools import pairwise
from math import ceil, erfc, exp, inf, log, sqrt
from typing import Any

from dp_kernel.cards.blanket import MAX_WIDTH, Shuffled
from dp_kernel.numbers.tails import MAX_BITS, around

FINE, KNOTS, COARSE = 20, 8, 4
"""How fine: numbers of blanket messages are divided into so many times `BLOCKS`, where dummies join them; few bends
of a broken line up to 1, those of `PLACES` up to `COARSE`, else as many as are needed."""
MANY_USERS = 10**7
"""From there on a few blocks are enough, and each of them takes long."""
BLOCKS, CENTRAL = 8, 7
"""Of numbers of blanket messages, times the above, where dummies join them; within so many standard deviations."""
SPARE = 0.002
"""What share of all uniform messages a block may be long, divided by the above."""
PLACES = (-20, -5, 0, 5, 20)
"""Of the bends of a broken line, in quarters of standard deviations of the number of third messages."""
CHORD, PARTS, FEW = 0.0025, 3, 30
"""How much a piece may cost before it is divided, and into how many at most; where two pieces are enough."""
REACH = 2.2
"""Quarters of standard deviations up to which bends lie, for each standard deviation of the windows."""
SEEN, BIT, FAR_APART, MOST_PARTS = 0.004, 0.02, 0.75, 60
"""How far third messages move a threshold, in its deviations, so that they are looked at; by how much, and how many of
their own deviations, from one threshold to the next; how many there are."""
FAR = 1000
"""How many times delta the standard deviation of the privacy loss is where epsilon = 0 is not tried."""
TOLD = 20
"""What lies outside of a window is about e to this power times smaller than delta."""
SMALL = 4_096
"""What is larger is divided by four for a guess of the work, which grows like the square root, or faster."""
HALVINGS, NEAR = 40, 1.001
"""Of an interval in which a guess lies; a factor by which a slope is told."""
EASES = (1.2, 1.5, 2.5, 6.0)
"""How far beyond where delta is about reached a bound is tried: farther out it takes more work, and is loose."""
SMALLEST = Fraction(1, 10**150)
"""No delta below this one is told from 0: windows would be too wide, and the kernel reads no longer numbers."""


def logarithm(x: Fraction) -> float:
    """The natural logarithm of a positive fraction, also of one beyond the range of floats."""
    return log(x.numerator) - log(x.denominator)


def hiding(s: Shuffled) -> Fraction:
    """How many uniform messages hide a report, on average: those of the blanket, and dummies."""
    return s.labels * s.users * s.q + s.extra


def fourths(number: int) -> int:
    """How often a number is divided by four to be small."""
    return max(0, (number.bit_length() - SMALL.bit_length() + 1) // 2)


def fewer(s: Shuffled, times: int) -> Shuffled:
    """The numbers of the card for a fourth of the users and uniform messages, a sixteenth ..."""
    return s._replace(users=max(1, s.users >> 2 * times), extra=s.extra >> 2 * times)


def windows(delta: Fraction, excess: float = 0.0) -> dict[str, int]:
    """Half-widths in standard deviations, and bits: what is lost is a small share of delta, where tails are normal, or
    longer by about twice so many deviations."""
    width = excess + sqrt(excess**2 + 2 * (TOLD - logarithm(delta)))
    bits = 64 + (width**2 / 2 - TOLD) / log(2)  # or what is not told from 0 is multiplied by large gains
    return {"width": min(MAX_WIDTH, ceil(width)), "bits": min(MAX_BITS, 32 * ceil(bits / 32))}


def tail_excess(s: Shuffled, delta: Fraction) -> float:
    """Half of how many deviations the tails of few messages are longer than normal ones, about (Bernstein's inequality,
    of the messages at two labels)."""
    messages = float(2 * hiding(s) / s.labels)
    return (TOLD - logarithm(delta)) / (3 * sqrt(max(1.0, messages)))


def blocks(s: Shuffled, width: int, pieces: int) -> list[int]:
    """Numbers of uniform messages of the others at which blocks begin; only one where all messages are looked at."""
    if not s.extra and (pieces == 1 or s.labels == 2):
        return [0]
    low, high = around(s.users - 1, s.labels * s.q, min(width, CENTRAL) if s.extra else width)
    number = pieces * BLOCKS if s.extra else pieces
    step = max(1, (high - low) // number, int(SPARE * (s.extra + low) / pieces) if s.extra else 0)
    return [0, *range(max(1, low), high + 1, step)]


def bends(s: Shuffled, width: int, pieces: int) -> list[int]:
    """Where the broken line bends that bounds the gain by the number of third messages; only at 0 where none are."""
    chance = (s.labels - 2) * s.q
    if s.extra or s.labels == 2 or 2 * s.q + chance >= 1:
        return [0]
    deviation = sqrt(float(s.users * chance * (1 - chance)))
    # a chord costs the square of its length, in deviations of the gain of the two other messages
    share = -float(s.gains[2]) * deviation / (float(s.gains[0]) * sqrt(float(2 * s.users * s.q)))
    parts = max(1, min(PARTS, round(share / CHORD))) if pieces > COARSE else 1
    step = max(1, int(deviation / (4 * parts)))
    middle = int(s.users * chance) // step
    ends = [*(PLACES if pieces > 1 and share * FEW > CHORD else PLACES[:: len(PLACES) // 2])]
    while ends[-1] < REACH * width:  # the smaller delta, the farther
        ends = [2 * ends[0], *ends, 2 * ends[-1]]
    places = [parts * x + i * (y - x) for x, y in pairwise(ends) for i in range(parts)]
    places.append(parts * ends[-1])
    return sorted({0, *((middle + place) * step for place in places if middle + place > 0)})


def thirds(s: Shuffled, width: int) -> list[int]:
    """Where the threshold changes with the number of messages at the third value; nowhere where that is hardly seen."""
    p = float(1 - (s.labels - 1) * s.q)
    if s.labels < 4 or s.extra or s.gains[0] <= 0 or s.a == 1:
        return [0]
    q, n = float(s.q), s.users
    deviation, beside = sqrt(n * p * (1 - p / (1 - 2 * q))), sqrt(n * q / 2)  # deviations: of it given N0 + N1, of N0
    shift = float(s.a - 1) * (1 - q / p) / ((p / q - 1) * float(1 + s.a))  # of the threshold, for each message
    effect = shift * deviation / beside
    if effect < SEEN:
        return [0]
    step = max(1, round(deviation * min(FAR_APART, BIT / effect)))
    reach = min(int(width * sqrt(n * p * (1 - p)) / step) + 1, MOST_PARTS // 2)
    first = int(n * p) - step // 2
    return [0, *(x for i in range(-reach, reach + 2) if 0 < (x := first + i * step) <= n)]


def numbers_of_ones(users: int) -> list[int]:
    """Numbers of other users with the second of two labels that are tried for a lower bound."""
    others = users - 1
    return sorted({x for x in (0, 1, 2, others, *(others * i // 8 for i in range(8))) if 0 <= x <= others})


def unit(s: Shuffled) -> float:
    """One standard deviation of the privacy loss, about: by the central limit theorem; 0 where epsilon is not below
    epsilon0, or nothing hides a report."""
    if s.gains[0] <= 0 or not hiding(s):
        return 0.0
    return float(s.gains[0]) * sqrt(2 * s.labels / float(hiding(s)))


def guess(s: Shuffled, delta: Fraction) -> float:
    """About where delta is reached."""
    return sqrt(max(1.0, -2 * logarithm(delta))) * unit(s)


def gaussian(s: Shuffled, eps: float) -> float:
    """ln delta of two normal laws with as large a privacy loss, about (Balle and Wang 2018, theorem 8); -inf where
    floats end."""
    mu = unit(s)
    if not mu:
        return -inf
    x, y = ((eps / mu + sign * mu / 2) / sqrt(2) for sign in (-1, 1))
    value = (erfc(x) - exp(eps) * erfc(y)) / 2
    return log(value) if value > 0 else -inf


def reached(s: Shuffled, delta: Fraction, most: float) -> float:
    """About where delta is reached, by normal laws, up to an epsilon."""
    goal, low, high = logarithm(delta), 0.0, min(guess(s, delta), most)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if gaussian(s, middle) > goal else (low, middle)
    return high


def slope(s: Shuffled, eps: float) -> float | None:
    """About how fast ln delta falls when the logarithm of epsilon grows; None where there is no guess."""
    here, beyond = gaussian(s, eps), gaussian(s, eps * NEAR)
    return (here - beyond) / log(NEAR) if here > beyond > -inf else None


def uniform(s: Shuffled, eps: Fraction, delta: Fraction) -> float:
    """About how many uniform messages more reach delta; 0 where none are needed."""
    if not eps or s.gains[0] <= 0:
        return 0.0
    wanted = 2 * s.labels * float(s.gains[0]) ** 2 * max(1.0, -2 * logarithm(delta)) / float(eps) ** 2
    return max(0.0, wanted - float(hiding(s) - s.extra))


def hidden(s: Shuffled, delta: Fraction) -> bool:
    """Whether delta may be reached at 0: not where normal laws are far from it."""
    return unit(s) < FAR * delta


def expected(s: Shuffled, eps: Fraction) -> Fraction:
    """About delta, rather too small; 1 where there is no guess."""
    if not unit(s):
        return Fraction(1)
    return Fraction(exp(max(-600.0, -((float(eps) / unit(s)) ** 2) - 14)))


def eased(s: Shuffled, delta: Fraction, eps: float) -> list[float]:
    """Epsilons below this one at which delta may be shown as well."""
    reached = guess(s, delta)
    return [ease * reached for ease in EASES if 0 < ease * reached < eps]


def likely(s: Shuffled, eps: Fraction) -> Fraction:
    """About delta by normal laws, no smaller than is told from 0; 1 where there is no guess."""
    if not unit(s):
        return Fraction(1)
    exponent = max(gaussian(s, float(eps)), logarithm(SMALLEST))
    return max(SMALLEST, Fraction(exp(exponent)))


def pieces(users: int) -> int:
    """How many a final bound has."""
    return FINE if users < MANY_USERS else KNOTS


def blanket(s: Shuffled, delta: Fraction, pieces: int, excess: float = 0.0) -> dict[str, Any]:
    """What the kernel is told for the upper bound by the blanket."""
    return {"by": "blanket", **windows(delta, excess), "knots": blocks(s, windows(delta)["width"], pieces)}


def broken_line(s: Shuffled, delta: Fraction, pieces: int, excess: float = 0.0) -> dict[str, Any]:
    """For the upper bound by a broken line, where there are third messages and no dummies; else by the blanket."""
    knots = bends(s, windows(delta)["width"], pieces)
    if len(knots) == 1:
        return blanket(s, delta, pieces, excess)
    return {"by": "broken line", **windows(delta, excess), "knots": knots}


def third(s: Shuffled, delta: Fraction, pieces: int, excess: float = 0.0) -> dict[str, Any]:
    """For the lower bound where all others hold a third value."""
    evidence: dict[str, Any] = {"data": [], **windows(delta, excess)}
    if s.extra:
        return {"by": "beside messages", **evidence, "knots": [0]}
    knots = thirds(s, evidence["width"]) if pieces > COARSE else [0]
    return {"by": "separate labels" if len(knots) > 1 else "third", **evidence, "knots": knots}


def one_label(delta: Fraction, number: int, excess: float = 0.0) -> dict[str, Any]:
    """For the lower bound where so many others hold the second of two labels."""
    return {"by": "one label", "data": [number], **windows(delta, excess), "knots": [0]}
