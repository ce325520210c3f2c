"""Statistical audits: of a target that is asked for reports, and of reports in a file."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from time import monotonic

from flint import arb, fmpq

from dp_audit.exact_numbers import PRECISIONS, ends
from dp_audit.judge.assessment import finding_rows
from dp_audit.judge.bets.evidence import MOST, Evidence
from dp_audit.judge.bets.power import MISS, reports_needed, require_chance
from dp_audit.judge.bets.rows import LAW, PAIRS, sample_rows
from dp_audit.judge.bets.watches import FAULT, LEVEL, Family, family
from dp_audit.observation.findings import Finding, MalformedAnswer, TargetRaised
from dp_audit.observation.samples import BitChunk, Chunk, Reports, Sampler, SamplerError
from dp_audit.observation.values import show
from dp_audit.oracles.base import Oracle
from dp_audit.outcome import Row
from dp_spec.vocabulary.integers import is_integer, require_integer
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering

LIMIT = 10**6
FIRST = 8
FAR, CLOSE = 8, 256
"""A look costs time, waiting for the next one costs reports: at most an eighth more than there are. Where the evidence
has come near its threshold looks are closer: what was seen may decide when to look again."""
NEAR = 0.5
"""The part of the threshold's logarithm from which on looks are close."""

CHUNK = 1 << 16


@dataclass(frozen=True)
class Sampling:
    """How much a sequential test proves, and how long it goes on.

    All statements together are wrong about a correct implementation with probability <= `level`. If nothing is found,
    the row `law` states which relative faults the reports find with probability >= 1 - `miss`; `promised`: the law is
    undecided if `fault` is not among them. At most `limit` reports are drawn on each of the `inputs` (None: all), for
    at most about `seconds` (None: any). The evidence is looked at after `first` reports and then whenever it has grown
    by an eighth. The inputs must not be chosen after looking at reports. `names` are what a file calls the items of the
    oracle (None: as the oracle does).

    Raises `DomainError` for parameters outside their domain.
    """

    level: fmpq = LEVEL
    fault: fmpq = FAULT
    miss: fmpq = MISS
    promised: bool = False
    limit: int = LIMIT
    inputs: tuple[Item, ...] | None = None
    names: tuple[Item, ...] | None = None
    first: int = FIRST
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, value in (("limit", self.limit), ("first", self.first)):
            require_integer(name, value, 1)
        require_chance("miss", self.miss)

    def family(self, oracle: Oracle) -> Family:
        """Return what is watched of an oracle. Raises `DomainError`."""
        return family(oracle, self.inputs, self.level, self.fault)


SAMPLING = Sampling()


def audit_samples(
    sampler: Sampler,
    oracle: Oracle,
    sampling: Sampling = SAMPLING,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Row, ...]:
    """Ask for reports on all inputs in turn until the oracle's law is refuted, or the fault would have been found.

    Batches grow by an eighth; `progress(reports so far, most that will be read)` is called after each. What was
    collected before the target failed is judged, and the failure is a row. Raises `DomainError` for unknown inputs.
    """
    miss, first, seconds = sampling.miss, sampling.first, sampling.seconds
    watched = sampling.family(oracle)
    evidence = Evidence(watched)
    enough = planned_reports(watched, miss, sampling.limit)
    findings: list[Finding] = []
    done, batch, began = 0, min(first, enough), monotonic()
    while done < enough and not findings and not (done and seconds is not None and monotonic() - began > seconds):
        for item in watched.inputs:
            finding = _collect(sampler, evidence, item, batch)
            if finding is not None:
                findings.append(finding)
                break
        done += batch
        if progress is not None:
            progress(sum(evidence.reports.values()), enough * len(watched.inputs))
        if _alarmed(evidence):
            break
        batch = min(enough - done, _until_next(evidence, done, first))
    return (*sample_rows(evidence, miss, sampling.promised), *finding_rows(findings))


def planned_reports(watched: Family, miss: fmpq, limit: int) -> int:
    """Return how many reports on each input find the family's fault in every single event, at most `limit`."""
    most = 1
    kinds = {
        (c.bets, ends(watched.mean(watched.watches[c.watches[0]]))): c for c in watched.components if c.part == "single"
    }
    for (bets, (low, high)), component in kinds.items():
        with precision(PRECISIONS[0]):
            p = arb(low).union(arb(high))
            needed = reports_needed(p, watched.fault, watched.level * component.weight, miss, bets, limit)
        most = limit if needed is None else max(most, needed)
        if most >= limit:
            return limit
    return most


def _alarmed(evidence: Evidence) -> bool:
    return bool(evidence.impossible) or (
        evidence.seems_enough()
        and any(
            evidence.alarm(parts) in (Ordering.GREATER, Ordering.EQUAL) for parts in (LAW, *((part,) for part in PAIRS))
        )
    )


def _until_next(evidence: Evidence, done: int, first: int) -> int:
    """Return how many reports to wait for the next look, after some: in steps of `first`, then of a part of them."""
    if evidence.log_evidence() > NEAR * evidence.enough:
        return max(1, done // CLOSE)
    return max(first, done // FAR)


def _collect(sampler: Sampler, evidence: Evidence, item: Item, count: int) -> Finding | None:
    """Add one batch of reports on one item; return what is wrong with the answer, if anything is."""
    finding: Finding | None = None
    try:
        answer: Reports | None = sampler.sample(item, count)
    except SamplerError as error:
        answer, finding = error.partial, error.finding
    except Exception as error:  # the target's own code: whatever it raises is a finding, nothing is lost
        return TargetRaised.on(f"{type(error).__name__}: {error}", show(item))
    try:
        hash(tuple(answer or ()))
    except TypeError:
        return MalformedAnswer(f"reports that are not in canonical form, on {item!r}")
    if isinstance(answer, Mapping):
        if not all(is_integer(k, 0) for k in answer.values()):
            return MalformedAnswer(f"counts that are no integers >= 0, on {item!r}")
        number = sum(answer.values())
        for output, times in answer.items() if number <= MOST - evidence.reports[item] else ():
            evidence.add(item, output, times)
    else:
        outputs = answer or ()
        evidence.add_in_order(item, outputs)
        number = len(outputs)
    if finding is None and number != count:
        return MalformedAnswer(f"{number} reports on {item!r} where {count} were asked for")
    return finding


class StreamMonitor:
    """Reads (input, report) pairs in any order, as from a file, and stops counting at the first alarm.

    `reports` is the number read so far (at the alarm, if `alarmed`). Successive reports on one input make the pairs of
    the row `independence`. `limit` and `seconds` of the sampling are not looked at.
    """

    def __init__(self, oracle: Oracle, sampling: Sampling = SAMPLING) -> None:
        """Raises `DomainError` as `audit_samples`."""
        self._evidence = Evidence(sampling.family(oracle))
        self._sampling = sampling
        self._next = sampling.first
        self.reports: int = 0
        self.alarmed: bool = False

    @property
    def row_width(self) -> int:
        """Return how many bits the reports of a `BitChunk` have; 0 if there can be none."""
        return self._evidence.row_width

    def add_chunks(self, chunks: Iterable[Chunk | BitChunk]) -> bool:
        """Take rows of files until an alarm; return whether there is one. Raises `DomainError` for an unknown input."""
        for chunk in chunks:
            done = 0
            while done < len(chunk) and not self.alarmed:
                some = max(1, min(self._next - self.reports, CHUNK))
                self._take(chunk.part(done, done + some))
                done += some
            if self.alarmed:
                break
        return self.alarmed

    def _take(self, rows: Chunk | BitChunk) -> None:
        if isinstance(rows, BitChunk):
            self._evidence.add_bits(rows.inputs, rows.bits)
        else:
            self._evidence.add_coded(rows.pairs, rows.codes)
        self.reports += len(rows)
        if self.reports >= self._next or self._evidence.impossible:
            self._next = self.reports + _until_next(self._evidence, self.reports, 1)
            self.alarmed = _alarmed(self._evidence)

    def rows(self) -> tuple[Row, ...]:
        """Return the rows of an audit for what was read."""
        return sample_rows(self._evidence, self._sampling.miss, self._sampling.promised)
