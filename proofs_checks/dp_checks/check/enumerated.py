"""A program's enumerated table as its digest: what a certificate keeps of it, and what a replay compares."""

from collections.abc import Mapping
from typing import Any

from flint import fmpq

from dp_checks.kernel.digest import canonical, digest
from dp_spec.vocabulary.items import Report

Instance = dict[str, Any]
"""Sizes, and where there is one a value of the base and a hash function, as certificates write them."""
Ties = tuple[tuple[Instance, str], ...]
"""Where a program was enumerated, with the digest of its table there."""


def table_digest(rows: Mapping[Any, Mapping[Any, Any]]) -> str:
    """The digest of a channel's rows: inputs and outputs sorted, zeros left out, numbers as python-flint writes them
    (over Q(t) a reduced fraction of integer polynomials in lexicographic order)."""
    return digest(
        sorted(
            (
                [_plain(s), sorted(([_plain(y), str(p)] for y, p in row.items() if p != 0), key=canonical)]
                for s, row in rows.items()
            ),
            key=canonical,
        )
    )


def _plain(label: Any) -> Any:
    if isinstance(label, Report):
        return [_plain(label.protected), _plain(label.invertible)]
    if isinstance(label, frozenset):
        return sorted((_plain(x) for x in label), key=canonical)
    if isinstance(label, tuple):
        return [_plain(x) for x in label]
    return str(label) if isinstance(label, fmpq) else label
