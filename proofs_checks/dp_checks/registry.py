"""What is done with a statement, by its class: tables beside the functions, joined where they are used."""

from collections.abc import Mapping
from typing import TypeVar

from dp_spec.vocabulary.law import Law

T = TypeVar("T")
Key = tuple[type, str]
"""A class of statements, and the unit of the law that it is about ("" for any)."""


def keyed(table: Mapping[type, T], unit: str = "") -> dict[Key, T]:
    """The entries of a table, for laws of one unit."""
    return {(kind, unit): entry for kind, entry in table.items()}


def joined(*tables: Mapping[Key, T]) -> dict[Key, T]:
    """The entries of all tables. Raises `ValueError` for a key that is given twice."""
    entries = {key: entry for table in tables for key, entry in table.items()}
    if len(entries) != sum(map(len, tables)):
        raise ValueError("a class of statements has two entries")
    return entries


def entry_of(table: Mapping[Key, T], statement: object) -> T | None:
    """The entry of a statement's class: the one for the unit of its law, else the one for any."""
    law = getattr(statement, "law", None)
    unit = law.unit if isinstance(law, Law) else ""
    return table.get((type(statement), unit), table.get((type(statement), "")))
