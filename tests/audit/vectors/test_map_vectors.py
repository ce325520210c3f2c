"""Vectors of declared maps: what stands there follows from members and outputs, computed again in plain fractions."""

import json
import math
from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from dp_audit.vectors.maps import CASES, MAP_SCHEMA, map_files
from dp_command import main

COMMITTED = Path(__file__).parents[3] / "proofs_checks" / "map_vectors"
VECTORS: list[dict[str, Any]] = json.loads(map_files()["maps.json"])["vectors"]
ROOTS = ("L2", "max-divergence")
"""Distances that are irrational: fifty digits are compared as doubles."""


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return Fraction(value["fraction"])
    return [plain(part) for part in value] if isinstance(value, list) else value


def apart(name: str, x: Any, y: Any) -> Any:
    """The distance of two values, None where it is infinite."""
    if name == "discrete":
        return int(x != y)
    if name == "max-divergence":
        return max(abs(math.log(dict(map(tuple, x))[output] / p)) for output, p in y)
    if name in ("symmetric", "change-one"):
        left, right = Counter(x), Counter(y)
        apart = ((left - right) + (right - left)).total()
        return apart if name == "symmetric" else apart // 2 if len(x) == len(y) else None
    differences = [abs(a - b) for a, b in zip(x, y, strict=True)] if isinstance(x, list) else [abs(x - y)]
    return math.sqrt(sum(d * d for d in differences)) if name == "L2" else sum(differences)


def same(name: str, number: dict[str, str], value: Any) -> bool:
    if name in ROOTS:
        return math.isclose(float(number["decimal"]), value, rel_tol=1e-14)
    return bool(Fraction(number["rational"]) == value)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_the_true_numbers_are_those_of_all_pairs(vector: dict[str, Any]) -> None:
    members, outputs = plain(vector["members"]), plain(vector["outputs"])
    pairs = list(combinations(range(len(members)), 2))
    d_in = {(i, j): apart(vector["d_in"], members[i], members[j]) for i, j in pairs}
    finite = sorted({distance for distance in d_in.values() if distance is not None})
    assert len(finite) == len(vector["distances"])
    for distance, row in zip(finite, vector["distances"], strict=True):
        close = [(i, j) for i, j in pairs if d_in[i, j] is not None and d_in[i, j] <= distance]
        near = [apart(vector["d_out"], outputs[i], outputs[j]) for i, j in close]
        assert same(vector["d_in"], row["distance"], distance)
        assert same(vector["d_out"], row["true"], max(near))
        i, j = row["pair"]
        assert same(vector["d_out"], row["true"], apart(vector["d_out"], outputs[i], outputs[j]))
        wrong = {bug for bug, unit in vector["invalid"].items() if max(near) > float(plain(unit) * distance)}
        assert wrong == set(row["refutes"])


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_every_wrong_number_is_refuted_somewhere(vector: dict[str, Any]) -> None:
    refuted = {bug for row in vector["distances"] for bug in row["refutes"]}
    assert refuted == vector["invalid"].keys()


def test_the_document_is_of_the_schema_and_committed() -> None:
    assert len({case.id for case in CASES}) == len(CASES)
    schema = json.loads(MAP_SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(json.loads(map_files()["maps.json"]))
    result = CliRunner().invoke(main, ["vectors", "--maps", "--check", str(COMMITTED)])
    assert (result.exit_code, result.output) == (0, "all vectors are as generated\n")


def test_two_kinds_at_once_are_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["vectors", "--maps", "--certificates", str(tmp_path)])
    assert (result.exit_code, "not both" in result.output) == (2, True)
