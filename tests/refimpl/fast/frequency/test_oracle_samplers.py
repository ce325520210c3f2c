"""Vectorized samplers of frequency oracles: exactly the laws of the programs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from numpy.random import default_rng

from cases.refusals import refusal_test, refuses
from dp_refimpl.fast.array_coins import ArrayCoins
from dp_refimpl.fast.frequency import count_sketch_reports, hadamard, local_hashing, unary
from dp_refimpl.fast.frequency.count_sketch_reports import sample_client_cms
from dp_refimpl.fast.frequency.hadamard import sample_hadamard_response, sample_hcms
from dp_refimpl.fast.frequency.local_hashing import sample_listed_hashing, sample_local_hashing
from dp_refimpl.fast.frequency.unary import sample_oue
from dp_refimpl.frequency.count_sketch import ClientCMS
from dp_refimpl.frequency.hadamard import HCMS, HadamardResponse
from dp_refimpl.frequency.hash_families import AffineLabels, CarterWegman, PublicFunctions
from dp_refimpl.frequency.local_hashing import BLH, LocalHashing
from dp_refimpl.frequency.unary import OUE
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain
from independent import brute_force as brute
from independent.array_reports import written
from independent.enumerated_arrays import EnumeratedArrayCoins, ExactArrayCoins, law_of
from independent.sketch_cases import functions, rows_of
from mutants.oracle_arrays import CLIENTS, COORDINATES, DENSE, HASHED, LABELS, LISTED, SIGNED, WITHOUT_ZERO, Fault

BUDGET = Budget.of_root(fmpq(3, 2), 2)
"""e^eps = 9/4."""
ITEMS = ItemDomain((2, 0), (1,))
"""In another order than that of the functions."""
TABLES = ((0, 1, 2), (0, 0, 1), (2, 1, 1))
TWO = ((0, 1, 1), (0, 0, 1))
"""Fewer, with fewer labels, where the joint law of two users is enumerated bit by bit."""
WIDE = ((0, 1, 3), (2, 0, 1))


@dataclass(frozen=True)
class Sampler:
    """A mechanism, its sampler, the module of the sampler, and faults of it; whether two users are looked at, too."""

    mechanism: Any
    draw: Callable[..., Any]
    module: Any
    faults: dict[str, Fault]
    two_users: bool = True


def alone(mechanism: Any, draw: Callable[..., Any], module: Any, faults: dict[str, Fault]) -> Sampler:
    """One user: without the faults that show in a chunk of two alone."""
    plants = {name: fault for name, fault in faults.items() if "user" not in name and "function for all" not in name}
    return Sampler(mechanism, draw, module, plants, two_users=False)


def hashing(family: Any) -> Any:
    return LocalHashing(ITEMS, BUDGET, family)


def packed_cms(mechanism: Any, items: Any, coins: Any) -> Any:
    return sample_client_cms(mechanism, items, coins, 1, True)


THREE = (0, 1, 2)
SAMPLERS = {
    "oue": Sampler(OUE(ITEMS, BUDGET), sample_oue, unary, DENSE),
    "carter-wegman": Sampler(
        hashing(CarterWegman(THREE, 3, 2, False)), sample_local_hashing, local_hashing, WITHOUT_ZERO
    ),
    "carter-wegman with a = 0": alone(
        hashing(CarterWegman(THREE, 3, 2, True)), sample_local_hashing, local_hashing, HASHED
    ),
    "blh": alone(BLH(ITEMS, BUDGET, CarterWegman(THREE, 3, 2, True)), sample_local_hashing, local_hashing, LABELS),
    "affine": alone(hashing(AffineLabels(THREE, 3)), sample_local_hashing, local_hashing, HASHED),
    "listed": Sampler(hashing(PublicFunctions(functions(TABLES, 3))), sample_listed_hashing, local_hashing, LISTED),
    "cms": alone(ClientCMS(ITEMS, BUDGET, functions(TABLES, 3)), sample_client_cms, count_sketch_reports, CLIENTS),
    "cms, two labels": Sampler(
        ClientCMS(ITEMS, BUDGET, functions(TWO, 2)),
        sample_client_cms,
        count_sketch_reports,
        {name: fault for name, fault in CLIENTS.items() if "user" in name},
    ),
    "cms, packed": alone(ClientCMS(ITEMS, BUDGET, functions(WIDE, 4)), packed_cms, count_sketch_reports, CLIENTS),
    "hadamard response": Sampler(HadamardResponse(ITEMS, BUDGET), sample_hadamard_response, hadamard, COORDINATES),
    "hadamard response from column 1": Sampler(
        HadamardResponse(ITEMS, BUDGET, 1), sample_hadamard_response, hadamard, COORDINATES
    ),
    "hcms": Sampler(HCMS(ITEMS, BUDGET, functions(WIDE, 4)), sample_hcms, hadamard, SIGNED),
}


def sampled(case: Sampler, held: list[int], kind: Any = ExactArrayCoins) -> brute.Law:
    items = np.array(held, np.int64)
    return law_of(lambda coins: tuple(written(case.mechanism, case.draw(case.mechanism, items, coins))), kind)


def wrong_samples(case: Sampler) -> Iterator[str]:
    """Where the joint law of the reports of one or two users is not the product of the program's."""
    rows = rows_of(case.mechanism)
    items = case.mechanism.domain.items
    try:
        for j, x in enumerate(items):
            if sampled(case, [j]) != {(y,): p for y, p in rows[x].items()}:
                yield f"{x}"
    except DomainError as error:
        yield str(error)
        return
    if case.two_users and sampled(case, [0, 1]) != brute.collected(brute.independent([rows[items[0]], rows[items[1]]])):
        yield "two users"


@pytest.mark.parametrize("name", SAMPLERS)
def test_sampler_has_exactly_the_law_of_the_program(name: str) -> None:
    assert list(wrong_samples(SAMPLERS[name])) == []


FAULTS = [(name, fault) for name, case in SAMPLERS.items() for fault in case.faults]


@pytest.mark.parametrize(("name", "fault"), FAULTS)
def test_planted_fault_of_a_sampler_is_caught(name: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = SAMPLERS[name]
    monkeypatch.setattr(case.module, *case.faults[fault])
    assert any(wrong_samples(case))


def test_functions_and_labels_without_the_short_cut_of_exact_indices() -> None:
    """Words of two bits, the fourth of which is drawn again."""
    case = SAMPLERS["carter-wegman"]
    assert sampled(case, [1], EnumeratedArrayCoins) == sampled(case, [1])


@pytest.mark.parametrize("name", SAMPLERS)
def test_samplers_are_reproducible_and_count_their_users(name: str) -> None:
    case, items = SAMPLERS[name], np.arange(50) % 3
    before = items.copy()
    first, second = (
        written(case.mechanism, case.draw(case.mechanism, items, ArrayCoins(default_rng(9)))) for _ in range(2)
    )
    assert first == second
    assert len(first) == 50
    assert (items == before).all()


def drawn_by(case: Sampler) -> Callable[[Any], Any]:
    return lambda items: case.draw(case.mechanism, items, ArrayCoins(default_rng(0)))


NO_ITEMS = ([0], np.array([[0]]), np.array([0.0]), np.array([3]), np.array([-1]), np.array([], int), 0, None)
test_refusals = refusal_test(*(refuses("items", drawn_by(case), *NO_ITEMS) for case in SAMPLERS.values()))
