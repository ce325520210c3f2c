"""Laws with other numbers in their rows: the same term, with faults in it."""

from dataclasses import replace
from typing import Any

from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.term import Term

CELLS = {
    "p": (("sen", "own"), ("sen1", "1")),
    "q": (("sen", "other"), ("non", "other"), ("sen0", "1")),
    "r": (("non", "own"), ("non1", "1")),
}
"""The cells in which the entries p (own result), q (another one) and r (shown) of a row stand."""


def tabled(law: Law, **entries: Term) -> Law:
    """The law with these entries in its rows; of a law on arcs `q` is their length."""
    changed = replace(law, term=_changed(law.term, entries))
    assert changed.json() != law.json()
    return changed


def body(law: Law) -> Any:
    """The law's term without what is seen of it."""
    return law.term[-1] if law.term[0] == "push" else law.term


def _changed(node: Any, entries: dict[str, Term]) -> Any:
    if not isinstance(node, tuple):
        return node
    if node[0] == "row":
        return ("row", {kind: _cells(kind, cells, entries) for kind, cells in node[1].items()})
    if node[0] == "interval":
        return ("interval", entries["q"], node[2])
    return tuple(_changed(child, entries) for child in node)


def _cells(kind: str, cells: dict[str, Term], entries: dict[str, Term]) -> dict[str, Term]:
    pinned = {name: entry for name in cells for entry in _entry(kind, name, entries)}
    beside = {"0": 1 - pinned["1"]} if "1" in pinned and "0" in cells else {}
    return {**cells, **pinned, **beside}


def _entry(kind: str, name: str, entries: dict[str, Term]) -> list[Term]:
    return [value for entry, value in entries.items() if (kind, name) in CELLS[entry]]
