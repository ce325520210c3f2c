"""Sentences about numbers, lists of them and logarithms, without a law: what a table, its counts, or a listed law has
is written out in the sentence.
"""

from dataclasses import replace
from typing import Any

from dp_kernel.certificate import schema
from dp_kernel.certificate.schema import Kind
from dp_kernel.finite.sentences import Model, require_shown, sentence
from dp_kernel.formulas.domains import region, require_inside
from dp_kernel.formulas.terms import symbols
from dp_kernel.meter import Rejected, require
from dp_kernel.numbers.json_numbers import rational


def holds(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the sentence is true at all points of the domain. Verified at listed integers, for all values of the
    other variables; refuted in one case at a point."""
    refuted = verdict == "refuted"
    for at in [evidence["instance"]] if refuted else evidence["instances"]:
        model = model_at(statement, at)
        require(not refuted or not model.ranges, "refuted at numbers")
        require_shown(statement["sentence"], model, evidence.get("case"), at)


def model_at(statement: Any, at: Any) -> Model:
    """The numbers at given values of variables, the integers among them; the others vary in their ranges."""
    domain = statement["domain"]
    whole, free = domain["variables"], region({**domain, "constraints": []})
    require({x for x, spec in whole.items() if spec["integer"]} <= at.keys() <= whole.keys(), "all integers are given")
    values = {**free.values, **{name: rational(x) for name, x in at.items()}}
    inside = replace(free, values=values, ranges={x: r for x, r in free.ranges.items() if x not in at})
    require_inside(domain, inside)
    return Model((), values, inside.ranges, _no_law, _no_law, {})


def _no_law(*asked: Any) -> Any:
    raise Rejected("no law is given")


def _closed(statement: Any) -> None:
    require(symbols(["", *sentence(statement["sentence"])]) <= {*statement["domain"]["variables"]}, "an unknown name")


_FIELDS: dict[str, schema.Shape] = {"domain": schema.domain, "sentence": sentence}
KINDS = {
    "arithmetic": Kind(holds, _FIELDS, verified=[["instances"]], refuted=[["instance", "case"]], also=_closed),
}
