"""Certificates: {"format", "id", "statement", "verdict", "evidence"} and their verification."""

from collections.abc import Callable
from typing import Any

from dp_checks.kernel import channels, constants, formulas, moments, privacy, reports
from dp_checks.kernel.rejected import Rejected, require

FORMAT = "dp-refimpl certificate 1"


def everything(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: all of its parts hold. Proved part by part; refuted by one refuted part."""
    if verdict == "refuted":
        part = evidence["part"]
        check(statement["parts"][part], verdict, evidence["evidence"])
        return
    require(bool(statement["parts"]) and len(evidence["parts"]) == len(statement["parts"]), "one proof for every part")
    for part, (part_verdict, proof) in zip(statement["parts"], evidence["parts"], strict=True):
        require(part_verdict == "proved" or (verdict, part_verdict) == ("verified", "verified"), "the weakest part decides")
        check(part, part_verdict, proof)


def completions(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement with an open choice: ill-posed when one of its two named completions holds and the other is refuted."""
    require(verdict == "ill_posed" and len(statement["completions"]) == 2, "two completions of the print")
    (one, other), (first, second) = statement["completions"].values(), evidence["completions"].values()
    require(list(statement["completions"]) == list(evidence["completions"]), "evidence for every completion")
    require({first["verdict"] == "refuted", second["verdict"] == "refuted"} == {True, False}, "the completions agree")
    check(one, first["verdict"], first["evidence"])
    check(other, second["verdict"], second["evidence"])


CHECKS: dict[str, Callable[[Any, str, Any], None]] = {
    "all": everything,
    "completions": completions,
    "bernoulli-sum": moments.bernoulli_sum,
    "compare": moments.compare,
    "computable": reports.computable,
    "definition": channels.definition,
    "exceeds": privacy.exceeds,
    "formula": formulas.formula,
    "implies": channels.implies,
    "independent": formulas.independent,
    "invertible": reports.invertible,
    "invertible-within": reports.invertible_within,
    "mse": moments.mse,
    "no-channel": channels.no_channel,
    "padding": reports.padding,
    "product-form": reports.product_form,
    "ratio": privacy.ratio,
    "smaller-order": moments.smaller_order,
    "smallest": constants.smallest,
    "unbiased": moments.unbiased,
    "unique": channels.supports,
    "vanishing": formulas.vanishing,
}


def check(statement: Any, verdict: str, evidence: Any) -> None:
    """Raise `Rejected` unless the evidence establishes the verdict on the statement."""
    kind = statement.get("type")
    require(kind in CHECKS, f"unknown type of statement {kind!r}")
    CHECKS[kind](statement, verdict, evidence)


def verify(certificate: Any) -> None:
    """Raise `Rejected` unless the certificate is well-formed and its evidence establishes its verdict."""
    try:
        require(certificate["format"] == FORMAT, "unknown format")
        require(set(certificate) == {"format", "id", "statement", "verdict", "evidence"}, "unknown fields")
        require(isinstance(certificate["id"], str), "the id is a string")
        check(certificate["statement"], certificate["verdict"], certificate["evidence"])
    except Rejected:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise Rejected(f"malformed: {type(error).__name__}: {error}") from error
