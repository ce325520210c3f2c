"""What a certificate is bound to: the ledger's entry of its id; the scope of its evidence and the ties of its laws to
programs, which the entry pins.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from dp_kernel.meter import require
from dp_kernel.numbers.json_numbers import integer, rational
from dp_kernel.schema import canonical, require_shape, some

DIGEST = re.compile(r"[0-9a-f]{64}")


def digest(value: Any) -> str:
    """SHA-256 of the canonical text."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def distinct(things: Iterable[Any]) -> list[str]:
    """Their canonical texts, sorted. Raises `Rejected` where two are alike."""
    texts = sorted(map(canonical, things))
    require(len({*texts}) == len(texts), "the same is listed twice")
    return texts


def laws(node: Any) -> Iterator[Any]:
    """Every law of a statement: an object that names a mechanism."""
    if isinstance(node, dict):
        if "mechanism" in node:
            yield node
        node = list(node.values())  # also of what is yielded: something else may have a field of that name
    for child in node if isinstance(node, list) else ():
        yield from laws(child)


def exhausted(verdict: str, evidence: Any) -> Any:
    """What a verified statement was decided on: points, sizes or families of channels, each once and with reduced
    numbers, without the hints of how; of parts, what each was. None of other verdicts."""
    if verdict != "verified":
        return None
    if "parts" in evidence:
        return [exhausted(*part) for part in evidence["parts"]]
    listed = [point.get("values", point) for point in evidence.get("instances", evidence.get("families", [evidence]))]
    require(bool(listed), "an empty scope")
    return distinct({x: str(rational(y)) if type(y) in (int, str) else y for x, y in at.items()} for at in listed)


def scope(certificate: Any) -> str | None:
    """The digest of what was exhausted and of the ties, which the ledger pins; None where there is neither."""
    places, ties = exhausted(certificate["verdict"], certificate["evidence"]), distinct(certificate["ties"])
    return digest([places, ties]) if places is not None or ties else None


def _name(value: Any) -> None:
    require(isinstance(value, str) and DIGEST.fullmatch(value) is not None, "the digest is none")


NATURAL, POSITIVE = (partial(integer, low=least, high=8) for least in (0, 1))
"""Numbers of items, labels, levels: where a program is enumerated, everything is small."""


def _instance(value: Any) -> None:
    """Where a program was enumerated: at sizes (under listed functions to b labels) for every epsilon, or at a value of
    the base under one hash function; on a tree of a height (and with b children)."""
    if "h" in value:
        require_shape({"h": NATURAL, "b?": POSITIVE}, value)
        return
    sizes = {"m": POSITIVE, "K": POSITIVE, "N": NATURAL, "b?": POSITIVE, "functions?": some([[NATURAL, ...], ...])}
    exact = {"base": rational, "hash": [rational, ...]} if "hash" in value else {"k?": NATURAL}
    require_shape(sizes | exact, value)
    images = [value["hash"]] if "hash" in value else value.get("functions", [])
    require(all(len(image) == value["K"] + value["N"] for image in images), "not one value of every item")


def require_ties(statement: Any, ties: Any) -> None:
    """Raise `Rejected` unless there is exactly one record for every law of the statement, of that law and no other.

    A record says where the program's table was enumerated, and names the table by its digest. That it is the
    program's is not shown here: the ledger pins the records, and `dp-refimpl verify --replay` runs the program again.
    """
    require_shape([{"law": _name, "at": some([_instance, ...]), "table": _name}, ...], ties)
    for tie in ties:
        distinct(tie["at"])
    stated = {digest(law) for law in laws(statement)}
    require(sorted(tie["law"] for tie in ties) == sorted(stated), "not one tie for every law of the statement")


def require_pinned(certificate: Any, ledger: Any) -> None:
    """Raise `Rejected` unless the ledger has this verdict on this very statement under the certificate's id, decided on
    this scope and with these ties."""
    is_ledger = isinstance(ledger, dict) and isinstance(ledger.get("claims"), dict)
    require(is_ledger, "what it is compared with is no ledger")
    entry, statement = ledger["claims"].get(certificate["id"]), certificate["statement"]
    require(isinstance(entry, dict) and "digest" in entry, "the ledger pins no statement under this id")
    pinned, own = entry["digest"], digest(statement)
    require(pinned == own, f"the ledger pins the statement {pinned}, this one is {own}: {canonical(statement)}")
    require(entry.get("verdict") == certificate["verdict"], f"the ledger's verdict is {entry.get('verdict')}")
    listed, here = entry.get("scope"), scope(certificate)
    require(listed == here, f"the ledger pins the scope {listed}, this one is {here}: other points, sizes or ties")
