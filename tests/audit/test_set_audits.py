"""Foreign implementations of the catalogue's mechanisms: correct ones conform, every fault is found with a witness."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from flint import fmpq

from audit.targets import set_clients
from audit.targets.samplers import Counted
from dp_audit.audit import audit_adapter_blackbox, audit_callable, audit_reports, audit_table
from dp_audit.judge.bets.sequential import Sampling, audit_samples
from dp_audit.observation.values import show, text, thaw
from dp_audit.options import Options
from dp_audit.oracles import KINDS, oracle
from dp_audit.outcome import Audit, Verdict
from dp_audit.report import formatted
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.sugrr import SuGRR
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.export import to_json
from dp_spec.vocabulary.items import ItemDomain
from running.files import write_csv

FILE = Path(set_clients.__file__)
FINE = (Verdict.CONFORMS, Verdict.ROUNDING)
PAIRS: dict[str, object] = {"K": 2, "N": 1, "m": 2, "epsilon": 1.0}
SETS: dict[str, object] = {"d": 3, "m": 2, "epsilon": 1.0}
ITEMS: dict[str, object] = {"K": 2, "N": 1, "epsilon": 1.0}
HASH = {"hash": "0, 1/4, 3/5"}
CORRECT: tuple[tuple[str, dict[str, object]], ...] = (
    ("GRRSplit", SETS),
    ("GRRSplit", {**SETS, "view": "multiset"}),
    ("GRRSample", SETS),
    ("RAPPORSet", SETS),
    ("RAPPORSample", SETS),
    ("URR", ITEMS),
    ("URAP", ITEMS),
    ("SuGRR", PAIRS),
    ("SuGRR", {**PAIRS, "relation": "deniability", "epsilon": "ln(3)"}),
    ("SuGRRSample", {**PAIRS, "relation": "samenon"}),
    ("SuRAP", {**PAIRS, "relation": "marginal"}),
    ("SuRAPSample", PAIRS),
    ("PrivSet", {**SETS, "k": 1}),
    ("Wheel", {**SETS, **HASH}),
    ("SuWheel", {**PAIRS, **HASH}),
)
RUN = ("GRRSplit", "RAPPORSet", "SuGRR", "PrivSet", "SuWheel")
"""Clients that are also run as they are: one for every form of report."""
ONE = Options(users=(1,), reuse=False, unmodified=False)


@cache
def audited(client: str, name: str = "SuGRR", parameters: tuple[tuple[str, object], ...] = (*PAIRS.items(),)) -> Audit:
    checks = replace(ONE, outside=oracle(name, dict(parameters)).outside, unmodified=client in RUN)
    return audit_callable(getattr(set_clients, client), name, dict(parameters), options=checks)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "parameters"), CORRECT, ids=lambda value: value if isinstance(value, str) else "")
def test_correct_implementations_conform(name: str, parameters: dict[str, object]) -> None:
    report = audited(name, name, (*parameters.items(),))
    assert report.verdict in FINE, report.text()
    checks = {row.check for row in report.rows}
    assert {"law", "privacy", "raw output", "estimator", "expectation, n = 1", "variance, n = 1"} <= checks
    assert sum(check.endswith("outside the domain") for check in checks) == 2
    assert report.certified == KINDS[name].certified(parameters)


FAULTS = [
    ("WrongR", {"law", "privacy", "expectation, n = 1"}),
    ("UndividedBudget", {"law", "estimator", "variance, n = 1"}),
    ("ShowsSensitive", {"law", "privacy"}),
    ("ShowsOthers", {"law", "privacy"}),
    ("Unsorted", {"law"}),
    ("WithoutM", {"estimator", "expectation, n = 1"}),
]


@pytest.mark.parametrize(("client", "rows"), FAULTS)
def test_faults_are_found_with_a_witness(client: str, rows: set[str]) -> None:
    report = audited(client)
    assert rows <= {row.check for row in report.faults}
    for check in rows:
        assert report.row(check).witness
        assert not check.startswith(("law", "privacy")) or len(report.row(check).reproduction) == 3


def test_a_sensitive_item_that_is_shown_is_named_in_the_witness() -> None:
    row = audited("ShowsSensitive").row("privacy")
    assert "no finite epsilon" in row.detail
    items = row.witness["output"].partition("), ")[2]
    assert {"0", "1"} & set(items), row.witness


def test_a_shown_item_that_is_not_sensitive_is_no_fault() -> None:
    """Its report is impossible for others: epsilon-LDP does not hold, the readings do not compare it."""
    report = audited("SuGRR")
    assert report.row("privacy").verdict is Verdict.CONFORMS
    assert "(11), reading joint" in report.row("privacy").detail


@pytest.mark.slow
def test_a_reading_that_the_mechanism_itself_breaks_says_so() -> None:
    report = audited("SuGRR", "SuGRR", (*{**PAIRS, "relation": "marginal"}.items(),))
    assert report.row("law").verdict in FINE
    assert report.row("privacy").verdict is Verdict.FAULT
    assert "marginal" in report.row("privacy").detail
    assert "the mechanism itself" in report.row("privacy").detail
    assert "the mechanism itself" not in audited("WrongR").row("privacy").detail
    assert not any("eq11" in i for i in report.certified)
    joint = audited("SuWheel", "SuWheel", (*{**PAIRS, **HASH, "relation": "joint"}.items(),))
    assert [row.check for row in joint.faults] == ["privacy"]


@pytest.mark.parametrize("given_as", ["list", "tuple"])
def test_sets_come_as_the_type_that_is_asked_for(given_as: str) -> None:
    kinds: list[type] = []

    def client(items: Any, K: int, N: int, m: int, epsilon: float) -> Any:
        kinds.append(type(items))
        made = set_clients.SuGRR(K=K, N=N, m=m, epsilon=epsilon)
        return made.privatize(None, items)

    report = audit_callable(client, "SuGRR", PAIRS, options=replace(ONE, input_types=(given_as,)))
    assert report.verdict in FINE, report.text()
    assert {kind.__name__ for kind in kinds} == {given_as}


def test_sets_outside_the_domain_that_are_accepted_are_faults_if_they_are_stated() -> None:
    def client(items: frozenset[int], K: int, N: int, m: int, epsilon: float) -> Any:
        made = set_clients.SuGRR(K=K, N=N, m=m, epsilon=epsilon)
        slots = [made.slot(x) for x in sorted(items)]
        return tuple(sorted(z for z in slots if z < K)), frozenset(z for z in slots if z >= K)

    unknown = (frozenset({1, 3}), frozenset({0, 1, 2}))
    report = audit_callable(client, "SuGRR", PAIRS, options=replace(ONE, outside=unknown))
    rows = [row for row in report.rows if row.check.endswith("outside the domain")]
    assert {row.check for row in rows} == {f"input {x}, outside the domain" for x in ("{1, 3}", "{0, 1, 2}")}
    assert {row.verdict for row in rows} == {Verdict.FAULT}
    assert all("breaks the bound" in row.detail and row.witness for row in rows)


def test_a_changed_input_is_found() -> None:
    def client(items: list[int], K: int, N: int, m: int, epsilon: float) -> Any:
        made = set_clients.SuGRR(K=K, N=N, m=m, epsilon=epsilon)
        held = list(items)
        items.reverse()
        return made.privatize(None, held)

    report = audit_callable(client, "SuGRR", PAIRS, options=replace(ONE, input_types=("list",)))
    assert report.row("TargetMutatedInput").verdict is Verdict.FAULT


# --- tables, files and samples ----------------------------------------------------------------------------------------


def test_tables_on_sets_are_audited(tmp_path: Path) -> None:
    parameters = {**PAIRS, "epsilon": "ln(4)"}
    reference = oracle("SuGRR", parameters)
    for excess, verdict in ((fmpq(0), Verdict.CONFORMS), (fmpq(1, 100), Verdict.FAULT)):
        rows = []
        for x in reference.inputs:
            law = dict(reference.law(x))
            first, last = next(iter(law)), list(law)[-1]
            law[first], law[last] = law[first] + excess, law[last] - excess
            rows.append({"input": thaw(x), "law": [[thaw(y), str(p)] for y, p in law.items()]})
        path = tmp_path / f"{excess.p}.json"
        path.write_text(json.dumps({"rows": rows}))
        report = audit_table(path, "sugrr", parameters)
        assert report.row("law").verdict is verdict
        assert report.row("entries").verdict is Verdict.CONFORMS
        assert report.certified


def test_channels_of_the_core_are_tables(tmp_path: Path) -> None:
    mechanism = SuGRR(ItemDomain.of_sizes(2, 1), Budget.of_root(fmpq(2), 2), 2)
    path = tmp_path / "sugrr.json"
    path.write_text(to_json(exact_channel(mechanism)))
    assert audit_table(path, "SuGRR", {**PAIRS, "epsilon": "ln(4)"}).verdict is Verdict.CONFORMS
    assert audit_table(path, "SuGRR", {**PAIRS, "epsilon": "ln(5)"}).verdict is Verdict.FAULT


def test_files_of_reports_on_sets_are_audited(tmp_path: Path) -> None:
    for name, status in (("SuGRR", Verdict.CONSISTENT), ("WrongR", Verdict.FAULT)):
        random.seed(7)
        client = getattr(set_clients, name)(**PAIRS)
        held = [frozenset({0, 1, 2} - {i % 3}) for i in range(6000)]
        rows = [(text(thaw(x)), text(thaw(client.privatize(None, x)))) for x in held]
        path = write_csv(tmp_path / f"{name}.csv", rows)
        assert audit_reports(path, "SuGRR", PAIRS).row("law").verdict is status


SAMPLED: Sequence[tuple[str, str, dict[str, object]]] = (
    ("SuGRR", "SuGRR", PAIRS),
    ("SuGRR", "SuGRR", {**PAIRS, "relation": "samenon"}),
    ("SuRAP", "SuRAP", {**PAIRS, "relation": "marginal"}),
    ("SuWheel", "SuWheel", {**PAIRS, **HASH}),
    ("PrivSet", "PrivSet", {**SETS, "k": 1}),
)


def laws_of(client: str, name: str, parameters: dict[str, object]) -> dict[Any, dict[Any, float]]:
    """The exact law of a client, as doubles that sum to 1."""
    report = audited(client, name, (*parameters.items(),))
    reference, laws = oracle(name, parameters), report.laws["target"]
    by_name = {show(y): y for x in reference.inputs for y in reference.law(x)}
    inputs = {show(x): x for x in reference.inputs}
    floats = {
        inputs[x]: {
            by_name.get(y, y): int(fmpq(p).p) / int(fmpq(p).q) for y, p in ((y, rational(p)) for y, p in r.items())
        }
        for x, r in laws.items()
    }
    return {x: {y: p / sum(law.values()) for y, p in law.items()} for x, law in floats.items()}


def rational(written: str) -> fmpq:
    top, _, bottom = written.partition("/")
    return fmpq(int(top), int(bottom or 1))


@pytest.mark.slow
@pytest.mark.parametrize(("client", "name", "parameters"), SAMPLED)
def test_samples_of_correct_clients_are_consistent(client: str, name: str, parameters: dict[str, object]) -> None:
    rows = audit_samples(
        Counted(laws_of(client, name, parameters), 1), oracle(name, parameters), sampling=Sampling(limit=20_000)
    )
    assert {row.verdict for row in rows} <= {Verdict.CONSISTENT}, rows


@pytest.mark.parametrize("client", ["WrongR", "ShowsSensitive", "ShowsOthers", "Unsorted"])
@pytest.mark.parametrize("relation", ["joint", "marginal"])
def test_samples_of_faulty_clients_are_faults(client: str, relation: str) -> None:
    parameters = {**PAIRS, "relation": relation}
    rows = audit_samples(
        Counted(laws_of(client, "SuGRR", PAIRS), 2), oracle("SuGRR", parameters), sampling=Sampling(limit=50_000)
    )
    assert Verdict.FAULT in {row.verdict for row in rows if row.check in ("law", "alphabet")}


def test_too_little_noise_is_seen_in_the_privacy_of_samples() -> None:
    parameters = {**PAIRS, "epsilon": 0.5}
    rows = {
        relation: audit_samples(
            Counted(laws_of("UndividedBudget", "SuGRR", {**PAIRS, "epsilon": 3.0}), 3),
            oracle("SuGRR", {**parameters, "relation": relation}),
            sampling=Sampling(limit=200_000, first=500),  # the law is refuted by fewer
        )
        for relation in ("joint", "samenon", "marginal")
    }
    for checks in rows.values():
        row = next(row for row in checks if row.check == "privacy")
        assert row.verdict is Verdict.FAULT
        assert row.witness["inputs"]


@pytest.mark.slow
def test_a_process_is_given_sets() -> None:
    options = Options(handed=PAIRS, outside=None)
    report = audit_adapter_blackbox(FILE, "SuGRR", "SuGRR", PAIRS, options, Sampling(limit=3_000))
    assert {row.verdict for row in report.rows} <= {Verdict.CONSISTENT, *FINE}, report.text()
    assert sum(row.check.startswith("input") for row in report.rows) == 2
    assert report.certified


# --- what the reports say ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["json", "junit", "sarif", "html"])
def test_every_format_says_what_the_oracle_rests_on(form: str) -> None:
    certified = audited("WrongR")
    uncertified = replace(certified, certified=())
    for report in (certified, uncertified):
        written = formatted(form, [report])
        assert all(i in written for i in report.certified)
        if form != "json":
            assert ("uncertified" in written) is not bool(report.certified)
    assert '"certified": []' in formatted("json", [uncertified])
    assert uncertified.certification == "oracle: uncertified (stated from the literature)"
    assert certified.certification.startswith("oracle: certified by 002.")
    assert certified.certification in certified.text()
