"""Sources: the bibliographic record of a paper whose statements are checked."""

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.names import require_name


@dataclass(frozen=True)
class Author:
    """A person, family and given name in Latin letters, or an organization; the name as the source prints it, where
    that differs."""

    family: str
    given: str | None = None
    original: str | None = None

    def __str__(self) -> str:
        return self.family if self.given is None else f"{self.family} {self.given}"

    @property
    def bibtex(self) -> str:
        """As BibTeX writes it; braces keep the name of an organization together."""
        return f"{{{self.family}}}" if self.given is None else f"{self.family}, {self.given}"


@dataclass(frozen=True)
class Source:
    """A paper, under the id that its claims begin with. What is not known is None and is shown nowhere.

    Raises `DomainError` for a record without authors or with an empty text, and for one revised before it was received.
    """

    id: str
    authors: tuple[Author, ...]
    title: str
    journal: str
    language: str
    year: int | None = None
    original_title: str | None = None
    original_journal: str | None = None
    volume: str | None = None
    pages: str | None = None
    doi: str | None = None
    received: date | None = None
    revised: date | None = None

    def __post_init__(self) -> None:
        if not self.authors:
            raise DomainError(f"source {self.id}: authors", self.authors, "at least one")
        for f in fields(self):
            value = getattr(self, f.name)
            if not isinstance(value, _TYPES[f.name]) or value == "":
                allowed = str(_TYPES[f.name]).removeprefix("<class '").removesuffix("'>")
                raise DomainError(f"source {self.id}: {f.name}", value, f"{allowed}, not empty")
        if self.received and self.revised and self.revised < self.received:
            raise DomainError(f"source {self.id}: revised", str(self.revised), f"a day from {self.received} on")

    @property
    def short(self) -> str:
        """As running text cites it: "Cao et al. 2022"."""
        first, *others = (author.family for author in self.authors)
        named = f"{first} et al." if len(others) > 1 else " and ".join([first, *others])
        return named if self.year is None else f"{named} {self.year}"

    @property
    def line(self) -> str:
        """The record in one line: authors, title, journal, year, language."""
        authors = ", ".join(map(str, self.authors))
        when = "" if self.year is None else f" {self.year},"
        return f"{authors}: {self.title}. {self.journal},{when} in {self.language}"

    @property
    def bibtex(self) -> str:
        """The record as a BibTeX entry, with the names and the title of the original in its note."""
        names = ", ".join(author.original for author in self.authors if author.original)
        notes = [names, self.original_title, self.original_journal]
        notes += [f"received {self.received}" if self.received else None]
        notes += [f"revised {self.revised}" if self.revised else None]
        entries = {
            "author": " and ".join(author.bibtex for author in self.authors),
            "title": f"{{{self.title}}}",  # a second pair of braces keeps its capitals
            "journal": self.journal,
            "year": None if self.year is None else str(self.year),
            "volume": self.volume,
            "pages": self.pages,
            "doi": self.doi,
            "language": self.language,
            "note": "; ".join(note for note in notes if note) or None,
        }
        name = "".join(filter(str.isalnum, self.authors[0].family.lower()))
        key = f"{name}{'' if self.year is None else self.year}source{self.id.partition('.')[0]}"
        lines = [f"  {name} = {{{value}}}," for name, value in entries.items() if value is not None]
        return "\n".join([f"@article{{{key},", *lines, "}"])

    def json(self) -> dict[str, Any]:
        """The record as plain data; what is not known is left out, dates are written YYYY-MM-DD."""
        record = {f.name: getattr(self, f.name) for f in fields(self)}
        record["authors"] = [{k: v for k, v in vars(author).items() if v is not None} for author in self.authors]
        return {k: str(v) if isinstance(v, date) else v for k, v in record.items() if v is not None}


Record = TypeVar("Record", Author, Source)
_TYPES: Mapping[str, Any] = {
    "id": str,
    "authors": tuple,
    "title": str,
    "journal": str,
    "year": int | None,
    "language": str,
    **dict.fromkeys(("original_title", "original_journal", "volume", "pages", "doi"), str | None),
    **dict.fromkeys(("received", "revised"), date | None),
}


@cache
def sources() -> Mapping[str, Source]:
    """Every source by id."""
    entries = files("dp_spec").joinpath("sources").iterdir()
    names = sorted(path.name.removesuffix(".toml") for path in entries if path.name.endswith(".toml"))
    return {name: read_source(name, document(name)["source"]) for name in names}


def source(name: str) -> Source:
    """One source. Raises `UnknownNameError` for an id that no source has."""
    return sources()[require_name("source", name, sources())]


@cache
def papers() -> Mapping[str, Source]:
    """The papers of a source that has several, by the beginning of the ids of their statements: `lit.wang2017`."""
    records = {
        f"{name}.{key}": record for name in sources() for key, record in document(name).get("papers", {}).items()
    }
    return {name: read_source(name, record) for name, record in records.items()}


def paper_of(claim: str) -> Source:
    """The paper that a statement is from, by its id: one of several of its source, or the source.

    Raises `UnknownNameError` where the id begins with no source.
    """
    name, *rest = claim.split(".")
    return papers().get(".".join([name, *rest[:1]])) or source(name)


def read_source(name: str, record: Mapping[str, Any]) -> Source:
    """A record as `dp_spec/sources/<name>.toml` writes it. Raises `DomainError` for unknown, missing or odd fields."""
    about = f"source {name}"
    return _built(Source, about, {**record, "id": name, "authors": _authors(about, record.get("authors"))})


def document(name: str) -> dict[str, Any]:
    """`dp_spec/sources/<name>.toml`: the record of a source and the prose of its claims."""
    return tomllib.loads(files("dp_spec").joinpath("sources", f"{name}.toml").read_text(encoding="utf-8"))


def _authors(about: str, listed: object) -> tuple[Author, ...]:
    if not isinstance(listed, list):
        raise DomainError(f"{about}: authors", listed, "a list of tables with family and given")
    return tuple(_built(Author, f"{about}: authors", entry) for entry in listed)


def _built(cls: type[Record], about: str, content: Mapping[str, Any]) -> Record:
    names = [f.name for f in fields(cls)]
    needed = [f.name for f in fields(cls) if f.default is MISSING]
    if set(content) - set(names) or set(needed) - set(content):
        raise DomainError(about, sorted(content), f"{', '.join(needed)}, and maybe {', '.join(names[len(needed) :])}")
    return cls(**content)
