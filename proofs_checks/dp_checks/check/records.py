"""Records of ties, one for every law of a statement: what certificates carry and a replay compares."""

from typing import Any

from dp_checks.check.ties import tie
from dp_checks.kernel.digest import digest, laws
from dp_spec.vocabulary.law import read_law

Json = dict[str, Any]


def records(statement: Json) -> tuple[Json, ...]:
    """For every law of a statement (as JSON): where the program was found to have it, and the digest of the program's
    tables there.

    Raises `InternalDisagreementError` at the first difference, `DomainError` for a mechanism that has no program.
    """
    stated = {digest(law): law for law in laws(statement)}
    found = {name: tie(read_law(stated[name])) for name in sorted(stated)}
    return tuple(
        {"law": name, "at": [at for at, _ in ties], "table": digest([table for _, table in ties])}
        for name, ties in found.items()
    )
