"""The command `dp-refimpl audit library`: a released library, in an environment of its own."""

from collections.abc import Mapping

import click

from dp_audit import command_options
from dp_audit.command import in_order
from dp_audit.outcome import Audit
from dp_audit.report.cli_output import shown
from dp_checks.runtime.boundary import EXAMPLES, Name
from dp_checks.runtime.parallel import Workers, spreading
from dp_studies.libraries import LIBRARIES
from dp_studies.libraries.audit import LibraryOptions, audit_protocols


@click.command(
    epilog=EXAMPLES + "  dp-refimpl audit library pure-ldp GRR --param d=4 --param epsilon=1\n"
    "  dp-refimpl audit library multi-freq-ldpy --html audit.html"
)
@click.argument("library_name", metavar="LIBRARY", type=Name(LIBRARIES))
@click.argument("protocol", required=False)
@command_options.PARAM
@click.option("--users", callback=command_options.users, metavar="N,N", help="Sizes of data sets for estimates.")
@click.option("--timeout", type=float, default=300.0, show_default=True, help="Seconds.")
@spreading
@shown
def library(
    library_name: str,
    protocol: str | None,
    parameters: Mapping[str, object],
    users: tuple[int, ...] | None,
    timeout: float,
    jobs: int,
    scheduler: str | None,
) -> list[Audit]:
    """Audit a released library: one PROTOCOL of it, or all of them at the parameters of the published audits.

    The libraries live in environments of their own, which `dp-refimpl audit environment` makes.
    """
    protocols = LIBRARIES[library_name].protocols
    if protocol is None and parameters:
        raise click.UsageError("--param needs a PROTOCOL")
    if protocol is not None:
        planned = [(protocol, parameters)]
    else:
        planned = [(name, values) for name, audited in protocols.items() for values in audited.parameters]
    audits = audit_protocols(library_name, planned, LibraryOptions(users, timeout=timeout), by=Workers(jobs, scheduler))
    return in_order(library_name, len(planned), audits)
