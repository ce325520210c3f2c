"""Every mechanism of a curator, who holds a table and publishes a synthetic one, by its name: one record each.

`dp_refimpl` exports what is listed here, and imports it when it is asked for: mechanisms of users do without.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from dp_refimpl.records import Record
from dp_refimpl.synthesis.accountant import (
    Account,
    NotCertifiedError,
    Plan,
    hmprivbayes_plan,
    jtree_plan,
    no_privacy_plan,
    privbayes_plan,
    scbn_plan,
)
from dp_refimpl.synthesis.binary_codes import BinaryCode
from dp_refimpl.synthesis.dpsc import DPSC
from dp_refimpl.synthesis.hmprivbayes import HMPrivBayes, NoPrivacy, Partition
from dp_refimpl.synthesis.hmprivbayes import Published as HMPublished
from dp_refimpl.synthesis.jtree import DependencyGraph, Jtree
from dp_refimpl.synthesis.jtree import Published as TreePublished
from dp_refimpl.synthesis.network import IBayes
from dp_refimpl.synthesis.noisy_tables import HnoisyConditionals
from dp_refimpl.synthesis.privbayes import DEFAULT_SCORE, PrivBayes, Published, ScoreName
from dp_refimpl.synthesis.scbn import Published as ReconstructedPublished
from dp_refimpl.synthesis.scbn import ReconstructedSCBN
from dp_refimpl.synthesis.segmentation import Segmentation
from dp_refimpl.synthesis.table_mechanisms import TableMechanism
from dp_refimpl.synthesis.tables import CountTable
from dp_spec.vocabulary.budget import Budget, Epsilon
from dp_spec.vocabulary.names import known_name

__all__ = [
    "DPSC",
    "Account",
    "BinaryCode",
    "CountTable",
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
    "TableMechanism",
    "hmprivbayes_plan",
    "jtree_plan",
    "no_privacy_plan",
    "privbayes_plan",
    "scbn_plan",
]


@dataclass(frozen=True, kw_only=True)
class Synthesis(Record):
    """A mechanism of a curator: its record.

    `plan`: from its sizes to the stages that read the data, with what is claimed and certified of each, and the
    statements that this rests on. `exact`: from the words of a user (sizes, n, epsilon, ...) to the program on all
    tables of a small domain.
    """

    plan: Callable[..., Plan]
    exact: Callable[..., TableMechanism[Any, Any]]


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


# --- records ----------------------------------------------------------------------------------------------------------

_ROWS = "rows drawn one by one from the conditional distributions that the noisy joint tables imply"
_RECORDS = (
    Synthesis(
        program=HMPrivBayes,
        law="clusters of the attributes by spectral clustering of their noisy MIC; in every cluster a network, a root "
        "by its entropy and pair after pair by mutual information with the exponential mechanism, and joint tables "
        f"with noise that is larger for a larger entropy of the attribute; {_ROWS}",
        report="a table of as many records",
        plan=hmprivbayes_plan,
        exact=_hmprivbayes,
    ),
    Synthesis(
        program=PrivBayes,
        law="a network, a uniform root and pair after pair by a score with the exponential mechanism, and joint tables "
        f"with noise of one scale; {_ROWS}",
        report="a table of as many records",
        plan=privbayes_plan,
        exact=_privbayes,
    ),
    Synthesis(
        program=Jtree,
        law="a graph of the pairs of attributes whose mutual information in a sample, with noise, reaches a noisy "
        "threshold; a junction tree of it, clique tables with noise, made consistent; rows of their distribution",
        report="a table of records",
        plan=jtree_plan,
        exact=_jtree,
    ),
    Synthesis(
        program=ReconstructedSCBN,
        law="a reconstruction, not the published method: clusters by noisy Jaccard distances, a network for each with "
        "the exponential mechanism, conditional probabilities with noise; rows drawn from them",
        report="a table of records",
        plan=scbn_plan,
        exact=_scbn,
        aliases=("PrivSCBN",),
    ),
    Synthesis(
        program=NoPrivacy,
        law="HMPrivBayes without noise: exact coefficients and joint tables, pairs of the largest score",
        report="a table of as many records",
        plan=no_privacy_plan,
        exact=_no_privacy,
    ),
)
SYNTHESES: Mapping[str, Synthesis] = {record.name: record for record in _RECORDS}
"""The records by their names."""


def synthesis_of(name: str) -> Synthesis:
    """The record of a mechanism by its name or another one; capitals, hyphens and underscores do not matter.

    Raises `DomainError` with suggestions for an unknown name.
    """
    named = {alias: record for record in _RECORDS for alias in (record.name, *record.aliases)}
    return named[known_name("mechanism", name, tuple(named))]
