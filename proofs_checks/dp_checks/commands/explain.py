"""`dp-refimpl explain`: one claim, decided afresh."""

from collections.abc import Iterator, Mapping
from typing import Any

import click

from dp_checks.certificate import certificate
from dp_checks.certify import all_claims, decide_statement
from dp_checks.commands.ledger import COLORS
from dp_checks.ledger import Entry, Ledger, load_ledger
from dp_checks.replay import replay
from dp_checks.runtime.boundary import EXAMPLES
from dp_kernel import verify
from dp_spec.vocabulary.source import sources
from dp_spec.vocabulary.statement import Statement


@click.command(
    epilog=EXAMPLES + "  dp-refimpl explain 002.thm6.eq22.sens@fixed-data\n  dp-refimpl explain 002.thm1.sugrr.eq11"
)
@click.argument("claim")
def explain(claim: str) -> None:
    """Show a claim: statement, source, verdict, evidence; decide it afresh and replay its witness in the program."""
    ledger = load_ledger()
    _describe(ledger[claim], ledger)
    row = next(c for c in all_claims() if claim == c.id or claim in dict(c.formals()))
    for i, formal in row.formals():
        if claim in (i, row.id) and isinstance(formal, Statement):
            outcome = decide_statement(i)
            click.echo(f"\nfresh   {i}: {outcome.verdict} ({outcome.evidence.kind}; {outcome.evidence.scope})")
            data = outcome.evidence.data
            if "exact" in data:
                click.echo(f"replay  exact value {data['exact']}, stated {data['stated']}")
            for line in closed(data):
                click.echo(f"proof   {line}")
            if outcome.verdict != "unchecked":
                content = certificate(i, formal, outcome)
                verify(content)
                click.echo("kernel  accepts the certificate")
                for line in replay(content):
                    click.echo(f"replay  {line}")


def closed(data: Mapping[str, Any]) -> Iterator[str]:
    """How evidence deals with sums with symbolic ends, and where it goes by induction, in words."""
    for _, part in data.get("parts", []):
        yield from closed(part)
    if "evidence" in data:
        yield from closed(data["evidence"])
    forms = data.get("sums", [])
    exact = sum(low == high for _, low, high in forms)
    if exact:
        yield f"{_sums(exact)} closed by telescoping: a form whose differences are the terms"
    if exact < len(forms):
        yield f"{_sums(len(forms) - exact)} enclosed by telescoping: forms whose differences bound the terms"
    for name, steps in (("relation", data.get("steps", [])), ("lemma", [step for _, step in data.get("lemmas", [])])):
        for index, step in enumerate(steps, 1):
            if "induct" in step:
                yield f"{name} {index} by induction on {step['induct']}"


def _sums(number: int) -> str:
    return "1 sum" if number == 1 else f"{number} sums"


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
