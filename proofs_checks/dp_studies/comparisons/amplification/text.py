"""The answers as text."""

import re
from collections.abc import Iterator, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from typing import Any

from rich.table import Table

from dp_checks.runtime.escapes import printable
from dp_checks.runtime.terminal import rounded
from dp_studies.comparisons.amplification.grid import Asked
from dp_studies.comparisons.report import grid

ASKED: Mapping[Asked, str] = {
    "epsilon": "The smallest epsilon for delta",
    "delta": "The largest delta at epsilon",
    "epsilon0": "The largest epsilon0 for (epsilon, delta)",
    "dummies": "The smallest number of uniform dummy messages for (epsilon, delta)",
}
SIGNS = {"labels": "k", "users": "n"}
GIVEN = ("labels", "users", "epsilon0", "dummies", "epsilon", "delta")
FRACTION = re.compile(r"[0-9]+/[0-9]+")
SIDES = ("lower", "upper")
ROUNDING = (ROUND_FLOOR, ROUND_CEILING)
"""Of the ends."""
SMALL = 12
"""Decimal places from which on an end is shown with an exponent."""


def text(document: Mapping[str, Any], asked: Asked) -> Iterator[str | Table]:
    """A sentence for one answer, a table for more, and what shows the ends."""
    rows = document["rows"]
    if len(rows) == 1:
        yield sentence(rows[0])
    else:
        if apart := [row for row in rows if row.get("apart")]:
            why = "; ".join(dict.fromkeys(row["apart"]["why"] for row in apart))
            yield f"ends of {len(apart)} of {len(rows)} answers are more than 1 percent apart: {why}"
        yield _table(rows, ASKED[asked])
    yield from (_published(row) for row in rows if row.get("published"))
    yield from _reasons(rows)
    yield document["note"]
    if any(row[side]["certificate"] for row in rows for side in SIDES if side in row):
        yield printable(f"certificates: {document['certificates']} (python -m dp_kernel checks them)")
    if len(rows) == 1 and "upper" in rows[0]:
        yield answer(rows[0])


def sentence(row: Mapping[str, Any]) -> str:
    """One answer, and why it is not closer."""
    of = [f"{SIGNS.get(name, name)} = {short(row[name])}" for name in GIVEN[:4] if row[name]]
    settings = [f"{name} = {short(row[name])}" for name in GIVEN[4:] if row[name]]
    asked = row["asked"] if row["asked"] != "dummies" else "the number of dummies"
    if "refused" in row:
        what = f"of {asked} no end is known"
    else:
        what = f"{asked} lies in [{', '.join(digits(row[side]['value']) for side in SIDES)}]"
        what += f" ({_apart(row)}: {row['apart']['why']})" if row["apart"] else ""
    return f"{what} at {', '.join(settings)}: shuffled {row['mechanism']}, {', '.join(of)}"


def answer(row: Mapping[str, Any]) -> str:
    """What is certain of one answer, as the safe end has it: rounded up, and a budget that may be spent down."""
    low, high = (rounded(Decimal(row[side]["value"]), way) for side, way in zip(SIDES, ROUNDING, strict=True))
    epsilon, delta, users = (row[name] and short(row[name]) for name in ("epsilon", "delta", "users"))
    each = f"of {row['users']:,} users"
    if row["epsilon0"]:
        each = f"when each {each} may spend {short(row['epsilon0'])}"
    what = {
        "epsilon": f"the shuffled reports spend at most epsilon = {high} at delta = {delta} {each}",
        "delta": f"the shuffled reports spend at most delta = {high} at epsilon = {epsilon} {each}",
        "epsilon0": f"each of {users} users may spend epsilon0 = {low}, and the shuffled reports spend at "
        f"most epsilon = {epsilon} at delta = {delta}",
        "dummies": f"{high} dummies are enough for epsilon = {epsilon} at delta = {delta} {each}",
    }
    return f"Answer: {what[row['asked']]}."


def short(value: Any) -> str:
    """A number of the document, in a few digits."""
    if isinstance(value, str) and FRACTION.fullmatch(value):
        return f"{Decimal(Fraction(value).numerator) / Decimal(Fraction(value).denominator):.6g}"
    return str(value)


def digits(value: str) -> str:
    """An end, with an exponent where it is small."""
    number = Decimal(value)
    return value if number.adjusted() > -SMALL or not number else f"{number.normalize():e}"


def _apart(row: Mapping[str, Any]) -> str:
    """How far apart the ends of a row are."""
    percent = row["apart"]["percent"]
    return "ends far apart" if percent is None else f"ends {percent} percent apart"


def _table(rows: list[Mapping[str, Any]], title: str) -> Table:
    names = [name for name in GIVEN if any(row[name] for row in rows)]
    apart = any(row.get("apart") for row in rows)
    columns = (*names, *SIDES, *(["apart"] if apart else []))
    table = grid("mechanism", *(SIGNS.get(name, name) for name in columns), title=title)
    for row in rows:
        ends = [digits(row[side]["value"]) if side in row else "-" for side in SIDES]
        ends += [f"{row['apart']['percent'] or '∞'} %" if row.get("apart") else ""] if apart else []
        table.add_row(row["mechanism"], *(short(row[name]) for name in names), *ends)
    return table


def _published(row: Mapping[str, Any]) -> Table:
    """What the literature says at the point of a row."""
    table = Table("published", "epsilon", "/ upper", "", title=f"n = {row['users']}, epsilon0 = {row['epsilon0']}")
    for bound in sorted(row["published"], key=lambda bound: float(bound["epsilon"] or "inf")):
        words = "less than a data set shows" if bound["below"] else "" if bound["stated"] else "outside its conditions"
        if bound["epsilon"] is None:
            words = "nothing below epsilon0"
        table.add_row(bound["row"], bound["epsilon"] or "-", bound["times"] or "-", words)
    return table


def _reasons(rows: list[Mapping[str, Any]]) -> Iterator[str]:
    answered = [row for row in rows if "refused" not in row]
    for side in SIDES:
        for words in dict.fromkeys(row[side]["shown_by"] for row in answered):
            yield f"  {side}: {words}"
    if cards := sorted({card for row in answered for side in SIDES for card in row[side]["cards"]}):
        yield f"  cards that the kernel applied: {', '.join(cards)}"
    for words in dict.fromkeys(words for row in answered for words in row["left_out"]):
        yield f"  left out: {words}"
    for words in dict.fromkeys(row["refused"] for row in rows if "refused" in row):
        yield f"  no answer: {words}"
