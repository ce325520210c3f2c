"""Certificates built by attacking the kernel's rules: none is accepted, each for the reason it was built for."""

import pytest

from dp_checks.kernel import Rejected, verify
from dp_checks.kernel.check import KINDS
from dp_checks.kernel.fields import VERDICTS
from dp_spec.vocabulary.error_statements import Formula
from dp_spec.vocabulary.statement import All, Domain, Frequencies, Instances, Not, Range
from dp_spec.vocabulary.term import exp, term, var
from planted.arcs import OTHERS_ON_ARCS
from planted.certificates import FALSE
from tampered.certificates import NAMES, REPRESENTATIVE, certified, real

SLOW = {"strategies_on_too_many_counts", "a_table_of_degree_300"}
"""The kernel works up to its limit."""


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] * (n in SLOW)) for n in FALSE])
def test_a_false_certificate_is_rejected_for_its_fault(name: str) -> None:
    build, reason = FALSE[name]
    with pytest.raises(Rejected) as caught:
        verify(build())
    assert reason in str(caught.value)
    assert " object at " not in str(caught.value), "an address, which is another one in every run"


@pytest.mark.parametrize("name", NAMES)
def test_real_certificates_are_accepted(name: str) -> None:
    certificate = real(name)
    assert name.split()[:2] == [certificate["statement"]["type"], certificate["verdict"]]
    verify(certificate)


X = var("x")
UNIT, CLOSED = Domain({"x": Range()}, (1 - X,)), Domain({"x": Range()}, (X, 1 - X))
TRUE, WRONG = Formula(UNIT, (("le", X, term(1)),)), Formula(UNIT, (("lt", X, term(1)),))
ROOT = Formula(CLOSED, (("lt", exp(term(1) / 3), X + 2),))
PROOF = {"steps": [{"multipliers": {"0": 1}}]}
WITNESS = {"relation": 0, "values": {"x": "1"}}


def test_the_other_kinds_of_evidence_are_accepted() -> None:
    others = [
        (TRUE, "proved", PROOF),
        (WRONG, "refuted", WITNESS),
        (ROOT, "proved", {"cover": ["0", "1/2", "1"]}),
        (Formula(UNIT, (("lt", X + 2, exp(term(1) / 3)),)), "refuted", WITNESS),
        (
            All((TRUE, Frequencies())),
            "verified",
            {"parts": [["proved", PROOF], ["verified", {"users": 1, "items": 2}]]},
        ),
        (Not(WRONG), "proved", {"evidence": WITNESS}),
        (All((TRUE, WRONG)), "refuted", {"part": 1, "evidence": WITNESS}),
        (Instances((TRUE,)), "verified", {"parts": [["proved", PROOF]]}),
        (Instances((TRUE, WRONG)), "refuted", {"part": 1, "evidence": WITNESS}),
        *OTHERS_ON_ARCS,
    ]
    for statement, verdict, evidence in others:
        verify(certified(statement, verdict, evidence))
    kinds = {(s.type, verdict) for s, verdict, _ in others}
    kinds |= {(c["statement"]["type"], c["verdict"]) for c in map(real, NAMES)}
    assert {(name, verdict) for name in KINDS for verdict in VERDICTS if KINDS[name].shapes(verdict)} <= kinds


def test_every_representative_comes_from_another_claim() -> None:
    assert len(set(REPRESENTATIVE.values())) == len(REPRESENTATIVE)
