"""The exact audits of the released, unmodified libraries.

Run when the environment of the libraries exists (DP_REFIMPL_AUDIT_ENV, or .audit-env) or can be made; else skipped.
"""

import pytest
from flint import fmpq

from dp_checks.audit import AuditEnvironmentError, AuditReport, Environment, Verdict, audit_library
from dp_checks.audit.environment import create

pytestmark = pytest.mark.slow
CASES = [("GRR", 3), ("GRR", 4), ("SUE", 2), ("SUE", 3), ("OUE", 2), ("OUE", 3)]
EPSILONS = [0.5, 1.0, "ln(3)"]
EXACT = (Verdict.CONFORMS, Verdict.ROUNDING)


@pytest.fixture(scope="session")
def libraries() -> Environment:
    try:
        return create()
    except AuditEnvironmentError as error:
        pytest.skip(f"the environment of the audited libraries cannot be made: {error}")


def verdicts(report: AuditReport, *checks: str) -> set[Verdict]:
    return {report.row(check).verdict for check in checks}


@pytest.mark.parametrize(("protocol", "d"), CASES)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_pure_ldp(libraries: Environment, protocol: str, d: int, epsilon: float | str) -> None:
    report = audit_library("pure-ldp", protocol, d=d, epsilon=epsilon, environment=libraries)
    moments = [f"{name}, n = {n}" for name in ("expectation", "variance") for n in (1, 2)]
    checks = ["law", "privacy", "raw output", "reused client", "server state", *moments]
    assert verdicts(report, *checks) <= set(EXACT), report.text()
    # The value 0 of its items 1 .. d is not rejected: the index -1 counts from the end.
    expected = {"input -1, outside the domain"}
    if protocol == "GRR":
        # A truthful report is the object that was given, a lie a Python int; and items beyond d are reported.
        expected |= {"raw output (numpy.int64 inputs)", f"input {d}, outside the domain"}
    assert {row.check for row in report.faults} == expected, report.text()


@pytest.mark.parametrize(("protocol", "d"), CASES)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_multi_freq_ldpy(libraries: Environment, protocol: str, d: int, epsilon: float | str) -> None:
    report = audit_library("multi-freq-ldpy", protocol, d=d, epsilon=epsilon, environment=libraries)
    checks = ["law", "privacy", "reused client", "server state", "input -1, outside the domain"]
    assert verdicts(report, *checks) <= set(EXACT), report.text()
    # Clipping at 0 and normalising makes the estimates biased and their variance another one.
    faults = {f"{name}, n = {n}" for name in ("expectation", "variance") for n in (1, 2)}
    assert {row.check for row in report.faults} == faults, report.text()
    assert report.row("raw output").verdict is (Verdict.UNDECIDED if protocol == "GRR" else Verdict.CONFORMS)


@pytest.mark.parametrize("d", [3, 4])
def test_bias_of_multi_freq_ldpy_for_one_report_is_one_minus_p(libraries: Environment, d: int) -> None:
    """One GRR report is estimated as the whole population: the expectation is p instead of 1."""
    report = audit_library("multi-freq-ldpy", "GRR", d=d, epsilon="ln(3)", environment=libraries)
    expectation = fmpq(*map(int, report.row("expectation, n = 1").witness["exact"].split("/")))
    assert abs(expectation - fmpq(3, 3 + d - 1)) < fmpq(1, 2**40)
