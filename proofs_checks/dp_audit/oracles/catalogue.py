"""The mechanisms of `dp_refimpl` as oracles, by name, from parameters.

Items are 0 .. d-1 (utility-optimized mechanisms: 0 .. K-1 sensitive, K .. K+N-1 not); what a user holds is an item, or
a set of m items. A report has one canonical form, described in `REPORTS`; with invertible data I it is the pair
(y0, I), in JSON [y0, {"set": I}].

Wheel and suWheel are oracles given the public hash function: `hash` lists the hash values of the items. The set of
items whose arcs hold a point t of [0, 1) is {x : (t - hash[x]) mod 1 < p}, p = 1 / (2m - 1 + m e^epsilon); laws and
estimates depend on the point only through it, so that this is how the point of an implementation is mapped.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from flint import fmpq

from dp_audit.oracles.additive import listed, rational
from dp_audit.oracles.base import Epsilon, Kind, epsilon, integer, one_of
from dp_audit.oracles.certificates import CERTIFIED
from dp_audit.oracles.mechanism import MechanismOracle
from dp_audit.oracles.readings import READINGS
from dp_refimpl.frequency.hashing import HashFunction
from dp_refimpl.mechanisms import MECHANISMS, has_public_hash, views_of
from dp_spec.vocabulary.definitions import Relation
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.real import Real

_POINT = "the set of the items whose arcs hold the point"
REPORTS: Mapping[str, str] = {
    "GRRSplit": "the m results in the order of the items held (view multiset: sorted)",
    "GRRSample": "an item",
    "RAPPORSet": "d bits",
    "RAPPORSample": "d bits",
    "URR": "an item",
    "URAP": "[the K sensitive bits, I]",
    "SuGRR": "[the sensitive results, I]; they are sorted (multiset, padded), a set (set), or one for each item held, "
    "null where it is not sensitive (position)",
    "SuGRRSample": "[the sensitive item or null, I]",
    "SuRAP": "[the K sensitive bits, I]",
    "SuRAPSample": "[the K sensitive bits, I]",
    "Wheel": _POINT,
    "SuWheel": f"[{_POINT}, I]",
    "PrivSet": "the set of k items",
}
"""The canonical reports, by mechanism; I is the set of invertible data, the non-sensitive items that are shown."""


def _make(
    mechanism: Any,
    default: Relation,
    *,
    epsilon: Epsilon,
    d: int = 0,
    K: int = 0,
    N: int = 0,
    relation: Relation | None = None,
    hash: tuple[fmpq, ...] | None = None,
    theta: fmpq | None = None,
    **own: Any,
) -> MechanismOracle:
    domain = ItemDomain.of_sizes(d or K, N)
    more = {} if theta is None else {"theta_option": Real.lift(theta)}
    made = mechanism(domain, epsilon.budget, **own, **more)
    h = None
    if hash is not None:
        if len(hash) != len(domain.items):
            raise DomainError("hash", tuple(map(str, hash)), f"{len(domain.items)} values, one for each item")
        h = HashFunction(domain.items, hash)
    return MechanismOracle(len(domain.items), epsilon, made, relation or default, h)


def _rationals(name: str, value: object) -> tuple[fmpq, ...]:
    """The reader of hash values: a list of numbers or texts, or text as "0, 1/3, 0.5". It raises `DomainError`."""
    allowed = 'rational numbers in [0, 1], as "0, 1/3, 1/2"'
    parts: Sequence[object] = value.strip("[] ").split(",") if isinstance(value, str) else listed(name, value, allowed)
    return tuple(rational(name, part) for part in parts)


_OPTIONAL = frozenset({"view", "theta", "relation"})
_DEFAULT: Mapping[str, Relation] = {
    **dict.fromkeys(("URR", "URAP", "SuGRR", "SuGRRSample", "SuRAP", "SuRAPSample"), "joint"),
    "SuWheel": "marginal",
}
"""Mechanisms with invertible data, and the reading in which they are judged. No constant bounds suWheel in `joint`."""


def _kind(name: str, mechanism: Any) -> Kind:
    fields, optimized = mechanism.__dataclass_fields__, name in _DEFAULT
    sizes = {"K": integer(1), "N": integer(0)} if optimized else {"d": integer(1)}
    own = {size: integer(1) for size in ("m", "k") if size in fields}
    readers: dict[str, Callable[[str, object], Any]] = {**sizes, "epsilon": epsilon, **own}
    readers |= {"hash": _rationals} if has_public_hash(mechanism) else {}
    readers |= {"view": one_of(views_of(mechanism))} if views_of(mechanism) else {}
    readers |= {"theta": rational} if "theta_option" in fields else {}
    readers |= {"relation": one_of(READINGS)} if optimized and "m" in fields else {}
    make = partial(_make, mechanism, _DEFAULT.get(name, "ldp"))
    return Kind(make, readers, _OPTIONAL & readers.keys(), CERTIFIED[name], frozenset({"relation"}), REPORTS[name])


OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "GRR": ("GRR",),
    "RAPPOR": ("SUE",),
    "OUE": ("OUE",),
    "SHE": (),
    "THE": ("THE",),
    **dict.fromkeys(("LocalHashing", "BLH", "OLH"), ("LH", "FLH", "LH-ideal")),
    "FLH": ("FLH",),
    "SubsetSelection": ("SS",),
    "HadamardResponse": ("HM",),
    "ClientCMS": ("CMS",),
    "HCMS": ("HCMS",),
}
"""Mechanisms that have oracles of their own, with other parameters: their names. SHE has infinitely many reports."""
KINDS = {name: _kind(name, mechanism) for name, mechanism in MECHANISMS.items() if name not in OTHER_NAMES}
"""The other mechanisms of the registry by their class names."""
