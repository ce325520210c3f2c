"""What holds of every mechanism of the registry on single items: estimates are frequencies, exact and refused alike."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq
from numpy.random import default_rng

from cases.refusals import Refusal, refusal_test, refuses
from dp_refimpl import MECHANISMS
from dp_refimpl.coins import SamplingCoins
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.hash_families import AllFunctions, LabelFunction, PublicFunctions
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import MissingError
from dp_spec.vocabulary.items import ItemDomain

LISTED = tuple(LabelFunction((0, 1, 2), values, 2) for values in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)))
"""Pairwise independent and uniform: any two items share a label with 1/2."""
LIST = PublicFunctions(LISTED)
OPTIONS: dict[str, dict[str, Any]] = {
    "GRR": {},
    "RAPPOR": {},
    "OUE": {},
    "SHE": {"steps": 2},
    "THE": {"theta": Fraction(1, 2)},
    "LocalHashing": {"family": LIST},
    "BLH": {},
    "OLH": {},
    "FLH": {"family": LIST},
    "SubsetSelection": {"k": 2},
    "HadamardResponse": {},
    "ClientCMS": {"functions": LISTED},
    "HCMS": {"functions": LISTED},
}
FINITE = sorted(OPTIONS.keys() - {"SHE"})
ON_SETS = {"GRRSplit", "GRRSample", "RAPPORSet", "RAPPORSample", "PrivSet", "Wheel"}
OPTIMIZED = {"URR", "URAP", "SuGRR", "SuGRRSample", "SuRAP", "SuRAPSample", "SuWheel"}


def built(name: str, **parameters: Any) -> Any:
    return MECHANISMS[name](**({"d": 3, "epsilon": "ln(9)"} | OPTIONS[name] | parameters))


def drawn(name: str, n: int = 4, **parameters: Any) -> list[Any]:
    mechanism, coins = built(name, **parameters), SamplingCoins(default_rng(5))
    return [mechanism.randomize(i % 3, coins) for i in range(n)]


def test_all_mechanisms_are_here_or_on_sets_or_have_items_that_are_not_sensitive() -> None:
    assert OPTIONS.keys() | ON_SETS | OPTIMIZED == MECHANISMS.keys()


@pytest.mark.parametrize("name", OPTIONS)
def test_estimates_are_frequencies(name: str) -> None:
    """Every report twice is the same share of twice as many; the order does not matter."""
    mechanism, reports = built(name), drawn(name)
    estimates = mechanism.estimate(reports)
    assert list(estimates) == [0, 1, 2]
    assert mechanism.estimate([*reports, *reports]) == estimates == mechanism.estimate(reports[::-1])


@pytest.mark.parametrize("name", [name for name in FINITE if name != "OLH"])  # it has 82 labels here
def test_the_law_is_the_same_in_all_fields(name: str) -> None:
    """e^(eps/4) = 3, in rational and in real numbers."""
    rational = MECHANISMS[name](ItemDomain.of_sizes(3), Budget.of_root(fmpq(3), 4), **OPTIONS[name])
    real = built(name, epsilon="4*ln(3)")
    rows = exact_channel(real).rows
    assert {x: {y: p.rational() for y, p in row.items()} for x, row in rows.items()} == exact_channel(rational).rows


def test_the_idealized_hash_is_what_is_left_out() -> None:
    assert built("BLH").family == AllFunctions((0, 1, 2), 2)
    assert built("OLH").family == AllFunctions((0, 1, 2), 10)


NOTHING_AT_ZERO = {"SHE", "OLH"}
"""Where epsilon = 0 is not defined: there is no client."""


def refused_by(name: str) -> Iterator[Refusal]:
    options, mechanism, reports = OPTIONS[name], built(name), drawn(name)
    coins = SamplingCoins(default_rng(1))
    yield refuses("epsilon", lambda: MECHANISMS[name](d=3, **options), kind=MissingError)
    yield refuses("items", lambda: MECHANISMS[name](epsilon=1, **options), kind=MissingError)
    yield refuses("epsilon", lambda epsilon: built(name, epsilon=epsilon), -1, float("nan"))
    yield refuses("items", lambda d: built(name, d=d), 0)
    yield refuses("item", lambda item: mechanism.randomize(item, coins), 3, None, frozenset([0]))
    yield refuses("reports", lambda: mechanism.estimate([]))
    yield refuses("reports", lambda report: mechanism.estimate([*reports, report]), object(), None, (0,) * 9)
    if name in NOTHING_AT_ZERO:
        yield refuses("budget", lambda: built(name, epsilon=0))
    else:  # the client runs, and the server refuses
        blind, uniform = built(name, epsilon=0), drawn(name, epsilon=0)
        yield refuses("budget", lambda: blind.estimate(uniform))


test_refusals = refusal_test(*(refusal for name in OPTIONS for refusal in refused_by(name)))
