"""Certificates of statements that are false, undefined, about nothing, or misread: each attacks a rule of the kernel.

Every one is a function in one of the modules below; its docstring says what is wrong.
"""

from planted import (
    additive,
    arc_estimates,
    arcs,
    budget,
    channels,
    errors,
    estimators,
    formulas,
    laws,
    matrices,
    meanings,
    orders,
    relations,
    shuffle_bounds,
    shuffle_laws,
    sketches,
    sums,
)
from planted.register import FALSE

MODULES = (
    arcs,
    arc_estimates,
    budget,
    errors,
    relations,
    orders,
    formulas,
    laws,
    estimators,
    channels,
    sketches,
    sums,
    additive,
    matrices,
    meanings,
    shuffle_bounds,
    shuffle_laws,
)

__all__ = ["FALSE", "MODULES"]
