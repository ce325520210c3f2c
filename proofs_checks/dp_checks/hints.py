"""Proof hints: steps and constants found by hand. The kernel checks every one; a wrong hint proves nothing."""

from collections.abc import Mapping

from dp_spec.frequency import privset, wheel
from dp_spec.vocabulary.term import Term, exp, term, var

W, X, A, B, C = (var(x) for x in ("w", "x", "a", "b", "c"))
U, V, M, K, N, F, G, EPS = (var(x) for x in ("u", "v", "m", "K", "n", "f", "g", "eps"))

_CHOSEN, _REST, _T = (var(x) for x in ("k", "r", "t"))

Step = Mapping[str, object]


def _step(scale: Term | int, multipliers: Mapping[int, Term | int]) -> Step:
    """A proof step as certificates write it: scale, and constraint index -> multiplier."""
    return {"scale": term(scale).json(), "multipliers": {str(i): term(t).json() for i, t in multipliers.items()}}


def _squared(scale: Term, multiplier: Term | int, root: Term) -> Step:
    return {"scale": scale.json(), "squares": [[term(multiplier).json(), root.json()]]}


STEPS: Mapping[str, tuple[Step, ...]] = {
    # for each relation (see `kernel.domains.prove`)
    "002.def1.eq1@density": (_step(1, {0: var("l"), 1: V}), _step(1, {2: 1 / var("l")})),
    "002.def1.noinfer": (_step(W, {0: V / (U * A + V * B + var("rest"))}),),
    "002.def1.limit": (_step(1, {0: 1, 3: W - 1}), _step(1, {1: 1, 2: W - 1})),
    "002.def1.order": (_step(1, {0: 1}),),
    "004.def.monotone": (_step(1, {0: 1}), _step(1, {1: 1})),
    "004.server.post": (_step(1, {0: 1, 1: 1}), _step(1, {0: var("z")})),
    "004.agg.plainmin": (_step(1, {}), _step(1, {0: 1})),
    "004.base.hcms.bits": (_step(1, {0: 2 * B, 1: 2 * _CHOSEN}), _step(1, {0: var("y")})),
    "lit.carterwegman1979.universal@count": ({}, {}, _squared(term(1), 1, var("r") - term(1) / 2)),
    "lit.carterwegman1979.zero.chance@count": ({}, _step(M * (var("q") * M + var("r")) ** 2, {0: var("r")})),
    "lit.wang2017.olh.range": (_squared((B - 1) * (W - 1) ** 2, 1, W - (B - 1)),),
    "004.eval.dr.range": (_step(1, {0: 1}), _step(1, {1: 1})),
    "004.eval.d.stable": (_squared(term(1), 1, A - var("ac")),),
    "004.exp.km-var@random-k": (_step(1, {1: 1 / (_CHOSEN * (_CHOSEN + 1) * (M - 1))}),),
    "004.exp.km-var@random-m": (_step(1, {0: (1 - 1 / _CHOSEN) / ((M - 1) * M * N)}),),
    "002.sec44.epsm2@entries": (_step(1, {0: G / (M * EPS * N)}),) * 4,
    "002.sec44.dominates@entries.corrected": (
        _step(N * EPS**2, {0: M**2 * K, 2: M * K * EPS}),
        _step(N * EPS**2, {0: M**3 * K, 1: M**2 * K, 2: M**2 * K * EPS}),
        _step(N * EPS**2, {0: M**2, 2: M * EPS}),
        _step(N * EPS**2, {0: M**3, 1: M**2, 2: M**2 * EPS}),
        _step(M * N * EPS**2, {0: M * (1 + EPS), 2: EPS**2}),
    ),
    "002.base.privset.better.corrected": (
        _step(_CHOSEN * _REST * (_T**2 - 1) ** 2, {0: privset.SQUARE.substitute({"d": _CHOSEN + _REST}) / 4}),
    ),
    "002.base.privset.better.corrected2": (_step((var("t") - 1) ** 2, {0: 1}),),
    "001.def1.eq1@addremove": (_step(1, {0: 1, 1: 1}),),
    "001.def1.eq1@replace": (_step(1, {0: 1, 1: 1}),),
    "001.base.laplace": (_step(1, {0: EPS / var("delta")}),),
    "001.alg1.order@worst": (_step(1, {0: var("q") + var("rest")}),),
    "001.base.weighted.bound": (_step(1, {0: var("q") + var("rest")}),),
    # where the best arc has 1/p - 1
    "002.alg1.popt@f0.corrected2": (_squared(X * (W - 1) ** 2, 1, X - W),),
    "002.alg1.popt@f1.corrected2": (_squared(X * (W - 1) ** 2, W, X - 1),),
}

SUMS: Mapping[str, list[list[object]]] = {}
"""Forms of sums between which they lie, where none is found (see `kernel.sums`)."""

LIMITS: Mapping[str, Mapping[str, object]] = {}
"""Of limits: other values, constants, steps that are tried first, and the id under which forms of sums are filed."""

_HELD = ((wheel.PRESENT - wheel.ABSENT) / N).substitute({"w": exp(EPS)})
"""How much a held item of Wheel costs more than another one; at most |X_sen| sensitive items can be held."""


def _held_at_most(constraint: int) -> Mapping[int, tuple[tuple[object, Step], ...]]:
    return {0: tuple((c, {"multipliers": {str(constraint): _HELD.json()}}) for c in (1, 4, 16, 64))}


CONSTANTS: Mapping[str, Mapping[int, tuple[tuple[object, Step], ...]]] = {
    "002.table2.wheel": _held_at_most(1),
    "002.table2.suwheel": _held_at_most(3),
    "002.exp.fig3.quad": _held_at_most(3),
    "002.exp.fig4.power@suwheel.corrected": _held_at_most(3),
}
"""Constants with steps that are tried first (id of the row; number of the relation)."""
