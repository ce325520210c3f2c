"""Text and tables in a terminal of any width: no word (id, number) is broken."""

import sys
from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from re import finditer
from shutil import get_terminal_size

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.measure import Measurement
from rich.progress import Progress, ProgressColumn
from rich.table import Table
from rich.text import Text

MAX_WIDTH = 10_000
"""Columns: wider than any line."""
NAMES = 44
"""Columns that names have at most in a list with sentences."""


def rounded(number: Decimal, rounding: str = ROUND_HALF_EVEN) -> str:
    """A number in three digits, without an exponent but where it is small, thousands apart."""
    short = Context(prec=3, rounding=rounding).plus(number)
    return f"{short.normalize():e}" if short and short.adjusted() < -4 else f"{short:,f}"


class Bar(Progress):
    """Progress on the standard error, gone in the end; where that is no terminal, nothing but what is printed to it."""

    def __init__(self, *columns: ProgressColumn) -> None:
        super().__init__(*columns, console=Console(stderr=True), transient=True)

    def stop(self) -> None:
        self.live.stop()  # without the empty line that follows where this is no terminal


def print_table(console: Console, table: Table) -> None:
    """Print a table; where it does not fit without breaking words, its rows cell by cell."""
    unbounded = console.options.update(max_width=MAX_WIDTH)
    spare = console.width - Measurement.get(console, unbounded, table).minimum
    if spare >= 0:
        for column in table.columns:  # rich would narrow long columns before others, below their longest word
            parts = [Measurement.get(console, unbounded, part) for part in (column.header, *column.cells)]
            least, most = max(part.minimum for part in parts), max(part.maximum for part in parts)
            column.width = min(most, least + spare)
            spare -= column.width - least
        console.print(table)
        return
    if table.title:
        console.print(table.title, style="italic", soft_wrap=True)
    for cells in zip(*(column.cells for column in table.columns), strict=True):
        for i, (column, cell) in enumerate(zip(table.columns, cells, strict=True)):
            text = cell if isinstance(cell, Text) else Text(str(cell))
            if text:
                print_text(console, Text.assemble(f"{column.header}: " if i else "", text), 2 * bool(i))


def print_text(console: Console, text: Text, indent: int = 0) -> None:
    """Print a text: wrapped between words only in a terminal, a line of its own elsewhere."""
    width, start, breaks = console.width - indent if console.is_terminal else MAX_WIDTH, 0, []
    for word in finditer(r"\S+", text.plain):
        if cell_len(text.plain[start : word.end()]) > width and word.start() > start:
            start = word.start()
            breaks.append(start)
    for line in text.divide(breaks):
        line.rstrip()
        console.print(Text(" " * indent) + line, soft_wrap=True)


def listed(rows: Sequence[tuple[str, str, str]], width: int | None) -> Iterator[tuple[str, str]]:
    """Rows of a word, a name and a sentence as lines: the word, and the rest of the line.

    In a terminal of some width the names stand below each other and the sentence is cut; where there is no terminal
    (None) tabs are between the three, and nothing is cut.
    """
    column = min(NAMES, max((len(name) for _, name, _ in rows), default=0))
    for word, name, sentence in rows:
        text = " ".join(sentence.split())
        if width is None:
            yield word, f"\t{name}\t{text}"
            continue
        left = f"{word:12}{name:{column}}"[len(word) :]
        spare = width - len(word) - len(left) - 1
        yield word, f"{left} {cut(text, spare)}".rstrip() if spare > 1 else left.rstrip()


def cut(text: str, width: int) -> str:
    """The text, or as much of it as fits into so many columns with an ellipsis."""
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"


def columns() -> int | None:
    """The width of the terminal; None where the standard output is none."""
    return get_terminal_size().columns if sys.stdout.isatty() else None
