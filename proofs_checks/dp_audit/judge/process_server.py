"""The server of an audited process: its estimates of short lists of reports, and of long ones."""

from collections.abc import Hashable, Sequence
from itertools import combinations_with_replacement
from time import monotonic

from dp_audit.judge import long_lists
from dp_audit.judge.assessment import finding_rows
from dp_audit.judge.estimator import Unit, formula_rows
from dp_audit.judge.examination import Examination
from dp_audit.judge.plan import SIZES
from dp_audit.observation.findings import TargetRaised
from dp_audit.observation.samples import SamplerError, Target
from dp_audit.observation.target_laws import Estimate, TargetLaws
from dp_audit.observation.unmodified_run import ListEstimates, UnmodifiedRun
from dp_audit.observation.values import text, thaw
from dp_audit.oracles.base import Oracle
from dp_audit.outcome import Row, Verdict

DIFFERENT = 12
"""Different reports of which all lists of one and of two are handed to the server."""
SECONDS = 20.0
"""A longer list is not asked for, if it would take longer in proportion to the list before."""


def _different(reports: Sequence[Hashable], oracle: Oracle) -> list[Hashable]:
    return sorted({y for y in reports if oracle.possible(y)}, key=lambda y: text(thaw(y)))[:DIFFERENT]


def estimate_rows(sampler: Target, oracle: Oracle, reports: Sequence[Hashable], unit: Unit) -> tuple[list[Row], str]:
    """Return the row `estimator` on lists of reports that the child gave, or why it gives no estimates."""
    outputs = _different(reports, oracle)
    specified = oracle.estimate(outputs[:1]) if outputs else None
    if specified is None:
        return [], "the oracle has no estimator" if outputs else "no possible report was seen"
    lists = [lists for n in (1, 2) for lists in combinations_with_replacement(range(len(outputs)), n)]
    lists += [tuple(range(len(outputs))), tuple(i for i in range(len(outputs)) for _ in range(i + 1))]
    estimates: list[Estimate] = []
    for chosen in dict.fromkeys(lists):
        try:
            estimate = sampler.estimate([outputs[i] for i in chosen])
        except SamplerError as error:
            if not estimates and isinstance(error.finding, TargetRaised):
                return [], error.finding.message
            return finding_rows([error.finding]), ""
        if len(estimate) != len(specified):
            return [Row("estimates", Verdict.FAULT, f"{len(estimate)} numbers instead of {len(specified)}")], ""
        estimates.append(Estimate(chosen, estimate, estimate))
    answered = TargetLaws(reports=tuple((y, "") for y in outputs), estimates=tuple(estimates))
    return formula_rows(answered, oracle, unit), ""


def many_rows(sampler: Target, oracle: Oracle, reports: Sequence[Hashable], unit: Unit) -> list[Row]:
    """Return the row `many reports` on lists of one report again and again, and of several in turn.

    What a program refuses, or does not answer in time, is none of its estimates: the row then says so.
    """
    outputs = _different(reports, oracle)
    codes, lists = tuple(range(len(outputs))), list[ListEstimates]()
    missing, took, before = "", 0.0, 0
    for size in SIZES:
        if before and took / before * size > SECONDS:
            missing = f"{size} reports would take an estimated {took / before * size:.0f} s"
            break
        began = monotonic()
        try:
            for cycle in (codes[:1], codes):
                estimates = sampler.estimate([outputs[cycle[i % len(cycle)]] for i in range(size)])
                lists.append(ListEstimates(size, cycle, tuple(map(str, estimates))))
        except SamplerError as error:
            missing = f"no estimates of {size} reports: {error.finding.message}"
            break
        took, before = (monotonic() - began) / 2, size
    rows = list(
        long_lists.many_rows(Examination(UnmodifiedRun(oracle.inputs, tuple(outputs), many=tuple(lists)), oracle, unit))
    )
    if missing and not any(row.verdict is Verdict.FAULT for row in rows):
        detail = f" ({rows[0].detail})" if rows else ""
        return [Row("many reports", Verdict.INFO, f"{missing}{detail}")]
    return rows
