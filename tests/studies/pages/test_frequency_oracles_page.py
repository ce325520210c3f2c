"""The page on frequency oracles shows what the formulas and the exact comparison say."""

import pytest
from flint import fmpq

from dp_spec.frequency.single_item import DIFFERENCES, ERRORS
from dp_spec.vocabulary.budget import Budget
from dp_studies.comparisons.frequency_oracles.candidates import NAMES, Place, Setting, best
from dp_studies.pages import frequency_oracles, maps


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return frequency_oracles.page()


@pytest.mark.slow
def test_every_error_every_difference_and_every_row_is_shown(lines: list[str]) -> None:
    for name in ERRORS:
        assert sum(line.startswith(f"| {name} | $") for line in lines) == 1
    for one, other in DIFFERENCES:
        assert sum(line.startswith(f"| {one} − {other} | $") for line in lines) == 1
    for d, bits in frequency_oracles.ROWS:
        assert any(line.startswith(f"| {d} | {bits or 'any'} | 0.1 to") for line in lines)
    assert frequency_oracles.OUTPUTS.keys() == ERRORS.keys()


@pytest.mark.parametrize("panel", range(len(frequency_oracles.PANELS)))
def test_the_maps_are_those_of_the_comparison(panel: int) -> None:
    title, bits, names = frequency_oracles.PANELS[panel]
    assert (f"{bits}" in title) == (bits is not None)
    grid = frequency_oracles.winners(panel)
    for d, line in list(zip(frequency_oracles.ITEMS, grid, strict=True))[::4]:
        f = fmpq(0) if "f = 0" in title else fmpq(1, d)
        for epsilon, winners in list(zip(maps.EPSILONS, line, strict=True))[::3]:
            assert winners == best(Setting(d, f, bits), Place(Budget(epsilon)), names)
            assert set(winners) <= set(NAMES)
    assert all(winners for line in grid for winners in line)
