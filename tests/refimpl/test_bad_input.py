"""What a mechanism refuses: a DomainError that names the parameter."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from flint import arb, fmpq
from numpy.random import default_rng

from cases.refusals import Refusal, refusal_test, refuses
from dp_refimpl.coins import SamplingCoins
from dp_refimpl.frequency.grr import GRR, GRRSplit
from dp_refimpl.frequency.rappor import RAPPOR, RAPPORSet
from dp_refimpl.frequency.sugrr import SuGRR, SuGRRSample
from dp_refimpl.frequency.surap import SuRAP
from dp_refimpl.frequency.urap import URAP
from dp_refimpl.frequency.urr import URR
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain, Report
from independent.cases import CASES, Case

DOMAIN = ItemDomain.of_sizes(2, 2)
BUDGET = Budget.of_root(fmpq(2), 4)
NAN = float("nan")


COINS = SamplingCoins(default_rng(0))


def refused_by(case: Case) -> Iterator[Refusal]:
    """By every mechanism: domains, budgets, inputs, no reports, and reports at epsilon = 0, which say nothing."""
    options = {"m": 2} if case.on_sets else {}

    def estimated_at_zero() -> Any:
        mechanism = case.build(2, 1, 2, Fraction(1))
        return mechanism.estimate([mechanism.randomize(case.inputs(mechanism.domain, 2, False)[0], COINS)])

    mechanism = case.build(2, 2, 2, Fraction(2))
    yield refuses("domain.sensitive", lambda: case.mechanism(ItemDomain((), (1, 2)), BUDGET, **options))
    yield refuses("domain", lambda domain: case.mechanism(domain, BUDGET, **options), (0, 1))
    yield refuses("budget", lambda budget: case.mechanism(DOMAIN, budget, **options), 2.0, fmpq(2))
    yield refuses("budget", estimated_at_zero)
    yield refuses("reports", mechanism.estimate, [])
    if case.on_sets:
        no_sets = [frozenset({0}), frozenset({0, 1, 2}), frozenset({0, 7}), {0, 1}, (0, 1), [0, 1], 0, None]
        yield refuses("m", lambda m: case.mechanism(DOMAIN, BUDGET, m=m), 0, -1, 5, True, 2.0, NAN, "2", None)
        yield refuses("items", lambda items: mechanism.randomize(items, COINS), *no_sets)
    else:
        yield refuses("item", lambda x: mechanism.randomize(x, COINS), 4, -1, "0", None, NAN, frozenset({0}))
    if case.nonempty:
        of_any_size = case.build(2, 2, 2, Fraction(2), True)
        yield refuses("outcomes", lambda: of_any_size.randomize(frozenset(), COINS))


def after(good: Any, mechanism: Any) -> Callable[[Any], Any]:
    """The estimate from a report behind a good one."""
    return lambda report: mechanism.estimate([good, report])


BITS = [after((0, 0, 0, 0), s) for s in (RAPPOR(DOMAIN, BUDGET), RAPPORSet(DOMAIN, BUDGET, m=2))]
PROTECTED_BITS = [after(Report((0, 0)), s) for s in (SuRAP(DOMAIN, BUDGET, m=2), URAP(DOMAIN, BUDGET))]
SETS, ONE_OF_SET = SuGRR(DOMAIN, BUDGET, m=2), SuGRRSample(DOMAIN, BUDGET, m=2)
OTHER_BITS = [(0, 1), (0, 1, 0, 2), (0, 1, 0, True), (0, 1, 0, 1.0), (0, 1, 0, NAN), (0, 1, 0, "1"), None, 5]
OTHER_PROTECTED_BITS = [(0,), (0, 1, 0), (0, 2), (True, 0), (0.0, 1), None]
NOT_INVERTIBLE = [frozenset({0}), frozenset({9}), frozenset({2, NAN})]
test_refusals = refusal_test(
    *(refusal for case in CASES for refusal in refused_by(case)),
    refuses("any_size", lambda any_size: SuRAP(DOMAIN, BUDGET, m=2, any_size=any_size), 1, None, "yes"),
    refuses("view", lambda view: GRRSplit(DOMAIN, BUDGET, m=2, view=view), "Multiset", "", None, "joint"),
    refuses("view", lambda view: SuGRR(DOMAIN, BUDGET, m=2, view=view), "Multiset", "", None, "joint"),
    *(refuses("reports", estimate, *OTHER_BITS) for estimate in BITS),
    *(refuses("reports", estimate, *map(Report, OTHER_PROTECTED_BITS)) for estimate in PROTECTED_BITS),
    *(refuses("reports", estimate, *(Report((0, 0), z) for z in NOT_INVERTIBLE)) for estimate in PROTECTED_BITS),
    refuses("reports", SETS.estimate, *([Report((), z)] for z in NOT_INVERTIBLE)),
    refuses("reports", ONE_OF_SET.estimate, *([Report(None, z)] for z in NOT_INVERTIBLE)),
    refuses("reports", SETS.estimate, *([Report((0, item))] for item in (2, 9, "0", NAN))),
    refuses("reports", ONE_OF_SET.estimate, *([Report(item)] for item in (2, 9, "0", NAN))),
    *(refuses("reports", after(0, s), 9, "0", NAN, None) for s in (GRR(DOMAIN, BUDGET), URR(DOMAIN, BUDGET))),
    refuses("reports", GRRSplit(DOMAIN, BUDGET, m=2).estimate, *([(0, item)] for item in (9, "0", NAN, None))),
    refuses("reports", GRRSplit(DOMAIN, BUDGET, m=2).estimate, [()], [(0,)], [(0, 1, 0)], says="tuples of 2 items"),
    refuses("d", lambda d: GRR(d=d, epsilon=1), "3", 2.0, True, -1),
    refuses("reports", SETS.estimate, [Report((0,) * 9)], [Report((0, 0), frozenset({2}))], says="at most"),
    refuses("reports", ONE_OF_SET.estimate, [Report(None)], [Report(0, frozenset({2}))], says="one result"),
    refuses("theta", lambda theta: URAP(DOMAIN, BUDGET, theta), fmpq(1), fmpq(-1, 2), fmpq(2), fmpq(0)),
    # the midpoint of a ball is not its number: sampling from it would be another mechanism
    refuses("probability", lambda: GRR(DOMAIN, Budget.of_root(arb(2))).randomize(0, COINS)),
)


def test_sets_of_any_size_have_reports_of_any_length() -> None:
    split = GRRSplit(DOMAIN, BUDGET, m=2, any_size=True)
    assert split.estimate([(0, 1, 0), ()]) == split.estimate([(0, 0, 1), ()])
    each = SuGRR(DOMAIN, BUDGET, m=2, any_size=True)
    assert each.estimate([Report((0, 0, 1))]) != each.estimate([Report((0, 1))])
