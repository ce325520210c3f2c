"""Tables of exact numbers, and channels: tables shown to be stochastic."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from dp_spec.vocabulary.exceptions import DomainError, NotStochasticError
from dp_spec.vocabulary.scalar import S, at_most, require_law

X = TypeVar("X", bound=Hashable)
Y = TypeVar("Y", bound=Hashable)
Z = TypeVar("Z", bound=Hashable)


@dataclass(frozen=True)
class Table(Generic[X, Y, S]):
    """Exact entries M(y|x), any sign, any row sum; an absent entry is 0.

    Raises `DomainError` for a table without rows.
    """

    rows: Mapping[X, Mapping[Y, S]]

    def __post_init__(self) -> None:
        if not self.rows:
            raise DomainError("rows", self.rows, "at least one input")

    @property
    def inputs(self) -> tuple[X, ...]:
        """The inputs, in declared order."""
        return tuple(self.rows)

    @property
    def outputs(self) -> tuple[Y, ...]:
        """Every output that has an entry, in order of first appearance."""
        return tuple(dict.fromkeys(y for row in self.rows.values() for y in row))

    def prob(self, y: Y, x: X) -> S | int:
        """M(y|x); 0 where the table has no entry. Raises `DomainError` for an unknown input."""
        if x not in self.rows:
            raise DomainError("x", x, "an input of the table")
        return self.rows[x].get(y, 0)

    def defect(self) -> tuple[X, object, str] | None:
        """The first row that is not a law, with the offending number and what it violates; None if all are."""
        for x, row in self.rows.items():
            try:
                require_law(tuple(row.values()))
            except NotStochasticError as error:
                return x, error.value, error.allowed
        return None


@dataclass(frozen=True)
class Channel(Table[X, Y, S]):
    """A table whose rows are probability laws. Raises `NotStochasticError` naming the first row that is not."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if defect := self.defect():
            raise NotStochasticError(f"row {defect[0]!r}", defect[1], defect[2])

    def push_forward(self, observe: Callable[[Y], Z]) -> "Channel[X, Z, S]":
        """The channel an observer sees who only learns observe(y)."""
        return Channel({x: _merge((observe(y), p) for y, p in row.items()) for x, row in self.rows.items()})

    def restriction(self, inputs: Sequence[X]) -> "Channel[X, Y, S]":
        """The same channel on fewer inputs (in the order given). Raises `DomainError` for unknown or repeated ones."""
        unknown = [x for x in inputs if x not in self.rows]
        if unknown or len(set(inputs)) != len(inputs):
            raise DomainError("inputs", unknown or inputs, "different inputs of the channel")
        return Channel({x: self.rows[x] for x in inputs})

    def product(self, other: "Channel[Z, Any, S]") -> "Channel[tuple[X, Z], tuple[Y, Any], S]":
        """Both channels run independently on a pair of inputs."""
        return Channel(
            {
                (x, z): {(y, v): p * q for y, p in row.items() for v, q in column.items()}
                for x, row in self.rows.items()
                for z, column in other.rows.items()
            }
        )

    def mixture(self, weights: Mapping[Z, Mapping[X, S]]) -> "Channel[Z, Y, S]":
        """For every new input z, draw an input x with probability weights[z][x] and run this channel on it.

        Raises `NotStochasticError` unless every weights[z] is a law, `DomainError` if it draws an unknown input.
        """
        draw = Channel(weights)
        unknown = [x for x in draw.outputs if x not in self.rows]
        if unknown:
            raise DomainError("weights", unknown, "weights of inputs of the channel")
        return Channel(
            {
                z: _merge((y, p * q) for x, p in law.items() for y, q in self.rows[x].items())
                for z, law in draw.rows.items()
            }
        )


@dataclass(frozen=True)
class RatioMaximum(Generic[X, Y, S]):
    """The largest M(y|x) / M(y|x') over the compared pairs, where it is attained, and its two probabilities.

    `ratio` is None when no constant is large enough: a positive entry meets one that is 0 (in a Table: or negative).
    """

    ratio: S | None
    x: X
    other: X
    y: Y
    probability: S
    other_probability: S | int


def ratio_maximum(table: Table[X, Y, S], pairs: Iterable[tuple[X, X]] | None = None) -> RatioMaximum[X, Y, S] | None:
    """The exact ratio maximum over ordered pairs of inputs (default: all), first attaining triple as witness.

    None when no compared output has positive probability. Raises `UndecidedError` where the field cannot tell the sign
    of an entry or order two ratios, `DomainError` for an unknown input.
    """
    best: RatioMaximum[X, Y, S] | None = None
    for x, other in pairs if pairs is not None else _ordered_pairs(table.inputs):
        if x not in table.rows or other not in table.rows:
            raise DomainError("pairs", (x, other), "pairs of inputs of the table")
        for y, p in table.rows[x].items():
            if at_most(p, 0):
                continue
            q = table.prob(y, other)
            if at_most(q, 0):
                return RatioMaximum(None, x, other, y, p, q)
            ratio = p / q
            if best is None or best.ratio is None or _greater(ratio, best.ratio):
                best = RatioMaximum(ratio, x, other, y, p, q)
    return best


def _greater(a: S, b: S) -> bool:
    return not at_most(a, b)


def _ordered_pairs(inputs: tuple[X, ...]) -> Iterable[tuple[X, X]]:
    return ((x, other) for x in inputs for other in inputs if x != other)


def _merge(weighted: Iterable[tuple[Z, S]]) -> dict[Z, S]:
    merged: dict[Z, S] = {}
    for z, p in weighted:
        merged[z] = merged[z] + p if z in merged else p
    return merged
