"""What binds a certificate: canonical digests, one tie for every law, the ledger's statement under the id."""

import copy
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.certificates import Json, real, small
from dp_checks.ledger import Entry, Ledger
from dp_checks.statements import disagreement
from dp_kernel import Rejected, verify
from dp_kernel.__main__ import main
from dp_kernel.certificate.digest import digest, exhausted, laws, require_pinned, scope

documents = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def test_the_digest_is_sha256_of_the_canonical_text() -> None:
    value = {"b": ["add", "x", 1], "a": {"é": None}}
    expected = hashlib.sha256(b'{"a":{"\\u00e9":null},"b":["add","x",1]}').hexdigest()
    assert digest(value) == expected == digest(dict(reversed(value.items())))


@given(documents, documents)
def test_digests_agree_exactly_where_values_do(one: Any, other: Any) -> None:
    assert (digest(one) == digest(other)) == (json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True))
    assert digest(one) == digest(json.loads(json.dumps(one)))


def test_laws_are_found_wherever_they_stand() -> None:
    assert [law["mechanism"] for law in laws(real("formula proved for errors")["statement"])] == ["surap", "urap-split"]
    assert list(laws(real("formula proved")["statement"])) == []


@pytest.mark.parametrize("name", ["mechanism", "hit"])
def test_no_name_hides_a_law(name: str) -> None:
    inner = real("sentence verified for a count")["statement"]
    assert inner["law"] in list(laws({"type": "completions", "completions": {name: inner, "other": 1}}))


def changed(**fields: Any) -> Json:
    content = copy.deepcopy(real("formula proved for errors"))
    content["ties"][0].update(fields)
    return content


SIZES = {"m": 1, "K": 1, "N": 1}


def test_every_kind_of_instance_is_accepted() -> None:
    """(Ties that are not those of the laws are in the corpus.)"""
    for at in ([SIZES, {**SIZES, "m": 2}], [{**SIZES, "base": "3/2", "hash": ["0", "1/3"]}], [{**SIZES, "k": 1}]):
        verify(changed(at=at))


def ledger_of(certificate: Json, **fields: Any) -> Json:
    entry = {"digest": digest(certificate["statement"]), "verdict": certificate["verdict"], **fields}
    if domain := scope(certificate):
        entry = {"scope": domain, **entry}
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


def fewer(certificate: Json) -> Json:
    """The same, verified at the first of its points or families."""
    content = copy.deepcopy(certificate)
    for listed in content["evidence"].values():
        del listed[1:]
    return content


def a_part_at_fewer_points(certificate: Json) -> Json:
    content = copy.deepcopy(certificate)
    verified = [evidence for verdict, evidence in content["evidence"]["parts"] if verdict == "verified"]
    del verified[0]["instances"][1:]
    return content


def another_family(certificate: Json) -> Json:
    """Channels whose probabilities are multiples of 1/2."""
    content = copy.deepcopy(certificate)
    content["evidence"]["families"] = [content["evidence"]["families"][-1] | {"parts": 2}]
    return content


def another_table(certificate: Json) -> Json:
    content = copy.deepcopy(certificate)
    content["ties"][0]["table"] = "1" * 64
    return content


def other_sizes(certificate: Json) -> Json:
    content = copy.deepcopy(certificate)
    content["ties"][-1]["at"] = [{"m": 2, "K": 2, "N": 0}]
    return content


def of_several(certificate: Json) -> Json:
    """The statement beside a proved one."""
    proved, statement, evidence = real("formula proved"), certificate["statement"], certificate["evidence"]
    parts = [["proved", proved["evidence"]], ["verified", evidence]]
    whole = {"statement": {"type": "all", "parts": [proved["statement"], statement]}, "evidence": {"parts": parts}}
    return {**certificate, **whole}


def of_points() -> Json:
    """A divergence of at most 1, verified at two points of a domain."""
    content = copy.deepcopy(real("divergence proved by enumeration"))
    [instance], statement = content["evidence"]["instances"], content["statement"]
    place = {"min": 1, "strict": True, "integer": False, "unit": False}
    statement |= {"relation": "le", "delta": 1, "domain": {"variables": {"t": place}, "constraints": []}}
    del statement["at"]["t"]
    content["evidence"]["instances"] = [{**instance, "values": {"t": t}} for t in ("2", "3/2")]
    return {**content, "verdict": "verified"}


def certificate_of(name: str) -> Json:
    if name == "divergence verified":
        return of_points()
    return of_several(small("sentence verified for a count")) if name == "all verified" else small(name)


REDUCED = [
    ("divergence verified", fewer),
    ("sentence verified for a count", fewer),
    ("sentence verified for reports", fewer),
    ("sentence verified for impossible reports", fewer),
    ("definition verified", fewer),
    ("definition verified", another_family),
    ("implies verified for readings", fewer),
    ("sentence verified of frequencies", fewer),
    ("all verified", a_part_at_fewer_points),
    ("ratio proved", another_table),
    ("ratio proved", other_sizes),
    ("ratio refuted", another_table),
    ("mse refuted", other_sizes),
    ("formula proved for errors", another_table),
]
"""Changes after which the certificate is still one of the statement and of its verdict, but shows less."""


@pytest.mark.parametrize(("name", "change"), REDUCED, ids=lambda x: getattr(x, "__name__", x))
def test_a_certificate_is_bound_to_the_ledgers_scope_and_ties(name: str, change: Callable[[Json], Json]) -> None:
    whole = certificate_of(name)
    less = change(whole)
    verify(less)
    entries = Ledger({i: Entry(i, x["verdict"], x) for i, x in ledger_of(whole)["claims"].items()})
    assert disagreement(whole, entries) == []
    assert "pins another scope, or other ties" in disagreement(less, entries)[0]
    require_pinned(whole, ledger_of(whole))
    for ledger in (ledger_of(whole), ledger_of(whole, scope=None)):
        with pytest.raises(Rejected, match="the ledger pins the scope"):
            require_pinned(less, ledger)


@pytest.mark.parametrize("name", [name for name, _ in REDUCED if "verified" in name])
def test_nothing_is_exhausted_twice(name: str) -> None:
    content = copy.deepcopy(certificate_of(name))
    evidence = content["evidence"]
    if "parts" in evidence:
        evidence = next(part[1] for part in evidence["parts"] if part[0] == "verified")
    [(_, listed)] = evidence.items()
    listed.append(copy.deepcopy(listed[0]))
    with pytest.raises(Rejected, match="the same is listed twice"):
        verify(content)


def test_hints_are_no_scope() -> None:
    """How a point was decided, the order of points, and how their numbers are written may change."""
    points = [{"values": {"x": "1/2"}, "by": "blanket", "width": 9}, {"values": {"x": 3}, "by": "all data sets"}]
    others = [{"values": {"x": "6/2"}, "by": "ones"}, {"values": {"x": "2/4"}, "by": "ones", "width": 1}]
    assert exhausted("verified", {"instances": points}) == exhausted("verified", {"instances": others})
    assert exhausted("verified", {"instances": points}) != exhausted("verified", {"instances": points[:1]})
    assert exhausted("proved", {"instances": points}) is None


def test_the_command_compares_with_a_ledger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proved = real("formula proved")
    side = ["add", *proved["statement"]["domain"]["variables"]]
    statement = {**proved["statement"], "relations": [["eq", side, side]]}
    trivial = {**proved, "statement": statement, "evidence": {**proved["evidence"], "steps": [{}]}}
    for name, content in (("good", proved), ("trivial", trivial), ("ledger", ledger_of(proved)), ("null", None)):
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    good, trivial_, ledger, null = (str(tmp_path / name) for name in ("good", "trivial", "ledger", "null"))
    assert main([good, trivial_]) == 0  # each is valid by itself
    assert main(["--ledger", ledger, good]) == 0
    capsys.readouterr()
    assert main(["--ledger", ledger, good, trivial_]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("accepted")
    assert "REJECTED" in lines[1]
    assert digest(proved["statement"]) in lines[1]
    assert digest(trivial["statement"]) in lines[1]
    assert main(["--ledger", null, good]) == 1
    assert main(["--ledger", str(tmp_path / "missing"), good]) == 2
    for incomplete in (["--ledger", ledger], ["--ledger"]):
        with pytest.raises(SystemExit) as usage:
            main(incomplete)
        assert usage.value.code == 2
