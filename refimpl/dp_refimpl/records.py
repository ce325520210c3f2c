"""What a record of a mechanism is: the one place where the parts of a mechanism are joined."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dp_spec.vocabulary.definitions import Relation

Claims = Callable[[Mapping[str, Any]], tuple[str, ...]]
"""From the parameters that are given to the ids of the claims that are then relied on."""


def always(*ids: str, source: str = "002") -> Claims:
    """The same claims of a source at all parameters."""
    return lambda _: tuple(f"{source}.{name}" for name in ids)


@dataclass(frozen=True, kw_only=True)
class Record:
    """What every mechanism has: its program, and how it draws (`law`) what it releases (`report`), in words.

    `example`: a Python expression, in names that `dp_refimpl` exports, for an instance whose law is a small table; its
    page shows both. `aliases`: other names of the literature.
    """

    program: type[Any]
    law: str
    report: str
    example: str
    aliases: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the program's class."""
        return self.program.__name__


@dataclass(frozen=True, kw_only=True)
class Mechanism(Record):
    """A mechanism of a user, who holds items: in words, ids and numbers what else is known by the program's name.

    `laws`: the names of the laws of `dp_spec` whose program it is. `report`: the canonical form of a report. `claims`:
    the statements that its oracle rests on: normalized law, privacy, expectation and variance of the estimates. Only
    ids are here, no verdicts: that each of them is proved or verified is read from the ledger by a test; where a
    reading has no such statement, nothing is named.

    `needed`, `optional`: what has to be, and may be, said of it beside epsilon and sizes. `views`: readings that are
    functions of the report, not fields of the program. `relation`: the reading of privacy in which it is judged.
    `oracles`: the names of oracles of its own, with other parameters; None for the one that is made of this record.
    `vectors`: the parameters of its conformance vectors.
    """

    laws: tuple[str, ...]
    claims: Claims
    needed: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    views: tuple[str, ...] = ()
    relation: Relation = "ldp"
    oracles: tuple[str, ...] | None = None
    vectors: tuple[Mapping[str, object], ...] = ()
