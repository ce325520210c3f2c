"""Every mechanism: the exact law is the one by brute force, the estimator is unbiased, planted faults are caught."""

from collections.abc import Iterator

import pytest

from independent.cases import CASES, ROOTS, SIZES, Case, wrong_estimates, wrong_laws
from mutants.mechanisms import MUTANTS, Members, mutant

FURTHER = {"grr-split-multiset", "urap-theta", "sugrr-set", "sugrr-position", "sugrr-padded"}
"""Further readings of a mechanism: the overrides are variants of its first reading, which alone judges them."""


def faults() -> Iterator[tuple[Case, str, Members]]:
    for case in CASES:
        if case.name not in FURTHER:
            for name, members in MUTANTS[case.mechanism].items():
                yield case, name, members


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_exact_law_is_the_law_by_brute_force(case: Case) -> None:
    assert list(wrong_laws(case)) == []


@pytest.mark.parametrize("case", [c for c in CASES if c.unbiased], ids=lambda c: c.name)
def test_estimator_is_unbiased(case: Case) -> None:
    assert list(wrong_estimates(case)) == []


@pytest.mark.parametrize("case", [c for c in CASES if not c.unbiased], ids=lambda c: c.name)
def test_bias_of_other_readings_is_seen(case: Case) -> None:
    """Estimator (14) counts what these readings of y0 do not show, or adds to it: the check must notice."""
    assert any(wrong_estimates(case))


@pytest.mark.parametrize(("case", "fault", "members"), list(faults()), ids=lambda x: x if isinstance(x, str) else "")
def test_planted_fault_is_caught(case: Case, fault: str, members: Members) -> None:
    cls = mutant(case.mechanism, members)
    assert any(wrong_laws(case, cls)) or any(wrong_estimates(case, cls)), f"{case.name}: {fault} survived"


def test_every_mechanism_has_five_faults() -> None:
    assert {case.mechanism for case in CASES} == set(MUTANTS)
    assert all(len(planted) >= 5 for planted in MUTANTS.values())


def test_grid_reaches_the_corners() -> None:
    assert any(n == 0 for _, n, _ in SIZES)
    assert any(k == 1 for k, _, _ in SIZES)
    assert any(m == k + n for k, n, m in SIZES)
    assert any(n > m for _, n, m in SIZES)
    assert any(0 < n < m for _, n, m in SIZES)
    assert any(m < k + n < 2 * m for k, n, m in SIZES)
    assert (1, 0, 1) in SIZES
    assert 1 in ROOTS
