"""What hypothesis draws from: exact numbers, laws, channels, rational functions, terms."""

from collections.abc import Sequence
from typing import Any

from flint import arb, fmpq
from hypothesis import strategies as st

from dp_spec.vocabulary.ratfunc import EVERY_EPSILON, RationalFunction
from dp_spec.vocabulary.table import Channel
from dp_spec.vocabulary.term import Term, minimum, term, var


def holds(ball: arb, number: fmpq) -> bool:
    """Whether the number lies in the ball, decided exactly (`arb.contains` would turn the number into a ball first)."""
    mid, radius = (fmpq(m) * fmpq(2) ** int(e) for m, e in (ball.mid().man_exp(), ball.rad().man_exp()))
    return bool(abs(number - mid) <= radius)


def rationals(low: int = -20, high: int = 20) -> st.SearchStrategy[fmpq]:
    """Rationals between two integers."""
    return st.fractions(low, high, max_denominator=30).map(lambda f: fmpq(f.numerator, f.denominator))


@st.composite
def laws(draw: st.DrawFn, size: int) -> tuple[fmpq, ...]:
    """A probability law on `size` outcomes, zeros included."""
    weights = draw(st.lists(st.integers(0, 6), min_size=size, max_size=size).filter(any))
    return tuple(fmpq(w, sum(weights)) for w in weights)


@st.composite
def channels(
    draw: st.DrawFn, inputs: Sequence[Any] = (0, 1, 2), outputs: Sequence[Any] = "abc"
) -> Channel[Any, Any, fmpq]:
    """A channel with rational entries."""
    return Channel({x: dict(zip(outputs, draw(laws(len(outputs))), strict=True)) for x in inputs})


@st.composite
def functions(draw: st.DrawFn) -> RationalFunction:
    """A rational function of t without poles on t > 1."""
    t = EVERY_EPSILON.variable("t")

    def polynomial(low: int) -> RationalFunction:
        coefficients = draw(st.lists(st.integers(low, 5), min_size=1, max_size=4))
        return sum((c * t**i for i, c in enumerate(coefficients)), EVERY_EPSILON.lift(0))

    return polynomial(-5) / (polynomial(0) + 1)


VARIABLES = ("t", "m", "K")


def terms(depth: int = 4) -> st.SearchStrategy[Term]:
    """A formula in the variables t, m, K."""
    leaves = st.one_of(st.integers(-4, 9).map(term), st.sampled_from(VARIABLES).map(var))

    def grown(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
        pairs = st.tuples(inner, inner)
        return st.one_of(
            pairs.map(lambda p: p[0] + p[1]),
            pairs.map(lambda p: p[0] - p[1]),
            pairs.map(lambda p: p[0] * p[1]),
            pairs.map(lambda p: p[0] / p[1]),
            inner.map(lambda a: -a),
            st.tuples(inner, st.integers(-2, 3)).map(lambda p: p[0] ** p[1]),
            pairs.map(lambda p: minimum(*p)),
        )

    return st.recursive(leaves, grown, max_leaves=2**depth)
