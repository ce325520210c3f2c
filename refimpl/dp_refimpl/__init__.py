"""Exact, runnable mechanisms: the papers' own randomized programs, run on a source of randomness given to them.

from dp_refimpl import GRR, exact_channel, smallest_constant

channel = exact_channel(GRR(d=4, epsilon=1))
print(smallest_constant(channel))           # 2.71828182845905 (exactly e)
"""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING

from dp_refimpl import mechanisms
from dp_refimpl.coins import Coins, SamplingCoins, ScriptedCoins
from dp_refimpl.enumeration import exact_channel, output_law
from dp_refimpl.frequency.count_sketch import Sampled
from dp_refimpl.frequency.hash_families import AllFunctions, LabelFunction, PublicFunctions
from dp_refimpl.frequency.hashing import HashFunction
from dp_refimpl.frequency.unary import SUE
from dp_refimpl.mechanisms import *
from dp_spec.vocabulary.budget import Budget, Epsilon
from dp_spec.vocabulary.definitions import RELATIONS, Relation, Witness, smallest_constant, suldp_violation
from dp_spec.vocabulary.exceptions import DomainError, NotExactError, NotStochasticError, UndecidedError
from dp_spec.vocabulary.items import Item, ItemDomain, Report
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.table import Channel

if TYPE_CHECKING:
    from dp_refimpl.matrix import (
        Boost,
        DiscreteLaplaceNoise,
        Haar,
        Identity,
        LaplaceNoise,
        MatrixMechanism,
        Neighbors,
        Normalization,
        Privelet,
        Root,
        Tree,
        WeightedPrivelet,
    )
    from dp_refimpl.syntheses import (
        DPSC,
        Account,
        BinaryCode,
        CountTable,
        ExponentialMechanism,
        HMPrivBayes,
        HnoisyConditionals,
        IBayes,
        Jtree,
        NoPrivacy,
        NotCertifiedError,
        Plan,
        PrivBayes,
        ReconstructedSCBN,
        Segmentation,
        Synthesis,
        TableMechanism,
        dpsc_plan,
        hmprivbayes_plan,
        ibayes_plan,
        jtree_plan,
        no_privacy_plan,
        noisy_conditionals_plan,
        privbayes_plan,
        scbn_plan,
        selection_plan,
        synthesis_of,
    )

__version__ = version("dp-refimpl")

__all__ = [
    "DPSC",
    "RELATIONS",
    "SUE",
    "Account",
    "AllFunctions",
    "BinaryCode",
    "Boost",
    "Budget",
    "Channel",
    "Coins",
    "CountTable",
    "DiscreteLaplaceNoise",
    "DomainError",
    "Epsilon",
    "ExponentialMechanism",
    "HMPrivBayes",
    "Haar",
    "HashFunction",
    "HnoisyConditionals",
    "IBayes",
    "Identity",
    "Item",
    "ItemDomain",
    "Jtree",
    "LabelFunction",
    "LaplaceNoise",
    "MatrixMechanism",
    "Neighbors",
    "NoPrivacy",
    "Normalization",
    "NotCertifiedError",
    "NotExactError",
    "NotStochasticError",
    "Plan",
    "PrivBayes",
    "Privelet",
    "PublicFunctions",
    "Real",
    "ReconstructedSCBN",
    "Relation",
    "Report",
    "Root",
    "Sampled",
    "SamplingCoins",
    "ScriptedCoins",
    "Segmentation",
    "Synthesis",
    "TableMechanism",
    "Tree",
    "UndecidedError",
    "WeightedPrivelet",
    "Witness",
    "__version__",
    "dpsc_plan",
    "exact_channel",
    "hmprivbayes_plan",
    "ibayes_plan",
    "jtree_plan",
    "no_privacy_plan",
    "noisy_conditionals_plan",
    "output_law",
    "privbayes_plan",
    "scbn_plan",
    "selection_plan",
    "smallest_constant",
    "suldp_violation",
    "synthesis_of",
]
__all__ += mechanisms.__all__
_MATRIX = (
    *("Boost", "DiscreteLaplaceNoise", "Haar", "Identity", "LaplaceNoise", "MatrixMechanism", "Neighbors"),
    *("Normalization", "Privelet", "Root", "Tree", "WeightedPrivelet"),
)


def __getattr__(name: str) -> object:
    """Mechanisms of curators are imported when they are asked for: it takes long, and those of users do without."""
    if name in _MATRIX:
        return getattr(import_module("dp_refimpl.matrix"), name)
    if name in __all__:
        return getattr(import_module("dp_refimpl.syntheses"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
