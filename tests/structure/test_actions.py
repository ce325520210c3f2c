"""Nothing of others runs in our workflows, or in those that the guide shows, but what a commit or a hash names."""

import re
from collections.abc import Iterator

import pytest

from structure.tree import ROOT, tracked_files

USES = re.compile(r"^[ -]*uses:[ ]*(?P<action>[^@\s]+)(?:@(?P<commit>\S+))?(?P<comment>[^\n]*)$", re.MULTILINE)
VERSION = re.compile(r"\s+# v[0-9]+\.[0-9]+\.[0-9]+\s*")
OURS = ("./", "OWNER/dp-refimpl")
INSTALLED = re.compile(r"pip install [^\n]*")
HASHED = re.compile(r"--require-hashes|--no-index")


def unpinned(text: str) -> Iterator[str]:
    """Every action of others that is not pinned by a whole commit, with its version beside it."""
    for match in USES.finditer(text):
        pinned = re.fullmatch("[0-9a-f]{40}", match["commit"] or "") and VERSION.fullmatch(match["comment"])
        if not match["action"].startswith(OURS) and not pinned:
            yield match.group().strip()


def test_actions_of_others_are_pinned_by_commit() -> None:
    count = 0
    for path in tracked_files():
        if path.suffix in (".yml", ".yaml", ".md"):
            text = path.read_text(encoding="utf-8")
            count += len(USES.findall(text))
            assert list(unpinned(text)) == [], path
    assert count > 10


def test_one_action_has_one_commit() -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / ".github" / "workflows").iterdir())]
    uses = {(use["action"], use["commit"]) for text in texts for use in USES.finditer(text)}
    assert len({action for action, _ in uses}) == len(uses)


@pytest.mark.parametrize(
    "line",
    [
        "      - uses: actions/checkout@v4",
        "        uses: pypa/gh-action-pypi-publish@release/v1 # v1.12.4",
        "- uses: actions/checkout",
        f"- uses: actions/checkout@{'a' * 40}",
        f"- uses: actions/checkout@{'a' * 39} # v4.2.2",
        f"- uses: actions/checkout@{'a' * 40} # v4",
    ],
)
def test_an_unpinned_action_is_found(line: str) -> None:
    assert list(unpinned(f"steps:\n{line}\n")) == [line.strip()]


def test_a_release_installs_with_hashes() -> None:
    """Its other packages are those of the lock, which `.ci/bootstrap` installs."""
    installed = INSTALLED.findall((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))
    assert installed
    assert [line for line in installed if not HASHED.search(line)] == []
    assert "--require-hashes" in (ROOT / ".ci" / "bootstrap").read_text(encoding="utf-8")
