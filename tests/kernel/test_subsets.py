"""Laws on subsets, enumerated by the kernel, are those of the mechanism in both readings. (False statements about them
are in the corpus.)"""

from fractions import Fraction

import pytest

from dp_kernel.laws.grammar import World, output_law, valued
from dp_spec.frequency.privset import D_PADDED, PADDED, PLAIN
from dp_spec.vocabulary.law import K, M
from independent.brute_force_privset import privset


@pytest.mark.parametrize(("d", "m", "k"), [(3, 1, 1), (3, 2, 1), (4, 2, 2), (2, 2, 1)])
def test_the_law_is_that_of_the_mechanism(d: int, m: int, k: int) -> None:
    """Both readings, enumerated from the term and by brute force."""
    w = Fraction(3, 2)
    for stated, padded in ((PLAIN, False), (PADDED, True)):
        if not padded and k > d - m:
            continue
        numbers = valued(stated.json()["term"], {"K": w * 0 + d, "m": w * 0 + m, "k": w * 0 + k, "w": w, "N": w * 0})
        for s in [tuple(range(m)), tuple(range(d - m, d))] + ([()] if padded else []):
            law = output_law(numbers, s, m, World(d, 0))
            assert {frozenset(o): p for (o, _), p in law.items()} == privset(frozenset(s), d, m, k, w, padded)


def test_outputs_of_the_padded_reading_are_items_and_dummies() -> None:
    assert D_PADDED == K + M
