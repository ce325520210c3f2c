"""`dp-refimpl vectors`: writes the conformance vectors, or checks that a folder holds exactly them."""

import sys
from pathlib import Path

import click

from dp_audit.vectors.documents import certificate_files, check, mechanism_files, write
from dp_audit.vectors.maps import map_files
from dp_checks.runtime.boundary import EXAMPLES, OutputFolder
from dp_checks.runtime.escapes import printable


@click.command(
    epilog=EXAMPLES
    + "  dp-refimpl vectors build/vectors\n  dp-refimpl vectors --check proofs_checks/vectors"
    + "\n  dp-refimpl vectors --certificates build/corpus\n  dp-refimpl vectors --maps build/maps"
)
@click.argument("folder", type=OutputFolder())
@click.option(
    "--certificates",
    is_flag=True,
    help="Those for checkers of certificates: right ones, and wrong ones with the reason.",
)
@click.option("--maps", is_flag=True, help="Those of declared maps: members, neighbors, the true number.")
@click.option(
    "--check", "only_check", is_flag=True, help="Write nothing; exit 1 unless the folder holds exactly these."
)
def vectors(folder: Path, certificates: bool, maps: bool, only_check: bool) -> None:
    """Write the conformance vectors of every mechanism (JSON, with their schema) into FOLDER.

    Exact tables as rationals and fifty digits, estimator inputs and outputs, variances, and negative vectors that name
    the bug they catch. Generation is deterministic: the same version writes the same bytes.
    """
    if certificates and maps:
        raise click.UsageError("give --certificates or --maps, not both")
    files = certificate_files() if certificates else map_files() if maps else mechanism_files()
    if only_check:
        different = check(folder, files)
        for name in different:
            click.echo(printable(f"DIFFERS {name}"))
        click.echo("all vectors are as generated" if not different else f"{len(different)} files differ")
        sys.exit(1 if different else 0)
    for path in write(folder, files):
        click.echo(printable(f"wrote {path}"))
