"""The oracle of randomized response with categories: `GRR` on labels instead of the items 0 .. d-1."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from dp_audit.oracles.base import Epsilon, Number, Oracle, epsilon
from dp_audit.oracles.frequency import KINDS as FREQUENCY
from dp_audit.oracles.readers import several
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item


@dataclass(frozen=True)
class Categories(Oracle):
    """The true category with probability e^epsilon / (e^epsilon + d - 1), every other one equally often.

    Estimates are frequencies, in the order of the categories. Raises `DomainError` for less than two of them.
    """

    categories: tuple[str, ...]
    epsilon: Epsilon

    def __post_init__(self) -> None:
        if len(self.categories) < 2 or len(set(self.categories)) < len(self.categories):
            raise DomainError("categories", self.categories, "two or more different categories")

    @property
    def inputs(self) -> tuple[Item, ...]:
        """The categories."""
        return self.categories

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Return the law of the category reported."""
        return {self.categories[y]: p for y, p in self._numbered.law(self._place(item)).items() if isinstance(y, int)}

    def possible(self, output: Hashable) -> bool:
        """Return whether the output is a category."""
        return isinstance(output, str) and output in self.categories

    def estimate(self, reports: Sequence[Hashable]) -> tuple[Number, ...] | None:
        """Return the estimates of GRR."""
        return self._numbered.estimate([self._place(report) for report in reports])

    def expected_estimate(self, data: Sequence[Item]) -> tuple[Number, ...] | None:
        """Return the expected estimates of GRR: the frequencies."""
        return self._numbered.expected_estimate([self._place(item) for item in data])

    def variance(self, data: Sequence[Item]) -> tuple[Number, ...] | None:
        """Return the variances of GRR."""
        return self._numbered.variance([self._place(item) for item in data])

    @property
    def _numbered(self) -> Oracle:
        return FREQUENCY["GRR"].make(d=len(self.categories), epsilon=self.epsilon)

    def _place(self, category: object) -> int:
        if not isinstance(category, str) or category not in self.categories:
            raise DomainError("category", category, f"one of {self.categories}")
        return self.categories.index(category)


def label(name: str, value: object) -> str:
    """Return a label. Raises `DomainError` for anything else."""
    if not isinstance(value, str) or not value:
        raise DomainError(name, value, "text")
    return value


KINDS = {
    "GRR-categories": replace(
        FREQUENCY["GRR"],
        make=Categories,
        parameters={"categories": several(label), "epsilon": epsilon},
        law=FREQUENCY["GRR"].law.replace("item", "category"),
        report="a category",
        vectors=(),
    )
}
