"""Audits of a library that end early: what was finished is shown and written, and said to be a part."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from dp_audit import Audit, audit_callable
from dp_checks.runtime.boundary import INTERRUPTED
from dp_checks.runtime.processes import WorkerLostError
from dp_command import main

COMMANDS = {
    "map": (("--library", "diffprivlib"), "maps.command.audit_map_instances"),
    "library": (("pure-ldp",), "command.audit_protocols"),
    "accountant": (("--library", "dp-accounting"), "accountants.command.audit_library_accountants"),
}
"""By command its arguments, and what yields its audits, of `dp_studies.libraries`."""
ENDS = {
    "interrupted": (KeyboardInterrupt(), "interrupted; what was printed"),
    "a worker lost": (WorkerLostError("a worker process was killed"), "a worker process was killed; run the same"),
}


def truth(item: int) -> int:
    return item


def audits(number: int, end: BaseException) -> Iterator[tuple[int, Audit]]:
    """So many, the last one first; then the end."""
    for place in reversed(range(number)):
        yield place, audit_callable(truth, "GRR", {"d": 2 + place, "epsilon": 1})
    raise end


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("name", COMMANDS)
def test_what_was_finished_is_shown_and_written(
    name: str, end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (arguments, source), (error, words) = COMMANDS[name], ENDS[end]
    monkeypatch.setattr(f"dp_studies.libraries.{source}", lambda *_, **__: audits(2, error))
    file = tmp_path / "audits.json"
    result = CliRunner().invoke(main, ["audit", name, *arguments, "--json", str(file)])
    assert result.exit_code == INTERRUPTED
    assert "2 audits: deviates" in result.stdout
    assert [audit["parameters"]["d"] for audit in json.loads(file.read_text(encoding="utf-8"))["audits"]] == ["2", "3"]
    part, last = result.stderr.splitlines()
    assert part.startswith("2 of ")
    assert words in last


@pytest.mark.parametrize("end", ENDS)
def test_where_nothing_was_finished_nothing_is_written(
    end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"dp_studies.libraries.{COMMANDS['map'][1]}", lambda *_, **__: audits(0, ENDS[end][0]))
    file = tmp_path / "audits.json"
    result = CliRunner().invoke(main, ["audit", "map", *COMMANDS["map"][0], "--json", str(file)])
    assert (result.exit_code, result.stdout, file.exists()) == (INTERRUPTED, "", False)
    assert ENDS[end][1] in result.stderr
