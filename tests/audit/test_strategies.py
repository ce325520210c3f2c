"""The exported strategies draw what they say, exactly, and reach the edges."""

from typing import Any

import pytest
from flint import fmpq
from hypothesis import find, given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_audit.oracles import KINDS, oracle
from dp_audit.oracles.base import double, exponential
from dp_audit.strategies import channels, data_sets, epsilons, parameters, private_channels
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_spec.vocabulary.table import Channel, ratio_maximum


def drawable(name: str) -> bool:
    try:
        parameters(name)
    except DomainError:
        return False
    return True


@given(epsilons(0.1, 2.0))
def test_budgets_are_in_their_range(epsilon: float | str) -> None:
    assert 0.1 <= double(Budget(epsilon)) <= 2.0


@pytest.mark.slow
def test_budgets_of_both_kinds_are_drawn() -> None:
    assert isinstance(find(epsilons(), lambda e: isinstance(e, str)), str)
    assert isinstance(find(epsilons(), lambda e: isinstance(e, float)), float)


@given(
    st.sampled_from([name for name in KINDS if drawable(name)]).flatmap(lambda n: st.tuples(st.just(n), parameters(n)))
)
def test_drawn_parameters_make_an_oracle(drawn: tuple[str, dict[str, Any]]) -> None:
    name, given_parameters = drawn
    reference = oracle(name, given_parameters)
    assert reference.law(reference.inputs[-1])


def test_the_mechanisms_that_matter_most_can_be_drawn() -> None:
    matter = ("GRR", "SUE", "OUE", "SS", "THE", "HR", "UE", "L-GRR", "SMP-GRR", "SuGRR", "SuRAP", "PrivSet", "URR")
    assert all(map(drawable, matter))
    with pytest.raises(DomainError, match="hash"):
        parameters("LH")
    with pytest.raises(DomainError, match="oracle"):
        parameters("unknown")


@given(channels(3, ("a", "b")))
def test_channels_are_exactly_stochastic(channel: Channel[Any, Any, fmpq]) -> None:
    assert channel.inputs == (0, 1, 2)
    for row in channel.rows.values():
        assert tuple(row) == ("a", "b")
        assert sum(row.values(), fmpq(0)) == 1


def test_channels_have_zeros_and_repeated_rows() -> None:
    assert find(channels(2, 2), lambda c: c.rows[0][0] == 0 != c.rows[1][0])
    assert find(channels(2, 2), lambda c: c.rows[0] == c.rows[1])


BUDGETS: tuple[float | str, ...] = ("ln(2)", "ln(9/4)", 1.0, 0.01, 1e-9)


@given(st.sampled_from(BUDGETS).flatmap(lambda e: st.tuples(st.just(e), private_channels(e))))
def test_private_channels_keep_the_bound_exactly(drawn: tuple[float | str, Channel[Any, Any, fmpq]]) -> None:
    epsilon, channel = drawn
    maximum = ratio_maximum(channel)
    assert maximum is not None
    assert maximum.ratio is not None
    assert compare(maximum.ratio, exponential(Budget(epsilon))) is not Ordering.GREATER


@pytest.mark.slow
def test_private_channels_attain_the_bound_and_need_not() -> None:
    def ratio(channel: Channel[Any, Any, fmpq]) -> fmpq | None:
        maximum = ratio_maximum(channel)
        return None if maximum is None else maximum.ratio

    assert find(private_channels("ln(3)", 2, 2), lambda c: ratio(c) == 3)
    assert find(private_channels("ln(3)", 2, 2), lambda c: ratio(c) == 1)


@given(st.integers(1, 5).flatmap(lambda d: st.tuples(st.just(d), data_sets(d), data_sets(d, 7))))
def test_data_sets_hold_items_of_the_domain(drawn: tuple[int, tuple[int, ...], tuple[int, ...]]) -> None:
    d, any_size, seven = drawn
    assert len(seven) == 7
    assert 1 <= len(any_size) <= 20
    assert set(any_size) | set(seven) <= set(range(d))


test_bad_input_is_a_typed_error = refusal_test(
    refuses("", epsilons, 0.0, float("nan"), True),
    refuses("", lambda: epsilons(2.0, 1.0)),
    refuses("", lambda inputs: channels(inputs, 2), 0, ("a", "a"), True),
    refuses("", lambda: channels(2, ())),
    refuses("", private_channels, "ln(1)", -1.0),
    refuses("", data_sets, 0, True),
    refuses("", lambda: data_sets(2, 0)),
)
