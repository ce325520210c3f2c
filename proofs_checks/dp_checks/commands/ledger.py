"""`dp-refimpl list` and `cards`: what the committed ledger says."""

import json
from collections.abc import Sequence

import click

from dp_checks.ledger import Entry, Ledger, load_ledger, matching
from dp_checks.runtime.boundary import EXAMPLES, Name
from dp_checks.runtime.terminal import columns, listed
from dp_checks.status import status as status_text
from dp_checks.status import status_json
from dp_checks.verdict import VERDICTS
from dp_spec.vocabulary.names import require_name

COLORS = {"proved": "green", "verified": "cyan", "conditional": "yellow", "refuted": "red", "ill_posed": "magenta"}


@click.command(
    "list",
    epilog=EXAMPLES
    + "  dp-refimpl list '002.thm*'\n"
    + "  dp-refimpl list --verdict refuted --mechanism suGRR\n"
    + "  dp-refimpl list --source lit --kind variance --json",
)
@click.argument("glob", default="*", metavar="[GLOB]")
@click.option("--verdict", type=Name(VERDICTS), help="Only entries with this verdict.")
@click.option("--source", metavar="SOURCE", help="Only entries of this source: 000, 001, 002, 003, 004 or lit.")
@click.option("--kind", metavar="KIND", help="Only entries of this kind: privacy, tightness, variance, ...")
@click.option("--mechanism", metavar="NAME", help="Only entries about this mechanism, by any of its names.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of lines.")
@click.option("--status", is_flag=True, help="Counts by source and verdict, and the sources (Markdown).")
def list_command(
    glob: str,
    verdict: str | None,
    source: str | None,
    kind: str | None,
    mechanism: str | None,
    as_json: bool,
    status: bool,
) -> None:
    """List the ledger's entries, and the mechanisms that `table` and (on tables) `account` know.

    A line has verdict, id and sentence. In a terminal the sentence is cut to the width, and the mechanisms follow;
    elsewhere (in a pipe, a file) the sentence is whole, with tabs between the three, and nothing follows.
    """
    ledger = load_ledger()
    entries = chosen(glob, ledger, verdict=verdict, source=source, kind=kind)
    if mechanism is not None:
        from dp_checks.search import about

        ids = about(mechanism, ledger)
        entries = [entry for entry in entries if entry.id in ids]
    if status:
        counted = {e.id: e for e in entries}
        text = json.dumps(status_json(counted), indent=1, ensure_ascii=False) if as_json else status_text(counted)
        click.echo(text)
        return
    if as_json:
        click.echo(json.dumps({e.id: dict(e.data) for e in entries}, indent=1, ensure_ascii=False))
        return
    echo_entries(entries)
    if columns() is not None:
        from dp_refimpl.mechanisms import MECHANISMS  # half a second, which lists elsewhere do not need
        from dp_refimpl.syntheses import SYNTHESES

        click.echo(f"{len(entries)} entries; mechanisms: {', '.join(MECHANISMS)}; on tables: {', '.join(SYNTHESES)}")


def chosen(glob: str, ledger: Ledger, **fields: str | None) -> list[Entry]:
    """The entries that a pattern matches, with these values of their fields (None: any).

    Raises `DomainError` for a value that no entry has, and for a pattern that matches nothing.
    """
    entries = [ledger[i] for i in matching(glob, ledger)]
    for field, wanted in fields.items():
        if wanted is not None:
            value = require_name(f"--{field}", wanted, dict.fromkeys(str(e.data[field]) for e in ledger.values()))
            entries = [entry for entry in entries if entry.data[field] == value]
    return entries


def echo_entries(entries: Sequence[Entry]) -> None:
    """A line for each entry, as `list` says."""
    echo_rows([(entry.verdict, entry.id, entry.sentence) for entry in entries])


def echo_rows(rows: Sequence[tuple[str, str, str]]) -> None:
    """A line for a word (a verdict has its color), a name and a sentence."""
    for word, rest in listed(rows, columns()):
        click.echo(click.style(word, COLORS.get(word)) + rest)


@click.command("cards", epilog=EXAMPLES + "  dp-refimpl cards\n  dp-refimpl cards --json")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
def cards_command(as_json: bool) -> None:
    """List the theorems that the kernel takes on trust, with the number of claims that rest on each."""
    from dp_checks.cards import card_json, cards, described  # with the kernel, which `list` does not need

    theorems = cards(load_ledger())
    if as_json:
        table = {c.name: card_json(c) for c in theorems}
        click.echo(json.dumps(table, indent=1, ensure_ascii=False))
        return
    for card in theorems:
        click.echo(described(card))
