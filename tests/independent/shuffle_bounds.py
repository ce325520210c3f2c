"""The kernel's bounds of binomial laws and of shuffled reports beside exact fractions, at few bits and in narrow
windows: what is not enclosed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

from dp_kernel import Rejected
from dp_kernel.amplification import broken_lines, third_values, two_labels
from dp_kernel.cards import blanket
from dp_kernel.cards.blanket import Hint
from dp_kernel.numbers import tails
from dp_kernel.numbers.tails import Line, Pair, Window
from independent import brute_force_shuffle as plain

F = Fraction
CHANCES = (F(0), F(1, 40), F(1, 3), F(1, 2), F(5, 7), F(1))
BITS = (3, 7, 10, 16)


def holds(pair: Pair, exact: Fraction, bits: int) -> bool:
    scaled = exact * (1 << bits)
    return pair[0] <= scaled <= pair[1]


# --- binomial laws ----------------------------------------------------------------------------------------------------


def encloses(window: Window, law: Sequence[Fraction], bits: int) -> bool:
    """Whether all terms are enclosed, also where there are none, and what lies outside is."""
    end = window.low + len(window.terms)
    terms = (holds(window.at(j), law[j] if 0 <= j < len(law) else F(0), bits) for j in range(-2, len(law) + 2))
    sides = (window.left, sum(law[: max(window.low, 0)])), (window.right, sum(law[end:]))
    return all(terms) and all(bound >= exact * 2**bits for bound, exact in sides)


@contextmanager
def anew_after(deviations: int) -> Iterator[None]:
    """Shortfalls by long recurrences, or short ones."""
    before, broken_lines.MOVED = broken_lines.MOVED, deviations
    try:
        yield
    finally:
        broken_lines.MOVED = before


def windows() -> Iterator[tuple[int, Fraction, int, int]]:
    for n, p in product((0, 1, 2, 5, 9, 14), CHANCES):
        for low in range(n + 1):
            for high in range(low, n + 1):
                yield n, p, low, high


def wrong_windows() -> Iterator[str]:
    cases = 0
    for bits, (n, p, low, high) in product(BITS, windows()):
        try:
            window = tails.binomial(n, p, low, high, bits)
        except Rejected:
            continue
        cases += 1
        if not encloses(window, plain.binomial(n, p), bits):
            yield f"Bin({n}, {p}) on {low}..{high}, {bits} bits: {window}"
        if len(window.terms) != high - low + 1:
            yield "another number of terms"
        if bits == 16 and low == 0 and high == n and any(y - x > 40 for x, y in window.terms):
            yield f"Bin({n}, {p}) is hardly enclosed: {window}"
    if cases < 1000:
        yield "few windows"


def wrong_sums() -> Iterator[str]:
    random = Random(4)
    for _ in range(250):
        bits, width = random.choice(BITS), random.choice((1, 1, 2))
        chosen = [(random.choice((0, 1, 3, 30, 45)), random.choice(CHANCES)) for _ in "123"]
        laws = [tails.binomial(n, p, *tails.around(n, p, width), bits) for n, p in chosen]
        two = third_values.added(laws[0], laws[1], bits)
        if not encloses(two, plain.sum_of_binomials(*chosen[:2]), bits):
            yield f"the sum of {chosen[:2]}, {bits} bits"
        if not encloses(third_values.added(two, laws[2], bits), plain.sum_of_binomials(*chosen), bits):
            yield f"the sum of {chosen}, {bits} bits"
        if bits == 16 and width == 2 and any(y - x > 2000 for x, y in two.terms):
            yield f"the sum of {chosen[:2]} is hardly enclosed"
    for high in (1 << 20, 1 << 40, 1 << 100):
        wide = Window(0, [(0, high)] * 20, 0, 0)
        try:
            total = third_values.added(wide, wide, 3)
        except Rejected:
            continue
        if any(y < min(i + 1, 39 - i) * high**2 >> 3 for i, (_, y) in enumerate(total.terms)):
            yield "products that do not fit"


def wrong_lines() -> Iterator[str]:
    for constant, slope, step, m in product((0, 1, 5, 17), range(4), (3, 4, 10), range(12)):
        t = tails.Line(constant, slope, step).at(m)
        if not step * (t - 1) <= constant + slope * m < step * t:
            yield f"{t} is not the smallest of {constant} + {slope} {m} < {step} t"


def wrong_tails() -> Iterator[str]:
    random, cases = Random(5), 0
    for _ in range(800):
        step = random.randint(1, 6)
        line = Line(random.randint(0, 30), random.randint(0, step), step)
        most, bits, width = random.randint(1, 30), random.choice(BITS), random.choice((1, 1, 2, 9))
        least = random.randint(max(1, most - 25), most)
        try:
            pairs = list(tails.half_tails(line, most, least, width, bits))
        except Rejected:
            continue
        if len(pairs) != most - least + 1:
            yield "another number of tails"
        for m, (tail, point) in zip(range(most, least - 1, -1), pairs, strict=False):
            cases += 1
            t = line.at(m)
            exact = plain.tail(m - 1, t), plain.point(m - 1, t - 1)
            if not (holds(tail, exact[0], bits) and holds(point, exact[1], bits)):
                yield f"{line}, m = {m} from {most}, {bits} bits: {tail}, {point}"
            if bits == 16 and width == 9 and most - m < 4 and tail[1] - tail[0] > 2000:
                yield f"{line}, m = {m}: hardly enclosed"
    if cases < 2500:
        yield "few tails"


def wrong_shortfalls() -> Iterator[str]:
    random = Random(6)
    for _ in range(600):
        n, p = random.choice((0, 1, 2, 7, 12, 30)), random.choice(CHANCES[1:-1])
        knots = sorted({random.randint(1, 14), *random.sample(range(1, 40), random.randint(0, 2))})
        bits, width, steps = random.choice(BITS), random.choice((1, 1, 2, 9)), random.randint(1, 14)
        with anew_after(random.choice((broken_lines.MOVED, 1000))):
            listed = [*broken_lines.shortfalls(n, p, knots, steps, width, bits)]
        for c, *pairs in zip(knots, *listed, strict=True):
            for i, pair in enumerate(pairs):
                exact = plain.shortfall(n + i, p, c)
                if not holds(pair[1], exact, bits):
                    yield f"E({c} - Bin({n} + {i}, {p}))_+, {bits} bits: {pair}"
                if not holds(pair[0], sum(plain.binomial(n + i, p)[:c], F(0)), bits):
                    yield f"P[Bin({n} + {i}, {p}) < {c}], {bits} bits: {pair}"
                if bits == 16 and width == 9 and i < 4 and pair[1][1] - pair[1][0] > 200 * (c + i):
                    yield f"E({c} - Bin({n} + {i}, {p}))_+ is hardly enclosed"


def wrong_powers() -> Iterator[str]:
    for bits, p, n in product((3, 7, 16, 60), (F(0), F(1, 40), F(5, 7), F(39, 40), F(1)), (0, 1, 2, 3, 5, 14, 100)):
        low, high = broken_lines._power(p.numerator, p.denominator, n, bits)
        if not holds((low, high), p**n, bits):
            yield f"({p})^{n}, {bits} bits"
        if high - low > 4 * n.bit_length() + n:
            yield f"({p})^{n} is hardly enclosed"


def wrong_numbers() -> Iterator[str]:
    for x, y in product(range(-9, 10), range(1, 5)):
        if not y * (tails.ceil(x, y) - 1) < x <= y * tails.ceil(x, y):
            yield f"{x} / {y} is not rounded up"
        low, high = third_values.times(x, (-y, 2 * y))
        if (low, high) != (min(-x * y, 2 * x * y), max(-x * y, 2 * x * y)):
            yield f"{x} times a pair"


# --- expectations and bounds ------------------------------------------------------------------------------------------


def some_hint(random: Random, most: int) -> Hint:
    knots = sorted({0, *(random.randint(1, most) for _ in range(random.randint(0, 3)))})
    return Hint(random.choice((1, 1, 2, 9)), random.choice((8, 9, 12, 16)), tuple(knots))


def full(n: int) -> Hint:
    """With which nothing is lost but digits."""
    return Hint(40, 60, tuple(range(n + 2)))


def wrong_parts() -> Iterator[str]:
    """From both sides, where the rest of the messages has a gain of its own."""
    random, cases = Random(7), 0
    for i in range(700):
        n, pair = random.choice((1, 2, 3, 5, 7)), random.choice((F(1, 50), F(1, 9), F(1, 4), F(2, 5), F(1, 2)))
        gains, hint = some_gains(random), some_hint(random, n + 2)
        exact = plain.positive_part(n, (pair, pair, 1 - 2 * pair), gains)
        try:
            interval = blanket.positive_part(n, pair, gains, hint)
        except Rejected:  # a threshold far below the mean
            continue
        cases += 1
        if not interval.low <= exact <= interval.high:
            low, high = float(interval.low), float(interval.high)
            yield f"{n} draws {pair}, gains {gains}, {hint}: {low}, {float(exact)}, {high}"
        if i % 8 == 0:
            near = blanket.positive_part(n, pair, gains, full(n))
            if not near.low <= exact <= near.high <= near.low + F(1, 2**30):
                yield f"{n} draws {pair}, gains {gains}: hardly enclosed"
    if cases < 400:
        yield "few positive parts"


def some_gains(random: Random) -> tuple[Fraction, Fraction, Fraction]:
    loss, more = sorted((F(random.randint(0, 8), 3), F(random.randint(0, 30), 3)))
    return F(random.randint(1, 12), 3), -more, -loss


def wrong_bends() -> Iterator[str]:
    random = Random(7)
    for i in range(700):
        n = random.choice((1, 2, 3, 5, 7))
        third = random.choice((F(1, 40), F(1, 5), F(1, 2)))
        pair = random.choice((F(1, 50), F(1, 9), F(1, 5), F(1, 4), F(2, 5)))
        if 2 * pair + third >= 1:
            continue
        gains, hint = some_gains(random), some_hint(random, n + 2)
        hint = hint._replace(knots=hint.knots if len(hint.knots) > 1 else (0, n + 1))
        exact = plain.positive_part(n, (pair, pair, third), gains)
        mean = broken_lines.mean_of_line(n, pair, third, gains, hint)
        if mean < exact:
            yield f"{n} draws {pair}, {third}, gains {gains}, {hint}: {float(mean)} < {float(exact)}"
        near = broken_lines.mean_of_line(n, pair, third, gains, full(n)) if i % 8 == 0 else exact
        if not exact <= near <= exact + F(1, 2**30):
            yield f"{n} draws {pair}, {third}, gains {gains}: hardly bounded"


def wrong_outsides() -> Iterator[str]:
    """Windows that hold a small share of the law, and more draws than multinomial numbers are listed for."""
    for n, p, bits in product((50,), (F(1, 30), F(1, 12), F(1, 5), F(1, 2)), (8, 12, 16)):
        for loss in (F(4, 5), F(1), F(2)):
            gains = (F(1), -loss, F(0))
            exact = F(0)
            for m, mass in enumerate(plain.binomial(n, 2 * p)):
                half = plain.binomial(m, F(1, 2))
                exact += mass * sum((x * max(F(0), h - loss * (m - h)) for h, x in enumerate(half)), F(0))
            interval = blanket.positive_part(n, p, gains, Hint(1, bits))
            if not interval.low <= exact <= interval.high:
                yield f"{n} draws {p}, loss {loss}, {bits} bits"


def wrong_margins() -> Iterator[str]:
    """Of windows without slack: all that lies outside is counted, on both sides, as much as it may be."""
    scope, n, bits = blanket.positive_part.__globals__, 6, 40
    before = {name: scope[name] for name in ("around", "binomial")}
    for p, low, high in product((F(1, 8), F(1, 4), F(2, 5)), (0, 2, 3), (4, 5, 6)):
        law = plain.binomial(n, 2 * p)
        terms = [(int(x * 2**bits), int(x * 2**bits) + 1) for x in law[low : high + 1]]
        left, right = (int(sum(part, F(0)) * 2**bits) + 1 for part in (law[:low], law[high + 1 :]))
        window = Window(low, terms, left, right)
        scope |= {"around": lambda *_, ends=(low, high): ends, "binomial": lambda *_, window=window: window}
        try:
            interval = blanket.positive_part(n, p, (F(1), F(0), F(0)), Hint(40, bits))
        finally:
            scope |= before
        if not interval.low <= n * p <= interval.high:
            ends = float(interval.low), float(interval.high)
            yield f"{n} draws {p}, seen from {low} to {high}: {ends}, {float(n * p)}"


def wrong_masses() -> Iterator[str]:
    """Two labels and many users: beside the exact mean over what others send, in windows that hold a share of it."""
    for users, extra, e, a in product((3, 20, 40), (0, 1, 5), (F(2), F(9)), (F(1), F(6, 5), F(2), F(8))):
        s = blanket.Shuffled(2, users, extra, 1 / (e + 1), a)
        g0, g1 = s.gains[:2]
        sent = plain.sum_of_binomials((users - 1, s.q), (extra, F(1, 2)))
        alone = sum((max(F(0), g0 * x + g1 * y) for x, y in zip([*sent, F(0)], [F(0), *sent], strict=True)), F(0))
        mean = F(0)
        for uniform, mass in enumerate(plain.binomial(users - 1, 2 * s.q)):
            n = uniform + extra + 1
            half = enumerate(plain.binomial(n, F(1, 2)))
            mean += mass * 2 / n * sum((x * max(F(0), g0 * h + g1 * (n - h)) for h, x in half), F(0))
        for width, bits in product((1, 2), (8, 16)):
            hint = Hint(width, bits, tuple(range(users + 1)))
            if extra and blanket.above(s, hint) < mean:
                yield f"above {s}, {hint}"
            if not (ends := two_labels.with_ones(s, 0, hint))[0] <= alone <= ends[1]:
                yield f"no ones: {s}, {hint}: {ends}"


def wrong_events() -> Iterator[str]:
    """Lower bounds beside what their event shows, exactly, at few bits."""
    random = Random(11)
    for _ in range(150):
        users, extra, labels = random.randint(1, 12), random.choice((0, 0, 2)), random.choice((3, 4))
        s = blanket.Shuffled(labels, users, extra, F(1, random.randint(labels + 1, 30)), F(random.randint(3, 9), 3))
        hint, line = Hint(9, random.choice((8, 9, 10))), third_values.threshold(s)
        g0, g1, _ = s.gains
        g2 = 1 - s.a - g0 - g1
        law = [F(0), *plain.sum_of_binomials((users - 1, 2 * s.q), (extra, F(2, labels))), F(0)]
        exact = F(0)
        for m in range(1, len(law) - 1):
            t = line.at(m)
            tail, point = plain.tail(m - 1, t), plain.point(m - 1, t - 1)
            gain = (g0 * (tail + point) + g1 * tail) * law[m] + g2 * (tail + point / 2) * law[m + 1]
            exact += max(F(0), gain)
        if beside(s, hint) > exact:
            yield f"beside messages {s}, {hint}"


RESPONSES = [(2, 1), (2, 2), (2, 3), (2, 5), (3, 1), (3, 2), (3, 3), (4, 2), (4, 3)]
"""Labels and users."""


def responses(seed: int, number: int) -> Iterator[tuple[Random, blanket.Shuffled]]:
    random = Random(seed)
    for _ in range(number):
        labels, users = random.choice(RESPONSES)
        extra = random.choice((0, 0, 1, 2)) if users < 4 else 0
        e, a = (F(random.randint(low, 25), 3) for low in (4, 3))
        yield random, blanket.Shuffled(labels, users, extra, 1 / (e + labels - 1), random.choice((F(1), a, a)))


@cache
def exact_deltas(s: blanket.Shuffled) -> tuple[Fraction, list[Fraction], Fraction]:
    """delta of randomized response: the largest; where 0, 1, ... others hold x1 and the rest x0; where they hold x2, if
    there is one."""
    rows, noise = plain.response(s.labels, s.q), [plain.uniform(s.labels)] * s.extra
    crowds = ([1] * ones + [0] * (s.users - 1 - ones) for ones in range(s.users))
    of_ones = [plain.shown(rows, 0, 1, others, s.a, *noise) for others in crowds]
    third = plain.shown(rows, 0, 1, [2] * (s.users - 1), s.a, *noise) if s.labels > 2 else F(0)
    return plain.largest(rows, s.users, s.a, *noise), of_ones, third


def wrong_bounds() -> Iterator[str]:
    """Upper and lower bounds of randomized response, beside all data sets."""
    for random, s in responses(8, 60):
        hint = some_hint(random, s.users + s.extra + 2)
        exact, of_ones, of_third = exact_deltas(s)
        if blanket.above(s, hint) < exact:
            yield f"above {s}, {hint}"
        for ones, delta in enumerate(of_ones):
            low, high = two_labels.with_ones(s, ones, hint)
            if not low <= delta or (s.labels == 2 and delta > high):
                yield f"{s}, {ones} others, {hint}"
        if s.labels > 2:
            if beside(s, hint) > of_third or third(s, hint) > of_third:
                yield f"a third value: {s}, {hint}"
            if s.labels == 3 and not s.extra and not of_third - F(1, 2**30) <= third(s, full(s.users)) <= of_third:
                yield f"a third value: {s}, hardly shown"
        bent = hint._replace(knots=hint.knots if len(hint.knots) > 1 else (0, 2))
        if s.labels > 2 and not s.extra and broken_lines.broken_line(s, bent) < exact:
            yield f"a broken line: {s}, {bent}"


def third(s: blanket.Shuffled, hint: Hint) -> Fraction:
    """The lower bound, 0 where messages are added, or if the threshold is far below the mean."""
    try:
        return blanket.third(s, hint)
    except Rejected:
        return F(0)


def beside(s: blanket.Shuffled, hint: Hint) -> Fraction:
    """The lower bound beside messages, 0 if the threshold is none."""
    try:
        return third_values.beside_messages(s, hint)
    except Rejected:
        return F(0)


def wrong_functions() -> Iterator[str]:
    """Families of functions: all, one, some."""
    random = Random(9)
    for i in range(24):
        h, users, e = random.choice((2, 2, 3)), random.choice((1, 2, 2)), F(random.randint(4, 25), 3)
        q, a = 1 / (e + h - 1), random.choice((F(1), F(random.randint(3, 14), 3)))
        family: list[tuple[Fraction, tuple[int, ...]]] = plain.all_functions(3, h) if i % 4 == 0 else []
        weights = [random.randint(1, 9) for _ in range(random.randint(1, 4))]
        family = family or [(F(w, sum(weights)), tuple(random.randrange(h) for _ in "012")) for w in weights]
        rows, extra = plain.hashed(family, h, q), random.choice((0, 0, 1)) if len(family) < 9 else 0
        noise = [plain.hashed_uniform(family, h)] * extra
        s, hint = blanket.Shuffled(h, users, extra, q, a), some_hint(random, 5)
        if blanket.above(s, hint) < plain.largest(rows, users, a, *noise):
            yield f"above {s}, {hint}, {family}"


def wrong_crowds() -> Iterator[str]:
    """Lower bounds beside more users than multisets are listed for: all others hold x2, and what is seen are the
    numbers of messages that show x0 alone, x1 alone, and neither."""
    random = Random(10)
    for _ in range(60):
        k = random.choice((3, 3, 5))
        users, extra, e = random.choice((2, 9, 16)), random.choice((0, 0, 7)), F(random.randint(4, 25), 3)
        s = blanket.Shuffled(k, users, extra, 1 / (e + k - 1), random.choice((F(1), F(random.randint(3, 9), 3))))
        exact = three(s)
        for hint in (some_hint(random, 5), some_hint(random, 5), full(users)):
            if beside(s, hint) > exact or third(s, hint) > exact:
                yield f"{s}, {hint}"


@cache
def three(s: blanket.Shuffled) -> Fraction:
    """delta of the numbers of messages of three kinds, x0, x1 and neither."""
    law = {(0, 0): F(1)}
    for p in [s.q] * (s.users - 1) + [F(1, s.labels)] * s.extra:
        law = _sent(law, {0: p, 1: p, 2: 1 - 2 * p})
    own, other = 1 - (s.labels - 1) * s.q, s.q
    mine = {0: own, 1: other, 2: 1 - own - other}, {0: other, 1: own, 2: 1 - own - other}
    first, second = (_sent(law, row) for row in mine)
    return plain.divergence({**first}, {**second}, s.a)


def _sent(law: dict[tuple[int, int], Fraction], row: dict[int, Fraction]) -> dict[tuple[int, int], Fraction]:
    sums: dict[tuple[int, int], Fraction] = {}
    for (i, j), p in law.items():
        for y, c in row.items():
            at = (i + (y == 0), j + (y == 1))
            sums[at] = sums.get(at, F(0)) + p * c
    return sums


def tables(random: Random) -> list[plain.Law]:
    """A randomizer: rows of any chances, or all with one of two chances of every message, or rows that differ from one
    another in few messages."""
    messages, values = random.choice((2, 3, 4)), random.choice((2, 2, 3))
    if random.random() < 0.5:
        e = random.randint(2, 9)
        first = [random.choice((1, e)) for _ in range(messages)]
        weights = [random.sample(first, messages) for _ in range(values)]
    else:
        weights = [[random.choice((1, 2, 3, 20)) for _ in range(messages)] for _ in range(values)]
    return [{y: F(w, sum(row)) for y, w in enumerate(row)} for row in weights]


def wrong_randomizers() -> Iterator[str]:
    """The bound of two labels, for every randomizer."""
    random = Random(11)
    for _ in range(60):
        rows, users = tables(random), random.choice((1, 2, 3, 4))
        e = plain.ratio(rows)
        a = random.choice((F(1), (1 + e) / 2, 1 + (e - 1) * F(random.randint(0, 9), 9)))
        if blanket.above(blanket.Shuffled(2, users, 0, 1 / (e + 1), a), some_hint(random, 3)) < plain.largest(
            rows, users, a
        ):
            yield f"{rows}, {users} users, e^eps = {a}"


PRIMITIVES = {
    "lines": wrong_lines,
    "numbers": wrong_numbers,
    "powers": wrong_powers,
    "tails": wrong_tails,
    "windows": wrong_windows,
    "sums": wrong_sums,
    "shortfalls": wrong_shortfalls,
}
BOUNDS = {
    "events": wrong_events,
    "randomizers": wrong_randomizers,
    "crowds": wrong_crowds,
    "outsides": wrong_outsides,
    "margins": wrong_margins,
    "positive parts": wrong_parts,
    "bends": wrong_bends,
    "masses": wrong_masses,
    "bounds": wrong_bounds,
    "functions": wrong_functions,
}
"""The quick ones first."""
