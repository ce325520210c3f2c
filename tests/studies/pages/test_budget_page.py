"""The page on the best use of the budget shows what the claims and the exact comparison say."""

import re
from typing import Any

import pytest
from flint import fmpq

from dp_checks.ledger import Entry
from dp_studies.comparisons.budget.constants import CLAIMS, READINGS
from dp_studies.comparisons.budget.equal_privacy import NAMES, TABLE4, Size, compared
from dp_studies.pages import budget as page
from dp_studies.pages.maps import EPSILONS


@pytest.fixture(scope="module")
def lines() -> list[str]:
    listed = {claim for readings in CLAIMS.values() for claims in readings.values() for claim in claims}
    return page.page({claim: Entry(claim, "proved", {}) for claim in listed})


def test_every_claim_that_gives_a_constant_is_shown(lines: list[str]) -> None:
    ids = re.findall(r"\{claim\}`claim <([^`]+)>`", "\n".join(lines))
    assert set(ids) == {claim for readings in CLAIMS.values() for claims in readings.values() for claim in claims}


def test_a_line_for_every_size_and_reading_with_the_smallest_sum_in_bold(lines: list[str]) -> None:
    rows = [line for line in lines if line.startswith(tuple(f"| {name} |" for name in TABLE4))]
    assert len(rows) == len(TABLE4) * len(READINGS)
    for line, block in zip(rows, page.at_table4(), strict=True):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        assert cells[0] == block["data"]
        bold = [name for name, cell in zip(NAMES, cells[2:], strict=True) if cell.startswith("**")]
        assert bold == block["best"]
        sums = {name: row["error_sum"] for name, row in block["mechanisms"].items() if "error_sum" in row}
        least = min(fmpq(*_fraction(text)) for text in sums.values())
        assert all(fmpq(*_fraction(sums[name])) == least for name in bold)


def _fraction(text: str) -> tuple[int, int]:
    whole, _, rest = text.partition(".")
    return int(whole + rest), 10 ** len(rest)


@pytest.mark.parametrize(
    ("total", "text"),
    [
        ("0.0437737467373", "0.04377"),
        ("38424.7670928", "38424"),
        ("110.793987280", "110.7"),
        ("1.47090798286", "1.470"),
        ("7", "7"),
    ],
)
def test_sums_are_cut_to_four_digits(total: str, text: str) -> None:
    assert page._short(total) == text


def test_the_maps_are_those_of_the_comparison() -> None:
    sizes = (Size(1, 2, 64, 192), Size(1, 8, 64, 192))
    grid = page.winners("deniability", sizes)
    for line, size in zip(grid, sizes, strict=True):
        for cell, epsilon in zip(line, EPSILONS, strict=True):
            totals: dict[str, Any] = {
                row.mechanism: row.total for row in compared("deniability", size, epsilon, 64) if row.total is not None
            }
            assert cell[0] == min(totals, key=lambda name: totals[name])
