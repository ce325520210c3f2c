"""Product form: the maxima found through the structure are those of the channel written out."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.rappor import RAPPOR, RAPPORSet
from dp_refimpl.frequency.surap import SuRAP
from dp_spec.vocabulary.budget import Budget, every_budget
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.ratfunc import EVERY_EPSILON
from dp_spec.vocabulary.structure import ProductChannel, Word, bit_channel
from dp_spec.vocabulary.table import Channel, ratio_maximum
from strategies.exact import channels

T = EVERY_EPSILON.variable("t")


def hot(d: int, items: frozenset[Any]) -> Word:
    return tuple(int(j in items) for j in range(d))


def words(d: int, letters: int, sums: list[int]) -> list[Word]:
    return [w for w in product(range(letters), repeat=d) if sum(w) in sums]


@st.composite
def product_channels(draw: st.DrawFn) -> ProductChannel[fmpq]:
    letters = draw(st.integers(2, 3))
    return ProductChannel(tuple(draw(channels(range(letters), "ab")) for _ in range(draw(st.integers(1, 3)))))


def judged(channel: ProductChannel[fmpq], maximum: Any, sums: list[int]) -> Iterator[str]:
    """What is wrong with a maximum over all pairs of words, by brute force over all of them and all outputs."""
    letters = len(channel.coordinates[0].inputs)
    inputs = words(len(channel.coordinates), letters, sums)
    expected = ratio_maximum(channel.channel(inputs)) if len(inputs) > 1 else None
    if (expected is None) != (maximum is None):
        yield "existence"
    if expected is not None and maximum is not None:
        if maximum.ratio != expected.ratio:
            yield "value"
        if maximum.x == maximum.other or maximum.x not in inputs or maximum.other not in inputs:
            yield "pair"
        stated = (maximum.probability, maximum.other_probability)
        if (channel.prob(maximum.y, maximum.x), channel.prob(maximum.y, maximum.other)) != stated:
            yield "probabilities"
        if maximum.ratio is not None and maximum.probability != maximum.ratio * maximum.other_probability:
            yield "witness"
        if maximum.ratio is None and not (maximum.probability != 0 and maximum.other_probability == 0):
            yield "witness"


@given(product_channels(), st.lists(st.integers(0, 4), max_size=3))
def test_maximum_over_words_is_that_of_brute_force(channel: ProductChannel[fmpq], sums: list[int]) -> None:
    assert list(judged(channel, channel.ratio_maximum_over(sums), sums)) == []


@given(product_channels(), st.data())
def test_maximum_of_a_pair_is_that_of_brute_force(channel: ProductChannel[fmpq], data: st.DataObject) -> None:
    letters = st.integers(0, len(channel.coordinates[0].inputs) - 1)
    x, other = (tuple(data.draw(letters) for _ in channel.coordinates) for _ in range(2))
    maximum = channel.ratio_maximum(x, other)
    written_out = channel.channel(dict.fromkeys((x, other)))
    expected = ratio_maximum(written_out, [(x, other)])
    assert expected is not None
    assert maximum.ratio == expected.ratio
    assert written_out.prob(maximum.y, x) == maximum.probability


@pytest.mark.parametrize(("d", "m"), [(1, 1), (2, 1), (4, 1), (3, 2), (4, 2), (5, 3), (3, 3)])
def test_unary_encodings_are_products(d: int, m: int) -> None:
    """The programs' own channels, written out by the enumerator, are the product channels; so are their maxima."""
    domain, budget = ItemDomain.of_sizes(d), Budget.of_root(fmpq(3, 2), 2 * m)
    mechanism = RAPPORSet(domain, budget, m)
    structure = ProductChannel((bit_channel(mechanism.p, mechanism.q),) * d)
    program = exact_channel(mechanism.randomize, domain.subsets([m]), fmpq(1))
    assert {hot(d, s): row for s, row in program.rows.items()} == structure.channel(words(d, 2, [m])).rows
    maximum, expected = structure.ratio_maximum_over([m]), ratio_maximum(program)
    assert (maximum and maximum.ratio) == (expected and expected.ratio)
    if maximum is not None:
        assert maximum.ratio == mechanism.budget.exp(1) if 2 * m <= d else True


@pytest.mark.parametrize("m", [1, 2])
def test_utility_optimized_encodings_are_products(m: int) -> None:
    domain = ItemDomain.of_sizes(2, 2)
    mechanism = SuRAP(domain, Budget.of_root(fmpq(3, 2), 2 * m), m)
    bits = [bit_channel(mechanism.p, mechanism.q)] * 2 + [bit_channel(mechanism.r, fmpq(0))] * 2
    structure = ProductChannel(tuple(bits))
    program = exact_channel(mechanism.randomize, domain.subsets([m]), fmpq(1))
    vectors = program.push_forward(lambda y: (*y.protected, *(int(j in y.invertible) for j in (2, 3))))  # type: ignore[misc]
    for s, row in structure.channel(words(4, 2, [m])).rows.items():
        items = frozenset(j for j in range(4) if s[j])
        assert vectors.rows[items] == {y: p for y, p in row.items() if p != 0}
    whole = structure.ratio_maximum_over([m])
    assert whole is not None
    assert whole.ratio is None  # a non-sensitive bit gives its item away
    sensitive = ProductChannel((*bits[:2], *[c.push_forward(lambda _: 0) for c in bits[2:]])).ratio_maximum_over([m])
    expected = ratio_maximum(program.push_forward(lambda y: y.protected))
    assert sensitive is not None
    assert expected is not None
    assert sensitive.ratio == expected.ratio


def recorded_laws(mechanism: Any, x: Any) -> list[tuple[Any, ...]]:
    """The laws that the program asks its coins for: its structure, at any d, without walking its paths."""
    recorded: list[tuple[Any, ...]] = []

    class Recorder:
        def choose(self, probabilities: Any) -> int:
            raise AssertionError("not a product of independent bits")

        def choose_each(self, laws: Any) -> tuple[int, ...]:
            recorded.extend(tuple(law) for law in laws)
            return (0,) * len(laws)

    mechanism.randomize(x, Recorder())
    return recorded


def test_one_item_at_d_64_for_every_epsilon() -> None:
    """RAPPOR on 64 items has 2^64 outputs: its smallest constant is e^epsilon = t^2, for every t > 1."""
    d = 64
    mechanism = RAPPOR(ItemDomain.of_sizes(d), every_budget(2))
    structure = ProductChannel((bit_channel(mechanism.p, mechanism.q),) * d)
    for x in range(d):
        word = hot(d, frozenset([x]))
        assert recorded_laws(mechanism, x) == [
            tuple(c.rows[a].values()) for c, a in zip(structure.coordinates, word, strict=True)
        ]
    best = structure.ratio_maximum_over([1])
    assert best is not None
    assert best.ratio == T**2
    assert sum(best.x) == sum(best.other) == 1
    assert best.probability == best.other_probability * T**2


@pytest.mark.parametrize(("m", "t"), [(3, T), (62, T), (64, T), (25, fmpq(3, 2)), (40, fmpq(3, 2))], ids=str)
def test_sets_at_d_64(m: int, t: Any) -> None:
    """Two m-sets differ in at most 2 min(m, d - m) positions, each worth e^(eps/2m) = t."""
    best = ProductChannel((bit_channel(t / (t + 1), 1 / (t + 1)),) * 64).ratio_maximum_over([m])
    if m == 64:
        assert best is None
    else:
        assert best is not None
        assert best.ratio == t ** (2 * min(m, 64 - m))


def of_letter(letter: Any) -> Any:
    return ProductChannel((Channel({letter: {0: fmpq(1)}}),))


BIT = bit_channel(fmpq(2, 3), fmpq(1, 3))
PAIR = ProductChannel((BIT,) * 2)
NO_WORDS = ((0,), (0, 1, 0), (), (0, 2), (0, "1"))
test_refusals = refusal_test(
    refuses("coordinates", ProductChannel, (), [], None),
    refuses("coordinates[0]", ProductChannel, (1,), ({0: {0: fmpq(1)}},)),
    refuses("coordinates[0]", of_letter, "a", True, -1, 1.0, None),
    refuses("word", lambda word: PAIR.prob((0, 0), word), *NO_WORDS),
    refuses("word", lambda word: PAIR.ratio_maximum((0, 0), word), *NO_WORDS),
    refuses("word", lambda word: PAIR.channel([word]), *NO_WORDS),
    refuses("y", lambda y: PAIR.prob(y, (0, 0)), (0,)),
    refuses("sums", PAIR.ratio_maximum_over, [-1], [True], [1.0], [None]),
)


def test_sums_that_no_word_has() -> None:
    assert PAIR.ratio_maximum_over([]) is None
    assert PAIR.ratio_maximum_over([7]) is None
