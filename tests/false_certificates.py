"""Certificates of statements that are false, undefined, about nothing, or misread: each attacks a rule of the kernel.

Every one is a function in one of the modules below; its docstring says what is wrong.
"""

import false_arc_estimates
import false_arcs
import false_budget
import false_channels
import false_errors
import false_estimators
import false_formulas
import false_laws
import false_orders
import false_relations
from planted import FALSE

MODULES = (
    false_arcs,
    false_arc_estimates,
    false_budget,
    false_errors,
    false_relations,
    false_orders,
    false_formulas,
    false_laws,
    false_estimators,
    false_channels,
)

__all__ = ["FALSE", "MODULES"]
