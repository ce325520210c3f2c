"""Proof hints: multipliers and constants found by hand. The kernel checks every one; a wrong hint proves nothing."""

from collections.abc import Mapping

from dp_spec.vocabulary.term import Term, var

W, A, B, C = var("w"), var("a"), var("b"), var("c")
U, V, M, K, N, F = var("u"), var("v"), var("m"), var("K"), var("n"), var("f")

MULTIPLIERS: Mapping[str, tuple[tuple[Term | int, Mapping[int, Term | int]], ...]] = {
    # for each relation: scale, and constraint index -> multiplier (see `kernel.formulas.prove`)
    "002.def1.noinfer": ((W, {0: V / (U * A + V * B + var("rest"))}),),
    "002.def1.limit": ((1, {0: 1, 3: W - 1}), (1, {1: 1, 2: W - 1})),
    "002.def1.order": ((1, {0: 1}),),
    "002.prose.split.composition": ((1, {1: 1}), (1, {0: C * B, 1: var("A")})),
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
