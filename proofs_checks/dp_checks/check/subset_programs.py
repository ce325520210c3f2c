"""PrivSet as programs behind laws on subsets: the enumerated program, and its tie to the law term."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from dp_checks.check.enumerated import Ties, table_digest
from dp_checks.kernel.laws import World, output_law, valued
from dp_checks.verdict import InternalDisagreementError
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.privset import Dummy, PrivSet
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.errors import DomainError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.ratfunc import RationalFunctionField
from dp_spec.vocabulary.table import Channel

Rows = Channel[tuple[int, ...], tuple[int, ...], Any]


@cache
def tie(law: Law) -> Ties:
    """The sizes at which program and law, and the program's p and q, were found equal for every epsilon, with the
    digests of the program's tables.

    Raises `InternalDisagreementError` at the first difference, `DomainError` for a law that no program is known for.
    """
    field, term, found = RationalFunctionField({"w": 1}), law.json()["term"], []
    for at in sizes(law):
        w = field.variable("w")
        mechanism, channel = program(law, at, w)
        numbers = valued(term, {**at, "w": w})
        for s, done in channel.rows.items():
            law_of = output_law(numbers, s, at["m"], World(at["K"], 0))
            stated = {o: field.lift(p) for (o, _), p in law_of.items()}
            shown = [(sum((p for o, p in done.items() if x in o), w * 0), x in s) for x in range(at["K"])]
            if done.keys() != stated.keys() or any(done[o] != stated[o] for o in stated):
                raise InternalDisagreementError(f"privset ({at}): another law of {s} in the program")
            if any(chance != (mechanism.p if held else mechanism.q) for chance, held in shown):
                raise InternalDisagreementError(f"privset ({at}): p and q are not those of {s}")
        found.append((at, table_digest(channel.rows)))
    return tuple(found)


def sizes(law: Law) -> Iterator[dict[str, int]]:
    """Sizes of at most 4 items (3 and dummies) in the declared order."""
    for d in range(1, 4 if law.brought else 5):
        for m in range(1, d + bool(law.brought)):
            for k in range(1, (d if law.brought else d - m) + 1):
                yield {"m": m, "K": d, "N": 0, "k": k}


def program(law: Law, at: dict[str, int], w: Any) -> tuple[PrivSet[Any], Rows]:
    """The mechanism at one size, and its exact channel; reports are sorted, dummies numbered after the items."""
    if law.mechanism != "privset":
        raise DomainError("mechanism", law.mechanism, "the name of a program")
    d, m = at["K"], at["m"]
    mechanism = PrivSet(ItemDomain.of_sizes(d), Budget.of_root(w), m, at["k"], bool(law.brought))
    inputs = mechanism.domain.subsets(range(0 if law.brought else m, m + 1))
    channel = exact_channel(mechanism.randomize, inputs, w * 0 + 1)

    def numbers(items: Any) -> tuple[int, ...]:
        return tuple(sorted(d + x.number if isinstance(x, Dummy) else int(x) for x in items))

    return mechanism, Channel({numbers(s): {numbers(o): p for o, p in row.items()} for s, row in channel.rows.items()})
