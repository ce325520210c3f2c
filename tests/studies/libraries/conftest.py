"""What audits of libraries share: the environments, and the audit without its slowest part."""

import pytest

from dp_audit import Environment
from dp_studies.libraries import audit
from running.kept import made


@pytest.fixture(scope="session")
def local() -> Environment:
    """The libraries for local privacy."""
    return made("local")


@pytest.fixture(scope="session")
def central() -> Environment:
    """The libraries for a trusted curator."""
    return made("central")


@pytest.fixture
def replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Audits without the run with nothing replaced, compiled where the library is compiled."""
    monkeypatch.setattr(audit, "_unintercepted", lambda job, rows, *arguments: rows)
