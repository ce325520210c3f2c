"""Plain runs of code at hand, in this process."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dp_audit.audits import Row
from dp_audit.oracles import Oracle
from dp_audit.plain import plan
from dp_audit.plain.run import run_plain_here


def observed_rows(
    module: Any, name: str, parameters: Mapping[str, Any], reference: Oracle, **options: Any
) -> dict[str, Row]:
    """The rows about a client of a module, by what they check; the options are those of `plan.observed`."""
    made = getattr(module, name)
    found = plan.observed(
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
