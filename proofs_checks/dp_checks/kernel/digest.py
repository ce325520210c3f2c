"""What a certificate is bound to: the ledger's entry of its id, and the ties of its laws to programs."""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

from dp_checks.kernel.exact import integer, rational
from dp_checks.kernel.fields import require_shape, some
from dp_checks.kernel.work import require

DIGEST = re.compile(r"[0-9a-f]{64}")


def canonical(value: Any) -> str:
    """The one text of a JSON value: names sorted, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def digest(value: Any) -> str:
    """SHA-256 of the canonical text."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def laws(node: Any) -> Iterator[Any]:
    """Every law of a statement: an object that names a mechanism."""
    if isinstance(node, dict):
        if "mechanism" in node:
            yield node
        node = list(node.values())  # also of what is yielded: something else may have a field of that name
    for child in node if isinstance(node, list) else ():
        yield from laws(child)


def _name(value: Any) -> None:
    require(isinstance(value, str) and DIGEST.fullmatch(value) is not None, "the digest is none")


def _instance(value: Any) -> None:
    """Where a program was enumerated: at sizes (under listed functions to b labels) for every epsilon, or at a value of
    the base under one hash function; on a tree of a height (and with b children)."""
    if "h" in value:
        require_shape({"h": integer, "b?": integer}, value)
        return
    sizes = {"m": integer, "K": integer, "N": integer, "b?": integer, "functions?": [[integer, ...], ...]}
    exact = {"base": rational, "hash": [rational, ...]} if "hash" in value else {"k?": integer}
    require_shape(sizes | exact, value)


def require_ties(statement: Any, ties: Any) -> None:
    """Raise `Rejected` unless there is exactly one record for every law of the statement, of that law and no other.

    A record says where the program's table was enumerated, and names the table by its digest. That it is the
    program's is not shown here: to see that, the program is run again (`dp-refimpl verify --replay`).
    """
    require_shape([{"law": _name, "at": some([_instance, ...]), "table": _name}, ...], ties)
    stated = {digest(law) for law in laws(statement)}
    require(sorted(tie["law"] for tie in ties) == sorted(stated), "not one tie for every law of the statement")


def require_pinned(certificate: Any, ledger: Any) -> None:
    """Raise `Rejected` unless the ledger has this verdict on this very statement under the certificate's id."""
    known = isinstance(ledger, dict) and isinstance(ledger.get("claims"), dict)
    require(known, "what it is compared with is no ledger")
    entry, statement = ledger["claims"].get(certificate["id"]), certificate["statement"]
    require(isinstance(entry, dict) and "digest" in entry, "the ledger pins no statement under this id")
    pinned, found = entry["digest"], digest(statement)
    require(pinned == found, f"the ledger pins the statement {pinned}, this one is {found}: {canonical(statement)}")
    require(entry.get("verdict") == certificate["verdict"], f"the ledger's verdict is {entry.get('verdict')}")
