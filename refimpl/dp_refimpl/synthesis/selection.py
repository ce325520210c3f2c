"""Choosing a candidate by its score: the exponential mechanism (source 003, Definition 4), exactly, and the maximum.

A candidate of score u is chosen with probability proportional to e^(epsilon u / (2 Delta u)). Its weight is exact in
rational functions of t and in rationals where u / Delta u is rational (the score F; entropies at n = 2), and in
rationals A^s where e^epsilon = B_n^(2s) and u = ln(A) / n; it is a ball for any other real epsilon.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any, Generic, Literal, Protocol, TypeVar

from flint import arb, fmpq

from dp_refimpl.coins import Coins, uniform
from dp_refimpl.requirements import require_word
from dp_refimpl.synthesis.information import Information, LogarithmRatio
from dp_spec.vocabulary.budget import Budget, Epsilon, real_budget
from dp_spec.vocabulary.exceptions import DomainError, NotExactError
from dp_spec.vocabulary.precision import current_bits, precision
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import Ordering, S, at_most, compare

S_co = TypeVar("S_co", covariant=True)
Score = Information | fmpq
Ties = Literal["uniform", "first"]
"""Which of several maximizers is taken: one of them drawn uniformly, or the first one."""


class Selection(Protocol[S_co]):
    """A way to choose one of several scored candidates."""

    def split(self, parts: int) -> "Selection[S_co]":
        """The same with so many times less budget, for each of so many choices."""
        ...

    def law(self, scores: Sequence[Score], sensitivity: Score) -> tuple[S_co, ...]:
        """The probability of each candidate."""
        ...

    def choose(self, scores: Sequence[Score], sensitivity: Score, coins: Coins) -> int:
        """The index of a candidate."""
        ...


@dataclass(frozen=True)
class ExponentialMechanism(Generic[S]):
    """The exponential mechanism of a budget, in the number field of the budget. Raises `DomainError` for no budget."""

    budget: Budget[S]

    def __post_init__(self) -> None:
        if not isinstance(self.budget, Budget):
            raise DomainError("budget", self.budget, "a Budget")

    def split(self, parts: int) -> "ExponentialMechanism[S]":
        """The mechanism of epsilon / parts. Raises `NotExactError` where the field has no such root of e^epsilon."""
        return ExponentialMechanism(self.budget.split(parts))

    def weight(self, score: Score, sensitivity: Score) -> S:
        """e^(epsilon u / (2 Delta u)).

        Raises `NotExactError` where the field has no such number, `DomainError` for a sensitivity that is not above 0
        (at n = 1 that of an entropy is 0) or of another kind than the score.
        """
        if isinstance(score, Information) and isinstance(sensitivity, Information):
            if score.n != sensitivity.n or at_most(sensitivity.power, 1):
                raise DomainError("sensitivity", sensitivity, f"a quantity above 0 of tables of n = {score.n}")
            ratio = LogarithmRatio(score.power, sensitivity.power)
            share = ratio.exact()
            return self._power(share / 2) if share is not None else self._irrational_power(ratio)
        if not isinstance(score, fmpq) or not isinstance(sensitivity, fmpq) or at_most(sensitivity, 0):
            raise DomainError("sensitivity", sensitivity, f"a number above 0 of the kind of the score {score}")
        times = score / sensitivity
        return self._power(Fraction(int(times.p), 2 * int(times.q)))

    def law(self, scores: Sequence[Score], sensitivity: Score) -> tuple[S, ...]:
        """The probability of each candidate. Raises as `weight`, and `DomainError` without candidates."""
        if not scores:
            raise DomainError("scores", scores, "at least one candidate")
        try:
            weights = [self.weight(score, sensitivity) for score in scores]
        except NotExactError:
            if len(scores) > 1:
                raise
            weights = [self._power(Fraction(0))]  # of an only candidate any weight will do
        total = sum(weights[1:], weights[0])
        return tuple(weight / total for weight in weights)

    def choose(self, scores: Sequence[Score], sensitivity: Score, coins: Coins) -> int:
        """The index of a candidate, drawn by its probability. Raises as `law`."""
        return coins.choose(self.law(scores, sensitivity))

    def _power(self, share: Fraction) -> S:
        """e^(epsilon share) for a share of any sign."""
        if share == 0:
            return self.budget.root * 0 + 1
        return self.budget.exp(share) if share > 0 else 1 / self.budget.exp(-share)

    def _irrational_power(self, ratio: LogarithmRatio) -> S:
        """e^(epsilon ratio / 2): a ball, or A^s where e^epsilon = B^(2s)."""
        root: Any = self.budget.root
        if isinstance(root, arb):
            return (root.log() * self.budget.power * ratio.enclosure(current_bits()) / 2).exp()  # type: ignore[return-value]
        rational = root.rational() if isinstance(root, Real) else root if isinstance(root, fmpq) else None
        if rational is not None:
            power = LogarithmRatio(rational**self.budget.power, ratio.denominator).exact()
            if power is not None and (power / 2).denominator == 1:
                return root * 0 + ratio.numerator ** int(power / 2)  # type: ignore[no-any-return]
        raise NotExactError(
            "budget",
            self.budget.root,
            "e^epsilon an even power of e^(n Delta), or a ball: the score is no rational multiple of the sensitivity",
        )


@dataclass(frozen=True)
class RealExponentialMechanism:
    """The exponential mechanism at any real epsilon, sampled exactly: fair bits are drawn until balls decide.

    Its program never ends on enumerating coins (`ExponentialMechanism` of `real_budget` does). `parts` is what epsilon
    is divided by. Raises `DomainError` for what is no epsilon, and unless parts >= 1.
    """

    epsilon: Epsilon
    parts: int = 1

    def __post_init__(self) -> None:
        self._mechanism(64)

    def split(self, parts: int) -> "RealExponentialMechanism":
        """The mechanism of epsilon / parts."""
        return RealExponentialMechanism(self.epsilon, self.parts * parts)

    def law(self, scores: Sequence[Score], sensitivity: Score, bits: int = 128) -> tuple[arb, ...]:
        """Balls of so many bits around the probabilities. Raises `DomainError` as `ExponentialMechanism.law`."""
        with precision(bits):
            return self._mechanism(bits).law(scores, sensitivity)

    def choose(self, scores: Sequence[Score], sensitivity: Score, coins: Coins) -> int:
        """The index of a candidate: U in [low, low + width) is halved until it lies inside one cell."""
        half, low, width, bits = fmpq(1, 2), fmpq(0), fmpq(1), 64
        edges = self._edges(scores, sensitivity, bits)
        while True:
            above = [compare(low, edge) is Ordering.LESS for edge in edges]
            first = above.index(True)
            reached = first == 0 or compare(low, edges[first - 1]) in (Ordering.GREATER, Ordering.EQUAL)
            if reached and compare(low + width, edges[first]) in (Ordering.LESS, Ordering.EQUAL):
                return first
            width /= 2
            low += width * coins.choose((half, half))
            if at_most(width * 2 ** (bits // 2), 1):
                bits *= 2
                edges = self._edges(scores, sensitivity, bits)

    def _edges(self, scores: Sequence[Score], sensitivity: Score, bits: int) -> list[Any]:
        """Balls around the sums of the first probabilities; the last is 1."""
        with precision(bits):
            return [*accumulate(self.law(scores, sensitivity, bits)[:-1]), fmpq(1)]

    def _mechanism(self, bits: int) -> ExponentialMechanism[arb]:
        with precision(bits):
            return ExponentialMechanism(real_budget(self.epsilon, bits).split(self.parts))


@dataclass(frozen=True)
class Maximum:
    """A candidate of largest score, as in NoPrivacy; no budget is used. Raises `DomainError` for an unknown rule."""

    ties: Ties = "uniform"

    def __post_init__(self) -> None:
        require_word("ties", self.ties, Ties)

    def split(self, parts: int) -> "Maximum":
        """The same."""
        return self

    def law(self, scores: Sequence[Score], sensitivity: Score) -> tuple[fmpq, ...]:
        """The probability of each candidate. Raises `DomainError` without candidates."""
        best = self._best(scores)
        return tuple(fmpq(1, len(best)) if i in best else fmpq(0) for i in range(len(scores)))

    def choose(self, scores: Sequence[Score], sensitivity: Score, coins: Coins) -> int:
        """The index of a maximizer. Raises `DomainError` without candidates."""
        return uniform(coins, self._best(scores), fmpq(1))

    def _best(self, scores: Sequence[Score]) -> list[int]:
        if not scores:
            raise DomainError("scores", scores, "at least one candidate")
        best = [0]
        for i in range(1, len(scores)):
            order = _order(scores[i], scores[best[0]])
            if order is Ordering.GREATER:
                best = [i]
            elif order is Ordering.EQUAL and self.ties == "uniform":
                best.append(i)
        return best


def _order(score: Score, other: Score) -> Ordering:
    if isinstance(score, Information) and isinstance(other, Information):
        return score.compare(other)
    return compare(score, other)
