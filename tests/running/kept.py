"""Audits of released libraries, and of files, that share their child processes, which end with this one."""

import atexit
from functools import partial

from dp_audit.copied import Children
from dp_audit.exact import python
from dp_studies.libraries import audit

_CHILDREN = Children()
atexit.register(_CHILDREN.close)
audit_library = partial(audit.audit_library, start=_CHILDREN.run)
audit_adapter = partial(python.audit_adapter, start=_CHILDREN.run)
