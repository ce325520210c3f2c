"""What the audits of released libraries share."""

import pytest


@pytest.fixture(autouse=True)
def replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the run with nothing replaced, compiled where a library is compiled; tests of it undo this."""
    monkeypatch.setattr("dp_audit.audit.observed", lambda enumeration, rows: rows)
