"""The further reports of an unmodified run, for an audit by samples."""

from collections.abc import Hashable, Sequence

from dp_audit.observation.findings import Finding, TargetDied, TargetRaised
from dp_audit.observation.samples import SamplerError
from dp_audit.observation.unmodified_run import UnmodifiedRun, raised
from dp_audit.observation.values import show
from dp_spec.vocabulary.items import Item


class ReplaySampler:
    """Hands out the reports that a run gave on all inputs, as a sampler. `findings`: that they have several types."""

    def __init__(self, inputs: Sequence[Item], run: UnmodifiedRun) -> None:
        self._left: dict[Item, list[Hashable]] = {
            inputs[item]: [run.reports[code] for code in codes] for item, codes, _ in run.more
        }
        self._end = run.findings[0] if run.findings else TargetDied("there are no more reports")
        kinds = sorted({kind for _, _, kinds in run.more for kind in kinds})
        several = TargetRaised(f"TypeError: reports of several types: {', '.join(kinds)}")
        self.findings: tuple[Finding, ...] = (several,) if len(kinds) > 1 else ()

    def sample(self, item: Item, count: int, /) -> Sequence[Hashable]:
        """Return the next reports on an item. Raises `SamplerError` at one that is an exception, and where the run
        ended."""
        left = self._left.get(item, [])
        reports, self._left[item] = left[:count], left[count:]
        wrong = next((place for place, report in enumerate(reports) if raised(report)), None)
        if wrong is not None:
            raise SamplerError(TargetRaised.on(raised(reports[wrong]), show(item)), reports[:wrong])
        if len(reports) < count:
            raise SamplerError(self._end, reports)
        return reports
