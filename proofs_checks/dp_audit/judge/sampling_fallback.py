"""What enumeration could not decide is tested by samples: the sequential test of the code as it runs for its users."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from dp_audit.exact_numbers import PRECISIONS
from dp_audit.judge.consistency import without_comparisons
from dp_audit.observation.findings import TargetHung, TargetSeeds, TooManyPaths, UnmodeledRandomness
from dp_audit.oracles.base import Oracle
from dp_audit.outcome import Audit, Row, Verdict
from dp_spec.vocabulary.items import Item
from dp_spec.vocabulary.precision import precision

SECONDS = 5.0
"""Of drawing reports."""
FEWEST, EVENTS = 4, 1024
"""Reports are drawn on all inputs, if these have together no more events to watch; on so many inputs at least."""
_OPEN = tuple(kind.__name__ for kind in (UnmodeledRandomness, TooManyPaths, TargetHung))
_REPLACED = ("law", "privacy", "tightness", "raw output", "run", "reused client", *_OPEN)


def is_open(audit: Audit) -> bool:
    """Return whether samples can decide what enumeration left undecided: the law, for want of a model, of paths or of
    time."""
    if any(row.check == TargetSeeds.__name__ for row in audit.rows):
        return False
    open_rows = [row for row in audit.rows if row.verdict is Verdict.UNDECIDED]
    refused = [row for row in open_rows if row.check in _OPEN or row.detail.startswith(_OPEN)]
    return any(row.check.startswith(("law", *_OPEN)) for row in refused)


def undecided_inputs(audit: Audit, outside: Sequence[Item], name: Callable[[Item], str]) -> tuple[Item, ...]:
    """Return the inputs outside the domain whose law was not found either."""
    open_checks = {row.check for row in audit.rows if row.verdict is Verdict.UNDECIDED}
    return tuple(item for item in outside if f"input {name(item)}, outside the domain" in open_checks)


def looked_at(oracle: Oracle) -> tuple[Item, ...]:
    """Return the inputs on which reports are drawn: all, or some between the first and the last where there are many
    events to watch on each."""
    with precision(PRECISIONS[0]):
        most = max(FEWEST, EVENTS // max(1, len(oracle.events(oracle.inputs[0]))))
    last = len(oracle.inputs) - 1
    return oracle.inputs if last < most else tuple(oracle.inputs[i * last // (most - 1)] for i in range(most))


def completed(audit: Audit, sampled: Sequence[Row], inputs: int, drawn: int) -> Audit:
    """Return the audit with the rows of samples instead of those that were left undecided, and a note that says why.

    The samples were drawn on some of the inputs, which the note says, too.
    """
    left = {row.check for row in audit.rows if row.verdict is Verdict.UNDECIDED and _is_replaced(row, sampled)}
    why = next(row.detail for row in audit.rows if row.check in left and row.check.startswith(("law", *_OPEN)))
    kept = [row for row in audit.rows if row.check not in left]
    note = f"tested by samples, because the law was not enumerated: {why}"
    note += f"; reports were drawn on {drawn} of the {inputs} inputs" if drawn < inputs else ""
    rows = without_comparisons((*sampled, *kept))
    return replace(audit, method="process", rows=rows, notes=(*audit.notes, note))


def _is_replaced(row: Row, sampled: Sequence[Row]) -> bool:
    return row.check.startswith(_REPLACED) or any(row.check == other.check for other in sampled)
