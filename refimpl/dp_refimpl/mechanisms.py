"""Every mechanism of users by its name: one record each, of which the command line, tables, ties, audits, vectors and
pages are made. Adding a mechanism is adding its record here; CONTRIBUTING.md goes through it. (Those of curators, who
hold tables: `syntheses`.)
"""

from collections.abc import Mapping
from inspect import signature
from typing import Any, get_args, get_type_hints

from flint import fmpq

from dp_refimpl.frequency.count_sketch import ClientCMS
from dp_refimpl.frequency.grr import GRR, GRRSample, GRRSplit
from dp_refimpl.frequency.hadamard import HCMS, HadamardResponse
from dp_refimpl.frequency.histogram import SHE, THE
from dp_refimpl.frequency.local_hashing import BLH, FLH, OLH, LocalHashing
from dp_refimpl.frequency.privset import PrivSet
from dp_refimpl.frequency.rappor import RAPPOR, RAPPORSample, RAPPORSet
from dp_refimpl.frequency.subset_selection import SubsetSelection
from dp_refimpl.frequency.sugrr import SuGRR, SuGRRSample
from dp_refimpl.frequency.surap import SuRAP, SuRAPSample
from dp_refimpl.frequency.suwheel import SuWheel
from dp_refimpl.frequency.unary import OUE
from dp_refimpl.frequency.urap import URAP
from dp_refimpl.frequency.urr import URR
from dp_refimpl.frequency.wheel import Wheel
from dp_refimpl.records import Claims, Mechanism, always
from dp_spec.vocabulary.names import require_name
from dp_spec.vocabulary.scalar import Ordering, compare

__all__ = [
    "BLH",
    "FLH",
    "GRR",
    "HCMS",
    "MECHANISMS",
    "OLH",
    "OUE",
    "RAPPOR",
    "SHE",
    "THE",
    "URAP",
    "URR",
    "ClientCMS",
    "GRRSample",
    "GRRSplit",
    "HadamardResponse",
    "LocalHashing",
    "PrivSet",
    "RAPPORSample",
    "RAPPORSet",
    "SuGRR",
    "SuGRRSample",
    "SuRAP",
    "SuRAPSample",
    "SuWheel",
    "SubsetSelection",
    "Wheel",
    "mechanism_of",
]

# --- claims that depend on the reading --------------------------------------------------------------------------------


def _sugrr(values: Mapping[str, Any]) -> tuple[str, ...]:
    view, relation = values.get("view", "multiset"), values.get("relation", "joint")
    ids = ["eq13.norm@split"]
    if view == "padded" or (view != "position" and relation != "marginal"):
        ids.append(f"thm1.sugrr.eq11@{view}-{relation}")
    if (view, relation) == ("position", "samenon"):  # sensitive items come first, where sizes are given
        ids.append("thm1.sugrr.eq11@position-samenon.corrected")
    if view in ("multiset", "position"):
        ids += [f"thm2.sugrr.sens@{view}", f"thm2.sugrr.non@{view}"]
        ids += [f"thm3.eq16.sens@{view}", f"thm3.eq16.non@{view}"]
    return always(*ids)(values)


def _sugrr_sample(values: Mapping[str, Any]) -> tuple[str, ...]:
    relation = values.get("relation", "joint")
    privacy = [f"thm1.sugrrsample.eq11@{relation}"] if relation != "marginal" else []
    variance = ("thm3.eq17.sens@fixed-data.corrected", "thm3.eq17.non@fixed-data.corrected")
    return always("eq13.norm@sample", *privacy, "thm2.sugrrsample.sens", "thm2.sugrrsample.non", *variance)(values)


def _bits(name: str, parameters: str, variance: str, corrected: str = "") -> Claims:
    def claims(values: Mapping[str, Any]) -> tuple[str, ...]:
        relation = values.get("relation", "joint")
        privacy = f"thm4.{name}.eq11@{'sen-marginal' if relation == 'marginal' else relation}"
        moments = [f"thm5.{name}.sens", f"thm5.{name}.non"]
        moments += [f"thm6.{variance}.{kind}@fixed-data{corrected}" for kind in ("sens", "non")]
        return always(f"eq18.norm@{parameters}", privacy, *moments)(values)

    return claims


def _urap(values: Mapping[str, Any]) -> tuple[str, ...]:
    privacy = "base.urap.uldp@theta" if "theta" in values else "base.urap.uldp@default"
    return always(privacy, "base.urap.unbiased")(values)


def _split(values: Mapping[str, Any]) -> tuple[str, ...]:
    view = values.get("view", "vector")
    return always("base.grr.eq5.norm", f"base.grrsplit.privacy@{view}", "base.grrsplit.unbiased")(values)


def _suwheel(values: Mapping[str, Any]) -> tuple[str, ...]:
    relation = values.get("relation", "marginal")
    privacy = [f"thm7.eq11@{relation}"] if relation in ("marginal", "samenon") else []
    return always("alg1.line3.norm@atmost", *privacy, "alg1.ptrue@fixed", "alg1.line7@fixed", "thm8.non@fixed")(values)


def _the(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Stated of thresholds between 0 and 1, as the best one is, which is taken where none is given."""
    theta = values.get("theta", fmpq(1, 2))
    inside = compare(theta, 0) is compare(1, theta) is Ordering.GREATER
    return always("the.privacy", "the.unbiased", "the.var", source="lit.wang2017")(values) if inside else ()


_PRIVSET = always("base.privset.norm@plain", "base.privset.privacy", "base.privset.unbiased")
_HASHING = always("olh.privacy", "olh.unbiased", "olh.var", source="lit.wang2017")

# --- laws and reports in words ----------------------------------------------------------------------------------------

_GRR = "the true item with probability e^epsilon / (e^epsilon + d - 1), every other one equally often"
_UNARY = "every bit of the item's indicator on its own: 1 stays 1 with probability {}, 0 becomes 1 with probability {}"
_HALF = "e^(epsilon/2) / (e^(epsilon/2) + 1)", "1 / (e^(epsilon/2) + 1)"
_NOISE = "every bit of the item's indicator + Laplace noise of scale 2 / epsilon"
_CELL = "GRR on the g cells, of the cell that the hash function gives the item"
_PROTECTED = "a sensitive item: itself with probability {0} / ({0} + K - 1), every other sensitive one equally often; "
_PROTECTED += "another item: each sensitive one with probability 1 / ({0} + K - 1), else itself"
_SHOWN = "{0}, with t = {1}: the sensitive bits: 1 stays 1 with probability t / (t + 1), 0 becomes 1 with probability "
_SHOWN += "1 / (t + 1); an item that is not sensitive is shown, if it is held, with probability (t - 1) / t"
_ARCS = (
    "a point of the circle [0, 1), of density e^epsilon / W where an arc of one of the m items is, W = m p e^epsilon"
)
_ARCS += " + 1 - m p, and of another constant density elsewhere; the arc of x is [hash(x), hash(x) + p), p = 1 / (2m - "
_ARCS += "1 + m e^epsilon)"
_SETS = "a set of k items; those that hold one of the m items are e^epsilon times as probable as the others"
_ALL_BITS, _SENSITIVE_BITS = "d bits", "[the K sensitive bits, I]"
_POINT = "the set of the items whose arcs hold the point"
_FUNCTION = "number of the hash function"
_TABLE = "[the cell, the table of the function]"

# --- parameters of vectors --------------------------------------------------------------------------------------------

_SIZES: tuple[Mapping[str, object], ...] = tuple(
    {"d": d, "epsilon": epsilon} for d, epsilon in ((2, "ln(2)"), (3, "ln(3)"), (3, 1.0), (4, 0.5))
)
_RATIONAL: tuple[Mapping[str, object], ...] = tuple(
    {"d": d, "epsilon": epsilon} for d, epsilon in ((2, "ln(2)"), (3, "ln(3)"), (4, "ln(3/2)"))
)
"""Where estimates or their expectations can be 0 by cancellation, which no ball around an irrational number tells."""
_HASHED: tuple[Mapping[str, object], ...] = (
    {"d": 2, "g": 2, "hash": (0, 1), "epsilon": "ln(2)"},
    {"d": 3, "g": 2, "hash": (0, 1, 1), "epsilon": "ln(3)"},
    {"d": 3, "g": 3, "hash": (2, 0, 2), "epsilon": "ln(3)"},
    {"d": 4, "g": 4, "hash": (1, 3, 0, 3), "epsilon": "ln(2)"},
)

# --- records ----------------------------------------------------------------------------------------------------------

_RECORDS = (
    Mechanism(
        program=GRR,
        laws=(),
        law=_GRR,
        report="an item",
        example='GRR(d=3, epsilon="ln(4)")',
        claims=always("base.grr.eq5.norm", "base.grr.eq5.privacy", "base.grr.eq5.tight", "base.grr.unbiased"),
        oracles=("GRR",),
        vectors=_SIZES,
    ),
    Mechanism(
        program=GRRSplit,
        laws=("grr-split",),
        law="GRR with epsilon / m of each of the m items, independently",
        report="the m results in the order of the items held (view multiset: sorted)",
        example='GRRSplit(d=3, m=2, epsilon="ln(4)", view="multiset")',
        claims=_split,
    ),
    Mechanism(
        program=GRRSample,
        laws=("grr-sample",),
        law="one of the m items, uniformly, then GRR",
        report="an item",
        example='GRRSample(d=3, m=2, epsilon="ln(4)")',
        claims=always("base.grr.eq5.norm", "base.grrsample.privacy", "base.grrsample.unbiased"),
    ),
    Mechanism(
        program=RAPPOR,
        laws=(),
        law=_UNARY.format(*_HALF),
        report=_ALL_BITS,
        example='RAPPOR(d=2, epsilon="ln(4)")',
        claims=always("base.rappor.one.privacy", "base.rappor.one.tight", "base.rappor.unbiased"),
        aliases=("SUE",),
        oracles=("SUE",),
        vectors=_SIZES,
    ),
    Mechanism(
        program=RAPPORSet,
        laws=("rappor-set",),
        law=_UNARY.format("e^(epsilon/(2m)) / (e^(epsilon/(2m)) + 1)", "1 / (e^(epsilon/(2m)) + 1)").replace(
            "item's indicator", "m items' indicator"
        ),
        report=_ALL_BITS,
        example='RAPPORSet(d=3, m=2, epsilon="ln(16)")',
        claims=always("base.rappor.eq6-7.privacy@exactm", "base.rappor.unbiased"),
    ),
    Mechanism(
        program=RAPPORSample,
        laws=("rappor-sample",),
        law="one of the m items, uniformly, then SUE",
        report=_ALL_BITS,
        example='RAPPORSample(d=3, m=2, epsilon="ln(4)")',
        claims=always("base.rapporsample.privacy", "base.rapporsample.unbiased"),
    ),
    Mechanism(
        program=URR,
        laws=("urr",),
        law=_PROTECTED.format("e^epsilon"),
        report="an item",
        example='URR(sensitive=[0, 1], nonsensitive=[2], epsilon="ln(2)")',
        claims=always("base.urr.norm", "base.urr.uldp", "base.urr.unbiased"),
        relation="joint",
    ),
    Mechanism(
        program=URAP,
        laws=("urap",),
        law="every bit on its own: a sensitive item's own bit is 1 with probability theta, every other sensitive bit "
        "with d1 = theta / ((1 - theta) e^epsilon + theta); an item that is not sensitive is shown with probability "
        "1 - theta / (d1 e^epsilon)",
        report=_SENSITIVE_BITS,
        example='URAP(sensitive=[0, 1], nonsensitive=[2], epsilon="ln(4)")',
        claims=_urap,
        relation="joint",
    ),
    Mechanism(
        program=SuGRR,
        laws=("sugrr",),
        law=f"each of the m items on its own, with e0 = e^(epsilon/m): {_PROTECTED.format('e0')}",
        report="[the sensitive results, I]; they are sorted (multiset; padded: with a uniform sensitive item for every "
        "result that is not sensitive), a set (set), or one for each item held, null where it is not sensitive "
        "(position)",
        example='SuGRR(sensitive=[0, 1], nonsensitive=[2], m=2, epsilon="ln(4)")',
        claims=_sugrr,
        relation="joint",
    ),
    Mechanism(
        program=SuGRRSample,
        laws=("sugrr-sample",),
        law=f"one of the m items, uniformly, then as uRR: {_PROTECTED.format('e^epsilon')}",
        report="[the sensitive item or null, I]",
        example='SuGRRSample(sensitive=[0, 1], nonsensitive=[2], m=2, epsilon="ln(4)")',
        claims=_sugrr_sample,
        relation="joint",
    ),
    Mechanism(
        program=SuRAP,
        laws=("surap",),
        law=_SHOWN.format("every bit on its own", "e^(epsilon/(2m))"),
        report=_SENSITIVE_BITS,
        example='SuRAP(sensitive=[0, 1], nonsensitive=[2], m=2, epsilon="ln(16)")',
        claims=_bits("surap", "split", "eq21"),
        views=("sen", "whole"),
        relation="joint",
    ),
    Mechanism(
        program=SuRAPSample,
        laws=("surap-sample",),
        law=_SHOWN.format("one of the m items, uniformly, and then every bit on its own", "e^(epsilon/2)"),
        report=_SENSITIVE_BITS,
        example='SuRAPSample(sensitive=[0, 1], nonsensitive=[2], m=2, epsilon="ln(4)")',
        claims=_bits("surapsample", "sample", "eq22", ".corrected"),
        views=("sen", "whole"),
        relation="joint",
    ),
    Mechanism(
        program=Wheel,
        laws=("wheel",),
        law=_ARCS,
        report=_POINT,
        example='Wheel(d=3, m=2, epsilon="ln(2)")',
        claims=always("base.wheel.eq8.norm", "base.wheel.privacy", "alg1.ptrue@fixed"),
    ),
    Mechanism(
        program=SuWheel,
        laws=("suwheel",),
        law=f"{_ARCS}; I are the items held that are not sensitive and whose arc does not hold the point",
        report=f"[{_POINT}, I]",
        example='SuWheel(sensitive=[0, 1], nonsensitive=[2], m=2, epsilon="ln(2)")',
        claims=_suwheel,
        relation="marginal",  # no constant bounds it in `joint`
    ),
    Mechanism(
        program=PrivSet,
        laws=("privset",),
        law=_SETS,
        report="the set of k items",
        example='PrivSet(d=4, m=2, k=2, epsilon="ln(2)")',
        claims=_PRIVSET,
    ),
    Mechanism(
        program=OUE,
        laws=("unary-oue",),
        law=_UNARY.format("1/2", "1 / (e^epsilon + 1)"),
        report=_ALL_BITS,
        example='OUE(d=2, epsilon="ln(4)")',
        claims=always("oue.privacy", "oue.unbiased", "oue.var", source="lit.wang2017"),
        oracles=("OUE",),
        vectors=_SIZES,
    ),
    Mechanism(
        program=SHE,
        laws=("histogram-she",),
        law=_NOISE,
        report="d numbers, of infinitely many",
        example='SHE(d=2, epsilon="ln(4)")',
        claims=always("she.privacy", "she.unbiased", "she.var", source="lit.wang2017"),
        oracles=(),
    ),
    Mechanism(
        program=THE,
        laws=("histogram-the",),
        law=f"{_NOISE}; 1 where the sum is above theta",
        report="d bits; theta is the threshold with the smallest variance if it is not given",
        example='THE(d=2, epsilon="ln(16)", theta=Fraction(1, 2))',
        claims=_the,
        needed=("theta",),
        oracles=("THE",),
        vectors=tuple({**sizes, "theta": "3/4"} for sizes in _SIZES),
    ),
    Mechanism(
        program=LocalHashing,
        laws=("local_hashing-olh",),
        law=_CELL,
        report="the pair of a seed and a cell (with --hash NAME); the cell alone, given the hash function",
        example='LocalHashing(d=2, epsilon="ln(4)", family=AllFunctions((0, 1), 2))',
        claims=_HASHING,
        aliases=("LH",),
        needed=("g",),
        optional=("functions",),
        oracles=("LH", "FLH", "LH-ideal"),
        vectors=_HASHED,
    ),
    Mechanism(
        program=BLH,
        laws=(),
        law=f"the function is uniform among all 2^d; {_CELL}",
        report=_TABLE,
        example='BLH(d=2, epsilon="ln(4)")',
        claims=_HASHING,
        optional=("functions",),
        oracles=("LH", "FLH", "LH-ideal"),
    ),
    Mechanism(
        program=OLH,
        laws=(),
        law=f"the function is uniform among all g^d; {_CELL}",
        report=_TABLE,
        example='OLH(d=2, epsilon="ln(2)")',
        claims=_HASHING,
        optional=("functions", "rounding"),
        oracles=("LH", "FLH", "LH-ideal"),
    ),
    Mechanism(
        program=FLH,
        laws=(),
        law=f"the number of the function is uniform; {_CELL}",
        report="[the cell, the number of the function]",
        example='FLH(d=2, epsilon="ln(4)", family=PublicFunctions((LabelFunction((0, 1), (0, 1), 2),)))',
        claims=lambda _: ("lit.wang2017.olh.privacy", "lit.cormode2021.flh.mean", "lit.cormode2021.flh.var@fixed"),
        needed=("functions", "g"),
        oracles=("FLH",),
    ),
    Mechanism(
        program=SubsetSelection,
        laws=(),
        law="a set of k items: with the true item with probability k e^epsilon / (k e^epsilon + d - k), else without; "
        "all such sets equally often",
        report="the set of k items",
        example='SubsetSelection(d=3, k=2, epsilon="ln(4)")',
        claims=_PRIVSET,
        aliases=("SS",),
        optional=("k",),
        oracles=("SS",),
        vectors=tuple({**sizes, "k": k} for sizes, k in zip(_SIZES, (1, 1, 2, 2), strict=True)),
    ),
    Mechanism(
        program=HadamardResponse,
        laws=("hadamard-response",),
        law="t uniform indices i; the signs H[i, first + item], (-1)^popcount(i & (first + item)), are all kept with "
        "probability e^epsilon / (e^epsilon + 2^t - 1), every other tuple of signs equally often; 0 <= i < D, the "
        "smallest power of two >= d + first",
        report="[index, sign 1 or -1], of column first + x of the Hadamard matrix; for t > 1, t such pairs",
        example='HadamardResponse(d=2, epsilon="ln(4)")',
        claims=always("hr.privacy", "hr.unbiased", "hr.var", source="lit.bassily2017"),
        optional=("first",),
        oracles=("HM",),
        vectors=_RATIONAL,
    ),
    Mechanism(
        program=ClientCMS,
        laws=("count_sketch-cms", "count_sketch-records"),
        law="m signs, 1 in the item's cell and -1 elsewhere, each flipped with probability 1 / (e^(epsilon/2) + 1); "
        "the number of the function is uniform",
        report=f"[m signs 1 or -1, {_FUNCTION}]",
        example='ClientCMS(d=2, epsilon="ln(16)", functions=(LabelFunction((0, 1), (0, 1), 2),))',
        claims=always(
            "client.norm", "client.ldp", "server.decode", "agg.unbiased@fixed.corrected", "supp.var.fixed", source="004"
        ),
        aliases=("CMS",),
        needed=("functions", "m"),
        oracles=("CMS",),
    ),
    Mechanism(
        program=HCMS,
        laws=("hadamard-hcms",),
        law="the entry H[index, cell of the item], (-1)^popcount(index & cell), flipped with probability "
        "1 / (e^epsilon + 1); index below m (a power of two) and number of the function are uniform",
        report=f"[sign 1 or -1, {_FUNCTION}, index]",
        example='HCMS(d=2, epsilon="ln(4)", functions=(LabelFunction((0, 1), (0, 1), 2),))',
        claims=always("base.hcms.ldp", "base.hcms.sameexp", "base.hcms.var", source="004"),
        needed=("functions", "m"),
        oracles=("HCMS",),
    ),
)
RECORDS: Mapping[str, Mechanism] = {record.name: record for record in _RECORDS}
"""The records by their names."""
MECHANISMS: Mapping[str, type[Any]] = {name: record.program for name, record in RECORDS.items()}
"""The classes by their names."""
ALIASES: Mapping[str, str] = {alias: record.name for record in _RECORDS for alias in record.aliases}
"""Other names of the literature."""


def mechanism_of(name: str) -> type[Any]:
    """The class of a mechanism, or of one of the `ALIASES`; capitals and hyphens do not matter (`sugrr-sample` is
    SuGRRSample).

    Raises `DomainError` with suggestions for an unknown name.
    """
    canonical = require_name("mechanism", name, (*MECHANISMS, *ALIASES))
    return MECHANISMS[ALIASES.get(canonical, canonical)]


def views_of(mechanism: type[Any]) -> tuple[str, ...]:
    """The readings of a mechanism's report, values of its field `view`; none if there is one only."""
    return get_args(get_type_hints(mechanism).get("view"))


def has_public_hash(mechanism: type[Any]) -> bool:
    """Whether `randomize` takes the public hash function, on which laws are conditional (Wheel, suWheel)."""
    return "h" in signature(mechanism.randomize).parameters
