"""Plain runs of code at hand, in this process."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dp_audit import unmodified_audit
from dp_audit.oracles import Oracle
from dp_audit.outcome import Row
from dp_audit.run.unmodified import run_plain_here


def observed_rows(
    module: Any, name: str, parameters: Mapping[str, Any], reference: Oracle, **options: Any
) -> dict[str, Row]:
    """The rows about a client of a module, by what they check; the options are those of `plan.observed`."""
    made = getattr(module, name)
    found = unmodified_audit.observed(
        lambda job: run_plain_here(job, made),
        Path(module.__file__),
        name,
        parameters,
        reference,
        (),
        afresh=False,
        **options,
    )
    return {row.check: row for row in found}
