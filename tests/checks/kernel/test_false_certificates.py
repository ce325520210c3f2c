"""Certificates built by attacking the kernel's rules: none is accepted, each for the reason it was built for."""

import pytest

from certificates import NAMES, REPRESENTATIVE, certified, real
from dp_checks.kernel import Rejected, verify
from dp_checks.kernel.shape import EVIDENCE, kind_of
from dp_spec.frequency import surap
from dp_spec.vocabulary.statement import All, Domain, Formula, Padding, Range, Unbounded
from dp_spec.vocabulary.term import sqrt, term, var
from false_arcs import OTHERS_ON_ARCS
from false_certificates import FALSE
from subset_certificates import OTHERS_ON_SUBSETS


@pytest.mark.parametrize("name", FALSE)
def test_a_false_certificate_is_rejected_for_its_fault(name: str) -> None:
    build, reason = FALSE[name]
    with pytest.raises(Rejected) as caught:
        verify(build())
    assert reason in str(caught.value)


@pytest.mark.parametrize("name", NAMES)
def test_real_certificates_are_accepted(name: str) -> None:
    certificate = real(name)
    assert name.split()[:2] == [certificate["statement"]["type"], certificate["verdict"]]
    verify(certificate)


X = var("x")
UNIT = Domain({"x": Range()}, (1 - X,))
TRUE, WRONG = Formula(UNIT, (("le", X, term(1)),)), Formula(UNIT, (("lt", X, term(1)),))
ROOT = Formula(UNIT, (("lt", sqrt(term(2)), X + 2),))
PROOF = {"steps": [{"multipliers": {"0": 1}}]}
WITNESS = {"relation": 0, "values": {"x": "1"}}
FINITE = {"m": 1, "K": 1, "N": 1, "t": "2"}
MEAN = ((var("m") / var("size")) * var("held"), {"m": 1, "K": 1, "N": 1, "s": [0, 1], "item": 1})


def test_the_other_kinds_of_evidence_are_accepted() -> None:
    estimators = (surap.SURAP_SENSITIVE, surap.SURAP_NONSENSITIVE)
    others = [
        (TRUE, "proved", PROOF),
        (WRONG, "refuted", WITNESS),
        (ROOT, "verified", {"points": [{"x": "0"}, {"x": "1/3"}], "bits": 64}),
        (Formula(UNIT, (("lt", X + 2, sqrt(term(2))),)), "refuted", {**WITNESS, "bits": 64}),
        (
            All((TRUE, ROOT)),
            "verified",
            {"parts": [["proved", PROOF], ["verified", {"points": [{"x": "0"}], "bits": 64}]]},
        ),
        (All((TRUE, WRONG)), "refuted", {"part": 1, "evidence": WITNESS}),
        (Padding(surap.SURAP, "sen", "long", estimators, MEAN[0]), "verified", {"instances": [MEAN[1]]}),
        *OTHERS_ON_ARCS,
        *OTHERS_ON_SUBSETS,
        (Unbounded(surap.SURAP, "sen", "marginal"), "refuted", {"instance": FINITE, "exact": "2"}),
    ]
    for statement, verdict, evidence in others:
        verify(certified(statement, verdict, evidence))
    kinds = {(kind_of(s.json()), verdict) for s, verdict, _ in others}
    kinds |= {(kind_of(c["statement"]), c["verdict"]) for c in map(real, NAMES)}
    # its proof takes the kernel seconds: the run of all claims checks it
    assert set(EVIDENCE) - kinds == {("smaller-order", "proved")}


def test_every_representative_comes_from_another_claim() -> None:
    assert len(set(REPRESENTATIVE.values())) == len(REPRESENTATIVE)
