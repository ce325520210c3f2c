"""What audits say, as data: by the name of a row its verdict and words of it."""

from collections.abc import Iterable, Iterator, Mapping

from dp_audit import Row, Verdict

FINE = ("conforms", "rounding", "consistent", "info")
ABSENT = "absent"
Said = Mapping[str, str]
"""By check: `fine`, a verdict, or `absent` (whatever the name goes on with); after a colon, words of the row. The rows
that are said to be faults are all faults that there are."""
SOME_FAULT: Said = {"some row": "fault"}
"""It does not matter which."""
DECIDED: Said = {"every row": "decided"}
"""No row is a fault or undecided. (More may be said of some.)"""


def complaints(rows: Iterable[Row], said: Said) -> Iterator[str]:
    """What rows say otherwise."""
    audited_rows = list(rows)
    faults = {row.check for row in audited_rows if row.verdict is Verdict.FAULT}
    if said == SOME_FAULT:
        yield from [] if faults else ["no fault"]
        return
    if faults != {check for check, words in said.items() if words.startswith("fault")}:
        yield f"faults: {faults}"
    if DECIDED.items() <= said.items():
        yield from (f"{row}" for row in audited_rows if row.verdict is Verdict.UNDECIDED)
    for check, words in said.items() - DECIDED.items():
        mine = [row for row in audited_rows if row.check == check or (words == ABSENT and row.check.startswith(check))]
        if not _is(mine, *words.split(": ", 1)):
            yield f"{check}: {mine}, not {words}"


def _is(rows: list[Row], verdict: str, words: str = "") -> bool:
    """Whether the rows of a check are as is said."""
    if verdict == ABSENT:
        return not rows
    allowed = FINE if verdict == "fine" else (verdict,)
    return bool(rows) and all(
        row.verdict in allowed and words in f"{row.detail} {row.witness} {row.figures}" for row in rows
    )
