"""What a setting costs in operations (claim 004.exp.time), counters and bits, beside its exact error.

That is what the source's conclusion needs. Operations are counted, not timed.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

from flint import arb, fmpq

from dp_spec.frequency import count_sketch
from dp_spec.vocabulary.precision import precision
from dp_studies.reproduce.numbers import BITS, ball_order, decimal
from dp_studies.reproduce.s004.settings import Plan
from dp_studies.reproduce.s004.sign_counts import signs


def cost_of(plan: Plan, k: int, m: int) -> dict[str, int]:
    """What k functions to m columns take: counters, the bits of a report (m signs and a row), and operations.

    Clients draw a sign for every column of every record, and the server adds it; counters begin at 0; a query reads a
    cell of every row for every word.
    """
    signs = plan.records * m
    parts = {"client": signs, "server": signs, "initialization": k * m, "queries": k * plan.words}
    return {"counters": k * m, "bits": m + (k - 1).bit_length(), **parts, "operations": sum(parts.values())}


def settings(plan: Plan) -> tuple[tuple[int, int], ...]:
    """(k, m) of the curves: powers of two up to the largest of the plan, and the plan's own."""
    ks = sorted({*plan.ks, *_powers(1, max(plan.ks))})
    ms = sorted({*plan.ms, *_powers(min(plan.ms), max(plan.ms))})
    return tuple([(k, m) for m in ms for k in ks])


def _powers(first: int, last: int) -> Iterator[int]:
    while first <= last:
        yield first
        first *= 2


def mean_square(plan: Plan, data: str, k: int, m: int, epsilon: str) -> arb:
    """The mean of E D(d) over the evaluated words, for random functions (004.supp.var.random)."""
    counts, n = plan.counts(data), plan.records
    squares = _squares(counts)
    with precision(BITS):
        c = signs(epsilon).constant
        each = [
            count_sketch.shared_variance(c, m, k, n, fmpq(own, n), fmpq(squares - own * own, n**2))
            for own in counts[: plan.top]
        ]
        return n**2 * sum(each, arb(0)) / plan.top


@cache
def _squares(counts: tuple[int, ...]) -> int:
    return sum(f * f for f in counts)


def costs(plan: Plan) -> list[dict[str, Any]]:
    """The settings of the curves with what they cost and the root of their mean square, as JSON."""
    rows = []
    for k, m in settings(plan):
        error = {
            data: {epsilon: decimal(_root(mean_square(plan, data, k, m, epsilon))) for epsilon in plan.epsilons}
            for data in plan.data
        }
        rows.append(
            {
                "k": k,
                "m": m,
                **cost_of(plan, k, m),
                "simulated": k in plan.ks and m in plan.ms,
                "error": error,
            }
        )
    return rows


def best(plan: Plan, data: str, epsilon: str) -> tuple[int, int]:
    """The plan's setting with the smallest product of mean square and operations; of equal ones the first.

    As many operations spent on more records would divide the relative mean square by as much, so that the product is
    what a setting needs for a given precision.
    """

    def product_of(setting: tuple[int, int]) -> arb:
        with precision(BITS):
            return mean_square(plan, data, *setting, epsilon) * fmpq(cost_of(plan, *setting)["operations"])

    return min(product(plan.ks, plan.ms), key=lambda setting: ball_order(product_of(setting)))


def bests(plan: Plan) -> list[dict[str, Any]]:
    """The best settings by data set and budget, as JSON."""
    rows = []
    for data in plan.data:
        for epsilon in plan.epsilons:
            k, m = best(plan, data, epsilon)
            rows.append({"data": data, "epsilon": epsilon, "k": k, "m": m})
    return rows


def _root(number: arb) -> arb:
    with precision(BITS):
        return number.sqrt()
