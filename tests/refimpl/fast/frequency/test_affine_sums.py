"""Sums over the items that messages support: by residues of a small prime, against every message and item."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cases.refusals import refusal_test, refuses
from dp_refimpl.fast.frequency import affine_sums
from dp_refimpl.fast.frequency.affine_sums import AffineSums
from dp_refimpl.fast.frequency.hash_arrays import PolynomialHashes
from dp_refimpl.fast.frequency.label_arrays import LabelHashes

Floats = NDArray[np.float64]
PRIMES = (2, 3, 5, 7, 11, 13, 31, 101)


@st.composite
def sums(draw: st.DrawFn) -> AffineSums:
    prime = draw(st.sampled_from(PRIMES))
    labels = draw(st.integers(1, prime))
    users, each = draw(st.integers(1, 12)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    hashes = LabelHashes(PolynomialHashes(rng.integers(0, prime, (users, 2)), prime), labels)
    return AffineSums(hashes, rng.integers(0, labels, (users, each)), draw(st.integers(1, prime)))


def supports(messages: AffineSums) -> NDArray[np.bool_]:
    """Whether a message supports an item, shape (messages, items): its own definition."""
    users, each = messages.sent.shape
    labels = messages.hashes.values(np.broadcast_to(np.arange(messages.items), (users, messages.items)))
    matches: NDArray[np.bool_] = np.repeat(labels, each, axis=0) == messages.sent.reshape(-1, 1)
    return matches


@given(sums(), st.integers(0, 2**32))
def test_weights_of_sums_are_added(messages: AffineSums, seed: int) -> None:
    f, matrix = np.random.default_rng(seed).random(messages.items), supports(messages)
    arguments: list[float] = []

    def weigh(totals: Floats) -> Floats:
        arguments.extend(totals.tolist())
        return 1 / (1 + totals)

    assert np.allclose(messages.added(f, weigh), (1 / (1 + matrix @ f)) @ matrix)
    assert np.allclose(sorted(arguments), sorted(matrix @ f))


@given(sums())
def test_supporting_messages_are_counted(messages: AffineSums) -> None:
    assert messages.support().tolist() == supports(messages).sum(axis=0).tolist()


@pytest.mark.parametrize("prime", PRIMES)
def test_every_function_of_a_small_prime(prime: int) -> None:
    """All a and b, all labels: constant functions, arcs that pass 0, and whole circles among them."""
    pairs = np.array([(b, a) for a in range(prime) for b in range(prime)][:400])
    for labels in {1, 2, prime // 2 + 1, prime - 1 or 1, prime}:
        hashes = LabelHashes(PolynomialHashes(pairs, prime), labels)
        messages = AffineSums(hashes, np.tile(np.arange(labels), (len(pairs), 1)), prime)
        assert messages.support().tolist() == [len(pairs)] * prime
        assert np.allclose(messages.added(np.ones(prime), lambda x: x), supports(messages).sum(1) @ supports(messages))


@pytest.mark.parametrize(("prime", "users", "items", "quick"), [(11, 500, 11, False), (211, 5000, 200, True)])
def test_quick_where_it_is_less_work(
    prime: int, users: int, items: int, quick: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashes = LabelHashes(PolynomialHashes(np.ones((users, 2), np.int64), prime), 3)
    messages = AffineSums(hashes, np.zeros((users, 1), np.int64), items)
    assert messages.quick is quick
    monkeypatch.setattr(affine_sums, "MAX_TABLE", prime - 1)
    assert not messages.quick


def _changed(**changes: object) -> Callable[[], AffineSums]:
    hashes = LabelHashes(PolynomialHashes(np.ones((2, 2), np.int64), 3), 2)
    fields: dict[str, object] = {"hashes": hashes, "sent": np.zeros((2, 1), np.int64), "items": 3}
    return lambda: AffineSums(**(fields | changes))  # type: ignore[arg-type]


test_refusals = refusal_test(
    refuses("items", lambda items: _changed(items=items)(), 0, 1.0),
    refuses("hashes", lambda: _changed(hashes=None)()),
    refuses("hashes", lambda: _changed(items=4)()),  # more than the prime
    refuses(
        "sent",
        lambda sent: _changed(sent=sent)(),
        *([[0], [1]], np.zeros(2, np.int64), np.zeros((3, 1), np.int64), np.full((2, 1), 2), np.zeros((2, 1))),
    ),
    # also one that numpy would stretch
    refuses("f", lambda f: _changed()().added(f, np.ones_like), np.ones(1), np.ones(2), np.ones((3, 1)), [1.0] * 3),
)
