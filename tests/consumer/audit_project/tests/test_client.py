"""What the authors of the package write."""

import functools

import pytest
from fruitpoll import client
from hypothesis import given, settings

from dp_audit.plugin import AssertConforms
from dp_audit.strategies import parameters


@pytest.mark.conforms_to("GRR", d=4, epsilon=1.0)
def test_client():
    return client.randomize, client.estimate


@pytest.fixture
def randomizer():
    return functools.partial(client.randomize, d=3)


@pytest.mark.conforms_to("GRR", d=3, epsilon=0.5)
@pytest.mark.conforms_to("GRR", d=3, epsilon="ln(3)")
def test_a_fixture(randomizer):
    return randomizer


@settings(max_examples=2, deadline=None, derandomize=True, database=None)
@given(parameters("GRR"))
def test_all_parameters(assert_conforms: AssertConforms, drawn):
    assert_conforms(client.randomize, "GRR", **drawn)
