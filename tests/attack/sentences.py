"""Statements by the names of what they say, which the brute force judges, as the sentences that certificates carry."""

from contextlib import suppress
from typing import Any

from dp_spec.vocabulary.sentences import WRITTEN, written

Json = dict[str, Any]
NAMED = {*WRITTEN, "implies", "definition", "completions"}
"""Types of statements that are written as sentences."""
OPPOSITE = {"proved": "refuted", "refuted": "proved"}


def said(statement: Any, verdict: Any, evidence: Any) -> tuple[Any, Any, Any]:
    """The statement, the verdict and the evidence as a certificate has them; what is malformed stays as it is."""
    found = statement, evidence
    with suppress(ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        found = _said(statement, verdict, evidence)
    return found[0], verdict, found[1]


def _said(statement: Any, verdict: Any, evidence: Any) -> tuple[Any, Any]:
    match statement["type"], verdict:
        case (("all" | "instances"), "refuted"):
            parts, place = [*statement["parts"]], evidence["part"]
            parts = [said(part, "verified", {})[0] for part in parts]
            parts[place], _, proof = said(statement["parts"][place], verdict, evidence["evidence"])
            return {**statement, "parts": parts}, {**evidence, "evidence": proof}
        case (("all" | "instances"), _):
            both = zip(statement["parts"], evidence["parts"], strict=True)
            found = [said(part, kind, proof) for part, (kind, proof) in both]
            proofs = [[kind, proof] for _, kind, proof in found]
            return {**statement, "parts": [part for part, *_ in found]}, {**evidence, "parts": proofs}
        case "not", _:
            of, _, proof = said(statement["of"], OPPOSITE[verdict], evidence["evidence"])
            return {**statement, "of": of}, {**evidence, "evidence": proof}
        case name, _ if name in NAMED and "sentence" not in statement:
            new = written({"inputs": "m-sets", **statement} if name in ("implies", "completions") else statement)
            if new["type"] == "sentence" and verdict == "refuted":
                case = evidence["case"] if "case" in evidence else _case(name, evidence)
                evidence = {"instance": evidence["instance"], "case": case}
            return new, evidence
    return statement, evidence


def _case(name: str, evidence: Any) -> Json:
    """The values of the variables of a sentence, from what is shown."""
    shown = {key: x for key, x in evidence.items() if key != "instance"}
    if name == "computable":
        names = ("first", "second"), ("s", "other")
        pairs = [zip(keys, shown.pop(of), strict=True) for keys, of in zip(names, ("outcomes", "sets"), strict=True)]
        return {**shown, **dict(pairs[0]), **dict(pairs[1])}
    if name == "bernoulli-sum":
        return {"s": shown["users"][0], "item": shown["item"]}
    if name == "product-form":
        return {**shown, "output": [shown["output"], []]}
    return shown
