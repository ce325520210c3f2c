"""Ties: what is recorded of them, that a law written in e^eps - 1 is tied too, and what a replay finds."""

import json
from typing import Any

import pytest

from cases.formal_statements import statement_of
from corpus.certificates import Json
from dp_checks import programs
from dp_checks.certificate import certificate, json_value
from dp_checks.check import decide
from dp_checks.check.ties import records, table_digest, tie
from dp_checks.replay import ReplayError, replay
from dp_checks.verdict import InternalDisagreementError
from dp_kernel import verify
from dp_kernel.certificate.digest import digest, laws
from dp_refimpl.frequency.sugrr import SuGRR
from dp_spec.frequency import histogram
from dp_spec.vocabulary.exceptions import DomainError, NotExactError
from dp_spec.vocabulary.law import read_law
from mutants.rewriting import Fault, planted, read_faults
from running.programs import forget_programs

CLAIM = "002.thm1.sugrr.eq11@multiset-joint"
THRESHOLDED = {name: fault for name, fault in read_faults("item_mechanisms.toml").items() if fault.finder == "law THE"}


def statement(claim: str) -> Json:
    return json_value(statement_of(claim).json())


def certified(claim: str) -> Json:
    formal = statement_of(claim)
    return certificate(claim, formal, decide(formal, claim))


def test_every_law_has_a_record_and_statements_without_laws_have_none() -> None:
    for claim in (CLAIM, "002.base.rappor.bettersplit@rappor", "002.base.grr.eq5.norm", "002.base.urr.uldp"):
        digests = [record["law"] for record in records(statement(claim))]
        assert digests == sorted({digest(law) for law in laws(statement(claim))})
    assert records(statement("002.base.grr.eq5.norm")) == ()
    assert len(records(statement("002.base.rappor.bettersplit@rappor"))) == 2


def test_the_record_says_where_and_is_the_same_each_time() -> None:
    (record,) = records(statement(CLAIM))
    assert {"m": 1, "K": 1, "N": 0} in record["at"]
    forget_programs()
    assert records(statement(CLAIM)) == (record,)


def test_tables_are_told_apart_and_order_and_zeros_are_not() -> None:
    a, b = (0, ()), (1, ())
    rows: Any = {(0,): {a: 1, b: 2}, (1,): {a: 3}}
    assert table_digest(rows) == table_digest({(1,): {b: 0, a: 3}, (0,): {b: 2, a: 1}})
    others: tuple[Any, ...] = ({(0,): {a: 1, b: 2}}, {(0,): {a: 1, b: 2}, (1,): {a: 2}}, {**rows, (1,): {b: 3}})
    for other in others:
        assert table_digest(other) != table_digest(rows)


def test_every_law_inside_a_statement_is_tied() -> None:
    stated = statement("002.prose.splitgrows")
    assert len(records(stated)) == 2
    law = next(law for law in laws(stated) if law["mechanism"] == "sugrr")
    assert len(tie(read_law(law))) > 5
    entries = law["term"][2][2][1]
    entries["sen"]["other"] = ["div", 1, ["add", "e0", ["add", "K", 1]]]
    with pytest.raises(InternalDisagreementError, match="sugrr"):
        records(stated)


@pytest.mark.usefixtures("other_programs")
def test_a_wrong_program_stops_the_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        programs, "SuGRR", lambda domain, budget, m, *more: SuGRR(domain, budget.of_root(budget.root**2, m), m, *more)
    )
    with pytest.raises(InternalDisagreementError, match="sugrr"):
        decide(statement_of(CLAIM), CLAIM)


@pytest.mark.usefixtures("other_programs")
@pytest.mark.parametrize("fault", THRESHOLDED.values(), ids=THRESHOLDED)
def test_a_fault_of_a_threshold_is_none_of_its_law(fault: Fault) -> None:
    with planted(fault), pytest.raises((InternalDisagreementError, NotExactError)):
        tie(histogram.THE)


def test_a_replay_compares_the_records() -> None:
    content = certified(CLAIM)
    (line,) = replay(content)
    assert line.startswith("sugrr: table = enumerated program at ")
    for name, value in (("table", "0" * 64), ("at", [{"m": 1, "K": 1, "N": 0}])):
        other = json.loads(json.dumps(content))
        other["ties"][0][name] = value
        verify(other)  # the kernel does not run programs
        with pytest.raises(InternalDisagreementError, match="the program has"):
            replay(other)


@pytest.mark.parametrize(
    ("claim", "number"),
    [
        ("002.thm7.eq11@joint", "probability"),
        ("002.def3.sizes.suwheel@all-marginal", "other_probability"),
        ("002.alg1.pfalse@pairwise", "exact"),
        ("002.thm1.sugrr.eq11@position-samenon", "probability"),
        ("000.base.puredump.local", "probability"),
    ],
)
def test_a_replay_finds_the_witness_in_the_program(claim: str, number: str) -> None:
    content = certified(claim)
    assert any(f"= {content['evidence'][number]}" in line for line in replay(content))
    content["evidence"][number] = "17/5"
    with pytest.raises(InternalDisagreementError, match="17/5"):
        replay(content)


def test_a_law_without_a_program_cannot_be_replayed() -> None:
    content = certified(CLAIM)
    content["statement"]["law"]["mechanism"] = "perpetual"
    content["ties"][0]["law"] = digest(content["statement"]["law"])
    verify(content)
    with pytest.raises(ReplayError, match="perpetual"):
        replay(content)
    with pytest.raises(DomainError, match="perpetual"):
        records(content["statement"])
