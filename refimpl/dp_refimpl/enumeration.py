"""Exact output laws: run a randomized program on enumerating coins until every path has been taken."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from inspect import signature
from itertools import product
from math import prod
from typing import Any, Protocol, TypeVar, overload

from dp_refimpl.coins import Coins
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import S, is_zero, require_law
from dp_spec.vocabulary.table import Channel

X = TypeVar("X", bound=Hashable)
Y = TypeVar("Y", bound=Hashable)
Y_co = TypeVar("Y_co", bound=Hashable, covariant=True)
S_co = TypeVar("S_co", covariant=True)
Progress = Callable[[int, int], None]
"""Called with (inputs finished, inputs in all)."""

MAX_PATHS = 2_000_000


class TooManyPathsError(DomainError):
    """The program has more paths than the caller allows; raised before they are walked."""


class _EnumeratingCoins:
    """Replays the choices of one path, extends it by first branches, and remembers the branches still to take.

    A node is its outcomes and, for each, the probability of the whole path up to it. Numbers are of the field of the
    program that uses the coins, hence `Any` here.
    """

    def __init__(self, one: Any, max_paths: int) -> None:
        self._nodes: list[tuple[list[Any], list[Any]]] = []
        self._taken: list[int] = []
        self._depth = 0
        self._one = one
        self._max_paths = max_paths
        self.weight = one

    def choose(self, probabilities: Sequence[S]) -> int:
        if self._depth == len(self._nodes):
            support = _support(probabilities)
            self._extend([i for i, _ in support], [self.weight * p for _, p in support])
        index: int = self._take()
        return index

    def choose_each(self, laws: Sequence[Sequence[S]]) -> tuple[int, ...]:
        if self._depth == len(self._nodes):
            supports = _supports(laws)
            self._require_within_limit(prod(len(support) for support in supports))
            self._extend(*_joint_support(supports, self.weight))
        indices: tuple[int, ...] = self._take()
        return indices

    def _extend(self, outcomes: list[Any], weights: list[Any]) -> None:
        self._nodes.append((outcomes, weights))
        self._taken.append(0)
        self._require_within_limit()

    def _take(self) -> Any:
        outcomes, weights = self._nodes[self._depth]
        taken = self._taken[self._depth]
        self._depth += 1
        self.weight = weights[taken]
        return outcomes[taken]

    def advance(self) -> bool:
        """Move to the next path; False when all have been taken."""
        self._depth, self.weight = 0, self._one
        while self._taken:
            self._taken[-1] += 1
            if self._taken[-1] < len(self._nodes[-1][0]):
                return True
            self._taken.pop()
            self._nodes.pop()
        return False

    def _require_within_limit(self, further: int = 1) -> None:
        """Raise when the branches along this path (exact for trees of equal arity), times `further`, are too many."""
        estimate = further * prod(len(outcomes) for outcomes, _ in self._nodes)
        if estimate > self._max_paths:
            raise TooManyPathsError(
                "estimated paths", estimate, f"at most {self._max_paths} (give max_paths to allow more)"
            )


def output_law(program: Callable[[Coins], Y], one: S, *, max_paths: int = MAX_PATHS) -> dict[Y, S]:
    """The exact law of program(coins), equal outputs merged; `one` is the 1 of the number field.

    Raises `TooManyPathsError` with the estimated number of paths as soon as a path shows more than `max_paths`,
    and `NotStochasticError` when the program offers its coins something that is not a law.
    """
    coins = _EnumeratingCoins(one, max_paths)
    law: dict[Y, S] = {}
    while True:
        output = program(coins)
        size = len(law)
        previous = law.setdefault(output, coins.weight)
        if len(law) == size:
            law[output] = previous + coins.weight
        if not coins.advance():
            return law


class Enumerable(Protocol[X, Y_co, S_co]):
    """A mechanism: a randomized program with its inputs, and the 1 of its number field."""

    @property
    def inputs(self) -> tuple[X, ...]: ...
    @property
    def one(self) -> S_co: ...
    def randomize(self, x: X, coins: Coins, /) -> Y_co: ...


@overload
def exact_channel(
    program: Enumerable[X, Y, S],
    inputs: None = None,
    one: None = None,
    *,
    max_paths: int = MAX_PATHS,
    progress: Progress | None = None,
) -> Channel[X, Y, S]: ...
@overload
def exact_channel(
    program: Callable[[X, Coins], Y],
    inputs: Iterable[X],
    one: S,
    *,
    max_paths: int = MAX_PATHS,
    progress: Progress | None = None,
) -> Channel[X, Y, S]: ...
def exact_channel(
    program: Any,
    inputs: Iterable[Any] | None = None,
    one: Any = None,
    *,
    max_paths: int = MAX_PATHS,
    progress: Progress | None = None,
) -> Channel[Any, Any, Any]:
    """The channel of a mechanism on all that a user can hold, or of a randomized program on the given inputs.

    `one` is the 1 of the program's number field. Raises as `output_law`, `DomainError` for what is neither (a mechanism
    with a public hash function becomes a program by fixing it: `lambda s, coins: wheel.randomize(s, h, coins)`).
    """
    if inputs is None or one is None:
        if inputs is not None or one is not None or not isinstance(getattr(program, "inputs", None), tuple):
            raise DomainError("program", program, "a mechanism; or a function with its inputs and the 1 of its numbers")
        if len(signature(program.randomize).parameters) != 2:
            raise DomainError("program", program, "lambda s, coins: wheel.randomize(s, h, coins), which fixes the hash")
        program, inputs, one = program.randomize, program.inputs, program.one
    listed = tuple(inputs)
    if len(set(listed)) != len(listed):
        raise DomainError("inputs", listed, "pairwise different inputs")
    rows: dict[Any, dict[Any, Any]] = {}
    for done, x in enumerate(listed):
        rows[x] = output_law(partial(program, x), one, max_paths=max_paths)
        if progress is not None:
            progress(done + 1, len(listed))
    return Channel(rows)


def _support(probabilities: Sequence[S]) -> list[tuple[int, S]]:
    require_law(tuple(probabilities))
    return [(i, p) for i, p in enumerate(probabilities) if not is_zero(p)]


def _supports(laws: Sequence[Sequence[S]]) -> list[list[tuple[int, S]]]:
    """`_support` of every law; one that occurs several times is examined once."""
    different = {id(law): law for law in laws}
    supports = {key: _support(law) for key, law in different.items()}
    return [supports[id(law)] for law in laws]


def _joint_support(supports: list[list[tuple[int, S]]], one: S) -> tuple[list[tuple[int, ...]], list[S]]:
    """All index tuples, and `one` times their product probabilities, prefix products shared."""
    weights = [one]
    for support in supports:
        probabilities = [p for _, p in support]
        weights = [weight * p for weight in weights for p in probabilities]
    return list(product(*([i for i, _ in support] for support in supports))), weights
