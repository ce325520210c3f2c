"""What is said of code that is used wrongly, and rows that do not contradict their audit."""

from functools import cache
from pathlib import Path

import pytest

from dp_audit import Audit, Options, Verdict, audit_adapter
from dp_spec.vocabulary.exceptions import DomainError

GIVEN = {"d": 3, "epsilon": 1.0}
CODE = """
import random

def needs(item, d, other):
    return item

def imports_late(item, d):
    import not_there

def truth(item, d):
    return item

class Keys:
    def __init__(self, d): pass
    def client(self): pass
    def privatize(self, client, item): return {item: 1}.keys()

class Estimates:
    def __init__(self, d): self.d = d
    def client(self): pass
    def privatize(self, client, item): return random.randrange(self.d)
    def estimate(self, reports): return [0] * self.d
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    code = tmp_path_factory.mktemp("usage") / "used.py"
    code.write_text(CODE)
    return code


@cache
def audited(file: Path, name: str) -> Audit:
    return audit_adapter(file, name, "GRR", GIVEN, Options(users=(1,), reuse=False))


@pytest.mark.parametrize(("name", "said"), [("needs", "'other'"), ("imports_late", "not_there")])
def test_wrong_usage_is_no_law(file: Path, name: str, said: str) -> None:
    with pytest.raises(DomainError, match=f"can be called with these parameters.*{said}"):
        audited(file, name)


@pytest.mark.parametrize(
    ("name", "check", "verdict"),
    [
        ("Keys", "unintercepted run", Verdict.UNDECIDED),
        ("Keys", "later reports", None),
        ("truth", "law", Verdict.FAULT),
        ("truth", "fresh process", None),
        ("Estimates", "estimator", Verdict.FAULT),
    ],
)
def test_rows_do_not_contradict_their_audit(file: Path, name: str, check: str, verdict: Verdict | None) -> None:
    rows = {row.check: row.verdict for row in audited(file, name).rows}
    assert rows.get(check) is verdict, rows
