"""Totals over X: their parts, and closed forms against the formulas they come from."""

from itertools import product

import pytest
from flint import fmpq

from cases.refusals import refusal_test, refuses
from dp_spec.frequency import total_errors, wheel
from dp_spec.vocabulary.error_statements import Total, closed_form
from dp_spec.vocabulary.law import M
from dp_spec.vocabulary.statement import Mse

EVERY = {**total_errors.FIVE, **total_errors.EXISTING, "urr": total_errors.URR_SPLIT, "urap": total_errors.URAP_SPLIT}


@pytest.mark.parametrize("name", EVERY)
def test_both_parts_are_of_one_mechanism_in_one_view(name: str) -> None:
    total = EVERY[name]
    parts = [part for part in (total.sensitive, total.nonsensitive) if part is not None]
    assert {(part.law, part.view) for part in parts} == {(total.law, parts[0].view)}
    assert [part.item for part in parts] == ["sensitive", "nonsensitive"][: len(parts)]
    assert (total.law.r is None) == (total.nonsensitive is None)
    assert all(part.formula is not None and part.data == "fixed" for part in parts)


@pytest.mark.parametrize("su", total_errors.FIVE)
def test_each_is_built_on_a_mechanism_with_the_same_table_of_sensitive_items(su: str) -> None:
    law, existing = total_errors.FIVE[su].law, total_errors.EXISTING[total_errors.BUILT_ON[su]].law
    assert (law.unit, law.draw, law.base, law.power) == (existing.unit, existing.draw, existing.base, existing.power)
    for root, m, k in product((fmpq(3, 2), fmpq(4)), (1, 2, 5), (1, 2, 7)):
        at = {law.base: root, "m": m, "K": k}
        assert (law.p.evaluate(at), law.q.evaluate(at)) == (existing.p.evaluate(at), existing.q.evaluate(at))


def test_the_closed_form_of_wheel_is_the_variance_of_the_proof() -> None:
    for w, m, n, f in product((fmpq(3, 2), fmpq(5)), (1, 2, 7), (1, 3), (fmpq(0), fmpq(1, 3), fmpq(1))):
        at = {"w": w, "m": m, "n": n, "f": f}
        assert wheel.MSE_SENSITIVE.evaluate(at) == wheel.VARIANCE.evaluate(at)


def test_m_vectors_have_m_times_the_error_of_one() -> None:
    """Every one of the m vectors of uRAP with budget split may hold a false count of a sensitive item."""
    one, m_times = (closed_form(x.part("sensitive")) for x in (total_errors.SURAP, total_errors.URAP_SPLIT))
    for t, m, n in product((fmpq(3, 2), fmpq(4)), (1, 2, 5), (1, 9)):
        at = {"t": t, "m": m, "n": n}
        assert m_times.evaluate(at) == m * one.evaluate(at)


def test_the_power_of_a_total() -> None:
    assert total_errors.GRR.law.power.evaluate({"m": 3}) == M.evaluate({"m": 3})


PART = total_errors.GRR.part("sensitive")
test_what_a_total_lacks_is_an_error = refusal_test(
    refuses("", lambda: Total().law, says="total"),
    refuses("", total_errors.GRR.part, "nonsensitive", says="item"),
    refuses("", closed_form, Mse(PART.law, PART.view, PART.item, PART.estimator), says="error"),
)
