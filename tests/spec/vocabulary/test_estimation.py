"""Unbiasedness and MSE of affine estimators against a brute force over whole data sets."""

from itertools import product

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from cases.refusals import refusal_test, refuses
from dp_spec.vocabulary.estimation import Counting
from dp_spec.vocabulary.table import Channel

Estimator = Counting[str, int, fmpq]


@st.composite
def counters(draw: st.DrawFn) -> Estimator:
    """Two inputs, reports 0, 1, 2 that count as themselves, any affine estimator."""
    rows = {}
    for x in "ab":
        weights = draw(st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any))
        rows[x] = {y: fmpq(w, sum(weights)) for y, w in enumerate(weights)}
    slope = fmpq(draw(st.integers(1, 5)), draw(st.integers(1, 5)))
    return Counting(Channel(rows), lambda y: y, lambda s: int(s == "a"), slope, fmpq(draw(st.integers(-3, 3)), 2))


def brute_mse(counting: Estimator, users: tuple[str, ...], truth: fmpq) -> fmpq:
    """Sum over all tuples of reports."""
    total = fmpq(0)
    for reports in product((0, 1, 2), repeat=len(users)):
        weight = fmpq(1)
        for user, y in zip(users, reports, strict=True):
            weight *= counting.channel.rows[user].get(y, fmpq(0))
        estimate = (fmpq(sum(reports), len(users)) - counting.offset) / counting.slope
        total += weight * (estimate - truth) ** 2
    return total


@given(counters(), st.lists(st.sampled_from("ab"), min_size=1, max_size=3))
def test_fixed_data(counting: Estimator, users: list[str]) -> None:
    truth = fmpq(users.count("a"), len(users))
    assert counting.mse(users) == brute_mse(counting, tuple(users), truth)


SURE = Channel({"a": {0: fmpq(1)}})
COUNTING: Estimator = Counting(SURE, lambda y: y, lambda s: 1, fmpq(1), fmpq(0))
test_refusals = refusal_test(
    refuses("slope", lambda: Counting(SURE, lambda y: y, lambda s: 1, fmpq(0), fmpq(0))),
    refuses("users", COUNTING.mse, []),
)
