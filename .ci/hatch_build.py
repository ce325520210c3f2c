"""Build hook: the wheel carries the committed ledger, so that consumers can gate on its verdicts, and the statements
it pins.

An editable install reads the files in the tree instead; a copy in site-packages would go stale.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CARRIED = ("ledger.json", "statements.json")


class LedgerHook(BuildHookInterface[Any]):
    """Adds both to the standard wheel. Raises `FileNotFoundError` where nothing has been certified yet."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":
            return
        for name in CARRIED:
            source = f"proofs_checks/{name}"
            if not (Path(self.root) / source).is_file():
                raise FileNotFoundError(
                    f"{source} is missing: run `dp-refimpl certify --write` before building the wheel"
                )
            build_data["force_include"][source] = f"dp_checks/data/{name}"
