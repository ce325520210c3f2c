"""No statement of the ledger has a name that nothing reads, and one more is found wherever it is put."""

import json
from collections.abc import Iterator

import pytest

from corpus.certificates import Json
from dp_checks.certify import all_claims
from dp_checks.statements import formal_statements
from dp_kernel import Rejected
from dp_kernel.certificate.check import KINDS
from dp_kernel.certificate.names import require_read
from dp_kernel.meter import limited

NUMBERS: Json = {"integer": True, "min": 1, "strict": False, "unit": False}
ADDED: dict[str, Json] = {"at": {"extra": 1}, "variables": {"extra": NUMBERS}, "integers": {"extra": 1}}
"""What is put into the objects of these names."""


def single(statement: Json) -> Iterator[Json]:
    """The statements that a statement is made of."""
    inner = statement.get("parts", [statement["of"]] if statement["type"] == "not" else [])
    for part in inner:
        yield from single(part)
    if not inner:
        yield statement


def changed(part: Json) -> Iterator[None]:
    """The same object with one more name, at every place in turn."""
    for field, inner in list(part.items()):
        if field == "parameters":
            inner.append("extra")
            yield
            inner.pop()
        elif field in ADDED and isinstance(inner, dict):
            inner |= ADDED[field]
            yield
            del inner["extra"]
        for child in inner if isinstance(inner, list) else [inner]:
            if isinstance(child, dict):
                yield from changed(child)


def statements(step: int) -> list[Json]:
    """Some of the formal statements, as they are read from a file."""
    bodies = [*formal_statements(all_claims()).values()][::step]
    return [part for body in bodies for part in single(json.loads(json.dumps(body)))]


def judge(statement: Json) -> None:
    with limited(10**8):
        require_read(statement, KINDS[statement["type"]].trees(statement))


@pytest.mark.slow
def test_all_names_of_the_ledger_are_read() -> None:
    for statement in statements(1):
        judge(statement)


def test_a_name_more_is_found_at_every_place() -> None:
    places = 0
    for statement in statements(20):
        for _ in changed(statement):
            places += 1
            with pytest.raises(Rejected, match=r"nothing reads \['extra'\]"):
                judge(statement)
    assert places > 50
