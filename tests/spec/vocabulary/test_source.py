"""Records of sources: complete, typed, and shown with nothing that the record does not say."""

import re
from copy import deepcopy
from typing import Any

import pytest

from cases.refusals import refusal_test, refuses
from dp_spec.claims import all_sources
from dp_spec.vocabulary import DomainError, sources
from dp_spec.vocabulary.exceptions import UnknownNameError
from dp_spec.vocabulary.source import document, paper_of, papers, read_source, source

FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)


def test_every_claim_has_a_source_with_a_record() -> None:
    assert {claim.source for claim in all_sources()} == set(sources())


def test_a_statement_of_the_literature_is_of_its_paper() -> None:
    literature = [claim.id for claim in all_sources() if claim.source == "lit"]
    beginnings = {".".join(i.split(".")[:2]) for i in literature}
    assert beginnings - {"lit.compared"} == set(papers())
    for i in literature:
        assert (paper_of(i) is source("lit")) == i.startswith("lit.compared.")
        assert i.startswith(paper_of(i).id)
    assert all(str(paper.year) in paper.id for paper in papers().values())
    assert len({paper.bibtex.partition(",")[0] for paper in papers().values()}) == len(papers())
    assert paper_of("002.thm1.sugrr.tight@set") is source("002")
    with pytest.raises(UnknownNameError):
        paper_of("999.thm1")


@pytest.mark.parametrize("name", sources())
def test_the_record_is_the_file(name: str) -> None:
    assert source(name) is sources()[name]
    written = {k: str(v) if k in ("received", "revised") else v for k, v in document(name)["source"].items()}
    assert source(name).json() == {"id": name, **written}


@pytest.mark.parametrize("name", sources())
def test_bibtex_says_what_the_record_says_and_no_more(name: str) -> None:
    record, text = source(name), source(name).bibtex
    entries = dict(FIELD.findall(text))
    assert text.count("{") == text.count("}")
    assert entries["author"] == " and ".join(a.bibtex for a in record.authors)
    assert entries["title"] == f"{{{record.title}}}"
    for field in ("journal", "year", "volume", "pages", "doi", "language"):
        value = getattr(record, field)
        assert entries.get(field) == (None if value is None else str(value))
    texts = [*(a.original for a in record.authors), record.original_title, record.original_journal]
    texts += [f"received {record.received}", f"revised {record.revised}"]
    assert set(re.split(r", |; ", entries.get("note", ""))) <= set(texts) | {""}


@pytest.mark.parametrize("name", sources())
def test_a_line_has_authors_title_journal_year_and_language(name: str) -> None:
    record = source(name)
    year = () if record.year is None else (str(record.year),)
    for part in (*map(str, record.authors), record.title, record.journal, *year, record.language):
        assert part in record.line
    assert "\n" not in record.line
    assert record.short.startswith(record.authors[0].family)
    assert record.year is None or record.short.endswith(str(record.year))


def test_an_organization_has_one_name() -> None:
    record: dict[str, Any] = {"authors": [{"family": "A Lab"}], "title": "T", "journal": "J", "language": "Dutch"}
    reference = read_source("009", record)
    assert (reference.short, reference.line) == ("A Lab", "A Lab: T. J, in Dutch")
    assert "author = {{A Lab}}" in reference.bibtex
    assert "None" not in reference.bibtex + reference.line


@pytest.mark.parametrize(
    ("families", "expected"), [(1, "Cao 2022"), (2, "Cao and Zhu 2022"), (3, "Cao et al. 2022"), (4, "Cao et al. 2022")]
)
def test_the_short_form_counts_the_authors(families: int, expected: str) -> None:
    record: dict[str, Any] = deepcopy(document("002")["source"])
    record["authors"] = record["authors"][:families]
    assert read_source("002", record).short == expected


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("authors", None),
        ("authors", []),
        ("authors", ["Cao"]),
        ("authors", [{"given": "Yiran"}]),
        ("authors", [{"family": "Cao", "given": "Yiran", "mail": "x"}]),
        ("title", None),
        ("title", ""),
        ("year", "2022"),
        ("language", None),
        ("received", "2022-06-11"),
        ("revised", document("002")["source"]["received"].replace(year=1999)),
        ("impact", 1),
    ],
)
def test_a_spoilt_record_is_refused(field: str, value: object) -> None:
    record: dict[str, Any] = deepcopy(document("002")["source"])
    record[field] = value
    if value is None:
        del record[field]
    with pytest.raises(DomainError, match="source 002"):
        read_source("002", record)


test_an_unknown_source_is_named = refusal_test(
    refuses("", source, "999", says="source '999' is not known", kind=UnknownNameError)
)
