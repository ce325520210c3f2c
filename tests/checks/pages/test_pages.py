"""The generated specification: complete, deterministic, and printed from the objects that are checked."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from dp_checks.certify import all_claims
from dp_checks.ledger import FAILED, Entry, Ledger, LedgerError, errata, load_ledger
from dp_checks.pages import errata as errata_pages
from dp_checks.pages import figures, gallery, messages, sketches
from dp_checks.pages.claims import OPEN
from dp_checks.pages.evidence import EVIDENCE
from dp_checks.pages.notation import READABLE, display, displayed, folded, latex, named
from dp_checks.pages.site import joined, pages, write
from dp_checks.pages.statements import estimate, formal
from dp_checks.pages.topics import TOPICS, rows_of
from dp_checks.pages.witness import one_line, witness
from dp_spec.vocabulary.claim import Claim, Formal
from dp_spec.vocabulary.source import papers, sources
from dp_spec.vocabulary.statement import Mse, Smallest, Statement, Unbiased
from dp_spec.vocabulary.term import var
from structure.tree import ROOT

CLAIMS, LEDGER = all_claims(), load_ledger()
NUMBERS = {"exact", "stated", "probability", "other_probability"}
ANCHOR = re.compile(r"^:{3,5}\{claim\} (\S+) (\w+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def generated() -> dict[str, str]:
    return pages(CLAIMS, LEDGER, ROOT)


@pytest.fixture(scope="module")
def drawn() -> Mapping[str, bytes]:
    return figures.figures(CLAIMS, LEDGER)


@pytest.fixture(scope="module")
def listed_errata() -> str:
    pages = errata_pages.pages(CLAIMS, LEDGER)
    return "\n".join(joined(lines) for path, lines in pages.items() if path.startswith("errata/"))


def formals() -> Iterator[tuple[str, Formal]]:
    for claim in CLAIMS:
        yield from claim.formals()


@pytest.mark.slow
def test_every_id_of_the_ledger_is_one_anchor_with_its_verdict(generated: dict[str, str]) -> None:
    anchors = [anchor for text in generated.values() for anchor in ANCHOR.findall(text)]
    assert sorted(anchors) == sorted((i, entry.verdict) for i, entry in LEDGER.items())


def test_every_row_is_on_one_page() -> None:
    assert sorted(c.id for topic in TOPICS for c in rows_of(topic, CLAIMS)) == sorted(c.id for c in CLAIMS)


@pytest.mark.slow
def test_every_link_to_a_claim_has_its_target(generated: dict[str, str]) -> None:
    links = re.compile(r"\{claim\}`(?:[^`<]*<)?([^`<>]+)>?`")
    assert {i for text in generated.values() for i in links.findall(text)} <= set(LEDGER)


@pytest.mark.slow
def test_every_source_is_recorded_and_cited_where_it_is_judged(generated: dict[str, str]) -> None:
    for name, source in sources().items():
        link = f"[{source.short}](#source-{name})"
        assert generated["sources.md"].count(f"(source-{name})=\n") == 1
        own = [paper for paper in papers().values() if paper.id.startswith(f"{name}.")]
        assert all(record.bibtex in generated["sources.md"] for record in own or [source])
        written = [source.title, source.original_title, source.journal, source.original_journal, source.language]
        written += [str(source.year), *(str(part) for a in source.authors for part in (a, a.original))]
        written += [str(day) for day in (source.received, source.revised)]
        assert all(part in generated["sources.md"] for part in written if part not in (None, "None"))
        for path, text in generated.items():
            if path.startswith(("specification/", "errata/")):
                judged = path == "specification/index.md" or re.search(rf"\b{name}\.[a-z]", text)
                assert (link in text) == bool(judged), path
                assert f"source {name}, " not in text, path


@pytest.mark.slow
def test_corrections_are_linked_both_ways(generated: dict[str, str]) -> None:
    whole = "\n".join(generated.values())
    for i, entry in LEDGER.items():
        for correction in entry.data.get("corrected_by", ()):
            assert f"Corrects {{claim}}`{i}`" in whole
            assert re.search(rf"Corrected by .*\{{claim\}}`{re.escape(correction)}`", whole)


def front_matter(page: str) -> dict[str, str]:
    """The meta elements of a page."""
    return dict(re.findall(r'^    (\w+): "(.*)"$', page.split("---\n")[1], re.MULTILINE))


@pytest.mark.slow
def test_the_gallery_is_refuted_and_numbered(generated: dict[str, str]) -> None:
    assert 5 <= len(gallery.EXHIBITS) <= 13
    for exhibit in gallery.EXHIBITS:
        about = generated["gallery.md"].split(f"## {exhibit.title}\n")[1].split("\n## ")[0]
        assert f"{{claim}}`{exhibit.claim}`" in about
        assert one_line(dict(formals())[exhibit.claim], LEDGER[exhibit.claim].evidence["witness"]) in about
        assert all(f"{{claim}}`{j}` [✓" in about for j in LEDGER[exhibit.claim].instead)
        assert not re.search(r"proved|verified|refuted|false|wrong", exhibit.title + exhibit.sentence)


def test_an_exhibit_that_is_not_refuted_is_not_shown() -> None:
    name = gallery.EXHIBITS[0].claim
    other = Ledger({**LEDGER, name: Entry(name, "proved", LEDGER[name].data)})
    with pytest.raises(LedgerError, match=re.escape(name)):
        gallery.page(CLAIMS, other)


@pytest.mark.slow
def test_many_readings_are_folded(generated: dict[str, str]) -> None:
    text = "".join(text for path, text in generated.items() if path.startswith("specification/"))
    for claim in CLAIMS:
        if claim.readings:
            block = text.split(f":::::{{claim}} {claim.id} ")[1].split("\n:::::\n")[0]
            assert (f"::::{{folded}} {len(claim.readings)} readings: " in block) == (len(claim.readings) > OPEN)
            assert all(f":::{{claim}} {name} {LEDGER[name].verdict}" in block for name, _ in claim.formals())


@pytest.mark.slow
def test_what_fails_says_what_is_true(generated: dict[str, str], listed_errata: str) -> None:
    """On its own page each pointer is a link; in the errata every target stands with its verdict and its words."""
    specification = "\n".join(text for path, text in generated.items() if path.startswith("specification/"))
    wrong = {i: ledger for i, ledger in LEDGER.items() if ledger.verdict in FAILED}
    for i, entry in wrong.items():
        block = specification.split(f"{{claim}} {i} {entry.verdict}\n")[1].split("{claim} ")[0]
        if "see" in entry.data:
            assert "What is true instead: " + ", ".join(f"{{claim}}`{j}`" for j in entry.instead) in block, i
    for i in errata(LEDGER):
        if "readings" not in LEDGER[i].data:
            for j in LEDGER[i].instead:
                assert re.search(rf"^- \{{claim\}}`{re.escape(j)}` \[✓ \w+\]\S+ \S", listed_errata, re.MULTILINE)


def test_every_erratum_has_its_place_its_reason_and_what_holds(listed_errata: str) -> None:
    for block in re.split(r"(?m)^\*\*(?=\{claim\})", listed_errata)[1:]:
        head, *reasons = block.split("*Why it fails:*")
        assert re.search(r"\(#source-[\w-]+\)(, .+)?\. \*Printed:\*\n\n> \S", head)
        assert reasons
        for reason in reasons:
            why, instead = reason.split("*Holds instead:*")
            assert re.search(r"^- .*(\d|proof|point|report)", why, re.MULTILINE), block
            assert re.search(r"^- \{claim\}`\S+` \[✓", instead, re.MULTILINE), block


@pytest.mark.slow
def test_checked_formulas_are_printed(generated: dict[str, str]) -> None:
    whole = "\n".join(generated.values())
    for i, statement in formals():
        on_sketches = isinstance(statement, Unbiased) and statement.law.unit == "sketches"
        if isinstance(statement, Unbiased) and statement.law.unit == "messages":
            assert messages.estimate(statement) in whole, i
            assert not isinstance(statement, Mse) or latex(statement.formula) in whole, i  # type: ignore[arg-type]
            continue
        if isinstance(statement, Mse) and statement.formula is not None:
            law = statement.law
            formula = sketches.formula(statement.formula) if on_sketches else latex(folded(statement.formula, law))
            assert formula in whole, i
        if isinstance(statement, Unbiased):
            formula = sketches.estimate(statement) if on_sketches else estimate(statement.estimator, statement.law)
            assert formula in whole, i
        if isinstance(statement, Smallest):
            assert latex(statement.constant) in whole, i


def test_of_formulas_that_nobody_can_read_the_length_and_the_place_are_said() -> None:
    long = "a" * READABLE
    assert displayed(["b", "c"]) == display(r"\begin{gathered} b \\ c \end{gathered}")
    where = "characters of TeX, which `proofs_checks/statements.json` has under the id of the statement."
    assert displayed([long, "b", "cc"]) == [*display(long), f"2 more formulas of 3 {where}", ""]
    assert display(long + "a") == [f"A formula of {READABLE + 1:,} {where}", ""]


@pytest.mark.parametrize(
    ("name", "shown"), [("i_0", "i_{0}"), ("y_", "y"), ("eta1", r"\eta_{1}"), ("held", r"\mathrm{held}"), ("x", "x")]
)
def test_digits_at_the_end_of_a_name_are_an_index(name: str, shown: str) -> None:
    assert named(name) == shown


MUTATED = {
    "002.thm3.eq17.sens@fixed-data": 41,
    "002.thm6.eq22.non@iid.corrected": 43,
    "002.thm4.surap.tight@joint": 47,
}
"""Statements, and a factor that no page has: so many n are added to their formula."""


@pytest.mark.slow
def test_another_formula_changes_the_pages_that_show_it_and_no_other(generated: dict[str, str]) -> None:
    def mutated(statement: Formal, factor: int) -> Formal:
        if isinstance(statement, Mse):
            assert statement.formula is not None
            return replace(statement, formula=statement.formula + factor * var("n"))
        assert isinstance(statement, Smallest)
        return replace(statement, constant=statement.constant + factor * var("n"))

    claims = {claim.id: claim for claim in CLAIMS}
    for claim in CLAIMS:
        for name, statement in claim.formals():
            if name in MUTATED:
                claims[claim.id] = _with(claims[claim.id], name, mutated(statement, MUTATED[name]))
    after = pages(tuple(claims.values()), LEDGER, ROOT)
    assert after.keys() == generated.keys()
    changed = {path for path in generated if after[path] != generated[path]}
    showing = [{path for path, text in after.items() if rf"{factor} \, n" in text} for factor in MUTATED.values()]
    assert all(showing)
    assert changed == set.union(*showing)  # all others are the same a second time
    assert not any(rf"{factor} \, n" in text for factor in MUTATED.values() for text in generated.values())


def _with(claim: Claim, name: str, statement: Formal) -> Claim:
    if claim.formal is not None:
        return replace(claim, formal=statement)
    return replace(claim, readings={**claim.readings, name.split("@")[1]: statement})


@pytest.mark.slow
def test_every_refuted_statement_shows_its_counterexample() -> None:
    for i, statement in formals():
        if LEDGER[i].verdict in ("refuted", "ill_posed"):
            data = LEDGER[i].evidence["witness"]
            lines, line = witness(statement, data), one_line(statement, data)
            assert lines, i
            assert not any(line.startswith("Witness: `") for line in lines), f"{i} is shown as raw data"
            assert line != "see the claim", i
            assert "\n" not in line
            for name in NUMBERS & data.keys():
                top, _, bottom = str(data[name]).partition("/")
                exactly = rf"{'-' * top.startswith('-')}\tfrac{{{top.removeprefix('-')}}}{{{bottom}}}"
                assert (exactly if bottom else f"{top}$") in line, i


def test_every_statement_is_printed_in_words() -> None:
    for i, statement in formals():
        assert not (isinstance(statement, Statement) and f"type `{statement.type}`" in "".join(formal(statement))), i


def test_an_exact_ratio_is_shown_with_both_probabilities() -> None:
    name = "002.thm1.sugrr.eq11@multiset-marginal-nonempty"
    text = "\n".join(witness(dict(formals())[name], LEDGER[name].evidence["witness"]))
    witnessed = LEDGER[name].evidence["witness"]
    for key in ("probability", "other_probability"):
        top, _, bottom = witnessed[key].partition("/")
        assert rf"\tfrac{{{top}}}{{{bottom}}}" in text
    assert "e^\\epsilon" in text


@pytest.mark.slow
def test_every_kind_of_evidence_is_explained(generated: dict[str, str]) -> None:
    kinds = {part.strip() for e in LEDGER.values() for part in str(e.evidence["kind"]).split(",")}
    assert kinds <= set(EVIDENCE)


def test_errata_are_what_is_wrong_and_asserted(listed_errata: str) -> None:
    expected = {
        i
        for i, e in LEDGER.items()
        if e.verdict in ("refuted", "ill_posed") and e.data["asserted_by"] in ("source", "literature")
    }
    assert set(errata(LEDGER)) == expected
    blocks = re.split(r"(?m)^\*\*(?=\{claim\})", listed_errata)[1:]
    listed = set()
    for text in blocks:
        row = re.match(r"\{claim\}`([^`]+)`", text)
        assert row
        ids = set(re.findall(r"^- \{claim\}`[^`<]+<([^`>]+)>`: ", text, re.MULTILINE))
        listed |= ids | ({row.group(1)} if LEDGER[row.group(1)].verdict in ("refuted", "ill_posed") else set())
    assert listed == expected


@pytest.mark.parametrize("asserted_by", ["question", "supplement"])
def test_questions_and_supplements_are_no_errata(asserted_by: str) -> None:
    name = "002.thm4.proof.bound"
    assert name in errata(LEDGER)
    entry = LEDGER[name]
    other = Ledger({**LEDGER, name: Entry(name, entry.verdict, {**entry.data, "asserted_by": asserted_by})})
    assert set(errata(LEDGER)) - set(errata(other)) == {name}
    assert f"{{claim}}`{name}`" not in "\n".join(errata_pages.pages(CLAIMS, other)["errata/002.md"])


@pytest.mark.slow
def test_errata_of_a_mechanism_can_be_chosen(generated: dict[str, str]) -> None:
    page = generated["errata/002.md"]
    [offered] = re.findall(r"^:::\{choice\} (.+)$", page, re.MULTILINE)
    about = re.findall(r"^:::::\{about\} ?(.*)\n\n\*\*\{claim\}`([^`]+)`", page, re.MULTILINE)
    assert (
        {"SuGRR", "SuRAPSample", "SuWheel"}
        < set(offered.split())
        == {word for words, _ in about for word in words.split()}
    )
    assert ("SuWheel", "002.thm7.eq11") in about


def test_a_ledger_of_other_claims_is_refused() -> None:
    fewer = Ledger({i: e for i, e in LEDGER.items() if i != "002.eq12"})
    with pytest.raises(LedgerError, match=r"002\.eq12"):
        pages(CLAIMS, fewer, ROOT)


@pytest.mark.slow
def test_every_table_has_the_same_number_of_cells_in_every_row(generated: dict[str, str]) -> None:
    for path, text in generated.items():
        widths: list[int] = []
        for line in [*text.splitlines(), ""]:
            if line.startswith("| "):
                widths.append(len(re.findall(r"(?<!\\)\|", line)))
            else:
                assert len(set(widths)) <= 1, path
                widths = []


@pytest.mark.slow
def test_pages_need_no_network(generated: dict[str, str]) -> None:
    assert [path for path, text in generated.items() if "://" in text] == []
    written = [p for p in (ROOT / "docs").rglob("*.md") if not {"_build", "_generated"} & set(p.parts)]
    assert [p.name for p in written if "://" in p.read_text(encoding="utf-8")] == []


@pytest.mark.campaign
def test_figures_are_the_same_bytes_every_time(drawn: Mapping[str, bytes]) -> None:
    assert figures.figures(CLAIMS, LEDGER) == drawn
    assert all(data.startswith(b"<?xml") for data in drawn.values())


def test_writing_twice_touches_nothing_and_leaves_nothing_behind(tmp_path: Path) -> None:
    write({"a.md": "one\n", "b/c.md": "two\n"}, tmp_path)
    before = {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*.md")}
    write({"a.md": "one\n", "b/c.md": "two\n"}, tmp_path)
    assert {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*.md")} == before
    write({"a.md": "other\n"}, tmp_path)
    assert {p.name: p.read_text() for p in tmp_path.rglob("*.md")} == {"a.md": "other\n"}
