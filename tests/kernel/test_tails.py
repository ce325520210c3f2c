"""Every numeric primitive of the bounds of shuffled reports alone, at few bits and in narrow windows, beside exact
fractions; and faults planted in each of them. (Within a bound most of them would be too small to be seen.) So are the
bounds of the cards beside: *two_labels*, *separate_labels*, *broken_lines*, *third_values*."""

from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest

from dp_kernel import Rejected
from dp_kernel.amplification import broken_lines, third_values, two_labels
from dp_kernel.amplification import separate_labels as separate
from dp_kernel.cards import blanket
from dp_kernel.cards.blanket import Hint, Shuffled
from dp_kernel.meter import limited
from dp_kernel.numbers import tails
from independent.separate_labels import APART
from independent.shuffle_bounds import BOUNDS, PRIMITIVES
from independent.two_label_bounds import TWO_LABELS
from mutants.rewriting import Fault, planted

CASES = BOUNDS | PRIMITIVES | TWO_LABELS | APART
F = Fraction


@pytest.mark.parametrize("of", CASES)
def test_everything_is_enclosed(of: str) -> None:
    assert list(CASES[of]()) == []


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
    s, hint = (right[0]._replace(**wrong), right[1]) if wrong in PREMISES else (right[0], right[1]._replace(**wrong))
    beside = (separate.separate_labels, broken_lines.broken_line, third_values.beside_messages)
    for bound in (blanket.above, blanket.third, *beside, lambda s, hint: two_labels.with_ones(s, 0, hint)):
        with pytest.raises(Rejected):
            bound(s, hint)


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
    with pytest.raises(Rejected, match="a shortfall"):
        separate.separate_labels(Shuffled(4, 5, 0, F(1, 5), F(2)), Hint(3, 20))
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


FAULTS: dict[tuple[Any, str], dict[str, tuple[str, str]]] = {
    (tails, "ceil"): {
        "numbers: rounded down": ("-(-x // y)", "x // y"),
    },
    (third_values, "times"): {
        "numbers: ends in the same order": ("(c * x[1], c * x[0])", "(c * x[0], c * x[1])"),
    },
    (tails, "Window"): {
        "windows: nothing below": ("(0, self.left)", "(0, 0)"),
        "windows: nothing above": ("(0, self.right)", "(0, 0)"),
    },
    (tails, "binomial"): {
        "windows: the left tail": ("terms, ceil(left * one, least)", "terms, 0"),
        "windows: the right tail": ("ceil(right * one, least))", "0)"),
        "windows: terms are rounded down": ("ceil(y * one, least)) for", "y * one // least) for"),
        "windows: terms are rounded up": ("(x * one // most", "(ceil(x * one, most)"),
        "windows: of the smaller sum": ("x * one // most", "x * one // least"),
        "windows: of the larger sum": ("ceil(y * one, least)) for", "ceil(y * one, most)) for"),
        "windows: nothing beyond above": ("multiples) + left + right", "multiples) + left"),
        "windows: nothing beyond below": ("multiples) + left + right", "multiples) + right"),
        "windows: the mode is counted twice": ("below[:0:-1]", "below[::-1]"),
        "windows: the mode is not counted": ("*above]", "*above[1:]]"),
        "windows: below is above": ("_multiples(n, v, u, n - mode", "_multiples(n, u, v, n - mode"),
        "windows: from the next": ("Window(low, ", "Window(low + 1, "),
        "windows: the left tail is rounded down": ("terms, ceil(left * one, least)", "terms, left * one // most"),
        "windows: the right tail is rounded down": ("ceil(right * one, least))", "right * one // most)"),
    },
    (tails, "_multiples"): {
        "windows: no tails": ("if num else 0", "if not num else 0"),
        "windows: the tail of one more": (
            "num, den = (n - end) * u, (end + 1) * v\n",
            "num, den = (n - end - 1) * u, (end + 2) * v\n",
        ),
        "windows: more is rounded down": ("ceil(y * num, den)))", "y * num // den))"),
        "windows: less is rounded up": ("(x * num // den,", "(ceil(x * num, den),"),
        "windows: ratios of one more": ("multiples[-1], (n - j) * u", "multiples[-1], (n - j + 1) * u"),
        "windows: ratios of one less": ("(j + 1) * v\n", "(j + 2) * v\n"),
        "windows: anywhere": ("require(num < den", "require(num != den"),
        "windows: a series of one": ("den - num)", "den)"),
    },
    (third_values, "added"): {
        "sums: nothing outside": ("+ 1 + outside)", "+ 1)"),
        "sums: rounded down": ("(y >> bits) + 1 + outside", "(y >> bits) + outside"),
        "sums: rounded up": ("(x >> bits,", "((x >> bits) + 1,"),
        "sums: the left of the first": ("= first.left + first.right", "= first.right"),
        "sums: the right of the first": ("= first.left + first.right", "= first.left"),
        "sums: the left of the second": ("+ second.left + second.right", "+ second.right"),
        "sums: the right of the second": ("+ second.left + second.right", "+ second.left"),
        "sums: of the first": ("Window(first.low + second.low,", "Window(first.low,"),
        "sums: outside of one side": ("terms, outside, outside)", "terms, outside, 0)"),
        "sums: what does not fit": ("require(count *", "require(True or count *"),
    },
    (third_values, "_convolved"): {
        "sums: digits in any order": (
            'raw = (a * b).to_bytes(size * (count + 1), "little")',
            'raw = (a * b).to_bytes(size * (count + 1), "big")',
        ),
    },
    (tails, "Line"): {
        "lines: thresholds that are reached": ("// self.step + 1", "// self.step"),
    },
    (tails, "half_tails"): {
        "tails: without the right": (" + window.right", ""),
        "tails: from the next": ("[t - window.low :]", "[t - window.low + 1 :]"),
        "tails: sums are of one side": ("sum(y for _, y", "sum(y for y, _"),
        "tails: far below": ("require(t > window.low", "require(True"),
        "tails: another point": ("window.at(t - 1)", "window.at(t)"),
        "tails: of one less": ("2 * (n - t + 1)", "2 * (n - t)"),
        "tails: less falls by less": ("tail[0] - (beside[1] + 1 >> 1)", "tail[0] - (beside[0] >> 1)"),
        "tails: more falls by more": ("tail[1] - (beside[0] >> 1)", "tail[1] - (beside[1] + 1 >> 1)"),
        "tails: less grows by more": ("tail[0] + (beside[0] >> 1)", "tail[0] + (beside[1] + 1 >> 1)"),
        "tails: more grows by less": ("tail[1] + (beside[1] + 1 >> 1)", "tail[1] + (beside[0] >> 1)"),
        "tails: points beside are rounded down": ("-(-point[1] * moved // n)", "point[1] * moved // n"),
        "tails: points beside are rounded up": ("point[0] * moved // n", "ceil(point[0] * moved, n)"),
        "tails: points of one more": ("-(-point[1] * 2 * (t - 1) // n)", "-(-point[1] * 2 * (t - 2) // n)"),
        "tails: points are rounded up": ("point[0] * 2 * (t - 1) // n", "ceil(point[0] * 2 * (t - 1), n)"),
    },
    (broken_lines, "_sums"): {
        "shortfalls: without the left": ("(0, window.left)", "(0, 0)"),
        "shortfalls: the left is near": ("(0, low * window.left)", "(0, 0)"),
        "shortfalls: the left is nearer": ("min(0, c - low)", "-low"),
        "shortfalls: nothing beyond": ("short[1] + over * most", "short[1]"),
        "shortfalls: more beyond": ("short[0] + over * reached[0]", "short[0] + (over + 1) * reached[0]"),
        "shortfalls: one more": ("range(at, min(c, end))", "range(at, min(c, end) - 1)"),
        "shortfalls: again": ("at, over = max(at, min(c, end)),", "at, over = at,"),
    },
    (broken_lines, "_falling"): {
        "shortfalls: less falls by less": ("+ -reached[1] * num // den", "- reached[0] * num // den"),
        "shortfalls: more falls by more": (
            "short[1] - reached[0] * num // den",
            "short[1] - ceil(reached[1] * num, den)",
        ),
        "shortfalls: fewer are reached": ("reached[1] - chance[0]", "reached[1] - chance[1]"),
        "shortfalls: more are reached": ("-chance[1] * num // den", "-chance[0] * num // den"),
        "shortfalls: enters late": ("if size + 2 == c:", "if size + 1 == c:"),
        "shortfalls: enters with one more": ("_power(num, den, c - 1", "_power(num, den, c - 2"),
        "shortfalls: chances of one more": ("(size + 1) * (den - num)", "(size + 2) * (den - num)"),
        "shortfalls: chances of one less": ("(size + 2 - c) * den", "(size + 3 - c) * den"),
    },
    (broken_lines, "shortfalls"): {
        "shortfalls: the next chance": ("window.at(c - 1)", "window.at(c)"),
        "shortfalls: anew, of the first size": (
            "range(size, min(size + every, n + steps))",
            "range(n, n + min(every, n + steps - size))",
        ),
        "shortfalls: anew, in the first window": ("binomial(size, p, *around(size", "binomial(n, p, *around(n"),
        "shortfalls: anew, too late": ("min(size + every, n", "min(size + every - 1, n"),
    },
    (broken_lines, "_power"): {
        "powers: without the last digit": ('f"{n:b}"', 'f"{n:b}"[:-1]'),
        "powers: less is rounded up": ("low * low // one", "ceil(low * low, one)"),
        "powers: more is rounded down": ("ceil(high * high, one)", "high * high // one"),
        "powers: a factor is rounded up": ("low * num // den", "ceil(low * num, den)"),
        "powers: a factor is rounded down": ("ceil(high * num, den)", "high * num // den"),
    },
    (blanket, "positive_part"): {
        "positive parts: nothing outside": ("g0 * n * (law", "0 * (law"),
        "margins: without the left": ("(law.left + law.right)", "law.right"),
        "positive parts: without the right": ("(law.left + law.right)", "law.left"),
        "margins: outside, of one half": ("2 * scale << bits)", "4 * scale << bits)"),
        "positive parts: from the second": ("least = max(1, low)", "least = max(1, low) + 1"),
        "positive parts: less and more": ("enumerate(law.at(m))", "enumerate(law.at(m)[::-1])"),
        "positive parts: outside is shown": ("Interval(lower, most", "Interval(most, most"),
        "positive parts: all that are left, too many": ("Line(-g2 * n,", "Line(-2 * g2 * n,"),
        "positive parts: without the size bias": (
            "high, least, hint.width, bits)",
            "high + 1, least + 1, hint.width, bits)",
        ),
        "positive parts: below": ("tail[(twice >= 0) == end]", "tail[(twice < 0) == end]"),
        "positive parts: above alone": ("tail[(twice >= 0) == end]", "tail[twice >= 0]"),
        "positive parts: below alone": ("tail[(twice >= 0) == end]", "tail[twice < 0]"),
        "positive parts: the point below": ("point[(once >= 0) == end]", "point[(once < 0) == end]"),
        "positive parts: no point": ("once * point[(once >= 0) == end]", "0"),
        "positive parts: the size of one less": ("m * g0 + loss", "(m - 1) * g0 + loss"),
        "positive parts: another threshold": ("Line(-g2 * n,", "Line(g0 - g1 - g2 * n,"),
        "positive parts: losses twice": ("2 * loss", "4 * loss"),
        "positive parts: losses of all": ("g2 * (n - m)", "g2 * n"),
        "positive parts: losses count nothing": ("max(0, gain)", "abs(gain)"),
    },
    (blanket, "above"): {
        "randomizers: of one user more": (".high / n", ".high / (n + 1)"),
        "randomizers: any gain is none": ("if g0 <= 0", "if g1 <= 0"),
        "randomizers: third messages lose": ("Fraction(0)), hint).high", "g1 / q), hint).high"),
        "bounds: the lower end": (".high / n", ".low / n"),
        "randomizers: no size bias": ("* k / total", "/ total"),
        "masses: the lower ends": (".high * k", ".low * k"),
        "masses: less mass": ("law.at(b)[1]", "law.at(b)[0]"),
        "randomizers: blocks without their first": ("range(start, end)", "range(start + 1, end)"),
        "randomizers: blocks by their ends": ("total = s.extra + start + 1", "total = s.extra + end"),
        "randomizers: one message more": ("total = s.extra + start + 1", "total = s.extra + start + 2"),
        "randomizers: every user is uniform": ("law = binomial(n - 1, k", "law = binomial(n, k"),
    },
    (blanket, "third"): {
        "crowds: beside messages": (" and not s.extra", ""),
        "crowds: the upper end": (".low / s.users", ".high / s.users"),
        "crowds: of fewer users": (".low / s.users", ".low / (s.users - 1 or 1)"),
        "crowds: what is elsewhere is nothing": ("(1 - s.a - g0 - g1)", "0"),
        "crowds: less is elsewhere": ("/ (1 - 2 * q)", "* (1 - 2 * q)"),
    },
    (broken_lines, "mean_of_line"): {
        "bends: nothing outside": ("<< 3 * bits) + outside", "<< 3 * bits)"),
        "bends: without the right": ("(law.left + law.right)", "law.left"),
        "bends: from the second": ("least = max(1, low)", "least = max(1, low) + 1"),
        "bends: less": ("law.at(m)[1]", "law.at(m)[0]"),
        "bends: of other knots": ("share, hint.knots[1:]", "share, [c + 1 for c in hint.knots[1:]]"),
        "bends: of fewer that are left": ("shortfalls(n - high, share", "shortfalls(n - least, share"),
        "bends: of more that are left": ("shortfalls(n - high, share", "shortfalls(n - high + 1, share"),
        "bends: a share of all": ("third / (1 - 2 * pair)", "third"),
        "bends: a larger share": ("third / (1 - 2 * pair)", "2 * pair"),
        "bends: third messages lose twice": ("g1, g2 * c,", "g1, 2 * g2 * c,"),
    },
    (broken_lines, "_bent"): {
        "bends: a shortfall below": ("fall[c >= 0]", "fall[c < 0]"),
        "bends: beyond the last knot": ("strict=True)), 0]", "strict=True)), at[-1]]"),
        "bends: no broken line": ("(c := before - after) * fall[c >= 0]", "0 * fall[0]"),
        "bends: of any width": ("(unit // gap)", "1"),
    },
    (broken_lines, "broken_line"): {
        "bounds: more third messages": ("(s.labels - 2) * s.q", "(s.labels - 1) * s.q"),
        "bounds: of one user more": ("hint) / s.users", "hint) / (s.users + 1)"),
    },
    (broken_lines, "_twice"): {
        "bends: halves, without the size bias": (
            "half_tails(Line(-loss, -g1, g0 - g1), most, least",
            "half_tails(Line(-loss, -g1, g0 - g1), most + 1, least + 1",
        ),
        "bends: halves, below": ("tail[twice >= 0]", "tail[twice < 0]"),
        "bends: halves, the point below": ("point[once >= 0]", "point[once < 0]"),
        "bends: halves, no point": ("once * point[once >= 0]", "0"),
        "bends: halves, the size of one less": ("m * g0 + loss", "(m - 1) * g0 + loss"),
        "bends: halves, another threshold": ("Line(-loss,", "Line(g0 - g1 - loss,"),
        "bends: halves, losses twice": ("2 * loss", "4 * loss"),
    },
    (third_values, "beside_messages"): {
        "events: a tail above": ("tail[0] + point[0]", "tail[1] + point[1]"),
        "crowds: the other row below": ("times(g1, tail)[0]", "times(g1, tail)[1]"),
        "events: more mass": ("times(gain, fewer)[0]", "times(gain, fewer)[1]"),
        "events: what is elsewhere is nothing": (", (1 - s.a) - sum(s.gains[:2])]", ", Fraction(0)]"),
        "events: less is elsewhere": ("beside[1] * (2", "beside[0] * (2"),
        "events: one message more": ("law.at(m - 1), law.at(m)", "law.at(m), law.at(m)"),
        "events: others show one label": ("2 * s.q), (s.extra", "s.q), (s.extra"),
        "events: no uniform messages": (", (s.extra, Fraction(2, s.labels))]", "]"),
    },
    (separate, "separate_labels"): {
        "others: added messages": ("and not s.extra", ""),
        "apart: the first label's chance": ("(q, q, p, q)", "(p, q, q, q)"),
        "apart: elsewhere is a third label": ("(q, q, p, q)", "(q, q, p, p)"),
        "apart: of all that are left": ("p / (1 - 2 * q)", "p"),
        "apart: one of two": ("binomial(n, 2 * q, low", "binomial(n, q, low"),
        "apart: more mass": ("law.at(m)[0] * max", "law.at(m)[1] * max"),
        "apart: losses count nothing": ("max(0, bound)", "abs(bound)"),
        "apart: a tail above": ("* m, tail)[0]", "* m, tail)[1]"),
        "apart: a point above": ("* m, point)[0]", "* m, point)[1]"),
        "apart: a loss that is likely less": ("if gain > 0", "if gain < 0"),
        "apart: more chance": ("end[0][0] - start[0][1])", "end[0][1] - start[0][0])"),
        "apart: more is held": ("end[1][0] - start[1][1])", "end[1][1] - start[1][0])"),
        "apart: tails above are held": ("(2 * tail[0] + point[0])", "(2 * tail[1] + point[1])"),
        "apart: points are whole": ("(2 * tail[0] + point[0])", "2 * (tail[0] + point[0])"),
        "apart: constants once": ("times(2 * constant +", "times(constant +"),
        "apart: of fewer users": ("scale * n <<", "scale * (n - 1 or 1) <<"),
        "apart: fewer third messages": ("share * (n - m)", "share * n"),
        "apart: shortfalls of all": ("shortfalls(n - high,", "shortfalls(n - high + 1,"),
    },
    (separate, "_parts"): {
        "apart: less is held below": ("c * reached[1] - short)", "c * reached[1] - more)"),
    },
    (two_labels, "Both"): {
        "chances: nothing outside": ("return low, high + self.outside", "return low, high"),
        "chances: nothing outside is less": ("met[1] + self.outside", "met[1]"),
        "chances: without the left": ("first.left + first.right", "first.right"),
        "chances: without the right": ("second.left + second.right", "second.left"),
        "chances: of one side": ("for i in (0, 1)", "for i in (0, 0)"),
        "chances: of the next": ("self.units = few.low + many.low,", "self.units = few.low + many.low + 1,"),
        "chances: less without what is passed": ("z[-1] * sum(x[", "0 * sum(x["),
        "chances: less than the next": ("accumulate(x, initial=0)", "accumulate(x)"),
    },
    (two_labels, "_met"): {
        "chances: not the last": ("min(len(few), i + 1)", "min(len(few), i)"),
        "chances: not the first": ("max(0, i - len(many) + 1)", "max(0, i - len(many) + 2)"),
        "chances: in the same order": ("reversed(many[i - end + 1 : i - first + 1])", "many[: end - first]"),
    },
    (two_labels, "with_ones"): {
        "ones: below by more": ("up * here[0] - (down", "up * here[1] - (down"),
        "ones: below by fewer": ("* fewer[1], up", "* fewer[0], up"),
        "ones: above by less": ("up * here[1] - (down", "up * here[0] - (down"),
        "ones: above by more": ("* fewer[0]\n", "* fewer[1]\n"),
        "ones: nothing before": ("down * before[1] - up * here[0]", "0"),
        "ones: nothing after": ("up * after[1] - down * here[0]", "0"),
        "ones: less is below zero": ("Fraction(max(0, low)", "Fraction(abs(low)"),
        "ones: of zeros": ("(ones, 1 - s.q)", "(ones, s.q)"),
        "ones: of one user more": ("s.users - 1 - ones", "s.users - ones"),
        "ones: no uniform messages": (", (s.extra, 1 - Fraction(1, s.labels))]", "]"),
        "ones: uniform messages of two labels": ("1 - Fraction(1, s.labels)", "Fraction(1, 2)"),
        "ones: one other label": ("(s.labels - 1) * s.q", "s.q"),
    },
    (two_labels, "of_block"): {
        "blocks: of as many users": ("s.users - (end - 1 - first)", "s.users"),
        "blocks: of one user more": ("s.users - (end - 1 - first)", "s.users - max(0, end - 2 - first)"),
        "blocks: of their ends": ("first, hint)[1]", "0, hint)[1]"),
        "blocks: from below": ("first, hint)[1]", "first, hint)[0]"),
    },
    (two_labels, "of_two_labels"): {
        "blocks: the last alone": ("paid(hint.knots)", "paid(hint.knots[-1:])"),
    },
    (blanket, "Shuffled"): {
        "randomizers: of another chance": ("1 - (self.labels - 1) * self.q", "1 - self.labels * self.q"),
    },
}
"""By module and function: what its text says, and what the mutant's says."""


MUTANTS = {
    wrong: Fault(f"{module.__name__}.{name}", *words, wrong.partition(":")[0])
    for (module, name), lines in FAULTS.items()
    for wrong, words in lines.items()
}


@pytest.mark.parametrize("fault", MUTANTS)
def test_planted_faults_are_caught(fault: str) -> None:
    first = sorted(CASES, key=lambda case: case != MUTANTS[fault].finder)
    with planted(MUTANTS[fault]), suppress(ZeroDivisionError, IndexError, Rejected):
        # it has no terms, or refuses what is right
        assert any(next(CASES[case](), None) is not None for case in first)
