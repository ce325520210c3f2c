"""Reports that are numbers with a fraction: of Laplace noise, as files and programs write them; of nothing else."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from audit.targets.samplers import Reporter
from dp_audit import Sampling, Verdict, audit_reports
from dp_audit.judge.bets.sequential import audit_samples
from dp_audit.observation.exact_json import canonical
from dp_audit.observation.jobs import UnmodifiedJob
from dp_audit.observation.unmodified_run import Draws, UnmodifiedRun
from dp_audit.oracles import oracle
from dp_audit.run.protocol import read_samples
from dp_audit.terms import Terms
from dp_spec.vocabulary.exceptions import FormatError
from running.files import write_csv, write_parquet

LAPLACE = {"values": [0, 1], "sensitivity": 1, "epsilon": 1.0, "low": -3, "high": 4}
TABLE = [[1, 0], [0, 1]]
COUNTS = {"counts": TABLE, "sensitivity": 2, "epsilon": 2.0, "low": -1, "high": 2}


def laplace(scale: float) -> float:
    return random.choice((-1, 1)) * random.expovariate(1 / scale)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_with_a_fraction_is_its_double_exactly(x: float) -> None:
    assert canonical("report", x, decimals=True) == fmpq(*x.as_integer_ratio())
    assert canonical("report", [x, 1], decimals=True) == (fmpq(*x.as_integer_ratio()), 1)
    with pytest.raises(FormatError):
        canonical("report", x)


@pytest.mark.parametrize("scale", [1.0, 1.5])
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_files_of_noisy_numbers_are_audited(form: str, scale: float, tmp_path: Path) -> None:
    random.seed(1)
    rows = [(i % 2, i % 2 + laplace(scale)) for i in range(20_000)]
    path = (write_csv if form == "csv" else write_parquet)(tmp_path / f"reports.{form}", rows)
    audit = audit_reports(path, "Laplace", LAPLACE)
    assert audit.verdict is (Verdict.CONSISTENT if scale == 1 else Verdict.FAULT)


def test_lists_of_noisy_numbers_are_audited(tmp_path: Path) -> None:
    random.seed(1)
    rows = [(i % 2, json.dumps([count + laplace(1.0) for count in TABLE[i % 2]])) for i in range(2000)]
    path = write_csv(tmp_path / "counts.csv", rows)
    assert audit_reports(path, "LaplaceCounts", COUNTS).verdict is Verdict.CONSISTENT


def test_other_mechanisms_have_no_reports_with_a_fraction(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "reports.csv", [(0, 1.5)])
    with pytest.raises(FormatError, match="no floating-point number"):
        audit_reports(path, "GRR", {"d": 3, "epsilon": 1.0})


def test_programs_answer_with_numbers_that_have_a_fraction() -> None:
    line = b'{"id": 1, "reports": [1.25, -2]}'
    assert read_samples(line, 1, 2, decimals=True) == (fmpq(5, 4), -2)
    with pytest.raises(FormatError):
        read_samples(line, 1, 2)


# --- the window through which an audit sees them ----------------------------------------------------------------------


def test_reports_that_are_merged_are_one_in_a_plain_run() -> None:
    noise = oracle("Laplace", {**LAPLACE, "low": -2, "high": 3})
    outputs = (fmpq(-9), 1, fmpq(3, 4), -8, "above", ("raised", "x"))
    run = UnmodifiedRun(
        (0, 1),
        reports=tuple(noise.view_of(y) if y == "above" else y for y in outputs),
        draws=(Draws("fresh", 0, 0, (0, 1, 2, 3, 4, 5)),),
        beside=((0, 3, "text", 2),),
        typed=(("bool", 0, {(1, "int"): 2, (2, "int"): 3}),),
        clock=(("now", 0, (3,)),),
    )
    merged = Terms(noise).unmodified(run, UnmodifiedJob(Path("none.py"), "none", {}, (0, 1), {}))
    assert merged.reports == ("below", 1, "above", ("raised", "x"))
    assert merged.draws[0].codes == (0, 1, 1, 0, 2, 3)
    assert merged.beside == ((0, 0, "text", 2),)
    assert merged.typed == (("bool", 0, {(1, "int"): 5}),)
    assert merged.clock == (("now", 0, (0,)),)


def test_samples_are_seen_through_the_window_too() -> None:
    def noisy(source: random.Random, item: Any) -> fmpq:
        return fmpq(*(item + source.expovariate(1) - source.expovariate(1)).as_integer_ratio())

    noise = oracle("Laplace", {**LAPLACE, "low": -2, "high": 3})
    rows = {row.check: row.verdict for row in audit_samples(Reporter(noisy, 1), noise, sampling=Sampling(limit=500))}
    assert Verdict.FAULT not in rows.values()
    assert rows["alphabet"] is Verdict.CONSISTENT
