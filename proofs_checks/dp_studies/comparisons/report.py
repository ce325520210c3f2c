"""How every comparison is reported: a document, its picture, and its text of sentences and tables."""

import json
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from flint import arb
from rich.console import Console
from rich.table import Table

from dp_checks.runtime.outputs import write_file
from dp_checks.runtime.terminal import print_table
from dp_spec.vocabulary.precision import precision

DIGITS = 12
"""Of decimals in documents."""


def report(document: Mapping[str, Any], text: Iterable[str | Table], as_json: bool) -> None:
    """Print a document as JSON, or its text."""
    if as_json:
        click.echo(json.dumps(document, indent=1, ensure_ascii=False))
        return
    console = Console()
    for part in text:
        if isinstance(part, Table):
            print_table(console, part)
        else:
            click.echo(part)


def draw(plot: Path | None, function: str, *arguments: object) -> None:
    """Write the picture, if one is wanted, that a function (`comparison.name`, of a module `plot`) draws."""
    if plot is not None:
        # the command line is listed without loading matplotlib
        from dp_studies.comparisons.pictures import picture

        comparison, name = function.split(".")
        module = import_module(f"dp_studies.comparisons.{comparison}.plot")
        write_file(plot, picture(plot.suffix[1:], getattr(module, name), *arguments))


def grid(first: str, *columns: str, title: str | None = None) -> Table:
    """An empty table: names on the left, numbers on the right."""
    table = Table(first, title=title)
    for column in columns:
        table.add_column(column, justify="right")
    return table


def decimals(number: Any, digits: int = DIGITS) -> str:
    """A ball, or an exact number, as decimals that are right to one unit of the last."""
    with precision(4 * digits + 64):
        return str(arb(number).str(digits, radius=False))


def rest(number: int, shown: int, where: str = "") -> list[str]:
    """The line that says how many are not shown, and where they are."""
    return [f"  and {number - shown} more{where}"] if number > shown else []
