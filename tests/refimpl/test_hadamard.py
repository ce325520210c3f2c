"""Hadamard response and Hadamard count-mean sketch: laws, moments, transform, ratio; planted faults."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from dp_audit.oracles.base import epsilon
from dp_audit.oracles.hadamard import HadamardMechanism
from dp_audit.oracles.sketch import HadamardCountMeanSketch
from dp_refimpl.coins import SamplingCoins, ScriptedCoins
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.count_sketch import ClientCMS
from dp_refimpl.frequency.hadamard import HCMS, HadamardResponse, hadamard_entry, server_hcms, walsh_hadamard
from dp_refimpl.frequency.hash_families import AllFunctions
from dp_spec.frequency import hadamard as spec
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.ratfunc import RationalFunctionField
from independent import plain_oracles as plain
from independent.sketch_cases import (
    PlainLaw,
    Table,
    collisions,
    contributions,
    data_sets,
    exact,
    functions,
    jointly,
    largest_ratio,
    not_as_stated,
    rows_of,
    separates,
    sketches,
    summed,
)
from mutants.hadamard import RESPONSE_SERVERS, RESPONSES, SKETCH_SERVERS, SKETCHES
from mutants.mechanisms import mutant

ROOT = Fraction(2)
"""e^(eps/2); e^eps is 4 and c is 5/3."""
W = ROOT**2
C = (W + 1) / (W - 1)
VARIABLE = RationalFunctionField({"w": 1}).variable("w")
RESPONSE_SIZES = tuple(product((1, 2, 3, 4), (0, 1)))
"""(d, first)."""


def power(root: Any) -> Budget[Any]:
    return Budget.of_root(exact(ROOT), 2) if root is None else Budget.of_root(root)


# --- the matrix -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 4, 8, 16])
def test_the_matrix_is_sylvesters(size: int) -> None:
    assert [[hadamard_entry(i, j) for j in range(size)] for i in range(size)] == plain.sylvester(size)


@given(st.integers(0, 5).flatmap(lambda n: st.lists(st.fractions(max_denominator=9), min_size=2**n, max_size=2**n)))
def test_the_transform_is_the_product_with_the_matrix(values: list[Fraction]) -> None:
    matrix = plain.sylvester(len(values))
    found = walsh_hadamard([exact(v) for v in values])
    assert list(found) == [exact(sum((h * v for h, v in zip(row, values, strict=True)), Fraction(0))) for row in matrix]
    assert list(walsh_hadamard(found)) == [len(values) * exact(v) for v in values]


@pytest.mark.parametrize("values", [[], [1, 2, 3], [1] * 12])
def test_the_transform_of_other_lengths(values: list[int]) -> None:
    with pytest.raises(DomainError, match="power of two"):
        walsh_hadamard(values)


# --- Hadamard response ------------------------------------------------------------------------------------------------


def response(d: int, first: int, cls: type[Any] = HadamardResponse, root: Any = None) -> Any:
    return cls(ItemDomain.of_sizes(d), power(root), first)


def response_laws(d: int, first: int) -> dict[int, PlainLaw]:
    return {x: plain.coefficients(x, d, 1, first, W) for x in range(d)}


def wrong_responses(cls: type[Any] = HadamardResponse) -> Iterator[str]:
    for d, first in RESPONSE_SIZES:
        if rows_of(response(d, first, cls)) != response_laws(d, first):
            yield f"d = {d}, first = {first}"


def wrong_response_estimates(cls: type[Any] = HadamardResponse) -> Iterator[str]:
    """Mean f_x and variance (c^2 - f_x) / n for every data set."""
    for d, first in RESPONSE_SIZES:
        moments = contributions(response_laws(d, first), response(d, first, cls).estimate)
        for data in data_sets(d):
            n = len(data)
            for x in range(d):
                f = Fraction(data.count(x), n)
                mean, variance = summed(moments, data, x)
                if (mean / n, variance / n**2) != (f, (C**2 - f) / n):
                    yield f"d = {d}, first = {first}, {data}: item {x}"
    for reports in product(response_laws(3, 1)[0], repeat=2):
        stated = plain.coefficients_estimate([(y,) for y in reports], 3, 1, 1, W)
        if list(response(3, 1, cls).estimate(reports).values()) != [exact(v) for v in stated]:
            yield f"estimate from {reports}"


def test_the_law_of_a_response_is_the_one_by_brute_force() -> None:
    assert list(wrong_responses()) == []


@pytest.mark.parametrize(("d", "first"), RESPONSE_SIZES)
def test_the_law_of_a_response_is_the_term_for_every_budget(d: int, first: int) -> None:
    mechanism = response(d, first, root=VARIABLE)
    family = [tuple((1 - h) // 2 for h in row[first : first + d]) for row in plain.sylvester(mechanism.size)]
    assert list(not_as_stated(mechanism, spec.RESPONSE, {}, [family], lambda y: (y[0], (1 - y[1]) // 2))) == []
    assert largest_ratio(mechanism) == (VARIABLE if d > 1 else 1)
    assert all(sum(a[x] == a[y] for a in family) * 2 == len(family) for x in range(d) for y in range(x))


def test_mean_and_variance_of_a_response() -> None:
    assert list(wrong_response_estimates()) == []


@pytest.mark.parametrize("name", RESPONSES)
def test_a_fault_of_the_response_is_caught(name: str) -> None:
    assert any(wrong_responses(mutant(HadamardResponse, RESPONSES[name])))


@pytest.mark.parametrize("name", RESPONSE_SERVERS)
def test_a_fault_of_its_server_is_caught(name: str) -> None:
    assert any(wrong_response_estimates(mutant(HadamardResponse, RESPONSE_SERVERS[name])))


def test_one_response_of_those_that_agree() -> None:
    """(coordinate, sign), uniform among those that agree with the item with w / (w + 1), else among the others."""
    for d, first in RESPONSE_SIZES:
        size = response(d, first).size
        for x, law in response_laws(d, first).items():
            for (i, sign), p in law.items():
                assert p == (W if hadamard_entry(i, first + x) == sign else 1) / ((W + 1) * size)


# --- Hadamard count-mean sketch ---------------------------------------------------------------------------------------


def built(m: int, tables: tuple[Table, ...], cls: type[Any] = HCMS, root: Any = None) -> Any:
    return cls(ItemDomain.of_sizes(len(tables[0])), power(root), functions(tables, m))


def laws(m: int, tables: tuple[Table, ...]) -> dict[int, PlainLaw]:
    return {x: plain.hadamard_count_mean(x, m, W, tables) for x in range(len(tables[0]))}


def cases(k_max: int = 3, m_min: int = 1) -> Iterator[tuple[int, tuple[Table, ...]]]:
    for d, m in product((1, 2, 3), (1, 2, 4)):
        if m >= m_min:
            yield from ((m, tables) for tables in sketches(d, m, k_max))


def wrong_laws(cls: type[Any] = HCMS) -> Iterator[str]:
    for m, tables in cases():
        if rows_of(built(m, tables, cls)) != laws(m, tables):
            yield f"m = {m}, functions {tables}"


def wrong_estimates(cls: type[Any] = HCMS) -> Iterator[str]:
    """Mean and variance for fixed functions, of every data set; and the numbers of another program."""
    for m, tables in cases(m_min=2):
        moments = contributions(laws(m, tables), built(m, tables, cls).estimate)
        for data in data_sets(len(tables[0])):
            for x in range(len(tables[0])):
                if summed(moments, data, x) != (mean(m, tables, data, x), variance(m, tables, data, x)):
                    yield f"m = {m}, functions {tables}, data {data}, item {x}"
    for m, tables in [(2, ((0, 1), (0, 0))), (4, ((3, 0, 1),))]:
        mechanism, d = built(m, tables, cls), len(tables[0])
        for reports in product(laws(m, tables)[0], repeat=2):
            stated = plain.hadamard_count_mean_estimate(reports, d, m, W, tables)
            if list(mechanism.estimate(reports).values()) != [exact(v) for v in stated]:
                yield f"estimate from {reports}"


def mean(m: int, tables: tuple[Table, ...], data: Table, x: int) -> Fraction:
    """Of f'(d), given the functions: every user adds (m kappa - 1) / (m - 1)."""
    return sum(((m * collisions(tables, held, x) - 1) / (m - 1) for held in data), Fraction(0))


def variance(m: int, tables: tuple[Table, ...], data: Table, x: int) -> Fraction:
    """(m/(m-1))^2 [n c^2 - f(d) - sum over other items of f(d') kappa^2], c = (e^eps + 1) / (e^eps - 1)."""
    shared = sum((collisions(tables, held, x) ** 2 for held in data if held != x), Fraction(0))
    return Fraction(m, m - 1) ** 2 * (len(data) * C**2 - data.count(x) - shared)


def test_the_law_of_the_sketch_is_the_one_by_brute_force() -> None:
    assert list(wrong_laws()) == []


@pytest.mark.parametrize(("m", "tables"), list(cases(2)), ids=str)
def test_the_law_of_the_sketch_is_the_term_for_every_budget(m: int, tables: tuple[Table, ...]) -> None:
    """The families are those of the rows and of the coordinates, whose labels are the signs."""
    mechanism = built(m, tables, root=VARIABLE)
    signs = [tuple((1 - sign) // 2 for sign in row) for row in plain.sylvester(m)]

    def written(report: Any) -> Any:
        sign, row, coordinate = report
        return row, (coordinate, (1 - sign) // 2)

    assert list(not_as_stated(mechanism, spec.HCMS, {"b": m}, [tables, signs], written)) == []
    assert largest_ratio(mechanism) == (VARIABLE if separates(tables) else 1)
    for x, y in product(range(len(tables[0])), repeat=2):
        kappa = collisions(tables, x, y)
        both = [tuple(row[cell] for cell in table) for table in tables for row in signs]
        assert collisions(both, x, y) == kappa + (1 - kappa) / 2


def test_mean_and_variance_of_the_sketch_for_fixed_functions() -> None:
    assert list(wrong_estimates()) == []


@pytest.mark.parametrize("name", SKETCHES)
def test_a_fault_of_the_client_is_caught(name: str) -> None:
    assert any(wrong_laws(mutant(HCMS, SKETCHES[name])))


@pytest.mark.parametrize("name", SKETCH_SERVERS)
def test_a_fault_of_the_server_is_caught(name: str) -> None:
    assert any(wrong_estimates(mutant(HCMS, SKETCH_SERVERS[name])))


def test_moments_over_the_joint_law_of_two_reports() -> None:
    tables = ((0, 1), (0, 0))
    for data in combinations_with_replacement(range(2), 2):
        for x, found in jointly(laws(2, tables), data, built(2, tables).estimate).items():
            assert found == (mean(2, tables, data, x) / 2, variance(2, tables, data, x) / 4)


@pytest.mark.parametrize(("m", "tables"), [(2, ((0, 0, 1), (0, 1, 1))), (4, ((0, 1, 0), (3, 1, 2)))], ids=str)
def test_the_variance_of_one_report_for_every_budget(m: int, tables: tuple[Table, ...]) -> None:
    mechanism, c = built(m, tables, root=VARIABLE), (VARIABLE + 1) / (VARIABLE - 1)
    for held, row in exact_channel(mechanism).rows.items():
        scores = {y: mechanism.estimate([y]) for y in row}
        for x in range(3):
            average = sum((p * scores[y][x] for y, p in row.items()), 0 * VARIABLE)
            square = sum((p * scores[y][x] ** 2 for y, p in row.items()), 0 * VARIABLE)
            kappa = exact(collisions(tables, held, x))
            assert average == VARIABLE.field.lift((m * kappa - 1) / (m - 1))
            shown = VARIABLE.field.lift(kappa**2)
            assert (square - average**2) * (m - 1) ** 2 == m**2 * (c**2 - shown)


@pytest.mark.parametrize(("d", "m", "k"), [(1, 2, 1), (2, 2, 1), (3, 2, 1), (2, 2, 2), (2, 4, 1), (3, 4, 1)])
def test_unbiased_for_functions_drawn_with_collision_chance_one_over_m(d: int, m: int, k: int) -> None:
    drawn = [h.values for h in AllFunctions(tuple(range(d)), m).law()]
    total = dict.fromkeys(product(range(d), repeat=2), Fraction(0))
    for tables in product(drawn, repeat=k):
        for at, (value, _) in contributions(laws(m, tables), built(m, tables).estimate).items():
            total[at] += value * Fraction(1, m ** (d * k))
    assert total == {(held, x): int(held == x) for held, x in total}


def test_the_mean_is_that_of_the_sketch_without_the_transform() -> None:
    for m, tables in cases(2, m_min=2):
        plain_client: ClientCMS[Any] = ClientCMS(ItemDomain.of_sizes(len(tables[0])), power(None), functions(tables, m))
        other = contributions(rows_of(plain_client), plain_client.estimate)
        found = contributions(laws(m, tables), built(m, tables).estimate)
        assert {at: value for at, (value, _) in found.items()} == {at: value for at, (value, _) in other.items()}


# --- audits -----------------------------------------------------------------------------------------------------------


def test_what_audits_state_is_the_law_of_the_programs() -> None:
    stated = epsilon("epsilon", "2*ln(2)")
    for d, first in RESPONSE_SIZES:
        target = HadamardMechanism(d, stated, 1, first)
        mechanism = response(d, first)
        assert {x: dict(target.law(x)) for x in target.inputs} == exact_channel(mechanism).rows
        for report in target.law(0):
            assert tuple(mechanism.estimate([report]).values()) == target.scores(report)
    for m, tables in [(2, ((0, 1), (1, 1))), (4, ((0, 1, 1), (2, 0, 3)))]:
        sketch = HadamardCountMeanSketch(len(tables[0]), stated, m, tables)
        assert {x: dict(sketch.law(x)) for x in sketch.inputs} == exact_channel(built(m, tables)).rows
        for report in sketch.law(0):
            assert tuple(built(m, tables).estimate([report]).values()) == sketch.scores(report)


# --- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [2, -1, True, 0.0, None])
def test_columns_that_are_none(first: Any) -> None:
    with pytest.raises(DomainError) as error:
        response(3, first)
    assert error.value.parameter == "first"


@pytest.mark.parametrize(
    "report", [(4, 1), (-1, 1), (0, 0), (0, True), (True, 1), (0, 1.0), (0.0, 1), (0, 1, 1), [0, 1], None, 3], ids=str
)
def test_responses_of_another_size(report: Any) -> None:
    with pytest.raises(DomainError) as error:
        response(3, 0).estimate([(3, -1), report])
    assert error.value.parameter == "reports"


@pytest.mark.parametrize(
    "report",
    [
        *((sign, 0, 0) for sign in (0, 2, True, 1.0)),
        *((1, row, 0) for row in (2, -1, True, 1.0)),
        *((1, 0, coordinate) for coordinate in (4, -1, True, 1.0)),
        (1, 0),
        (1, 0, 0, 0),
        [1, 0, 0],
        None,
    ],
    ids=str,
)
def test_reports_of_another_sketch(report: Any) -> None:
    with pytest.raises(DomainError) as error:
        built(4, ((0, 1), (2, 3))).estimate([(1, 1, 3), report])
    assert error.value.parameter == "reports"


@pytest.mark.parametrize("m", [3, 6])
def test_a_number_of_labels_that_is_no_power_of_two(m: int) -> None:
    with pytest.raises(DomainError) as error:
        built(m, ((0, 1),))
    assert error.value.parameter == "m"


def test_other_refusals() -> None:
    coins = SamplingCoins(default_rng(1))
    for mechanism in (response(2, 0), built(2, ((0, 1),))):
        with pytest.raises(DomainError, match="item"):
            mechanism.randomize(2, coins)
    with pytest.raises(DomainError, match="reports"):
        response(2, 0).estimate([])
    for at_zero in (response(2, 0, root=fmpq(1)), built(2, ((0, 1),), root=fmpq(1))):
        with pytest.raises(DomainError) as error:
            at_zero.estimate([at_zero.randomize(0, coins)])
        assert error.value.parameter == "budget"
    with pytest.raises(DomainError) as error:
        built(1, ((0, 0),)).estimate([(1, 0, 0)])
    assert error.value.parameter == "m"
    with pytest.raises(DomainError, match="power of two"):
        server_hcms([(1, 0, 2)], 1, 3, power(None))


def test_scripted_runs() -> None:
    coins = ScriptedCoins([3, 1])
    assert response(3, 1).randomize(2, coins) == (3, 1)  # column 3 has two ones in common with coordinate 3
    coins.require_finished()
    coins = ScriptedCoins([1, 3, 0])
    assert built(4, ((0, 0), (1, 2))).randomize(1, coins) == (1, 1, 3)
    coins.require_finished()
    client: HCMS[Any] = HCMS(d=2, epsilon=1, functions=functions(((0, 1),), 2))
    assert str(client.estimate([(1, 0, 1)])[0]) == str(-client.estimate([(-1, 0, 1)])[0] - 2)
