"""Audits of released libraries, and of files, that share their child processes, which end with this one."""

import atexit
from dataclasses import replace
from functools import partial

import pytest

import dp_audit.audit
from dp_audit import AuditEnvironmentError, Environment
from dp_audit.environment import create
from dp_audit.run.child_program import ChildAnswer, Children, Program
from dp_studies.libraries import audit, maps

_CHILDREN = Children()
atexit.register(_CHILDREN.close)


def run_shared(program: Program, job: str, timeout: float) -> ChildAnswer:
    """What a child of earlier tests answers. A variable that pytest sets anew for every test would keep them apart."""
    variables = {name: value for name, value in program.variables.items() if not name.startswith("PYTEST_")}
    return _CHILDREN.run(replace(program, variables=variables), job, timeout)


audit_library = partial(audit.audit_library, start=run_shared)
audit_map_library = partial(maps.audit_map_library, start=run_shared)
audit_adapter = partial(dp_audit.audit.audit_adapter, start=run_shared)


def environment(name: str) -> Environment:
    """An environment of audited libraries; what needs it is skipped where it cannot be made."""
    try:
        return create(name)
    except AuditEnvironmentError as error:
        pytest.skip(f"the environment of the audited libraries cannot be made: {error}")
