"""The mechanisms of `dp_refimpl` as oracles, by name, from parameters.

Items are 0 .. d-1 (utility-optimized mechanisms: 0 .. K-1 sensitive, K .. K+N-1 not); what a user holds is an item, or
a set of m items. A report has one canonical form, described in its record; with invertible data I it is the pair
(y0, I), in JSON [y0, {"set": I}].

Wheel and suWheel are oracles given the public hash function: `hash` lists the hash values of the items. The set of
items whose arcs hold a point t of [0, 1) is {x : (t - hash[x]) mod 1 < p}, p = 1 / (2m - 1 + m e^epsilon); laws and
estimates depend on the point only through it, so that this is how the point of an implementation is mapped.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from flint import fmpq

from dp_audit.oracles.base import OracleKind, epsilon, integer, one_of
from dp_audit.oracles.mechanism import MechanismOracle
from dp_audit.oracles.readers import rational, rationals
from dp_audit.oracles.relations import READINGS
from dp_refimpl.frequency.hashing import HashFunction
from dp_refimpl.mechanisms import RECORDS, has_public_hash, views_of
from dp_refimpl.records import Mechanism
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.real import Real

_OWN = ("m", "k", "view")
"""Parameters that are fields of the mechanism by the same name."""
_OPTIONAL = frozenset({"view", "theta", "relation"})


def _make(record: Mechanism, *, epsilon: Budget[Real], **values: Any) -> MechanismOracle:
    """Return the oracle at these values of its parameters, which have been read."""
    domain = ItemDomain.of_sizes(values.get("d") or values["K"], values.get("N", 0))
    own = {name: values[name] for name in _OWN if name in values}
    own |= {"theta_option": Real.lift(values["theta"])} if "theta" in values else {}
    mechanism = record.program(domain, epsilon, **own)
    h = _hash_function(domain, values["hash"]) if "hash" in values else None
    return MechanismOracle(len(domain.items), epsilon, mechanism, values.get("relation", record.relation), h)


def _hash_function(domain: ItemDomain, values: tuple[fmpq, ...]) -> HashFunction:
    """Return the function with these values. Raises `DomainError`."""
    if len(values) != len(domain.items) or not all(0 <= value <= 1 for value in values):
        raise DomainError("hash", tuple(map(str, values)), f"{len(domain.items)} values in [0, 1], one for each item")
    return HashFunction(domain.items, values)


def _kind(record: Mechanism) -> OracleKind:
    fields, optimized = record.program.__dataclass_fields__, record.relation != "ldp"
    public, views = has_public_hash(record.program), views_of(record.program)
    sizes = {"K": integer(1), "N": integer(0)} if optimized else {"d": integer(1)}
    own = {size: integer(1) for size in ("m", "k") if size in fields}
    readers: dict[str, Callable[[str, object], Any]] = {**sizes, "epsilon": epsilon, **own}
    readers |= {"hash": rationals} if public else {}
    readers |= {"view": one_of(views)} if views else {}
    readers |= {"theta": rational} if "theta_option" in fields else {}
    readers |= {"relation": one_of(READINGS)} if optimized and "m" in fields else {}
    return OracleKind.of(
        record,
        partial(_make, record),
        readers,
        optional=_OPTIONAL & readers.keys(),
        words=_WORDS | _view_words(fields["view"].default, views) if views else _WORDS,
        judging=frozenset({"relation"}),
    )


def _view_words(default: str, views: Sequence[str]) -> dict[str, tuple[str, str]]:
    return {"view": (f"the form of the report: {', '.join(views)}; {default} by default", default)}


_WORDS = {
    "k": ("size of the set", "1"),
    "hash": ("hash values of all items, in [0, 1]", "0, 1/3, 1/2"),
    "theta": ("the parameter of uRAP; e^(epsilon/2) / (e^(epsilon/2) + 1) by default", "2/3"),
}
KINDS = {name: _kind(record) for name, record in RECORDS.items() if record.oracles is None}
"""The mechanisms that have no oracles of their own, with other parameters, by their class names."""
