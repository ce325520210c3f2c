"""Formats of reports: complete, valid, stable, and harmless whatever the audited code says."""

import io
import json
import os
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from audit.targets import clients
from dp_audit.audit import audit_callable
from dp_audit.judge.question import of_kind
from dp_audit.options import Options
from dp_audit.outcome import Audit, Row, Verdict
from dp_audit.plugin import failure, summary
from dp_audit.report import FORMATS, formatted, markdown, write
from dp_audit.report.document import read_audit, schema
from dp_audit.report.kinds import kind_of
from dp_audit.report.page import html_text
from dp_audit.report.pictures import picture
from dp_audit.report.sarif import FINGERPRINT, fingerprint
from dp_audit.report.terminal import show_audit
from dp_audit.report.text import number, readable
from dp_audit.report.words import sentence
from dp_checks.runtime.escapes import printable

HOSTILE = "\x1b[2J<b onclick='x'>\u202e]]>&\"'$a$[bold]\x00\ud800</script>"


BRIEF = Options(reuse=False, unmodified=False)


@cache
def correct() -> Audit:
    return audit_callable(clients.grr, "GRR", {"d": 3, "epsilon": 1.0}, estimate=clients.estimate)


@cache
def wrong() -> Audit:
    return audit_callable(clients.too_little_noise, "GRR", {"d": 3, "epsilon": 1.0}, options=BRIEF)


@cache
def hostile() -> Audit:
    report = audit_callable(clients.hostile, "GRR", {"d": 2, "epsilon": 1.0}, options=BRIEF)
    rows = [Row(HOSTILE, v, HOSTILE, {HOSTILE: "1/3"}, {HOSTILE: HOSTILE}, (HOSTILE,)) for v in Verdict]
    return replace(report, target=HOSTILE, mechanism=HOSTILE, notes=(HOSTILE,), rows=(*report.rows, *rows))


ALL = (correct, wrong, hostile)


def reports() -> list[Audit]:
    return [make() for make in ALL]


def terminal(report: Audit, width: int = 200, forced: bool = False) -> str:
    text = io.StringIO()
    show_audit(report, Console(file=text, width=width, force_terminal=forced, color_system=None))
    return text.getvalue()


# --- JSON -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_documents_are_as_the_published_schema_says_and_read_back() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    document = json.loads(formatted("json", reports()))
    jsonschema.Draft202012Validator(schema()).validate(document)
    assert document["verdict"] == "fault"
    assert [read_audit(content) for content in document["audits"]] == reports()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("format",), "dp-refimpl audit 0"),
        (("verdict",), "fine"),
        (("audits",), []),
        (("audits", 0, "rows"), []),
        (("audits", 0, "rows", 0, "verdict"), "proved"),
        (("audits", 0, "method"), "guess"),
        (("audits", 0, "tolerance"), 0.5),
        (("audits", 0, "surprise"), "x"),
        (("audits", 0, "laws", "oracle", "0", "0"), "0.5"),
    ],
)
def test_the_schema_rejects_what_is_no_report(path: tuple[Any, ...], value: object) -> None:
    document = json.loads(formatted("json", [correct()]))
    place = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert not jsonschema.Draft202012Validator(schema()).is_valid(document)


def test_the_schema_is_shipped_with_the_package() -> None:
    assert json.loads(files("dp_audit").joinpath("audits.schema.json").read_text(encoding="utf-8")) == schema()


# --- JUnit ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("strict", [False, True])
def test_junit_has_a_case_for_every_row(strict: bool) -> None:
    root = ElementTree.fromstring(formatted("junit", reports(), strict))
    cases = list(root.iter("testcase"))
    rows = [row for report in reports() for row in report.rows]
    assert len(cases) == len(rows) == int(root.get("tests", "0"))
    failing = {Verdict.FAULT, *([Verdict.WARNING] if strict else [])}
    for case, row in zip(cases, rows, strict=True):
        assert (case.find("failure") is not None) == (row.verdict in failing)
        assert (case.find("skipped") is not None) == (row.verdict is Verdict.UNDECIDED)
    assert int(root.get("failures", "0")) == len(list(root.iter("failure")))
    assert int(root.get("skipped", "0")) == len(list(root.iter("skipped")))


def test_a_failure_in_junit_holds_witness_and_reproduction() -> None:
    failure = next(ElementTree.fromstring(formatted("junit", [wrong()])).iter("failure"))
    (row, *_) = wrong().faults
    assert failure.text is not None
    assert all(line in failure.text for line in row.reproduction)
    assert all(f"{name}: {readable(value)}" in failure.text for name, value in row.witness.items())


# --- SARIF ------------------------------------------------------------------------------------------------------------


def sarif(*audits: Audit, strict: bool = False) -> dict[str, Any]:
    log: dict[str, Any] = json.loads(formatted("sarif", audits, strict))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    return dict(run)


def test_sarif_has_a_result_for_every_deviation_and_a_rule_for_every_kind() -> None:
    run = sarif(*reports())
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(set(rules)) == len(rules)
    expected = {Verdict.FAULT: "error", Verdict.WARNING: "warning", Verdict.UNDECIDED: "note"}
    rows = [row for report in reports() for row in report.rows if row.verdict in expected]
    assert [r["level"] for r in run["results"]] == [expected[row.verdict] for row in rows]
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["message"]["text"]
        (location,) = result["locations"]
        assert location["physicalLocation"]["region"]["startLine"] >= 1
        assert location["physicalLocation"]["artifactLocation"]["uri"] == "tests/audit/targets/clients.py"
        assert set(result["partialFingerprints"]) == {FINGERPRINT}
    for rule in run["tool"]["driver"]["rules"]:
        assert rule["shortDescription"]["text"]
        assert rule["fullDescription"]["text"]


def test_strict_makes_warnings_errors() -> None:
    assert {r["level"] for r in sarif(hostile(), strict=True)["results"]} == {"error", "note"}


def test_a_result_without_a_known_file_has_a_logical_location() -> None:
    (location,) = sarif(replace(wrong(), location=""))["results"][0]["locations"]
    assert set(location) == {"logicalLocations"}
    assert location["logicalLocations"][0]["fullyQualifiedName"] == f"{clients.__name__}.too_little_noise"


@pytest.mark.parametrize(
    ("location", "uri", "line"),
    [("a b/ü.py:7", "a%20b/%C3%BC.py", 7), ("law.csv", "law.csv", 1), ("/x/y z.py:2", "file:///x/y%20z.py", 2)],
)
def test_locations_are_uris(location: str, uri: str, line: int) -> None:
    (place,) = sarif(replace(wrong(), location=location))["results"][0]["locations"]
    physical = place["physicalLocation"]
    assert (physical["artifactLocation"]["uri"], physical["region"]["startLine"]) == (uri, line)


def test_fingerprints_know_the_check_and_not_the_figures() -> None:
    report, (row, other, *_) = wrong(), wrong().faults
    first = fingerprint(report, row)
    assert fingerprint(replace(report, location="elsewhere.py:3"), replace(row, detail="x", figures={})) == first
    assert fingerprint(report, other) != first
    assert fingerprint(replace(report, parameters={"d": "4"}), row) != first


def test_every_row_of_an_audit_is_of_a_known_kind() -> None:
    assert all(of_kind(kind_of(row.check)) for report in (correct(), wrong()) for row in report.rows)
    assert kind_of("law (numpy.int64 inputs)") == "law"
    assert kind_of("variance, n = 2") == "variance"
    assert kind_of("input (3, 4), outside the domain") == "outside"
    assert kind_of("TargetHung") == "run"


# --- HTML -------------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """Collects elements, ids and references, and checks that elements are closed in order."""

    EMPTY = frozenset({"meta", "br", "hr", "path", "use", "image", "rect", "circle", "stop"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.EMPTY:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@cache
def page() -> Page:
    return Page(html_text(reports()))


def test_the_page_is_well_formed_and_refers_to_nothing_outside() -> None:
    assert page().open == []
    ids = [attrs["id"] for _, attrs in page().tags if "id" in attrs]
    assert len(set(ids)) == len(ids)
    for tag, attrs in page().tags:
        assert tag not in ("script", "link", "iframe", "img", "object", "base")
        for name in ("href", "xlink:href", "src", "aria-labelledby"):
            if attrs.get(name):
                target = str(attrs[name])
                assert target.startswith("data:image/png;base64,") or target.lstrip("#") in ids
        assert not any(name.startswith("on") for name in attrs)
    style = "".join(page().text)
    assert "@import" not in style
    assert "prefers-color-scheme: dark" in style


def test_pictures_have_a_name_and_a_table_with_the_same_numbers() -> None:
    drawn = [attrs for tag, attrs in page().tags if tag == "svg"]
    assert len(drawn) == len(reports())
    assert all(attrs["role"] == "img" and attrs["aria-labelledby"] for attrs in drawn)
    assert sum(tag == "details" for tag, _ in page().tags) >= len(reports())
    assert all(attrs.get("scope") in ("col", "row") for tag, attrs in page().tags if tag == "th")


def test_the_page_is_the_same_every_time() -> None:
    assert html_text(reports()) == html_text(reports())


@pytest.mark.slow
def test_large_laws_are_drawn_as_maps_and_larger_ones_not_at_all() -> None:
    def laws(inputs: int, outputs: int) -> dict[str, dict[str, dict[str, str]]]:
        rows = {str(x): {str(y): f"1/{outputs}" for y in range(outputs)} for x in range(inputs)}
        return {"target": rows, "oracle": rows}

    assert "audited minus oracle" in picture(laws(4, 32), "a")
    assert "audited minus oracle" not in picture(laws(4, 12), "b")
    assert picture(laws(4, 300), "c") == picture(laws(17, 3), "d") == picture({}, "e") == ""


# --- what hostile code can say ----------------------------------------------------------------------------------------


COMMANDS = (
    "::error::x",
    "  ::add-mask::x",
    "a\n::error::x",
    "a\r::error::x",
    "a\r\n \t::error::x",
    "a\x0b::error::x",
    "a\x85::error::x",
    "a\u2028::error::x",
    "a\u2029::error::x",
    "a\xa0::error::x",
    "a\u200b\n\ufeff::stop-commands::x",
    "##[error]x",
    "a ##[add-mask]x",
    "a\n###[error]x",
    "##vso[task.setvariable variable=x]y",
    "##teamcity[x]",
    "\x1b]0;x\x07\x9b2J\x7f\u202e\u2066\ud800",
)
"""What a runner of CI or a terminal would obey."""
OBEYED = re.compile(r"^\s*::|##\w*\[", re.MULTILINE)


def is_harmless(text: str) -> bool:
    """Whether nobody obeys anything of it, line by line as any program may split it."""
    return (
        all(c.isprintable() or c in "\n\t" for c in text)
        and not any(OBEYED.search(line) for line in text.splitlines())
        and not OBEYED.search(text)
    )


def commanding(text: str) -> Audit:
    """An audit with this text wherever the audited code, its names and those of its files have a say."""
    rows = [Row(text, v, text, {text: "1/3"}, {text: text}, (text, text)) for v in Verdict]
    rows += [
        Row(check, Verdict.FAULT, text, {}, {"input": text, "output": text}) for check in ("law", "privacy", "run")
    ]
    name = os.fsdecode(text.encode("utf-8", "surrogatepass"))  # which a file can have
    laws = {side: {text: {text: "1"}} for side in ("target", "oracle")}
    audit = replace(hostile(), target=text, mechanism=text, location=name, laws=laws)
    audit = replace(audit, parameters={text: text}, versions={text: text}, models=(text,), notes=(text,))
    return replace(audit, rows=(*hostile().rows, *rows))


def outputs(report: Audit) -> dict[str, str]:
    """Everything that is printed or written of an audit."""
    made = {form: formatted(form, [report, report]) for form in FORMATS}
    made |= {f"terminal of {width}": terminal(report, width, forced) for width, forced in ((200, False), (40, True))}
    made["failure"] = failure(report, report.faults)
    made["summary"] = "\n".join(summary([report]))
    made["sentence"] = printable(sentence(report))
    made["markdown"] = markdown.escape(report.rows[-1].detail) + markdown.parameters(report.as_json())
    return made


@pytest.mark.parametrize("text", [*COMMANDS, HOSTILE], ids=repr)
def test_nobody_obeys_what_the_audited_code_says(text: str) -> None:
    assert {name for name, made in outputs(commanding(text)).items() if not is_harmless(made)} == set()


def test_a_harmful_text_is_found() -> None:
    assert [text for text in COMMANDS if is_harmless(text)] == []


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    report = commanding("##[error]\n::x")
    for form in FORMATS:
        write(form, [report], tmp_path / form)
    document = json.loads((tmp_path / "json").read_text(encoding="utf-8"))
    assert read_audit(document["audits"][0]).target == "##[error]\n::x"
    ElementTree.parse(tmp_path / "junit")


def test_hostile_text_is_no_markup() -> None:
    assert "[bold]" in terminal(hostile())
    assert "<b onclick" not in formatted("html", [hostile()])


@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=20))
def test_printable_text_is_one_line_and_keeps_what_is_harmless(text: str) -> None:
    made = printable(text)
    assert made.isprintable()
    assert is_harmless(made)
    made.encode("utf-8")
    assert printable(made) == made
    assert made == text or not (text.isprintable() and is_harmless(text)) or " ::" in text


def test_a_terminal_shows_witness_and_reproduction_uncut() -> None:
    text = terminal(wrong(), width=60)
    for row in wrong().faults:
        assert row.check in text
        assert all(line in text for line in row.reproduction)


def test_numbers_of_figures() -> None:
    assert number("1/4") == number("[1/8, 3/8]") == 0.25
    assert readable("1/4") == "1/4 = 0.25"
    assert readable("[1/8, 3/8]") == "0.25"
    assert readable("(1, 2)") == "(1, 2)"
    assert readable("7") == "7"
    with pytest.raises(ValueError, match="neither"):
        number("0.25")


# --- links ------------------------------------------------------------------------------------------------------------


def test_no_text_of_the_audited_code_is_a_live_link() -> None:
    report = correct()
    live = "[here](https://example.org/x) <a href='http://example.org'>x</a> www.example.org"
    row = replace(report.rows[0], verdict=Verdict.FAULT, detail=live, witness={"input": live}, reproduction=(live,))
    linked = replace(report, target=live, rows=(row,))
    (result,) = json.loads(formatted("sarif", [linked]))["runs"][0]["results"]
    for said in (
        result["message"]["text"],
        *json.loads(formatted("sarif", [linked]))["runs"][0]["properties"]["sentences"],
    ):
        assert "](" not in said
        assert "://" not in said
        assert "www." not in said
    page = formatted("html", [linked])
    assert "<a href='http" not in page
    assert all(link.startswith("#") for link in re.findall(r"href=\"([^\"]*)\"", page))
