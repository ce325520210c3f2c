"""Reports without a canonical form of their own: `canonical` gives one, and what else they hold is seen."""

from pathlib import Path
from typing import Any

import pytest

from audit.targets import objects
from dp_audit.audits import Row, Verdict
from dp_audit.exact.checks import Checks
from dp_audit.exact.python import audit_adapter

FILE = Path(objects.__file__)


def rows(name: str) -> dict[str, Row]:
    checks = Checks(plain=False, users=())
    return {row.check: row for row in audit_adapter(FILE, name, "RR", {"epsilon": "ln(3)"}, checks=checks).rows}


@pytest.mark.parametrize("made", [objects.Plain, objects.WithSlots, objects.OfNumpy, objects.Generating])
def test_reports_of_any_type_are_judged_by_their_canonical_form(made: Any) -> None:
    found = rows(made.__name__)
    assert {found[name].verdict for name in ("law", "privacy", "reused client")} == {Verdict.CONFORMS}
    looked_into = made is not objects.Generating  # nobody can look into a generator
    assert found["raw output"].verdict is (Verdict.CONFORMS if looked_into else Verdict.INFO)


def test_a_field_that_the_canonical_form_leaves_out_is_seen() -> None:
    found = rows("Hiding")
    assert found["law"].verdict is Verdict.CONFORMS
    assert found["raw output"].verdict is Verdict.FAULT
    assert found["raw output"].detail.endswith("what the report holds shows the true input")
