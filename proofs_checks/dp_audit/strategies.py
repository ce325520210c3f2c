"""Hypothesis strategies: budgets, parameters of mechanisms, channels (private ones too) and data sets, all exact.

Needs hypothesis (`pip install 'dp-refimpl[pytest]'`).
"""

from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import isfinite
from typing import Any

from flint import fmpq

from dp_audit.oracles import KINDS, oracle
from dp_audit.oracles.base import double
from dp_audit.oracles.base import epsilon as budget
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.integers import require_integer
from dp_spec.vocabulary.names import require_name
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.table import Channel

try:
    from hypothesis import strategies as st
    from hypothesis.strategies import SearchStrategy
except ImportError as _error:
    raise ImportError("dp_audit.strategies needs hypothesis: pip install 'dp-refimpl[pytest]'") from _error

_SIZES = {"K": (1, 3), "N": (0, 2), "m": (1, 2), "k": (1, 3)}
"""Least and largest sensitive and other items, items held, and outputs of a report."""
MOST_ITEMS = 5
"""Domains are small, so that every audit of what is drawn is exact and fast."""


def epsilons(low: float = 0.05, high: float = 6.0) -> SearchStrategy[float | str]:
    """Return a strategy of privacy budgets: doubles in [low, high], and texts "ln(a)" and "ln(a/b)" whose e^epsilon is
    rational there.

    Raises `DomainError` unless 0 < low <= high are finite.
    """
    for name, value in (("low", low), ("high", high)):
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value <= 0:
            raise DomainError(name, value, "a finite double > 0")
    if low > high:
        raise DomainError("low", low, f"a number <= high = {high}")
    doubles = st.floats(low, high, allow_nan=False)
    logarithms = st.fractions(1, 400, max_denominator=8).filter(lambda a: a > 1).map(lambda a: f"ln({a})")
    return st.one_of(doubles, logarithms.filter(lambda text: low <= double(budget("epsilon", text)) <= high))


def parameters(mechanism: str) -> SearchStrategy[dict[str, Any]]:
    """Return a strategy of an oracle's parameters (`dp-refimpl audit oracles`) of a small size, as `assert_conforms`
    takes them.

    Optional ones are left out. Raises `DomainError` for an unknown mechanism, or one with parameters that nothing is
    known about here (a hash function, a permutation, ...).
    """
    mechanism = require_name("oracle", mechanism, KINDS)
    kind = KINDS[mechanism]
    required = [name for name in kind.parameters if name not in kind.optional]
    drawn = ("d", "g", "epsilon", "eps_perm", "eps_1", "sizes", "p", "q", *_SIZES)
    unknown = [name for name in required if name not in drawn]
    if unknown:
        raise DomainError("mechanism", mechanism, f"one without the parameters {', '.join(unknown)}")
    simple = {name: _parameter(name) for name in required if name not in ("eps_1", "q")}
    complete = st.fixed_dictionaries(simple).flatmap(lambda drawn: _completed(drawn, required))
    return complete.filter(lambda drawn: _allowed(mechanism, drawn))


def channels(
    inputs: Sequence[Hashable] | int, outputs: Sequence[Hashable] | int
) -> SearchStrategy[Channel[Any, Any, fmpq]]:
    """Return a strategy of channels with exact rational entries, some of them 0; an integer n stands for 0 .. n-1.

    Raises `DomainError` for no inputs or outputs, or repeated ones.
    """
    xs, ys = _items("inputs", inputs), _items("outputs", outputs)
    weights = st.lists(st.integers(0, 12), min_size=len(ys), max_size=len(ys)).filter(any)
    return st.lists(weights, min_size=len(xs), max_size=len(xs)).map(
        lambda rows: Channel({x: _law(ys, row) for x, row in zip(xs, rows, strict=True)})
    )


def private_channels(
    epsilon: float | str, inputs: Sequence[Hashable] | int = 3, outputs: Sequence[Hashable] | int = 3
) -> SearchStrategy[Channel[Any, Any, fmpq]]:
    """Return a strategy of channels with P(y|x) <= e^epsilon P(y|x') for all y, x, x', exactly; epsilon is a double > 0
    or a text "ln(3)".

    At a text the bound is often attained; at a double it is the largest fraction with denominator 2^20 below it.
    Raises `DomainError` for a bad epsilon, inputs or outputs.
    """
    xs, ys = _items("inputs", inputs), _items("outputs", outputs)
    ratio = _rational_below(budget("epsilon", epsilon))
    base = st.lists(st.integers(1, 12), min_size=len(ys), max_size=len(ys)).map(lambda weights: _law(ys, weights))
    shares = st.sampled_from((fmpq(1), fmpq(1, 2), fmpq(1, 10)))
    return st.builds(_bounded, channels(xs, ys), base, shares, st.just(ratio))


def data_sets(d: int, n: int | None = None) -> SearchStrategy[tuple[int, ...]]:
    """Return a strategy of data sets of n users (None: 1 to 20) who each hold one of 0 .. d-1. Raises `DomainError`."""
    for name, value in (("d", d), ("n", 1 if n is None else n)):
        require_integer(name, value, 1)
    least, most = (1, 20) if n is None else (n, n)
    return st.lists(st.integers(0, d - 1), min_size=least, max_size=most).map(tuple)


def _parameter(name: str) -> SearchStrategy[Any]:
    if name in ("epsilon", "eps_perm"):
        return epsilons() if name == "epsilon" else st.floats(0.5, 6.0)
    if name == "sizes":
        return st.lists(st.integers(2, 3), min_size=2, max_size=2)
    if name == "p":
        return st.fractions(Fraction(1, 2), Fraction(99, 100), max_denominator=100).map(str)
    return st.integers(*_SIZES.get(name, (2, MOST_ITEMS if name == "d" else 4)))


def _completed(drawn: dict[str, Any], required: Sequence[str]) -> SearchStrategy[dict[str, Any]]:
    """Return the parameters that depend on others: eps_1 below eps_perm, q below p."""
    dependent: dict[str, SearchStrategy[Any]] = {}
    if "eps_1" in required:
        dependent["eps_1"] = st.sampled_from((0.25, 0.5, 0.75)).map(lambda share: share * float(drawn["eps_perm"]))
    if "q" in required:
        dependent["q"] = st.sampled_from((Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))).map(
            lambda share: str(share * Fraction(drawn["p"]))
        )
    return st.fixed_dictionaries(dependent).map(lambda more: {**drawn, **more})


def _allowed(mechanism: str, drawn: dict[str, Any]) -> bool:
    """Return whether the mechanism exists at these parameters: some combinations of two budgets are impossible."""
    try:
        reference = oracle(mechanism, drawn)
        return bool(reference.law(reference.inputs[0]))
    except DomainError:
        return False


def _items(name: str, items: Sequence[Hashable] | int) -> tuple[Hashable, ...]:
    if isinstance(items, int) and not isinstance(items, bool) and items >= 1:
        return tuple(range(items))
    if isinstance(items, int | str) or not items or len(set(items)) < len(items):
        raise DomainError(name, items, "an integer >= 1, or different values")
    return tuple(items)


def _law(ys: Sequence[Hashable], weights: Sequence[int]) -> dict[Hashable, fmpq]:
    return {y: fmpq(w, sum(weights)) for y, w in zip(ys, weights, strict=True)}


def _bounded(
    channel: Channel[Any, Any, fmpq], base: dict[Hashable, fmpq], share: fmpq, ratio: fmpq
) -> Channel[Any, Any, fmpq]:
    """Return a mixture of a channel and a law with full support: the part of the channel is `share` of the largest one
    with (b + u A) / (b + u A') <= ratio for all entries A, A' of a column and the entry b of the law."""
    rows = channel.rows
    limits = []
    for y, b in base.items():
        column = [row[y] for row in rows.values()]
        excess = max(column) - ratio * min(column)
        if excess > 0:
            limits.append(b * (ratio - 1) / excess)
    if not limits:
        return channel
    part = share * min(limits)
    return Channel({x: {y: (base[y] + part * p) / (1 + part) for y, p in row.items()} for x, row in rows.items()})


def _rational_below(epsilon: Budget[Real]) -> fmpq:
    """Return e^epsilon where it is rational, else the largest multiple of 2^-20 below it."""
    exact = epsilon.root.rational()
    if exact is not None:
        return exact
    with precision(128):
        low = (epsilon.root.enclosure(128) * 2**20).lower().fmpq()
    return fmpq(low.p // low.q, 2**20)
