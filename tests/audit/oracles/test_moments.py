"""The stated estimator is the plain server's; its stated expectation and variance are those of the enumerated law."""

from itertools import product
from typing import Any

import pytest
from flint import fmpq

from dp_audit.oracles import oracle
from dp_audit.oracles.additive import AdditiveOracle
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.scalar import Ordering, compare
from independent.catalogue_cases import CATALOGUE, SMALL, is_unbiased
from independent.oracle_cases import CASES, Case, all_same, estimate_faults, moment_faults, same, total
from running.optional_values import known

pytestmark = pytest.mark.usefixtures("precise")

ESTIMATED = [case for case in CASES if case.estimate is not None]
UNBIASED = [case for case in ESTIMATED if case.name in {"SS", "LH-ideal", "HM", "HR", "THE", "UE"}]
UNBIASED += [case for case in CATALOGUE if is_unbiased(case)]


@pytest.mark.parametrize("case", ESTIMATED, ids=str)
def test_the_estimator_is_the_plain_servers(case: Case) -> None:
    assert estimate_faults(case, case.oracle()) == set()


@pytest.mark.parametrize("case", ESTIMATED, ids=str)
def test_the_moments_are_those_of_the_law(case: Case) -> None:
    assert moment_faults(case.oracle()) == set()


@pytest.mark.parametrize("case", UNBIASED, ids=str)
def test_the_estimator_is_unbiased(case: Case) -> None:
    subject = case.oracle()
    data = [subject.inputs[0], subject.inputs[0], subject.inputs[-1]]
    held = [x for items in data for x in (items if isinstance(items, frozenset) else [items])]
    stated = known(subject.expected_estimate(data))
    assert all_same(stated, [fmpq(held.count(x), 3) for x in range(len(stated))])


@pytest.mark.parametrize(
    ("name", "parameters", "free"),
    [
        ("FLH", {"d": 3, "g": 2, "epsilon": "ln(3)"}, {"hashes": 2}),
        ("CMS", {"d": 3, "m": 3, "epsilon": "ln(4)"}, {"hashes": 3}),
        ("HCMS", {"d": 3, "m": 2, "epsilon": "ln(4)"}, {"hashes": 2}),
        ("PCS", {"d": 2, "m": 2, "epsilon": "ln(4)"}, {"hashes": 2, "signs": 2}),
    ],
)
def test_over_all_hash_functions_the_estimator_is_unbiased(
    name: str, parameters: dict[str, int | str], free: dict[str, int]
) -> None:
    d = int(parameters["d"])
    choices = list(product(*(product(range(cells), repeat=d) for cells in free.values())))
    tables = {key: [list(choice[i]) for choice in choices] for i, key in enumerate(free)}
    subject = oracle(name, {**parameters, **tables})
    stated = known(subject.expected_estimate([0, 1, 1]))
    assert all_same(stated, [fmpq(1, 3), fmpq(2, 3), fmpq(0)][:d])


def test_all_functions_drawn_is_the_ideal_hash() -> None:
    sizes = {"d": 3, "g": 2, "epsilon": "ln(3)"}
    ideal, drawn = oracle("LH-ideal", sizes), oracle("FLH", {**sizes, "hashes": list(product((0, 1), repeat=3))})
    for data in ([0], [0, 2, 2, 1]):
        assert all_same(known(ideal.variance(data)), known(drawn.variance(data)))


IRRATIONAL: tuple[tuple[str, dict[str, object]], ...] = (
    ("SS", {"d": 4}),
    ("LH", {"d": 3, "g": 3, "hash": "0, 2, 2"}),
    ("FLH", {"d": 3, "g": 2, "hashes": "[[0, 1, 1], [1, 1, 0]]"}),
    ("LH-ideal", {"d": 2, "g": 3}),
    ("HM", {"d": 3}),
    ("HM", {"d": 2, "t": 2, "first": 1}),
    ("HR", {"d": 4}),
    ("THE", {"d": 3}),
    ("THE", {"d": 3, "theta": "0.7"}),
    ("THE", {"d": 2, "theta": 1.3}),
    ("CMS", {"d": 2, "m": 3, "hashes": [[0, 1], [2, 2]]}),
    ("HCMS", {"d": 2, "m": 4, "hashes": [[0, 1], [2, 2]]}),
    ("PCS", {"d": 2, "m": 2, "hashes": [[0, 1], [1, 1]], "signs": [[0, 0], [1, 0]]}),
)


@pytest.mark.parametrize(("name", "parameters"), IRRATIONAL)
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.5])
def test_at_irrational_budgets_balls_are_tiny_and_right(
    name: str, parameters: dict[str, object], epsilon: float
) -> None:
    subject = oracle(name, {**parameters, "epsilon": epsilon})
    laws = [subject.law(x) for x in subject.inputs]
    for law in laws:
        assert same(total(iter(law.values())), fmpq(1))
        for other in laws:
            assert all(compare(p / other[y], subject.privacy()) is not Ordering.GREATER for y, p in law.items())
    assert moment_faults(subject, (1,)) == set()


def test_for_a_given_function_colliding_items_are_counted_too() -> None:
    subject = oracle("LH", {"d": 3, "g": 2, "epsilon": "ln(3)", "hash": "0, 1, 0"})
    stated = known(subject.expected_estimate([0]))
    assert all_same(stated, [fmpq(1), fmpq(-1), fmpq(1)])  # q - 1/2 is -(p - 1/2) for two cells


def test_the_ideal_variances_are_the_papers() -> None:
    """Wang et al. 2017: OUE-like 4 w / (w-1)^2 at g = w + 1; Hadamard randomized response (w+1)^2 / (w-1)^2."""
    w = 3
    hashed = known(oracle("LH-ideal", {"d": 9, "g": w + 1, "epsilon": f"ln({w})"}).variance([0]))
    coefficient = known(oracle("HM", {"d": 9, "epsilon": f"ln({w})"}).variance([0]))
    assert same(hashed[1], fmpq(4 * w, (w - 1) ** 2))
    assert same(coefficient[1], fmpq((w + 1) ** 2, (w - 1) ** 2))


@pytest.mark.parametrize("case", [*ESTIMATED, *SMALL], ids=str)
def test_moments_of_many_users_add_up(case: Case) -> None:
    subject = case.oracle()
    a, b = subject.inputs[0], subject.inputs[-1]
    one, other, together = (known(subject.variance(data)) for data in ([a], [b], [a, b, b, a, b]))
    assert all_same(together, [(2 * a + 3 * b) / 25 for a, b in zip(one, other, strict=True)])


@pytest.mark.parametrize("case", [*CASES, *SMALL], ids=str)
def test_unknown_items_and_reports_are_refused(case: Case) -> None:
    subject = case.oracle()
    for item in (-1, 99, True, "0", 0.0, None, frozenset([0, 1, 2, 3]), frozenset([99])):
        with pytest.raises(DomainError, match="item"):
            subject.law(item)
        with pytest.raises(DomainError, match="item"):
            subject.events(item)
    if not isinstance(subject, AdditiveOracle):
        assert subject.estimate([]) is subject.expected_estimate([0]) is subject.variance([0]) is None
        return
    for data in ([], [True], [-1], [99], [frozenset([99])]):
        for moment in (subject.expected_estimate, subject.variance):
            with pytest.raises(DomainError):
                moment(data)
    bad: list[list[Any]] = [[], ["no report"], [None], [[0, 1]], [{}]]
    for reports in bad:
        with pytest.raises(DomainError, match="report"):
            subject.estimate(reports)
