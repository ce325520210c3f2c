"""The boundary of the command line: every error is one line and an exit code, whatever was given.

Exit codes are the same for all commands (see `docs/guide/exit-codes.md`).
"""

import _thread
import os
import re
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

import click

from dp_checks.runtime.escapes import printable
from dp_checks.runtime.outputs import require_unlinked
from dp_checks.runtime.processes import UnfinishedError, WorkerLostError

if TYPE_CHECKING:
    Parameter = click.ParamType[str]
    Integer = click.ParamType[int]
else:  # not generic in older releases
    Parameter = Integer = click.ParamType

FINE, FOUND, WRONG_INPUT, UNDECIDED, DEFECT, HUNG_UP, INTERRUPTED = 0, 1, 2, 3, 4, 129, 130
"""Nothing to object to; something is false, differs or is rejected; bad usage or input; an audit found no fault but
could not decide all; an error of this program; the terminal is gone; interrupted, or a worker process was killed."""
EXAMPLES = "\b\nExamples:\n"
"""How the examples in the help of a command begin."""
_KEPT = "what was printed or written before is all that is kept"
_CLOSED = "the standard output is closed: give > /dev/null if nobody is to read it"
PATIENCE = 1.5
"""Seconds after which an interrupted command is ended that has not done it by itself."""
SHOW_TRACEBACK = "DP_REFIMPL_TRACEBACK"
"""Environment variable: if set, an error of this program comes with its traceback."""


class Commands(click.Group):
    """A command whose errors end in one line on the standard error, and an exit code."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        if args is None:  # the command of this process; otherwise signals are the caller's
            # Ctrl-C also where a shell ignores it, as in scripts for what runs in the background: this can be ended
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, _interrupt)
            if _HANGUP is not None and signal.getsignal(_HANGUP) is not signal.SIG_IGN:  # as nohup has it
                signal.signal(_HANGUP, _interrupt)
            _open_streams()
        try:
            # here, because they take longest to import, and that can be interrupted too
            from dp_checks.verdict import InternalDisagreementError
            from dp_spec.vocabulary.exceptions import DomainError, RefusedError

            status = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
            sys.stdout.flush()
        except (KeyboardInterrupt, click.Abort):
            _end(_interruption()[0], f"{_interruption()[1]}; {_KEPT}")
        except UnfinishedError as error:
            _end(_interruption()[0], str(error))
        except WorkerLostError as error:
            _end(INTERRUPTED, f"{error}; run the same command again")
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            sys.exit(WRONG_INPUT)
        except click.ClickException as error:
            where = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else ""
            _end(WRONG_INPUT, error.format_message() + (f" (see {where} --help)" if where else ""))
        except (DomainError, RefusedError) as error:
            _end(WRONG_INPUT, str(error))
        except InternalDisagreementError as error:
            _end(DEFECT, f"two derivations of dp-refimpl disagree, which is a defect of it and no verdict: {error}")
        except OSError as error:
            _end(WRONG_INPUT, f"{error.filename or 'the output'}: {error.strerror or error}")
        except MemoryError:
            _end(WRONG_INPUT, "not enough memory: give smaller sizes")
        except RecursionError:
            _end(WRONG_INPUT, "the input is nested too deeply")
        except Exception as error:
            if os.environ.get(SHOW_TRACEBACK):
                click.echo("\n".join(map(printable, traceback.format_exc().splitlines())), err=True)
            again = f"nothing was decided; {SHOW_TRACEBACK}=1 shows where"
            _end(DEFECT, f"an error of dp-refimpl, {type(error).__name__}: {error} ({again})")
        sys.exit(status if isinstance(status, int) else FINE)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:  # click would write an empty line
            raise UnfinishedError(f"{_interruption()[1]}; {_KEPT}") from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            from dp_spec.vocabulary.exceptions import UnknownNameError
            from dp_spec.vocabulary.names import suggestions

            names = self.list_commands(ctx)
            raise UnknownNameError("command", args[0], names, suggestions(args[0], names))
        return super().resolve_command(ctx, args)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    """A request to end is like Ctrl-C: finished work is kept, processes are ended. The second one ends at once."""
    _heard.append(number)
    if len(_heard) > 1:
        _end_at_once()
    # not `threading`, whose locks may be held by what is interrupted
    _thread.start_new_thread(_end_late, ())
    warnings.simplefilter("ignore")  # of libraries, about work that is no longer wanted
    raise _Interrupted(_interruption()[1])


def _interruption() -> tuple[int, str]:
    """The exit code of the first request to end, and a word for it."""
    return (HUNG_UP, "hung up") if _heard and _heard[0] == _HANGUP else (INTERRUPTED, "interrupted")


class _Interrupted(KeyboardInterrupt):
    """Of a class of its own: Python ends by a signal, whatever is done about it, where a plain one left `exec`."""


def _end_late() -> None:
    """End what took the exception for something else, as libraries may, or waits too long."""
    time.sleep(PATIENCE)
    if _said:  # on a busy machine just now: let it come out
        time.sleep(PATIENCE)
    _end_at_once()


def _end_at_once() -> NoReturn:
    """As if killed: what is on disk is kept, and child processes see to themselves."""
    if not _said:
        with suppress(OSError):
            os.write(2, f"Error: {_interruption()[1]}; {_KEPT}\n".encode())
    os._exit(_interruption()[0])


_HANGUP = getattr(signal, "SIGHUP", None)
"""Sent when the terminal goes, or its session ends; Windows has none."""
_heard: list[int] = []
"""Requests to end."""
_said: list[int] = []
"""Exit codes of which a line says why, or is about to."""


def _end(status: int, message: str) -> NoReturn:
    """One line, and the end; what can no longer be written to a full or closed output is dropped."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    _said.append(status)
    try:
        click.echo("Error: " + printable(" ".join(message.split())), err=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    sys.exit(status)


def _open_streams() -> None:
    """Open the standard streams that are closed, so that no file that is opened later takes their place, and let text
    that their encoding lacks come out as escapes. Without a standard output there is nothing to be done."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if stream is None:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
    if sys.stdout is None:
        _end(WRONG_INPUT, _CLOSED)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


class Name(Parameter):
    """One of the names that there are, in any spelling; others get suggestions.

    `aliases`: other names of the literature, and what they are called here.
    """

    name = "name"

    def __init__(self, names: Iterable[str], aliases: Mapping[str, str] | None = None) -> None:
        self.names: tuple[str, ...] = tuple(names)
        self.aliases: dict[str, str] = dict(aliases or {})

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from dp_spec.vocabulary.names import require_name

        label = param.opts[0] if isinstance(param, click.Option) else param.name if param else None
        name = require_name(label or "name", value, (*self.names, *self.aliases))
        return self.aliases.get(name, name)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return f"[{'|'.join(self.names)}]"


class Count(Integer):
    """An integer, also as 1e6 or 10^6."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        written = _COUNT.fullmatch(str(value))
        if written is None:
            self.fail(f"{value!r} is not an integer, as 1000000, 1e6 or 10^6", param, ctx)
        digits, tens, base, power = (None if part is None else int(part) for part in written.groups())
        return int((base or 0) ** (power or 0) if digits is None else digits * 10 ** (tens or 0))


_COUNT = re.compile(r"([+-]?[0-9]{1,400})(?:[eE]\+?([0-9]{1,2}))?|([0-9]{1,4})\^([0-9]{1,2})")
COUNT = Count()


class OutputFile(click.Path):
    """A file that can be written, as far as that can be seen before the work; "-" is the standard output."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, writable=True, allow_dash=True, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path: Any = super().convert(value, param, ctx)
        require_unlinked(Path(path))
        _require_folder(Path(path).parent if str(path) != "-" else Path(), str(value), self, param, ctx)
        return path


class PictureFile(OutputFile):
    """A picture that can be written, .svg or .png."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path: Any = super().convert(value, param, ctx)
        if path.suffix not in (".svg", ".png"):
            from dp_spec.vocabulary.exceptions import DomainError

            raise DomainError("--plot", str(path), "a file .svg or .png")
        return path


class OutputFolder(click.Path):
    """A folder that exists or can be made."""

    def __init__(self) -> None:
        super().__init__(file_okay=False, writable=True, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        name: Any = super().convert(value, param, ctx)
        path = require_unlinked(Path(name))
        above = next(folder for folder in (path, *path.absolute().parents) if folder.exists())
        _require_folder(above, str(value), self, param, ctx)
        return path


def _require_folder(
    folder: Path, value: str, kind: click.Path, param: click.Parameter | None, ctx: click.Context | None
) -> None:
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        why = "cannot be written to" if folder.is_dir() else "is no folder"
        kind.fail(f"{value!r}: {folder} {why}", param, ctx)
