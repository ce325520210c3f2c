"""Every mechanism of a curator, who holds a table and publishes a synthetic one, by its name: one record each.

`dp_refimpl` exports what is listed here, and imports it when it is asked for: mechanisms of users do without.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Literal

from flint import fmpq

from dp_refimpl.coins import Coins
from dp_refimpl.records import Record, always
from dp_refimpl.synthesis.accountant import (
    HALF,
    Account,
    NotCertifiedError,
    Plan,
    dpsc_plan,
    hmprivbayes_plan,
    ibayes_plan,
    jtree_plan,
    no_privacy_plan,
    noisy_conditionals_plan,
    privbayes_plan,
    scbn_plan,
    selection_plan,
)
from dp_refimpl.synthesis.binary_codes import BinaryCode
from dp_refimpl.synthesis.dpsc import DPSC, LatticeNoise, lattice_alpha, noise_scale
from dp_refimpl.synthesis.hmprivbayes import HMPrivBayes, NoPrivacy, Partition, equal_weights
from dp_refimpl.synthesis.hmprivbayes import Published as HMPublished
from dp_refimpl.synthesis.jtree import DependencyGraph, Jtree
from dp_refimpl.synthesis.jtree import Published as TreePublished
from dp_refimpl.synthesis.maximal_information import GridSizes
from dp_refimpl.synthesis.network import IBayes, Network, Pair
from dp_refimpl.synthesis.noisy_tables import HnoisyConditionals
from dp_refimpl.synthesis.privbayes import DEFAULT_SCORE, SCORES, PrivBayes, Published, ScoreName
from dp_refimpl.synthesis.scbn import Published as ReconstructedPublished
from dp_refimpl.synthesis.scbn import ReconstructedSCBN
from dp_refimpl.synthesis.segmentation import Segmentation
from dp_refimpl.synthesis.selection import ExponentialMechanism, Maximum
from dp_refimpl.synthesis.spectral_embedding import Reduction
from dp_refimpl.synthesis.table_mechanisms import TableMechanism
from dp_refimpl.synthesis.tables import CountTable, require_sizes
from dp_spec.vocabulary.budget import Budget, Epsilon
from dp_spec.vocabulary.exceptions import NotExactError
from dp_spec.vocabulary.names import require_name

__all__ = [
    "DPSC",
    "Account",
    "BinaryCode",
    "CountTable",
    "ExponentialMechanism",
    "HMPrivBayes",
    "HnoisyConditionals",
    "IBayes",
    "Jtree",
    "NoPrivacy",
    "NotCertifiedError",
    "Plan",
    "PrivBayes",
    "ReconstructedSCBN",
    "Segmentation",
    "Synthesis",
    "TableMechanism",
    "dpsc_plan",
    "hmprivbayes_plan",
    "ibayes_plan",
    "jtree_plan",
    "no_privacy_plan",
    "noisy_conditionals_plan",
    "privbayes_plan",
    "scbn_plan",
    "selection_plan",
    "synthesis_of",
]


@dataclass(frozen=True, kw_only=True)
class Synthesis(Record):
    """A mechanism of a curator, or a stage of one: its record.

    `plan`: from its sizes to the stages that read the data, with what is claimed and certified of each, and the
    statements that this rests on. `exact`: from the words of a user (sizes, n, epsilon, ...) to the program on all
    tables of a small domain. `claims`: the statements about its law beside those: that it is one, and what it is.
    """

    plan: Callable[..., Plan]
    exact: Callable[..., TableMechanism[Any, Any]]
    claims: tuple[str, ...]


# --- exact laws in the words of a user --------------------------------------------------------------------------------


def _hmprivbayes(
    sizes: tuple[int, ...],
    n: int,
    epsilon: Epsilon,
    partition: Partition,
    degree: int = 1,
    published: HMPublished = "joints",
) -> TableMechanism[Any, Any]:
    """The partition is given: epsilon_1 is not spent."""
    _, second, third = hmprivbayes_plan(len(sizes), len(partition)).budgets(epsilon)
    return HMPrivBayes.of_budgets(second, third, degree).on_tables(sizes, n, partition, published)


def _privbayes(
    sizes: tuple[int, ...],
    n: int,
    epsilon: Epsilon,
    degree: int = 1,
    score: ScoreName = DEFAULT_SCORE,
    published: Published = "joints",
) -> TableMechanism[Any, Any]:
    first, second = privbayes_plan(len(sizes), degree).budgets(epsilon)
    return PrivBayes.of_budgets(first, second, len(sizes), degree, score).on_tables(sizes, n, published)


def _jtree(
    sizes: tuple[int, ...], n: int, epsilon: Epsilon, published: TreePublished = "tables"
) -> TableMechanism[Any, Any]:
    """The graph is that of all records: no sampling."""
    first, second = map(Budget, jtree_plan(len(sizes)).budgets(epsilon))
    return Jtree(fmpq(1), DependencyGraph.of_budget(first, n, sizes)).on_tables(sizes, n, second, published)


def _scbn(
    sizes: tuple[int, ...],
    n: int,
    epsilon: Epsilon,
    k: int = 1,
    degree: int = 1,
    published: ReconstructedPublished = "conditionals",
) -> TableMechanism[Any, Any]:
    """The reconstruction, with equal budgets."""
    first, second, third = map(Budget, scbn_plan().budgets(epsilon))
    return ReconstructedSCBN.of_budgets((first, second, third), sizes, n, k, degree).on_tables(sizes, n, published)


def _no_privacy(
    sizes: tuple[int, ...], n: int, partition: Partition, degree: int = 1, published: HMPublished = "joints"
) -> TableMechanism[Any, Any]:
    return NoPrivacy(degree).on_tables(sizes, n, partition, published)


def _selection(
    sizes: tuple[int, ...], n: int, epsilon: Epsilon, score: ScoreName = DEFAULT_SCORE
) -> TableMechanism[Any, Any]:
    """The candidates are all attributes without parents, and with one parent."""
    attributes, held, mechanism = range(len(require_sizes(sizes))), SCORES[score], ExponentialMechanism(Budget(epsilon))
    candidates: list[Pair] = [(x, ()) for x in attributes] + [(x, (y,)) for x, y in permutations(attributes, 2)]

    def program(table: CountTable, coins: Coins) -> Pair:
        scores = [held.value(table, x, parents) for x, parents in candidates]
        return candidates[mechanism.choose(scores, held.sensitivity(table.n), coins)]

    return TableMechanism(sizes, n, program, mechanism.budget.root * 0 + 1)


def _dpsc(  # noqa: PLR0913 - every one may be given by name, to `synthesis_of("DPSC").exact` and on the command line
    sizes: tuple[int, ...],
    n: int,
    epsilon: fmpq,
    k: int = 2,
    kept: int = 2,
    step: fmpq = HALF,
    published: Literal["matrix", "partition"] = "partition",
) -> TableMechanism[Any, Any]:
    """Noise of the printed scale on the multiples of a step in 0..1, one draw for each pair; sigma = 1."""
    scale = noise_scale(n, len(require_sizes(sizes)), epsilon)
    if not isinstance(scale, fmpq):
        raise NotExactError("n", n, "2 records: of more, the scale of the noise is irrational")
    alpha: Any = lattice_alpha(step, scale)
    noise = LatticeNoise(step, alpha, 0, max(1, int((1 / step).floor())))
    stage = DPSC(GridSizes(), noise, Reduction(fmpq(1), kept), k)
    return TableMechanism(sizes, n, stage.noisy_matrix if published == "matrix" else stage.publish, alpha * 0 + 1)


def _ibayes(sizes: tuple[int, ...], n: int, epsilon: Epsilon, degree: int = 1) -> TableMechanism[Any, Any]:
    """One cluster of all attributes."""
    cluster, networks = range(len(require_sizes(sizes))), IBayes(ExponentialMechanism(Budget(epsilon)), degree)

    def program(table: CountTable, coins: Coins) -> Network:
        return networks.build(table, cluster, coins)

    return TableMechanism(sizes, n, program, networks.selection.law((fmpq(0),), fmpq(1))[0])


def _noisy_conditionals(
    sizes: tuple[int, ...],
    n: int,
    epsilon: Epsilon,
    degree: int = 1,
    published: Literal["joints", "conditionals"] = "joints",
) -> TableMechanism[Any, Any]:
    """The network is a chain: the parents of an attribute are the `degree` ones before it. All weights are equal."""
    budget, d = Budget(epsilon), len(require_sizes(sizes))
    network = tuple((x, tuple(range(max(0, x - degree), x))) for x in range(d))
    stage = HMPrivBayes(IBayes(Maximum(), degree), equal_weights(budget))

    def program(table: CountTable, coins: Coins) -> Any:
        made = stage.step(table, network)
        joints = made.noisy_joints(table, network, coins)
        return joints if published == "joints" else made.conditionals(network, joints)

    return TableMechanism(sizes, n, program, budget.root * 0 + 1)


# --- records ----------------------------------------------------------------------------------------------------------


def _003(*names: str) -> tuple[str, ...]:
    return always(*names, source="003")({})


_ROWS = "rows drawn one by one from the conditional distributions that the noisy joint tables imply"
_RECORDS = (
    Synthesis(
        program=HMPrivBayes,
        law="clusters of the attributes by spectral clustering of their noisy MIC; in every cluster a network, a root "
        "by its entropy and pair after pair by mutual information with the exponential mechanism, and joint tables "
        f"with noise that is larger for a larger entropy of the attribute; {_ROWS}",
        report="a table of as many records",
        example='HMPrivBayes.of_budgets("ln(4)", "ln(4)").on_tables((2, 2), 2, ((0, 1),), "networks")',
        plan=hmprivbayes_plan,
        exact=_hmprivbayes,
        claims=_003("alg2.order@prose", "alg2.sample", "alg2.union@rowjoin", "sec41.split", "thm1.sum"),
    ),
    Synthesis(
        program=PrivBayes,
        law="a network, a uniform root and pair after pair by a score with the exponential mechanism, and joint tables "
        f"with noise of one scale; {_ROWS}",
        report="a table of as many records",
        example='PrivBayes.of_budgets("ln(4)", "ln(4)", 2).on_tables((2, 2), 2, "networks")',
        plan=privbayes_plan,
        exact=_privbayes,
        claims=_003("base.privbayes.equal", "base.privbayes.f-closed", "base.privbayes.prefix", "alg2.sample"),
    ),
    Synthesis(
        program=Jtree,
        law="a graph of the pairs of attributes whose mutual information in a sample, with noise, reaches a noisy "
        "threshold; a junction tree of it, clique tables with noise, made consistent; rows of their distribution",
        report="a table of records",
        example='synthesis_of("Jtree").exact((2, 2), 2, 1, published="graph")',
        plan=jtree_plan,
        exact=_jtree,
        claims=_003("base.jtree.cv", "base.jtree.junction@consistent"),
    ),
    Synthesis(
        program=ReconstructedSCBN,
        law="a reconstruction, not the published method: clusters by noisy Jaccard distances, a network for each with "
        "the exponential mechanism, conditional probabilities with noise; rows drawn from them",
        report="a table of records",
        example='synthesis_of("PrivSCBN").exact((2, 2), 2, 1, published="matrix")',
        plan=scbn_plan,
        exact=_scbn,
        claims=_003("base.scbn.jaccard"),
        aliases=("PrivSCBN",),
    ),
    Synthesis(
        program=NoPrivacy,
        law="HMPrivBayes without noise: exact coefficients and joint tables, pairs of the largest score",
        report="a table of as many records",
        example='NoPrivacy(degree=1).on_tables((2, 2), 2, ((0, 1),), "networks")',
        plan=no_privacy_plan,
        exact=_no_privacy,
        claims=_003("sec34.needed", "alg2.sample"),
    ),
    Synthesis(
        program=ExponentialMechanism,
        law="a candidate with probability proportional to e^(epsilon u / (2 Delta u)), u its score and Delta u the "
        "sensitivity of scores",
        report="a candidate: an attribute and its parents",
        example='synthesis_of("ExponentialMechanism").exact((2, 2), 2, "ln(4)")',
        plan=selection_plan,
        exact=_selection,
        claims=_003("def4.norm", "def4.order", "def4.tight"),
    ),
    Synthesis(
        program=DPSC,
        law="MIC of all pairs of attributes with noise; spectral clustering of the attributes by this matrix",
        report="clusters of the attributes",
        example='synthesis_of("DPSC").exact((2, 2), 2, fmpq(1), published="matrix")',
        plan=dpsc_plan,
        exact=_dpsc,
        claims=_003("alg1.welldef@printed", "alg3.scale", "alg3.welldef", "def5.defined@mine", "sec32.pairs@once"),
    ),
    Synthesis(
        program=IBayes,
        law="a root by its entropy, then pair after pair of an attribute and its parents by mutual information, each "
        "with the exponential mechanism and epsilon / c, c the number of attributes",
        report="a network: pairs of an attribute and its parents in the order of selection",
        example='synthesis_of("IBayes").exact((2, 2), 2, "ln(4)")',
        plan=ibayes_plan,
        exact=_ibayes,
        claims=_003("alg4.candidates@min-l", "alg4.dag", "alg4.law", "eq10.norm@bound-index", "sec33.count"),
    ),
    Synthesis(
        program=HnoisyConditionals,
        law="the joint tables of a network's pairs with noise, of scales in inverse proportion to weights that may "
        "fall with the entropy of the attribute; negative cells are 0, and what is left is normalized",
        report="noisy joint tables, and the conditional distributions of all pairs",
        example='synthesis_of("HnoisyConditionals").exact((2,), 2, "ln(4)", degree=0)',
        plan=noisy_conditionals_plan,
        exact=_noisy_conditionals,
        claims=_003("alg5.lprime@d-degree", "alg5.normalise@uniform", "alg5.step3@nofilter", "eq12.forms"),
    ),
)
SYNTHESES: Mapping[str, Synthesis] = {record.name: record for record in _RECORDS}
"""The records by their names."""


def synthesis_of(name: str) -> Synthesis:
    """The record of a mechanism by its name or another one; capitals, hyphens and underscores do not matter.

    Raises `DomainError` with suggestions for an unknown name.
    """
    named = {alias: record for record in _RECORDS for alias in (record.name, *record.aliases)}
    return named[require_name("mechanism", name, tuple(named))]
