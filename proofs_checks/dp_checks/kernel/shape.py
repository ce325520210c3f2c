"""The shape of statements and evidence: which fields there are and what may stand in them, so that nothing goes
unread.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from dp_checks.kernel.exact import integer
from dp_checks.kernel.rejected import require

Check = Callable[[Any], None]

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,30}")
SIZES = frozenset({"m", "K", "N"})
RESERVED = SIZES | {"n", "f", "g", "size", "held"}
"""Names with a fixed meaning, which no law may give another one."""

ARITY = {"add": 2, "sub": 2, "mul": 2, "div": 2, "pow": 2, "neg": 1, "exptrunc": 2, "exp": 1, "log": 1, "sqrt": 1}
VIEWS = {
    ("items", "all"): ("set", "multiset", "position", "padded", "vector"),
    ("items", "one"): ("one",),
    ("bits", "all"): ("sen", "whole"),
    ("bits", "one"): ("sen", "whole"),
    ("bits", "each"): ("sen",),
}
"""What can be seen of a report, by unit and draw of its law."""

PREDICATES = frozenset(
    {
        *("ldp", "ldp-events", "ldp-density", "uldp-inversion", "uldp-protection"),
        *("eq9-membership", "eq9-coordinate", "eq10-membership", "eq10-coordinate"),
        *("eq11-marginal", "eq11-marginal-nonempty", "eq11-joint", "eq11-deniability", "eq11-samenon"),
        *("mixed-input", "varying-t", "random-t", "no-sensitive-element-beside-invertible-data"),
    }
)


def require_fields(value: Any, checks: Mapping[str, Check], optional: frozenset[str] = frozenset()) -> None:
    """An object with exactly these fields, each passing its check."""
    require(isinstance(value, dict), "an object is missing")
    missing, unknown = checks.keys() - optional - value.keys(), value.keys() - checks.keys()
    require(not missing and not unknown, f"fields missing: {sorted(missing)}; not known: {sorted(unknown)}")
    for name, content in value.items():
        checks[name](content)


def require_statement(statement: Any) -> None:
    """Raise `Rejected` unless the statement has the fields of its type, all of them with values that have a meaning."""
    require(isinstance(statement, dict) and statement.get("type") in STATEMENTS, "unknown type of statement")
    kind = statement["type"]
    fields = {"type": _one_of(kind), **STATEMENTS[kind]}
    require_fields(statement, fields, OPTIONAL.get(kind, frozenset()))
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


def _one_of(*allowed: Any) -> Check:
    return lambda value: require(isinstance(value, str) and value in allowed, f"{value!r} is none of {allowed}")


def _integer(value: Any) -> None:
    integer(value)


def _flag(value: Any) -> None:
    require(isinstance(value, bool), f"{value!r} is neither true nor false")


def _text(value: Any) -> None:
    require(isinstance(value, str), f"{value!r} is no string")


def _name(value: Any) -> None:
    require(isinstance(value, str) and NAME.fullmatch(value) is not None, f"{value!r} is no name")


def _list_of(check: Check, least: int = 0) -> Check:
    def listed(value: Any) -> None:
        require(isinstance(value, list) and len(value) >= least, f"a list of at least {least} is missing")
        for item in value:
            check(item)

    return listed


def _tree(value: Any) -> None:
    if isinstance(value, list):
        require(bool(value) and isinstance(value[0], str), "not an expression")
        known = len(value) > 1 if value[0] == "min" else ARITY.get(value[0]) == len(value) - 1
        require(known, f"not an operator, or not with so many arguments: {value[0]!r}")
        for argument in value[1:]:
            _tree(argument)
    elif isinstance(value, str):
        _name(value)
    else:
        integer(value)


def _maybe_tree(value: Any) -> None:
    if value is not None:
        _tree(value)


def _law(value: Any) -> None:
    require_fields(value, LAW)
    require((value["unit"], value["draw"]) in VIEWS, "a law that nothing is known of")
    own = [value["base"], *value["parameters"]]
    require(len(set(own)) == len(own) and not set(own) & RESERVED, f"the names {own} mean something else")


def _estimator(value: Any) -> None:
    require_fields(value, {"slope": _tree, "offset": _tree, "per_invertible": _tree}, frozenset({"per_invertible"}))


def _estimators(value: Any) -> None:
    _list_of(_estimator)(value)
    require(len(value) == 2, "an estimator for sensitive and one for non-sensitive items")


def _relation(value: Any) -> None:
    require(isinstance(value, list) and len(value) == 3, "a relation has an operator and two sides")
    _one_of("eq", "le", "lt")(value[0])
    _tree(value[1])
    _tree(value[2])


def _range(value: Any) -> None:
    require_fields(value, {"min": _integer, "strict": _flag, "integer": _flag, "unit": _flag})
    require(not (value["unit"] and value["integer"]), "no integer lies strictly between 0 and 1")


def _domain(value: Any) -> None:
    lemma = {"name": _one_of("bernoulli"), "v": _name, "m": _name, "w": _name}
    require_fields(
        value,
        {
            "variables": lambda ranges: require(isinstance(ranges, dict), "ranges are missing"),
            "constraints": _list_of(_tree),
            "lemmas": _list_of(lambda found: require_fields(found, lemma)),
        },
    )
    for name, spec in value["variables"].items():
        _name(name)
        _range(spec)


def _completions(value: Any) -> None:
    require(isinstance(value, dict) and len(value) == 2, "two completions of the print")


def _side(value: Any) -> None:
    require(isinstance(value, dict), "a side is a statement")


LAW: dict[str, Check] = {
    "mechanism": _text,
    "unit": _one_of("items", "bits"),
    "draw": _one_of("all", "one", "each"),
    "base": _name,
    "power": _tree,
    "p": _tree,
    "q": _tree,
    "r": _maybe_tree,
    "parameters": _list_of(_name),
}
_SEEN: dict[str, Check] = {"law": _law, "view": _text}
_EXACT: dict[str, Check] = _SEEN | {"sizes": _one_of("exactm"), "where": _list_of(_tree)}
_RATIO: dict[str, Check] = _EXACT | {
    "relation": _one_of("ldp", "marginal", "joint", "deniability", "samenon"),
    "counted": _one_of("all", "nonempty"),
    "sizes": _one_of("exactm", "atmost", "all"),
    "any_order": _flag,
}
_UNBIASED: dict[str, Check] = _EXACT | {"item": _one_of("sensitive", "nonsensitive"), "estimator": _estimator}
_PREDICATES = _list_of(_one_of(*sorted(PREDICATES)), 1)

STATEMENTS: dict[str, dict[str, Check]] = {
    "all": {"parts": _list_of(_side, 1)},
    "completions": {"completions": _completions},
    "bernoulli-sum": _EXACT,
    "compare": {"left": _side, "right": _side, "domain": _domain},
    "computable": _SEEN,
    "definition": {"forms": _PREDICATES},
    "exceeds": _RATIO,
    "formula": {"domain": _domain, "relations": _list_of(_relation, 1)},
    "implies": {"premises": _PREDICATES, "conclusions": _PREDICATES, "inputs": _one_of("m-sets", "singletons")},
    "independent": {"terms": _list_of(_tree, 1), "variables": _list_of(_name, 1)},
    "invertible": _EXACT | {"epsilon": _one_of("positive", "zero"), "probability": _tree},
    "invertible-within": _SEEN,
    "mse": _UNBIASED | {"data": _one_of("fixed", "iid"), "formula": _tree},
    "no-channel": {"predicates": _PREDICATES},
    "padding": _EXACT | {"mode": _one_of("long", "existing"), "estimator": _estimators, "mean": _tree},
    "product-form": _EXACT,
    "ratio": _RATIO,
    "smaller-order": {"left": _side, "right": _side, "domain": _domain},
    "smallest": _RATIO | {"constant": _tree},
    "unbiased": _UNBIASED,
    "unique": {},
    "vanishing": {"domain": _domain, "terms": _list_of(_tree, 1), "variable": _name},
}
OPTIONAL = {"invertible": frozenset({"probability"}), "mse": frozenset({"formula"})}

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
    ("formula", "proved"): ({"steps"},),
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
    ("unique", "proved"): ({"kind", "patterns"},),
    ("vanishing", "proved"): ({"constants"},),
    ("vanishing", "refuted"): ({"term", "values"},),
}
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
