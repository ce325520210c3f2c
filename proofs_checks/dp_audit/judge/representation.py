"""The row `raw output`: do type, order and content of a report show more of the input than its value does?"""

import json
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass

from flint import fmpq

from dp_audit.judge.law import largest_ratio
from dp_audit.observation.target_laws import Entry, Law
from dp_audit.oracles.base import EVERYTHING, Comparison
from dp_audit.outcome import Row, Verdict
from dp_audit.run.interceptor.representation import OPAQUE
from dp_spec.vocabulary.items import Item

_WITHIN = re.compile(r" <within [^<>]*>")
Ratio = tuple[fmpq | None, dict[str, str]]


@dataclass(frozen=True)
class _Raw(Comparison):
    """A comparison of the values of outputs, made of pairs (value, what else shows)."""

    own: Comparison

    def compares(self, item: Item, other: Item, observed: Hashable) -> bool:
        assert isinstance(observed, tuple)
        return self.own.compares(item, other, observed[0])


def itself(raw: str) -> str:
    """The raw description without the memory that arrays are a part of."""
    return _WITHIN.sub("", raw)


def kind(raw: str) -> str:
    """Types, and the order of what has none."""
    return itself(raw).partition(" = ")[0]


def content(raw: str) -> str:
    """What the code's own report holds, where an adapter has a canonical form."""
    return raw.partition(" = ")[2]


def kinds_shown(raws: Collection[str]) -> str:
    """Some of the types of reports."""
    kinds = sorted({kind(raw)[:200] for raw in raws})
    return "; ".join(kinds[:4]) + (" ..." if len(kinds) > 4 else "")


def part_shown(contents: Iterable[str]) -> str:
    """What differs in reports with one value: their order, or what they hold."""
    return "the order of the report" if _is_order(set(contents)) else "what the report holds"


def _is_order(contents: Collection[str]) -> bool:
    """Whether these are lists of the same parts."""
    lists = [json.loads(text) if text[:1] == "[" else None for text in contents]
    if len(lists) < 2 or any(parts is None for parts in lists):
        return False
    return len({tuple(sorted(map(json.dumps, parts or ()))) for parts in lists}) == 1


def raw_row(check: str, laws: Mapping[Item, Law], comparison: Comparison, compiled: bool) -> Row:
    """Whether type and order of a report show more of the input than its value does.

    Types are not those of compiled code, when its source is interpreted here; what the report holds and in which order
    (after " = ", where an adapter has a canonical form) is.
    """
    raws = {e.raw for law in laws.values() for e in law.entries}
    of_raw = comparison if comparison is EVERYTHING else _Raw(comparison)
    seen = kinds_shown(raws)

    def ratio(key: Callable[[str], str]) -> Ratio:
        return largest_ratio(
            {x: _law(law, lambda entry: (entry.output, key(entry.raw))) for x, law in laws.items()}, of_raw
        )

    without, _ = largest_ratio({x: law.by_output() for x, law in laws.items()}, comparison)
    with_raw, witness = ratio(itself) if len(raws) > 1 else (without, {})
    figures = {"largest ratio with types and order": "infinite" if with_raw is None else str(with_raw)}
    if with_raw == without:
        if any(OPAQUE in raw for raw in raws):
            detail = f"{seen}: what the report holds cannot be looked into; what is seen says no more than the value"
            return Row(check, Verdict.INFO, detail, figures)
        return Row(check, Verdict.CONFORMS, f"{seen}: type and order say no more than the value", figures)
    shown = "the true input" if with_raw is None else "more than the value"
    with_values, of_values = ratio(content)
    if with_values != without:
        detail = f"{seen}: {part_shown(_alike(laws))} shows {shown}"
        return Row(check, Verdict.FAULT, detail, figures, of_values)
    if compiled:
        detail = f"{seen}: the type shows {shown}, in the interpreted source; compiled code may return one type only"
        return Row(check, Verdict.UNDECIDED, detail, figures, witness)
    return Row(check, Verdict.FAULT, f"{seen}: the type or order of the report shows {shown}", figures, witness)


def _alike(laws: Mapping[Item, Law]) -> set[str]:
    """What reports with one value hold, of a value for which that differs most."""
    found: dict[Hashable, set[str]] = {}
    for law in laws.values():
        for entry in law.entries:
            found.setdefault(entry.output, set()).add(content(entry.raw))
    return max(found.values(), key=len)


def _law(law: Law, key: Callable[[Entry], Hashable]) -> dict[Hashable, fmpq]:
    """The law of what `key` says of an output."""
    found: dict[Hashable, fmpq] = {}
    for entry in law.entries:
        shown = key(entry)
        before = found.get(shown)
        found[shown] = entry.probability if before is None else before + entry.probability
    return found
