"""Count-mean sketches with and without the transform: every budget, drawn functions; plain sketches, thinning."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import fmpq
from numpy.random import default_rng

from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.coins import SamplingCoins
from dp_refimpl.enumeration import exact_channel, output_law
from dp_refimpl.frequency.count_sketch import (
    ClientCMS,
    PlainRow,
    Sampled,
    aggregate,
    count_mean,
    plain_sketch,
    server_cms,
)
from dp_refimpl.frequency.hadamard import HCMS
from dp_refimpl.frequency.hash_families import LabelFunction
from dp_refimpl.frequency.rappor import RAPPOR
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain
from independent.item_mechanisms import COUNT_MEAN
from independent.numbers import exact
from independent.sketch_cases import (
    contributions,
    data_sets,
    functions,
    jointly,
    largest_ratio,
    rows_of,
    sketches,
)
from mutants.rewriting import planted_test, read_faults

# --- both sketches ----------------------------------------------------------------------------------------------------


def test_a_budget_in_real_numbers() -> None:
    rows = functions(((0, 1),), 2)
    plain_one, with_transform = ClientCMS(d=2, epsilon=1, functions=rows), HCMS(d=2, epsilon=1, functions=rows)
    assert str(plain_one.estimate([((1, -1), 0)])[0]) == str(-plain_one.estimate([((-1, 1), 0)])[0])
    assert str(with_transform.estimate([(1, 0, 1)])[0]) == str(-with_transform.estimate([(-1, 0, 1)])[0] - 2)


# --- the sketch without the transform ---------------------------------------------------------------------------------


def test_the_matrix_does_not_depend_on_the_order_and_rows_are_debiased() -> None:
    """Row l of M has the true sketch's row as its mean, for every row (source 004, step 3: the factor k)."""
    tables = ((0, 1, 1), (2, 0, 1))
    mechanism, rows = COUNT_MEAN.built(3, tables), COUNT_MEAN.own_laws(3, tables)
    one, other = list(rows[0])[3], list(rows[0])[12]
    assert server_cms([one, other], 2, 3, mechanism.budget) == server_cms([other, one], 2, 3, mechanism.budget)
    for x, row in rows.items():
        total = [[fmpq(0)] * 3 for _ in tables]
        for report, p in row.items():
            matrix = server_cms([report], 2, 3, mechanism.budget)
            total = [[a + exact(p) * b for a, b in zip(u, v, strict=True)] for u, v in zip(total, matrix, strict=True)]
        assert total == [[int(table[x] == column) for column in range(3)] for table in tables]


def test_no_reports_are_no_records_and_no_frequencies() -> None:
    mechanism = COUNT_MEAN.built(2, ((0, 1),))
    matrix = server_cms([], 1, 2, mechanism.budget)
    assert [aggregate(matrix, 0, mechanism.functions, x) for x in (0, 1)] == [0, 0]


# --- plain sketches ---------------------------------------------------------------------------------------------------


def test_plain_sketches_of_all_small_data_sets() -> None:
    for d, m in product((1, 2, 3), (1, 2, 3)):
        for tables, data in product(sketches(d, m, 2), data_sets(d)):
            rows = functions(tables, m)
            sketch = plain_sketch(data, rows)
            assert [sum(row) for row in sketch] == [len(data)] * len(tables)
            for x in range(d):
                cells = [sum(table[held] == table[x] for held in data) for table in tables]
                assert count_mean(sketch, rows, x) == fmpq(sum(cells), len(cells))


def test_a_row_of_the_plain_sketch_is_drawn_uniformly() -> None:
    """Its counters, as signs, are 1 in the record's cell."""
    rows = functions(((0, 1), (1, 1)), 3)
    drawn = PlainRow(ItemDomain.of_sizes(2), Budget.of_root(fmpq(2)), rows)
    law = output_law(lambda coins: drawn.randomize(0, coins), drawn.one)
    assert law == {((1, -1, -1), 0): fmpq(1, 2), ((-1, 1, -1), 1): fmpq(1, 2)}


# --- thinning ---------------------------------------------------------------------------------------------------------


def thinned(rho: Any = Fraction(1, 3)) -> Any:
    return Sampled(COUNT_MEAN.built(2, ((0, 1), (0, 0))), rho)


def wrong_thinned_laws(rho: Any = Fraction(1, 3)) -> Iterator[str]:
    """Chances that are not those of the client, times rho."""
    mechanism, chance = thinned(rho), Fraction(str(rho))
    for x, row in rows_of(mechanism.mechanism).items():
        left = {None: 1 - chance} if chance != 1 else {}
        if rows_of(mechanism)[x] != {y: p * chance for y, p in row.items()} | left:
            yield f"item {x}"


@pytest.mark.parametrize("rho", [Fraction(1), Fraction(1, 3), fmpq(1, 3)], ids=str)
def test_thinning_multiplies_the_law_and_keeps_its_ratio(rho: Any) -> None:
    assert list(wrong_thinned_laws(rho)) == []
    assert largest_ratio(thinned(rho)) == largest_ratio(thinned().mechanism)


def wrong_thinned_estimates() -> Iterator[str]:
    """Over the joint law of two records: the mean is that without thinning, the variance (v + (1 - rho) mu^2) / rho."""
    mechanism = thinned()
    moments = contributions(rows_of(mechanism.mechanism), mechanism.mechanism.estimate)
    for n in (1, 2):
        for data in product((0, 1), repeat=n):
            for x, pair in jointly(rows_of(mechanism), data, mechanism.estimate).items():
                of_users = [moments[held, x] for held in data]
                mean = sum((mu for mu, _ in of_users), Fraction(0)) / n
                variance = sum(((v + Fraction(2, 3) * mu**2) * 3 for mu, v in of_users), Fraction(0)) / n**2
                if pair != (mean, variance):
                    yield f"{data}, item {x}"


def test_thinned_estimates_are_about_all_records() -> None:
    assert list(wrong_thinned_estimates()) == []
    assert thinned().estimate([None, None]) == {0: 0, 1: 0}


test_planted_faults_are_found = planted_test(
    read_faults("thinning.toml"), {"thinned laws": wrong_thinned_laws, "thinned estimates": wrong_thinned_estimates}
)


def test_what_is_thinned_may_be_any_mechanism() -> None:
    mechanism = RAPPOR(ItemDomain.of_sizes(2), Budget.of_root(fmpq(2), 2))
    law = output_law(lambda coins: Sampled(mechanism, Fraction(1, 2)).randomize(0, coins), fmpq(1))
    assert law[None] == fmpq(1, 2)
    assert len(law) == 5


# --- refusals ---------------------------------------------------------------------------------------------------------

ONE, TWO = LabelFunction((0, 1), (0, 1), 2), LabelFunction((0, 1), (0, 1), 3)
SWAPPED = LabelFunction((1, 0), (0, 1), 2)
ROWS, ROW = functions(((0, 1), (1, 1)), 2), ((0, 1),)
TWO_ROWS = ((1, 2), (3, 4))
NO_SKETCHES = (((1, 0),), ((1, 0, 0), (0, 1, 0)), ((1, 0), (0, 2)), ((2, -1), (0, 1)), ((True, 0), (0, 1)))


def aggregated(matrix: Any, n: Any, item: Any) -> Any:
    return aggregate(matrix, n, ROWS, item)


def estimated_at_zero() -> Any:
    client = COUNT_MEAN.built(2, ROW, root=Fraction(1))
    return client.estimate([client.randomize(0, SamplingCoins(default_rng(1)))])


test_refusals = refusal_test(
    refuses(
        "functions",
        lambda listed: ClientCMS(ItemDomain.of_sizes(2), Budget.of_root(fmpq(2), 2), listed),
        *((), None, [ONE], (lambda x: 0,), (LabelFunction((0,), (0,), 2),), (ONE, TWO), (ONE, SWAPPED)),
    ),
    refuses("budget", estimated_at_zero, says="c_eps is not defined"),
    refuses("m", lambda: COUNT_MEAN.built(1, ((0, 0),)).estimate([((1,), 0)]), says="not defined"),
    refuses_each("matrix", aggregated, (((1, 2),), 1, 0), (((1,), (2,)), 1, 0)),
    refuses("n", lambda n: aggregated(TWO_ROWS, n, 0), -1, True, 1.0),
    refuses("item", lambda item: aggregated(TWO_ROWS, 1, item), 5),
    refuses("item", lambda item: plain_sketch([0, item], ROWS), 2),
    refuses("functions", lambda: plain_sketch([0], ())),
    refuses("sketch", lambda sketch: count_mean(sketch, ROWS, 0), *NO_SKETCHES, ((1.0, 0), (0, 1))),
    refuses("item", lambda item: count_mean(((1, 0), (0, 1)), ROWS, item), 7),
    refuses("reports", lambda reports: thinned().estimate(reports), [], [None, ((1, -1), 7)]),
    refuses("rho", lambda rho: Sampled(COUNT_MEAN.built(2, ROW), rho), Fraction(0), Fraction(4, 3), fmpq(-1, 2)),
    refuses("number", lambda rho: Sampled(COUNT_MEAN.built(2, ROW), rho), 0.5, True),
)


def test_one_column_is_a_law() -> None:
    assert len(exact_channel(COUNT_MEAN.built(1, ((0, 0),))).rows[0]) == 2
