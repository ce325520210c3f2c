"""Points at which statements about shuffled reports are decided, in the declared order, by id of the claim or its row.

Small numbers first, where a counterexample is easily read; then the sizes of practice, and both ends of stated ranges.
Points that lie outside the domain of a reading, or whose numbers are beyond the kernel's enclosures, are passed over.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from math import log

Point = Mapping[str, object]


def grid(**listed: Sequence[object]) -> list[Point]:
    """All points with these coordinates."""
    return [dict(zip(listed, values, strict=True)) for values in product(*listed.values())]


_DELTAS = ("1/2", "1/10", "1/1000000", f"1/{10**25}")
_LARGE = 10**6
_EDGE = [{"w": _LARGE, "n": 2, "c": 1, "delta": delta} for delta in ("1/5", "1/20", "1/100")]
_EQ7 = [
    *({**x, name: 2} for x in _EDGE for name in ("K", "b")),
    *grid(w=(3, _LARGE), K=(2, 16), n=(100, 2000), c=(1, 10, 0), delta=_DELTAS),
    *grid(w=(3, _LARGE), b=(2, 16), n=(100, 2000), c=(1, 10, 0), delta=_DELTAS),
    *grid(w=(3, _LARGE), K=(2, 16), n=(10_000,), c=(1,), delta=("1/1000000",)),
    *grid(w=(3, _LARGE), b=(2, 16), n=(10_000,), c=(1,), delta=("1/1000000",)),
]
_LARGER = {"w": 3, "K": 3, "n": 100_000, "delta": "1/1000000"}
_TOTALS = (*range(2, 8), 60, 100, 1000, 10_000, 100_000)
_PURE_DELTAS = ("1/2", "29/100", "1/10", "1/100", "1/1000000", f"1/{10**25}")
_BLANKETED = [
    *({name: 3, "n": 10**6, "eps": 10, "delta": "1/100"} for name in ("K", "b")),
    *grid(K=(2, 3, 64), n=(1000, 100_000), eps=(1, "1/2", "1/10"), delta=_DELTAS),
    *grid(b=(2, 3, 64), n=(1000, 100_000), eps=(1, "1/2", "1/10"), delta=_DELTAS),
]
_SINGLE = [
    *({"w": 100_000, name: 3, "n": 30_000, "delta": "1/5"} for name in ("K", "b")),
    *grid(w=(2, 3, 55), K=(2, 3, 16), n=(100, 1000, 10_000), delta=_PURE_DELTAS),
    *grid(w=(2, 3, 55), b=(2, 3, 16), n=(100, 1000, 10_000), delta=_PURE_DELTAS),
    *grid(w=(2, 55), K=(2, 16), n=(100_000,), delta=("29/100", "1/1000000")),
    *grid(w=(2, 55), b=(2, 16), n=(100_000,), delta=("29/100", "1/1000000")),
]
_EDGES = ("1/2", "1/1000000", f"1/{10**25}")
_CLOSED = [
    *grid(x=("3/2", 3, 55, 1000, _LARGE), n=(10, 100, 1000, 100_000), delta=_EDGES),
    *grid(w=("3/2", 2, 55, _LARGE), K=(2, 5, 64), n=(10, 100, 1000), delta=_EDGES),
    *grid(w=("3/2", 2, 55, _LARGE), b=(2, 5, 64), n=(10, 100, 1000), delta=_EDGES),
    *grid(w=(55,), K=(2, 64), n=(100_000,), delta=("1/2", "1/1000000")),
    *grid(w=(55,), b=(2, 64), n=(100_000,), delta=("1/2", "1/1000000")),
]
_IMPLICIT = [
    *grid(x=("3/2", 3, 20, 1000), n=(2, 10, 100, 1000, 100_000), e=("1001/1000", "11/10", 2, 10)),
    *grid(w=("3/2", 3, 20, 1000), K=(2, 5, 64), n=(2, 10, 100, 1000), e=("1001/1000", "11/10", 2, 10)),
]
_ALONE = grid(w=(3, _LARGE), K=(2, 16), c=(100, 1000, 10_000, 100_000), delta=_DELTAS)
_BUNDLES = [
    *grid(a=(1, "3/2", 2, 7), y=("1/10", 1, 50), K=(2, 3), c=(1, 2, 3)),
    *grid(a=(1, "3/2", 2, 7), y=("1/10", 1, 50), K=(2,), b=(2, 3), c=(1, 2)),
]


def _around(square: float) -> list[int]:
    """Numbers of dummies from epsilon = 4 (the first ones, where least is hidden) to epsilon = 1."""
    fewest, most = (int(square / x) for x in (16, 1))
    return sorted({*range(fewest, fewest + 5), (fewest + most) // 2, *range(most - 1, most + 3)} - {0, 1})


POINTS: Mapping[str, Sequence[Point]] = {
    "000.thm1.eq7": _EQ7,
    "000.thm1.form": _EQ7,
    "000.thm1.form@noroot": [*_EQ7, {**_LARGER, "c": 0}],
    "000.thm1.step.eq9": _EQ7,
    "000.base.mixdump.privacy": _EQ7,
    "000.thm1.step.cond": [
        *grid(K=(2, 3, 16), total=_TOTALS, delta=_DELTAS),
        *grid(w=(3, _LARGE), b=(2, 16), c=(1, 5, 0), total=_TOTALS, delta=_DELTAS),
        *grid(w=(3, _LARGE), b=(2, 16), total=_TOTALS, delta=_DELTAS),
    ],
    "000.thm1.count": [
        *grid(w=(3, _LARGE), K=(2, 16), n=(100, 1000), total=(50, 500, 5000), delta=_DELTAS),
        *grid(w=(3, _LARGE), K=(2, 16), n=(10_000,), total=(50, 50_000), delta=("1/2", "1/1000000")),
    ],
    "000.supp.thm1.attained": grid(K=(2, 16), total=_TOTALS, delta=_DELTAS),
    "000.prose.amplify": _SINGLE,
    "000.prose.amplify@noroot-range": [*_SINGLE, _LARGER],
    "000.base.murs.privacy": _SINGLE,
    "000.base.sh.privacy": _BLANKETED,
    "000.base.hpsdp.privacy": _BLANKETED,
    "000.base.ddps.privacy": grid(lam=(20, 50, 200, 1000), n=(100, 1000, 100_000), delta=_DELTAS),
    "000.base.peos.privacy": [
        {"w": 100_000, "b": 3, "n": 30_000, "c": 0, "delta": "1/5"},
        *grid(w=(2, 55), b=(2, 16), n=(100, 10_000), c=(1, 1000), delta=("29/100", "1/100", "1/1000000")),
    ],
    "000.base.puredump.privacy@upto4": [
        {"K": k, "total": total, "delta": f"1/{x}"}
        for k, x in product((2, 3, 5), (2, 10, 100, 10**6))
        for total in _around(14 * k * log(2 * x))
    ],
    "000.base.puredump.privacy": grid(K=(2, 3, 5, 16), total=(*_TOTALS, 10, 15, 20, 25, 30, 40), delta=_PURE_DELTAS),
    **dict.fromkeys(
        (
            "lit.feldman2021.closed",
            "lit.feldman2023.closed",
            *(f"lit.wang2023.{form}{of}" for form in ("closed", "tight") for of in ("", ".krr", ".olh")),
        ),
        _CLOSED,
    ),
    "lit.erlingsson2019.closed": grid(
        x=("11/10", "3/2", "8/5", 3, 10, 1000, _LARGE), n=(10, 1000, 100_000), delta=("1/2", "1/100", *_EDGES[1:])
    ),
    **dict.fromkeys(
        (f"lit.balle2019.{name}{of}" for name in ("hoeffding", "bennett") for of in ("", ".krr")), _IMPLICIT
    ),
    "000.alg1.budget": grid(a=(2,), y=(1,), K=(2,), n=(2,), c=(1,)),
    "000.alg1.shuffle": grid(a=(1, "3/2", 2), w=(3, 8), K=(2,), b=(2,), n=(2,), c=(1,)),
    "000.thm1.pointwise": _EQ7,
    "000.prose.dummies-mono@nohash": [
        *grid(a=(1, "3/2", 2), w=(3, 8), K=(2, 3), n=(1, 2), c=(0, 1, 2)),
        *grid(a=(1, "3/2", 2), w=(3, 8), K=(2, 3), n=(3,), c=(0,)),
    ],
    "000.prose.dummies-mono@fresh": grid(a=(1, "3/2", 2), w=(3, 8), K=(2,), b=(2,), n=(1, 2), c=(0, 1)),
    "000.prose.dummies-mono@shared": grid(a=(1, "3/2", 2), w=(3, 8), K=(2,), b=(2,), n=(1, 2), c=(0, 1)),
    "000.thm1.step.uniform@nohash": grid(a=(1, "3/2", 2), w=(3, 8), K=(2, 3), n=(2,), c=(0, 1)),
    "000.thm1.step.uniform": grid(a=(1, "3/2", 2), w=(3, 8), K=(2,), b=(2,), n=(2,), c=(0, 1)),
    "000.prose.mixdump-joint": [
        *grid(a=(1, "3/2", 2), v=(2, 5), y=(1,), K=(2, 3), n=(1, 2), c=(0, 1, 2)),
        *grid(a=(1, "3/2", 2), w=(3, 8), K=(2, 3), n=(1, 2), c=(0, 1, 2)),
    ],
    "000.prose.collude-sc": [*_BUNDLES, *_EQ7],
    "000.prose.collude-su": [*_BUNDLES, *_EQ7],
    "000.prose.hpsdp-privacy": _BUNDLES,
    "000.base.aue.privacy@r50-any.corrected": grid(a=(1, 2, 1000), K=(2, 3, 4), rho=("1/2", "1/3", "1/10")),
    "000.base.aue.privacy": grid(K=(2,), n=(2,), rho=("1/2",), delta=("1/5",)),
    "000.supp.blanket.exact@fresh-indep": grid(a=(1, "3/2", 3), K=(2,), b=(2, 3), c=(0, 1)),
    "000.supp.blanket.exact": grid(a=(1, "3/2", 3), K=(2, 3, 4), c=(1, 2, 5)),
    "000.def3.universal": _SINGLE,
    "000.thm1.eq7@shared-range.corrected": _ALONE,
    "000.thm1.step.cond@shared-range.corrected": _ALONE,
    "000.supp.thm1.attained.corrected": grid(K=(2, 16), total=_TOTALS, delta=_DELTAS),
}
