"""Shapes of statements and evidence about errors of mechanisms: totals, comparisons, orders, costs."""

from typing import Any

from dp_checks.kernel import fields
from dp_checks.kernel.fields import Check, require_fields
from dp_checks.kernel.rejected import require


def _mse(value: Any) -> None:
    checks: dict[str, Check] = {
        "type": fields.one_of("mse"),
        "law": fields.law,
        "view": fields.text,
        "item": fields.one_of("sensitive", "nonsensitive"),
        "estimator": fields.estimator,
        "sizes": fields.one_of("exactm"),
        "where": fields.list_of(fields.tree),
        "data": fields.one_of("fixed"),
        "formula": fields.tree,
    }
    require_fields(value, checks)
    law = value["law"]
    require(value["view"] in fields.VIEWS[law["unit"], law["draw"]], "a view that the law does not have")
    require(not value["where"] and "per_invertible" not in value["estimator"], "errors are those of plain estimators")


def _error(value: Any) -> None:
    require(isinstance(value, dict), "an error is missing")
    if "type" in value:
        _mse(value)
        return
    require_fields(value, {"sensitive": _mse, "nonsensitive": _mse}, frozenset({"sensitive", "nonsensitive"}))
    require(bool(value), "a total has parts")
    for name, part in value.items():
        require(part["item"] == name, "the part is about the other items")
    seen = [(part["law"], part["view"]) for part in value.values()]
    require(all(other == seen[0] for other in seen), "the parts are of one mechanism")


def _substitution(value: Any) -> None:
    require(isinstance(value, dict) and set(value) <= {"m", "K", "N", "n", "f", "g"}, "what else could be put in")
    for tree in value.values():
        fields.tree(tree)


def _values(value: Any) -> None:
    require(isinstance(value, dict) and bool(value), "values are missing")
    for name, content in value.items():
        fields.identifier(name)
        require_fields(content, {"error": _error, "root": fields.tree, "at": _substitution})


def _counts(value: Any) -> None:
    def count(pair: Any) -> None:
        require(isinstance(pair, list) and len(pair) == 2, "a number of values and how often")
        fields.tree(pair[0])
        fields.tree(pair[1])

    fields.list_of(count, 1)(value)


STATEMENTS: dict[str, dict[str, Check]] = {
    "errors": {
        "domain": fields.domain,
        "values": _values,
        "relations": fields.list_of(fields.relation, 1),
        "budget": fields.tree,
    },
    "order": {
        "domain": fields.domain,
        "error": _error,
        "entry": fields.tree,
        "bound": fields.one_of("upper", "theta"),
        "at": _substitution,
    },
    "cost": {
        "domain": fields.domain,
        "law": fields.law,
        "view": fields.text,
        "symbols": _counts,
        "entry": _counts,
        "output": fields.one_of("finite", "real"),
    },
    "same-law": {
        "left": fields.law,
        "right": fields.law,
        "of": fields.one_of("item", "report"),
        "view": fields.text,
        "without_others": fields.flag,
    },
}
STATEMENTS["arcs-cost"] = STATEMENTS["subsets-cost"] = STATEMENTS["cost"]
OPTIONAL: dict[str, frozenset[str]] = {"errors": frozenset({"budget"})}
EVIDENCE: dict[tuple[str, str], tuple[set[str], ...]] = {
    ("errors", "proved"): ({"steps"}, {"cover", "bits"}),
    ("errors", "refuted"): ({"relation", "values"}, {"relation", "values", "bits"}),
    ("order", "proved"): ({"constants", "steps"},),
    ("order", "refuted"): ({"side", "family", "constant"},),
    ("cost", "proved"): ({"powers"},),
    ("arcs-cost", "proved"): ({"powers"},),
    ("arcs-cost", "refuted"): ({"lemma"},),
    ("same-law", "proved"): ({"lemma"},),
}
