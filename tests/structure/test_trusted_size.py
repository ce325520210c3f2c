"""What the guide says about the size of the trusted base is true, and it does not grow unnoticed."""

import statistics

import pytest

from corpus.certificates import accepted, small
from structure.trusted_size import BESIDE, EXECUTED, GUIDE, TABLE, executed, sizes, table

LIMIT, BESIDE_IT = 5_067, 436
"""Lines that all trusted code together may have, and the cards that only certificates of `amplify` name (decision 24).

Both only fall: raising one needs a decision record that names the verdicts it buys."""


def test_the_guide_has_the_sizes_of_the_trusted_code() -> None:
    """If not: `python tests/structure/trusted_size.py --write`."""
    match = TABLE.search(GUIDE.read_text(encoding="utf-8"))
    assert match is not None
    assert match.group() == table()


def test_the_trusted_code_is_small() -> None:
    reached = sum(lines for lines, _ in sizes().values())
    assert reached <= LIMIT, f"{reached} lines of trusted code"
    beside = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in BESIDE.glob("*.py"))
    assert beside <= BESIDE_IT, f"{beside} lines of cards beside it"


@pytest.mark.slow
def test_a_verdict_executes_some_hundred_lines() -> None:
    """Some certificates of different types and verdicts; the guide has the numbers of all."""
    match = EXECUTED.search(GUIDE.read_text(encoding="utf-8"))
    assert match is not None
    median, most = map(int, match.groups())
    counts = [executed(small(name)) for name in [*accepted()][::4]]
    assert max(counts) <= most
    assert statistics.median(counts) <= 2 * median
