"""Audits of released libraries: which are known, and `audit_library`, which runs one and reports."""

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Literal

from dp_checks.audit.assess import assess
from dp_checks.audit.environment import Environment, locate
from dp_checks.audit.oracles import Epsilon, oracle
from dp_checks.audit.report import AuditReport
from dp_checks.audit.target import Job, run_target
from dp_spec.vocabulary.errors import DomainError


@dataclass(frozen=True)
class Library:
    """A released library: its adapter, the unit of its estimates, whether it runs compiled, what a reader must know."""

    adapter: str
    protocols: tuple[str, ...]
    unit: Literal["counts", "frequencies"]
    compiled: bool
    notes: tuple[str, ...]


LIBRARIES = {
    "pure-ldp": Library("pure_ldp.py", ("GRR", "SUE", "OUE"), "counts", False, ("items are 1 .. d in this library",)),
    "multi-freq-ldpy": Library(
        "multi_freq_ldpy.py",
        ("GRR", "SUE", "OUE"),
        "frequencies",
        True,
        (
            "the audited law is that of the Python source: numba's compilation is switched off",
            "it documents that its estimates are post-processed to be non-negative (clipped at 0, then normalised)",
        ),
    ),
}


def audit_library(
    library: str,
    protocol: str,
    *,
    d: int,
    epsilon: float | str,
    users: tuple[int, ...] = (1, 2),
    environment: Environment | None = None,
    timeout: float = 300.0,
) -> AuditReport:
    """The exact audit of a released, unmodified library; epsilon is a double > 0 or text as `"ln(3)"`.

    Estimates are checked for all data sets of the sizes `users`. Raises `DomainError` for an unknown library or
    protocol or a bad parameter, `AuditEnvironmentError` when the environment of the libraries has not been made.
    """
    if library not in LIBRARIES:
        raise DomainError("library", library, f"one of {', '.join(LIBRARIES)}")
    known = LIBRARIES[library]
    if protocol not in known.protocols:
        raise DomainError("protocol", protocol, f"one of {', '.join(known.protocols)}")
    nominal = Epsilon.of(epsilon)
    reference = oracle(protocol, d, nominal)
    job = Job(
        adapter=Path(__file__).with_name("adapters") / known.adapter,
        protocol=protocol,
        parameters={"d": d, "epsilon": nominal.double},
        inputs=reference.inputs,
        input_types=("int", "numpy.int64"),
        outside=(-1, d),
        reuse=tuple(product((0, d - 1), repeat=2)),
        users=users,
        distributions=(library,),
    )
    target = run_target(job, environment or locate(), timeout)
    return AuditReport(
        library=library,
        protocol=protocol,
        d=d,
        epsilon=nominal.text,
        rows=assess(target, reference, known.unit, known.compiled),
        versions=dict(target.versions),
        models=target.models,
        notes=known.notes,
    )
