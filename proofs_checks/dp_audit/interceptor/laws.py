"""The exact law of a callable, as it is put together of its paths."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Dict, NamedTuple, Optional, Sequence, Tuple

from .reading import Key


@dataclass
class Law:
    """Exact law of one callable: every probability is at least the entry's, and at most `unexplored` more."""

    entries: Dict[Key, Fraction] = field(default_factory=dict)
    values: Dict[Key, Any] = field(default_factory=dict)
    raised: Dict[Key, str] = field(default_factory=dict)
    models: Dict[str, int] = field(default_factory=dict)
    paths: int = 0
    clock_reads: int = 0
    unexplored: Fraction = Fraction(1)

    def add(self, outcomes: Sequence["Outcome"], probability: Fraction) -> None:
        """One more path, to one of these outcomes. Sums of the same numbers are one object: they are made once."""
        whole = sum(outcome.draws for outcome in outcomes)
        shares = {draws: probability * Fraction(draws, whole) for draws in {o.draws for o in outcomes}}
        sums: Dict[Tuple[int, int], Tuple[Fraction, Fraction]] = {}  # the old one, too: its id is not given away
        for key, value, raised, draws in outcomes:
            old = self.entries.get(key)
            if old is None:
                self.entries[key], self.values[key] = shares[draws], value
            else:
                place = id(old), draws
                if place not in sums:
                    sums[place] = old, old + shares[draws]
                self.entries[key] = sums[place][1]
            if raised is not None:
                self.raised[key] = raised


class Outcome(NamedTuple):
    """What a run ended with: key, raw output, what was raised; and how many of the draws that are left lead to it."""

    key: Key
    value: Any
    raised: Optional[str] = None
    draws: int = 1
