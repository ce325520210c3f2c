"""What sentences speak of: the law of a statement at an instance, or numbers at a point of a domain; the rule that
decides them there.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

from dp_kernel import schema
from dp_kernel.finite.sentences import LAW, OTHER, OUTCOMES, Model, cases, sentence, truth
from dp_kernel.formulas.domains import region, require_inside
from dp_kernel.formulas.terms import symbols
from dp_kernel.judgements.stochastic import require_law
from dp_kernel.laws.grammar import PUSHES, Items, outcome_law, output_law, valued
from dp_kernel.laws.instances import world_of
from dp_kernel.laws.sizes import Instance, fits, point_values, ranges_of, variables
from dp_kernel.meter import Rejected, require
from dp_kernel.numbers.json_numbers import label, rational


def model_at(statement: Any, at: Any) -> Model:
    """What a sentence speaks of at an instance."""
    return (of_law if "law" in statement else of_numbers)(statement, at)


def of_law(statement: Any, instance: Instance) -> Model:
    """The law (and the other one) of a statement at an instance: at sizes, for all eps > 0, or at numbers; with listed
    functions, if the law has some. What is not 0 is positive everywhere: `require_law`, and ranges are open."""
    law, at = statement["law"], {name: x for name, x in instance.items() if name != "hashes"}
    require(fits(statement, at), "the instance lies outside the domain")
    require(law["base"] in at or set(at) == {"m", "K", "N"}, "sizes, or all numbers")
    sizes, exact = {name: Fraction(at[name]) for name in ("m", "K", "N")}, law["base"] in at
    numbers, ranges = (point_values(law, at), {}) if exact else (variables(law) | sizes, ranges_of(law))
    terms = {LAW: valued(law["term"], numbers)}
    if terms[LAW][0] == "push" and terms[LAW][1] != "emit":
        terms[OUTCOMES] = terms[LAW][2]
    if OTHER in statement:
        other = statement[OTHER]
        alike = all(law.get(name) == other.get(name) for name in ("base", "parameters", "integers"))
        require(alike and fits({**statement, "law": other}, at), "other variables, or no such sizes")
        require_law(other)
        terms[OTHER] = valued(other["term"], numbers)

    @cache
    def row(word: str, s: Items) -> Mapping[Any, Any]:
        world = world_of(statement, at, terms[word], instance.get("hashes"))
        chances = (outcome_law if word == OUTCOMES else output_law)(terms[word], s, at["m"], world)
        return {y: chance for y, chance in chances.items() if chance != 0}

    return Model((at["K"], at["N"]), numbers, ranges, row, lambda z: PUSHES[terms[LAW][1]].of(z, at["K"]), {})


def of_numbers(statement: Any, at: Any) -> Model:
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


def holds(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the sentence is true at all sizes, for all eps > 0; at all points of the domain. Verified at listed
    instances, in all of the cases that there are, for all values of what else varies; refuted in one case at numbers.
    """
    of, refuted = statement["sentence"], verdict == "refuted"
    only = {name: label(x) for name, x in evidence["case"].items()} if refuted else None
    for at in [evidence["instance"]] if refuted else evidence["instances"]:
        model = model_at(statement, at)
        require(symbols(["", *sentence(of)]) <= model.numbers.keys(), "a name without a meaning")
        require(not refuted or not model.ranges, "refuted at numbers")
        said = (only in (None, x) and truth(body, model, x) is (not refuted) for x, body in cases(of, model, {}, only))
        require(next(said, False) and all(said), f"a case in which the sentence is not {not refuted}, or none: {at}")


_FIELDS = {"arithmetic": {"domain": schema.domain}, "sentence": schema.EXACT | {"other?": schema.law}}
_HOLDS = schema.Kind(holds, {}, verified=[["instances"]], refuted=[["instance", "case"]])
KINDS = {name: _HOLDS._replace(fields={**of, "sentence": sentence}) for name, of in _FIELDS.items()}
