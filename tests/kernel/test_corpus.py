"""The corpus: the kernel accepts what is right and rejects what is wrong, for the reason that is written there."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import jsonschema
import pytest

from corpus import certificates, migration
from corpus.certificates import ACCEPTED, REJECTED, Line, accepted, lines_of, misjudged, real, rejected
from dp_audit.vectors import CERTIFICATE_SCHEMA
from dp_kernel import Rejected, verify
from dp_kernel.certificate.check import KINDS
from dp_kernel.meter import DEFAULT
from dp_kernel.schema import VERDICTS
from structure.tree import ROOT

ENDLESS, LITTLE = "units of work", DEFAULT // 16
"""What a certificate that needs more than any limit is rejected for, and a limit that is soon exceeded."""


@pytest.mark.slow
def test_right_certificates_are_accepted() -> None:
    for name in accepted():
        certificate = real(name)
        assert name.split()[:2] == [certificate["statement"]["type"], certificate["verdict"]]
    assert list(misjudged(accepted().values())) == []


def wrong_reasons(lines: Iterable[Line]) -> Iterator[str]:
    """What is accepted, or rejected for another reason than is written there."""
    for line in lines:
        reason = line.reason.replace(str(DEFAULT), str(LITTLE))
        try:
            verify(line.certificate(), LITTLE if ENDLESS in line.reason else DEFAULT)
        except Rejected as error:
            if reason not in str(error):
                yield f"{line.id}: {error}, not {reason}"
            if " object at " in str(error):
                yield f"{line.id}: an address, which is another one in every run"
        else:
            yield f"{line.id} is accepted"


SUBJECTS = sorted({line.subject for line in rejected().values()})


@pytest.mark.parametrize(
    "subject", [pytest.param(of, marks=pytest.mark.slow) if of == "laws" else of for of in SUBJECTS]
)
def test_wrong_certificates_are_rejected_for_their_faults(subject: str) -> None:
    about = [line for line in rejected().values() if line.subject == subject]
    assert list(wrong_reasons(about)) == []


def test_every_kind_of_evidence_is_accepted_somewhere() -> None:
    kinds = {(c["statement"]["type"], c["verdict"]) for c in map(real, accepted())}
    assert {(name, verdict) for name in KINDS for verdict in VERDICTS if KINDS[name].shapes(verdict)} <= kinds


def test_every_line_is_as_the_schema_says_and_every_id_is_one() -> None:
    schema = json.loads(CERTIFICATE_SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for path, by_id in ((ACCEPTED, accepted()), (REJECTED, rejected())):
        lines = [json.loads(text) for text in path.read_text(encoding="ascii").splitlines()]
        assert [line["id"] for line in lines] == list(by_id)
        assert all(validator.is_valid(line) and ("wrong" in line) == (path == REJECTED) for line in lines)
    assert not validator.is_valid(lines[0] | {"reason": ""})
    assert not validator.is_valid(lines[0] | {"why": "false"})


def test_every_change_is_one_of_an_accepted_certificate_and_none_is_left_out() -> None:
    assert {line.of for line in rejected().values() if line.of} <= accepted().keys()
    untouched = set(accepted()) - {line.of for line in rejected().values()}
    assert {accepted()[name].certificate()["id"] for name in untouched} <= {
        "test",
        "test.sketches.alike",
        "test.least.contrasts",
        "test.least.constants",
    }
    for line in rejected().values():
        assert line.wrong
        assert not line.of or line.certificate() != real(line.of)


def test_the_page_says_how_many_lines_tell_only_what_was_changed() -> None:
    page = (ROOT / "docs" / "guide" / "vectors.md").read_text(encoding="utf-8")
    changed = [line for line in rejected().values() if line.wrong.startswith("The accepted certificate")]
    assert all(line.of for line in changed)
    assert f"Of {len(changed):,} of the {len(rejected()):,} lines only what was *changed*" in page


def written(path: Path, *lines: Mapping[str, object]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="ascii")
    return path


def test_a_migration_changes_certificates_and_reasons_but_no_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    right = {"id": "right", "subject": "laws", "certificate": real("ratio proved")}
    false = real("ratio proved") | {"verdict": "refuted"}
    wrong = {"id": "wrong", "subject": "laws", "wrong": "It holds.", "reason": "once said", "certificate": false}
    files = written(tmp_path / "accepted.jsonl", right), written(tmp_path / "rejected.jsonl", wrong)
    for name, path in zip(("ACCEPTED", "REJECTED"), files, strict=True):
        monkeypatch.setattr(migration, name, path)
    rule = tmp_path / "rule.py"
    rule.write_text("def migrated(certificate):\n    return certificate | {'id': 'renamed'}\n", encoding="utf-8")
    assert migration.main([str(rule)]) == 0
    assert capsys.readouterr().out.startswith("wrong: once said -> ")
    (first,), (second,) = map(list, map(lines_of, files))
    assert [line.certificate()["id"] for line in (first, second)] == ["renamed", "renamed"]
    assert second.reason in str(migration.judged(second.certificate()))
    before = [path.read_bytes() for path in files]
    rule.write_text("def migrated(certificate):\n    return certificate | {'verdict': 'proved'}\n", encoding="utf-8")
    assert migration.main([str(rule)]) == 1
    assert capsys.readouterr().out == "wrong: accepted\n"
    assert [path.read_bytes() for path in files] == before


def test_a_copy_is_a_fresh_one() -> None:
    certificates.real("ratio proved")["verdict"] = "refuted"
    assert certificates.real("ratio proved")["verdict"] == "proved"
