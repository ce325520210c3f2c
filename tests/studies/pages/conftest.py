"""What tests of committed runs share: the module's `RUN`, as it is committed, and as pictures show it."""

from typing import Any

import pytest

from structure.tree import ROOT


@pytest.fixture(scope="module")
def committed(request: pytest.FixtureRequest) -> dict[str, Any]:
    page: dict[str, Any] = request.module.RUN.committed(ROOT)
    return page


@pytest.fixture(scope="module")
def document(request: pytest.FixtureRequest, committed: dict[str, Any]) -> dict[str, Any]:
    study: dict[str, Any] = request.module.RUN.studied(committed)
    return study
