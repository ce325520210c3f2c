"""`hash draws`: do pairs of items share a cell as often, over the functions shown in reports, as the estimator has it?

The estimator subtracts 1/g, the chance that two items share a cell. Where they do so with probability c, the estimate
of one is off by (c - 1/g) g / (g - 1) for every user who holds the other, however many users there are. Families of
hash functions in use have nearly 1/g: a uniform number below P >= g that is reduced modulo g has at most 9/8 of it (its
g residues are those of P = k g + r numbers, and 1 + r (g - r) / P^2 is largest for k = 1, r = g / 3). So `MOST` / g and
more is a fault. Less than `LEAST` / g is a warning: a universal family may have it, by definition, but the estimator
does not allow for it; and a fault where all reports show one function, so that nothing is drawn.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from flint import fmpq

from dp_audit.exact_numbers import PRECISIONS, short
from dp_audit.judge.bets.power import tail
from dp_audit.judge.by_hash_function import split
from dp_audit.judge.examination import LEVEL, SHARES, Examination
from dp_audit.judge.plan import AGAIN, AGAIN_CONDITIONS, CONDITIONS, FRESH_REPORTS, OracleOf
from dp_audit.judge.question import Question
from dp_audit.observation.unmodified_run import UnmodifiedRun
from dp_audit.observation.values import show
from dp_audit.oracles.base import Number, Oracle
from dp_audit.oracles.hashing import FixedHashing
from dp_audit.oracles.multidimensional import Multidimensional
from dp_audit.oracles.post_processing import Normalized
from dp_audit.outcome import Row, Verdict
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare

CHECK = "hash draws"
MOST, LEAST = fmpq(5, 4), fmpq(1, 2)
"""Of 1/g."""
ITEMS = 64
"""Pairs of so many items are looked at: the first ones, and others between them and the last one."""
SURPRISING = 64
"""So many reports with one function are a surprise, also where g is so large that their pairs prove nothing."""
Tables = np.ndarray[tuple[int, int], np.dtype[np.int64]]
"""The cells of the items (columns) of every report."""


def draw_rows(examination: Examination, oracle_of: OracleOf) -> Iterator[Row]:
    """Yield the rows `hash draws`, of the hash functions of every attribute that is hashed."""
    with precision(PRECISIONS[0]):
        here = _tables(examination.run, oracle_of)
        again = [] if examination.again is None else _tables(examination.again, oracle_of)
        for j, (g, tables) in enumerate(here):
            row = _with_functions(_row(g, tables, len(here)), tables, again[j][1] if j < len(again) else None)
            yield replace(row, check=f"{CHECK}, attribute {j + 1}") if len(here) > 1 else row


def _with_functions(row: Row, here: Tables, again: Tables | None) -> Row:
    """Return the row, with the function of another process if each of them has one only."""
    if again is None or len(_different(here)) > 1 or len(_different(again)) > 1:
        return row
    same = bool((here[0] == again[0]).all())
    text = "the same one" if same else f"also one only, {show(tuple(again[0].tolist()))}"
    return Row(row.check, row.verdict, row.detail, row.figures, {**row.witness, "in another process": text})


def _tables(run: UnmodifiedRun, oracle_of: OracleOf) -> list[tuple[int, Tables]]:
    """Return g and the cells of every attribute that is hashed, of the reports of fresh clients."""
    functions_of: dict[int, tuple[FixedHashing, ...]] = {}
    functions: list[tuple[FixedHashing, ...]] = []
    for draws in run.draws:
        for code in draws.codes if draws.phase in ("first", "fresh") else ():
            parts = split(run.reports[code])
            if parts is not None:
                if code not in functions_of:
                    functions_of[code] = _functions(oracle_of(dict(parts[0])))
                functions.append(functions_of[code])
    return [
        (column[0].g, np.array([each.table for each in column], np.int64)) for column in zip(*functions, strict=True)
    ]


def _functions(oracle: Oracle) -> tuple[FixedHashing, ...]:
    """Return the hash functions of the mechanism, or of its attributes."""
    mechanism = oracle.mechanism if isinstance(oracle, Normalized) else oracle
    parts = mechanism.parts if isinstance(mechanism, Multidimensional) else (mechanism,)
    return tuple(part for part in parts if isinstance(part, FixedHashing))


def _different(tables: Tables) -> Any:
    return np.unique(tables, axis=0)


def _row(g: int, tables: Tables, attributes: int) -> Row:
    """Return the row for these tables. Each pair's three statements share the error level."""
    number, d = tables.shape
    items = _some(d)
    pairs = list(combinations(items, 2))
    shared = {(x, y): int(np.count_nonzero(tables[:, x] == tables[:, y])) for x, y in pairs}
    level = SHARES["functions"] / (3 * len(pairs) * attributes)
    often, seldom = max(pairs, key=shared.__getitem__), min(pairs, key=shared.__getitem__)
    most = _less(tail(MOST / g, number, shared[often]), level)
    least = _less(1 - tail(LEAST / g, number, shared[seldom] + 1), level)
    never = _less((1 - fmpq(1, g)) ** number, level)
    functions = len(_different(tables))
    sample = f"{functions} different functions in {number} reports of new clients"
    figures = {"functions": str(functions), "error level": str(LEVEL)}
    expected = short(fmpq(number, g))
    pair = often if most else seldom
    witness = {
        "items": f"{pair[0]} and {pair[1]}",
        "share a cell": f"{shared[pair]} of {number} times",
        "expected": expected,
        "bias of an estimate": short((fmpq(shared[pair], number) - fmpq(1, g)) * fmpq(g, g - 1)),
        "hash function": show(tuple(tables[0].tolist()))[:200],
    }
    rate = f"items {witness['items']} share a cell {shared[pair]} of {number} times, expected {expected}"
    if functions == 1 and number >= SURPRISING:
        detail = f"the hash function is not drawn, {number} reports of new clients show one and the same: {rate}"
        return Row(CHECK, Verdict.FAULT if most or never else Verdict.WARNING, detail, figures, witness)
    if most:
        return Row(CHECK, Verdict.FAULT, f"{rate}, so that estimates are biased; {sample}", figures, witness)
    if least:
        detail = f"{rate}: the family may be universal, but the estimator subtracts 1/g and is biased; {sample}"
        return Row(CHECK, Verdict.WARNING, detail, figures, witness)
    times = f"{shared[seldom]} to {shared[often]} of {number} times, expected {expected}"
    detail = f"any two of {len(items)} items share a cell {times}; {sample} (error level {short(LEVEL)})"
    return Row(CHECK, Verdict.INFO, detail, figures)


def _some(d: int) -> list[int]:
    """Return all items, if they are few."""
    half = ITEMS // 2
    return list(range(d)) if d <= ITEMS else [*range(half), *np.linspace(half, d - 1, half).astype(int).tolist()]


def _less(p: Number, level: fmpq) -> bool:
    return compare(p, level) is Ordering.LESS


QUESTIONS = (
    Question(
        "hash-draws",
        "do two items share a cell as often as the estimator has it?",
        meaning=(
            "Over the functions of some 4,100 reports: do any two items share a cell as often as the estimator "
            "has it, with probability $1/g$?"
        ),
        needs=(CONDITIONS, FRESH_REPORTS, AGAIN, AGAIN_CONDITIONS),
        unasked="asked where draws are conditioned on",
        hint="draw a seed for every report, of a family in which two items share a cell with probability 1/g",
    ),
)
