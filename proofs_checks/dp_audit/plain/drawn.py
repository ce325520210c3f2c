"""The further reports of a plain run, for an audit by samples."""

from collections.abc import Hashable, Sequence

from dp_audit.findings import Finding, TargetDied, TargetRaised
from dp_audit.plain.run import Plain
from dp_audit.plain.seen import raised
from dp_audit.samples.blackbox import SamplerError
from dp_spec.vocabulary.items import Item


class Drawn:
    """Hands out the reports that a run gave on all inputs, as a sampler. `findings`: what else is wrong with them."""

    def __init__(self, inputs: Sequence[Item], plain: Plain) -> None:
        self._left: dict[Item, list[Hashable]] = {
            inputs[item]: [plain.reports[code] for code in codes] for item, codes, _ in plain.more
        }
        kinds = sorted({kind for _, _, kinds in plain.more for kind in kinds})
        self.findings: list[Finding] = []
        if len(self._left) < len(inputs):
            self.findings.append(TargetDied("the run ended before there were reports on all inputs"))
        if len(kinds) > 1:
            self.findings.append(TargetRaised(f"TypeError: reports of several types: {', '.join(kinds)}"))

    def sample(self, item: Item, count: int, /) -> Sequence[Hashable]:
        """The next reports on an item. Raises `SamplerError` at one that is an exception, and at the end."""
        left = self._left.get(item, [])
        given, self._left[item] = left[:count], left[count:]
        wrong = next((place for place, report in enumerate(given) if raised(report)), None)
        if wrong is not None:
            raise SamplerError(TargetRaised(raised(given[wrong])), given[:wrong])
        if len(given) < count:
            raise SamplerError(TargetDied(f"no more than {len(given)} of {count} further reports"), given)
        return given
