"""Every mechanism of the registry has a table, or says why not."""

from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from cases.commands import bad_command_test
from cases.refusals import refusal_test, refuses
from dp_checks.tables import mechanism_table
from dp_refimpl import (
    DPSC,
    MECHANISMS,
    SUE,
    Coins,
    CountTable,
    ExponentialMechanism,
    HMPrivBayes,
    HnoisyConditionals,
    IBayes,
    NoPrivacy,
    PrivBayes,
    TableMechanism,
    exact_channel,
    mechanism_of,
)
from dp_refimpl.frequency.hash_families import AllFunctions, LabelFunction, PublicFunctions
from dp_refimpl.mechanisms import ALIASES, RECORDS
from dp_refimpl.syntheses import SYNTHESES
from dp_refimpl.synthesis.dpsc import LatticeNoise
from dp_refimpl.synthesis.jtree import DependencyGraph, Jtree
from dp_refimpl.synthesis.maximal_information import GridSizes
from dp_refimpl.synthesis.noisy_tables import RangeGeometric
from dp_refimpl.synthesis.scbn import ReconstructedSCBN
from dp_refimpl.synthesis.spectral_embedding import Reduction
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import MissingError
from dp_spec.vocabulary.items import Report

TABLES = "[[0, 1, 0], [1, 1, 0]]"
FUNCTIONS = tuple(LabelFunction((0, 1, 2), values, 2) for values in ((0, 1, 0), (1, 1, 0)))
LIST = PublicFunctions(FUNCTIONS)
SETS, BITS = {"m": "2"}, {"d": "3"}
ON_ARCS, INFINITE = {"Wheel", "SuWheel"}, {"SHE"}
CASES: dict[str, tuple[dict[str, str], dict[str, Any]]] = {
    **{name: ({}, {}) for name, record in RECORDS.items() if not record.needed and name not in ON_ARCS | INFINITE},
    **{name: (SETS, {"m": 2}) for name in ("GRRSplit", "GRRSample", "RAPPORSet", "RAPPORSample")},
    **{name: (SETS, {"m": 2}) for name in ("SuGRR", "SuGRRSample", "SuRAP", "SuRAPSample")},
    "PrivSet": ({"m": "2", "k": "1"}, {"m": 2, "k": 1}),
    "SubsetSelection": ({"k": "2"}, {"k": 2}),
    "THE": ({"theta": "3/4"}, {"theta": Fraction(3, 4)}),
    "LocalHashing": ({"g": "3"}, {"family": AllFunctions((0, 1, 2), 3)}),
    "FLH": ({"g": "2", "functions": TABLES}, {"family": LIST}),
    "ClientCMS": ({"m": "2", "functions": TABLES}, {"functions": FUNCTIONS}),
    "HCMS": ({"m": "2", "functions": TABLES}, {"functions": FUNCTIONS}),
}


def probabilities(channel: Any) -> list[list[Any]]:
    """Of every input, in the order of the inputs and of the program's reports."""
    return [list(row.values()) for row in channel.rows.values()]


def test_there_is_a_case_for_every_mechanism() -> None:
    assert CASES.keys() | ON_ARCS | INFINITE == MECHANISMS.keys()


@pytest.mark.parametrize("name", CASES)
def test_the_table_is_the_enumerated_program(name: str) -> None:
    said, options = CASES[name]
    target = MECHANISMS[name](d=3, epsilon="ln(4)", **options)
    table = mechanism_table(name.lower(), {"d": "3", "epsilon": "ln(4)", **said})
    assert probabilities(table) == probabilities(exact_channel(target))
    assert all(isinstance(report, Report) for row in table.rows.values() for report in row)


@pytest.mark.parametrize("name", sorted(ON_ARCS))
def test_the_table_of_arcs_is_given_the_hash(name: str) -> None:
    table = mechanism_table(name, {"d": "2", "m": "1", "epsilon": "ln(4)", "hash": "0,1/2"})
    assert len(table.rows) == 2
    with pytest.raises(MissingError, match="hash"):
        mechanism_table(name, {"d": "2", "m": "1", "epsilon": "ln(4)"})


def test_a_list_is_told_from_the_idealized_hash_and_a_size_from_the_best_one() -> None:
    parameters = {"d": "3", "epsilon": "ln(4)"}
    ideal, listed = mechanism_table("BLH", parameters), mechanism_table("BLH", {**parameters, "functions": TABLES})
    assert [len(row) for row in (ideal.rows[0], listed.rows[0])] == [16, 4]
    best, other = mechanism_table("SS", parameters), mechanism_table("SS", {**parameters, "k": "2"})
    assert best.rows != other.rows
    near = mechanism_table("OLH", {"d": "1", "epsilon": "ln(99/40)", "rounding": "nearest"})
    assert [len(mechanism_table("OLH", {"d": "1", "epsilon": "ln(99/40)"}).rows[0]), len(near.rows[0])] == [16, 9]


TWO = Budget(2)
ONE = TWO.root * 0 + 1
SEGMENTED = DPSC(GridSizes(), LatticeNoise(fmpq(1), 1 / TWO.exp(), 0, 1), Reduction(fmpq(1), 2), 2)
NETWORKS = IBayes(ExponentialMechanism(TWO), 1)
STEP = HnoisyConditionals(RangeGeometric((ONE / 3,)), 1)  # e^(-epsilon_3 / 2)


def chosen(table: CountTable, coins: Coins) -> Any:
    """F is 0 for a parent that tells a uniform attribute, else -1/2; at e^epsilon = 4 that is half the weight."""
    tells = len(set(table.records)) == 2 and len({x == y for x, y in table.records}) == 1
    weights = [1, 1, 2, 2] if tells else [1] * 4
    return ((0, ()), (1, ()), (0, (1,)), (1, (0,)))[coins.choose([ONE * w / sum(weights) for w in weights])]


ON_TABLES: dict[str, tuple[dict[str, str], Any]] = {
    "HMPrivBayes": (
        {"sizes": "2,2", "n": "2", "epsilon": "5", "partition": "[[0],[1]]", "published": "networks"},
        lambda: HMPrivBayes.of_budgets(2, 2).on_tables((2, 2), 2, ((0,), (1,)), "networks"),  # 1 : 2 : 2
    ),
    "PrivBayes": (
        {"sizes": "2,2", "n": "1", "epsilon": "10", "score": "r"},
        lambda: PrivBayes.of_budgets(3, 7, 2, 1, "R").on_tables((2, 2), 1),
    ),
    "Jtree": (
        {"sizes": "2,2", "n": "2", "epsilon": "4", "published": "graph"},
        lambda: Jtree(fmpq(1), DependencyGraph.of_budget(TWO, 2, (2, 2))).on_tables((2, 2), 2, TWO, "graph"),
    ),
    "ReconstructedSCBN": (
        {"sizes": "2,2", "n": "2", "epsilon": "6", "degree": "0", "published": "networks"},
        lambda: ReconstructedSCBN.of_budgets((TWO, TWO, TWO), (2, 2), 2, 1, 0).on_tables((2, 2), 2, "networks"),
    ),
    "NoPrivacy": (
        {"sizes": "2,2", "n": "2", "partition": "[[0,1]]", "published": "data"},
        lambda: NoPrivacy(1).on_tables((2, 2), 2, ((0, 1),), "data"),
    ),
    "ExponentialMechanism": (
        {"sizes": "2,2", "n": "2", "epsilon": "ln(4)"},
        lambda: TableMechanism((2, 2), 2, chosen, ONE),
    ),
    "DPSC": (
        {"sizes": "2,2", "n": "2", "epsilon": "2", "step": "1", "published": "matrix"},
        lambda: TableMechanism((2, 2), 2, SEGMENTED.noisy_matrix, ONE),  # b_S = 1 / epsilon_1
    ),
    "IBayes": (
        {"sizes": "2,2", "n": "2", "epsilon": "2"},
        lambda: TableMechanism((2, 2), 2, lambda table, coins: NETWORKS.build(table, (0, 1), coins), ONE),
    ),
    "HnoisyConditionals": (
        {"sizes": "2,2", "n": "1", "epsilon": "ln(9)", "published": "conditionals"},
        lambda: TableMechanism((2, 2), 1, lambda table, coins: STEP.publish(table, ((0, ()), (1, (0,))), coins), ONE),
    ),
}


@pytest.mark.parametrize("name", SYNTHESES)
def test_the_table_of_tables_is_the_enumerated_program(name: str) -> None:
    said, target = ON_TABLES[name]
    assert mechanism_table(name.lower(), said).rows == exact_channel(target()).rows


test_without_a_table_it_is_said_why = refusal_test(
    refuses(
        "",
        lambda name: mechanism_table(name, {"d": "2", "epsilon": "1"}),
        *sorted(INFINITE),
        says="finitely many reports",
    )
)


@pytest.mark.parametrize("name", sorted(set(CASES) - {"SubsetSelection"}))
def test_what_is_missing_is_named(name: str) -> None:
    said, _ = CASES[name]
    for left_out in said:
        with pytest.raises(MissingError) as error:
            mechanism_table(name, {"d": "3", "epsilon": "1", **{p: v for p, v in said.items() if p != left_out}})
        assert error.value.parameter == left_out


def test_other_names() -> None:
    assert {alias: mechanism_of(alias.lower()).__name__ for alias in ALIASES} == ALIASES
    assert not ALIASES.keys() & MECHANISMS.keys()
    assert mechanism_of("SUE") is SUE


test_bad_tables = bad_command_test(
    "table",
    [
        ("jtree --param sizes=2,2 --param n=1 --param epsilon=1", "at least 2"),
        ("dpsc --param sizes=2,2 --param n=3 --param epsilon=1", "irrational"),
        ("hmprivbays", "did you mean HMPrivBayes"),
        ("privbayes --param sizes=2,2 --param epsilon=1", "n is missing"),
        ("privbayes --param sizes=2x2 --param n=1 --param epsilon=1", "sizes"),
        ("privbayes --param sizes=0,2 --param n=1 --param epsilon=1", "sizes"),
        ("privbayes --param sizes=2,2 --param n=1 --param epsilon=1 --param m=2", "--param"),
        ("privbayes --param sizes=999999999,2 --param n=999999999 --param epsilon=1", "tables"),
        ("privbayes --param sizes=2,2,2 --param n=4 --param epsilon=1", "random paths"),
        ("noprivacy --param sizes=2,2 --param n=1 --param partition=[[0,", "partition"),
        ("noprivacy --param sizes=2,2 --param n=1 --param partition=[[0],[true]]", "partition"),
        ("noprivacy --param sizes=2,2 --param n=1 --param partition=[[0],[2]]", "attributes"),
        (f"noprivacy --param sizes=2,2 --param n=1 --param partition={'[' * 2000}", "characters"),
    ],
)
