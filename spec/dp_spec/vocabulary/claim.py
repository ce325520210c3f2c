"""Claims: identified statements of a source, with their readings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.source import document
from dp_spec.vocabulary.statement import Statement


@dataclass(frozen=True)
class Unchecked:
    """No formal statement is decided here, for the reason given."""

    reason: str


Formal = Statement | Unchecked


@dataclass(frozen=True)
class Claim:
    """A row of a source: prose, place and kind, and what is formally checked.

    A row has either one `formal` statement or named `readings`. `combine` says whether the print means one of the
    readings ("alternatives") or asserts all of them ("parts"). A correction names the id it replaces in `corrects`.
    `see` has, by id of the row or of a reading, the ids of statements that tell what is true where it is not.
    """

    id: str
    source: str
    place: str
    kind: str
    text: str
    asserted_by: Literal["source", "literature", "question", "supplement"]
    formal: Formal | None = None
    readings: Mapping[str, Formal] = field(default_factory=dict)
    combine: Literal["alternatives", "parts"] | None = None
    corrects: str | None = None
    see: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if (self.formal is None) == (not self.readings):
            raise DomainError(self.id, self.formal, "either one formal statement or readings")
        if bool(self.readings) != (self.combine is not None):
            raise DomainError(self.id, self.combine, "alternatives or parts, for a row with readings")
        if odd := set(self.see) - {i for i, _ in self.formals()}:
            raise DomainError(f"{self.id}: see", sorted(odd), "the row's id, or those of its readings if it has some")

    def formals(self) -> Iterator[tuple[str, Formal]]:
        """(id, statement) of the row, or of every reading."""
        if self.formal is not None:
            yield self.id, self.formal
        for name, formal in self.readings.items():
            yield f"{self.id}@{name}", formal


def read_claims(source: str, formal: Mapping[str, Formal]) -> tuple[Claim, ...]:
    """The claims of a source: prose from `dp_spec/sources/<source>.toml`, formal statements by id.

    Raises `DomainError` unless both name exactly the same ids.
    """
    rows = document(source)["claims"]
    named = {f"{row['id']}@{name}" for row in rows for name in row.get("readings", [])}
    named |= {row["id"] for row in rows if not row.get("readings")}
    if named != set(formal):
        raise DomainError("formal statements", sorted(named ^ set(formal)), f"exactly the ids of {source}.toml")
    return tuple(
        Claim(
            row["id"],
            source,
            row["place"],
            row["kind"],
            row["text"],
            row["asserted_by"],
            None if row.get("readings") else formal[row["id"]],
            {name: formal[f"{row['id']}@{name}"] for name in row.get("readings", [])},
            row.get("combine"),
            row.get("corrects"),
            _pointers(row["id"], row.get("see", {})),
        )
        for row in rows
    )


def _pointers(row: str, see: Mapping[str, list[str]] | list[str]) -> dict[str, tuple[str, ...]]:
    """The field `see` of a row: a list of ids, or, for a row with readings, such a list by reading."""
    if isinstance(see, list):
        return {row: tuple(see)}
    return {f"{row}@{reading}": tuple(ids) for reading, ids in see.items()}
