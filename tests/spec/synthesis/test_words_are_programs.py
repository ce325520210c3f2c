"""The words of sentences about tables mean what the programs compute: on all small tables."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import pytest
from flint import fmpq

from dp_kernel.finite.sentences import Model, evaluated
from dp_kernel.formulas.logarithms import logarithm
from dp_refimpl.synthesis import information as programs
from dp_refimpl.synthesis.information import Information
from dp_refimpl.synthesis.maximal_information import maximal_information
from dp_refimpl.synthesis.network import IBayes
from dp_refimpl.synthesis.noisy_tables import RangeGeometric
from dp_refimpl.synthesis.scores import f_score, r_score
from dp_refimpl.synthesis.selection import ExponentialMechanism
from dp_refimpl.synthesis.tables import CountTable
from dp_spec.synthesis import grids, networks, noise, scores, tables
from dp_spec.vocabulary.arithmetic import Tree
from dp_spec.vocabulary.budget import Budget

SIZES = (2, 3)
FIRST, SECOND = (tables.values(v) for v in SIZES)
Table = tuple[tuple[int, ...], ...]


def small_tables(most: int = 3) -> Iterator[Table]:
    records = [*product(*map(range, SIZES))]
    for n in range(1, most + 1):
        yield from combinations_with_replacement(records, n)


def _no_law(*asked: object) -> Any:
    raise AssertionError(f"there is no law: {asked}")


def meant(of: Tree, **at: Any) -> Any:
    """What an expression means where names stand for these things."""
    return evaluated(of, Model((), {}, {}, _no_law, _no_law, {}), at)


def nats(quantity: Information) -> Any:
    """n times the quantity."""
    return logarithm(Fraction(int(quantity.power.p), int(quantity.power.q)))


def exact(number: fmpq) -> Fraction:
    return Fraction(int(number.p), int(number.q))


def coefficient(table: CountTable) -> Any:
    """n MIC: a rational number, or a quotient of logarithms."""
    counts = [[table.count((x, y)) for y in range(SIZES[1])] for x in range(SIZES[0])]
    found = maximal_information(counts)
    if isinstance(found, fmpq):
        return table.n * exact(found)
    return table.n * exact(found.factor) * (logarithm(exact(found.argument)) / logarithm(exact(found.base)))


ALLOWED = grids.is_allowed(grids.COLUMNS, grids.ROWS, ["size", "data"], grids.DEFAULT)
WORDS: dict[str, tuple[Tree, Callable[[CountTable], Any]]] = {
    "entropy of the first": (
        tables.entropy(tables.column("data", 0), FIRST),
        lambda table: nats(programs.entropy(table, (0,))),
    ),
    "entropy of both": (
        tables.entropy("data", tables.cells(FIRST, SECOND)),
        lambda table: nats(programs.entropy(table, (0, 1))),
    ),
    "information": (
        tables.information("data", 0, 1, FIRST, SECOND),
        lambda table: nats(programs.mutual_information(table, 0, (1,))),
    ),
    "information the other way": (
        tables.information("data", 1, 0, SECOND, FIRST),
        lambda table: nats(programs.mutual_information(table, 1, (0,))),
    ),
    "information as printed": (
        tables.printed_information("data", 0, 1, FIRST, SECOND),
        lambda table: nats(programs.mutual_information(table, 0, (1,))),
    ),
    "sensitivity": (
        tables.sensitivity(["size", "data"]),
        lambda table: nats(programs.entropy_sensitivity(table.n)),
    ),
    "second sensitivity": (
        tables.second_sensitivity(["size", "data"]),
        lambda table: nats(programs.information_sensitivity(table.n)),
    ),
    "F": (
        scores.f_score("data", SIZES[1], scores.half(["size", "data"])),
        lambda table: table.n * exact(f_score(table, 0, (1,))),
    ),
    "F of the public code": (
        scores.f_score("data", SIZES[1], scores.half_rounded_up(["size", "data"])),
        lambda table: table.n * exact(f_score(table, 0, (1,), "ceil")),
    ),
    "F by its definition": (
        scores.f_distance("data", SIZES[1], ["size", "data"]),
        lambda table: table.n * exact(f_score(table, 0, (1,))),
    ),
    "R": (
        scores.r_score("data", FIRST, SECOND),
        lambda table: 2 * table.n**2 * exact(r_score(table, 0, (1,))),
    ),
    "MIC": (grids.coefficient("data", *SIZES, ALLOWED), coefficient),
}


@pytest.mark.parametrize("word", WORDS)
def test_a_word_means_what_the_program_computes(word: str) -> None:
    expression, program = WORDS[word]
    for data in small_tables(2 if word == "F by its definition" else 3):  # a search for the nearest distribution
        assert meant(expression, data=data) == program(CountTable.of_records(SIZES, data))


@pytest.mark.parametrize("alpha", [Fraction(1, 2), Fraction(3, 4)])
@pytest.mark.parametrize("n", [1, 2, 4])
def test_noisy_counts_have_the_law_of_the_program(n: int, alpha: Fraction) -> None:
    program = RangeGeometric((fmpq(alpha.numerator, alpha.denominator),))
    for count in range(n + 1):
        law = [
            meant(noise.geometric("x", "count", "n", "alpha"), x=x, count=count, n=n, alpha=alpha) for x in range(n + 1)
        ]
        assert law == [exact(chance) for chance in program.law(0, count, n)]


@pytest.mark.parametrize(("n", "degree"), [(2, 2), (3, 1)])
def test_networks_have_the_chances_of_the_program(n: int, degree: int) -> None:
    """At epsilon = 2 c log B_n, for some tables and all networks of three attributes, which are those of the words."""
    listed = meant(networks.networks(3, degree))
    chance = networks.network_chance(networks.rational(1), "data", 3, degree)
    budget = Budget.of_root(programs.entropy_sensitivity(n).power, 2 * 3)
    program = IBayes(ExponentialMechanism(budget), degree)
    for data in list(combinations_with_replacement([*product((0, 1), repeat=3)], n))[::7]:
        table = CountTable.of_records((2, 2, 2), data)
        law = {network: meant(chance, data=data, network=network, n=n) for network in listed}
        assert sum(law.values()) == 1
        for (order, parents), found in law.items():
            assert exact(program.probability(table, tuple(zip(order, parents, strict=True)))) == found
