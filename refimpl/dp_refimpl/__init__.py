"""Exact, runnable mechanisms: the papers' own randomized programs, run on a source of randomness given to them.

from dp_refimpl import GRR, exact_channel, smallest_constant

channel = exact_channel(GRR(d=4, epsilon=1))
print(smallest_constant(channel))           # 2.71828182845905 (exactly e)
"""

from importlib.metadata import version

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

__version__ = version("dp-refimpl")

__all__ = [
    "RELATIONS",
    "SUE",
    "AllFunctions",
    "Budget",
    "Channel",
    "Coins",
    "DomainError",
    "Epsilon",
    "HashFunction",
    "Item",
    "ItemDomain",
    "LabelFunction",
    "NotExactError",
    "NotStochasticError",
    "PublicFunctions",
    "Real",
    "Relation",
    "Report",
    "Sampled",
    "SamplingCoins",
    "ScriptedCoins",
    "UndecidedError",
    "Witness",
    "__version__",
    "exact_channel",
    "output_law",
    "smallest_constant",
    "suldp_violation",
]
__all__ += mechanisms.__all__
