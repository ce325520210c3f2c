"""pure-ldp 1.2.0: its frequency oracles, with the defaults of its README."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dp_studies.libraries.base import Audited, Library, Repair

LN3 = "ln(3)"
FAR = ({"d": 2, "epsilon": 37.0}, {"d": 3, "epsilon": 40.0})
"""Budgets at which e^-epsilon is near the spacing of the doubles below 1."""
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


def _counts(
    adapter: str,
    oracle: str,
    *parameters: Mapping[str, object],
    handed: tuple[str, ...] | None = None,
    asks: bool = False,
    conditioned: tuple[int, ...] = (),
    users: tuple[int, ...] = (1, 2),
    notes: tuple[str, ...] = (),
    repair: Repair | None = None,
) -> Audited:
    """A frequency oracle: the estimates of this library are counts."""
    return Audited(
        adapter,
        oracle,
        parameters,
        "counts",
        handed=handed,
        asks=asks,
        conditioned=conditioned,
        users=users,
        notes=notes,
        repair=repair,
    )


def _updated(name: str, **more: Any) -> Audited:
    """Client and server made for half of epsilon, and updated to it."""
    return _counts(f"{name}_updated", notes=(UPDATED,), **{"users": (1,), "oracle": name, **more})


STALE = Repair(
    "FastLHServer makes its matrix of counts anew in `update_params`, after g has changed", "FLH_updated_repaired"
)
UPDATED = "client and server were made for epsilon / 2, then `update_params(epsilon=epsilon)`"
_UPDATED = {
    f"{name} after update_params": replace(
        _updated(name, **more), parameters=(given,), reused=False, outside=(), input_types=("int",)
    )
    for name, given, more in (
        ("GRR", {"d": 3, "epsilon": LN3}, {}),
        ("SUE", {"d": 2, "epsilon": LN3}, {}),
        ("OUE", {"d": 2, "epsilon": LN3}, {}),
        ("THE", {"d": 2, "epsilon": 1.0, "theta": 0.6186}, {"handed": ("d", "epsilon")}),
        ("BLH", {"d": 3, "g": 2, "epsilon": LN3}, {"oracle": "LH", "handed": ("d", "epsilon"), "conditioned": SEED}),
        ("OLH", {"d": 3, "g": 4, "epsilon": LN3}, {"oracle": "LH", "handed": ("d", "epsilon"), "conditioned": SEED}),
        (
            "FLH",
            {"d": 3, "g": 4, "epsilon": LN3, "k": 3},
            {"handed": ("d", "epsilon", "k"), "asks": True, "repair": STALE},
        ),
        (
            "HM",
            {"d": 4, "epsilon": LN3, "t": 1},
            {"repair": replace(HADAMARD, adapter="HM_updated_repaired")},
        ),
        ("HR", {"d": 3, "epsilon": 1.0, "blocks": 1}, {"handed": ("d", "epsilon")}),
        ("CMS", {"d": 3, "epsilon": LN3, "m": 4, "k": 2}, {"handed": ("d", "epsilon", "k", "m"), "asks": True}),
        ("HCMS", {"d": 3, "epsilon": LN3, "m": 4, "k": 2}, {"handed": ("d", "epsilon", "k", "m"), "asks": True}),
        (
            "PCS",
            {"d": 3, "epsilon": LN3, "m": 3, "k": 2},
            {
                "handed": ("d", "epsilon", "k", "m"),
                "asks": True,
                "repair": replace(UNBIASED, adapter="PCS_updated_repaired"),
            },
        ),
    )
}
LIBRARY = Library(
    name="pure-ldp",
    adapter="pure_ldp/__init__.py",
    environment="local",
    protocols={
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
        "BLH": _counts(
            "BLH",
            "LH",
            {"d": 3, "g": 2, "epsilon": LN3},
            handed=("d", "epsilon"),
            conditioned=SEED,
            notes=("expectation and variance are those given the hash function",),
        ),
        "OLH": _counts(
            "OLH",
            "LH",
            {"d": 3, "g": 4, "epsilon": LN3},
            handed=("d", "epsilon"),
            conditioned=SEED,
            notes=("expectation and variance are those given the hash function",),
        ),
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
            handed=("d", "epsilon", "k", "m"),
            asks=True,
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
            handed=("d", "epsilon", "k", "m"),
            asks=True,
            notes=("as CMS",),
        ),
        "PCS": _counts(
            "PCS",
            "PCS",
            {"d": 3, "epsilon": LN3, "m": 3, "k": 2},
            handed=("d", "epsilon", "k", "m"),
            asks=True,
            users=(1,),
            repair=UNBIASED,
            notes=("the default estimate is a median of k rows, equal to the mean for k = 2", "as CMS"),
        ),
        "PCS (mean)": _counts(
            "PCS_mean",
            "PCS",
            {"d": 3, "epsilon": LN3, "m": 3, "k": 2},
            handed=("d", "epsilon", "k", "m"),
            asks=True,
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
        **_UPDATED,
    },
    notes=("items are 1 .. d in this library",),
    without_oracle={
        "HE (SHE)": "the report is d numbers with Laplace noise: no finite law",
        "SketchResponse": "a sketch around another frequency oracle; its default estimate is the minimum of k rows",
        "ZeroOracle": "sends nothing",
        "heavy hitters (PEM, SFP, TreeHistogram)": "built on the frequency oracles; the output is a set of strings",
    },
)
