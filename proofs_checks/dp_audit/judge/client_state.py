"""Do later reports have the same law, whatever came before? Counts by the place of a report in client and process."""

from collections.abc import Callable, Iterable
from itertools import pairwise

import numpy as np

from dp_audit.judge.events import Seen
from dp_audit.judge.rare_counts import Booleans, Counts, Integers

REPORTS = 1026
"""Of a client that is used again and again."""
PLACES = (
    *range(1, 17),
    *(20, 25, 30, 32, 33, 50, 64, 65, 99, 100, 101, 127, 128, 129, 150, 200, 201, 250, 255, 256, 257, 300, 400, 499),
    *(500, 501, 512, 513, 600, 700, 800, 900, 999, 1000, 1001, 1023, 1024, 1025),
)
SPANS = (1, 3, 10, 30, 100, 300, 1000, REPORTS)
PERIODS = (
    *range(2, 17),
    *(20, 25, 30, 32, 40, 50, 60, 64, 75, 100, 125, 128, 150, 200, 250, 256, 300, 400, 500, 512, 1000, 1024),
)
LAGS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 32, 50, 64, 100, 128, 200, 250, 256, 500, 512, 1000)
FEW = 16
"""Events that are counted by place: the telling one, and these of all."""


def count_states(counts: Counts, seen: Seen) -> None:
    """Add the counts of the telling event, of some others, and of coincidences."""
    places, items, codes = _placed(seen)
    if len(places):
        for name, labels in _by_place(places):
            _events(counts, seen, name, labels, items, codes)
        _coincidences(counts, seen)
    calls, items, codes = _calls(seen, "first", "fresh", "client")
    fresh, fresh_items, fresh_codes = _calls(seen, "fresh")
    for period in PERIODS:
        _events(counts, seen, f"call {{0}} of every {period} of the process", calls % period, items, codes, few=2)
        _events(counts, seen, f"client {{0}} of every {period}", fresh % period, fresh_items, fresh_codes, few=2)
    late = np.searchsorted(np.array([100, 300, 1000, 3000, 10_000, 30_000, 100_000]), calls)
    _events(counts, seen, "calls of the process, part {0}", late.astype(np.int64), items, codes)


def _placed(seen: Seen) -> tuple[Integers, Integers, Integers]:
    """(place in the client from 1, item, code) of the reports of clients that are used again."""
    chosen = list(seen.draws("client"))
    items, codes = seen.flat("client")
    places = np.concatenate([np.arange(1, len(d.codes) + 1, dtype=np.int64) for d in chosen] or [items])
    return places, items, codes


def _calls(seen: Seen, *phases: str) -> tuple[Integers, Integers, Integers]:
    """(number of the call in the process, item, code) of the reports of some phases."""
    start = {"first": 0, "fresh": sum(len(d.codes) for d in seen.draws("first"))}
    typed = sum(times for _, _, kinds in seen.plain.typed for times in kinds.values())
    start["client"] = start["fresh"] + sum(len(d.codes) for d in seen.draws("fresh")) + typed
    numbers = [np.zeros(0, np.int64)]
    for phase in phases:
        size = sum(len(d.codes) for d in seen.draws(phase))
        numbers.append(np.arange(start[phase] + 1, start[phase] + size + 1, dtype=np.int64))
    items, codes = seen.flat(*phases)
    return np.concatenate(numbers), items, codes


def _by_place(places: Integers) -> Iterable[tuple[str, Integers]]:
    single = np.where(np.isin(places, PLACES), places, -1)
    yield "report {0} of a client", single
    yield "reports of a client, part {0}", np.searchsorted(np.array(SPANS), places).astype(np.int64)


def _events(
    counts: Counts, seen: Seen, name: str, labels: Integers, items: Integers, codes: Integers, few: int = FEW
) -> None:
    """The telling event and the first `few` of all, in every group."""
    counts.add(_named(name, "what tells the item"), labels, seen.tells(items, codes), items, seen.told)
    for event in seen.events[:few]:
        counts.add(_named(name, event.name), labels, event.holds[codes], items, event.chances)


def _named(name: str, event: str) -> Callable[[int], str]:
    return lambda label: f"{event}, {name.format(label)}"


def _coincidences(counts: Counts, seen: Seen) -> None:
    """Of reports on one item: some places apart in one client, or at one place in two clients. Pairs are disjoint."""
    clients = list(seen.draws("client"))

    def same(one: Integers, other: Integers, items: Integers) -> Booleans:
        if seen.compares_reports:
            return np.asarray(one == other)
        return np.asarray(seen.tells(items, one) == seen.tells(items, other))

    single = [(np.array(d.codes, np.int64), seen.items_of(d)) for d in clients if d.step == 0]
    for lag in LAGS:
        parts = []
        for codes, items in single:
            starts = np.arange(max(0, len(codes) - lag), dtype=np.int64)
            starts = starts[starts // lag % 2 == 0]
            held = same(codes[starts], codes[starts + lag], items[starts])
            parts.append((starts + lag + 1, held, items[starts]))
        if not parts:
            continue
        places, held, items = (np.concatenate(some) for some in zip(*parts, strict=True))
        whole = np.zeros(len(places), np.int64)
        apart = _named(f"{lag} apart", "reports of a client that are alike")
        counts.add(apart, whole, held, items, seen.alike)
        if lag == 1:
            late = np.searchsorted(np.array(SPANS), places).astype(np.int64)
            counts.add(
                _named("reports of a client, part {0}", "alike one after the other"), late, held, items, seen.alike
            )
    for one, other in list(pairwise(clients))[::2]:
        if (one.item, one.step, len(one.codes)) == (other.item, other.step, len(other.codes)):
            first, second = np.array(one.codes, np.int64), np.array(other.codes, np.int64)
            items = seen.items_of(one)
            whole = np.zeros(len(first), np.int64)
            counts.add(lambda _: "two clients are alike", whole, same(first, second, items), items, seen.alike)
