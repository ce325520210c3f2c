"""Source 000 on privacy and Algorithm 1 decided again: all outcomes listed, tails on grids."""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb, lgamma, log
from typing import Any

from mpmath import exp, mpf, sqrt
from mpmath import log as ln

from independent.brute_force_shuffle import divergence as delta
from independent.message_estimates import DECIDED as ESTIMATES
from independent.message_outcomes import (
    ONE,
    Law,
    deltas,
    events,
    fresh,
    functions,
    gathered,
    one_hot,
    plain,
    ratio,
    response,
    shared,
    together,
)

Holds = Callable[[], bool]
HALF, THIRD, TWO, THREE = Fraction(1, 2), Fraction(1, 3), Fraction(2), Fraction(3)
BUDGETS = (Fraction(3, 2), TWO)
SHARES = (Fraction(1, 4), HALF, Fraction(3, 4))


def _laws(outputs: int, parts: int) -> list[Law]:
    counts = [c for c in product(range(parts + 1), repeat=outputs) if sum(c) == parts]
    return [gathered((y, Fraction(x, parts)) for y, x in enumerate(c)) for c in counts]


PAIRS = [(p, q, a) for p, q in product(_laws(3, 4), repeat=2) for a in BUDGETS]


def _private(p: Law, q: Law, a: Fraction, most: Fraction) -> bool:
    return delta(p, q, a) <= most and delta(q, p, a) <= most


def _excess(p: Law, q: Law, a: Fraction) -> Fraction:
    """The chance of an output whose ratio is too large."""
    return sum((x for y, x in p.items() if x > a * q.get(y, 0)), Fraction(0))


def _of_singles(p: Law, q: Law, a: Fraction, most: Fraction) -> bool:
    return all(x <= a * other.get(y, 0) + most for one, other in ((p, q), (q, p)) for y, x in one.items())


def _probable(p: Law, q: Law, a: Fraction, most: Fraction) -> bool:
    return _excess(p, q, a) <= most and _excess(q, p, a) <= most


def _same(condition: Callable[[Law, Law, Fraction, Fraction], bool]) -> Holds:
    return lambda: all(condition(p, q, a, most) == _private(p, q, a, most) for p, q, a in PAIRS for most in SHARES)


def _event() -> bool:
    return all(max(events(p, q, a)) == delta(p, q, a) for p, q, a in PAIRS)


def _processed() -> bool:
    """Analyzers with two results."""
    for (p, q, a), rows in product(PAIRS[::7], product((Fraction(0), THIRD, ONE), repeat=3)):
        after = [
            gathered((z, x * c) for y, x in law.items() for z, c in enumerate((rows[y], 1 - rows[y]))) for law in (p, q)
        ]
        if delta(after[0], after[1], a) > delta(p, q, a):
            return False
    return True


def _excludes(most: Fraction) -> bool:
    return any(delta(p, q, a) > most for p, q in product(_laws(2, 1), repeat=2) for a in BUDGETS)


def _flu(others: int, *, bits_known: bool) -> bool:
    """Whether the records of all consistent data sets agree on Luka's, the third one."""
    values: dict[Any, set[int]] = {}
    for bits in product((0, 1), repeat=3 + others):
        view = (bits[:2], sum(bits), bits[3:] if bits_known else ())
        values.setdefault(view, set()).add(bits[2])
    return all(len(x) == 1 for view, x in values.items() if view[:2] == ((1, 1), 3))


# --- Algorithm 1 ----------------------------------------------------------------------------------------------------


def _sent(w: Fraction, labels: int, dummies: int = 0) -> Callable[[int], Law]:
    """Randomized response and dummies."""
    return lambda x: plain(response(w, labels, x), labels, dummies)


def _published(w: Fraction, a: Fraction) -> bool:
    """Whether all that is seen of two users is bounded by a."""
    for law in (_sent(w, 2, 1), partial(shared, w, 2, 2, 1)):
        for x, y, z in ((0, 1, 0), (1, 0, 0), (0, 1, 1)):
            largest = ratio(together([law(x), law(z)]), together([law(y), law(z)]))
            if largest is None or largest > a:
                return False
    return True


def _randomized(labels: int, w: Fraction, x: int) -> Law:
    """A report, given that it is the uniform part."""
    gamma = labels / (w + labels - 1)
    rest = {y: p - (1 - gamma) * (x == y) for y, p in response(w, labels, x).items()}
    return gathered((y, p / gamma) for y, p in rest.items())


def _dummies(items: int, labels: int, *, domain: bool) -> bool:
    family = functions(items, labels)
    values = range(items) if domain else range(labels)
    dummy = gathered(((h, h[v] if domain else v), ONE / len(family) / len(values)) for h in family for v in values)
    reports = [
        gathered(((h, y), p / len(family)) for h in family for y, p in _randomized(labels, TWO, h[x]).items())
        for x in range(items)
    ]
    return all(report == dummy for report in reports)


def _kept(*, merge: bool) -> bool:
    sent = shared(TWO, 2, 2, 1, 0)
    return all(len(set(messages) if merge else messages) == 2 for messages in sent)


def _without_senders(law: Callable[..., Law]) -> bool:
    """Whether two users' messages look like two reports and two dummies of nobody."""
    family = functions(2, 2)
    nobody = gathered((((h, y),), ONE / len(family) / 2) for h in family for y in range(2))
    return all(
        together([law(TWO, 2, 2, 1, x), law(TWO, 2, 2, 1, z)])
        == together([law(TWO, 2, 2, 0, x), law(TWO, 2, 2, 0, z), nobody, nobody])
        for x, z in product(range(2), repeat=2)
    )


def _as_blanket(law: Callable[..., Law] | None, labels: int) -> bool:
    """Whether two users' messages, a dummy each, are two labels, kept or (with chance gamma) uniform, and two uniform
    messages; of two items, each label beside a function."""

    def kept(x: int) -> Law:
        gamma = labels / (TWO + labels - 1)
        return gathered([(x, 1 - gamma), *((y, gamma / labels) for y in range(labels))])

    def beside(of: Callable[[int], Law]) -> Law:
        return gathered((((h, y),), p / len(family)) for h in family for y, p in of(h).items())

    family: Any = functions(2, labels)
    if law is None:
        nobody = gathered(((y,), ONE / labels) for y in range(labels))
        sent = [plain(response(TWO, labels, x), labels, 1) for x in range(2)]
        split = [gathered(((y,), p) for y, p in kept(x).items()) for x in range(2)]
    else:
        nobody = beside(lambda h: dict.fromkeys(range(labels), ONE / labels))
        sent = [law(TWO, 2, labels, 1, x) for x in range(2)]
        split = [beside(lambda h, x=x: kept(h[x])) for x in range(2)]  # type: ignore[misc]
    return all(
        together([sent[x], sent[z]]) == together([split[x], split[z], nobody, nobody])
        for x, z in product(range(2), repeat=2)
    )


def _pairs_of_a_unit() -> bool:
    """Three users' bundles of two: whether two messages of a unit have one sender as often as any two messages."""
    senders = [0, 0, 1, 1, 2, 2]
    any_two = [(i, j) for i, j in product(range(6), repeat=2) if i != j]
    return Fraction(sum(senders[i] == senders[j] for i, j in any_two), len(any_two)) == 1


# --- the proof of Theorem 1 -----------------------------------------------------------------------------------------


def _blank() -> bool:
    """The last user randomizes: the multiset is the same for both items."""
    uniform = dict.fromkeys(range(2), HALF)
    family = functions(2, 2)
    beside = gathered((((h, y),), ONE / 8) for h in family for y in range(2))
    with_own = gathered((tuple(sorted(((h, y), (h, z)))), ONE / 16) for h in family for y in range(2) for z in range(2))
    for w in BUDGETS:
        rows = [[_randomized(2, w, h[x]) for h in family] for x in range(2)]
        if any(law != uniform for laws in rows for law in laws):
            return False
        rest = [fresh(w, 2, 2, 0, 0), shared(w, 2, 2, 1, 0)]
        if sum(together([rest[0], beside]).values()) != 1 or sum(together([rest[1], with_own]).values()) != 1:
            return False
    return True


def _number(z: int, gamma: Fraction) -> Law:
    return gathered(
        (sum(chosen), gamma ** sum(chosen) * (1 - gamma) ** (z - sum(chosen))) for chosen in product((0, 1), repeat=z)
    )


def _negative(z: int, gamma: Any, x: int) -> Any:
    return comb(x + z - 1, z - 1) * (1 - gamma) ** x * gamma**z


def _tail(*, negative: bool) -> bool:
    """|A| below (1 - lam) mu."""
    for z, g, d in product(
        (3, 10, 60), (mpf(1) / 5, mpf(1) / 2, mpf(9) / 10), (mpf(9) / 10, mpf(1) / 10, mpf(1) / 10**6)
    ):
        b = z * g - sqrt(2 * z * g * ln(2 / d))
        below = [x for x in range(z + 1) if x < b]
        chances = (_negative(z, g, x) if negative else comb(z, x) * g**x * (1 - g) ** (z - x) for x in below)
        if sum(chances) >= d / 2:
            return False
    return True


def _few_dummies() -> bool:
    """Two users of three items, geometric numbers of dummies with mean 1000: (7) at delta = 10^-7."""
    w, k, most = mpf(10**6), 3, mpf(1) / 10**7
    p, q, blanket = w / (w + 2), 1 / (w + 2), 3 / (w + 2)
    eps = sqrt(14 * k * ln(4 / most) / (2000 + blanket - sqrt(2 * blanket * ln(2 / most)) - 1))
    assert eps <= 1
    none = (mpf(1) / 1001) ** 2
    return bool(none * (p * p + q * q - exp(eps) * (q * p + q * q)) <= most)


def _weights(n: int, chance: float) -> list[float]:
    logs = [lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) for i in range(n + 1)]
    return [math.exp(x + i * log(chance) + (n - i) * log(1 - chance)) for i, x in enumerate(logs)]


def _two_counts(n: int, rho: float, a: float) -> float:
    """delta of AUE: 1 + B and B' against B and 1 + B', both of n bits."""
    bits = [*_weights(n, rho), 0.0]
    return sum(
        max(0.0, bits[i] * bits[j] - a * bits[i + 1] * (bits[j - 1] if j else 0.0))
        for i in range(n + 1)
        if bits[i] > 1e-12
        for j in range(n + 1)
    )


def _of_all_bits(points: list[tuple[int, float, float]], square: Callable[[int, float, float], float]) -> Holds:
    """At numbers of users in the stated range, by the exact sum; which is that of listed outcomes for few users."""

    def holds() -> bool:
        for n, a in product((1, 2, 3), (1.0, 1.5)):
            listed = deltas(partial(one_hot, 2, THIRD), 2, n, [], Fraction(a))
            assert all(abs(float(x) - _two_counts(n, 1 / 3, a)) < 1e-9 for x in listed)
        for n, rho, most in points:
            assert square(n, rho, most) <= 1
            if _two_counts(n, rho, math.exp(math.sqrt(square(n, rho, most)))) > most:
                return False
        return True

    return holds


def _binomial_number() -> bool:
    """Each dummy is sent with chance 1/2, at (7) with its mean: the mean over their number of delta beside so many; and
    a report hidden by nothing else."""
    for labels, users, w, dummies, most in ((2, 10, 10**6, 12, 0.58), (3, 10, 10**6, 18, 0.58), (2, 21, 3, 5, 0.58)):
        mean = labels / (w + labels - 1) * (users - 1)
        hidden = users * dummies / 2 + mean - math.sqrt(2 * mean * log(2 / most)) - 1
        square = 14 * labels * log(4 / most) / hidden
        a, total = math.exp(math.sqrt(square)), 0.0
        assert square <= 1
        for number, weight in enumerate(_weights(users * dummies, 0.5)):
            total += weight * (_beside(number, labels, a) if weight > 1e-9 else 1.0)
        if total > most:
            return False
    return all(
        abs(float(delta(plain({0: ONE}, k, c), plain({1: ONE}, k, c), Fraction(2))) - _beside(c, k, 2.0)) < 1e-9
        for k, c in product((2, 3), (0, 1, 4))
    )


def _beside(number: int, labels: int, a: float) -> float:
    """delta of one message beside uniform ones, of which i are at x0 and j at x1."""
    gain = 0.0
    for i in range(number + 1):
        for j in range(number - i + 1):
            rest = number - i - j
            if labels == 2 and rest:
                continue
            ways = lgamma(number + 1) - lgamma(i + 1) - lgamma(j + 1) - lgamma(rest + 1)
            chance = math.exp(ways + (i + j) * log(1 / labels) + (rest * log(1 - 2 / labels) if rest else 0))
            gain += chance * max(0.0, 1 - a * j / (i + 1))
    return gain


def _one_function() -> bool:
    """50 users of two items with 20 dummies each, of four functions; the others hold 1. The event: one user alone has
    the identity, and all messages beside it are 0; its chance listed for few users."""

    def chance(n: int, m: int, w: Any, held: int) -> Any:
        zeros = (w if held == 0 else 1) / (w + 1) + (n - 1) / (w + 1)
        return zeros * 3 ** (n - 1) / (4**n * 2**m * ONE)

    for n, m, held in ((1, 1, 0), (2, 1, 0), (2, 1, 1), (2, 2, 0), (3, 1, 0)):
        law = together([shared(THREE, 2, 2, m, x) for x in (held, *[1] * (n - 1))])
        beside = [([z for h, z in messages if h == (0, 1)], p) for messages, p in law.items()]
        assert sum((p for messages, p in beside if messages == [0] * (m + 1)), Fraction(0)) == chance(n, m, THREE, held)
    n, m, w, most = 50, 20, Fraction(10**6), mpf(1) / 10**13
    mean = mpf(2) / (10**6 + 1) * (n - 1)
    eps = sqrt(14 * 2 * ln(4 / most) / (n * m + mean - sqrt(2 * mean * ln(2 / most)) - 1))
    assert eps <= 1
    first, second = (mpf(x.numerator) / x.denominator for x in (chance(n, m, w, held) for held in (0, 1)))
    return bool(first - exp(eps) * second <= most)


# --- bundles --------------------------------------------------------------------------------------------------------


def _uniform(labels: int, number: int) -> list[Law]:
    return [{(y,): ONE / labels for y in range(labels)}] * number


def _any_function(number: int) -> list[Law]:
    return [gathered((((h, y),), ONE / 8) for h in functions(2, 2) for y in range(2))] * number


def _less(first: list[Fraction], second: list[Fraction], *, strictly: bool = False) -> bool:
    return all(x < y if strictly else x <= y for x, y in zip(first, second, strict=True))


def _more_plain(w: Fraction, less: Fraction | None = None) -> bool:
    """One dummy more for every user; or a smaller budget."""
    for labels, n, c, a in product((2, 3), (1, 2), (0, 1), (ONE, *BUDGETS)):
        now = deltas(_sent(w, labels), labels, n, _uniform(labels, n * c), a)
        spent, number = (less, n * c) if less else (w, n * (c + 1))
        then = deltas(_sent(spent, labels), labels, n, _uniform(labels, number), a)
        if not _less(then, now):
            return False
    return True


def _more_fresh() -> bool:
    return all(
        _less(*(deltas(partial(fresh, THREE, 2, 2, 0), 2, n, _any_function(n * number), a) for number in (c + 1, c)))
        for n, c, a in ((1, 0, ONE), (1, 1, TWO), (2, 0, TWO), (1, 2, Fraction(3, 2)))
    )


def _more_shared() -> bool:
    return all(
        _less(*(deltas(partial(shared, THREE, 2, 2, number), 2, n, [], a) for number in (c + 1, c)))
        for n, c, a in product((1, 2), (0, 1), (ONE, *BUDGETS))
    )


def _level(w: Fraction, dummies: int) -> Fraction | None:
    return ratio(shared(w, 2, 2, dummies, 0), shared(w, 2, 2, dummies, 1))


def _lower_level() -> bool:
    return any(_level(w, m) != w for w in (TWO, THREE) for m in (0, 1, 2, 3))


def _hidden() -> bool:
    return all(
        _less(
            *(deltas(partial(shared, w, 2, labels, number), 2, 1, [], a) for number in (m, 0)),
            strictly=True,
        )
        for w, labels, m in product((THREE, Fraction(8)), (2, 3), (1, 2))
        for a in (ONE, TWO, w - Fraction(1, 50))
    )


def _as_in_7() -> bool:
    """w = 3, two labels, 10000 users with a dummy each, delta = 1/10."""
    n, most, gamma = 10_000, 0.1, 0.5
    square = 28 * log(4 / most) / (n + gamma * (n - 1) - (2 * gamma * (n - 1) * log(2 / most)) ** 0.5 - 1)
    assert square < 1
    a = Fraction(float(exp(sqrt(square)))) + Fraction(1, 1000)
    return delta(plain(response(THREE, 2, 0), 2, 1), plain(response(THREE, 2, 1), 2, 1), a) <= Fraction(1, 10)


def _one_value(dummies: int, a: Fraction, labels: int) -> Fraction:
    return delta(plain({0: ONE}, labels, dummies), plain({1: ONE}, labels, dummies), a)


def _among_two_labels(w: Any, dummies: int, a: Any) -> Any:
    """delta of one user of randomized response on two labels: by the number of ones."""
    p = mpf(w) / (w + 1) if w else mpf(1)
    half = [mpf(comb(dummies, x)) / mpf(2) ** dummies if 0 <= x <= dummies else mpf(0) for x in range(-1, dummies + 2)]
    first = [p * half[x + 1] + (1 - p) * half[x] for x in range(dummies + 2)]
    second = [(1 - p) * half[x + 1] + p * half[x] for x in range(dummies + 2)]
    return sum(max(mpf(0), x - a * y) for x, y in zip(first, second, strict=True))


def _alone(parts: int, *, w: Any = 3, equal: bool = False) -> bool:
    for c, d in product((60, 100, 500, 1500), (mpf(1) / 2, mpf(1) / 10, mpf(1) / 10**6)):
        square = 28 * ln(4 / d) / (c - 1)
        if square <= 1:
            gap = _among_two_labels(w, c, exp(sqrt(square)))
            if gap > d / parts or (equal and abs(gap - d) > d / 10**6):
                return False
    return True


def _coins(n: int, a: Any) -> Fraction:
    return max(deltas(partial(one_hot, 2, HALF), 2, n, [], a))


def _mixture(labels: int, dummies: int, a: Fraction, *, independent: bool) -> Fraction:
    """h / (N + 1) E (S0 - a S1)_+ over listed draws."""
    drawn, gain = dummies + 1, Fraction(0)
    if independent:
        one = {
            x: comb(drawn, x) * Fraction(labels - 1) ** (drawn - x) / Fraction(labels) ** drawn
            for x in range(drawn + 1)
        }
        for (x, p), (y, q) in product(one.items(), repeat=2):
            gain += p * q * max(Fraction(0), x - a * y)
    else:
        for cells in product(range(labels), repeat=drawn):
            gain += max(Fraction(0), cells.count(0) - a * cells.count(1)) / labels**drawn
    return Fraction(labels, drawn) * gain


def _revealed(labels: int, dummies: int, a: Fraction) -> Fraction:
    family = functions(2, labels)
    messages = [(h, y) for h in family for y in range(labels)]
    laws = [
        gathered(
            (tuple(sorted(((h, h[x]), *more))), ONE / len(family) / len(messages) ** dummies)
            for h in family
            for more in product(messages, repeat=dummies)
        )
        for x in (0, 1)
    ]
    return delta(laws[0], laws[1], a)


def _closed(*, independent: bool) -> Holds:
    return lambda: all(
        _one_value(c, a, k) == _mixture(k, c, a, independent=independent)
        for c, a, k in product((0, 1, 2, 3), (ONE, *BUDGETS, THREE), (2, 3))
    )


SIZES = [(n, m) for n in (1, 2, 3) for m in (0, 1, 2)]
DECIDED: dict[str, Holds] = {
    "000.def1.eq1@event": _event,
    "000.def1.eq1@singleton": _same(_of_singles),
    "000.def1.eq1@range": _same(lambda p, q, a, most: a + most >= 1),
    "000.def1.leak@additive": _event,
    "000.def1.leak@probabilistic": _same(_probable),
    "000.def1.leak@probabilistic.corrected": lambda: all(
        _private(p, q, a, most) or not _probable(p, q, a, most) for p, q, a in PAIRS for most in SHARES
    ),
    "000.def1.range": lambda: all(map(_excludes, (HALF, ONE))),
    "000.def1.range.corrected": lambda: all(map(_excludes, (HALF, Fraction(99, 100)))),
    "000.def2.eq2": lambda: all(
        (max(events(p, q, a)) <= 0) == ((largest := ratio(p, q)) is not None and largest <= a) for p, q, a in PAIRS
    ),
    "000.def4.type@printed": lambda: all(n * n == n for n, _ in SIZES),
    "000.def4.type@single": lambda: all(n * (m + 1) == n for n, m in SIZES),
    "000.def4.type@multi": lambda: all(
        len([0 for _ in range(n) for _ in range(m + 1)]) == n * (m + 1) for n, m in SIZES
    ),
    "000.def4.post": _processed,
    "000.fig1.example@alone": lambda: _flu(0, bits_known=False),
    "000.fig1.example@others": lambda: _flu(1, bits_known=False),
    "000.fig1.example.corrected": lambda: _flu(1, bits_known=True),
    "000.alg1.budget@eps": lambda: all(_published(w, w) for w in BUDGETS),
    "000.alg1.budget@epsl": lambda: _published(THREE, TWO),
    "000.alg1.dummylaw@unif": lambda: _dummies(3, 2, domain=False),
    "000.alg1.dummylaw@domain": lambda: _dummies(3, 2, domain=True),
    "000.thm1.step.dummydist@nohash": lambda: (
        _randomized(3, TWO, 0) == _randomized(3, TWO, 1) == dict.fromkeys(range(3), THIRD)
    ),
    "000.thm1.step.dummydist@hashed": lambda: _dummies(2, 2, domain=True),
    "000.alg1.union@multiset": lambda: _kept(merge=False),
    "000.alg1.union@set": lambda: _kept(merge=True),
    "000.alg1.shuffle@message-fresh": lambda: _without_senders(fresh),
    "000.alg1.shuffle@message-shared": lambda: _without_senders(shared),
    "000.alg1.shuffle@bundle-fresh": _pairs_of_a_unit,
    "000.alg1.loop@permessage": lambda: all(n * (m + 1) == d for n, m in SIZES for d in (2, 3)),
    "000.alg1.loop@pervalue": ESTIMATES["000.alg1.est@allmsg-each"],
    "000.thm1.step.ratio": _blank,
    "000.thm1.step.uniform@nohash": lambda: all(_as_blanket(None, labels) for labels in (2, 3)),
    "000.thm1.step.uniform@fresh": lambda: _as_blanket(fresh, 2),
    "000.thm1.step.uniform@shared": lambda: _as_blanket(shared, 2),
    "000.thm1.step.acount": lambda: all(
        p == _negative(z, g, x) for z in (1, 2, 3) for g in (THIRD, HALF) for x, p in _number(z, g).items()
    ),
    "000.thm1.step.acount.corrected": lambda: all(
        p == comb(z, x) * g**x * (1 - g) ** (z - x)
        for z in (1, 2, 3)
        for g in (THIRD, HALF)
        for x, p in _number(z, g).items()
    ),
    "000.thm1.step.chernoff@mechanism": lambda: _tail(negative=False),
    "000.thm1.step.chernoff@nbin": lambda: _tail(negative=True),
    "000.thm1.step.eq8@mechanism": lambda: _tail(negative=False),
    "000.thm1.step.eq8@nbin": lambda: _tail(negative=True),
    "000.thm1.pointwise@single": _same(_of_singles),
    "000.thm1.eq7@sharedsmall-range": _one_function,
    "000.thm1.count@nbin-mean": _few_dummies,
    "000.prose.dummies-mono@nohash": lambda: _more_plain(THREE),
    "000.prose.dummies-mono@fresh": _more_fresh,
    "000.prose.dummies-mono@shared": _more_shared,
    "000.prose.mixdump-joint": lambda: _more_plain(THREE) and _more_plain(THREE, TWO),
    "000.prose.collude-sc@pure": _lower_level,
    "000.prose.collude-sc@pure.corrected": lambda: not _lower_level(),
    "000.prose.collude-sc@approx": _hidden,
    "000.prose.collude-sc@thm1level": _as_in_7,
    "000.prose.collude-su@pure": _lower_level,
    "000.prose.collude-su@approx": _hidden,
    "000.prose.collude-su@thm1level": _as_in_7,
    "000.prose.hpsdp-privacy@pure": _lower_level,
    "000.prose.hpsdp-privacy@pure.corrected": lambda: not _lower_level(),
    "000.prose.hpsdp-privacy@approx": _hidden,
    "000.base.puredump.local": lambda: all(
        ratio(plain({0: ONE}, k, s), plain({1: ONE}, k, s)) is not None for k, s in product((2, 3), (0, 1, 2))
    ),
    "000.base.puredump.local.corrected": lambda: all(
        ratio(plain({0: ONE}, k, s), plain({1: ONE}, k, s)) is None for k, s in product((2, 3), (0, 1, 2))
    ),
    # r = 1/2, delta = 1/5, two users: epsilon is 10.7 or 24.5
    "000.thm1.count@bin-mean": _binomial_number,
    "000.base.aue.privacy@r50-range": _of_all_bits(
        [(71, 0.5, 0.99), (139, 0.5, 0.5), (280, 0.75, 0.5), (700, 0.9, 0.5)],
        lambda n, rho, most: 50 * log(2 / most) / ((1 - rho) * n),
    ),
    "000.base.aue.privacy@r200-range": _of_all_bits(
        [(559, 0.5, 0.99), (832, 0.5, 0.5)], lambda n, rho, most: 200 * log(4 / most) / (rho * n)
    ),
    "000.base.aue.privacy@r50-any": lambda: _coins(2, Fraction(float(exp(sqrt(50 * ln(10)))))) <= Fraction(1, 5),
    "000.base.aue.privacy@r50-any.corrected": lambda: all(
        delta(one_hot(k, r, 0), one_hot(k, r, 1), a) == 1 - r * (1 - r)
        for k, r, a in product((2, 3), (HALF, THIRD), (ONE, Fraction(1000)))
    ),
    "000.base.aue.privacy@r200-any": lambda: _coins(2, Fraction(float(exp(sqrt(200 * ln(20)))))) <= Fraction(1, 5),
    "000.supp.blanket.exact@nohash-multi": _closed(independent=False),
    "000.supp.blanket.exact@nohash-indep": _closed(independent=True),
    "000.supp.blanket.exact@fresh-indep": lambda: all(
        _revealed(k, c, a) == _mixture(k, c, a, independent=True)
        for k, c, a in product((2, 3), (0, 1), (ONE, *BUDGETS, THREE))
    ),
    "000.thm1.eq7@shared-range.corrected": lambda: _alone(1),
    "000.thm1.step.cond@shared-range.corrected": lambda: _alone(2),
    "000.supp.thm1.attained.corrected": lambda: _alone(1, w=None),
    "000.supp.thm1.attained": lambda: _alone(1, w=None, equal=True),
}
"""By claim, whether it holds there."""
