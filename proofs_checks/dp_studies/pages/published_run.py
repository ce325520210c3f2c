"""What is committed of a whole run of a reproduction, which takes long: it is shown beside exact values of today."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dp_checks.runtime.outputs import write_file
from dp_studies.reproduce.command import Request
from dp_studies.reproduce.pictures import Document, Drawing, pictures


@dataclass(frozen=True)
class PublishedRun:
    """A run of `request`, and how its document becomes what is committed (`published`), and that a document which has
    what the pictures show (`studied`).

    `files` are those of the run that `published` is given, in the run's folder.
    """

    request: Request[Any]
    drawings: Callable[[Document], Iterable[Drawing]]
    studied: Callable[[Mapping[str, Any]], dict[str, Any]]
    published: Callable[..., dict[str, Any]]
    files: tuple[str, ...] = ("reproduce",)

    @property
    def path(self) -> Path:
        """Of what is committed, from the root of the checkout."""
        return Path("docs") / "data" / f"reproduce-{self.request.study.source}.json"

    def committed(self, root: Path) -> dict[str, Any]:
        """What is committed, for the checkout at `root`."""
        return _read(root / self.path)

    def figures(self, root: Path) -> dict[str, bytes]:
        """SVG files by name, for the checkout at `root`."""
        drawn = pictures(self.drawings(self.studied(self.committed(root))), kinds=("svg",))
        return {f"reproduce-{self.request.study.source}-{name}": content for name, content in drawn.items()}

    def copy(self) -> None:
        """Commit a run of the command, whose folder is below the working directory, which is the root."""
        whole = (_read(self.request.out / f"{name}.json") for name in self.files)
        write_file(self.path, json.dumps(self.published(*whole), indent=0) + "\n")


def _read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document
