"""Exact audits of other people's implementations against exact oracles."""

from dp_checks.audit.environment import AuditEnvironmentError, Environment
from dp_checks.audit.exact.python import Checks, audit_adapter, audit_callable
from dp_checks.audit.exact.target import Job, run_target
from dp_checks.audit.libraries import LIBRARIES
from dp_checks.audit.library import audit_library
from dp_checks.audit.report import AuditReport, Row, Verdict

__all__ = [
    "LIBRARIES",
    "AuditEnvironmentError",
    "AuditReport",
    "Checks",
    "Environment",
    "Job",
    "Row",
    "Verdict",
    "audit_adapter",
    "audit_callable",
    "audit_library",
    "run_target",
]
