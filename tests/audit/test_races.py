"""Draws compared with each other: the order of exponential variables against brute force, errors against enclosures."""

import itertools
import math
import operator
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from audit.targets import styles
from dp_audit.options import Options
from dp_audit.outcome import Verdict
from dp_audit.run.child.interceptor import exponential_races
from dp_audit.run.child.interceptor.coins import Coins, Limits, Source
from dp_audit.run.child.interceptor.exponential_forms import Form
from dp_audit.run.child.interceptor.intervals import GRID, Cell, uniform_double
from dp_audit.run.child.interceptor.lazy_float import LazyUniform, first_of
from dp_audit.run.child.interceptor.partial_order import SQUARES
from dp_audit.run.child.refusals import Refusal, UnmodeledRandomness
from independent.intercepting import law, walked
from running.kept import audit_adapter

BUDGETS = Options(users=(), reuse=False)
RATES = st.lists(st.integers(1, 9), min_size=2, max_size=5)


def orders(rates: list[int]) -> dict[tuple[int, ...], Fraction]:
    """The probability of every order of exponential variables with these rates."""
    found = {}
    for order in itertools.permutations(range(len(rates))):
        chance = Fraction(1)
        for place, i in enumerate(order):
            chance *= Fraction(rates[i], sum(rates[j] for j in order[place:]))
        found[order] = chance
    return found


def told(rates: list[int], ask: Callable[[list[int]], Any]) -> dict[str, Fraction]:
    """The law of what is said of the places of the variables in their order."""
    found: dict[str, Fraction] = {}
    for order, chance in orders(rates).items():
        text = str(ask([order.index(i) for i in range(len(rates))])).lower().replace(" ", "")
        found[text] = found.get(text, Fraction(0)) + chance
    return found


@pytest.mark.slow
@given(RATES, st.data())
@settings(max_examples=60)
def test_comparisons_have_the_law_of_the_order_of_exponential_variables(rates: list[int], data: st.DataObject) -> None:
    places = st.integers(0, len(rates) - 1)
    pairs = data.draw(st.lists(st.tuples(places, places).filter(lambda p: p[0] != p[1]), min_size=1, max_size=6))

    def compared() -> list[bool]:
        draws = [random.expovariate(rate) for rate in rates]
        return [draws[i] < draws[j] for i, j in pairs]

    assert law(compared) == told(rates, lambda ranks: [ranks[i] < ranks[j] for i, j in pairs])


@pytest.mark.slow
@given(RATES, st.data())
@settings(max_examples=40)
def test_the_first_of_many_is_one_decision_with_the_same_law(rates: list[int], data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.integers(0, len(rates) - 1), min_size=2, max_size=len(rates), unique=True))
    i, j = data.draw(st.permutations(range(len(rates))))[:2]

    def least() -> list[int]:
        draws: list[Any] = [random.expovariate(rate) for rate in rates]
        return [chosen[first_of([draws[k] for k in chosen], False)], int(draws[i] < draws[j])]

    assert law(least) == told(rates, lambda r: [min(chosen, key=r.__getitem__), int(r[i] < r[j])])


@pytest.mark.parametrize("sort", [sorted, lambda draws: [draws[i] for i in np.argsort(np.array(draws, dtype=object))]])
def test_sorting_asks_for_the_whole_order(sort: Callable[[list[Any]], list[Any]]) -> None:
    rates = [1, 2, 5, 3]

    def order() -> list[int]:
        draws = [random.expovariate(rate) for rate in rates]
        return [next(i for i, draw in enumerate(draws) if draw is each) for each in sort(draws)]

    assert law(order) == {str(list(o)).replace(" ", ""): p for o, p in orders(rates).items()}


WEIGHTS = [1.0, 2.0, 3.5]


def gumbel_max() -> int:
    return int(np.argmax(np.log(np.array(WEIGHTS)) + np.random.gumbel(size=3)))


def logs_of_logs() -> int:
    scores = [math.log(w) - math.log(-math.log(1.0 - random.random())) for w in WEIGHTS]
    return max(range(3), key=scores.__getitem__)


def scaled_gumbel() -> int:
    return int((2 * np.log(WEIGHTS) + np.random.default_rng().gumbel(0.25, 2.0, 3)).argmax())


def race() -> int:
    clocks = np.random.default_rng().exponential(1 / np.array(WEIGHTS))
    return int(clocks.argmin())


def log1p_race() -> int:
    return min(range(3), key=lambda i: -math.log1p(-random.random()) / WEIGHTS[i])


def powers() -> int:
    return max(range(3), key=lambda i: random.random() ** (1 / WEIGHTS[i]))


def logs_of_powers() -> int:
    keys = np.log(np.random.rand(3)) / np.array(WEIGHTS)
    return int(np.argmax(keys))


def keeping_the_best() -> int:
    best, place = float("-inf"), -1
    for i, weight in enumerate(WEIGHTS):
        key = math.exp(math.log(1.0 - random.random()) / weight)
        if key > best:
            best, place = key, i
    return place


@pytest.mark.parametrize(
    "draw", [gumbel_max, logs_of_logs, scaled_gumbel, race, log1p_race, powers, logs_of_powers, keeping_the_best]
)
def test_common_ways_to_draw_in_proportion_to_weights(draw: Callable[[], int]) -> None:
    found = walked(draw)
    total, within = Fraction(13, 2), sum(found.blurs.values())
    assert 0 < within < Fraction(1, 1 << 41)
    chances = {int(text): p for (text, raw), p in found.entries.items() if raw != "raised"}  # log(0), once in 2^53
    for i, weight in enumerate(WEIGHTS):
        assert abs(chances[i] - Fraction(weight) / total) <= within


def test_what_a_range_decides_is_exact() -> None:
    found = walked(lambda: np.random.uniform(0, 1) < np.random.uniform(1.5, 2))
    assert list(found.entries.values()) == [1]
    assert not found.blurs
    close = walked(lambda: int(np.argmax(np.array([50.0, 0.0]) + np.random.gumbel(size=2))))
    assert close.entries == {("0", "int"): Fraction(1)}
    assert not close.blurs


def number_first() -> bool:
    draw = random.random()
    return draw < 0.5 and draw < random.random()


def number_last() -> bool:
    draw = random.random()
    return draw < random.random() and draw < 0.5


def two_ways() -> bool:
    first, second = random.random(), random.random()
    return first < second and first * 2 < second * 2


def different_functions() -> bool:
    return random.random() < random.expovariate(1)


def itself() -> bool:
    draw = random.random()
    return draw < 1 - draw


def shown() -> float:
    return max(random.random(), random.random())


def too_steep() -> bool:
    return random.random() ** 100 < random.random()


def sorts_many() -> list[int]:
    draws = [random.random() for _ in range(exponential_races.SORTED + 2)]
    return [draws.index(draw) for draw in sorted(draws)]


@pytest.mark.parametrize(
    "function", [number_first, number_last, two_ways, different_functions, itself, shown, too_steep, sorts_many]
)
def test_what_has_no_closed_form_here_is_refused(function: Callable[[], Any]) -> None:
    with pytest.raises(UnmodeledRandomness):
        walked(function)


def test_a_draw_that_is_clipped_by_a_little_stays_in_the_race() -> None:
    least = 1e-12

    def clipped() -> bool:
        first, second = (max(random.random(), least) for _ in range(2))
        return bool(first < second)

    found = walked(clipped)
    within = sum(found.blurs.values())
    assert Fraction(2e-12) < within < Fraction(3e-12)
    assert abs(found.entries["true", "bool"] - Fraction(1, 2)) <= within + Fraction(least)


UNARY: dict[str, Callable[[Any], Any]] = {
    "negative": operator.neg,
    "math.log": lambda x: x.apply("math.log", math.log),
    "numpy.log": np.log,
    "exp": lambda x: x.apply("math.exp", math.exp),
    "sqrt": np.sqrt,
    "log1p": lambda x: (-x).apply("math.log1p", math.log1p),
    "mirrored": lambda x: 1 - x,
}
BINARY: dict[str, Callable[[Any, float], Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "rsub": lambda x, c: c - x,
    "mul": operator.mul,
    "div": operator.truediv,
    "pow": operator.pow,
}
STEPS = st.one_of(
    st.tuples(st.sampled_from(list(UNARY)), st.none()),
    st.tuples(st.sampled_from(list(BINARY)), st.floats(0.1, 8) | st.floats(-8, -0.1)),
)


def lazy_draw() -> LazyUniform:
    source = Source()
    source.coins = Coins((), Limits())
    return LazyUniform(Cell(source, source.coins), uniform_double, form=Form("power"))


def exact_of(form: Form, k: int) -> arb:
    """Y of the real number k / 2^53."""
    uniform = arb(k) / GRID
    return -(1 - uniform if form.reflected else uniform).log() / (number(form.rate) * number(form.exponent).exp())


def number(x: Fraction) -> arb:
    return arb(x.numerator) / x.denominator


def stands_for(form: Form, value: float) -> arb:
    """The Y of which it is the function."""
    scale = number(form.scale)
    if form.kind == "power":
        return form.sign * (arb(value) / scale).log()
    return (arb(value) - number(form.shift)) / scale if form.kind == "linear" else (arb(value) / scale).exp()


@pytest.mark.slow
@given(st.lists(STEPS, min_size=1, max_size=5), st.integers(1, GRID - 1) | st.integers(1, 99).map(lambda k: GRID - k))
@settings(max_examples=400)
def test_a_double_is_as_near_to_its_function_as_its_form_says(steps: list[tuple[str, Any]], k: int) -> None:
    """The most that the error of a variable can be, also where only its expectation is counted."""
    draw = lazy_draw()
    for name, constant in steps:
        try:
            with np.errstate(all="ignore"):
                draw = UNARY[name](draw) if constant is None else BINARY[name](draw, constant)
        except (Refusal, ValueError, ArithmeticError):
            assume(False)
        assume(isinstance(draw, LazyUniform))
    form = draw._form
    assume(isinstance(form, Form))
    assert isinstance(form, Form)
    with ctx.workprec(300):
        exact, found = exact_of(form, k), stands_for(form, draw._value(k))
        allowed = number(form.extreme) * exact + number(form.absolute)
        # of what is relative to Y', not to Y, one half more is enough
        assert abs(found - exact) <= allowed * arb("1.5") + arb(2) ** -200
        assert number(form.relative) <= number(form.extreme) or form.kind != "log"


@pytest.mark.parametrize("wrong", ["relative", "extreme", "rate", "exponent"])
def test_faults_of_the_error_bounds_are_seen(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A function that is another one, or errors that are left out."""
    kept = Form.moved

    def faulty(self: Form, factor: Any, added: Fraction) -> Form | None:
        form = kept(self, factor, added)
        changed = {"relative": Fraction(0), "extreme": Fraction(0), "rate": Fraction(2), "exponent": Fraction(1, 2)}
        return form and form._with(**{wrong: changed[wrong]})

    assert mean_is_kept(math.log(3.0))
    monkeypatch.setattr(Form, "moved", faulty)
    seen = 0
    for k in range(1, GRID, GRID // 257):
        log = UNARY["math.log"]
        draw = log(-log(lazy_draw())) + 3.25 if wrong == "exponent" else log(lazy_draw()) / 3.0
        form = draw._form
        with ctx.workprec(300):
            exact, found = exact_of(form, k), stands_for(form, draw._value(k))
            seen += not abs(found - exact) <= (number(form.extreme) * exact + number(form.absolute)) * arb("1.5")
    assert (seen > 0) == (wrong != "relative")
    assert mean_is_kept(math.log(3.0)) == (wrong == "extreme")


def mean_is_kept(shift: float) -> bool:
    """Whether the errors of a Gumbel draw, in proportion to its variable, are on average what is counted at most."""
    log, errors = UNARY["math.log"], arb(0)
    draw = -log(-log(lazy_draw())) + shift
    places = range(GRID // 1024, GRID, GRID // 512)
    with ctx.workprec(300):
        for k in places:
            exact = exact_of(draw._form, k)
            errors += abs(stands_for(draw._form, draw._value(k)) - exact) / exact
        return bool(errors / len(places) <= number(draw._form.relative))


@given(st.integers(1, 6), st.integers(1, 6), st.booleans(), st.booleans(), st.sampled_from([4, 7, 16, 31]))
@settings(max_examples=60)
def test_the_grid_of_doubles_changes_the_order_of_few_squares(
    a: int, b: int, first: bool, second: bool, size: int
) -> None:
    """On a coarse grid, exactly: P(V^b < W^a) for V, W on the grid, by the area under the curve. Corners that the curve
    touches are those of one more row."""
    values = [[Fraction(size - k if flip else k, size) for k in range(size)] for flip in (first, second)]
    less = sum(1 for v in values[0] for w in values[1] if v**b < w**a)
    equal = sum(1 for v in values[0] for w in values[1] if v**b == w**a)
    ideal = Fraction(b, a + b)  # of R^b < S^a for uniform R, S
    for count in (less, less + equal):
        assert abs(Fraction(count, size * size) - ideal) <= Fraction(SQUARES // 3, size)


@pytest.mark.slow
def test_the_probabilities_of_a_race_are_known_within_its_bound_only() -> None:
    found = audit_adapter(Path(styles.__file__), "grr_gumbel", "GRR", {"d": 3, "epsilon": 1.0}, options=BUDGETS)
    law = found.row("law")
    assert law.verdict is Verdict.ROUNDING
    assert 0 < Fraction(law.figures["unexplored"]) < Fraction(1, 1 << 40)
