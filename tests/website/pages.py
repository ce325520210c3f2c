"""A built page, read: where its links lead, what can be linked to in it, and its words."""

import re
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit

SILENT = ("script", "style", "code", "pre", "title")
"""Elements whose words are no prose."""
VOID = ("area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "use", "wbr")


@dataclass
class Content(HTMLParser):
    """What a page links to, its ids, and its words outside code."""

    links: list[str] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    words: list[str] = field(default_factory=list)
    inside: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take the ids and links of an element."""
        if tag not in VOID:
            self.inside.append(tag)
        for name, value in attrs:
            if name in ("href", "src") and value and tag != "use":
                self.links.append(value)
            if name == "id" and value:
                self.ids.add(value)

    def handle_endtag(self, tag: str) -> None:
        """Leave an element, and those in it that had no end."""
        while tag in self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        """Take the words of prose."""
        if not any(tag in SILENT for tag in self.inside):
            self.words.append(data)


@dataclass(frozen=True)
class Page:
    """A page of a site; `path` is relative to the folder of the site."""

    site: Path
    path: str

    @cached_property
    def content(self) -> Content:
        """The page, parsed."""
        content = Content()
        content.feed((self.site / self.path).read_text(encoding="utf-8"))
        content.close()
        return content

    @property
    def weight(self) -> int:
        """Bytes of the page itself."""
        return (self.site / self.path).stat().st_size

    def prose(self) -> str:
        """Its words outside code, runs of spaces as one."""
        return re.sub(r"\s+", " ", " ".join(self.content.words))

    def targets(self) -> list[tuple[str, str]]:
        """Where its links within the site lead: a path from the top of the site, and an anchor there or nothing."""
        targets = []
        for link in self.content.links:
            parts = urlsplit(link)
            if not parts.scheme and not parts.netloc:
                path = normpath(join(dirname(self.path), unquote(parts.path))) if parts.path else self.path
                targets.append((path, unquote(parts.fragment)))
        return targets


def pages(site: Path) -> dict[str, Page]:
    """All pages of a site by their path."""
    paths = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    return {path: Page(site, path) for path in paths}
