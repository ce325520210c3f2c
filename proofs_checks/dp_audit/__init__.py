"""Audits of other people's implementations against exact oracles. Names are imported when they are first used: a run
of pytest loads this package, whether it audits anything or not."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dp_audit.audit import audit_adapter, audit_callable
    from dp_audit.environment import AuditEnvironmentError, Environment
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
    "Verdict",
    "audit_adapter",
    "audit_callable",
    "run_target",
]

_MODULES = {
    "environment": ("AuditEnvironmentError", "Environment"),
    "options": ("Options",),
    "audit": ("audit_adapter", "audit_callable"),
    "run.enumeration": ("Job", "run_target"),
    "outcome": ("Audit", "Row", "Verdict"),
}


def __getattr__(name: str) -> object:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"dp_audit.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
