"""multi-freq-ldpy 0.2.5: pure, longitudinal and multidimensional frequency estimation."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dp_studies.libraries.base import FAR, FINE, LN3, Audited, Library, Repair, Texts, exact

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
SORTED = "the array that SS_Client returns is sorted, `np.sort(...)`: it is a set"
AMPLIFIED = Repair(
    "the documentation says that epsilon holds for users who differ in one attribute; for arbitrary users the budget "
    "of the sampled attribute is not amplified"
)
DEFINED = (
    "estimates of an attribute of which no value has a positive one are left as they are, instead of 0 / 0 (this is "
    "what can be run here)"
)
EMPTY = "its aggregator raises ValueError when an attribute was sampled by nobody: estimates are not looked at"
HASHED: Texts = {"canonical": "int(report[0])", "conditions": "[int(report[1])]"}
NO_MORE: Texts = {}
ARGUMENTS = {
    "d": "k=d",
    "sizes": "lst_k=sizes, d=len(sizes)",
    "epsilon": "epsilon=epsilon",
    "eps_perm": "eps_perm=eps_perm, eps_1=eps_1",
    "bits": "d_bits=bits, eps_perm=epsilon",
}
"""What the library calls the parameters of an audit."""


def _texts(function: str, parameters: Parameters, optimal: bool, **more: object) -> Texts:
    """A pair of functions, of which the aggregator is given the list of all reports; `optimal` is a default."""
    buckets = "lst_b=buckets" if "sizes" in parameters else "b=buckets"
    arguments = [*(text for name, text in ARGUMENTS.items() if name in parameters)]
    arguments += [buckets] * ("buckets" in parameters) + ["optimal=False"] * (not optimal)
    reports = "{{reports}}" if function.endswith("GRR") else "[np.array(report) for report in {{reports}}]"
    return {
        "made": f"Functions({function!r}, {', '.join(arguments)})",
        "client": "None",
        "report": "made.client(item, *made.own)",
        "server": "[]",
        "aggregate": "server.append(report)",
        "estimate": "made.aggregate(server, *made.rest)",
        "reproduce": (
            "from collections import Counter",
            f"from {{made.client.__module__}} import {function}_Client",
            f"print(Counter(repr({function}_Client({{{{input}}}}, {{repr(made.own)[1:-1]}})) for _ in range(10000)))",
        ),
        "reproduce_estimate": (
            "import numpy as np",
            f"from {{made.aggregate.__module__}} import {function}_Aggregator_MI",
            f"print({function}_Aggregator_MI({reports}, {{repr(made.rest)[1:-1]}}))",
        ),
        **more,
    }


def _one(
    function: str, oracle: str, *parameters: Parameters, optimal: bool = True, texts: Texts = NO_MORE, **more: Any
) -> Audited:
    """A mechanism on one attribute."""
    return Audited(_texts(function, parameters[0], optimal, **texts), oracle, parameters, normalized=True, **more)


def _hashed(function: str, oracle: str, g: str, parameters: Parameters, **more: Any) -> Audited:
    """Local hashing, given the seed: a report is (cell, seed), the mechanism's is the cell."""
    texts = {**HASHED, "facts": f"{{'hash': cells(d, conditioned[0], {g})}}"}
    return _one(function, oracle, parameters, texts=texts, conditioned=SEED, **more)


def _many(
    function: str, oracle: str, parameters: Parameters, *, optimal: bool = True, texts: Texts = NO_MORE, **more: Any
) -> Audited:
    """A mechanism on several attributes: inputs are tuples. Estimates are all of attribute 0, then all of 1, ..."""
    sampling, notes = function.startswith("SMP"), more.pop("notes", ())
    flat = "[number for attribute in made.aggregate(server, *made.rest) for number in attribute]"
    return exact(
        _texts(function, parameters, optimal, estimate=flat, **texts),
        oracle,
        parameters,
        input_types=("list",),
        users=() if sampling else (1,),
        normalized=True,
        notes=(*notes, EMPTY) if sampling else notes,
        **more,
    )


def _fake(p: str, short: str, fake: str) -> Audited:
    """RS+FD with unary encoding and fakes from zero or random vectors; what is stated of the first attribute."""
    function, optimal = f"RSpFD_UE_{short}", p == "OUE"
    sizes = "len(sizes)" if fake == "zero" else "sizes[0], len(sizes)"
    stated = f"stated(Variance_RSpFD.VAR_{function}, *bits(amplified(sizes, epsilon), {optimal}), {sizes})"
    made = _many(function, f"RSpFD-{p}-{fake}", SMALL_PAIRS, optimal=optimal, texts={"facts": stated}, notes=(TUPLES,))
    repair = Repair(f"{AMPLIFIED.says}; and {DEFINED}", {"made": f"defined({made.texts['made']})"})
    return replace(made, repair=repair)


_PURE = {
    "GRR": _one(
        "GRR",
        "GRR",
        {"d": 3, "epsilon": LN3},
        {"d": 4, "epsilon": 1.0},
        *FAR,
        {"d": 8, "epsilon": 4.0},
        texts={"facts": "stated(VAR_Pure, *pure(d, epsilon))"},
        repair=FINE,
    ),
    **{
        name: _one(
            "UE",
            name,
            {"d": 2, "epsilon": LN3},
            {"d": 3, "epsilon": 1.0},
            *FAR,
            optimal=optimal,
            texts={"facts": f"stated(VAR_Pure, *bits(epsilon, {optimal}))"},
        )
        for name, optimal in (("SUE", False), ("OUE", True))
    },
    "ADP": _one("ADP", "ADP", {"d": 3, "epsilon": LN3}, {"d": 5, "epsilon": 0.25}, {"d": 3, "epsilon": 37.0}),
    "SS": _one(
        "SS",
        "SS",
        {"d": 4, "epsilon": 0.5, "k": 2},
        {"d": 5, "epsilon": LN3, "k": 1},
        {"d": 6, "epsilon": LN3, "k": 2},
        {"d": 3, "epsilon": 37.0, "k": 1},
        texts={"canonical": "{int(x) for x in report}"},
        handed=("d", "epsilon"),
        repair=Repair(SORTED, {"report": "np.sort(made.client(item, *made.own))"}),
    ),
    "BLH": _hashed("LH", "LH", "2", {"d": 3, "g": 2, "epsilon": LN3}, optimal=False, handed=("d", "epsilon")),
    "OLH": _hashed(
        "LH", "LH", "int(round(np.exp(epsilon))) + 1", {"d": 3, "g": 4, "epsilon": LN3}, handed=("d", "epsilon")
    ),
    # a report is what the aggregator, which compares with a threshold between 0 and 1, makes of it
    "THE": _one(
        "HE",
        "THE",
        {"d": 2, "epsilon": 1.0, "theta": 0.6185533323524325},
        texts={
            "report": "[int(entry > threshold(epsilon)) for entry in made.client(item, *made.own)]",
            "aggregate": "server.append(np.array(report, dtype=float))",
        },
        handed=("d", "epsilon"),
    ),
}
_LASTING = {
    "L-GRR": _one(
        "L_GRR",
        "L-GRR",
        *({"d": 2, **PERM}, {"d": 3, **PERM}, {"d": 6, **PERM}, {"d": 3, **WIDE}),
        texts={"facts": "stated(VAR_Long_Pure, *lasting_pure(d, eps_perm, eps_1))"},
        notes=(MEMO,),
        repair=Repair(
            "`sig = f * (p1 - q1) * (p2 - q2) + p2 * q1 + q2 * (1 - q1)` in VAR_Long_Pure: the factor of f there "
            "is this one only if p1 + q1 and p2 + q2 are 1",
            {"facts": "stated(repaired_variance, *lasting_pure(d, eps_perm, eps_1))"},
            shows=(
                "from multi_freq_ldpy.long_freq_est.Variance_LONG_PURE import VAR_Long_Pure",
                "print(VAR_Long_Pure(9 / 14, 1 / 14, 13 / 28, 3 / 28, n=1, f=1))",
                "# GRR on six values, twice: a variance is not negative",
            ),
        ),
    ),
    **{
        f"L-{p}": _one(
            f"L_{p}",
            f"L-{p}",
            *({"d": 2, **PERM}, {"d": 2, **WIDE}),
            texts={"facts": "stated(VAR_Long_Pure, *lasting_bits(eps_perm, eps_1))"} if p == "OSUE" else {},
            notes=(MEMO,),
            repair=KEEPING,
        )
        for p in ("SUE", "OUE", "OSUE", "SOUE")
    },
    "L-ADP": _one("L_ADP", "L-ADP", {"d": 3, **PERM}, notes=(MEMO,), repair=KEEPING),
    "L-BLH": _hashed(
        "L_LH",
        "L-LH",
        "2",
        {"d": 3, "g": 2, **PERM},
        optimal=False,
        handed=("d", "eps_perm", "eps_1"),
        notes=(MEMO,),
        repair=KEEPING,
    ),
    # its g is an optimized one; the audit states which that is
    "L-OLH": _hashed("L_LH", "L-LH", "g", {"d": 3, "g": 3, **PERM}, notes=(MEMO,), repair=KEEPING),
    "dBitFlipPM": _one(
        "dBitFlipPM",
        "dBitFlipPM",
        {"d": 4, "buckets": 3, "bits": 2, "epsilon": LN3},
        {"d": 3, "buckets": 3, "bits": 1, "epsilon": LN3},
        repair=KEEPING,
    ),
}
_SEVERAL = {
    **{
        f"{s}-{p}": _many(f"{s}_{function}", f"{s}-{p}", PAIRS, optimal=p != "SUE")
        for s in ("SPL", "SMP")
        for p, function in (("GRR", "GRR"), ("SUE", "UE"), ("OUE", "UE"), ("ADP", "ADP"))
    },
    "SPL-SS": _many(
        "SPL_SS",
        "SPL-SS",
        PAIRS,
        texts={"canonical": "[{int(x) for x in part} for part in report]"},
        notes=("subsets have one item here; SMP-SS has larger ones",),
    ),
    "SMP-SS": _many(
        "SMP_SS",
        "SMP-SS",
        {"sizes": (4, 5), "epsilon": 0.5},
        texts={"canonical": "[int(report[0]), {int(x) for x in report[1]}]"},
        repair=Repair(SORTED, {"report": "(lambda pair: (pair[0], np.sort(pair[1])))(made.client(item, *made.own))"}),
    ),
    "SPL-OLH": _many(
        "SPL_LH",
        "SPL-LH",
        {"g": 3, **PAIRS},
        texts={
            "canonical": "[int(part[0]) for part in report]",
            "conditions": "[int(part[1]) for part in report]",
            "facts": "{'hashes': cells_of(sizes, conditioned, epsilon / len(sizes))}",
        },
        handed=("sizes", "epsilon"),
        conditioned=(3, 4),
    ),
    "SMP-OLH": _many(
        "SMP_LH",
        "SMP-LH",
        {"g": 4, **PAIRS},
        texts={
            "canonical": "[int(report[0]), int(report[1][0])]",
            "conditions": "[int(report[1][1])]",
            "facts": "{'hashes': cells_of(sizes, conditioned[:1], epsilon)}",
        },
        handed=("sizes", "epsilon"),
        conditioned=SEED,
    ),
    "RS+FD-GRR": _many(
        "RSpFD_GRR",
        "RSpFD-GRR",
        PAIRS,
        texts={
            "facts": "stated(Variance_RSpFD.VAR_RSpFD_GRR, *pure(sizes[0], amplified(sizes, epsilon)), sizes[0], "
            "len(sizes))"
        },
        notes=(TUPLES,),
        repair=AMPLIFIED,
    ),
    "RS+FD-ADP": _many("RSpFD_ADP", "RSpFD-ADP", PAIRS, notes=(TUPLES,), repair=AMPLIFIED),
    **{
        f"RS+FD-{p}-{fake[0]}": _fake(p, short, fake)
        for p in ("SUE", "OUE")
        for short, fake in (("zero", "zero"), ("rnd", "random"))
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
    environment="local",
    adapter="multi_freq_ldpy.py",
    protocols={**_PURE, **_LASTING, **_SEVERAL},
    compiled=True,
    notes=("the audited law is that of the Python source: numba's compilation is switched off",),
    without_oracle={
        "HE (SHE)": "the report is d numbers with Laplace noise: no finite law",
        "SPL-BLH, SMP-BLH": "as SPL-OLH, SMP-OLH with g = 2",
        "X_Aggregator_IBU": "iterative Bayesian update: not the estimator of an oracle here",
    },
)
