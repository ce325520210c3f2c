"""A step of EM, 10^6 messages with a function each and 42,178 items (source 000, Kosarak's size).

Beside evaluating functions on all items, measured for few messages and taken in proportion; how the time grows with
messages and items; the peak memory beside the messages, and how it grows when both numbers are doubled: what is made of
n + d numbers doubles, an array of messages and items takes four times as much.
"""

import tracemalloc

import numpy as np

from benchmarks.table import growth, line, seconds
from dp_refimpl.fast.array_coins import ArrayCoins
from dp_refimpl.fast.frequency.label_arrays import draw_label_hashes
from dp_refimpl.fast.shuffle.em import OwnFunctions, summed_share
from dp_studies.reproduce.s000.measurements import functions_of

MESSAGES, ITEMS, LABELS, FEW = 10**6, 42_178, 1024, 100
STEP = f"a step of EM, 10⁶ messages with own functions, {ITEMS:,} items"
TIME = line(STEP, "ten seconds", "times as long", required=1)
FASTER = line(STEP, f"functions evaluated on all items, {FEW} messages scaled up", required=50)
MEMORY = line(f"{STEP}: memory beside the messages", "half of both numbers", "times as much", required=2.2)
BY_MESSAGES = growth(f"A step of EM, own functions, {ITEMS:,} items", "messages")
BY_ITEMS = growth("A step of EM, own functions, 10⁶ messages", "items")


def drawn(messages: int, items: int) -> OwnFunctions:
    coins = ArrayCoins(np.random.default_rng(1))
    hashes = draw_label_hashes(functions_of(items, LABELS), messages, coins)
    return OwnFunctions(hashes, coins.below(LABELS, (messages, 1)), items)


def step(messages: OwnFunctions) -> None:
    messages.share(np.full(messages.items, 1 / messages.items), 0.5, 0.001)


def taken(messages: int, items: int) -> float:
    """Seconds of a step, messages sorted before."""
    made = drawn(messages, items)
    step(made)
    return seconds(lambda: step(made), rounds=1)


def peak(messages: int, items: int) -> int:
    """Bytes of the first step, sorting included."""
    made = drawn(messages, items)
    tracemalloc.start()
    step(made)
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak_bytes


def test_a_step_of_em() -> None:
    ours = taken(MESSAGES, ITEMS)
    few = drawn(FEW, ITEMS)
    start = np.full(ITEMS, 1 / ITEMS)
    baseline = seconds(lambda: summed_share(few._blocks(), start, 0.5, 0.001), rounds=1) * MESSAGES / FEW
    TIME.record(ours, 10)
    FASTER.record(ours, baseline)
    MEMORY.record(peak(MESSAGES, ITEMS), peak(MESSAGES // 2, ITEMS // 2))


def test_growth() -> None:
    BY_MESSAGES.record("ours", {n: taken(n, ITEMS) for n in (10**4, 10**5, 10**6)})
    BY_ITEMS.record("ours", {d: taken(MESSAGES, d) for d in (ITEMS // 16, ITEMS // 4, ITEMS)})
