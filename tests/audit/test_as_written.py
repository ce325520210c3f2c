"""Code as people write it: noisy numbers beyond a window, draws without a model, parameters that it does not take."""

import random
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any

import pytest
from flint import fmpq

from audit.targets import as_written
from dp_audit.audit import audit_adapter, audit_adapter_blackbox, audit_callable
from dp_audit.judge.bets.sequential import Sampling, audit_samples
from dp_audit.observation.jobs import UnmodifiedJob
from dp_audit.observation.unmodified_run import Draws, UnmodifiedRun
from dp_audit.options import Options
from dp_audit.oracles import oracle
from dp_audit.outcome import Verdict
from dp_audit.run.child.server import Server
from dp_audit.terms import Terms

FILE = Path(as_written.__file__)
WINDOW = {"values": [0, 1], "sensitivity": 1, "epsilon": 1.0, "low": -2, "high": 3}
COUNTS = {"counts": [[0, 1], [0, 0]], "sensitivity": 1, "epsilon": 1.0, "low": -1, "high": 1}
EXACT = Options(unmodified=False, reuse=False)
RIGHT = {Verdict.CONFORMS, Verdict.ROUNDING}


@pytest.fixture(autouse=True)
def _brief(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dp_audit.audit.SECONDS", 0.2)


@pytest.mark.parametrize(
    ("code", "mechanism", "parameters"),
    [
        (as_written.geometric, "Geometric", WINDOW),
        (as_written.laplace, "Laplace", WINDOW),
        (as_written.counts, "LaplaceCounts", COUNTS),
        (as_written.one_hot, "GRR", {"d": 3, "epsilon": 1.0}),
        (as_written.arcs, "Wheel", {"d": 3, "epsilon": 1.0, "m": 1, "hash": "0, 1/4, 3/5"}),
        (as_written.Told, "GRR", {"d": 3, "epsilon": 1.0}),
    ],
)
def test_it_is_right_exactly(code: Any, mechanism: str, parameters: dict[str, Any]) -> None:
    audit = audit_callable(code, mechanism, parameters, options=EXACT)
    assert audit.method == "exact"
    assert {audit.row(check).verdict for check in ("law", "privacy")} <= RIGHT, audit.text()
    assert not audit.faults, audit.text()


@pytest.mark.slow
def test_noise_that_is_cut_instead_of_rounded_is_still_found() -> None:
    audit = audit_callable(as_written.laplace_cut, "Laplace", WINDOW, options=EXACT)
    assert audit.row("law").verdict is Verdict.FAULT


def test_reports_that_are_merged_are_one_in_a_plain_run() -> None:
    noise = oracle("Laplace", {key: str(value) for key, value in WINDOW.items()})
    seen = (fmpq(-9), 1, fmpq(3, 4), -8, "above", ("raised", "x"))
    found = UnmodifiedRun(
        (0, 1),
        reports=tuple(noise.seen(y) if y == "above" else y for y in seen),
        draws=(Draws("fresh", 0, 0, (0, 1, 2, 3, 4, 5)),),
        beside=((0, 3, "text", 2),),
        typed=(("bool", 0, {(1, "int"): 2, (2, "int"): 3}),),
        clock=(("now", 0, (3,)),),
    )
    merged = Terms(noise).unmodified(found, UnmodifiedJob(FILE, "named", {}, (0, 1), {}))
    assert merged.reports == ("below", 1, "above", ("raised", "x"))
    assert merged.draws[0].codes == (0, 1, 1, 0, 2, 3)
    assert merged.beside == ((0, 0, "text", 2),)
    assert merged.typed == (("bool", 0, {(1, "int"): 5}),)
    assert merged.clock == (("now", 0, (0,)),)


def test_samples_are_seen_through_the_window_too() -> None:
    class Sampler:
        def sample(self, item: Hashable, count: int, /) -> Sequence[Hashable]:
            assert isinstance(item, int)
            rng = random.Random(item)
            return [fmpq(*as_ratio(item + rng.expovariate(1) - rng.expovariate(1))) for _ in range(count)]

    def as_ratio(x: float) -> tuple[int, int]:
        return x.as_integer_ratio()

    noise = oracle("Laplace", {key: str(value) for key, value in WINDOW.items()})
    rows = {row.check: row.verdict for row in audit_samples(Sampler(), noise, sampling=Sampling(limit=500))}
    assert Verdict.FAULT not in rows.values()
    assert rows["alphabet"] is Verdict.CONSISTENT


@pytest.mark.slow
def test_names_are_known_where_samples_decide() -> None:
    parameters = {"d": 3, "epsilon": 1.0}
    audit = audit_callable(
        as_written.named, "GRR", parameters, options=Options(unmodified=False, names=as_written.NAMES, users=())
    )
    assert audit.method == "process"
    assert audit.row("law").verdict is Verdict.CONSISTENT, audit.text()
    options, sampling = Options(names=as_written.NAMES), Sampling(limit=600)
    apart = audit_adapter_blackbox(FILE, "named", "GRR", parameters, options, sampling)
    assert apart.row("law").verdict is Verdict.CONSISTENT, apart.text()


def test_the_server_of_samples_tells_estimates_in_the_order_of_the_inputs() -> None:
    server = Server(as_written.Told(3), inputs=[0, 1, 2])
    reports = server.answer({"op": "sample", "input": 1, "count": 40})["reports"]
    estimates = server.answer({"op": "estimate", "reports": reports})["estimates"]
    assert estimates == [as_written.Told(3).estimate(reports)[x] for x in range(3)]


@pytest.mark.slow
def test_an_exception_that_comes_only_where_draws_are_replaced_is_no_fault() -> None:
    audit = audit_callable(as_written.with_fractions, "GRR", {"d": 3, "epsilon": "ln(2)"})
    assert audit.method == "process"
    assert not audit.faults, audit.text()
    assert "raised only where draws are replaced" in audit.notes[-1]


@pytest.mark.slow
def test_one_that_comes_anyway_is_a_fault() -> None:
    audit = audit_callable(as_written.raises_at_last, "GRR", {"d": 3, "epsilon": 1.0})
    assert audit.row("law").witness["raised"] == "IndexError: list index out of range"


@pytest.mark.slow
def test_a_class_is_handed_the_parameters_that_it_takes() -> None:
    audit = audit_adapter(FILE, "Told", "GRR", {"d": 3, "epsilon": 1.0}, options=Options(users=(1,)))
    assert not audit.faults, audit.text()
    assert audit.row("estimator").verdict in RIGHT


LH = {"d": 3, "g": 3, "epsilon": 1.0}
GIVEN: dict[str, Any] = {"users": (), "conditioned": (3,), "unmodified": False}


@pytest.mark.parametrize("code", ["hex_seed", "bytes_seed", "small_seed", "wide_coin"])
def test_only_the_draw_that_selects_the_hash_function_is_conditioned_on(code: str) -> None:
    audit = audit_adapter(FILE, code, "LH", LH, options=Options(hash="cell", **GIVEN))
    assert {audit.row(check).verdict for check in ("law", "privacy")} <= RIGHT, audit.text()
    assert not audit.faults, audit.text()


@pytest.mark.slow
def test_the_other_draws_are_looked_at() -> None:
    audit = audit_adapter(FILE, "wrong_coin", "LH", LH, options=Options(hash="cell", **GIVEN))
    assert audit.row("law").verdict is Verdict.FAULT


@pytest.mark.slow
def test_a_hash_function_with_a_salt_of_the_process_is_found() -> None:
    audit = audit_adapter(FILE, "with_salt", "LH", LH, options=Options(hash="salted", **GIVEN))
    assert [row.check for row in audit.faults] == ["fresh process"]


@pytest.mark.slow
@pytest.mark.parametrize(("code", "check"), [("at_the_hour", "clock"), ("same_object", "input type, numpy.int64")])
def test_what_happens_at_some_times_or_for_some_types_is_found(code: str, check: str) -> None:
    audit = audit_adapter(FILE, code, "GRR", {"d": 4, "epsilon": 1.0}, options=Options(reuse=False))
    assert [row.check for row in audit.faults] == [check], audit.text()
