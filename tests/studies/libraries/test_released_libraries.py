"""Audits of released, unmodified libraries say again what is published of them; some figures are known by hand.

Run where the environments of the libraries exist (DP_REFIMPL_AUDIT_ENV, or .audit-env) or can be made; else skipped.
"""

import json
import subprocess
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dp_audit import Audit, Environment, Verdict
from dp_checks.runtime.parallel import Workers
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.libraries import LIBRARIES, audit, published_audits
from dp_studies.libraries.audit import LibraryOptions
from running.child_processes import audit_library, environment
from structure.tree import ROOT

pytestmark = pytest.mark.campaign
NO_ESTIMATES = LibraryOptions(users=())


@pytest.fixture(scope="session")
def local() -> Environment:
    return environment("local")


def audited(library: str, mechanism: str, parameters: Any = None, **options: Any) -> Audit:
    made = environment(LIBRARIES[library].environment)
    return audit_library(library, mechanism, parameters, LibraryOptions(**options), environment=made)


# --- what is published ------------------------------------------------------------------------------------------------

AGAIN: dict[str, tuple[str, ...]] = {
    "pure-ldp": (
        *("GRR", "SUE", "OUE", "THE", "OLH", "FLH", "HR", "HCMS", "RAPPOR", "HM", "PCS"),
        "FLH (defaults of client and server)",
    ),
    "multi-freq-ldpy": (
        *("GRR", "SUE", "OUE", "ADP", "THE", "SS", "L-OSUE", "L-OLH", "L-GRR", "SPL-GRR", "dBitFlipPM", "RS+FD-GRR"),
    ),
    "ldp-toolbox": ("GRR", "SUE", "OUE", "SS", "BLH", "OLH", "THE", "SHE, seen through a threshold"),
    "trasgodp": (
        *("dp_randomized_response_kary_array", "dp_randomized_response_kary_array, whole columns"),
        *("dp_exponential_array, whole columns", "dp_randomized_response_binary_array after metric_privacy"),
    ),
    "diffprivlib": (
        *("Binary", "Exponential", "ExponentialHierarchical", "Geometric, tails", "Geometric, large values"),
        "histogram with weights",
    ),
    "opendp": ("make_randomized_response_bool",),
    "diffpriv-pure": ("private_count",),
    "privadjust": ("privateCMSClient", "privateHCMSClient", "privateHCMSServer"),
    "ldp-hierarchical-mechanism": ("Private_TreeBary, direct_encoding", "Private_TreeBary, unary_encoding"),
    "nprr": ("warner_rr", "multinomial_rr"),
    "python-dp": ("ml.mechanisms.Geometric", "ml.mechanisms.Laplace"),
    "differential-privacy": ("privatize, sum of bits", "privatize, count"),
    "weighted-random": ("exponential mechanism",),
    "DataSynthesizer": (
        *("exponential_mechanism", "greedy_bayes, root", "greedy_bayes, network"),
        "exponential_mechanism, a value that occurs once",
    ),
    "dpmm": ("PrivBayes.select", "TableBinner.fit, what has no noise"),
    "synthcity": (
        *("_exponential_mechanism", "_encode, what has no noise"),
        "_get_noisy_counts_for_attributes, a value that occurs once",
    ),
}
"""The mechanisms that are quickly seen to: each at its first parameters, or at those of `PLACES`."""
PLACES = {"ExponentialHierarchical": (2, 3)}
BESIDE = ("input type, ", "later reports", "unintercepted run", "fresh process", "update, ")
"""Rows of runs with nothing replaced, which `conftest` leaves out; real reports also replace rows on `raw output`."""


def published(library: str, mechanism: str, place: int) -> Mapping[str, Any]:
    own = [
        each for each in published_audits.published(ROOT) if (each["target"], each["mechanism"]) == (library, mechanism)
    ]
    return own[place]


@pytest.mark.parametrize(
    ("library", "mechanism", "place"),
    [(of, name, place) for of, names in AGAIN.items() for name in names for place in PLACES.get(name, (0,))],
)
def test_an_audit_says_what_is_published(library: str, mechanism: str, place: int) -> None:
    said = published(library, mechanism, place)
    report = audited(library, mechanism, LIBRARIES[library].protocols[mechanism].parameters[place])
    verdicts = {row["check"]: row["verdict"] for row in said["rows"] if not row["check"].startswith(BESIDE)}
    assert (report.method, str(report.verdict) == "fault") == (said["method"], "fault" in verdicts.values())
    if report.method == "process":  # other rows are a matter of chance
        return
    again = {row.check: str(row.verdict) for row in report.rows}
    replaced = {check for check, verdict in again.items() if check.startswith("raw output") and verdict == "undecided"}
    assert {check: verdicts.get(check) for check in again if check not in replaced} == {
        check: verdict for check, verdict in again.items() if check not in replaced
    }
    faults = {check for check, verdict in verdicts.items() if verdict == "fault" and "compiled" not in check}
    assert faults <= set(again)


# --- figures ----------------------------------------------------------------------------------------------------------


def of_items(d: int) -> dict[str, object]:
    return {"d": d, "epsilon": "ln(3)"}


UNBALANCED = {"hierarchy": [[[0, 1]], [[2], [3], [4], [5]]], "epsilon": "6*ln(2)"}
RATIO, SHOWN = "largest ratio", "largest ratio with types and order"
ATTACK = "stated attack success"
FIGURES: tuple[tuple[str, str, Any, str, str, Fraction | str, int], ...] = (
    # e^epsilon = 64, the ratio of the normalizing constants is 14/13
    ("diffprivlib", "ExponentialHierarchical", UNBALANCED, "privacy", RATIO, Fraction(64 * 14, 13), 40),
    # a unit step above 2^53 costs twice the budget, a record of weight 3 three times
    ("diffprivlib", "Geometric, large values", None, "privacy", RATIO, Fraction(9), 8),
    ("diffprivlib", "histogram with weights", None, "privacy", RATIO, Fraction(27), 30),
    # one GRR report is estimated as the whole population: the expectation is p instead of 1
    ("multi-freq-ldpy", "GRR", of_items(3), "post-processing", "largest bias", Fraction(2, 5), 99),
    ("multi-freq-ldpy", "GRR", of_items(4), "post-processing", "largest bias", Fraction(1, 2), 99),
    # at e^epsilon = 3 and two attributes the ratio is 2 (3 - 1) + 1 for tuples that differ in both
    ("multi-freq-ldpy", "RS+FD-GRR", None, "privacy", RATIO, Fraction(5), 40),
    # the item held, if it is in the subset, is its first entry
    ("multi-freq-ldpy", "SS", None, "raw output", SHOWN, "infinite", 0),
    # a bit that the Bloom filter has set is reported as 1 with probability 1 instead of 1 - f/2
    ("pure-ldp", "RAPPOR", None, "privacy", "effective epsilon", "infinite", 0),
    # a true report is a list, a perturbed one a zip object
    ("pure-ldp", "HM", None, "raw output", SHOWN, "infinite", 0),
    # E estimate = (e^epsilon - 1) / (e^epsilon + 1) times what it should be
    ("pure-ldp", "PCS", None, "expectation, n = 1", "target", "0.5", 0),
    # one user of OUE whose bits are all 0: (1 - p) (1 - q)^(d - 1)
    ("ldp-toolbox", "OUE", of_items(2), "estimates", "probability", Fraction(3, 8), 38),
    ("ldp-toolbox", "OUE", of_items(3), "estimates", "probability", Fraction(9, 32), 38),
    # p g/d (1 - (1-1/g)^d) + (1-p)/d (1-1/g)^(d-1), over all hash functions
    ("ldp-toolbox", "OLH", of_items(4), ATTACK, "exact", Fraction(101, 256), 99),
    ("ldp-toolbox", "OLH", of_items(4), ATTACK, "stated", Fraction(1, 2), 38),
    ("ldp-toolbox", "BLH", of_items(2), ATTACK, "exact", Fraction(5, 8), 99),
    ("ldp-toolbox", "BLH", of_items(2), ATTACK, "stated", Fraction(3, 4), 38),
    ("ldp-toolbox", "BLH", of_items(4), ATTACK, "exact", Fraction(23, 64), 99),
    ("ldp-toolbox", "BLH", of_items(4), ATTACK, "stated", Fraction(3, 8), 38),
)
"""Library, mechanism, parameters (else those that are published), row, figure, its value, and to how many bits."""


@pytest.mark.parametrize(("library", "mechanism", "parameters", "check", "name", "value", "bits"), FIGURES)
def test_a_figure_is_what_is_known_by_hand(
    library: str, mechanism: str, parameters: Any, check: str, name: str, value: Fraction | str, bits: int
) -> None:
    row = audited(library, mechanism, parameters, users=(1,)).row(check)
    text = {**row.figures, **row.witness}[name]
    if isinstance(value, str):
        assert text == value
    else:
        assert abs(Fraction(text) / value - 1) < Fraction(1, 2**bits)


# --- more than one audit of replaced draws ----------------------------------------------------------------------------


def verdicts(report: Audit, *checks: str) -> set[Verdict]:
    return {report.row(check).verdict for check in checks}


def test_a_library_is_also_run_with_nothing_replaced(local: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    report = audit_library("pure-ldp", "OLH", environment=local)
    assert verdicts(report, "unintercepted run", "later reports", "hash function") == {Verdict.INFO}, report.text()
    updated = audit_library("pure-ldp", "HR", {"d": 3, "epsilon": 1.0, "blocks": 1}, environment=local)
    assert "update, server.update_params(epsilon=1.0)" in {row.check for row in updated.faults}, updated.text()


def test_audits_on_two_processes_are_those_of_one(local: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # the other processes know nothing of it
    planned = [("GRR", {"d": d, "epsilon": "ln(3)"}) for d in (2, 3)]
    alone, two = (dict(audit.audit_protocols("pure-ldp", planned, NO_ESTIMATES, by=Workers(jobs))) for jobs in (1, 2))
    assert list(alone) == [0, 1]
    # how many reports a run with nothing replaced has depends on the time that it takes
    without = [{**vars(a), "rows": [(r.check, r.verdict) for r in a.rows]} for a in (*alone.values(), *two.values())]
    assert {place: without[k] for k, place in enumerate(alone)} == {
        place: without[len(alone) + k] for k, place in enumerate(two)
    }


def test_compiled_clients_are_sampled_beside_their_interpreted_source(
    local: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    for module in ("dp_audit.audit", "dp_audit.judge.plan"):
        monkeypatch.setattr(f"{module}.COMPILED", 2000)
    report = audit_library("multi-freq-ldpy", "GRR", {"d": 3, "epsilon": "ln(3)"}, NO_ESTIMATES, environment=local)
    assert report.row("law (compiled, samples)").verdict is Verdict.CONSISTENT
    assert report.row("raw output").verdict is Verdict.CONSISTENT  # one type, unlike the interpreted source
    hashed = audit_library("multi-freq-ldpy", "BLH", options=NO_ESTIMATES, environment=local)
    assert hashed.row("raw output").verdict is Verdict.CONSISTENT
    assert all("compiled, samples" not in row.check for row in hashed.rows)


@pytest.mark.parametrize(("library", "mechanism"), [(of, name) for of in LIBRARIES for name in LIBRARIES[of].exceeded])
def test_what_is_not_audited_exceeds_its_budget(library: str, mechanism: str, tmp_path: Path) -> None:
    code = "\n".join(LIBRARIES[library].exceeded[mechanism])
    command = [str(environment(LIBRARIES[library].environment).python), "-c", code]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    spent, allowed = map(float, shown.stdout.splitlines()[-1].split())
    assert spent > 1.5 * allowed


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
        audit_library("diffprivlib", "Geometric, tails", options=LibraryOptions(repaired=True))


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
