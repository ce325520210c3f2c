"""What is committed and made of claims, verdicts and records: the ledger, the statements and ids that go with it, and
the marked blocks of README.md and of the page on the API.
"""

import io
import re
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console

from dp_checks.ledger import Entry, Ledger
from dp_checks.runtime.terminal import print_table
from dp_checks.statements import formal_statements, path_beside
from dp_checks.statements import text as statements_text
from dp_checks.status import agreement, certificate_line, source_list, verdict_grid
from dp_refimpl.mechanisms import ALIASES, MECHANISMS
from dp_spec.vocabulary.claim import Claim

PAGES = ("README.md", "docs/guide/api.md")
"""The pages with marked blocks, from the root of a source tree."""
BLOCK = re.compile(r"(<!-- (\w+): begin \(.*?\) -->\n).*?(<!-- \2: end -->)", re.DOTALL)
"""A block: its marker, which says what command prints or writes it, its name, and the marker of its end."""


def texts(path: Path, claims: tuple[Claim, ...], ledger: Ledger) -> dict[Path, str]:
    """Every file -> its text, for a ledger of the claims at this path; of `PAGES` those that the tree around it has."""
    made = {
        path_beside(path): statements_text(formal_statements(claims)),
        path.parent / "ids.txt": "".join(f"{i}\n" for i in ledger),
        path: ledger.text(),
    }
    pages = [page for name in PAGES if (page := path.parents[1] / name).is_file()]
    return made | {page: refreshed(page.read_text(encoding="utf-8"), ledger) for page in pages}


def refreshed(page: str, ledger: Mapping[str, Entry]) -> str:
    """A page whose blocks are those of the ledger and of the records. Raises `KeyError` for a block of another name."""
    made = {"sources": source_list(ledger), "verdicts": verdicts(ledger), "mechanisms": mechanisms()}
    return BLOCK.sub(lambda block: f"{block[1]}{made[block[2]]}\n{block[3]}", page)


def verdicts(ledger: Mapping[str, Entry]) -> str:
    """What `make certify` prints at its end, as a block of Markdown."""
    screen = io.StringIO()
    print_table(Console(file=screen, width=80), verdict_grid(ledger))
    lines = (certificate_line("build/certify/certificates"), agreement(len(ledger), "ledger.json", 0))
    return "\n".join(["```text", screen.getvalue().rstrip("\n"), *lines, "```"])


def mechanisms() -> str:
    """The mechanisms of the records, as references to their classes, and their other names."""
    classes = [f"{{py:class}}`~{cls.__module__}.{name}`" for name, cls in MECHANISMS.items()]
    names = ", ".join(f"{alias} is {name}" for alias, name in ALIASES.items())
    return ",\n".join(classes) + f".\nNames of the literature are understood: {names}."
