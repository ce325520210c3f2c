"""The released libraries that are audited, one module each (those of the npm registry share one)."""

from collections.abc import Mapping

from dp_studies.libraries import (
    datasynthesizer,
    diffpriv_pure,
    diffprivlib,
    dpmm,
    javascript,
    ldp_hierarchical_mechanism,
    ldp_toolbox,
    multi_freq_ldpy,
    nprr,
    opendp,
    privadjust,
    pure_ldp,
    python_dp,
    smartnoise_sql,
    synthcity,
    trasgodp,
)
from dp_studies.libraries.base import Audited, Library, Repair

_PYTHON = (
    *(pure_ldp, multi_freq_ldpy, ldp_toolbox, privadjust, nprr, ldp_hierarchical_mechanism),
    *(diffprivlib, trasgodp, opendp, diffpriv_pure, datasynthesizer, python_dp, smartnoise_sql, dpmm, synthcity),
)
LIBRARIES: Mapping[str, Library] = {
    library.name: library
    for library in (
        *(module.LIBRARY for module in _PYTHON),
        javascript.DIFFERENTIAL_PRIVACY,
        javascript.WEIGHTED_RANDOM,
    )
}

__all__ = ["LIBRARIES", "Audited", "Library", "Repair"]
