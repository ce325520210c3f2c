"""Definitions as predicates on exact channels: each returns a witness where the definition fails, None where it holds.

Source 002: (1) epsilon-LDP, (2)(3) and (4) ULDP, (9), (10) and the readings of (11) SULDP.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, cast, get_args

from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item, ItemDomain, Report
from dp_spec.vocabulary.names import require_name
from dp_spec.vocabulary.scalar import S, at_most, is_zero
from dp_spec.vocabulary.table import Channel, Table, ratio_maximum

X = TypeVar("X", bound=Hashable)
Y = TypeVar("Y", bound=Hashable)
Held = frozenset[Item]
Relation = Literal["ldp", "marginal", "joint", "deniability", "samenon"]
"""What is compared: all pairs of inputs and whole outputs, or what a reading of (11) compares."""
RELATIONS: tuple[Relation, ...] = get_args(Relation)


@dataclass(frozen=True)
class Witness(Generic[X, S]):
    """Two inputs and an output (or what is observed of it) with the exact probabilities that break a definition."""

    x: X
    other: X
    output: Hashable
    probability: S | int
    other_probability: S | int


def ldp_violation(channel: Table[X, Y, S], e_eps: S) -> Witness[X, S] | None:
    """Definition 1: M(y|x) <= e^epsilon M(y|x') for all x, x', y."""
    return _first_excess(channel.rows, lambda x, other, y: True, e_eps)


def uldp_inversion_violation(channel: Channel[Item, Report, S], domain: ItemDomain) -> Witness[Item, S] | None:
    """Definition 2, part 1: an output with invertible data has one input, the datum it shows."""
    for x, row in channel.rows.items():
        for y, p in row.items():
            if y.invertible and not is_zero(p) and (y.invertible != {x} or x not in domain.nonsensitive):
                return Witness(x, x, y, p, 0)
    return None


def uldp_protection_violation(channel: Channel[Item, Report, S], e_eps: S) -> Witness[Item, S] | None:
    """Definition 2, part 2, with Y_pro the outputs without invertible data: (4)."""
    return _first_excess(channel.rows, lambda x, other, y: not y.invertible, e_eps)


def emission_violation(channel: Channel[Held, Report, S], domain: ItemDomain) -> Witness[Held, S] | None:
    """(9) and (10), membership: every non-sensitive x in s is emitted with positive probability, no x outside s
    ever."""
    for s, row in channel.rows.items():
        for x in domain.nonsensitive:
            chances = [p for y, p in row.items() if x in y.invertible and not is_zero(p)]
            if (x in s) != bool(chances):
                return Witness(s, s, x, chances[0] if chances else 0, 0)
    return None


def suldp_violation(
    channel: Channel[Held, Report, S],
    domain: ItemDomain,
    relation: Relation,
    e_eps: S,
    *,
    count_empty: bool = True,
) -> Witness[Held, S] | None:
    """A reading of (11), for all sets among the channel's inputs.

    `count_empty=False` leaves out outputs whose y0 has no sensitive element (the readings `nonempty`, `bot-out`).
    Raises `UndecidedError` where the field cannot order two probabilities, `DomainError` for an unknown reading.
    """
    relation = cast("Relation", require_name("relation", relation, RELATIONS))
    for s, other, y, p, q in _compared(channel, domain, relation, count_empty):
        if not at_most(p, e_eps * q):
            return Witness(s, other, y, p, q)
    return None


def is_blank(y0: Any) -> bool:
    """Whether a protected datum carries no sensitive element (None, or a collection of nothing but None)."""
    return y0 is None or (isinstance(y0, tuple | frozenset) and all(z is None for z in y0))


def smallest_constant(
    channel: Channel[Any, Any, S],
    domain: ItemDomain | None = None,
    relation: Relation = "ldp",
    *,
    pairs: Iterable[tuple[Any, Any]] | None = None,
    count_empty: bool = True,
) -> S | None:
    """The largest compared ratio: the smallest e^epsilon that the channel keeps; None if no constant is large enough.

    `ldp` compares all pairs of inputs, or `pairs` (of neighboring tables, for example), and needs no domain; the
    readings of (11) are about reports on sets of its items. Raises `DomainError` when nothing is compared on this
    channel (a single input, for example), for an unknown relation, for a reading without a domain, and for pairs beside
    one.
    """
    name = cast("Relation", require_name("relation", relation, RELATIONS))
    best: S | None = None
    if name == "ldp":
        maximum = ratio_maximum(channel, pairs)
        if maximum is not None:
            return maximum.ratio
    elif pairs is not None:
        raise DomainError("pairs", pairs, f"none beside the relation {name}, which says what is compared")
    elif domain is None:
        raise DomainError("domain", domain, f"the item domain, whose sensitive items the reading {name} is about")
    else:
        for _, _, _, p, q in _compared(channel, domain, name, count_empty):
            if is_zero(q):
                return None
            if best is None or not at_most(p / q, best):
                best = p / q
    if best is None:
        raise DomainError("channel", channel.inputs, f"inputs that {name} compares: at least two")
    return best


def _compared(
    channel: Channel[Held, Report, S], domain: ItemDomain, relation: Relation, count_empty: bool
) -> Iterator[tuple[Held, Held, Any, S, S | int]]:
    """(s, s', output, its two probabilities) for everything a reading of (11) compares."""
    rows: Mapping[Held, Mapping[Any, S]] = channel.rows
    for s, row in rows.items() if relation != "ldp" else ():
        if not isinstance(s, frozenset) or not all(isinstance(y, Report) for y in row):
            raise DomainError("channel", s, f"reports (y0, I) on sets of items, which the reading {relation} compares")
    if relation == "marginal":
        rows = {s: _protected_law(row) for s, row in channel.rows.items()}
    for s, row in rows.items():
        for other, column in rows.items():
            if not compares_sets(relation, domain, s, other):
                continue
            for y, p in row.items():
                if is_zero(p) or (relation == "joint" and not compares_report(s, other, y.invertible)):
                    continue
                if count_empty or not is_blank(y if relation == "marginal" else y.protected):
                    yield s, other, y, p, column.get(y, 0)


def compares_sets(relation: Relation, domain: ItemDomain, s: Held, other: Held) -> bool:
    """Whether a relation compares the reports on two sets: always different ones, `deniability` those that exchange one
    sensitive item of s, `samenon` those with the same non-sensitive items."""
    if relation == "deniability":
        return len(s - other) == 1 == len(other - s) and s - other <= set(domain.sensitive)
    return s != other and (relation != "samenon" or s - set(domain.sensitive) == other - set(domain.sensitive))


def compares_report(s: Held, other: Held, invertible: Held) -> bool:
    """Whether the reading `joint` compares a report with these invertible data on two sets: if both hold them."""
    return (s & other).issuperset(invertible)


def _protected_law(row: Mapping[Report, S]) -> dict[Hashable, S]:
    law: dict[Hashable, S] = {}
    for y, p in row.items():
        law[y.protected] = law[y.protected] + p if y.protected in law else p
    return law


def _first_excess(
    rows: Mapping[X, Mapping[Y, S]], compared: Callable[[X, X, Y], bool], e_eps: S
) -> Witness[X, S] | None:
    for x, row in rows.items():
        for other, column in rows.items():
            if x == other:
                continue
            for y, p in row.items():
                q = column.get(y, 0)
                if compared(x, other, y) and not at_most(p, e_eps * q):
                    return Witness(x, other, y, p, q)
    return None
