"""Several attributes, two rounds: split budgets and one sampled attribute."""

from __future__ import annotations

from .several import Many


class _LongMany(Many):
    def __init__(self, sizes: list[int], eps_perm: float, eps_1: float) -> None:
        self.client_arguments = self.server_arguments = (list(sizes), len(sizes), eps_perm, eps_1)


class _LongManyUnary(Many):
    def __init__(self, sizes: list[int], eps_perm: float, eps_1: float) -> None:
        self.client_arguments = (list(sizes), len(sizes), eps_perm, eps_1)
        self.server_arguments = (len(sizes), eps_perm, eps_1)


class SPL_L_GRR(_LongMany):
    """Split budgets, L-GRR."""

    numbered = True


class SPL_L_SUE(_LongManyUnary):
    """Split budgets, L-SUE."""


class SPL_L_OUE(_LongManyUnary):
    """Split budgets, L-OUE."""


class SPL_L_OSUE(_LongManyUnary):
    """Split budgets, L-OSUE."""


class SPL_L_SOUE(_LongManyUnary):
    """Split budgets, L-SOUE."""


class SPL_L_ADP(_LongMany):
    """Split budgets, L-ADP."""


class SMP_L_GRR(SPL_L_GRR):
    """One sampled attribute, L-GRR."""


class SMP_L_SUE(SPL_L_SUE):
    """One sampled attribute, L-SUE."""


class SMP_L_OUE(SPL_L_OUE):
    """One sampled attribute, L-OUE."""


class SMP_L_OSUE(SPL_L_OSUE):
    """One sampled attribute, L-OSUE."""


class SMP_L_SOUE(SPL_L_SOUE):
    """One sampled attribute, L-SOUE."""


class SMP_L_ADP(SPL_L_ADP):
    """One sampled attribute, L-ADP."""


class SPL_dBitFlipPM(Many):
    """Split budget, dBitFlipPM."""

    def __init__(self, sizes: list[int], buckets: list[int], bits: int, epsilon: float) -> None:
        self.client_arguments = (list(sizes), list(buckets), bits, len(sizes), epsilon)
        self.server_arguments = (list(buckets), bits, len(sizes), epsilon)


class SMP_dBitFlipPM(SPL_dBitFlipPM):
    """One sampled attribute, dBitFlipPM."""
