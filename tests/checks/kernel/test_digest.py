"""What binds a certificate: canonical digests, one tie for every law, the ledger's statement under the id."""

import copy
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dp_checks.kernel import Rejected, verify
from dp_checks.kernel.__main__ import main
from dp_checks.kernel.digest import digest, laws, require_pinned
from tampered.certificates import Json, real

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def test_the_digest_is_sha256_of_the_canonical_text() -> None:
    value = {"b": ["add", "x", 1], "a": {"é": None}}
    expected = hashlib.sha256(b'{"a":{"\\u00e9":null},"b":["add","x",1]}').hexdigest()
    assert digest(value) == expected == digest(dict(reversed(value.items())))


@given(plain, plain)
def test_digests_agree_exactly_where_values_do(one: Any, other: Any) -> None:
    assert (digest(one) == digest(other)) == (json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True))
    assert digest(one) == digest(json.loads(json.dumps(one)))


def test_laws_are_found_wherever_they_stand() -> None:
    assert [law["mechanism"] for law in laws(real("formula proved for errors")["statement"])] == ["surap", "urap-split"]
    assert list(laws(real("formula proved")["statement"])) == []


@pytest.mark.parametrize("name", ["mechanism", "hit"])
def test_no_name_hides_a_law(name: str) -> None:
    inner = real("computable verified")["statement"]
    assert inner["law"] in list(laws({"type": "completions", "completions": {name: inner, "other": 1}}))


def changed(**fields: Any) -> Json:
    content = copy.deepcopy(real("formula proved for errors"))
    content["ties"][0].update(fields)
    return content


SIZES = {"m": 1, "K": 1, "N": 1}


@pytest.mark.parametrize(
    "certificate",
    [
        changed(law="0" * 64),
        changed(law=1),
        changed(law=real("formula proved for errors")["ties"][1]["law"]),
        changed(table="0" * 63),
        changed(table="0" * 64 + "\n"),
        changed(table="A" * 64),
        changed(table=7),
        changed(at=[]),
        changed(at={}),
        changed(at=[SIZES, []]),
        changed(at=[{"m": 1, "K": 1}]),
        changed(at=[{**SIZES, "hash": ["0"]}]),
        changed(at=[{**SIZES, "N": 0.5}]),
        changed(at=[{**SIZES, "N": True}]),
        changed(at=[{**SIZES, "base": "2", "hash": ["0", [1]]}]),
        changed(note="0"),
        {**real("formula proved for errors"), "ties": []},
        {**real("formula proved for errors"), "ties": real("formula proved for two errors")["ties"][:1]},
        {**real("formula proved for errors"), "ties": real("formula proved for two errors")["ties"] * 2},
        {**real("formula proved for errors"), "ties": {}},
        {**real("formula proved for errors"), "ties": None},
        {**real("formula proved"), "ties": real("formula proved for errors")["ties"]},
        {name: content for name, content in real("formula proved for errors").items() if name != "ties"},
    ],
)
def test_ties_that_are_not_those_of_the_laws_are_rejected(certificate: Json) -> None:
    with pytest.raises(Rejected):
        verify(certificate)


def test_every_kind_of_instance_is_accepted() -> None:
    for at in ([SIZES, SIZES], [{**SIZES, "base": "3/2", "hash": ["0", "1/3"]}], [{**SIZES, "k": 1}]):
        verify(changed(at=at))


def ledger_of(certificate: Json, **fields: Any) -> Json:
    entry = {"digest": digest(certificate["statement"]), "verdict": certificate["verdict"], **fields}
    return {"claims": {certificate["id"]: entry}}


def test_a_certificate_is_bound_to_the_ledgers_statement_and_verdict() -> None:
    proved = real("formula proved")
    require_pinned(proved, ledger_of(proved))
    unpinned = {"claims": {proved["id"]: {"verdict": "proved"}}}
    for ledger, reason in (
        (ledger_of(proved, digest="0" * 64), "0" * 64 + ", this one is " + digest(proved["statement"])),
        (ledger_of(proved, verdict="verified"), "the ledger's verdict is verified"),
        ({"claims": {}}, "no statement under this id"),
        (unpinned, "no statement under this id"),
        ({"claims": {proved["id"]: 1}}, "no statement under this id"),
        ({}, "no ledger"),
        (None, "no ledger"),
        ([], "no ledger"),
    ):
        with pytest.raises(Rejected, match=reason):
            require_pinned(proved, ledger)


def test_the_command_compares_with_a_ledger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proved = real("formula proved")
    trivial = {**proved, "statement": {**proved["statement"], "relations": [["eq", 1, 1]]}, "evidence": {"steps": [{}]}}
    for name, content in (("good", proved), ("trivial", trivial), ("ledger", ledger_of(proved)), ("null", None)):
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    good, trivial_, ledger, null = (str(tmp_path / name) for name in ("good", "trivial", "ledger", "null"))
    assert main([good, trivial_]) == 0  # each is valid by itself
    assert main(["--ledger", ledger, good]) == 0
    capsys.readouterr()
    assert main(["--ledger", ledger, good, trivial_]) == 1
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("accepted")
    assert "REJECTED" in shown[1]
    assert digest(proved["statement"]) in shown[1]
    assert digest(trivial["statement"]) in shown[1]
    assert main(["--ledger", null, good]) == 1
    assert main(["--ledger", str(tmp_path / "missing"), good]) == 2
    for incomplete in (["--ledger", ledger], ["--ledger"]):
        with pytest.raises(SystemExit) as usage:
            main(incomplete)
        assert usage.value.code == 2
