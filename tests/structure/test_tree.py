"""What may be committed: a lock file for everybody, and nothing that only one machine understands."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from structure.tree import ROOT, tracked_files

LOCK = ROOT / "requirements.lock"
PINNED = re.compile(r"([a-z0-9][a-z0-9.-]*)==[^\s;]+( ; [^\\]+)?")
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")
PRIVATE = {
    "a path of one machine": re.compile(r"(?<![\w.:/<>-])/(?:work|root|home|tmp|opt|mnt|Users|var/folders)/\w"),
    "a folder beside the tree": re.compile(r"(?<![\w/-])(?:\.\./)?shared/\w"),
    "a package index": re.compile(r"\b(?:pypi|pythonhosted|test\.pypi|anaconda|npmjs)\.(?:org|com)\b", re.IGNORECASE),
    "credentials": re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----|https?://[^/\s:@]+:[^/\s:@]+@"),
}

BRITISH = re.compile(
    r"\w*(?:behav|col|neighb|fav)our\w*|\w*(?:normal|optim|random|vector|ideal|general|minim|privat|recogn)is(?:e|ing|ation)\w*"
    r"|\bcent(?:re|red)\b|\w*(?:mod|lab)elled\b",
    re.IGNORECASE,
)
THEIRS = re.compile(
    r"(?:client|grr|unary|direct|mechanism)?\.(?:privatise|randomise)\b|to be randomised"
    r"|def (?:privatise|randomise)\b|_build_normalising_constant\b"
    r"|alg5\.normalise\b|aria-labelledby|randomised[ \"',]+response"
)
"""Names and words of audited libraries, a permanent id, an attribute of HTML, and what some readers search for."""


def private_things(text: str) -> Iterator[str]:
    """Every string of a text that belongs to one machine or one registry."""
    for what, pattern in PRIVATE.items():
        yield from (f"{what}: {match.group()}" for match in pattern.finditer(text))


def lock_entries(text: str) -> dict[str, list[str]]:
    """Pinned requirement -> its hashes. Raises `ValueError` for any line that is neither."""
    entries: dict[str, list[str]] = {}
    current = ""
    for line in text.splitlines():
        bare = line.removesuffix("\\").strip()
        if bare.startswith("#") or not bare:
            continue
        if HASH.fullmatch(bare) and current:
            entries[current].append(bare)
        elif match := PINNED.fullmatch(bare):
            current = match.group(1)
            if current in entries:
                raise ValueError(f"{current} is pinned twice")
            entries[current] = []
        else:
            raise ValueError(f"not a pinned requirement and not a hash: {line!r}")
    return entries


def normalized(requirement: str) -> str:
    name = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert name is not None
    return re.sub(r"[-_.]+", "-", name.group()).lower()


def test_the_lock_pins_and_hashes_everything_and_names_no_place() -> None:
    text = LOCK.read_text(encoding="utf-8")
    entries = lock_entries(text)
    assert [name for name, hashes in entries.items() if not hashes] == []
    assert re.findall(r"://|--index-url|--extra-index|--find-links|file:|@", text) == []
    assert list(private_things(text)) == []


def test_the_lock_covers_every_declared_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    declared = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    for group in project["dependency-groups"].values():
        declared += group
    assert {normalized(d) for d in declared} - lock_entries(LOCK.read_text(encoding="utf-8")).keys() == set()


def test_every_direct_dependency_is_justified_in_a_line() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    declared = [*project["project"]["dependencies"]]
    for group in project["dependency-groups"].values():
        declared += group
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert [d for d in declared if f"| `{normalized(d)}` |" not in guide] == []


def test_the_citation_is_of_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cited = dict(re.findall(r"^([a-z-]+): (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE))
    for field, declared in (
        ("title", "name"),
        ("version", "version"),
        ("license", "license"),
        ("abstract", "description"),
    ):
        assert cited[field] == project[declared]


@pytest.mark.slow
def test_no_file_names_a_machine_or_a_registry() -> None:
    complaints = []
    for path in tracked_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        complaints += [f"{path.relative_to(ROOT)}: {thing}" for thing in private_things(text)]
    assert complaints == []
    assert "uv.lock" not in {path.name for path in tracked_files()}


@pytest.mark.slow
def test_the_spelling_is_american() -> None:
    words: dict[str, Path] = {}
    for path in tracked_files():
        if path != Path(__file__) and path.suffix not in (".png", ".lock", ".svg"):
            text = THEIRS.sub("", path.read_text(encoding="utf-8"))
            words |= dict.fromkeys(re.findall(r"\w+", text), path)
    assert [f"{path.relative_to(ROOT)}: {word}" for word, path in words.items() if BRITISH.search(word)] == []


@pytest.mark.parametrize(
    "text",
    [
        "open('" + "/".join(["", "home", "me", "data.csv"]) + "')",
        "see " + "/".join(["", "tmp", "x"]),
        "--out " + "/".join(["", "root", "certificates"]),
        "design in " + "/".join(["..", "shared", "DESIGN.md"]),
        "--index-url https://" + ".".join(["pypi", "org"]) + "/simple",
        "https://" + ":".join(["user", "word"]) + "@example.net",
    ],
)
def test_a_private_thing_is_found(text: str) -> None:
    assert list(private_things(text))


@pytest.mark.parametrize(
    "text", ["tmp_path / 'x'", "spec/dp_spec/frequency", "e^(eps/m)", "shared randomness", "https://example.net/work/x"]
)
def test_a_harmless_text_passes(text: str) -> None:
    assert list(private_things(text)) == []


@pytest.mark.parametrize(
    "line",
    [
        "numpy>=2",
        "numpy",
        "--index-url https://example.net/simple",
        "-e .",
        "numpy @ https://example.net/numpy.whl",
        "numpy==2.0\nnumpy==2.1",
        "    --hash=md5:0123",
    ],
)
def test_an_entry_that_is_not_pinned_is_caught(line: str) -> None:
    with pytest.raises(ValueError, match="pinned"):
        lock_entries(line)
