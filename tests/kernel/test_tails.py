"""Every numeric primitive of the bounds of shuffled reports alone, at few bits and in narrow windows, beside exact
fractions; and faults planted in each of them. (Within a bound most of them would be too small to be seen.) So are the
bounds of the cards beside: *two_labels*, *separate_labels*, *broken_lines*, *third_values*."""

from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dp_kernel import Rejected
from dp_kernel.amplification import broken_lines, third_values, two_labels
from dp_kernel.amplification import separate_labels as separate
from dp_kernel.cards import blanket
from dp_kernel.cards.blanket import Hint, Shuffled
from dp_kernel.meter import limited
from dp_kernel.shuffle import tails
from dp_kernel.shuffle.tails import Line
from independent import plain_shuffle as plain
from independent.apart_bounds import APART
from independent.shuffle_bounds import BOUNDS, PRIMITIVES, encloses, holds
from independent.two_label_bounds import TWO_LABELS
from mutants import kernel

CASES = BOUNDS | PRIMITIVES | TWO_LABELS | APART
F = Fraction
chances = st.fractions(0, 1, max_denominator=30)
bits = st.integers(2, 20)


@pytest.mark.parametrize("of", CASES)
def test_everything_is_enclosed(of: str) -> None:
    assert list(CASES[of]()) == []


@given(st.integers(0, 40), chances, st.integers(1, 4), bits)
def test_windows(n: int, p: Fraction, width: int, digits: int) -> None:
    window = tails.binomial(n, p, *tails.around(n, p, width), digits)
    assert encloses(window, plain.binomial(n, p), digits)


@given(st.lists(st.tuples(st.integers(0, 25), chances), min_size=2, max_size=3), st.integers(1, 3), bits)
def test_sums_in_any_order(laws: list[tuple[int, Fraction]], width: int, digits: int) -> None:
    exact = plain.summed([plain.binomial(n, p) for n, p in laws])
    for order in (laws, laws[::-1]):
        windows = [tails.binomial(n, p, *tails.around(n, p, width), digits) for n, p in order]
        found = windows[0]
        for window in windows[1:]:
            found = third_values.added(found, window, digits)
        assert encloses(found, exact, digits)


@given(st.integers(0, 60), st.integers(0, 8), st.integers(1, 8), st.integers(1, 40), st.integers(1, 9), bits)
def test_tails_of_all_sizes(constant: int, slope: int, step: int, most: int, width: int, digits: int) -> None:
    line = Line(constant, slope, step)
    try:
        found = list(tails.half_tails(line, most, 1, width, digits))
    except Rejected:
        assert slope > step or line.at(most) <= tails.around(most - 1, F(1, 2), width)[0]
        return
    for m, (tail, point) in zip(range(most, 0, -1), found, strict=True):
        t = line.at(m)
        assert holds(tail, plain.tail(m - 1, t), digits)
        assert holds(point, plain.point(m - 1, t - 1), digits)


@given(
    st.integers(0, 20), chances, st.sets(st.integers(1, 30), min_size=1), st.integers(1, 20), st.integers(1, 4), bits
)
def test_shortfalls_of_all_sizes(n: int, p: Fraction, of: set[int], steps: int, width: int, digits: int) -> None:
    if p in (0, 1):
        with pytest.raises(Rejected):
            list(broken_lines.shortfalls(n, p, [1], steps, width, digits))
        return
    for c, *found in zip(sorted(of), *broken_lines.shortfalls(n, p, sorted(of), steps, width, digits), strict=True):
        for i, pair in enumerate(found):
            assert holds(pair[1], plain.shortfall(n + i, p, c), digits)
            assert holds(pair[0], sum(plain.binomial(n + i, p)[:c], F(0)), digits)


knots = st.lists(st.integers(1, 9), max_size=4, unique=True).map(lambda found: (0, *sorted(found)))
gain = st.fractions(0, 9, max_denominator=6)


@given(st.integers(1, 5), chances, chances, st.tuples(gain, gain, gain), knots, st.integers(1, 3), st.integers(8, 20))
def test_positive_parts(
    n: int, one: Fraction, share: Fraction, gains: Any, bends: Any, width: int, digits: int
) -> None:
    """Any chances; knots beyond all numbers; K that is as large as it can be."""
    pair = one / 2
    third = share * (1 - one)
    g2, g1 = sorted(gains[1:])
    signed, told = (gains[0], -g1, -g2), Hint(width, digits, bends)
    with suppress(Rejected):
        found = blanket.positive_part(n, pair, signed, told)
        assert found.low <= plain.positive_part(n, (pair, pair, 1 - one), signed) <= found.high
    if len(bends) > 1:
        with suppress(Rejected):
            bent = broken_lines.mean_of_line(n, pair, third, signed, told)
            assert bent >= plain.positive_part(n, (pair, pair, third), signed)


def test_a_window_beside_the_mode_is_none() -> None:
    for low, high in ((0, 3), (7, 10), (8, 8)):
        with pytest.raises(Rejected, match="do not fall"):
            tails.binomial(10, F(1, 2), low, high, 20)
    for low, high, precision in ((-1, 3, 9), (0, 11, 9), (4, 3, 9), (0, 10, 0), (0, 10, 1025)):
        with pytest.raises(Rejected, match="not a window"):
            tails.binomial(10, F(1, 2), low, high, precision)


PREMISES: list[dict[str, Any]] = [
    {"labels": 1},
    {"users": 0},
    {"extra": -1},
    {"a": F(9, 10)},
    {"q": F(1, 2)},
    {"q": F(-1, 9)},
]
HINTS: list[dict[str, Any]] = [
    {"width": 0},
    {"width": 65},
    {"bits": 7},
    {"bits": 1025},
    {"knots": ()},
    {"knots": (1, 2)},
    {"knots": (0, 2, 2)},
    {"knots": (0, -1)},
]


@pytest.mark.parametrize("wrong", [*PREMISES, *HINTS])
def test_premises(wrong: dict[str, Any]) -> None:
    right = Shuffled(3, 5, 0, F(1, 5), F(2)), Hint(3, 20)
    blanket.require_premises(*right)
    s, told = (right[0]._replace(**wrong), right[1]) if wrong in PREMISES else (right[0], right[1]._replace(**wrong))
    beside = (separate.separate_labels, broken_lines.broken_line, third_values.beside_messages)
    for bound in (blanket.above, blanket.third, *beside, lambda s, told: two_labels.with_ones(s, 0, told)):
        with pytest.raises(Rejected):
            bound(s, told)


def test_no_lower_bound_of_too_few_labels() -> None:
    for s in (Shuffled(2, 5, 0, F(1, 5), F(2)), Shuffled(3, 5, 1, F(1, 5), F(2)), Shuffled(3, 5, 0, F(0), F(2))):
        with pytest.raises(Rejected, match="third"):
            blanket.third(s, Hint(3, 20))
        with pytest.raises(Rejected, match="third"):
            broken_lines.broken_line(s, Hint(3, 20, (0, 2)))
    with pytest.raises(Rejected, match="third"):
        third_values.beside_messages(Shuffled(2, 5, 0, F(1, 5), F(2)), Hint(3, 20))
    with pytest.raises(Rejected, match="not broken"):
        broken_lines.broken_line(Shuffled(3, 5, 0, F(1, 5), F(2)), Hint(3, 20))
    with pytest.raises(Rejected, match="two labels"):
        two_labels.of_two_labels(Shuffled(3, 5, 0, F(1, 5), F(2)), Hint(3, 20))
    with pytest.raises(Rejected, match="four labels"):
        separate.separate_labels(Shuffled(3, 5, 0, F(1, 5), F(2)), Hint(3, 20, (0, 2)))
    for ones in (-1, 5):
        with pytest.raises(Rejected, match="other users"):
            two_labels.with_ones(Shuffled(2, 5, 0, F(1, 5), F(2)), ones, Hint(3, 20))


def test_what_is_long_is_paid_for() -> None:
    """The same work with longer numbers costs more."""
    spent = []
    for a in (F(2), 1 + F(1, 10**3000), 1 + F(1, 10**30_000)):
        for bound in (
            lambda s: blanket.above(s, Hint(5, 40)),
            lambda s: blanket.third(s._replace(labels=3), Hint(5, 40)),
            lambda s: two_labels.with_ones(s, 3, Hint(5, 40)),
            lambda s: third_values.beside_messages(s._replace(labels=3, extra=1), Hint(5, 40)),
        ):
            with limited(10**9) as meter:
                bound(Shuffled(2, 1000, 0, F(1, 5), a))
            spent.append(meter.spent)
    for short, longer, longest in zip(spent[:4], spent[4:8], spent[8:], strict=True):
        assert short * 3 < longer * 2 < longest


FAULTS: dict[str, tuple[Any, str, str, str]] = {
    "numbers: rounded down": (tails, "ceil", "-(-x // y)", "x // y"),
    "numbers: ends in the same order": (third_values, "times", "(c * x[1], c * x[0])", "(c * x[0], c * x[1])"),
    "windows: nothing below": (tails, "Window", "(0, self.left)", "(0, 0)"),
    "windows: nothing above": (tails, "Window", "(0, self.right)", "(0, 0)"),
    "windows: the left tail": (tails, "binomial", "terms, ceil(left * one, least)", "terms, 0"),
    "windows: the right tail": (tails, "binomial", "ceil(right * one, least))", "0)"),
    "windows: no tails": (tails, "_multiples", "if num else 0", "if not num else 0"),
    "windows: the tail of one more": (
        tails,
        "_multiples",
        "num, den = (n - end) * u, (end + 1) * v\n",
        "num, den = (n - end - 1) * u, (end + 2) * v\n",
    ),
    "windows: more is rounded down": (tails, "_multiples", "ceil(y * num, den)))", "y * num // den))"),
    "windows: less is rounded up": (tails, "_multiples", "(x * num // den,", "(ceil(x * num, den),"),
    "windows: terms are rounded down": (tails, "binomial", "ceil(y * one, least)) for", "y * one // least) for"),
    "windows: terms are rounded up": (tails, "binomial", "(x * one // most", "(ceil(x * one, most)"),
    "windows: of the smaller sum": (tails, "binomial", "x * one // most", "x * one // least"),
    "windows: of the larger sum": (tails, "binomial", "ceil(y * one, least)) for", "ceil(y * one, most)) for"),
    "windows: nothing beyond above": (tails, "binomial", "found) + left + right", "found) + left"),
    "windows: nothing beyond below": (tails, "binomial", "found) + left + right", "found) + right"),
    "windows: the mode is counted twice": (tails, "binomial", "below[:0:-1]", "below[::-1]"),
    "windows: the mode is not counted": (tails, "binomial", "*above]", "*above[1:]]"),
    "windows: ratios of one more": (tails, "_multiples", "found[-1], (n - j) * u", "found[-1], (n - j + 1) * u"),
    "windows: ratios of one less": (tails, "_multiples", "(j + 1) * v\n", "(j + 2) * v\n"),
    "windows: below is above": (tails, "binomial", "_multiples(n, v, u, n - mode", "_multiples(n, u, v, n - mode"),
    "windows: from the next": (tails, "binomial", "Window(low, ", "Window(low + 1, "),
    "windows: the left tail is rounded down": (
        tails,
        "binomial",
        "terms, ceil(left * one, least)",
        "terms, left * one // most",
    ),
    "windows: the right tail is rounded down": (
        *(tails, "binomial", "ceil(right * one, least))"),
        "right * one // most)",
    ),
    "windows: anywhere": (tails, "_multiples", "require(num < den", "require(num != den"),
    "windows: a series of one": (tails, "_multiples", "den - num)", "den)"),
    "sums: nothing outside": (third_values, "added", "+ 1 + outside)", "+ 1)"),
    "sums: rounded down": (third_values, "added", "(y >> bits) + 1 + outside", "(y >> bits) + outside"),
    "sums: rounded up": (third_values, "added", "(x >> bits,", "((x >> bits) + 1,"),
    "sums: the left of the first": (third_values, "added", "= first.left + first.right", "= first.right"),
    "sums: the right of the first": (third_values, "added", "= first.left + first.right", "= first.left"),
    "sums: the left of the second": (third_values, "added", "+ second.left + second.right", "+ second.right"),
    "sums: the right of the second": (third_values, "added", "+ second.left + second.right", "+ second.left"),
    "sums: of the first": (third_values, "added", "Window(first.low + second.low,", "Window(first.low,"),
    "sums: outside of one side": (third_values, "added", "terms, outside, outside)", "terms, outside, 0)"),
    "sums: what does not fit": (third_values, "added", "require(count *", "require(True or count *"),
    "sums: digits in any order": (
        third_values,
        "_convolved",
        'raw = (a * b).to_bytes(size * (count + 1), "little")',
        'raw = (a * b).to_bytes(size * (count + 1), "big")',
    ),
    "lines: thresholds that are reached": (tails, "Line", "// self.step + 1", "// self.step"),
    "tails: without the right": (tails, "half_tails", " + window.right", ""),
    "tails: from the next": (tails, "half_tails", "[t - window.low :]", "[t - window.low + 1 :]"),
    "tails: sums are of one side": (tails, "half_tails", "sum(y for _, y", "sum(y for y, _"),
    "tails: far below": (tails, "half_tails", "require(t > window.low", "require(True"),
    "tails: another point": (tails, "half_tails", "window.at(t - 1)", "window.at(t)"),
    "tails: of one less": (tails, "half_tails", "2 * (n - t + 1)", "2 * (n - t)"),
    "tails: less falls by less": (tails, "half_tails", "tail[0] - (beside[1] + 1 >> 1)", "tail[0] - (beside[0] >> 1)"),
    "tails: more falls by more": (tails, "half_tails", "tail[1] - (beside[0] >> 1)", "tail[1] - (beside[1] + 1 >> 1)"),
    "tails: less grows by more": (tails, "half_tails", "tail[0] + (beside[0] >> 1)", "tail[0] + (beside[1] + 1 >> 1)"),
    "tails: more grows by less": (tails, "half_tails", "tail[1] + (beside[1] + 1 >> 1)", "tail[1] + (beside[0] >> 1)"),
    "tails: points beside are rounded down": (
        *(tails, "half_tails", "-(-point[1] * moved // n)"),
        "point[1] * moved // n",
    ),
    "tails: points beside are rounded up": (tails, "half_tails", "point[0] * moved // n", "ceil(point[0] * moved, n)"),
    "tails: points of one more": (
        tails,
        "half_tails",
        "-(-point[1] * 2 * (t - 1) // n)",
        "-(-point[1] * 2 * (t - 2) // n)",
    ),
    "tails: points are rounded up": (
        *(tails, "half_tails", "point[0] * 2 * (t - 1) // n"),
        "ceil(point[0] * 2 * (t - 1), n)",
    ),
    "shortfalls: without the left": (broken_lines, "_sums", "(0, window.left)", "(0, 0)"),
    "shortfalls: the left is near": (broken_lines, "_sums", "(0, low * window.left)", "(0, 0)"),
    "shortfalls: the left is nearer": (broken_lines, "_sums", "min(0, c - low)", "-low"),
    "shortfalls: nothing beyond": (broken_lines, "_sums", "short[1] + over * most", "short[1]"),
    "shortfalls: more beyond": (
        broken_lines,
        "_sums",
        "short[0] + over * reached[0]",
        "short[0] + (over + 1) * reached[0]",
    ),
    "shortfalls: one more": (broken_lines, "_sums", "range(at, min(c, end))", "range(at, min(c, end) - 1)"),
    "shortfalls: again": (broken_lines, "_sums", "at, over = max(at, min(c, end)),", "at, over = at,"),
    "shortfalls: less falls by less": (
        broken_lines,
        "_falling",
        "+ -reached[1] * num // den",
        "- reached[0] * num // den",
    ),
    "shortfalls: more falls by more": (
        *(broken_lines, "_falling", "short[1] - reached[0] * num // den"),
        "short[1] - ceil(reached[1] * num, den)",
    ),
    "shortfalls: fewer are reached": (broken_lines, "_falling", "reached[1] - chance[0]", "reached[1] - chance[1]"),
    "shortfalls: more are reached": (broken_lines, "_falling", "-chance[1] * num // den", "-chance[0] * num // den"),
    "shortfalls: the next chance": (broken_lines, "shortfalls", "window.at(c - 1)", "window.at(c)"),
    "shortfalls: enters late": (broken_lines, "_falling", "if size + 2 == c:", "if size + 1 == c:"),
    "shortfalls: enters with one more": (broken_lines, "_falling", "_power(num, den, c - 1", "_power(num, den, c - 2"),
    "shortfalls: anew, of the first size": (broken_lines, "shortfalls", "_falling(size,", "_falling(n,"),
    "shortfalls: anew, in the first window": (
        broken_lines,
        "shortfalls",
        "binomial(size, p, *around(size",
        "binomial(n, p, *around(n",
    ),
    "shortfalls: anew, too late": (
        broken_lines,
        "shortfalls",
        "min(every, n + steps - size)",
        "min(every - 1, n + steps - size)",
    ),
    "powers: without the last digit": (broken_lines, "_power", 'f"{n:b}"', 'f"{n:b}"[:-1]'),
    "powers: less is rounded up": (broken_lines, "_power", "low * low // one", "ceil(low * low, one)"),
    "powers: more is rounded down": (broken_lines, "_power", "ceil(high * high, one)", "high * high // one"),
    "powers: a factor is rounded up": (broken_lines, "_power", "low * num // den", "ceil(low * num, den)"),
    "powers: a factor is rounded down": (broken_lines, "_power", "ceil(high * num, den)", "high * num // den"),
    "shortfalls: chances of one more": (
        broken_lines,
        "_falling",
        "(size + 1) * (den - num)",
        "(size + 2) * (den - num)",
    ),
    "shortfalls: chances of one less": (broken_lines, "_falling", "(size + 2 - c) * den", "(size + 3 - c) * den"),
    "positive parts: nothing outside": (blanket, "positive_part", "g0 * n * (law", "0 * (law"),
    "margins: without the left": (blanket, "positive_part", "(law.left + law.right)", "law.right"),
    "positive parts: without the right": (blanket, "positive_part", "(law.left + law.right)", "law.left"),
    "margins: outside, of one half": (blanket, "positive_part", "2 * scale << bits)", "4 * scale << bits)"),
    "positive parts: from the second": (blanket, "positive_part", "least = max(1, low)", "least = max(1, low) + 1"),
    "positive parts: less and more": (blanket, "positive_part", "enumerate(law.at(m))", "enumerate(law.at(m)[::-1])"),
    "positive parts: outside is shown": (blanket, "positive_part", "Interval(shown, most", "Interval(most, most"),
    "positive parts: all that are left, too many": (blanket, "positive_part", "Line(-g2 * n,", "Line(-2 * g2 * n,"),
    "positive parts: without the size bias": (
        *(blanket, "positive_part", "high, least, hint.width, bits)"),
        "high + 1, least + 1, hint.width, bits)",
    ),
    "positive parts: below": (blanket, "positive_part", "tail[(twice >= 0) == end]", "tail[(twice < 0) == end]"),
    "positive parts: above alone": (blanket, "positive_part", "tail[(twice >= 0) == end]", "tail[twice >= 0]"),
    "positive parts: below alone": (blanket, "positive_part", "tail[(twice >= 0) == end]", "tail[twice < 0]"),
    "positive parts: the point below": (
        *(blanket, "positive_part", "point[(once >= 0) == end]"),
        "point[(once < 0) == end]",
    ),
    "positive parts: no point": (blanket, "positive_part", "once * point[(once >= 0) == end]", "0"),
    "positive parts: the size of one less": (blanket, "positive_part", "m * g0 + loss", "(m - 1) * g0 + loss"),
    "positive parts: another threshold": (blanket, "positive_part", "Line(-g2 * n,", "Line(g0 - g1 - g2 * n,"),
    "positive parts: losses twice": (blanket, "positive_part", "2 * loss", "4 * loss"),
    "positive parts: losses of all": (blanket, "positive_part", "g2 * (n - m)", "g2 * n"),
    "positive parts: losses count nothing": (blanket, "positive_part", "max(0, gain)", "abs(gain)"),
    "above: of one user more": (blanket, "above", ".high / n", ".high / (n + 1)"),
    "above: any gain is none": (blanket, "above", "if g0 <= 0", "if g1 <= 0"),
    "above: third messages lose": (blanket, "above", "Fraction(0)), hint).high", "g1 / q), hint).high"),
    "bounds: the lower end": (blanket, "above", ".high / n", ".low / n"),
    "above: no size bias": (blanket, "above", "* k / total", "/ total"),
    "masses: the lower ends": (blanket, "above", ".high * k", ".low * k"),
    "masses: less mass": (blanket, "above", "law.at(b)[1]", "law.at(b)[0]"),
    "above: blocks without their first": (blanket, "above", "range(start, end)", "range(start + 1, end)"),
    "above: blocks by their ends": (blanket, "above", "total = s.extra + start + 1", "total = s.extra + end"),
    "above: one message more": (blanket, "above", "total = s.extra + start + 1", "total = s.extra + start + 2"),
    "above: every user is uniform": (blanket, "above", "law = binomial(n - 1, k", "law = binomial(n, k"),
    "third: beside messages": (blanket, "third", " and not s.extra", ""),
    "third: the upper end": (blanket, "third", ".low / s.users", ".high / s.users"),
    "third: of fewer users": (blanket, "third", ".low / s.users", ".low / (s.users - 1 or 1)"),
    "third: what is elsewhere is nothing": (blanket, "third", "(1 - s.a - g0 - g1)", "0"),
    "third: less is elsewhere": (blanket, "third", "/ (1 - 2 * q)", "* (1 - 2 * q)"),
    "bends: nothing outside": (broken_lines, "mean_of_line", "<< 3 * bits) + outside", "<< 3 * bits)"),
    "bends: without the right": (broken_lines, "mean_of_line", "(law.left + law.right)", "law.left"),
    "bends: from the second": (broken_lines, "mean_of_line", "least = max(1, low)", "least = max(1, low) + 1"),
    "bends: less": (broken_lines, "mean_of_line", "law.at(m)[1]", "law.at(m)[0]"),
    "bends: a shortfall below": (broken_lines, "_bent", "fall[c >= 0]", "fall[c < 0]"),
    "bends: beyond the last knot": (broken_lines, "_bent", "strict=True)), 0]", "strict=True)), at[-1]]"),
    "bends: no broken line": (broken_lines, "_bent", "(c := before - after) * fall[c >= 0]", "0 * fall[0]"),
    "bends: of any width": (broken_lines, "_bent", "(unit // gap)", "1"),
    "bends: of other knots": (
        broken_lines,
        "mean_of_line",
        "share, hint.knots[1:]",
        "share, [c + 1 for c in hint.knots[1:]]",
    ),
    "bends: of fewer that are left": (
        *(broken_lines, "mean_of_line", "shortfalls(n - high, share"),
        "shortfalls(n - least, share",
    ),
    "bends: of more that are left": (
        *(broken_lines, "mean_of_line", "shortfalls(n - high, share"),
        "shortfalls(n - high + 1, share",
    ),
    "bends: a share of all": (broken_lines, "mean_of_line", "third / (1 - 2 * pair)", "third"),
    "bends: a larger share": (broken_lines, "mean_of_line", "third / (1 - 2 * pair)", "2 * pair"),
    "bends: third messages lose twice": (broken_lines, "mean_of_line", "g1, g2 * c,", "g1, 2 * g2 * c,"),
    "bounds: more third messages": (broken_lines, "broken_line", "(s.labels - 2) * s.q", "(s.labels - 1) * s.q"),
    "bounds: of one user more": (broken_lines, "broken_line", "hint) / s.users", "hint) / (s.users + 1)"),
    "bends: halves, without the size bias": (
        broken_lines,
        "_twice",
        "half_tails(Line(-loss, -g1, g0 - g1), most, least",
        "half_tails(Line(-loss, -g1, g0 - g1), most + 1, least + 1",
    ),
    "bends: halves, below": (broken_lines, "_twice", "tail[twice >= 0]", "tail[twice < 0]"),
    "bends: halves, the point below": (broken_lines, "_twice", "point[once >= 0]", "point[once < 0]"),
    "bends: halves, no point": (broken_lines, "_twice", "once * point[once >= 0]", "0"),
    "bends: halves, the size of one less": (broken_lines, "_twice", "m * g0 + loss", "(m - 1) * g0 + loss"),
    "bends: halves, another threshold": (broken_lines, "_twice", "Line(-loss,", "Line(g0 - g1 - loss,"),
    "bends: halves, losses twice": (broken_lines, "_twice", "2 * loss", "4 * loss"),
    "events: a tail above": (third_values, "beside_messages", "tail[0] + point[0]", "tail[1] + point[1]"),
    "events: the other row below": (third_values, "beside_messages", "times(g1, tail)[0]", "times(g1, tail)[1]"),
    "events: more mass": (third_values, "beside_messages", "times(gain, known)[0]", "times(gain, known)[1]"),
    "events: what is elsewhere is nothing": (
        third_values,
        "beside_messages",
        ", (1 - s.a) - sum(s.gains[:2])]",
        ", Fraction(0)]",
    ),
    "events: less is elsewhere": (third_values, "beside_messages", "beside[1] * (2", "beside[0] * (2"),
    "events: one message more": (
        third_values,
        "beside_messages",
        "law.at(m - 1), law.at(m)",
        "law.at(m), law.at(m)",
    ),
    "events: others show one label": (third_values, "beside_messages", "2 * s.q), (s.extra", "s.q), (s.extra"),
    "events: no uniform messages": (third_values, "beside_messages", ", (s.extra, Fraction(2, s.labels))]", "]"),
    "others: added messages": (separate, "separate_labels", "and not s.extra", ""),
    "apart: the first label's chance": (separate, "separate_labels", "(q, q, p, q)", "(p, q, q, q)"),
    "apart: elsewhere is a third label": (separate, "separate_labels", "(q, q, p, q)", "(q, q, p, p)"),
    "apart: of all that are left": (separate, "separate_labels", "p / (1 - 2 * q)", "p"),
    "apart: one of two": (separate, "separate_labels", "binomial(n, 2 * q, low", "binomial(n, q, low"),
    "apart: more mass": (separate, "separate_labels", "law.at(m)[0] * max", "law.at(m)[1] * max"),
    "apart: losses count nothing": (separate, "separate_labels", "max(0, shown)", "abs(shown)"),
    "apart: a tail above": (separate, "separate_labels", "* m, tail)[0]", "* m, tail)[1]"),
    "apart: a point above": (separate, "separate_labels", "* m, point)[0]", "* m, point)[1]"),
    "apart: a loss that is likely less": (separate, "separate_labels", "if gain > 0", "if gain < 0"),
    "apart: more chance": (separate, "separate_labels", "end[0][0] - start[0][1])", "end[0][1] - start[0][0])"),
    "apart: more is held": (separate, "separate_labels", "end[1][0] - start[1][1])", "end[1][1] - start[1][0])"),
    "apart: tails above are held": (
        separate,
        "separate_labels",
        "(2 * tail[0] + point[0])",
        "(2 * tail[1] + point[1])",
    ),
    "apart: points are whole": (separate, "separate_labels", "(2 * tail[0] + point[0])", "2 * (tail[0] + point[0])"),
    "apart: constants once": (separate, "separate_labels", "times(2 * constant +", "times(constant +"),
    "apart: of fewer users": (separate, "separate_labels", "scale * n <<", "scale * (n - 1 or 1) <<"),
    "apart: fewer third messages": (separate, "separate_labels", "share * (n - m)", "share * n"),
    "apart: shortfalls of all": (separate, "separate_labels", "shortfalls(n - high,", "shortfalls(n - high + 1,"),
    "apart: less is held below": (separate, "_parts", "c * reached[1] - short)", "c * reached[1] - more)"),
    "chances: nothing outside": (two_labels, "Both", "return low, high + self.outside", "return low, high"),
    "chances: nothing outside is less": (two_labels, "Both", "met[1] + self.outside", "met[1]"),
    "chances: without the left": (two_labels, "Both", "first.left + first.right", "first.right"),
    "chances: without the right": (two_labels, "Both", "second.left + second.right", "second.left"),
    "chances: of one side": (two_labels, "Both", "for i in (0, 1)", "for i in (0, 0)"),
    "chances: of the next": (
        two_labels,
        "Both",
        "self.units = few.low + many.low,",
        "self.units = few.low + many.low + 1,",
    ),
    "chances: not the last": (two_labels, "_met", "min(len(few), i + 1)", "min(len(few), i)"),
    "chances: not the first": (two_labels, "_met", "max(0, i - len(many) + 1)", "max(0, i - len(many) + 2)"),
    "chances: in the same order": (
        two_labels,
        "_met",
        "reversed(many[i - end + 1 : i - first + 1])",
        "many[: end - first]",
    ),
    "chances: less without what is passed": (two_labels, "Both", "z[-1] * sum(x[", "0 * sum(x["),
    "chances: less than the next": (two_labels, "Both", "accumulate(x, initial=0)", "accumulate(x)"),
    "ones: below by more": (two_labels, "with_ones", "up * here[0] - (down", "up * here[1] - (down"),
    "ones: below by fewer": (two_labels, "with_ones", "* fewer[1], up", "* fewer[0], up"),
    "ones: above by less": (two_labels, "with_ones", "up * here[1] - (down", "up * here[0] - (down"),
    "ones: above by more": (two_labels, "with_ones", "* fewer[0]\n", "* fewer[1]\n"),
    "ones: nothing before": (two_labels, "with_ones", "down * before[1] - up * here[0]", "0"),
    "ones: nothing after": (two_labels, "with_ones", "up * after[1] - down * here[0]", "0"),
    "ones: less is below zero": (two_labels, "with_ones", "Fraction(max(0, low)", "Fraction(abs(low)"),
    "blocks: of as many users": (two_labels, "of_block", "s.users - (end - 1 - first)", "s.users"),
    "blocks: of one user more": (
        two_labels,
        "of_block",
        "s.users - (end - 1 - first)",
        "s.users - max(0, end - 2 - first)",
    ),
    "blocks: of their ends": (two_labels, "of_block", "first, hint)[1]", "0, hint)[1]"),
    "blocks: from below": (two_labels, "of_block", "first, hint)[1]", "first, hint)[0]"),
    "blocks: the last alone": (two_labels, "of_two_labels", "paid(hint.knots)", "paid(hint.knots[-1:])"),
    "ones: of zeros": (two_labels, "with_ones", "(ones, 1 - s.q)", "(ones, s.q)"),
    "ones: of one user more": (two_labels, "with_ones", "s.users - 1 - ones", "s.users - ones"),
    "ones: no uniform messages": (two_labels, "with_ones", ", (s.extra, 1 - Fraction(1, s.labels))]", "]"),
    "ones: uniform messages of two labels": (two_labels, "with_ones", "1 - Fraction(1, s.labels)", "Fraction(1, 2)"),
    "ones: one other label": (two_labels, "with_ones", "(s.labels - 1) * s.q", "s.q"),
    "gains: of another chance": (blanket, "Shuffled", "1 - (self.labels - 1) * self.q", "1 - self.labels * self.q"),
}
"""Module, function, what its text says, and what the mutant's says."""


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tails.binomial.cache_clear()  # type: ignore[attr-defined]
    kernel.rewrite(*FAULTS[fault], monkeypatch)
    with suppress(ZeroDivisionError, IndexError, Rejected):  # it has no terms, or refuses what is right
        first = sorted(CASES, key=lambda case: case != fault.partition(":")[0])
        assert any(next(CASES[case](), None) is not None for case in first)
    tails.binomial.cache_clear()  # type: ignore[attr-defined]
