"""The page on strategies shows what the exact comparison says."""

import pytest

from dp_refimpl.matrix.parameters import Neighbors
from dp_refimpl.matrix.workload_totals import Workload
from dp_studies.comparisons.strategies.candidates import Setting, candidates
from dp_studies.comparisons.strategies.ranking import By, ranking
from dp_studies.pages import strategies


def test_every_strategy_and_every_size_is_shown() -> None:
    lines = strategies.page()
    for candidate in candidates(Setting(strategies.SHOWN))[0]:
        assert sum(line.startswith(f"| {candidate.label} | ") for line in lines) == 1
    for n in strategies.SIZES:
        setting = Setting(n)
        first = ranking(setting, 1, candidates(setting)[0], seek=False)[0]
        assert sum(line.startswith(f"| {n} | {first.candidate.label}") for line in lines) == 1


@pytest.mark.parametrize("height", [1, 6, 13, 20])
def test_the_picture_is_that_of_the_comparison(height: int) -> None:
    labels = {row.candidate.label for row in strategies.ranked(height)}
    assert {label for label, _, _ in strategies.CURVES} <= labels
    for family, neighbors, workload, _, _ in strategies.BEST:
        rows = strategies.ranked(height, neighbors, workload)
        own = [row for row in rows if row.candidate.name == family]
        best = strategies.best_branching(family, height, neighbors, workload)
        least = min(own, key=lambda row: float(row.key(By.TOTAL)))
        assert f"b={best}," in own[0].candidate.label
        assert float(own[0].key(By.TOTAL)) == pytest.approx(float(least.key(By.TOTAL)))
    assert {n for _, n, _, _, _ in strategies.BEST} == set(Neighbors)
    assert Workload.PREFIX in {w for _, _, w, _, _ in strategies.BEST}
