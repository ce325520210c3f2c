"""The exact law of a callable, as it is put together of its paths."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple

from .output_json import Key


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
    _runs: Dict[Tuple[str, type], List[Tuple[int, int, Fraction]]] = field(default_factory=dict)

    def add(self, outcomes: Sequence["Outcome"], probability: Fraction) -> None:
        """Add one more path, to one of these outcomes; entries are complete after `close` only."""
        whole = sum(outcome.draws * outcome.alike for outcome in outcomes)
        shares = {draws: probability * Fraction(draws, whole) for draws in {o.draws for o in outcomes}}
        for outcome in outcomes:
            if outcome.alike > 1:
                runs = self._runs.setdefault((outcome.key[1], type(outcome.value)), [])
                runs.append((int(outcome.value), outcome.alike, shares[outcome.draws]))
        self._add(
            (outcome.key, outcome.value, shares[outcome.draws], outcome.raised)
            for outcome in outcomes
            if outcome.alike == 1
        )

    def close(self) -> None:
        """Add the runs of integers, all paths of which are known now: a sum for each piece between ends of runs."""
        for (raw, kind), runs in self._runs.items():
            steps: Dict[int, Fraction] = {}
            for first, count, share in runs:
                steps[first] = steps.get(first, Fraction(0)) + share
                steps[first + count] = steps.get(first + count, Fraction(0)) - share
            ends, height = sorted(steps), Fraction(0)
            for start, end in zip(ends, ends[1:]):  # noqa: RUF007 - Python 3.8
                height += steps[start]
                if height:
                    self._add(((str(value), raw), kind(value), height, None) for value in range(start, end))
        self._runs.clear()

    def _add(self, parts: Iterable[Tuple[Key, Any, Fraction, Optional[str]]]) -> None:
        """Add these parts; sums of the same numbers are one object, which is made once."""
        sums: Dict[Tuple[int, int], Tuple[Fraction, Fraction]] = {}  # the old one, too: its id is not given away
        for key, value, share, raised in parts:
            old = self.entries.get(key)
            if old is None:
                self.entries[key], self.values[key] = share, value
            else:
                place = id(old), id(share)
                if place not in sums:
                    sums[place] = old, old + share
                self.entries[key] = sums[place][1]
            if raised is not None:
                self.raised[key] = raised


class Outcome(NamedTuple):
    """What a run ended with: key, raw output, what was raised; and how many of the draws that are left lead to it.

    `alike`: how many consecutive integers, starting at `value`, have this outcome.
    """

    key: Key
    value: Any
    raised: Optional[str] = None
    draws: int = 1
    alike: int = 1
