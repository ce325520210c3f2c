"""What a mechanism refuses: a DomainError that names the parameter."""

from fractions import Fraction
from typing import Any

import pytest
from flint import arb, fmpq
from numpy.random import default_rng

from dp_refimpl.coins import SamplingCoins
from dp_refimpl.frequency.grr import GRR, GRRSplit
from dp_refimpl.frequency.rappor import RAPPOR, RAPPORSet
from dp_refimpl.frequency.sugrr import SuGRR, SuGRRSample
from dp_refimpl.frequency.surap import SuRAP
from dp_refimpl.frequency.urap import URAP
from dp_refimpl.frequency.urr import URR
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain, Report
from independent.cases import CASES, Case

DOMAIN = ItemDomain.of_sizes(2, 2)
BUDGET = Budget.of_root(fmpq(2), 4)
ON_SETS = [c for c in CASES if c.on_sets]
NAN = float("nan")


def built(case: Case) -> Any:
    return case.build(2, 2, 2, Fraction(2), False, case.mechanism)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
@pytest.mark.parametrize(
    ("domain", "budget", "parameter"),
    [
        (ItemDomain((), (1, 2)), BUDGET, "domain.sensitive"),
        ((0, 1), BUDGET, "domain"),
        (DOMAIN, 2.0, "budget"),
        (DOMAIN, fmpq(2), "budget"),
    ],
)
def test_domain_and_budget(case: Case, domain: Any, budget: Any, parameter: str) -> None:
    options = {"m": 2} if case.on_sets else {}
    with pytest.raises(DomainError) as error:
        case.mechanism(domain, budget, **options)
    assert error.value.parameter == parameter
    assert parameter in str(error.value)


@pytest.mark.parametrize("case", ON_SETS, ids=lambda c: c.name)
@pytest.mark.parametrize("m", [0, -1, 5, True, 2.0, NAN, "2", None])
def test_number_of_items(case: Case, m: Any) -> None:
    with pytest.raises(DomainError) as error:
        case.mechanism(DOMAIN, BUDGET, m=m)
    assert error.value.parameter == "m"


@pytest.mark.parametrize("case", ON_SETS, ids=lambda c: c.name)
@pytest.mark.parametrize(
    "items", [frozenset({0}), frozenset({0, 1, 2}), frozenset({0, 7}), {0, 1}, (0, 1), [0, 1], 0, None]
)
def test_sets(case: Case, items: Any) -> None:
    with pytest.raises(DomainError) as error:
        built(case).randomize(items, SamplingCoins(default_rng(0)))
    assert error.value.parameter == "items"


@pytest.mark.parametrize("case", [c for c in ON_SETS if c.nonempty], ids=lambda c: c.name)
def test_nothing_to_draw_from_the_empty_set(case: Case) -> None:
    mechanism = case.build(2, 2, 2, Fraction(2), True, case.mechanism)
    with pytest.raises(DomainError, match="outcomes"):
        mechanism.randomize(frozenset(), SamplingCoins(default_rng(0)))


@pytest.mark.parametrize("case", [c for c in CASES if not c.on_sets], ids=lambda c: c.name)
@pytest.mark.parametrize("item", [4, -1, "0", None, NAN, frozenset({0})])
def test_items(case: Case, item: Any) -> None:
    with pytest.raises(DomainError) as error:
        built(case).randomize(item, SamplingCoins(default_rng(0)))
    assert error.value.parameter == "item"


@pytest.mark.parametrize("any_size", [1, None, "yes"])
def test_any_size(any_size: Any) -> None:
    with pytest.raises(DomainError, match="any_size"):
        SuRAP(DOMAIN, BUDGET, m=2, any_size=any_size)


@pytest.mark.parametrize("mechanism", [GRRSplit, SuGRR])
@pytest.mark.parametrize("view", ["Multiset", "", None, "joint"])
def test_views(mechanism: Any, view: Any) -> None:
    with pytest.raises(DomainError, match="view"):
        mechanism(DOMAIN, BUDGET, m=2, view=view)


BITS = [(0, 1), (0, 1, 0, 2), (0, 1, 0, True), (0, 1, 0, 1.0), (0, 1, 0, NAN), (0, 1, 0, "1"), None, 5]


@pytest.mark.parametrize("report", BITS)
def test_reports_of_bits(report: Any) -> None:
    for mechanism in (RAPPOR(DOMAIN, BUDGET), RAPPORSet(DOMAIN, BUDGET, m=2)):
        with pytest.raises(DomainError, match="reports"):
            mechanism.estimate([(0, 0, 0, 0), report])


@pytest.mark.parametrize("bits", [(0,), (0, 1, 0), (0, 2), (True, 0), (0.0, 1), None])
def test_reports_with_protected_bits(bits: Any) -> None:
    for mechanism in (SuRAP(DOMAIN, BUDGET, m=2), URAP(DOMAIN, BUDGET)):
        with pytest.raises(DomainError, match="reports"):
            mechanism.estimate([Report((0, 0)), Report(bits)])


@pytest.mark.parametrize("invertible", [frozenset({0}), frozenset({9}), frozenset({2, NAN})])
def test_reports_with_wrong_invertible_data(invertible: Any) -> None:
    for mechanism in (SuRAP(DOMAIN, BUDGET, m=2), URAP(DOMAIN, BUDGET)):
        with pytest.raises(DomainError, match="reports"):
            mechanism.estimate([Report((0, 0), invertible)])
    for other, y0 in ((SuGRR(DOMAIN, BUDGET, m=2), ()), (SuGRRSample(DOMAIN, BUDGET, m=2), None)):
        with pytest.raises(DomainError, match="reports"):
            other.estimate([Report(y0, invertible)])


@pytest.mark.parametrize("item", [2, 9, "0", NAN])
def test_reports_with_wrong_protected_items(item: Any) -> None:
    with pytest.raises(DomainError, match="reports"):
        SuGRR(DOMAIN, BUDGET, m=2).estimate([Report((0, item))])
    with pytest.raises(DomainError, match="reports"):
        SuGRRSample(DOMAIN, BUDGET, m=2).estimate([Report(item)])


@pytest.mark.parametrize("item", [9, "0", NAN, None])
def test_reports_of_items(item: Any) -> None:
    for mechanism in (GRR(DOMAIN, BUDGET), URR(DOMAIN, BUDGET)):
        with pytest.raises(DomainError, match="reports"):
            mechanism.estimate([0, item])
    with pytest.raises(DomainError, match="reports"):
        GRRSplit(DOMAIN, BUDGET, m=2).estimate([(0, item)])


@pytest.mark.parametrize("theta", [fmpq(1), fmpq(-1, 2), fmpq(2), fmpq(0)])
def test_theta(theta: fmpq) -> None:
    with pytest.raises(DomainError, match="theta"):
        URAP(DOMAIN, BUDGET, theta)


def test_balls_are_not_sampled() -> None:
    """The midpoint of a ball is not its number: sampling from it would be another mechanism."""
    mechanism = GRR(DOMAIN, Budget.of_root(arb(2)))
    with pytest.raises(DomainError, match="probability"):
        mechanism.randomize(0, SamplingCoins(default_rng(0)))
