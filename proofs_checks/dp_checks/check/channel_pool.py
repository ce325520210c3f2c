"""A pool of exact channels on which definitions and implications are tried: enumerated mechanisms, and small ones by
hand.

They are candidates only: whether one satisfies or violates a predicate is decided by the predicates, in the checker
and again in the kernel.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations
from typing import Any

from flint import fmpq

from dp_checks.programs import Instance, law_channel
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.urr import URR
from dp_spec.frequency.grr import GRR_SAMPLE
from dp_spec.frequency.sugrr import SUGRR, SUGRR_SAMPLE
from dp_spec.frequency.surap import SURAP
from dp_spec.frequency.uldp import URR as URR_LAW
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain, Report

Row = Mapping[tuple[Any, tuple[Any, ...]], fmpq]
Rows = Mapping[Any, Row]
"""Laws on outputs (y0, I) by input set (a sorted tuple)."""


def example(k: int, n: int, e_eps: fmpq, rows: Rows) -> dict[str, Any]:
    """A channel as certificates write it: K, N, e^epsilon, and for every m-set of items a law on outputs (y0, I)."""
    outputs = list(dict.fromkeys(y for row in rows.values() for y in row))
    return {
        "K": k,
        "N": n,
        "m": len(next(iter(rows))),
        "e_eps": str(e_eps),
        "outputs": [[y0, list(kept)] for y0, kept in outputs],
        "rows": [[str(rows[s].get(y, 0)) for y in outputs] for s in sorted(rows)],
    }


def inputs_of(channel: Mapping[str, Any]) -> list[tuple[int, ...]]:
    """The inputs of a channel as certificates write it, in the order of its rows."""
    return list(combinations(range(channel["K"] + channel["N"]), channel["m"]))


@cache
def pool() -> tuple[dict[str, Any], ...]:
    """All example channels, small ones first."""
    return (*_by_hand(), *mechanisms())


@cache
def mechanisms() -> tuple[dict[str, Any], ...]:
    """The example channels that are mechanisms of the source."""
    return tuple(_enumerated())


def families(form: str) -> list[dict[str, Any]]:
    """Families of small channels on which the forms of a definition differ in what they accept."""
    alone, beside, own, foreign = [0, []], [1, []], [0, [1]], [0, [0]]
    bare: Any = [None, []]
    unseen: Any = [None, [1]]
    two: Any = [alone, beside]
    if form == "ldp":
        coins = [_family(4, 0, 1, two, 5, e_eps) for e_eps in ("3/2", "2")]
        return [*coins, _family(3, 0, 1, [*two, bare], 4)]
    if "coordinate" in form:
        return [
            _family(1, 1, 1, [alone, own, foreign], 4),
            _family(1, 2, 2, [alone, [0, [1, 2]], [0, [2, 1]]], 3),
            _family(1, 2, 2, [[0, [1]], [0, [2]], [0, [2, 1]]], 3),
        ]
    if form.startswith(("eq9", "eq10", "uldp-inversion")):
        singles = [_family(1, 1, 1, [alone, own, foreign, [1, [1]]], 4), _family(1, 2, 1, [alone, own, [0, [2]]], 3)]
        return singles if form.startswith("uldp") else [*singles, _family(1, 2, 2, [alone, own, [0, [1, 2]]], 3)]
    first = _family(2, 1, 1, [*two, [None, [2]]], 4) if "samenon" in form else _family(1, 1, 1, [*two, own, unseen], 4)
    singles = [first, _family(2, 1, 1, [*two, [0, [2]]], 3)]
    return singles if form.startswith("uldp") else [*singles, _family(2, 1, 2, [*two, [0, [2]]], 3)]


def _family(k: int, n: int, m: int, outputs: list[Any], parts: int, e_eps: str = "2") -> dict[str, Any]:
    return {"K": k, "N": n, "m": m, "outputs": outputs, "parts": parts, "e_eps": e_eps}


def _by_hand() -> Iterator[dict[str, Any]]:
    half, quarter, eighth = fmpq(1, 2), fmpq(1, 4), fmpq(1, 8)
    a, x = (0,), (1,)
    # one sensitive item a, one other item x
    yield example(1, 1, fmpq(2), {a: {(0, ()): fmpq(1)}, x: {(1, ()): fmpq(1)}})
    yield example(
        1, 1, fmpq(2), {a: {(0, ()): half, (1, ()): half}, x: {(0, ()): quarter, (1, ()): quarter, (2, ()): half}}
    )
    # the emitted x goes with every y0
    yield example(1, 1, fmpq(2), {a: {(0, ()): half, (1, ()): half}, x: {(0, (1,)): half, (1, (1,)): half}})
    # x is emitted although a is held
    yield example(1, 1, fmpq(2), {a: {(0, (1,)): half, (0, ()): half}, x: {(0, (1,)): half, (0, ()): half}})
    # a sensitive y0 next to an emitted x
    other = {(0, ()): quarter, (1, ()): fmpq(3, 4)}
    emitting = {(0, ()): eighth, (1, ()): fmpq(3, 8), (0, (2,)): half}
    yield example(2, 1, fmpq(2), {(0,): other, (1,): other, (2,): emitting})
    # y0 is uniform, but x is emitted iff y0 = 1 when the sensitive item is 0, iff y0 = 0 when it is 1
    uniform = {(0, ()): half, (1, ()): half}
    yield example(
        2,
        1,
        fmpq(2),
        {(0, 1): uniform, (0, 2): {(0, ()): half, (1, (2,)): half}, (1, 2): {(0, (2,)): half, (1, ()): half}},
    )
    # x is emitted in the company of item 0 only
    yield example(2, 1, fmpq(2), {(0, 1): uniform, (0, 2): {(0, ()): half, (0, (2,)): half}, (1, 2): uniform})
    # one exchange costs a factor 2, two cost 4
    yield example(4, 0, fmpq(2), {s: _binary(sum(z < 2 for z in s)) for s in _PAIRS})
    # two emitted items always listed in the same order: the first coordinate is never the second item
    both: Row = {(0, (1, 2)): half, (0, ()): half}
    yield example(
        1,
        2,
        fmpq(2),
        {(1, 2): both, (0, 1): {(0, ()): half, (0, (1,)): half}, (0, 2): {(0, ()): half, (0, (2,)): half}},
    )


_PAIRS = tuple((x, y) for x in range(4) for y in range(x + 1, 4))


def _binary(low: int) -> Row:
    one = (fmpq(1, 8), fmpq(1, 4), fmpq(1, 2))[low]
    return {(1, ()): one, (0, ()): 1 - one}


def _enumerated() -> Iterator[dict[str, Any]]:
    two = fmpq(2)
    for law, view, m, k, n in (
        (GRR_SAMPLE, "one", 1, 2, 0),
        (URR_LAW, "one", 1, 1, 1),
        (SUGRR, "multiset", 1, 1, 1),
        (SUGRR, "multiset", 2, 1, 2),
        (SURAP, "sen", 1, 1, 1),
        (SURAP, "sen", 2, 2, 1),
        (SUGRR_SAMPLE, "one", 2, 2, 1),
    ):
        channel = law_channel(law, view, range(m, m + 1), Instance(m, ItemDomain.of_sizes(k, n), two))
        e_eps = two ** int(law.power.evaluate({"m": m}))
        yield from judged(k, n, e_eps, channel.rows)
    # uRR on the family of sets: those with the sensitive item 0 as sensitive "items", {1, 2} as the only other one
    family: Any = ItemDomain(((0, 1), (0, 2)), ((1, 2),))
    randomizer = URR(family, Budget.of_root(two))
    rows = exact_channel(randomizer.randomize, family.items, fmpq(1)).rows

    def output(z: Any) -> tuple[Any, tuple[Any, ...]]:
        return (z, ()) if z in family.sensitive else (None, z)

    table: Rows = {s: {output(z): p for z, p in row.items()} for s, row in rows.items()}
    yield example(1, 2, two, table)


def judged(
    k: int, n: int, e_eps: fmpq, rows: Mapping[frozenset[Any], Mapping[Report, fmpq]]
) -> Iterable[dict[str, Any]]:
    """A mechanism's channel, judged by its own e^epsilon and by a smaller one."""
    channel: Rows = {
        tuple(sorted(s)): {(y.protected, tuple(sorted(y.invertible, key=str))): p for y, p in row.items()}
        for s, row in rows.items()
    }
    return [example(k, n, constant, channel) for constant in (e_eps, (e_eps + 1) / 2)]
