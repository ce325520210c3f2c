"""What an implementation is compared with: exact laws, a nominal bound, exact moments of the estimator."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from operator import attrgetter
from typing import Any

from flint import arb, fmpq

from dp_audit.oracles.parameters import PARAMETERS
from dp_refimpl.records import Claims, Mechanism, always
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError, NotExactError
from dp_spec.vocabulary.integers import is_integer
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.names import require_name
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import ball

Number = fmpq | arb
"""An exact rational, or a rigorous ball at the current flint precision where the number is irrational."""


class Comparison:
    """What a definition of privacy compares: the probabilities of every output on every two inputs (epsilon-LDP)."""

    def __str__(self) -> str:
        return "epsilon-LDP"

    def observed(self, output: Hashable) -> Hashable:
        """Return what is compared of an output: all of it."""
        return output

    def compares(self, item: Item, other: Item, observed: Hashable) -> bool:
        """Return whether the probabilities of what is observed are compared on the two inputs."""
        return True

    @property
    def of_outputs(self) -> "Comparison":
        """A comparison that observes whole outputs: this one, or one that is not stricter."""
        return self


EVERYTHING = Comparison()
MAX_SIZE = 1 << 16
"""Items, buckets and bits of an oracle; audits compare fewer inputs (`dp_audit.oracles.reference`)."""


@dataclass(frozen=True)
class Ones:
    """Of a row of bits: that at least `low` and at most `high` of those at some places are set."""

    places: tuple[int, ...]
    low: int
    high: int


@dataclass(frozen=True)
class Event:
    """A set of outputs, by a name, a test and its exact probability under the law of one input.

    `observed`: (what a `Comparison` compares,) if that is what the event is; all events are compared by epsilon-LDP.
    `ones`: what `holds` says of rows of `Oracle.row_width` bits, if that can be said so: many are then counted at once.
    """

    name: str
    holds: Callable[[Hashable], bool]
    probability: Number
    observed: tuple[Hashable, ...] = ()
    ones: Ones | None = None


class Oracle(ABC):
    """The exact reference of one mechanism at fixed parameters. Balls are computed at the current flint precision.

    Outputs are in canonical form (`dp_audit.observation.values`): integers, booleans, text, `fmpq`, tuples, frozensets.
    """

    epsilon: Budget[Real]

    @property
    @abstractmethod
    def inputs(self) -> tuple[Item, ...]:
        """What a user can hold."""

    @property
    def outside(self) -> tuple[Item, ...]:
        """Inputs beside the domain, which a client should refuse: -1 and d, where the inputs are 0 .. d-1."""
        d = len(self.inputs)
        return (-1, d) if self.inputs == tuple(range(d)) else ()

    def privacy(self) -> Number:
        """Return the nominal bound e^epsilon on P(y|x) / P(y|x') over all outputs y and inputs x, x' that are
        compared."""
        return exponential(self.epsilon)

    def require_input(self, item: Item) -> Any:
        """Return the input. Raises `DomainError` for any other item."""
        if type(item) is not type(self.inputs[0]) or item not in self.inputs:
            raise DomainError("item", item, f"one of {self.inputs}")
        return item

    @property
    def comparison(self) -> Comparison:
        """Which outputs and inputs the bound is about: all of them."""
        return EVERYTHING

    @abstractmethod
    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Return the law of the report of a user who holds `item`: every possible output with its probability > 0."""

    def view_of(self, output: Hashable) -> Hashable:
        """Return what the law tells of a report: the report itself, unless the law merges some of them."""
        return output

    @property
    def window(self) -> tuple[int, int] | None:
        """(low, high), if reports are real numbers, of which `view_of` tells the nearest integer low .. high."""
        return None

    def possible(self, output: Hashable) -> bool:
        """Return whether some input can lead to this output."""
        return any(output in self.law(item) for item in self.inputs)

    def possible_on(self, item: Item, output: Hashable) -> bool:
        """Return whether an input can lead to this output, as far as that is known without listing its law."""
        return self.possible(output)

    def events(self, item: Item) -> tuple[Event, ...]:
        """Return the events that a statistical audit watches: all single outputs, unless the law is too large to
        list."""
        return tuple(Event(str(y), equals(y), p) for y, p in self.law(item).items())

    @property
    def lists_outputs(self) -> bool:
        """Whether the events are known to be all single outputs of an input: they exclude each other, and one holds."""
        return type(self).events is Oracle.events

    @property
    def row_width(self) -> int:
        """d > 0, if every row of d bits is possible on every input, and is seen as it is."""
        return 0

    @property
    def independent(self) -> int:
        """How many of the first events of an input are stated to be independent of each other (bits of a vector)."""
        return 0

    def estimate(self, reports: Sequence[Hashable]) -> tuple[Number, ...] | None:
        """Return what the server says given these reports: one number per estimand (frequencies, not counts).

        None when the mechanism has no specified estimator; likewise `expected_estimate` and `variance`.
        """
        return None

    def expected_estimate(self, data: Sequence[Item]) -> tuple[Number, ...] | None:
        """Return the expectation of the estimates for a fixed data set, one item per user."""
        return None

    def variance(self, data: Sequence[Item]) -> tuple[Number, ...] | None:
        """Return the variance of the estimates for a fixed data set."""
        return None


class DataSets(Oracle):
    """A mechanism on data sets, of which an input is the number."""

    @property
    @abstractmethod
    def number(self) -> int:
        """How many data sets there are."""

    @property
    def inputs(self) -> tuple[Item, ...]:
        """The numbers of the data sets."""
        return tuple(range(self.number))


class Product(Oracle):
    """Independent reports of the mechanism `single` on the entries of a row, in their order."""

    single: Oracle

    @abstractmethod
    def row(self, item: Item) -> tuple[Item, ...]:
        """Return the entries of an input."""

    def privacy(self) -> Number:
        """Return the nominal bound of one report."""
        return self.single.privacy()

    def law(self, item: Item) -> Mapping[Hashable, Number]:
        """Return the product of the laws of the entries."""
        row = self.row(self.require_input(item))
        laws = {x: self.single.law(x) for x in dict.fromkeys(row)}
        return joint_law([laws[x] for x in row])

    def possible(self, output: Hashable) -> bool:
        """Return whether the output has a possible report for every entry."""
        length = len(self.row(self.inputs[0]))
        return isinstance(output, tuple) and len(output) == length and all(map(self.single.possible, output))


@dataclass(frozen=True)
class OracleKind:
    """A mechanism that audits know: what makes its oracle, and a reader for each parameter (from a value or text).

    `law`: how a report is drawn, and `report`: its canonical form, in words. Parameters in `optional` may be left out;
    `make` then uses its own default. `certified` maps the parameters that are given to the ids of the ledger which the
    oracle rests on; none for an oracle that is stated from the literature. `words`: what a parameter is, and a value of
    it as text, where it is something else than `dp_audit.oracles.parameters` says. Parameters in `judging` say how the
    code is judged and are not handed to it. `vectors`: the parameters of the conformance vectors.
    """

    make: Callable[..., Oracle]
    parameters: Mapping[str, Callable[[str, object], Any]]
    law: str
    report: str
    optional: frozenset[str] = frozenset()
    certified: Claims = field(default=always())
    words: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    judging: frozenset[str] = frozenset()
    vectors: tuple[Mapping[str, object], ...] = ()

    @classmethod
    def of(
        cls,
        record: Mechanism,
        make: Callable[..., Oracle],
        parameters: Mapping[str, Callable[[str, object], Any]],
        **more: Any,
    ) -> "OracleKind":
        """Return the kind of a mechanism of `dp_refimpl`; what is not given is as in its record."""
        defaults: dict[str, Any] = {
            "law": record.law,
            "report": record.report,
            "certified": record.claims,
            "vectors": record.vectors,
        }
        return cls(make, parameters, **(defaults | more))

    def described(self, parameter: str) -> tuple[str, str]:
        """Return what a parameter is, and a value of it as text."""
        return self.words.get(parameter) or PARAMETERS[parameter]


def integer(low: int, high: int = MAX_SIZE) -> Callable[[str, object], int]:
    """Return a reader of integers in low..high, which reads text as a decimal integer and raises `DomainError`."""

    def read(name: str, value: object) -> int:
        try:
            number = int(value) if isinstance(value, str) else value
        except ValueError:
            number = value
        if not is_integer(number, low, high):
            raise DomainError(name, value, f"an integer in {low}..{high}")
        return number

    return read


def epsilon(name: str, value: object) -> Budget[Real]:
    """Return the budget that is a number > 0 or text as `"ln(3)"`. Raises `DomainError` for anything else."""
    if not isinstance(value, int | float | str | Budget):
        raise DomainError(name, value, 'a finite double > 0, or text as "ln(3)"')
    try:
        budget = Budget.of(value)
    except DomainError as error:
        raise DomainError(name, value, error.allowed) from None
    if budget.root == 1:
        raise DomainError(name, value, "an epsilon > 0")
    return budget


def one_of(names: Sequence[str]) -> Callable[[str, object], str]:
    """Return a reader of names, in any spelling, which raises `DomainError` with suggestions."""
    return lambda name, value: require_name(name, value, names)


def number(exact: "Real | Number") -> Number:
    """Return an exact number as a rational, or as a ball at the current precision where it is irrational."""
    if not isinstance(exact, Real):
        return exact
    rational = exact.rational()
    return ball(exact) if rational is None else rational


def exponential(budget: Budget[Real], share: Fraction | int = 1) -> Number:
    """Return e^(share epsilon), share of any sign: a rational, or a ball at the current precision where it is
    irrational or no `Real`. (Powers of e are irrational: they are not made a `Real` first.)"""
    exact, power = budget.root, arb(fmpq(share.numerator, share.denominator))
    if share == 1:
        return number(exact)
    if share and exact.root is not None and exact.root.base is None:
        return (ball(exact).log() * power).exp()
    try:
        return number(exact.raised(Fraction(share)))
    except (NotExactError, DomainError):
        return (ball(exact).log() * power).exp()


def numbers(budget: Budget[Real], parts: int = 1) -> Budget[Number]:
    """Return the budget with an e^(epsilon / parts), rational or a ball at the current precision."""
    exact: Budget[Number] = Budget.of_root(exponential(budget))
    try:
        exact.exp(Fraction(1, parts))
    except NotExactError:
        return Budget.of_root(arb(exact.root))
    return exact


def double(budget: Budget[Real]) -> float:
    """Return the double that is nearest to epsilon, which a library gets."""
    bits = 256
    while True:
        with precision(bits):
            ball = budget.root.enclosure(bits).log()
        if ball.rel_accuracy_bits() > 64:
            return float(ball)
        bits *= 2


def part(held: str, name: str) -> Any:
    """Return a property of an oracle that is that of what it holds."""
    return property(attrgetter(f"{held}.{name}"))


def equals(output: Hashable) -> Callable[[Hashable], bool]:
    """Return the test of a single output."""
    return lambda other: bool(other == output)


def exact_sum(numbers: Iterable[Number]) -> Number:
    """Return the sum of exact numbers."""
    return sum(numbers, fmpq(0))


def multiplied(numbers: Iterable[Number]) -> Number:
    """Return the product of exact numbers."""
    return prod(numbers, start=fmpq(1))


def joint_law(laws: Sequence[Mapping[Any, Number]]) -> dict[Hashable, Number]:
    """Return the law of the tuple of independent outputs."""
    joint: dict[Any, Number] = {(): fmpq(1)}
    for law in laws:
        joint = {(*outputs, y): chance * p for outputs, chance in joint.items() for y, p in law.items()}
    return joint
