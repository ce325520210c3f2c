"""The command `dp-refimpl audit map`: declared numbers, of a file or of a released library."""

import sys
from fnmatch import fnmatchcase

import click

from dp_audit import command_options as options
from dp_audit.command import in_order, named, progress
from dp_audit.declared_maps import LIMIT, audit_map_file
from dp_audit.outcome import Audit
from dp_audit.report.cli_output import shown
from dp_checks.runtime.boundary import EXAMPLES, Name
from dp_checks.runtime.parallel import Workers, spreading
from dp_studies.libraries.maps import MAPS, MEMBERS, audit_map_instances


@click.command(
    "map",
    epilog=EXAMPLES
    + "  dp-refimpl audit map sums.py:clamped_sum\n"
    + "  dp-refimpl audit map --library opendp --only 'make_sum*' --json maps.json",
)
@click.argument("target", metavar="FILE.py:NAME", required=False)
@click.option("--library", type=Name(MAPS), help="What a released library declares, in place of a file.")
@click.option("--version", metavar="RELEASE", help="Of the library; else the newest one.")
@click.option("--only", metavar="GLOB", default="*", show_default=True, help="Its instances with these names.")
@click.option("--python", "interpreter", default=sys.executable, metavar="PATH", help="Runs the file; needs numpy.")
@click.option("--limit", type=int, help=f"Members that are read: {LIMIT} of a file, {MEMBERS} of an instance.")
@options.TIMEOUT
@spreading
@shown
def declared_map(
    target: str | None,
    library: str | None,
    version: str | None,
    only: str,
    interpreter: str,
    limit: int | None,
    timeout: float,
    jobs: int,
    scheduler: str | None,
) -> list[Audit]:
    """Audit a declared number: a stability, a sensitivity, an epsilon or delta, against the true largest one.

    NAME has `function`, `declared`, `members` of its domain, and the metrics `d_in` and `d_out` (the guide has an
    example). With --library the targets are read off the library's own objects, in an environment of its own, which
    `dp-refimpl audit environment` makes.
    """
    if (target is None) == (library is None):
        raise click.UsageError("give FILE.py:NAME, or --library")
    if library is None:
        assert target is not None
        file, name = named(target)
        with progress(f"{target}, members of its domain"):
            return [
                audit_map_file(file, name, limit=LIMIT if limit is None else limit, python=interpreter, timeout=timeout)
            ]
    instances = [name for name in MAPS[library].instances if fnmatchcase(name, only)]
    if not instances:
        raise click.UsageError(f"--only {only!r}: no instance of {library} has such a name")
    by, members = Workers(jobs, scheduler), MEMBERS if limit is None else limit
    audits = audit_map_instances(library, instances, version=version, limit=members, timeout=timeout, by=by)
    return in_order(library, len(instances), audits)
