"""Correct randomizers in common styles are decided, faulty ones are not called right, and none of them hangs."""

from pathlib import Path

import pytest

from audit.targets import faulty_styles, styles
from dp_audit.options import Options
from dp_audit.outcome import Audit, Verdict
from running.child_processes import audit_adapter

FILE = Path(styles.__file__)
FAULTY = Path(faulty_styles.__file__)
CHECKS = Options(users=(), reuse=False, unmodified=False, seconds=None, limits={"unexplored": 40, "paths": 20_000})
COMPARED = {"grr_exponential_race", "grr_gumbel", "noisy_max", "permute_and_flip", "subset_argsort"}
"""Draws compared with each other."""
LOOPS = {"discrete_laplace", "grr_bernoulli_exp", "local_hashing_bits", "subset_rejection"}
"""Loops in loops."""
SAMPLED = {*COMPARED, *LOOPS, "laplace_of_two"}
"""These, and a number made of two draws."""
CORRECT = [pytest.param(name, marks=[pytest.mark.slow] * (name in SAMPLED)) for name in styles.STYLES]


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """The samples of a fallback end soon. Where they have to find something they have time, and end when they do."""
    monkeypatch.setattr("dp_audit.audit.SECONDS", 0.2)


def audit(file: Path, name: str) -> Audit:
    oracle, parameters = (styles if file == FILE else faulty_styles).STYLES[name]
    return audit_adapter(file, name, oracle, parameters, options=CHECKS)


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize("name", CORRECT)
def test_a_correct_randomizer_is_decided(name: str) -> None:
    report = audit(FILE, name)
    assert {row.verdict for row in report.rows} <= {*Verdict} - {Verdict.FAULT, Verdict.UNDECIDED}, report.text()
    law = report.row("law")
    if name in SAMPLED:
        assert (report.method, law.verdict) == ("process", Verdict.CONSISTENT)
        assert report.notes[-1].startswith("tested by samples, because the law was not enumerated: ")
        assert (name in COMPARED) == ("comparison with another draw" in report.notes[-1])
    else:
        assert (report.method, report.notes) == ("exact", ())
        assert law.verdict in (Verdict.CONFORMS, Verdict.ROUNDING)


@pytest.mark.parametrize("name", faulty_styles.STYLES)
def test_a_faulty_randomizer_is_not_called_right(name: str) -> None:
    report = audit(FAULTY, name)
    assert report.verdict is Verdict.FAULT, report.text()


@pytest.mark.usefixtures("brief")
def test_what_is_accepted_beside_the_domain_is_looked_at_only_if_it_was_stated() -> None:
    oracle, parameters = styles.STYLES["lenient"]
    assert not [row for row in audit(FILE, "lenient").rows if "outside" in row.check]
    stated = audit_adapter(FILE, "lenient", oracle, parameters, options=Options(outside=(2,), unmodified=False))
    assert stated.row("input 2, outside the domain").verdict is Verdict.FAULT
