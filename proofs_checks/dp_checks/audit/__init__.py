"""Exact audits of other people's implementations against the certified oracle."""

from dp_checks.audit.environment import AuditEnvironmentError, Environment
from dp_checks.audit.library import LIBRARIES, audit_library
from dp_checks.audit.report import AuditReport, Row, Verdict
from dp_checks.audit.target import Job, run_target

__all__ = [
    "LIBRARIES",
    "AuditEnvironmentError",
    "AuditReport",
    "Environment",
    "Job",
    "Row",
    "Verdict",
    "audit_library",
    "run_target",
]
