"""Build hook: the wheel carries the committed ledger, so that consumers can gate on its verdicts, the statements it
pins, the corpus of certificates for other checkers, and the pages of the guide, which `dp-refimpl search` knows.

An editable install reads the files in the tree instead; a copy in site-packages would go stale.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CARRIED = (
    "proofs_checks/ledger.json",
    "proofs_checks/statements.json",
    "tests/corpus/accepted.jsonl",
    "tests/corpus/rejected.jsonl",
    "docs/start",
    "docs/guide",
)


class LedgerHook(BuildHookInterface[Any]):
    """Adds all of them to the standard wheel. Raises `FileNotFoundError` for one that is not in the tree."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":
            return
        for source in CARRIED:
            if not (Path(self.root) / source).exists():
                raise FileNotFoundError(f"{source} is missing: the wheel carries it as it is committed")
            build_data["force_include"][source] = f"dp_checks/data/{Path(source).name}"
