"""The shape of statements and evidence: which fields there are and what may stand in them, so that nothing goes
unread.
"""

from typing import Any

from dp_checks.kernel import fields, shape_arcs, shape_errors, shape_subsets
from dp_checks.kernel.fields import VIEWS, Check, require_fields
from dp_checks.kernel.rejected import require

PREDICATES = frozenset(
    {
        *("ldp", "ldp-events", "ldp-density", "uldp-inversion", "uldp-protection"),
        *("eq9-membership", "eq9-coordinate", "eq10-membership", "eq10-coordinate"),
        *("eq11-marginal", "eq11-marginal-nonempty", "eq11-joint", "eq11-deniability", "eq11-samenon"),
        *("mixed-input", "varying-t", "random-t", "no-sensitive-element-beside-invertible-data"),
    }
)


def require_statement(statement: Any) -> None:
    """Raise `Rejected` unless the statement has the fields of its type, all of them with values that have a meaning."""
    require(isinstance(statement, dict) and isinstance(statement.get("type"), str), "a statement has a type")
    kind = kind_of(statement)
    require(kind in STATEMENTS, "unknown type of statement")
    known = {"type": fields.one_of(statement["type"]), **STATEMENTS[kind]}
    require_fields(statement, known, OPTIONAL.get(kind, frozenset()))
    if "law" in statement and "view" in statement:
        law = statement["law"]
        require(statement["view"] in VIEWS.get((law["unit"], law["draw"]), ()), "a view that the law does not have")
    if "counted" in statement:
        open_to = ("marginal", "joint")
        require(statement["counted"] == "all" or statement["relation"] in open_to, f"nonempty: of {open_to} only")
        require(not statement["any_order"] or statement["view"] == "position", "orders are seen by position only")
    if kind in ("compare", "smaller-order"):
        for side in (statement["left"], statement["right"]):
            require_statement(side)
            plain = side["type"] == "mse" and "formula" not in side and not side["where"]
            require(plain and "per_invertible" not in side["estimator"], "a side is the MSE of a plain estimator")


def kind_of(statement: Any) -> str:
    """The statement's type, for laws that have lemmas of their own prefixed by the law's unit."""
    law = statement.get("law")
    unit = law.get("unit") if isinstance(law, dict) else None
    kind: str = statement["type"]
    return f"{unit}-{kind}" if unit in ("arcs", "subsets") else kind


FAMILIES = (shape_arcs, shape_errors, shape_subsets)

_SEEN: dict[str, Check] = {"law": fields.law, "view": fields.text}
_EXACT: dict[str, Check] = _SEEN | {"sizes": fields.one_of("exactm"), "where": fields.list_of(fields.tree)}
_RATIO: dict[str, Check] = _EXACT | {
    "relation": fields.one_of("ldp", "marginal", "joint", "deniability", "samenon"),
    "counted": fields.one_of("all", "nonempty"),
    "sizes": fields.one_of("exactm", "atmost", "all"),
    "any_order": fields.flag,
}
_UNBIASED: dict[str, Check] = _EXACT | {
    "item": fields.one_of("sensitive", "nonsensitive"),
    "estimator": fields.estimator,
}
_PREDICATES = fields.list_of(fields.one_of(*sorted(PREDICATES)), 1)

STATEMENTS: dict[str, dict[str, Check]] = {
    "all": {"parts": fields.list_of(fields.side, 1)},
    "completions": {"completions": fields.completions},
    "bernoulli-sum": _EXACT,
    "compare": {"left": fields.side, "right": fields.side, "domain": fields.domain},
    "computable": _SEEN,
    "definition": {"forms": _PREDICATES},
    "exceeds": _RATIO,
    "formula": {"domain": fields.domain, "relations": fields.list_of(fields.relation, 1)},
    "implies": {"premises": _PREDICATES, "conclusions": _PREDICATES, "inputs": fields.one_of("m-sets", "singletons")},
    "independent": {"terms": fields.list_of(fields.tree, 1), "variables": fields.list_of(fields.identifier, 1)},
    "invertible": _EXACT | {"epsilon": fields.one_of("positive", "zero"), "probability": fields.tree},
    "invertible-within": _SEEN,
    "mse": _UNBIASED | {"data": fields.one_of("fixed", "iid"), "formula": fields.tree},
    "no-channel": {"predicates": _PREDICATES},
    "padding": _EXACT
    | {"mode": fields.one_of("long", "existing"), "estimator": fields.estimators, "mean": fields.tree},
    "product-form": _EXACT,
    "ratio": _RATIO,
    "smaller-order": {"left": fields.side, "right": fields.side, "domain": fields.domain},
    "smallest": _RATIO | {"constant": fields.tree},
    "unbiased": _UNBIASED,
    "unbounded": _RATIO,
    "unique": {},
    "vanishing": {"domain": fields.domain, "terms": fields.list_of(fields.tree, 1), "variable": fields.identifier},
}
for _family in FAMILIES:
    STATEMENTS |= _family.STATEMENTS
OPTIONAL = {"invertible": frozenset({"probability"}), "mse": frozenset({"formula"})}

for _family in FAMILIES:
    OPTIONAL |= _family.OPTIONAL

_INSTANCE = {"instance"}
EVIDENCE: dict[tuple[str, str], tuple[set[str], ...]] = {
    ("all", "proved"): ({"parts"},),
    ("all", "verified"): ({"parts"},),
    ("all", "refuted"): ({"part", "evidence"},),
    ("completions", "ill_posed"): ({"completions"},),
    ("bernoulli-sum", "proved"): ({"lemma"},),
    ("bernoulli-sum", "refuted"): (_INSTANCE | {"users", "item"},),
    ("compare", "proved"): ({"step"},),
    ("compare", "refuted"): ({"values"},),
    ("computable", "proved"): ({"lemma"},),
    ("computable", "refuted"): ({"K", "N", "item", "results", "sets"},),
    ("definition", "verified"): ({"satisfied", "violated"},),
    ("exceeds", "refuted"): (_INSTANCE,),
    ("formula", "proved"): ({"steps"}, {"bits"}),
    ("formula", "verified"): ({"points", "bits"},),
    ("formula", "refuted"): ({"relation", "values"}, {"relation", "values", "bits"}),
    ("implies", "proved"): ({"lemma"},),
    ("implies", "refuted"): ({"channel"},),
    ("independent", "proved"): ({"kind"},),
    ("invertible", "proved"): ({"lemma"},),
    ("invertible", "refuted"): (_INSTANCE | {"s", "item"},),
    ("invertible-within", "proved"): ({"lemma"},),
    ("mse", "proved"): ({"lemma"},),
    ("mse", "refuted"): tuple(_INSTANCE | {"item", "exact", "stated", data} for data in ("users", "population")),
    ("no-channel", "refuted"): ({"channel"},),
    ("padding", "proved"): ({"lemma"},),
    ("padding", "verified"): ({"instances"},),
    ("padding", "refuted"): (_INSTANCE | {"s", "item"},),
    ("product-form", "proved"): ({"lemma", "factor"},),
    ("product-form", "refuted"): (_INSTANCE | {"s", "other", "output"},),
    ("ratio", "proved"): ({"lemma", "up", "down"}, {"lemma", "low", "factor"}),
    ("ratio", "verified"): ({"instances"},),
    ("ratio", "refuted"): (_INSTANCE | {"s", "other", "output", "probability", "other_probability"},),
    ("smaller-order", "proved"): ({"constant", "step"},),
    ("smaller-order", "refuted"): ({"constant", "step", "values"},),
    ("smallest", "proved"): ({"lemma"}, {"lemma", "up", "down"}, {"lemma", "low", "factor"}),
    ("smallest", "verified"): ({"instances"},),
    ("smallest", "refuted"): (_INSTANCE | {"exact", "stated"},),
    ("unbiased", "proved"): ({"lemma"},),
    ("unbiased", "refuted"): (_INSTANCE | {"users", "item", "exact", "stated"},),
    ("unbounded", "proved"): ({"lemma"},),
    ("unbounded", "refuted"): (_INSTANCE | {"exact"},),
    ("unique", "proved"): ({"kind", "patterns"},),
    ("vanishing", "proved"): ({"constants"},),
    ("vanishing", "refuted"): ({"term", "values"},),
}
for _family in FAMILIES:
    EVIDENCE |= _family.EVIDENCE
"""Fields of the evidence by type of statement and verdict; other verdicts have no evidence."""


def require_evidence(kind: str, verdict: Any, evidence: Any) -> None:
    """Raise `Rejected` unless the verdict exists for this type of statement and the evidence has its fields."""
    require(
        isinstance(verdict, str) and (kind, verdict) in EVIDENCE,
        f"no evidence makes this type of statement {verdict!r}",
    )
    require(
        isinstance(evidence, dict) and set(evidence) in EVIDENCE[kind, verdict], "other fields than this evidence has"
    )
