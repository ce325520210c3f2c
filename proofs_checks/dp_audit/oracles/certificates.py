"""The ids of the ledger that the oracles rest on: normalized law, privacy, expectation and variance of the estimates.

Only ids are here, no verdicts: that each of them is proved or verified is read from the ledger by a test. Where a
reading of a mechanism has no such statement, nothing is named; the oracle then still enumerates the program.
"""

from collections.abc import Callable, Mapping
from typing import Any

from flint import fmpq

Certificates = Callable[[Mapping[str, Any]], tuple[str, ...]]
"""From the parameters of an oracle that are given to ids of the ledger."""


def always(*ids: str, source: str = "002") -> Certificates:
    """The same ids at all parameters."""
    return lambda _: tuple(f"{source}.{name}" for name in ids)


def _sugrr(given: Mapping[str, Any]) -> tuple[str, ...]:
    view, relation = given.get("view", "multiset"), given.get("relation", "joint")
    ids = ["eq13.norm@split"]
    if view == "padded" or (view != "position" and relation != "marginal"):
        ids.append(f"thm1.sugrr.eq11@{view}-{relation}")
    if view in ("multiset", "position"):
        ids += [f"thm2.sugrr.sens@{view}", f"thm2.sugrr.non@{view}"]
        ids += [f"thm3.eq16.sens@{view}", f"thm3.eq16.non@{view}"]
    return always(*ids)(given)


def _sugrr_sample(given: Mapping[str, Any]) -> tuple[str, ...]:
    relation = given.get("relation", "joint")
    privacy = [f"thm1.sugrrsample.eq11@{relation}"] if relation != "marginal" else []
    variance = ("thm3.eq17.sens@fixed-data.corrected", "thm3.eq17.non@fixed-data.corrected")
    return always("eq13.norm@sample", *privacy, "thm2.sugrrsample.sens", "thm2.sugrrsample.non", *variance)(given)


def _bits(name: str, parameters: str, variance: str, corrected: str = "") -> Certificates:
    def certified(given: Mapping[str, Any]) -> tuple[str, ...]:
        relation = given.get("relation", "joint")
        privacy = f"thm4.{name}.eq11@{'sen-marginal' if relation == 'marginal' else relation}"
        moments = [f"thm5.{name}.sens", f"thm5.{name}.non"]
        moments += [f"thm6.{variance}.{kind}@fixed-data{corrected}" for kind in ("sens", "non")]
        return always(f"eq18.norm@{parameters}", privacy, *moments)(given)

    return certified


def _urap(given: Mapping[str, Any]) -> tuple[str, ...]:
    privacy = "base.urap.uldp@theta" if "theta" in given else "base.urap.uldp@default"
    return always(privacy, "base.urap.unbiased")(given)


def _split(given: Mapping[str, Any]) -> tuple[str, ...]:
    view = given.get("view", "vector")
    return always("base.grr.eq5.norm", f"base.grrsplit.privacy@{view}", "base.grrsplit.unbiased")(given)


def _suwheel(given: Mapping[str, Any]) -> tuple[str, ...]:
    relation = given.get("relation", "marginal")
    privacy = [f"thm7.eq11@{relation}"] if relation in ("marginal", "samenon") else []
    return always("alg1.line3.norm@atmost", *privacy, "alg1.ptrue@fixed", "alg1.line7@fixed", "thm8.non@fixed")(given)


def _the(given: Mapping[str, Any]) -> tuple[str, ...]:
    """Stated of thresholds between 0 and 1, as the best one is, which is taken where none is given."""
    theta = given.get("theta", fmpq(1, 2))
    return always("the.privacy", "the.unbiased", "the.var", source="lit.wang2017")(given) if 0 < theta < 1 else ()


_PRIVSET = always("base.privset.norm@plain", "base.privset.privacy", "base.privset.unbiased")
_HASHING = always("olh.privacy", "olh.unbiased", "olh.var", source="lit.wang2017")
CERTIFIED: Mapping[str, Certificates] = {
    "GRR": always("base.grr.eq5.norm", "base.grr.eq5.privacy", "base.grr.eq5.tight", "base.grr.unbiased"),
    "GRRSplit": _split,
    "GRRSample": always("base.grr.eq5.norm", "base.grrsample.privacy", "base.grrsample.unbiased"),
    "RAPPOR": always("base.rappor.one.privacy", "base.rappor.one.tight", "base.rappor.unbiased"),
    "RAPPORSet": always("base.rappor.eq6-7.privacy@exactm", "base.rappor.unbiased"),
    "RAPPORSample": always("base.rapporsample.privacy", "base.rapporsample.unbiased"),
    "URR": always("base.urr.norm", "base.urr.uldp", "base.urr.unbiased"),
    "URAP": _urap,
    "SuGRR": _sugrr,
    "SuGRRSample": _sugrr_sample,
    "SuRAP": _bits("surap", "split", "eq21"),
    "SuRAPSample": _bits("surapsample", "sample", "eq22", ".corrected"),
    "Wheel": always("base.wheel.eq8.norm", "base.wheel.privacy", "alg1.ptrue@fixed"),
    "SuWheel": _suwheel,
    "PrivSet": _PRIVSET,
    "SubsetSelection": _PRIVSET,
    "OUE": always("oue.privacy", "oue.unbiased", "oue.var", source="lit.wang2017"),
    "SHE": always("she.privacy", "she.unbiased", "she.var", source="lit.wang2017"),
    "THE": _the,
    **dict.fromkeys(("LocalHashing", "BLH", "OLH"), _HASHING),
    "FLH": lambda _: ("lit.wang2017.olh.privacy", "lit.cormode2021.flh.mean", "lit.cormode2021.flh.var@fixed"),
    "HadamardResponse": always("hr.privacy", "hr.unbiased", "hr.var", source="lit.bassily2017"),
    "ClientCMS": always(
        "client.norm", "client.ldp", "server.decode", "agg.unbiased@fixed.corrected", "supp.var.fixed", source="004"
    ),
    "HCMS": always("base.hcms.ldp", "base.hcms.sameexp", "base.hcms.var", source="004"),
}
"""By class of `dp_refimpl.mechanisms`; of the others the ledger says nothing."""
