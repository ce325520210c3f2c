"""Every mechanism by its name: what the command line, tables and audits read names with."""

from collections.abc import Mapping
from inspect import signature
from typing import Any, get_args, get_type_hints

from dp_refimpl.frequency.count_sketch import ClientCMS
from dp_refimpl.frequency.grr import GRR, GRRSample, GRRSplit
from dp_refimpl.frequency.hadamard import HCMS, HadamardResponse
from dp_refimpl.frequency.histogram import SHE, THE
from dp_refimpl.frequency.local_hashing import BLH, FLH, OLH, LocalHashing
from dp_refimpl.frequency.privset import PrivSet
from dp_refimpl.frequency.rappor import RAPPOR, RAPPORSample, RAPPORSet
from dp_refimpl.frequency.subset_selection import SubsetSelection
from dp_refimpl.frequency.sugrr import SuGRR, SuGRRSample
from dp_refimpl.frequency.surap import SuRAP, SuRAPSample
from dp_refimpl.frequency.suwheel import SuWheel
from dp_refimpl.frequency.unary import OUE
from dp_refimpl.frequency.urap import URAP
from dp_refimpl.frequency.urr import URR
from dp_refimpl.frequency.wheel import Wheel
from dp_spec.vocabulary.names import known_name

Mechanism = type[Any]

MECHANISMS: Mapping[str, Mechanism] = {
    mechanism.__name__: mechanism
    for mechanism in (
        GRR,
        GRRSplit,
        GRRSample,
        RAPPOR,
        RAPPORSet,
        RAPPORSample,
        URR,
        URAP,
        SuGRR,
        SuGRRSample,
        SuRAP,
        SuRAPSample,
        Wheel,
        SuWheel,
        PrivSet,
        OUE,
        SHE,
        THE,
        LocalHashing,
        BLH,
        OLH,
        FLH,
        SubsetSelection,
        HadamardResponse,
        ClientCMS,
        HCMS,
    )
}
"""The classes by their names."""

ALIASES: Mapping[str, str] = {"SUE": "RAPPOR", "LH": "LocalHashing", "SS": "SubsetSelection", "CMS": "ClientCMS"}
"""Other names of the literature."""


def mechanism_of(name: str) -> Mechanism:
    """The class of a mechanism, or of one of the `ALIASES`; capitals and hyphens do not matter (`sugrr-sample` is
    SuGRRSample).

    Raises `DomainError` with suggestions for an unknown name.
    """
    known = known_name("mechanism", name, (*MECHANISMS, *ALIASES))
    return MECHANISMS[ALIASES.get(known, known)]


def views_of(mechanism: Mechanism) -> tuple[str, ...]:
    """The readings of a mechanism's report, values of its field `view`; none if there is one only."""
    return get_args(get_type_hints(mechanism).get("view"))


def has_public_hash(mechanism: Mechanism) -> bool:
    """Whether `randomize` takes the public hash function, on which laws are conditional (Wheel, suWheel)."""
    return "h" in signature(mechanism.randomize).parameters
