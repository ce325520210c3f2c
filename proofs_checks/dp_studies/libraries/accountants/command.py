"""The command `dp-refimpl audit accountant`: functions of numbers, of a file or of a released library."""

import sys
from fnmatch import fnmatchcase

import click

from dp_audit import command_options as options
from dp_audit.accountants import audit_accountant_file
from dp_audit.command import in_order, named, progress
from dp_audit.declared_maps import LIMIT
from dp_audit.outcome import Audit
from dp_audit.report.cli_output import shown
from dp_checks.runtime.boundary import EXAMPLES, Name
from dp_studies.libraries.accountants import ACCOUNTANTS, audit_library_accountants


@click.command(
    "accountant",
    epilog=EXAMPLES
    + "  dp-refimpl audit accountant accountants.py:gaussian\n"
    + "  dp-refimpl audit accountant --library dp-accounting --only '*Gaussian*' --json accountants.json",
)
@click.argument("target", metavar="FILE.py:NAME", required=False)
@click.option("--library", type=Name(ACCOUNTANTS), help="The accountants of a released library, in place of a file.")
@click.option("--only", metavar="GLOB", default="*", show_default=True, help="Its accountants with these names.")
@click.option("--python", "interpreter", default=sys.executable, metavar="PATH", help="Runs the file; needs numpy.")
@click.option("--limit", type=int, default=LIMIT, show_default=True, help="Calls of a file's target that are made.")
@options.TIMEOUT
@shown
def accountant(
    target: str | None, library: str | None, only: str, interpreter: str, limit: int, timeout: float
) -> list[Audit]:
    """Audit an accountant: is its epsilon, delta or Renyi divergence of a mechanism at least the true one?

    NAME has `function`, `calls` (dictionaries of its arguments), the `mechanism` and the `number` (the guide has an
    example). The true numbers are enclosed here.
    """
    if (target is None) == (library is None):
        raise click.UsageError("give FILE.py:NAME, or --library")
    if library is None:
        assert target is not None
        file, name = named(target)
        with progress(f"{target}, calls"):
            return [audit_accountant_file(file, name, limit=limit, python=interpreter, timeout=timeout)]
    names = [name for name in ACCOUNTANTS[library] if fnmatchcase(name, only)]
    if not names:
        raise click.UsageError(f"--only {only!r}: no accountant of {library} has such a name")
    return in_order(library, len(names), audit_library_accountants(library, names, timeout=timeout))
