"""What holds of every mechanism of the registry on single items: estimates are frequencies, exact and refused alike."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq
from numpy.random import default_rng

from dp_refimpl import MECHANISMS
from dp_refimpl.coins import SamplingCoins
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.hash_families import AllFunctions, LabelFunction, PublicFunctions
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError, MissingError
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


def built(name: str, **given: Any) -> Any:
    return MECHANISMS[name](**({"d": 3, "epsilon": "ln(9)"} | OPTIONS[name] | given))


def drawn(name: str, n: int = 4, **given: Any) -> list[Any]:
    mechanism, coins = built(name, **given), SamplingCoins(default_rng(5))
    return [mechanism.randomize(i % 3, coins) for i in range(n)]


def test_all_mechanisms_are_here_or_on_sets_or_have_items_that_are_not_sensitive() -> None:
    assert OPTIONS.keys() | ON_SETS | OPTIMIZED == MECHANISMS.keys()


@pytest.mark.parametrize("name", OPTIONS)
def test_estimates_are_frequencies(name: str) -> None:
    """Every report twice is the same share of twice as many; the order does not matter."""
    mechanism, reports = built(name), drawn(name)
    found = mechanism.estimate(reports)
    assert list(found) == [0, 1, 2]
    assert mechanism.estimate([*reports, *reports]) == found == mechanism.estimate(reports[::-1])


@pytest.mark.parametrize("name", FINITE)
def test_the_mean_of_the_estimate_is_the_frequency(name: str) -> None:
    mechanism = built(name)
    for held, row in exact_channel(mechanism).rows.items():
        means = [mechanism.one * 0] * 3
        for report, chance in row.items():
            estimates = mechanism.estimate([report])
            means = [mean + chance * estimates[x] for x, mean in enumerate(means)]
        assert means == [int(x == held) for x in range(3)]


@pytest.mark.parametrize("name", [name for name in FINITE if name != "OLH"])  # it has 82 labels here
def test_the_law_is_the_same_in_all_fields(name: str) -> None:
    """e^(eps/4) = 3, in rational and in real numbers."""
    rational = MECHANISMS[name](ItemDomain.of_sizes(3), Budget.of_root(fmpq(3), 4), **OPTIONS[name])
    real = built(name, epsilon="4*ln(3)")
    rows = exact_channel(real).rows
    assert {x: {y: p.rational() for y, p in row.items()} for x, row in rows.items()} == exact_channel(rational).rows


REFUSED: dict[str, tuple[Callable[[str], Any], str]] = {
    "no epsilon": (lambda name: MECHANISMS[name](d=3, **OPTIONS[name]), "epsilon"),
    "no items": (lambda name: MECHANISMS[name](epsilon=1, **OPTIONS[name]), "items"),
    "epsilon below 0": (lambda name: built(name, epsilon=-1), "epsilon"),
    "epsilon NaN": (lambda name: built(name, epsilon=float("nan")), "epsilon"),
    "no item": (lambda name: built(name, d=0), "items"),
    "an unknown item": (lambda name: built(name).randomize(3, SamplingCoins(default_rng(1))), "item"),
    "no reports": (lambda name: built(name).estimate([]), "reports"),
    "a report that is none": (lambda name: built(name).estimate([*drawn(name), object()]), "reports"),
    "a report that is missing": (lambda name: built(name).estimate([*drawn(name), None]), "reports"),
    "a report of more parts": (lambda name: built(name).estimate([*drawn(name), (0,) * 9]), "reports"),
}


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("name", OPTIONS)
def test_bad_input_is_named(name: str, case: str) -> None:
    run, parameter = REFUSED[case]
    with pytest.raises(DomainError) as error:
        run(name)
    assert parameter in error.value.parameter
    assert isinstance(error.value, MissingError) == (case in ("no epsilon", "no items"))


@pytest.mark.parametrize("name", sorted(OPTIONS.keys() - {"SHE", "OLH"}))
def test_at_epsilon_zero_the_client_runs_and_the_server_refuses(name: str) -> None:
    mechanism = built(name, epsilon=0)
    with pytest.raises(DomainError) as error:
        mechanism.estimate(drawn(name, epsilon=0))
    assert error.value.parameter == "budget"


@pytest.mark.parametrize("name", ["SHE", "OLH"])
def test_where_epsilon_zero_is_not_defined_there_is_no_client(name: str) -> None:
    with pytest.raises(DomainError) as error:
        built(name, epsilon=0)
    assert error.value.parameter == "budget"


def test_the_idealized_hash_is_what_is_left_out() -> None:
    assert built("BLH").family == AllFunctions((0, 1, 2), 2)
    assert built("OLH").family == AllFunctions((0, 1, 2), 10)
