"""The stand-alone server of adapters: it runs the adapter as it is, and answers whatever the adapter does."""

import json
import sys
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import pytest
from flint import fmpq

from dp_audit.audit import audit_adapter_blackbox
from dp_audit.observation.samples import SamplerError
from dp_audit.outcome import Audit, Verdict
from dp_audit.run.adapter_command import SERVER
from dp_audit.run.child.server import Server
from dp_audit.run.process_sampler import ProcessSampler
from dp_spec.vocabulary.exceptions import DomainError
from running.options import settings

ADAPTERS = Path(__file__).parent / "targets" / "server_adapters.py"
KEPT = {"d": 2, "epsilon": "ln(3)"}


def served(name: str, parameters: Mapping[str, object], **options: object) -> ProcessSampler:
    command = [sys.executable, "-I", "-B", *SERVER, str(ADAPTERS), name, json.dumps(parameters)]
    return ProcessSampler([*command, json.dumps(options)] if options else command)


def audit(name: str, keep: float, **options: Any) -> Audit:
    asked = settings(**{"fault": fmpq(1, 5), "handed": {"keep": keep}, **options})
    return audit_adapter_blackbox(ADAPTERS, name, "GRR", KEPT, *asked)


def test_a_correct_adapter_is_consistent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # of an exact audit in the same session: it must not reach the child
    report = audit("Chatty", 0.75, distributions=("pytest",), outside=(2,))
    assert report.verdict in (Verdict.CONSISTENT, Verdict.ROUNDING)
    assert report.target == "server_adapters"
    assert report.mechanism == "Chatty"
    assert report.oracle == "GRR"
    assert report.row("estimator").verdict in (Verdict.CONFORMS, Verdict.ROUNDING)
    assert report.row("input 2, outside the domain").verdict is Verdict.CONFORMS
    assert set(report.versions) == {"python", "numpy", "pytest"}


def test_a_faulty_function_is_a_fault() -> None:
    report = audit("flip", 0.9)
    assert report.row("law").verdict is Verdict.FAULT
    assert report.notes == (
        "no estimates: NotImplementedError: the adapter has no server, asked for estimates of 1 reports",
    )


@pytest.mark.parametrize(("name", "said"), [("Dies", "exit status 9"), ("Missing", "AttributeError")])
def test_an_end_is_a_row(name: str, said: str) -> None:
    assert said in audit(name, 0.75, outside=()).row("TargetDied").detail


def test_unknown_distributions() -> None:
    with pytest.raises(DomainError, match="no-such-distribution"):
        audit("flip", 0.75, distributions=("no-such-distribution",), outside=(), limit=10)


@pytest.mark.parametrize(
    ("item", "report"),
    [
        ("numpy", ((1, 2), (3, 4))),
        ("bool", (1, 0, None, "x")),
        ("float", (fmpq(1, 2), 2)),
        ("set", frozenset({9, 10})),
        ("bytes", b"\x00\xff"),
    ],
)
def test_canonical_forms(item: str, report: Hashable) -> None:
    with served("Forms", {"keep": 1}) as sampler:
        assert sampler.sample(item, 2) == (report, report)


@pytest.mark.parametrize("item", ["object", "nan"])
def test_reports_without_a_canonical_form(item: str) -> None:
    with served("Forms", {"keep": 1}) as sampler, pytest.raises(SamplerError, match="Error: "):
        sampler.sample(item, 1)


def test_estimates_are_of_the_librarys_own_reports() -> None:
    with served("Forms", {"keep": 1}) as sampler:
        with pytest.raises(SamplerError, match="KeyError"):
            sampler.estimate([frozenset({9, 10})])  # not given by this process
        sampler.sample("set", 1)
        assert sampler.estimate([frozenset({9, 10})]) == (fmpq(1, 3), fmpq(4), fmpq(1, 2), fmpq(2))
        sampler.sample("bytes", 1)
        with pytest.raises(SamplerError, match="an estimate is nan"):
            sampler.estimate([b"\x00\xff"])
        sampler.sample("bool", 1)
        with pytest.raises(SamplerError, match="an estimate of type str"):
            sampler.estimate([(1, 0, None, "x")])


def test_input_types() -> None:
    with served("flip", {"keep": 1}, input_type="numpy.int64") as sampler:
        assert sampler.sample(1, 3) == (1, 1, 1)
    with served("flip", {"keep": 1}, input_type="str") as sampler, pytest.raises(SamplerError, match="1 is no bit"):
        sampler.sample(1, 1)


def test_unknown_requests_are_errors() -> None:
    class Constant:
        def client(self) -> None:
            return None

        def privatize(self, client: None, item: int) -> int:
            return item

    assert Server(Constant()).answer({"op": "explain"}) == {"error": "unknown op 'explain'"}
