"""What tests of checkers share."""

from collections.abc import Iterator

import pytest

from running.programs import forget_programs


@pytest.fixture
def other_programs() -> Iterator[None]:
    """Programs may be changed: nothing is remembered of them before and after."""
    forget_programs()
    yield
    forget_programs()
