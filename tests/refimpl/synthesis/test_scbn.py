"""The reconstruction of PrivSCBN: its steps (R1) to (R5), each against a naive form."""

from collections import Counter
from functools import partial
from itertools import product
from math import log
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from cases.faults import mutant_test
from cases.refusals import refusal_test, refuses
from dp_refimpl.coins import SamplingCoins, ScriptedCoins
from dp_refimpl.enumeration import output_law
from dp_refimpl.synthesis.conditionals import Conditional
from dp_refimpl.synthesis.dpsc import LaplaceEntries, LatticeNoise, NoEntryNoise
from dp_refimpl.synthesis.scbn import (
    ReconstructedNetwork,
    ReconstructedSCBN,
    ReconstructedSegmentation,
    reconstructed_conditionals,
    reconstructed_rows,
)
from dp_refimpl.synthesis.selection import ExponentialMechanism, Maximum
from dp_refimpl.synthesis.spectral_embedding import Reduction
from dp_refimpl.synthesis.tables import CountTable, tables
from dp_spec.vocabulary.budget import Budget

ONE, HALF, THIRD = fmpq(1), fmpq(1, 2), fmpq(1, 3)
SEGMENTS = ReconstructedSegmentation(NoEntryNoise(), Reduction(HALF, 2), 2)


def table(*records: str) -> CountTable:
    return CountTable.of_records((2,) * len(records[0]), [[int(x) for x in record] for record in records])


def plain_information(data: CountTable, x: int, parents: tuple[int, ...]) -> float:
    n = data.n
    both = Counter((r[x], tuple(r[p] for p in parents)) for r in data.records)
    one, two = Counter(r[x] for r in data.records), Counter(tuple(r[p] for p in parents) for r in data.records)
    return sum(c / n * log(c * n / (one[v] * two[pi])) for (v, pi), c in both.items())


def plain_best_total(data: CountTable, x: int, placed: list[int], degree: int) -> tuple[int, ...]:
    """The parents after attributes have joined one after the other."""
    parents: tuple[int, ...] = ()
    for new in placed:
        options = [parents, *([(*parents, new)] if len(parents) < degree else [])]
        options += [tuple(new if p == old else p for p in parents) for old in parents]
        scores = [plain_information(data, x, option) for option in options]
        best = 0
        for i, score in enumerate(scores):
            if score > scores[best] + 1e-9:
                best = i
        parents = tuple(sorted(options[best]))
    return parents


def test_distances_of_associated_attributes_are_small() -> None:
    """0 = 1, 2 = 3: J is 0 inside the pairs, and they are the clusters (k-means++ from any seeds of both)."""
    data = table("1100", "0011", "1111")
    matrix = SEGMENTS.noisy_matrix(data, ScriptedCoins([]))
    assert matrix[0] == (fmpq(0), fmpq(0), fmpq(2, 3), fmpq(2, 3))
    law = output_law(lambda coins: SEGMENTS.partition(matrix, coins), ONE)
    assert set(law) == {((0, 1), (2, 3))}


def test_noise_is_drawn_once_for_a_pair() -> None:
    noisy = ReconstructedSegmentation(LatticeNoise(HALF, THIRD, -1, 3), Reduction(HALF, 2), 2)
    law = output_law(lambda coins: noisy.noisy_matrix(table("11", "10"), coins), ONE)
    assert len(law) == 5
    assert all(m[0][1] == m[1][0] and m[0][0] == m[1][1] == 0 for m in law)


DATA = [data for n in (2, 3) for data in list(tables((2,) * 3, n))[:: 7 - n]]


def wrong_networks(program: Any) -> bool:
    """Whether some network has other parents than attributes that join one after the other give."""
    for data in DATA:
        for degree in (0, 1, 2):
            law = output_law(partial(program(degree).build, data, (0, 1, 2)), ONE)
            for network in law:
                order = [x for x, _ in network]
                if sorted(order) != [0, 1, 2] or any(
                    parents != plain_best_total(data, x, order[:i], degree) for i, (x, parents) in enumerate(network)
                ):
                    return True
    return False


def greedy(degree: int) -> ReconstructedNetwork[fmpq]:
    return ReconstructedNetwork(Maximum(), degree, ONE)


def test_networks_have_the_improved_parents() -> None:
    assert not wrong_networks(greedy)


def with_parents(improved: Any) -> Any:
    class Faulty(ReconstructedNetwork[fmpq]):
        def improved(self, table: CountTable, x: int, parents: tuple[int, ...], new: int) -> tuple[int, ...]:
            return tuple(sorted(improved(self, table, x, parents, new)))

    return lambda degree: Faulty(Maximum(), degree, ONE)


test_planted_faults = mutant_test(
    wrong_networks,
    {
        "never changed": with_parents(lambda s, t, x, parents, new: parents),
        "always the newest": with_parents(lambda s, t, x, parents, new: (new,) if s.degree else ()),
        "extended only": with_parents(
            lambda s, t, x, parents, new: (*parents, new) if len(parents) < s.degree else parents
        ),
        "one parent more": lambda degree: greedy(degree + 1),
        "no parents": lambda degree: greedy(0),
    },
)


def test_choices_have_equal_shares() -> None:
    """n = 2, scores 0 or 1 bit, Delta u = 1 bit: e^(epsilon_2) = 3^4 gives a weight of 3 for each of two choices."""
    program = ReconstructedNetwork(ExponentialMechanism(Budget.of_root(fmpq(3), 4)), 1, ONE)
    law = output_law(lambda coins: program.build(table("000", "011"), (0, 1, 2), coins), ONE)
    assert law[((1, ()), (2, (1,)), (0, ()))] == fmpq(1, 3) * fmpq(3, 4)
    assert law[((0, ()), (1, ()), (2, (1,)))] == fmpq(1, 3) * HALF
    assert sum(law.values()) == 1


def test_conditionals_are_clamped() -> None:
    """Pr[X = 1 | pi] of the data, 1/2 where there are none; noise of 1/2 steps is clamped to [0, 1]."""
    data, network = table("00", "01", "01"), ((0, ()), (1, (0,)))
    exact = reconstructed_conditionals(data, network, NoEntryNoise(), ScriptedCoins([]))
    assert exact == (
        Conditional(0, (), (((), (ONE, fmpq(0))),)),
        Conditional(1, (0,), (((0,), (THIRD, 1 - THIRD)), ((1,), (HALF, HALF)))),
    )
    noise = LatticeNoise(HALF, THIRD, -2, 4)
    law = output_law(lambda coins: reconstructed_conditionals(data, network, noise, coins), ONE)
    assert sum(law.values()) == 1
    assert {c.rows[0][1] for conditionals in law for c in conditionals} == {
        (ONE, fmpq(0)),
        (HALF, HALF),
        (fmpq(0), ONE),
    }


def test_rows_are_put_together_from_clusters() -> None:
    data = table("010", "100", "110")
    parts = [
        reconstructed_conditionals(data, network, NoEntryNoise(), ScriptedCoins([]))
        for network in (((2, ()), (0, (2,))), ((1, ()),))
    ]
    law = output_law(lambda coins: reconstructed_rows(parts, data.sizes, 1, coins), ONE)
    wanted = {table(f"{a}{b}0"): fmpq(2 if a else 1, 3) * fmpq(2 if b else 1, 3) for a, b in product((0, 1), repeat=2)}
    assert law == wanted


@pytest.mark.parametrize("scale", [0.0, 1.0, 1e300])
def test_huge_noise(scale: float) -> None:
    generator = np.random.default_rng(2)
    noise, coins = LaplaceEntries(scale, generator), SamplingCoins(generator)
    conditionals = reconstructed_conditionals(table("00", "11"), ((0, ()), (1, (0,))), noise, coins)
    assert reconstructed_rows([conditionals], (2, 2), 3, coins).n == 3


PARTS = (Budget.of_root(fmpq(2), 4),) * 3
test_bad_input = refusal_test(
    refuses("budgets", lambda parts: ReconstructedSCBN.of_budgets(parts, (2, 2), 2), PARTS[:2], None, (0, 0, 0)),
    refuses("k", lambda k: ReconstructedSegmentation(NoEntryNoise(), Reduction(fmpq(1), 1), k), 0, -1, True, 1.0),
    refuses(
        "seeding", lambda word: ReconstructedSegmentation(NoEntryNoise(), Reduction(fmpq(1), 1), 1, word), "exact", None
    ),
    refuses(
        "rows",
        lambda rows: ReconstructedSCBN.of_budgets(PARTS, (2, 2), 1).publish(table("00"), rows, ScriptedCoins([])),
        *(-1, True, 0.5),
    ),
    refuses("degree", greedy, -1, True, 1.0),
    refuses("cluster", lambda cluster: greedy(1).build(table("00"), cluster, ScriptedCoins([])), ()),
    refuses("attributes", lambda cluster: greedy(1).build(table("00"), cluster, ScriptedCoins([])), (0, 0), (2,)),
    refuses(
        "attribute",
        lambda size: reconstructed_conditionals(
            CountTable((size,), (((0,), 1),)), ((0, ()),), NoEntryNoise(), ScriptedCoins([])
        ),
        1,
        3,
    ),
)
