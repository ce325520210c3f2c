"""Certificates: the kinds of statements, from the tables beside the rules, and what is checked of each of them."""

import json
import re
from typing import Any

from dp_kernel.certificate.digest import exhausted, require_ties
from dp_kernel.certificate.names import require_read
from dp_kernel.finite import channels, models
from dp_kernel.judgements import arcs, moments, ratios, relations
from dp_kernel.judgements.stochastic import require_law
from dp_kernel.laws.grammar import is_of_one_item
from dp_kernel.laws.sizes import require_sizes
from dp_kernel.meter import DEFAULT, Rejected, limited, pay, require
from dp_kernel.numbers.json_numbers import integer
from dp_kernel.schema import Kind, canonical, require_evidence, require_shape, some
from dp_kernel.shuffle import divergences

FORMAT = "dp-refimpl certificate 2"
FIELDS = {"format", "id", "statement", "verdict", "evidence", "cards", "ties"}
IDENTIFIER = re.compile(r"[0-9A-Za-z][0-9A-Za-z.@_-]{0,199}")


def everything(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: all of its parts hold. Proved part by part; refuted by one refuted part. What is said of all sizes,
    and the parts are `instances` of, is verified by them, and refuted by one."""
    if verdict == "refuted":
        part = statement["parts"][integer(evidence["part"], 0, len(statement["parts"]) - 1)]
        _establish(part, verdict, evidence["evidence"])
        return
    require(len(evidence["parts"]) == len(statement["parts"]), "one proof for every part")
    verdicts = [part_verdict for part_verdict, _ in evidence["parts"]]
    proved = statement["type"] == "all" and "verified" not in verdicts
    require(verdict == ("proved" if proved else "verified"), "the weakest part decides")
    for part, (part_verdict, proof) in zip(statement["parts"], evidence["parts"], strict=True):
        require(part_verdict in ("proved", "verified"), "a part does not hold")
        _establish(part, part_verdict, proof)


def negation(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: another one is false. Proved by its refutation, refuted by its proof."""
    require(verdict in ("proved", "refuted"), "a negation is proved or refuted")
    _establish(statement["of"], {"proved": "refuted", "refuted": "proved"}[verdict], evidence["evidence"])


def check(statement: Any, verdict: str, evidence: Any) -> None:
    """Raise `Rejected` unless the statement is well-formed and the evidence establishes the verdict on it."""
    require_statement(statement)
    _establish(statement, verdict, evidence)


def require_statement(statement: Any) -> None:
    """Raise `Rejected` unless the statement and its parts have the fields of their kinds, all of them with values that
    have a meaning."""
    pay(100)
    require(isinstance(statement, dict) and isinstance(statement.get("type"), str), "a statement has a type")
    require(statement["type"] in KINDS, "unknown type of statement")
    kind = KINDS[statement["type"]]
    require_shape({"type": (statement["type"],), **kind.fields}, statement)
    kind.also(statement)


def _establish(statement: Any, verdict: str, evidence: Any) -> None:
    """The same for a statement that is well-formed."""
    kind = KINDS[statement["type"]]
    require_evidence(kind, verdict, evidence)
    if "law" in statement:
        require_law(statement["law"])
        arcs.require_exists(statement)
        alone = is_of_one_item(statement["law"]["term"])
        require(not alone or statement.get("sizes", "exactm") == "exactm", "a law of one item, and other sets")
    if "where" in statement:
        require_sizes(statement, kind.trees(statement))
    kind.rule(statement, verdict, evidence)
    if statement["type"] not in COMPOUND:
        require_read(statement, kind.trees(statement))
        exhausted(verdict, evidence)  # nothing is listed twice


_PARTS = Kind(everything, {"parts": some([require_statement, ...])}, [["parts"]], [["parts"]], [["part", "evidence"]])
COMPOUND = {
    "all": _PARTS,
    "instances": _PARTS._replace(proved=()),
    "not": Kind(negation, {"of": require_statement}, proved=[["evidence"]], refuted=[["evidence"]]),
}
RULES = (channels, models, relations, arcs, moments, ratios, divergences)
KINDS: dict[str, Kind] = COMPOUND | {name: kind for module in RULES for name, kind in module.KINDS.items()}
"""Every type of statement, from the tables beside the rules."""


def require_form(certificate: Any) -> None:
    """Raise `Rejected` unless the certificate has the fields of one, and only values that are read exactly: objects,
    lists, strings, integers, booleans and null. They come back from JSON as they are; no float does."""
    read = json.loads(canonical(certificate), parse_float=str, parse_constant=str)
    require(read == certificate, "a float in a certificate, or something that is no JSON")
    require(certificate["format"] == FORMAT, "unknown format")
    require(set(certificate) - {"work"} == FIELDS, "unknown fields")
    require(IDENTIFIER.fullmatch(certificate["id"]) is not None, "the id is no identifier")


def verify(certificate: Any, work: int = DEFAULT) -> int:
    """Raise `Rejected` unless the certificate is well-formed and its evidence establishes its verdict; the units of
    work that took, at most `work` and at most what the certificate declares.
    """
    try:
        with limited(work) as meter:
            require_form(certificate)
            declared = integer(certificate.get("work", work), 0)
            require(declared <= work, f"declares {declared} units of work, {work} are allowed (--work)")
            meter.limit = declared
            require_ties(certificate["statement"], certificate["ties"])
            check(certificate["statement"], certificate["verdict"], certificate["evidence"])
            require(certificate["cards"] == sorted(meter.cards), f"the cards that are applied: {sorted(meter.cards)}")
            return meter.spent
    except Rejected:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RuntimeError, StopIteration) as error:
        raise Rejected(f"malformed: {type(error).__name__}: {error}") from error
