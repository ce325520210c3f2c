"""Checkers for laws on subsets (PrivSet): the table, its privacy, its estimator; ties to the program."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

from flint import fmpq

from dp_checks.check import subset_errors
from dp_checks.check.candidate import EVERY, ROOTS, Candidate, text
from dp_checks.enumeration import exact_channel
from dp_checks.kernel.subset_counts import rows
from dp_checks.verdict import InternalDisagreementError
from dp_refimpl.frequency.privset import Dummy, PrivSet
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.ratfunc import RationalFunctionField
from dp_spec.vocabulary.statement import Statement
from dp_spec.vocabulary.subset_statements import (
    SubsetLaw,
    SubsetRatio,
    SubsetSmallest,
    SubsetTable,
    SubsetUnbiased,
)
from dp_spec.vocabulary.table import Channel, ratio_maximum
from dp_spec.vocabulary.term import Term

ITEMS = {"plain": 4, "padded": 3}
"""Domains up to which the program is enumerated."""

Rows = Channel[tuple[int, ...], tuple[int, ...], Any]
Tabled = SubsetLaw | SubsetRatio | SubsetSmallest | SubsetUnbiased


def candidates(statement: Statement, hint: str) -> Iterator[Candidate] | None:
    """Proposals for statements of this family; None for other statements.

    Raises `InternalDisagreementError` when the table is not that of the program.
    """
    match statement:
        case SubsetLaw() | SubsetUnbiased():
            return _tied(statement.table, _at_sizes(statement, "counting"))
        case SubsetRatio() | SubsetSmallest():
            return _tied(statement.table, _at_sizes(statement, "two probabilities"))
    proposed = subset_errors.candidates(statement)
    return None if proposed is None else _tied(*proposed)


def _tied(table: SubsetTable, proposed: Iterator[Candidate]) -> Iterator[Candidate]:
    tied = f"table = enumerated program at {tie(table)} sizes, every epsilon"
    for candidate in proposed:
        yield Candidate(candidate.verdict, candidate.kind, f"{candidate.scope}; {tied}", candidate.data)


@cache
def tie(table: SubsetTable) -> int:
    """The number of sizes at which program and table, and the program's p and q, were found equal for every epsilon.

    Raises `InternalDisagreementError` at the first difference.
    """
    field, listed = RationalFunctionField({"w": 1}), list(sizes(table.reading))
    for d, m, k in listed:
        at = {"d": d, "m": m, "k": k}
        w = field.variable("w")
        mechanism, channel = program(table.reading, at, w)
        values = {"D": len(mechanism.outputs), "m": m, "k": k, "w": w}
        hit, miss = (field.lift(entry.evaluate(values)) for entry in (table.hit, table.miss))
        for s, stated in rows(table.reading, d, m, k, hit, miss):
            done = channel.rows[s]
            shown = [(sum((p for o, p in done.items() if x in o), w * 0), x in s) for x in range(d)]
            if done.keys() != stated.keys() or any(done[o] != stated[o] for o in stated):
                raise InternalDisagreementError(f"privset ({table.reading}, {at}): another law of {s} in the program")
            if any(chance != (mechanism.p if held else mechanism.q) for chance, held in shown):
                raise InternalDisagreementError(f"privset ({table.reading}, {at}): p and q are not those of {s}")
    return len(listed)


def sizes(reading: str) -> Iterator[tuple[int, int, int]]:
    """(d, m, k) in the declared order."""
    for d in range(1, ITEMS[reading] + 1):
        for m in range(1, d + (reading == "padded")):
            for k in range(1, (d if reading == "padded" else d - m) + 1):
                yield d, m, k


def program(reading: str, at: dict[str, int], w: Any) -> tuple[PrivSet[Any], Rows]:
    """The mechanism at one size, and its exact channel; reports are sorted, dummies numbered after the items."""
    d, m = at["d"], at["m"]
    mechanism = PrivSet(ItemDomain.of_sizes(d), Budget(w), m, at["k"], reading == "padded")
    inputs = mechanism.domain.subsets(range(m if reading == "plain" else 0, m + 1))
    channel = exact_channel(mechanism.randomize, inputs, w * 0 + 1)

    def number(x: Any) -> int:
        return d + x.number if isinstance(x, Dummy) else int(x)

    return mechanism, Channel(
        {
            tuple(sorted(map(number, s))): {tuple(sorted(map(number, o))): p for o, p in row.items()}
            for s, row in channel.rows.items()
        }
    )


def _at_sizes(statement: Tabled, lemma: str) -> Iterator[Candidate]:
    """A first instance at which the statement fails in the enumerated program; the lemma."""
    for (d, m, k), w in product(sizes(statement.table.reading), ROOTS):
        at = {"d": d, "m": m, "k": k}
        mechanism, channel = program(statement.table.reading, at, w)
        values = {"D": len(mechanism.outputs), "m": m, "k": k, "w": w}
        if fails(statement, channel, d, values):
            point = at | {"w": text(w)}
            yield Candidate(
                "refuted", "witness", ", ".join(f"{n} = {v}" for n, v in point.items()), {"instance": point}
            )
            return
    yield Candidate("proved", f"{lemma.replace(' ', '-')} lemma", f"{EVERY}, all sizes", {"lemma": lemma})


def fails(statement: Tabled, channel: Rows, d: int, values: dict[str, Any]) -> bool:
    """Whether the statement is false of the program's channel at one size and budget."""

    def number(entry: Term) -> fmpq:
        value: fmpq = fmpq(1) * entry.evaluate(values)
        return value

    match statement:
        case SubsetLaw():
            held, other = number(statement.held), number(statement.other)
            return _differs(channel, d, lambda chance, own: chance != (held if own else other))
        case SubsetUnbiased():
            slope, offset = number(statement.estimator.slope), number(statement.estimator.offset)
            return _differs(channel, d, lambda chance, own: chance - offset != slope * own)
        case SubsetRatio():
            found = ratio_maximum(channel)
            return found is not None and (found.ratio is None or found.ratio > values["w"])
        case SubsetSmallest():
            found = ratio_maximum(channel)
            return found is not None and found.ratio != number(statement.constant)


def _differs(channel: Rows, d: int, wrong: Callable[[fmpq, bool], bool]) -> bool:
    return any(
        wrong(sum((p for o, p in row.items() if x in o), fmpq(0)), x in s)
        for s, row in channel.rows.items()
        for x in range(d)
    )
