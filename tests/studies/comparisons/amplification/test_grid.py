"""All questions asked against each other on a grid: what one answer certifies no other one contradicts, and each is as
close as the others."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import pytest
from flint import fmpq

from dp_kernel.formulas.terms import exp
from dp_studies.comparisons.amplification import solve
from dp_studies.comparisons.amplification.query import MECHANISMS, Mechanism, Setting, about
from dp_studies.comparisons.amplification.solve import Enclosure, UnreachableError
from independent.shuffled_divergence import BITS, contains_delta, contains_epsilon, exact

F = Fraction
DIGITS, WORK = 6, 1_000_000
MANY = 1000
CLOSE = F(1, 1000)
"""Relative: how much less close than another answer one may be."""
USERS = (2, 10, 100, 10**4, 10**6, 10**9)
BUDGETS = ("1/10", "1", "4", "12")
LABELS = (2, 3, 64, 1000)
DELTAS = (F(1, 10**30), F(1, 10**8), F(1, 1000), F(1, 10))
EPSILONS = (F(1, 100), F(1, 10), F(1, 2), F(5))
DUMMIES = (0, 0, 1, 100, 10**5)


class Point(NamedTuple):
    """A setting, a delta for which epsilon is asked, and an epsilon at which delta is."""

    setting: Setting
    delta: Fraction
    eps: Fraction


def point(mechanism: Mechanism, users: int, budget: str, i: int) -> Point:
    """What is not given is taken in turns."""
    labels = 2 if mechanism == "ldp" else LABELS[i % len(LABELS)]
    dummies = 0 if mechanism == "ldp" else DUMMIES[i % len(DUMMIES)]
    if mechanism == "dump":
        hidden = (i + 1) * labels
        return Point(Setting("dump", users, None, labels, 40 * hidden), DELTAS[-2], EPSILONS[i % 4])
    setting = Setting(mechanism, users, budget, labels, dummies)
    return Point(setting, DELTAS[(i // 2) % len(DELTAS)], EPSILONS[(i // 3) % len(EPSILONS)])


def points() -> Iterator[Point]:
    """The whole grid."""
    for m, mechanism in enumerate(MECHANISMS):
        for i, (users, budget) in enumerate(product(USERS, BUDGETS)):
            if mechanism != "dump" or users < 10**6:
                yield point(mechanism, users, budget, 7 * i + 3 * m)


class Answers:
    """The answers at a point, and what is wrong between them."""

    def __init__(self, at: Point) -> None:
        self.at, self.wrong = at, list[str]()
        self.enclosures: dict[str, Enclosure] = {}
        s, work = at.setting, WORK
        asked = {
            "epsilon": partial(solve.epsilon, s, at.delta, DIGITS, work),
            "delta": partial(solve.delta, s, at.eps, DIGITS, work),
        }
        for name, question in asked.items():
            self.ask(name, question)
        if (ends := self.enclosures.get("epsilon")) is not None and all(end.value > F(1, 10**8) for end in ends[:2]):
            self.epsilon_against(ends)
        if (ends := self.enclosures.get("delta")) is not None and 0 < ends.upper.value < 1:
            self.delta_against(ends)

    def ask(self, name: str, question: Any) -> Enclosure | None:
        try:
            enclosure: Enclosure = question()
        except UnreachableError:
            return None
        self.enclosures[name] = enclosure
        self.holds(f"{name}: ends in order", enclosure.lower.value <= enclosure.upper.value)
        return enclosure

    def holds(self, words: str, condition: bool) -> None:
        if not condition:
            self.wrong.append(f"{self.at}: {words}")

    def close(self, words: str, condition: bool, *ends: Any) -> None:
        """Where all work is done that there is."""
        if not any(end.cheaper for end in ends) and not any(x.left_out for x in self.enclosures.values()):
            self.holds(words, condition)

    def epsilon_against(self, ends: Enclosure) -> None:
        """At its ends delta, the budget and dummies are asked."""
        s, wanted = self.at.setting, self.at.delta
        for end in ends[:2]:
            eps, above = F(end.value), end is ends.upper
            self.meets("delta", partial(solve.delta, s, eps, DIGITS, WORK), end, wanted, below=above)
            if s.epsilon0 is not None:
                asked = partial(solve.epsilon0, s, eps, wanted, DIGITS, WORK)
                self.meets("epsilon0", asked, end, F(s.epsilon0), below=not above)
            if s.mechanism != "ldp" and s.dummies:
                asked = partial(solve.dummies, replace(s, dummies=0), eps, wanted, WORK)
                self.meets("dummies", asked, end, F(s.dummies), below=above)

    def delta_against(self, ends: Enclosure) -> None:
        """Epsilon is asked for its upper end."""
        asked = partial(solve.epsilon, self.at.setting, F(ends.upper.value), DIGITS, WORK)
        self.meets("epsilon", asked, ends.upper, self.at.eps, below=True)

    def meets(self, name: str, question: Any, end: Any, value: Fraction, *, below: bool) -> None:
        """What is asked at an end of another answer is at most (at least) a value, and hardly more (less)."""
        words = f"{name} at {end.value}"
        if (at := self.ask(words, question)) is None:
            return
        share, one = (10 * CLOSE, 1) if name == "dummies" else (CLOSE, 0)
        certain, other = (at.lower, at.upper) if below else (at.upper, at.lower)
        sign = 1 if below else -1
        self.holds(words, sign * F(certain.value) <= sign * value)
        enough = sign * F(other.value) <= sign * (value * (1 + sign * share) + sign * one)
        self.close(words, enough, other, end)


def quick(at: Point) -> Point:
    """The same with fewer users, where a small budget of many is asked about for a minute."""
    dear = at.setting.mechanism in ("krr", "ldp") and at.setting.users > MANY
    return at._replace(setting=replace(at.setting, users=MANY)) if dear else at


def contradictions(at: Point) -> list[str]:
    return Answers(at).wrong


MORE = [
    Point(Setting("krr", 10**4, "3", 64), F(1, 10**8), F(2)),
    Point(Setting("olh", 10**4, "2", 4, 100), F(1, 1000), F(1, 100)),
]
FEW = [
    Point(Setting("krr", 100, "4", 3), F(1, 10**6), F(1, 2)),
    Point(Setting("olh", 50, "2", 4, 1), F(1, 1000), F(1, 100)),
    Point(Setting("ldp", 10**3, "1"), F(1, 10**8), F(1, 2)),
    Point(Setting("dump", 10, None, 3, 400), F(1, 1000), F(1)),
    Point(Setting("krr", 20, "1/2", 2), F(1, 10), F(1, 100)),
]


@pytest.mark.parametrize("at", FEW, ids=str)
def test_no_answer_contradicts_another(at: Point) -> None:
    assert contradictions(at) == []


@pytest.mark.campaign
@pytest.mark.parametrize("at", [*MORE, *map(quick, [*points()][::8])], ids=str)
def test_no_answer_of_the_grid_contradicts_another(at: Point) -> None:
    assert contradictions(at) == []


SMALL: list[Setting] = [
    Setting("krr", 3, "ln(10)", 3),
    Setting("krr", 2, "ln(3)", 3, 2),
    Setting("krr", 6, "ln(50)", 2),
    Setting("olh", 2, "ln(3)", 2, 1),
    Setting("dump", 3, None, 3, 4),
    Setting("ldp", 4, "ln(10)"),
]


@pytest.mark.parametrize("setting", SMALL, ids=str)
def test_no_answer_contradicts_the_exact_profile(setting: Setting) -> None:
    """With so few users all data sets are listed."""
    laws = exact(setting)
    for delta in DELTAS[1:]:
        if setting.mechanism != "dump":
            assert contains_epsilon(solve.epsilon(setting, delta, DIGITS, WORK), laws, delta)
    for eps in EPSILONS[:3]:
        assert contains_delta(solve.delta(setting, eps, DIGITS, WORK), laws, eps)
    if setting.epsilon0 is not None:
        wanted = F(int(max(_exact(law, F(1, 2)) for law in laws) * 10**40) + 1, 10**40)
        enclosure = solve.epsilon0(setting, F(1, 2), wanted, DIGITS, WORK)
        budget = F(about(setting.epsilon0))
        assert F(enclosure.lower.value) <= budget * (1 + F(1, 10**9))
        assert F(enclosure.upper.value) >= budget * (1 - F(1, 10**9))


def _exact(law: Any, eps: Fraction) -> Fraction:
    a = exp(eps, BITS).low
    value = law.delta(fmpq(a.numerator, a.denominator)).value
    return F(int(value.p), int(value.q))
