"""Private count-mean sketch: law, estimator and variance by brute force, ties to the law term; planted faults."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import fmpq
from numpy.random import default_rng

from dp_audit.oracles.base import epsilon
from dp_audit.oracles.sketch import CountMeanSketch
from dp_refimpl.coins import SamplingCoins, ScriptedCoins
from dp_refimpl.enumeration import exact_channel, output_law
from dp_refimpl.frequency.count_sketch import (
    ClientCMS,
    Sampled,
    aggregate,
    count_mean,
    count_min,
    plain_sketch,
    server_cms,
)
from dp_refimpl.frequency.hash_families import AllFunctions, LabelFunction
from dp_refimpl.frequency.rappor import RAPPOR
from dp_spec.frequency.count_sketch import CMS
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
from mutants.count_sketch import CLIENTS, COUNTS, ESTIMATORS, PLAIN, THINNED
from mutants.mechanisms import mutant

HALF = Fraction(2)
"""e^(eps/2)."""
SIZES = tuple(product((1, 2, 3), (1, 2, 3)))
"""(d, m)."""
T = RationalFunctionField({"t": 1}).variable("t")


def built(m: int, tables: tuple[Table, ...], cls: type[Any] = ClientCMS, root: Any = None) -> Any:
    budget = Budget.of_root(exact(HALF) if root is None else root, 2)
    return cls(ItemDomain.of_sizes(len(tables[0])), budget, functions(tables, m))


def laws(m: int, tables: tuple[Table, ...]) -> dict[int, PlainLaw]:
    return {x: plain.count_mean(x, m, HALF, tables) for x in range(len(tables[0]))}


def cases(k_max: int = 3, m_min: int = 1) -> Iterator[tuple[int, tuple[Table, ...]]]:
    for d, m in SIZES:
        if m >= m_min:
            yield from ((m, tables) for tables in sketches(d, m, k_max))


def wrong_laws(cls: type[Any] = ClientCMS) -> Iterator[str]:
    """Against plain fractions at a rational budget, and against the kernel's enumeration of the term for every one."""
    for m, tables in cases():
        if rows_of(built(m, tables, cls)) != laws(m, tables):
            yield f"law at m = {m}, functions {tables}"
    for m, tables in cases(2):
        mechanism = built(m, tables, cls, T)
        yield from not_as_stated(
            mechanism, CMS, {"b": m}, [tables], lambda y: (y[1], tuple((sign + 1) // 2 for sign in y[0]))
        )


def wrong_estimates(cls: type[Any] = ClientCMS) -> Iterator[str]:
    """The server's numbers, with its matrix by another program; their mean and variance for fixed functions."""
    for m, tables in cases(m_min=2):
        mechanism, rows = built(m, tables, cls), laws(m, tables)
        moments = contributions(rows, mechanism.estimate)
        for data in data_sets(len(tables[0])):
            for x in range(len(tables[0])):
                if summed(moments, data, x) != (mean(m, tables, data, x), variance(m, tables, data, x)):
                    yield f"m = {m}, functions {tables}, data {data}, item {x}"
    for m, tables in [(2, ((0, 1),)), (2, ((0, 0), (0, 1))), (3, ((0, 1, 2),))]:
        mechanism, d = built(m, tables, cls), len(tables[0])
        for reports in product(laws(m, tables)[0], repeat=2):
            stated = plain.count_mean_estimate(reports, d, m, HALF, tables)
            if [mechanism.estimate(reports)[x] for x in range(d)] != [exact(v) for v in stated]:
                yield f"estimate from {reports}"


def mean(m: int, tables: tuple[Table, ...], data: Table, x: int) -> Fraction:
    """Of f'(d), given the functions: every user adds (m kappa - 1) / (m - 1)."""
    return sum(((m * collisions(tables, held, x) - 1) / (m - 1) for held in data), Fraction(0))


def variance(m: int, tables: tuple[Table, ...], data: Table, x: int) -> Fraction:
    """Of f'(d), given the functions: (m/(m-1))^2 [n (c^2 - 1)/4 + sum over other items of f(d') kappa (1 - kappa)]."""
    c = (HALF + 1) / (HALF - 1)
    shared = [collisions(tables, held, x) for held in data if held != x]
    return Fraction(m, m - 1) ** 2 * (len(data) * (c**2 - 1) / 4 + sum(kappa * (1 - kappa) for kappa in shared))


def test_the_law_is_the_one_by_brute_force_and_the_kernels() -> None:
    assert list(wrong_laws()) == []


def test_mean_and_variance_for_fixed_functions() -> None:
    assert list(wrong_estimates()) == []


@pytest.mark.parametrize("name", CLIENTS)
def test_a_fault_of_the_client_is_caught(name: str) -> None:
    assert any(wrong_laws(mutant(ClientCMS, CLIENTS[name])))


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_fault_of_the_server_is_caught(name: str) -> None:
    assert any(wrong_estimates(mutant(ClientCMS, ESTIMATORS[name])))


@pytest.mark.parametrize("tables", [((0, 1),), ((0, 0),), ((0, 1), (1, 1))], ids=str)
def test_the_variance_of_joint_reports_is_that_of_the_sum(tables: tuple[Table, ...]) -> None:
    """Nothing is taken for granted about sums: the joint law of all reports."""
    mechanism = built(2, tables)
    for data in data_sets(2, 3 if len(tables) == 1 else 2):
        for x, found in jointly(laws(2, tables), data, mechanism.estimate).items():
            n = len(data)
            assert found == (mean(2, tables, data, x) / n, variance(2, tables, data, x) / n**2)


@pytest.mark.parametrize(
    ("m", "tables"),
    [(2, ((0, 0, 1), (0, 1, 1))), (3, ((0, 1, 0), (0, 1, 2), (0, 0, 0))), (3, ((0, 1), (2, 0)))],
    ids=str,
)
def test_the_variance_of_one_report_for_every_budget(m: int, tables: tuple[Table, ...]) -> None:
    """Over Q(t): the formula of source 004, where the budget is the variable."""
    mechanism, c = built(m, tables, root=T), (T + 1) / (T - 1)
    for held, row in exact_channel(mechanism).rows.items():
        scores = {y: mechanism.estimate([y]) for y in row}
        for x in range(len(tables[0])):
            kappa = exact(collisions(tables, held, x))
            average = sum((p * scores[y][x] for y, p in row.items()), 0 * T)
            square = sum((p * scores[y][x] ** 2 for y, p in row.items()), 0 * T)
            between = T.field.lift(kappa * (1 - kappa))
            assert average == T.field.lift((m * kappa - 1) / (m - 1))
            assert (square - average**2) * (m - 1) ** 2 == m**2 * ((c**2 - 1) / 4 + between)


@pytest.mark.parametrize(("d", "m", "k"), [(1, 2, 1), (2, 2, 1), (3, 2, 1), (2, 2, 2), (3, 2, 2), (2, 3, 1), (3, 3, 1)])
def test_unbiased_for_functions_drawn_with_collision_chance_one_over_m(d: int, m: int, k: int) -> None:
    """k functions drawn independently from all of them, before the data; every user's contribution on average."""
    drawn = [(h.values, weight) for h, weight in AllFunctions(tuple(range(d)), m).law().items()]
    total = dict.fromkeys(product(range(d), repeat=2), Fraction(0))
    for chosen in product(drawn, repeat=k):
        tables = tuple(values for values, _ in chosen)
        for at, (value, _) in contributions(laws(m, tables), built(m, tables).estimate).items():
            total[at] += value * Fraction(1, m ** (d * k))
    assert total == {(held, x): int(held == x) for held, x in total}


def test_fixed_functions_are_biased_unless_collisions_are_those_of_chance() -> None:
    tables = ((0, 0, 1), (0, 1, 1))  # items 0 and 1 collide half of the time, 0 and 2 never
    moments = contributions(laws(2, tables), built(2, tables).estimate)
    assert [moments[held, 0][0] for held in range(3)] == [1, 0, -1]


@pytest.mark.parametrize(("m", "tables"), list(cases(2)), ids=str)
def test_the_largest_ratio_is_e_eps_if_a_function_separates_two_items(m: int, tables: tuple[Table, ...]) -> None:
    assert largest_ratio(built(m, tables)) == (exact(HALF) ** 2 if separates(tables) else 1)
    if len(tables) == 1:
        assert largest_ratio(built(m, tables, root=T)) == (T**2 if separates(tables) else 1)


def test_the_matrix_does_not_depend_on_the_order_and_rows_are_debiased() -> None:
    """Row l of M has the true sketch's row as its mean, for every row (source 004, step 3: the factor k)."""
    tables = ((0, 1, 1), (2, 0, 1))
    mechanism, rows = built(3, tables), laws(3, tables)
    one, other = list(rows[0])[3], list(rows[0])[12]
    assert server_cms([one, other], 2, 3, mechanism.budget) == server_cms([other, one], 2, 3, mechanism.budget)
    for x, row in rows.items():
        total = [[fmpq(0)] * 3 for _ in tables]
        for report, p in row.items():
            matrix = server_cms([report], 2, 3, mechanism.budget)
            total = [[a + exact(p) * b for a, b in zip(u, v, strict=True)] for u, v in zip(total, matrix, strict=True)]
        assert total == [[int(table[x] == column) for column in range(3)] for table in tables]


def test_no_reports_are_no_records_and_no_frequencies() -> None:
    mechanism = built(2, ((0, 1),))
    matrix = server_cms([], 1, 2, mechanism.budget)
    assert [aggregate(matrix, 0, mechanism.functions, x) for x in (0, 1)] == [0, 0]
    with pytest.raises(DomainError) as error:
        mechanism.estimate([])
    assert error.value.parameter == "reports"


def test_what_audits_state_is_the_law_of_the_program() -> None:
    for m, tables in [(2, ((0, 1), (1, 1))), (3, ((0, 1, 1), (2, 0, 1))), (2, ((0, 0),))]:
        oracle = CountMeanSketch(len(tables[0]), epsilon("epsilon", "2*ln(2)"), m, tables)
        mechanism = built(m, tables)
        assert {x: dict(oracle.law(x)) for x in oracle.inputs} == exact_channel(mechanism).rows
        for report in list(oracle.law(0))[::3]:
            assert [mechanism.estimate([report])[x] for x in oracle.inputs] == list(oracle.scores(report))


# --- plain sketches ---------------------------------------------------------------------------------------------------


def wrong_sketches(made: Any = plain_sketch, least: Any = count_min, mean: Any = count_mean) -> Iterator[str]:
    for d, m in product((1, 2, 3), (1, 2, 3)):
        for tables, data in product(sketches(d, m, 2), data_sets(d)):
            rows = functions(tables, m)
            sketch = made(data, rows)
            if [sum(row) for row in sketch] != [len(data)] * len(tables):
                yield f"{tables}, {data}: {sketch}"
                continue
            for x in range(d):
                cells = [sum(table[held] == table[x] for held in data) for table in tables]
                if least(sketch, rows, x) != min(cells) or least(sketch, rows, x) < data.count(x):
                    yield f"least of {tables}, {data}, item {x}"
                if mean(sketch, rows, x) != fmpq(sum(cells), len(cells)):
                    yield f"mean of {tables}, {data}, item {x}"


def test_plain_sketches_of_all_small_data_sets() -> None:
    assert list(wrong_sketches()) == []


@pytest.mark.parametrize("name", PLAIN)
def test_a_fault_of_a_plain_sketch_is_caught(name: str) -> None:
    assert any(wrong_sketches(PLAIN[name]))


@pytest.mark.parametrize("name", COUNTS)
def test_a_fault_of_its_estimators_is_caught(name: str) -> None:
    assert any(wrong_sketches(least=COUNTS[name]))
    assert any(wrong_sketches(mean=COUNTS[name]))


def test_plain_sketches_refuse() -> None:
    rows = functions(((0, 1), (1, 1)), 2)
    with pytest.raises(DomainError, match="item"):
        plain_sketch([0, 2], rows)
    with pytest.raises(DomainError, match="functions"):
        plain_sketch([0], ())
    for estimate in (count_min, count_mean):
        for sketch in (((1, 0),), ((1, 0, 0), (0, 1, 0)), ((1, 0), (0, 2)), ((2, -1), (0, 1)), ((True, 0), (0, 1))):
            with pytest.raises(DomainError, match="sketch"):
                estimate(sketch, rows, 0)
        with pytest.raises(DomainError, match="sketch"):
            estimate(((1.0, 0), (0, 1)), rows, 0)  # type: ignore[arg-type]
        with pytest.raises(DomainError, match="item"):
            estimate(((1, 0), (0, 1)), rows, 7)


# --- thinning ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rho", [Fraction(1), Fraction(1, 3), fmpq(1, 3)], ids=str)
def test_thinning_multiplies_the_law_and_keeps_its_ratio(rho: Any) -> None:
    client = built(2, ((0, 1), (0, 0)))
    thinned, chance = Sampled(client, rho), Fraction(str(rho))
    for x, row in rows_of(client).items():
        left = {None: 1 - chance} if chance != 1 else {}
        assert rows_of(thinned)[x] == {y: p * chance for y, p in row.items()} | left
    assert largest_ratio(thinned) == largest_ratio(client)


def thinned(cls: type[Any] = Sampled) -> Any:
    return cls(built(2, ((0, 1),)), Fraction(1, 3))


def wrong_thinned_estimates(cls: type[Any] = Sampled) -> Iterator[str]:
    """Over the joint law of two records: the mean is that without thinning, the variance (v + (1 - rho) mu^2) / rho."""
    mechanism = thinned(cls)
    moments = contributions(rows_of(mechanism.mechanism), mechanism.mechanism.estimate)
    for n in (1, 2):
        for data in product((0, 1), repeat=n):
            for x, found in jointly(rows_of(thinned()), data, mechanism.estimate).items():
                of_users = [moments[held, x] for held in data]
                mean = sum((mu for mu, _ in of_users), Fraction(0)) / n
                variance = sum(((v + Fraction(2, 3) * mu**2) * 3 for mu, v in of_users), Fraction(0)) / n**2
                if found != (mean, variance):
                    yield f"{data}, item {x}"


def test_thinned_estimates_are_about_all_records() -> None:
    assert list(wrong_thinned_estimates()) == []
    assert thinned().estimate([None, None]) == {0: 0, 1: 0}
    with pytest.raises(DomainError, match="reports"):
        thinned().estimate([])
    with pytest.raises(DomainError, match="reports"):
        thinned().estimate([None, ((1, -1), 7)])


@pytest.mark.parametrize("name", THINNED)
def test_a_fault_of_thinning_or_its_estimator_is_caught(name: str) -> None:
    cls = mutant(Sampled, THINNED[name])
    assert any(wrong_thinned_estimates(cls)) or rows_of(thinned(cls)) != rows_of(thinned())


@pytest.mark.parametrize("rho", [Fraction(0), Fraction(4, 3), fmpq(-1, 2), 0.5, True])
def test_thinning_refuses(rho: Any) -> None:
    with pytest.raises(DomainError):
        Sampled(built(2, ((0, 1),)), rho)


def test_what_is_thinned_may_be_any_mechanism() -> None:
    mechanism = RAPPOR(ItemDomain.of_sizes(2), Budget.of_root(fmpq(2), 2))
    law = output_law(lambda coins: Sampled(mechanism, Fraction(1, 2)).randomize(0, coins), fmpq(1))
    assert law[None] == fmpq(1, 2)
    assert len(law) == 5


# --- refusals ---------------------------------------------------------------------------------------------------------


ONE, TWO = LabelFunction((0, 1), (0, 1), 2), LabelFunction((0, 1), (0, 1), 3)


@pytest.mark.parametrize(
    "listed",
    [
        (),
        None,
        [ONE],
        (lambda x: 0,),
        (LabelFunction((0,), (0,), 2),),
        (ONE, TWO),
        (ONE, LabelFunction((1, 0), (0, 1), 2)),
    ],
)
def test_functions_that_are_none(listed: Any) -> None:
    with pytest.raises(DomainError) as error:
        ClientCMS(ItemDomain.of_sizes(2), Budget.of_root(fmpq(2), 2), listed)
    assert error.value.parameter == "functions"


OTHER_SIGNS = [(1, -1, 1), (1,), (1, 0), (True, -1), (1.0, -1), (2, -1), [1, -1], "+-", None]
OTHER_ROWS = [2, -1, True, 0.0, None, "0"]
OTHER_FORMS: list[Any] = [None, (1, -1), ((1, -1), 0, 0), [(1, -1), 0], {}]


@pytest.mark.parametrize(
    "report", [*((signs, 0) for signs in OTHER_SIGNS), *(((1, -1), row) for row in OTHER_ROWS), *OTHER_FORMS], ids=str
)
def test_reports_of_another_sketch(report: Any) -> None:
    mechanism = built(2, ((0, 1), (0, 0)))
    with pytest.raises(DomainError) as error:
        mechanism.estimate([((1, -1), 1), report])
    assert error.value.parameter == "reports"


def test_a_server_at_epsilon_zero_and_with_one_column() -> None:
    client = built(2, ((0, 1),), root=fmpq(1))
    report = client.randomize(0, SamplingCoins(default_rng(1)))  # the client runs
    with pytest.raises(DomainError, match="c_eps is not defined") as error:
        client.estimate([report])
    assert error.value.parameter == "budget"
    single = built(1, ((0, 0),))
    assert len(exact_channel(single).rows[0]) == 2
    with pytest.raises(DomainError, match="not defined") as error:
        single.estimate([((1,), 0)])
    assert error.value.parameter == "m"


TWO_ROWS = ((1, 2), (3, 4))


@pytest.mark.parametrize(
    ("matrix", "n", "item", "parameter"),
    [
        (((1, 2),), 1, 0, "matrix"),
        (((1,), (2,)), 1, 0, "matrix"),
        (TWO_ROWS, -1, 0, "n"),
        (TWO_ROWS, True, 0, "n"),
        (TWO_ROWS, 1.0, 0, "n"),
        (TWO_ROWS, 1, 5, "item"),
    ],
)
def test_aggregation_refuses(matrix: Any, n: Any, item: Any, parameter: str) -> None:
    with pytest.raises(DomainError) as error:
        aggregate(matrix, n, functions(((0, 1), (1, 1)), 2), item)
    assert error.value.parameter == parameter


def test_an_unknown_item() -> None:
    with pytest.raises(DomainError, match="item"):
        built(2, ((0, 1),)).randomize(2, SamplingCoins(default_rng(1)))


def test_a_scripted_run_and_a_budget_in_real_numbers() -> None:
    coins = ScriptedCoins([1, 0, 1, 0])
    assert built(3, ((0, 1), (2, 0))).randomize(0, coins) == ((-1, 1, 1), 1)
    coins.require_finished()
    client: ClientCMS[Any] = ClientCMS(d=2, epsilon=1, functions=functions(((0, 1),), 2))
    assert str(client.estimate([((1, -1), 0)])[0]) == str(-client.estimate([((-1, 1), 0)])[0])
