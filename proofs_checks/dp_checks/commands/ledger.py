"""`dp-refimpl list` and `cards`: what the committed ledger says."""

import json
from fnmatch import fnmatchcase

import click

from dp_checks.ledger import load_ledger, matching
from dp_checks.runtime.boundary import EXAMPLES, Name
from dp_checks.status import status as status_text
from dp_checks.status import status_json
from dp_checks.verdict import VERDICTS

COLORS = {"proved": "green", "verified": "cyan", "conditional": "yellow", "refuted": "red", "ill_posed": "magenta"}


@click.command("list", epilog=EXAMPLES + "  dp-refimpl list '002.thm*'\n  dp-refimpl list --verdict refuted --json")
@click.argument("glob", default="*", metavar="[GLOB]")
@click.option("--verdict", type=Name(VERDICTS), help="Only entries with this verdict.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
@click.option("--status", is_flag=True, help="Counts by source and verdict, and the sources (Markdown).")
def list_command(glob: str, verdict: str | None, as_json: bool, status: bool) -> None:
    """List the ledger's entries, and the mechanisms that `table` and (on tables) `account` know."""
    if status:
        counted = {i: e for i, e in load_ledger().items() if fnmatchcase(i, glob)}
        text = json.dumps(status_json(counted), indent=1, ensure_ascii=False) if as_json else status_text(counted)
        click.echo(text)
        return
    ledger = load_ledger()
    entries = [ledger[i] for i in matching(glob, ledger) if verdict in (None, ledger[i].verdict)]
    if as_json:
        click.echo(json.dumps({e.id: dict(e.data) for e in entries}, indent=1, ensure_ascii=False))
        return
    from dp_refimpl.mechanisms import MECHANISMS  # half a second, which JSON does not need
    from dp_refimpl.syntheses import SYNTHESES

    for entry in entries:
        click.echo(f"{click.style(f'{entry.verdict:12}', COLORS.get(entry.verdict))}{entry.id}")
    click.echo(f"{len(entries)} entries; mechanisms: {', '.join(MECHANISMS)}; on tables: {', '.join(SYNTHESES)}")


@click.command("cards", epilog=EXAMPLES + "  dp-refimpl cards\n  dp-refimpl cards --json")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
def cards_command(as_json: bool) -> None:
    """List the theorems that the kernel takes on trust, with the number of claims that rest on each."""
    from dp_checks.cards import cards, described  # with the kernel, which `list` does not need

    theorems = cards(load_ledger())
    if as_json:
        table = {c.name: {"sentence": c.sentence, "source": c.source, "claims": list(c.claims)} for c in theorems}
        click.echo(json.dumps(table, indent=1, ensure_ascii=False))
        return
    for card in theorems:
        click.echo(described(card))
