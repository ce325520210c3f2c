"""What a setting costs in operations (claim 004.exp.time), counters and bits, beside its exact error.

That is what the source's conclusion needs. Operations are counted, not timed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from flint import arb, ctx, fmpq

from dp_spec.frequency import count_sketch
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_studies.reproduce.numbers import BITS, decimal
from dp_studies.reproduce.s004.settings import Plan
from dp_studies.reproduce.s004.sign_counts import signs


@dataclass(frozen=True)
class Costs:
    """Of k functions to m columns for n records and some words."""

    k: int
    m: int
    records: int
    words: int

    @property
    def counters(self) -> int:
        """k m."""
        return self.k * self.m

    @property
    def bits(self) -> int:
        """Of a report: m signs and a row, m + ceil(log2 k)."""
        return self.m + (self.k - 1).bit_length()

    @property
    def client(self) -> int:
        """n m: a sign for every column of every record."""
        return self.records * self.m

    @property
    def server(self) -> int:
        """n m: every sign is added."""
        return self.records * self.m

    @property
    def initialization(self) -> int:
        """k m."""
        return self.k * self.m

    @property
    def queries(self) -> int:
        """k |D|: a cell of every row for every word."""
        return self.k * self.words

    @property
    def operations(self) -> int:
        """All of them."""
        return self.client + self.server + self.initialization + self.queries


def cost_of(plan: Plan, k: int, m: int) -> Costs:
    """What k functions to m columns cost."""
    return Costs(k, m, plan.records, plan.words)


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
    with ctx.workprec(BITS):
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
        cost = cost_of(plan, k, m)
        names = ("counters", "bits", "client", "server", "initialization", "queries", "operations")
        error = {
            data: {epsilon: decimal(_root(mean_square(plan, data, k, m, epsilon))) for epsilon in plan.epsilons}
            for data in plan.data
        }
        rows.append(
            {
                "k": k,
                "m": m,
                **{name: getattr(cost, name) for name in names},
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
    least: tuple[arb, tuple[int, int]] | None = None
    for k in plan.ks:
        for m in plan.ms:
            with ctx.workprec(BITS):
                product = mean_square(plan, data, k, m, epsilon) * fmpq(cost_of(plan, k, m).operations)
            if least is None or compare(product, least[0]) is Ordering.LESS:
                least = product, (k, m)
    assert least is not None
    return least[1]


def bests(plan: Plan) -> list[dict[str, Any]]:
    """The best settings by data set and budget, as JSON."""
    rows = []
    for data in plan.data:
        for epsilon in plan.epsilons:
            k, m = best(plan, data, epsilon)
            rows.append({"data": data, "epsilon": epsilon, "k": k, "m": m})
    return rows


def _root(number: arb) -> arb:
    with ctx.workprec(BITS):
        return number.sqrt()
