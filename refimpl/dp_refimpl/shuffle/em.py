"""EM for a histogram from shuffled messages (source 000, line 14 and M6): exact, for small cases.

f_v <- 1/N sum_t f_v L_t(v) / sum_u f_u L_t(u). The likelihood of a message has two values, for items that it supports
and for the others, so that messages that support the same items are one group.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, NamedTuple

from flint import arb, fmpq

from dp_refimpl.requirements import require_integer
from dp_refimpl.shuffle.protocol_parts import Message, Randomizer
from dp_spec.vocabulary.exceptions import DomainError, UndecidedError
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, S, at_most, ball, compare, is_zero

Kind = Literal["mix", "reports"]
Start = Literal["uniform", "vector"]
Groups = Mapping[tuple[bool, ...], int]
"""Which items (in the order of the domain) a message supports, and how many messages do so."""
MAX_PRECISION = 1 << 14


@dataclass(frozen=True)
class Likelihood(Generic[S]):
    """L_t(v): `inside` where message t supports v, otherwise `outside`. Raises `DomainError` for negative numbers."""

    inside: S
    outside: S

    def __post_init__(self) -> None:
        for name in ("inside", "outside"):
            if not at_most(0, getattr(self, name)):
                raise DomainError(name, getattr(self, name), "a number >= 0")


def likelihood(kind: Kind, p: S, q: S, labels: int, m: fmpq | int) -> Likelihood[S]:
    """`reports`: p and q; `mix`: 1/(m+1) of these and m/(m+1) of 1/h, m the (expected) number of dummies of a user.

    Raises `DomainError` for another kind, fewer than one label, and m < 0.
    """
    require_integer("labels", labels, 1)
    if isinstance(m, bool) or not isinstance(m, int | fmpq) or not at_most(0, m):
        raise DomainError("m", m, "a rational number >= 0")
    if kind == "reports":
        return Likelihood(p, q)
    if kind != "mix":
        raise DomainError("kind", kind, "mix or reports")
    exact = fmpq(m)
    top, bottom = int(exact.p), int(exact.q)  # m / (m+1) = top / (top + bottom)
    share = (p * 0 + top) / labels
    return Likelihood((p * bottom + share) / (top + bottom), (q * bottom + share) / (top + bottom))


def grouped(messages: Iterable[Message], randomizer: Randomizer[S]) -> dict[tuple[bool, ...], int]:
    """The messages by the items that they support. Raises `DomainError` for foreign messages."""
    groups: Counter[tuple[bool, ...]] = Counter()
    for message, times in Counter(messages).items():
        randomizer.require_message(message)
        groups[tuple([randomizer.supports(message, x) for x in randomizer.domain.items])] += times
    return dict(groups)


def starting_point(start: Start, items: Sequence[Item], estimates: Mapping[Any, S], one: S) -> tuple[S, ...]:
    """`uniform`: 1/d each; `vector`: the estimates with negative ones set to 0, normalized.

    Raises `DomainError` for another start, no items, and estimates of which none is positive.
    """
    if not items:
        raise DomainError("items", items, "at least one item")
    if start == "uniform":
        return (one / len(items),) * len(items)
    if start != "vector":
        raise DomainError("start", start, "uniform or vector")
    kept = [one * 0 if at_most(estimates[x], 0) else estimates[x] for x in items]
    total = sum(kept, one * 0)
    if is_zero(total):
        raise DomainError("estimates", estimates, "at least one positive number")
    return tuple(f / total for f in kept)


def em_step(f: Sequence[S], groups: Groups, chances: Likelihood[S]) -> tuple[S, ...]:
    """One step. Raises `DomainError` without messages, for a wrong length, and for messages that f makes impossible."""
    messages = _require_groups(f, groups)
    shares = [f[0] * 0] * len(f)
    for supported, times in groups.items():
        chance = mixture_chance(f, supported, chances)
        if is_zero(chance):
            raise DomainError("f", f, "a histogram under which every message is possible")
        for j, hit in enumerate(supported):
            shares[j] = shares[j] + times * f[j] * (chances.inside if hit else chances.outside) / chance
    return tuple(part / messages for part in shares)


def mixture_chance(f: Sequence[S], supported: Sequence[bool], chances: Likelihood[S]) -> S:
    """The sum of f_u L_t(u)."""
    total = f[0] * 0
    for share, hit in zip(f, supported, strict=True):
        total = total + share * (chances.inside if hit else chances.outside)
    return total


def log_gain(before: Sequence[S], after: Sequence[S], groups: Groups, chances: Likelihood[S]) -> arb:
    """The difference of the log-likelihoods sum_t ln sum_v f_v L_t(v), a ball of the current precision."""
    _require_groups(before, groups)
    _require_groups(after, groups)
    total = arb(0)
    for supported, times in groups.items():
        ratio: Any = mixture_chance(after, supported, chances) / mixture_chance(before, supported, chances)
        total += times * ball(ratio).log()
    return total


class Refined(NamedTuple, Generic[S]):
    """The histogram, and how many steps were made."""

    histogram: tuple[S, ...]
    steps: int


@dataclass(frozen=True)
class Refinement:
    """What Algorithm 1 leaves open of line 14: the likelihood, where it starts, and when it stops (see `em`)."""

    kind: Kind
    start: Start
    steps: int
    least_gain: fmpq | None = None


def em(
    start: Sequence[S], groups: Groups, chances: Likelihood[S], steps: int, least_gain: fmpq | None = None
) -> Refined[S]:
    """At most `steps` steps; with `least_gain` >= 0 the last one is the first that gains no more than that.

    Exact: the gain, a logarithm, is enclosed until it is decided. Numbers grow with every step: for small cases. Raises
    `DomainError` for a start that is no histogram, negative numbers of steps and gains, and as `em_step`;
    `UndecidedError` for a gain next to `least_gain` by less than 2^-16000.
    """
    require_integer("steps", steps, 0)
    if least_gain is not None and (not isinstance(least_gain, fmpq) or not at_most(0, least_gain)):
        raise DomainError("least_gain", least_gain, "a rational number (fmpq) >= 0, or None")
    f = tuple(start)
    if not f or not all(at_most(0, x) for x in f) or not is_zero(sum(f[1:], f[0]) - 1):
        raise DomainError("start", start, "numbers >= 0 with sum 1")
    for made in range(steps):
        after = em_step(f, groups, chances)
        done = least_gain is not None and not _gains_more(f, after, groups, chances, least_gain)
        f = after
        if done:
            return Refined(f, made + 1)
    return Refined(f, steps)


def _gains_more(before: Sequence[S], after: Sequence[S], groups: Groups, chances: Likelihood[S], least: fmpq) -> bool:
    if all(is_zero(a - b) for a, b in zip(before, after, strict=True)):
        return False
    bits = 128
    while bits <= MAX_PRECISION:
        with precision(bits):
            order = compare(log_gain(before, after, groups, chances), least)
        if order is not Ordering.UNDECIDED:
            return order is Ordering.GREATER
        bits *= 2
    raise UndecidedError(f"the gain is not told from {least} with {MAX_PRECISION} bits")


def _require_groups(f: Sequence[S], groups: Groups) -> int:
    """The number of messages."""
    for supported, times in groups.items():
        require_integer("groups", times, 1)
        if len(supported) != len(f):
            raise DomainError("groups", supported, f"{len(f)} bits, one for each item")
    if not groups:
        raise DomainError("groups", groups, "at least one message")
    return sum(groups.values())
