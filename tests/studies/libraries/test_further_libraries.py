"""The audits of the libraries of `further`, `synthesis` and `javascript`; skipped where they cannot be made."""

import subprocess
from pathlib import Path

import pytest

from dp_audit import Audit, Verdict
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.libraries import LIBRARIES
from running.child_processes import audit_library, environment

pytestmark = pytest.mark.slow
EXACT = {
    ("diffpriv-pure", "private_count"): {"law", "privacy"},
    ("privadjust", "privateCMSClient"): set(),
    ("privadjust", "privateHCMSClient"): {"estimator", "expectation, n = 1", "variance, n = 1"},
    ("privadjust", "privateHCMSServer"): {"estimates"},
    ("ldp-hierarchical-mechanism", "Private_TreeBary, direct_encoding"): {"law", "privacy", "estimator"},
    ("ldp-hierarchical-mechanism", "Private_TreeBary, unary_encoding"): set(),
    ("nprr", "warner_rr"): set(),
    ("DataSynthesizer", "exponential_mechanism"): set(),
    ("DataSynthesizer", "greedy_bayes, root"): {"TargetSeeds"},
    ("DataSynthesizer", "greedy_bayes, network"): set(),
    ("DataSynthesizer", "exponential_mechanism, a value that occurs once"): {"law", "privacy"},
    ("dpmm", "PrivBayes.select"): {"law", "privacy"},
    ("dpmm", "TableBinner.fit, what has no noise"): {"law", "privacy"},
    ("synthcity", "_exponential_mechanism"): {"law", "privacy"},
    ("synthcity", "_encode, what has no noise"): {"law", "privacy"},
}
"""The rows that deviate, of audits whose outcome is not a matter of chance."""
SAMPLED = (
    ("nprr", "multinomial_rr"),
    ("python-dp", "ml.mechanisms.Geometric"),
    ("python-dp", "ml.mechanisms.Laplace"),
    ("differential-privacy", "privatize, sum of bits"),
    ("differential-privacy", "privatize, count"),
    ("synthcity", "_get_noisy_counts_for_attributes, a value that occurs once"),
)
"""Of those that are sampled, the ones that deviate and are quickly seen to."""


def audited(library: str, mechanism: str, repaired: bool = False) -> Audit:
    made = environment(LIBRARIES[library].environment)
    return audit_library(library, mechanism, environment=made, repaired=repaired)


@pytest.mark.parametrize(("library", "mechanism"), EXACT)
def test_an_exact_audit_finds_what_is_known(library: str, mechanism: str) -> None:
    report = audited(library, mechanism)
    assert {row.check for row in report.faults} == EXACT[library, mechanism], report.text()


@pytest.mark.parametrize(("library", "mechanism"), SAMPLED)
def test_a_sampled_audit_finds_what_is_known(library: str, mechanism: str) -> None:
    assert audited(library, mechanism).verdict is Verdict.FAULT


@pytest.mark.parametrize(("library", "mechanism"), [(of, name) for of in LIBRARIES for name in LIBRARIES[of].exceeded])
def test_what_is_not_audited_exceeds_its_budget(library: str, mechanism: str, tmp_path: Path) -> None:
    code = "\n".join(LIBRARIES[library].exceeded[mechanism])
    command = [str(environment(LIBRARIES[library].environment).python), "-c", code]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    spent, allowed = map(float, shown.stdout.splitlines()[-1].split())
    assert spent > 1.5 * allowed


def test_a_sampled_audit_of_a_module_of_node_finds_nothing() -> None:
    report = audited("weighted-random", "exponential mechanism")
    assert report.faults == (), report.text()
    assert report.row("law").verdict is Verdict.CONSISTENT


@pytest.mark.parametrize(
    ("library", "mechanism"),
    [
        ("diffpriv-pure", "private_count"),
        ("ldp-hierarchical-mechanism", "Private_TreeBary, direct_encoding"),
        ("DataSynthesizer", "exponential_mechanism, a value that occurs once"),
        ("synthcity", "_exponential_mechanism"),
    ],
)
def test_the_repaired_library_has_the_law(library: str, mechanism: str) -> None:
    report = audited(library, mechanism, repaired=True)
    assert report.faults == (), report.text()
    assert report.row("law").verdict in (Verdict.CONFORMS, Verdict.ROUNDING)


def test_what_has_no_repair_that_can_be_run_is_refused() -> None:
    with pytest.raises(DomainError, match="repair"):
        audit_library("diffprivlib", "Geometric, tails", repaired=True)
