"""A sampler of code that knows the items by other names than the oracle."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from flint import fmpq

from dp_audit.judge.bets.sequential import Reports, SamplerError
from dp_audit.run.item_names import Categories
from dp_audit.run.process_sampler import Bounds, ProcessSampler
from dp_spec.vocabulary.items import Item


class NamedSampler(ProcessSampler):
    """A child that knows the items by other names; requests and reports are in the terms of the oracle."""

    def __init__(self, names: Categories, command: Sequence[str], bounds: Bounds, **options: Any) -> None:
        super().__init__(command, bounds, **options)
        self._names = names
        self._own: dict[Hashable, Hashable] = {}

    def sample(self, item: Item, count: int, /) -> Reports:
        """As of the child."""
        try:
            return self._read(super().sample(self._names.name(item), count))
        except SamplerError as error:
            raise SamplerError(error.finding, self._read(error.partial or ())) from None

    def estimate(self, reports: Sequence[Hashable]) -> tuple[fmpq, ...]:
        """As of the child."""
        return super().estimate([self._own.get(report, report) for report in reports])

    def _read(self, given: Reports) -> Reports:
        self._own |= {self._names.report(own): own for own in given}
        if not isinstance(given, Mapping):
            return tuple(map(self._names.report, given))
        counts: Counter[Hashable] = Counter()
        for own, times in given.items():
            counts[self._names.report(own)] += times
        return counts
