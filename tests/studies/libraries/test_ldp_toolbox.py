"""The exact audits of ldp-toolbox, released and unmodified; and what its compiled code does, sampled.

Run when the environment of the library exists (DP_REFIMPL_AUDIT_ENV, or .audit-env) or can be made; else skipped.
"""

import json
import subprocess

import pytest
from flint import fmpq

from dp_audit import Audit, Environment, Verdict
from running.child_processes import audit_library, environment

pytestmark = pytest.mark.slow
LIBRARY = "ldp-toolbox"
EXACT = {Verdict.CONFORMS, Verdict.ROUNDING}
HASHED = ("BLH", "OLH")
CASES = [
    ("GRR", 3, "ln(3)"),
    ("SUE", 2, 0.5),
    ("OUE", 2, "ln(3)"),
    ("SS", 4, "ln(3)"),
    ("SS", 4, 0.5),
    ("BLH", 3, "ln(3)"),
    ("OLH", 3, "ln(3)"),
    ("THE", 2, 0.5),
]
MOMENTS = [f"{name}, n = {n}" for name in ("expectation", "variance") for n in (1, 2)]


@pytest.fixture(scope="module")
def local() -> Environment:
    return environment("local")


def verdicts(report: Audit, *checks: str) -> set[Verdict]:
    return {report.row(check).verdict for check in checks}


def number(text: str) -> fmpq:
    return fmpq(*map(int, text.split("/")))


@pytest.mark.parametrize(("protocol", "d", "epsilon"), CASES)
def test_laws_and_what_deviates(local: Environment, protocol: str, d: int, epsilon: float | str) -> None:
    report = audit_library(LIBRARY, protocol, {"d": d, "epsilon": epsilon}, environment=local)
    fine = ["law", "privacy", "tightness", "law (numpy.int64 inputs)", "reused client", "server state", "estimator"]
    edge = ["input -1, outside the domain", f"input {d}, outside the domain"]
    assert verdicts(report, *fine, *edge, "stated variance") <= EXACT, report.rows
    if protocol in ("GRR", "SS"):
        # Every report supports somebody: the documented normalization is possible. But NaN and 0.5 are accepted.
        assert verdicts(report, *MOMENTS) <= EXACT
        faults = {f"input {x}, outside the domain" for x in ("nan", "0.5")}
    else:
        faults = {"estimates"}
    if protocol in HASHED:
        # A truthful cell is a Python int, a lie a numpy.int64; 1.0 is not hashed as 1 is.
        types = ("", " (numpy.int64 inputs)", " (numpy.float64 inputs)")
        faults |= {"law (numpy.float64 inputs)", *(f"raw output{suffix}" for suffix in types)}
    assert {row.check for row in report.faults} == faults, report.rows
    raw = Verdict.UNDECIDED if protocol == "GRR" else Verdict.FAULT if protocol in HASHED else Verdict.CONFORMS
    assert report.row("raw output").verdict is raw
    attack = report.row("stated attack success")
    assert attack.verdict in ({Verdict.WARNING} if protocol in HASHED else EXACT), attack


@pytest.mark.parametrize("d", [2, 3])
def test_probability_that_an_estimate_is_not_a_number(local: Environment, d: int) -> None:
    """One user of OUE whose bits are all 0: (1 - p) (1 - q)^(d - 1)."""
    report = audit_library(LIBRARY, "OUE", {"d": d, "epsilon": "ln(3)"}, environment=local, users=(1,))
    probability = number(report.row("estimates").witness["probability"])
    assert abs(probability - fmpq(3, 4) ** (d - 1) / 2) < fmpq(1, 2**40)


@pytest.mark.parametrize(("epsilon", "theta"), [(1.0, "1/2"), ("ln(3)", "-1"), (0.5, "3")])
def test_noise_of_she_at_a_threshold(local: Environment, epsilon: float | str, theta: str) -> None:
    parameters = {"d": 2, "epsilon": epsilon, "theta": theta}
    report = audit_library(LIBRARY, "SHE, seen through a threshold", parameters, environment=local)
    assert not report.faults, report.rows
    assert verdicts(report, "law", "privacy") <= EXACT


@pytest.mark.parametrize(
    ("protocol", "d", "exact", "stated"),
    [
        ("OLH", 4, fmpq(101, 256), fmpq(1, 2)),
        ("BLH", 2, fmpq(5, 8), fmpq(3, 4)),
        ("BLH", 4, fmpq(23, 64), fmpq(3, 8)),
    ],
)
def test_stated_attack_success_of_local_hashing(
    local: Environment, protocol: str, d: int, exact: fmpq, stated: fmpq
) -> None:
    """p g/d (1 - (1-1/g)^d) + (1-p)/d (1-1/g)^(d-1), over all hash functions."""
    report = audit_library(LIBRARY, protocol, {"d": d, "epsilon": "ln(3)"}, environment=local, users=())
    figures = report.row("stated attack success").figures
    assert number(figures["exact"]) == exact
    assert abs(number(figures["stated"]) - stated) < fmpq(1, 2**40)


COMPILED = """
import json, math, sys
from collections import Counter
import numpy as np, xxhash
from ldp_toolbox.protocols.frequency.grr import GeneralizedRandomizedResponse
from ldp_toolbox.protocols.frequency.he import HistogramEncoding
from ldp_toolbox.protocols.frequency.lh import LocalHashing
from ldp_toolbox.protocols.frequency.ss import SubsetSelection
n, epsilon = 2000, math.log(3)
grr, olh, ss = GeneralizedRandomizedResponse(3, epsilon), LocalHashing(3, epsilon), SubsetSelection(3, epsilon)
truths = []
for report, seed in (olh.obfuscate(1) for _ in range(n)):
    truths.append((type(report).__name__, bool(report == xxhash.xxh32("1", seed=seed).intdigest() % olh.g)))
print(json.dumps({
    "types": sorted({type(grr.obfuscate(x)).__name__ for _ in range(n) for x in (0, np.int64(1))}),
    "nan": sum(math.isnan(grr.obfuscate(math.nan)) for _ in range(n)),
    "cast": sum(int(ss.obfuscate(math.nan)[0]) == -2**63 for _ in range(n)),
    "truths": sorted(set(truths)),
    "attack": HistogramEncoding(10_000, 0.1, thresholding=False).get_asr(),
}))
"""


def test_what_the_notes_say(local: Environment) -> None:
    """Of compiled code and of large domains. Bounds of two counts are six standard deviations of 2000 coins of 3/5."""
    done = subprocess.run([str(local.python), "-c", COMPILED], capture_output=True, text=True, check=True, timeout=300)
    document = json.loads(done.stdout)
    assert document["types"] == ["int"]
    assert document["truths"] == [["int", True], ["int64", False]]
    assert abs(document["nan"] - 1200) < 132
    assert abs(document["cast"] - 1200) < 132
    assert document["attack"] < 1e-15
