"""`dp-refimpl list`, `explain` and `cards`: what the committed ledger says."""

import json
from fnmatch import fnmatchcase

import click

from dp_checks.boundary import EXAMPLES, Name
from dp_checks.cards import cards, described
from dp_checks.certificate import certificate
from dp_checks.certify import all_claims, chosen, decide_statement
from dp_checks.kernel import verify
from dp_checks.ledger import Entry, Ledger, load_ledger
from dp_checks.replay import replay
from dp_checks.status import status as status_text
from dp_checks.status import status_json
from dp_checks.verdict import VERDICTS
from dp_refimpl.mechanisms import MECHANISMS
from dp_spec.vocabulary.source import sources
from dp_spec.vocabulary.statement import Statement

COLORS = {"proved": "green", "verified": "cyan", "conditional": "yellow", "refuted": "red", "ill_posed": "magenta"}


@click.command("list", epilog=EXAMPLES + "  dp-refimpl list '002.thm*'\n  dp-refimpl list --verdict refuted --json")
@click.argument("glob", default="*", metavar="[GLOB]")
@click.option("--verdict", type=Name(VERDICTS), help="Only entries with this verdict.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
@click.option("--status", is_flag=True, help="Counts by source and verdict, and the sources (Markdown).")
def list_command(glob: str, verdict: str | None, as_json: bool, status: bool) -> None:
    """List the ledger's entries, and the mechanisms `table` knows."""
    if status:
        counted = {i: e for i, e in load_ledger().items() if fnmatchcase(i, glob)}
        shown = json.dumps(status_json(counted), indent=1, ensure_ascii=False) if as_json else status_text(counted)
        click.echo(shown)
        return
    chosen(glob)
    entries = [e for i, e in load_ledger().items() if fnmatchcase(i, glob) and verdict in (None, e.verdict)]
    if as_json:
        click.echo(json.dumps({e.id: dict(e.data) for e in entries}, indent=1, ensure_ascii=False))
        return
    for entry in entries:
        click.echo(f"{click.style(f'{entry.verdict:12}', COLORS.get(entry.verdict))}{entry.id}")
    click.echo(f"{len(entries)} entries; mechanisms: {', '.join(MECHANISMS)}")


@click.command(
    epilog=EXAMPLES + "  dp-refimpl explain 002.thm6.eq22.sens@fixed-data\n  dp-refimpl explain 002.thm1.sugrr.eq11"
)
@click.argument("claim")
def explain(claim: str) -> None:
    """Show a claim: statement, source, verdict, evidence; decide it afresh and replay its witness in the program."""
    entry = load_ledger()[claim]
    _describe(entry, load_ledger())
    row = next(c for c in all_claims() if claim == c.id or claim in dict(c.formals()))
    for i, formal in row.formals():
        if claim in (i, row.id) and isinstance(formal, Statement):
            outcome = decide_statement(i)
            click.echo(f"\nfresh   {i}: {outcome.verdict} ({outcome.evidence.kind}; {outcome.evidence.scope})")
            data = outcome.evidence.data
            if "exact" in data:
                click.echo(f"replay  exact value {data['exact']}, stated {data['stated']}")
            if outcome.verdict != "unchecked":
                content = certificate(i, formal, outcome)
                verify(content)
                click.echo("kernel  accepts the certificate")
                for line in replay(content):
                    click.echo(f"replay  {line}")


@click.command("cards", epilog=EXAMPLES + "  dp-refimpl cards\n  dp-refimpl cards --json")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
def cards_command(as_json: bool) -> None:
    """List the theorems that the kernel takes on trust, with the number of claims that rest on each."""
    found = cards(load_ledger())
    if as_json:
        shown = {c.name: {"sentence": c.sentence, "source": c.source, "claims": list(c.claims)} for c in found}
        click.echo(json.dumps(shown, indent=1, ensure_ascii=False))
        return
    for card in found:
        click.echo(described(card))


def _describe(entry: Entry, ledger: Ledger) -> None:
    data = entry.data
    click.echo(
        f"{entry.id}\nsource  {data['source']}, {data['place']} ({data['kind']}, asserted by: {data['asserted_by']})"
    )
    click.echo(f"cited   {sources()[data['source']].line}")
    click.echo(f"states  {entry.statement}")
    click.echo(f"verdict {click.style(entry.verdict, COLORS.get(entry.verdict))}")
    click.echo(f"because {entry.evidence['kind']}: {entry.evidence['scope']}")
    for key in ("readings", "corrects", "corrected_by", "see"):
        if key in data:
            value = data[key]
            click.echo(f"{key:13}{value if isinstance(value, str) else ', '.join(value)}")
    for i in entry.instead:
        click.echo(f"instead {i} is {ledger[i].verdict}: {ledger[i].statement}")
