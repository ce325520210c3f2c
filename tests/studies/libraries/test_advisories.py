"""Every published fault has one id, every id its fault; what is published under it is what the audits say."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import jsonschema
import pytest

from dp_studies.libraries import advisories, published_audits
from dp_studies.libraries.advisories import Advisory
from structure.tree import ROOT

STRING, TIME = {"type": "string", "minLength": 1}, {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"}
FIELDS: dict[str, dict[str, Any]] = {
    "schema_version": {"const": "1.6.0"},
    "id": {"type": "string", "pattern": r"^DPA-\d{4}-\d{4}$"},
    "modified": TIME,
    "published": TIME,
    "withdrawn": TIME,
    "summary": {**STRING, "pattern": "^[^\n]*$"},
    "details": STRING,
    "affected": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/affected"}},
    "database_specific": {"type": "object"},
}
AFFECTED: dict[str, dict[str, Any]] = {
    "package": {
        "type": "object",
        "required": ["ecosystem", "name"],
        "properties": {"ecosystem": {"enum": ["PyPI", "npm"]}, "name": STRING, "purl": {"pattern": "^pkg:"}},
        "additionalProperties": False,
    },
    "versions": {"type": "array", "minItems": 1, "items": STRING},
}
# The part of the OSV schema 1.6 that advisories use, written by hand from its text: no package carries the schema.
OSV = {
    "type": "object",
    "required": [name for name in FIELDS if name != "withdrawn"],
    "properties": FIELDS,
    "additionalProperties": False,
    "$defs": {
        "affected": {
            "type": "object",
            "required": list(AFFECTED),
            "properties": AFFECTED,
            "additionalProperties": False,
        }
    },
}
LISTED, AUDITS = advisories.advisories(ROOT), published_audits.published(ROOT)
LAST = LISTED[51]
List = Sequence[Advisory]


def test_every_published_fault_has_one_id_and_every_id_its_fault() -> None:
    assert advisories.gaps(LISTED, AUDITS) == ""
    assert [each.id for each in LISTED] == [f"DPA-2026-{number:04}" for number in range(1, len(LISTED) + 1)]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda ids: ids[:-1], "no id: synthcity, _encode, what has no noise, law\n"),
        (lambda ids: [*ids, replace(LAST, id="DPA-2026-9999")], "more than one id: differential-privacy, "),
        (
            lambda ids: [*ids, replace(LAST, id="DPA-2026-9999", package="none")],
            "DPA-2026-9999: a mechanism or a quest",
        ),
        (
            lambda ids: [*ids[:51], *ids[52:], replace(LAST, questions=(*LAST.questions, "variance"))],
            f"{LAST.id}: a mechanism or ",
        ),
        (lambda ids: [*ids, replace(LAST, withdrawn=date(2027, 1, 1))], f"{LAST.id}: two entries have this id\n"),
    ],
)
def test_a_fault_without_an_id_and_an_id_without_a_fault_are_one_error_that_says_what_to_do(
    change: Callable[[List], List], said: str
) -> None:
    error = advisories.gaps(change(LISTED), AUDITS)
    assert said in error
    assert error.endswith("run: python -m dp_studies.libraries.advisories")


def test_what_is_published_is_what_the_audits_say_in_the_fields_of_the_schema() -> None:
    published = advisories.committed(ROOT)
    assert list(advisories.documents(ROOT)) == list(published)
    for each in published:
        jsonschema.Draft202012Validator(OSV).validate(each)
        assert all(each["database_specific"][name] for name in ("mechanisms", "reproduction", "parameters"))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(OSV).validate({**published[0], "severity": "high"})


def test_a_withdrawn_advisory_keeps_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    gone, kept = replace(LISTED[0], withdrawn=date(2027, 1, 2)), advisories.committed(ROOT)[0]
    others = [audit for audit in AUDITS if audit["mechanism"] not in gone.mechanisms or audit["target"] != gone.package]
    listed = [gone, *(each for each in LISTED if each.package != gone.package)]
    monkeypatch.setattr(advisories, "advisories", lambda tree: listed)
    monkeypatch.setattr(
        published_audits, "published", lambda tree: [audit for audit in others if audit["target"] != gone.package]
    )
    made = next(advisories.documents(ROOT))
    assert made == {**kept, "modified": made["modified"], "withdrawn": "2027-01-02T00:00:00Z"}
    assert "withdrawn 2027-01-02" in advisories.pages([made])[f"advisories/{gone.id}.md"]


def test_every_advisory_has_a_page_that_shows_it() -> None:
    published = advisories.committed(ROOT)
    pages = advisories.pages(published)
    assert set(pages) == {"advisories.md", *(f"advisories/{each['id']}.md" for each in published)}
    for each in published:
        text, own = pages[f"advisories/{each['id']}.md"], each["database_specific"]
        assert each["details"] in text
        assert all(line.replace("```", "'''") in text for line in own["reproduction"])
        assert all(f"- Proposed: {says}." in text for says in own["repair"])
        assert all(f"| {value} |" in text for value in own["effect"].values())
        assert f"({each['id']}.md)" in pages["advisories.md"].replace("(advisories/", "(")
