"""Audits of other people's implementations against exact oracles. Names are imported when they are first used: a run
of pytest loads this package, whether it audits anything or not."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dp_audit.accountants import audit_accountant, audit_accountant_file
    from dp_audit.audit import (
        audit_adapter,
        audit_adapter_blackbox,
        audit_callable,
        audit_process,
        audit_reports,
        audit_table,
    )
    from dp_audit.declared_maps import audit_map, audit_map_file
    from dp_audit.environment import AuditEnvironmentError, Environment
    from dp_audit.judge.bets.sequential import Sampling
    from dp_audit.judge.declared_map import judge_number
    from dp_audit.observation.jobs import Job
    from dp_audit.options import Options
    from dp_audit.outcome import Audit, Row, Verdict
    from dp_audit.run.enumeration import run_target

__all__ = [
    "Audit",
    "AuditEnvironmentError",
    "Environment",
    "Job",
    "Options",
    "Row",
    "Sampling",
    "Verdict",
    "audit_accountant",
    "audit_accountant_file",
    "audit_adapter",
    "audit_adapter_blackbox",
    "audit_callable",
    "audit_map",
    "audit_map_file",
    "audit_process",
    "audit_reports",
    "audit_table",
    "judge_number",
    "run_target",
]

_MODULES = {
    "accountants": ("audit_accountant", "audit_accountant_file"),
    "declared_maps": ("audit_map", "audit_map_file"),
    "environment": ("AuditEnvironmentError", "Environment"),
    "judge.bets.sequential": ("Sampling",),
    "judge.declared_map": ("judge_number",),
    "observation.jobs": ("Job",),
    "options": ("Options",),
    "outcome": ("Audit", "Row", "Verdict"),
    "run.enumeration": ("run_target",),
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = next((module for module, names in _MODULES.items() if name in names), "audit")
    return getattr(import_module(f"dp_audit.{module}"), name)
