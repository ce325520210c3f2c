"""What tests of oracles share: the precision at which balls are tiny."""

from collections.abc import Iterator

import pytest
from flint import ctx

from independent.oracle_cases import BITS


@pytest.fixture
def precise() -> Iterator[None]:
    with ctx.workprec(BITS):
        yield
