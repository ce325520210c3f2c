"""Audits of released libraries that share their child processes, which end with this one."""

import atexit
from functools import partial

from dp_audit import library
from dp_audit.copied import Children

_CHILDREN = Children()
atexit.register(_CHILDREN.close)
audit_library = partial(library.audit_library, start=_CHILDREN.run)
