"""Statements about explicit finite channels: definitions as sentences, and implications between them.

Channels are {"K", "N", "m", "e_eps", "outputs": [[y0, I]]} on the m-sets of items (m = 1: on items), and "rows": of one
channel the probabilities of the outputs, for every m-set; or "parts": a family, all channels whose probabilities are
multiples of 1 / parts. An invertible datum is called by the item it is the image of, and I lists y_1, y_2, ... An
output that never occurs is no output.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from dp_kernel import schema
from dp_kernel.finite.sentences import LAW, Model, sentence, truth
from dp_kernel.formulas.terms import symbols
from dp_kernel.laws.grammar import Items, sets_of
from dp_kernel.meter import paid, require
from dp_kernel.numbers.json_numbers import integer, items, label, rational


def channels(data: Any) -> Iterator[Model]:
    """The channel with these rows, which must be laws, or all channels of a family."""
    fields = {"K", "N", "m", "e_eps", "outputs", "rows" if "rows" in data else "parts"}
    require(data.keys() == fields, "other fields than a channel, or a family, has")
    k, n, e_eps = integer(data["K"], 1, 16), integer(data["N"], 0, 16), rational(data["e_eps"])
    m = integer(data["m"], 1, k + n)
    inputs = sets_of([m], k, n)
    require(len(inputs) >= 2 and e_eps > 1, "eps > 0, and two inputs to compare")
    outputs = [(label(y0), items(kept)) for y0, kept in data["outputs"]]
    require(all(len(set(kept)) == len(kept) for _, kept in outputs), "an invertible datum is listed twice")
    require(all(x < k + n for _, kept in outputs for x in kept), "unknown invertible data")
    require(len(set(outputs)) == len(outputs), "repeated outputs")
    if "rows" in data:
        listed = [[rational(p) for p in row] for row in data["rows"]]
    else:
        parts = integer(data["parts"], 1, 8)
        counts = paid(product(range(parts + 1), repeat=len(outputs)), *outputs)
        listed = [[Fraction(c, parts) for c in row] for row in counts if sum(row) == parts]
    require(all(sum(row) == 1 and min(row) >= 0 for row in listed), "a row is not a probability law")
    laws = [{y: p for y, p in zip(outputs, row, strict=True) if p} for row in listed]
    numbers = {"K": Fraction(k), "N": Fraction(n), "m": Fraction(m), "e_eps": e_eps}
    for rows in [laws] if "rows" in data else paid(product(laws, repeat=len(inputs)), *range(50)):
        yield Model((k, n), numbers, {}, partial(_row, dict(zip(inputs, rows, strict=True))), tuple, {})


def _row(rows: dict[Items, Any], word: str, s: Items) -> Any:
    require(word == LAW, "a channel has one law")
    return rows[s]


def _judged(data: Any, *conditions: list[Any]) -> set[tuple[bool, ...]]:
    """Which of the lists of sentences are true, on a channel (on all channels of a family)."""
    return {tuple(all(truth(of, c, {}) for of in listed) for listed in conditions) for c in channels(data)}


def implies(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: every channel with the premises has the conclusions, with the same e^eps (`definition`: the premise
    and the conclusion are two forms of one, and every channel with the conclusion has the premise, too). Refuted by a
    channel (`completions`: two readings agree; ill-posed by a channel on which they do not); verified on every channel
    of exhausted families, in each of which some have the premises, and some not the conclusions.
    """
    sides, both_ways = (statement["premises"], statement["conclusions"]), statement["type"] == "definition"
    if "channel" in evidence:
        require(_judged(evidence["channel"], *sides) == {(True, False)}, "the channel is no counterexample")
        return
    require(sides[0] != sides[1] or not both_ways, "a definition is verified in two forms")
    for data in evidence["families"]:
        whole = data["N"] > 0 and any(kept for _, kept in data["outputs"])
        require(whole or not _looks(sides), "a family without items that the sentences name")
        judged = _judged(data, *sides)
        require((True, False) not in judged, "a channel without the conclusion")
        require((False, True) not in judged or not both_ways, "the forms disagree on a channel of the family")
        require((True, True) in judged, "no channel of the family has the premises")
        require((False, False) in judged, "every channel of the family has the conclusion")


def _looks(of: Any) -> bool:
    """Whether sentences tell kinds of items apart, or look at the parts of a report."""
    return of in ("at", "K") or (isinstance(of, list | tuple) and any(map(_looks, of)))


def _sentence(value: Any) -> None:
    require(symbols(["", *sentence(value)]) <= {"K", "N", "m", "e_eps"}, "a name that channels do not have")


_CONCLUSIONS = {"conclusions": schema.some([_sentence, ...])}
_SIDES = _CONCLUSIONS | {"premises": schema.some([_sentence, ...])}
KINDS = {
    "completions": schema.Kind(implies, _CONCLUSIONS | {"premises": [_sentence, ...]}, ill_posed=[["channel"]]),
    "definition": schema.Kind(implies, _SIDES, verified=[["families"]]),
    "implies": schema.Kind(implies, _SIDES, verified=[["families"]], refuted=[["channel"]]),
}
