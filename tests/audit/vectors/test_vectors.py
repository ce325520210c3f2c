"""Conformance vectors: byte-identical, as their schema says, and right to a reader that shares no code with them."""

import json
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import jsonschema
import mpmath
import pytest
from click.testing import CliRunner
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from corpus.certificates import ACCEPTED, REJECTED
from dp_audit.vectors import CERTIFICATE_SCHEMA, SCHEMA, check, mechanism_files, negative
from dp_audit.vectors.bugs import FLAGS, Bug
from dp_audit.vectors.documents import BUGS, CASES
from dp_audit.vectors.numbers import DIGITS, number
from dp_command import main
from dp_spec.vocabulary.exceptions import DomainError, UndecidedError
from independent import vector_reader as plain
from structure.tree import ROOT

COMMITTED = ROOT / "proofs_checks" / "vectors"


@cache
def committed() -> dict[str, dict[str, Any]]:
    return {p.stem: json.loads(p.read_text()) for p in COMMITTED.glob("*.json") if p.name != SCHEMA.name}


def vectors(result: str) -> list[Any]:
    cases = [(name, v) for name, document in committed().items() for v in document["vectors"] if v["result"] == result]
    return [pytest.param(name, v, id=v["id"]) for name, v in cases]


@pytest.mark.slow
def test_the_committed_vectors_are_generated_byte_by_byte() -> None:
    assert check(COMMITTED, mechanism_files()) == []


def test_every_document_is_as_its_schema_says() -> None:
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for document in committed().values():
        validator.validate(document)
    broken = json.loads(json.dumps(committed()["GRR"]))
    broken["vectors"][0]["law"][0]["outputs"][0]["probability"] = 0.5
    assert not validator.is_valid(broken)


def test_identifiers_are_unique_and_every_mechanism_and_bug_has_its_vectors() -> None:
    identifiers = [v["id"] for document in committed().values() for v in document["vectors"]]
    assert len(identifiers) == len(set(identifiers))
    assert set(committed()) == set(CASES)
    assert {f"{bug.mechanism}-{bug.name}" for bug in BUGS} <= set(identifiers)
    assert {flag for bug in BUGS for flag in bug.flags} == set(FLAGS)


@pytest.mark.parametrize(("name", "vector"), vectors("valid"))
def test_laws_are_laws_and_keep_the_bound(name: str, vector: dict[str, Any]) -> None:
    table, bound = plain.law(vector), plain.number(vector["bound"])
    rounding = Fraction(len(next(iter(table.values()))), 10 ** (DIGITS - 1))
    for row in table.values():
        assert all(p > 0 for p in row.values())
        assert abs(sum(row.values(), Fraction(-1))) <= rounding
    ratio = plain.largest_ratio(table)
    assert ratio is not None
    assert ratio <= bound * (1 + Fraction(10) ** (2 - DIGITS))


@pytest.mark.parametrize(("name", "vector"), vectors("valid"))
def test_moments_are_those_of_law_and_estimates(name: str, vector: dict[str, Any]) -> None:
    """Only where every single report has an estimate in the vector, and estimates of lists are means."""
    if "moments" not in vector:
        pytest.skip("no estimator is specified")
    table = plain.law(vector)
    single = {
        plain.key(e["reports"])[0]: [plain.number(v) for v in e["estimates"]]
        for e in vector["estimates"]
        if len(e["reports"]) == 1
    }
    assert set(single) == {y for row in table.values() for y in row}
    tolerance = Fraction(1, 10**40)
    for moment in vector["moments"]:
        expected = plain.moments(table, single, plain.key(moment["data"]))
        for values, stated in zip(expected, (moment["expectation"], moment["variance"]), strict=True):
            assert all(abs(a - plain.number(b)) < tolerance for a, b in zip(values, stated, strict=True))


@pytest.mark.parametrize("name", ["GRR", "SUE", "OUE"])
def test_rational_laws_are_those_of_a_plain_implementation(name: str) -> None:
    checked = 0
    for vector in (v for v in committed()[name]["vectors"] if v["result"] == "valid"):
        d, e = vector["parameters"]["d"], vector["parameters"]["epsilon"]["exponential"]
        table, words = plain.law(vector), list(product((0, 1), repeat=d))
        t = plain.number(e)
        r = _root(t)
        p, q = (r / (r + 1), 1 / (r + 1)) if name == "SUE" else (Fraction(1, 2), 1 / (t + 1))
        expected = plain.grr(d, t) if name == "GRR" else plain.unary(d, p, q, words)
        tolerance = Fraction(1, 10**45)
        assert table.keys() == expected.keys()
        for x, row in expected.items():
            assert row.keys() == table[x].keys()
            assert all(abs(p - table[x][y]) < tolerance for y, p in row.items())
        checked += 1
    assert checked == len(CASES[name])


def _root(t: Fraction) -> Fraction:
    with mpmath.workdps(60):
        return Fraction(str(mpmath.sqrt(mpmath.mpf(t.numerator) / t.denominator)))


@pytest.mark.parametrize(("name", "vector"), vectors("invalid"))
def test_a_negative_vector_is_wrong_in_the_way_it_says(name: str, vector: dict[str, Any]) -> None:
    t = plain.number(vector["parameters"]["epsilon"]["exponential"])
    if "law" in vector:
        table = plain.law(vector)
        assert all(sum(row.values()) == 1 for row in table.values())  # wrong, but a law
        ratio = plain.largest_ratio(table)
        assert ("privacy" in vector["fails"]) == (ratio is None or ratio > t)
    else:
        assert vector["fails"] == ["estimator"]


def test_what_is_no_bug_is_refused() -> None:
    correct = Bug("none", "GRR", "correct", ("budget",), lambda x, d, e, c: c.choose([fmpq(1, 7)] * 7) and 0)
    wrong = negative.case(correct)
    assert wrong["fails"]
    fine = Bug(
        "none",
        "GRR",
        "correct",
        ("budget",),
        lambda x, d, e, coins: coins.choose([(e if y == x else fmpq(1)) / (e + d - 1) for y in range(d)]),
    )
    with pytest.raises(DomainError, match="fails a check"):
        negative.case(fine)


@given(st.fractions(max_denominator=10**30))
def test_decimals_of_rationals_are_the_rounded_ones(value: Fraction) -> None:
    encoding = number(lambda: fmpq(value.numerator, value.denominator))
    assert Fraction(encoding["rational"]) == value
    digits = encoding["decimal"].lstrip("-0.").replace(".", "").lstrip("0")
    assert len(digits) <= max(DIGITS, len(str(abs(value.numerator))))
    assert abs(Fraction(encoding["decimal"]) - value) <= abs(value) / (2 * 10 ** (DIGITS - 1))


@given(st.integers(1, 200), st.integers(-40, 40))
def test_decimals_of_irrationals_are_those_of_another_library(k: int, power: int) -> None:
    encoding = number(lambda: arb(k).exp() * arb(10) ** power)
    assert "rational" not in encoding
    with mpmath.workdps(80):
        exact = mpmath.exp(k) * mpmath.mpf(10) ** power
        error = abs(mpmath.mpf(encoding["decimal"]) - exact) / exact
    assert error < mpmath.mpf(10) ** (1 - DIGITS)


def test_numbers_at_the_edges() -> None:
    assert number(lambda: fmpq(0)) == {"rational": "0/1", "decimal": "0"}
    assert number(lambda: 1 - fmpq(1, 10**60))["decimal"] == "1"
    assert number(lambda: -fmpq(1, 8))["decimal"] == "-0.125"
    assert number(lambda: fmpq(10) ** 55)["decimal"] == "1" + "0" * 55
    with pytest.raises(UndecidedError):
        number(lambda: arb(0, 1))
    with ctx.workprec(20):
        assert number(lambda: arb(2).sqrt())["decimal"] == "1.4142135623730950488016887242096980785696718753769"


@pytest.mark.slow
def test_command_writes_and_checks(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "vectors"
    said = CliRunner().invoke(main, ["vectors", str(folder)])
    assert said.exit_code == 0
    assert "GRR.json" in said.output
    assert CliRunner().invoke(main, ["vectors", "--check", str(folder)]).exit_code == 0
    (folder / "GRR.json").write_text((folder / "GRR.json").read_text().replace("0.5", "0.6", 1))
    (folder / "stray.json").write_text("{}")
    (folder / "OUE.json").unlink()
    said = CliRunner().invoke(main, ["vectors", "--check", str(folder)])
    assert said.exit_code == 1
    assert all(f"DIFFERS {name}" in said.output for name in ("GRR.json", "OUE.json", "stray.json"))
    (tmp_path / "file").write_text("")
    assert CliRunner().invoke(main, ["vectors", str(tmp_path / "file")]).exit_code == 2


def test_command_writes_the_corpus_of_certificates_as_it_is_committed(tmp_path: Path) -> None:
    said = CliRunner().invoke(main, ["vectors", "--certificates", str(tmp_path)])
    assert said.exit_code == 0
    committed = {path.name: path.read_bytes() for path in (ACCEPTED, REJECTED, CERTIFICATE_SCHEMA)}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == committed
    assert CliRunner().invoke(main, ["vectors", "--certificates", "--check", str(tmp_path)]).exit_code == 0
    (tmp_path / "accepted.jsonl").write_bytes(REJECTED.read_bytes())
    said = CliRunner().invoke(main, ["vectors", "--certificates", "--check", str(tmp_path)])
    assert (said.exit_code, said.output) == (1, "DIFFERS accepted.jsonl\n1 files differ\n")
