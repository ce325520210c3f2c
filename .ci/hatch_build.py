"""Build hook: the wheel carries the committed ledger, so that consumers can gate on its verdicts.

An editable install reads the file in the tree instead; a copy of it in site-packages would go stale.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LEDGER = "proofs_checks/ledger.json"


class LedgerHook(BuildHookInterface[Any]):
    """Adds the ledger to the standard wheel. Raises `FileNotFoundError` where nothing has been certified yet."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":
            return
        if not (Path(self.root) / LEDGER).is_file():
            raise FileNotFoundError(f"{LEDGER} is missing: run `make certify` before building the wheel")
        build_data["force_include"][LEDGER] = "dp_checks/data/ledger.json"
