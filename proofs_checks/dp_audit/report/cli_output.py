"""The outcome of a command that audits: what is shown, what is written, and the exit status."""

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from dp_audit.outcome import Audit, Verdict, accepted
from dp_audit.report import FORMATS, formatted, write
from dp_audit.report.kinds import checks, is_check
from dp_audit.report.terminal import show_audit
from dp_audit.report.words import conclusion, sentence
from dp_checks.runtime.boundary import OutputFile
from dp_checks.runtime.escapes import printable
from dp_spec.vocabulary.names import suggestions

STDOUT = Path("-")


class PartialAuditsError(Exception):
    """Audits that were finished before the error that is the cause of this one: they are shown and written first."""

    def __init__(self, audits: list[Audit], total: int) -> None:
        super().__init__(f"{len(audits)} of {total} audits were finished")
        self.audits = audits


def shown(command: Callable[..., list[Audit]]) -> Callable[..., None]:
    """Add the common options to a command that returns audits; show and write these, and exit with their status."""

    @wraps(command)
    def run(
        *, files: dict[str, Path | None], strict: bool, quiet: bool, accept: tuple[str, ...], **arguments: Any
    ) -> None:
        if sum(path == STDOUT for path in files.values()) > 1:
            raise click.UsageError("only one format can go to the standard output")
        require_checks(accept)
        partial = None
        try:
            audits = command(**arguments)
        except PartialAuditsError as error:
            audits, partial = error.audits, error
        checks = {row.check for each in audits for row in each.rows}
        if partial is None and not checks >= set(accept):
            unknown = ", ".join(sorted(set(accept) - checks))
            raise click.UsageError(
                f"--accept: {unknown}: no checks of this audit, which has {', '.join(sorted(checks))}"
            )
        audits = [accepted(each, accept) for each in audits]
        to_stdout = False
        for form, path in files.items():
            if path == STDOUT:
                click.echo(formatted(form, audits, strict), nl=False)
                to_stdout = True
            elif path is not None:
                write(form, audits, path, strict)
        if not quiet and not to_stdout:
            console = Console()
            for each in audits:
                show_audit(each, console)
            if len(audits) > 1:
                click.echo(f"{len(audits)} audits: {conclusion(audits)}")
        elif not to_stdout:
            for each in audits:
                click.echo(printable(f"{conclusion([each])}: {sentence(each)}"))
        warned = sorted({row.check for each in audits for row in each.rows if row.verdict is Verdict.WARNING})
        if strict and warned and not to_stdout:
            click.echo(printable(f"strict: warnings count as faults: {', '.join(warned)}"))
        if partial is not None and partial.__cause__ is not None:
            click.echo(str(partial), err=True)
            raise partial.__cause__
        sys.exit(exit_status(audits, strict))

    @wraps(run)
    def collected(**arguments: Any) -> None:
        files = {form: arguments.pop(f"{form}_file") for form in FORMATS}
        run(files=files, **arguments)

    decorated: Callable[..., None] = collected
    for form in reversed(FORMATS):
        named = {"json": "JSON", "junit": "JUnit XML", "sarif": "SARIF 2.1.0", "html": "an HTML page"}[form]
        decorated = click.option(
            f"--{form}", f"{form}_file", type=OutputFile(), metavar="FILE", help=f"Write {named} (-: print)."
        )(decorated)
    decorated = click.option(
        "--accept",
        multiple=True,
        metavar="CHECK",
        help="A check whose deviation is known: shown, no fault; repeatable.",
    )(decorated)
    strict = click.option("--strict", is_flag=True, help="Warnings count as faults.")
    return strict(click.option("--quiet", "-q", is_flag=True, help="Print one sentence, no table.")(decorated))


def require_checks(accept: tuple[str, ...]) -> None:
    """Raise `click.UsageError` for what is the name of no check of any audit."""
    for name in accept:
        if not is_check(name):
            names = checks()
            near = suggestions(name, names)
            listed = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names)}"
            raise click.UsageError(f"--accept: no check has the name {name!r}: {listed}")


def exit_status(audits: list[Audit], strict: bool = False) -> int:
    """Return 0 for no fault, 1 for a fault (`strict`: or a warning), 3 for no fault but something undecided."""
    verdicts = {row.verdict for each in audits for row in each.rows}
    if Verdict.FAULT in verdicts or (strict and Verdict.WARNING in verdicts):
        return 1
    return 3 if Verdict.UNDECIDED in verdicts else 0
