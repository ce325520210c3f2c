"""Every mechanism: the exact law is the one by brute force, the estimator is unbiased, planted faults are caught."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from independent.cases import CASES, ROOTS, SIZES, Case, wrong_estimates, wrong_laws
from mutants.rewriting import planted_test, read_faults


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


FAULTS = read_faults("set_mechanisms.toml")
FINDERS: dict[str, Callable[[], Iterator[str]]] = {
    **{f"law {case.name}": partial(wrong_laws, case) for case in CASES},
    **{f"estimates {case.name}": partial(wrong_estimates, case) for case in CASES},
}
test_planted_faults_are_found = planted_test(FAULTS, FINDERS)


def test_every_mechanism_has_five_faults() -> None:
    names = {case.name: case.mechanism for case in CASES}
    planted = Counter(names[fault.finder.split()[1]] for fault in FAULTS.values())
    assert {case.mechanism for case in CASES} == set(planted)
    assert min(planted.values()) >= 5


def test_grid_reaches_the_corners() -> None:
    assert any(n == 0 for _, n, _ in SIZES)
    assert any(k == 1 for k, _, _ in SIZES)
    assert any(m == k + n for k, n, m in SIZES)
    assert any(n > m for _, n, m in SIZES)
    assert any(0 < n < m for _, n, m in SIZES)
    assert any(m < k + n < 2 * m for k, n, m in SIZES)
    assert (1, 0, 1) in SIZES
    assert 1 in ROOTS
