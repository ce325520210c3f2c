"""Optimized unary encoding beside symmetric encoding."""

from fractions import Fraction

import pytest

from dp_refimpl.frequency.rappor import RAPPOR
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain
from independent.item_mechanisms import UNARY_ENCODING, unary_laws
from independent.numbers import exact
from independent.sketch_cases import contributions, rows_of


@pytest.mark.parametrize("root", UNARY_ENCODING.roots)
def test_what_nobody_holds_is_estimated_better_than_by_symmetric_encoding(root: Fraction) -> None:
    symmetric = RAPPOR(ItemDomain.of_sizes(2), Budget.of_root(exact(root), 2))
    other = contributions(rows_of(symmetric), symmetric.estimate)[1, 0][1]
    found = contributions(unary_laws(root, 2), UNARY_ENCODING.built(2, root=root).estimate)
    assert found[1, 0][1] < other
