"""The formal statements that the ledger pins: committed beside it, so that a changed one can be shown with the old."""

import json
from collections.abc import Iterable, Iterator, Mapping
from difflib import unified_diff
from pathlib import Path
from typing import Any

from dp_checks.ledger import Ledger, LedgerError, default_path, read_strictly
from dp_kernel.certificate.digest import digest, scope
from dp_kernel.schema import canonical
from dp_spec.vocabulary.claim import Claim
from dp_spec.vocabulary.exceptions import SHOWN
from dp_spec.vocabulary.statement import Statement

Json = dict[str, Any]


def formal_statements(claims: Iterable[Claim]) -> dict[str, Json]:
    """The statement of every row and reading that has a formal one, as certificates carry it."""
    return {i: formal.json() for claim in claims for i, formal in claim.formals() if isinstance(formal, Statement)}


def text(statements: Mapping[str, Json]) -> str:
    """The committed file: a line for every id."""
    lines = (f"{json.dumps(i)}:{canonical(statement)}" for i, statement in statements.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def path_beside(ledger: Path) -> Path:
    """Where the statements of a ledger are."""
    return ledger.with_name("statements.json")


def load_statements(ledger: Ledger, path: Path | None = None) -> dict[str, Json]:
    """The statements that a ledger pins (default: those beside the committed one).

    Raises `LedgerError` for a missing file, or unless they are exactly those whose digests the ledger has.
    """
    source = path if path is not None else path_beside(default_path())
    try:
        statements: dict[str, Json] = read_strictly(source)
        digests = {i: digest(statement) for i, statement in statements.items()}
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise error if isinstance(error, LedgerError) else LedgerError(f"{source}: {str(error)[:SHOWN]}") from error
    pinned = {i: entry.digest for i, entry in ledger.items() if entry.digest is not None}
    if other := sorted(i for i in digests.keys() | pinned.keys() if digests.get(i) != pinned.get(i)):
        raise LedgerError(f"{source}: not the statements that the ledger pins: {', '.join(other[:5])[:SHOWN]}")
    return statements


def disagreement(certificate: Any, ledger: Ledger) -> list[str]:
    """What the ledger says otherwise under the id of an accepted certificate, in lines; none for an id it does not
    have."""
    entry, own = ledger.get(certificate["id"]), digest(certificate["statement"])
    if entry is None:
        return []
    if entry.digest is None:
        return [f"the ledger pins no statement under this id ({entry.verdict})"]
    if entry.digest != own:
        first = f"the ledger pins another statement under this id (digest {entry.digest}, here {own})"
        return [first, *both(load_statements(ledger)[entry.id], certificate["statement"])]
    if entry.verdict != certificate["verdict"]:
        return [f"the ledger's verdict is {entry.verdict}, here {certificate['verdict']}"]
    if entry.scope != (here := scope(certificate)):
        return [
            f"the ledger pins another scope, or other ties of laws, under this id (digest {entry.scope}, here {here})"
        ]
    return []


def both(pinned: Json, now: Json) -> list[str]:
    """Two statements of one id, a line for every field; what they share is left out where it is far from a change."""
    return list(unified_diff([*_lines(pinned)], [*_lines(now)], "pinned by the ledger", "stated now", lineterm=""))


def _lines(node: Any, path: str = "") -> Iterator[str]:
    """Fields by their paths; formulas, relations and empty fields in one line each."""
    if isinstance(node, dict) and node:
        for name in sorted(node):
            yield from _lines(node[name], f"{path}.{name}" if path else name)
    elif isinstance(node, list) and node and not isinstance(node[0], str):
        for number, child in enumerate(node):
            yield from _lines(child, f"{path}.{number}")
    else:
        yield f"{path} = {json.dumps(node)}"
