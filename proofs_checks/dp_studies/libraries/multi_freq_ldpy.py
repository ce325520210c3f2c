"""multi-freq-ldpy 0.2.5: pure, longitudinal and multidimensional frequency estimation."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dp_studies.libraries.base import FAR, FINE, LN3, Audited, Library, Repair, exact

SEED = (3,)
"""Seed 3 of xxh32: cells 0, 0, 1 (g = 2), 0, 1, 1 (g = 3) and 0, 2, 1 (g = 4) of the items 0, 1, 2."""
Parameters = Mapping[str, object]
PERM: Parameters = {"eps_perm": "2*ln(3)", "eps_1": LN3}
WIDE: Parameters = {"eps_perm": 8.0, "eps_1": 4.0}
PAIRS: Parameters = {"sizes": (2, 3), "epsilon": LN3}
SMALL_PAIRS: Parameters = {"sizes": (2, 2), "epsilon": LN3}
LASTING_PAIRS: Parameters = {"sizes": (2, 2), **PERM}
MEMO = (
    "the client functions draw both rounds at every call and return the second: nothing is kept for the next report, "
    "so that eps_perm bounds nothing they compute"
)
TUPLES = (
    "neighbors are any two tuples of values; for tuples that differ in one attribute the bound e^epsilon is the "
    "subject of the source's amplification"
)
KEEPING = Repair("client functions of their own for what is kept and for a report that is drawn from it")
SORTED = Repair("the array that SS_Client returns is sorted, `np.sort(...)`: it is a set", "SS_repaired")
AMPLIFIED = Repair(
    "the documentation says that epsilon holds for users who differ in one attribute; for arbitrary users the budget "
    "of the sampled attribute is not amplified"
)
DEFINED = (
    "estimates of an attribute of which no value has a positive one are left as they are, instead of 0 / 0 (this is "
    "what can be run here)"
)
EMPTY = "its aggregator raises ValueError when an attribute was sampled by nobody: estimates are not looked at"


def _one(adapter: str, *parameters: Parameters, oracle: str = "", **more: Any) -> Audited:
    """A mechanism on one attribute; the oracle has the adapter's name with hyphens unless another is given."""
    return Audited(adapter, oracle or adapter.replace("_", "-"), parameters, normalized=True, **more)


def _many(adapter: str, oracle: str, parameters: Parameters, *, notes: tuple[str, ...] = (), **more: Any) -> Audited:
    """A mechanism on several attributes: inputs are tuples."""
    sampling = adapter.startswith("SMP")
    return exact(
        adapter,
        oracle,
        parameters,
        input_types=("list",),
        users=() if sampling else (1,),
        normalized=True,
        notes=(*notes, EMPTY) if sampling else notes,
        **more,
    )


_PURE = {
    "GRR": _one("GRR", {"d": 3, "epsilon": LN3}, {"d": 4, "epsilon": 1.0}, *FAR, {"d": 8, "epsilon": 4.0}, repair=FINE),
    "SUE": _one("SUE", {"d": 2, "epsilon": LN3}, {"d": 3, "epsilon": 1.0}, *FAR),
    "OUE": _one("OUE", {"d": 2, "epsilon": LN3}, {"d": 3, "epsilon": 1.0}, *FAR),
    "ADP": _one("ADP", {"d": 3, "epsilon": LN3}, {"d": 5, "epsilon": 0.25}, {"d": 3, "epsilon": 37.0}),
    "SS": _one(
        "SS",
        {"d": 4, "epsilon": 0.5, "k": 2},
        {"d": 5, "epsilon": LN3, "k": 1},
        {"d": 6, "epsilon": LN3, "k": 2},
        {"d": 3, "epsilon": 37.0, "k": 1},
        handed=("d", "epsilon"),
        repair=SORTED,
    ),
    "BLH": _one("BLH", {"d": 3, "g": 2, "epsilon": LN3}, oracle="LH", handed=("d", "epsilon"), conditioned=SEED),
    "OLH": _one("OLH", {"d": 3, "g": 4, "epsilon": LN3}, oracle="LH", handed=("d", "epsilon"), conditioned=SEED),
    "THE": _one("THE", {"d": 2, "epsilon": 1.0, "theta": 0.6185533323524325}, handed=("d", "epsilon")),
}
_LASTING = {
    "L-GRR": _one(
        "L_GRR",
        {"d": 2, **PERM},
        {"d": 3, **PERM},
        {"d": 6, **PERM},
        {"d": 3, **WIDE},
        notes=(MEMO,),
        repair=Repair(
            "`sig = f * (p1 - q1) * (p2 - q2) + p2 * q1 + q2 * (1 - q1)` in VAR_Long_Pure: the factor of f there "
            "is this one only if p1 + q1 and p2 + q2 are 1",
            "L_GRR_repaired",
            shows=(
                "from multi_freq_ldpy.long_freq_est.Variance_LONG_PURE import VAR_Long_Pure",
                "print(VAR_Long_Pure(9 / 14, 1 / 14, 13 / 28, 3 / 28, n=1, f=1))",
                "# GRR on six values, twice: a variance is not negative",
            ),
        ),
    ),
    **{
        f"L-{p}": _one(f"L_{p}", {"d": 2, **PERM}, {"d": 2, **WIDE}, notes=(MEMO,), repair=KEEPING)
        for p in ("SUE", "OUE", "OSUE", "SOUE")
    },
    "L-ADP": _one("L_ADP", {"d": 3, **PERM}, notes=(MEMO,), repair=KEEPING),
    "L-BLH": _one(
        "L_BLH",
        {"d": 3, "g": 2, **PERM},
        oracle="L-LH",
        handed=("d", "eps_perm", "eps_1"),
        conditioned=SEED,
        notes=(MEMO,),
        repair=KEEPING,
    ),
    "L-OLH": _one("L_OLH", {"d": 3, "g": 3, **PERM}, oracle="L-LH", conditioned=SEED, notes=(MEMO,), repair=KEEPING),
    "dBitFlipPM": _one(
        "dBitFlipPM",
        {"d": 4, "buckets": 3, "bits": 2, "epsilon": LN3},
        {"d": 3, "buckets": 3, "bits": 1, "epsilon": LN3},
        repair=KEEPING,
    ),
}
_SEVERAL = {
    **{f"{s}-{p}": _many(f"{s}_{p}", f"{s}-{p}", PAIRS) for s in ("SPL", "SMP") for p in ("GRR", "SUE", "OUE", "ADP")},
    "SPL-SS": _many("SPL_SS", "SPL-SS", PAIRS, notes=("subsets have one item here; SMP-SS has larger ones",)),
    "SMP-SS": _many(
        "SMP_SS", "SMP-SS", {"sizes": (4, 5), "epsilon": 0.5}, repair=replace(SORTED, adapter="SMP_SS_repaired")
    ),
    "SPL-OLH": _many("SPL_OLH", "SPL-LH", {"g": 3, **PAIRS}, handed=("sizes", "epsilon"), conditioned=(3, 4)),
    "SMP-OLH": _many("SMP_OLH", "SMP-LH", {"g": 4, **PAIRS}, handed=("sizes", "epsilon"), conditioned=SEED),
    **{
        f"RS+FD-{p}": _many(f"RSpFD_{p}", f"RSpFD-{p}", PAIRS, notes=(TUPLES,), repair=AMPLIFIED)
        for p in ("GRR", "ADP")
    },
    **{
        f"RS+FD-{p}-{short}": _many(
            f"RSpFD_{p}_{fake}",
            f"RSpFD-{p}-{fake}",
            SMALL_PAIRS,
            notes=(TUPLES,),
            repair=Repair(f"{AMPLIFIED.says}; and {DEFINED}", f"RSpFD_{p}_{fake}_repaired"),
        )
        for p in ("SUE", "OUE")
        for short, fake in (("z", "zero"), ("r", "random"))
    },
    **{
        f"{s}-L-{p}": _many(f"{s}_L_{p}", f"{s}-L-{p}", LASTING_PAIRS)
        for s in ("SPL", "SMP")
        for p in ("GRR", "SUE", "OUE", "OSUE", "SOUE", "ADP")
    },
    **{
        f"{s}-dBitFlipPM": _many(f"{s}_dBitFlipPM", f"{s}-dBitFlipPM", {"buckets": (2, 2), "bits": 1, **PAIRS})
        for s in ("SPL", "SMP")
    },
}
LIBRARY = Library(
    name="multi-freq-ldpy",
    adapter="multi_freq_ldpy/__init__.py",
    environment="local",
    protocols={**_PURE, **_LASTING, **_SEVERAL},
    compiled=True,
    notes=("the audited law is that of the Python source: numba's compilation is switched off",),
    without_oracle={
        "HE (SHE)": "the report is d numbers with Laplace noise: no finite law",
        "SPL-BLH, SMP-BLH": "as SPL-OLH, SMP-OLH with g = 2",
        "X_Aggregator_IBU": "iterative Bayesian update: not the estimator of an oracle here",
    },
)
