"""Proof hints: multipliers and constants found by hand. The kernel checks every one; a wrong hint proves nothing."""

from collections.abc import Mapping

from dp_spec.frequency import wheel
from dp_spec.vocabulary.term import Term, var

W, A, B, C = var("w"), var("a"), var("b"), var("c")
U, V, M, K, N, F, G, EPS = (var(x) for x in ("u", "v", "m", "K", "n", "f", "g", "eps"))

MULTIPLIERS: Mapping[str, tuple[tuple[Term | int, Mapping[int, Term | int]], ...]] = {
    # for each relation: scale, and constraint index -> multiplier (see `kernel.formulas.prove`)
    "002.def1.noinfer": ((W, {0: V / (U * A + V * B + var("rest"))}),),
    "002.def1.limit": ((1, {0: 1, 3: W - 1}), (1, {1: 1, 2: W - 1})),
    "002.def1.order": ((1, {0: 1}),),
    "002.prose.split.composition": ((1, {1: 1}), (1, {0: C * B, 1: var("A")})),
    "002.sec44.epsm2@entries": ((1, {0: G / (M * EPS * N)}),) * 4,
    "002.sec44.dominates@entries.corrected": (
        (N * EPS**2, {0: M**2 * K, 2: M * K * EPS}),
        (N * EPS**2, {0: M**3 * K, 1: M**2 * K, 2: M**2 * K * EPS}),
        (N * EPS**2, {0: M**2, 2: M * EPS}),
        (N * EPS**2, {0: M**3, 1: M**2, 2: M**2 * EPS}),
        (M * N * EPS**2, {0: M * (1 + EPS), 2: EPS**2}),
    ),
}

KINDS: Mapping[str, str] = {"002.prose.split.composition": "induction step"}

_D, _MV = W - 1, M * V
_SPREAD = W + K - 3
SMALLER_ORDER_CONSTANT = (W**2 + K * W) / (K - 1)
SMALLER_ORDER_STEP: tuple[Term, Mapping[int, Term]] = (
    N * V**2 * _D**2,
    {0: M * _D * _SPREAD * _MV * V, 1: M * (_D + _MV) * ((W + K - 2) + _D * _SPREAD)},
)
"""m * (MSE of suGRR-Sample) <= C * (MSE of suGRR) for K >= 2, with m v <= w - 1 (constraint 1) and f <= 1 (constraint
0)."""

SAME_ORDER_CONSTANT = 1 / W
SAME_ORDER_STEP: tuple[Term | int, Mapping[int, Term]] = (1, {2: M / (N * V * W * (W - 1))})
"""(MSE of suGRR-Sample) >= (MSE of suGRR) / w for K = 1 and f = 0, from w m v >= (w - 1)(1 + v) (constraint 2)."""

ERROR_STEPS: Mapping[tuple[str, int], tuple[object, ...]] = {}
"""Steps for relations between errors (id, number of the relation), as certificates write them, that are tried first."""

_ROOT = 1 + var("eps") + var("eps") ** 2 * (2 + var("[u0]")) / 4
_HELD = ((wheel.PRESENT - wheel.ABSENT) / N).substitute({"w": _ROOT})
"""How much a held item of Wheel costs more than another one; at most |X_sen| sensitive items can be held."""


def _held_at_most(constraint: int) -> Mapping[str, tuple[object, ...]]:
    return {"upper": ({"multipliers": {str(constraint): _HELD.json()}},)}


ORDER_STEPS: Mapping[str, Mapping[str, tuple[object, ...]]] = {
    "002.table2.wheel": _held_at_most(1),
    "002.table2.suwheel": _held_at_most(3),
    "002.exp.fig3.quad": _held_at_most(3),
    "002.exp.fig4.power@suwheel.corrected": _held_at_most(3),
}
"""Steps for upper and lower bounds (id of the row), tried first."""
