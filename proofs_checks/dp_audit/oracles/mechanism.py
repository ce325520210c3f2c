"""The oracle of a mechanism of `dp_refimpl`: its program, enumerated.

Numbers are exact (`Real`) and become rationals, or balls of the current precision, when they are asked for.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from dp_audit.oracles.additive import LISTED, AdditiveOracle, both
from dp_audit.oracles.base import EVERYTHING, Comparison, Event, Number, equals, exact_sum, number
from dp_audit.oracles.relations import Reading
from dp_refimpl.coins import Coins
from dp_refimpl.enumeration import TooManyPathsError, output_law
from dp_refimpl.frequency.arcs import midpoint
from dp_refimpl.frequency.hashing import HashFunction
from dp_refimpl.frequency.wheel import ArcMechanism
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.definitions import Relation
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, Report
from dp_spec.vocabulary.real import Real

MAX_PATHS = 200_000
"""An oracle with more random paths, on all inputs together, is refused."""


@dataclass(frozen=True)
class MechanismOracle(AdditiveOracle):
    """A mechanism of `dp_refimpl` with an exact budget, `d` its number of items.

    `relation`: epsilon-LDP, or the reading of (11) in which the bound e^epsilon is judged. `h`: the public hash
    function of Wheel and suWheel. The estimate of an item is an affine function of the number of reports that count for
    it, hence the average of the estimates from single reports; users are independent, so moments are those of one.
    """

    epsilon: Budget[Real]
    mechanism: Any
    relation: Relation = "ldp"
    h: HashFunction | None = None

    @property
    def inputs(self) -> tuple[Item, ...]:
        """What a user can hold: the items, or the sets of m items."""
        held: tuple[Item, ...] = self.mechanism.inputs
        return held

    @property
    def outside(self) -> tuple[Item, ...]:
        """A set with an unknown item, and one with an item too many."""
        first = self.inputs[0]
        if not isinstance(first, frozenset):
            return super().outside
        unknown = frozenset([*sorted(first, key=str)[1:], self.d])
        free = [x for x in self.mechanism.domain.items if x not in first]
        return (unknown, first | {free[0]}) if free else (unknown,)

    @property
    def comparison(self) -> Comparison:
        """Which outputs and inputs are compared: all, or what the reading compares."""
        if self.relation == "ldp":
            return EVERYTHING
        pairs = any(isinstance(native, Report) for native in self._native.values())
        return Reading(self.mechanism.domain, self.relation, not pairs)

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Return the law of the report on an input: the program, enumerated. Raises `DomainError` for what is no
        input."""
        return {y: number(p) for y, p in self._law(item).items()}

    def possible(self, output: Hashable) -> bool:
        """Return whether some input can lead to this report."""
        return output in self._native

    def possible_on(self, item: Item, output: Hashable) -> bool:
        """Return whether this input can lead to this report."""
        return output in self._law(item)

    def events(self, item: Item) -> tuple[Event, ...]:
        """Return all single reports if they are few, else that the report counts for an item or for two neighboring
        ones.

        In the reading `marginal` also what it observes of the reports.
        """
        law, whole = self._law(item), self.relation != "marginal"
        if len(law) > LISTED:
            return self._marginals(law)
        single = [Event(str(y), equals(y), number(p), (y,) if whole else ()) for y, p in law.items()]
        return (*single, *([] if whole else self._protected(law)))

    @property
    def lists_outputs(self) -> bool:
        """Whether the events of every input are its single reports."""
        return self.relation != "marginal" and all(len(law) <= LISTED for law in self._laws.values())

    def scores(self, report: Hashable) -> tuple[Number, ...]:
        """Return the estimates from a single (possible) report."""
        return tuple(map(number, self._scores[report]))

    def moments(self, held: Item, item: int) -> tuple[Number, Number]:
        """Return expectation and variance of the estimate of `item` from the report of a user who holds `held`."""
        mean, variance = self._moments[held][item]
        return number(mean), number(variance)

    def require_input(self, item: Item) -> Item:
        """Return the input. Raises `DomainError` for any other item."""
        if isinstance(item, (bool, float)) or item not in self.inputs:
            raise DomainError("item", item, f"one of {self.inputs[:4]}{' ...' if len(self.inputs) > 4 else ''}")
        return item

    @cached_property
    def _enumerated(self) -> dict[Item, dict[Any, Real]]:
        """For every input the law of the program's own report."""
        more = () if self.h is None else (self.h,)

        def run(item: Item, coins: Coins) -> Any:
            return self.mechanism.randomize(item, *more, coins)

        most = max(1, MAX_PATHS // len(self.inputs))
        try:
            return {x: output_law(partial(run, x), self.mechanism.one, max_paths=most) for x in self.inputs}
        except TooManyPathsError:
            allowed = f"sizes with at most {MAX_PATHS} random paths in all ({len(self.inputs)} inputs have more)"
            raise DomainError("items", self.d, allowed) from None

    @cached_property
    def _canonical(self) -> dict[Any, Hashable]:
        """The canonical forms of the program's own reports."""
        reports = dict.fromkeys(y for law in self._enumerated.values() for y in law)  # many inputs have the same ones
        return {y: canonical(self.mechanism, y, self.h) for y in reports}

    @cached_property
    def _native(self) -> dict[Hashable, Any]:
        """For every canonical report one of the program's own."""
        return {form: y for y, form in reversed(self._canonical.items())}

    @cached_property
    def _laws(self) -> dict[Item, dict[Hashable, Real]]:
        laws: dict[Item, dict[Hashable, Real]] = {}
        for x, law in self._enumerated.items():
            laws[x] = {}
            for y, p in law.items():
                form = self._canonical[y]
                laws[x][form] = laws[x][form] + p if form in laws[x] else p
        return laws

    def _law(self, item: Item) -> dict[Hashable, Real]:
        return self._laws[self.require_input(item)]

    @cached_property
    def _scores(self) -> dict[Hashable, tuple[Real, ...]]:
        hashes = () if self.h is None else ((self.h,),)
        estimates = {y: self.mechanism.estimate((native,), *hashes) for y, native in self._native.items()}
        return {y: tuple(estimate[x] for x in self.mechanism.domain.items) for y, estimate in estimates.items()}

    @cached_property
    def _moments(self) -> dict[Item, list[tuple[Real, Real]]]:
        alike: list[dict[Real, list[Hashable]]] = [{} for _ in range(self.d)]  # a score has few values
        for y, scores in self._scores.items():
            for j, score in enumerate(scores):
                alike[j].setdefault(score, []).append(y)
        zero, moments = Real.lift(0), dict[Item, list[tuple[Real, Real]]]()
        for x, law in self._laws.items():
            moments[x] = []
            for reports in alike:
                chances = [(score, sum((law[y] for y in ys if y in law), zero)) for score, ys in reports.items()]
                mean = sum((score * p for score, p in chances), zero)
                moments[x].append((mean, sum((score * score * p for score, p in chances), zero) - mean * mean))
        return moments

    def _protected(self, law: Mapping[Hashable, Real]) -> list[Event]:
        """Return for every protected part y0 the event that a report has it."""

        def has(y0: Hashable, report: Hashable) -> bool:
            return report in self._native and view(report) == y0

        view, chances = self.comparison.observed, dict[Hashable, Real]()
        for y, p in law.items():
            chances[view(y)] = chances[view(y)] + p if view(y) in chances else p
        return [Event(f"y0 = {y0}", partial(has, y0), number(p), (y0,)) for y0, p in chances.items()]

    def _marginals(self, law: Mapping[Hashable, Real]) -> tuple[Event, ...]:
        """Return for every item the event that the report has its largest score, and for every two neighbors that it
        has both."""

        def counts(x: int, report: Hashable) -> bool:
            return report in self._native and self._scores[report][x] == top[x]

        top = [max(scores[x] for scores in self._scores.values()) for x in range(self.d)]
        tests: list[tuple[str, Callable[[Hashable], bool]]] = [
            (f"counts for {x}", partial(counts, x)) for x in range(self.d)
        ]
        tests += [
            (f"counts for {x} and {x + 1}", both(partial(counts, x), partial(counts, x + 1))) for x in range(self.d - 1)
        ]
        return tuple(
            Event(name, holds, exact_sum(number(p) for y, p in law.items() if holds(y))) for name, holds in tests
        )


def canonical(mechanism: Any, report: Any, h: HashFunction | None = None) -> Hashable:
    """Return the canonical form of a program's own report."""
    if isinstance(report, Report):
        return canonical(mechanism, report.protected, h), report.invertible
    if isinstance(mechanism, ArcMechanism) and h is not None:
        point = midpoint(report)
        return frozenset(x for x in mechanism.domain.items if mechanism.arc(x, h).covers(point))
    form: Hashable = report
    return form
