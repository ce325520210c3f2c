"""Shapes of statements and evidence about laws on subsets (PrivSet)."""

from typing import Any

from dp_checks.kernel import fields
from dp_checks.kernel.fields import Check, require_fields
from dp_checks.kernel.rejected import require


def _table(value: Any) -> None:
    require_fields(value, {"reading": fields.one_of("plain", "padded"), "hit": fields.tree, "miss": fields.tree})


def _objectives(value: Any) -> None:
    fields.list_of(fields.tree, 2)(value)
    require(len(value) == 2, "two objectives are compared")


def _estimator(value: Any) -> None:
    require_fields(value, {"slope": fields.tree, "offset": fields.tree})


_TABLE: dict[str, Check] = {"table": _table}
_OBJECTIVE = _TABLE | {"objective": fields.tree}
_CONSTRAINTS: dict[str, Check] = {"constraints": fields.list_of(fields.tree)}

STATEMENTS: dict[str, dict[str, Check]] = {
    "subsets-law": _TABLE | {"held": fields.tree, "other": fields.tree},
    "subsets-ratio": _TABLE,
    "subsets-smallest": _TABLE | {"constant": fields.tree},
    "subsets-unbiased": _TABLE | {"estimator": _estimator},
    "subsets-same-choice": _TABLE | _CONSTRAINTS | {"objectives": _objectives},
    "subsets-best": _OBJECTIVE | {"radicand": fields.tree, "shift": fields.tree, "scale": fields.tree},
    "subsets-no-formula": _OBJECTIVE,
    "subsets-convex": _OBJECTIVE,
    "subsets-better": _TABLE | _CONSTRAINTS | {"rival": fields.tree},
    "subsets-error-above": _TABLE | {"bound": fields.tree, "domain": fields.domain},
}
OPTIONAL: dict[str, frozenset[str]] = {}

REFUTED = ("law", "ratio", "smallest", "unbiased", "best", "convex", "error-above")
"""Refuted by an instance alone."""
_FORMULA = {"condition", "factor"}
EVIDENCE: dict[tuple[str, str], tuple[set[str], ...]] = {
    **{(f"subsets-{name}", "proved"): ({"lemma"},) for name in ("law", "ratio", "smallest", "unbiased", "convex")},
    **{(f"subsets-{name}", "refuted"): ({"instance"},) for name in REFUTED},
    ("subsets-same-choice", "proved"): ({"lemma"},),
    ("subsets-same-choice", "refuted"): ({"instance", "best"},),
    ("subsets-best", "proved"): (_FORMULA,),
    ("subsets-no-formula", "refuted"): (_FORMULA | {"radicand", "shift", "scale"},),
    ("subsets-better", "proved"): ({"multiple", "square", "slope", "constant"},),
    ("subsets-better", "refuted"): ({"instance", "errors", "rival"},),
    ("subsets-error-above", "proved"): ({"lemma", "step"},),
}
