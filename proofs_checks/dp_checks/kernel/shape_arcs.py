"""Shapes of statements and evidence about laws on arcs (Wheel, suWheel)."""

from dp_checks.kernel import fields
from dp_checks.kernel.fields import Check

_SEEN: dict[str, Check] = {"law": fields.law, "view": fields.text}
_EXACT: dict[str, Check] = _SEEN | {"sizes": fields.one_of("exactm"), "where": fields.list_of(fields.tree)}
_RATIO: dict[str, Check] = _EXACT | {
    "relation": fields.one_of("ldp", "marginal", "joint", "deniability", "samenon"),
    "counted": fields.one_of("all"),
    "sizes": fields.one_of("exactm", "atmost", "all"),
    "any_order": fields.flag,
}
_UNBIASED: dict[str, Check] = _EXACT | {
    "item": fields.one_of("sensitive", "nonsensitive"),
    "estimator": fields.estimator,
}
_ERROR: dict[str, Check] = _UNBIASED | {"data": fields.one_of("fixed", "iid"), "formula": fields.tree}

STATEMENTS: dict[str, dict[str, Check]] = {
    "arcs-density": _SEEN | {"view": fields.one_of("hash"), "items": fields.tree},
    "arcs-cover": _SEEN
    | {
        "view": fields.one_of("hash"),
        "reading": fields.one_of("mod1", "printed-open", "printed-closed", "server"),
        "same": fields.one_of("everywhere", "almost"),
        "values": fields.one_of("closed", "halfopen"),
    },
    "arcs-cover-length": _SEEN | {"view": fields.one_of("hash"), "bound": fields.tree},
    "arcs-density-ratio": _SEEN
    | {
        "view": fields.one_of("hash"),
        "case": fields.one_of("inout", "inin", "outin", "outout"),
        "ratio": fields.tree,
    },
    "arcs-hit": _EXACT | {"event": fields.one_of("held", "other", "emitted"), "probability": fields.tree},
    "arcs-invertible": _EXACT | {"epsilon": fields.one_of("positive", "zero"), "probability": fields.tree},
    "arcs-invertible-within": _SEEN,
    "arcs-mse": _ERROR,
    "arcs-ratio": _RATIO,
    "arcs-smallest": _RATIO | {"constant": fields.tree},
    "arcs-unbiased": _UNBIASED,
    "arcs-unbounded": _RATIO,
    "arcs-variance": _ERROR,
    "best-arc": {"base": fields.identifier, "error": fields.tree, "arc": fields.tree, "most": fields.tree},
}
OPTIONAL: dict[str, frozenset[str]] = {
    "arcs-density": frozenset({"items"}),
    "arcs-invertible": frozenset({"probability"}),
    "arcs-mse": frozenset({"formula"}),
}

_LEMMA = ({"lemma"},)
_AT = {"instance", "hash"}
_PAIR = _AT | {"s", "other", "point"}
_SHOWN = {"exact", "stated"}
_ESTIMATE = {"instance", "hashes", "item", *_SHOWN}
EVIDENCE: dict[tuple[str, str], tuple[set[str], ...]] = {
    **{(kind, "proved"): _LEMMA for kind in STATEMENTS},
    ("arcs-density", "refuted"): (_AT | {"s"},),
    ("arcs-cover", "refuted"): ({"instance", "value", "point"},),
    ("arcs-cover-length", "refuted"): (_AT | {"s"} | _SHOWN,),
    ("arcs-density-ratio", "refuted"): (_PAIR | _SHOWN,),
    ("arcs-hit", "refuted"): (_ESTIMATE | {"s"},),
    ("arcs-mse", "refuted"): (_ESTIMATE | {"users"}, _ESTIMATE | {"population"}),
    ("arcs-ratio", "refuted"): (_PAIR | {"invertible", "density", "other_density"},),
    ("arcs-smallest", "refuted"): (_PAIR | {"invertible", "density", "other_density"},),
    ("arcs-unbiased", "refuted"): (_ESTIMATE | {"users"},),
    ("arcs-variance", "refuted"): (_ESTIMATE | {"users"},),
    ("best-arc", "refuted"): ({"instance", "better", *_SHOWN},),
}
