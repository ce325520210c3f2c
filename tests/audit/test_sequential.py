"""The family of all watches: together a martingale, exactly; alarms and intervals at one error level."""

import random
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import product
from math import prod

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_audit.judge.bets.evidence import Evidence
from dp_audit.judge.bets.watches import Component, Family, Watch, family
from dp_audit.oracles import oracle
from dp_audit.oracles.base import Event, Number, Oracle
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.scalar import Ordering, compare
from independent.law_oracles import TableOracle
from independent.wealth_laws import rational
from mutants.betting import wealth

LEVEL, FAULT = fmpq(1, 20), fmpq(1, 4)
PARTS = ("together", "row", "single", "pairs")


def exact_total(evidence: Evidence) -> fmpq:
    """The wealth of the whole, in rationals."""
    return sum((c.weight * wealth(evidence, c) for c in evidence.family.components), fmpq(0))


def streams(law: Mapping[Hashable, Number], length: int) -> Iterator[tuple[tuple[Hashable, ...], fmpq]]:
    for outputs in product(law, repeat=length):
        yield outputs, prod((rational(law[y]) for y in outputs), start=fmpq(1))


ORACLES: list[Oracle] = [
    oracle("GRR", {"d": 2, "epsilon": "ln(3)"}),
    oracle("GRR", {"d": 3, "epsilon": "ln(2)"}),
    oracle("OUE", {"d": 2, "epsilon": "ln(3)"}),
    oracle("SUE", {"d": 2, "epsilon": "ln(9)"}),
    TableOracle({0: {"a": fmpq(1, 2), "b": fmpq(1, 2)}, 1: {"a": fmpq(1, 3), "b": fmpq(1, 3), "c": fmpq(1, 3)}}),
]


@pytest.mark.parametrize("reference", ORACLES)
def test_mean_one_under_the_oracles_law(reference: Oracle) -> None:
    """Two successive reports on each of two inputs, all orders and pairs counted: the mean is the sum of weights."""
    watched = family(reference, reference.inputs[:2], LEVEL, FAULT)
    first, second = watched.inputs
    total = fmpq(0)
    for (a, chance), (b, chance2) in product(streams(reference.law(first), 2), streams(reference.law(second), 2)):
        evidence = Evidence(watched)
        evidence.add_in_order(first, a)
        evidence.add_in_order(second, b)
        total += chance * chance2 * exact_total(evidence)
    assert total == sum((c.weight for c in watched.components), fmpq(0)) <= 1


@pytest.mark.parametrize("reference", ORACLES)
def test_balls_contain_the_exact_wealth(reference: Oracle) -> None:
    watched = family(reference, None, LEVEL, FAULT)
    evidence = Evidence(watched)
    for x in watched.inputs:
        for i, y in enumerate(reference.law(x)):
            evidence.add(x, y, 3 + 2 * i)
    with ctx.workprec(128):
        total = sum((evidence.wealth(c) for c in watched.components), arb(0))
        assert compare(total, exact_total(evidence)) is Ordering.UNDECIDED
    assert total.rad() < 1e-30  # a tight ball around it


def test_what_is_watched() -> None:
    grr = family(oracle("GRR", {"d": 4, "epsilon": 1.0}))
    assert [part.part for part in grr.components].count("single") == 16
    together = [[grr.watches[i] for i in c.watches] for c in grr.components if c.part == "together"]
    assert together == [[Watch(x, (x,), 1) for x in range(4)]]  # the other outputs are what is left of it
    binary = family(oracle("GRR", {"d": 2, "epsilon": 1.0}))
    both = [[binary.watches[i] for i in c.watches] for c in binary.components if c.part == "together"]
    assert both == [[Watch(x, (x,), 1) for x in range(2)]]
    oue = family(oracle("OUE", {"d": 4, "epsilon": 1.0}))
    bits = [[oue.watches[i] for i in c.watches] for c in oue.components if c.part == "together"]
    assert [Watch(x, (x,), 1) for x in range(4)] in bits
    others = [(x, i) for x in range(4) for i in range(4) if i != x]
    assert [Watch(x, (i,), 1) for x, i in others] in bits  # each bit as a report of its own
    sue = family(oracle("SUE", {"d": 3, "epsilon": 1.0}))
    turned = [Watch(x, (i,), 1) if i != x else Watch(x, (), 1, missing=(x,)) for x in range(3) for i in range(3)]
    chosen = [{sue.watches[i] for i in c.watches} for c in sue.components if c.part == "together"]
    assert set(turned) in chosen
    assert sue.name(turned[0]) == "not bit 0"
    for watched, most in ((grr, fmpq(39, 50)), (oue, fmpq(741, 1000)), (sue, fmpq(741, 1000))):
        assert max(c.weight for c in watched.components) == most
        rows = [c for c in watched.components if c.part == "row"]
        assert {len({watched.watches[i].item for i in c.watches}) for c in rows} == {1}
        assert sum((c.weight for c in rows), fmpq(0)) == fmpq(3, 25)
        for x in watched.inputs:
            mine = [c.weight for c in rows if watched.watches[c.watches[0]].item == x]
            assert sum(mine, fmpq(0)) == fmpq(3, 25) / len(watched.inputs)
    for watched in (grr, oue, sue):
        assert sum((c.weight for c in watched.components), fmpq(0)) == fmpq(999, 1000)  # the rest is another row's
        assert watched.threshold == 10**6
    assert "bit 0" in oue.name(oue.watches[0])


def false_alarm(watched: Family, law: Mapping[Item, Mapping[Hashable, Number]], rounds: int) -> fmpq:
    """The exact probability of an alarm after any of these rounds, a binary report on each of two inputs in each."""
    first, second = watched.inputs
    cache: dict[tuple[int, int, int], bool] = {}
    chances = [rational(law[x][1]) for x in watched.inputs]

    def alarm(n: int, a: int, b: int) -> bool:
        if (n, a, b) not in cache:
            evidence = Evidence(watched)
            for x, k in ((first, a), (second, b)):
                evidence.add(x, 1, k)
                evidence.add(x, 0, n - k)
            order = evidence.alarm(PARTS)
            assert order is not Ordering.UNDECIDED
            cache[n, a, b] = order is not Ordering.LESS
            assert evidence.seems_enough() or not cache[n, a, b]
        return cache[n, a, b]

    quiet, alarmed = {(0, 0): fmpq(1)}, fmpq(0)
    for n in range(1, rounds + 1):
        following: dict[tuple[int, int], fmpq] = {}
        for (a, b), chance in quiet.items():
            for i, j in product((0, 1), repeat=2):
                p = (chances[0] if i else 1 - chances[0]) * (chances[1] if j else 1 - chances[1])
                following[a + i, b + j] = following.get((a + i, b + j), fmpq(0)) + chance * p
        alarmed += sum((chance for key, chance in following.items() if alarm(n, *key)), fmpq(0))
        quiet = {key: chance for key, chance in following.items() if not alarm(n, *key)}
    return alarmed


@pytest.mark.slow
def test_false_alarms_of_the_whole_family_are_rare_at_any_time() -> None:
    reference = oracle("GRR", {"d": 2, "epsilon": "ln(3)"})
    watched = family(reference, None, LEVEL, fmpq(1, 2))
    own = {x: reference.law(x) for x in reference.inputs}
    assert fmpq(0) < false_alarm(watched, own, 12) <= LEVEL
    wrong: dict[Item, Mapping[Hashable, Number]] = {0: {1: fmpq(3, 4)}, 1: {1: fmpq(1, 4)}}
    assert false_alarm(watched, wrong, 14) > fmpq(1, 2)


@given(st.lists(st.integers(0, 60), min_size=4, max_size=4))
def test_floats_never_hide_an_alarm(counts: Sequence[int]) -> None:
    evidence = Evidence(SMALL)
    for (x, y), k in zip(product((0, 1), repeat=2), counts, strict=True):
        evidence.add(x, y, k)
    if evidence.alarm(PARTS) is Ordering.GREATER:
        assert evidence.seems_enough()


SMALL = family(oracle("GRR", {"d": 2, "epsilon": 1.0}), None, fmpq(1, 1000), FAULT)


def test_order_of_reports_and_batches_do_not_matter() -> None:
    one, other = Evidence(SMALL), Evidence(SMALL)
    one.add(0, 1, 2)
    one.add(1, 1)
    one.add(0, 0)
    for x, y in ((0, 0), (1, 1), (0, 1), (0, 1)):
        other.add(x, y)
    assert one.counts == other.counts
    assert one.reports == {0: 3, 1: 1}


def test_pairs_are_successive_and_do_not_overlap() -> None:
    evidence = Evidence(SMALL)
    evidence.add_in_order(0, [0])
    evidence.add_in_order(1, [1])
    evidence.add_in_order(0, [0, 0, 1, 1])
    pairs = {(w.item, w.offset): c for w, c in zip(SMALL.watches, evidence.counts, strict=True) if w.pairs}
    assert pairs[0, 0] == [1, 1]  # (0, 0) and (0, 1); the last report waits
    assert pairs[0, 1] == [0, 2]  # (0, 0) and (1, 1)
    assert pairs[1, 0] == pairs[1, 1] == [0, 0]


@pytest.mark.parametrize(
    ("reference", "draw"),
    [
        (oracle("GRR", {"d": 3, "epsilon": 1.0}), lambda source: source.randrange(3)),
        (oracle("OUE", {"d": 3, "epsilon": 1.0}), lambda source: tuple(source.randrange(2) for _ in range(3))),
        (oracle("OUE", {"d": 10, "epsilon": 1.0}), lambda source: tuple(source.randrange(2) for _ in range(10))),
    ],
)
def test_coded_reports_are_counted_as_one_by_one(reference: Oracle, draw: Callable[[random.Random], Hashable]) -> None:
    """Inputs mixed, in chunks of all sizes, against pairs formed by hand. Ten bits: more outputs than `SQUARE`."""
    source, watched = random.Random(3), family(reference, None, LEVEL, FAULT)
    held = [(source.choice(watched.inputs), draw(source)) for _ in range(3000)]
    one, many = Evidence(watched), Evidence(watched)
    sizes = iter([1, 2, 3, 1, 500, 7, 3000])
    left = held
    while left:
        size = next(sizes)
        pairs = list(dict.fromkeys(left[:size]))
        many.add_coded(pairs, np.array([pairs.index(pair) for pair in left[:size]]))
        left = left[size:]
    for item, report in held:
        one.add(item, report)
    by_item = {x: [y for held_item, y in held if held_item == x] for x in watched.inputs}
    for watch, counts, singly in zip(watched.watches, many.counts, one.counts, strict=True):
        if not watch.pairs:
            assert counts == singly
            continue
        events, mine = watched.events(watch.item), by_item[watch.item][watch.offset :]
        tally = [0] * (watch.most + 1)
        for a, b in zip(mine[::2], mine[1::2], strict=False):
            tally[sum(events[i].holds(a) and events[i].holds(b) for i in watch.events)] += 1
        assert counts == tally


def test_a_report_sent_twice_is_noticed_wherever_it_begins() -> None:
    for start in (0, 1):
        evidence = Evidence(SMALL)
        fresh = [(i * i + start) // 3 % 2 for i in range(4000)]
        doubled = [bit for bit in fresh for _ in range(2)]
        evidence.add_in_order(0, doubled[start:])
        part = ("pairs", "shifted")[start]
        assert evidence.alarm((part,)) in (Ordering.GREATER, Ordering.EQUAL)


class Bits(TableOracle):
    """Two events of two bits each, that are stated to be independent."""

    @property
    def independent(self) -> int:
        return 2

    def events(self, item: Item) -> tuple[Event, ...]:
        law = self.law(item)
        chances = [sum((rational(p) for y, p in law.items() if str(y)[i] == "1"), fmpq(0)) for i in range(2)]
        return tuple(Event(f"bit {i}", lambda y, i=i: str(y)[i] == "1", p) for i, p in enumerate(chances))  # type: ignore[misc]


@given(st.integers(1, 9), st.integers(1, 9), st.integers(-1, 1))
def test_bits_are_reports_of_their_own_if_they_are_independent(a: int, b: int, shared: int) -> None:
    """The mean of the product over the bits is that of a martingale for the stated law, a product, and only for it."""
    p, q = fmpq(a, 10), fmpq(b, 10)
    more = shared * min(p, 1 - p) * min(q, 1 - q) / 2  # the covariance
    law: dict[Hashable, Number] = {
        "11": p * q + more,
        "10": p * (1 - q) - more,
        "01": (1 - p) * q - more,
        "00": (1 - p) * (1 - q) + more,
    }
    watched = family(Bits({0: law}), None, LEVEL, FAULT)
    total = fmpq(0)
    for y, chance in law.items():
        evidence = Evidence(watched)
        evidence.add(0, y)
        total += rational(chance) * exact_total(evidence)
    weights = sum((c.weight for c in watched.components), fmpq(0))
    if a in (b, 10 - b):  # taken together
        assert (total == weights) is (shared == 0)
    else:
        assert total == weights


@pytest.mark.parametrize("shared", [(3, 4), (2, 5), (0, 7), (0, 1, 2, 3, 4, 5, 6, 7)])
@pytest.mark.parametrize("mechanism", ["OUE", "SUE"])
def test_bits_that_share_a_coin_are_noticed(mechanism: str, shared: Sequence[int]) -> None:
    """Each bit is as likely as it should be; the item held is none of them, or the last."""
    watched = family(oracle(mechanism, {"d": 8, "epsilon": 1.0}))
    evidence, source = Evidence(watched), random.Random(7)
    for x in watched.inputs:
        chances = [float(arb(event.probability)) for event in watched.events(x)[:8]]
        for _ in range(3000):
            coins = [source.random() for _ in range(8)]
            for i in shared:
                coins[i] = coins[shared[0]]
            evidence.add(x, tuple(int(coin < p) for coin, p in zip(coins, chances, strict=True)))
    assert evidence.alarm(("together", "row", "single")) is Ordering.GREATER


def component(watched: Family, item: Item, event: int) -> Component:
    return next(
        c
        for c in watched.components
        if c.part == "single" and watched.watches[c.watches[0]] == Watch(item, (event,), 1)
    )


@pytest.mark.parametrize("d", [2, 8])
def test_what_tells_most_about_the_budget_has_most(d: int) -> None:
    """Of the optimized unary encoding the bits of other items: the own one is a fair coin at any budget."""
    watched = family(oracle("OUE", {"d": d, "epsilon": 1.0}))
    likeliest, next_one = sorted(watched.components, key=lambda c: -c.weight)[:2]
    places = {(watched.watches[i].item, watched.watches[i].events) for i in likeliest.watches}
    assert places == {(x, (i,)) for x in range(d) for i in range(d) if i != x}
    assert d == 2 or [watched.watches[i].events for i in next_one.watches] == [(x,) for x in range(d)]
    even = [
        b for b, w in zip(likeliest.bets.sizes, likeliest.bets.weights, strict=True) if w == likeliest.bets.weights[1]
    ]
    assert abs(likeliest.bets.sizes[1] - fmpq(1, 125)) < fmpq(1, 10**5)  # ln(q / (1 - q)) = -1
    assert len(even) == 11  # of one sign


def test_a_few_large_components_suffice_for_an_alarm_and_all_are_asked_before_there_is_none() -> None:
    evidence = Evidence(family(oracle("GRR", {"d": 4, "epsilon": 1.0}), None, LEVEL, FAULT))
    assert evidence.alarm(PARTS) is Ordering.LESS
    evidence.add(0, 0, 900)
    evidence.add(0, 1, 100)
    assert evidence.alarm(PARTS) is Ordering.GREATER
    strongest = evidence.strongest(PARTS)
    best = max((c for c in evidence.family.components if c.part in PARTS), key=lambda c: float(evidence.wealth(c)))
    assert strongest == best
    with pytest.raises(ValueError, match="nothing"):
        evidence.strongest(("nothing",))


def test_intervals() -> None:
    evidence = Evidence(SMALL)
    evidence.add(0, 0, 9000)
    evidence.add(0, 1, 1000)
    low, high = evidence.probability(component(SMALL, 0, 0))
    assert fmpq(85, 100) < low < fmpq(9, 10) < high < fmpq(95, 100)
    strongest = evidence.strongest(("single", "together"))
    assert {SMALL.watches[i].item for i in strongest.watches} >= {0}
    low, high = evidence.interval(component(SMALL, 0, 0))
    assert 1 < low < fmpq(90, 73) < high  # e / (e + 1) = 0.731


def test_outputs_that_cannot_be() -> None:
    reference = TableOracle({0: {"a": fmpq(1)}, 1: {"a": fmpq(1, 2), "b": fmpq(1, 2)}, 2: {"a": fmpq(0), "b": fmpq(1)}})
    watched = family(reference, None, LEVEL, FAULT)
    assert watched.certain == {(0, 0): True, (2, 0): False, (2, 1): True}
    evidence = Evidence(watched)
    evidence.add(0, "a", 5)
    evidence.add(1, "b", 5)
    evidence.add(2, "b", 5)
    evidence.add(2, "a", 0)
    assert not evidence.impossible
    evidence.add(2, "a")
    evidence.add(0, "b", 2)
    evidence.add(1, "z", 3)
    assert evidence.impossible == {(2, "a"): 1, (0, "b"): 2, (1, "z"): 3}
    assert evidence.seems_enough()


class Blurred(TableOracle):
    """Its event may be certain or not: no precision tells."""

    def events(self, item: Item) -> tuple[Event, ...]:
        return (Event("blurred", lambda y: True, arb(1, 2**-20)),)


test_bad_parameters = refusal_test(
    refuses("level", lambda level: family(ORACLES[0], None, level), fmpq(0), fmpq(1), 0.5, fmpq(-1)),
    refuses("fault", lambda fault: family(ORACLES[0], None, LEVEL, fault), fmpq(0), fmpq(2), 0.5),
    refuses("inputs", lambda inputs: family(ORACLES[0], inputs, LEVEL), [], [0, 0], [0, 7]),
    refuses("", lambda: family(Blurred({0: {"a": fmpq(1)}})), says="told from 0 and 1"),
    refuses("input", lambda: Evidence(SMALL).add(9, 0)),
    refuses("times", lambda times: Evidence(SMALL).add(0, 0, times), -1, True, 1.0),
)
