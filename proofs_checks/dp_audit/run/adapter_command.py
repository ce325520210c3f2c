"""The command that answers the protocol for an adapter of a Python library, as the library runs for its users."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from dp_audit.observation.jobs import encoded
from dp_audit.run.child import jobs as child_jobs
from dp_audit.run.child_program import FOLDER
from dp_audit.run.process_guard import run
from dp_checks.runtime.escapes import printable
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item

SERVER = (str(FOLDER), child_jobs.SERVE)
"""The arguments of an interpreter by which it answers for an adapter."""
_VERSIONS = "import json, sys; from importlib.metadata import version; "
_VERSIONS += "print(json.dumps({'python': sys.version.split()[0], **{n: version(n) for n in sys.argv[1:]}}))"


def adapter_command(
    python: str | os.PathLike[str],
    adapter: Path | str,
    protocol: str,
    handed: Mapping[str, object],
    input_type: str,
    inputs: Sequence[Item],
) -> tuple[list[str], dict[str, str]]:
    """Return the command by which an interpreter answers for an adapter (a file, or a module), whose class is handed
    these parameters and given inputs of this type; and its variables: nobody there disables compilation. Estimates that
    are told by item are told in the order of the inputs."""
    where = str(Path(adapter).absolute()) if str(adapter).endswith(".py") else str(adapter)
    options = json.dumps({"input_type": input_type, "inputs": encoded(tuple(inputs))})
    command = [str(python), "-I", "-B", *SERVER, where, protocol, json.dumps(dict(handed)), options]
    return command, {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}


def versions(python: str | os.PathLike[str], distributions: Sequence[str]) -> dict[str, str]:
    """Return the versions of the interpreter and the distributions. Raises `DomainError` if one is not installed
    there."""
    done = run([str(python), "-I", "-c", _VERSIONS, *distributions], timeout=60)
    if done.returncode:
        raise DomainError(
            "distributions", tuple(distributions), f"installed distributions ({printable(done.stderr[-300:])})"
        )
    return {str(k): str(v) for k, v in json.loads(done.stdout).items()}
