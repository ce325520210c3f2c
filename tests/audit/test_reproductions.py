"""What is printed to show a deviation runs as it is printed, and shows what the audit says."""

import contextlib
import io
import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy
import pytest

from audit import test_set_audits
from audit.targets import clients, faulty_styles, memories, set_clients
from dp_audit.audit import audit_callable
from dp_audit.observation.values import freeze, show
from dp_audit.options import Options
from dp_audit.outcome import Audit, Row, Verdict
from dp_audit.report.text import number
from dp_audit.run.child.representation import canonical_value
from running.child_processes import audit_adapter

GRR = "GRR", {"d": 3, "epsilon": 1.0}
LONG = {"d": 2, "eps_perm": 2.0, "eps_1": 1.0}
OWN = ("too_little_noise", "too_much_noise", "shows_itself", "raises_on_the_last_item", "Arrays")
FORGETFUL = ("Changed", "Nothing", "AtTheThird")
LIMITS = {"unexplored": 40, "paths": 20_000}
STYLES = Options(users=(), reuse=False, unmodified=False, seconds=2.0, limits=LIMITS)
SETS = Options(users=(1,), unmodified=False, seconds=10.0)
CLIENTS = Options(users=(1,), outside=(3,), unmodified=False, seconds=10.0)
NAMES = {"array": numpy.array, "np": numpy}
CASES: dict[str, tuple[Path, str, Mapping[str, Any], Options]] = {
    **{name: (Path(clients.__file__), *GRR, CLIENTS) for name in OWN},
    **{name: (Path(memories.__file__), "L-SUE", LONG, CLIENTS) for name in FORGETFUL},
    **{name: (Path(set_clients.__file__), "SuGRR", test_set_audits.PAIRS, SETS) for name, _ in test_set_audits.FAULTS},
    **{name: (Path(faulty_styles.__file__), *case, STYLES) for name, case in faulty_styles.STYLES.items()},
}
"""By name of the target: the file, the oracle, its parameters, and what is looked at."""


DRAWN_ONCE = {"drawn_when_imported": (0.0, 1 / 3, 1.0)}
"""The chances of an output, by what a process draws once: the lines run in another one than the audit."""


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """The samples of a fallback end soon."""
    monkeypatch.setattr("dp_audit.audit.SECONDS", 0.2)


def shown(row: Row) -> tuple[str, dict[str, Any]]:
    """What the lines of a row print, or the exception that they end with; and their names."""
    printed, names = io.StringIO(), dict[str, Any]()
    with contextlib.redirect_stdout(printed):
        try:
            exec("\n".join(row.reproduction), names)
        except Exception as error:
            return type(error).__name__, names
    return printed.getvalue(), names


def frequencies(text: str, names: Mapping[str, Any], together: bool) -> dict[str, float]:
    """How often each report was seen, in the words of a witness; `together`: lists of reports of one client."""
    canonical = getattr(names.get("adapter"), "canonical", lambda report: report)
    shares: dict[str, float] = {}
    for key, times in eval(text):
        own = eval(key, {**NAMES})
        form: Hashable = freeze(canonical_value([canonical(each) for each in own] if together else canonical(own)))
        shares[show(form)] = shares.get(show(form), 0) + times / 10**5
    return shares


def require_shown(row: Row, others: Sequence[float] = ()) -> None:
    """The lines show what the row says, or another of the possible laws."""
    text, names = shown(row)
    witness = row.witness
    if "raised" in witness:
        assert text == witness["raised"].split(":")[0] or number(witness["probability"]) < 1
    elif "reports" in witness and "target" in witness:
        estimates = eval(text if "[" not in text or "," in text else ", ".join(text.split()))
        assert math.isclose(estimates[int(witness["estimand"])], float(witness["target"]), rel_tol=1e-4)
    elif "output" in witness and "target" in witness:
        frequency = frequencies(text, names, False).get(witness["output"], 0.0)
        require_near(frequency, number(witness["target"]), *others)
    elif "joint" in witness:
        frequency, least = frequencies(text, names, True).get(witness["outputs"], 0.0), number(witness["joint"])
        require_near(frequency, min(max(frequency, least), least + number(row.figures.get("unexplored", "0"))))
    else:
        assert text, row


def require_near(frequency: float, *chances: float) -> None:
    assert any(abs(frequency - p) <= 6 * math.sqrt(p * (1 - p) / 10**5) + 1e-4 for p in chances), (frequency, chances)


def deviations(report: Audit) -> Iterator[Row]:
    programs = set()
    for row in report.rows:
        if row.reproduction and row.reproduction not in programs and row.verdict in (Verdict.FAULT, Verdict.WARNING):
            programs.add(row.reproduction)
            yield row


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_the_lines_run_and_show_what_is_said(name: str) -> None:
    file, oracle, parameters, checks = CASES[name]
    for row in deviations(audit_adapter(file, name, oracle, parameters, options=checks)):
        require_shown(row, DRAWN_ONCE.get(name, ()))


@pytest.mark.slow
@pytest.mark.parametrize("name", [*OWN, "seeded", "remembers", "hostile"])
def test_so_do_those_of_code_at_hand(name: str) -> None:
    clients.HISTORY.clear()
    code = getattr(clients, name)
    server = None if isinstance(code, type) else clients.biased
    for row in deviations(audit_callable(code, *GRR, estimate=server, options=CLIENTS)):
        require_shown(row)
