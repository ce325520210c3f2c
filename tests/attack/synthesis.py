"""Sentences in the words of source 003 - tables, scores, shares, transcripts - at small sizes, with constants of which
most are false. What is true of them `arithmetic` says, from the words' trees alone.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from attack import arithmetic
from attack.prover import Attempt
from dp_spec.synthesis.grids import COLUMNS, ROWS, coefficient, is_within
from dp_spec.synthesis.networks import Weights, network_chance, networks, rational
from dp_spec.synthesis.noise import cells, geometric, half, joint, joint_scale, part
from dp_spec.synthesis.scores import f_score, half_rounded_up, r_score
from dp_spec.synthesis.scores import half as half_of
from dp_spec.synthesis.tables import (
    ONE,
    OTHER,
    column,
    columns,
    entropy,
    information,
    neighbors,
    records,
    second_sensitivity,
    sensitivity,
    tables,
    values,
)
from dp_spec.vocabulary.arithmetic import BOTH, added, every, total

Json = dict[str, Any]
N, EPS, ALPHA, NOISY = "n", "eps", "alpha", "noisy"
POSITIVE, _, UNIT = arithmetic.RANGES
SHARE = {**UNIT, "strict": True}
"""Of alpha: above 0, below 1."""


def attempts(rng: Random) -> Iterator[Attempt]:
    """A sentence of some sort, with what the kernel shows of it, and what it does not."""
    yield from about(*rng.choice(SORTS), rng)


def about(made: Callable[[Random], "Made"], most: int, rng: Random) -> Iterator[Attempt]:
    """The same of a sort, for n up to the largest that is tried."""
    variables, of = made(rng)
    statement = {"type": "arithmetic", "domain": {"variables": variables, "constraints": []}, "sentence": of}
    yield from arithmetic.shown(statement, rng, most)


Made = tuple[Json, Any]
"""The ranges of variables, and a sentence."""
INTEGER = {N: arithmetic.WHOLE}


def _moves(rng: Random, score: Callable[[Any], Any], domain: Any, bounds: tuple[Any, ...]) -> Made:
    """What a replaced record does to a number of the table."""
    bound = rng.choice(bounds)
    one, other = score(ONE), score(OTHER)
    return INTEGER, neighbors([rng.choice(("le", "le", "eq")), ["sub", one, other], bound], domain, N)


def of_table(rng: Random) -> Made:
    """n H, n I and n MIC: their sensitivities, and other numbers of the same kind."""
    size = rng.choice((2, 2, 3))
    own, domain, grid = values(size), records(2, values(size)), is_within(COLUMNS, ROWS, 4)
    score: Callable[[Any], Any] = rng.choice(
        (
            lambda data: entropy(column(data, 0), own),
            lambda data: entropy(columns(data, BOTH), domain),
            lambda data: information(data, 0, 1, own, own),
            lambda data: coefficient(data, size, size, grid),
        )
    )
    printed = sensitivity(N)
    bounds = (printed, printed, second_sensitivity(N), ["div", printed, 2], ["log", N], ["mul", 2, ["log", 2]], 0, N)
    return _moves(rng, score, domain, bounds)


def of_score(rng: Random) -> Made:
    """n F with both caps, 2 n^2 R."""
    size, cap = rng.choice((2, 2, 3)), rng.choice((half_of, half_rounded_up))(N)
    if rng.random() < 0.5:
        return _moves(rng, lambda data: f_score(data, 2, cap), records(2), (0, ["div", 1, 2], 1, 1, 2))
    own, bounds = values(size), (["add", ["mul", 6, N], 4], ["mul", 6, N], ["sub", ["mul", 6, N], 4], ["mul", 2, N], 0)
    return _moves(rng, lambda data: r_score(data, own, own), records(2, own), bounds)


def of_shares(rng: Random) -> Made:
    """The parts of a budget for n attributes, and what floor(d / 2) accesses make of the first."""
    k = rng.choice((1, 2, 3))
    first, other = part(N, k, "first"), part(N, k, "other")
    whole = added(first, other, rng.choice((other, other, first)))
    spent = added(["mul", half(N), first], ["mul", k, other], ["mul", k, other])
    sides = rng.choice(((whole, 1), (spent, rng.choice((1, half(N), k))), (first, other), (other, first)))
    return INTEGER, [rng.choice(("eq", "le")), *sides]


def of_joints(rng: Random) -> Made:
    """The loss of noise on the joint tables of two attributes and of one of them, with shares of epsilon."""
    x, y = rng.choice(((1, 1), (1, 2), (2, 1), (3, 2)))
    factor = rng.choice((1, 1, ["div", 1, 2], 2))
    loss: Any = 0
    for attributes, of, others in ((BOTH, x, y), (["only", 0], y, x)):
        noise = ["mul", factor, joint_scale(N, EPS, of, rng.choice((others, others, 0)))]
        scales = ["listed", "place", cells(attributes), noise]
        loss = ["add", loss, ["laplace", joint(ONE, attributes), joint(OTHER, attributes), scales]]
    bound = rng.choice((EPS, EPS, ["mul", 2, EPS], ["div", EPS, 2]))
    return {**INTEGER, EPS: POSITIVE}, neighbors([rng.choice(("le", "le", "eq")), loss, bound], records(2), N)


def of_counts(rng: Random) -> Made:
    """The law of a noisy count of n, and how it changes with the count."""
    count = rng.choice((0, 1, N))
    noisy = ["from", 0, rng.choice((["add", N, 1], ["add", N, 1], N))]
    if rng.random() < 0.4:
        sums = total(NOISY, noisy, geometric(NOISY, count, N, ALPHA))
        return {**INTEGER, ALPHA: SHARE}, ["eq", sums, rng.choice((1, 1, ["sub", 1, ALPHA]))]
    one, other = (geometric(NOISY, c, N, ALPHA) for c in rng.choice(((0, 1), (1, 0), (0, N), (N, 0))))
    bound = ["le", ["mul", ["pow", ALPHA, rng.choice((1, 1, 2, N))], one], other]
    return {**INTEGER, ALPHA: SHARE}, every(bound, **{NOISY: noisy})


def _weights(rng: Random) -> tuple[Weights, Any, int]:
    """Weights, the number of attributes, the degree."""
    return rational(rng.choice((1, 1, 2))), rng.choice((1, 2, 2, 2)), rng.choice((0, 1, 1))


def of_networks(rng: Random) -> Made:
    """The chances of all networks, or a bound of their ratio, for two neighbors."""
    weights, c, degree = _weights(rng)
    outcomes = networks(c, degree)
    if rng.random() < 0.4:
        sums = total("network", outcomes, network_chance(weights, "data", c, degree))
        return INTEGER, every(["eq", sums, rng.choice((1, 1, c))], data=tables(records(c), N))
    one, other = (network_chance(weights, data, c, degree) for data in (ONE, OTHER))
    bound = ["le", one, ["mul", _ratio(rng, weights, c), other]]
    return INTEGER, neighbors(every(bound, network=outcomes), records(c), N)


def _ratio(rng: Random, weights: Weights, c: int) -> Any:
    """e^epsilon for c choices, or another number."""
    return rng.choice((["pow", weights.share, c], weights.share, 1, 1, ["div", 3, 2]))


def of_transcript(rng: Random) -> Made:
    """A network, and then the noisy counts of both values of its root, together."""
    weights, c, degree = _weights(rng)

    def chance(data: Any) -> Any:
        chosen = network_chance(weights, data, c, degree)
        counts = [["count", column(data, ["at", ["at", "network", 0], 0]), value] for value in (0, 1)]
        noisy = [geometric(["at", NOISY, i], count, N, ALPHA) for i, count in enumerate(counts)]
        return ["mul", chosen, ["mul", *noisy]]

    outputs = ["lists", ["from", 0, ["add", N, 1]], 2]
    if rng.random() < 0.3:
        sums = total("network", networks(c, degree), total(NOISY, outputs, chance("data")))
        return {**INTEGER, ALPHA: SHARE}, every(["eq", sums, rng.choice((1, 1, c))], data=tables(records(c), N))
    lost = ["mul", ["pow", ALPHA, rng.choice((2, 2, 1, 0))], chance(ONE)]
    bound = ["le", lost, ["mul", _ratio(rng, weights, c), chance(OTHER)]]
    inner = every(bound, **{NOISY: outputs, "network": networks(c, degree)})
    return {**INTEGER, ALPHA: SHARE}, neighbors(inner, records(c), N)


SORTS: tuple[tuple[Callable[[Random], Made], int], ...] = (
    (of_table, 2),
    (of_score, 2),
    (of_shares, 4),
    (of_joints, 2),
    (of_counts, 4),
    (of_networks, 2),
    (of_transcript, 2),
)
"""What is made, and the largest n at which it is tried."""
