"""Reports as the oracle sees them: those that its law merges are one, whatever the code wrote."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

from dp_audit.observation.jobs import Job
from dp_audit.observation.target_laws import Entry, Law, TargetLaws
from dp_audit.observation.unmodified_run import Plain
from dp_audit.oracles.base import Oracle
from dp_audit.unmodified_audit import Observe


@dataclass(frozen=True)
class Merged:
    """Runs of a target in the terms of an oracle that merges reports: noisy numbers, seen through a window."""

    oracle: Oracle

    def run(self, run: Callable[[Job], TargetLaws]) -> Callable[[Job], TargetLaws]:
        """A run of jobs; a report that is a real number is rounded where it is drawn."""
        window = self.oracle.window

        def merged(job: Job) -> TargetLaws:
            found = run(job if window is None else replace(job, limits={**job.limits, "window": window}))
            return replace(
                found,
                laws=tuple(map(self._law, found.laws)),
                outside=tuple(map(self._law, found.outside)),
                reuse=tuple(map(self._law, found.reuse)),
                reports=tuple((self.oracle.seen(value), raw) for value, raw in found.reports),
            )

        return merged

    def observe(self, observe: Observe) -> Observe:
        """A plain run, in which merged reports have the same code."""
        return lambda job: self._plain(observe(job))

    def _law(self, law: Law) -> Law:
        return replace(law, entries=tuple(replace(e, output=self._output(e, len(law.inputs))) for e in law.entries))

    def _output(self, entry: Entry, inputs: int) -> Hashable:
        if inputs == 1 or not isinstance(entry.output, tuple) or entry.raised is not None:
            return self.oracle.seen(entry.output)
        return tuple(map(self.oracle.seen, entry.output))

    def _plain(self, found: Plain) -> Plain:
        codes: dict[Hashable, int] = {}
        code = [codes.setdefault(self.oracle.seen(report), len(codes)) for report in found.reports]

        def coded(given: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(code[c] for c in given)

        typed = []
        for name, item, kinds in found.typed:
            counts: dict[tuple[int, str], int] = {}
            for (c, kind), times in kinds.items():
                counts[code[c], kind] = counts.get((code[c], kind), 0) + times
            typed.append((name, item, counts))
        return replace(
            found,
            reports=tuple(codes),
            draws=tuple(replace(each, codes=coded(each.codes)) for each in found.draws),
            beside=tuple((item, code[c], text, times) for item, c, text, times in found.beside),
            watched=tuple(
                replace(each, found=tuple((x, code[c], text) for x, c, text in each.found)) for each in found.watched
            ),
            typed=tuple(typed),
            many=tuple(replace(each, codes=coded(each.codes)) for each in found.many),
            updated=tuple(replace(each, codes=coded(each.codes)) for each in found.updated),
            clock=tuple((when, item, coded(given)) for when, item, given in found.clock),
        )
