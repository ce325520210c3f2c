"""Every mechanism with small parameters that reach the corners, its law by brute force, and the checks on both."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from flint import fmpq

from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.grr import GRR, GRRSample, GRRSplit
from dp_refimpl.frequency.rappor import RAPPOR, RAPPORSample, RAPPORSet
from dp_refimpl.frequency.sugrr import SuGRR, SuGRRSample
from dp_refimpl.frequency.surap import SuRAP, SuRAPSample
from dp_refimpl.frequency.urap import URAP
from dp_refimpl.frequency.urr import URR
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain, Report
from dp_spec.vocabulary.table import Channel
from independent import brute_force as plain
from independent.numbers import exact, fraction

SIZES = ((1, 0, 1), (3, 0, 1), (1, 2, 1), (2, 1, 1), (1, 1, 2), (2, 1, 2), (1, 3, 2), (3, 0, 2), (2, 1, 3), (1, 2, 3))
"""(K, N, m): one item, no or more non-sensitive items than m, one sensitive item, m = d, d < 2m."""
ROOTS = (Fraction(1), Fraction(3, 2), Fraction(3))
"""t = e^(eps/2m); 1 is eps = 0."""


@dataclass(frozen=True)
class Case:
    """A mechanism, the options it is run with, and its law by brute force as a function of input, K, d, m and t."""

    name: str
    mechanism: type[Any]
    law: Callable[[Any, int, int, int, Fraction], plain.Law]
    options: tuple[tuple[str, Any], ...] = ()
    on_sets: bool = True
    nonempty: bool = False
    unbiased: bool = True

    def build(self, sensitive: int, nonsensitive: int, m: int, t: Fraction, any_size: bool = False) -> Any:
        """The mechanism at one point of the grid."""
        domain = ItemDomain.of_sizes(sensitive, nonsensitive)
        budget = Budget.of_root(exact(t), 2 * m)
        sizes: dict[str, Any] = {"m": m, "any_size": any_size} if self.on_sets else {}
        return self.mechanism(domain, budget, **sizes, **dict(self.options))

    def inputs(self, domain: ItemDomain, m: int, any_size: bool) -> tuple[Any, ...]:
        """Items, or sets of exactly m items, or (`any_size`) all the sets that the mechanism accepts."""
        if not self.on_sets:
            return domain.items
        sizes = range(1 if self.nonempty else 0, len(domain.items) + 1) if any_size else [m]
        return domain.subsets(sizes)


CASES = (
    Case("grr", GRR, lambda x, k, d, m, t: plain.grr(x, d, t ** (2 * m)), on_sets=False),
    *(
        Case(f"grr-split-{v}", GRRSplit, lambda s, k, d, m, t, v=v: plain.grr_split(s, d, t, v), (("view", v),))  # type: ignore[misc]
        for v in ("vector", "multiset")
    ),
    Case("grr-sample", GRRSample, lambda s, k, d, m, t: plain.grr_sample(s, d, t, m), nonempty=True),
    Case("rappor", RAPPOR, lambda x, k, d, m, t: plain.rappor_set(frozenset([x]), d, t**m), on_sets=False),
    Case("rappor-set", RAPPORSet, lambda s, k, d, m, t: plain.rappor_set(s, d, t)),
    Case("rappor-sample", RAPPORSample, lambda s, k, d, m, t: plain.rappor_sample(s, d, t, m), nonempty=True),
    Case("urr", URR, lambda x, k, d, m, t: plain.protected_item(x, k, t ** (2 * m)), on_sets=False),
    Case("urap", URAP, lambda x, k, d, m, t: plain.urap(x, k, d, t ** (2 * m), t**m / (t**m + 1)), on_sets=False),
    Case(
        "urap-theta",
        URAP,
        lambda x, k, d, m, t: plain.urap(x, k, d, t ** (2 * m), Fraction(1, 3)),
        (("theta_option", fmpq(1, 3)),),
        on_sets=False,
    ),
    *(
        Case(
            f"sugrr-{v}",
            SuGRR,
            lambda s, k, d, m, t, v=v: plain.sugrr(s, k, t, v),  # type: ignore[misc]
            (("view", v),),
            unbiased=v in ("multiset", "position"),
        )
        for v in ("set", "multiset", "position", "padded")
    ),
    Case("sugrr-sample", SuGRRSample, lambda s, k, d, m, t: plain.sugrr_sample(s, k, t, m), nonempty=True),
    Case("surap", SuRAP, lambda s, k, d, m, t: plain.surap(s, k, d, t)),
    Case("surap-sample", SuRAPSample, lambda s, k, d, m, t: plain.surap_sample(s, k, d, t, m), nonempty=True),
)


def observed(y: Hashable) -> Hashable:
    """A report as the brute force writes it."""
    return (y.protected, y.invertible) if isinstance(y, Report) else y


def plain_rows(channel: Channel[Any, Any, fmpq]) -> dict[Any, plain.Law]:
    """A channel as the brute force writes it."""
    return {x: plain.collected((observed(y), fraction(p)) for y, p in row.items()) for x, row in channel.rows.items()}


def wrong_laws(case: Case) -> Iterator[str]:
    """Where the exact channel of the program is not the law by brute force (nothing, if the mechanism is right)."""
    for (k, n, m), t, any_size in product(SIZES, ROOTS, (False, True) if case.on_sets else (False,)):
        inputs = case.inputs(ItemDomain.of_sizes(k, n), m, any_size)
        try:
            mechanism = case.build(k, n, m, t, any_size)
            rows = plain_rows(exact_channel(mechanism.randomize, inputs, fmpq(1)))
        except DomainError as error:
            yield f"{case.name} {(k, n, m)} t={t}: {error}"
            continue
        for x in inputs:
            if rows[x] != case.law(x, k, k + n, m, t):
                yield f"{case.name} {(k, n, m)} t={t}: law of {x}"


def wrong_estimates(case: Case) -> Iterator[str]:
    """Where the expected estimate of one user, or of two, is not the frequency (exactly m items, eps > 0).

    The estimates of all pairs of reports are weighted with the exact law of the program.
    """
    for (k, n, m), t in product(SIZES, ROOTS[1:2]):
        try:
            mechanism = case.build(k, n, m, t)
        except DomainError as error:
            yield f"{case.name} {(k, n, m)} t={t}: {error}"
            return
        inputs = case.inputs(mechanism.domain, m, False)
        laws = exact_channel(mechanism.randomize, inputs, fmpq(1)).rows
        for users in [(x,) for x in inputs] + [(inputs[0], x) for x in inputs[-1:]]:
            expected = dict.fromkeys(mechanism.domain.items, fmpq(0))
            for reports in product(*(laws[x].items() for x in users)):
                weight = fmpq(1)
                for _, p in reports:
                    weight *= p
                try:
                    estimates = mechanism.estimate([y for y, _ in reports])
                except (DomainError, ZeroDivisionError) as error:
                    yield f"{case.name} {(k, n, m)} t={t}: {error}"
                    return
                for x, estimate in estimates.items():
                    expected[x] += weight * estimate
            for x, value in expected.items():
                held = sum(x in s if case.on_sets else x == s for s in users)
                if value != fmpq(held, len(users)):
                    yield f"{case.name} {(k, n, m)} t={t}: expected estimate of {x} for {users} is {value}"
