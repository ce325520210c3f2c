"""The released libraries that are audited, one module each."""

from collections.abc import Mapping

from dp_audit.libraries import diffprivlib, ldp_toolbox, multi_freq_ldpy, opendp, pure_ldp, trasgodp
from dp_audit.libraries.base import Audited, Library

LIBRARIES: Mapping[str, Library] = {
    module.LIBRARY.name: module.LIBRARY
    for module in (pure_ldp, multi_freq_ldpy, ldp_toolbox, diffprivlib, trasgodp, opendp)
}

__all__ = ["LIBRARIES", "Audited", "Library"]
