"""`dp-refimpl explain`: one claim, decided afresh."""

from collections.abc import Iterator, Mapping
from typing import Any

import click

from dp_checks.certificate import certificate
from dp_checks.certify import all_claims, decide_statement
from dp_checks.commands.ledger import COLORS, echo_entries
from dp_checks.counterexamples import names, python_lines
from dp_checks.ledger import FAILED, Entry, Ledger, load_ledger
from dp_checks.pages.witness import one_line
from dp_checks.replay import replay
from dp_checks.runtime.boundary import EXAMPLES
from dp_checks.runtime.tex import terminal_text
from dp_kernel import verify
from dp_spec.vocabulary.source import paper_of
from dp_spec.vocabulary.statement import Statement


@click.command(
    epilog=EXAMPLES
    + "  dp-refimpl explain 002.thm6.eq22.sens@fixed-data\n"
    + "  dp-refimpl explain 002.thm1.sugrr.eq11\n"
    + "  dp-refimpl explain 002.thm1"
)
@click.argument("claim")
def explain(claim: str) -> None:
    """Show a claim: statement, source, verdict, evidence; decide it afresh and replay its witness in the program.

    Of a counterexample: where it fails, in words and as three lines of Python. For the first parts of ids (002.thm1)
    the claims that begin so are listed, as `list` does.
    """
    ledger = load_ledger()
    begun = [entry for i, entry in ledger.items() if i.startswith((f"{claim}.", f"{claim}@"))]
    if claim not in ledger and begun:
        echo_entries(begun)
        return
    _describe(ledger[claim], ledger)
    row = next(c for c in all_claims() if claim == c.id or claim in dict(c.formals()))
    for i, formal in row.formals():
        if claim in (i, row.id) and isinstance(formal, Statement):
            outcome = decide_statement(i)
            click.echo(
                f"\nfresh   {i}: {outcome.verdict} ({outcome.evidence.kind}; {terminal_text(outcome.evidence.scope)})"
            )
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
            if outcome.verdict in FAILED:
                _show_failure(i, formal, data)


def _show_failure(claim: str, formal: Statement, data: Mapping[str, Any]) -> None:
    """Where a statement fails, what the names there mean, and three lines of Python."""
    click.echo(f"fails   {terminal_text(one_line(formal, data)).replace('*', '')}")
    if said := "; ".join(names(formal, data)):
        click.echo(f"where   {said}")
    for number, line in enumerate(python_lines(claim, formal, data)):
        click.echo(f"{'        ' if number else 'python  '}{line}")


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
    place = terminal_text(data["place"])
    click.echo(f"{entry.id}\nsource  {data['source']}, {place} ({data['kind']}, asserted by: {data['asserted_by']})")
    click.echo(f"cited   {paper_of(entry.id).line}")
    click.echo(f"states  {terminal_text(entry.statement)}")
    click.echo(f"verdict {click.style(entry.verdict, COLORS.get(entry.verdict))}")
    click.echo(f"because {entry.evidence['kind']}: {terminal_text(entry.evidence['scope'])}")
    for key in ("readings", "corrects", "corrected_by", "see"):
        if key in data:
            value = data[key]
            click.echo(f"{key:13}{value if isinstance(value, str) else ', '.join(value)}")
    for i in entry.instead:
        click.echo(f"instead {i} is {ledger[i].verdict}: {terminal_text(ledger[i].statement)}")
