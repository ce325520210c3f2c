"""The words of sentences about tables mean what the programs compute: on all small tables."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import pytest
from flint import fmpq

from dp_kernel.finite.sentences import Model, evaluated
from dp_kernel.formulas.logarithms import logarithm
from dp_refimpl.synthesis import information as programs
from dp_refimpl.synthesis import jtree
from dp_refimpl.synthesis.clustering import exact_k_means, within
from dp_refimpl.synthesis.conditionals import JointTable
from dp_refimpl.synthesis.distances import RationalPoints
from dp_refimpl.synthesis.hmprivbayes import row_join, set_union
from dp_refimpl.synthesis.information import Information
from dp_refimpl.synthesis.junction_trees import JunctionTree
from dp_refimpl.synthesis.maximal_information import maximal_information
from dp_refimpl.synthesis.network import IBayes
from dp_refimpl.synthesis.noisy_tables import RangeGeometric
from dp_refimpl.synthesis.scores import f_score, r_score
from dp_refimpl.synthesis.selection import ExponentialMechanism
from dp_refimpl.synthesis.spectral_embedding import Reduction, SpectralEmbedding
from dp_refimpl.synthesis.tables import CountTable
from dp_spec.synthesis import grids, networks, noise, scores, tables
from dp_spec.synthesis.claims import junctions
from dp_spec.synthesis.claims.pipeline import ROW_JOIN, SET_UNION
from dp_spec.synthesis.spectra import ALL_ONES, TWO_AND_TWO, Embedding, entry, partitions, sequence
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
    information = maximal_information(counts)
    if isinstance(information, fmpq):
        return table.n * exact(information)
    return (
        table.n
        * exact(information.factor)
        * (logarithm(exact(information.argument)) / logarithm(exact(information.base)))
    )


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
        for (order, parents), probability in law.items():
            assert exact(program.probability(table, tuple(zip(order, parents, strict=True)))) == probability


# --- rows of clusters -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", [(0, 0, 1), (1, 0, 1), (0, 1, 2)])
def test_rows_of_clusters_are_put_together_as_by_the_program(label: tuple[int, ...]) -> None:
    """For two rows of every cluster: side by side, and as one set."""
    clusters = tuple(tuple(a for a in range(3) if label[a] == c) for c in sorted(set(label)))
    sizes = {"d": 3, "k": len(clusters), "m": 2}
    for bits in product(product((0, 1), repeat=3), repeat=2):
        drawn = [[tuple(row[a] for a in cluster) for row in bits] for cluster in clusters]
        joined, union = (meant(word, label=label, bits=bits, **sizes) for word in (ROW_JOIN, SET_UNION))
        rows = [tuple(value for _, value in sorted(row)) for row in joined]
        assert CountTable.of_records((2,) * 3, rows) == row_join(CountTable((2,) * 3, ()), clusters, drawn)
        assert set(union) == set_union(clusters, drawn)


# --- clusters of points -----------------------------------------------------------------------------------------------

POINTS = RationalPoints(tuple((fmpq(x), fmpq(y)) for x, y in ((0, 0), (1, 3), (2, 2), (5, 1))))


class GivenDistances(Embedding):
    """Points whose squared distances are given."""

    def squared_distance(self, i: Tree, j: Tree) -> Tree:
        return entry("distances", i, j)


def test_scatters_and_best_partitions_are_those_of_k_means() -> None:
    words = GivenDistances(lambda i, j: 1, "kept", "left", "lengths")
    distances = tuple(tuple(exact(POINTS.key(i, j)) for j in range(4)) for i in range(4))
    listed = meant(partitions(4))
    assert len(listed) == 7
    for labels in listed:
        blocks = tuple(tuple(i for i in range(4) if labels[i] == c) for c in (0, 1))
        scatter = within(POINTS, blocks)
        total = scatter.constant + sum((factor * POINTS.key(*pair) for pair, factor in scatter.terms), fmpq(0))
        assert meant(words.scatter("labels"), labels=labels, distances=distances) == exact(total)
        best = meant(["number", words.is_best("labels")], labels=labels, distances=distances)
        assert bool(best) is (blocks == exact_k_means(POINTS, 2))


def test_distances_of_rows_are_those_of_the_spectral_program() -> None:
    """Of the corners of a rectangle, whose eigenvectors do not depend on the numbers that are weights."""
    lengths = ((0, 3, 4, 5), (3, 0, 5, 4), (4, 5, 0, 3), (5, 4, 3, 0))
    words = Embedding(lambda i, j: ["pow", "t", entry("lengths", i, j)], "kept", "left", ALL_ONES)
    program = SpectralEmbedding(tuple(tuple(map(fmpq, row)) for row in lengths), Reduction(fmpq(1), 2))
    values = {"kept": meant(sequence(ALL_ONES, TWO_AND_TWO)), "t": Fraction(3, 5), "lengths": lengths}
    for i, j in combinations(range(4), 2):
        ball = program.enclosure((i, j), 128)
        assert ball is not None
        distance = meant(words.squared_distance(i, j), **values)
        assert ball.contains(fmpq(distance.numerator, distance.denominator))
        assert float(ball.rad()) < 1e-9


# --- junction trees ---------------------------------------------------------------------------------------------------

CHAIN = JunctionTree(((0, 1), (1, 2)), (None, 0))
Cells = tuple[Fraction, ...]


def joints(*cells: Cells) -> list[JointTable]:
    return [
        JointTable(clique, (2, 2), tuple(fmpq(x.numerator, x.denominator) for x in own))
        for clique, own in zip(CHAIN.cliques, cells, strict=False)
    ]


def numbers_of(table: JointTable) -> Cells:
    return tuple(map(exact, table.cells))


NOISY = [tuple(map(Fraction, cells)) for cells in product((-1, 0, 2, 3), repeat=4) if sum(cells) > 0]


def test_clique_tables_are_made_consistent_as_by_the_program() -> None:
    for own, other in zip(NOISY, NOISY[::-1], strict=True):
        tables = joints(own, other)
        assert meant(junctions.scaled("a"), a=own, n=3) == numbers_of(jtree.scaled(tables[0], 3))
        words = junctions.averaged("a", "b")
        program = jtree.averaged(tables, (1,))
        assert [meant(word, a=own, b=other) for word in words] == [numbers_of(table) for table in program]
        kept = jtree.clamped(tables[0], 3) if min(own) < 0 else tables[0]
        assert meant(junctions.clamped("a"), a=own, n=3) == numbers_of(kept)


def test_chances_of_a_junction_tree_are_those_of_the_program() -> None:
    """Of tables that agree or not: 0 / 0 is 0."""
    counts = [cells for cells in NOISY if min(cells) >= 0]
    for own, other in zip(counts, counts[3:], strict=False):
        weights = jtree.junction_weights(joints(own, other), CHAIN, (2, 2, 2))
        for record, weight in weights.items():
            assert meant(junctions.chance(["a", "b"]), a=own, b=other, record=record) == exact(weight)
