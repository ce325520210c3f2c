"""How many reports support an item: by differences and by residues, as remainders say; planted faults; refusals."""

import tracemalloc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import default_rng
from numpy.typing import NDArray

from cases.refusals import refusal_test, refuses
from dp_refimpl.fast.array_coins import ArrayCoins
from dp_refimpl.fast.frequency import support_counts as counting
from dp_refimpl.fast.frequency.affine_sums import AffineSums
from dp_refimpl.fast.frequency.hash_arrays import MERSENNE, PolynomialHashes
from dp_refimpl.fast.frequency.label_arrays import LabelHashes, draw_label_hashes
from dp_refimpl.fast.frequency.support_counts import support_counts
from dp_refimpl.frequency.hash_families import AffineLabels, AllFunctions, CarterWegman
from mutants.rewriting import planted_test, read_faults

FAMILIES = [
    CarterWegman(tuple(range(7)), prime, g, zero)
    for prime, g, zero in ((7, 2, True), (13, 5, False), (MERSENNE, 4, True), (MERSENNE, 12, False))
]


def supporting(hashes: LabelHashes, labels: NDArray[np.int64], items: int) -> list[int]:
    """By all values of all functions."""
    values = hashes.values(np.broadcast_to(np.arange(items), (len(hashes), items)))
    counts: list[int] = (values == labels[:, None]).sum(axis=0).tolist()
    return counts


def wrong_support() -> Iterator[str]:
    for family in FAMILIES:
        for users in (1, 20, 600):
            hashes = draw_label_hashes(family, users, ArrayCoins(default_rng(users)))
            labels = default_rng(1).integers(family.labels, size=users)
            if support_counts(hashes, labels, 7).tolist() != supporting(hashes, labels, 7):
                yield f"{family}, {users} users"


test_planted_faults_are_found = planted_test(
    {name: fault for name, fault in read_faults("hash_arrays.toml").items() if fault.finder == "support"},
    {"support": wrong_support},
)


@pytest.mark.parametrize("block", [3, 1000])
@settings(max_examples=15)
@given(
    g=st.one_of(st.integers(2, 40), st.sampled_from([2**30, 2**31 - 1, 2**31 - 2, 3 * 2**20])),
    seed=st.integers(0, 2**32 - 1),
)
def test_support_is_equality_of_remainders(block: int, g: int, seed: int) -> None:
    """Against `%`, with numbers next to 0, to P, and to multiples of g."""
    rng = default_rng(seed)
    edges = [0, 1, g - 1, g, 2 * g, MERSENNE - 1, MERSENNE - g, (MERSENNE - 1) // g * g]
    b = np.array([e % MERSENNE for e in edges] + rng.integers(MERSENNE, size=8).tolist())
    a = rng.choice([0, 1, g % MERSENNE, MERSENNE - 1, int(rng.integers(MERSENNE))], size=len(b))
    hashes = LabelHashes(PolynomialHashes(np.stack([b, a], axis=1), MERSENNE), g)
    values = np.array([[(int(x) * j + int(y)) % MERSENNE % g for j in range(5)] for y, x in zip(b, a, strict=True)])
    labels = values[np.arange(len(b)), rng.integers(5, size=len(b))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "BLOCK", block)
        counts = support_counts(hashes, labels, 5)
    assert counts.tolist() == (values == labels[:, None]).sum(axis=0).tolist()


def test_support_by_residues_is_that_by_remainders() -> None:
    family = CarterWegman(tuple(range(250)), 257, 7, True)
    hashes = draw_label_hashes(family, 3000, ArrayCoins(default_rng(5)))
    labels = default_rng(6).integers(7, size=3000)
    assert AffineSums(hashes, labels[:, None], 250).quick
    assert support_counts(hashes, labels, 250).tolist() == supporting(hashes, labels, 250)


def test_memory_does_not_grow_with_users_times_items() -> None:
    """A byte per user and item would be 40 MB."""
    d, users = 2000, 20_000
    family = CarterWegman(tuple(range(d)), MERSENNE, 3, True)
    hashes = draw_label_hashes(family, users, ArrayCoins(default_rng(0)))
    labels = np.arange(users) % 3
    tracemalloc.start()
    counts = support_counts(hashes, labels, d)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(counts) == d
    assert peak < 4_000_000


FAMILY = FAMILIES[1]
COINS: Any = ArrayCoins(default_rng(0))
HASHES = draw_label_hashes(FAMILY, 3, COINS)
LABELS = np.array([0, 4, 1])
COEFFICIENTS = HASHES.hashes.coefficients
ALL = AllFunctions((0, 1, 2), 2)
test_refusals = refusal_test(
    refuses(
        "labels",
        lambda labels: support_counts(HASHES, labels, 7),
        *(LABELS + 5, LABELS[:2], LABELS.astype(float), LABELS[:, None], [0, 1, 2]),
    ),
    refuses("items", lambda items: support_counts(HASHES, LABELS, items), 0, True, 1.0),
    refuses("hashes", lambda: support_counts(HASHES, LABELS, 14)),
    refuses(
        "hashes",
        lambda hashes: hashes.require_of(FAMILY),
        LabelHashes(PolynomialHashes(COEFFICIENTS, 13), 4),
        LabelHashes(PolynomialHashes(COEFFICIENTS, 17), 5),
        LabelHashes(PolynomialHashes(COEFFICIENTS * np.array([1, 0]), 13), 5),
    ),
    refuses("family", lambda family: HASHES.require_of(family), ALL),
    refuses("labels", lambda labels: LabelHashes(HASHES.hashes, labels), 0, 14, True),
    refuses("hashes", lambda hashes: LabelHashes(hashes, 5), PolynomialHashes(COEFFICIENTS[:, :1], 13), None),
    refuses("prime", lambda prime: PolynomialHashes(COEFFICIENTS, prime), 4, 2**31 + 11, 13.0),
    refuses(
        "coefficients",
        PolynomialHashes,
        *(COEFFICIENTS - 13, COEFFICIENTS + MERSENNE, COEFFICIENTS[0], COEFFICIENTS[:0], COEFFICIENTS * 1.0, [[1, 2]]),
    ),
    refuses("users", lambda users: draw_label_hashes(AffineLabels((0, 1), 2), users, COINS), 0, True, 1.5),
    refuses("family", lambda family: draw_label_hashes(family, 1, COINS), ALL),
)
