"""Real certificates, one for every type of statement and verdict, each made from a claim of the project."""

from functools import cache
from typing import Any

from dp_checks.certificate import certificate, plain
from dp_checks.check import decide
from dp_checks.kernel.check import FORMAT
from dp_checks.kernel.digest import digest, laws
from dp_spec.frequency.claims import baselines, budget, definitions, privset, sugrr, surap, wheel
from dp_spec.vocabulary.statement import Statement
from tampered import (
    arcs_certificates,
    error_certificates,
    noise_certificates,
    shuffle_certificates,
    sketch_certificates,
    subset_certificates,
)

Json = dict[str, Any]

FORMAL = definitions.FORMAL | baselines.FORMAL | sugrr.FORMAL | surap.FORMAL | wheel.FORMAL | budget.FORMAL
FORMAL |= privset.FORMAL | subset_certificates.STATEMENTS | error_certificates.FORMAL | error_certificates.STATEMENTS
FORMAL |= sketch_certificates.FORMAL | sketch_certificates.STATEMENTS | noise_certificates.STATEMENTS

REPRESENTATIVE: dict[str, str] = {
    "all proved": "002.base.urr.uldp",
    "bernoulli-sum refuted": "002.thm2.sugrr.proof@set",
    "completions ill_posed": "002.def3.special",
    "completions ill_posed on sets": "002.def3.eq9@coordinate",
    "computable verified": "002.alg.sugrr.output@multiset",
    "computable refuted": "002.alg.sugrr.output@padded",
    "definition verified": "002.def2.eq4",
    "exceeds refuted": "002.prose.uldp.split",
    "formula proved": "002.base.grr.eq5.norm",
    "frequencies verified": "002.def.freq",
    "implies verified for readings": "002.def3.implications@joint-samenon",
    "implies refuted": "002.def3.implications@samenon-joint",
    "implies verified for images": "002.def3.unique",
    "invertible proved": "002.thm4.surap.inv",
    "mse proved": "002.thm6.eq21.sens@fixed-data",
    "mse refuted": "002.thm6.eq21.non@iid",
    "implies refuted for a number of items": "002.def3.domain@fixedt",
    "padding refuted": "002.pad.unbiased@long",
    "product-form verified": "002.thm1.sugrr.proof.product@ordered",
    "product-form refuted": "002.thm1.sugrr.proof.product@set",
    "ratio proved": "002.thm1.sugrr.eq11@multiset-joint",
    "ratio proved for bits": "002.thm4.surap.eq11@joint",
    "ratio refuted": "002.thm4.surap.eq11@whole-marginal",
    "smallest proved": "002.base.rappor.one.tight",
    "smallest proved for matched results": "002.budget.sugrr@multiset-joint",
    "smallest verified for shown sets": "002.budget.sugrr@set-marginal-nonempty",
    "smallest proved for exchanged bits": "002.budget.surap@samenon",
    "smallest proved for one draw": "002.budget.sugrrsample@bot-out-marginal",
    "smallest proved for exchanges of one draw": "002.budget.surapsample@joint",
    "smallest refuted": "002.thm1.sugrrsample.tight",
    "unbiased proved": "002.thm5.surap.sens",
    "unbiased refuted": "002.thm2.sugrr.sens@set",
    "unbounded verified": "002.budget.surap@whole-marginal",
    **arcs_certificates.REPRESENTATIVE,
    **error_certificates.REPRESENTATIVE,
    **subset_certificates.REPRESENTATIVE,
    **sketch_certificates.REPRESENTATIVE,
    **noise_certificates.REPRESENTATIVE,
}


@cache
def _decided(claim: str) -> Json:
    statement = FORMAL[claim]
    assert isinstance(statement, Statement)
    return retied(certificate(claim, statement, decide(statement, claim)))


def real(name: str) -> Json:
    """A fresh copy of a representative certificate, by the name in `REPRESENTATIVE` (or one of a small scope)."""
    if name in SCOPES:
        claim, scope = SCOPES[name]
        statement = FORMAL[claim]
        assert isinstance(statement, Statement)
        return certified(statement, "verified", plain(scope), claim)
    if name in noise_certificates.SHOWN:
        claim, evidence = noise_certificates.SHOWN[name]
        return certified(noise_certificates.STATEMENTS[claim], "proved", evidence, claim)
    if name in shuffle_certificates.SHOWN:
        claim, verdict, evidence = shuffle_certificates.SHOWN[name]
        found = certified(shuffle_certificates.STATEMENTS[claim], verdict, evidence, claim)
        return found | {"cards": shuffle_certificates.cards(name)}
    return plain(_decided(REPRESENTATIVE[name]))


def _at(*sizes: tuple[int, int, int]) -> Json:
    return {"instances": [{"m": m, "K": k, "N": n} for m, k, n in sizes]}


def _on_items(*outputs: int | None, parts: int) -> Json:
    """All channels of three sensitive items with these outputs."""
    return {"K": 3, "N": 0, "m": 1, "outputs": [[y, []] for y in outputs], "parts": parts, "e_eps": "3/2"}


SCOPES: dict[str, tuple[str, Json]] = {
    "bernoulli-sum verified": ("002.thm2.sugrr.proof@multiset", _at((1, 1, 0), (1, 1, 1), (2, 2, 1))),
    "implies verified": (
        "002.prose.split.composition",
        {"families": [_on_items(0, 1, parts=4), _on_items(0, 1, None, parts=2)]},
    ),
    "padding verified": ("002.pad.unbiased@long.corrected", _at((1, 1, 1), (1, 2, 0), (2, 2, 1))),
    "smallest verified": ("002.def3.sizes.surap@all-marginal.corrected", _at((1, 1, 1))),
    "ratio verified": ("002.thm4.surap.eq11@joint", _at((1, 2, 0), (1, 1, 1))),
}
"""Scopes smaller than the project's, where those take long."""

NAMES = (*REPRESENTATIVE, *SCOPES, *noise_certificates.SHOWN, *shuffle_certificates.SHOWN)


def certified(statement: Statement | Json, verdict: str, evidence: Any, name: str = "test") -> Json:
    """A certificate as it is read from a file."""
    body = statement.json() if isinstance(statement, Statement) else statement
    content = {"format": FORMAT, "id": name, "statement": body, "verdict": verdict, "evidence": evidence}
    content["cards"] = []
    return retied(plain(content))


def retied(content: Json) -> Json:
    """With a record of a tie for every law that the statement has now, whatever its program would say."""
    found = sorted({digest(law) for law in laws(content["statement"])})
    at = [{"m": 1, "K": 1, "N": 1}]
    return {**content, "ties": [{"law": law, "at": at, "table": "0" * 64} for law in found]}
