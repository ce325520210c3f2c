"""Certificates: {"format", "id", "statement", "verdict", "evidence"} and their verification."""

import re
from collections.abc import Callable
from typing import Any

from dp_checks.kernel import (
    arcs,
    channels,
    comparisons,
    constants,
    constants_unbounded,
    errors,
    formulas,
    moments,
    privacy,
    reports,
    subsets,
)
from dp_checks.kernel.exact import integer, require_plain
from dp_checks.kernel.rejected import Rejected, require
from dp_checks.kernel.shape import kind_of, require_evidence, require_statement
from dp_checks.kernel.slotwise import ranges_of, require_law, require_sizes

FORMAT = "dp-refimpl certificate 1"
IDENTIFIER = re.compile(r"[0-9A-Za-z][0-9A-Za-z.@_-]{0,199}")


def everything(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: all of its parts hold. Proved part by part; refuted by one refuted part."""
    if verdict == "refuted":
        part = statement["parts"][integer(evidence["part"], 0)]
        check(part, verdict, evidence["evidence"])
        return
    require(bool(statement["parts"]) and len(evidence["parts"]) == len(statement["parts"]), "one proof for every part")
    verdicts = [part_verdict for part_verdict, _ in evidence["parts"]]
    require(verdict == ("verified" if "verified" in verdicts else "proved"), "the weakest part decides")
    for part, (part_verdict, proof) in zip(statement["parts"], evidence["parts"], strict=True):
        require(part_verdict in ("proved", "verified"), "a part does not hold")
        check(part, part_verdict, proof)


def completions(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement with an open choice: ill-posed when one of its two named completions holds and the other is refuted."""
    (one, other), (first, second) = statement["completions"].values(), evidence["completions"].values()
    require(list(statement["completions"]) == list(evidence["completions"]), "evidence for every completion")
    verdicts = {first["verdict"], second["verdict"]}
    require("refuted" in verdicts and len(verdicts & {"proved", "verified"}) == 1, "one completion holds, one does not")
    require(first.keys() == second.keys() == {"verdict", "evidence"}, "other fields than a completion has")
    check(one, first["verdict"], first["evidence"])
    check(other, second["verdict"], second["evidence"])


CHECKS: dict[str, Callable[[Any, str, Any], None]] = {
    "all": everything,
    "completions": completions,
    "bernoulli-sum": moments.bernoulli_sum,
    "compare": comparisons.compare,
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
    "smaller-order": comparisons.smaller_order,
    "smallest": constants.smallest,
    "unbiased": moments.unbiased,
    "unbounded": constants_unbounded.unbounded,
    "unique": channels.supports,
    "vanishing": formulas.vanishing,
    **arcs.CHECKS,
    **errors.CHECKS,
    **subsets.CHECKS,
}


def check(statement: Any, verdict: str, evidence: Any) -> None:
    """Raise `Rejected` unless the evidence establishes the verdict on the statement."""
    require_statement(statement)
    kind = kind_of(statement)
    require_evidence(kind, verdict, evidence)
    if "law" in statement:
        require_law(statement["law"], ranges_of(statement["law"]))
    if "where" in statement:
        require_sizes(statement)
    CHECKS[kind](statement, verdict, evidence)


def verify(certificate: Any) -> None:
    """Raise `Rejected` unless the certificate is well-formed and its evidence establishes its verdict."""
    try:
        require_plain(certificate)
        require(certificate["format"] == FORMAT, "unknown format")
        require(set(certificate) == {"format", "id", "statement", "verdict", "evidence"}, "unknown fields")
        require(IDENTIFIER.fullmatch(certificate["id"]) is not None, "the id is no identifier")
        check(certificate["statement"], certificate["verdict"], certificate["evidence"])
    except Rejected:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise Rejected(f"malformed: {type(error).__name__}: {error}") from error
