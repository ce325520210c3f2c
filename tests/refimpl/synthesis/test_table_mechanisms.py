"""Exact channels on all tables of a domain: what is enumerated loses no more than the accountant certifies."""

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, assert_type

import pytest
from flint import fmpq

import dp_refimpl
from cases.refusals import refusal_test, refuses, refuses_each
from dp_refimpl.coins import ScriptedCoins
from dp_refimpl.enumeration import exact_channel, output_law
from dp_refimpl.synthesis.accountant import hmprivbayes_plan, jtree_plan, privbayes_plan
from dp_refimpl.synthesis.dpsc import DPSC, LatticeNoise, NoEntryNoise
from dp_refimpl.synthesis.hmprivbayes import HMPrivBayes, NoPrivacy
from dp_refimpl.synthesis.jtree import DependencyGraph, Jtree
from dp_refimpl.synthesis.log_quotients import LogQuotient
from dp_refimpl.synthesis.maximal_information import GridSizes
from dp_refimpl.synthesis.network import IBayes, Join, attribute_filter
from dp_refimpl.synthesis.privbayes import PrivBayes
from dp_refimpl.synthesis.scbn import ReconstructedSCBN
from dp_refimpl.synthesis.segmentation import Segmentation
from dp_refimpl.synthesis.selection import Maximum
from dp_refimpl.synthesis.spectral_embedding import Reduction
from dp_refimpl.synthesis.table_mechanisms import TableMechanism
from dp_refimpl.synthesis.tables import CountTable, tables
from dp_spec.vocabulary.budget import Budget, every_budget, rational_budget, real_budget
from dp_spec.vocabulary.definitions import smallest_constant
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.scalar import at_most
from dp_spec.vocabulary.table import Channel

PAIR, SINGLES = ((0, 1),), ((0,), (1,))
TWO, NINE = rational_budget("4*ln(2)"), rational_budget("2*ln(3)")
"""epsilon_2 and epsilon_3: at n = 2 all probabilities are rational."""


def loss(mechanism: TableMechanism[Any, Any]) -> Any:
    """The smallest e^epsilon of all neighbors."""
    return smallest_constant(exact_channel(mechanism), pairs=mechanism.pairs)


def made(partition: Any, published: Any) -> TableMechanism[Any, fmpq]:
    return HMPrivBayes.of_budgets(TWO, NINE).on_tables((2, 2), 2, partition, published)


LOSSES = [
    # one cluster: e^(epsilon_2 / 4) for the network (003.alg4.tight.corrected), e^(epsilon_3) for the joint table
    (PAIR, "networks", fmpq(2)),
    (PAIR, "joints", fmpq(18)),
    # two clusters of one attribute: certain networks, and twice epsilon_3: more than what is claimed
    (SINGLES, "networks", fmpq(1)),
    (SINGLES, "joints", fmpq(81)),
    (SINGLES, "conditionals", fmpq(81)),
]


@pytest.mark.parametrize(("partition", "published", "wanted"), LOSSES)
def test_losses_and_what_is_certified_of_them(partition: Any, published: str, wanted: fmpq) -> None:
    ratio = loss(made(partition, published))
    assert ratio == wanted
    networks, joints = (stage.ro.factor for stage in hmprivbayes_plan(2, len(partition)).stages[1:])
    assert networks is not None
    assert joints is not None
    selected, noised = TWO.exp() ** int(networks), NINE.exp() ** int(joints)
    assert at_most(ratio, selected if published == "networks" else selected * noised)
    assert (ratio == noised) is not at_most(ratio, NINE.exp() * 2)  # of two clusters all, more than what is claimed


@pytest.mark.slow
def test_what_is_calibrated_keeps_its_epsilon() -> None:
    """Two clusters of one attribute: 2 epsilon_3 is left of epsilon_1 + 2 epsilon_2 + 2 epsilon_3 = 1."""
    plan = hmprivbayes_plan(2, 2)
    _, second, third = plan.budgets(plan.calibrated(1))
    mechanism = dp_refimpl.HMPrivBayes.of_budgets(second, third).on_tables((2, 2), 2, SINGLES)
    channel = assert_type(dp_refimpl.exact_channel(mechanism), Channel[CountTable, Any, Real])
    constant = assert_type(dp_refimpl.smallest_constant(channel, pairs=mechanism.pairs), Real | None)
    assert constant == Budget(2 * third).exp()
    assert at_most(constant, Budget(1).exp())


@pytest.mark.parametrize(
    ("degree", "score", "published"),
    [
        *product((0,), "F", ("networks", "joints", "conditionals")),
        *product((1,), "FIR", ("networks", "joints")),
    ],
)
def test_privbayes_loses_what_it_claims(degree: int, score: Any, published: Any) -> None:
    first, second = (rational_budget("4*ln(2)"), rational_budget("4*ln(3)"))
    first = rational_budget("16*ln(2)") if score == "R" else first  # 3/n + 2/n^2 = 2, and R is a multiple of 1/4
    ratio = loss(PrivBayes.of_budgets(first, second, 2, degree, score).on_tables((2, 2), 2, published))
    assert [stage.ro.factor for stage in privbayes_plan(2, degree).stages] == [1, 1]
    assert at_most(ratio, first.exp() if published == "networks" else first.exp() * second.exp())
    assert published == "networks" or at_most(second.exp(), ratio)  # all of epsilon_2, as it is certified


@pytest.mark.parametrize(("published", "third"), [("graph", 1), pytest.param("tables", 81, marks=pytest.mark.slow)])
def test_jtree_loses_what_is_certified(published: Any, third: int) -> None:
    """Half of epsilon_1 for the one pair, whose information moves by three steps, and all of epsilon_2."""
    first = rational_budget("12*ln(2)")
    program = Jtree(fmpq(1), DependencyGraph.of_budget(first, 2, (2, 2)))
    ratio = loss(program.on_tables((2, 2), 2, rational_budget("4*ln(3)"), published))
    assert [stage.ro.factor for stage in jtree_plan(2).stages] == [fmpq(1, 2), 1]
    assert at_most(ratio, first.exp(Fraction(1, 2)) * third)
    assert at_most(third * fmpq(3, 2), ratio)


def test_the_reconstruction_publishes_lattices() -> None:
    """Its noisy distances and chances are multiples of 1 / n; nothing is claimed of what they lose."""
    program = ReconstructedSCBN.of_budgets((TWO, TWO, rational_budget("8*ln(2)")), (2, 2), 2)
    halves = {fmpq(i, 2) for i in range(3)}
    law = output_law(lambda coins: program.on_tables((2, 2), 2).program(HELD, coins), fmpq(1))
    assert {matrix[0][1] for matrix, *_ in law} == halves
    rows = [row for *_, ((one, other),) in law for _, row in (*one.rows, *other.rows)]
    assert {p for row in rows for p in row} == halves
    drawn = exact_channel(program.on_tables((2,), 1, "data"))
    assert {len(row) for row in drawn.rows.values()} == {2}


# --- the matrix -------------------------------------------------------------------------------------------------------

STEP = fmpq(1)
"""Coefficients of tables of two records are 0 or 1: on this lattice they are not rounded."""


def dpsc(alpha: fmpq, draws: Any = "once", k: int = 1) -> DPSC:
    return DPSC(GridSizes(), LatticeNoise(STEP, alpha, -1, 2), Reduction(fmpq(1), 1), k, draws)


def matrix_loss(d: int, draws: Any, alpha: fmpq) -> fmpq:
    """The largest loss of S on tables of two records: its entries are independent."""
    program, largest = dpsc(alpha, draws), fmpq(1)
    exact = {
        table: [m[i][j] for i, j in product(range(d), repeat=2) if (i < j if draws == "once" else i != j)]
        for table in tables((2,) * d, 2)
        for m in [DPSC(program.sizes, NoEntryNoise(), program.reduction, 1).noisy_matrix(table, ScriptedCoins([]))]
    }
    noise: Any = program.noise
    noise_law = cache(noise.law)
    for table, other in TableMechanism((2,) * d, 2, lambda t, coins: 0, fmpq(1)).pairs:
        ratio = fmpq(1)
        for a, b in zip(exact[table], exact[other], strict=True):
            ratios = [p / q for p, q in zip(noise_law(a), noise_law(b), strict=True)]
            ratio *= next(r for r in ratios if all(at_most(x, r) for x in ratios))
        largest = ratio if at_most(largest, ratio) else largest
    return largest


@pytest.mark.parametrize(("d", "draws"), [(2, "once"), (3, "once"), (4, "once"), (2, "twice"), (3, "twice")])
def test_the_matrix_loses_what_is_certified(d: int, draws: Any) -> None:
    """alpha = e^(-1 / b_S), b_S = r / epsilon_1, r = d (d - 1) / (2 floor(d / 2)): epsilon_1 is r ln 3 here."""
    rounds = fmpq(d * (d - 1), 2 * (d // 2))
    factor = hmprivbayes_plan(d, 1, "fixed", draws).stages[0].ro.factor
    assert factor is not None
    assert matrix_loss(d, draws, fmpq(1, 3)) == fmpq(3) ** int(factor * rounds)


def test_the_law_of_the_matrix_is_that_of_its_entry() -> None:
    segmented = HMPrivBayes.of_budgets(TWO, NINE)
    mechanism = segmented.on_tables((2, 2), 2, Segmentation(dpsc(fmpq(1, 3))), "matrix")
    assert loss(mechanism) == matrix_loss(2, "once", fmpq(1, 3)) == 3


# --- the whole of Algorithm 2 -----------------------------------------------------------------------------------------


def test_a_whole_run_is_its_stages() -> None:
    """The transcript (S, clusters, networks, joint tables): of one attribute each, they multiply."""
    segmentation = Segmentation(dpsc(fmpq(1, 3), k=2), fmpq(1, 2))
    synthesis = HMPrivBayes.of_budgets(TWO, NINE)
    table = CountTable.of_records((2, 2), [(0, 0), (1, 1)])
    law = output_law(lambda c: synthesis.on_tables((2, 2), 2, segmentation, "joints").program(table, c), fmpq(1))
    matrix = output_law(lambda c: segmentation.dpsc.noisy_matrix(table, c), fmpq(1))
    rest = output_law(lambda c: synthesis.on_tables((2, 2), 2, SINGLES, "joints").program(table, c), fmpq(1))
    assert law == {(s, SINGLES, made): p * q for s, p in matrix.items() for made, q in rest.items()}
    clusters = output_law(
        lambda c: synthesis.on_tables((2, 2), 2, segmentation, "partition").program(table, c), fmpq(1)
    )
    assert clusters == {SINGLES: fmpq(1)}


def test_the_filter_is_made_of_the_matrix() -> None:
    """One cluster: where the entry is at most 0, no pair is kept, and the second attribute has no parent."""
    segmentation = Segmentation(dpsc(fmpq(1, 3)), fmpq(1, 2))
    mechanism = HMPrivBayes.of_budgets(TWO, NINE).on_tables((2, 2), 2, segmentation, "joints")
    table = CountTable.of_records((2, 2), [(0, 0), (1, 1)])
    low, high = ([entry, *[0] * 20] for entry in (0, 3))
    (matrix, _, (networks, _)), (other, _, (more, _)) = (
        mechanism.program(table, ScriptedCoins(script)) for script in (low, high)
    )
    assert (matrix[0][1], networks) == (-1, (((0, ()), (1, ())),))
    assert (other[0][1], more) == (2, (((0, ()), (1, (0,))),))


def test_no_privacy_publishes_what_it_reads() -> None:
    """Exact coefficients, some irrational, go through the filter; 3 certain choices of pairs and 5 rows."""
    table = CountTable.of_records((2,) * 3, [(0, 0, 0), (0, 0, 1), (1, 1, 1), (1, 1, 0), (1, 1, 0)])
    exact = DPSC(GridSizes(), NoEntryNoise(), Reduction(fmpq(1), 1), 1)
    transcript = NoPrivacy(1, "first").publish(table, Segmentation(exact, fmpq(1, 2)), ScriptedCoins([0] * 18))
    assert isinstance(transcript.matrix[0][2], LogQuotient)
    assert transcript.partition == ((0, 1, 2),)
    assert transcript.release.networks == (((0, ()), (1, (0,)), (2, ())),)
    assert transcript.release.joints[0][0].cells == (fmpq(2), fmpq(0), fmpq(0), fmpq(3))
    assert NoPrivacy(2).networks == IBayes(Maximum(), 2)


def test_the_filter_of_irrational_entries_is_that_of_rational_ones() -> None:
    """Three multiples of one irrational number, or these multiples."""
    unit = LogQuotient(fmpq(1), fmpq(3), fmpq(2))
    rows = [[0, 1, 3], [1, 0, 2], [3, 2, 0]]
    rational = [[fmpq(x) for x in row] for row in rows]
    irrational = [[unit.scaled(x) if x else x for x in row] for row in rational]
    joins: tuple[Join, ...] = ("or", "and")
    for eta, join in product((fmpq(0), fmpq(1, 3), fmpq(2, 3), fmpq(1)), joins):
        assert attribute_filter(irrational, eta, join) == attribute_filter(rational, eta, join)


# --- tables and refusals ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("relation", "inputs", "pairs"), [("ro", 10, 2 * 4 * 6), ("ar", 4 + 10, 2 * 16)])
def test_inputs_and_neighbors(relation: Any, inputs: int, pairs: int) -> None:
    """Of 4 records; replaced: another one beside one of 4, in both orders."""
    mechanism = TableMechanism((2, 2), 2, lambda table, coins: table.n, fmpq(1), relation)
    assert (len(mechanism.inputs), len(mechanism.pairs)) == (inputs, pairs)
    assert all((other, table) in mechanism.pairs for table, other in mechanism.pairs)
    assert loss(mechanism) == (1 if relation == "ro" else None)


def test_any_field_will_do() -> None:
    """Every epsilon at once; a real one; balls."""
    laws = [
        exact_channel(HMPrivBayes.of_budgets(*budgets).on_tables((2,), 2, ((0,),), "joints"))
        for budgets in ((every_budget(2), every_budget(2)), (1, "0.5"), (real_budget(1), real_budget("0.5")))
    ]
    assert len({len(law.outputs) for law in laws}) == 1


HELD = CountTable.of_records((2, 2), [(0, 0), (1, 1)])
BUILT = HMPrivBayes.of_budgets(1, 1)
TREE = Jtree(fmpq(1), DependencyGraph.of_budget(Budget(1), 2, (2, 2)))
SCBN = ReconstructedSCBN.of_budgets((Budget(1),) * 3, (2, 2), 2)
test_refusals = refusal_test(
    refuses("epsilon", lambda e: HMPrivBayes.of_budgets(e, 1), -1, "one"),
    refuses("degree", lambda degree: HMPrivBayes.of_budgets(1, 1, degree), -1, 1.0),
    refuses("published", lambda p: BUILT.on_tables((2, 2), 2, PAIR, p), "matrix", "all", None),
    refuses("published", lambda p: PrivBayes.of_budgets(1, 1, 2).on_tables((2, 2), 2, p), "partition", None),
    refuses("published", lambda p: TREE.on_tables((2, 2), 2, Budget(1), p), "joints", None),
    refuses("published", lambda p: SCBN.on_tables((2, 2), 2, p), "joints", None),
    refuses("n", lambda n: DependencyGraph.of_budget(Budget(1), n, (2, 2)), 0, 1, True),
    refuses("score", lambda score: PrivBayes.of_budgets(1, 1, 2, 1, score), "MI", None),
    refuses_each("d|k", lambda d, k: PrivBayes.of_budgets(1, 1, d, k), (1, 1), (2, -1), (True, 0)),
    refuses("n", lambda n: BUILT.on_tables((2, 2), n, PAIR), 0, True, 1.0),
    refuses("n", lambda n: BUILT.on_tables((2, 2), n, PAIR, "joints", "ar"), 1),
    refuses("relation", lambda r: BUILT.on_tables((2, 2), 2, PAIR, "joints", r), "ldp"),
    refuses("sizes", lambda sizes: BUILT.on_tables(sizes, 2, PAIR), (0, 2)),
    refuses("partition", lambda p: BUILT.on_tables((2, 2), 2, p, "networks"), ((0,),), ((0,), (0, 1)), ()),
    refuses("weights", lambda w: HMPrivBayes.of_budgets(1, 1, weights={0: w, 1: fmpq(1)}), fmpq(0), fmpq(-1)),
    refuses("eta", lambda eta: Segmentation(dpsc(fmpq(1, 2)), eta), fmpq(2), fmpq(-1), 0.5),
    refuses("ties", lambda ties: NoPrivacy(1, ties), "last"),
    refuses("pairs", lambda: smallest_constant(exact_channel(made(SINGLES, "networks")), None, "joint", pairs=[])),
)
