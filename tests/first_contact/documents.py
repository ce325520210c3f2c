"""Every command and every Python block of README and the guide, run outside the checkout where only a wheel is.

A command runs in a folder that has the files a reader would have by then (`prepare`); its exit code is the one that the
page leads to expect. What needs more than the wheel is named in `NOT_RUN`, with where it is tested instead.
"""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from first_contact.readme import README, blocks, commands
from structure.tree import ROOT

JOURNEYS = Path(__file__).with_name("journeys.md")
PAGES = (
    README,
    JOURNEYS,
    ROOT / "docs" / "index.md",
    *sorted((ROOT / "docs" / "start").glob("*.md")),
    *sorted((ROOT / "docs" / "guide").glob("*.md")),
)
NOT_RUN: Mapping[str, str] = {
    "dp-refimpl reproduce 000 --jobs 2": "takes minutes: tests/studies/reproduce run it at a small size",
    "dp-refimpl reproduce 001 --jobs 2": "takes a while: tests/studies/reproduce run it at a small size",
    "dp-refimpl reproduce 002 --jobs 2": "takes minutes: tests/studies/reproduce run it with fewer points",
    "dp-refimpl reproduce 003 --jobs 2": "takes half an hour: tests/studies/reproduce run it at a small size",
    "dp-refimpl reproduce 004 --jobs 2": "takes minutes: tests/studies/reproduce run it at a small size",
    "--scheduler head:8786": "needs a cluster: tests/checks/runtime/test_cluster.py",
    "node docs/examples/grr_client.js": "needs Node.js: tests/audit/test_process.py",
    "audit_adapter_blackbox(": "needs an adapter and its environment: tests/audit",
    'audit_library("pure-ldp"': "needs the environment of the audited libraries: tests/audit",
    "class Client:": "names of methods only",
    "class GRR:": "names of methods only",
    "other-env/bin/python": "needs another environment: tests/audit/test_plugin.py",
    "dp-refimpl vectors --check proofs_checks/vectors": "needs the checkout: tests/audit/vectors",
    "dp-refimpl vectors --maps --check proofs_checks/map_vectors": "needs the checkout: tests/audit/vectors",
    "class search_age(mean_age):": "is of the file above it: tests/audit/maps/test_searched_members.py",
    "@pytest.mark.declares(": "is a part of a test file: tests/audit/maps/test_marker.py",
}
FAULTS = (
    *(f"dp-refimpl audit python {name}.py" for name in ("grr", "sugrr", "choose")),
    "dp-refimpl audit map sums.py:mean_age",
    "dp-refimpl audit accountant accountants.py:classical",
)
"""Audits of code that is wrong: exit code 1."""

CLIENT = """import math, random


def randomize(item, d, epsilon):
    if item not in range(d):
        raise ValueError(item)
    keep = math.exp(epsilon) / (math.exp(epsilon) + d - 1)
    return item if random.random() < keep else random.choice([x for x in range(d) if x != item])
"""
ESTIMATE = """

def estimate(reports, d, epsilon):
    p = math.exp(epsilon) / (math.exp(epsilon) + d - 1)
    q = (1 - p) / (d - 1)
    return [(reports.count(x) / len(reports) - q) / (p - q) for x in range(d)]
"""
PRELUDE = "import pytest\nfrom mylibrary import randomize\n\n\n"

FEWER = "max_examples=20", "max_examples=3"
"""A law over all parameters is tried at fewer than the page says."""

Run = Callable[..., str]
"""run(*command, cwd=..., expect=...): raises unless the exit code is the expected one."""


def prepare(folder: Path) -> None:
    """The files that a reader has: the codes of the pages, a library, data."""
    for page in PAGES:
        for block in blocks(page, "python"):
            if named := re.match(r"# (\w+\.py)\n", block):
                target = folder / named[1]
                # README's own is the one that gets d and epsilon as arguments
                if not target.exists():
                    target.write_text(block, encoding="utf-8")
    (folder / "client.py").write_text(CLIENT, encoding="utf-8")
    (folder / "mylibrary.py").write_text(CLIENT + ESTIMATE, encoding="utf-8")
    rows = "".join(f"{x},{x if i % 2 else (x + 1) % 4}\n" for i in range(400) for x in range(4))
    (folder / "reports.csv").write_text("input,report\n" + rows, encoding="utf-8")
    law = [(x, y, "0.4754" if x == y else "0.1749") for x in range(4) for y in range(4)]
    text = "input,output,probability\n" + "".join(f"{x},{y},{p}\n" for x, y, p in law)
    (folder / "table.csv").write_text(text, encoding="utf-8")


def is_run(text: str) -> bool:
    """Whether a command or block is run, and not named in `NOT_RUN`."""
    return not any(part in text for part in NOT_RUN)


def programs(page: Path) -> Iterator[tuple[str, str]]:
    """What is executed of a page's Python: ("test", a test file) or ("script", all other blocks, one after another)."""
    listed = [block for block in blocks(page, "python") if is_run(block) and not re.match(r"# \w+\.py\n", block)]
    for block in listed:
        if "conforms_to" in block or "assert_conforms" in block:
            yield "test", block if "import pytest" in block else PRELUDE + block
    script = "\n".join(b for b in listed if "conforms_to" not in b and "assert_conforms" not in b)
    if script:
        yield "script", script


def run_commands(page: Path, run: Run, python: Path, folder: Path) -> int:
    """Run every command of a page that no page before it has; how many there were. Of the journeys every line that is
    read has to be printed."""
    listed = [line for line in commands(page) if is_run(line)]
    before = {line for other in PAGES[: PAGES.index(page)] for line in commands(other)} if page != JOURNEYS else set()
    for line in listed:
        if line in before:
            continue
        command = shlex.split(line)
        here = folder / "build" / "certify" / "certificates" if command[1] == "verify" else folder
        expect = 1 if line.startswith(FAULTS) else 0
        printed = run(python.parent / command[0], *command[1:], cwd=here, expect=expect).splitlines()
        for read in outputs(page).get(line, ()) if page == JOURNEYS else ():
            assert read in printed, (line, read, printed)
    return len(listed)


def outputs(page: Path) -> dict[str, list[str]]:
    """What a page has below each command."""
    below: dict[str, list[str]] = {}
    for line in "".join(blocks(page, "console")).splitlines():
        if line.startswith("$ "):
            lines = below.setdefault(line.removeprefix("$ "), [])
        else:
            lines.append(line)
    return below


def run_programs(page: Path, run: Run, python: Path, folder: Path) -> int:
    """Run every Python block of a page; how many programs that made."""
    examples = list(programs(page))
    for number, (kind, text) in enumerate(examples):
        file = folder / f"{'test_' if kind == 'test' else ''}{page.stem.replace('-', '_')}_{number}.py"
        file.write_text(text.replace(*FEWER), encoding="utf-8")
        quiet = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:benchmark")
        run(python, *(quiet if kind == "test" else ()), file.name, cwd=folder)
    return len(examples)
