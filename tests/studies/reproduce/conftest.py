"""What tests of reproductions share: every source is reproduced once at a small size, and its command is run once."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dp_command import main
from dp_studies.reproduce.s002 import study
from studies.reproduce.cases import CASES, SMALL


@pytest.fixture(scope="module", autouse=True)
def small() -> Iterator[None]:
    """All figures of source 002 are a small one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study, "figure", lambda number: SMALL)
        yield


@pytest.fixture(scope="session")
def document_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], dict[str, Any]]:
    """The document of a source."""

    @cache
    def document(source: str) -> dict[str, Any]:
        return CASES[source].reproduced(tmp_path_factory.mktemp(f"document-{source}")).document

    return document


@pytest.fixture(scope="module")
def document(request: pytest.FixtureRequest, document_of: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    """The document of the module's `CASE`."""
    return document_of(request.module.CASE.study.source)


@pytest.fixture(scope="session")
def folder_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """What the command of a source writes, pictures included: they take seconds."""

    @cache
    def folder(source: str) -> Path:
        made, case = tmp_path_factory.mktemp(f"command-{source}"), CASES[source]
        result = CliRunner().invoke(main, [*case.arguments, "--out", str(made)])
        assert result.exit_code == 0, result.output
        for words in case.said:
            assert words in result.output
        return made

    return folder
