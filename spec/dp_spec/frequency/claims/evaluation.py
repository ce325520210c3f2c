"""Formal statements: how an estimator is evaluated, the synthetic data, the parameter study (source 004)."""

from dp_spec.frequency.count_sketch import constant, flipped, shared_variance, variance
from dp_spec.frequency.synthetic_data import EULER, RATIO, RECORDS, WORDS, exponential, harmonic, nearest, over_words
from dp_spec.vocabulary.claim import Formal, Unchecked
from dp_spec.vocabulary.error_statements import Formula, formula, vanishing
from dp_spec.vocabulary.law import SQUARED, F
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, NATURAL, POSITIVE, SEVERAL, SOME, UNIT
from dp_spec.vocabulary.statement import Domain, Relation, conjunction
from dp_spec.vocabulary.term import Term, exp, log, minimum, summed, term, var

A, B, S, V, W, X, Y, Z = (var(name) for name in ("a", "b", "s", "v", "w", "x", "y", "z"))
K, M, N, COUNT, ROUNDS = var("k"), var("m"), var("n"), var("ac"), var("R")

_SIMULATED = Unchecked(
    "the outcome of a simulation, of which no rule of the kernel computes the expectation: `dp-refimpl reproduce 004` "
    "shows the mean with a rigorous interval"
)
_PLOTTED = Unchecked("the figure's values are not in the text that we have, nor the epsilon they were drawn with")


# --- the model ----------------------------------------------------------------------------------------------------

_BLOCK = var("r")
_ALMOST_SURELY = conjunction(
    # with mean square error v / R, deviations of more than z at R = r^2, or of the sum by more than z r^2 at any of
    # the 2 r numbers after it, have at most these chances (Chebyshev, and the sum over the 2 r numbers) ...
    formula(
        {"z": POSITIVE, "v": POSITIVE, "r": SOME},
        (
            "le",
            V / (_BLOCK**2 * Z**2) + 2 * _BLOCK * (2 * _BLOCK * V) / (_BLOCK**2 * Z) ** 2,
            5 * V / (_BLOCK**2 * Z**2),
        ),
        # ... whose sum from a block on telescopes
        ("le", 1 / (_BLOCK + 1) ** 2, 1 / _BLOCK - 1 / (_BLOCK + 1)),
    ),
    # ... to a bound on the chance of any deviation of more than 2 z after R = r^2 records, which vanishes
    vanishing(Domain({"z": POSITIVE, "v": POSITIVE, "R": SOME}), (5 * V / Z**2 / ROUNDS,), "R"),
)


def _deviation(column_number: int) -> Term:
    """E |f'(d) - 1| for one record, of d, one function and one repetition: over the two values of the sign."""
    c, m = constant(S), term(column_number)
    above, below = m / (m - 1) * (c - 1) / 2, m / (m - 1) * (c + 1) / 2
    return (1 - flipped(S)) * above + flipped(S) * below


def _counted(count: Term, number: int = WORDS, words: int = WORDS) -> Formula:
    """So many of the first words have a count of at least 1, rounded to the nearest integer."""
    return formula({}, ("eq", over_words(minimum(nearest(count), 1), 1, words), term(number)))


def _ranked(before: Term, after: Term, number: int = WORDS - 1, words: int = WORDS - 1) -> Formula:
    """So many of the first words have a larger count than the next one (of integers, that are not smaller)."""
    return formula({}, ("eq", over_words(minimum(nearest(before) - nearest(after), 1), 1, words), term(number)))


MODEL: dict[str, Formal] = {
    "004.eval.de.limit@meanfirst": _ALMOST_SURELY,
    # v, the mean of |ec - ac| / ac in one repetition, is that of any number of them
    "004.eval.de.limit@absfirst": vanishing(Domain({"v": POSITIVE, "R": SOME}), (V,), "R"),
    "004.eval.de.finite": formula({"s": ABOVE_ONE}, ("eq", _deviation(2), term(0))),
    # two sums over repetitions of squares and of products, which have mean 0
    "004.eval.de.finite.corrected": formula(
        {"v": POSITIVE, "R": SOME, "ac": SOME},
        ("eq", (ROUNDS * V + ROUNDS * (ROUNDS - 1) * 0) / (ROUNDS * COUNT) ** 2, V / (ROUNDS * COUNT**2)),
    ),
    "004.eval.de.defined@harmonic": _counted(harmonic(X)),
    "004.eval.de.defined@exponent": _counted(exponential(X)),
    "004.eval.de.defined@exponent.corrected": conjunction(
        _counted(exponential(X), 50), _counted(exponential(X), 50, 50)
    ),
    "004.eval.de.defined@even": _counted(term(RECORDS) / WORDS),
    "004.eval.dr.defined@harmonic-round": _ranked(harmonic(X), harmonic(X + 1)),
    "004.eval.dr.defined@harmonic-round.corrected": _ranked(harmonic(X), harmonic(X + 1), 637),
    "004.eval.dr.defined@harmonic-real": formula({"x": SOME, "z": POSITIVE}, ("lt", Z / (X + 1), Z / X)),
    "004.eval.dr.defined@harmonic-top20": _ranked(harmonic(X), harmonic(X + 1), 20, 20),
    "004.eval.dr.defined@exponent-round": _ranked(exponential(X), exponential(X + 1)),
    "004.eval.dr.defined@exponent-round.corrected": _ranked(exponential(X), exponential(X + 1), 46),
    "004.eval.dr.defined@exponent-top20": _ranked(exponential(X), exponential(X + 1), 20, 20),
    "004.eval.dr.defined@even": _ranked(term(RECORDS) / WORDS, term(RECORDS) / WORDS),
    # the mean of R numbers in an interval lies in it
    "004.eval.dr.range": formula(
        {"w": SOME, "x": SOME, "y": SOME},
        ("le", X - Y, var("w") - 1),
        ("le", Y - X, var("w") - 1),
        where=(var("w") - X, var("w") - Y),
    ),
    # a and b: mean and mean square of ec
    "004.eval.d.decomp": formula(
        {"a": ANY_SIZE, "b": ANY_SIZE, "ac": ANY_SIZE},
        ("eq", B - 2 * COUNT * A + COUNT**2, (B - A**2) + (A - COUNT) ** 2),
    ),
    "004.eval.d.stable": formula(
        {"a": ANY_SIZE, "b": ANY_SIZE, "ac": ANY_SIZE}, ("le", B - A**2, B - 2 * COUNT * A + COUNT**2)
    ),
}

# --- synthetic data -----------------------------------------------------------------------------------------------

_HARMONIC, _PRINTED = over_words(1 / X), log(term(WORDS)) + EULER
_W = var("w")


def _within(sides: tuple[Term, Term], error: Term) -> tuple[Relation, ...]:
    """The first is the second up to a relative error."""
    a, b = sides
    return (("le", a, (1 + error) * b), ("le", (1 - error) * b, a))


_MILLIONTH = term(1) / 10**6

DATA: dict[str, Formal] = {
    "004.syn.harm.sum@w2000": formula({}, *_within((_PRINTED, _HARMONIC), term(1) / 10_000)),
    # w = 1, where log w = 0
    "004.syn.harm.sum@anyw": formula({"w": SOME}, *_within((log(_W) + EULER, 1 / _W), term(1) / 100), where=(1 - _W,)),
    # the difference of sum and logarithm falls by at most 1/w - 1/(w + 1), which telescopes: it converges, and the
    # limit is what Euler's constant is
    "004.syn.harm.sum@limit": formula(
        {"w": SOME}, ("lt", exp(1 / (_W + 1)), (_W + 1) / _W), ("lt", (_W + 1) / _W, exp(1 / _W))
    ),
    "004.syn.harm.total@exact": formula({}, ("eq", over_words(harmonic(X)), term(RECORDS))),
    "004.syn.harm.total@rounded": formula({}, ("eq", over_words(nearest(harmonic(X))), term(RECORDS))),
    "004.syn.harm.total@rounded.corrected": formula({}, ("eq", over_words(nearest(harmonic(X))), term(1_000_032))),
    "004.syn.harm.total@approx": formula({}, *_within((over_words(harmonic(X)), term(RECORDS)), term(1) / 10_000)),
    "004.syn.exp.sum": conjunction(
        formula({"x": UNIT, "w": NATURAL}, ("eq", summed("j", 1, W, X ** var("j")), X * (1 - X**W) / (1 - X))),
        formula({}, ("eq", RATIO / (1 - RATIO), term(10) / 3), ("le", RATIO**WORDS, 1 / term(10) ** 200)),
    ),
    "004.syn.exp.total@i1": formula({}, *_within((over_words(exponential(X)), term(RECORDS)), _MILLIONTH)),
    "004.syn.exp.total@i0": formula(
        {}, *_within((over_words(RECORDS * (1 - RATIO) * RATIO**X, 0, WORDS - 1), term(RECORDS)), _MILLIONTH)
    ),
    "004.syn.exp.total@mixed": formula(
        {}, *_within((over_words(RECORDS * (1 - RATIO) * RATIO**X), term(RECORDS)), _MILLIONTH)
    ),
    "004.syn.exp.positive": _counted(exponential(X)),
    "004.syn.exp.positive.corrected": conjunction(
        _counted(exponential(X), 50), formula({}, ("eq", over_words(nearest(exponential(X))), term(RECORDS)))
    ),
    "004.syn.even": formula({}, ("eq", term(RECORDS) / WORDS, term(500)), ("eq", over_words(term(500)), term(RECORDS))),
    "004.syn.real": Unchecked("the application's data are not available here"),
}

# --- the parameter study ------------------------------------------------------------------------------------------

_SKETCH = {"k": SOME, "s": ABOVE_ONE, "m": SEVERAL, "n": SOME}
_FREQUENCIES = {"f": ANY_SIZE, "squared": ANY_SIZE}
_POSSIBLE = (1 - F, SQUARED - (1 - F) / N)
"""f(d') <= f(d')^2 for whole numbers: n (1 - f), the sum of the former over d' != d, is at most n^2 squared."""


def _random(k: Term, m: Term) -> Term:
    moment: Term = shared_variance(constant(S), m, k, N, F, SQUARED)
    return moment


_SHARED, _NEW = var("a"), var("b")
"""In how many of k rows d and d' collide; whether they do so in one row more."""
_ROWS = {"a": NATURAL, "b": NATURAL}


def _collisions(rows: Term, shared: Term) -> Term:
    """The variance if all records are of one d' != d, which collides with d in some of the rows."""
    share = shared / rows
    moment: Term = variance(constant(S), M, N, share, share**2)
    return moment


def _operations(k: Term | int, m: Term | int, n: Term | int = RECORDS) -> Term:
    """Of client, server, initialization and queries."""
    return term(n) * m + term(n) * m + term(k) * m + term(k) * WORDS


def _record(k: Term) -> Term:
    """What one record more adds."""
    return _operations(k, M, N + 1) - _operations(k, M, N)


def _first_word(m: int) -> Term:
    """The variance of the most frequent word's estimate, harmonic data, epsilon = 4, k = 65535."""
    others = over_words(nearest(harmonic(X)) ** 2, 2)
    total, own = over_words(nearest(harmonic(X))), nearest(harmonic(1))
    moment: Term = shared_variance(constant(exp(term(2))), m, 65535, total, own / total, others / total**2)
    return moment


_RATIO_SQUARED = term(115**2) / 100**2

STUDY: dict[str, Formal] = {
    "004.exp.km-var@random-k": formula(
        _SKETCH | _FREQUENCIES, ("le", _random(K + 1, M), _random(K, M)), where=_POSSIBLE
    ),
    "004.exp.km-var@random-m": formula(
        _SKETCH | _FREQUENCIES, ("le", _random(K, M + 1), _random(K, M)), where=_POSSIBLE
    ),
    "004.exp.km-var@fixed-k": formula(
        _SKETCH | _ROWS,
        ("le", _collisions(K + 1, _SHARED + _NEW), _collisions(K, _SHARED)),
        where=(K - _SHARED, 1 - _NEW),
    ),
    "004.exp.rank-trend@groups": _SIMULATED,
    "004.exp.rank-trend@figure": _PLOTTED,
    "004.exp.km-rank@simulated": _SIMULATED,
    "004.exp.km-rank@figure": _PLOTTED,
    **{f"004.exp.line1@{data}-eps{eps}": _SIMULATED for data in ("harmonic", "exponential") for eps in (2, 4, 8)},
    "004.exp.sd": formula(
        {},
        ("le", _first_word(32), _RATIO_SQUARED * _first_word(1024)),
        ("le", _first_word(1024), _RATIO_SQUARED * _first_word(32)),
    ),
    "004.exp.time@m": formula(
        {}, ("lt", _operations(65535, 32) - _operations(256, 32), _operations(256, 1024) - _operations(256, 32))
    ),
    "004.exp.time@k": formula(dict.fromkeys("knmx", SOME), ("eq", _record(K), _record(X))),
    "004.exp.best": Unchecked(
        "the text does not say what is balanced against what: `dp-refimpl reproduce 004` shows error, time and bits"
    ),
}

FORMAL: dict[str, Formal] = MODEL | DATA | STUDY
"""Every id with its formal statement."""
