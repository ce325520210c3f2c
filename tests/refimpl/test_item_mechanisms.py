"""Frequency oracles on single items: laws, moments, audits and refusals alike; planted faults are caught."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import pytest

from cases.refusals import refusal_test, refuses
from dp_audit.oracles import Oracle, oracle
from dp_audit.oracles.base import epsilon
from dp_audit.oracles.frequency import coefficient
from dp_audit.oracles.sketch import count_mean, hadamard_count_mean
from dp_refimpl.coins import ScriptedCoins
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.hash_families import LabelFunction
from independent import brute_force_oracles as plain
from independent.item_mechanisms import (
    CASES,
    COUNT_MEAN,
    HADAMARD_COUNT_MEAN,
    HASHED,
    RESPONSE,
    RESPONSE_SIZES,
    SUBSET,
    SUBSET_SIZES,
    THRESHOLD,
    UNARY_ENCODING,
    listed,
)
from independent.mechanism_cases import MechanismCase, Size, wrong_estimates, wrong_joint_estimates, wrong_laws
from independent.numbers import exact
from independent.sketch_cases import Table
from mutants.rewriting import planted_test, read_faults


def named(part: object) -> str:
    """What a test is called by: the mechanism and its size."""
    return str(part) if isinstance(part, MechanismCase) or type(part) is tuple else ""


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_law_is_the_one_by_brute_force(case: MechanismCase) -> None:
    assert list(wrong_laws(case)) == []


def wrong_moments(case: MechanismCase) -> Iterator[str]:
    """Over the joint law of reports, and as sums over them."""
    yield from wrong_joint_estimates(case)
    yield from wrong_estimates(case)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_mean_and_variance(case: MechanismCase) -> None:
    assert list(wrong_moments(case)) == []


FINDERS: dict[str, Callable[[], Iterator[str]]] = {
    **{f"law {case}": partial(wrong_laws, case) for case in CASES},
    **{f"estimates {case}": partial(wrong_moments, case) for case in CASES},
}
FAULTS = read_faults("item_mechanisms.toml") | {
    f"{case}: {wrong}": fault for case in CASES for wrong, fault in case.faults.items()
}
test_planted_faults_are_found = planted_test(FAULTS, FINDERS)


# --- estimates by another program -------------------------------------------------------------------------------------

Program = Callable[[Sequence[Any]], list[Fraction]]


def sketch_program(estimate: Callable[..., list[Fraction]], root: int, m: int, tables: tuple[Table, ...]) -> Program:
    return lambda reports: estimate(reports, len(tables[0]), m, Fraction(root), tables)


def programs() -> Iterator[tuple[MechanismCase, Size, Program]]:
    yield RESPONSE, (3, 1), lambda reports: plain.coefficients_estimate([(y,) for y in reports], 3, 1, 1, Fraction(4))
    for size in [(2, ((0, 1), (0, 0))), (4, ((3, 0, 1),))]:
        yield HADAMARD_COUNT_MEAN, size, sketch_program(plain.hadamard_count_mean_estimate, 4, *size)
    for size in [(2, ((0, 1),)), (2, ((0, 0), (0, 1))), (3, ((0, 1, 2),))]:
        yield COUNT_MEAN, size, sketch_program(plain.count_mean_estimate, 2, *size)
    yield (
        HASHED,
        (2, tuple(product(range(2), repeat=3)), True),
        lambda reports: plain.hashing_estimate([(label, h.values) for h, label in reports], 3, 2, Fraction(4)),
    )


@pytest.mark.parametrize(("case", "size", "program"), list(programs()), ids=named)
def test_the_estimates_are_those_of_another_program(case: MechanismCase, size: Size, program: Program) -> None:
    mechanism, reports = case.built(*size), list(case.own_laws(*size)[0])
    listed = product(reports[::3], repeat=3) if case is HASHED else product(reports, repeat=2)
    for drawn in listed:
        assert list(mechanism.estimate(drawn).values()) == [exact(v) for v in program(drawn)]


# --- audits -----------------------------------------------------------------------------------------------------------


def oracles() -> Iterator[tuple[MechanismCase, Size, Oracle]]:
    stated = epsilon("epsilon", "2*ln(2)")
    yield UNARY_ENCODING, (3,), oracle("OUE", {"d": 3, "epsilon": "2*ln(2)"})
    yield from ((SUBSET, (d, k), oracle("SS", {"d": d, "k": k, "epsilon": "ln(2)"})) for d, k in SUBSET_SIZES)
    yield from ((RESPONSE, (d, first), coefficient(d, stated, first)) for d, first in RESPONSE_SIZES)
    hadamard_sizes: list[Size] = [(2, ((0, 1), (1, 1))), (4, ((0, 1, 1), (2, 0, 3)))]
    for m, tables in hadamard_sizes:
        yield HADAMARD_COUNT_MEAN, (m, tables), hadamard_count_mean(len(tables[0]), stated, m, tables)
    sizes: list[Size] = [(2, ((0, 1), (1, 1))), (3, ((0, 1, 1), (2, 0, 1))), (2, ((0, 0),))]
    for m, tables in sizes:
        yield COUNT_MEAN, (m, tables), count_mean(len(tables[0]), stated, m, tables)


@pytest.mark.parametrize(("case", "size", "target"), list(oracles()), ids=named)
def test_what_audits_state_is_the_law_of_the_program(case: MechanismCase, size: Size, target: Oracle) -> None:
    mechanism = case.built(*size)
    assert {x: dict(target.law(x)) for x in target.inputs} == exact_channel(mechanism).rows
    for report in target.law(0):
        assert tuple(mechanism.estimate([report]).values()) == tuple(target.estimate([report]) or ())


# --- runs and refusals ------------------------------------------------------------------------------------------------

FUNCTION, OTHER = listed(2, ((0, 1), (1, 0))).functions
SWAPPED: Size = (2, ((0, 1), (1, 0)))
RUNS: list[tuple[MechanismCase, Size, list[int], int, Any]] = [
    (UNARY_ENCODING, (3,), [1, 0, 1], 1, (1, 0, 1)),
    (SUBSET, (3, 2), [1, 0, 0, 1], 1, frozenset([1, 2])),
    (RESPONSE, (3, 1), [3, 1], 2, (3, 1)),  # column 3 has two ones in common with coordinate 3
    (HADAMARD_COUNT_MEAN, (4, ((0, 0), (1, 2))), [1, 3, 0], 1, (1, 1, 3)),
    (COUNT_MEAN, (3, ((0, 1), (2, 0))), [1, 0, 1, 0], 0, ((-1, 1, 1), 1)),
    (HASHED, SWAPPED, [1, 0], 0, (OTHER, 0)),
]


@pytest.mark.parametrize(("case", "size", "script", "item", "report"), RUNS, ids=named)
def test_a_scripted_run(case: MechanismCase, size: Size, script: list[int], item: int, report: Any) -> None:
    coins = ScriptedCoins(script)
    assert case.built(*size).randomize(item, coins) == report
    coins.require_finished()


OTHER_BITS: list[Any] = [(1, 0), (1, 0, 0, 0), (1, 0, 2), (True, 0, 0), (1.0, 0, 0), None, "100"]
OTHER_SIGNS = [(1, -1, 1), (1,), (1, 0), (True, -1), (1.0, -1), (2, -1), [1, -1], "+-", None]
BAD_REPORTS: list[tuple[MechanismCase, Size, Any, list[Any]]] = [
    (UNARY_ENCODING, (3,), (0, 0, 1), OTHER_BITS),
    (THRESHOLD, (2, Fraction(1, 2)), (0, 1), [(1,), (1, 0, 0), (1, 2), (True, 0), (1.0, 0), None, "10"]),
    (
        SUBSET,
        (3, 2),
        frozenset([0, 1]),
        [frozenset([0]), frozenset([0, 7]), frozenset([0, 1, 2]), {0, 1}, (0, 1), None, 0],
    ),
    (
        RESPONSE,
        (3, 0),
        (3, -1),
        [(4, 1), (-1, 1), (0, 0), (0, True), (True, 1), (0, 1.0), (0.0, 1), (0, 1, 1), [0, 1], None, 3],
    ),
    (
        HADAMARD_COUNT_MEAN,
        (4, ((0, 1), (2, 3))),
        (1, 1, 3),
        [
            *((sign, 0, 0) for sign in (0, 2, True, 1.0)),
            *((1, row, 0) for row in (2, -1, True, 1.0)),
            *((1, 0, coordinate) for coordinate in (4, -1, True, 1.0)),
            *((1, 0), (1, 0, 0, 0), [1, 0, 0], None),
        ],
    ),
    (
        COUNT_MEAN,
        (2, ((0, 1), (0, 0))),
        ((1, -1), 1),
        [
            *((signs, 0) for signs in OTHER_SIGNS),
            *(((1, -1), row) for row in (2, -1, True, 0.0, None, "0")),
            *(None, (1, -1), ((1, -1), 0, 0), [(1, -1), 0], {}),
        ],
    ),
    (
        HASHED,
        SWAPPED,
        (FUNCTION, 1),
        [
            *((FUNCTION, label) for label in (2, -1, True, 0.0)),
            *((FUNCTION, 0, 0), [FUNCTION, 0], ((0, 1), 0), (0, FUNCTION), None),
            (LabelFunction((0, 1), (0, 1), 3), 0),
            (LabelFunction((1, 0), (0, 1), 2), 0),
            (LabelFunction((0, 1), (0, 0), 2), 0),
        ],
    ),
]


def after(mechanism: Any, good: Any) -> Callable[[Any], Any]:
    """The estimate from a report behind a good one."""
    return lambda report: mechanism.estimate([good, report])


test_refusals = refusal_test(
    *(refuses("reports", after(case.built(*size), good), *bad) for case, size, good, bad in BAD_REPORTS)
)
