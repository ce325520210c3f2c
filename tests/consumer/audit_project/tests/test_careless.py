"""Fails: that is what the plugin is for."""

import pytest
from fruitpoll import careless


@pytest.mark.conforms_to("GRR", d=4, epsilon=1.0)
def test_careless():
    return careless.randomize


def test_careless_by_fixture(assert_conforms):
    with pytest.raises(AssertionError, match=r"fault +privacy"):
        assert_conforms(careless.randomize, "GRR", d=4, epsilon=1.0)
