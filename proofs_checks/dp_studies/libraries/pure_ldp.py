"""pure-ldp 1.2.0: its frequency oracles, with the defaults of its README."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dp_studies.libraries.base import FAR, LN3, Audited, Library, Repair

SEED = (3,)
"""Seed 3 of xxh32: cells 0, 0, 1 (g = 2), 0, 1, 1 (g = 3) and 0, 2, 1 (g = 4) of the items 0, 1, 2."""


CHECKED = Repair(
    "`index = int(self.index_mapper(data))` in DEClient, and a ValueError unless `0 <= index < self.d`; for a "
    "budget whose e^-epsilon is below 2^-53, coins that have more bits than one double (an integer below a large one)",
    "GRR_repaired",
)
REFUSED = Repair("a ValueError in the client unless `0 <= index < self.d`", "SUE_repaired")
HADAMARD = Repair(
    "`list(zip(...))` in the client's branch that perturbs; coefficients drawn, and summed by the server, below "
    "the size of the matrix, the next power of two, instead of below d; and a ValueError unless `0 <= index < self.d`",
    "HM_repaired",
)
UNBIASED = Repair(
    "every entry that is added to the sketch is multiplied by (e^epsilon + 1) / (e^epsilon - 1), which the client's "
    "coin divides it by",
    "PCS_repaired",
)


SKETCH: Mapping[str, Any] = {"handed": ("d", "epsilon", "k", "m"), "asks": True}


def _counts(adapter: str, oracle: str, *parameters: Mapping[str, object], **more: Any) -> Audited:
    """A frequency oracle: the estimates of this library are counts."""
    return Audited(adapter, oracle, parameters, "counts", **more)


STALE = Repair(
    "FastLHServer makes its matrix of counts anew in `update_params`, after g has changed", "FLH_updated_repaired"
)
UPDATED = "client and server were made for epsilon / 2, then `update_params(epsilon=epsilon)`"
_PROTOCOLS = {
    "GRR": _counts(
        "GRR",
        "GRR",
        {"d": 3, "epsilon": LN3},
        {"d": 4, "epsilon": 1.0},
        *FAR,
        {"d": 8, "epsilon": 4.0},
        repair=CHECKED,
    ),
    "SUE": _counts("SUE", "SUE", {"d": 2, "epsilon": LN3}, {"d": 3, "epsilon": 1.0}, *FAR, repair=REFUSED),
    "OUE": _counts("OUE", "OUE", {"d": 2, "epsilon": LN3}, {"d": 3, "epsilon": 1.0}, *FAR),
    "THE": _counts(
        "THE",
        "THE",
        {"d": 2, "epsilon": 1.0, "theta": 0.6186},
        {"d": 3, "epsilon": LN3, "theta": 0.6289},
        handed=("d", "epsilon"),
        notes=(
            "the client sends d noisy numbers and the server thresholds them: the audited report is the bits",
            "its threshold is the best one rounded to 4 decimals; the oracle has the rounded one",
        ),
    ),
    **{
        name: _counts(
            name,
            "LH",
            {"d": 3, "g": g, "epsilon": LN3},
            handed=("d", "epsilon"),
            conditioned=SEED,
            notes=("expectation and variance are those given the hash function",),
        )
        for name, g in (("BLH", 2), ("OLH", 4))
    },
    "FLH": _counts(
        "FLH",
        "FLH",
        {"d": 3, "g": 4, "epsilon": LN3, "k": 3},
        handed=("d", "epsilon", "k"),
        asks=True,
        notes=("the k hash functions have the seeds 0 .. k-1, always",),
    ),
    "FLH (defaults of client and server)": _counts(
        "FLH_defaults",
        "FLH",
        {"d": 3, "g": 2, "epsilon": LN3, "k": 3},
        handed=("d", "epsilon", "k"),
        asks=True,
        notes=("the client's default is use_olh=False, the server's is use_olh=True; the oracle is the client's",),
        repair=Repair("the same default of use_olh in FastLHClient and FastLHServer", "FLH_defaults_repaired"),
    ),
    "HM": _counts(
        "HM",
        "HM",
        {"d": 4, "epsilon": LN3, "t": 1},
        {"d": 3, "epsilon": LN3, "t": 1},
        {"d": 4, "epsilon": 37.0, "t": 1},
        notes=("the type of the report (list or zip) is part of the raw output", "t has no default"),
        repair=HADAMARD,
    ),
    "HR": _counts(
        "HR",
        "HR",
        {"d": 3, "epsilon": LN3},
        {"d": 3, "epsilon": 1.0, "blocks": 1},
        {"d": 4, "epsilon": 2.0},
        {"d": 3, "epsilon": 37.0},
        handed=("d", "epsilon"),
        notes=("the public permutation of the items, drawn by the server for epsilon > 1, is the identity here",),
        repair=Repair(
            f"{REFUSED.says}; and the server makes its scheme anew in `update_params` when epsilon crosses 1, as "
            "the client does",
            "HR_repaired",
        ),
    ),
    "CMS": _counts(
        "CMS",
        "CMS",
        {"d": 3, "epsilon": LN3, "m": 4, "k": 2},
        **SKETCH,
        users=(1,),
        notes=(
            "the hash functions have the seeds 0 .. k-1, always; moments are those given these functions",
            "with numpy 2.4 its server cannot be made (numpy.zeros(None)): answered here as older numpy did",
        ),
    ),
    "HCMS": _counts(
        "HCMS",
        "HCMS",
        {"d": 3, "epsilon": LN3, "m": 4, "k": 2},
        **SKETCH,
        notes=("as CMS",),
    ),
    "PCS": _counts(
        "PCS",
        "PCS",
        {"d": 3, "epsilon": LN3, "m": 3, "k": 2},
        **SKETCH,
        users=(1,),
        repair=UNBIASED,
        notes=("the default estimate is a median of k rows, equal to the mean for k = 2", "as CMS"),
    ),
    "PCS (mean)": _counts(
        "PCS_mean",
        "PCS",
        {"d": 3, "epsilon": LN3, "m": 3, "k": 2},
        **SKETCH,
        users=(1,),
        repair=replace(UNBIASED, adapter="PCS_mean_repaired"),
    ),
    "RAPPOR": _counts(
        "RAPPOR",
        "RAPPOR",
        {"d": 3, "f": 0.5, "m": 3, "k": 2, "cohorts": 1},
        handed=("d", "f", "m", "k", "cohorts"),
        asks=True,
        users=(),
        notes=(
            "the server draws the hash functions when it is made: here they have the seeds 0, 1, ...",
            "no instantaneous response, as it documents; estimates are a regression: no exact oracle",
        ),
        repair=Repair(
            "`data[i] = 1 if ... else 0`: a bit that is set is written in both cases; and `else self.hash_family` "
            "in update_params, which forgets the hash functions",
            "RAPPOR_repaired",
        ),
    ),
}
_FIRST = dict.fromkeys(("GRR", "SUE", "OUE", "THE", "BLH", "OLH", "FLH", "HM", "HR", "CMS", "HCMS", "PCS"), 0)
_REPAIRED_UPDATES = {
    "FLH": STALE,
    "HM": replace(HADAMARD, adapter="HM_updated_repaired"),
    "PCS": replace(UNBIASED, adapter="PCS_updated_repaired"),
}
_UPDATED = {
    f"{name} after update_params": replace(
        _PROTOCOLS[name],
        adapter=f"{name}_updated",
        parameters=(_PROTOCOLS[name].parameters[place],),
        input_types=("int",),
        outside=(),
        users=(1,),
        reused=False,
        notes=(UPDATED,),
        repair=_REPAIRED_UPDATES.get(name),
    )
    for name, place in {**_FIRST, "HR": 1}.items()
}
LIBRARY = Library(
    name="pure-ldp",
    adapter="pure_ldp/__init__.py",
    environment="local",
    protocols={**_PROTOCOLS, **_UPDATED},
    notes=("items are 1 .. d in this library",),
    without_oracle={
        "HE (SHE)": "the report is d numbers with Laplace noise: no finite law",
        "SketchResponse": "a sketch around another frequency oracle; its default estimate is the minimum of k rows",
        "ZeroOracle": "sends nothing",
        "heavy hitters (PEM, SFP, TreeHistogram)": "built on the frequency oracles; the output is a set of strings",
    },
)
