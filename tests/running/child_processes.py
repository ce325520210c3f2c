"""Audits of released libraries, and of files, that share their child processes, which end with this one."""

import atexit
from functools import partial

import pytest

import dp_audit.audit
from dp_audit import AuditEnvironmentError, Environment
from dp_audit.environment import create
from dp_audit.run.child_program import Children
from dp_studies.libraries import audit, maps

_CHILDREN = Children()
atexit.register(_CHILDREN.close)
START = _CHILDREN.run
audit_library = partial(audit.audit_library, start=START)
audit_map_library = partial(maps.audit_map_library, start=START)
audit_adapter = partial(dp_audit.audit.audit_adapter, start=START)


def environment(name: str) -> Environment:
    """An environment of audited libraries; what needs it is skipped where it cannot be made."""
    try:
        return create(name)
    except AuditEnvironmentError as error:
        pytest.skip(f"the environment of the audited libraries cannot be made: {error}")
