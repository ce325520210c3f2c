"""`dp-refimpl verify`: a certificate re-checked by the kernel."""

import sys
from pathlib import Path

import click

from dp_checks.ledger import load_ledger
from dp_checks.replay import ReplayError, replay
from dp_checks.runtime.boundary import EXAMPLES
from dp_checks.statements import disagreement
from dp_checks.verdict import InternalDisagreementError
from dp_kernel import Rejected, verify
from dp_kernel.__main__ import printable, read
from dp_kernel.meter import DEFAULT


@click.command("verify", epilog=EXAMPLES + "  dp-refimpl verify build/certify/certificates/002.eq12.json --replay")
@click.argument("file", metavar="CERTIFICATE", type=click.Path(path_type=Path))
@click.option("--replay", "again", is_flag=True, help="Also enumerate the program again.")
@click.option("--work", type=click.IntRange(0), default=DEFAULT, show_default=True, help="Units of work allowed.")
def verify_command(file: Path, again: bool, work: int) -> None:
    """Re-check a certificate with the kernel; that the committed ledger has this verdict on this statement; and, with
    --replay, its laws with the programs. Exit 1 if it is rejected or cannot be replayed, 2 if it cannot be read."""
    ledger = load_ledger()
    try:
        content = read(file, work)
        verify(content, work)
    except Rejected as error:
        click.echo(printable(f"REJECTED {file}: {error}"), err=True)
        sys.exit(1)
    if lines := disagreement(content, ledger):
        click.echo("\n".join(map(printable, (f"REJECTED {file}: {lines[0]}", *lines[1:]))), err=True)
        sys.exit(1)
    standing = "as in the ledger" if content["id"] in ledger else "an id that the ledger does not have"
    click.echo(printable(f"accepted {content['id']}: {content['verdict']} ({standing})"))
    try:
        for line in replay(content) if again else ():
            click.echo(printable(f"replayed {line}"))
    except (InternalDisagreementError, ReplayError) as error:
        click.echo(printable(f"NOT REPLAYED {file}: {error}"), err=True)
        sys.exit(1)
