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
    sentence = statement, evidence
    with suppress(ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        sentence = _said(statement, verdict, evidence)
    return sentence[0], verdict, sentence[1]


def _said(statement: Any, verdict: Any, evidence: Any) -> tuple[Any, Any]:
    match statement["type"], verdict:
        case (("all" | "instances"), "refuted"):
            parts, place = [*statement["parts"]], evidence["part"]
            parts = [said(part, "verified", {})[0] for part in parts]
            parts[place], _, proof = said(statement["parts"][place], verdict, evidence["evidence"])
            return {**statement, "parts": parts}, {**evidence, "evidence": proof}
        case (("all" | "instances"), _):
            both = zip(statement["parts"], evidence["parts"], strict=True)
            sentences = [said(part, kind, proof) for part, (kind, proof) in both]
            proofs = [[kind, proof] for _, kind, proof in sentences]
            return {**statement, "parts": [part for part, *_ in sentences]}, {**evidence, "parts": proofs}
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
    fields = {key: x for key, x in evidence.items() if key != "instance"}
    if name == "computable":
        names = ("first", "second"), ("s", "other")
        pairs = [zip(keys, fields.pop(of), strict=True) for keys, of in zip(names, ("outcomes", "sets"), strict=True)]
        return {**fields, **dict(pairs[0]), **dict(pairs[1])}
    if name == "bernoulli-sum":
        return {"s": fields["users"][0], "item": fields["item"]}
    if name == "product-form":
        return {**fields, "output": [fields["output"], []]}
    return fields
