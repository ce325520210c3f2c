"""The definitions as predicates: compared with their literal text, with the kernel's reading, and at boundaries."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.faults import fault_test, in_module
from dp_spec.vocabulary import definitions
from dp_spec.vocabulary.definitions import (
    Held,
    Relation,
    Witness,
    emission_violation,
    ldp_violation,
    smallest_constant,
    suldp_violation,
    uldp_inversion_violation,
    uldp_protection_violation,
)
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain, Report
from dp_spec.vocabulary.table import Channel
from independent.definition_examples import (
    CONSTANTS,
    EXAMPLES,
    RELATIONS,
    SIZES,
    Example,
    disagreements,
    library_disagreements,
    split_disagreements,
)


@pytest.mark.slow
def test_predicates_say_what_the_definitions_say() -> None:
    assert list(disagreements()) == list(library_disagreements()) == []
    assert list(split_disagreements()) == []


def test_the_examples_satisfy_and_violate_everything() -> None:
    """So that the agreement above means something."""
    for relation in RELATIONS:
        for m in (1, 2):
            verdicts = {
                suldp_violation(e.channel, e.domain, relation, c) is None
                for e in EXAMPLES
                for c in CONSTANTS[1:]
                if len(next(iter(e.channel.inputs))) == m
            }
            assert verdicts == {True, False}
    singles = [e for e in EXAMPLES if len(next(iter(e.channel.inputs))) == 1]
    assert {uldp_inversion_violation(e.items(), e.domain) is None for e in singles} == {True, False}
    assert {uldp_protection_violation(e.items(), c) is None for e in singles for c in CONSTANTS} == {True, False}
    assert {emission_violation(e.channel, e.domain) is None for e in EXAMPLES} == {True, False}


# --- witnesses and constants --------------------------------------------------------------------------------------


examples = st.builds(
    lambda sizes, weights: Example(sizes[0], sizes[1], sizes[2], lambda kept, s: weights.pop() if weights else 1),
    st.sampled_from(SIZES),
    st.lists(st.integers(0, 8), max_size=120),
)


def shows(example: Example, relation: Relation, witness: Witness[Any, fmpq]) -> bool:
    both = example.channel.rows[witness.x], example.channel.rows[witness.other]
    if relation == "marginal":
        chances = [sum((p for y, p in row.items() if y.protected == witness.output), fmpq(0)) for row in both]
    else:
        chances = [row.get(witness.output, fmpq(0)) for row in both]  # type: ignore[call-overload]
    return (witness.probability, witness.other_probability) == tuple(chances)


@given(examples, st.sampled_from(RELATIONS), st.sampled_from(CONSTANTS), st.booleans())
def test_witnesses_show_the_excess(example: Example, relation: Relation, e_eps: fmpq, counted: bool) -> None:
    counted = counted or relation not in ("marginal", "joint")
    witness = suldp_violation(example.channel, example.domain, relation, e_eps, count_empty=counted)
    if witness is not None:
        assert witness.probability > e_eps * witness.other_probability
        assert shows(example, relation, witness)


@given(examples, st.sampled_from(RELATIONS))
def test_the_smallest_constant_bounds_and_no_smaller_one_does(example: Example, relation: Relation) -> None:
    channel, domain = example.channel, example.domain
    if suldp_violation(channel, domain, relation, fmpq(0)) is None:
        with pytest.raises(DomainError, match="channel"):
            smallest_constant(channel, domain, relation)
        return
    constant = smallest_constant(channel, domain, relation)
    if constant is None:
        assert suldp_violation(channel, domain, relation, fmpq(10**9)) is not None
    else:
        assert suldp_violation(channel, domain, relation, constant) is None
        assert suldp_violation(channel, domain, relation, constant * fmpq(10**6 - 1, 10**6)) is not None


@given(examples)
def test_readings_that_imply_each_other(example: Example) -> None:
    """With (10) the joint reading implies deniability and samenon; smaller constants imply larger ones."""
    channel, domain = example.channel, example.domain
    held = all(y.invertible <= s for s, row in channel.rows.items() for y in row)
    for e_eps, larger in pairwise(CONSTANTS):
        for relation in RELATIONS:
            if suldp_violation(channel, domain, relation, e_eps) is None:
                assert suldp_violation(channel, domain, relation, larger) is None
        if held and suldp_violation(channel, domain, "joint", e_eps) is None:
            assert suldp_violation(channel, domain, "deniability", e_eps) is None
            assert suldp_violation(channel, domain, "samenon", e_eps) is None


# --- boundaries ---------------------------------------------------------------------------------------------------


def test_at_epsilon_zero_only_equal_laws_are_private() -> None:
    same, other = {0: fmpq(1, 3), 1: fmpq(2, 3)}, {0: fmpq(2, 3), 1: fmpq(1, 3)}
    assert ldp_violation(Channel({"a": same, "b": same}), fmpq(1)) is None
    assert ldp_violation(Channel({"a": same, "b": other}), fmpq(1)) == Witness("a", "b", 1, fmpq(2, 3), fmpq(1, 3))
    assert ldp_violation(Channel({"a": same, "b": other}), fmpq(2)) is None


def test_one_input_is_compared_with_nothing() -> None:
    domain = ItemDomain.of_sizes(2, 1)
    alone: Channel[Held, Report, fmpq] = Channel({frozenset({0, 1, 2}): {Report((0,), frozenset({2})): fmpq(1)}})
    for relation in RELATIONS:
        assert suldp_violation(alone, domain, relation, fmpq(1)) is None
        with pytest.raises(DomainError, match="channel"):
            smallest_constant(alone, domain, relation)
    assert emission_violation(alone, domain) is None


def test_a_ratio_equal_to_the_constant_is_allowed() -> None:
    rows = {frozenset({0}): {Report((0,)): fmpq(2, 3), Report((1,)): fmpq(1, 3)}}
    rows[frozenset({1})] = {Report((0,)): fmpq(1, 3), Report((1,)): fmpq(2, 3)}
    channel: Channel[Held, Report, fmpq] = Channel(rows)  # type: ignore[arg-type]
    domain = ItemDomain.of_sizes(2)
    for relation in RELATIONS:
        assert suldp_violation(channel, domain, relation, fmpq(2)) is None
        assert smallest_constant(channel, domain, relation) == 2


# --- planted faults -----------------------------------------------------------------------------------------------

compared = definitions._compared


def filtered(keep: Callable[..., bool], only: str) -> Callable[..., Iterator[Any]]:
    """`_compared` with fewer comparisons for one relation."""

    def faulty(channel: Any, domain: Any, relation: str, count_empty: bool) -> Iterator[Any]:
        for pair in compared(channel, domain, relation, count_empty):  # type: ignore[arg-type]
            if relation != only or keep(domain, *pair):
                yield pair

    return faulty


def instead(only: str, other: str) -> Callable[..., Iterator[Any]]:
    """`_compared` with one relation taken for another."""

    def faulty(channel: Any, domain: Any, relation: str, count_empty: bool) -> Iterator[Any]:
        return compared(channel, domain, other if relation == only else relation, count_empty)  # type: ignore[arg-type]

    return faulty


def all_outputs(channel: Any, domain: Any, relation: str, count_empty: bool) -> Iterator[Any]:
    """joint without the condition that the invertible data are held by both."""
    if relation != "joint":
        yield from compared(channel, domain, relation, count_empty)  # type: ignore[arg-type]
        return
    for s, row in channel.rows.items():
        for other, column in channel.rows.items():
            yield from ((s, other, y, p, column.get(y, 0)) for y, p in row.items() if s != other)


def by_any_exchange(channel: Any, domain: Any, relation: str, count_empty: bool) -> Iterator[Any]:
    """deniability for an exchanged item of either class."""
    if relation == "deniability":
        yield from compared(channel, domain, "samenon", count_empty)
        domain = ItemDomain(domain.items)
    yield from compared(channel, domain, relation, count_empty)  # type: ignore[arg-type]


FAULTS: dict[str, tuple[str, Any]] = {
    "joint: invertible data of the other set, too": ("_compared", all_outputs),
    "joint: only outputs without invertible data": (
        "_compared",
        filtered(lambda domain, s, other, y, p, q: not y.invertible, "joint"),
    ),
    "deniability: both exchanged items sensitive": (
        "_compared",
        filtered(lambda domain, s, other, y, p, q: other - s <= set(domain.sensitive), "deniability"),
    ),
    "deniability: the other direction only": (
        "_compared",
        filtered(lambda domain, s, other, y, p, q: not (s - other <= set(domain.sensitive)), "deniability"),
    ),
    "deniability: an item of either class": ("_compared", by_any_exchange),
    "samenon: equal sensitive items": (
        "_compared",
        filtered(lambda domain, s, other, *_: s & set(domain.sensitive) == other & set(domain.sensitive), "samenon"),
    ),
    "samenon as joint": ("_compared", instead("samenon", "joint")),
    "marginal as joint": ("_compared", instead("marginal", "joint")),
    "empty y0 never counts": ("_compared", lambda c, d, relation, _: compared(c, d, relation, False)),
    "empty y0 always counts": ("_compared", lambda c, d, relation, _: compared(c, d, relation, True)),
    "marginal: the last of the outputs, not their sum": (
        "_protected_law",
        lambda row: {y.protected: p for y, p in row.items()},
    ),
    "blank: nothing is": ("is_blank", lambda y0: False),
    ">= for >": ("at_most", lambda a, b: a < b),
    "the larger probability decides": ("at_most", lambda a, b: b <= a),
    "impossible outputs of the other input are skipped": ("at_most", lambda a, b: b == 0 or a <= b),
    "(1) for one order of every pair": (
        "_first_excess",
        lambda rows, compared, e_eps: next(
            (
                True
                for i, (x, row) in enumerate(rows.items())
                for other, column in list(rows.items())[i + 1 :]
                for y, p in row.items()
                if compared(x, other, y) and p > e_eps * column.get(y, 0)
            ),
            None,
        ),
    ),
    "(4) for all outputs": ("uldp_protection_violation", lambda channel, e_eps: ldp_violation(channel, e_eps)),
    "(2): sensitive items, too": (
        "uldp_inversion_violation",
        lambda channel, domain: uldp_inversion_violation(channel, ItemDomain((-1,), domain.items)),
    ),
    "(2): never violated": ("uldp_inversion_violation", lambda channel, domain: None),
    "(10) without (9)": (
        "emission_violation",
        lambda channel, domain: next(
            (True for s, row in channel.rows.items() for y in row if not y.invertible <= s), None
        ),
    ),
    "(9) without (10)": (
        "emission_violation",
        lambda channel, domain: next(
            (
                True
                for s, row in channel.rows.items()
                for x in s & set(domain.nonsensitive)
                if not any(x in y.invertible for y in row)
            ),
            None,
        ),
    ),
}


test_planted_faults_are_caught = fault_test(library_disagreements, in_module(definitions, FAULTS))


@pytest.mark.parametrize("relation", [r for r in RELATIONS if r != "ldp"])
def test_readings_need_reports_on_sets(relation: Relation) -> None:
    domain = ItemDomain.of_sizes(2)
    items = Channel({x: {x: fmpq(1, 3), 1 - x: fmpq(2, 3)} for x in range(2)})
    sets = Channel({frozenset([x]): {0: fmpq(1)} for x in range(2)})
    for channel in (items, sets):
        assert smallest_constant(channel) in (1, 2)
        with pytest.raises(DomainError, match="reports"):
            smallest_constant(channel, domain, relation)
        with pytest.raises(DomainError, match="reports"):
            suldp_violation(channel, domain, relation, fmpq(2))  # type: ignore[arg-type]
    with pytest.raises(DomainError, match="domain"):
        smallest_constant(sets, None, relation)
