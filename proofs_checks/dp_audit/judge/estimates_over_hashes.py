"""Estimates of reports with many hash functions, beside the specified estimator given the function of each report.

The estimator averages the scores of the reports, each computed with the target's own hash function at the seed that the
report shows. The reports are those of the code with nothing replaced, so that their seeds are as wide as it makes them.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from flint import fmpq

from dp_audit.judge.by_hash_function import Facts, split
from dp_audit.judge.examination import Examination
from dp_audit.judge.long_lists import many_rows
from dp_audit.judge.plan import OracleOf
from dp_audit.oracles.additive import AdditiveOracle
from dp_audit.oracles.base import Number, Oracle, part
from dp_audit.oracles.multidimensional import Split
from dp_audit.oracles.post_processing import Normalized
from dp_audit.outcome import Row
from dp_spec.vocabulary.precision import current_bits

CHECK = "estimator, drawn hash functions"


@dataclass(frozen=True)
class Mixed(Oracle):
    """Reports are pairs (facts, output): the estimate is the average of those given the facts, of each report alone."""

    reference: Oracle
    oracle_of: OracleOf
    _known: dict[tuple[Hashable, int], tuple[Number, ...]] = field(default_factory=dict, compare=False)

    inputs: ClassVar[Any] = part("reference", "inputs")
    privacy: ClassVar[Any] = part("reference", "privacy")
    law: ClassVar[Any] = part("reference", "law")
    lists_outputs = False  # there is another law for every function

    def possible(self, output: Hashable) -> bool:
        """Return whether the output is possible, given its function."""
        parts = split(output)
        return parts is not None and self.oracle_of(dict(parts[0])).possible(parts[1])

    def estimate(self, reports: Sequence[Hashable]) -> tuple[Number, ...]:
        """Return the average of the estimates of the reports alone."""
        sums: list[Number] = []
        for report, times in Counter(reports).items():
            alone = self._alone(report)
            sums = [a + b * times for a, b in zip(sums or [fmpq(0)] * len(alone), alone, strict=True)]
        return tuple(total / len(reports) for total in sums)

    def _alone(self, report: Hashable) -> tuple[Number, ...]:
        estimate = self._known.get((report, current_bits()))
        if estimate is None:
            parts = split(report)
            assert parts is not None
            estimate = self.oracle_of(dict(parts[0])).estimate([parts[1]])
            assert estimate is not None
            self._known[report, current_bits()] = estimate
        return estimate


def mixed(reference: Oracle, oracle_of: OracleOf) -> Oracle | None:
    """Return the oracle of pairs (facts, output); None where an estimate is no average of those of single reports."""
    if isinstance(reference, Normalized):

        def bare(facts: Facts) -> Oracle:
            oracle: Any = oracle_of(facts)
            mechanism: Oracle = oracle.mechanism
            return mechanism

        inner = mixed(reference.mechanism, bare)
        return None if inner is None else replace(reference, mechanism=inner)
    parts = reference.parts if isinstance(reference, Split) else (reference,)
    return Mixed(reference, oracle_of) if all(isinstance(part, AdditiveOracle) for part in parts) else None


def mixed_rows(examination: Examination, oracle_of: OracleOf) -> Iterator[Row]:
    """Yield the row `estimator, drawn hash functions` of few reports, that can be repeated by hand, and `many
    reports`."""
    oracle = mixed(examination.oracle, oracle_of)
    if oracle is None:
        return
    few = [each for each in examination.run.many if each.shown]
    others = [each for each in examination.run.many if not each.shown]
    for check, lists in ((CHECK, few), ("many reports", others)):
        yield from many_rows(
            replace(examination, oracle=oracle, run=replace(examination.run, many=tuple(lists))), check
        )
