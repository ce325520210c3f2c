"""The exact audits of the released, unmodified libraries.

Run when the environment of the libraries exists (DP_REFIMPL_AUDIT_ENV, or .audit-env) or can be made; else skipped.
"""

import pytest
from flint import fmpq

from dp_audit import Audit, Environment, Verdict
from dp_checks.runtime.parallel import Workers
from dp_studies.libraries import audit
from running.child_processes import audit_library, environment

pytestmark = pytest.mark.slow
CASES = [("GRR", 3, "ln(3)"), ("SUE", 2, 1.0), ("OUE", 3, "ln(3)")]
EXACT = (Verdict.CONFORMS, Verdict.ROUNDING)


@pytest.fixture(scope="session")
def libraries() -> Environment:
    return environment("local")


def verdicts(report: Audit, *checks: str) -> set[Verdict]:
    return {report.row(check).verdict for check in checks}


@pytest.mark.parametrize(("protocol", "d", "epsilon"), CASES)
def test_pure_ldp(libraries: Environment, protocol: str, d: int, epsilon: float | str) -> None:
    report = audit_library("pure-ldp", protocol, {"d": d, "epsilon": epsilon}, environment=libraries)
    moments = [f"{name}, n = {n}" for name in ("expectation", "variance") for n in (1, 2)]
    checks = ["law", "privacy", "raw output", "reused client", "server state", *moments]
    assert verdicts(report, *checks) <= set(EXACT), report.text()
    # A truthful report is the object that was given, a lie a Python int; and items outside 1 .. d are reported as such.
    outside = {f"input {item}, outside the domain" for item in (-1, d)}
    expected = {"raw output (numpy.int64 inputs)", *outside} if protocol == "GRR" else set()
    assert {row.check for row in report.faults} == expected, report.text()


@pytest.mark.parametrize(("protocol", "d", "epsilon"), CASES)
def test_multi_freq_ldpy(libraries: Environment, protocol: str, d: int, epsilon: float | str) -> None:
    report = audit_library("multi-freq-ldpy", protocol, {"d": d, "epsilon": epsilon}, environment=libraries)
    checks = ["law", "privacy", "reused client", "server state", "input -1, outside the domain"]
    assert verdicts(report, *checks) <= set(EXACT), report.text()
    # Estimates are those it documents, clipped at 0 and normalized; what that costs is a row of its own.
    assert not report.faults, report.text()
    assert report.row("post-processing").verdict is Verdict.WARNING
    assert report.row("raw output").verdict is (Verdict.UNDECIDED if protocol == "GRR" else Verdict.CONFORMS)


@pytest.mark.parametrize("d", [3, 4])
def test_bias_of_multi_freq_ldpy_for_one_report_is_one_minus_p(libraries: Environment, d: int) -> None:
    """One GRR report is estimated as the whole population: the expectation is p instead of 1."""
    report = audit_library("multi-freq-ldpy", "GRR", {"d": d, "epsilon": "ln(3)"}, environment=libraries, users=(1,))
    bias = fmpq(*map(int, report.row("post-processing").figures["largest bias"].split("/")))
    assert bias == 1 - fmpq(3, 3 + d - 1)


def test_a_library_is_also_run_with_nothing_replaced(libraries: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    report = audit_library("pure-ldp", "OLH", environment=libraries)
    assert verdicts(report, "unintercepted run", "later reports", "hash function") == {Verdict.INFO}, report.text()
    updated = audit_library("pure-ldp", "HR", {"d": 3, "epsilon": 1.0, "blocks": 1}, environment=libraries)
    assert "update, server.update_params(epsilon=1.0)" in {row.check for row in updated.faults}, updated.text()


def test_audits_on_two_processes_are_those_of_one(libraries: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # the other processes know nothing of it
    planned = [("GRR", {"d": d, "epsilon": "ln(3)"}) for d in (2, 3)]
    alone, two = (dict(audit.audit_protocols("pure-ldp", planned, users=(), by=Workers(jobs))) for jobs in (1, 2))
    assert list(alone) == [0, 1]
    # how many reports a run with nothing replaced has depends on the time that it takes
    without = [{**vars(a), "rows": [(r.check, r.verdict) for r in a.rows]} for a in (*alone.values(), *two.values())]
    assert {place: without[k] for k, place in enumerate(alone)} == {
        place: without[len(alone) + k] for k, place in enumerate(two)
    }


def test_compiled_clients_are_sampled_beside_their_interpreted_source(
    libraries: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    for module in ("dp_audit.audit", "dp_audit.judge.plan"):
        monkeypatch.setattr(f"{module}.COMPILED", 2000)
    report = audit_library("multi-freq-ldpy", "GRR", {"d": 3, "epsilon": "ln(3)"}, environment=libraries, users=())
    assert report.row("law (compiled, samples)").verdict is Verdict.CONSISTENT
    assert report.row("raw output").verdict is Verdict.CONSISTENT  # one type, unlike the interpreted source
    hashed = audit_library("multi-freq-ldpy", "BLH", environment=libraries, users=())
    assert hashed.row("raw output").verdict is Verdict.CONSISTENT
    assert all("compiled, samples" not in row.check for row in hashed.rows)


# --- what more is known of the two libraries: one audit each, at the parameters of the published one ------------------


def audited(libraries: Environment, library: str, protocol: str, users: tuple[int, ...] | None = None) -> Audit:
    return audit_library(library, protocol, environment=libraries, users=users)


def checks_of(report: Audit, *prefixes: str) -> set[Verdict]:
    return {row.verdict for row in report.rows if row.check.startswith(prefixes)}


@pytest.mark.parametrize("protocol", ["THE", "OLH", "FLH", "HR", "HCMS"])
def test_pure_ldp_conforms(libraries: Environment, protocol: str) -> None:
    report = audited(libraries, "pure-ldp", protocol)
    wanted = ("law", "privacy", "tightness", "raw output", "estimator", "expectation", "variance", "server state")
    assert checks_of(report, *wanted) <= set(EXACT), report.text()


def test_rappor_of_pure_ldp_never_clears_a_bit(libraries: Environment) -> None:
    """A bit that the Bloom filter has set is reported as 1 with probability 1 instead of 1 - f/2: no finite epsilon."""
    report = audited(libraries, "pure-ldp", "RAPPOR", users=())
    assert verdicts(report, "law", "privacy") == {Verdict.FAULT}
    assert report.row("privacy").figures["effective epsilon"] == "infinite"


def test_type_of_the_hadamard_report_of_pure_ldp_shows_the_truth(libraries: Environment) -> None:
    """A true report is a list, a perturbed one a zip object; the pairs in it are as they should be."""
    report = audited(libraries, "pure-ldp", "HM")
    assert verdicts(report, "law", "privacy", "expectation, n = 2", "variance, n = 2") <= set(EXACT)
    row = report.row("raw output")
    assert (row.verdict, row.figures["largest ratio with types and order"]) == (Verdict.FAULT, "infinite")


def test_count_sketch_of_pure_ldp_is_not_debiased(libraries: Environment) -> None:
    """E estimate = (e^epsilon - 1) / (e^epsilon + 1) times what it should be: a half at e^epsilon = 3."""
    report = audited(libraries, "pure-ldp", "PCS", users=(1,))
    assert verdicts(report, "law", "privacy") <= set(EXACT)
    row = report.row("expectation, n = 1")
    assert (row.verdict, row.witness["target"], row.witness["oracle"]) == (Verdict.FAULT, "0.5", "1")


def test_defaults_of_fast_local_hashing_of_pure_ldp_do_not_fit(libraries: Environment) -> None:
    report = audited(libraries, "pure-ldp", "FLH (defaults of client and server)", users=(1,))
    assert verdicts(report, "law", "privacy") <= set(EXACT)
    assert verdicts(report, "estimator", "expectation, n = 1") == {Verdict.FAULT}


@pytest.mark.parametrize(
    "protocol",
    ["ADP", "THE", "L-OSUE", "L-OLH", "SPL-GRR"],
)
def test_laws_of_multi_freq_ldpy(libraries: Environment, protocol: str) -> None:
    report = audited(libraries, "multi-freq-ldpy", protocol, users=())
    assert verdicts(report, "law", "privacy", "tightness") <= set(EXACT), report.text()


def test_buckets_of_multi_freq_ldpy(libraries: Environment) -> None:
    parameters = {"d": 3, "buckets": 3, "bits": 1}
    report = audit_library("multi-freq-ldpy", "dBitFlipPM", parameters, environment=libraries, users=())
    assert verdicts(report, "law", "privacy", "tightness") <= set(EXACT), report.text()


def test_longitudinal_clients_of_multi_freq_ldpy_keep_nothing(libraries: Environment) -> None:
    """Two reports on one item are independent: eps_perm bounds nothing that is computed."""
    report = audited(libraries, "multi-freq-ldpy", "L-GRR", users=())
    assert report.row("reused client").verdict is Verdict.FAULT


def test_fake_data_of_multi_freq_ldpy_spends_more_than_epsilon(libraries: Environment) -> None:
    """At e^epsilon = 3 and two attributes the ratio is 2 (3 - 1) + 1 for tuples that differ in both."""
    report = audited(libraries, "multi-freq-ldpy", "RS+FD-GRR", users=())
    assert report.row("law").verdict in EXACT
    row = report.row("privacy")
    ratio = fmpq(*map(int, row.figures["largest ratio"].split("/")))
    assert row.verdict is Verdict.FAULT
    assert abs(ratio - 5) < fmpq(1, 2**40)


def test_order_of_the_subsets_of_multi_freq_ldpy_shows_the_item(libraries: Environment) -> None:
    """The item held, if it is in the subset, is its first entry."""
    parameters = {"d": 4, "epsilon": 0.5, "k": 2}
    report = audit_library("multi-freq-ldpy", "SS", parameters, environment=libraries, users=())
    assert verdicts(report, "law", "privacy") <= set(EXACT)
    row = report.row("raw output")
    assert row.verdict is Verdict.FAULT
    assert row.figures["largest ratio with types and order"] == "infinite"
