"""The terms of an oracle: jobs are handed to code in its own terms, and what it answers is translated back."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

from dp_audit.observation.jobs import Job, UnmodifiedJob
from dp_audit.observation.target_laws import TargetLaws
from dp_audit.observation.unmodified_run import UnmodifiedRun
from dp_audit.oracles.base import Oracle
from dp_audit.run.item_names import Categories


@dataclass(frozen=True)
class Terms:
    """How an oracle and the code speak of items and reports.

    `names` (None: there are no others) are those that the code has for the items. Reports that the law of the oracle
    merges are one, whatever the code wrote: noisy numbers, seen through a window.
    """

    oracle: Oracle
    names: Categories | None = None

    @property
    def merges(self) -> bool:
        """Whether different reports are one to the oracle."""
        return type(self.oracle).view_of is not Oracle.view_of

    def job(self, job: Job) -> Job:
        """Return a job in the terms of the code; a report that is a real number is rounded where it is drawn."""
        window = self.oracle.window
        job = job if window is None else replace(job, limits={**job.limits, "window": window})
        return job if self.names is None else self.names.job(job)

    def laws(self, target: TargetLaws) -> TargetLaws:
        """Return laws in the terms of the oracle."""
        target = target if self.names is None else self.names.laws(target)
        return target.viewed(self.oracle.view_of) if self.merges else target

    def unmodified_job(self, job: UnmodifiedJob) -> UnmodifiedJob:
        """Return a job of an unmodified run in the terms of the code."""
        return job if self.names is None else self.names.unmodified_job(job)

    def unmodified(self, run: UnmodifiedRun, job: UnmodifiedJob) -> UnmodifiedRun:
        """Return an unmodified run in the terms of the oracle, in which merged reports have the same code."""
        run = run if self.names is None else self.names.unmodified(run, job)
        return self._coarse(run) if self.merges else run

    def _coarse(self, run: UnmodifiedRun) -> UnmodifiedRun:
        codes: dict[Hashable, int] = {}
        code = [codes.setdefault(self.oracle.view_of(report), len(codes)) for report in run.reports]

        finer = {c: len(codes) + place for place, c in enumerate(dict.fromkeys(c for _, c, _ in run.raws))}
        watched = (replace(each, texts=tuple((x, code[c], text) for x, c, text in each.texts)) for each in run.watched)
        return replace(
            run.recoded(lambda item, c: code[c]),
            reports=(*codes, *(run.reports[c] for c in finer)),
            raws=tuple((item, finer[c], raw) for item, c, raw in run.raws),  # their content is compared as it was
            beside=tuple((item, code[c], text, times) for item, c, text, times in run.beside),
            watched=tuple(watched),
        )
