"""Exact, runnable mechanisms: the papers' own randomized programs, run on a source of randomness given to them.

from dp_refimpl import GRR, exact_channel, smallest_constant

channel = exact_channel(GRR(d=4, epsilon=1))
print(smallest_constant(channel))           # 2.71828182845905 (exactly e)
"""

from importlib.metadata import version

from dp_refimpl.coins import Coins, SamplingCoins, ScriptedCoins
from dp_refimpl.enumeration import exact_channel, output_law
from dp_refimpl.frequency.count_sketch import ClientCMS, Sampled
from dp_refimpl.frequency.grr import GRR, GRRSample, GRRSplit
from dp_refimpl.frequency.hadamard import HCMS, HadamardResponse
from dp_refimpl.frequency.hash_families import AllFunctions, LabelFunction, PublicFunctions
from dp_refimpl.frequency.hashing import HashFunction
from dp_refimpl.frequency.histogram import SHE, THE
from dp_refimpl.frequency.local_hashing import BLH, FLH, OLH, LocalHashing
from dp_refimpl.frequency.privset import PrivSet
from dp_refimpl.frequency.rappor import RAPPOR, RAPPORSample, RAPPORSet
from dp_refimpl.frequency.subset_selection import SubsetSelection
from dp_refimpl.frequency.sugrr import SuGRR, SuGRRSample
from dp_refimpl.frequency.surap import SuRAP, SuRAPSample
from dp_refimpl.frequency.suwheel import SuWheel
from dp_refimpl.frequency.unary import OUE, SUE
from dp_refimpl.frequency.urap import URAP
from dp_refimpl.frequency.urr import URR
from dp_refimpl.frequency.wheel import Wheel
from dp_refimpl.mechanisms import MECHANISMS, mechanism_of
from dp_spec.vocabulary.budget import Budget, Epsilon
from dp_spec.vocabulary.definitions import RELATIONS, Relation, Witness, smallest_constant, suldp_violation
from dp_spec.vocabulary.exceptions import DomainError, NotExactError, NotStochasticError, UndecidedError
from dp_spec.vocabulary.items import Item, ItemDomain, Report
from dp_spec.vocabulary.real import Real
from dp_spec.vocabulary.table import Channel

__version__ = version("dp-refimpl")

__all__ = [
    "BLH",
    "FLH",
    "GRR",
    "HCMS",
    "MECHANISMS",
    "OLH",
    "OUE",
    "RAPPOR",
    "RELATIONS",
    "SHE",
    "SUE",
    "THE",
    "URAP",
    "URR",
    "AllFunctions",
    "Budget",
    "Channel",
    "ClientCMS",
    "Coins",
    "DomainError",
    "Epsilon",
    "GRRSample",
    "GRRSplit",
    "HadamardResponse",
    "HashFunction",
    "Item",
    "ItemDomain",
    "LabelFunction",
    "LocalHashing",
    "NotExactError",
    "NotStochasticError",
    "PrivSet",
    "PublicFunctions",
    "RAPPORSample",
    "RAPPORSet",
    "Real",
    "Relation",
    "Report",
    "Sampled",
    "SamplingCoins",
    "ScriptedCoins",
    "SuGRR",
    "SuGRRSample",
    "SuRAP",
    "SuRAPSample",
    "SuWheel",
    "SubsetSelection",
    "UndecidedError",
    "Wheel",
    "Witness",
    "__version__",
    "exact_channel",
    "mechanism_of",
    "output_law",
    "smallest_constant",
    "suldp_violation",
]
