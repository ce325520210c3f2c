"""Statements `everywhere on the domain some integer k between two numbers satisfies all relations`."""

from math import ceil, floor
from typing import Any

from dp_checks.kernel import fields
from dp_checks.kernel.domains import point
from dp_checks.kernel.fields import Kind
from dp_checks.kernel.formulas import decided, formula
from dp_checks.kernel.rejected import require
from dp_checks.kernel.terms import evaluate, put, symbols
from dp_checks.kernel.work import counted

ABOVE = "[above]"


def exists(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: some integer k, low < k < high, satisfies all relations; `against`: for every such j, k included.

    Proved by a term: the first integer above it is start + x for some 0 < x <= 1, and so is satisfied whatever holds
    for all these x. Refuted by a point of the domain at which every k fails.
    """
    domain, name, (low, high) = statement["domain"], statement["variable"], statement["between"]
    other, relations = statement.get("against", name), statement["relations"]
    require(not {name, other} & domain["variables"].keys(), "the integer is a variable of the domain")
    if verdict == "refuted":
        at = point(domain, evidence["values"])
        tried = range(floor(evaluate(low, at)) + 1, ceil(evaluate(high, at)))
        for k in counted(tried):
            judged = []
            for j in tried if other != name else [k]:
                here = {**at, other: evaluate(j, {}), name: evaluate(k, {})}
                sides = [(op, evaluate(a, here), evaluate(b, here)) for op, a, b in relations]
                judged += [decided(op, a, b) for op, a, b in sides]
            require(not all(judged), f"{name} = {k} satisfies all relations there")
        return
    require(other == name, "no rule for all other integers")
    require(symbols(evidence["start"]) <= domain["variables"].keys(), "what is above the start moves it")
    first = ["add", evidence["start"], ABOVE]
    range_of = {"min": 0, "strict": True, "integer": False, "unit": False}
    variables, constraints = domain["variables"] | {ABOVE: range_of}, [*domain["constraints"], ["sub", 1, ABOVE]]
    listed = [["lt", low, first], ["lt", first, high]]
    listed += [[op, put(a, {name: first}), put(b, {name: first})] for op, a, b in relations]
    inner = {"domain": {"variables": variables, "constraints": constraints}, "relations": listed}
    formula({**inner, "values": {}, "of_data": False}, "proved", {"steps": evidence["steps"]})


_DOMAIN = {"domain": fields.domain, "variable": fields.identifier, "against?": fields.identifier}
_FIELDS = _DOMAIN | {"between": fields.pair, "relations": fields.list_of(fields.relation, 1)}
KINDS = {"exists": Kind(exists, _FIELDS, proved="start steps", refuted="values")}
