"""Items under the names that audited code, or a file, knows: categories, or numbers that do not begin with 0.

Code is given these names, and what it answers, or a file has, is translated back to the items of the oracle: a report
that is a name, and sets and lists of names. In a list, only text is taken for a name: a list of numbers is one of bits
or cells.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flint import fmpq

from dp_audit.observation.jobs import Job, UnmodifiedJob
from dp_audit.observation.printed_table import PrintedTable
from dp_audit.observation.samples import BitChunk, Chunk, Pair, Reports, SamplerError
from dp_audit.observation.target_laws import Law, TargetLaws
from dp_audit.observation.unmodified_run import UnmodifiedRun
from dp_audit.observation.values import show
from dp_audit.run.process_sampler import Bounds, ProcessSampler
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item


@dataclass(frozen=True)
class Categories:
    """The names of the items of an oracle, in the same order. Raises `DomainError` unless they are as many."""

    items: tuple[Item, ...]
    names: tuple[Item, ...]

    def __post_init__(self) -> None:
        if len(self.names) != len(self.items) or len(set(self.names)) < len(self.names):
            raise DomainError("inputs", show(self.names), f"{len(self.items)} different names, one for each item")

    @property
    def _back(self) -> Mapping[Hashable, Item]:
        return dict(zip(self.names, self.items, strict=True))

    def name(self, item: Item) -> Item:
        """Return the name of an item; another input as it stands."""
        return dict(zip(self.items, self.names, strict=True)).get(item, item)

    def report(self, report: Hashable) -> Hashable:
        """Return a report in the terms of the oracle."""
        back = self._back
        if not isinstance(report, bool) and report in back:
            return back[report]
        if isinstance(report, frozenset) and all(part in back for part in report):
            return frozenset(back[part] for part in report)
        if isinstance(report, tuple) and report and all(isinstance(part, str) and part in back for part in report):
            return tuple(back[part] for part in report)
        return report

    def table(self, table: PrintedTable) -> PrintedTable:
        """Return a printed table in the terms of the oracle."""
        back = self._back
        entries = [replace(e, input=back.get(e.input, e.input), output=self.report(e.output)) for e in table.entries]
        inputs, repeated = (tuple(back.get(x, x) for x in listed) for listed in (table.inputs, table.repeated))
        return PrintedTable(inputs, tuple(entries), repeated)

    def chunks(self, chunks: Iterable[Chunk | BitChunk]) -> Iterator[Chunk | BitChunk]:
        """Yield rows of a file in the terms of the oracle; their pairs are a list that may grow."""
        back, own, pairs = self._back, None, list[Pair]()
        for chunk in chunks:
            if isinstance(chunk, Chunk):
                own, pairs = chunk.pairs, pairs if chunk.pairs is own else []
                pairs += [(back[x], self.report(y)) for x, y in own[len(pairs) :]]
                chunk = Chunk(pairs, chunk.codes)
            yield chunk

    def job(self, job: Job) -> Job:
        """Return a job whose inputs are given by name."""
        reuse = tuple(tuple(map(self.name, items)) for items in job.reuse)
        return replace(job, inputs=tuple(map(self.name, job.inputs)), reuse=reuse)

    def laws(self, target: TargetLaws) -> TargetLaws:
        """Return laws in the terms of the oracle."""
        laws, reuse = (tuple(map(self._law, laws)) for laws in (target.laws, target.reuse))
        return replace(target, laws=laws, reuse=reuse).viewed(self.report)

    def unmodified_job(self, job: UnmodifiedJob) -> UnmodifiedJob:
        """Return a job of an unmodified run whose inputs are given by name."""
        inputs, everything = (tuple(map(self.name, items)) for items in (job.inputs, job.everything))
        return replace(job, inputs=inputs, everything=everything)

    def unmodified(self, run: UnmodifiedRun, job: UnmodifiedJob) -> UnmodifiedRun:
        """Return an unmodified run in the terms of the oracle, in which the job is stated."""
        return replace(run, inputs=job.inputs, reports=tuple(map(self.report, run.reports)))

    def lines(self, lines: Sequence[str]) -> tuple[str, ...]:
        """Return lines of Python with the placeholder of an item, which is then one of the names."""
        return tuple(line.replace("{input}", f"{list(self.names)!r}[{{input}}]") for line in lines)

    def _law(self, law: Law) -> Law:
        return replace(law, inputs=tuple(self._back.get(x, x) for x in law.inputs))


class NamedSampler(ProcessSampler):
    """A child that knows the items by other names; requests and reports are in the terms of the oracle."""

    def __init__(self, names: Categories, command: Sequence[str], bounds: Bounds, **options: Any) -> None:
        super().__init__(command, bounds, **options)
        self._names = names
        self._own: dict[Hashable, Hashable] = {}

    def sample(self, item: Item, count: int, /) -> Reports:
        """Return the child's reports in the terms of the oracle."""
        try:
            return self._read(super().sample(self._names.name(item), count))
        except SamplerError as error:
            raise SamplerError(error.finding, self._read(error.partial or ())) from None

    def estimate(self, reports: Sequence[Hashable]) -> tuple[fmpq, ...]:
        """Return the child's estimates of reports in the terms of the oracle."""
        return super().estimate([self._own.get(report, report) for report in reports])

    def _read(self, reports: Reports) -> Reports:
        self._own |= {self._names.report(own): own for own in reports}
        if not isinstance(reports, Mapping):
            return tuple(map(self._names.report, reports))
        counts: Counter[Hashable] = Counter()
        for own, times in reports.items():
            counts[self._names.report(own)] += times
        return counts
