"""The further reports of an unmodified run, for an audit by samples."""

from collections.abc import Hashable, Sequence

from dp_audit.observation.findings import Finding, TargetDied, TargetRaised
from dp_audit.observation.samples import SamplerError
from dp_audit.observation.unmodified_run import UnmodifiedRun, raised
from dp_audit.observation.values import show
from dp_spec.vocabulary.items import Item


class Drawn:
    """Hands out the reports that a run gave on all inputs, as a sampler. `findings`: that they have several types."""

    def __init__(self, inputs: Sequence[Item], plain: UnmodifiedRun) -> None:
        self._left: dict[Item, list[Hashable]] = {
            inputs[item]: [plain.reports[code] for code in codes] for item, codes, _ in plain.more
        }
        self._end = plain.findings[0] if plain.findings else TargetDied("there are no more reports")
        kinds = sorted({kind for _, _, kinds in plain.more for kind in kinds})
        several = TargetRaised(f"TypeError: reports of several types: {', '.join(kinds)}")
        self.findings: tuple[Finding, ...] = (several,) if len(kinds) > 1 else ()

    def sample(self, item: Item, count: int, /) -> Sequence[Hashable]:
        """The next reports on an item. Raises `SamplerError` at one that is an exception, and where the run ended."""
        left = self._left.get(item, [])
        given, self._left[item] = left[:count], left[count:]
        wrong = next((place for place, report in enumerate(given) if raised(report)), None)
        if wrong is not None:
            raise SamplerError(TargetRaised.on(raised(given[wrong]), show(item)), given[:wrong])
        if len(given) < count:
            raise SamplerError(self._end, given)
        return given
